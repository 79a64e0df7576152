// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../chosen_within.hpp"
#include "../address_space.hpp"
#include "../keeps.hpp"

/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::hw {

/// A fill command that always has the same length.
///
/// For library users: smallest_paging_buffer counts with it.
/// For hardware authors: `static constexpr dwords fill_dwords`, 1 to 256.
template <class Hw>
concept fill_of_one_length = requires { requires meta::is_constant_of<dwords, Hw::fill_dwords>; };

/// A fill command whose length depends on what is filled, with what, or where.
///
/// For library users: exactly the length of each command is reserved; smallest_paging_buffer counts with the most. An
/// engine of one length pays nothing for this.
/// For hardware authors: `static constexpr dwords fill_dwords_most`, 1 to 256, and
/// `dwords fill_dwords_of(address destination, bytes size, u32 pattern) const`, the exact length of what encode_fill
/// writes for the same arguments: 1 to fill_dwords_most, and the same whenever it is asked.
template <class Hw>
concept fill_of_many_lengths =
    addressed<Hw> && requires(Hw const& hw, typename Hw::address destination, bytes size, u32 pattern) {
        requires meta::is_constant_of<dwords, Hw::fill_dwords_most>;
        { hw.fill_dwords_of(destination, size, pattern) } -> meta::same_as<dwords>;
    };

/// Fills memory with a repeated 32-bit pattern.
///
/// For library users: the pattern repeats little-endian from the first byte (AMB-09), and keeps its phase over splits
/// because every split lies at a page (OP09-02).
/// For hardware authors: `static constexpr bytes fill_max`, at least fill_alignment; `static constexpr bytes
/// fill_alignment`, a divisor of 4096 that address and length are multiples of, and itself a multiple of the pattern's
/// width; `static constexpr bytes fill_pattern_bytes`, 4, or 1 for an engine that repeats one byte (a pattern of four
/// different bytes then reaches the fault hook); all three may be chosen_within a range; `void encode_fill(u32* at,
/// address destination, bytes size, u32 pattern) const`; and its exact length, either `static constexpr dwords
/// fill_dwords`, 1 to 256, or that of fill_of_many_lengths.
template <class Hw>
concept fill_engine = addressed<Hw> && (fill_of_one_length<Hw> || fill_of_many_lengths<Hw>) &&
                      requires(Hw const& hw, u32* at, typename Hw::address a, bytes size, u32 pattern) {
                          requires is_number_of<Hw, bytes, Hw::fill_max>;
                          requires is_number_of<Hw, bytes, Hw::fill_alignment>;
                          requires is_number_of<Hw, bytes, Hw::fill_pattern_bytes>;
                          { hw.encode_fill(at, a, size, pattern) } -> meta::same_as<void>;
                      };

/// Whether a fill can repeat a pattern of this width.
[[nodiscard]] constexpr bool is_pattern_width(bytes width) noexcept { return width.n == 1 || width.n == 4; }

/// The most dwords of a fill command.
template <class Hw>
[[nodiscard]] consteval dwords longest_fill() noexcept {
    if constexpr (fill_of_one_length<Hw>) {
        return Hw::fill_dwords;
    } else {
        return Hw::fill_dwords_most;
    }
}

/// The exact dwords of a fill command.
///
/// @param pattern  the dword to repeat
/// Any IRQL that the hardware type's own function allows; touches no OS state.
template <class Hw, class Address>
[[nodiscard]] WDDMCORE_INLINE constexpr dwords fill_length([[maybe_unused]] Hw const& hw,
                                                           [[maybe_unused]] Address destination,
                                                           [[maybe_unused]] bytes size,
                                                           [[maybe_unused]] u32 pattern) noexcept {
    if constexpr (fill_of_one_length<Hw>) {
        return Hw::fill_dwords;
    } else {
        return hw.fill_dwords_of(destination, size, pattern);
    }
}

}  // namespace wddmcore::hw

namespace wddmcore::inline WDDMCORE_ABI::hw::detail {

/// The promise of fill length, judged.
struct fill_length_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        constexpr bool one = requires { Hw::fill_dwords; };
        constexpr bool asks = requires { &Hw::fill_dwords_of; };
        constexpr bool many = asks || requires { Hw::fill_dwords_most; };
        if constexpr (one && many) {
            static_assert(!Aloud, "fill_engine: `fill_dwords` says that every fill is of one length, "
                                  "`fill_dwords_most` and `fill_dwords_of` say that they differ: keep one of both");
        } else if constexpr (!one && !many) {
            static_assert(!Aloud, "fill_engine: `fill_dwords` is missing or not public: write `static constexpr "
                                  "wddmcore::dwords fill_dwords{...};`, the exact length of what encode_fill writes, "
                                  "or `fill_dwords_most` and `fill_dwords_of` where it differs");
        } else if constexpr (one && !fill_of_one_length<Hw>) {
            static_assert(!Aloud, "fill_engine: `fill_dwords` exists but is not a `static constexpr wddmcore::dwords`");
        } else if constexpr (one) {
            constexpr bool fits = is_command_length(Hw::fill_dwords);
            static_assert(!Aloud || fits, "fill_engine: `fill_dwords` must be 1 to 256 dwords");
            return fits;
        } else if constexpr (!requires { Hw::fill_dwords_most; }) {
            static_assert(!Aloud, "fill_engine: `fill_dwords_most` is missing or not public: write `static constexpr "
                                  "wddmcore::dwords fill_dwords_most{...};`, the most that `fill_dwords_of` answers");
        } else if constexpr (!requires { requires meta::is_constant_of<dwords, Hw::fill_dwords_most>; }) {
            static_assert(!Aloud,
                          "fill_engine: `fill_dwords_most` exists but is not a `static constexpr wddmcore::dwords`");
        } else if constexpr (!is_command_length(Hw::fill_dwords_most)) {
            static_assert(!Aloud, "fill_engine: `fill_dwords_most` must be 1 to 256 dwords");
        } else if constexpr (!fill_of_many_lengths<Hw>) {
            static_assert(!Aloud || !asks, "fill_engine: `fill_dwords_of` exists but cannot be called as "
                                           "`wddmcore::dwords fill_dwords_of(address destination, wddmcore::bytes "
                                           "size, wddmcore::u32 pattern) const`");
            static_assert(!Aloud || asks, "fill_engine: `fill_dwords_of` is missing or not public: write "
                                          "`wddmcore::dwords fill_dwords_of(address destination, wddmcore::bytes "
                                          "size, wddmcore::u32 pattern) const`, the exact length of what encode_fill "
                                          "writes for these");
        } else {
            return true;
        }
        return false;
    }
};

/// The fill engine, judged.
struct fill_engine_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        if constexpr (!requires { Hw::fill_max; }) {
            static_assert(!Aloud, "fill_engine: `fill_max` is missing or not public: write `static constexpr "
                                  "wddmcore::bytes fill_max{...};`, the most bytes of one fill command");
        } else if constexpr (!requires { requires is_number_of<Hw, bytes, Hw::fill_max>; }) {
            static_assert(!Aloud, "fill_engine: `fill_max` exists but is not a `static constexpr wddmcore::bytes`, nor "
                                  "`chosen_within` a range of them");
        } else if constexpr (!requires { Hw::fill_pattern_bytes; }) {
            static_assert(!Aloud, "fill_engine: `fill_pattern_bytes` is missing or not public: write `static constexpr "
                                  "wddmcore::bytes fill_pattern_bytes{4};`, or 1 for an engine that repeats one byte");
        } else if constexpr (!requires { requires is_number_of<Hw, bytes, Hw::fill_pattern_bytes>; }) {
            static_assert(
                !Aloud, "fill_engine: `fill_pattern_bytes` exists but is not a `static constexpr wddmcore::bytes`, nor "
                        "`chosen_within` a range of them");
        } else if constexpr (!is_range(Hw::fill_pattern_bytes)) {
            static_assert(!Aloud,
                          "fill_engine: `fill_pattern_bytes` is chosen within a range whose least is above its most");
        } else if constexpr (!is_pattern_width(least_of(Hw::fill_pattern_bytes)) ||
                             !is_pattern_width(most_of(Hw::fill_pattern_bytes))) {
            static_assert(!Aloud,
                          "fill_engine: `fill_pattern_bytes` must be 4, or 1 for an engine that repeats one byte");
        } else if constexpr (!requires { Hw::fill_alignment; }) {
            static_assert(!Aloud, "fill_engine: `fill_alignment` is missing or not public: write `static constexpr "
                                  "wddmcore::bytes fill_alignment{...};`, in bytes, a divisor of 4096");
        } else if constexpr (!requires { requires is_number_of<Hw, bytes, Hw::fill_alignment>; }) {
            static_assert(!Aloud,
                          "fill_engine: `fill_alignment` exists but is not a `static constexpr wddmcore::bytes`, nor "
                          "`chosen_within` a range of them");
        } else if constexpr (!is_range(Hw::fill_alignment)) {
            static_assert(!Aloud,
                          "fill_engine: `fill_alignment` is chosen within a range whose least is above its most");
        } else if constexpr (!divides_page(least_of(Hw::fill_alignment)) ||
                             !divides_page(most_of(Hw::fill_alignment)) ||
                             least_of(Hw::fill_alignment) < most_of(Hw::fill_pattern_bytes)) {
            static_assert(!Aloud, "fill_engine: `fill_alignment` must divide 4096 bytes and be a multiple of the "
                                  "pattern's width, so that the pattern keeps its phase over splits (OP09-02)");
        } else if constexpr (!is_range(Hw::fill_max)) {
            static_assert(!Aloud, "fill_engine: `fill_max` is chosen within a range whose least is above its most");
        } else if constexpr (least_of(Hw::fill_max) < most_of(Hw::fill_alignment)) {
            static_assert(!Aloud,
                          "fill_engine: `fill_max` must be at least `fill_alignment`, or no fill could ever be made");
        } else if constexpr (!fill_length_promise::kept<Hw>()) {
            return fill_length_promise::kept<Hw, Aloud>();
        } else if constexpr (!fill_engine<Hw>) {
            constexpr bool declared = requires { &Hw::encode_fill; };
            static_assert(!Aloud || !declared, "fill_engine: `encode_fill` exists but cannot be called as `void "
                                               "encode_fill(wddmcore::u32* at, address destination, wddmcore::bytes "
                                               "size, wddmcore::u32 pattern) const`");
            static_assert(!Aloud || declared, "fill_engine: `encode_fill` is missing or not public: write `void "
                                              "encode_fill(wddmcore::u32* at, address destination, wddmcore::bytes "
                                              "size, wddmcore::u32 pattern) const`");
        } else {
            return true;
        }
        return false;
    }
};

}  // namespace wddmcore::hw::detail
