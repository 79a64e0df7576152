// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// header: 9600 WDDM1_3
// header: 26100 WDDM1_3
// expect: interrupt record: this interface version has no DmaPageFaulted (it begins with WDDM 2.0)

#include <d3dkmddi.h>

#include <wddmcore/wddmcore.hpp>

void faulted(DXGKARGCB_NOTIFY_INTERRUPT_DATA* data) {
    wddmcore::preemption::fill_fault_unknown(*data, wddmcore::preemption::fault_details{}, {0, 0});
}
