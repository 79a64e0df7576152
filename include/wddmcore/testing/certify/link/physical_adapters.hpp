// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../driver.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

/// Who says that a driver supports links, and of how many physical adapters one is played.
namespace wddmcore::inline WDDMCORE_ABI::testing::certify_parts {

/// The physical adapters of the link that a driver's author describes; 1: nobody says that the driver supports links.
[[nodiscard]] inline std::uint32_t physical_adapters_of(certified_driver const& d) {
    return std::max({1U, d.machine.physical_adapters, d.scheduling ? d.scheduling->engines : 1U});
}

/// How many physical adapters are paged, each in its own memory; 1: the first one, as outside a link.
/// @param described  those that the driver has answered for; 0: there are no queries
/// @param unjudged   gets what would be needed for more
[[nodiscard]] inline std::uint32_t paged_adapters_of(certified_driver const& d, std::size_t described,
                                                     std::vector<std::string>& unjudged) {
    constexpr std::uint32_t most = 32;  // bits of an affinity
    wddmcore_driver_table const& t = d.paging_table ? *d.paging_table : d.table;
    auto const all = described != 0 ? static_cast<std::uint32_t>(described) : d.machine.physical_adapters;
    if (all <= 1 || !at_least(interface_version_of(t.version), wddm::v2_0)) {
        return 1;  // before WDDM 2.0 the adapters of a link have the same segments
    }
    if (t.create_context_with_info == nullptr) {
        unjudged.emplace_back("paging on the adapters of a link beside the first: create_context_with_info");
        return 1;
    }
    return std::min(all, most);
}

/// What is not played of a link whose engines are scheduled.
inline void unjudged_of_link(certified_driver const& d, bool virtual_addresses, std::vector<std::string>& unjudged) {
    if (physical_adapters_of(d) > 2) {
        unjudged.emplace_back("scheduling of the physical adapters from 2 on, which are not played");
    }
    if (!virtual_addresses && d.table.patch == nullptr) {
        unjudged.emplace_back("buffers that are broadcast in a link (LDA-05): patch");
    }
}

}  // namespace wddmcore::testing::certify_parts
