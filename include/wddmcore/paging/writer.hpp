// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/assert.hpp"
#include "../base/units.hpp"

namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

/// What the emitting half of an operation can say. Everything else was said by the plan.
enum class outcome : u32 {
    done,
    need_buffer,
    perhaps_out_of_reach,  ///< a page may lie beyond the device's reach: to be judged before anything is committed
};

/// How far a pass came: the next MultipassOffset, counting pages, entries or commands, never bytes (PGB-06).
///
/// Always returned by value: compilers evaluate arguments in different orders, so a token handed on by reference gave
/// different results.
struct progress {
    outcome what;
    u32 token;
};
static_assert(sizeof(progress) == 8);

/// A place in a paging buffer and the room from there on.
struct dma_writer {
    u32* at;   ///< where the next command goes
    u32 room;  ///< dwords left, a multiple of the stream's grain when the pass begins

    /// Whether there is room for n dwords.
    [[nodiscard]] constexpr bool has(dwords n) const noexcept { return n.n <= room; }

    /// The place for n dwords, which the caller then writes in full; only after has(n).
    [[nodiscard]] constexpr u32* take(dwords n) noexcept {
        promise(has(n));
        u32* const place = at;
        at += n.n;
        room -= n.n;
        return place;
    }
};

}  // namespace wddmcore::paging::detail
