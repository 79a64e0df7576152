// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/breach.hpp"
#include "../ddi/operation.hpp"

/// What a driver is told about a paging request that cannot be carried out, and what it may answer.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
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

namespace detail {

/// The rules in the order of their enumeration.
inline constexpr rule_words paging_rules[] = {
    {"PGB-22", "a code that the library does not know (PGB-22)"},
    {"PGB-22", "a code that the capabilities exclude, or that is left to the CPU (PGB-22)"},
    {"PGB-11", "work for the GPU, and no buffer to write it to (PGB-11)"},
    {"PGB-13", "work for the GPU, a record to keep of it, and no private data to keep it in (PGB-13)"},
    {"PGB-03", "the write position is not at a dword (PGB-03)"},
    {"PGB-04", "MultipassOffset lies past the work (PGB-04)"},
    {"PGB-06", "more pages, blocks or pieces than a 32-bit token counts (PGB-06)"},
    {"OP00-01", "a segment id that was never reported (OP00-01)"},
    {"SEG-10", "an aperture operation that names a memory segment (SEG-10)"},
    {"OP00-03", "an address range that leaves its segment (OP00-03)"},
    {"OP00-02", "address + TransferOffset wraps (OP00-02)"},
    {"ADL-01", "a NULL page list although there are pages (ADL-01)"},
    {"ADL-05", "a page range that leaves the MDL or ADL (ADL-05)"},
    {"ADL-06", "a page, of a list or the dummy page, past the device's reach or the address space (ADL-06)"},
    {"OP08-06", "an address or size that the engine cannot take (OP08-06)"},
    {"OP08-07", "source and destination overlap at a distance below one page (OP08-07)"},
    {"CHK-15", "a GPU virtual range that wraps, or ends past the page tables' last address (CHK-15)"},
    {"OP01-01", "FILL that names an aperture segment (OP01-01)"},
    {"AMB-09", "four different pattern bytes, and an engine that repeats one byte (AMB-09)"},
    {"OP05-02", "aperture pages past the aperture's end (OP05-02)"},
    {"OP01-02", "a fill of zero bytes (OP01-02)"},
    {"OP08-01", "a virtual transfer of zero bytes (OP08-01)"},
    {"ADL-09", "a map or unmap of zero pages (ADL-09)"},
    {"OP12-01", "a flush that ends before it begins (OP12-01)"},
    {"OP16-01", "a fence value that no atomic store of the hardware reaches (OP16-01)"},
    {"NTF-03", "a notice of no event, or of two (NTF-03)"},
    {"NTF-02", "a notice of an event that the hardware type never asks to hear of (NTF-02)"},
    {"NTF-04", "an eviction notice that names a process, or an unmap notice that names none (NTF-04)"},
    {"NTF-06", "a part of an allocation whose end wraps (NTF-06)"},
    {"NTF-13", "an eviction notice that begins inside a block (NTF-13)"},
    {"NTF-16", "a notice of no bytes, pages or fences (NTF-16)"},
    {"OP10-01", "an image that only the CPU can write, and no CPU address (OP10-01)"},
    {"OP10-02", "a context without an address of the paging process, and hardware that takes no other (OP10-02)"},
    {"OP13-01", "a NULL pointer to private data although there are bytes (OP13-01)"},
    {"OP13-01", "an update that leaves its context allocation (OP13-01)"},
    {"OP15-03", "an allocation that came to segment 0 (OP15-03)"},
    {"OP18-01", "a NULL list of fences although there are some (OP18-01)"},
    {"OP19-02", "an MMU that was never reported (OP19-02)"},
    {"OP11-01", "an update or copy of no entries (OP11-01)"},
    {"OP11-03", "an update mode that has no name, or was never claimed (OP11-03)"},
    {"OP11-04", "CPU-virtual mode, and a NULL table address (OP11-04)"},
    {"OP11-04", "a table that does not lie at a whole entry, or not at 64 KiB (OP11-04)"},
    {"GVA-01", "a level that the geometry does not have (GVA-01)"},
    {"OP11-09", "entries past the end of a table of that level (OP11-09)"},
    {"OP11-01", "a NULL array of entries or ranges (OP11-01)"},
    {"GVA-11", "Use64KBPages, or an entry that names a table of such a size, and there is none (GVA-11)"},
    {"GVA-20", "an entry uses a flag whose cap was not reported (GVA-20)"},
    {"GVA-19", "Zero, without ZeroInPteSupported (GVA-19)"},
    {"GVA-16", "LargePage in a leaf table, or at a level without large pages (GVA-16)"},
    {"GVA-17", "a large page not aligned to what it covers (GVA-17)"},
    {"GVA-14", "a page that does not begin at one of the GPU's, or at 64 KiB (GVA-14)"},
    {"GVA-15", "a 64-KiB entry, or a large page, that points at system memory without the claim (GVA-15)"},
    {"GVA-12", "a large page or Zero in a dual entry that names a table of 64-KiB pages, or as its name (GVA-12)"},
    {"GVA-21", "an adapter outside the link (GVA-21)"},
    {"AMB-08", "a page number that no entry can hold (AMB-08)"},
    {"OP14-05", "more ranges than a 32-bit token counts beside the entries (OP14-05)"},
    {"AMB-59", "Swizzle and Unswizzle both set (AMB-59)"},
};
static_assert(sizeof paging_rules / sizeof *paging_rules == static_cast<u32>(paging_rule::two_layouts) + 1);

[[nodiscard]] constexpr rule_words words_of(paging_rule what) noexcept {
    u32 const row = static_cast<u32>(what);
    return row < sizeof paging_rules / sizeof *paging_rules ? paging_rules[row] : rule_words{"?", "?"};
}

}  // namespace detail

/// @return the id, in the contract's numbering, of the rule behind a finding; "?" for a number without a name.
[[nodiscard]] constexpr char const* rule_id(paging_rule rule) noexcept { return detail::words_of(rule).id; }

/// What a malformed paging request breaks, in words and with the rule's id: for the log of a fault hook.
///
/// Any IRQL, touches no OS state, safe in non-paged code.
///
/// @return a literal; "?" for a number without a name
[[nodiscard]] constexpr char const* text_of(paging_rule what) noexcept { return detail::words_of(what).text; }

/// @return whether a request that broke this rule may be answered "done" without work, because there was no work.
[[nodiscard]] constexpr bool harmless(paging_rule rule) noexcept {
    return rule == paging_rule::nothing_to_fill || rule == paging_rule::nothing_to_transfer ||
           rule == paging_rule::nothing_to_map || rule == paging_rule::nothing_to_notify ||
           rule == paging_rule::nothing_to_update;
}

/// A request that cannot be carried out; `text_of(rule)` says it in words.
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
