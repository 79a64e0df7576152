// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../config.hpp"
#include "feature_options.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// How paging operations name memory.
enum class vidmm_addressing : std::uint8_t {
    physical,     ///< operations 0 to 4 and 7: segment addresses and MDLs
    gpu_virtual,  ///< operations 8 and 9: addresses in the paging process, mapped by the simulator or by page tables
};

/// How the aperture segment is mapped; it is always unmapped by operation 6 (OP17-06).
enum class vidmm_aperture : std::uint8_t {
    none,  ///< there is no aperture segment
    mdl,   ///< operation 5
    adl,   ///< operation 17, WDDM 2.9; contiguous and list forms by seed (OP17-04)
};

/// Which system pages an allocation gets.
enum class vidmm_page_policy : std::uint8_t {
    contiguous,  ///< pages that follow each other, as far as there is room
    random,      ///< single pages and short runs; one allocation in four is contiguous
    recorded,    ///< runs as long as `recorded_runs` says, in turn
    frames,      ///< in the order of `frames`, one after the other
};

/// Where in a paging buffer an operation begins.
enum class vidmm_packing : std::uint8_t {
    fresh,    ///< every pass gets its own buffer, 4-KiB aligned
    packed,   ///< back to back while there is room: any position (PGB-03)
    by_seed,  ///< of 100 operations 30 get a fresh buffer, the others are packed
};

/// When the engine executes a window that was submitted; always in the order of submission.
enum class vidmm_execution : std::uint8_t {
    at_submit,  ///< at once
    by_seed,    ///< at once or any time later, so that a driver cannot rely on either
};

/// A segment as the driver reports it.
struct vidmm_segment {
    std::uint32_t id = 0;         ///< 1 .. 31, position + 1 (SEG-05)
    std::uint64_t base = 0;       ///< GPU address of its first byte, a multiple of 4 KiB
    std::uint64_t size = 0;       ///< bytes, a multiple of 4 KiB
    bool aperture = false;        ///< holds no bits: its pages point into system memory; at most one
    bool cache_coherent = false;  ///< for an aperture: mappings may ask for coherency (OP05-03)
    bool pages_64k = false;       ///< managed in 64-KiB pages (SEG-09)
    bool hollow = false;          ///< keeps no content, so it may be larger than the host: only which bytes are written
    /// Where the host finds its bytes: memory of the driver's or of a device, which must live as long as the simulator.
    /// nullptr: the simulator's own.
    std::byte* memory = nullptr;
};

namespace vidmm_parts {
/// Page numbers behind system memory: a gap, those of paging buffers, and those of a probe's buffer.
inline constexpr std::uint64_t gap_pages = 0x1000;
inline constexpr std::uint64_t buffer_pages = 0x4'0000;
inline constexpr std::uint64_t pages_behind_memory = gap_pages + buffer_pages + 0x1000;
}  // namespace vidmm_parts

/// How often a thing happens, of 100 occasions.
struct vidmm_chances {
    std::uint32_t no_buffer = 30;        ///< aperture operations without a paging buffer (OBS-02)
    std::uint32_t null_allocation = 10;  ///< hAllocation NULL: a raw operation (PGB-21, OP00-07)
    std::uint32_t null_device = 30;      ///< hDevice NULL: a primary (OP05-05)
    std::uint32_t idle_at_once = 40;     ///< AllocationIsIdle set from the beginning
    std::uint32_t busy = 30;             ///< the hardware's model is told that the allocation is in use
    std::uint32_t retry = 15;            ///< a transfer in parts begins again with TransferStart (OP00-06)
    std::uint32_t split = 60;            ///< a transfer or a mapping comes in parts
    std::uint32_t begun_buffer = 0;      ///< of new buffers: others have left little room in it (PGB-03)
    std::uint32_t submit = 50;           ///< a packed window is submitted after an operation
    std::uint32_t execute = 40;          ///< a submitted window is executed at the next occasion
    std::uint32_t reset = 1;             ///< of 100 scenario steps
    std::uint32_t full_flush = 30;       ///< a TLB flush of the whole address space: both addresses 0 (OP12-01)
    std::uint32_t power_loss = 2;        ///< of 100 scenario steps, where they happen at all
    std::uint32_t root_move = 8;         ///< of 100 steps of a process, where contexts hear of their roots (GVA-28)
    std::uint32_t larger_pages = 60;     ///< a mapping that can have larger pages than 4 KiB gets them
    std::uint32_t feature = 40;          ///< a scenario step that uses one of the features beside moving content
};

/// Everything that decides a run, besides the driver. All sizes are bytes unless the name says otherwise.
struct vidmm_options {
    std::uint64_t seed = 1;  ///< everything random follows from it and the seed of `run`
    vidmm_addressing addressing = vidmm_addressing::physical;
    std::vector<vidmm_segment> segments;  ///< in the order of their ids, as the driver reports them

    vidmm_aperture aperture = vidmm_aperture::none;
    /// The page number that an aperture entry points at, asked from the hardware's model; required with an aperture
    /// unless the driver table has an observer for it.
    std::function<std::uint64_t(std::uint64_t index)> page_of;
    /// Whether an aperture entry is mapped coherent; without it OP05-03 is not exercised.
    std::function<bool(std::uint64_t index)> coherent_of;

    /// Tells the hardware's model that an allocation is in use, or no longer.
    std::function<void(void* allocation, bool busy)> set_busy;
    /// Other work that runs on the engine between two windows; may leave its state as it likes (PGB-07).
    std::function<void()> other_work;
    /// The driver, or a device that it asks, executes by itself on memory that the simulator does not watch: this waits
    /// until the fence of a submission is reported (`vidmm::fence_reported`), and longer. For simulators without an
    /// engine; without it, windows are executed on the bus before DxgkDdiSubmitCommand returns.
    /// @return false: it is not reported, and the run ends
    std::function<bool(std::uint32_t fence)> wait_for_fence;
    /// A paging buffer is lent, at the physical address that submissions name; without an address, it is over.
    std::function<void(std::span<std::byte const> buffer, std::optional<std::uint64_t> address)> on_paging_buffer;
    /// The system's context, which paging names; an improbable handle that points nowhere.
    void* paging_context = reinterpret_cast<void*>(std::uintptr_t{0x5C5C'0000'1000});
    std::uint32_t paging_node = 0;  ///< NodeOrdinal of paging submissions in the physical form
    /// In a link: the physical adapter whose memory this is, 0 to 31. Contexts are created with its affinity, entries
    /// of page tables name it, and each call of paging names `paging_context`, which tells the driver whose it is.
    std::optional<std::uint32_t> physical_adapter{};
    /// The driver's own handle of an allocation; without it improbable numbers that point nowhere.
    std::function<void*(std::uint32_t allocation)> handle_of;

    std::uint64_t ram_pages = 2048;        ///< system memory, in 4-KiB pages
    std::uint64_t first_page = 0xA5C3000;  ///< number of its first page
    std::vector<std::uint64_t> frames;  ///< all of system memory by page numbers; empty: `ram_pages` from `first_page`
    /// System memory is a memory file: only then a driver can be shown its pages at addresses of its own
    /// (gpu_memory_view). It is filled faster without.
    bool memory_file = false;
    std::uint64_t system_base = 0;        ///< where the GPU sees page number 0
    std::uint64_t va_base = 0x4000'0000;  ///< first address of the paging process's window
    std::uint64_t va_size = 16 << 20;     ///< its size; transfers and fills are chunked by it (CHK-09)

    std::uint32_t smallest_paging_buffer = 4096;  ///< with this much fresh room a pass must advance (SEG-41)
    std::uint32_t largest_paging_buffer = 65536;  ///< buffers are at most as large
    std::uint32_t paging_buffer = 0;              ///< 0: between the two by seed; else always this size
    std::uint32_t paging_private_data = 0;        ///< of each buffer; 0: none
    std::uint32_t command_alignment = 4;          ///< windows begin and end at multiples of this
    vidmm_packing packing = vidmm_packing::by_seed;
    vidmm_execution execution = vidmm_execution::by_seed;
    /// Most windows that are submitted and not yet executed, as a system has a limited number of paging buffers. When
    /// one more is submitted, the oldest is executed first.
    std::size_t most_waiting_windows = 64;

    vidmm_page_policy pages = vidmm_page_policy::random;
    std::vector<std::uint32_t> recorded_runs;    ///< lengths in pages, each at least 1
    std::uint32_t pages_before = 8;              ///< most foreign pages in a list before the range, by seed
    std::uint32_t pages_behind = 4;              ///< most foreign pages after it, by seed
    std::uint64_t largest_part = 0;              ///< of a sub-transfer or a mapping; 0: whole allocations or by seed
    std::uint32_t size_granule = 4096;           ///< allocation sizes are multiples of it, at least 4
    std::uint64_t largest_allocation = 1 << 17;  ///< in scenarios
    std::uint32_t most_allocations = 12;         ///< in scenarios
    bool byte_patterns = false;                  ///< all four bytes of fill patterns are equal (AMB-09)
    bool physical_access_has_base = true;        ///< addresses of operations 3 and 4 include the base (SEG-28)
    bool overlapping_moves = false;              ///< virtual moves inside a segment may overlap (OP08-07)
    bool alternate_addresses = true;             ///< allocations ask for an alternate address: operation 7 (OP07-01)
    bool physical_operations_too = true;         ///< with virtual addressing: 2, and 0 of size 0 after a reset (AMB-02)

    bool patch = true;  ///< patch paging buffers if the driver can (AMB-01)
    /// Most bytes that are searched for side effects of one call, on each side; 0: all of them (PGB-10).
    std::uint64_t inspected_bytes = 0;
    bool keep_trace = true;  ///< remember what happened, for `events`
    /// Page lists become inaccessible when the call that got them returns (AMB-60). Off: the last thousand stay, for
    /// drivers that keep their MDLs; nothing else is judged more mildly.
    bool page_lists_expire = true;
    bool watch = false;              ///< trap every access to the paging buffer (design law 4)
    bool unknown_operation = false;  ///< a run ends with an operation code that no version has (PGB-22)
    bool probes = false;             ///< also send what Windows never sends; reported apart
    vidmm_page_tables page_tables;   ///< the hardware's own page tables
    vidmm_notify notify;             ///< allocations that want to be noticed
    vidmm_contexts contexts;         ///< context allocations
    vidmm_notices notices;           ///< residency, fences, other MMUs
    bool power_losses = false;       ///< scenarios take the power away, and everything is initialised again (CHK-16)
    /// Tells the hardware's model that its power was gone: registers, caches and memory segments have lost all.
    std::function<void()> lose_power;

    vidmm_chances chances;
    std::size_t stop_after = 1;  ///< broken rules; 0: go on where that is possible
};

}  // namespace wddmcore::testing
