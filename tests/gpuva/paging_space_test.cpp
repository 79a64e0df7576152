// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "sample_geometries.hpp"

#include <wddmcore/gpuva/paging_process/space.hpp>

#include <doctest/doctest.h>

#include <initializer_list>

#include "../base/expect_both.hpp"

namespace paging_space_test {

using namespace wddmcore;
using namespace wddmcore::testing;
using gpuva::paging_process_space;
using gpuva::paging_space_answer;
using gpuva::paging_space_reason;
using gpuva::paging_space_request;

namespace {

constexpr paging_space_answer asked(paging_space_request const& request, page_table_geometry const& g = amd_gpuvm) {
    return paging_process_space(g, request);
}

constexpr bool is(paging_space_answer const& found, u32 answer, paging_space_reason reason) {
    return found.answer == megabytes{answer} && found.reason == reason;
}

constexpr bool holds(page_table_geometry const& g, u32 megabytes_of_space, bytes whole) {
    result<gpuva::paging_window> const window = gpuva::usable_window(g, to_bytes(megabytes{megabytes_of_space}));
    return window.ok() && window.get().size.n >= whole.n;
}

}  // namespace

TEST_CASE("CHK-02: 0 leaves the size to the system") {
    expect_both(is(asked({.largest_local_segment = 16 * gib}), 0, paging_space_reason::system_decides));
    expect_both(is(asked({}), 0, paging_space_reason::system_decides));
    expect_both(
        is(asked({.hardware_scheduling = true, .log_buffers = 64 * mib}), 0, paging_space_reason::system_decides));
}

TEST_CASE("CHK-03: megabytes become bytes in 64 bits") {
    constexpr paging_space_answer found = asked({.largest_local_segment = 4 * gib, .whole = 4 * gib});
    expect_both(found.answer.n > 4096);
    expect_both(4 * gib < to_bytes(found.answer));
    expect_both(asked({.largest_local_segment = gib, .whole = 1024 * gib}).answer.n > 1024 * 1024);
}

TEST_CASE("AMB-31: a megabyte is 2^20 bytes") {
    // Exactly as much as 100 of them hold: 98 MiB behind the 2 MiB of the system's page table.
    expect_both(asked({.largest_local_segment = mib, .whole = 98 * mib}).answer == megabytes{100});
    expect_both(asked({.largest_local_segment = mib, .whole = 98 * mib + bytes{1}}).answer == megabytes{101});
}

TEST_CASE("CHK-04: the system takes a quarter of the largest local segment, or the log buffers when larger") {
    using gpuva::system_choice;
    expect_both(system_choice({.largest_local_segment = 16 * gib}) == 4 * gib);
    expect_both(system_choice({.largest_local_segment = 16 * gib, .hardware_scheduling = true, .log_buffers = gib}) ==
                4 * gib);
    expect_both(system_choice({.largest_local_segment = 2 * gib, .hardware_scheduling = true, .log_buffers = gib}) ==
                gib);
    expect_both(system_choice({.hardware_scheduling = true, .log_buffers = gib}) == gib);
    // Without hardware scheduling there are no log buffers, whatever is said of them.
    expect_both(system_choice({.largest_local_segment = 2 * gib, .log_buffers = gib}) == 512 * mib);
    expect_both(system_choice({.largest_local_segment = bytes{~u64{0}}}) == bytes{~u64{0} / 4});
}

TEST_CASE("CHK-05: without local memory and hardware scheduling there is no space") {
    expect_both(asked({.log_buffers = gib}).system_choice == bytes{0});
    expect_both(asked({.log_buffers = gib}).cost == gpuva::table_cost{0, {0}});
}

TEST_CASE("CHK-06: nothing is asked for that the system's own choice already holds") {
    constexpr bytes window = gpuva::usable_window(amd_gpuvm, 4 * gib).get().size;
    expect_both(
        is(asked({.largest_local_segment = 16 * gib, .whole = window}), 0, paging_space_reason::system_decides));
    expect_both(asked({.largest_local_segment = 16 * gib, .whole = window + bytes{1}}).reason ==
                paging_space_reason::raised);
    expect_both(asked({.largest_local_segment = 16 * gib, .whole = 4 * gib}).reason == paging_space_reason::raised);
}

TEST_CASE("NTF-13: the smallest space is asked for whose window holds the range in one piece") {
    for (page_table_geometry const* g : {&amd_gpuvm, &nvidia_v2, &intel_ppgtt, &mock_tables, &two_levels}) {
        for (u64 size : {u64{1}, u64{4096}, mib.n, 3 * mib.n + 1, 128 * mib.n, 600 * mib.n, gib.n, 1022 * mib.n,
                         2044 * mib.n, 2045 * mib.n, 3 * gib.n}) {
            CAPTURE(size);
            paging_space_answer const found = asked({.largest_local_segment = bytes{4096}, .whole = {size}}, *g);
            REQUIRE(found.reason == paging_space_reason::raised);
            CHECK(holds(*g, found.answer.n, {size}));
            for (u32 less = found.answer.n > 12 ? found.answer.n - 12 : 0; less < found.answer.n; ++less) {
                CHECK_FALSE(holds(*g, less, {size}));
            }
        }
    }
    // Four levels, 4 GiB whole: 2053 tables are visible through 5, which cover 10 MiB.
    expect_both(asked({.largest_local_segment = 16 * gib, .whole = 4 * gib}).answer == megabytes{4106});
}

TEST_CASE("NTF-13: page tables that take half of the space they translate") {
    constexpr page_table_geometry two_pages_a_table{.level_count = 3, .levels = {{1, 4}, {10, 4}, {20, 4}}};
    constexpr paging_space_answer found = asked({.largest_local_segment = gib, .whole = 2 * gib}, two_pages_a_table);
    expect_both(is(found, 4096, paging_space_reason::raised));
    CHECK(asked({.largest_local_segment = gib, .whole = 2 * gib}, two_pages_a_table).answer == megabytes{4096});
    expect_both(holds(two_pages_a_table, 4096, 2 * gib) && !holds(two_pages_a_table, 4095, 2 * gib));
}

TEST_CASE("NTF-13: a range of 64-KiB pages is held in whole ones") {
    constexpr paging_space_answer found =
        asked({.largest_local_segment = mib, .whole = 98 * mib - bytes{4096}, .grain = 64 * kib});
    expect_both(found.answer == megabytes{100});
    // In a small odd geometry the window itself must be aligned.
    constexpr page_table_geometry leaf_of_8{.level_count = 3, .levels = {{3, 8}, {9, 8}, {15, 8}}};
    constexpr paging_space_answer odd =
        paging_process_space(leaf_of_8, {.largest_local_segment = mib, .whole = mib, .grain = 64 * kib});
    expect_both(odd.reason == paging_space_reason::raised);
    expect_both(gpuva::holds_whole(leaf_of_8, to_bytes(odd.answer), mib, 64 * kib));
    expect_both(!gpuva::holds_whole(leaf_of_8, to_bytes(megabytes{odd.answer.n - 1}), mib, 64 * kib));
}

TEST_CASE("CHK-12: chunks that cannot be are not asked for") {
    for (u64 grain : {u64{0}, u64{2048}, u64{12288}}) {
        CHECK(gpuva::smallest_space_for(amd_gpuvm, gib, {grain}) == megabytes{0});
    }
    expect_both(gpuva::smallest_space_for(amd_gpuvm, bytes{0}, bytes{4096}) == megabytes{0});
    expect_both(gpuva::smallest_space_for(amd_gpuvm, bytes{100}, bytes{4096}) == megabytes{0});
    expect_both(gpuva::smallest_space_for(amd_gpuvm, bytes{4096}, bytes{4096}) == megabytes{3});
}

TEST_CASE("CHK-12: a range that cannot be cut into chunks is not held whole, however large the space") {
    expect_both(gpuva::holds_whole(amd_gpuvm, 4 * gib, gib, bytes{4096}));
    expect_both(!gpuva::holds_whole(amd_gpuvm, 4 * gib, gib, bytes{12288}));
    expect_both(!gpuva::holds_whole(amd_gpuvm, 4 * gib, bytes{0}, bytes{4096}));
    expect_both(is(asked({.largest_local_segment = 16 * gib, .whole = gib, .grain = bytes{12288}}), 0,
                   paging_space_reason::larger_than_addresses));
}

TEST_CASE("CHK-07: what no address can name is not asked for") {
    expect_both(is(asked({.largest_local_segment = gib, .whole = 4 * gib}, two_levels), 0,
                   paging_space_reason::larger_than_addresses));
    expect_both(is(asked({.largest_local_segment = gib, .whole = 4 * gib - 4 * mib}, two_levels), 4096,
                   paging_space_reason::raised));
    expect_both(is(asked({.largest_local_segment = gib, .whole = bytes{~u64{0}}}, widest), 0,
                   paging_space_reason::larger_than_addresses));
    // The megabytes of a UINT end before the addresses of this one do.
    expect_both(is(asked({.largest_local_segment = gib, .whole = to_bytes(megabytes{~u32{0}})}, widest), 0,
                   paging_space_reason::larger_than_addresses));
    // A quarter of the local segment can be more than an address names: it costs nothing, because it is not mapped.
    expect_both(asked({.largest_local_segment = 64 * gib}, two_levels).cost == gpuva::table_cost{0, {0}});
    // A quarter that is all that there are addresses for: 1024 leaf tables of 1024 entries, and the root.
    expect_both(asked({.largest_local_segment = 16 * gib}, two_levels).cost ==
                gpuva::table_cost{1025, 1025 * bytes{4096}});
}

TEST_CASE("CHK-08: the answer comes with what its page tables cost") {
    constexpr paging_space_answer left = asked({.largest_local_segment = 16 * gib});
    expect_both(left.system_choice == 4 * gib && left.cost == gpuva::table_cost{2054, 8216 * kib});
    constexpr paging_space_answer raised = asked({.largest_local_segment = 16 * gib, .whole = 4 * gib});
    expect_both(raised.cost == gpuva::cost_of(amd_gpuvm, to_bytes(megabytes{4106})));
    expect_both(raised.system_choice == 4 * gib);
}

TEST_CASE("AMB-10: where the system makes no space of its own, a size is asked for all the same, with a warning") {
    expect_both(is(asked({.notifies_eviction = true, .whole = 62 * mib}), 64, paging_space_reason::no_space_exists));
    expect_both(is(asked({.hardware_scheduling = true, .log_buffers = mib, .whole = 62 * mib}), 64,
                   paging_space_reason::raised));
}

TEST_CASE("NTF-15: eviction notices without local memory and hardware scheduling are warned of") {
    expect_both(is(asked({.notifies_eviction = true}), 0, paging_space_reason::no_space_exists));
    expect_both(
        is(asked({.hardware_scheduling = true, .notifies_eviction = true}), 0, paging_space_reason::system_decides));
    expect_both(
        is(asked({.largest_local_segment = gib, .notifies_eviction = true}), 0, paging_space_reason::system_decides));
}

}  // namespace paging_space_test
