// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/types.hpp"

namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// What an event of an engine's context list demands of the driver.
struct list_answer {
    bool ask;          ///< give the hardware the new list; it preempts what runs if that is not the first context
    bool report;       ///< report HWCONTEXTLIST_SWITCH_COMPLETED with the fence
    u64 switch_fence;  ///< ContextSwitchFence
    friend constexpr bool operator==(list_answer const&, list_answer const&) = default;
};

/// The list of two contexts that an engine works on (DxgkDdiSwitchToHwContextList, hardware scheduling, WDDM 2.2). The
/// first runs now; the second runs while all queues of the first are idle or waiting; with no first the engine idles
/// (HWS-07).
///
/// When a queue of the first has work again, the first runs again. The page does not say so, but "first" would mean
/// nothing otherwise. All functions here: in the interrupt lock; any IRQL up to device IRQL, nonpaged.
///
/// @tparam Context  the driver's name of a hardware context; a value-initialised one means none
template <class Context>
class hw_context_list {
public:
    /// DxgkDdiSwitchToHwContextList (members hHwContextFirst, hHwContextSecond, NodeOrdinal and EngineOrdinal, from the
    /// page; no layout is claimed).
    ///
    /// @param first   to run now; none: the engine goes idle, whatever the second is
    /// @param second  to run when the first has nothing; may be none
    /// @param fence   what the report carries; the page of the arguments does not show it, so it is a plain value here
    /// @return ask, always, since the queues may have changed; the report follows with switched()
    /// Source: ns-d3dkmddi-_dxgkarg_switchtohwcontextlist.md, nc-d3dkmddi-dxgkddi_switchtohwcontextlist.md.
    [[nodiscard]] constexpr list_answer switch_to(Context first, Context second, u64 fence) noexcept {
        first_ = first;
        second_ = second;
        newest_ = fence;
        first_blocked_ = second_blocked_ = false;
        switching_ = true;
        return {true, false, fence};
    }

    /// The hardware works on a new list.
    ///
    /// @param fence  the one that it echoes
    /// @return report for the newest list; nothing for an older one, which the newest replaced
    [[nodiscard]] constexpr list_answer switched(u64 fence) noexcept {
        bool const is_newest = switching_ && fence == newest_;
        switching_ = switching_ && !is_newest;
        return {false, is_newest, fence};
    }

    /// All queues of a context are idle or waiting now, or one of them has work again.
    /// @param is_blocked  true: all are; a context that is not in the list is ignored
    constexpr void blocked(Context context, bool is_blocked) noexcept {
        if (context == first_) {
            first_blocked_ = is_blocked;
        }
        if (context == second_) {
            second_blocked_ = is_blocked;
        }
    }

    /// What the engine should run. @return the context; none: it idles
    [[nodiscard]] constexpr Context running() const noexcept {
        if (first_ == Context{}) {
            return {};
        }
        if (!first_blocked_) {
            return first_;
        }
        return second_blocked_ ? Context{} : second_;
    }

    /// Whether the hardware has still to take the newest list. @return true from switch_to() to its switched()
    [[nodiscard]] constexpr bool switching() const noexcept { return switching_; }

private:
    Context first_{};
    Context second_{};
    u64 newest_ = 0;
    bool first_blocked_ = false;
    bool second_blocked_ = false;
    bool switching_ = false;
};

}  // namespace wddmcore::preemption
