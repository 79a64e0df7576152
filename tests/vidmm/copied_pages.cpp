// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// Operation 14 between tables whose entries are larger than 4 KiB.
#include "expect.hpp"

#include <array>

namespace copied_pages {

namespace {

using namespace toy;
using mode = page_table_update_mode;
using testing::vidmm_rule;

constexpr u64 bytes_of_page = 4096;

[[nodiscard]] setup told_at_once(setup s) {
    s.options.chances.larger_pages = 100;
    s.options.execution = testing::vidmm_execution::at_submit;
    return s;
}

/// The first page behind entry 0 of the root.
[[nodiscard]] u64 root_of(setup const& s) {
    u64 pages = 1;
    for (std::size_t level = 0; level + 1 < s.options.page_tables.levels.size(); ++level) {
        pages <<= s.options.page_tables.levels[level].index_bits;
    }
    return pages;
}

/// An allocation of the segment of 64-KiB pages, mapped at a page, and ranges of a process's pages that are copied.
void copy_of(testing::vidmm& mm, u64 pages, u64 at, std::vector<testing::vidmm_copied_range> const& ranges) {
    auto const process = mm.create_process();
    auto const number = mm.create(bytes{pages * bytes_of_page});
    CHECK(mm.commit(number, segment_id{1}));
    CHECK(mm.map(process, number, {at * bytes_of_page}));
    static_cast<void>(mm.copy_page_table_entries(process, ranges));
}

struct counted {
    u64 converted = 0;  ///< by the copy: tables of 64-KiB entries
    u64 of_64k = 0;     ///< times that entries of tables of 64-KiB entries were copied
    u64 large = 0;      ///< and large pages
};

/// What a copy of a right driver shows.
[[nodiscard]] counted copied(setup const& s, u64 pages, u64 at,
                             std::vector<testing::vidmm_copied_range> const& ranges) {
    std::array<u64, 3> before{};
    testing::vidmm_report const report = told(told_at_once(s), [&](testing::vidmm& mm) {
        auto const process = mm.create_process();
        auto const number = mm.create(bytes{pages * bytes_of_page});
        CHECK(mm.commit(number, segment_id{1}));
        CHECK(mm.map(process, number, {at * bytes_of_page}));
        auto const count = [&mm](vidmm_rule rule) { return mm.report().times_exercised(rule); };
        before = {count(vidmm_rule::gva_13), count(vidmm_rule::amb_22), count(vidmm_rule::gva_16)};
        CHECK(mm.copy_page_table_entries(process, ranges));
        CHECK(mm.report().of(paging_operation::copy_page_table_entries).requests == 1);
    });
    INFO(report.text());
    CHECK(report.passed());
    return {report.times_exercised(vidmm_rule::gva_13) - before[0],
            report.times_exercised(vidmm_rule::amb_22) - before[1],
            report.times_exercised(vidmm_rule::gva_16) - before[2]};
}

constexpr mode modes[] = {mode::gpu_virtual, mode::gpu_physical};

void expect_named_in(setup const& s, bool bugs::* mistake, char const* rule, u64 pages, u64 at,
                     std::vector<testing::vidmm_copied_range> const& ranges) {
    auto const steps = [&](testing::vidmm& mm) { copy_of(mm, pages, at, ranges); };
    CHECK(told(told_at_once(s), steps).passed());
    testing::vidmm_report const wrong = told(told_at_once(with(s, mistake)), steps);
    INFO(wrong.text());
    CHECK(wrong.first_rule() == rule);
}

}  // namespace

TEST_CASE("OP14-01, GVA-16: large pages are copied as one entry of their level, and their copies copied on") {
    for (mode const m : modes) {
        setup const s = with_large_pages(page_tables(m));
        u64 const root = root_of(s);
        u64 const free = root + 8 * 128;
        // One page of 512 KiB; pages of 128 KiB of one table into another; and where a table was before.
        CHECK(copied(s, 128, root, {{root, free, 128}}).large == 1);
        counted const chain =
            copied(s, 64, root, {{root, free, 64}, {free, free + 64, 32}, {free + 32, free + 96, 32}});
        CHECK(chain.large == 1);
        setup emptied = s;
        emptied.options.page_tables.explicit_invalidation = true;
        testing::vidmm_report const report = told(told_at_once(emptied), [&](testing::vidmm& mm) {
            auto const process = mm.create_process();
            auto const number = mm.create(bytes{32 * bytes_of_page});
            auto const other = mm.create(bytes{bytes_of_page});
            CHECK(mm.commit(number, segment_id{1}));
            CHECK(mm.map(process, number, {root * bytes_of_page}));
            CHECK(mm.map(process, other, {free * bytes_of_page}));
            CHECK(mm.unmap(process, {free * bytes_of_page}, bytes{bytes_of_page}));
            CHECK(mm.copy_page_table_entries(process, {{root, free, 32}}));
            CHECK_FALSE(mm.evict_page_table(process, {free * bytes_of_page}));  // there is none any more
            CHECK(mm.map(process, other, {(free + 1) * bytes_of_page}));
            CHECK(mm.evict_page_table(process, {free * bytes_of_page}));
        });
        CHECK_MESSAGE(report.passed(), report.text());
    }
}

TEST_CASE("OP14-01: a large page of which a part is copied, or copied where it cannot begin, is split") {
    setup const s = with_large_pages(page_tables(mode::gpu_virtual));
    u64 const root = root_of(s);
    u64 const free = root + 8 * 128;
    CHECK(copied(s, 32, root, {{root + 1, free, 31}}).large == 0);
    CHECK(copied(s, 32, root, {{root, free + 1, 32}}).large == 0);
    CHECK(copied(s, 32, root, {{root, free, 32}, {free + 1, free + 40, 3}}).large == 0);  // what it has become, too
    CHECK(copied(s, 33, root, {{root, free, 32}, {root + 32, free + 32, 1}}).large == 1);
}

TEST_CASE("OP14-01, AMB-22: entries of 64 KiB are copied between tables of such entries") {
    for (mode const m : modes) {
        for (bool const dual : {false, true}) {
            setup const s = with_64k_pages(page_tables(m), dual);
            u64 const root = root_of(s);
            u64 const free = root + 4 * 512;
            counted const whole = copied(s, 64, root + 32, {{root + 48, free, 32}, {free, free + 64, 16}});
            CHECK(whole.of_64k == 1);
            CHECK(whole.converted == 0);
            counted const part = copied(s, 64, root + 32, {{root + 49, free, 16}});
            CHECK(part.of_64k == 0);
            CHECK((part.converted != 0) == !dual);
            // What was copied whole has to be small all along, because a part of it is copied on.
            counted const later = copied(s, 64, root + 32, {{root + 48, free, 32}, {free + 3, free + 64, 16}});
            CHECK(later.of_64k == 0);
        }
    }
}

TEST_CASE("OP14-01, GVA-12: of two tables behind an entry each piece of 64 KiB is copied from the one that has it") {
    setup const s = told_at_once(with_64k_pages(page_tables(mode::gpu_virtual), true));
    u64 const root = root_of(s);
    u64 const free = root + 4 * 256;
    testing::vidmm_report const report = told(s, [&](testing::vidmm& mm) {
        auto const process = mm.create_process();
        auto const wide = mm.create(bytes{32 * bytes_of_page});
        auto const narrow = mm.create(bytes{20 * bytes_of_page});
        CHECK(mm.commit(wide, segment_id{1}));
        CHECK(mm.map(process, wide, {root * bytes_of_page}));
        CHECK(mm.map(process, narrow, {(root + 32) * bytes_of_page}));
        CHECK(mm.copy_page_table_entries(process, {{root, free, 52}}));
        CHECK(mm.report().times_exercised(vidmm_rule::obs_11) != 0);          // a range for each of the two tables
        CHECK(mm.copy_page_table_entries(process, {{root + 32, free, 16}}));  // 4-KiB pages where one of 64 KiB was
        CHECK(mm.copy_page_table_entries(process, {{root, free + 32, 16}}));  // and the other way round
    });
    CHECK_MESSAGE(report.passed(), report.text());
}

TEST_CASE("OP14-01: entries of another size than the leaf's are split before they are copied") {
    for (bool const dual : {false, true}) {
        setup s = with_64k_pages(page_tables(mode::gpu_physical), dual);
        s.options.page_tables.entry_bytes_64k = 16;
        u64 const root = root_of(s);
        CHECK(copied(s, 64, root + 32, {{root + 48, root + 4 * 512, 32}}).of_64k == 0);
    }
    // With two tables behind it, an entry of level 1 is a pair; one of level 2 is as long as the leaf's.
    setup s = with_64k_pages(with_large_pages(page_tables(mode::gpu_virtual)), true);
    s.options.page_tables.levels[1].index_bits = 2;
    u64 const root = root_of(s);
    CHECK(copied(s, 32, root, {{root, root + 1024, 32}}).large == 0);
    CHECK(copied(s, 128, root, {{root, root + 1024, 128}}).large == 1);
}

TEST_CASE("OP14-01: a driver that copies whole tiles of 16 entries is caught between tables of 64-KiB entries") {
    std::vector<testing::vidmm_copied_range> const tiles = {{root_of(page_tables(mode::gpu_virtual)), 0x90000, 320}};
    setup const s = with_64k_pages(page_tables(mode::gpu_virtual), false);
    u64 const root = root_of(s);
    expect_named_in(s, &bugs::copies_whole_tiles, "OP14-01", 320, root, tiles);
    // Its 4-KiB entries are whole tiles.
    setup small = page_tables(mode::gpu_virtual);
    small.options.segments[0].size = u64{2} << 20;
    small.options.largest_allocation = u64{2} << 20;
    testing::vidmm_report const report = told(told_at_once(with(small, &bugs::copies_whole_tiles)),
                                              [&](testing::vidmm& mm) { copy_of(mm, 320, root, tiles); });
    CHECK_MESSAGE(report.passed(), report.text());
}

TEST_CASE(
    "OP14-01: a driver for which copied entries are those of leaf tables is caught where large pages are copied") {
    setup const s = with_large_pages(page_tables(mode::gpu_physical));
    u64 const root = root_of(s);
    expect_named_in(s, &bugs::copies_leaves_only, "OP14-01", 64, root, {{root, root + 1024, 64}});
    setup small = s;
    small.options.page_tables.levels[1].large_pages = false;
    small.options.page_tables.levels[2].large_pages = false;
    testing::vidmm_report const report =
        told(told_at_once(with(small, &bugs::copies_leaves_only)),
             [&](testing::vidmm& mm) { copy_of(mm, 32, root, {{root, root + 1024, 32}}); });
    CHECK_MESSAGE(report.passed(), report.text());
}

}  // namespace copied_pages
