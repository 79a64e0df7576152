// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "broken_promise.hpp"

namespace wddmcore::inline WDDMCORE_ABI::hw {

/// Says what is wrong with a promise about context allocations, as one compile error; of anything else it says
/// nothing. Always true.
template <member What, defect How>
consteval bool context_sentence() {
    constexpr auto wrong = [](member what, defect how) { return What == what && How == how; };
    using enum defect;

    static_assert(
        !wrong(member::context_image_bytes, missing),
        "context_initializer: `context_image_bytes` is missing: write `wddmcore::bytes context_image_bytes(void* "
        "allocation) const`");
    static_assert(!wrong(member::context_image_bytes, cannot_be_called),
                  "context_initializer: `context_image_bytes` exists but cannot be called as `wddmcore::bytes "
                  "context_image_bytes(void* allocation) const`");
    static_assert(
        !wrong(member::context_initializer, missing),
        "context_initializer: nothing writes an image: write `void encode_context_piece(wddmcore::u32* at, address "
        "place, wddmcore::hw::context_piece const&) const` with its `context_piece_max` and `context_piece_dwords`, "
        "or `void store_context_piece(void* place, wddmcore::hw::context_piece const&)`");
    static_assert(
        !wrong(member::store_context_piece, cannot_be_called),
        "context_initializer: `store_context_piece` exists but cannot be called as `void store_context_piece(void* "
        "place, wddmcore::hw::context_piece const&)`");
    static_assert(
        !wrong(member::context_piece_dwords, cannot_be_called),
        "context_initializer: `encode_context_piece`, `static constexpr wddmcore::bytes context_piece_max` and "
        "`static constexpr wddmcore::dwords context_piece_dwords` go together and do not fit `void "
        "encode_context_piece(wddmcore::u32* at, address place, wddmcore::hw::context_piece const&) const`");
    static_assert(!wrong(member::context_piece_dwords, out_of_range),
                  "context_initializer: `context_piece_dwords` must be 1 to 256 dwords");
    static_assert(
        !wrong(member::context_piece_max, out_of_range),
        "context_initializer: `context_piece_max` must be a multiple of 4 bytes and divide 4096: a piece never "
        "crosses a page");
    static_assert(!wrong(member::context_update_count, missing),
                  "context_updater: `context_update_count` is missing: write `wddmcore::u32 "
                  "context_update_count(wddmcore::hw::context_update const&) const`");
    static_assert(!wrong(member::context_update_count, cannot_be_called),
                  "context_updater: `context_update_count` exists but cannot be called as `wddmcore::u32 "
                  "context_update_count(wddmcore::hw::context_update const&) const`");
    static_assert(!wrong(member::context_update_at, missing),
                  "context_updater: `context_update_at` is missing: write `wddmcore::hw::context_write "
                  "context_update_at(wddmcore::hw::context_update const&, wddmcore::u32 index) const`");
    static_assert(!wrong(member::context_update_at, cannot_be_called),
                  "context_updater: `context_update_at` exists but cannot be called as `wddmcore::hw::context_write "
                  "context_update_at(wddmcore::hw::context_update const&, wddmcore::u32 index) const`");
    static_assert(!wrong(member::context_update_dwords, missing),
                  "context_updater: `context_update_dwords` is missing: write `static constexpr wddmcore::dwords "
                  "context_update_dwords{...};`, the exact length of what encode_context_update writes");
    static_assert(!wrong(member::context_update_dwords, not_a_constant),
                  "context_updater: `context_update_dwords` exists but is not a `static constexpr wddmcore::dwords`");
    static_assert(!wrong(member::context_update_dwords, out_of_range),
                  "context_updater: `context_update_dwords` must be 1 to 256 dwords");
    static_assert(
        !wrong(member::encode_context_update, missing),
        "context_updater: `encode_context_update` is missing: write `void encode_context_update(wddmcore::u32* at, "
        "address place, wddmcore::hw::context_update const&, wddmcore::u32 index) const`");
    static_assert(
        !wrong(member::encode_context_update, cannot_be_called),
        "context_updater: `encode_context_update` exists but cannot be called as `void "
        "encode_context_update(wddmcore::u32* at, address place, wddmcore::hw::context_update const&, wddmcore::u32 "
        "index) const`");
    return true;
}

}  // namespace wddmcore::hw
