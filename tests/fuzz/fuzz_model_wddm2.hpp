// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "fuzz_expectation.hpp"
#include "fuzz_wddm2_hardware.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::fuzz {

/// Operations 10, 12, 13, 15, 16 and 18 to 22: contexts, translations, notices.
template <class Hw, class Args>
class wddm2_model : public model_base<Hw, Args> {
    using above = model_base<Hw, Args>;
    using above::args_;
    using above::count_pages;
    using above::emit;
    using above::emit_or_store;
    using above::has_buffer;
    using above::hw_;
    using above::of;
    using above::resolve;
    using above::within_reach;

public:
    using above::above;

    /// Where an image goes: an address of the paging process counts before a place, where both can be.
    [[nodiscard]] bool image_place(expectation<Hw>& answer) const {
        auto const& to = args_.InitContextResource.Destination;
        constexpr bool places =
            contains(Hw::caps.addresses, paging_addresses::physical) || Hw::caps.oldest < wddm::v2_0;
        if constexpr (members::init_context_by_virtual_address<Args> && Hw::caps.oldest >= wddm::v2_0 &&
                      contains(Hw::caps.addresses, paging_addresses::gpu_virtual)) {
            if (to.GpuVirtualAddress != 0) {
                answer.destination.base = hw_.from_virtual(gpu_virtual_address{to.GpuVirtualAddress});
                answer.destination.place = to.GpuVirtualAddress;
                return wide{to.GpuVirtualAddress} + answer.size <= end_of_virtual_addresses<Hw>();
            }
        }
        u64 pages = 0;
        return places && count_pages(answer.size, pages) && resolve(to, 0, answer.size, 0, pages, answer.destination);
    }

    /// Whether a request names anything that a command could write to.
    [[nodiscard]] bool names_image_place() const {
        auto const& to = args_.InitContextResource.Destination;
        if constexpr (members::init_context_by_virtual_address<Args> && Hw::caps.oldest >= wddm::v2_0 &&
                      contains(Hw::caps.addresses, paging_addresses::gpu_virtual)) {
            if (to.GpuVirtualAddress != 0) {
                return true;
            }
        }
        return to.SegmentId != 0 || to.pMdl != nullptr;
    }

    [[nodiscard]] expectation<Hw> init_context() const {
        expectation<Hw> answer;
        answer.size = hw_.context_image_bytes(args_.InitContextResource.hAllocation).n;
        if (answer.size == 0) {
            return of(verdict::nothing);
        }
        u64 step = answer.size;
        bool const cpu = args_.InitContextResource.Destination.VirtualAddress != nullptr;
        if constexpr (hw::context_by_command<Hw>) {
            step = Hw::context_piece_max.n;
            // An image with a CPU address and no place goes there alone, when there is no buffer (OP10-01).
            if (!hw::context_at_once<Hw> || !cpu || has_buffer() || names_image_place()) {
                if (!image_place(answer) || answer.destination.place % 4 != 0) {
                    return of(verdict::wrong);
                }
                answer.base = answer.destination.paged ? 0 : answer.destination.place % step;
            }
        }
        wide const pieces = (wide{answer.size} + answer.base + step - 1) / step;
        if (pieces > end_of_tokens) {
            return of(verdict::wrong);
        }
        answer.count = static_cast<u64>(pieces);
        bool const at_once = hw::context_at_once<Hw> && (cpu || !hw::context_by_command<Hw>);
        emit_or_store(answer, hw::context_by_command<Hw>, at_once);
        if (answer.what != verdict::work) {
            return answer;
        }
        if (answer.at_once) {
            return cpu ? answer : of(verdict::wrong);
        }
        for (u64 i = args_.MultipassOffset; answer.destination.paged && i < answer.count; ++i) {
            if (!within_reach(u64{answer.destination.list[i * step / page_bytes]})) {
                answer.unreachable = i;
                break;
            }
        }
        return answer;
    }

    [[nodiscard]] expectation<Hw> update_context() const {
        expectation<Hw> answer;
        auto const& update = args_.UpdateContextAllocation;
        if ((update.pDriverPrivateData == nullptr && update.DriverPrivateDataSize != 0) ||
            (update.ContextAllocationSize != 0 &&
             wide{update.ContextAllocation} + update.ContextAllocationSize > end_of_virtual_addresses<Hw>())) {
            return of(verdict::wrong);
        }
        answer.count = update.DriverPrivateDataSize / update_data<Hw>::bytes_of_one;
        answer.what = emit(answer.count);
        for (u64 i = args_.MultipassOffset; answer.what == verdict::work && i < answer.count; ++i) {
            hw::context_write const write = update_data<Hw>::write(update.pDriverPrivateData, static_cast<u32>(i));
            if (wide{write.offset} + write.size > update.ContextAllocationSize) {
                answer.unreachable = i;
                break;
            }
        }
        return answer;
    }

    [[nodiscard]] expectation<Hw> flush() const {
        auto const& request = args_.FlushTlb;
        auto const& root = request.RootPageTableAddress;
        if (request.StartVirtualAddress > request.EndVirtualAddress ||
            (root.SegmentId != 0 && !in_place(root.SegmentId, root.SegmentOffset, 1))) {
            return of(verdict::wrong);
        }
        return one(true, false);
    }

    [[nodiscard]] expectation<Hw> fence() const {
        u64 const place = args_.SignalMonitoredFence.MonitoredFenceGpuVa;
        u64 const size = Hw::fence_bytes.n;
        bool const right = place % size == 0 && wide{place} + size <= end_of_virtual_addresses<Hw>();
        return right ? one(true, false) : of(verdict::wrong);
    }

    [[nodiscard]] expectation<Hw> residency() const {
        auto const& notice = args_.NotifyResidency;
        auto const& where = notice.PhysicalAddress;
        if (notice.Resident != 0 && (where.SegmentId == 0 || !in_place(where.SegmentId, where.SegmentOffset, 1))) {
            return of(verdict::wrong);
        }
        return one(hw::residency_by_command<Hw>, hw::residency_at_once<Hw>);
    }

    [[nodiscard]] expectation<Hw> residency_range() const {
        auto const& range = args_.NotifyResidency2;
        u64 const pages = range.SizeInPages;
        if (pages == 0) {
            return of(verdict::harmless);
        }
        if (range.AllocationOffsetInPages + pages > end_of_tokens) {
            return of(verdict::wrong);
        }
        if (range.Resident != 0) {
            bool const system = range.SegmentId == 0 || range.SegmentId == 31;
            bool const there = system
                                   ? range.Mdl != nullptr
                                   : in_place(range.SegmentId, range.PhysicalAddress.SegmentOffset, pages * page_bytes);
            if (!there) {
                return of(verdict::wrong);
            }
        }
        return one(hw::residency_range_by_command<Hw>, hw::residency_range_at_once<Hw>);
    }

    [[nodiscard]] expectation<Hw> fences() const {
        expectation<Hw> answer;
        auto const& notice = args_.NotifyFenceResidency;
        answer.count = notice.NumFences;
        if (answer.count == 0) {
            return of(verdict::harmless);
        }
        if (notice.FenceResidencyInfo == nullptr) {
            return of(verdict::wrong);
        }
        emit_or_store(answer, hw::fence_residency_by_command<Hw>, hw::fence_residency_at_once<Hw>);
        return before(answer, [&](u64 i) {
            auto const& record = notice.FenceResidencyInfo[i];
            return value_place(record.CurrentValuePhysicalAddress) && value_place(record.MonitoredValuePhysicalAddress);
        });
    }

    /// What both operations on an MMU have; a verdict of work so far.
    [[nodiscard]] verdict mmu_pages(u32 mmu, u64 address, u64 count) const {
        if (!hw_.is_mmu(mmu)) {
            return verdict::wrong;
        }
        if (count == 0) {
            return verdict::harmless;
        }
        return address % page_bytes == 0 && wide{address} + wide{count} * page_bytes <= end_of_addresses
                   ? verdict::work
                   : verdict::wrong;
    }

    [[nodiscard]] expectation<Hw> map_mmu() const {
        expectation<Hw> answer;
        auto const& map = args_.MmapMmu;
        answer.count = map.Adl.PageCount;
        if (verdict const found = mmu_pages(map.MmuId, map.VirtualAddress, answer.count); found != verdict::work) {
            return of(found);
        }
        if (map.Adl.Flags.Contiguous) {
            answer.base = map.Adl.BasePageNumber;
            if ((wide{answer.base} + answer.count) * page_bytes > end_of_addresses ||
                !within_reach(answer.base + answer.count - 1)) {
                return of(verdict::wrong);
            }
        } else {
            answer.pages = map.Adl.Pages;
            if (answer.pages == nullptr) {
                return of(verdict::wrong);
            }
        }
        emit_or_store(answer, hw::mmu_by_command<Hw>, hw::mmu_at_once<Hw>);
        return answer.pages == nullptr ? answer
                                       : before(answer, [&](u64 i) { return within_reach(u64{answer.pages[i]}); });
    }

    [[nodiscard]] expectation<Hw> unmap_mmu() const {
        expectation<Hw> answer;
        auto const& unmap = args_.UnmapMmu;
        answer.count = unmap.NumberOfPages;
        if (verdict const found = mmu_pages(unmap.MmuId, unmap.VirtualAddress, answer.count); found != verdict::work) {
            return of(found);
        }
        emit_or_store(answer, hw::mmu_by_command<Hw>, hw::mmu_at_once<Hw>);
        return answer;
    }

    [[nodiscard]] expectation<Hw> notice() const {
        expectation<Hw> answer;
        auto const& request = args_.NotifyAllocation;
        bool const eviction = request.Flags.Eviction != 0;
        answer.size = request.SizeInBytes;
        if (eviction == (request.Flags.IoMmuUnmap != 0)) {
            return of(verdict::wrong);
        }
        if (answer.size == 0) {
            return of(verdict::harmless);
        }
        if (eviction != (request.hKmdProcessHandle == nullptr) ||
            wide{request.GpuVirtualAddressAtOffset} + answer.size >
                (eviction ? end_of_virtual_addresses<Hw>() : end_of_addresses) ||
            wide{request.OffsetInBytes} + answer.size > end_of_addresses) {
            return of(verdict::wrong);
        }
        if (eviction ? !hw::eviction_notifier<Hw> : !(hw::iommu_unmap_by_command<Hw> || hw::iommu_unmap_at_once<Hw>)) {
            return of(verdict::wrong);
        }
        if constexpr (hw::work_reporter<Hw>) {
            if (args_.MultipassOffset == 0 && !hw_.working) {
                return of(verdict::nothing);
            }
        }
        u64 step = page_bytes;
        if constexpr (hw::eviction_notifier<Hw>) {
            if (eviction) {
                step = greater(Hw::eviction_block.n, step);
                if (request.OffsetInBytes % Hw::eviction_block.n != 0 ||
                    request.GpuVirtualAddressAtOffset % Hw::eviction_alignment.n != 0) {
                    return of(verdict::wrong);
                }
            }
        }
        wide const steps = (wide{answer.size} + step - 1) / step;
        if (steps > end_of_tokens) {
            return of(verdict::wrong);
        }
        answer.count = static_cast<u64>(steps);
        emit_or_store(answer, eviction || hw::iommu_unmap_by_command<Hw>, !eviction && hw::iommu_unmap_at_once<Hw>);
        return answer;
    }

private:
    /// Work up to the first piece that is not right; what is done at once is judged whole before.
    template <class Right>
    [[nodiscard]] expectation<Hw> before(expectation<Hw> answer, Right right) const {
        for (u64 i = args_.MultipassOffset; answer.what == verdict::work && i < answer.count; ++i) {
            if (!right(i)) {
                if (answer.at_once) {
                    return of(verdict::wrong);
                }
                answer.unreachable = i;
                break;
            }
        }
        return answer;
    }

    /// An offset from the start of a segment that there is, with `size` bytes behind it.
    [[nodiscard]] bool in_place(u32 segment, u64 offset, u64 size) const {
        segment_place const place = hw_.place(segment_id{segment});
        return place.size.n != 0 && wide{offset} + size <= place.size.n;
    }

    template <class Address>
    [[nodiscard]] bool value_place(Address const& value) const {
        return value.SegmentId == 0 || value.SegmentId == 31 || in_place(value.SegmentId, value.SegmentOffset, 8);
    }

    [[nodiscard]] expectation<Hw> one(bool by_command, bool at_once) const {
        expectation<Hw> answer;
        answer.count = 1;
        emit_or_store(answer, by_command, at_once);
        return answer;
    }
};

}  // namespace wddmcore::testing::fuzz
