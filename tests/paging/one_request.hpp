// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "model.hpp"
#include "paging_system.hpp"
#include "requests.hpp"
#include "shapes.hpp"

#include <numeric>

/// Single requests written out, for the tests of single rules.
namespace wddmcore::inline WDDMCORE_ABI::testing {

using newest_arguments = mirror::v2_9::dxgkarg_buildpagingbuffer;

/// `count` page numbers from `first` on.
[[nodiscard]] inline std::vector<u64> rising_pages(u64 first, u64 count) {
    std::vector<u64> list(count);
    std::iota(list.begin(), list.end(), first);
    return list;
}

/// `count` page numbers of which no two are neighbours.
[[nodiscard]] inline std::vector<u64> lonely_pages(u64 count, u64 first = 0x5000) {
    std::vector<u64> list;
    for (u64 i = 0; i < count; ++i) {
        list.push_back(first + 2 * i);
    }
    return list;
}

/// Hardware, a system, and good arguments for every operation; a test changes one thing about them.
template <engine_shape const& Shape, class Args = newest_arguments>
struct one_request {
    using hardware = recorder<Shape>;
    static constexpr u64 smallest = smallest_paging_buffer<hardware>.n;
    static constexpr u64 local_base = 0x10'0000'0000;

    hardware hw = recorder_with_segments<Shape>();
    paging_system os;
    // One each, so that requests of different kinds live at the same time.
    guarded_mdl source{most_pages_of_a_list};
    guarded_mdl destination{most_pages_of_a_list};
    guarded_mdl lock_list{most_pages_of_a_list};
    guarded_mdl map_list{most_pages_of_a_list};
    guarded_mdl adl_list{most_pages_of_a_list};
    std::vector<stored_entry> log = std::vector<stored_entry>(2000);
    busy_log asked;
    u32 marker = 0;  ///< its address is an allocation's handle

    one_request() {
        if constexpr (Shape.reports_busy) {
            hw.asked = &asked;
        }
        hw.stores = log.data();
        hw.store_capacity = log.size();
    }
    one_request(one_request const&) = delete;
    one_request& operator=(one_request const&) = delete;

    [[nodiscard]] static Args of(paging_operation operation) {
        Args args{};
        args.Operation = static_cast<u32>(operation);
        return args;
    }

    /// Operation 0 from an MDL of these pages to local memory, 0x3000 behind its start.
    [[nodiscard]] Args transfer_in(std::vector<u64> const& list) {
        Args args = transfer_of(list.size() * page_bytes);
        args.Transfer.Source.SegmentId = 0;
        args.Transfer.Source.pMdl = source.make(list);
        return args;
    }

    /// Operation 0 from local memory to an MDL of these pages.
    [[nodiscard]] Args transfer_out(std::vector<u64> const& list) {
        Args args = transfer_of(list.size() * page_bytes);
        args.Transfer.Destination.SegmentId = 0;
        args.Transfer.Destination.pMdl = destination.make(list);
        return args;
    }

    /// Operation 0 inside local memory.
    [[nodiscard]] Args transfer_inside(u64 to, u64 from, u64 size) {
        Args args = transfer_of(size);
        args.Transfer.Source.SegmentAddress.QuadPart = static_cast<i64>(local_base + from);
        args.Transfer.Destination.SegmentAddress.QuadPart = static_cast<i64>(local_base + to);
        return args;
    }

    /// Operation 7 from an MDL of these pages.
    [[nodiscard]] Args special_lock(std::vector<u64> const& list) {
        Args args = of(paging_operation::special_lock_transfer);
        auto& t = args.SpecialLockTransfer = {};
        t.hAllocation = &marker;
        t.TransferSize = static_cast<usize>(list.size() * page_bytes);
        t.Flags.Value = 0;
        t.Flags.AllocationIsIdle = 1;
        t.Source.SegmentId = 0;
        t.Source.pMdl = lock_list.make(list);
        t.Destination.SegmentId = local_memory;
        t.Destination.SegmentAddress.QuadPart = local_base;
        return args;
    }

    [[nodiscard]] Args fill(u64 offset, u64 size, u32 pattern = 0xAABB'CCDD) {
        Args args = of(paging_operation::fill);
        args.Fill = {};
        args.Fill.FillSize = static_cast<usize>(size);
        args.Fill.FillPattern = pattern;
        args.Fill.Destination.SegmentId = local_memory;
        args.Fill.Destination.SegmentAddress.QuadPart = static_cast<i64>(local_base + offset);
        return args;
    }

    [[nodiscard]] Args discard(u64 offset) {
        Args args = of(paging_operation::discard_content);
        args.DiscardContent = {};
        args.DiscardContent.hAllocation = &marker;
        args.DiscardContent.Flags.Value = 0;
        args.DiscardContent.Flags.AllocationIsIdle = 1;
        args.DiscardContent.SegmentId = local_memory;
        args.DiscardContent.SegmentAddress.QuadPart = static_cast<i64>(local_base + offset);
        return args;
    }

    [[nodiscard]] Args read(u64 offset) {
        Args args = of(paging_operation::read_physical);
        args.ReadPhysical = {};
        args.ReadPhysical.SegmentId = local_memory;
        args.ReadPhysical.PhysicalAddress.QuadPart = static_cast<i64>(local_base + offset);
        return args;
    }

    [[nodiscard]] Args write(u64 offset) {
        Args args = of(paging_operation::write_physical);
        args.WritePhysical = {};
        args.WritePhysical.SegmentId = local_memory;
        args.WritePhysical.PhysicalAddress.QuadPart = static_cast<i64>(local_base + offset);
        return args;
    }

    /// Operation 5: these pages to the aperture, from its entry `first` on.
    [[nodiscard]] Args map(u64 first, std::vector<u64> const& list) {
        Args args = of(paging_operation::map_aperture_segment);
        args.MapApertureSegment = {};
        args.MapApertureSegment.SegmentId = aperture_segment;
        args.MapApertureSegment.OffsetInPages = static_cast<usize>(first);
        args.MapApertureSegment.NumberOfPages = static_cast<usize>(list.size());
        args.MapApertureSegment.pMdl = map_list.make(list);
        args.MapApertureSegment.Flags.Value = 0;
        return args;
    }

    [[nodiscard]] Args unmap(u64 first, u64 count, u64 dummy = 0xD000) {
        Args args = of(paging_operation::unmap_aperture_segment);
        args.UnmapApertureSegment = {};
        args.UnmapApertureSegment.SegmentId = aperture_segment;
        args.UnmapApertureSegment.OffsetInPages = static_cast<usize>(first);
        args.UnmapApertureSegment.NumberOfPages = static_cast<usize>(count);
        args.UnmapApertureSegment.DummyPage.QuadPart = static_cast<i64>(dummy);
        return args;
    }

    /// Operation 17: the same from a scattered list.
    [[nodiscard]] Args map2(u64 first, std::vector<u64> const& list) {
        Args args = of(paging_operation::map_aperture_segment2);
        auto& m = args.MapApertureSegment2 = {};
        m.SegmentId = aperture_segment;
        m.OffsetInPages = static_cast<usize>(first);
        m.NumberOfPages = static_cast<usize>(list.size());
        m.Adl.PageCount = static_cast<u32>(list.size());
        m.Adl.Flags.Value = 0;
        m.Adl.Pages = adl_list.make_array(list);
        m.Flags.Value = 0;
        return args;
    }

    /// Operation 17 from a contiguous list.
    [[nodiscard]] Args map2(u64 first, u64 base, u64 count) {
        Args args = map2(first, rising_pages(base, 1));
        auto& m = args.MapApertureSegment2;
        m.NumberOfPages = static_cast<usize>(count);
        m.Adl.PageCount = static_cast<u32>(count);
        m.Adl.Flags.Contiguous = 1;
        m.Adl.BasePageNumber = static_cast<usize>(base);
        return args;
    }

    [[nodiscard]] Args virtual_transfer(u64 to, u64 from, u64 size) {
        Args args = of(paging_operation::virtual_transfer);
        args.TransferVirtual = {};
        args.TransferVirtual.TransferSizeInBytes = size;
        args.TransferVirtual.SourceVirtualAddress = from;
        args.TransferVirtual.DestinationVirtualAddress = to;
        args.TransferVirtual.Flags.Flags = 0;
        return args;
    }

    [[nodiscard]] Args virtual_fill(u64 va, u64 size, u32 pattern = 0xAABB'CCDD) {
        Args args = of(paging_operation::virtual_fill);
        args.FillVirtual = {};
        args.FillVirtual.FillSizeInBytes = size;
        args.FillVirtual.FillPattern = pattern;
        args.FillVirtual.DestinationVirtualAddress = va;
        return args;
    }

    /// One good request of each operation, a few pages each.
    [[nodiscard]] std::vector<Args> one_of_each() {
        return {transfer_in(lonely_pages(5)),
                fill(0x4000, 5 * page_bytes),
                discard(0x8000),
                read(0x1234),
                write(0x4321),
                map(7, lonely_pages(5)),
                unmap(9, 5),
                special_lock(lonely_pages(3)),
                virtual_transfer(0x70'0000, 0x20'0000, 5 * page_bytes),
                virtual_fill(0x3000, 5 * page_bytes),
                map2(3, 0x900, 5)};
    }

    /// The whole operation in buffers of `room` bytes.
    [[nodiscard]] pass_result run(Args& args, u64 room = paging_system::capacity) {
        hw.stored = 0;
        return os.run(hw, args, [room] { return room; });
    }

    [[nodiscard]] std::vector<stored_entry> stored() const {
        return {log.begin(), log.begin() + static_cast<i64>(hw.stored)};
    }

    /// One call without a buffer.
    [[nodiscard]] ntstatus without_buffer(Args& args, bool null_pointer) {
        hw.stored = 0;
        static u32 never_written[4];
        args.pDmaBuffer = null_pointer ? nullptr : static_cast<void*>(never_written);
        args.DmaSize = null_pointer ? 4096 : 0;
        args.pDmaBufferPrivateData = nullptr;
        args.DmaBufferPrivateDataSize = 0;
        void* const before = args.pDmaBuffer;
        ntstatus const status = build_paging_buffer(hw, args);
        CHECK(args.pDmaBuffer == before);
        CHECK(args.DmaSize == (null_pointer ? 4096u : 0u));
        return status;
    }

private:
    [[nodiscard]] Args transfer_of(u64 size) {
        Args args = of(paging_operation::transfer);
        args.Transfer = {};
        args.Transfer.hAllocation = &marker;
        args.Transfer.TransferSize = static_cast<usize>(size);
        args.Transfer.Flags.Value = 0;
        args.Transfer.Flags.AllocationIsIdle = 1;
        args.Transfer.Source.SegmentId = args.Transfer.Destination.SegmentId = local_memory;
        args.Transfer.Source.SegmentAddress.QuadPart = local_base + 0x3000;
        args.Transfer.Destination.SegmentAddress.QuadPart = local_base + 0x3000;
        return args;
    }
};

}  // namespace wddmcore::testing
