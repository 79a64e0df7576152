// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/iommu/exclusive_access.hpp>

#include <doctest/doctest.h>

#include <initializer_list>
#include <string_view>

#include "../base/expect_both.hpp"

namespace exclusive_access_test {

using namespace wddmcore;
using iommu::exclusive_access;
using iommu::exclusive_event;
using iommu::verdict;

namespace {

constexpr exclusive_event events[] = {exclusive_event::begin, exclusive_event::end, exclusive_event::device_access,
                                      exclusive_event::call};

}  // namespace

TEST_CASE("IOM-10: begin, then end, never nested, and no other call inside") {
    constexpr exclusive_access outside{};
    constexpr exclusive_access inside = iommu::after(outside, exclusive_event::begin);
    expect_both(inside.inside);
    expect_both(iommu::judge(outside, exclusive_event::begin) == verdict::allowed);
    expect_both(iommu::judge(inside, exclusive_event::begin) == verdict::begin_inside);
    expect_both(iommu::judge(outside, exclusive_event::end) == verdict::end_outside);
    expect_both(iommu::judge(inside, exclusive_event::end) == verdict::allowed);
    expect_both(iommu::judge(outside, exclusive_event::call) == verdict::allowed);
    expect_both(iommu::judge(inside, exclusive_event::call) == verdict::call_inside);
    expect_both(iommu::after(inside, exclusive_event::end) == outside);
}

TEST_CASE("IOM-09: inside, the device leaves system memory alone") {
    expect_both(iommu::judge({false}, exclusive_event::device_access) == verdict::allowed);
    expect_both(iommu::judge({true}, exclusive_event::device_access) == verdict::device_access_inside);
    CHECK(std::string_view(iommu::rule_id(verdict::device_access_inside)) == "IOM-09");
    for (verdict const one : {verdict::begin_inside, verdict::end_outside, verdict::call_inside}) {
        CHECK(std::string_view(iommu::rule_id(one)) == "IOM-10");
    }
}

TEST_CASE("IOM-10: every history of eight events keeps to a count of begins and ends") {
    constexpr u32 histories = 4 * 4 * 4 * 4 * 4 * 4 * 4 * 4;
    u32 good = 0;
    for (u32 history = 0; history < histories; ++history) {
        exclusive_access now{};
        int depth = 0;
        bool agrees = true;
        for (u32 step = 0, rest = history; step < 8; ++step, rest /= 4) {
            exclusive_event const event = events[rest % 4];
            bool const allowed = iommu::judge(now, event) == verdict::allowed;
            bool const wanted = event == exclusive_event::end ? depth == 1 : depth == 0;
            if (allowed) {
                depth += event == exclusive_event::begin ? 1 : event == exclusive_event::end ? -1 : 0;
            }
            now = iommu::after(now, event);
            agrees = agrees && allowed == wanted && now.inside == (depth == 1);
        }
        good += agrees ? 1 : 0;
        if (!agrees) {
            MESSAGE("history " << history);
        }
    }
    CHECK(good == histories);
}

}  // namespace exclusive_access_test
