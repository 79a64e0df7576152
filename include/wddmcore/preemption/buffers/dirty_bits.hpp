// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/bits.hpp"
#include "../../base/result.hpp"

/// Dirty bits of live migration (WDDM 3.2): one bit for a page of the size that the driver reported.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
/// Source page: dirty-bit-tracking.md.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// A run of dirty bits: one bit a page.
struct dirty_range {
    u64 first;  ///< bit of the first page
    u64 count;  ///< pages
    friend constexpr bool operator==(dirty_range, dirty_range) = default;
};

/// The bits of a subrange of memory; one bit stands for the reported page size (HWS-14).
///
/// @param base       byte offset at which the subrange's memory begins in the bit plane's memory, a multiple of the
///                   page
/// @param offset     SubrangeOffset, bytes
/// @param size       SubrangeSize, bytes
/// @param page_size  what DXGK_DIRTY_BIT_TRACKING_SEGMENT_CAPS reported: a power of two
/// @return the bits. misaligned: the page size is no power of two, or an offset or the size not a multiple of it.
///         overflow: the end does not fit 64 bits
/// Source: ns-d3dkmddi-dxgkarg_querydirtybitdata.md, dirty-bit-tracking.md.
[[nodiscard]] constexpr result<dirty_range> dirty_range_of(u64 base, u64 offset, u64 size, u64 page_size) noexcept {
    if (!is_power_of_two(page_size) || !is_multiple(base | offset | size, page_size)) {
        return refused<dirty_range>(errc::misaligned);
    }
    checked<u64> const begin = checked_add<u64>(base, offset);
    checked<u64> const end = checked_add<u64>(begin.value, size);
    if (!begin.ok || !end.ok) {
        return refused<dirty_range>(errc::overflow);
    }
    return good(dirty_range{begin.value / page_size, size / page_size});
}

/// How much output the bits of a range take. @return bytes: one bit a page, rounded up
[[nodiscard]] constexpr u64 bitmap_bytes(dirty_range range) noexcept { return divide_up<u64>(range.count, 8); }

/// Whether reading the bits also clears them.
enum class dirty_read : u32 { copy, copy_and_clear };

/// Copies the dirty bits of a range to the output, and clears exactly those if asked (DxgkDdiQueryDirtyBitData).
///
/// One atomic AND reads and clears a word: a page that becomes dirty meanwhile is in this answer or in the next, and
/// bits of other ranges in the same word stay as they are (HWS-14).
///
/// @param range      the bits, as from dirty_range_of()
/// @param how        whether to clear them
/// @param fetch_and  `u32(u64 word, u32 mask)`: atomically stores word & mask into that word of the bit plane and gives
///                   its old value; with a mask of all ones an atomic load is enough
/// @param write      `void(u64 index, u8 value)`: writes one byte of the output; bit 0 of byte 0 is the range's first
///                   page; called once for each of bitmap_bytes(), ascending
/// Source: dirty-bit-tracking.md, ne-d3dkmddi-dxgkarg_querydirtybitdataflags.md (CLEARDATA).
template <class FetchAnd, class Write>
constexpr void read_dirty_bits(dirty_range range, dirty_read how, FetchAnd&& fetch_and, Write&& write) noexcept {
    u64 collected = 0;  // bits of the output that do not fill a byte yet
    u32 held = 0;
    u64 index = 0;
    u64 const end = range.first + range.count;
    for (u64 bit = range.first; bit != end;) {
        u32 const in_word = static_cast<u32>(bit % 32);
        u32 const bits = static_cast<u32>(lesser<u64>(32 - in_word, end - bit));
        u32 const mask = low_mask<u32>(bits) << in_word;
        u32 const old = fetch_and(bit / 32, how == dirty_read::copy_and_clear ? ~mask : ~0u);
        collected |= static_cast<u64>((old & mask) >> in_word) << held;
        held += bits;
        for (; held >= 8; held -= 8) {
            write(index++, static_cast<u8>(collected & 0xFFu));
            collected >>= 8;
        }
        bit += bits;
    }
    if (held != 0) {
        write(index, static_cast<u8>(collected & 0xFFu));
    }
}

}  // namespace wddmcore::preemption
