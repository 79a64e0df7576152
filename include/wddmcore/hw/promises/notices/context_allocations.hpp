// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../capabilities.hpp"
#include "../address_space.hpp"
#include "../command_stream.hpp"
#include "../keeps.hpp"

/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::hw {

/// Whether a context's place may be given to the hardware as an address of the paging process: the member exists from
/// WDDM 2.0 on and means nothing to a driver that also runs below it (OP10-02).
[[nodiscard]] constexpr bool context_by_virtual(capabilities const& caps) noexcept {
    return contains(caps.addresses, paging_addresses::gpu_virtual) && caps.oldest >= wddm::v2_0;
}

/// Whether it may be given as a place in a segment, or as the pages of an MDL.
[[nodiscard]] constexpr bool context_by_place(capabilities const& caps) noexcept { return names_places(caps); }

/// A part of a context's initial image.
struct context_piece {
    void* allocation;  ///< hAllocation as the request names it: compare it with the driver's own handles first (AMB-34)
    u64 offset;        ///< bytes from the start of the image
    u64 size;          ///< bytes
};

/// Knows the initial image of a context allocation (operation 10): the request does not say how large it is.
///
/// For library users: an image is written in as many passes as its buffers take; an allocation of 0 bytes needs none.
/// For hardware authors: `bytes context_image_bytes(void* allocation) const`, a multiple of 4, the same in every pass;
/// 0 for an allocation that needs no image. Beside it at least one of context_by_command and context_at_once.
template <class Hw>
concept context_image = requires(Hw const& hw, void* allocation) {
    { hw.context_image_bytes(allocation) } -> meta::same_as<bytes>;
};

/// Writes a part of an initial image by command.
///
/// For library users: every byte of the image is written, once (OP10-03), in at most 2^32 pieces; a piece never
/// crosses a page: where the image begins inside one (only at a dword), the first piece is shorter.
/// For hardware authors: `static constexpr bytes context_piece_max`, the most bytes of one command: a multiple of 4 and
/// a divisor of 4096; `static constexpr dwords context_piece_dwords`, 1 to 256, the exact length of
/// `void encode_context_piece(u32* at, address place, wddmcore::hw::context_piece const&) const`, of a shorter first or
/// last piece too.
template <class Hw>
concept context_by_command = context_image<Hw> && addressed<Hw> &&
                             requires(Hw const& hw, u32* at, typename Hw::address place, context_piece const& piece) {
                                 requires meta::is_constant_of<bytes, Hw::context_piece_max>;
                                 requires meta::is_constant_of<dwords, Hw::context_piece_dwords>;
                                 { hw.encode_context_piece(at, place, piece) } -> meta::same_as<void>;
                             };

/// Writes a part of an initial image at once, by the CPU, where the allocation has a CPU address: it was created
/// CPU-visible and protected, in aperture segments only (OP10-01). Where there is a buffer, commands are preferred.
///
/// For library users: without it an image that comes without a buffer goes to the fault hook, and the CPU address is
/// never used.
/// For hardware authors: `void store_context_piece(void* place, wddmcore::hw::context_piece const&)`.
template <class Hw>
concept context_at_once = context_image<Hw> && requires(Hw& hw, void* place, context_piece const& piece) {
    { hw.store_context_piece(place, piece) } -> meta::same_as<void>;
};

/// Writes initial images of contexts, in one way or in both.
template <class Hw>
concept context_initializer = context_by_command<Hw> || context_at_once<Hw>;

/// An update of a context allocation, as the driver asked for it with DxgkCbUpdateContextAllocation.
///
/// The callback returns when the update is done: it must not be called while a paging buffer is built (OP13-02).
struct context_update {
    bytes size;        ///< of the context allocation
    void const* data;  ///< the driver's private data, as passed to the callback (OP13-01); dies with the request
    u32 data_bytes;    ///< of that data
};

/// Where one command of an update writes.
struct context_write {
    u64 offset;  ///< bytes from the start of the context allocation
    u64 size;    ///< bytes
};

/// Writes into a context allocation what the driver's private data asks for (operation 13).
///
/// For library users: a write that leaves the allocation is not carried out; what the commands need of the private data
/// has to be in them, because it does not live until they run.
/// For hardware authors: `u32 context_update_count(wddmcore::hw::context_update const&) const`, how many commands an
/// update takes, the same in every pass; `context_write context_update_at(wddmcore::hw::context_update const&, u32
/// index) const`, where one of them writes; `static constexpr dwords context_update_dwords`, 1 to 256, the exact length
/// of `void encode_context_update(u32* at, address place, wddmcore::hw::context_update const&, u32 index) const`, where
/// `place` is the first byte that it writes.
template <class Hw>
concept context_updater = addressed<Hw> && requires(Hw const& hw, u32* at, typename Hw::address place,
                                                    context_update const& update, u32 index) {
    { hw.context_update_count(update) } -> meta::same_as<u32>;
    { hw.context_update_at(update, index) } -> meta::same_as<context_write>;
    requires meta::is_constant_of<dwords, Hw::context_update_dwords>;
    { hw.encode_context_update(at, place, update, index) } -> meta::same_as<void>;
};

}  // namespace wddmcore::hw

namespace wddmcore::inline WDDMCORE_ABI::hw::detail {

template <class Hw>
inline constexpr bool declares_context_pieces = requires { &Hw::encode_context_piece; } || requires {
    &Hw::context_piece_dwords;
} || requires { &Hw::context_piece_max; };

template <class Hw>
inline constexpr bool declares_context_stores = context_at_once<Hw> || requires { &Hw::store_context_piece; };

/// The first broken promise about the addresses that an initial image is written to.
struct context_addresses_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        if constexpr (!address_promise::kept<Hw>()) {
            return address_promise::kept<Hw, Aloud>();
        } else if constexpr (context_by_virtual(Hw::caps) && !virtual_addresses_promise::kept<Hw>()) {
            return virtual_addresses_promise::kept<Hw, Aloud>();
        } else if constexpr (!context_by_place(Hw::caps)) {
            return command_stream_promise::kept<Hw, Aloud>();
        } else {
            return keeps<Hw, Aloud, page_addresses_promise, segment_addresses_promise, segment_map_promise,
                         command_stream_promise>();
        }
    }
};

/// The initial image of a context, judged.
struct context_initializer_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        if constexpr (!context_image<Hw>) {
            constexpr bool declared = requires { &Hw::context_image_bytes; };
            static_assert(!Aloud || !declared, "context_initializer: `context_image_bytes` exists but cannot be called "
                                               "as `wddmcore::bytes context_image_bytes(void* allocation) const`");
            static_assert(!Aloud || declared, "context_initializer: `context_image_bytes` is missing or not public: "
                                              "write `wddmcore::bytes context_image_bytes(void* allocation) const`");
        } else if constexpr (!declares_context_pieces<Hw> && !declares_context_stores<Hw>) {
            static_assert(!Aloud, "context_initializer: nothing writes an image: write `void "
                                  "encode_context_piece(wddmcore::u32* at, address place, wddmcore::hw::context_piece "
                                  "const&) const` with its `context_piece_max` and `context_piece_dwords`, or `void "
                                  "store_context_piece(void* place, wddmcore::hw::context_piece const&)`");
        } else if constexpr (declares_context_stores<Hw> && !context_at_once<Hw>) {
            static_assert(!Aloud, "context_initializer: `store_context_piece` exists but cannot be called as `void "
                                  "store_context_piece(void* place, wddmcore::hw::context_piece const&)`");
        } else if constexpr (!declares_context_pieces<Hw>) {
            return true;
        } else if constexpr (!context_addresses_promise::kept<Hw>()) {
            return context_addresses_promise::kept<Hw, Aloud>();
        } else if constexpr (!context_by_command<Hw>) {
            static_assert(!Aloud, "context_initializer: `encode_context_piece`, `static constexpr wddmcore::bytes "
                                  "context_piece_max` and `static constexpr wddmcore::dwords context_piece_dwords` "
                                  "go together and do not fit `void encode_context_piece(wddmcore::u32* at, address "
                                  "place, wddmcore::hw::context_piece const&) const`");
        } else if constexpr (!is_command_length(Hw::context_piece_dwords)) {
            static_assert(!Aloud, "context_initializer: `context_piece_dwords` must be 1 to 256 dwords");
        } else if constexpr (Hw::context_piece_max.n % 4 != 0 || Hw::context_piece_max.n == 0 ||
                             page_bytes % Hw::context_piece_max.n != 0) {
            static_assert(!Aloud, "context_initializer: `context_piece_max` must be a multiple of 4 bytes and divide "
                                  "4096: a piece never crosses a page");
        } else {
            return true;
        }
        return false;
    }
};

/// Updates of a context, judged.
struct context_updater_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        if constexpr (!requires(Hw const& hw, context_update const& update) {
                          { hw.context_update_count(update) } -> meta::same_as<u32>;
                      }) {
            constexpr bool declared = requires { &Hw::context_update_count; };
            static_assert(!Aloud || !declared,
                          "context_updater: `context_update_count` exists but cannot be called as `wddmcore::u32 "
                          "context_update_count(wddmcore::hw::context_update const&) const`");
            static_assert(!Aloud || declared,
                          "context_updater: `context_update_count` is missing or not public: write `wddmcore::u32 "
                          "context_update_count(wddmcore::hw::context_update const&) const`");
        } else if constexpr (!requires(Hw const& hw, context_update const& update, u32 index) {
                                 { hw.context_update_at(update, index) } -> meta::same_as<context_write>;
                             }) {
            constexpr bool declared = requires { &Hw::context_update_at; };
            static_assert(
                !Aloud || !declared,
                "context_updater: `context_update_at` exists but cannot be called as `wddmcore::hw::context_write "
                "context_update_at(wddmcore::hw::context_update const&, wddmcore::u32 index) const`");
            static_assert(
                !Aloud || declared,
                "context_updater: `context_update_at` is missing or not public: write `wddmcore::hw::context_write "
                "context_update_at(wddmcore::hw::context_update const&, wddmcore::u32 index) const`");
        } else if constexpr (!requires { Hw::context_update_dwords; }) {
            static_assert(!Aloud, "context_updater: `context_update_dwords` is missing or not public: write `static "
                                  "constexpr wddmcore::dwords context_update_dwords{...};`, the exact length of what "
                                  "encode_context_update writes");
        } else if constexpr (!requires { requires meta::is_constant_of<dwords, Hw::context_update_dwords>; }) {
            static_assert(!Aloud, "context_updater: `context_update_dwords` exists but is not a `static constexpr "
                                  "wddmcore::dwords`");
        } else if constexpr (!is_command_length(Hw::context_update_dwords)) {
            static_assert(!Aloud, "context_updater: `context_update_dwords` must be 1 to 256 dwords");
        } else if constexpr (!context_updater<Hw>) {
            constexpr bool declared = requires { &Hw::encode_context_update; };
            static_assert(!Aloud || !declared, "context_updater: `encode_context_update` exists but cannot be called "
                                               "as `void encode_context_update(wddmcore::u32* at, address place, "
                                               "wddmcore::hw::context_update const&, wddmcore::u32 index) const`");
            static_assert(!Aloud || declared, "context_updater: `encode_context_update` is missing or not public: "
                                              "write `void encode_context_update(wddmcore::u32* at, address place, "
                                              "wddmcore::hw::context_update const&, wddmcore::u32 index) const`");
        } else {
            return true;
        }
        return false;
    }
};

}  // namespace wddmcore::hw::detail
