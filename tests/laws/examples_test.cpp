// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "expect_lawful.hpp"

namespace examples_test {

using namespace law_rigs;

TEST_CASE("laws: the cpu example, physical") {
    expect_lawful<cpu_rig<examples::cpu::physical_paging>>({always, physical, accesses, apertures, entries});
}

TEST_CASE("laws: the cpu example, virtual") {
    expect_lawful<cpu_rig<examples::cpu::virtual_paging>>({always, in_process, apertures, entries});
}

// Memory for more than the largest copy is much to compare, so there are fewer requests.
TEST_CASE("laws: amd gfx10, physical") {
    expect_lawful<amd_rig<examples::amd::physical_paging>>(
        {always, physical, accesses, apertures, entries, largest, padding}, law_options{.rounds = 15});
}

TEST_CASE("laws: amd gfx10, virtual") {
    expect_lawful<amd_rig<examples::amd::virtual_paging>>({always, in_process, apertures, entries, largest, padding},
                                                          law_options{.rounds = 15});
}

}  // namespace examples_test
