// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

#include "table.hpp"

#include <doctest/doctest.h>

namespace table_test {
namespace {
using namespace preemption_table;

constexpr bool all_hold() {
    for (row const& r : table) {
        for (u32 from = 0; from < engine_states; ++from) {
            if (!holds(r, static_cast<engine_state>(from))) {
                return false;
            }
        }
    }
    return true;
}

TEST_CASE("PRE-08 to PRE-17, INT-07 to INT-09, TDR-04 to TDR-11, AMB-15, AMB-45 to AMB-50: each state × each event") {
    for (row const& r : table) {
        for (u32 from = 0; from < engine_states; ++from) {
            CAPTURE(static_cast<u32>(r.what));
            CAPTURE(from);
            CHECK(holds(r, static_cast<engine_state>(from)));
        }
    }
    static_assert(all_hold());
}

TEST_CASE("PRE-06, PRE-26: what is asked, and what the last completion answers, on each kind of hardware") {
    CHECK(other_kinds_hold());
    static_assert(other_kinds_hold());
}
}  // namespace
}  // namespace table_test
