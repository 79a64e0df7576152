// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../link/system_context.hpp"
#include "../result.hpp"
#include "started_adapter.hpp"

#include <functional>
#include <optional>
#include <string>

namespace wddmcore::inline WDDMCORE_ABI::testing::certify_parts {

/// How the memory of one physical adapter was paged.
enum class paged : std::uint8_t {
    well,     ///< nothing was found
    badly,    ///< the driver may be anywhere: what stopping it shows would be a consequence
    not_had,  ///< it has nothing of what the scenario is about
};

/// A random run of the memory manager on one physical adapter.
/// @param o            what this adapter gets of the steps, its own seed and its own file for the trace
/// @param which        of a link; none outside a link
/// @param differently  changes the options; false: there is nothing of what the scenario is about
[[nodiscard]] inline paged page(certified_driver const& d, started_adapter& adapter, certified_options const& o,
                                std::optional<std::uint32_t> which,
                                std::function<bool(vidmm_options&)> const& differently, result& out) {
    vidmm_options options = adapter.options(o, which, out.unjudged);
    if (!differently(options)) {
        return paged::not_had;
    }
    system_context const context(adapter.table(), options);
    if (context.is_refused()) {
        return paged::badly;
    }
    context.name_in(options);
    vidmm system(adapter.table(), options, d.executor);
    if (d.attach) {
        d.attach(system);
    }
    system.run(o.seed, o.steps);
    write_trace(o.trace, system.events());
    out.count(system.report());
    return system.report().passed() ? paged::well : paged::badly;
}

/// The same on each physical adapter that is paged, one after the other in one life of the driver; they share the steps.
[[nodiscard]] inline paged page_each(certified_driver const& d, started_adapter& adapter, certified_options const& o,
                                     std::function<bool(vidmm_options&)> const& differently, result& out) {
    std::uint32_t const adapters = adapter.paged_adapters(out.unjudged);
    if (adapters == 1) {
        return page(d, adapter, o, std::nullopt, differently, out);
    }
    paged all = paged::not_had;
    for (std::uint32_t which = 0; which < adapters; ++which) {
        certified_options own = o;
        own.seed = o.seed + which;
        own.steps = (o.steps + adapters - 1 - which) / adapters;
        own.trace = which == 0 ? o.trace : file_beside(o.trace, "adapter-" + std::to_string(which));
        paged const one = page(d, adapter, own, which, differently, out);
        adapter.destroy_allocations();
        all = one == paged::not_had ? all : one;
        if (one == paged::badly) {
            break;
        }
    }
    return all;
}

}  // namespace wddmcore::testing::certify_parts
