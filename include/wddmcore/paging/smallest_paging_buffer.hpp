// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "check.hpp"

namespace wddmcore::inline WDDMCORE_ABI {

namespace paging::detail {

/// The dwords that one page or one command of an operation needs in one buffer; none for an operation that cannot come.
template <class Hw, paging_operation Operation>
[[nodiscard]] consteval u32 group_dwords() {
    if constexpr (!reachable(Hw::caps, Operation) || hw::left_to_cpu<Hw>(Operation)) {
        return 0;
    } else if constexpr (requires { operation<Operation>::template group_dwords<Hw>; }) {
        return operation<Operation>::template group_dwords<Hw>;
    } else {
        return 0;
    }
}

/// The dwords of the longest group of commands that has to stay in one buffer, of all operations of a list.
template <class Hw, u32... Operations>
[[nodiscard]] consteval u32 largest_group(meta::numbers<Operations...>) {
    u32 most = 1;
    ((most = greater(most, group_dwords<Hw, static_cast<paging_operation>(Operations)>())), ...);
    return most;
}

/// The command stream's grain; 1 for hardware that writes no commands at all.
template <class Hw>
[[nodiscard]] consteval u32 grain_dwords() {
    if constexpr (requires { Hw::unit_dwords; }) {
        return Hw::unit_dwords.n;
    } else {
        return 1;
    }
}

template <class Hw>
[[nodiscard]] consteval bytes smallest_buffer() {
    if constexpr (wants::keeps<Hw, true, wants::capabilities_promise, wants::cpu_paging_promise,
                               operation_promises>()) {
        u32 const group = largest_group<Hw>(meta::count_to<paging_operation_count>{});
        return to_bytes(dwords{round_up(group, grain_dwords<Hw>()).value});
    } else {
        return {0};
    }
}

}  // namespace paging::detail

/// The smallest paging buffer with which every pass advances: the largest group of commands that one page or one entry
/// needs, plus padding (law 7, SEG-41). A driver reports no smaller one.
///
/// @tparam Hw  the hardware type; a wrong one is one compile error, the sentence that check_hardware says
template <class Hw>
inline constexpr bytes smallest_paging_buffer = paging::detail::smallest_buffer<Hw>();

}  // namespace wddmcore
