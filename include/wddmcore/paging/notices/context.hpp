// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../hw/promises/notices/context_allocations.hpp"
#include "../endpoint.hpp"
#include "../pass.hpp"

/// Operations 10 INIT_CONTEXT_RESOURCE and 13 UPDATE_CONTEXT_ALLOCATION.
namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

/// Whether a request can name a context by an address of the paging process, which counts from WDDM 2.0 on (OP10-02).
template <class Hw, class Args>
inline constexpr bool takes_virtual_context =
    hw::context_by_virtual(Hw::caps) && members::init_context_by_virtual_address<Args>;

/// Where the image of `size` bytes goes, judged: an address of the paging process where the hardware takes one and the
/// request has one, else a place in a segment, or (segment 0) the pages of an MDL (OP10-01, OP10-02).
///
/// @param where  written only when nothing is wrong
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_INLINE constexpr finding resolve_context(Hw const& hw, Args const& args, bytes size,
                                                                endpoint<Hw>& where) noexcept {
    auto const& destination = args.InitContextResource.Destination;
    if constexpr (takes_virtual_context<Hw, Args>) {
        gpu_virtual_address const va{static_cast<u64>(destination.GpuVirtualAddress)};
        if (va.n != 0) {
            return resolve_virtual(hw, va, size, where);
        }
    }
    if constexpr (hw::context_by_place(Hw::caps)) {
        return resolve_side(hw, destination, bytes{0}, size, pages{0}, where);
    } else {
        return found(paging_rule::no_virtual_address, 0);
    }
}

/// Judges where an image goes (resolve_context): it has to begin at a dword.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_INLINE constexpr finding plan_context(Hw const& hw, Args const& args, bytes image,
                                                             endpoint<Hw>& to) noexcept {
    if (finding const problem = resolve_context(hw, args, image, to); problem.any) {
        return problem;
    }
    return to.place % 4 == 0 ? nothing_wrong : found(paging_rule::misaligned_for_engine, to.place, 4);
}

/// How an image is cut: at the multiples of `step` of the place it goes to, so that no piece crosses a page.
struct context_pieces {
    u64 step;   ///< bytes, a divisor of a page; the whole image where only the CPU stores
    u64 lead;   ///< bytes that the first piece lacks; less than `step`
    u64 image;  ///< bytes, at least 1

    /// How many pieces there are.
    [[nodiscard]] constexpr u64 count() const noexcept { return image / step + divide_up(image % step + lead, step); }
    /// Where a piece begins, bytes from the start of the image.
    [[nodiscard]] constexpr u64 begin(u64 index) const noexcept { return index == 0 ? 0 : index * step - lead; }
    /// Where it ends.
    [[nodiscard]] constexpr u64 end(u64 index) const noexcept { return lesser((index + 1) * step - lead, image); }
};

/// Judges the number of pieces and the token.
///
/// @return too_many_pages, token_past_end or nothing wrong
[[nodiscard]] WDDMCORE_INLINE constexpr finding check_pieces(context_pieces const& pieces, u32 token) noexcept {
    u64 const count = pieces.count();
    return count > most_counted ? found(paging_rule::too_many_pages, count, most_counted) : check_token(token, count);
}

/// Writes the pieces of an image from the token on; a page out of reach is found before anything is committed (ADL-06).
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_INLINE constexpr ntstatus write_context(Hw& hw, Args& args, bytes image) noexcept {
    constexpr paging_operation operation = paging_operation::init_context_resource;
    constexpr u64 step = Hw::context_piece_max.n;
    endpoint<Hw> to{};
    if (plan_context(hw, args, image, to).any) [[unlikely]] {
        return refuse(
            hw, args, operation,
            [](Hw const& device, Args const& request, bytes size) {
                endpoint<Hw> place{};
                return plan_context(device, request, size, place);
            },
            image);
    }
    context_pieces const pieces{step, to.place % step, image.n};
    u64 index = static_cast<u32>(args.MultipassOffset);
    if (finding const problem = check_pieces(pieces, static_cast<u32>(index)); problem.any) [[unlikely]] {
        return fault(hw, operation, problem);
    }
    u64 const count = pieces.count();
    if (index == count) [[unlikely]] {
        return status::success;
    }
    if (!can_begin<Hw>(args, Hw::context_piece_dwords)) [[unlikely]] {
        return cannot_begin(hw, args, operation);
    }
    dma_writer writer = open<Hw>(args);
    u64 highest = 0;
    u64 offset = pieces.begin(index);
    for (; index != count && writer.has(Hw::context_piece_dwords); ++index) {
        u64 const end = pieces.end(index);
        hw::context_piece const piece{args.InitContextResource.hAllocation, offset, end - offset};
        u64 const page = offset / page_bytes;
        highest = to.paged() ? greater<u64>(highest, to.list[page]) : highest;
        hw.encode_context_piece(writer.take(Hw::context_piece_dwords),
                                page_of(hw, to, page) + bytes{offset % page_bytes}, piece);
        offset = end;
    }
    if (highest > last_visible_page_of<Hw>) {
        return fault(hw, operation, found(paging_rule::list_wraps, highest, last_visible_page_of<Hw>));
    }
    return commit(hw, args, writer,
                  progress{index == count ? outcome::done : outcome::need_buffer, static_cast<u32>(index)});
}

/// Stores what is left of an image at once, through the CPU address that the request has.
[[nodiscard]] constexpr ntstatus store_context(auto& hw, auto& args, context_pieces const& pieces) noexcept {
    constexpr paging_operation operation = paging_operation::init_context_resource;
    auto const& request = args.InitContextResource;
    u32 const token = static_cast<u32>(args.MultipassOffset);
    if (finding const problem = check_pieces(pieces, token); problem.any) {
        return fault(hw, operation, problem);
    }
    u64 const count = pieces.count();
    if (token == count) {
        return status::success;
    }
    if (request.Destination.VirtualAddress == nullptr) {
        return fault(hw, operation, found(paging_rule::no_cpu_address, 0));
    }
    u64 const first = pieces.begin(token);
    hw.store_context_piece(casts::cpu_address_after(request.Destination.VirtualAddress, bytes{first}),
                           hw::context_piece{request.hAllocation, first, pieces.image - first});
    args.MultipassOffset = static_cast<u32>(count);
    return status::success;
}

/// Whether a request names a place that commands could write to.
template <class Hw, class Args>
[[nodiscard]] constexpr bool names_context_place(Args const& args) noexcept {
    auto const& destination = args.InitContextResource.Destination;
    if constexpr (takes_virtual_context<Hw, Args>) {
        if (destination.GpuVirtualAddress != 0) {
            return true;
        }
    }
    return destination.SegmentId != 0 || destination.pMdl != nullptr;
}

/// The rest at once where pieces may have been written by command before: those are cut by the place they went to. A
/// request that names no place has no such pieces: all of its image is left.
template <class Hw, class Args>
[[nodiscard]] constexpr ntstatus store_rest_of_context(Hw& hw, Args& args, bytes image) noexcept {
    constexpr u64 step = Hw::context_piece_max.n;
    if (!names_context_place<Hw>(args)) {
        return store_context(hw, args, context_pieces{step, 0, image.n});
    }
    endpoint<Hw> to{};
    if (finding const problem = plan_context(hw, args, image, to); problem.any) {
        return fault(hw, paging_operation::init_context_resource, problem);
    }
    return store_context(hw, args, context_pieces{step, to.place % step, image.n});
}

/// Operation 10, INIT_CONTEXT_RESOURCE: the initial image of a context, all of it, once (OP10-03).
///
/// By command where there is a buffer and hardware that can. Else at once, where the allocation has a CPU address: only
/// one that was created CPU-visible and protected, in aperture segments, has (OP10-01). hAllocation is handed on as it
/// is, the driver's handle or the system's (AMB-34). The token counts pieces; an image of 2^32 of them and more is
/// refused (too_many_pages).
///
/// @return success; graphics_insufficient_dma_buffer when pieces are left; invalid_parameter when the fault hook stops
/// IRQL PASSIVE_LEVEL, may be pageable. WDDM 1.2. Source page: ns-d3dkmddi-_dxgkarg_buildpagingbuffer.md.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus build_init_context_resource(Hw& hw, Args& args) noexcept {
    bytes const image = hw.context_image_bytes(args.InitContextResource.hAllocation);
    if (image.n == 0) {
        return status::success;
    }
    if constexpr (!hw::context_by_command<Hw>) {
        return store_context(hw, args, context_pieces{image.n, 0, image.n});
    } else {
        if constexpr (hw::context_at_once<Hw>) {
            if (!has_buffer(args) && args.InitContextResource.Destination.VirtualAddress != nullptr) {
                return store_rest_of_context(hw, args, image);
            }
        }
        return write_context(hw, args, image);
    }
}

/// Operation 13, UPDATE_CONTEXT_ALLOCATION: carries out what the driver's own private data asks for.
///
/// The address is one of the paging process, good for this operation only, and the data dies with it (OP13-01): what
/// the commands need of it has to be in them. A write that leaves the allocation is found before anything is
/// committed. The token counts commands.
///
/// @return success; graphics_insufficient_dma_buffer when commands are left; invalid_parameter when the fault hook
///         stops
/// IRQL PASSIVE_LEVEL, may be pageable. WDDM 2.0.
/// Source page: ns-d3dkmddi-_dxgk_buildpagingbuffer_updatecontextallocation.md.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus build_update_context_allocation(Hw& hw, Args& args) noexcept {
    constexpr paging_operation operation = paging_operation::update_context_allocation;
    auto const& request = args.UpdateContextAllocation;
    hw::context_update const update{bytes{static_cast<u64>(request.ContextAllocationSize)}, request.pDriverPrivateData,
                                    static_cast<u32>(request.DriverPrivateDataSize)};
    gpu_virtual_address const place{static_cast<u64>(request.ContextAllocation)};
    if (update.data == nullptr && update.data_bytes != 0) {
        return fault(hw, operation, found(paging_rule::missing_private_data, update.data_bytes));
    }
    if (update.size.n != 0 && !in_address_space(hw, place, update.size.n)) {
        return fault(hw, operation, found(paging_rule::address_wraps, place.n, update.size.n));
    }
    u32 const count = hw.context_update_count(update);
    u32 index = static_cast<u32>(args.MultipassOffset);
    if (index >= count) [[unlikely]] {
        return nothing_left(hw, operation, index, count);
    }
    if (!can_begin<Hw>(args, Hw::context_update_dwords)) [[unlikely]] {
        return cannot_begin(hw, args, operation);
    }
    dma_writer writer = open<Hw>(args);
    for (; index != count && writer.has(Hw::context_update_dwords); ++index) {
        hw::context_write const write = hw.context_update_at(update, index);
        if (!fits(write.offset, write.size, update.size.n)) {
            return fault(hw, operation, found(paging_rule::outside_context, write.offset, update.size.n));
        }
        hw.encode_context_update(writer.take(Hw::context_update_dwords), hw.from_virtual(place + bytes{write.offset}),
                                 update, index);
    }
    return commit(hw, args, writer, progress{index == count ? outcome::done : outcome::need_buffer, index});
}

}  // namespace wddmcore::paging::detail
