// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "bindings.hpp"
#include "lending.hpp"
#include "request.hpp"

#include <cstring>
#include <memory>

/// Requests as structures of one interface version.
namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// The page lists that one request hands over; they end at an inaccessible page and are gone after the call, page lists
/// only where that is asked for.
class handed_list {
public:
    handed_list(request const& r, lender& from, std::uint64_t junk) {
        page_list const& list = r.list;
        array_ = lent(r.array, from, junk);
        array_copy_ = r.array.bytes;
        array_64k_ = lent(r.array_64k, from, junk);
        array_64k_copy_ = r.array_64k.bytes;
        if (list.numbers.empty() || list.contiguous) {
            return;
        }
        bool const bare =
            r.operation == paging_operation::map_aperture_segment2 || r.operation == paging_operation::map_mmu;
        std::size_t const header = bare ? 0 : sizeof(mirror::vista::mdl);
        memory_ = from.lend(header + list.numbers.size() * sizeof(usize), loan_side::end, junk, "the page list",
                            rule_of(r), vidmm_rule::amb_60);
        if (!bare) {
            mirror::vista::mdl head{};
            head.Size = static_cast<i16>(memory_->size());  // 16 bits in the DDI too: too small for long lists
            head.StartVa = reinterpret_cast<void*>(static_cast<std::uintptr_t>((junk & 0x7fff'ffff) << 12));
            head.ByteCount = static_cast<u32>(list.numbers.size() * page_size);
            std::memcpy(memory_->data(), &head, sizeof head);
        }
        for (std::size_t i = 0; i < list.numbers.size(); ++i) {
            auto const number = static_cast<usize>(list.numbers[i]);
            std::memcpy(memory_->data() + header + i * sizeof number, &number, sizeof number);
        }
        copy_.assign(memory_->data(), memory_->data() + memory_->size());
    }

    [[nodiscard]] mirror::vista::mdl* mdl() const {
        return memory_ ? reinterpret_cast<mirror::vista::mdl*>(memory_->data()) : nullptr;
    }
    [[nodiscard]] usize const* numbers() const {
        return memory_ ? reinterpret_cast<usize const*>(memory_->data()) : nullptr;
    }

    /// Whether there is a page list in memory.
    [[nodiscard]] bool has_list() const { return memory_ != nullptr; }

    /// Entries, ranges, private data or records; nullptr without.
    [[nodiscard]] std::byte* array() const { return array_ ? array_->data() : nullptr; }

    /// Entries of the other half; nullptr without.
    [[nodiscard]] std::byte* array_64k() const { return array_64k_ ? array_64k_->data() : nullptr; }

    /// Whether the driver wrote into the list or an array.
    [[nodiscard]] bool changed() const {
        return differs(memory_, copy_) || differs(array_, array_copy_) || differs(array_64k_, array_64k_copy_);
    }

    /// The call is over.
    /// @param list_too  the page list becomes inaccessible as well as the arrays (AMB-60)
    void retire(bool list_too = true) {
        if (memory_ && list_too) {
            memory_->end();
        }
        if (array_) {
            array_->end();
        }
        if (array_64k_) {
            array_64k_->end();
        }
    }

private:
    [[nodiscard]] static std::shared_ptr<loan> lent(handed_array const& array, lender& from, std::uint64_t junk) {
        if (array.bytes.empty()) {
            return nullptr;
        }
        auto const memory = from.lend(array.bytes.size(), loan_side::end, junk, array.name, array.outside);
        std::memcpy(memory->data(), array.bytes.data(), array.bytes.size());
        return memory;
    }

    [[nodiscard]] static bool differs(std::shared_ptr<loan> const& memory, std::vector<std::byte> const& copy) {
        return memory && !memory->ended() && std::memcmp(copy.data(), memory->data(), copy.size()) != 0;
    }

    // What an index outside the list breaks.
    [[nodiscard]] static vidmm_rule rule_of(request const& r) {
        switch (r.operation) {
            case paging_operation::map_aperture_segment: return vidmm_rule::op05_01;
            case paging_operation::map_aperture_segment2: return vidmm_rule::op17_02;
            case paging_operation::special_lock_transfer: return vidmm_rule::op07_01;
            case paging_operation::init_context_resource: return vidmm_rule::op10_01;
            case paging_operation::map_mmu: return vidmm_rule::op19_01;
            default: return vidmm_rule::op00_10;
        }
    }

    std::shared_ptr<loan> memory_;
    std::vector<std::byte> copy_;
    std::shared_ptr<loan> array_;
    std::vector<std::byte> array_copy_;
    std::shared_ptr<loan> array_64k_;
    std::vector<std::byte> array_64k_copy_;
};

/// What goes in and out at the head of DXGKARG_BUILDPAGINGBUFFER.
struct envelope {
    std::byte* buffer = nullptr;
    std::uint32_t buffer_size = 0;
    std::byte* private_data = nullptr;
    std::uint32_t private_size = 0;
    std::uint32_t multipass = 0;
    std::uint32_t write_offset = 0;
    void* system_context = nullptr;
};

template <class Side>
void fill_side(Side& to, request const& r, side const& from, handed_list const& list) {
    to.SegmentId = from.segment;
    if (from.segment == 0) {
        to.pMdl = r.list.numbers.empty() ? nullptr : list.mdl();
    } else {
        to.SegmentAddress.QuadPart = static_cast<i64>(from.address);
    }
}

template <class Transfer>
void fill_transfer(Transfer& to, request const& r, handed_list const& list) {
    to.hAllocation = r.allocation_handle;
    to.TransferOffset = static_cast<u32>(r.offset);
    to.TransferSize = static_cast<usize>(r.size);
    fill_side(to.Source, r, r.source, list);
    fill_side(to.Destination, r, r.destination, list);
    to.Flags.Value = 0;
    to.Flags.AllocationIsIdle = r.idle ? 1 : 0;
    to.Flags.TransferStart = r.start ? 1 : 0;
    to.Flags.TransferEnd = r.end ? 1 : 0;
}

template <class Map>
void fill_map(Map& to, request const& r) {
    to.hDevice = r.device_handle;
    to.hAllocation = r.allocation_handle;
    to.SegmentId = r.aperture;
    to.OffsetInPages = static_cast<usize>(r.first_aperture_page);
    to.NumberOfPages = static_cast<usize>(r.aperture_pages);
}

/// Fills a structure that holds junk; what the operation does not use stays junk.
template <class Args>
void fill_build(Args& to, request const& r, envelope const& e, handed_list const& list) {
    to.pDmaBuffer = e.buffer;
    to.DmaSize = e.buffer_size;
    to.pDmaBufferPrivateData = e.private_data;
    to.DmaBufferPrivateDataSize = e.private_size;
    to.Operation = static_cast<u32>(r.operation);
    to.MultipassOffset = e.multipass;
    to.hSystemContext = e.system_context;
    if constexpr (requires { to.DmaBufferGpuVirtualAddress; }) {
        to.DmaBufferGpuVirtualAddress = 0;  // OBS-08: not mapped
        to.DmaBufferWriteOffset = e.write_offset;
    }
    auto const first = static_cast<u32>(r.list.first);
    switch (r.operation) {
        case paging_operation::transfer:
            fill_transfer(to.Transfer, r, list);
            to.Transfer.MdlOffset = first;
            break;
        case paging_operation::special_lock_transfer:
            fill_transfer(to.SpecialLockTransfer, r, list);
            to.SpecialLockTransfer.SwizzlingRangeId = r.swizzling_range;
            to.SpecialLockTransfer.SwizzlingRangeData = 0;
            break;
        case paging_operation::fill:
            to.Fill.hAllocation = r.allocation_handle;
            to.Fill.FillSize = static_cast<usize>(r.size);
            to.Fill.FillPattern = r.pattern;
            to.Fill.Destination.SegmentId = r.destination.segment;
            to.Fill.Destination.SegmentAddress.QuadPart = static_cast<i64>(r.destination.address);
            break;
        case paging_operation::discard_content:
            to.DiscardContent.hAllocation = r.allocation_handle;
            to.DiscardContent.Flags.Value = r.idle ? 1 : 0;
            to.DiscardContent.SegmentId = r.destination.segment;
            to.DiscardContent.SegmentAddress.QuadPart = static_cast<i64>(r.destination.address);
            break;
        case paging_operation::read_physical:
            to.ReadPhysical.SegmentId = r.destination.segment;
            to.ReadPhysical.PhysicalAddress.QuadPart = static_cast<i64>(r.destination.address);
            break;
        case paging_operation::write_physical:
            to.WritePhysical.SegmentId = r.destination.segment;
            to.WritePhysical.PhysicalAddress.QuadPart = static_cast<i64>(r.destination.address);
            break;
        case paging_operation::map_aperture_segment:
            fill_map(to.MapApertureSegment, r);
            to.MapApertureSegment.pMdl = list.mdl();
            to.MapApertureSegment.MdlOffset = first;
            to.MapApertureSegment.Flags.Value = r.coherent ? 1 : 0;
            break;
        case paging_operation::unmap_aperture_segment:
            fill_map(to.UnmapApertureSegment, r);
            to.UnmapApertureSegment.DummyPage.QuadPart = static_cast<i64>(r.dummy_page * page_size);
            break;
        case paging_operation::map_aperture_segment2:
            if constexpr (requires { to.MapApertureSegment2; }) {
                fill_map(to.MapApertureSegment2, r);
                auto& adl = to.MapApertureSegment2.Adl;
                adl.PageCount = static_cast<u32>(r.list.numbers.size());
                adl.Flags.Value = r.list.contiguous ? 1 : 0;
                if (r.list.contiguous) {
                    adl.BasePageNumber = static_cast<usize>(r.list.numbers.front());
                } else {
                    adl.Pages = list.numbers();
                }
                to.MapApertureSegment2.AdlOffset = first;
                to.MapApertureSegment2.Flags.Value = r.coherent ? 1 : 0;
                to.MapApertureSegment2.CpuVisibleAddress = r.cpu_visible;
            }
            break;
        case paging_operation::virtual_transfer:
            if constexpr (requires { to.TransferVirtual; }) {
                to.TransferVirtual.hAllocation = r.allocation_handle;
                to.TransferVirtual.AllocationOffsetInBytes = r.offset;
                to.TransferVirtual.TransferSizeInBytes = r.size;
                to.TransferVirtual.SourceVirtualAddress = r.source.address;
                to.TransferVirtual.DestinationVirtualAddress = r.destination.address;
                to.TransferVirtual.SourcePageTable = 0;
                to.TransferVirtual.TransferDirection = static_cast<u32>(r.direction);
                to.TransferVirtual.Flags.Flags = 0;
                to.TransferVirtual.Flags.Src64KBPages = r.source_64k ? 1 : 0;
                to.TransferVirtual.Flags.Dst64KBPages = r.destination_64k ? 1 : 0;
                to.TransferVirtual.DestinationPageTable = 0;
            }
            break;
        case paging_operation::virtual_fill:
            if constexpr (requires { to.FillVirtual; }) {
                to.FillVirtual.hAllocation = r.allocation_handle;
                to.FillVirtual.AllocationOffsetInBytes = r.offset;
                to.FillVirtual.FillSizeInBytes = r.size;
                to.FillVirtual.FillPattern = r.pattern;
                to.FillVirtual.DestinationVirtualAddress = r.destination.address;
            }
            break;
        default: fill_wddm2_build(to, r, list); break;
    }
}

}  // namespace wddmcore::testing::vidmm_parts
