// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../manager.hpp"

/// What a power transition does to memory and page tables.
namespace wddmcore::inline WDDMCORE_ABI::testing {

/// Everything leaves first; what was in memory segments and page tables is junk then, and is initialised again
/// (CHK-16).
inline void vidmm::power_loss() {
    ready();
    for (auto& [number, a] : allocations_) {
        if (a.where.is == kind::segment && !evict(number)) {
            discard(number);
        } else if (a.where.is == kind::aperture) {
            unmap_aperture(number);
        }
    }
    for (auto& [number, p] : processes_) {
        tables_.evict_all(*p.space);
        p.mapped.clear();
    }
    queue_.drain();
    if (m_.stopped) {
        return;
    }
    ++m_.power_losses;
    m_.events.moment(vidmm_parts::track_system, "power loss", m_.clock);
    if (m_.options.lose_power) {
        m_.options.lose_power();
    }
    for (vidmm_segment const& s : m_.options.segments) {
        if (!s.aperture && !s.hollow) {
            m_.memory.junk(s.base, s.size, m_.junk());
        }
    }
    for (std::uint64_t k = 0; k < m_.aperture_must_be.size(); ++k) {
        m_.aperture_must_be[static_cast<std::size_t>(k)] = m_.options.page_of(k);
    }
    if (tables_.used()) {
        tables_.power_lost();
        tables_.initialise();
    }
}

}  // namespace wddmcore::testing
