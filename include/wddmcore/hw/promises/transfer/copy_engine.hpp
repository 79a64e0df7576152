// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../chosen_within.hpp"
#include "../address_space.hpp"
#include "../keeps.hpp"

namespace wddmcore::inline WDDMCORE_ABI::hw {

/// What one copy command does when its source and destination overlap.
enum class overlap : u32 {
    safe,  ///< the result is as if the source had been read first
    /// Undefined: the library orders chunks and keeps them no longer than the distance (OP08-07). A command must have
    /// read its source before the next one writes.
    by_direction,
};

/// Copies bytes between two addresses of the address space.
///
/// For library users: lengths are split so that no command exceeds copy_max, rounded down to whole pages (law 7).
/// For hardware authors: `static constexpr bytes copy_max`, at least copy_alignment; `static constexpr bytes
/// copy_alignment`, a divisor of 4096 that source, destination and length are multiples of; both may be chosen_within a
/// range; `static constexpr overlap copy_overlap`;
/// `static constexpr dwords copy_dwords`, 1 to 256, the exact length of
/// `void encode_copy(u32* at, address destination, address source, bytes size) const`.
template <class Hw>
concept copy_engine = addressed<Hw> && requires(Hw const& hw, u32* at, typename Hw::address a, bytes size) {
    requires is_number_of<Hw, bytes, Hw::copy_max>;
    requires is_number_of<Hw, bytes, Hw::copy_alignment>;
    requires meta::is_constant_of<overlap, Hw::copy_overlap>;
    requires meta::is_constant_of<dwords, Hw::copy_dwords>;
    { hw.encode_copy(at, a, a, size) } -> meta::same_as<void>;
};

/// What a copy that changes the layout of an allocation does (OP00-08).
enum class swizzle : u32 { to_swizzled, to_linear };

/// One page or less of a transfer that changes the layout on its way.
template <class Hw>
struct swizzled_copy {
    typename Hw::address destination;  ///< where the first byte goes
    typename Hw::address source;       ///< where the first byte comes from
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
/// For library users: each page whose layout changes is a command of its own.
/// For hardware authors: `static constexpr dwords swizzle_dwords`, 1 to 256, the exact length of
/// `void encode_swizzled_copy(u32* at, wddmcore::hw::swizzled_copy<Hw> const&) const`.
template <class Hw>
concept swizzle_copy_engine = copy_engine<Hw> && requires(Hw const& hw, u32* at, swizzled_copy<Hw> const& copy) {
    requires meta::is_constant_of<dwords, Hw::swizzle_dwords>;
    { hw.encode_swizzled_copy(at, copy) } -> meta::same_as<void>;
};

}  // namespace wddmcore::hw

namespace wddmcore::inline WDDMCORE_ABI::hw::detail {

template <class Hw>
inline constexpr bool declares_swizzled_copy =
    requires { &Hw::encode_swizzled_copy; } || requires { &Hw::swizzle_dwords; };

/// The copy engine, judged.
struct copy_engine_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        if constexpr (!requires { Hw::copy_max; }) {
            static_assert(!Aloud, "copy_engine: `copy_max` is missing or not public: write `static constexpr "
                                  "wddmcore::bytes copy_max{...};`, the most bytes of one copy command");
        } else if constexpr (!requires { requires is_number_of<Hw, bytes, Hw::copy_max>; }) {
            static_assert(!Aloud, "copy_engine: `copy_max` exists but is not a `static constexpr wddmcore::bytes`, nor "
                                  "`chosen_within` a range of them");
        } else if constexpr (!requires { Hw::copy_alignment; }) {
            static_assert(!Aloud, "copy_engine: `copy_alignment` is missing or not public: write `static constexpr "
                                  "wddmcore::bytes copy_alignment{...};`, in bytes, a divisor of 4096");
        } else if constexpr (!requires { requires is_number_of<Hw, bytes, Hw::copy_alignment>; }) {
            static_assert(!Aloud,
                          "copy_engine: `copy_alignment` exists but is not a `static constexpr wddmcore::bytes`, nor "
                          "`chosen_within` a range of them");
        } else if constexpr (!is_range(Hw::copy_max)) {
            static_assert(!Aloud, "copy_engine: `copy_max` is chosen within a range whose least is above its most");
        } else if constexpr (!is_range(Hw::copy_alignment)) {
            static_assert(!Aloud,
                          "copy_engine: `copy_alignment` is chosen within a range whose least is above its most");
        } else if constexpr (!divides_page(least_of(Hw::copy_alignment)) ||
                             !divides_page(most_of(Hw::copy_alignment))) {
            static_assert(!Aloud, "copy_engine: `copy_alignment` must divide 4096 bytes: requests are cut at pages");
        } else if constexpr (least_of(Hw::copy_max) < most_of(Hw::copy_alignment)) {
            static_assert(!Aloud,
                          "copy_engine: `copy_max` must be at least `copy_alignment`, or no copy could ever be made");
        } else if constexpr (!requires { Hw::copy_overlap; }) {
            static_assert(!Aloud, "copy_engine: `copy_overlap` is missing or not public: write `static constexpr "
                                  "wddmcore::hw::overlap copy_overlap = wddmcore::hw::overlap::by_direction;` (or "
                                  "safe)");
        } else if constexpr (!requires { requires meta::is_constant_of<overlap, Hw::copy_overlap>; }) {
            static_assert(!Aloud,
                          "copy_engine: `copy_overlap` exists but is not a `static constexpr wddmcore::hw::overlap`");
        } else if constexpr (!requires { Hw::copy_dwords; }) {
            static_assert(!Aloud, "copy_engine: `copy_dwords` is missing or not public: write `static constexpr "
                                  "wddmcore::dwords copy_dwords{...};`, the exact length of what encode_copy writes");
        } else if constexpr (!requires { requires meta::is_constant_of<dwords, Hw::copy_dwords>; }) {
            static_assert(!Aloud, "copy_engine: `copy_dwords` exists but is not a `static constexpr wddmcore::dwords`");
        } else if constexpr (!is_command_length(Hw::copy_dwords)) {
            static_assert(!Aloud, "copy_engine: `copy_dwords` must be 1 to 256 dwords");
        } else if constexpr (!copy_engine<Hw>) {
            constexpr bool declared = requires { &Hw::encode_copy; };
            static_assert(!Aloud || !declared, "copy_engine: `encode_copy` exists but cannot be called as `void "
                                               "encode_copy(wddmcore::u32* at, address destination, address source, "
                                               "wddmcore::bytes size) const`");
            static_assert(!Aloud || declared, "copy_engine: `encode_copy` is missing or not public: write `void "
                                              "encode_copy(wddmcore::u32* at, address destination, address source, "
                                              "wddmcore::bytes size) const`");
        } else if constexpr (!declares_swizzled_copy<Hw>) {
            return true;
        } else if constexpr (!swizzle_copy_engine<Hw>) {
            static_assert(!Aloud, "swizzle_copy_engine: `encode_swizzled_copy` and `static constexpr "
                                  "wddmcore::dwords swizzle_dwords` go together and do not fit `void "
                                  "encode_swizzled_copy(wddmcore::u32* at, wddmcore::hw::swizzled_copy<Hw> const&) "
                                  "const`");
        } else if constexpr (!is_command_length(Hw::swizzle_dwords)) {
            static_assert(!Aloud, "swizzle_copy_engine: `swizzle_dwords` must be 1 to 256 dwords");
        } else {
            return true;
        }
        return false;
    }
};

}  // namespace wddmcore::hw::detail
