// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/meta.hpp"
#include "../segment/table/entry.hpp"

/// The segments of a hardware type in each of the forms that description.hpp allows. Apart from it, because functions
/// that stay resident ask for them: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::adapter_info::detail {

/// The table of each physical adapter, by a function.
template <class Hw>
concept segments_by_function = requires(Hw const& hw, u32 index) {
    { hw.segments(index) } -> meta::same_as<segment::view>;
};

/// One table for every physical adapter.
template <class Hw>
concept segments_by_table = requires(Hw const& hw) {
    { hw.segments.all() } -> meta::same_as<segment::view>;
};

/// One view for every physical adapter.
template <class Hw>
concept segments_by_view =
    requires(Hw const& hw) { requires meta::same_as<meta::bare<decltype(hw.segments)>, segment::view>; };

/// The segments of a physical adapter.
template <class Hw>
[[nodiscard]] constexpr segment::view segments_of(Hw const& hw, [[maybe_unused]] u32 index) noexcept {
    if constexpr (segments_by_function<Hw>) {
        return hw.segments(index);
    } else if constexpr (segments_by_table<Hw>) {
        return hw.segments.all();
    } else {
        return hw.segments;
    }
}

}  // namespace wddmcore::adapter_info::detail
