// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../scheduler/hardware_queues.hpp"
#include "driver.hpp"
#include "result.hpp"
#include "scheduling.hpp"

#include <functional>
#include <optional>
#include <string>

/// How the simulator of hardware scheduling plays a driver that is certified.
namespace wddmcore::inline WDDMCORE_ABI::testing::certify_parts {

/// A scenario of hardware scheduling: what it is about, and what it changes.
struct queue_scenario {
    char const* name;
    char const* about;
    void (*differently)(hardware_queues::options&);
};

/// Those that every driver is played in, an image as well as a table.
inline constexpr queue_scenario queue_scenario_calm{
    "hardware queues", "packets go to hardware queues, contexts are suspended and resumed, native fences signaled",
    [](hardware_queues::options&) {}};
inline constexpr queue_scenario queue_scenario_troubled{
    "hardware timeouts", "the same with nodes that hang, and are reset and resumed, in vain or not",
    [](hardware_queues::options& options) {
        options.packets *= 5;
        options.hardware_writes_log = false;
        options.troubles = hardware_queues::usual_troubles;
    }};

/// The nodes of an adapter as its driver described them; every other one is given lists of contexts, where the driver
/// takes lists.
/// @param said  what `vidmm_adapter` found
[[nodiscard]] inline hardware_queues::options queue_options_of(vidmm_adapter_description const& said) {
    hardware_queues::options o;
    o.nodes = std::clamp(nodes_of(said), 1U, hardware_queues::most_nodes);
    o.list_nodes = 0xAAAA'AAAAU;
    o.fence_release_nodes = 0x3333'3333U;
    return o;
}

/// What a table lacks for hardware scheduling, in words; empty: nothing.
[[nodiscard]] inline std::string missing_for_hardware_queues(wddmcore_driver_table const& t) {
    if (!at_least(interface_version_of(t.version), wddm::v2_4)) {
        return "an interface version with hardware queues, 2.4";
    }
    char const* const missing = hardware_queues::parts::missing_in(t);
    return missing != nullptr ? missing : "";
}

/// What the nodes are: as the driver's author says, or else as the driver answers. Nothing: the reason is in `out`.
[[nodiscard]] inline std::optional<hardware_queues::options> queue_nodes_of(certified_driver const& d,
                                                                            certified_options const& o, result& out) {
    wddmcore_driver_table const& asked = d.paging_table ? *d.paging_table : d.table;
    if (std::string const missing = missing_for_hardware_queues(d.table); !missing.empty()) {
        out.left_out = "the table has no functions for hardware scheduling: " + missing;
        if (d.table.start_hardware_queues != nullptr) {
            out.unjudged.push_back("hardware queues and native fences (HWS-01 to HWS-12, HWS-15): " + missing);
        }
        return std::nullopt;
    }
    if (d.hardware_queues || asked.query_adapter_info == nullptr) {
        return d.hardware_queues ? d.hardware_queues : std::optional(hardware_queues::options{});
    }
    auto const said = nodes_told(d, o, "before hardware scheduling", out);
    return said ? std::optional(queue_options_of(*said)) : std::nullopt;
}

/// A random run of hardware scheduling.
[[nodiscard]] inline result hardware_scheduling(certified_driver const& d, certified_options const& o,
                                                std::function<void(hardware_queues::options&)> const& differently) {
    result out;
    std::optional<hardware_queues::options> const nodes = queue_nodes_of(d, o, out);
    if (nodes) {
        scheduled_run(d, o, *nodes, differently, &hardware_queues::run, "hardware scheduling", out);
    }
    return out;
}

}  // namespace wddmcore::testing::certify_parts
