// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "adapter_expect.hpp"

#include <wddmcore/testing/vidmm/isolated.hpp>

#if __has_include(<sys/mman.h>)

namespace toy::adapter_crashes {

// What a driver does wrong so badly that it does not come back.
void check_crash(adapter_life const& l, wddmcore_driver_table (*spoil)(wddmcore_driver_table), char const* rule) {
    testing::vidmm_verdict const verdict = testing::run_isolated([&] {
        toy_adapter driver(l.version, l.said, l.wrong);
        testing::vidmm_adapter system(spoil(driver.table()), l.options);
        static_cast<void>(system.start());
        return system.report();
    });
    INFO(verdict.last_call);
    CHECK(verdict.how == testing::vidmm_verdict::ending::crashed);
    REQUIRE_FALSE(verdict.violations.empty());
    CHECK(verdict.violations.front().rule == rule);
}

TEST_CASE("SEG-38: a mapper that looks into the allocation crashes, and the rule is named") {
    check_crash(
        life_of(wddm::v2_9),
        [](wddmcore_driver_table t) {
            t.map_cpu_host_aperture = [](void*, void const* args) WDDMCORE_DRIVER_CALL -> int {
                auto const& a = *static_cast<mirror::v2_0::dxgkarg_mapcpuhostaperture const*>(args);
                // A member of it: NULL itself is what a sanitizer looks for.
                auto const inside = reinterpret_cast<std::uintptr_t>(a.hAllocation) + 16;
                auto const* const allocation = reinterpret_cast<int const volatile*>(inside);
                return *allocation;
            };
            return t;
        },
        "SEG-38");
}

TEST_CASE("SEG-37: a mapper that reads one index more than there are crashes, and the rule is named") {
    check_crash(
        life_of(wddm::v2_9),
        [](wddmcore_driver_table t) {
            t.map_cpu_host_aperture = [](void*, void const* args) WDDMCORE_DRIVER_CALL -> int {
                auto const& a = *static_cast<mirror::v2_0::dxgkarg_mapcpuhostaperture const*>(args);
                u32 const volatile* const behind = a.pCpuHostAperturePages + a.NumberOfPages;
                return static_cast<int>(*behind & 1);
            };
            return t;
        },
        "SEG-37");
}

TEST_CASE("SEG-02: a driver that fills more descriptors than it counted leaves the array") {
    adapter_life l = life_of(wddm::win8);
    check_crash(
        l,
        [](wddmcore_driver_table t) {
            t.query_adapter_info = [](void* adapter, void const* args) WDDMCORE_DRIVER_CALL -> int {
                auto const& a = *static_cast<mirror::vista::dxgkarg_queryadapterinfo const*>(args);
                auto& driver = *static_cast<toy_adapter*>(adapter);
                auto whole = mirror::v3_2::dxgkarg_queryadapterinfo{};
                std::memcpy(&whole, args, sizeof a);
                if (a.Type == static_cast<u32>(adapter_query::querysegment3)) {
                    auto& out = *static_cast<mirror::win8::dxgk_querysegmentout3*>(a.pOutputData);
                    if (out.pSegmentDescriptor != nullptr) {
                        out.pSegmentDescriptor[out.NbSegment] = {};
                    }
                }
                return driver.query(whole);
            };
            return t;
        },
        "SEG-02");
}

TEST_CASE("AMB-67: a driver that describes more MMUs than it counted leaves the array") {
    adapter_life l = life_of(wddm::v3_2);
    l.wrong.one_mmu_more = true;
    check_crash(l, [](wddmcore_driver_table t) { return t; }, "AMB-67");
}

}  // namespace toy::adapter_crashes

#endif
