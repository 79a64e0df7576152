// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../scheduler/calls/ddi_calls.hpp"
#include "../scheduler/options.hpp"
#include "../vidmm/adapter/run.hpp"
#include "../vidmm/adapter/start.hpp"
#include "driver.hpp"
#include "result.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>

/// How the scheduler's simulator plays a driver that has answered, whatever kind of driver it is.
namespace wddmcore::inline WDDMCORE_ABI::testing::certify_parts {

/// Whether nodes are the physical adapter's, as from WDDM 2.0 on; the driver's in DRIVERCAPS are ignored then (LDA-08).
[[nodiscard]] inline bool are_of_adapter(vidmm_adapter_description const& said) {
    return at_least(said.version, wddm::v2_0) && !said.adapters.empty();
}
/// How many nodes a driver has.
[[nodiscard]] inline std::uint32_t nodes_of(vidmm_adapter_description const& said) {
    return are_of_adapter(said) ? said.adapters.front().execution_nodes : said.nodes;
}

/// Which node pages.
[[nodiscard]] inline std::uint32_t paging_node_of(vidmm_adapter_description const& said) {
    return are_of_adapter(said) ? said.adapters.front().paging_node : said.paging_node;
}

/// What is not played of the nodes that a driver has; empty: all are.
[[nodiscard]] inline std::string unjudged_nodes(vidmm_adapter_description const& said) {
    if (nodes_of(said) <= scheduler::most_nodes) {
        return {};
    }
    return "scheduling of the nodes from " + std::to_string(scheduler::most_nodes) + " on, which are not played";
}

/// The flips of a driver that declares what it does: to primaries in the first segment that is no aperture.
[[nodiscard]] inline scheduler::display_options flips_of(vidmm_adapter_description const& said) {
    scheduler::display_options d;
    d.declared = said.flips_by_registers;
    d.sources = said.preempts || d.declared ? 1 : 0;
    for (vidmm_reported_adapter const& adapter : said.adapters) {
        for (vidmm_reported_segment const& s : adapter.segments) {
            constexpr std::uint64_t page = 0x1'0000;
            if (!s.is_aperture() && s.size / 8 >= page) {
                d.segment = s.id;
                d.primary_bytes = std::min<std::uint64_t>(s.size / 8 / page * page, 0x80'0000);
                d.first_address = s.base + d.primary_bytes;  // never 0, which no vsync may tell (FLP-05)
                return d;
            }
        }
    }
    d.sources = 0;
    return d;
}

/// The engines of an adapter as its driver described them: nodes, the paging node, the length of a queue, where the
/// hardware stops.
/// @param said             what `vidmm_adapter` found
/// @param submits_virtual  the driver has DxgkDdiSubmitCommandVirtual
[[nodiscard]] inline scheduler::options scheduling_options_of(vidmm_adapter_description const& said,
                                                              bool submits_virtual) {
    bool const own = are_of_adapter(said);
    std::uint32_t const paging = paging_node_of(said);
    scheduler::options o;
    o.nodes = std::clamp(nodes_of(said), 1U, scheduler::most_nodes);
    o.paging_nodes = paging < o.nodes ? 1U << paging : 0;
    o.virtual_addresses = own && submits_virtual && said.has(vidmm_cap::virtual_addressing);
    if (at_least(said.version, wddm::v2_3)) {
        o.ring_entries = said.packet_cap != 0 ? said.packet_cap : 64;  // AMB-54
    }
    std::uint32_t const stops = said.compute_only ? said.compute_preemption : said.graphics_preemption;
    for (scheduler::granularity const g : scheduler::granularities) {
        o.stops_at = static_cast<std::uint32_t>(g) <= stops ? g : o.stops_at;
    }
    o.stops_at = stops < 100 ? scheduler::granularity::nowhere : o.stops_at;
    o.display = flips_of(said);
    return o;
}

/// What the table lacks of the functions that scheduling calls; empty: nothing.
[[nodiscard]] inline std::string missing_for_scheduling(wddmcore_driver_table const& t) {
    if (!at_least(interface_version_of(t.version), wddm::win8)) {
        return "an interface version that knows preemption (PRE-01)";
    }
    char const* const missing = scheduler::parts::first_missing({
        {"DxgkDdiCreateContext", t.create_context != nullptr},
        {"DxgkDdiDestroyContext", t.destroy_context != nullptr},
        {"DxgkDdiSubmitCommand or DxgkDdiSubmitCommandVirtual",
         t.submit_command != nullptr || t.submit_command_virtual != nullptr},
        {"DxgkDdiPreemptCommand", t.preempt_command != nullptr},
        {"DxgkDdiQueryCurrentFence", t.query_current_fence != nullptr},
        {"DxgkDdiInterruptRoutine", t.interrupt_routine != nullptr},
        {"DxgkDdiDpcRoutine", t.dpc_routine != nullptr},
        {"DxgkDdiResetFromTimeout", t.reset_from_timeout != nullptr},
        {"DxgkDdiRestartFromTimeout", t.restart_from_timeout != nullptr},
    });
    return missing != nullptr ? missing : "";
}

/// What a driver answers, in a life of the adapter that is not judged: other scenarios judge it.
/// @param refusal  the function that failed, if one did
[[nodiscard]] inline std::optional<vidmm_adapter_description> answers_of(wddmcore_driver_table const& table,
                                                                         vidmm_adapter_options const& machine,
                                                                         std::string& refusal) {
    auto*& kept = vidmm_parts::findings_of_this_process();
    auto* const before = std::exchange(kept, nullptr);
    vidmm_adapter adapter(table, machine);
    static_cast<void>(adapter.start());
    refusal = adapter.refusal();
    static_cast<void>(adapter.stop());
    kept = before;
    if (!refusal.empty()) {
        return std::nullopt;
    }
    return adapter.description();
}

/// What a driver answers of its nodes, before a scenario that plays them; those that are not played are said.
/// Nothing: a finding has the reason.
/// @param before  the scenario, in the finding's words
[[nodiscard]] inline std::optional<vidmm_adapter_description> nodes_told(certified_driver const& d,
                                                                         certified_options const& o,
                                                                         std::string const& before, result& out) {
    vidmm_adapter_options machine = d.machine;
    machine.seed = o.seed;
    std::string refusal;
    auto const said = answers_of(d.paging_table ? *d.paging_table : d.table, machine, refusal);
    if (!said) {
        vidmm_parts::keep_finding(crash_id::refused, refusal, before);
        return std::nullopt;
    }
    if (std::string const left = unjudged_nodes(*said); !left.empty()) {
        out.unjudged.push_back(left);
    }
    return said;
}

/// Plays a simulator of scheduling between an adapter's AddDevice and its RemoveDevice.
/// @param options      the simulator's; packets, trace and where it stops come from `o`
/// @param differently  what a scenario changes of them
/// @param play         the simulator
/// @param what         it is called, in findings
/// @param out          gets what it finds
template <class Options>
void scheduled_run(certified_driver const& d, certified_options const& o, Options options,
                   std::function<void(Options&)> const& differently,
                   scheduler::report (*play)(wddmcore_driver_table const&, Options const&, std::uint64_t),
                   std::string const& what, result& out) {
    options.packets = o.packets;
    options.stop_after = o.only_first ? 1 : 0;
    differently(options);
    if (d.table.add_device != nullptr) {
        vidmm_parts::journal::current().call("DxgkDdiAddDevice", false);
        if (d.table.add_device(d.table.adapter) < 0) {
            vidmm_parts::keep_finding(crash_id::refused, "DxgkDdiAddDevice fails", "before " + what);
            return;
        }
    }
    trace events;
    options.trace = o.trace.empty() ? nullptr : &events;
    scheduler::report const report = play(d.table, options, o.seed);
    write_trace(o.trace, events);
    out.count(report);
    if (report.passed()) {
        for (auto const function : {d.table.stop_device, d.table.remove_device}) {
            if (function != nullptr && function(d.table.adapter) < 0) {
                vidmm_parts::keep_finding(crash_id::refused, "DxgkDdiStopDevice or DxgkDdiRemoveDevice fails",
                                          "after " + what);
            }
        }
    }
}

}  // namespace wddmcore::testing::certify_parts
