// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/span.hpp"

/// Lists that an application's user-mode driver hands in: command buffers and patch lists of DxgkDdiRender.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// What became of a list from user mode.
enum class user_list_defect : u32 {
    none,
    too_long,   ///< the list does not fit the room; nothing was read
    no_memory,  ///< reading raised an exception: the application's memory is not there (SPL-17)
    refused,    ///< an element does not hold what it must
};

/// What was taken of a list, and where it ended.
struct user_list_answer {
    user_list_defect what;
    u32 index;  ///< elements that were taken; for a defect, the element that it concerns
    friend constexpr bool operator==(user_list_answer, user_list_answer) = default;
};

/// Takes a list from user mode: each element is read once, under exception protection, and judged in the copy (SPL-17).
///
/// The application can change its memory between two readings, so what was judged and what is used must be the same
/// copy. On a defect the elements in `room` mean nothing, and DxgkDdiRender answers with an error that the system expects
/// (STATUS_INVALID_USER_BUFFER for no_memory, else STATUS_INVALID_PARAMETER).
///
/// PASSIVE_LEVEL, in the application's process; pageable. Source page: nc-d3dkmddi-dxgkddi_render.md.
///
/// @param user   the application's elements; may be NULL when there are none
/// @param room   the driver's own memory: never mapped to user mode
/// @param fetch  `bool(Element& to, Element const* from)`: copies one element inside `__try`; false after an exception
/// @param judge  `bool(Element const&)`: whether a copied element may be used
template <class Element, class Fetch, class Judge>
[[nodiscard]] constexpr user_list_answer take_user_list(span<Element const> user, span<Element> room, Fetch&& fetch,
                                                        Judge&& judge) noexcept {
    if (user.count > room.count) {
        return {user_list_defect::too_long, 0};
    }
    for (u32 index = 0; index != user.count; ++index) {
        if (!fetch(room[index], user.data + index)) {
            return {user_list_defect::no_memory, index};
        }
        if (!judge(static_cast<Element const&>(room[index]))) {
            return {user_list_defect::refused, index};
        }
    }
    return {user_list_defect::none, static_cast<u32>(user.count)};
}

}  // namespace wddmcore::preemption
