// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "window.hpp"

/// How the system fills, moves or notifies an allocation that is larger than the window: chunk by chunk, each mapped
/// into the same window. The driver's passes have no part in this: in every chunk MultipassOffset starts at 0 again
/// (CHK-13).
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code. DDI: WDDM 2.0.
/// Source pages: allocation-notification.md, system-paging-process.md.
namespace wddmcore::inline WDDMCORE_ABI::gpuva {

/// The chunks of one allocation.
struct chunk_plan {
    bytes whole;                 ///< the allocation
    bytes each;                  ///< the size of every chunk but the last
    gpu_virtual_address window;  ///< where every chunk is mapped

    /// @return how many chunks; the last one may be shorter but is never empty (CHK-10)
    [[nodiscard]] constexpr u64 count() const noexcept { return divide_up(whole.n, each.n); }
};

/// One chunk.
struct chunk {
    bytes offset;  ///< from the allocation's start
    bytes size;
    gpu_virtual_address at;       ///< where `offset` is mapped
    bool window_had_other_pages;  ///< whatever is cached by address (TLB, metadata) belongs to another chunk (CHK-14)
};

/// @return what a chunk's end must be a multiple of: 64 KiB when either side uses 64-KiB pages, otherwise 4 KiB
///         (CHK-12)
[[nodiscard]] constexpr bytes chunk_grain(bool source_has_64k_pages, bool destination_has_64k_pages) noexcept {
    return {source_has_64k_pages || destination_has_64k_pages ? page_bytes << pages_of_64k_lg2 : page_bytes};
}

/// Plans the chunks of an allocation (CHK-09, CHK-10, CHK-12).
///
/// @param window  from usable_window
/// @param whole   the allocation, a multiple of 4096 bytes, not 0
/// @param grain   from chunk_grain
/// @param sides   1; 2 for a transfer whose source and destination share the window, half each (no page says whether
///                they do)
/// @return the plan; errc::misaligned for an allocation that is not a multiple of 4096, or a grain that is not a power
///         of two of at least 4096; errc::out_of_range for an empty allocation, any other number of sides, or a window
///         smaller than a grain; errc::overflow for a window that wraps (CHK-15)
[[nodiscard]] constexpr result<chunk_plan> plan_chunks(paging_window window, bytes whole, bytes grain,
                                                       u32 sides = 1) noexcept {
    if (!is_multiple(whole.n | window.start.n, page_bytes) || !is_power_of_two(grain.n) || grain.n < page_bytes) {
        return refused<chunk_plan>(errc::misaligned);
    }
    if (whole.n == 0 || sides == 0 || sides > 2) {
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
    u64 const each = round_down((window.size.n - lost) / sides, grain.n);
    return each != 0 ? good(chunk_plan{whole, {each}, {start.value}}) : refused<chunk_plan>(errc::out_of_range);
}

/// One chunk of a plan (CHK-10).
///
/// @param index  below count()
/// @param side   0; 1 for the second side of a plan with two
/// @return the chunk, and where it is mapped
[[nodiscard]] constexpr chunk chunk_at(chunk_plan const& plan, u64 index, u32 side = 0) noexcept {
    promise(index < plan.count());
    promise(side < 2);
    bytes const offset{index * plan.each.n};
    bytes const left = plan.whole - offset;
    return {offset, left < plan.each ? left : plan.each, plan.window + side * plan.each, index != 0};
}

/// The address of a byte of the allocation while a chunk is mapped. The chunk's address already includes the chunk's
/// offset, which is not added again (NTF-05).
///
/// @param offset  bytes from the allocation's start, inside the chunk
/// @return the byte's address in the window
[[nodiscard]] constexpr gpu_virtual_address address_in(chunk const& one, bytes offset) noexcept {
    promise(one.offset <= offset);
    promise(offset - one.offset < one.size);
    return one.at + (offset - one.offset);
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
