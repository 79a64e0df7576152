// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../address_space.hpp"
#include "../command_stream.hpp"
#include "../keeps.hpp"

namespace wddmcore::inline WDDMCORE_ABI::hw {

/// Releases what the hardware keeps per placement when content is thrown away (operation 2; optional: nothing to do).
///
/// For library users: without it operation 2 writes nothing.
/// For hardware authors: `static constexpr dwords discard_dwords`, 1 to 256, the exact length of
/// `void encode_discard(u32* at, address place, void* allocation) const`; the handle may be NULL (PGB-21).
template <class Hw>
concept content_discarder = addressed<Hw> && requires(Hw const& hw, u32* at, typename Hw::address a, void* allocation) {
    requires meta::is_constant_of<dwords, Hw::discard_dwords>;
    { hw.encode_discard(at, a, allocation) } -> meta::same_as<void>;
};

/// Tells whether an allocation is still in use by the GPU (operations 0, 2, 7; optional: never busy).
///
/// For library users: asked before anything is done, for a request that asks for something, and only while
/// AllocationIsIdle is clear (PGB-09).
/// For hardware authors: `bool allocation_is_busy(void* allocation) const`; the handle may be NULL (PGB-21).
template <class Hw>
concept busy_reporter = requires(Hw const& hw, void* allocation) {
    { hw.allocation_is_busy(allocation) } -> meta::same_as<bool>;
};

}  // namespace wddmcore::hw

namespace wddmcore::inline WDDMCORE_ABI::hw::detail {

template <class Hw>
inline constexpr bool declares_discard = requires { &Hw::encode_discard; } || requires { &Hw::discard_dwords; };

/// Discarding, judged.
struct content_discarder_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        using named_by_place =
            all_of<address_promise, segment_addresses_promise, segment_map_promise, command_stream_promise>;
        if constexpr (!declares_discard<Hw>) {
            return true;
        } else if constexpr (!named_by_place::kept<Hw>()) {
            return named_by_place::kept<Hw, Aloud>();
        } else if constexpr (!content_discarder<Hw>) {
            static_assert(!Aloud, "content_discarder: `encode_discard` and `static constexpr wddmcore::dwords "
                                  "discard_dwords` go together and do not fit `void encode_discard(wddmcore::u32* "
                                  "at, address, void* allocation) const`");
        } else if constexpr (!is_command_length(Hw::discard_dwords)) {
            static_assert(!Aloud, "content_discarder: `discard_dwords` must be 1 to 256 dwords");
        } else {
            return true;
        }
        return false;
    }
};

/// The busy reporter, judged.
struct busy_reporter_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        constexpr bool declared = requires { &Hw::allocation_is_busy; };
        constexpr bool kept = !declared || busy_reporter<Hw>;
        static_assert(!Aloud || kept, "busy_reporter: `allocation_is_busy` exists but cannot be called as `bool "
                                      "allocation_is_busy(void* allocation) const`");
        return kept;
    }
};

}  // namespace wddmcore::hw::detail
