// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../hw/limits.hpp"
#include "../../hw/promises/notices/alloc_notifier.hpp"
#include "../pass.hpp"
#include "../virtual_range.hpp"

/// Operation 22 NOTIFY_ALLOC.
namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

/// The notice of a request, as it came.
template <hw::alloc_event Event, class Request>
[[nodiscard]] WDDMCORE_INLINE constexpr hw::alloc_notice notice_of(Request const& request) noexcept {
    return {Event,
            request.hAllocation,
            request.hKmdProcessHandle,
            static_cast<u64>(request.OffsetInBytes),
            gpu_virtual_address{static_cast<u64>(request.GpuVirtualAddressAtOffset)},
            bytes{static_cast<u64>(request.SizeInBytes)}};
}

/// Whether the hardware has something to do for an event.
template <class Hw, hw::alloc_event Event>
inline constexpr bool hears_of =
    Event == hw::alloc_event::eviction ? hw::eviction_notifier<Hw>
                                       : hw::iommu_unmap_by_command<Hw> || hw::iommu_unmap_at_once<Hw>;

/// Judges what every notice has to be, whatever the hardware (NTF-03, NTF-04, NTF-06).
///
/// @param events  how many of the two event bits are set
/// @return unclear_notice, nothing_to_notify, foreign_notice, address_wraps, notice_wraps or nothing wrong
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr finding check_notice(Hw const& hw, hw::alloc_notice const& notice,
                                                             u32 events) noexcept {
    if (events != 1) {
        return found(paging_rule::unclear_notice, events, 1);
    }
    if (notice.size.n == 0) {
        return found(paging_rule::nothing_to_notify, notice.offset);
    }
    bool const is_eviction = notice.event == hw::alloc_event::eviction;
    if (is_eviction != (notice.process == nullptr)) {
        return found(paging_rule::foreign_notice, static_cast<u32>(notice.event));
    }
    // An eviction's place is in the paging process (CHK-15), an unmap's in the process that it names (NTF-04).
    bool const is_there = is_eviction ? in_address_space(hw, notice.place, notice.size.n)
                                      : checked_add(notice.place.n, notice.size.n - 1).ok;
    if (!is_there) {
        return found(paging_rule::address_wraps, notice.place.n, notice.size.n);
    }
    if (!checked_add(notice.offset, notice.size.n - 1).ok) {
        return found(paging_rule::notice_wraps, notice.offset, notice.size.n);
    }
    return nothing_wrong;
}

/// Judges a request of one event before the hardware is asked anything.
///
/// The Eviction bit tells which event it is: set for an eviction, clear for an unmap.
/// @return as check_notice, or unasked_notice
template <hw::alloc_event Event, class Hw, class Request>
[[nodiscard]] WDDMCORE_INLINE constexpr finding plan_notice(Hw const& hw, Request const& request) noexcept {
    u32 const events = (Event == hw::alloc_event::eviction) + static_cast<u32>(request.Flags.IoMmuUnmap);
    finding const problem = check_notice(hw, notice_of<Event>(request), events);
    if constexpr (hears_of<Hw, Event>) {
        return problem;
    } else {
        return problem.any ? problem : found(paging_rule::unasked_notice, static_cast<u32>(Event));
    }
}

/// The part of a notice from step `first` on, `size` bytes of it.
[[nodiscard]] constexpr hw::alloc_notice part_of(hw::alloc_notice const& notice, bytes first, bytes size) noexcept {
    hw::alloc_notice part = notice;
    part.offset += first.n;
    part.place = part.place + first;
    part.size = size;
    return part;
}

/// The steps of a notice, which is not empty.
[[nodiscard]] WDDMCORE_INLINE constexpr u64 steps_of(bytes size, u64 step) noexcept { return (size.n - 1) / step + 1; }

/// Writes a notice in commands of whole steps, each step in exactly one command of one pass (NTF-14).
///
/// @param step    bytes that the token counts by: a page, or a block
/// @param most    steps that one command takes
/// @param packet  length of one command
template <class Hw, class Args, class Encode>
[[nodiscard]] WDDMCORE_INLINE constexpr ntstatus notify_by_command(Hw& hw, Args& args, hw::alloc_notice const& notice,
                                                                   u64 step, u64 most, dwords packet,
                                                                   Encode encode) noexcept {
    if (!can_begin<Hw>(args, packet)) [[unlikely]] {
        return cannot_begin(hw, args, paging_operation::notify_alloc);
    }
    u64 const count = steps_of(notice.size, step);
    dma_writer writer = open<Hw>(args);
    u64 done = static_cast<u32>(args.MultipassOffset);
    while (done != count && writer.has(packet)) {
        u64 const steps = lesser(count - done, most);
        bytes const first{done * step};
        bytes const size{lesser(steps * step, notice.size.n - first.n)};
        encode(writer.take(packet), part_of(notice, first, size));
        done += steps;
    }
    return commit(hw, args, writer,
                  progress{done == count ? outcome::done : outcome::need_buffer, static_cast<u32>(done)});
}

/// Whether a token can count the steps of a notice.
[[nodiscard]] WDDMCORE_INLINE constexpr finding check_steps(bytes size, u64 step) noexcept {
    u64 const count = steps_of(size, step);
    return count <= most_counted ? finding{} : found(paging_rule::too_many_pages, count, most_counted);
}

/// Judges what an eviction notice has to be for this hardware (NTF-13).
///
/// @return cut_block, misaligned_for_engine, too_many_pages or nothing wrong
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr finding check_eviction(hw::alloc_notice const& notice) noexcept {
    if (notice.offset % Hw::eviction_block.n != 0) {
        // The part before this one handled the block's first bytes alone: there is no way to handle the rest.
        return found(paging_rule::cut_block, notice.offset, Hw::eviction_block.n);
    }
    if (notice.place.n % Hw::eviction_alignment.n != 0) {
        return found(paging_rule::misaligned_for_engine, notice.place.n, Hw::eviction_alignment.n);
    }
    return check_steps(notice.size, hw::eviction_unit(Hw::eviction_block));
}

/// The eviction form: whole blocks in place, in the address space of the paging process (NTF-04, NTF-13).
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_INLINE constexpr ntstatus notify_eviction(Hw& hw, Args& args,
                                                                 hw::alloc_notice const& notice) noexcept {
    constexpr u64 step = hw::eviction_unit(Hw::eviction_block);
    if (check_eviction<Hw>(notice).any) [[unlikely]] {
        return refuse(hw, args.NotifyAllocation, paging_operation::notify_alloc, [](Hw const&, auto const& request) {
            return check_eviction<Hw>(notice_of<hw::alloc_event::eviction>(request));
        });
    }
    u32 const token = static_cast<u32>(args.MultipassOffset);
    u64 const count = steps_of(notice.size, step);
    if (token >= count) [[unlikely]] {
        return nothing_left(hw, paging_operation::notify_alloc, token, count);
    }
    return notify_by_command(hw, args, notice, step, Hw::eviction_max.n / step, Hw::eviction_dwords,
                             [&hw](u32* at, hw::alloc_notice const& part) { hw.encode_notify_eviction(at, part); });
}

/// The rest of an unmap notice at once, in one call.
[[nodiscard]] constexpr ntstatus unmap_at_once(auto& hw, auto& args, hw::alloc_notice const& notice) noexcept {
    bytes const first = to_bytes(pages{static_cast<u32>(args.MultipassOffset)});
    hw.notify_iommu_unmap(part_of(notice, first, notice.size - first));
    args.MultipassOffset = static_cast<u32>(pages_spanned(notice.size).n);
    return status::success;
}

/// The unmap form, by command where there is a buffer and hardware that can, else at once.
template <class Hw, class Args>
[[nodiscard]] WDDMCORE_INLINE constexpr ntstatus notify_iommu_unmap(Hw& hw, Args& args,
                                                                    hw::alloc_notice const& notice) noexcept {
    if (finding const problem = check_steps(notice.size, page_bytes); problem.any) {
        return fault(hw, paging_operation::notify_alloc, problem);
    }
    u32 const token = static_cast<u32>(args.MultipassOffset);
    u64 const count = steps_of(notice.size, page_bytes);
    if (token >= count) [[unlikely]] {
        return nothing_left(hw, paging_operation::notify_alloc, token, count);
    }
    return by_command_or_at_once<hw::iommu_unmap_by_command<Hw>, hw::iommu_unmap_at_once<Hw>>(
        hw, args,
        [&](auto& gpu) {
            return notify_by_command(
                gpu, args, notice, page_bytes, hw::chunk_pages(gpu.iommu_unmap_max).n, gpu.iommu_unmap_dwords,
                [&gpu](u32* at, hw::alloc_notice const& part) { gpu.encode_notify_iommu_unmap(at, part); });
        },
        [&](auto& gpu) { return unmap_at_once(gpu, args, notice); });
}

/// The shared part of both events.
template <hw::alloc_event Event, class Hw, class Args>
[[nodiscard]] WDDMCORE_INLINE constexpr ntstatus build_notice(Hw& hw, Args& args) noexcept {
    constexpr auto judge = [](Hw const& device, auto const& request) { return plan_notice<Event>(device, request); };
    if constexpr (!hears_of<Hw, Event>) {
        return refuse(hw, args.NotifyAllocation, paging_operation::notify_alloc, judge);
    } else {
        if (plan_notice<Event>(hw, args.NotifyAllocation).any) [[unlikely]] {
            return refuse(hw, args.NotifyAllocation, paging_operation::notify_alloc, judge);
        }
        hw::alloc_notice const notice = notice_of<Event>(args.NotifyAllocation);
        if constexpr (hw::work_reporter<Hw>) {
            // Asked before the first commands only: what is half done is finished.
            if (args.MultipassOffset == 0 && !hw.has_work(notice)) {
                return status::success;
            }
        }
        if constexpr (Event == hw::alloc_event::eviction) {
            return notify_eviction(hw, args, notice);
        } else {
            return notify_iommu_unmap(hw, args, notice);
        }
    }
}

/// Operation 22, NOTIFY_ALLOC: a part of an allocation is about to be evicted, or to leave the IOMMU.
///
/// GpuVirtualAddressAtOffset is taken as it is: OffsetInBytes is never added (NTF-05). An allocation may come in
/// several calls (NTF-06); within each, the token counts pages, or blocks where a block is larger, so that no byte is
/// handled twice (NTF-14). Where the hardware has nothing to do, nothing is written and no buffer is needed (NTF-16).
///
/// @return success; graphics_insufficient_dma_buffer when work is left; invalid_parameter when the fault hook stops
/// IRQL PASSIVE_LEVEL, may be pageable. WDDM 3.2 (NTF-01).
/// Source pages: ns-d3dkmddi-dxgk_buildpagingbuffer_notifyalloc.md, allocation-notification.md.
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus build_notify_alloc(auto& hw, auto& args) noexcept {
    using enum hw::alloc_event;
    // AMB-27: eviction and unmap are all there is; no flag means promotion.
    return args.NotifyAllocation.Flags.Eviction != 0 ? build_notice<eviction>(hw, args)
                                                     : build_notice<iommu_unmap>(hw, args);
}

}  // namespace wddmcore::paging::detail
