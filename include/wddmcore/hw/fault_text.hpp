// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "fault.hpp"

/// What a malformed paging request breaks, in words: for the log of a fault hook.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code; what they return is a literal.
namespace wddmcore::inline WDDMCORE_ABI {

/// A broken rule, in words, with its id; "?" for a number without a name.
[[nodiscard]] constexpr char const* text_of(paging_rule what) noexcept {
    switch (what) {
        case paging_rule::unknown_operation: return "a code that the library does not know (PGB-22)";
        case paging_rule::operation_not_claimed:
            return "a code that the capabilities exclude, or that is left to the CPU (PGB-22)";
        case paging_rule::no_buffer: return "work for the GPU, and no buffer to write it to (PGB-11)";
        case paging_rule::no_private_data:
            return "work for the GPU, a record to keep of it, and no private data to keep it in (PGB-13)";
        case paging_rule::misaligned_buffer: return "the write position is not at a dword (PGB-03)";
        case paging_rule::token_past_end: return "MultipassOffset lies past the work (PGB-04)";
        case paging_rule::too_many_pages: return "more pages, blocks or pieces than a 32-bit token counts (PGB-06)";
        case paging_rule::unknown_segment: return "a segment id that was never reported (OP00-01)";
        case paging_rule::not_an_aperture: return "an aperture operation that names a memory segment (SEG-10)";
        case paging_rule::outside_segment: return "an address range that leaves its segment (OP00-03)";
        case paging_rule::offset_wraps: return "address + TransferOffset wraps (OP00-02)";
        case paging_rule::missing_list: return "a NULL page list although there are pages (ADL-01)";
        case paging_rule::outside_list: return "a page range that leaves the MDL or ADL (ADL-05)";
        case paging_rule::list_wraps:
            return "a page, of a list or the dummy page, past the device's reach or the address space (ADL-06)";
        case paging_rule::misaligned_for_engine: return "an address or size that the engine cannot take (OP08-06)";
        case paging_rule::overlap_below_page:
            return "source and destination overlap at a distance below one page (OP08-07)";
        case paging_rule::address_wraps:
            return "a GPU virtual range that wraps, or ends past the page tables' last address (CHK-15)";
        case paging_rule::fill_of_aperture: return "FILL that names an aperture segment (OP01-01)";
        case paging_rule::pattern_not_fillable:
            return "four different pattern bytes, and an engine that repeats one byte (AMB-09)";
        case paging_rule::outside_aperture: return "aperture pages past the aperture's end (OP05-02)";
        case paging_rule::nothing_to_fill: return "a fill of zero bytes (OP01-02)";
        case paging_rule::nothing_to_transfer: return "a virtual transfer of zero bytes (OP08-01)";
        case paging_rule::nothing_to_map: return "a map or unmap of zero pages (ADL-09)";
        case paging_rule::reversed_range: return "a flush that ends before it begins (OP12-01)";
        case paging_rule::misaligned_fence:
            return "a fence value that no atomic store of the hardware reaches (OP16-01)";
        case paging_rule::unclear_notice: return "a notice of no event, or of two (NTF-03)";
        case paging_rule::unasked_notice:
            return "a notice of an event that the hardware type never asks to hear of (NTF-02)";
        case paging_rule::foreign_notice:
            return "an eviction notice that names a process, or an unmap notice that names none (NTF-04)";
        case paging_rule::notice_wraps: return "a part of an allocation whose end wraps (NTF-06)";
        case paging_rule::cut_block: return "an eviction notice that begins inside a block (NTF-13)";
        case paging_rule::nothing_to_notify: return "a notice of no bytes, pages or fences (NTF-16)";
        case paging_rule::no_cpu_address: return "an image that only the CPU can write, and no CPU address (OP10-01)";
        case paging_rule::no_virtual_address:
            return "a context without an address of the paging process, and hardware that takes no other (OP10-02)";
        case paging_rule::missing_private_data:
            return "a NULL pointer to private data although there are bytes (OP13-01)";
        case paging_rule::outside_context: return "an update that leaves its context allocation (OP13-01)";
        case paging_rule::resident_nowhere: return "an allocation that came to segment 0 (OP15-03)";
        case paging_rule::missing_fences: return "a NULL list of fences although there are some (OP18-01)";
        case paging_rule::unknown_mmu: return "an MMU that was never reported (OP19-02)";
        case paging_rule::nothing_to_update: return "an update or copy of no entries (OP11-01)";
        case paging_rule::unknown_update_mode: return "an update mode that has no name, or was never claimed (OP11-03)";
        case paging_rule::missing_table: return "CPU-virtual mode, and a NULL table address (OP11-04)";
        case paging_rule::misaligned_table:
            return "a table that does not lie at a whole entry, or not at 64 KiB (OP11-04)";
        case paging_rule::level_out_of_range: return "a level that the geometry does not have (GVA-01)";
        case paging_rule::outside_table: return "entries past the end of a table of that level (OP11-09)";
        case paging_rule::missing_entries: return "a NULL array of entries or ranges (OP11-01)";
        case paging_rule::no_64k_tables:
            return "Use64KBPages, or an entry that names a table of such a size, and there is none (GVA-11)";
        case paging_rule::flag_not_claimed: return "an entry uses a flag whose cap was not reported (GVA-20)";
        case paging_rule::zero_not_claimed: return "Zero, without ZeroInPteSupported (GVA-19)";
        case paging_rule::large_page_refused:
            return "LargePage in a leaf table, or at a level without large pages (GVA-16)";
        case paging_rule::misaligned_large_page: return "a large page not aligned to what it covers (GVA-17)";
        case paging_rule::misaligned_page:
            return "a page that does not begin at one of the GPU's, or at 64 KiB (GVA-14)";
        case paging_rule::big_page_of_system_memory:
            return "a 64-KiB entry, or a large page, that points at system memory without the claim (GVA-15)";
        case paging_rule::page_beside_table:
            return "a large page or Zero in a dual entry that names a table of 64-KiB pages, or as its name (GVA-12)";
        case paging_rule::unknown_adapter: return "an adapter outside the link (GVA-21)";
        case paging_rule::page_too_high: return "a page number that no entry can hold (AMB-08)";
        case paging_rule::too_many_ranges: return "more ranges than a 32-bit token counts beside the entries (OP14-05)";
        case paging_rule::two_layouts: return "Swizzle and Unswizzle both set (AMB-59)";
    }
    return "?";
}

}  // namespace wddmcore
