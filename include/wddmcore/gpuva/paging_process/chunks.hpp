// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "window.hpp"

/// How the system fills, moves or notifies an allocation that is larger than the window: chunk by chunk, each mapped
/// into the same window, so nothing that is cached by address outlives a chunk (CHK-14). The driver has no part in
/// this: each chunk is a request of its own, in which MultipassOffset starts at 0 again (CHK-13). It asks here when it
/// describes its `paging_space`, to learn whether its compression blocks are cut.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code. DDI: WDDM 2.0.
/// Source pages: allocation-notification.md, system-paging-process.md.
namespace wddmcore::inline WDDMCORE_ABI::gpuva {

/// The chunks of one allocation.
struct chunk_plan {
    bytes whole;  ///< the allocation
    bytes each;   ///< the size of every chunk but the last

    /// @return how many chunks; the last one may be shorter but is never empty (CHK-10)
    [[nodiscard]] constexpr u64 count() const noexcept { return divide_up(whole.n, each.n); }
};

/// Plans the chunks of an allocation (CHK-09, CHK-10, CHK-12).
///
/// @param window  from usable_window
/// @param whole   the allocation, a multiple of 4096 bytes, not 0
/// @param grain   what the end of a chunk is a multiple of: 64 KiB when either side uses 64-KiB pages, otherwise 4 KiB
/// @return the plan; errc::misaligned for an allocation that is not a multiple of 4096, or a grain that is not a power
///         of two of at least 4096; errc::out_of_range for an empty allocation, or a window smaller than a grain;
///         errc::overflow for a window that wraps (CHK-15)
[[nodiscard]] constexpr result<chunk_plan> plan_chunks(paging_window window, bytes whole, bytes grain) noexcept {
    if (!is_multiple(whole.n | window.start.n, page_bytes) || !is_power_of_two(grain.n) || grain.n < page_bytes) {
        return refused<chunk_plan>(errc::misaligned);
    }
    if (whole.n == 0) {
        return refused<chunk_plan>(errc::out_of_range);
    }
    if (window.size.n != 0 && !checked_add<u64>(window.start.n, window.size.n - 1).ok) {
        return refused<chunk_plan>(errc::overflow);
    }
    // Chunks are mapped at a multiple of the grain; what the window has below that is lost.
    checked<u64> const start = round_up(window.start.n, grain.n);
    u64 const lost = start.value - window.start.n;
    if (!start.ok || lost >= window.size.n) {
        return refused<chunk_plan>(errc::out_of_range);
    }
    u64 const each = round_down(window.size.n - lost, grain.n);
    return each != 0 ? good(chunk_plan{whole, {each}}) : refused<chunk_plan>(errc::out_of_range);
}

/// How chunks meet the compression blocks of an allocation (NTF-13).
enum class block_fit : u32 {
    one_chunk,  ///< the whole allocation is one chunk, so every block is inside it
    aligned,    ///< every chunk ends at the end of a block
    straddles,  ///< some block lies in two chunks and cannot be decompressed in place; ask for a larger space
};

/// @return how chunks meet compression blocks, in words; "?" for a number without a name
[[nodiscard]] constexpr char const* text_of(block_fit what) noexcept {
    switch (what) {
        case block_fit::one_chunk: return "the allocation is mapped whole";
        case block_fit::aligned: return "every chunk ends where a compression block ends";
        case block_fit::straddles: return "a compression block lies in two chunks: ask for a larger space (NTF-13)";
    }
    return "?";
}

/// Whether compression blocks can be decompressed chunk by chunk. The first block begins at the allocation's start.
///
/// @param block  the size of a block in bytes; not 0
/// @return how the chunks of a plan meet the blocks (NTF-13)
[[nodiscard]] constexpr block_fit blocks_in(chunk_plan const& plan, bytes block) noexcept {
    if (plan.count() == 1) {
        return block_fit::one_chunk;
    }
    return is_multiple(plan.each.n, block.n) ? block_fit::aligned : block_fit::straddles;
}

}  // namespace wddmcore::gpuva
