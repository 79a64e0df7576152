// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "expect_lawful.hpp"

#include <hardware/intel_xe/xe_rig.hpp>
#include <hardware/nvidia_ampere/ampere_rig.hpp>

namespace more_examples_test {

using namespace law_rigs;
namespace intel = examples::intel;
namespace nvidia = examples::nvidia;

// The largest commands would need more memory than a test has: copies of 4 GiB.
TEST_CASE("laws: nvidia ampere, physical") {
    expect_lawful<ampere_test::law_rig<nvidia::ampere<>>>({always, physical, accesses, apertures, entries},
                                                          law_options{.rounds = 15});
}

TEST_CASE("laws: nvidia ampere, virtual") {
    expect_lawful<ampere_test::law_rig<nvidia::ampere<nvidia::virtual_paging>>>(
        {always, in_process, apertures, entries}, law_options{.rounds = 15});
}

// Memory for more than the largest copy is much to compare, so there are fewer requests.
TEST_CASE("laws: intel xe, physical") {
    expect_lawful<xe_test::law_rig<intel::xe<>>>({always, physical, accesses, apertures, entries, largest, padding},
                                                 law_options{.rounds = 8});
}

TEST_CASE("laws: intel xe, virtual") {
    expect_lawful<xe_test::law_rig<intel::xe<intel::virtual_paging>>>(
        {always, in_process, apertures, entries, largest, padding}, law_options{.rounds = 8});
}

}  // namespace more_examples_test
