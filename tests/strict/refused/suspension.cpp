// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// header: 16299 WDDM2_3
// header: 26100 WDDM2_3
// expect: interrupt record: this interface version has no SuspendContextCompleted (it begins with WDDM 2.4)

#include <d3dkmddi.h>

#include <wddmcore/wddmcore.hpp>

void suspended(DXGKARGCB_NOTIFY_INTERRUPT_DATA* data) { wddmcore::preemption::fill_suspended(*data, nullptr, 7); }
