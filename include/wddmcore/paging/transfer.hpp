// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "copy_list.hpp"
#include "copy_pages.hpp"
#include "pass.hpp"

/// Operations 0 TRANSFER and 7 SPECIAL_LOCK_TRANSFER, and what 8 shares with them.
namespace wddmcore::inline WDDMCORE_ABI::paging {

/// Whether a contiguous side suits the engine; pages always do (OP08-06).
template <class Hw>
[[nodiscard]] constexpr finding check_copy_alignment(u64 value) noexcept {
    constexpr u64 unit = Hw::copy_alignment.n;
    return value % unit == 0 ? nothing_wrong : found(paging_rule::misaligned_for_engine, value, unit);
}

/// The first of several findings.
[[nodiscard]] constexpr finding worst(finding a, finding b) noexcept {
    return a.any ? a : b;
}

/// Emits a plain copy between two endpoints, each in the form that costs least to walk.
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr progress copy_endpoints(Hw const& hw, dma_writer& writer, endpoint<Hw> const& destination,
                                                                endpoint<Hw> const& source, extent work, u32 first,
                                                                copy_order order) noexcept {
    if (!source.paged && !destination.paged) {
        return copy_linear(hw, writer, destination.base, source.base, work, first, order);
    }
    if constexpr (hw::chunk_pages(Hw::copy_max).n != 0) {
        // A source that an MDL described is always a list; contiguous sources come from elsewhere and go run by run.
        if (source.paged && !destination.paged && !source.list.contiguous()) {
            return copy_list<true>(hw, writer, source.list.list, destination.base, work, first);
        }
        if (destination.paged && !source.paged && !destination.list.contiguous()) {
            return copy_list<false>(hw, writer, destination.list.list, source.base, work, first);
        }
    }
    return copy_pages(hw, writer, destination, source, work, first);
}

/// What a request wants beside its endpoints.
struct transfer_request {
    paging_operation operation;
    u64 size = 0;     ///< bytes
    u32 token = 0;    ///< MultipassOffset
    bool raw = true;  ///< no layout change: no allocation, or neither flag (OP00-07)
    swizzle_request layout = {};
};

/// Judges two resolved sides, then emits and commits. Everything that can be wrong is found before the first store.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_INLINE constexpr ntstatus transfer_between(Hw& hw, Args& args, resolved<Hw> const& source,
                                                                  resolved<Hw> const& destination,
                                                                  transfer_request const& request) noexcept {
    extent const work = extent_of(request.size);
    finding problem = worst(source.problem, destination.problem);
    problem = worst(problem, check_token(request.token, work.count));
    problem = worst(problem, check_copy_alignment<Hw>(source.where.place));
    problem = worst(problem, check_copy_alignment<Hw>(destination.where.place));
    problem = worst(problem, check_copy_alignment<Hw>(request.size));
    copy_order order{};
    bool const one_space = !source.where.paged && !destination.where.paged && source.where.segment == destination.where.segment;
    // Two sides in different spaces share no byte: there the order is ascending.
    problem = worst(problem, choose_order<Hw>(one_space ? source.where.place : 0, one_space ? destination.where.place : 0,
                                              bytes{request.size}, order));
    if (problem.any) {
        return fault(hw, request.operation, problem);
    }
    if (request.token == work.count) {
        return status::success;
    }
    if (finding const buffer = check_buffer(args); buffer.any) {
        return fault(hw, request.operation, buffer);
    }
    dma_writer writer = open<Hw>(args);
    progress reached{};
    if constexpr (hw::swizzle_copy_engine<Hw>) {
        if (!request.raw) {
            reached = copy_swizzled(hw, writer, destination.where, source.where, work, request.token, request.layout);
            return commit(hw, args, writer, reached);
        }
    }
    reached = copy_endpoints(hw, writer, destination.where, source.where, work, request.token, order);
    return commit(hw, args, writer, reached);
}

/// The shared part of operations 0 and 7.
///
/// @param transfer   the operation's own member of the union
/// @param mdl_first  pages to skip on an MDL side: MdlOffset, or 0 where the operation has none
template <class Hw, class Args, class Transfer>
[[nodiscard]] WDDMCORE_INLINE constexpr ntstatus physical_transfer(Hw& hw, Args& args, Transfer const& transfer, pages mdl_first,
                                                                   transfer_request request) noexcept {
    request.size = static_cast<u64>(transfer.TransferSize);
    request.token = static_cast<u32>(args.MultipassOffset);
    // OP00-09: after a reset this tells that the allocation left its segment; the GPU must not be touched.
    if (request.size == 0) {
        return status::success;
    }
    if (must_wait(hw, args, transfer.hAllocation, transfer.Flags.AllocationIsIdle != 0)) {
        return status::graphics_allocation_busy;
    }
    if (finding const problem = check_count(request.size); problem.any) {
        return fault(hw, request.operation, problem);
    }
    bool const changes_layout = transfer.Flags.Swizzle != 0 || transfer.Flags.Unswizzle != 0;
    request.raw = transfer.hAllocation == nullptr || !changes_layout;
    request.layout.direction = transfer.Flags.Swizzle != 0 ? hw::swizzle::to_swizzled : hw::swizzle::to_linear;
    request.layout.allocation = transfer.hAllocation;
    request.layout.allocation_offset = static_cast<u32>(transfer.TransferOffset);
    bytes const offset{static_cast<u32>(transfer.TransferOffset)};
    bytes const size{request.size};
    pages const count = pages_spanned(size);
    return transfer_between(hw, args, resolve_side(hw, transfer.Source, offset, size, mdl_first, count),
                            resolve_side(hw, transfer.Destination, offset, size, mdl_first, count), request);
}

/// Operation 0, TRANSFER: moves a part of an allocation between a segment and an MDL, or two segments.
///
/// @return success; graphics_insufficient_dma_buffer when work is left; graphics_allocation_busy while the idle flag is
///         clear and the hardware says so; invalid_parameter when the fault hook stops
/// IRQL PASSIVE_LEVEL, may be pageable. WDDM 1.0. Source page: ns-d3dkmddi-_dxgkarg_buildpagingbuffer.md.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus build_transfer(Hw& hw, Args& args) noexcept {
    return physical_transfer(hw, args, args.Transfer, pages{static_cast<u32>(args.Transfer.MdlOffset)},
                             transfer_request{.operation = paging_operation::transfer});
}

/// Operation 7, SPECIAL_LOCK_TRANSFER: as TRANSFER, towards an allocation's alternate address (OP07-01).
///
/// It has no MdlOffset: an MDL side begins at its first page.
/// @return as build_transfer
/// IRQL PASSIVE_LEVEL, may be pageable. WDDM 1.x. Source page: nc-d3dkmddi-dxgkddi_buildpagingbuffer.md.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus build_special_lock_transfer(Hw& hw, Args& args) noexcept {
    return physical_transfer(hw, args, args.SpecialLockTransfer, pages{0},
                             transfer_request{.operation = paging_operation::special_lock_transfer,
                                              .layout = {.range_id = static_cast<u32>(args.SpecialLockTransfer.SwizzlingRangeId),
                                                         .range_data = static_cast<u32>(args.SpecialLockTransfer.SwizzlingRangeData)}});
}

/// Operation 8, VIRTUAL_TRANSFER: copies between two ranges of the paging process.
///
/// The addresses already account for the chunk: AllocationOffsetInBytes is never added (OP08-01); it only tells a
/// layout-aware engine which part moves (OP08-02). SourcePageTable and DestinationPageTable are not read (OP08-04). The
/// page-size flags (OP08-05) change nothing for an engine that goes through the GPU's own translation.
///
/// @return success; graphics_insufficient_dma_buffer when work is left; invalid_parameter when the fault hook stops
/// IRQL PASSIVE_LEVEL, may be pageable. WDDM 2.0. Source page: ns-d3dkmddi-_dxgk_buildpagingbuffer_transfervirtual.md.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus build_virtual_transfer(Hw& hw, Args& args) noexcept {
    auto const& transfer = args.TransferVirtual;
    transfer_request request{.operation = paging_operation::virtual_transfer,
                             .size = static_cast<u64>(transfer.TransferSizeInBytes),
                             .token = static_cast<u32>(args.MultipassOffset)};
    if (request.size == 0) {
        return fault(hw, request.operation, found(paging_rule::nothing_to_transfer, 0));
    }
    if (finding const problem = check_count(request.size); problem.any) {
        return fault(hw, request.operation, problem);
    }
    bytes const size{request.size};
    return transfer_between(
        hw, args, resolve_virtual(hw, gpu_virtual_address{static_cast<u64>(transfer.SourceVirtualAddress)}, size),
        resolve_virtual(hw, gpu_virtual_address{static_cast<u64>(transfer.DestinationVirtualAddress)}, size), request);
}

}  // namespace wddmcore::paging
