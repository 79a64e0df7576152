// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/ddi/mirror/mirror.hpp>
#include <wddmcore/iommu.hpp>

#include <doctest/doctest.h>

#include <initializer_list>
#include <string_view>

#include "../base/expect_both.hpp"

namespace iommu_answers_test {

using namespace wddmcore;
using iommu::broken_rule;
using iommu::no_rule_broken;
using iommu::physical_memory_range;
using iommu::rule;

namespace {

template <usize Count>
constexpr broken_rule judged(physical_memory_range const (&ranges)[Count],
                             span<physical_memory_range const> managed = {nullptr, 0}) {
    return iommu::judge_reserved_ranges(span_of(ranges), managed);
}

struct initialization_data {
    int (*DxgkDdiBeginExclusiveAccess)() = nullptr;
    int (*DxgkDdiEndExclusiveAccess)() = nullptr;
};
struct earlier_initialization_data {
    int (*DxgkDdiAddDevice)() = nullptr;
};
constexpr int function() { return 0; }

}  // namespace

TEST_CASE("IOM-12: with isolation both exclusive-access functions are there") {
    constexpr iommu::capabilities isolated{.isolation = claim::yes};
    constexpr iommu::capabilities perhaps{.isolation = claim::at_run_time};
    constexpr initialization_data both{function, function};
    expect_both(iommu::check_function_table(both, isolated) == no_rule_broken);
    expect_both(iommu::check_function_table(initialization_data{}, {}) == no_rule_broken);
    for (iommu::capabilities const& caps : {isolated, perhaps}) {
        CHECK(iommu::check_function_table(initialization_data{}, caps).what == rule::begin_exclusive_access_missing);
        CHECK(iommu::check_function_table(initialization_data{nullptr, function}, caps).what ==
              rule::begin_exclusive_access_missing);
        CHECK(iommu::check_function_table(initialization_data{function, nullptr}, caps).what ==
              rule::end_exclusive_access_missing);
        // A header before WDDM 2.4 has no such members.
        CHECK(iommu::check_function_table(earlier_initialization_data{}, caps).what ==
              rule::begin_exclusive_access_missing);
    }
    expect_both(iommu::check_function_table(earlier_initialization_data{}, {}) == no_rule_broken);
}

TEST_CASE("IOM-14: memory callbacks at APC_LEVEL or below") {
    for (u32 level = 0; level < 32; ++level) {
        iommu::irql const at{static_cast<u8>(level)};
        CHECK(iommu::may_call_memory_callbacks(at) == (level <= 1));
    }
    // The numbers of KIRQL that the kernel hands out on every machine.
    static_assert(iommu::passive_level.n == 0 && iommu::apc_level.n == 1 && iommu::dispatch_level.n == 2);
}

TEST_CASE("IOM-17: the frame-buffer save size is a multiple of the page size") {
    expect_both(iommu::frame_buffer_save_size({0}).get() == bytes{0});
    expect_both(iommu::frame_buffer_save_size({1}).get() == bytes{4096});
    expect_both(iommu::frame_buffer_save_size({4096}).get() == bytes{4096});
    expect_both(iommu::frame_buffer_save_size({8 * (u64{1} << 30) + 1}).get() == bytes{0x2'0000'1000});
    expect_both(iommu::frame_buffer_save_size({~u64{0}}).error == errc::overflow);
}

TEST_CASE("IOM-19: reserved ranges are whole pages that overlap neither each other nor the system's memory") {
    static constexpr physical_memory_range good[] = {{0x1000, {0x1000}}, {0x3000, {0x2000}}, {0x2000, {0x1000}}};
    static constexpr physical_memory_range crossing[] = {{0x1000, {0x2000}}, {0x2000, {0x2000}}};
    static constexpr physical_memory_range unaligned[] = {{0x1000, {0x1000}}, {0x2800, {0x1000}}};
    static constexpr physical_memory_range broken_page[] = {{0x1000, {0x1800}}};
    static constexpr physical_memory_range nothing[] = {{0x1000, {0}}};
    static constexpr physical_memory_range last_page[] = {{0xFFFF'FFFF'FFFF'F000, {0x1000}}};
    static constexpr physical_memory_range behind_last[] = {{0xFFFF'FFFF'FFFF'F000, {0x2000}}};
    static constexpr physical_memory_range managed[] = {{0, {0x1000}}, {0x4000, {0x1000}}};
    static constexpr physical_memory_range managed_elsewhere[] = {{0, {0x1000}}, {0x5000, {0x1000}}};
    expect_both(judged(good) == no_rule_broken);
    expect_both(judged(good, span_of(managed_elsewhere)) == no_rule_broken);
    expect_both(judged(good, span_of(managed)) == broken_rule{rule::range_in_system_memory, 1, 0x3000});
    expect_both(judged(crossing) == broken_rule{rule::ranges_overlap, 1, 0x2000});
    expect_both(judged(unaligned) == broken_rule{rule::range_not_pages, 1, 0x2800});
    expect_both(judged(broken_page) == broken_rule{rule::range_not_pages, 0, 0x1800});
    expect_both(judged(nothing) == broken_rule{rule::range_not_pages, 0, 0});
    expect_both(judged(last_page) == no_rule_broken);
    expect_both(judged(behind_last) == broken_rule{rule::range_too_long, 0, 0x2000});
    expect_both(iommu::judge_reserved_ranges({nullptr, 0}, span_of(managed)) == no_rule_broken);
}

}  // namespace iommu_answers_test
