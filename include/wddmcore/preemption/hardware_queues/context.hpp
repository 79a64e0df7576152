// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../ddi/ntstatus.hpp"
#include "../members.hpp"

namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// What a hardware context is doing, as the system may see it.
enum class hw_context_state : u32 {
    resumed,      ///< the hardware may run it (HWS-04: so it starts)
    suspending,   ///< a suspension was asked for and is not acknowledged
    suspended,    ///< nothing on the GPU refers to it (HWS-03)
    invalidated,  ///< an engine reset caught it: the system puts it in error, and it runs no more (HWS-08)
};

/// One thing that an event of a hardware context demands of the driver.
enum class hw_action : u32 {
    none = 0,
    ask_suspend = 1,  ///< ask the hardware to suspend the context, with the fence, which it echoes
    ask_resume = 2,   ///< tell the hardware that it may run the context; it also ends a suspension under way
    report = 4,       ///< report SUSPEND_CONTEXT_COMPLETED with the fence
    invalidate = 8,   ///< call DxgkCbInvalidateHwContext; PASSIVE_LEVEL
};

/// What an event of a hardware context demands.
struct hw_answer {
    ntstatus status;    ///< what the DDI function returns; success for events that are no DDI function
    u32 actions;        ///< a set of hw_action
    u64 suspend_fence;  ///< with ask_suspend and report

    /// Whether one thing is among the actions. Any IRQL, nonpaged. @return true: it is
    [[nodiscard]] constexpr bool has(hw_action a) const noexcept { return (actions & static_cast<u32>(a)) != 0; }
    friend constexpr bool operator==(hw_answer const&, hw_answer const&) = default;
};

/// The machine of one hardware context (hardware scheduling, WDDM 2.4), which the system suspends and resumes. There
/// is no ring, no preempt request and no 32-bit id here; completion is a value in memory.
///
/// Events and states; the fence of a suspension has 64 bits and rises with each suspension of a context (HWS-01):
///
/// | event              | resumed               | suspending                | suspended       | invalidated |
/// |--------------------|-----------------------|---------------------------|-----------------|-------------|
/// | suspend(f)         | ask(f), pending       | ask(f), pending           | success         | success     |
/// | suspend(f), halted | suspended, success    | (cannot be)               | success         | success     |
/// | resume             | success               | resumed, ask_resume       | resumed, ask_resume | success |
/// | resume, halted     | success               | (cannot be)               | resumed         | success     |
/// | acknowledged(f)    | ·                     | newest f: suspended, report; other f: · | · | ·           |
/// | engine_reset, was on the engine | invalidated, invalidate | invalidated, invalidate, report | suspended | · |
/// | engine_reset, was not           | resumed   | suspended, report         | suspended       | ·           |
/// | engine_resumed     | ask_resume            | (cannot be)               | ·               | ·           |
///
/// *halted* is the time between engine_reset and engine_resumed, in which the engine runs nothing (HWS-08).
///
/// All events run in the interrupt lock (the interrupt routine or DxgkCbSynchronizeExecution): notify the records that
/// they demand before you leave it, and carry out invalidate after it, at PASSIVE_LEVEL. Any IRQL up to device IRQL,
/// nonpaged; the pages of most of these functions name no IRQL (IRQ-09).
class hw_context {
public:
    /// DxgkDdiSuspendContext (members hContext and contextSuspendFence, from the page; no layout is claimed).
    ///
    /// The system may suspend, resume and suspend without waiting: the newest fence counts (HWS-02).
    /// Source: nc-d3dkmddi-dxgkddi_suspendcontext.md.
    ///
    /// @param fence  contextSuspendFence: rises with each suspension of this context
    /// @return success: nothing of it is on the GPU. pending, with ask_suspend: the report follows, with this fence
    ///         (HWS-01)
    [[nodiscard]] constexpr hw_answer suspend(u64 fence) noexcept {
        if (state_ == hw_context_state::suspended || state_ == hw_context_state::invalidated) {
            return done();
        }
        if (halted_) {
            state_ = hw_context_state::suspended;
            return done();
        }
        state_ = hw_context_state::suspending;
        newest_ = fence;
        return {status::pending, static_cast<u32>(hw_action::ask_suspend), fence};
    }

    /// DxgkDdiResumeContext.
    ///
    /// A suspension that is under way ends: its acknowledgement, if it still comes, is stale (HWS-02).
    /// Source: nc-d3dkmddi-dxgkddi_resumecontext.md.
    /// @return success, always; with ask_resume unless the context is resumed already or invalidated, or the engine
    ///         halted
    [[nodiscard]] constexpr hw_answer resume() noexcept {
        if (state_ == hw_context_state::resumed || state_ == hw_context_state::invalidated) {
            return done();
        }
        state_ = hw_context_state::resumed;
        return halted_ ? done() : does(hw_action::ask_resume);
    }

    /// The hardware has suspended the context, and nothing on it refers to the context any more.
    ///
    /// @param fence  that of the request which the hardware answers; it echoes it
    /// @return report, if it is the newest request's; nothing for a stale one (HWS-02), since the context may have been
    ///         loaded again after it (HWS-03)
    [[nodiscard]] constexpr hw_answer acknowledged(u64 fence) noexcept {
        if (state_ != hw_context_state::suspending || fence != newest_) {
            return done();
        }
        state_ = hw_context_state::suspended;
        return does(hw_action::report);
    }

    /// DxgkDdiResetHwEngine has reset the engine of this context; pending interrupts were collected before.
    ///
    /// A suspension that waits for its acknowledgement is reported now. No page says what becomes of it; but the
    /// reset took every reference away, and the system would wait for ever. Source:
    /// nc-d3dkmddi-dxgkddi_resethwengine.md.
    ///
    /// @param was_on_engine  whether the reset discarded work of this context that was under way; true also when the
    ///                       hardware cannot tell. A suspended context cannot have been there
    /// @return invalidate, if it was there; report, if a suspension waited for its acknowledgement
    [[nodiscard]] constexpr hw_answer engine_reset(bool was_on_engine) noexcept {
        halted_ = true;
        bool const waits = state_ == hw_context_state::suspending;
        bool const may_be_there = waits || state_ == hw_context_state::resumed;
        if (may_be_there && was_on_engine) {
            state_ = hw_context_state::invalidated;
        } else if (waits) {
            state_ = hw_context_state::suspended;
        }
        u32 const invalidates =
            static_cast<u32>(may_be_there && was_on_engine ? hw_action::invalidate : hw_action::none);
        u32 const reports = static_cast<u32>(waits ? hw_action::report : hw_action::none);
        return {status::success, invalidates | reports, newest_};
    }

    /// DxgkDdiResumeHwEngine: the engine runs what may run, and nothing before this (HWS-08).
    ///
    /// If the hardware cannot, DxgkDdiResumeHwEngine fails and the system resets the adapter; then each context starts
    /// again. Source: nc-d3dkmddi-dxgkddi_resumehwengine.md.
    /// @return ask_resume, if the context is resumed and its engine was halted
    [[nodiscard]] constexpr hw_answer engine_resumed() noexcept {
        bool const was_halted = halted_;
        halted_ = false;
        if (was_halted && state_ == hw_context_state::resumed) {
            return does(hw_action::ask_resume);
        }
        return done();
    }

    /// DxgkDdiSetContextSchedulingProperties, which comes before the first submission (HWS-04).
    /// Source: nc-d3dkmddi-dxgkddi_setcontextschedulingproperties.md.
    constexpr void properties_set() noexcept { has_properties_ = true; }

    /// Whether its queues take submissions. Source: nc-d3dkmddi-dxgkddi_setcontextschedulingproperties.md.
    ///
    /// @return true, also while it is suspended: the queue keeps them. false: no scheduling properties were set yet
    ///         (HWS-04), or it is invalidated, as state() says, and runs no more (HWS-08)
    [[nodiscard]] constexpr bool takes_submissions() const noexcept {
        return has_properties_ && state_ != hw_context_state::invalidated;
    }

    /// Whether the hardware may run it now. @return true: it is resumed and its engine not halted
    [[nodiscard]] constexpr bool may_run() const noexcept { return state_ == hw_context_state::resumed && !halted_; }

    /// What the context is doing. @return the state as of the last event
    [[nodiscard]] constexpr hw_context_state state() const noexcept { return state_; }

    /// Whether its engine is halted. @return true: it was reset and not resumed yet
    [[nodiscard]] constexpr bool halted() const noexcept { return halted_; }

    friend constexpr bool operator==(hw_context const&, hw_context const&) = default;

private:
    [[nodiscard]] constexpr hw_answer done() const noexcept { return {status::success, 0, newest_}; }
    [[nodiscard]] constexpr hw_answer does(hw_action a) const noexcept {
        return {status::success, static_cast<u32>(a), newest_};
    }

    u64 newest_ = 0;
    hw_context_state state_ = hw_context_state::resumed;
    bool halted_ = false;
    bool has_properties_ = false;
};

/// What DxgkDdiResumeHwEngine returns (HWS-08). Any IRQL, nonpaged. DDI: WDDM 2.4.
/// Source: nc-d3dkmddi-dxgkddi_resumehwengine.md.
///
/// @param engine_runs  whether the hardware schedules again
/// @return success: it does. unsuccessful: it does not, and the system resets the whole adapter
[[nodiscard]] constexpr ntstatus resume_hw_engine_status(bool engine_runs) noexcept {
    return engine_runs ? status::success : status::unsuccessful;
}

/// Fills DXGKARGCB_INVALIDATEHWCONTEXT (members hAdapter, hHwContext and Flags, from the page) for
/// DxgkCbInvalidateHwContext.
///
/// @param args     the three members are written
/// @param adapter  the system's handle of the adapter
/// @param context  the system's handle of the context, given to DxgkDdiCreateContext; not the driver's
/// IRQL: PASSIVE_LEVEL, pageable. From WDDM 2.2 and header build 17134.
/// Source: ns-d3dkmddi-_dxgkargcb_invalidatehwcontext.md.
template <class Args>
constexpr void fill_invalidate_hw_context(Args& args, void* adapter, void* context) noexcept {
    static_assert(
        members::invalidate_hw_context<Args>,
        "hardware context: DXGKARGCB_INVALIDATEHWCONTEXT of the included header has no hAdapter and no Flags: "
        "it has both from build 17134 on");
    if constexpr (members::invalidate_hw_context<Args>) {
        args.hAdapter = adapter;
        args.hHwContext = context;
        args.Flags = {};
    }
}

}  // namespace wddmcore::preemption
