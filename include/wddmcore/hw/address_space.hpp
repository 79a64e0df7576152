// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/meta.hpp"
#include "../base/units.hpp"

namespace wddmcore::inline WDDMCORE_ABI::hw {

/// The hardware's own address value.
///
/// For library users: whatever the engines take, a plain number or a number with a target, in at most 16 bytes.
/// For hardware authors: `using address = ...;`, an aggregate to which bytes can be added.
template <class Hw>
concept addressed = requires(typename Hw::address a, bytes b) {
    { a + b } -> meta::same_as<typename Hw::address>;
    requires sizeof(typename Hw::address) <= 16;
};

/// How a system page is named: `address from_page(page_number) const`. The number may be logical (ADL-02).
template <class Hw>
concept page_addresses = addressed<Hw> && requires(Hw const& hw, page_number page) {
    { hw.from_page(page) } -> meta::same_as<typename Hw::address>;
};

/// How a place in a segment is named: `address from_segment(segment_id, segment_offset) const`. The offset is from the
/// segment's start; the base is the hardware's business (SEG-28).
template <class Hw>
concept segment_addresses = addressed<Hw> && requires(Hw const& hw, segment_id id, segment_offset offset) {
    { hw.from_segment(id, offset) } -> meta::same_as<typename Hw::address>;
};

/// How an address of the paging process is named: `address from_virtual(gpu_virtual_address) const`.
template <class Hw>
concept virtual_addresses = addressed<Hw> && requires(Hw const& hw, gpu_virtual_address va) {
    { hw.from_virtual(va) } -> meta::same_as<typename Hw::address>;
};

}  // namespace wddmcore::hw
