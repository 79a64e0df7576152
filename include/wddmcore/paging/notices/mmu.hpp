// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../hw/promises/notices/mmu_mapper.hpp"
#include "../endpoint.hpp"
#include "../pass.hpp"

/// Operations 19 MAP_MMU and 20 UNMAP_MMU.
///
/// Experimental: no public page says more than the structures' member names (AMB-11). What an unmapped entry holds,
/// which flush follows and in which order is the hardware type's business (OP19-03).
namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

/// Judges what both operations have: a known MMU, whole pages, no wrap.
///
/// @return unknown_mmu, nothing_to_map, misaligned_for_engine, address_wraps, token_past_end or nothing wrong
[[nodiscard]] WDDMCORE_INLINE constexpr finding check_mmu(auto const& hw, u32 mmu, u64 address, u32 count,
                                                          u32 token) noexcept {
    if (!hw.is_mmu(mmu)) {
        return found(paging_rule::unknown_mmu, mmu);
    }
    if (count == 0) {
        return found(paging_rule::nothing_to_map, 0);
    }
    if (address % page_bytes != 0) {
        return found(paging_rule::misaligned_for_engine, address, page_bytes);
    }
    if (!checked_add(address, to_bytes(pages{count}).n - 1).ok) {
        return found(paging_rule::address_wraps, address, to_bytes(pages{count}).n);
    }
    return check_token(token, count);
}

/// A request of either operation.
struct mmu_request {
    hw::mmu_range whole;  ///< all of it; its first page means nothing
    adl::source list;     ///< the pages of a map; nothing for an unmap
    bool maps;
};

/// The longest range from page `first` of a request on, of at most `most` pages, whose pages are consecutive.
[[nodiscard]] WDDMCORE_INLINE constexpr hw::mmu_range mmu_part(mmu_request const& request, u32 first,
                                                               u64 most) noexcept {
    hw::mmu_range part = request.whole;
    part.address += to_bytes(pages{first}).n;
    part.position = first;
    part.length.n = lesser<u64>(request.whole.length.n - first, most);
    if (request.maps) {
        adl::run const run = adl::walk(request.list, pages{first}).next_run(part.length);
        part.first = run.first;
        part.length = run.length;
    }
    return part;
}

/// Maps or unmaps a judged request by command; the token counts pages.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_INLINE constexpr ntstatus mmu_commands(Hw& hw, Args& args, paging_operation operation,
                                                              mmu_request const& request) noexcept {
    if (!can_begin<Hw>(args, Hw::mmu_dwords)) [[unlikely]] {
        return cannot_begin(hw, args, operation);
    }
    constexpr u64 last = last_visible_page_of<Hw>;
    u32 const count = static_cast<u32>(request.whole.length.n);
    dma_writer writer = open<Hw>(args);
    bool within_reach = true;
    u32 done = static_cast<u32>(args.MultipassOffset);
    while (done != count && writer.has(Hw::mmu_dwords)) {
        hw::mmu_range const part = mmu_part(request, done, Hw::mmu_max.n);
        u32* const at = writer.take(Hw::mmu_dwords);
        if (request.maps) {
            hw.encode_mmu_map(at, part);
        } else {
            hw.encode_mmu_unmap(at, part);
        }
        within_reach &= !request.maps || (part.first.n <= last && part.length.n - 1 <= last - part.first.n);
        done += static_cast<u32>(part.length.n);
    }
    if (!within_reach) [[unlikely]] {
        return fault(hw, operation, check_pages<Hw>(request.list.list, static_cast<u32>(args.MultipassOffset), count));
    }
    return commit(hw, args, writer, progress{done == count ? outcome::done : outcome::need_buffer, done});
}

/// Maps or unmaps a judged request at once: what cannot be taken back is judged whole before the first store.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_INLINE constexpr ntstatus mmu_stores(Hw& hw, Args& args, paging_operation operation,
                                                            mmu_request const& request) noexcept {
    u32 const first = static_cast<u32>(args.MultipassOffset);
    u32 const count = static_cast<u32>(request.whole.length.n);
    if (finding const problem = check_pages<Hw>(request.list.list, first, count); problem.any) [[unlikely]] {
        return fault(hw, operation, problem);
    }
    for (u32 done = first; done != count;) {
        hw::mmu_range const part = mmu_part(request, done, count);
        if (request.maps) {
            hw.store_mmu_map(part);
        } else {
            hw.store_mmu_unmap(part);
        }
        done += static_cast<u32>(part.length.n);
    }
    args.MultipassOffset = count;
    return status::success;
}

/// The shared end of operations 19 and 20: by command where there is a buffer and hardware that can, else at once.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_INLINE constexpr ntstatus mmu_pass(Hw& hw, Args& args, paging_operation operation,
                                                          mmu_request const& request) noexcept {
    if (static_cast<u32>(args.MultipassOffset) == request.whole.length.n) {
        return status::success;
    }
    return by_command_or_at_once<hw::mmu_by_command<Hw>, hw::mmu_at_once<Hw>>(
        hw, args, [&](auto& gpu) { return mmu_commands(gpu, args, operation, request); },
        [&](auto& gpu) { return mmu_stores(gpu, args, operation, request); });
}

/// Judges operation 19.
///
/// @param list  the pages; written only when nothing is wrong
template <class Hw, class Request>
[[nodiscard]] WDDMCORE_INLINE constexpr finding plan_map_mmu(Hw const& hw, Request const& request, u32 token,
                                                             adl::source& list) noexcept {
    u32 const count = static_cast<u32>(request.Adl.PageCount);
    if (finding const problem =
            check_mmu(hw, static_cast<u32>(request.MmuId), static_cast<u64>(request.VirtualAddress), count, token);
        problem.any) {
        return problem;
    }
    result<adl::source> const all = adl::from_adl(request.Adl);
    if (!all.ok()) {
        return all.error == errc::missing ? found(paging_rule::missing_list, 0)
                                          : found(paging_rule::list_wraps, static_cast<u64>(request.Adl.BasePageNumber),
                                                  last_visible_page_of<Hw>);
    }
    list = all.value;
    // The pages of an array are judged where they are walked: once, however many passes there are (ADL-06).
    return adl::within_reach(list, page_number{last_visible_page_of<Hw>})
               ? nothing_wrong
               : found(paging_rule::list_wraps, list.base, last_visible_page_of<Hw>);
}

/// Operation 19, MAP_MMU: pages of an address descriptor list to consecutive addresses of an MMU (OP19-01).
///
/// The list's own count is the number of pages.
/// @return success; graphics_insufficient_dma_buffer when pages are left; invalid_parameter when the fault hook stops
/// IRQL PASSIVE_LEVEL, may be pageable. WDDM 3.2. Source: the structure's shape.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus build_map_mmu(Hw& hw, Args& args) noexcept {
    constexpr paging_operation operation = paging_operation::map_mmu;
    auto const& request = args.MmapMmu;
    adl::source list{};
    if (plan_map_mmu(hw, request, static_cast<u32>(args.MultipassOffset), list).any) [[unlikely]] {
        return refuse(hw, args, operation, [](Hw const& device, Args const& again) {
            adl::source pages_of{};
            return plan_map_mmu(device, again.MmapMmu, static_cast<u32>(again.MultipassOffset), pages_of);
        });
    }
    return mmu_pass(
        hw, args, operation,
        mmu_request{{static_cast<u32>(request.MmuId), request.hAllocation, static_cast<u64>(request.VirtualAddress),
                     pages{static_cast<u32>(request.Adl.PageCount)}, page_number{0},
                     segment_id{static_cast<u32>(request.SegmentId)}, static_cast<u64>(request.AllocationOffsetInPages),
                     0},
                    list,
                    true});
}

/// Operation 20, UNMAP_MMU: takes consecutive addresses of an MMU back (OP19-02).
///
/// AllocationOffset is handed on as it is: no page tells its unit.
/// @return as build_map_mmu
/// IRQL PASSIVE_LEVEL, may be pageable. WDDM 3.2. Source: the structure's shape.
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus build_unmap_mmu(auto& hw, auto& args) noexcept {
    constexpr paging_operation operation = paging_operation::unmap_mmu;
    auto const& request = args.UnmapMmu;
    u32 const mmu = static_cast<u32>(request.MmuId);
    u64 const address = static_cast<u64>(request.VirtualAddress);
    u32 const count = static_cast<u32>(request.NumberOfPages);
    finding const problem = check_mmu(hw, mmu, address, count, static_cast<u32>(args.MultipassOffset));
    if (problem.any) {
        return fault(hw, operation, problem);
    }
    return mmu_pass(hw, args, operation,
                    mmu_request{{mmu, request.hAllocation, address, pages{count}, page_number{0}, segment_id{0},
                                 static_cast<u64>(request.AllocationOffset), 0},
                                adl::no_pages,
                                false});
}

}  // namespace wddmcore::paging::detail
