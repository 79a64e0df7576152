# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""The newest interface version of each measured header build (a kit), oldest first."""

NEWEST = {
    "9600": "WDDM1_3_PATH_INDEPENDENT_ROTATION", "10240": "WDDM2_0", "14393": "WDDM2_1", "15063": "WDDM2_2",
    "16299": "WDDM2_3", "17134": "WDDM2_4", "17763": "WDDM2_5", "18362": "WDDM2_6", "19041": "WDDM2_7",
    "20348": "WDDM2_9", "22000": "WDDM3_0", "22621": "WDDM3_1", "26100": "WDDM3_2",
}
