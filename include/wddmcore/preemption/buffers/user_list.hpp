// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/span.hpp"
#include "../../ddi/ntstatus.hpp"

/// Lists that an application's user-mode driver hands in: command buffers and patch lists of DxgkDdiRender.
/// DDI: WDDM 1.0.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// What DxgkDdiRender answers for a list, and the element that decided it.
struct user_list_answer {
    ntstatus status;
    u32 index;  ///< elements that were taken; on an error, the element that it concerns
    friend constexpr bool operator==(user_list_answer, user_list_answer) = default;
};

/// Takes a list from user mode: reads each element once, under exception protection, and judges the copy (SPL-17).
///
/// The application can change its memory between two readings, so what is judged and what is used must be the same
/// copy.
///
/// PASSIVE_LEVEL, in the application's process; pageable. Source page: nc-d3dkmddi-dxgkddi_render.md.
///
/// @param user   the application's elements; may be NULL when there are none
/// @param room   the driver's own memory, never mapped to user mode; after an error its elements mean nothing
/// @param fetch  `bool(Element& to, Element const* from)`: copies one element inside `__try`; false after an exception
/// @param judge  `bool(Element const&)`: whether a copied element may be used
/// @return success. invalid_user_buffer: reading the element raised an exception, the application's memory is not
///         there. invalid_parameter: `judge` refused the element; or the list is longer than the room, nothing was
///         read, and the element is the first that does not fit
template <class Element, class Fetch, class Judge>
[[nodiscard]] constexpr user_list_answer take_user_list(span<Element const> user, span<Element> room, Fetch&& fetch,
                                                        Judge&& judge) noexcept {
    if (user.count > room.count) {
        return {status::invalid_parameter, static_cast<u32>(room.count)};
    }
    for (u32 index = 0; index != user.count; ++index) {
        if (!fetch(room[index], user.data + index)) {
            return {status::invalid_user_buffer, index};
        }
        if (!judge(static_cast<Element const&>(room[index]))) {
            return {status::invalid_parameter, index};
        }
    }
    return {status::success, static_cast<u32>(user.count)};
}

}  // namespace wddmcore::preemption
