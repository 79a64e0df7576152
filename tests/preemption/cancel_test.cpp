// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "../base/expect_both.hpp"

#include "wddmcore/ddi/mirror/mirror.hpp"
#include "wddmcore/preemption/recovery/cancel.hpp"

namespace cancel_test {

using namespace wddmcore;
using namespace wddmcore::preemption;

namespace {

constexpr packet_identity half_run{0x7000'0000, {64, 128}};

struct cancelled {
    ntstatus status;
    bool resumes;  // whether the half-run packet still goes on from its saved state
    friend constexpr bool operator==(cancelled, cancelled) = default;
};

template <class Args>
constexpr cancelled cancel(u64 buffer, packet_window window, bool something_is_saved = true) {
    resume_slot slot{};
    if (something_is_saved) {
        slot.keep(half_run);
    }
    Args args{};
    args.DmaBufferSubmissionStartOffset = window.start;
    args.DmaBufferSubmissionEndOffset = window.end;
    ntstatus const status = answer_cancel_command(args, slot, buffer);
    return {status, slot.resumes(half_run)};
}

using oldest = mirror::vista::dxgkarg_cancelcommand;
using newest = mirror::v3_2::dxgkarg_cancelcommand;

}  // namespace

TEST_CASE("TDR-14: a cancelled packet leaves no saved state, and the answer is always success") {
    expect_both(cancel<oldest>(half_run.buffer, half_run.window) == cancelled{status::success, false});
    expect_both(cancel<newest>(half_run.buffer, half_run.window) == cancelled{status::success, false});
    expect_both(cancel<newest>(half_run.buffer, half_run.window, false) == cancelled{status::success, false});
    // Packets that had not begun: another portion of the same buffer, another buffer.
    expect_both(cancel<newest>(half_run.buffer, {0, 64}) == cancelled{status::success, true});
    expect_both(cancel<newest>(half_run.buffer, {64, 192}) == cancelled{status::success, true});
    expect_both(cancel<newest>(0x7000'1000, half_run.window) == cancelled{status::success, true});
}

}  // namespace cancel_test
