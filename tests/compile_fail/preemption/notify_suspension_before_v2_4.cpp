// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: interrupt record: this interface version has no SuspendContextCompleted (it begins with WDDM 2.4)

#include <wddmcore/ddi/mirror/mirror.hpp>
#include <wddmcore/preemption/records/notify.hpp>

#if defined(BAD)
using record = wddmcore::mirror::v2_2::dxgkargcb_notify_interrupt_data;
#else
using record = wddmcore::mirror::v2_4::dxgkargcb_notify_interrupt_data;
#endif

void suspended(record& data, void* context) { wddmcore::preemption::fill_suspended(data, context, 7); }
