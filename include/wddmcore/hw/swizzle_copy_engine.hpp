// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "copy_engine.hpp"

namespace wddmcore::inline WDDMCORE_ABI::hw {

enum class swizzle : u32 { to_swizzled, to_linear };

/// One page or less of a transfer that changes the layout on its way.
template <class Hw>
struct swizzled_copy {
    typename Hw::address destination;
    typename Hw::address source;
    u64 allocation_offset;  ///< bytes from the start of the allocation: which part of the surface moves (OP08-02)
    u32 size;               ///< bytes, at most 4096
    swizzle direction;
    void* allocation;  ///< never NULL: without an allocation a copy is raw (OP00-07)
    u32 range_id;      ///< SwizzlingRangeId of operation 7, else 0
    u32 range_data;    ///< SwizzlingRangeData of operation 7, else 0
};

/// Copies a page between a swizzled and a linear layout (operations 0 and 7 with Swizzle or Unswizzle; optional: the
/// hardware's layouts are all linear, and both flags mean a plain copy).
///
/// For hardware authors: `static constexpr dwords swizzle_dwords`, 1 to 256, the exact length of
/// `void encode_swizzled_copy(u32* at, wddmcore::hw::swizzled_copy<Hw> const&) const`.
template <class Hw>
concept swizzle_copy_engine = copy_engine<Hw> && requires(Hw const& hw, u32* at, swizzled_copy<Hw> const& copy) {
    requires meta::is_constant_of<dwords, Hw::swizzle_dwords>;
    { hw.encode_swizzled_copy(at, copy) } -> meta::same_as<void>;
};

}  // namespace wddmcore::hw
