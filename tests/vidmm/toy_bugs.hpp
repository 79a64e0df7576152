// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

/// Mistakes that a toy driver can be told to make; each has been seen in some driver, or is what a rule warns of.
namespace toy {

struct bugs {
    // The protocol.
    bool moves_pointer_past_end = false;  ///< adds a dummy amount to pDmaBuffer whatever is left
    bool writes_past_end = false;         ///< writes commands without looking at DmaSize
    bool moves_pointer_back = false;
    bool forgets_pointer = false;        ///< writes commands and leaves pDmaBuffer where it was
    bool advances_write_offset = false;  ///< writes DmaBufferWriteOffset
    bool writes_into_list = false;       ///< uses the MDL's array as its own
    bool no_padding = false;
    bool repeats_last_command = false;   ///< MultipassOffset lags one command behind
    bool ignores_multipass = false;      ///< never moves MultipassOffset
    bool loses_a_command = false;        ///< MultipassOffset counts a command that found no room
    bool token_in_bytes = false;         ///< MultipassOffset counts bytes, in 32 bits
    bool cuts_commands = false;          ///< fills the buffer to its last byte, half a command included
    bool keeps_arguments = false;        ///< the command is a pointer to the argument structure
    bool keeps_list = false;             ///< the command is a pointer to the page list
    bool returns_not_supported = false;  ///< for what it does not know: DISCARD
    bool says_busy_twice = false;
    bool says_busy_for_fill = false;
    bool copies_at_build = false;
    bool wants_buffer_for_map = false;  ///< insufficient although there is none
    bool private_pointer_wild = false;
    bool private_size_forgotten = false;  ///< DmaBufferPrivateDataSize goes down by another amount
    bool patch_wants_lists = false;
    bool submit_wants_context = false;
    bool submit_is_strict = false;       ///< refuses a node but 3, and a context but 0x7000
    bool patch_at_buffer_start = false;  ///< the fence goes to the buffer's start, not to the window's
    bool patch_past_end = false;         ///< changes the byte behind the buffer
    bool aligns_pointer_down = false;    ///< takes every buffer for 4-KiB aligned
    bool needs_allocation = false;       ///< hAllocation NULL: success, nothing done
    bool dma_size_wrong = false;
    bool reads_back = false;
    bool writes_twice = false;
    bool spins = false;
    // Content.
    bool says_done = false;    ///< fill: success, nothing done
    bool swaps_sides = false;  ///< SegmentId 0 taken for the segment side
    bool offset_on_list = false;
    bool offset_not_on_segment = false;
    bool list_offset_ignored = false;  ///< MdlOffset
    bool list_offset_on_segment = false;
    bool list_offset_cut = false;  ///< MdlOffset * 4096 in 32 bits
    bool adds_base = false;
    bool removes_base = false;
    bool cuts_address = false;            ///< segment addresses in 32 bits
    bool writes_transfer_offset = false;  ///< keeps its progress there
    bool drops_odd_bytes = false;         ///< whole pages only
    bool rounds_up = false;               ///< whole pages, one more if need be
    bool skips_second_start = false;
    bool copies_for_size_zero = false;
    bool first_page_for_all = false;
    bool pages_as_one_run = false;
    bool list_begins_anew = false;  ///< with every command
    bool over_reads_list = false;   ///< looks one page further while merging
    bool low_byte_only = false;     ///< byte fill
    bool fills_too_far = false;
    bool discard_clears = false;
    bool reads_elsewhere = false;
    bool writes_neighbours = false;
    bool lock_has_list_offset = false;  ///< takes operation 7 for operation 0
    bool adds_chunk_offset = false;     ///< AllocationOffsetInBytes
    bool always_ascending = false;      ///< also for moves that overlap
    // The aperture.
    bool map_ignores_offset = false;  ///< MdlOffset or AdlOffset
    bool map_at_start = false;        ///< OffsetInPages ignored
    bool table_too_small = false;     ///< one entry less than the segment has pages
    bool never_coherent = false;
    bool map_needs_device = false;
    bool unmap_to_zero = false;
    bool unmap_ignored = false;
    bool unmap_first_only = false;   ///< NumberOfPages ignored
    bool list_always_run = false;    ///< contiguous flag not tested: every ADL is a run
    bool run_always_list = false;    ///< contiguous flag not tested: every ADL is a list
    bool stale_aperture = false;     ///< goes on using an allocation's place in the aperture after it was unmapped
    bool null_cpu_address = false;   ///< CpuVisibleAddress used without looking
    bool keeps_cpu_address = false;  ///< CpuVisibleAddress used after the unmap
    // Page tables.
    bool zero_is_nothing = false;       ///< an entry with Zero becomes one that faults
    bool zero_ignored = false;          ///< an entry with Zero becomes a page
    bool zero_lost_above_leaf = false;  ///< a large page with Zero becomes one that faults
    bool drops_protection = false;      ///< DriverProtection ignored
    bool keeps_all_protection = false;  ///< its unknown bits not masked
    bool start_index_ignored = false;
    bool repeat_once = false;
    bool repeat_advances = false;     ///< reads element i although there is only one
    bool always_cpu_address = false;  ///< UpdateMode not looked at
    bool init_wants_buffer = false;   ///< insufficient for a CPU-virtual update
    bool init_half = false;           ///< half of the entries now, the others never
    bool skips_unchanged = false;     ///< remembers entries and writes only what differs
    bool skips_invalid = false;       ///< nothing to write for entries that are not valid
    bool writes_one_more = false;     ///< rounds the last command up
    bool restarts_entries = false;    ///< each pass begins at StartIndex again
    bool entry_without_base = false;
    bool entry_base_twice = false;
    bool page_is_address = false;  ///< PageAddress not shifted
    bool number_shifted = false;   ///< the page's whole number three bits too far to the left
    bool page_shifted = false;     ///< PageAddress two bits too far to the right, before the base is added
    bool never_valid = false;      ///< leaf entries without their lowest bit
    bool drops_attributes = false;
    bool links_once = false;        ///< a directory entry that was valid once is not written again
    bool initialises_once = false;  ///< nothing is initialised after a power loss
    bool flush_of_nothing = false;  ///< a flush from 0 to 0 taken word for word
    bool flush_at_build = false;    ///< by a register, in front of what is queued
    bool flush_too_short = false;   ///< the last page of the range is left out
    bool flush_one_root = false;    ///< always the root that came first
    bool copy_indices_ignored = false;
    bool copy_at_build = false;     ///< reads the entries in the build function
    bool copy_backwards = false;    ///< the last range first
    bool copy_loses_entry = false;  ///< MultipassOffset counts an entry that found no room
    // Roots.
    bool root_never = false;            ///< no context hears of its root
    bool root_once = false;             ///< of each context the first root is kept
    bool root_for_all = false;          ///< one root for all contexts
    bool root_without_segment = false;  ///< SegmentId not looked at
    bool root_cut = false;              ///< the address in 32 bits
    bool root_entries_once = false;     ///< NumEntries of each context's first root
    bool root_without_limit = false;    ///< NumEntries not looked at
    bool root_keeps_arguments = false;  ///< the structure is read when the next one comes
    bool root_too_few = false;          ///< the size of a root is rounded down
    bool root_uneven = false;           ///< the size of a root is not whole pages
    // Pages of other sizes.
    bool large_as_table = false;           ///< LargePage is not looked at
    bool large_rounded = false;            ///< the address of a large page is rounded to its size
    bool kind_ignored = false;             ///< PageTablePageSize is not looked at
    bool kind_once = false;                ///< and where it is, for each address only once
    bool first_array_only = false;         ///< pPageTableEntries64KB is not read
    bool one_of_two = false;               ///< a table of 64-KiB entries takes the place of the other one
    bool wide_numbers = false;             ///< PageAddress of a 64-KiB entry counts 64-KiB pages
    bool index_in_4k = false;              ///< StartIndex of a table of 64-KiB entries counts 4-KiB pages
    bool last_of_page = false;             ///< of a page's entries the last one is kept
    bool large_of_processes_only = false;  ///< LargePage is not looked at in the paging process
    bool kind_of_processes_only = false;   ///< nor are its tables of 64-KiB entries
    bool copies_whole_tiles = false;       ///< of copied entries the last ones are left out: 16 are a tile of 64 KiB
    bool copies_leaves_only = false;       ///< what a leaf's entry has not is lost when entries are copied
    bool start_rounded = false;            ///< an update that begins inside a page begins at the page
    // Notices and contexts.
    bool notice_needs_process = false;     ///< nothing is done without a process handle
    bool notice_adds_offset = false;       ///< OffsetInBytes added to the address
    bool notice_whole_allocation = false;  ///< from the allocation's start, whatever the part
    bool notice_one_block = false;         ///< the first block only
    bool notice_twice = false;             ///< MultipassOffset lags one block behind
    bool notice_later = false;             ///< the work is queued for the next submission
    bool notice_by_address = false;        ///< an address that was handled once is not handled again
    bool unmap_notice_ignored = false;
    bool context_half = false;
    bool context_by_address_only = false;  ///< an MDL is not looked at
    bool context_ignores_data = false;     ///< private data
    bool resident_by_address = false;      ///< address 0 means not resident
    bool fence_low_half = false;
    bool fence_too_wide = false;      ///< zeroes eight bytes more
    bool fence_first_record = false;  ///< only the first record of a list
    bool fence_swapped = false;       ///< current and monitored value exchanged
    bool mmu_ignores_contiguous = false;
    bool mmu_one_for_all = false;   ///< MmuId not looked at
    bool mmu_unmaps_first = false;  ///< the first page of a range only
    bool residency_whole = false;   ///< a range's residency taken for the allocation's
};

}  // namespace toy
