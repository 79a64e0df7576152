// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: interrupt record: the included header has no HwContextListSwitchCompleted.ContextSwitchFence: it begins with
// expect: WDDM 2.2 and build 16299

#include <wddmcore/ddi/mirror/mirror.hpp>
#include <wddmcore/preemption/records/notify.hpp>

#if defined(BAD)
using record = wddmcore::mirror::v2_1::dxgkargcb_notify_interrupt_data;
#else
using record = wddmcore::mirror::v2_2::dxgkargcb_notify_interrupt_data;
#endif

void switched(record& data) { wddmcore::preemption::fill_list_switched(data, 7, {0, 0}); }
