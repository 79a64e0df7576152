// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "expect_lawful.hpp"

namespace mock_test {

using namespace law_rigs;

TEST_CASE("laws: the mock, WDDM 1.0") {
    expect_lawful<mock_gpu_rig<mock_gpu<mock::vista>>>(
        {always, physical, accesses, apertures, entries, layouts, largest, padding});
}

TEST_CASE("laws: the mock, WDDM 1.3 without an aperture") {
    expect_lawful<mock_gpu_rig<mock_gpu<mock::bare>>>({always, physical, accesses, layouts, largest, padding});
}

TEST_CASE("laws: the mock, virtual with the older aperture form") {
    expect_lawful<mock_gpu_rig<mock_gpu<mock::first_virtual>>>(
        {always, in_process, apertures, entries, largest, padding});
}

TEST_CASE("laws: the mock, virtual with ADLs") {
    expect_lawful<mock_gpu_rig<mock_gpu<mock::adl_virtual>>>(
        {always, in_process, apertures, entries, largest, padding});
}

TEST_CASE("laws: the mock that may be everything, WDDM 3.2") {
    expect_lawful<mock_gpu_rig<mock_gpu<mock::everything>>>(
        {always, physical, in_process, accesses, apertures, entries, layouts, largest, padding});
}

}  // namespace mock_test
