// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "adapter_cases.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <iterator>

namespace toy {

/// Each case breaks its rule first, whatever the seed, and the adapter without the mistake breaks none.
template <std::size_t Count>
void check_cases(adapter_case const (&cases)[Count]) {
    for (adapter_case const& c : cases) {
        INFO(c.what);
        char const* const text = std::getenv("WDDMCORE_SEED");
        u64 const first = text == nullptr ? 1 : std::strtoull(text, nullptr, 0);
        for (u64 seed = first; seed < first + 3; ++seed) {
            INFO("WDDMCORE_SEED=", seed);
            adapter_life l = life_of(c.version);
            CHECK(live(l).passed());
            c.change(l);
            l.options.seed = seed;
            testing::vidmm_report const report = live(l);
            INFO(report.text());
            CHECK(report.first_rule() == c.rule);
        }
    }
}

}  // namespace toy
