// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// header: 15063 WDDM2_2
// header: 26100 WDDM2_1
// expect: interrupt record: the included header has no HwContextListSwitchCompleted.ContextSwitchFence
// expect: WDDM 2.2 and build 16299

#include <d3dkmddi.h>

#include <wddmcore/wddmcore.hpp>

void switched(DXGKARGCB_NOTIFY_INTERRUPT_DATA* data) { wddmcore::preemption::fill_list_switched(*data, 7, {0, 0}); }
