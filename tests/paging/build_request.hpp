// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/paging.hpp>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// Hardware that names one operation in `only` keeps the promises of that one: what else its capabilities make reachable
/// is not built, and its own operation is entered behind the dispatcher's switch.
template <class Hw>
concept of_one_operation = requires { requires meta::is_constant_of<paging_operation, Hw::only>; };

/// One call of the entry point.
template <class Hw, class Args>
[[nodiscard]] constexpr ntstatus build_request(Hw& hw, Args& args) {
    if constexpr (of_one_operation<Hw>) {
        static_assert(hw::broken_for<Hw, Hw::only>() == hw::all_kept);
        return paging::build_operation<Hw::only>(hw, args);
    } else {
        return build_paging_buffer(hw, args);
    }
}

/// The smallest paging buffer with which hardware advances, in bytes.
template <class Hw>
[[nodiscard]] consteval u64 smallest_buffer() {
    if constexpr (of_one_operation<Hw>) {
        return u64{round_up(paging::group_dwords<Hw, Hw::only>(), Hw::unit_dwords.n).value} * 4;
    } else {
        return smallest_paging_buffer<Hw>.n;
    }
}

}  // namespace wddmcore::testing
