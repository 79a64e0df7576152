// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../config.hpp"

#include <cstddef>
#include <iterator>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// The rules that the simulator of the video memory manager can see broken, in the contract's own numbering.
enum class vidmm_rule : std::size_t {
    pgb_01,
    pgb_02,
    pgb_03,
    pgb_04,
    pgb_05,
    pgb_06,
    pgb_07,
    pgb_08,
    pgb_09,
    pgb_10,
    pgb_11,
    pgb_13,
    pgb_14,
    pgb_15,
    pgb_16,
    pgb_21,
    pgb_22,
    op00_01,
    op00_02,
    op00_03,
    op00_04,
    op00_05,
    op00_06,
    op00_09,
    op00_10,
    op01_02,
    op02_01,
    op03_01,
    op04_01,
    op05_01,
    op05_02,
    op05_03,
    op05_05,
    op06_01,
    op07_01,
    op08_01,
    op08_07,
    op09_01,
    op17_02,
    op17_04,
    seg_28,
    op06_02,
    op10_01,
    op10_03,
    op11_01,
    op11_02,
    op11_03,
    op11_04,
    op11_08,
    op11_09,
    op11_12,
    op12_01,
    op12_03,
    op12_04,
    op13_01,
    op14_01,
    op14_02,
    op14_05,
    op15_03,
    op16_01,
    op18_01,
    op19_01,
    op19_02,
    op21_01,
    obs_11,
    gva_18,
    gva_20,
    gva_23,
    gva_39,
    chk_14,
    chk_16,
    ntf_04,
    ntf_05,
    ntf_06,
    ntf_10,
    ntf_12,
    ntf_14,
    amb_08,
    amb_06,
    amb_28,
    law_04,
};

/// A rule's id and what it demands, in one sentence.
struct vidmm_rule_text {
    vidmm_rule rule;
    char const* id;
    char const* sentence;
};

inline constexpr vidmm_rule_text vidmm_rules[] = {
    {vidmm_rule::pgb_01, "PGB-01", "the remaining DmaSize is checked before every write"},
    {vidmm_rule::pgb_02, "PGB-02", "pDmaBuffer ends one past the last byte written, and no [in] member is written"},
    {vidmm_rule::pgb_03, "PGB-03", "only a fresh buffer is 4-KiB aligned; the driver's own padding does the rest"},
    {vidmm_rule::pgb_04, "PGB-04", "MultipassOffset carries the progress: no work is done twice"},
    {vidmm_rule::pgb_05, "PGB-05", "each pass resumes from MultipassOffset and strictly advances it"},
    {vidmm_rule::pgb_06, "PGB-06", "MultipassOffset counts pages or commands: bytes overflow it at 4 GiB"},
    {vidmm_rule::pgb_07, "PGB-07", "the commands of one pass are complete by themselves and need nothing of the call"},
    {vidmm_rule::pgb_08, "PGB-08", "only success, insufficient buffer and busy may be returned"},
    {vidmm_rule::pgb_09, "PGB-09", "busy may be said only while AllocationIsIdle is clear"},
    {vidmm_rule::pgb_10, "PGB-10", "the build function itself does not touch the memory that moves"},
    {vidmm_rule::pgb_11, "PGB-11", "without a buffer the work is done at once and insufficient is never said (OBS-02)"},
    {vidmm_rule::pgb_13, "PGB-13", "the private-data pointer stays in its area, and its size in step with it"},
    {vidmm_rule::pgb_14, "PGB-14", "patch accepts a paging buffer without lists and keeps inside the window"},
    {vidmm_rule::pgb_15, "PGB-15", "submit accepts a paging buffer without device or context"},
    {vidmm_rule::pgb_16, "PGB-16", "one buffer backs several windows: nothing outside one's own is written"},
    {vidmm_rule::pgb_21, "PGB-21", "a NULL allocation handle means a linear operation, not none"},
    {vidmm_rule::pgb_22, "PGB-22", "success means that the work was done"},
    {vidmm_rule::op00_01, "OP00-01", "SegmentId 0 selects the MDL of that side, any other id the segment address"},
    {vidmm_rule::op00_02, "OP00-02", "TransferOffset belongs to the segment side, MdlOffset to the MDL side"},
    {vidmm_rule::op00_03, "OP00-03", "SegmentAddress already has the segment's base in it"},
    {vidmm_rule::op00_04, "OP00-04", "TransferOffset is the same in all passes of one sub-transfer"},
    {vidmm_rule::op00_05, "OP00-05", "a sub-transfer moves exactly its bytes, the last ones included"},
    {vidmm_rule::op00_06, "OP00-06", "TransferStart before TransferEnd is a retry from the beginning"},
    {vidmm_rule::op00_09, "OP00-09", "a transfer of size 0 emits nothing"},
    {vidmm_rule::op00_10, "OP00-10", "an MDL has one page number for each 4 KiB; only consecutive ones merge"},
    {vidmm_rule::op01_02, "OP01-02", "a fill writes exactly its bytes with the 32-bit pattern"},
    {vidmm_rule::op02_01, "OP02-01", "discarding moves no content"},
    {vidmm_rule::op03_01, "OP03-01", "a physical read reads at the address named"},
    {vidmm_rule::op04_01, "OP04-01", "a physical write writes at the address named and leaves the neighbours alone"},
    {vidmm_rule::op05_01, "OP05-01", "aperture page OffsetInPages + k maps the MDL's page MdlOffset + k"},
    {vidmm_rule::op05_02, "OP05-02", "an aperture range lies inside the aperture, up to its last page"},
    {vidmm_rule::op05_03, "OP05-03", "with CacheCoherent the pages are mapped coherent"},
    {vidmm_rule::op05_05, "OP05-05",
     "mapping works without an allocation (a DMA buffer) and without a device (a primary)"},
    {vidmm_rule::op06_01, "OP06-01", "every page of an unmapped range points at the dummy page"},
    {vidmm_rule::op07_01, "OP07-01", "a special lock transfer moves exactly its bytes"},
    {vidmm_rule::op08_01, "OP08-01", "virtual addresses already account for the chunk: no offset is added"},
    {vidmm_rule::op08_07, "OP08-07", "an overlapping move copies in the safe direction"},
    {vidmm_rule::op09_01, "OP09-01", "a virtual fill writes exactly its bytes at the address given"},
    {vidmm_rule::op17_02, "OP17-02", "aperture page OffsetInPages + k maps the ADL's page AdlOffset + k"},
    {vidmm_rule::op17_04, "OP17-04", "the ADL's contiguous flag is tested every time"},
    {vidmm_rule::seg_28, "SEG-28", "a segment address includes the segment's base"},
    {vidmm_rule::op06_02, "OP06-02", "what is unmapped is not used: stray access ends at the dummy page and is seen"},
    {vidmm_rule::op10_01, "OP10-01", "a context allocation is written at its segment address, or by its MDL for id 0"},
    {vidmm_rule::op10_03, "OP10-03", "the whole initial image is written"},
    {vidmm_rule::op11_01, "OP11-01", "entry i of the array goes to StartIndex + i"},
    {vidmm_rule::op11_02, "OP11-02", "with Repeat the array's one entry goes everywhere"},
    {vidmm_rule::op11_03, "OP11-03", "the operation's own UpdateMode says what the table's address is"},
    {vidmm_rule::op11_04, "OP11-04", "a CPU-virtual update without a buffer is complete on return"},
    {vidmm_rule::op11_08, "OP11-08", "at InitialUpdate the table's old content counts for nothing"},
    {vidmm_rule::op11_09, "OP11-09", "an update changes its own entries and no byte beside them"},
    {vidmm_rule::op11_12, "OP11-12", "MultipassOffset counts entries, and what comes after it goes behind them"},
    {vidmm_rule::op12_01, "OP12-01", "a flush from 0 to 0 drops the whole address space"},
    {vidmm_rule::op12_03, "OP12-03", "a flush drops all of its range, after the page-table writes queued before it"},
    {vidmm_rule::op12_04, "OP12-04", "the root says which address space is flushed"},
    {vidmm_rule::op13_01, "OP13-01", "a context allocation is updated at the address given, from the private data"},
    {vidmm_rule::op14_01, "OP14-01", "each range copies its entries from its source index to its destination index"},
    {vidmm_rule::op14_02, "OP14-02", "page-table entries are copied when the commands are executed"},
    {vidmm_rule::op14_05, "OP14-05", "MultipassOffset of a copy of entries keeps range and entry"},
    {vidmm_rule::op15_03, "OP15-03", "the Resident bit decides, not the address"},
    {vidmm_rule::op16_01, "OP16-01", "all 64 bits of a fence's value are written at its address, and nothing else"},
    {vidmm_rule::op18_01, "OP18-01", "each record moves the current and the monitored value of its fence"},
    {vidmm_rule::op19_01, "OP19-01", "the ADL's pages are mapped in the MMU named, from the address given"},
    {vidmm_rule::op19_02, "OP19-02", "all pages of the range are unmapped in the MMU named"},
    {vidmm_rule::op21_01, "OP21-01", "residency is kept for each range of an allocation"},
    {vidmm_rule::obs_11, "OBS-11", "a range of copied entries may depend on the ranges before it"},
    {vidmm_rule::gva_18, "GVA-18", "a page-table entry's page is an offset in its segment: the base is added"},
    {vidmm_rule::gva_20, "GVA-20", "an entry's protection and coherency are not dropped"},
    {vidmm_rule::gva_23, "GVA-23", "a new page table reads as invalid everywhere"},
    {vidmm_rule::gva_39, "GVA-39", "a page table that has moved is found by its parent's new entry"},
    {vidmm_rule::chk_14, "CHK-14", "nothing about an address of the paging process's window outlives its mapping"},
    {vidmm_rule::chk_16, "CHK-16", "the paging process's page tables are initialised again after each power loss"},
    {vidmm_rule::ntf_04, "NTF-04", "an eviction notice names the paging process by no handle, an unmap notice its own"},
    {vidmm_rule::ntf_05, "NTF-05", "the notice's address has its offset in it already"},
    {vidmm_rule::ntf_06, "NTF-06", "a notice is for its part of the allocation, and for all of it"},
    {vidmm_rule::ntf_10, "NTF-10", "after an unmap notice nothing of the allocation is left in a cache"},
    {vidmm_rule::ntf_12, "NTF-12", "what an eviction notice asks for is done by its own commands"},
    {vidmm_rule::ntf_14, "NTF-14", "no block is handled twice"},
    {vidmm_rule::amb_08, "AMB-08", "PageAddress is a page number"},
    {vidmm_rule::amb_06, "AMB-06", "DmaSize is left alone or becomes less by exactly the bytes written"},
    {vidmm_rule::amb_28, "AMB-28", "busy is an answer to operations 0, 2 and 7 only"},
    {vidmm_rule::law_04, "LAW-04", "a paging buffer is written once, ascending, in whole dwords, and never read"},
};

inline constexpr std::size_t vidmm_rule_count = std::size(vidmm_rules);

static_assert([] {
    for (std::size_t i = 0; i < vidmm_rule_count; ++i) {
        if (vidmm_rules[i].rule != static_cast<vidmm_rule>(i)) {
            return false;
        }
    }
    return static_cast<std::size_t>(vidmm_rule::law_04) + 1 == vidmm_rule_count;
}());

/// The rule's id, for example "PGB-09".
[[nodiscard]] constexpr char const* id_of(vidmm_rule rule) { return vidmm_rules[static_cast<std::size_t>(rule)].id; }

}  // namespace wddmcore::testing
