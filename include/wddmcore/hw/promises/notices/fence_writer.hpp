// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../address_space.hpp"
#include "../command_stream.hpp"
#include "../keeps.hpp"

namespace wddmcore::inline WDDMCORE_ABI::hw {

/// Signals a monitored fence from the command stream (operation 16).
///
/// For library users: the value becomes visible after everything that the stream did before it (OP16-01), and the
/// hardware then raises its monitored-fence interrupt, so that waiters on the CPU are looked at again (OP16-03).
/// For hardware authors: `static constexpr bytes fence_bytes`, the width of one atomic store: 8, or 4 for an adapter
/// that reports No64BitAtomics; the value then comes as its low 32 bits, which is all that the system compares
/// (OP16-02). `static constexpr dwords fence_dwords`, 1 to 256, the exact length of `void encode_fence(u32* at, address
/// place, u64 value) const`.
template <class Hw>
concept fence_writer = addressed<Hw> && requires(Hw const& hw, u32* at, typename Hw::address place, u64 value) {
    requires meta::is_constant_of<bytes, Hw::fence_bytes>;
    requires meta::is_constant_of<dwords, Hw::fence_dwords>;
    { hw.encode_fence(at, place, value) } -> meta::same_as<void>;
};

}  // namespace wddmcore::hw

namespace wddmcore::inline WDDMCORE_ABI::hw::detail {

/// The fence writer, judged.
struct fence_writer_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        if constexpr (!requires { Hw::fence_bytes; }) {
            static_assert(
                !Aloud, "fence_writer: `fence_bytes` is missing or not public: write `static constexpr wddmcore::bytes "
                        "fence_bytes{...};`, the width of one atomic store: 8, or 4 with No64BitAtomics");
        } else if constexpr (!requires { requires meta::is_constant_of<bytes, Hw::fence_bytes>; }) {
            static_assert(!Aloud, "fence_writer: `fence_bytes` exists but is not a `static constexpr wddmcore::bytes`");
        } else if constexpr (Hw::fence_bytes.n != 4 && Hw::fence_bytes.n != 8) {
            static_assert(!Aloud,
                          "fence_writer: `fence_bytes` must be 8, or 4 for an adapter that reports No64BitAtomics");
        } else if constexpr (!requires { Hw::fence_dwords; }) {
            static_assert(!Aloud, "fence_writer: `fence_dwords` is missing or not public: write `static constexpr "
                                  "wddmcore::dwords fence_dwords{...};`, the exact length of what encode_fence writes");
        } else if constexpr (!requires { requires meta::is_constant_of<dwords, Hw::fence_dwords>; }) {
            static_assert(!Aloud,
                          "fence_writer: `fence_dwords` exists but is not a `static constexpr wddmcore::dwords`");
        } else if constexpr (!is_command_length(Hw::fence_dwords)) {
            static_assert(!Aloud, "fence_writer: `fence_dwords` must be 1 to 256 dwords");
        } else if constexpr (!fence_writer<Hw>) {
            constexpr bool declared = requires { &Hw::encode_fence; };
            static_assert(!Aloud || !declared, "fence_writer: `encode_fence` exists but cannot be called as `void "
                                               "encode_fence(wddmcore::u32* at, address place, wddmcore::u64 value) "
                                               "const`");
            static_assert(!Aloud || declared, "fence_writer: `encode_fence` is missing or not public: write `void "
                                              "encode_fence(wddmcore::u32* at, address place, wddmcore::u64 value) "
                                              "const`");
        } else {
            return true;
        }
        return false;
    }
};

}  // namespace wddmcore::hw::detail
