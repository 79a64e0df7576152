// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../engine/submission.hpp"

/// Which context an engine has loaded, and what a packet must save and load. The system switches lazily (CTX-04), so
/// most packets find their own context loaded.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code. DDI: WDDM 1.2.
/// Source page: ns-d3dkmddi-_dxgk_submitcommandflags.md.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// Who schedules: the system's scheduler, packet by packet, or the hardware, from its queues.
enum class scheduling_mode : u32 { software, hardware };

/// Whether a packet is allowed to switch contexts, as far as the packet itself shows. Any IRQL, nonpaged.
///
/// Source: ns-d3dkmddi-_dxgk_submitcommandflags.md (CTX-01), nc-d3dkmddi-dxgkddi_suspendcontext.md (CTX-06, WDDM 2.4).
///
/// @param flags   the DDI's bits
/// @param window  the submission's window, in bytes
/// @return true for a legal switch and for a packet that is none. false: the switch has commands (CTX-01), or comes
///         with hardware scheduling, where a context is suspended instead (CTX-06)
[[nodiscard]] constexpr bool switch_is_legal(u32 flags, packet_window window, scheduling_mode mode) noexcept {
    return !is_context_switch(flags) || (mode == scheduling_mode::software && window.start == window.end);
}

/// What must happen to contexts before a packet.
enum class switch_work : u32 {
    nothing,           ///< the packet finds its context loaded, or needs none
    restore,           ///< the engine is in the null context: load the packet's
    save_and_restore,  ///< another context is loaded: save it, then load the packet's
    reload,            ///< what is loaded is not known: load the packet's whole state, even if its context ran last
    save,              ///< leave the loaded context for the null context
    drop,              ///< what is loaded is not known, but saved: forget it, for the null context
};

/// One step of a packet on the engine.
enum class engine_step : u32 {
    save,             ///< write the leaving context's state to its context allocation
    drop_references,  ///< empty the caches and translations of the leaving context
    restore,          ///< load the packet's context from its context allocation
    execute,          ///< the commands of the window
    write_fence,      ///< the serial, and the interrupt
};

/// The steps of one packet, in the order in which the engine must do them.
struct engine_steps {
    u32 count;          ///< how many steps
    engine_step of[5];  ///< in the order in which to take them

    /// Appends a step; there are at most five. Any IRQL, nonpaged.
    constexpr void add(engine_step step) noexcept { of[count++] = step; }
};

/// The steps of a packet. Any IRQL, nonpaged.
///
/// The leaving context is saved and forgotten before the fence is written: the fence promises that its memory may move
/// (CTX-03). Every packet writes its fence, even one with nothing to execute (CTX-01, PRE-29).
///
/// @param work      what lazy_switch decided
/// @param executes  whether the packet has commands
/// @return one to five steps, in the engine's order
[[nodiscard]] constexpr engine_steps steps_of(switch_work work, bool executes) noexcept {
    engine_steps steps{};
    bool const saves = work == switch_work::save || work == switch_work::save_and_restore;
    if (saves) {
        steps.add(engine_step::save);
    }
    // A stop saves what was loaded, but its caches and translations are still there.
    if (saves || work == switch_work::reload || work == switch_work::drop) {
        steps.add(engine_step::drop_references);
    }
    if (work == switch_work::restore || work == switch_work::save_and_restore || work == switch_work::reload) {
        steps.add(engine_step::restore);
    }
    if (executes) {
        steps.add(engine_step::execute);
    }
    steps.add(engine_step::write_fence);
    return steps;
}

/// What to write to hardware for one packet.
template <class Context>
struct switch_plan {
    switch_work work;
    Context leaving;  ///< whose state is saved; only with save and save_and_restore
    bool executes;    ///< whether the window has commands to execute
    /// False: the packet's Paging flag is not that of the context which it leaves (CTX-02); work is right all the same.
    bool paging_bit_is_right;

    /// The same as steps to take. Any IRQL, nonpaged. @return as steps_of()
    [[nodiscard]] constexpr engine_steps steps() const noexcept { return steps_of(work, executes); }
};

/// The context that one engine has loaded, as of the last packet handed over to it.
///
/// Ask it when a packet is handed over, under the submission lock, not when it is submitted: a packet may be held
/// during a preempt request, and the stop changes what is loaded. So tell it of stops and resets under the same lock,
/// before the held packets are released. Any IRQL, nonpaged.
///
/// @tparam Context  the driver's name of a context: it is compared for equality and copied
template <class Context>
class lazy_switch {
public:
    /// A packet is handed over: its context is loaded from now on. Submission lock.
    ///
    /// A switch is never skipped, not even in the null context: its fence must be written (CTX-01). A packet of null
    /// rendering is only a fence and loads nothing (PRE-29), as is one with an empty window. Source:
    /// ns-d3dkmddi-_dxgk_submitcommandflags.md, nc-d3dkmddi-dxgkcb_createcontextallocation.md.
    ///
    /// @param flags    the DDI's bits
    /// @param window   the submission's window
    /// @param context  the packet's context; for a paging packet without one, the driver's own paging context; ignored
    ///                 for a switch to the null context
    /// @return what to do before the packet, and whether it has commands
    [[nodiscard]] constexpr switch_plan<Context> handed_over(u32 flags, packet_window window,
                                                             Context context) noexcept {
        bool const paging = (flags & submit_flag::paging) != 0;
        if (is_context_switch(flags)) {
            return leave_context(paging);
        }
        if ((flags & submit_flag::null_rendering) != 0 || window.start == window.end) {
            return {switch_work::nothing, {}, false, true};
        }
        switch_plan<Context> const plan{work_to(context), context_, true, true};
        state_ = loaded::context;
        context_ = context;
        paging_ = paging;
        return plan;
    }

    /// The engine stopped for a preempt request or faulted, and hardware saved what was loaded: what is left on it is
    /// not known. Submission lock. Also correct, but slower, in place of either of the next two.
    constexpr void stopped() noexcept { state_ = loaded::unknown; }

    /// The engine stopped between two buffers without saving: it still has the state of the context that ran last,
    /// which need not be the one handed over last. Submission lock.
    ///
    /// Packets that are only a fence (null rendering, empty windows) have loaded nothing: look past them. If the packet
    /// before them was a switch to the null context, call stopped_in_null_context(); if nothing has run since the state
    /// was unknown, call stopped().
    ///
    /// @param context  of the last packet that ran and executed something
    /// @param paging   whether that was a paging packet
    constexpr void stopped_with(Context context, bool paging) noexcept {
        state_ = loaded::context;
        context_ = context;
        paging_ = paging;
    }

    /// The same, when the last packet that ran and was more than a fence was a switch to the null context: it saved
    /// what it left, and nothing was loaded since. Submission lock.
    constexpr void stopped_in_null_context() noexcept { state_ = loaded::null_context; }

    /// The engine or the adapter was reset: nothing that is loaded is worth saving. Submission lock.
    constexpr void reset() noexcept { state_ = loaded::unknown; }

    /// A context is destroyed: its state must not be saved any more. Submission lock.
    constexpr void destroyed(Context context) noexcept {
        if (state_ == loaded::context && context_ == context) {
            state_ = loaded::unknown;
        }
    }

private:
    enum class loaded : u32 { unknown, null_context, context };

    [[nodiscard]] constexpr switch_work work_to(Context context) const noexcept {
        if (state_ != loaded::context) {
            return state_ == loaded::unknown ? switch_work::reload : switch_work::restore;
        }
        return context_ == context ? switch_work::nothing : switch_work::save_and_restore;
    }

    [[nodiscard]] constexpr switch_plan<Context> leave_context(bool paging) noexcept {
        bool const loaded_now = state_ == loaded::context;
        switch_work const work = loaded_now                  ? switch_work::save
                                 : state_ == loaded::unknown ? switch_work::drop
                                                             : switch_work::nothing;
        switch_plan<Context> const plan{work, context_, false, !loaded_now || paging == paging_};
        state_ = loaded::null_context;
        return plan;
    }

    loaded state_ = loaded::unknown;
    Context context_{};
    bool paging_ = false;
};

}  // namespace wddmcore::preemption
