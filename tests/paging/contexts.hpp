// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "wddm2_request.hpp"

/// Hardware that writes images of contexts, and requests for them.
namespace wddmcore::inline WDDMCORE_ABI::testing::contexts {

[[nodiscard]] constexpr engine_shape with_contexts(capabilities caps, u32 grain) {
    engine_shape shape{};
    shape.caps = caps;
    shape.caps.context_allocations = claim::yes;
    shape.grain = grain;
    return shape;
}

inline constexpr u64 local_base = 0x10'0000'0000;

/// Tells how large an image is.
struct image_part {
    u64 image = 0;
    void** asked = nullptr;
    [[nodiscard]] constexpr bytes context_image_bytes(void* allocation) const {
        if (asked != nullptr) {
            *asked = allocation;
        }
        return bytes{image};
    }
};

/// Writes images at once, into a log.
struct image_store_part {
    told_log* log = nullptr;
    constexpr void store_context_piece(void* place, hw::context_piece const& piece) {
        log->add(record_kind::context_piece,
                 {handle_bits(place), 0, handle_bits(piece.allocation), piece.offset, piece.size});
    }
};

/// Updates: each dword of private data is one write of 8 bytes at that offset.
struct update_part {
    u32 commands = 0;
    u64 offsets[8] = {};
    u64 sizes[8] = {};
    [[nodiscard]] constexpr u32 context_update_count(hw::context_update const&) const { return commands; }
    [[nodiscard]] constexpr hw::context_write context_update_at(hw::context_update const&, u32 index) const {
        return {offsets[index], sizes[index]};
    }
    static constexpr dwords context_update_dwords{11};
    static constexpr void encode_context_update(u32* at, recorded_address place, hw::context_update const& update,
                                                u32 index) {
        record_values(at, record_kind::context_update, context_update_dwords,
                      {place.n, place.space, update.size.n, update.data_bytes, index});
    }
};

inline u32 some_context = 0;

}  // namespace wddmcore::testing::contexts
