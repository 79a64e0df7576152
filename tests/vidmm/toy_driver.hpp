// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "toy_notices.hpp"

#include <wddmcore/testing/vidmm/calls/bindings.hpp>

namespace toy {

/// A small driver that is right unless told otherwise; it knows nothing of the library's own paging code.
class toy_driver : public toy_notices {
public:
    using toy_notices::toy_notices;

    template <class Args>
    ntstatus build_paging_buffer(Args& args) {
        if (wrong.spins) {
            for (u32 volatile forever = 1; forever != 0;) {
            }
        }
        writer out(args, wrong);
        if (out.has_buffer() && out.private_room() < record_bytes) {
            return status::graphics_insufficient_dma_buffer;
        }
        ntstatus const result = dispatch(args, out);
        if (result == status::success || result == status::graphics_insufficient_dma_buffer) {
            out.commit(args, record_bytes, counts_dma_size_down);
        }
        return result;
    }

    template <class Args>
    ntstatus patch(Args const& args) {
        if (wrong.patch_wants_lists && args.pAllocationList == nullptr) {
            return status::invalid_parameter;
        }
        window_ = static_cast<std::byte*>(args.pDmaBuffer) + args.DmaBufferSubmissionStartOffset;
        if (wrong.patch_past_end) {
            std::byte& behind = static_cast<std::byte*>(args.pDmaBuffer)[args.DmaBufferSize];
            behind = ~behind;
        }
        u32 const at = wrong.patch_at_buffer_start ? 0 : args.DmaBufferSubmissionStartOffset;
        u32 const fence = header_of(code::fence);
        std::byte* const target = static_cast<std::byte*>(args.pDmaBuffer) + at;
        u32 found = 0;
        std::memcpy(&found, target, 4);
        if (found == padding) {  // editing in place is allowed, changing the size is not
            std::memcpy(target, &fence, 4);
        } else if (args.DmaBufferSubmissionStartOffset != at) {
            std::memcpy(target, &args.SubmissionFenceId, 4);
        }
        return status::success;
    }

    template <class Args>
    ntstatus submit_command(Args const& args) {
        if (wrong.submit_wants_context && args.hContext == nullptr) {
            return status::invalid_parameter;
        }
        if constexpr (requires { args.NodeOrdinal; }) {
            bool const is_known =
                args.hContext == nullptr || args.hContext == reinterpret_cast<void*>(std::uintptr_t{0x7000});
            if (wrong.submit_is_strict && (!is_known || args.NodeOrdinal != 3)) {
                return status::invalid_parameter;
            }
        }
        if constexpr (requires { args.DmaBufferSubmissionEndOffset; }) {
            if (own_engine != nullptr && bus != nullptr) {
                u32 const size = args.DmaBufferSubmissionEndOffset - args.DmaBufferSubmissionStartOffset;
                auto const* const commands = reinterpret_cast<std::uint32_t const*>(window_);
                return own_engine->execute(commands, size / 4, *bus).ok ? status::success : status::unsuccessful;
            }
        }
        return status::success;
    }

    template <class Args>
    ntstatus submit_command_virtual(Args const& args) {
        return submit_command(args);
    }

private:
    template <class Args>
    ntstatus dispatch(Args& args, writer& out) {
        if (wrong.keeps_arguments && out.has_buffer()) {
            return keep(&args, out);
        }
        switch (static_cast<paging_operation>(static_cast<u32>(args.Operation))) {
            case paging_operation::transfer: return transfer(args.Transfer, args.Transfer.MdlOffset, args, out);
            case paging_operation::special_lock_transfer:
                return transfer(args.SpecialLockTransfer, wrong.lock_has_list_offset ? args.Transfer.MdlOffset : 0,
                                args, out);
            case paging_operation::fill: {
                auto const& f = args.Fill;
                if (wrong.says_busy_for_fill) {
                    return status::graphics_allocation_busy;
                }
                return fill(f.hAllocation, segment(f.Destination), f.FillSize, f.FillPattern, args, out);
            }
            case paging_operation::discard_content: return discard(args, out);
            case paging_operation::read_physical:
                return one(code::read, address(args.ReadPhysical.PhysicalAddress) + (wrong.reads_elsewhere ? 64 : 0), 0,
                           out);
            case paging_operation::write_physical:
                return one(code::write, address(args.WritePhysical.PhysicalAddress), wrong.writes_neighbours ? 12U : 8U,
                           out);
            case paging_operation::map_aperture_segment: return map(args.MapApertureSegment, args, out);
            case paging_operation::unmap_aperture_segment: return unmap(args, out);
            case paging_operation::map_aperture_segment2:
                if constexpr (requires { args.MapApertureSegment2; }) {
                    return map2(args.MapApertureSegment2, args, out);
                }
                break;
            case paging_operation::virtual_transfer:
                if constexpr (requires { args.TransferVirtual; }) {
                    auto const& t = args.TransferVirtual;
                    if (on_transfer) {
                        on_transfer(t.Flags.Src64KBPages != 0, t.Flags.Dst64KBPages != 0);
                    }
                    u64 const more = wrong.adds_chunk_offset ? t.AllocationOffsetInBytes : 0;
                    return copies({t.SourceVirtualAddress + more}, {t.DestinationVirtualAddress + more},
                                  t.TransferSizeInBytes, args, out);
                }
                break;
            case paging_operation::virtual_fill:
                if constexpr (requires { args.FillVirtual; }) {
                    auto const& f = args.FillVirtual;
                    u64 const more = wrong.adds_chunk_offset ? f.AllocationOffsetInBytes : 0;
                    return fill(f.hAllocation, f.DestinationVirtualAddress + more, f.FillSizeInBytes, f.FillPattern,
                                args, out);
                }
                break;
            default: return late(args, out);
        }
        return status::not_supported;
    }

    [[nodiscard]] bool is_busy(void* allocation, bool said_idle) {
        if (said_idle) {
            return wrong.says_busy_twice && std::exchange(said_busy_, false);
        }
        said_busy_ = busy.contains(allocation);
        return said_busy_;
    }

    template <class Address>
    [[nodiscard]] static u64 address(Address const& a) {
        return static_cast<u64>(a.QuadPart);
    }

    template <class Side>
    [[nodiscard]] u64 segment(Side const& s) const {
        u64 at = address(s.SegmentAddress);
        u64 const base = bases.contains(s.SegmentId) ? bases.at(s.SegmentId) : 0;
        at += wrong.adds_base ? base : 0;
        at -= wrong.removes_base ? base : 0;
        return wrong.cuts_address ? at & 0xffff'ffff : at;
    }

    [[nodiscard]] static usize* array_of(void* mdl) {
        return reinterpret_cast<usize*>(static_cast<std::byte*>(mdl) + sizeof(mirror::vista::mdl));
    }

    template <class Side, class Transfer>
    [[nodiscard]] place side(Side const& s, Transfer const& t, u64 list_offset) {
        u64 const skip = t.TransferOffset >> 12;
        if (s.SegmentId == 0) {
            u64 index = wrong.list_offset_ignored ? 0 : list_offset;
            index = wrong.list_offset_cut ? (index << 12 & 0xffff'ffff) >> 12 : index;
            index += wrong.offset_on_list ? skip : 0;
            return {0, array_of(s.pMdl) + index};
        }
        u64 at = segment(s) + (wrong.offset_not_on_segment ? 0 : t.TransferOffset);
        at += wrong.list_offset_on_segment ? list_offset << 12 : 0;
        return {at};
    }

    template <class Transfer, class Args>
    ntstatus transfer(Transfer& t, u64 list_offset, Args& args, writer& out) {
        if (t.TransferSize == 0) {
            return wrong.copies_for_size_zero ? one(code::read, address(t.Source.SegmentAddress), 0, out)
                                              : status::success;
        }
        if (is_busy(t.hAllocation, t.Flags.AllocationIsIdle != 0)) {
            return status::graphics_allocation_busy;
        }
        if (wrong.needs_allocation && t.hAllocation == nullptr) {
            return status::success;
        }
        if (wrong.skips_second_start && args.MultipassOffset == 0) {
            bool const again = t.Flags.TransferStart && pending_ == t.hAllocation;
            pending_ = t.Flags.TransferEnd ? nullptr : t.hAllocation;
            if (again) {
                return status::success;
            }
        }
        place from = side(t.Source, t, list_offset);
        place to = side(t.Destination, t, list_offset);
        if (wrong.stale_aperture && in_aperture_.contains(t.hAllocation)) {
            (from.list != nullptr ? from : to) = place{in_aperture_.at(t.hAllocation) + t.TransferOffset};
        }
        if (wrong.swaps_sides) {
            std::swap(from, to);
        }
        if (wrong.keeps_list && (from.list != nullptr || to.list != nullptr)) {
            return keep(from.list != nullptr ? from.list : to.list, out);
        }
        if (wrong.writes_into_list && to.list != nullptr) {
            *const_cast<usize*>(to.list) += 1;
        }
        if (wrong.writes_transfer_offset) {
            t.TransferOffset += 4096;
        }
        return copies(from, to, t.TransferSize, args, out);
    }

    template <class Args>
    ntstatus discard(Args& args, writer& out) {
        auto const& d = args.DiscardContent;
        if (wrong.returns_not_supported) {
            return status::not_supported;
        }
        if (is_busy(d.hAllocation, d.Flags.AllocationIsIdle != 0)) {
            return status::graphics_allocation_busy;
        }
        return wrong.discard_clears ? fill(d.hAllocation, address(d.SegmentAddress), 4096, 0, args, out)
                                    : status::success;
    }

    template <class Map, class Args>
    ntstatus map(Map& m, Args& args, writer& out) {
        usize const* const list = array_of(m.pMdl) + (wrong.map_ignores_offset ? 0 : m.MdlOffset);
        return mapped(m, [list](u64 k) { return u64{list[k]}; }, args, out);
    }

    template <class Map, class Args>
    ntstatus map2(Map& m, Args& args, writer& out) {
        u64 const offset = wrong.map_ignores_offset ? 0 : m.AdlOffset;
        if (m.CpuVisibleAddress != nullptr || wrong.null_cpu_address) {
            look(m.CpuVisibleAddress);
            kept_view_ = m.CpuVisibleAddress;
        }
        bool const run = (m.Adl.Flags.Contiguous != 0 || wrong.list_always_run) && !wrong.run_always_list;
        if (run) {
            return mapped(m, [base = u64{m.Adl.BasePageNumber} + offset](u64 k) { return base + k; }, args, out);
        }
        // Byte by byte: what is taken for a list here may be no pointer at all, and then not even aligned.
        auto const* const list = reinterpret_cast<std::byte const*>(m.Adl.Pages) + offset * sizeof(usize);
        return mapped(
            m,
            [list](u64 k) {
                usize number = 0;
                std::memcpy(&number, list + k * sizeof number, sizeof number);
                return u64{number};
            },
            args, out);
    }

    template <class Map, class PageOf, class Args>
    ntstatus mapped(Map& m, PageOf page_of, Args& args, writer& out) {
        if (wrong.map_needs_device && m.hDevice == nullptr) {
            return status::success;
        }
        u64 const index = wrong.map_at_start ? 0 : m.OffsetInPages;
        in_aperture_.try_emplace(m.hAllocation, bases[m.SegmentId] + index * 4096);
        if (m.NumberOfPages > aperture_.entries.size() ||
            m.OffsetInPages > aperture_.entries.size() - m.NumberOfPages) {
            return status::invalid_parameter;
        }
        return points(index, m.NumberOfPages, m.Flags.CacheCoherent != 0, page_of, args, out);
    }

    template <class Args>
    ntstatus unmap(Args& args, writer& out) {
        auto const& u = args.UnmapApertureSegment;
        if (wrong.keeps_cpu_address && kept_view_ != nullptr) {
            look(kept_view_);
        }
        if (wrong.unmap_ignored) {
            return status::success;
        }
        u64 const dummy = wrong.unmap_to_zero ? 0 : address(u.DummyPage) >> 12;
        return points(
            u.OffsetInPages, wrong.unmap_first_only ? 1 : u.NumberOfPages, false, [dummy](u64) { return dummy; }, args,
            out);
    }

    static void look(void const* view) { static_cast<void>(*static_cast<std::byte const volatile*>(view)); }

    void* kept_view_ = nullptr;         // a view of the aperture's pages, for who keeps it
    std::byte* window_ = nullptr;       // where the patched window is, for a driver that executes in submit
    std::map<void*, u64> in_aperture_;  // where allocations were mapped, for who never forgets
    bool said_busy_ = false;
    void* pending_ = nullptr;  // whose transfer has started and not ended, for who takes a retry for an error
};

}  // namespace toy
