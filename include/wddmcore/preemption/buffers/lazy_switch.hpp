// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../engine/submission.hpp"

/// Which context an engine has loaded, and what switching costs: the system switches lazily (CTX-04), so most packets
/// find their own context there.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// Who schedules: the system's scheduler by packets, or the hardware by queues.
enum class scheduling_mode : u32 { software, hardware };

/// Whether a packet asks the engine to leave its context for the null context (CTX-01).
[[nodiscard]] constexpr bool is_context_switch(u32 flags) noexcept {
    return (flags & submit_flag::context_switch) != 0;
}

/// What is wrong with a packet that switches contexts.
enum class switch_defect : u32 {
    none,
    has_commands,     ///< a switch to the null context has a zero-length window (CTX-01)
    has_no_place,     ///< with hardware scheduling there is none: the context is suspended instead (CTX-06)
    wrong_paging_bit  ///< Paging is set exactly when the context that is left was a paging one (CTX-02)
};

/// Judges the parts of a switch that the packet itself shows; `none` for a packet that is no switch.
///
/// Source: ns-d3dkmddi-_dxgk_submitcommandflags.md (CTX-01), nc-d3dkmddi-dxgkddi_suspendcontext.md (CTX-06, WDDM 2.4).
[[nodiscard]] constexpr switch_defect check_switch(u32 flags, packet_window window, scheduling_mode mode) noexcept {
    if (!is_context_switch(flags)) {
        return switch_defect::none;
    }
    if (mode == scheduling_mode::hardware) {
        return switch_defect::has_no_place;
    }
    return window.start == window.end ? switch_defect::none : switch_defect::has_commands;
}

/// What must happen to contexts before a packet.
enum class switch_work : u32 {
    nothing,           ///< the packet finds its context loaded, or needs none
    restore,           ///< the engine is in the null context: load the packet's
    save_and_restore,  ///< another context is loaded: save it, then load the packet's
    reload,            ///< what is loaded is not known: load the packet's whole state, also if it ran last
    save,              ///< leave the loaded context for the null context
    drop,              ///< what is loaded is not known and was saved already: forget it, for the null context
};

/// One step of a packet on the engine.
enum class engine_step : u32 {
    save,             ///< write the leaving context's state to its context allocation
    drop_references,  ///< after it, caches and translations of the leaving context are gone
    restore,          ///< load the packet's context from its context allocation
    execute,          ///< the commands of the window
    write_fence,      ///< the serial, and the interrupt
};

/// The steps of one packet, in the order in which the engine must do them.
struct engine_steps {
    u32 count;
    engine_step of[5];

    constexpr void add(engine_step step) noexcept { of[count++] = step; }
};

/// The steps of a packet.
///
/// The leaving context is saved and forgotten before the fence is written: the fence is the promise that its memory may
/// move (CTX-03). Every packet writes its fence, also one with nothing to execute (CTX-01, PRE-29).
[[nodiscard]] constexpr engine_steps steps_of(switch_work work, bool executes) noexcept {
    engine_steps steps{};
    bool const saves = work == switch_work::save || work == switch_work::save_and_restore;
    if (saves) {
        steps.add(engine_step::save);
    }
    // A stop saves what was loaded, and leaves its caches and translations behind.
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
    Context leaving;       ///< whose state is saved; only with save and save_and_restore
    bool executes;         ///< whether the window has commands to execute
    switch_defect defect;  ///< wrong_paging_bit, or none; work is right all the same

    [[nodiscard]] constexpr engine_steps steps() const noexcept { return steps_of(work, executes); }
};

/// The context that one engine has loaded, as of the last packet handed over to it.
///
/// It is asked when a packet is handed over, under the submission lock, not when it is submitted: a packet that was
/// held during a preempt request must take into account that the stop changed what is loaded. It is therefore told of
/// stops and resets under the same lock, before the packets held are released.
///
/// @tparam Context  the driver's name of a context: compared for equality, copied, and otherwise its own business
template <class Context>
class lazy_switch {
public:
    /// A packet is handed over: what must be done before it, and the context that is loaded from now on.
    ///
    /// @param flags    the DDI's bits
    /// @param window   the submission's window
    /// @param context  the packet's context; for a paging packet without one, the driver's own paging context; not
    ///                 looked at for a switch to the null context
    /// A switch is never skipped, not even in the null context: its fence is owed (CTX-01). A packet of null rendering
    /// is a bare fence and loads nothing (PRE-29); neither does one with an empty window.
    /// Source: ns-d3dkmddi-_dxgk_submitcommandflags.md, nc-d3dkmddi-dxgkcb_createcontextallocation.md.
    [[nodiscard]] constexpr switch_plan<Context> handed_over(u32 flags, packet_window window,
                                                             Context context) noexcept {
        bool const paging = (flags & submit_flag::paging) != 0;
        if (is_context_switch(flags)) {
            return leave_context(paging);
        }
        if ((flags & submit_flag::null_rendering) != 0 || window.start == window.end) {
            return {switch_work::nothing, {}, false, switch_defect::none};
        }
        switch_plan<Context> const plan{work_to(context), context_, true, switch_defect::none};
        state_ = loaded::context;
        context_ = context;
        paging_ = paging;
        return plan;
    }

    /// The engine stopped for a preempt request or faulted, and hardware saved what was loaded: nothing is known of
    /// what is left on it. Also right, but slower, wherever one of the two below is.
    constexpr void stopped() noexcept { state_ = loaded::unknown; }

    /// The engine stopped between two buffers without saving: it still has the state of the context that ran last,
    /// which need not be the one handed over last.
    ///
    /// Bare fences (null rendering, empty windows) that ran after it have loaded nothing: look past them. Was the last
    /// packet that changed what is loaded a switch to the null context, call stopped_in_null_context(); has nothing run
    /// since the state was unknown, stopped().
    ///
    /// @param context  of the last packet that ran and executed something
    /// @param paging   whether that was a paging packet
    constexpr void stopped_with(Context context, bool paging) noexcept {
        state_ = loaded::context;
        context_ = context;
        paging_ = paging;
    }

    /// The same, when the last packet that ran, bare fences apart, was a switch to the null context: what it left was
    /// saved then, and nothing was loaded since.
    constexpr void stopped_in_null_context() noexcept { state_ = loaded::null_context; }

    /// The engine or the adapter was reset: nothing is loaded, and nothing of it is worth saving.
    constexpr void reset() noexcept { state_ = loaded::unknown; }

    /// A context is destroyed: its state must not be saved any more.
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
        switch_plan<Context> const plan{work, context_, false,
                                        loaded_now && paging != paging_ ? switch_defect::wrong_paging_bit
                                                                        : switch_defect::none};
        state_ = loaded::null_context;
        return plan;
    }

    loaded state_ = loaded::unknown;
    Context context_{};
    bool paging_ = false;
};

}  // namespace wddmcore::preemption
