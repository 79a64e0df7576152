// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/bits.hpp"
#include "../../ddi/ntstatus.hpp"
#include "../engine/ids.hpp"

/// All functions here: any IRQL up to device IRQL, touch no OS state, safe in non-paged code. DDI: WDDM 1.2.
/// Source page: nc-d3dkmddi-dxgkddi_queryenginestatus.md.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

inline constexpr u32 engine_status_responsive = 1u << 0;  ///< Responsive of DXGK_ENGINESTATUS

/// How far an engine has come: a number of the driver's choice that every step of work changes.
struct engine_progress {
    u64 n;
    friend constexpr bool operator==(engine_progress, engine_progress) = default;
};

/// The usual word: the serial that hardware finished last and its place in the buffer it executes.
///
/// @param finished  read from the memory that hardware writes serials to
/// @param place     the engine's read pointer, in any unit that changes while a packet runs; 0 where hardware has none:
///                  then an engine in one long packet counts as unresponsive
/// @return both in one sample
[[nodiscard]] constexpr engine_progress progress_of(serial finished, u32 place) noexcept {
    return {dword_pair(place, finished.n)};
}

/// Answers DxgkDdiQueryEngineStatus from two samples: an engine is responsive when it has moved since the last
/// question.
///
/// One for each engine. Only progress counts (TDR-03): an engine that stands still is not responsive, even if it has
/// nothing to do. (The system asks only after a preempt request went unanswered, and an engine that has become idle
/// since then has moved.)
class engine_status {
public:
    /// Begins a period: at start, after each engine reset and after a restart.
    ///
    /// @param now  a sample; the first question compares with it
    constexpr void start(engine_progress now) noexcept { last_ = now; }

    /// DxgkDdiQueryEngineStatus (DXGKARG_QUERYENGINESTATUS): fills EngineStatus; the reserved bits become 0.
    ///
    /// @param args  EngineStatus is written
    /// @param now   a sample taken after the call came in
    /// @return success, always (TDR-03)
    /// IRQL: PASSIVE_LEVEL; the system calls it from one thread, as the other scheduler functions. From WDDM 1.2.
    /// Source: nc-d3dkmddi-dxgkddi_queryenginestatus.md, ns-d3dkmddi-_dxgk_enginestatus.md.
    template <class Args>
    [[nodiscard]] constexpr ntstatus answer(Args& args, engine_progress now) noexcept {
        args.EngineStatus.Value = has_moved(now) ? engine_status_responsive : 0u;
        return status::success;
    }

    /// The same without a structure. @return true: the engine has moved since the last question; this call is the
    /// last one now
    [[nodiscard]] constexpr bool has_moved(engine_progress now) noexcept {
        bool const moved = now != last_;
        last_ = now;
        return moved;
    }

private:
    engine_progress last_{};
};

}  // namespace wddmcore::preemption
