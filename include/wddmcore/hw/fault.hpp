// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/types.hpp"
#include "../ddi/operation.hpp"

/// What a driver is told about a paging request that cannot be carried out, and what it may answer.
namespace wddmcore::inline WDDMCORE_ABI {

/// The rule that a malformed request broke. Names say what was found; `rule_id` gives the rule's own id.
enum class paging_rule : u32 {
    unknown_operation,      ///< a code that the library does not know
    operation_not_claimed,  ///< a code that the capabilities exclude, or that is left to the CPU
    no_buffer,              ///< work for the GPU, and no buffer to write it to
    no_private_data,        ///< work for the GPU, a record to keep of it, and no private data to keep it in
    misaligned_buffer,      ///< the write position is not at a dword
    token_past_end,         ///< MultipassOffset lies past the work
    too_many_pages,         ///< more pages, blocks or pieces than a 32-bit token counts
    unknown_segment,        ///< a segment id that was never reported
    not_an_aperture,        ///< an aperture operation that names a memory segment
    outside_segment,        ///< an address range that leaves its segment
    offset_wraps,           ///< address + TransferOffset wraps
    missing_list,           ///< a NULL page list although there are pages
    outside_list,           ///< a page range that leaves the MDL or ADL
    list_wraps,             ///< a page, of a list or the dummy page, beyond the device's reach or the address space
    misaligned_for_engine,  ///< an address or size that the engine cannot take
    overlap_below_page,     ///< source and destination overlap at a distance below one page
    address_wraps,          ///< a GPU virtual range that wraps, or ends past the page tables' last address
    fill_of_aperture,       ///< FILL that names an aperture segment
    pattern_not_fillable,   ///< four different pattern bytes, and an engine that repeats one byte
    outside_aperture,       ///< aperture pages past the aperture's end
    nothing_to_fill,        ///< a fill of zero bytes
    nothing_to_transfer,    ///< a virtual transfer of zero bytes
    nothing_to_map,         ///< a map or unmap of zero pages
    reversed_range,         ///< a flush that ends before it begins
    misaligned_fence,       ///< a fence value that no atomic store of the hardware reaches
    unclear_notice,         ///< a notice of no event, or of two
    unasked_notice,         ///< a notice of an event that the hardware type never asks to hear of
    foreign_notice,         ///< an eviction notice that names a process, or an unmap notice that names none
    notice_wraps,           ///< a part of an allocation whose end wraps
    cut_block,              ///< an eviction notice that begins inside a block
    nothing_to_notify,      ///< a notice of no bytes, pages or fences
    no_cpu_address,         ///< an image that only the CPU can write, and no CPU address
    no_virtual_address,     ///< a context without an address of the paging process, and hardware that takes no other
    missing_private_data,   ///< a NULL pointer to private data although there are bytes
    outside_context,        ///< an update that leaves its context allocation
    resident_nowhere,       ///< an allocation that came to segment 0
    missing_fences,         ///< a NULL list of fences although there are some
    unknown_mmu,            ///< an MMU that was never reported
    nothing_to_update,      ///< an update or copy of no entries
    unknown_update_mode,    ///< an update mode that has no name, or was never claimed
    missing_table,          ///< CPU-virtual mode, and a NULL table address
    misaligned_table,       ///< a table that does not lie at a whole entry, or not at 64 KiB
    level_out_of_range,     ///< a level that the geometry does not have
    outside_table,          ///< entries past the end of a table of that level
    missing_entries,        ///< a NULL array of entries or ranges
    no_64k_tables,          ///< Use64KBPages, or an entry that names a table of such a size, and there is none
    flag_not_claimed,       ///< an entry uses a flag whose cap was not reported
    zero_not_claimed,       ///< Zero, without ZeroInPteSupported
    large_page_refused,     ///< LargePage in a leaf table, or at a level without large pages
    misaligned_large_page,  ///< a large page not aligned to what it covers
    misaligned_page,        ///< a page that does not begin at one of the GPU's, or at 64 KiB
    big_page_of_system_memory,  ///< a 64-KiB entry, or a large page, that points at system memory without the claim
    page_beside_table,  ///< a large page or Zero in a dual entry that names a table of 64-KiB pages, or as its name
    unknown_adapter,    ///< an adapter outside the link
    page_too_high,      ///< a page number that no entry can hold
    too_many_ranges,    ///< more ranges than a 32-bit token counts beside the entries
    two_layouts,        ///< Swizzle and Unswizzle both set
};

/// The id, in the contract's numbering, of the rule behind a finding.
[[nodiscard]] constexpr char const* rule_id(paging_rule rule) noexcept {
    switch (rule) {
        case paging_rule::unknown_operation:
        case paging_rule::operation_not_claimed: return "PGB-22";
        case paging_rule::no_buffer: return "PGB-11";
        case paging_rule::no_private_data: return "PGB-13";
        case paging_rule::misaligned_buffer: return "PGB-03";
        case paging_rule::token_past_end: return "PGB-04";
        case paging_rule::too_many_pages: return "PGB-06";
        case paging_rule::unknown_segment: return "OP00-01";
        case paging_rule::not_an_aperture: return "SEG-10";
        case paging_rule::outside_segment: return "OP00-03";
        case paging_rule::offset_wraps: return "OP00-02";
        case paging_rule::missing_list: return "ADL-01";
        case paging_rule::outside_list: return "ADL-05";
        case paging_rule::list_wraps: return "ADL-06";
        case paging_rule::misaligned_for_engine: return "OP08-06";
        case paging_rule::overlap_below_page: return "OP08-07";
        case paging_rule::address_wraps: return "CHK-15";
        case paging_rule::fill_of_aperture: return "OP01-01";
        case paging_rule::pattern_not_fillable: return "AMB-09";
        case paging_rule::outside_aperture: return "OP05-02";
        case paging_rule::nothing_to_fill: return "OP01-02";
        case paging_rule::nothing_to_transfer: return "OP08-01";
        case paging_rule::nothing_to_map: return "ADL-09";
        case paging_rule::reversed_range: return "OP12-01";
        case paging_rule::misaligned_fence: return "OP16-01";
        case paging_rule::unclear_notice: return "NTF-03";
        case paging_rule::unasked_notice: return "NTF-02";
        case paging_rule::foreign_notice: return "NTF-04";
        case paging_rule::notice_wraps: return "NTF-06";
        case paging_rule::cut_block: return "NTF-13";
        case paging_rule::nothing_to_notify: return "NTF-16";
        case paging_rule::no_cpu_address: return "OP10-01";
        case paging_rule::no_virtual_address: return "OP10-02";
        case paging_rule::missing_private_data:
        case paging_rule::outside_context: return "OP13-01";
        case paging_rule::resident_nowhere: return "OP15-03";
        case paging_rule::missing_fences: return "OP18-01";
        case paging_rule::unknown_mmu: return "OP19-02";
        case paging_rule::nothing_to_update:
        case paging_rule::missing_entries: return "OP11-01";
        case paging_rule::unknown_update_mode: return "OP11-03";
        case paging_rule::missing_table:
        case paging_rule::misaligned_table: return "OP11-04";
        case paging_rule::level_out_of_range: return "GVA-01";
        case paging_rule::outside_table: return "OP11-09";
        case paging_rule::no_64k_tables: return "GVA-11";
        case paging_rule::flag_not_claimed: return "GVA-20";
        case paging_rule::zero_not_claimed: return "GVA-19";
        case paging_rule::large_page_refused: return "GVA-16";
        case paging_rule::misaligned_large_page: return "GVA-17";
        case paging_rule::misaligned_page: return "GVA-14";
        case paging_rule::big_page_of_system_memory: return "GVA-15";
        case paging_rule::page_beside_table: return "GVA-12";
        case paging_rule::unknown_adapter: return "GVA-21";
        case paging_rule::page_too_high: return "AMB-08";
        case paging_rule::too_many_ranges: return "OP14-05";
        case paging_rule::two_layouts: return "AMB-59";
    }
    return "?";
}

/// Whether a request that broke this rule may be answered "done" without work, because there was no work.
[[nodiscard]] constexpr bool harmless(paging_rule rule) noexcept {
    return rule == paging_rule::nothing_to_fill || rule == paging_rule::nothing_to_transfer ||
           rule == paging_rule::nothing_to_map || rule == paging_rule::nothing_to_notify ||
           rule == paging_rule::nothing_to_update;
}

/// A request that cannot be carried out; `text_of(rule)` of hw/fault_text.hpp says it in words.
struct paging_fault {
    paging_operation operation;  ///< as the request names it; may be a value without a name
    paging_rule rule;
    u64 value;  ///< the offending number: an id, an address, a count, in the unit of the member it came from; of a
                ///< range its first unit, or where it ends when the end is what lies outside
    u64 limit;  ///< where the range had to end, what the number must not exceed, or must be a multiple of; of flags
                ///< those that were not claimed; 0 where there
                ///< is no such number, or where a range ends with the 64-bit space
};

/// What the driver's hook answers.
enum class disposition : u32 {
    /// The system is told STATUS_INVALID_PARAMETER and bugchecks (0x10E or 0x119), with nothing committed (law 5).
    stop,
    /// Success without work. Accepted only where harmless() says so; for any other rule it is taken as stop.
    dropped,
};

}  // namespace wddmcore
