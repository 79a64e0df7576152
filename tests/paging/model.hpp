// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "effect.hpp"

#include <wddmcore/ddi/mirror/mirror.hpp>

/// What a request means, page by page and by brute force, from the contract's rules alone.
namespace wddmcore::inline WDDMCORE_ABI::testing {

/// How many page numbers lie behind an MDL's header: one for each 4 KiB that its bytes touch (OP00-10).
[[nodiscard]] inline u64 pages_of_mdl(mirror::vista::mdl const& mdl) {
    return (u64{mdl.ByteOffset} + mdl.ByteCount + 4095) / 4096;
}

[[nodiscard]] inline u64 page_of_mdl(mirror::vista::mdl const& mdl, u64 index) {
    return reinterpret_cast<usize const*>(&mdl + 1)[index];
}

/// The address of page k of one side of a physical transfer.
///
/// Segment id 0: page MdlOffset + k of the MDL, without TransferOffset (OP00-01, OP00-02). Else SegmentAddress, which
/// has the segment's base in it (OP00-03), plus TransferOffset, plus k pages.
template <class Hw, class Side>
[[nodiscard]] recorded_address side_page(Hw const& hw, Side const& side, u32 transfer_offset, u64 mdl_offset, u64 k) {
    if (side.SegmentId == 0) {
        return {page_of_mdl(*side.pMdl, mdl_offset + k) * 4096, system_space};
    }
    u64 const base = hw.places[side.SegmentId].base.n;
    return {static_cast<u64>(side.SegmentAddress.QuadPart) - base + transfer_offset + k * 4096,
            segment_space(side.SegmentId)};
}

/// The bytes of page k of a request of `size` bytes.
[[nodiscard]] inline u64 bytes_of_page(u64 size, u64 k) { return size - k * 4096 < 4096 ? size - k * 4096 : 4096; }

/// Operations 0 and 7, as a raw copy.
template <class Hw, class Transfer>
[[nodiscard]] std::vector<effect_piece> transfer_effect(Hw const& hw, Transfer const& t, u64 mdl_offset) {
    std::vector<effect_piece> pieces;
    for (u64 k = 0; k * 4096 < t.TransferSize; ++k) {
        pieces.push_back(moved(side_page(hw, t.Destination, t.TransferOffset, mdl_offset, k),
                               side_page(hw, t.Source, t.TransferOffset, mdl_offset, k),
                               bytes_of_page(t.TransferSize, k)));
    }
    return pieces;
}

/// Operations 0 and 7 with a layout change: one command a page, in the order of pages.
template <class Hw, class Transfer>
[[nodiscard]] std::vector<recorded_command> swizzle_effect(Hw const& hw, Transfer const& t, u64 mdl_offset,
                                                           u32 range_id, u32 range_data) {
    std::vector<recorded_command> commands;
    for (u64 k = 0; k * 4096 < t.TransferSize; ++k) {
        recorded_command one;
        one.kind = record_kind::swizzled_copy;
        one.destination = side_page(hw, t.Destination, t.TransferOffset, mdl_offset, k);
        one.source = side_page(hw, t.Source, t.TransferOffset, mdl_offset, k);
        one.size = bytes_of_page(t.TransferSize, k);
        one.allocation_offset = t.TransferOffset + k * 4096;
        one.swizzle_direction = t.Flags.Swizzle ? 1 : 2;
        one.allocation = handle_bits(t.hAllocation);
        one.range_id = range_id;
        one.range_data = range_data;
        commands.push_back(one);
    }
    return commands;
}

/// Operation 1.
template <class Hw, class Fill>
[[nodiscard]] std::vector<effect_piece> fill_effect(Hw const& hw, Fill const& f) {
    std::vector<effect_piece> pieces;
    u64 const start =
        static_cast<u64>(f.Destination.SegmentAddress.QuadPart) - hw.places[f.Destination.SegmentId].base.n;
    for (u64 k = 0; k * 4096 < f.FillSize; ++k) {
        // 4096 is a multiple of four: the pattern begins anew at every page (OP09-02).
        pieces.push_back(filled({start + k * 4096, segment_space(f.Destination.SegmentId)},
                                bytes_of_page(f.FillSize, k), f.FillPattern));
    }
    return pieces;
}

/// Operation 8: the addresses account for the chunk already, the allocation offset is not added (OP08-01).
template <class Transfer>
[[nodiscard]] std::vector<effect_piece> virtual_transfer_effect(Transfer const& t) {
    std::vector<effect_piece> pieces;
    for (u64 k = 0; k * 4096 < t.TransferSizeInBytes; ++k) {
        pieces.push_back(moved({t.DestinationVirtualAddress + k * 4096, virtual_space},
                               {t.SourceVirtualAddress + k * 4096, virtual_space},
                               bytes_of_page(t.TransferSizeInBytes, k)));
    }
    return pieces;
}

/// Operation 9.
template <class Fill>
[[nodiscard]] std::vector<effect_piece> virtual_fill_effect(Fill const& f) {
    std::vector<effect_piece> pieces;
    for (u64 k = 0; k * 4096 < f.FillSizeInBytes; ++k) {
        pieces.push_back(filled({f.DestinationVirtualAddress + k * 4096, virtual_space},
                                bytes_of_page(f.FillSizeInBytes, k), f.FillPattern));
    }
    return pieces;
}

/// Operation 5: page k of the range is page MdlOffset + k of the MDL (OP05-01).
template <class Map>
[[nodiscard]] std::vector<stored_entry> map_effect(Map const& m) {
    std::vector<stored_entry> entries;
    for (u64 k = 0; k < m.NumberOfPages; ++k) {
        entries.push_back(
            {m.SegmentId, m.OffsetInPages + k, page_of_mdl(*m.pMdl, u64{m.MdlOffset} + k), m.Flags.CacheCoherent != 0});
    }
    return entries;
}

/// Operation 17: page k of the range is element AdlOffset + k of the list (OP17-02).
template <class Map>
[[nodiscard]] std::vector<stored_entry> map2_effect(Map const& m) {
    std::vector<stored_entry> entries;
    for (u64 k = 0; k < m.NumberOfPages; ++k) {
        u64 const at = u64{m.AdlOffset} + k;
        u64 const page = m.Adl.Flags.Contiguous ? u64{m.Adl.BasePageNumber} + at : u64{m.Adl.Pages[at]};
        entries.push_back({m.SegmentId, m.OffsetInPages + k, page, m.Flags.CacheCoherent != 0});
    }
    return entries;
}

/// Operation 6: every page of the range is the dummy page (OP06-01).
template <class Unmap>
[[nodiscard]] std::vector<stored_entry> unmap_effect(Unmap const& u, bool coherent) {
    std::vector<stored_entry> entries;
    for (u64 k = 0; k < u.NumberOfPages; ++k) {
        entries.push_back({u.SegmentId, u.OffsetInPages + k, static_cast<u64>(u.DummyPage.QuadPart) >> 12, coherent});
    }
    return entries;
}

/// The entries that a recorded stream writes, in order.
[[nodiscard]] inline std::vector<stored_entry> entries_of(std::vector<recorded_command> const& commands) {
    std::vector<stored_entry> entries;
    for (recorded_command const& one : commands) {
        if (one.kind == record_kind::aperture_entry) {
            entries.push_back({one.segment, one.index, one.page, one.coherent});
        }
    }
    return entries;
}

}  // namespace wddmcore::testing
