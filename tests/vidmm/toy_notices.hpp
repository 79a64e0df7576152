// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "toy_tables.hpp"

#include <wddmcore/ddi/mirror/mirror.hpp>

#include <functional>
#include <optional>

namespace toy {

/// Where the toy driver takes something for, by the notices it got.
struct toy_location {
    u32 segment = 0;
    u64 offset = 0;
};

/// The toy driver's context images: word i is a number of its own.
[[nodiscard]] inline u32 toy_context_word(u64 i) { return 0xC0DE0000U | static_cast<u32>(i & 0xffff); }

inline constexpr u64 toy_context_bytes = 4096 + 512;

/// Operations 10, 13, 15, 16 and 18 to 22. MultipassOffset counts blocks or dwords.
class toy_notices : public toy_tables {
public:
    using toy_tables::toy_tables;

    std::map<void*, toy_location> resident;                        ///< by allocation
    std::map<std::pair<void*, u64>, toy_location> resident_pages;  ///< by allocation and page
    std::map<std::pair<void*, u32>, toy_location> fence_values;    ///< by fence, current 0 and monitored 1
    std::map<std::pair<u32, u64>, u64> mmu_pages;                  ///< by MMU and address: page number

    std::function<void(bool eviction, u64 address, u64 size, void* process)> on_notice;  ///< somebody watches

protected:
    template <class Args>
    ntstatus late(Args& args, writer& out) {
        auto const operation = static_cast<paging_operation>(static_cast<u32>(args.Operation));
        if constexpr (requires { args.InitContextResource; }) {
            if (operation == paging_operation::init_context_resource) {
                return init_context(args, out);
            }
        }
        if constexpr (requires { args.UpdatePageTable; }) {
            switch (operation) {
                case paging_operation::update_page_table: return update_page_table(args, out);
                case paging_operation::flush_tlb: return flush_tlb(args, out);
                case paging_operation::update_context_allocation: return update_context(args, out);
                case paging_operation::copy_page_table_entries: return copy_entries(args, out);
                case paging_operation::notify_residency: return notify_residency(args);
                default: break;
            }
        }
        if constexpr (requires { args.SignalMonitoredFence; }) {
            if (operation == paging_operation::signal_monitored_fence) {
                return signal_fence(args, out);
            }
        }
        if constexpr (requires { args.NotifyAllocation; }) {
            switch (operation) {
                case paging_operation::notify_fence_residency: return notify_fences(args);
                case paging_operation::map_mmu: return map_mmu(args);
                case paging_operation::unmap_mmu: return unmap_mmu(args);
                case paging_operation::notify_residency2: return notify_residency2(args);
                case paging_operation::notify_alloc: return notify_alloc(args, out);
                default: break;
            }
        }
        return status::not_supported;
    }

    template <class Args>
    ntstatus notify_alloc(Args& args, writer& out) {
        auto const& n = args.NotifyAllocation;
        bool const eviction = n.Flags.Eviction != 0;
        if (on_notice && args.MultipassOffset == 0) {
            on_notice(eviction, n.GpuVirtualAddressAtOffset, n.SizeInBytes, n.hKmdProcessHandle);
        }
        u64 const at = n.GpuVirtualAddressAtOffset + (wrong.notice_adds_offset ? n.OffsetInBytes : 0) -
                       (wrong.notice_whole_allocation && eviction ? n.OffsetInBytes : 0);
        if (eviction) {
            return evicted(n, at, args, out);
        }
        if (wrong.unmap_notice_ignored) {
            return status::success;
        }
        command c(code::clean);
        c.word(static_cast<u32>(n.SizeInBytes)).wide(reinterpret_cast<std::uintptr_t>(n.hKmdProcessHandle)).wide(at);
        return out.put(c) ? status::success : status::graphics_insufficient_dma_buffer;
    }

    template <class Args>
    ntstatus init_context(Args& args, writer& out) {
        auto const& d = args.InitContextResource.Destination;
        u64 const words = toy_context_bytes / 4 / (wrong.context_half ? 2 : 1);
        u64 done = args.MultipassOffset;
        for (; done < words; ++done) {
            u64 at = 0;
            bool physical = true;
            if constexpr (requires { d.GpuVirtualAddress; }) {
                physical = d.GpuVirtualAddress == 0;
            }
            if (!physical) {
                if constexpr (requires { d.GpuVirtualAddress; }) {
                    at = d.GpuVirtualAddress + done * 4;
                }
            } else if (d.SegmentId != 0 || wrong.context_by_address_only) {
                at = static_cast<u64>(d.SegmentAddress.QuadPart) + done * 4;
            } else {
                auto const* const list = reinterpret_cast<usize const*>(reinterpret_cast<std::byte const*>(d.pMdl) +
                                                                        sizeof(mirror::vista::mdl));
                at = system_base + (u64{list[done / 1024]} << 12) + done % 1024 * 4;
            }
            command c(code::store, physical);
            c.wide(at).word(toy_context_word(done));
            if (!out.put(c)) {
                args.MultipassOffset = static_cast<u32>(done);
                return status::graphics_insufficient_dma_buffer;
            }
        }
        return status::success;
    }

    /// Private data: pairs of an offset and a value, both 32 bits.
    template <class Args>
    ntstatus update_context(Args& args, writer& out) {
        auto const& u = args.UpdateContextAllocation;
        auto const* const data = static_cast<std::byte const*>(u.pDriverPrivateData);
        u32 done = args.MultipassOffset;
        for (; done < u.DriverPrivateDataSize / 8; ++done) {
            u32 pair[2] = {};
            std::memcpy(pair, data + done * 8, 8);
            command c(code::store);
            c.wide(u.ContextAllocation + pair[0]).word(wrong.context_ignores_data ? 0 : pair[1]);
            if (!out.put(c)) {
                args.MultipassOffset = done;
                return status::graphics_insufficient_dma_buffer;
            }
        }
        return status::success;
    }

    template <class Args>
    ntstatus notify_residency(Args const& args) {
        auto const& n = args.NotifyResidency;
        bool const there = wrong.resident_by_address ? n.PhysicalAddress.SegmentOffset != 0 : n.Resident != 0;
        resident.erase(n.hAllocation);
        if (there) {
            resident[n.hAllocation] = {n.PhysicalAddress.SegmentId, n.PhysicalAddress.SegmentOffset};
        }
        return status::success;
    }

    template <class Args>
    ntstatus notify_residency2(Args const& args) {
        auto const& n = args.NotifyResidency2;
        u64 const first = wrong.residency_whole ? 0 : n.AllocationOffsetInPages;
        u64 const count = wrong.residency_whole ? 64 : n.SizeInPages;
        for (u64 i = 0; i < count; ++i) {
            resident_pages.erase({n.hAllocation, first + i});
            if (n.Resident != 0) {
                resident_pages[{n.hAllocation, first + i}] = {n.PhysicalAddress.SegmentId,
                                                              n.PhysicalAddress.SegmentOffset + i * 4096};
            }
        }
        return status::success;
    }

    template <class Args>
    ntstatus signal_fence(Args const& args, writer& out) {
        auto const& s = args.SignalMonitoredFence;
        if (wrong.fence_low_half) {
            command low(code::store);
            low.wide(s.MonitoredFenceGpuVa).word(static_cast<u32>(s.MonitoredFenceValue & 0xffff'ffff));
            return out.put(low) ? status::success : status::graphics_insufficient_dma_buffer;
        }
        if (wrong.fence_too_wide) {
            command next(code::fill);
            next.wide(s.MonitoredFenceGpuVa + 8).word(0).word(8).word(0);
            if (!out.put(next)) {
                return status::graphics_insufficient_dma_buffer;
            }
        }
        command c(code::signal);
        c.wide(s.MonitoredFenceGpuVa).wide(s.MonitoredFenceValue);
        return out.put(c) ? status::success : status::graphics_insufficient_dma_buffer;
    }

    template <class Args>
    ntstatus notify_fences(Args const& args) {
        auto const& n = args.NotifyFenceResidency;
        for (u32 i = 0; i < (wrong.fence_first_record ? std::min(n.NumFences, 1U) : n.NumFences); ++i) {
            auto const& r = n.FenceResidencyInfo[i];
            u32 const current = wrong.fence_swapped ? 1 : 0;
            fence_values[{r.hGlobalNativeFence, current}] = {r.CurrentValuePhysicalAddress.SegmentId,
                                                             r.CurrentValuePhysicalAddress.SegmentOffset};
            fence_values[{r.hGlobalNativeFence, 1 - current}] = {r.MonitoredValuePhysicalAddress.SegmentId,
                                                                 r.MonitoredValuePhysicalAddress.SegmentOffset};
        }
        return status::success;
    }

    template <class Args>
    ntstatus map_mmu(Args const& args) {
        auto const& m = args.MmapMmu;
        bool const run = m.Adl.Flags.Contiguous != 0 || wrong.mmu_ignores_contiguous;
        for (u32 i = 0; i < m.Adl.PageCount; ++i) {
            mmu_pages[{mmu(m.MmuId), m.VirtualAddress + u64{i} * 4096}] =
                run ? u64{m.Adl.BasePageNumber} + i : u64{m.Adl.Pages[i]};
        }
        return status::success;
    }

    template <class Args>
    ntstatus unmap_mmu(Args const& args) {
        auto const& u = args.UnmapMmu;
        for (u32 i = 0; i < (wrong.mmu_unmaps_first ? 1 : u.NumberOfPages); ++i) {
            mmu_pages.erase({mmu(u.MmuId), u.VirtualAddress + u64{i} * 4096});
        }
        return status::success;
    }

private:
    [[nodiscard]] u32 mmu(u32 id) const { return wrong.mmu_one_for_all ? 0 : id; }

    // Decompression, block by block.
    template <class Notice, class Args>
    ntstatus evicted(Notice const& n, u64 at, Args& args, writer& out) {
        if (wrong.notice_needs_process && n.hKmdProcessHandle == nullptr) {
            return status::success;
        }
        if (wrong.notice_by_address && args.MultipassOffset == 0 && !handled_.insert(at).second) {
            return status::success;
        }
        u64 blocks = wrong.notice_one_block ? 1 : (n.SizeInBytes + compressed_block - 1) / compressed_block;
        u64 done = args.MultipassOffset;
        u64 last = 0;
        if (wrong.notice_later && args.MultipassOffset == 0 && !out.put(command(code::fence))) {
            return status::graphics_insufficient_dma_buffer;
        }
        if (wrong.notice_later && args.MultipassOffset == 0) {  // what was asked for before comes first, and too late
            std::swap(later_, waiting_);
            waiting_ = {at, blocks};
        }
        if (wrong.notice_later) {
            at = later_.first;
            blocks = later_.second;
        }
        while (done < blocks) {
            u64 const step = std::min<u64>(2, blocks - done);
            command c(code::decompress);
            c.word(static_cast<u32>(step * compressed_block)).wide(at + done * compressed_block);
            if (!out.put(c)) {
                args.MultipassOffset =
                    static_cast<u32>(done - (wrong.notice_twice && done - last > args.MultipassOffset ? last : 0));
                return status::graphics_insufficient_dma_buffer;
            }
            done += step;
            last = step;
        }
        return status::success;
    }

    std::set<u64> handled_;
    std::pair<u64, u64> later_;
    std::pair<u64, u64> waiting_;
};

}  // namespace toy
