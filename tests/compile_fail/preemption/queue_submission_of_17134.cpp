// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: hardware queue: DXGKARG_SUBMITCOMMANDTOHWQUEUE of the included header has no Flags or no
// expect: from build 17763 on

#include <wddmcore/ddi/mirror/mirror.hpp>
#include <wddmcore/preemption/hardware_queues/queue.hpp>

using newest = wddmcore::mirror::v2_4::dxgkarg_submitcommandtohwqueue;

/// Builds 15063 to 17134 do not say where the progress fence lies.
struct submission_of_17134 : newest {
    void HwQueueProgressFenceGpuVa();
};
#if defined(BAD)
using submission = submission_of_17134;
#else
using submission = newest;
#endif

bool take(submission const& args) {
    return wddmcore::preemption::take_queue_submission(args, wddmcore::span<wddmcore::u8>{nullptr, 0}).ok();
}
