// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../address_space.hpp"
#include "../keeps.hpp"

namespace wddmcore::inline WDDMCORE_ABI::hw {

/// Reads at a place, for the ordering that it brings; the first half of physical_accessor.
///
/// For library users: operation 3, one command for each request.
/// For hardware authors: as physical_accessor says.
template <class Hw>
concept read_encoder = addressed<Hw> && requires(Hw const& hw, u32* at, typename Hw::address a) {
    { hw.encode_read(at, a) } -> meta::same_as<void>;
};

/// Reads or writes one byte or a few at a place, for the ordering it brings (operations 3 and 4, WDDM 1.x).
///
/// For library users: what is read is dropped, what is written is arbitrary (OP03-01).
/// For hardware authors: `static constexpr dwords access_dwords`, 1 to 256, the exact length of both
/// `void encode_read(u32* at, address) const` and `void encode_write(u32* at, address) const`. A write changes 1 to 8
/// bytes from that very address and no neighbour before it (OP04-01); any byte address may come,
/// the last byte of a segment too: hardware that writes more than one byte there must not leave what it owns.
template <class Hw>
concept physical_accessor = read_encoder<Hw> && requires(Hw const& hw, u32* at, typename Hw::address a) {
    requires meta::is_constant_of<dwords, Hw::access_dwords>;
    { hw.encode_write(at, a) } -> meta::same_as<void>;
};

}  // namespace wddmcore::hw

namespace wddmcore::inline WDDMCORE_ABI::hw::detail {

/// Reads and writes at a place, judged.
struct physical_accessor_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        if constexpr (!requires { Hw::access_dwords; }) {
            static_assert(!Aloud, "physical_accessor: `access_dwords` is missing or not public: write `static "
                                  "constexpr wddmcore::dwords access_dwords{...};` (operations 3 and 4 reach every "
                                  "driver with physical addresses that ever declares less than WDDM 2.0)");
        } else if constexpr (!requires { requires meta::is_constant_of<dwords, Hw::access_dwords>; }) {
            static_assert(!Aloud,
                          "physical_accessor: `access_dwords` exists but is not a `static constexpr wddmcore::dwords`");
        } else if constexpr (!is_command_length(Hw::access_dwords)) {
            static_assert(!Aloud, "physical_accessor: `access_dwords` must be 1 to 256 dwords");
        } else if constexpr (!read_encoder<Hw>) {
            constexpr bool declared = requires { &Hw::encode_read; };
            static_assert(!Aloud || !declared, "physical_accessor: `encode_read` exists but cannot be called as "
                                               "`void encode_read(wddmcore::u32* at, address) const`");
            static_assert(!Aloud || declared, "physical_accessor: `encode_read` is missing or not public: write "
                                              "`void encode_read(wddmcore::u32* at, address) const`");
        } else if constexpr (!physical_accessor<Hw>) {
            constexpr bool declared = requires { &Hw::encode_write; };
            static_assert(!Aloud || !declared, "physical_accessor: `encode_write` exists but cannot be called as "
                                               "`void encode_write(wddmcore::u32* at, address) const`");
            static_assert(!Aloud || declared, "physical_accessor: `encode_write` is missing or not public: write "
                                              "`void encode_write(wddmcore::u32* at, address) const`");
        } else {
            return true;
        }
        return false;
    }
};

}  // namespace wddmcore::hw::detail
