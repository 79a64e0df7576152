// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "description.hpp"

#include <algorithm>
#include <stdexcept>

namespace wddmcore::inline WDDMCORE_ABI::testing {

namespace vidmm_parts {

[[nodiscard]] inline vidmm_segment run_segment(vidmm_reported_segment const& s, std::uint64_t most) {
    vidmm_segment out;
    out.id = s.id;
    out.base = s.base;
    out.size = std::min(s.size, most / s.page_bytes() * s.page_bytes());
    out.aperture = s.is_aperture();
    out.cache_coherent = s.has(vidmm_segment_flag::cache_coherent);
    out.pages_64k = s.has(vidmm_segment_flag::use_64kb_pages);
    return out;
}

/// The larger pages of DXGK_GPUMMUCAPS. What an entry of the GPU's covers in a leaf table is in no answer: a run is
/// told when it is more than 4 KiB.
inline void run_page_sizes(vidmm_reported_adapter const& a, vidmm_page_tables& out) {
    auto const has = [&a](std::uint32_t bit) { return (a.mmu->caps >> bit & 1) != 0; };
    // LargePageSupported is said of every level above the leaf (GVA-16).
    for (std::size_t level = 1; level < out.levels.size(); ++level) {
        out.levels[level].large_pages = has(6);
    }
    // DualPteSupported, AllowNonAlignedLargePageAddress, SysMem64KBPageSupported, SysMemLargePageSupported.
    out.dual_tables = has(7);
    out.large_pages_anywhere = has(8);
    out.system_64k_pages = has(9);
    out.system_large_pages = has(11);
    out.table_bytes_64k = a.mmu->leaf_bytes_for_64k;
    std::uint32_t const entries = out.levels.empty() ? 0 : 1U << out.levels.front().index_bits >> 4;
    out.entry_bytes_64k = out.levels.empty() ? 8 : out.levels.front().entry_bytes;
    if (entries == 0 || entries * out.entry_bytes_64k > out.table_bytes_64k) {
        out.table_bytes_64k = 0;
    }
}

/// Whether the levels have numbers that can be computed with.
[[nodiscard]] inline bool is_playable(vidmm_reported_adapter const& a) {
    // Of two levels the root takes what is left.
    bool const sized = std::all_of(a.levels.begin(), a.levels.size() == 2 ? a.levels.begin() + 1 : a.levels.end(),
                                   [](auto const& l) { return l.index_bits >= 1 && l.index_bits <= 20; });
    return a.levels.size() >= 2 && a.levels.size() == a.mmu->levels && a.mmu->address_bits > 12 && sized;
}

[[nodiscard]] inline vidmm_page_tables run_tables(vidmm_reported_adapter const& a) {
    vidmm_page_tables out;
    for (vidmm_reported_level const& l : a.levels) {
        // The DDI does not say how large an entry is; where the table is no larger than its entries, it shows.
        std::uint32_t const share = l.index_bits < 32 ? l.table_bytes >> l.index_bits : 0;
        std::uint32_t const entry = share == 16 ? 16 : share >= 8 ? 8 : 4;
        out.levels.push_back({l.index_bits, entry, l.table_bytes, l.segment});
    }
    if (out.levels.size() == 2) {
        // The root takes what is left (GVA-03), and DxgkDdiGetRootPageTableSize tells its size. More than 2^20 entries
        // need more memory than a run has.
        vidmm_page_level& root = out.levels.back();
        root.entry_bytes = out.levels.front().entry_bytes;
        root.index_bits = std::min(a.mmu->address_bits - 12 - out.levels.front().index_bits, 20U);
    }
    out.paging_node = a.paging_node;
    run_page_sizes(a, out);
    std::uint32_t const caps = a.mmu->caps;
    out.mode = static_cast<page_table_update_mode>(a.mmu->update_mode);
    out.explicit_invalidation = (caps >> 3 & 1) != 0;
    out.invalid_not_cached = (caps >> 10 & 1) != 0;
    // ReadOnlyMemorySupported, NoExecuteMemorySupported and CacheCoherentMemorySupported, as bits of DXGK_PTE.
    out.attributes = (caps & 1) << 3 | (caps >> 1 & 1) << 4 | (caps >> 4 & 1) << 2;
    return out;
}

/// 4-KiB pages from address 0 on that the device can reach.
[[nodiscard]] inline std::uint64_t reachable_pages(vidmm_adapter_description const& adapter) {
    std::uint64_t last = adapter.highest_acceptable != 0 ? adapter.highest_acceptable : ~std::uint64_t{0};
    for (vidmm_physical_memory_answers const& a : adapter.before_start) {
        last = std::min(last, a.highest_visible.value_or(last));
    }
    return last / 4096 + (last % 4096 == 4095 ? 1 : 0);
}

/// Where system memory begins, so that the device reaches all of it and the paging buffers behind it (IOM-06), and none
/// of that lies at a segment's addresses. Where there is no such place, it is the usual one.
[[nodiscard]] inline std::uint64_t first_page_for(vidmm_adapter_description const& adapter, vidmm_options const& o) {
    constexpr std::uint64_t grain = 0x1000;  // larger pages of system memory begin there, too
    std::uint64_t const reachable = reachable_pages(adapter);
    std::uint64_t const needed = o.ram_pages + pages_behind_memory;
    if (reachable >= needed && o.first_page <= reachable - needed) {
        return o.first_page;
    }
    std::uint64_t end = reachable;
    while (end >= needed) {
        std::uint64_t const first = (end - needed) / grain * grain;
        auto const hit = std::find_if(o.segments.begin(), o.segments.end(), [first, needed](vidmm_segment const& s) {
            return s.base / 4096 < first + needed && (s.base + s.size + 4095) / 4096 > first;
        });
        if (hit == o.segments.end()) {
            return first;
        }
        end = hit->base / 4096;
    }
    return o.first_page;
}

}  // namespace vidmm_parts

/// The options of a run on the segments, page tables and paging buffers that the driver itself reported.
///
/// The caller adds what no answer says: the observers of its hardware (an aperture needs `page_of`, page tables
/// `translate` and `enter`, unless the driver table has them), command alignment, and what the run shall do.
/// @param adapter       what `vidmm_adapter` found
/// @param index         of the physical adapter, below their number
/// @param largest       bytes of a segment that are used: each byte of it needs memory here
/// @param smallest_space  bytes of the paging process's window where the driver leaves it to the system
/// @throws std::invalid_argument  no run can be made of the page tables that the driver described
[[nodiscard]] inline vidmm_options options_of(vidmm_adapter_description const& adapter, std::size_t index = 0,
                                              std::uint64_t largest = 64 << 20,
                                              std::uint64_t smallest_space = 16 << 20) {
    vidmm_reported_adapter const& a = adapter.adapters.at(index);
    if (a.mmu && !vidmm_parts::is_playable(a)) {
        throw std::invalid_argument("vidmm_options: the page tables' levels are incomplete or of no size");
    }
    vidmm_options out;
    bool has_aperture = false;
    for (vidmm_reported_segment const& s : a.segments) {
        if (!s.has(vidmm_segment_flag::agp)) {
            out.segments.push_back(vidmm_parts::run_segment(s, largest));
            has_aperture = has_aperture || s.is_aperture();
        }
    }
    if (has_aperture) {
        bool const adl = at_least(adapter.version, wddm::v2_9) && adapter.has(vidmm_cap::map_aperture2);
        out.aperture = adl ? vidmm_aperture::adl : vidmm_aperture::mdl;
    }
    if (a.mmu) {
        out.addressing = vidmm_addressing::gpu_virtual;
        out.page_tables = vidmm_parts::run_tables(a);
        std::uint64_t const told = std::uint64_t{a.paging_space_megabytes} << 20;
        out.va_size = told == 0 ? smallest_space : std::min(told, largest);
        // The window begins with a leaf table that is not the first.
        std::uint64_t const covered = std::uint64_t{4096} << a.levels.front().index_bits;
        out.va_base = std::max(out.va_base / covered * covered, 2 * covered);
    }
    out.notify.gpu_va_iommu =
        (a.flags & (vidmm_cap::adapter_gpu_va_iommu | vidmm_cap::adapter_gpu_va_iommu_global)) != 0;
    out.first_page = vidmm_parts::first_page_for(adapter, out);
    if (a.paging_buffer.known) {
        out.smallest_paging_buffer = a.paging_buffer.size;
        out.largest_paging_buffer = a.paging_buffer.size;
        out.paging_private_data = a.paging_buffer.private_data;
    }
    return out;
}

}  // namespace wddmcore::testing
