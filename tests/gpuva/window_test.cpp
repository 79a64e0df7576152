// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "sample_geometries.hpp"

#include <wddmcore/gpuva/paging_process/space.hpp>
#include <wddmcore/gpuva/paging_process/window.hpp>

#include <doctest/doctest.h>

#include <initializer_list>

#include "../base/expect_both.hpp"

namespace window_test {

using namespace wddmcore;
using namespace wddmcore::testing;
using gpuva::cost_of;
using gpuva::paging_window;
using gpuva::table_cost;
using gpuva::usable_window;

namespace {

/// The tables of a space counted one by one: a table of a level for each piece that it covers.
table_cost counted(page_table_geometry const& g, u64 space) {
    table_cost sum{0, {0}};
    for (u32 level = 0; level < g.level_count; ++level) {
        u64 const each = gpuva::entry_coverage(g, level).n * gpuva::entry_count(g, level);
        bool const root = level + 1 == g.level_count;
        for (u64 at = 0; at < space && (at == 0 || !root); at += each) {
            u64 size = 0;
            u64 const entries = level == 1 && root && g.level_count == 2
                                    ? (space + gpuva::entry_coverage(g, 1).n - 1) / gpuva::entry_coverage(g, 1).n
                                    : gpuva::entry_count(g, level) >> (level == 0 ? gpuva::gpu_page_lg2(g) : 0);
            while (size < entries * g.levels[level].entry_bytes) {
                size += 4096;
            }
            sum = {sum.tables + 1, {sum.size.n + size}};
            if (level == 0 && g.leaf == leaf_tables::both) {
                sum = {sum.tables + 1, sum.size + gpuva::table_bytes_64k(g)};
            }
        }
    }
    return sum;
}

}  // namespace

TEST_CASE("CHK-08: the page-table cost of a space: its leaf tables and their parents") {
    // 4 GiB through four levels of 512: 2048 leaf tables, 4 above, 1, 1; 4 KiB each.
    expect_both(cost_of(amd_gpuvm, 4 * gib) == table_cost{2054, 8216 * kib});
    expect_both(cost_of(amd_gpuvm, bytes{0}) == table_cost{0, {0}});
    expect_both(cost_of(amd_gpuvm, bytes{1}) == table_cost{4, 16 * kib});
    // The documented 1 GiB: 256 tables of 1024 entries and a root of one page.
    expect_both(cost_of(two_levels, gib) == table_cost{257, 257 * bytes{4096}});
    // A root that grows: 64 MiB of 2-MiB entries fit a page, 4 GiB need 2048 of 16 bytes.
    constexpr page_table_geometry wide_root{.level_count = 2, .levels = {{9, 8}, {0, 16}}, .virtual_address_bits = 40};
    expect_both(cost_of(wide_root, 64 * mib) == table_cost{33, 33 * bytes{4096}});
    expect_both(cost_of(wide_root, 4 * gib) == table_cost{2049, 2056 * bytes{4096}});
    // Dual tables count twice.
    expect_both(cost_of(nvidia_v2, 2 * mib) == table_cost{6, 6 * bytes{4096}});
    for (page_table_geometry const* g : {&amd_gpuvm, &nvidia_v2, &intel_ppgtt, &mock_tables, &two_levels}) {
        for (u64 space : {u64{1}, u64{4096}, u64{524288}, u64{524289}, u64{2} << 20, (u64{3} << 20) + 5, u64{1} << 28,
                          (u64{1} << 30) + 1}) {
            CAPTURE(space);
            CHECK(cost_of(*g, {space}) == counted(*g, space));
        }
    }
    expect_both(cost_of(widest, bytes{~u64{0}}).tables > 0);
}

TEST_CASE("CHK-11: in the documented space of 1 GiB the window starts at 4 MiB: 255 of 256 tables are left") {
    constexpr paging_window window = usable_window(two_levels, gib).get();
    expect_both(window.start == gpu_virtual_address{4 * mib.n});
    expect_both(window.size == 255 * (4 * mib));
}

TEST_CASE("CHK-11: every leaf table is visible through the tables in front of the window, and page 0 is not in it") {
    for (page_table_geometry const* g : {&amd_gpuvm, &nvidia_v2, &intel_ppgtt, &mock_tables, &two_levels}) {
        for (u32 megabytes_of_space : {8u, 64u, 100u, 1024u, 1025u, 4095u, 4096u}) {
            CAPTURE(megabytes_of_space);
            bytes const space = to_bytes(megabytes{megabytes_of_space});
            if (pages_spanned(space).n > gpuva::pages_in_space(*g)) {
                continue;
            }
            u64 const table_covers = gpuva::entry_coverage(*g, 1).n;
            u64 const tables = (space.n + table_covers - 1) / table_covers;
            u64 const pages_of_tables =
                tables * (gpuva::table_bytes(*g, 0).n + (g->leaf == leaf_tables::both ? 4096 : 0)) / 4096;
            result<paging_window> const window = usable_window(*g, space);
            REQUIRE(window.ok());
            CHECK(window.get().start.n >= 4096);
            CHECK(window.get().start.n % table_covers == 0);
            CHECK(window.get().start.n / 4096 >= pages_of_tables);
            CHECK(window.get().start.n / 4096 < pages_of_tables + table_covers / 4096);
            CHECK(window.get().start.n + window.get().size.n == space.n);
        }
    }
    // 4 GiB of four levels: 2048 tables are visible through 4, which cover 8 MiB.
    expect_both(usable_window(amd_gpuvm, 4 * gib).get() == paging_window{{8 * mib.n}, 4 * gib - 8 * mib});
}

TEST_CASE("CHK-11: a space that its own tables fill has no window") {
    expect_both(usable_window(amd_gpuvm, 2 * mib).error == errc::out_of_range);
    expect_both(usable_window(amd_gpuvm, 2 * mib + bytes{4095}).error == errc::out_of_range);
    expect_both(usable_window(amd_gpuvm, 2 * mib + bytes{4096}).get() == paging_window{{2 * mib.n}, {4096}});
    expect_both(usable_window(amd_gpuvm, bytes{0}).error == errc::out_of_range);
}

TEST_CASE("CHK-07: a space is not larger than an address can name") {
    expect_both(usable_window(two_levels, 4 * gib).ok());
    expect_both(usable_window(two_levels, 4 * gib + bytes{1}).error == errc::out_of_range);
    expect_both(usable_window(two_levels, bytes{~u64{0}}).error == errc::out_of_range);
    expect_both(usable_window(widest, bytes{~u64{0}}).ok());
}

TEST_CASE("AMB-07: the window follows the size that it is given, of 1 GiB or any other") {
    for (u32 size : {8u, 255u, 1024u, 3000u}) {
        CHECK(usable_window(two_levels, to_bytes(megabytes{size})).get().size == to_bytes(megabytes{size - 4}));
    }
}

TEST_CASE("CHK-11: the leaf tables are visible with the pages of the leaf's tables, not of another level's") {
    // 64 GiB are 2^24 pages, so 2^11 tables of 2^13 entries; each takes 16 pages, so 2^15 entries of 4 tables.
    CHECK(gpuva::usable_window(widest, 64 * gib).get().start.n == u64{4} * 8192 * 4096);
}

}  // namespace window_test
