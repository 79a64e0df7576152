// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "driver.hpp"
#include "paging/page.hpp"
#include "result.hpp"
#include "scheduling.hpp"

#include <functional>
#include <stdexcept>
#include <string>

namespace wddmcore::inline WDDMCORE_ABI::testing::certify_parts {

/// The life of an adapter: added, asked, started, asked again, stopped.
[[nodiscard]] inline result adapter_life(certified_driver const& d, certified_options const& o) {
    result out;
    started_adapter adapter(d, o);
    if (!adapter.has_queries()) {
        out.left_out = "the table has no query_adapter_info";
        return out;
    }
    if (adapter.start()) {
        vidmm_adapter& a = *adapter;
        auto const& said = a.description();
        if (adapter.table().create_context_with_info != nullptr) {
            a.create_context(said.adapters.at(0).mmu.has_value());
        }
        if ((said.iommu() & vidmm_cap::isolation_supported) != 0) {
            a.exclusive_access();
        }
        for (std::uint32_t number = 1; d.allocation_data && number <= 4; ++number) {
            std::vector<std::byte> const data = d.allocation_data(number);
            if (auto const made = a.create_allocation(data)) {
                a.destroy_allocation(*made);
            }
        }
        a.ask_again();
    }
    adapter.stop();
    out.count((*adapter).report());
    unjudged_of_start(d, out.unjudged);
    return out;
}

/// Random runs of the memory manager, in one life of the adapter.
[[nodiscard]] inline result paging(certified_driver const& d, certified_options const& o,
                                   std::function<bool(vidmm_options&)> const& differently) {
    result out;
    started_adapter adapter(d, o);
    if (!adapter.has_queries() && !d.observe) {
        out.left_out = "there are neither queries nor options of a memory manager";
        return out;
    }
    if (!adapter.start()) {
        out.left_out = "the adapter does not start, or says too little of itself";
        adapter.stop();
        return out;
    }
    try {
        paged const how = page(d, adapter, o, differently, out);
        if (how == paged::not_had) {
            out.left_out = "the driver or its hardware's model has none of it";
        }
        if (how != paged::well) {
            return out;
        }
    } catch (std::invalid_argument const& e) {
        if (adapter.passed()) {
            throw;
        }
        out.unjudged.push_back(std::string("paging, which the driver's answers do not allow; ") + e.what());
    }
    if (adapter.has_queries()) {
        adapter.destroy_allocations();
        (*adapter).ask_again();
        adapter.stop();
        out.count((*adapter).report());
    }
    return out;
}

/// What the engines are: as the driver's author says, or else as the driver answers. Nothing: the reason is in `out`.
[[nodiscard]] inline std::optional<scheduler::options> engines_of(certified_driver const& d, certified_options const& o,
                                                                  result& out) {
    std::string const missing = missing_for_scheduling(d.table);
    wddmcore_driver_table const& asked = d.paging_table ? *d.paging_table : d.table;
    if (d.table.start_device == nullptr || !missing.empty() || (!d.scheduling && asked.query_adapter_info == nullptr)) {
        out.left_out = "the table has no functions for scheduling, or nothing says what the engines are";
        out.unjudged.emplace_back(
            "preemption, interrupts and recovery (PRE, INT, TDR): the functions of scheduling, and query_adapter_info "
            "or `scheduling`");
        return std::nullopt;
    }
    if (d.scheduling) {
        return d.scheduling;
    }
    auto const said = nodes_told(d, o, "before scheduling", out);
    return said ? std::optional(scheduling_options_of(*said, d.table.submit_command_virtual != nullptr)) : std::nullopt;
}

/// A random run of the scheduler.
[[nodiscard]] inline result scheduling(certified_driver const& d, certified_options const& o,
                                       std::function<void(scheduler::options&)> const& differently) {
    result out;
    std::optional<scheduler::options> const engines = engines_of(d, o, out);
    if (!engines) {
        return out;
    }
    scheduler::options options = *engines;
    options.fence_id_distance = options.fence_id_distance != 0 ? options.fence_id_distance : 0x10'0000;
    scheduled_run(d, o, options, differently, &scheduler::run, "scheduling", out);
    return out;
}

/// A random run of the scheduler with the engines of a link's first two physical adapters.
[[nodiscard]] inline result linked_scheduling(certified_driver const& d, certified_options const& o,
                                              std::function<void(scheduler::options&)> const& differently) {
    if (physical_adapters_of(d) == 1) {
        result out;
        out.left_out = "nobody says that the driver supports links of adapters: `machine.physical_adapters` is 1";
        return out;
    }
    std::vector<std::string> unjudged;
    result out = scheduling(d, o, [&](scheduler::options& options) {
        options.engines = 2;
        unjudged_of_link(d, options.virtual_addresses, unjudged);
        differently(options);
    });
    out.unjudged.insert(out.unjudged.end(), unjudged.begin(), unjudged.end());
    return out;
}

}  // namespace wddmcore::testing::certify_parts
