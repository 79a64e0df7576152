// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "expect.hpp"

#include <wddmcore/testing/vidmm/calls/lending.hpp>

#include <algorithm>
#include <set>

using namespace toy;

TEST_CASE("an operation in hundreds of windows: only so many wait as the options say") {
    for (std::size_t const most : {std::size_t{1}, std::size_t{5}, testing::vidmm_options{}.most_waiting_windows}) {
        setup s = without_aperture(physical());
        s.options.ram_pages = 600;
        s.options.segments[0].size = 400 * 4096;
        s.options.pages = testing::vidmm_page_policy::random;
        s.options.packing = testing::vidmm_packing::fresh;
        s.options.paging_buffer = s.options.smallest_paging_buffer;
        s.options.inspected_bytes = 4096;
        s.options.chances.execute = 0;  // nothing is executed before it must be
        s.options.chances.split = 0;
        s.options.most_waiting_windows = most;
        std::uint64_t executed = 0;
        std::uint64_t longest = 0;
        testing::vidmm const* system = nullptr;
        s.options.other_work = [&] {
            ++executed;
            longest = std::max(longest, system->report().windows() - executed);
        };
        testing::vidmm_report const report = told(s, [&](testing::vidmm& mm) {
            system = &mm;
            auto const number = mm.create(bytes{200 * 4096});
            REQUIRE(mm.commit(number, segment_id{1}));
            REQUIRE(mm.evict(number));
        });
        INFO(report.text());
        CHECK(report.passed());
        CHECK(executed > 200);  // a scattered page is a command, and so a window
        CHECK(executed == report.windows());
        CHECK(longest == most);
    }
}

TEST_CASE("lent memory is used again although somebody keeps the first piece") {
    testing::vidmm_parts::lender from;
    auto const lend = [&from](u64 junk) {
        return from.lend(64, testing::vidmm_parts::loan_side::end, junk, "a piece", testing::vidmm_rule::pgb_01);
    };
    auto const kept = lend(0);
    std::set<std::byte const*> places;
    for (u64 i = 1; i < 2000; ++i) {
        auto const piece = lend(i);
        REQUIRE(piece->data() != kept->data());
        places.insert(piece->data());
        piece->end();
    }
    CHECK(places.size() > 40);   // not at once: a stale pointer finds nobody
    CHECK(places.size() <= 64);  // but again and again
    CHECK_FALSE(kept->ended());
}
