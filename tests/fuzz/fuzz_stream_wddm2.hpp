// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "fuzz_expectation.hpp"
#include "fuzz_require.hpp"
#include "fuzz_wddm2_hardware.hpp"

#include <paging/stream.hpp>

namespace wddmcore::inline WDDMCORE_ABI::testing::fuzz {

/// Follows the commands, or the calls, of operations 10, 12, 13, 15, 16 and 18 to 22: each must be the next piece of
/// the request, with the request's own numbers.
template <class Hw, class Args>
class wddm2_stream {
public:
    /// @param entry  token before the next piece; moved behind it
    wddm2_stream(Hw const& hw, Args const& args, expectation<Hw> const& expected, u64& entry)
        : hw_(hw), args_(args), expected_(expected), entry_(entry) {}

    void take(record_kind kind, u64 const (&values)[7]) {
        kind_ = kind;
        values_ = values;
        switch (args_.Operation) {
            case 10: return take_image();
            case 12: return take_flush();
            case 13: return take_update();
            case 15: return take_residency();
            case 16: return take_fence();
            case 18: return take_fence_residency();
            case 19: return take_map();
            case 20: return take_unmap();
            case 21: return take_range();
            case 22: return take_notice();
            default: require(false, "a command that no fuzzed operation writes");
        }
    }

private:
    Hw const& hw_;
    Args const& args_;
    expectation<Hw> const& expected_;
    u64& entry_;
    record_kind kind_{};
    u64 const* values_ = nullptr;

    /// The record is of this kind and has these values.
    template <class... Values>
    void expect(record_kind kind, char const* rule, Values... values) const {
        u64 const wanted[] = {static_cast<u64>(values)...};
        require(kind_ == kind, rule);
        for (usize i = 0; i != sizeof...(values); ++i) {
            require(values_[i] == wanted[i], rule);
        }
    }

    void take_image() {
        u64 const image = expected_.size;
        void* const allocation = args_.InitContextResource.hAllocation;
        u64 step = image;
        if constexpr (hw::context_by_command<Hw>) {
            step = Hw::context_piece_max.n;
        }
        u64 const offset = entry_ == 0 ? 0 : entry_ * step - expected_.base;
        if (expected_.at_once) {
            u64 const place = handle_bits(args_.InitContextResource.Destination.VirtualAddress) + offset;
            expect(record_kind::context_piece, "OP10-03: all that is left of an image, at once", place, 0,
                   handle_bits(allocation), offset, image - offset);
            entry_ = expected_.count;
            return;
        }
        if constexpr (requires(typename Hw::address at) { at.space; }) {
            recorded_address const at =
                expected_.destination.page(hw_, offset / page_bytes) + bytes{offset % page_bytes};
            expect(record_kind::context_piece, "OP10-03: each piece of an image, once", at.n, at.space,
                   handle_bits(allocation), offset, lesser((entry_ + 1) * step - expected_.base, image) - offset);
        } else {
            require(false, "OP10-03: a piece by command is in a stream");
        }
        ++entry_;
    }

    void take_flush() {
        auto const& request = args_.FlushTlb;
        auto const& root = request.RootPageTableAddress;
        if constexpr (hw::ranged_tlb<Hw>) {
            wide const space = end_of_virtual_addresses<Hw>();
            if (request.EndVirtualAddress != 0 && request.StartVirtualAddress < space) {
                u64 const granule = Hw::flush_granule.n;
                u64 const first = request.StartVirtualAddress / granule * granule;
                wide const end = wide{request.EndVirtualAddress / granule} * granule + granule;
                u64 const last = static_cast<u64>((end < space ? end : space) - 1);
                expect(record_kind::flush_range, "OP12-03: the granules of the range and its end", root.SegmentId,
                       root.SegmentOffset, first, last);
                ++entry_;
                return;
            }
        }
        expect(record_kind::flush, "OP12-01: the whole address space", root.SegmentId, root.SegmentOffset,
               handle_bits(request.hProcess));
        ++entry_;
    }

    void take_update() {
        auto const& update = args_.UpdateContextAllocation;
        u32 const index = static_cast<u32>(entry_);
        u64 const offset = update_write(update.pDriverPrivateData, index).offset;
        expect(record_kind::context_update, "OP13-01: the next write of the update", update.ContextAllocation + offset,
               virtual_space, update.ContextAllocationSize, update.DriverPrivateDataSize, index);
        ++entry_;
    }

    void take_residency() {
        auto const& notice = args_.NotifyResidency;
        bool const resident = notice.Resident != 0;
        expect(record_kind::residency, "OP15-03: where it is, or only that it left", handle_bits(notice.hAllocation),
               resident, resident ? notice.PhysicalAddress.SegmentId : 0,
               resident ? notice.PhysicalAddress.SegmentOffset : 0);
        ++entry_;
    }

    void take_fence() {
        if constexpr (members::signal_monitored_fence<Args>) {
            auto const& fence = args_.SignalMonitoredFence;
            u64 const mask = Hw::fence_bytes.n == 4 ? 0xFFFF'FFFF : ~u64{0};
            expect(record_kind::fence, "OP16-01 OP16-02: the value to its place", fence.MonitoredFenceGpuVa,
                   virtual_space, fence.MonitoredFenceValue & mask);
            ++entry_;
        }
    }

    void take_fence_residency() {
        if constexpr (members::notify_fence_residency<Args>) {
            require(entry_ < expected_.count, "OP18-01: no fence behind the last");
            auto const& one = args_.NotifyFenceResidency.FenceResidencyInfo[entry_];
            expect(record_kind::fence_residency, "OP18-01: the next fence of the list",
                   handle_bits(one.hGlobalNativeFence), one.CurrentValuePhysicalAddress.SegmentId,
                   one.CurrentValuePhysicalAddress.SegmentOffset, handle_bits(one.CurrentValueKernelCpuVa),
                   one.MonitoredValuePhysicalAddress.SegmentId, one.MonitoredValuePhysicalAddress.SegmentOffset,
                   handle_bits(one.MonitoredValueKernelCpuVa));
            ++entry_;
        }
    }

    /// The length of the next piece of an MMU's addresses.
    [[nodiscard]] u64 piece() const {
        u64 const length = values_[2];
        require(length != 0 && length <= expected_.count - entry_, "OP19-01: pages of the request");
        if constexpr (hw::mmu_by_command<Hw>) {
            require(expected_.at_once || length <= Hw::mmu_max.n, "OP19-01: more pages than a command takes");
        }
        return length;
    }

    void take_map() {
        if constexpr (members::map_mmu<Args>) {
            auto const& map = args_.MmapMmu;
            u64 const length = piece();
            expect(record_kind::mmu_map, "OP19-01: the next pages to the next addresses",
                   map.MmuId | u64{map.SegmentId} << 32, map.VirtualAddress + entry_ * page_bytes, length,
                   expected_.entry(entry_), handle_bits(map.hAllocation), map.AllocationOffsetInPages, entry_);
            for (u64 i = 1; expected_.pages != nullptr && i < length; ++i) {
                require(expected_.entry(entry_ + i) == expected_.entry(entry_) + i, "OP19-01: pages in a row");
            }
            entry_ += length;
        }
    }

    void take_unmap() {
        if constexpr (members::unmap_mmu<Args>) {
            auto const& unmap = args_.UnmapMmu;
            u64 const length = piece();
            expect(record_kind::mmu_unmap, "OP19-02: the next addresses", unmap.MmuId,
                   unmap.VirtualAddress + entry_ * page_bytes, length, values_[3], handle_bits(unmap.hAllocation),
                   unmap.AllocationOffset, entry_);
            entry_ += length;
        }
    }

    void take_range() {
        if constexpr (members::notify_residency2<Args>) {
            auto const& range = args_.NotifyResidency2;
            bool const resident = range.Resident != 0;
            bool const system = range.SegmentId == 0 || range.SegmentId == 31;
            u64 pages = 0;
            u64 list = 0;
            if (resident && system) {
                pages = (u64{range.Mdl->ByteOffset} + range.Mdl->ByteCount + page_bytes - 1) / page_bytes;
                list = pages == 0 ? 0 : u64{reinterpret_cast<usize>(range.Mdl + 1)};
            }
            expect(record_kind::residency_range, "OP21-01: a range and its place", handle_bits(range.hAllocation),
                   range.AllocationOffsetInPages | u64{range.SizeInPages} << 32, resident,
                   resident ? range.SegmentId : 0, resident && !system ? range.PhysicalAddress.SegmentOffset : 0, pages,
                   list);
            ++entry_;
        }
    }

    void take_notice() {
        if constexpr (members::notify_alloc<Args>) {
            auto const& request = args_.NotifyAllocation;
            bool const eviction = request.Flags.Eviction != 0;
            u64 step = page_bytes;
            u64 most = ~u64{0};
            if constexpr (hw::eviction_notifier<Hw>) {
                step = eviction ? greater(Hw::eviction_block.n, step) : step;
                most = eviction ? Hw::eviction_max.n : most;
            }
            if constexpr (hw::iommu_unmap_by_command<Hw>) {
                most = eviction || expected_.at_once ? most : Hw::iommu_unmap_max.n;
            }
            u64 const first = entry_ * step;
            u64 const size = values_[4];
            require(first < expected_.size && size != 0 && size <= expected_.size - first && size <= most,
                    "NTF-06: a part of the notice");
            require(size % step == 0 || first + size == expected_.size, "NTF-14: whole blocks, each once");
            expect(eviction ? record_kind::eviction : record_kind::iommu_unmap, "NTF-05: the part and its address",
                   handle_bits(request.hAllocation), handle_bits(request.hKmdProcessHandle),
                   request.OffsetInBytes + first, request.GpuVirtualAddressAtOffset + first, size, eviction ? 0 : 1);
            entry_ += (size + step - 1) / step;
        }
    }
};

}  // namespace wddmcore::testing::fuzz
