// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "context_allocation.hpp"

/// Context allocations in a GPU virtual address space, and updates of their content. From WDDM 2.0.
///
/// An application can write to what is mapped into its address space: keep privileged data out of it (CTX-13).
///
/// All functions here: PASSIVE_LEVEL, pageable, touch no OS state.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// Where a context allocation is to be mapped; all addresses are multiples of 4 KiB.
struct context_mapping {
    system_allocation_handle allocation;
    gpu_virtual_address base;    ///< 0: the system chooses between lowest and limit
    gpu_virtual_address lowest;  ///< MinimumAddress; ignored when a base is given
    gpu_virtual_address limit;   ///< MaximumAddress: the end of the mapping is at most this; 0: no limit
    pages offset;                ///< from the start of the allocation
    pages size;                  ///< above 0
    pages allocation_size;       ///< of the whole allocation
    u64 protection;              ///< the whole word of Protection
    u64 driver_protection;       ///< DriverProtection
};

/// Fills DXGKARGCB_MAPCONTEXTALLOCATION for DxgkCbMapContextAllocation; sizes and offsets are 4-KiB pages (CTX-12).
///
/// With a base address, the system ignores minimum and maximum, so this writes 0 to both, and it fails the call if
/// the range is not free: a driver that gives a base must handle that. Source:
/// ns-d3dkmddi-_dxgkargcb_mapcontextallocation.md.
///
/// @param args     every member that the driver sets is written
/// @param mapping  addresses in bytes, offset and sizes in 4-KiB pages
/// @return none. missing: no allocation handle. misaligned: an address is not a multiple of 4 KiB. out_of_range:
///         there are no pages, or they leave the allocation, or do not fit between lowest and limit. overflow: the
///         mapping would pass the end of 64 bits. On an error nothing is written
template <class Args>
[[nodiscard]] constexpr errc fill_context_mapping(Args& args, context_mapping const& mapping) noexcept {
    bool const has_base = mapping.base.n != 0;
    u64 const first = has_base ? mapping.base.n : mapping.lowest.n;
    u64 const limit = has_base ? 0 : mapping.limit.n;
    if (mapping.allocation.h == nullptr) {
        return errc::missing;
    }
    if (!is_multiple(first | limit, page_bytes)) {
        return errc::misaligned;
    }
    if (mapping.size == pages{0} || !fits<u64>(mapping.offset.n, mapping.size.n, mapping.allocation_size.n)) {
        return errc::out_of_range;
    }
    checked<u64> const length = checked_multiply<u64>(mapping.size.n, page_bytes);
    checked<u64> const end = checked_add<u64>(first, length.value);
    if (!length.ok || !end.ok) {
        return errc::overflow;
    }
    if (limit != 0 && end.value > limit) {
        return errc::out_of_range;
    }
    args.BaseAddress = mapping.base.n;
    args.MinimumAddress = has_base ? 0 : mapping.lowest.n;
    args.MaximumAddress = limit;
    args.hAllocation = mapping.allocation.h;
    args.OffsetInPages = mapping.offset.n;
    args.SizeInPages = mapping.size.n;
    args.Protection.Value = mapping.protection;
    args.DriverProtection = mapping.driver_protection;
    return errc::none;
}

/// Fills DXGKARGCB_UPDATECONTEXTALLOCATION for DxgkCbUpdateContextAllocation.
///
/// The callback returns after paging operation 13 was done with this data: a driver that calls it from inside its own
/// DxgkDdiBuildPagingBuffer waits for itself (OP13-02). Source: ns-d3dkmddi-_dxgkargcb_updatecontextallocation.md.
///
/// @param args        every member that the driver sets is written
/// @param allocation  the system's handle
/// @param data        what the paging operation gets
/// @param size        of it, in bytes; 0 is legal
/// @return none. missing: no allocation handle, or no data where a size is given. On an error nothing is written
template <class Args>
[[nodiscard]] constexpr errc fill_context_update(Args& args, system_allocation_handle allocation, void* data,
                                                 u32 size) noexcept {
    if (allocation.h == nullptr || (data == nullptr && size != 0)) {
        return errc::missing;
    }
    args.hAllocation = allocation.h;
    args.pPrivateDriverData = data;
    args.PrivateDriverDataSize = size;
    return errc::none;
}

}  // namespace wddmcore::preemption
