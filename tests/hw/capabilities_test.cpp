// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/hw.hpp>
#include <wddmcore/paging/operations.hpp>

#include <doctest/doctest.h>

#include <initializer_list>

namespace capabilities_test {

using namespace wddmcore;

namespace {

constexpr bool arrives(capabilities const& caps, u32 code) {
    return reachable(caps, static_cast<paging_operation>(code));
}

}  // namespace

TEST_CASE("AMB-02: what is not claimed is no: the least driver gets physical paging and nothing else") {
    constexpr capabilities least{.version = wddm::v3_2};
    static_assert(least.oldest == wddm::v3_2);
    static_assert(least.highest_visible_address == ~u64{0});
    for (u32 code = 0; code != paging_operation_count; ++code) {
        CAPTURE(code);
        CHECK(arrives(least, code) == (code <= 2));
    }
}

TEST_CASE("OP17-01: an aperture that may be of either form needs both operations and the one unmap") {
    constexpr capabilities either{.version = wddm::v2_9, .aperture = aperture_forms::either};
    CHECK(arrives(either, 5));
    CHECK(arrives(either, 6));
    CHECK(arrives(either, 17));

    // Neither form is the superset of the other.
    constexpr capabilities adl{.version = wddm::v2_9, .aperture = aperture_forms::adl};
    CHECK_FALSE(arrives(adl, 5));
    CHECK(arrives(adl, 6));
    CHECK(arrives(adl, 17));
    constexpr capabilities mdl{.version = wddm::v2_9, .aperture = aperture_forms::mdl};
    CHECK(arrives(mdl, 5));
    CHECK(arrives(mdl, 6));
    CHECK_FALSE(arrives(mdl, 17));
}

TEST_CASE("AMB-25: an aperture from ADLs is mapped from MDLs below WDDM 2.9") {
    constexpr capabilities also_older{.version = wddm::v2_9, .oldest = wddm::v2_8, .aperture = aperture_forms::adl};
    CHECK(arrives(also_older, 5));
    CHECK(arrives(also_older, 17));
    constexpr capabilities only_older{.version = wddm::v2_8, .aperture = aperture_forms::adl};
    CHECK(arrives(only_older, 5));
    CHECK_FALSE(arrives(only_older, 17));
}

TEST_CASE("AMB-02: a driver that pages by virtual addresses gets segment addresses where it declares less than 2.0") {
    constexpr capabilities also_older{
        .version = wddm::v2_9, .oldest = wddm::v1_3, .addresses = paging_addresses::gpu_virtual};
    for (u32 const code : {0u, 1u, 2u, 3u, 4u, 8u, 9u}) {
        CAPTURE(code);
        CHECK(arrives(also_older, code));
    }
    constexpr capabilities only_newer{.version = wddm::v2_9, .addresses = paging_addresses::gpu_virtual};
    for (u32 const code : {0u, 1u, 3u, 4u}) {
        CAPTURE(code);
        CHECK_FALSE(arrives(only_newer, code));
    }
    CHECK(arrives(only_newer, 8));
    CHECK(arrives(only_newer, 9));
}

TEST_CASE("OP03-01: operations 3 and 4 come to drivers that ever declare less than 2.0, and to no other") {
    CHECK(arrives({.version = wddm::v1_3}, 3));
    CHECK(arrives({.version = wddm::v3_2, .oldest = wddm::v1_3}, 4));
    CHECK_FALSE(arrives({.version = wddm::v2_0}, 3));
    CHECK_FALSE(arrives({.version = wddm::v3_2, .oldest = wddm::v2_0}, 4));
}

TEST_CASE("OP14-03: page-table copies do not come when only the CPU writes the tables") {
    capabilities caps{.version = wddm::v2_0, .gpu_mmu = claim::yes, .tiled_resources = claim::yes};
    caps.page_tables = update_modes::cpu_virtual;
    CHECK_FALSE(arrives(caps, 14));
    caps.page_tables = update_modes::cpu_virtual | update_modes::gpu_virtual;
    CHECK(arrives(caps, 14));
    caps.page_tables = update_modes::gpu_physical;
    CHECK(arrives(caps, 14));
}

TEST_CASE("law 5: sets share a value exactly when a bit is common") {
    CHECK(contains(paging_addresses::both, paging_addresses::gpu_virtual));
    CHECK_FALSE(contains(paging_addresses::physical, paging_addresses::gpu_virtual));
    CHECK(contains(aperture_forms::either, aperture_forms::mdl));
    CHECK_FALSE(contains(aperture_forms::none, aperture_forms::mdl));
    CHECK(contains(update_modes::cpu_virtual | update_modes::gpu_physical, update_modes::gpu_physical));
    CHECK_FALSE(contains(update_modes::cpu_virtual | update_modes::gpu_physical, update_modes::gpu_virtual));
}

}  // namespace capabilities_test
