// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/result.hpp"
#include "entry.hpp"

/// DmaBufferSegmentSet of DXGK_CONTEXTINFO and of DXGK_DEVICEINFO: where DMA buffers live.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code. Source pages:
/// specifying-segments-for-dma-buffers.md, ns-d3dkmddi-_dxgk_contextinfo.md.
namespace wddmcore::inline WDDMCORE_ABI::segment {

/// How a context addresses memory.
enum class context_addressing : u32 {
    physical,     ///< segment addresses, patched into its buffers
    gpu_virtual,  ///< through page tables
};

/// What a driver wants for the DMA buffers of a context with physical addresses.
enum class dma_buffer_memory : u32 {
    aperture,           ///< pages of system memory behind an aperture segment
    contiguous_system,  ///< contiguous locked system memory: the set 0
};

/// The bit of a segment in a set: bit i is id i + 1 (PREF-01).
[[nodiscard]] constexpr u32 segment_bit(segment_id id) noexcept { return u32{1} << (id.n - 1); }

/// The set of a table's aperture segments. The AGP aperture is not among them: it may not be there.
[[nodiscard]] constexpr u32 aperture_set(view const& table) noexcept {
    u32 set = 0;
    for (usize i = 0; i < table.reported.count; ++i) {
        entry const& e = table.reported.data[i];
        set |= e.kind == kind::aperture ? segment_bit(e.id) : 0;
    }
    return set;
}

/// Whether a set may stand in a context's information: apertures only, or 0 (SEG-39), and 0 only for a context without
/// GPU virtual addresses (OBS-07).
///
/// @return none; out_of_range: a memory segment, or none at all; missing: 0, where the system would map a NULL
///         allocation
[[nodiscard]] constexpr errc judge_dma_buffer_segments(view const& table, context_addressing how, u32 set) noexcept {
    u32 may_be = aperture_set(table);
    for (usize i = 0; i < table.reported.count; ++i) {
        may_be |= is_aperture(table.reported.data[i]) ? segment_bit(table.reported.data[i].id) : 0;
    }
    if ((set & ~may_be) != 0) {
        return errc::out_of_range;
    }
    return set == 0 && how == context_addressing::gpu_virtual ? errc::missing : errc::none;
}

/// The DMA-buffer segment set of a context.
///
/// @param table   of any physical adapter of the link: its apertures have the same ids everywhere
/// @param how     GPU virtual addresses need an aperture, whatever is wanted: 0 is deadly there (OBS-07)
/// @param wanted  asked for where both are legal
/// @return the set; missing: GPU virtual addresses, and the table has no aperture segment (compute-only, AMB-04)
[[nodiscard]] constexpr result<u32> dma_buffer_segments(view const& table, context_addressing how,
                                                        dma_buffer_memory wanted) noexcept {
    u32 const apertures = aperture_set(table);
    if (how == context_addressing::gpu_virtual) {
        return apertures == 0 ? refused<u32>(errc::missing) : good(apertures);
    }
    return good(wanted == dma_buffer_memory::aperture ? apertures : 0u);
}

}  // namespace wddmcore::segment
