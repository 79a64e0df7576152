// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "paging_rig.hpp"
#include "requests.hpp"

/// Operations 0 to 9 and 17: contents that move, and apertures.
namespace images {

/// A transfer of `size` bytes between the memory segment and listed pages of system memory.
struct listed_move {
    bool to_memory;
    u32 first_page;  ///< of the list
    u64 offset;      ///< in the memory segment, TransferOffset included
    u64 size;
};

inline void apply(gpu_memory& m, listed_move const& move) {
    for (u64 at = 0; at < move.size; at += page_bytes) {
        u64 const size = lesser<u64>(page_bytes, move.size - at);
        u64 const listed = system_base + u64{list_pages[move.first_page + at / page_bytes]} * page_bytes;
        u64 const place = memory_base + move.offset + at;
        m.copy(move.to_memory ? place : listed, move.to_memory ? listed : place, size);
    }
}

template <class Side>
void name_memory(Side& side, u64 offset) {
    side.SegmentId = memory_segment.n;
    side.SegmentAddress.QuadPart = static_cast<i64>(memory_base + offset);
}

template <class Transfer>
void fill_in(Transfer& t, listed_move const& move, page_mdl& mdl) {
    constexpr u32 transfer_offset = 0x1000;
    t.TransferOffset = transfer_offset;
    t.TransferSize = static_cast<usize>(move.size);
    t.Flags.AllocationIsIdle = 1;
    auto& memory_side = move.to_memory ? t.Destination : t.Source;
    auto& listed_side = move.to_memory ? t.Source : t.Destination;
    name_memory(memory_side, move.offset - transfer_offset);
    listed_side.SegmentId = 0;
    listed_side.pMdl = &mdl.header;
}

template <class Rig>
void check_physical_moves(Rig& rig, page_mdl& mdl) {
    using enum paging_operation;
    auto play = [&](char const* name, auto const& args, auto const& effect) { rig.play(name, args, effect); };
    if constexpr (comes<Rig, transfer>) {
        constexpr listed_move moves[] = {{true, 1, 0x3000, 5 * page_bytes},
                                         {false, 2, 0x5000, 4 * page_bytes},
                                         {true, 0, 0x1000, 2 * page_bytes + 0x204}};
        for (listed_move const& move : moves) {
            auto args = Rig::request(transfer);
            fill_in(args.Transfer, move, mdl);
            args.Transfer.MdlOffset = move.first_page;
            play("OP00: a transfer with a list of pages", args, [&](gpu_memory& m) { apply(m, move); });
        }
        constexpr u64 places[][2] = {{0x1000, 0x3000}, {0x3000, 0x1000}, {0x1000, 0x7000}, {0x7000, 0x1000}};
        for (auto const& place : places) {
            u64 const from = place[0], to = place[1];
            auto args = Rig::request(transfer);
            args.Transfer.TransferSize = 5 * page_bytes;
            args.Transfer.Flags.AllocationIsIdle = 1;
            name_memory(args.Transfer.Source, from);
            name_memory(args.Transfer.Destination, to);
            play("OP00: a transfer inside the segment, some overlapping", args,
                 [from, to](gpu_memory& m) { m.copy(memory_base + to, memory_base + from, 5 * page_bytes); });
        }
    }
    if constexpr (comes<Rig, special_lock_transfer>) {
        listed_move const move{false, 0, 0x4000, 6 * page_bytes};
        auto args = Rig::request(special_lock_transfer);
        fill_in(args.SpecialLockTransfer, move, mdl);
        play("OP07: a special lock transfer", args, [&](gpu_memory& m) { apply(m, move); });
    }
    if constexpr (comes<Rig, fill>) {
        auto args = Rig::request(fill);
        args.Fill.FillSize = 0x5004;
        args.Fill.FillPattern = 0xA5C3'3C5A;
        name_memory(args.Fill.Destination, 0x2000);
        play("OP01: a fill", args, [](gpu_memory& m) { m.fill(memory_base + 0x2000, 0x5004, 0xA5C3'3C5A); });
    }
    if constexpr (comes<Rig, discard_content>) {
        auto args = Rig::request(discard_content);
        args.DiscardContent.hAllocation = handle_of(9);
        args.DiscardContent.Flags.AllocationIsIdle = 1;
        name_memory(args.DiscardContent, 0x2000);
        play("OP02: content that nobody needs", args, [](gpu_memory&) {});
    }
    if constexpr (comes<Rig, read_physical>) {
        auto args = Rig::request(read_physical);
        args.ReadPhysical.SegmentId = memory_segment.n;
        args.ReadPhysical.PhysicalAddress.QuadPart = static_cast<i64>(memory_base + 0x3456);
        play("OP03: a read of one place", args, [](gpu_memory&) {});
    }
    if constexpr (comes<Rig, write_physical>) {
        auto args = Rig::request(write_physical);
        args.WritePhysical.SegmentId = memory_segment.n;
        args.WritePhysical.PhysicalAddress.QuadPart = static_cast<i64>(memory_base + 0x3457);
        play("OP04: a write of one place", args, [&](gpu_memory& m) { rig.machine.touch(m, memory_base + 0x3457); });
    }
}

template <class Rig>
void check_virtual_moves(Rig& rig) {
    using enum paging_operation;
    if constexpr (comes<Rig, virtual_transfer>) {
        constexpr u64 destinations[] = {0x8000, 0x3000};
        for (u64 const to : destinations) {
            auto args = Rig::request(virtual_transfer);
            args.TransferVirtual.TransferSizeInBytes = 0x4804;
            args.TransferVirtual.SourceVirtualAddress = virtual_base + 0x1000;
            args.TransferVirtual.DestinationVirtualAddress = virtual_base + to;
            rig.play("OP08: a virtual transfer", args,
                     [&](gpu_memory& m) { m.copy(virtual_base + to, virtual_base + 0x1000, 0x4804); });
        }
    }
    if constexpr (comes<Rig, virtual_fill>) {
        auto args = Rig::request(virtual_fill);
        args.FillVirtual.FillSizeInBytes = 0x3008;
        args.FillVirtual.FillPattern = 0x0102'0304;
        args.FillVirtual.DestinationVirtualAddress = virtual_base + 0x6000;
        rig.play("OP09: a virtual fill", args,
                 [](gpu_memory& m) { m.fill(virtual_base + 0x6000, 0x3008, 0x0102'0304); });
    }
}

template <class Rig>
void check_apertures(Rig& rig, page_mdl& mdl) {
    using enum paging_operation;
    // By command, then at once.
    auto play = [&](char const* name, auto args, auto const& effect) {
        rig.play(name, args, effect);
        rig.play_at_once(name, args, effect);
    };
    auto const expected = [&](gpu_memory& m, u32 first, u32 skip, u32 count, bool coherent) {
        for (u32 i = 0; i != count; ++i) {
            rig.machine.map(m, first + i, list_pages[skip + i], coherent);
        }
    };
    if constexpr (comes<Rig, map_aperture_segment>) {
        auto args = Rig::request(map_aperture_segment);
        args.MapApertureSegment.SegmentId = aperture_segment.n;
        args.MapApertureSegment.OffsetInPages = 17;
        args.MapApertureSegment.NumberOfPages = 6;
        args.MapApertureSegment.pMdl = &mdl.header;
        args.MapApertureSegment.MdlOffset = 2;
        args.MapApertureSegment.Flags.CacheCoherent = 1;
        play("OP05: pages of an MDL in the aperture", args, [&](gpu_memory& m) { expected(m, 17, 2, 6, true); });
    }
    if constexpr (comes<Rig, map_aperture_segment2>) {
        auto args = Rig::request(map_aperture_segment2);
        auto& map = args.MapApertureSegment2;
        map.SegmentId = aperture_segment.n;
        map.OffsetInPages = 3;
        map.NumberOfPages = 7;
        map.AdlOffset = 1;
        map.Adl.PageCount = list_length;
        map.Adl.Pages = list_pages;
        play("OP17: pages of a list", args, [&](gpu_memory& m) { expected(m, 3, 1, 7, false); });
        map.Adl.Flags.Contiguous = 1;
        map.Adl.BasePageNumber = 5;
        map.Flags.CacheCoherent = 1;
        play("OP17: contiguous pages", args, [&](gpu_memory& m) {
            for (u32 i = 0; i != 7; ++i) {
                rig.machine.map(m, 3 + i, 6 + i, true);
            }
        });
    }
    if constexpr (comes<Rig, unmap_aperture_segment>) {
        auto args = Rig::request(unmap_aperture_segment);
        args.UnmapApertureSegment.SegmentId = aperture_segment.n;
        args.UnmapApertureSegment.OffsetInPages = 2;
        args.UnmapApertureSegment.NumberOfPages = 9;
        args.UnmapApertureSegment.DummyPage.QuadPart = 0xD000;
        play("OP06: the dummy page in the aperture", args, [&](gpu_memory& m) {
            for (u32 i = 0; i != 9; ++i) {
                rig.machine.map(m, 2 + i, 0xD, false);
            }
        });
    }
}

}  // namespace images
