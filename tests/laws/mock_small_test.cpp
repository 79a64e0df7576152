// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "expect_lawful.hpp"

namespace mock_small_test {

using namespace law_rigs;

TEST_CASE("laws: the small mock, WDDM 1.0") {
    expect_lawful<mock_small_rig<mock_small_copies<mock::vista>>>(
        {always, physical, accesses, apertures, largest, padding});
}

TEST_CASE("laws: the small mock, WDDM 1.3 without an aperture") {
    expect_lawful<mock_small_rig<mock_small_copies<mock::bare>>>({always, physical, accesses, largest, padding});
}

TEST_CASE("laws: the small mock, virtual with the older aperture form") {
    expect_lawful<mock_small_rig<mock_small_copies<mock::first_virtual>>>(
        {always, in_process, apertures, largest, padding});
}

TEST_CASE("laws: the small mock, virtual with ADLs") {
    expect_lawful<mock_small_rig<mock_small_copies<mock::adl_virtual>>>(
        {always, in_process, apertures, largest, padding});
}

TEST_CASE("laws: the small mock that may be everything, WDDM 3.2") {
    expect_lawful<mock_small_rig<mock_small_copies<mock::everything>>>(
        {always, physical, in_process, accesses, apertures, largest, padding});
}

}  // namespace mock_small_test
