// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "address_space.hpp"
#include "capabilities.hpp"

namespace wddmcore::inline WDDMCORE_ABI::hw {

/// Whether a context's place may be given to the hardware as an address of the paging process: the member exists from
/// WDDM 2.0 on and means nothing to a driver that also runs below it (OP10-02).
[[nodiscard]] constexpr bool context_by_virtual(capabilities const& caps) noexcept {
    return contains(caps.addresses, paging_addresses::gpu_virtual) && caps.oldest >= wddm::v2_0;
}

/// Whether it may be given as a place in a segment, or as the pages of an MDL.
[[nodiscard]] constexpr bool context_by_place(capabilities const& caps) noexcept {
    return contains(caps.addresses, paging_addresses::physical) || caps.oldest < wddm::v2_0;
}

/// A part of a context's initial image.
struct context_piece {
    void* allocation;  ///< hAllocation as the request names it: compare it with the driver's own handles first (AMB-34)
    u64 offset;        ///< bytes from the start of the image
    u64 size;          ///< bytes
};

/// Knows the initial image of a context allocation (operation 10): the request does not say how large it is.
///
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
/// For hardware authors: `void store_context_piece(void* place, wddmcore::hw::context_piece const&)`.
template <class Hw>
concept context_at_once = context_image<Hw> && requires(Hw& hw, void* place, context_piece const& piece) {
    { hw.store_context_piece(place, piece) } -> meta::same_as<void>;
};

/// Writes initial images of contexts, in one way or in both.
template <class Hw>
concept context_initializer = context_by_command<Hw> || context_at_once<Hw>;

}  // namespace wddmcore::hw
