// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "fuzz_request_tables.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::fuzz {

/// Requests of the operations that came with WDDM 1.2 and later, of any quality.
class wddm2_requests : public table_requests {
protected:
    template <class Hw, class Args>
    void fill_in_late(input& in, Hw const& hw, Args& args) {
        switch (args.Operation) {
            case 10: init_context(in, hw, args); break;
            case 11: update_page_table(in, hw, args); break;
            case 12: flush(in, hw, args); break;
            case 13: update_context(in, hw, args); break;
            case 14: copy_entries(in, hw, args); break;
            case 15: residency(in, hw, args); break;
            case 16:
                if constexpr (members::signal_monitored_fence<Args>) {
                    args.SignalMonitoredFence.MonitoredFenceGpuVa = in.number() & (in.one_in(4) ? ~u64{0} : ~u64{7});
                    args.SignalMonitoredFence.MonitoredFenceValue = in.number();
                }
                break;
            case 18: fences(in, args); break;
            case 19: map_mmu(in, hw, args); break;
            case 20: unmap_mmu(in, hw, args); break;
            case 21: residency_range(in, hw, args); break;
            case 22: notice(in, hw, args); break;
            default: break;
        }
    }

private:
    template <class Hw, class Args>
    void init_context(input& in, Hw const& hw, Args& args) {
        if constexpr (members::init_context_resource<Args>) {
            auto& request = args.InitContextResource;
            request.hAllocation = handle(in);
            u64 image = 0;
            if constexpr (requires { hw.context_image_bytes(nullptr); }) {
                image = hw.context_image_bytes(request.hAllocation).n;
            }
            side(in, hw, request.Destination, image, lists_[0]);
            request.Destination.VirtualAddress = handle(in);
            if constexpr (members::init_context_by_virtual_address<Args>) {
                request.Destination.GpuVirtualAddress = in.flag() ? in.number() : 0;
            }
        }
    }

    template <class Hw, class Args>
    void flush(input& in, Hw const& hw, Args& args) {
        if constexpr (members::flush_tlb<Args>) {
            place(in, hw, args.FlushTlb.RootPageTableAddress);
            args.FlushTlb.hProcess = handle(in);
            args.FlushTlb.StartVirtualAddress = in.flag() ? 0 : in.number();
            u64 const size = in.flag() ? 0 : in.number();
            args.FlushTlb.EndVirtualAddress = args.FlushTlb.StartVirtualAddress + size;
        }
    }

    template <class Hw, class Args>
    void update_context(input& in, Hw const&, Args& args) {
        if constexpr (members::update_context_allocation<Args>) {
            auto& update = args.UpdateContextAllocation;
            update.ContextAllocation = in.number();
            update.ContextAllocationSize = in.number();
            u32 const size = in.byte() % 100u;
            bool const missing = in.one_in(16);
            arrays_[0] = exact_block(size, 0);
            u64 const reach = in.byte();
            for (u32 i = 0; i != size; ++i) {
                // Offsets below the size, mostly.
                arrays_[0].data()[i] = static_cast<u8>(i % 4 < 2 ? in.byte() : i % 4 == 2 ? reach & 3 : in.byte());
            }
            if constexpr (wide_updates<Hw>) {
                // Offsets of 64 bits that are small as well.
                for (u32 i = 0; i != size; ++i) {
                    if (i % 16 > 2 && i % 16 < 8) {
                        arrays_[0].data()[i] = 0;
                    }
                }
            }
            update.pDriverPrivateData = missing ? nullptr : arrays_[0].data();
            update.DriverPrivateDataSize = size;
        }
    }

    template <class Hw, class Args>
    void residency(input& in, Hw const& hw, Args& args) {
        if constexpr (members::notify_residency<Args>) {
            args.NotifyResidency.hAllocation = handle(in);
            place(in, hw, args.NotifyResidency.PhysicalAddress);
            args.NotifyResidency.Resident = in.byte() & 1u;
        }
    }

    template <class Args>
    void fences(input& in, Args& args) {
        if constexpr (members::notify_fence_residency<Args>) {
            auto& notice = args.NotifyFenceResidency;
            using record = meta::bare<decltype(*notice.FenceResidencyInfo)>;
            u32 const count = in.byte() % 20u;
            arrays_[0] = exact_block(count * sizeof(record), 0);
            record* const list = reinterpret_cast<record*>(arrays_[0].data());
            for (u32 i = 0; i != count; ++i) {
                list[i].hGlobalNativeFence = handle(in);
                u8 const sort = in.byte();
                list[i].CurrentValuePhysicalAddress.SegmentId = sort < 8 ? in.byte() : sort % 4u;
                list[i].CurrentValuePhysicalAddress.SegmentOffset = sort % 16 == 9 ? in.number() : sort * 8u;
                list[i].MonitoredValuePhysicalAddress.SegmentId = sort < 16 ? 31 : sort / 4 % 4u;
                list[i].MonitoredValuePhysicalAddress.SegmentOffset = sort % 16 == 10 ? in.number() : sort * 64u;
                list[i].CurrentValueKernelCpuVa = handle(in);
                list[i].MonitoredValueKernelCpuVa = list[i].CurrentValueKernelCpuVa;
            }
            notice.NumFences = count;
            notice.FenceResidencyInfo = in.one_in(24) ? nullptr : list;
        }
    }

    template <class Hw, class Args>
    void map_mmu(input& in, Hw const&, Args& args) {
        if constexpr (members::map_mmu<Args>) {
            auto& map = args.MmapMmu;
            map.hAllocation = handle(in);
            map.VirtualAddress = in.number() & (in.one_in(8) ? ~u64{0} : ~u64{0xFFF});
            map.MmuId =
                in.one_in(8) ? static_cast<u16>(in.number()) : static_cast<u16>(in.flag() ? known_mmu<Hw> : 0xFFFF);
            map.SegmentId = in.byte();
            map.AllocationOffsetInPages = static_cast<u32>(in.number());
            adl(in, map.Adl);
            if constexpr (mmu_in_memory<Hw>) {
                // Longer lists than the table are cut off: what is left of a list is a list.
                map.Adl.PageCount %= mmu_pages;
                into_table(map.VirtualAddress, map.Adl.PageCount);
            }
        }
    }

    template <class Hw, class Args>
    void unmap_mmu(input& in, Hw const&, Args& args) {
        if constexpr (members::unmap_mmu<Args>) {
            auto& unmap = args.UnmapMmu;
            unmap.hAllocation = handle(in);
            unmap.VirtualAddress = in.number() & (in.one_in(8) ? ~u64{0} : ~u64{0xFFF});
            unmap.MmuId =
                in.one_in(8) ? static_cast<u16>(in.number()) : static_cast<u16>(in.flag() ? known_mmu<Hw> : 0xFFFF);
            unmap.AllocationOffset = static_cast<u32>(in.number());
            unmap.NumberOfPages = static_cast<u32>(in.number());
            if constexpr (mmu_in_memory<Hw>) {
                unmap.NumberOfPages %= mmu_pages;
                into_table(unmap.VirtualAddress, unmap.NumberOfPages);
            }
        }
    }

    /// Moves pages to where an MMU's table in memory has entries for them.
    template <class Address>
    static void into_table(Address& address, u32 pages) {
        address %= (mmu_pages - pages + 1) * page_bytes;
    }

    template <class Hw, class Args>
    void residency_range(input& in, Hw const& hw, Args& args) {
        if constexpr (members::notify_residency2<Args>) {
            auto& range = args.NotifyResidency2;
            range.hAllocation = handle(in);
            range.AllocationOffsetInPages = static_cast<u32>(in.number());
            range.SizeInPages = static_cast<u32>(in.number());
            range.Resident = in.byte() & 1u;
            u8 const sort = in.byte();
            range.SegmentId = static_cast<u16>(sort < 64 ? 0 : sort < 96 ? 31 : sort < 240 ? 1 + sort % 3 : in.word(2));
            if (range.SegmentId == 0 || range.SegmentId == 31) {
                range.Mdl = mdl(in, u64{range.SizeInPages} * page_bytes, lists_[0]);
            } else {
                place(in, hw, range.PhysicalAddress);
            }
        }
    }

    template <class Hw, class Args>
    void notice(input& in, Hw const&, Args& args) {
        if constexpr (members::notify_alloc<Args>) {
            auto& notice = args.NotifyAllocation;
            u8 const sort = in.byte();
            bool const eviction = sort % 2 == 0;
            notice.hAllocation = handle(in);
            notice.Flags.Value = in.byte() & ~3u;
            notice.Flags.Eviction = sort >= 248 || eviction;
            notice.Flags.IoMmuUnmap = sort >= 248 ? sort & 1u : !eviction;
            bool const owned = sort >= 232 && sort < 248 ? eviction : !eviction;
            notice.hKmdProcessHandle = owned ? reinterpret_cast<void*>(usize{0x2000} + in.byte()) : nullptr;
            u64 const unit = sort % 8 < 4 ? 0x1'0000 : sort % 8 < 7 ? 0x200 : 1;
            notice.OffsetInBytes = in.number() / unit * unit;
            notice.GpuVirtualAddressAtOffset = in.number() / unit * unit;
            notice.SizeInBytes = in.number();
        }
    }
};

}  // namespace wddmcore::testing::fuzz
