// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/ddi/interface_version.hpp>

#include "../base/expect_both.hpp"

namespace interface_version_test {

using namespace wddmcore;

TEST_CASE("there are 21 interface versions, from WDDM 1.0 to 3.2") {
    expect_both(sizeof interface_versions / sizeof interface_versions[0] == 21);
    expect_both(interface_versions[0] == static_cast<wddm>(0x1052));
    expect_both(interface_versions[20] == static_cast<wddm>(0x1'1007));
}

TEST_CASE("a number between two versions is the older one, one below the oldest the oldest") {
    expect_both(interface_version_of(0) == wddm::vista);
    expect_both(interface_version_of(~u32{0}) == wddm::v3_2);
    constexpr u32 count = sizeof interface_versions / sizeof interface_versions[0];
    for (u32 i = 0; i + 1 != count; ++i) {
        CAPTURE(i);
        wddm const version = interface_versions[i];
        u32 const next = static_cast<u32>(interface_versions[i + 1]);
        CHECK(interface_version_of(static_cast<u32>(version)) == version);
        // 0x5022 has a case of its own, below.
        CHECK(interface_version_of(next - 1) == (next == 0x5023 ? wddm::v2_0 : version));
        CHECK(interface_version_of(next) == interface_versions[i + 1]);
    }
}

TEST_CASE("0x5022, the number of the first public header of WDDM 2.0, is WDDM 2.0") {
    expect_both(interface_version_of(0x5022) == wddm::v2_0);
    expect_both(interface_version_of(0x5021) == wddm::v1_3_path_independent_rotation);
    expect_both(interface_version_of(0x5023) == wddm::v2_0);
}

TEST_CASE("a later version is at least an older one, and within two that are around it") {
    constexpr u32 count = sizeof interface_versions / sizeof interface_versions[0];
    for (u32 i = 0; i != count; ++i) {
        for (u32 k = 0; k != count; ++k) {
            wddm const one = interface_versions[i];
            wddm const other = interface_versions[k];
            CHECK(at_least(one, other) == (i >= k));
            CHECK(within(one, wddm::win8, other) == (i >= 3 && i <= k));
        }
    }
    CHECK(interface_versions[3] == wddm::win8);
}

}  // namespace interface_version_test
