// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../hw/promises/transfer/copy_engine.hpp"

/// What the CPU executor wants of a driver, and what it answers.
namespace wddmcore::inline WDDMCORE_ABI {

/// What a mapping was asked of.
enum class cpu_mapping : u32 {
    system_pages,     ///< consecutive system pages: `first` is a page number
    segment,          ///< a range of a segment: `first` is a byte offset from its start
    process_virtual,  ///< a range of the paging process: `first` is a GPU virtual address
};

/// A mapping that could not be had.
struct cpu_place {
    cpu_mapping in;
    segment_id segment;  ///< where `in` is segment, else 0
    u64 first;           ///< a page number or an address, as `in` says
    bytes size;
    friend constexpr bool operator==(cpu_place const&, cpu_place const&) = default;
};

/// How far the CPU came.
enum class cpu_outcome : u32 {
    done,      ///< the operation is complete, in memory; the system gets STATUS_SUCCESS
    more,      ///< the budget is used up; MultipassOffset says how far it came, call again
    unmapped,  ///< a mapping function answered NULL; what was done before is counted, call again when it can be had
    busy,      ///< at_build, and AllocationIsIdle is clear: the system gets STATUS_GRAPHICS_ALLOCATION_BUSY (PGB-09)
    refused,   ///< a malformed request, and the fault hook said stop: the system gets STATUS_INVALID_PARAMETER (law 5)
    not_mine,  ///< nothing for the CPU, and nothing was done: another operation, or what `Memory` leaves out
};

/// What an execution ended with.
struct cpu_answer {
    cpu_outcome what;
    cpu_place place;  ///< of outcome unmapped: what could not be mapped; else zeros
};

/// When the CPU does the work.
enum class cpu_moment : u32 {
    /// Inside DxgkDdiBuildPagingBuffer: only while nothing that was queued earlier still moves (PGB-20), which is so in
    /// a driver that gives all such operations to the CPU, and after a reset. A transfer whose AllocationIsIdle is
    /// clear is not touched (PGB-10).
    at_build,
    /// In the queue's order, where a GPU would: what came before is done, so AllocationIsIdle means nothing any more.
    /// The system's arguments and MDLs do not live that long: the driver keeps what is needed of them (PGB-07).
    in_order,
};

/// A part of a copy, a page or less, that changes its layout: what a driver's change_layout is told.
struct cpu_layout_change {
    u64 allocation_offset;  ///< bytes from the start of the allocation: which part of the surface moves (OP08-02)
    u32 size;               ///< bytes, at most 4096
    hw::swizzle direction;
    void* allocation;  ///< never NULL: without an allocation a copy is raw (OP00-07)
    u32 range_id;      ///< SwizzlingRangeId of operation 7, else 0
    u32 range_data;    ///< SwizzlingRangeData of operation 7, else 0
};

namespace paging::detail {

/// What a driver's mapping functions give: `void*`; in constant evaluation `u8*`.
template <class Memory>
using cpu_pointer = decltype(meta::declval<Memory&>().map_segment(segment_id{}, segment_offset{}, bytes{}));

}  // namespace paging::detail

namespace paging {

/// How the driver lets the CPU reach memory; each mapping ends before the next pair begins.
///
/// For library users: at most two mappings exist at a time; they are unmapped in the opposite order, each exactly once
/// and with the size that it was made with; nothing is added to an answer before it is known not to be NULL.
/// For driver authors:
///  * `static constexpr pages map_max`, 1 or more, and no more than a pointer reaches: the most that is asked for at
///    once;
///  * `void* map_pages(page_number first, pages count)`: consecutive system pages. They come from MDLs, so they are
///    physical, which page numbers of an address descriptor list need not be (ADL-02);
///  * `void* map_segment(segment_id, segment_offset, bytes)`: the address of exactly that byte, and what follows; a
///    range of whole pages that begins inside a page touches one page more than map_max;
///  * `void unmap(void* mapping, bytes)`.
/// Each may answer NULL, as MmMapIoSpace does. They are called at the IRQL of the caller.
template <class Memory>
concept cpu_memory = requires(Memory& memory, page_number page, pages count, segment_id id, segment_offset offset,
                              bytes size, detail::cpu_pointer<Memory> at) {
    requires meta::is_constant_of<pages, Memory::map_max>;
    requires Memory::map_max.n != 0 && Memory::map_max.n <= (~usize{0} >> page_shift_lg2);
    requires meta::is_pointer<detail::cpu_pointer<Memory>>;
    { memory.map_pages(page, count) } -> meta::same_as<detail::cpu_pointer<Memory>>;
    { memory.unmap(at, size) } -> meta::same_as<void>;
};

/// Operations 8 and 9 as well: `void* map_virtual(gpu_virtual_address, bytes)`, a range of the paging process, as
/// map_segment. Optional: without it they are not the CPU's.
template <class Memory>
concept cpu_virtual_memory = cpu_memory<Memory> && requires(Memory& memory, gpu_virtual_address va, bytes size) {
    { memory.map_virtual(va, size) } -> meta::same_as<detail::cpu_pointer<Memory>>;
};

/// Copies between a swizzled and a linear layout, page by page: `void change_layout(void* to, void* from,
/// cpu_layout_change const&)`. Optional: without it Swizzle and Unswizzle mean a plain copy, unless the hardware type
/// has layouts of its own; then such a transfer is not the CPU's.
template <class Memory>
concept cpu_layouts =
    cpu_memory<Memory> && requires(Memory& memory, detail::cpu_pointer<Memory> at, cpu_layout_change const& change) {
        { memory.change_layout(at, at, change) } -> meta::same_as<void>;
    };

}  // namespace paging
}  // namespace wddmcore
