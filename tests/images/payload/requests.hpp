// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "gpu_memory.hpp"

#include <wddmcore/wddmcore.hpp>

/// What requests are made of, the same for each hardware type.
namespace images {

inline constexpr segment_id aperture_segment{1}, memory_segment{2};
inline constexpr u64 aperture_base = 0x7F'0000'0000;
inline constexpr u64 memory_bytes = u64{4} << 30;  // only its first pages are there; entries name others, too
inline constexpr u32 aperture_pages = 128;

// Bits of DXGK_PTE's Flags (ns-d3dukmdt-_dxgk_pte.md).
inline constexpr u64 pte_valid = 1, pte_zero = 2, pte_coherent = 4, pte_read_only = 8, pte_no_execute = 0x10;
inline constexpr u64 pte_in_memory = u64{2} << 5, pte_large = 0x400;

/// A name for the library, never dereferenced, and the same on every machine: names stand in commands.
[[nodiscard]] inline void* handle_of(u32 n) { return reinterpret_cast<void*>(usize{0x7E57'0000} + n * 16); }

/// Page numbers of system memory that are neither sorted nor all consecutive.
inline constexpr u32 list_length = 8;
inline constexpr usize list_pages[list_length] = {3, 4, 9, 2, 7, 8, 1, 12};

/// An MDL: the header, and after it the page numbers.
struct page_mdl {
    mirror::vista::mdl header;
    usize pages[list_length];

    void fill_in() {
        header = {};
        header.ByteCount = list_length * static_cast<u32>(page_bytes);
        for (u32 i = 0; i != list_length; ++i) {
            pages[i] = list_pages[i];
        }
    }
};
static_assert(sizeof(page_mdl) == sizeof(mirror::vista::mdl) + list_length * sizeof(usize));

/// Whether an operation can come to the hardware of a rig.
template <class Rig, paging_operation Operation>
inline constexpr bool comes = reachable(Rig::hw_type::caps, Operation);

}  // namespace images
