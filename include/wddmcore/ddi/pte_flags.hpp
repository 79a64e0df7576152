// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/bits.hpp"
#include "../base/units.hpp"

/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI {

/// The `Flags` word of a DXGK_PTE, read as one value. Its reserved bits are ignored (GVA-22).
///
/// Its functions: any IRQL, touch no OS state, safe in non-paged code. DDI: WDDM 2.0.
/// Source page: ns-d3dukmdt-_dxgk_pte.md.
struct pte_flags {
    u64 n;

    static constexpr u64 valid_bit = 1;              ///< Valid
    static constexpr u64 zero_bit = 2;               ///< Zero
    static constexpr u64 cache_coherent_bit = 4;     ///< CacheCoherent
    static constexpr u64 read_only_bit = 8;          ///< ReadOnly
    static constexpr u64 no_execute_bit = 0x10;      ///< NoExecute
    static constexpr u64 large_page_bit = 0x400;     ///< LargePage
    using segment_field = bit_field<u64, 9, 5>;      ///< Segment
    using adapter_field = bit_field<u64, 16, 11>;    ///< PhysicalAdapterIndex
    using page_size_field = bit_field<u64, 18, 17>;  ///< PageTablePageSize
    static constexpr u64 known = low_mask<u64>(19);  ///< every bit that has a meaning
    static constexpr u64 key = low_mask<u64>(10);    ///< Valid to Segment: what leaf entries commonly differ in

    /// @return of these six, whether the bit of that name is set; `large_page` only counts above the leaf (GVA-16)
    [[nodiscard]] constexpr bool valid() const noexcept { return (n & valid_bit) != 0; }
    [[nodiscard]] constexpr bool zero() const noexcept { return (n & zero_bit) != 0; }
    [[nodiscard]] constexpr bool cache_coherent() const noexcept { return (n & cache_coherent_bit) != 0; }
    [[nodiscard]] constexpr bool read_only() const noexcept { return (n & read_only_bit) != 0; }
    [[nodiscard]] constexpr bool no_execute() const noexcept { return (n & no_execute_bit) != 0; }
    [[nodiscard]] constexpr bool large_page() const noexcept { return (n & large_page_bit) != 0; }

    /// @return the segment that holds the page or the table, 0 to 31; 0 is system memory (GVA-18)
    [[nodiscard]] constexpr segment_id segment() const noexcept { return {static_cast<u32>(segment_field::of(n))}; }
    /// @return the physical adapter of the link whose memory it is, 0 to 63 (GVA-21)
    [[nodiscard]] constexpr u32 adapter() const noexcept { return static_cast<u32>(adapter_field::of(n)); }
    /// @return the pages of the leaf table below, 0 for 4 KiB, 1 for 64 KiB: level 1, single-PTE mode only (GVA-11)
    [[nodiscard]] constexpr u32 table_page_size() const noexcept { return static_cast<u32>(page_size_field::of(n)); }
    /// @return whether the leaf table below has 64-KiB entries (GVA-11)
    [[nodiscard]] constexpr bool names_64k_table() const noexcept { return table_page_size() == 1; }

    friend constexpr bool operator==(pte_flags, pte_flags) = default;
};

}  // namespace wddmcore
