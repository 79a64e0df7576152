// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/result.hpp"
#include "../base/units.hpp"

/// What a driver gets from DxgkCbMapPhysicalMemory, whose arguments Offset and Size are in and out (ADL-15).
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code. DDI: WDDM 2.9.
/// Source page: ns-d3dkmddi-dxgkargcb_map_physical_memory.md.
namespace wddmcore::inline WDDMCORE_ABI::iommu {

/// A CPU mapping, as offsets from pMappedAddress.
struct mapping {
    bytes data{0};  ///< where the requested bytes begin
    bytes size{0};  ///< everything that is mapped, as unmapping needs it
};

/// The mapping that the system returned for a request (ADL-15).
///
/// @param asked            the Size that went in
/// @param returned_offset  the Offset that came out
/// @param returned_size    the Size that came out; may be larger than asked
/// @return the mapping; errc::out_of_range when it does not hold all requested bytes
[[nodiscard]] constexpr result<mapping> mapping_of(bytes asked, bytes returned_offset, bytes returned_size) noexcept {
    return fits(returned_offset.n, asked.n, returned_size.n) ? good(mapping{returned_offset, returned_size})
                                                             : refused<mapping>(errc::out_of_range);
}

/// The first requested byte: the mapped base plus the returned offset (ADL-15).
///
/// @param base  pMappedAddress
[[nodiscard]] constexpr u8* data_of(u8* base, mapping const& of) noexcept {
    return base + static_cast<usize>(of.data.n);
}

/// The number of pages in an ADL of a given size (ADL-10).
///
/// @return size / 4096; errc::misaligned when there is a remainder, errc::overflow when the number does not fit
///         PageCount
[[nodiscard]] constexpr result<u32> pages_of_adl(bytes size) noexcept {
    if (!is_multiple(size.n, page_bytes)) {
        return refused<u32>(errc::misaligned);
    }
    u64 const count = whole_pages(size).n;
    return count > ~u32{0} ? refused<u32>(errc::overflow) : good(static_cast<u32>(count));
}

}  // namespace wddmcore::iommu
