// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../vidmm.hpp"
#include "driver.hpp"

#include <algorithm>

namespace wddmcore::inline WDDMCORE_ABI::testing::certify_parts {

/// Takes out of the options what nobody could look at, and says what it is that would be needed.
inline void leave_out_unseen(vidmm_options& o, wddmcore_driver_table const& t, std::vector<std::string>& unjudged) {
    auto const missing = [&unjudged](bool is, char const* line) {
        if (is) {
            unjudged.emplace_back(line);
        }
    };
    bool const aperture = o.aperture != vidmm_aperture::none;
    if (aperture && !o.page_of && t.aperture_page == nullptr) {
        unjudged.emplace_back("the aperture's entries (OP05-01, OP06-01, OP17-02): `page_of` or `aperture_page`");
        o.aperture = vidmm_aperture::none;
        std::erase_if(o.segments, [](vidmm_segment const& s) { return s.aperture; });
    }
    missing(aperture && !o.coherent_of, "coherency of aperture pages (OP05-03): `coherent_of`");
    bool const walks = o.page_tables.translate || t.translate != nullptr;
    bool const enters = o.page_tables.enter || t.enter_address_space != nullptr;
    if (o.page_tables.used() && (!walks || !enters)) {
        unjudged.emplace_back(
            "page tables (OP11-01 to OP14-05, GVA-11 to GVA-39): `page_tables.translate` and `enter`");
        o.page_tables = {};
    }
    missing(o.page_tables.used() && !o.page_tables.translate_in_context && t.translate_in_context == nullptr,
            "the root that a context runs with (GVA-27, GVA-28): `translate_in_context`");
    missing(!o.set_busy && t.set_allocation_busy == nullptr, "busy allocations (PGB-09): `set_busy`");
    missing(!o.lose_power && t.lose_power == nullptr, "power losses (CHK-16): `lose_power`");
    missing(o.contexts.bytes == 0 || !o.contexts.initial, "context allocations (OP10-01, OP10-03): `contexts`");
    missing(!o.contexts.private_data, "updates of context allocations (OP13-01): `contexts.private_data` and `update`");
    missing(!o.notify.on_eviction, "eviction notices (NTF-04 to NTF-14): `notify.on_eviction`");
    missing(!o.notify.writes, "unmap notices (NTF-10): `notify.writes`");
    missing(!o.notices.residency_of && !o.notices.page_residency_of, "residency (OP15-03, OP21-01): `notices`");
    missing(!o.notices.fence_value_of, "native fences (OP18-01): `notices.fence_value_of`");
    missing(o.notices.mmus.empty(), "other MMUs (OP19-01, OP19-02): `notices.mmus` and `mmu_page_of`");
}

/// The same of an adapter's start.
inline void unjudged_of_start(certified_driver const& d, std::vector<std::string>& unjudged) {
    wddmcore_driver_table const& t = d.paging_table ? *d.paging_table : d.table;
    auto const missing = [&unjudged](bool is, char const* line) {
        if (is) {
            unjudged.emplace_back(line);
        }
    };
    missing(!d.allocation_data || t.create_allocation == nullptr,
            "allocations (PREF-01 to PREF-18): `allocation_data` and create_allocation");
    missing(t.create_context_with_info == nullptr,
            "DMA buffers of contexts (SEG-39, OBS-07): create_context_with_info");
    missing(t.host_aperture_target == nullptr,
            "where a CPU host aperture leads (SEG-35 to SEG-38): host_aperture_target");
    missing(t.system_memory_accesses == nullptr, "silence during exclusive access (IOM-09): system_memory_accesses");
    missing(t.reaches_page == nullptr, "pages that the device still reaches (ADL-11): reaches_page");
    missing(d.machine.highest_visible_of.empty(), "the reach that is claimed (IOM-03): `machine.highest_visible_of`");
}

}  // namespace wddmcore::testing::certify_parts
