// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/iommu.hpp>

#include <doctest/doctest.h>

#include <initializer_list>

/// One condition at a time, and numbers without a name, run by the program as well as by the compiler.
namespace iommu_corners_test {

using namespace wddmcore;
using iommu::exclusive_access;
using iommu::exclusive_event;
using iommu::memory_callback;
using iommu::memory_request;
using iommu::physical_memory_object;
using iommu::verdict;

TEST_CASE("IOM-10: an event without a name is no business of exclusive access") {
    auto const nameless = static_cast<exclusive_event>(99);
    for (bool const inside : {false, true}) {
        CHECK(iommu::judge(exclusive_access{inside}, nameless) == verdict::allowed);
    }
    for (exclusive_event const event :
         {exclusive_event::begin, exclusive_event::end, exclusive_event::device_access, exclusive_event::call}) {
        // Only a begin that is allowed ends inside.
        CHECK(iommu::after({false}, event).inside == (event == exclusive_event::begin));
        CHECK(iommu::after({true}, event).inside == (event != exclusive_event::end));
    }
}

TEST_CASE("ADL-13: a callback without a name is none of an object's") {
    memory_request const created{.size = 4 * kib};
    physical_memory_object const object = iommu::after({}, created);
    memory_request const nameless{.callback = static_cast<memory_callback>(99)};
    CHECK(iommu::judge(object, nameless) == verdict::allowed);
    CHECK(iommu::after(object, nameless) == object);
    CHECK(iommu::judge({}, nameless) == verdict::not_created);
}

TEST_CASE("two objects are the same when every part of them is") {
    physical_memory_object const one = iommu::after({}, {.adapter = true, .size = 8 * kib});
    auto const differs = [&](auto change) {
        physical_memory_object other = one;
        change(other);
        return !(other == one);
    };
    CHECK(differs([](physical_memory_object& o) { o.size = 4 * kib; }));
    CHECK(differs([](physical_memory_object& o) { o.adls = 1; }));
    CHECK(differs([](physical_memory_object& o) { o.mappings = 1; }));
    CHECK(differs([](physical_memory_object& o) { o.kind = iommu::memory_kind::section; }));
    CHECK(differs([](physical_memory_object& o) { o.caching = iommu::memory_caching::write_combined; }));
    CHECK(differs([](physical_memory_object& o) { o.handle = iommu::adapter_handle::closed; }));
    CHECK(differs([](physical_memory_object& o) { o.exists = false; }));
    CHECK(differs([](physical_memory_object& o) { o.created_with_adapter = false; }));
    CHECK(!differs([](physical_memory_object&) {}));
}

TEST_CASE("verdicts and words differ by each of their parts") {
    iommu::broken_rule const rule{iommu::rule::ranges_overlap, 1, 2};
    CHECK(rule == iommu::broken_rule{iommu::rule::ranges_overlap, 1, 2});
    CHECK(!(rule == iommu::broken_rule{iommu::rule::range_too_long, 1, 2}));
    CHECK(!(rule == iommu::broken_rule{iommu::rule::ranges_overlap, 0, 2}));
    CHECK(!(rule == iommu::broken_rule{iommu::rule::ranges_overlap, 1, 3}));
    iommu::flag_words const said{1, 2, 3};
    CHECK(said == iommu::flag_words{1, 2, 3});
    CHECK(!(said == iommu::flag_words{0, 2, 3}));
    CHECK(!(said == iommu::flag_words{1, 0, 3}));
    CHECK(!(said == iommu::flag_words{1, 2, 0}));
}

TEST_CASE("IOM-04: a driver that registers with an older version says nothing that came later") {
    // Bits of DXGK_VIDMMCAPS by abi/: 11 and 13 are the secure-mode bits, of WDDM 2.4 and 2.7.
    iommu::capabilities const all{.isolation = claim::yes, .isolation_required = claim::yes};
    capabilities const none{.version = wddm::v2_3};
    CHECK(iommu::flag_words_of({.version = wddm::v2_3}, all).vidmm_caps == 0);
    CHECK(iommu::flag_words_of({.version = wddm::v2_4}, all).vidmm_caps == 0x800);
    CHECK(iommu::flag_words_of({.version = wddm::v2_6}, all).vidmm_caps == 0x800);
    CHECK(iommu::flag_words_of({.version = wddm::v2_7}, all).vidmm_caps == 0x2800);
    CHECK(iommu::flag_words_of(none, {}).vidmm_caps == 0);
}

TEST_CASE("IOM-22: the GpuVaIommu models need WDDM 3.1") {
    iommu::capabilities const required{.gpu_va_iommu_required = claim::yes};
    CHECK(iommu::judge({.version = wddm::v3_0}, required).what == iommu::rule::gpu_va_iommu_before_v3_1);
    CHECK(iommu::judge({.version = wddm::v3_1}, required) == iommu::no_rule_broken);
    CHECK(iommu::judge({.version = wddm::v3_0}, {}) == iommu::no_rule_broken);
}

TEST_CASE("IOM-01, IOM-04, IOM-05, IOM-12, IOM-22: a refusal names no place, and the version or claim it is about") {
    using iommu::broken_rule;
    using iommu::rule;
    auto const judged = [](wddm version, iommu::capabilities const& caps, u64 highest = 0xFFFF'FFFF) {
        return iommu::judge({.version = version, .aperture = aperture_forms::adl, .highest_visible_address = highest},
                            caps);
    };
    auto const number = [](wddm version) { return static_cast<u64>(version); };
    CHECK(judged(wddm::v2_3, {.isolation = claim::yes}) ==
          broken_rule{rule::isolation_before_v2_4, 0, number(wddm::v2_3)});
    CHECK(judged(wddm::v2_6, {.isolation = claim::yes, .isolation_required = claim::yes}) ==
          broken_rule{rule::isolation_required_before_v2_7, 0, number(wddm::v2_6)});
    CHECK(judged(wddm::v2_8, {.dma_remapping = claim::yes}) ==
          broken_rule{rule::dma_remapping_before_v2_9, 0, number(wddm::v2_8)});
    CHECK(judged(wddm::v3_0, {.gpu_va_iommu_required = claim::yes}) ==
          broken_rule{rule::gpu_va_iommu_before_v3_1, 0, number(wddm::v3_0)});
    CHECK(judged(wddm::v3_2, {.isolation = claim::at_run_time, .isolation_required = claim::yes}) ==
          broken_rule{rule::required_without_isolation, 0, static_cast<u64>(claim::at_run_time)});
    CHECK(judged(wddm::v3_2, {.dma_remapping = claim::yes}, ~u64{0}) ==
          broken_rule{rule::dma_remapping_without_highest_visible_address, 0, ~u64{0}});
}

namespace {

struct table_with_functions {
    void (*DxgkDdiBeginExclusiveAccess)();
    void (*DxgkDdiEndExclusiveAccess)();
};
struct table_of_an_older_header {};
void some_function() {}

}  // namespace

TEST_CASE("IOM-12: a missing exclusive-access function is named without a place") {
    using iommu::broken_rule;
    using iommu::rule;
    iommu::capabilities const isolates{.isolation = claim::at_run_time};
    CHECK(iommu::check_function_table(table_with_functions{nullptr, nullptr}, isolates) ==
          broken_rule{rule::begin_exclusive_access_missing, 0, 0});
    CHECK(iommu::check_function_table(table_with_functions{&some_function, nullptr}, isolates) ==
          broken_rule{rule::end_exclusive_access_missing, 0, 0});
    CHECK(iommu::check_function_table(table_with_functions{&some_function, &some_function}, isolates) ==
          iommu::no_rule_broken);
    CHECK(iommu::check_function_table(table_of_an_older_header{}, isolates) ==
          broken_rule{rule::begin_exclusive_access_missing, 0, 0});
}

TEST_CASE("IOM-19: a range is compared with every one before it") {
    iommu::physical_memory_range const three[] = {{0x1000, 4 * kib}, {0x4000, 8 * kib}, {0x5000, 4 * kib}};
    CHECK(iommu::judge_reserved_ranges(span_of(three), {}) ==
          iommu::broken_rule{iommu::rule::ranges_overlap, 2, 0x5000});
}

}  // namespace iommu_corners_test
