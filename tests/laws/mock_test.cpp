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

TEST_CASE("laws: the mock with fills of one command or two") {
    using physical_mock = fills_by_two<mock_gpu<mock::bare>>;
    using virtual_mock = fills_by_two<mock_gpu<mock::adl_virtual>>;
    static_assert(hw::fill_of_many_lengths<physical_mock> && !hw::fill_of_one_length<physical_mock>);
    expect_lawful<mock_gpu_rig<physical_mock>>({always, physical, accesses, layouts, largest, padding});
    expect_lawful<mock_gpu_rig<virtual_mock>>({always, in_process, apertures, entries, largest, padding});
}

}  // namespace mock_test
