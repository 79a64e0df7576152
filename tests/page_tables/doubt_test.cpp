// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "../base/expect_both.hpp"
#include "table_requests.hpp"

#include <wddmcore/paging/page_table/update.hpp>

#include <array>
#include <vector>

/// What elements that were looked at all at once leave open: nothing where all of them are right, so that only a doubt
/// costs a look at each; and a doubt wherever one is not.
namespace doubt_test {

using namespace wddmcore;
using namespace wddmcore::table_tests;
using paging::detail::entry_summary;
using paging::detail::suspicion;

namespace {

constexpr plain_gpu plain = with_segments<plain_gpu>();
constexpr dual_gpu dual = with_segments<dual_gpu>();
constexpr generator_gpu generator = with_segments<generator_gpu>();

// Of with_segments: 16 GiB, 1 GiB and 8 GiB; no segment 4, 6 or 31.
constexpr u64 pages_of_1 = u64{1} << 22;
constexpr u64 pages_of_2 = u64{1} << 18;
constexpr u64 pages_of_3 = u64{1} << 21;

/// A GPU whose segment 3 has one page.
constexpr plain_gpu with_one_page = [] {
    plain_gpu gpu = plain;
    gpu.places[3].size = bytes{page_bytes};
    return gpu;
}();

constexpr suspicion about(auto const& gpu, u64 flags, u64 page) {
    return paging::detail::suspicion_about(gpu, entry_summary{flags, page});
}

struct element {
    u64 Flags;
    u64 PageAddress;
};

/// Whether there is no place for one of `count` elements in segment 1 and in system memory, of which one, at `where`,
/// names another segment and page; with `count` none does.
constexpr bool no_place(suspicion open, u32 count, u32 where, u64 segment, u64 page) {
    std::array<element, 16> elements{};
    for (u32 k = 0; k != count; ++k) {
        elements[k] = k == where ? element{1 | segment << 5, page} : element{1 | u64{k % 2} << 5, pages_of_1 - 1};
    }
    return paging::detail::names_no_place(plain, open, elements.data(), count);
}

using paging::detail::line_state;

/// The state after `count` elements that are written inline, by command.
template <class Gpu, class Make>
line_state after_lines(Gpu const& gpu, u32 count, Make&& make, bool mixed = false) {
    std::vector<element> elements;
    for (u32 k = 0; k != count; ++k) {
        elements.push_back(make(k));
    }
    std::vector<u32> words(count * 2);
    return paging::detail::put_lines(gpu, paging::detail::command_sink{words.data()}, elements.data(), count, 0,
                                     line_state{mixed, suspicion::none});
}

/// What they leave open.
template <class Gpu, class Make>
suspicion open_after_lines(Gpu const& gpu, u32 count, Make&& make) {
    return after_lines(gpu, count, make).open;
}

/// Whether a mixed line was met among `count` elements, stored or by command, whose flags change from `equal` on.
bool mixed_after(u32 count, u32 equal, bool by_cpu) {
    auto const make = [equal](u32 k) { return element{1 | 1 << 5 | (k < equal ? 0u : 8u), 0x100 + k}; };
    if (!by_cpu) {
        return after_lines(plain, count, make).mixed;
    }
    std::vector<element> elements;
    for (u32 k = 0; k != count; ++k) {
        elements.push_back(make(k));
    }
    std::vector<u64> table(count);
    plain_gpu gpu = plain;
    paging::detail::store_sink<plain_gpu> const to{gpu, table.data()};
    return paging::detail::put_lines(gpu, to, elements.data(), count, 0, line_state{false, suspicion::none}).mixed;
}

/// What 64 elements of a request by command leave open, in a buffer of `room` dwords.
template <class Gpu>
suspicion open_after_slots(Gpu const& gpu, u32 room, u64 flags, u64 page, u64 step) {
    std::vector<element> elements;
    for (u32 k = 0; k != 64; ++k) {
        elements.push_back({flags, page + k * step});
    }
    paging::detail::entry_source<element> from{};
    from.entries = elements.data();
    from.table = {0, leaf_kind::gpu_page, 8, 512, 0};
    from.slots = paging::detail::slots_of(0, 64, 0);
    std::vector<u32> words(room);
    paging::detail::dma_writer writer{words.data(), room};
    auto const done = paging::detail::put_leaf_slots(gpu, writer, table_address{0x1000, 0}, from, 0);
    CHECK(done.reached.token == 64);
    return done.open;
}

/// The same of a run, which one command of the generator makes.
suspicion open_after_run(u64 flags, u64 page) { return open_after_slots(generator, 10, flags, page, 1); }

}  // namespace

TEST_CASE("GVA-18 GVA-20: of what elements have in all, only what one of them may have done wrong is open") {
    expect_both(about(plain, 0, 0) == suspicion::none);
    // The end of a segment, whichever of the gathered ones: 3 is also 1 and 2 together, 6 is also 2 and 4.
    expect_both(about(plain, 1 | 1 << 5, pages_of_1 - 1) == suspicion::none);
    expect_both(about(plain, 1 | 1 << 5, pages_of_1) == suspicion::ends);
    expect_both(about(plain, 1 | 3 << 5, pages_of_2 - 1) == suspicion::none);
    expect_both(about(plain, 1 | 3 << 5, pages_of_2) == suspicion::ends);
    expect_both(about(plain, 1 | 4 << 5, pages_of_1) == suspicion::segments);
    expect_both(about(plain, 1 | 5 << 5, pages_of_1 - 1) == suspicion::segments);
    expect_both(about(plain, 1 | 6 << 5, pages_of_2) == suspicion::ends);
    expect_both(about(with_one_page, 1 | 3 << 5, 0) == suspicion::none);
    expect_both(about(with_one_page, 1 | 3 << 5, 1) == suspicion::ends);
    // System memory ends where an entry can hold no more.
    expect_both(about(plain, 1, (u64{1} << 34) - 1) == suspicion::none);
    expect_both(about(plain, 1, u64{1} << 34) == suspicion::any);
    // Flags that were claimed, and others.
    expect_both(about(plain, 1 | 1 << 5 | 2 | 4 | 8 | 0x10, 16) == suspicion::none);
    expect_both(about(plain, 1 | 1 << 5 | 0x400, 16) == suspicion::any);
    expect_both(about(plain, 1 | 1 << 5 | 1 << 11, 16) == suspicion::any);
    expect_both(about(dual, 1 | 1 << 5 | 8, 16) == suspicion::none);
    expect_both(about(dual, 1 | 1 << 5 | 4, 16) == suspicion::any);
    expect_both(about(dual, 1 | 1 << 5 | 2, 16) == suspicion::any);
}

TEST_CASE("GVA-18: the place of each element is looked for, in rows of any length") {
    for (u32 count = 1; count != 16; ++count) {
        CAPTURE(count);
        for (suspicion const open : {suspicion::segments, suspicion::ends}) {
            CHECK_FALSE(no_place(open, count, count, 0, 0));
            for (u32 where = 0; where != count; ++where) {
                CAPTURE(where);
                CHECK(no_place(open, count, where, 4, 0));
                CHECK(no_place(open, count, where, 31, 0));
                CHECK_FALSE(no_place(open, count, where, 2, pages_of_2 - 1));
            }
        }
        for (u32 where = 0; where != count; ++where) {
            CHECK(no_place(suspicion::ends, count, where, 2, pages_of_2));
        }
    }
    expect_both(!no_place(suspicion::ends, 16, 16, 0, 0));
    expect_both(no_place(suspicion::segments, 7, 6, 31, 0));
    // Pages that gather to more than a segment of three has: 1 and 2 to 3.
    plain_gpu gpu = plain;
    gpu.places[3].size = bytes{3 * page_bytes};
    element elements[2] = {{1 | 3 << 5, 1}, {1 | 3 << 5, 2}};
    CHECK_FALSE(paging::detail::names_no_place(gpu, suspicion::ends, elements, 2));
    elements[1].PageAddress = 3;
    CHECK(paging::detail::names_no_place(gpu, suspicion::ends, elements, 2));
}

TEST_CASE("OP11-02: elements are looked at where a doubt about them is open, and not where none is") {
    element const elements[3] = {{1 | 4 << 5, 0}, {1 | 1 << 5, 0}, {1 | 2 << 5, pages_of_2}};
    for (suspicion const open : {suspicion::segments, suspicion::ends}) {
        CHECK(paging::detail::remains(plain, open, elements, 0, 2));
        CHECK_FALSE(paging::detail::remains(plain, open, elements, 1, 1));
    }
    CHECK(paging::detail::remains(plain, suspicion::ends, elements, 1, 2));
    CHECK_FALSE(paging::detail::remains(plain, suspicion::none, elements, 0, 3));
    element const* const no_array = nullptr;
    CHECK(paging::detail::remains(plain, suspicion::any, no_array, 0, 3));
    CHECK_FALSE(paging::detail::remains(plain, suspicion::none, no_array, 0, 3));
}

TEST_CASE("GVA-18 GVA-20: elements that are right leave nothing open, whichever way they are written") {
    static attribute_table by_key{};
    table_gpu with_table = with_segments<table_gpu>();
    paging::fill_attribute_table(with_table, 0, by_key);
    with_table.table = &by_key;
    for (u32 count = 1; count != 40; ++count) {
        CAPTURE(count);
        auto const right = [count](auto const& gpu) {
            // The same flags, up to the end of the segment, and mixed ones.
            CHECK(open_after_lines(gpu, count, [](u32 k) { return element{1 | 1 << 5, pages_of_1 - 1 - k}; }) ==
                  suspicion::none);
            CHECK(open_after_lines(gpu, count, [](u32 k) {
                      return element{1 | u64{k % 3} << 5 | (k % 2 != 0 ? 8u : 0u), 0x100 + k};
                  }) == suspicion::none);
            CHECK(open_after_lines(gpu, count, [](u32) { return element{1 | 1 << 5, pages_of_1}; }) != suspicion::none);
        };
        right(plain);
        right(with_table);
        // Where attributes are asked for, the end too is that of each element: what names no page has none.
        CHECK(open_after_lines(plain, count, [](u32 k) {
                  return k % 2 != 0 ? element{3 | 3 << 5, u64{1} << 52} : element{4 << 5 | 0x400, u64{1} << 52};
              }) == suspicion::none);
    }
}

TEST_CASE(
    "GVA-18: lines of the same flags leave a page at the end of its segment to a look at all, others to one at each") {
    auto const at_the_end = [](u32) { return element{1 | 1 << 5, pages_of_1}; };
    for (u32 const count : {8u, 16u, 40u}) {
        CAPTURE(count);
        CHECK(after_lines(plain, count, at_the_end).open == suspicion::ends);
        CHECK(after_lines(plain, count, at_the_end, true).open == suspicion::any);
        CHECK(after_lines(plain, count, at_the_end, true).mixed);
        // An entry can hold no more.
        CHECK(open_after_lines(plain, count, [](u32) { return element{1, u64{1} << 34}; }) == suspicion::any);
    }
    CHECK(open_after_slots(plain, 5 + 128, 1 | 1 << 5, pages_of_1, 0) == suspicion::ends);
}

TEST_CASE(
    "OP11-01: a line is mixed where its flags are not those of the first, and what is less than a line never is") {
    for (bool const by_cpu : {false, true}) {
        CAPTURE(by_cpu);
        CHECK_FALSE(mixed_after(7, 3, by_cpu));
        CHECK_FALSE(mixed_after(15, 15, by_cpu));
        CHECK_FALSE(mixed_after(15, 8, by_cpu));
        CHECK_FALSE(mixed_after(16, 16, by_cpu));
        CHECK(mixed_after(8, 7, by_cpu));
        CHECK(mixed_after(16, 8, by_cpu));
        CHECK(mixed_after(16, 15, by_cpu));
        CHECK(mixed_after(30, 16, by_cpu));
    }
}

TEST_CASE("GVA-16 GVA-18 GVA-22: a run leaves nothing open unless it may be wrong itself") {
    CHECK(open_after_run(1 | 3 << 5, pages_of_3 - 64) == suspicion::none);
    CHECK(open_after_run(1 | 3 << 5, pages_of_3 - 63) == suspicion::any);
    CHECK(open_after_run(1 | 3 << 5 | 0x400, 0) == suspicion::any);
    CHECK(open_after_run(1 | 4 << 5, 0) == suspicion::any);
    // What is not valid names no page, whatever stands in it.
    CHECK(open_after_run(0x400, 0) == suspicion::none);
    CHECK(open_after_run(4 << 5, u64{1} << 40) == suspicion::none);
}

}  // namespace doubt_test
