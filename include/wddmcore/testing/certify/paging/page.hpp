// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../link/system_context.hpp"
#include "../result.hpp"
#include "started_adapter.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing::certify_parts {

/// How the memory of one physical adapter was paged.
enum class paged : std::uint8_t {
    well,     ///< nothing was found
    badly,    ///< the driver may be anywhere: what stopping it shows would be a consequence
    not_had,  ///< it has nothing of what the scenario is about
};

/// A random run of the memory manager on one physical adapter.
/// @param o        what this adapter gets of the steps, its own seed and its own file for the trace
/// @param options  what it does
[[nodiscard]] inline paged page(certified_driver const& d, started_adapter& adapter, certified_options const& o,
                                vidmm_options const& options, result& out) {
    vidmm system(adapter.table(), options, d.executor);
    if (d.attach) {
        d.attach(system);
    }
    system.run(o.seed, o.steps);
    write_trace(o.trace, system.events());
    out.count(system.report());
    return system.report().passed() ? paged::well : paged::badly;
}

/// The same on each physical adapter of a link, one after the other; they share the steps. All contexts are there from
/// the beginning, so that a driver cannot go by the newest one.
/// @param adapters     how many
/// @param differently  changes the options of one; false: it has nothing of what the scenario is about
[[nodiscard]] inline paged page_link(certified_driver const& d, started_adapter& adapter, certified_options const& o,
                                     std::uint32_t adapters, std::function<bool(vidmm_options&)> const& differently,
                                     result& out) {
    std::vector<certified_options> own;
    std::vector<vidmm_options> options;
    std::vector<bool> has;
    for (std::uint32_t which = 0; which < adapters; ++which) {
        own.push_back(o);
        own.back().seed = o.seed + which;
        own.back().steps = (o.steps + adapters - 1 - which) / adapters;
        own.back().trace = which == 0 ? o.trace : file_beside(o.trace, "adapter-" + std::to_string(which));
        options.push_back(adapter.options(own.back(), which, out.unjudged));
        has.push_back(differently(options.back()));
        if (!make_system_context(adapter.table(), options.back())) {
            return paged::badly;
        }
    }
    paged all = paged::not_had;
    for (std::uint32_t which = 0; which < adapters; ++which) {
        all = has[which] ? page(d, adapter, own[which], options[which], out) : all;
        if (all == paged::badly) {
            return all;
        }
        adapter.destroy_allocations();
    }
    for (vidmm_options const& each : options) {
        destroy_system_context(adapter.table(), each);
    }
    return all;
}

/// The same of an adapter, whether it is a link or not.
[[nodiscard]] inline paged page(certified_driver const& d, started_adapter& adapter, certified_options const& o,
                                std::function<bool(vidmm_options&)> const& differently, result& out) {
    std::uint32_t const adapters = adapter.paged_adapters(out.unjudged);
    if (adapters > 1) {
        return page_link(d, adapter, o, adapters, differently, out);
    }
    vidmm_options options = adapter.options(o, std::nullopt, out.unjudged);
    return differently(options) ? page(d, adapter, o, options, out) : paged::not_had;
}

}  // namespace wddmcore::testing::certify_parts
