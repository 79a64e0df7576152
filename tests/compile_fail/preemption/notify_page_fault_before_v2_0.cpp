// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: interrupt record: this interface version has no DmaPageFaulted (it begins with WDDM 2.0)

#include <wddmcore/ddi/mirror/mirror.hpp>
#include <wddmcore/preemption/records/notify.hpp>

#if defined(BAD)
using record = wddmcore::mirror::v1_3::dxgkargcb_notify_interrupt_data;
#else
using record = wddmcore::mirror::v2_0::dxgkargcb_notify_interrupt_data;
#endif

void fault(record& data) { wddmcore::preemption::fill_faulted(data, {7}, {}, {0, 0}); }
