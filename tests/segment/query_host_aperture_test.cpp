// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "query_samples.hpp"

#include <wddmcore/segment/host_aperture.hpp>

#include <doctest/doctest.h>

#include <initializer_list>

#include "../base/expect_both.hpp"

namespace query_host_aperture_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

using map_args = mirror::v2_0::dxgkarg_mapcpuhostaperture;
using unmap_args = mirror::v2_0::dxgkarg_unmapcpuhostaperture;

/// A window of eight pages that remembers what each shows, and how often a request was finished.
struct window {
    static constexpr u64 nothing = ~u64{0};
    u64 shows[8] = {nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing};
    u32 stores = 0;
    u32 finished = 0;
    u32 segment = 0;

    constexpr void store_host_aperture_entry(segment_id id, u32 aperture_page, u64 memory_page) {
        shows[aperture_page] = memory_page;
        segment = id.n;
        ++stores;
    }
    constexpr void clear_host_aperture_entry(segment_id id, u32 aperture_page) {
        shows[aperture_page] = nothing;
        segment = id.n;
        ++stores;
    }
    constexpr void finish_host_aperture_stores(segment_id) { ++finished; }
};

/// One that has nothing to finish.
struct simple_window {
    u64 last = 0;
    constexpr void store_host_aperture_entry(segment_id, u32, u64 memory_page) { last = memory_page; }
    constexpr void clear_host_aperture_entry(segment_id, u32) { last = 0; }
};

/// 1 MiB of 64-KiB or 4-KiB pages behind a window of eight of them.
struct table {
    entry rows[2];
    [[nodiscard]] constexpr segment::view all() const { return {{rows, 2}, {nullptr, 0}, {1}}; }
};
constexpr table table_of_pages(bool large) {
    table made{{aperture_row, window_row}};
    made.rows[1].size = mib;
    made.rows[1].host_aperture.size_in_pages = 8;
    made.rows[1].flags = flags{}.with(flag::supports_cpu_host_aperture).with(flag::use_64kb_pages, large);
    return made;
}
constexpr table large_pages = table_of_pages(true);
constexpr table small_pages = table_of_pages(false);

/// A handle that nobody may follow.
void* const poison = reinterpret_cast<void*>(~usize{0xFFF});

ntstatus map(window& to, segment::view const& of, u32 aperture_page, u64 memory_page, u16 id = 2) {
    u32 aperture_pages[] = {0, aperture_page};
    u64 memory_pages[] = {0, memory_page};
    map_args const args{poison, id, 0, 2, aperture_pages, memory_pages};
    return segment::map_cpu_host_aperture(of, to, args);
}

}  // namespace

TEST_CASE("SEG-37: each page of the aperture shows the page of the segment beside it, in any order") {
    window shown;
    u32 aperture_pages[] = {7, 0, 3};
    u64 memory_pages[] = {2, 15, 2};
    map_args const args{poison, 2, 0, 3, aperture_pages, memory_pages};
    CHECK(segment::map_cpu_host_aperture(large_pages.all(), shown, args) == status::success);
    CHECK(shown.shows[7] == 2);
    CHECK(shown.shows[0] == 15);
    CHECK(shown.shows[3] == 2);
    CHECK(shown.shows[1] == window::nothing);
    CHECK(shown.stores == 3);
    CHECK(shown.finished == 1);
    CHECK(shown.segment == 2);

    u32 gone[] = {0, 7};
    unmap_args const less{2, gone, 2, 0};
    CHECK(segment::unmap_cpu_host_aperture(large_pages.all(), shown, less) == status::success);
    CHECK(shown.shows[7] == window::nothing);
    CHECK(shown.shows[0] == window::nothing);
    CHECK(shown.shows[3] == 2);
    CHECK(shown.finished == 2);
}

TEST_CASE("SEG-37: every page of the aperture is below its size, or nothing is stored") {
    for (u32 page : {8u, 9u, ~0u}) {
        CAPTURE(page);
        window shown;
        CHECK(map(shown, large_pages.all(), page, 1) == status::invalid_parameter);
        u32 pages[] = {1, page};
        CHECK(segment::unmap_cpu_host_aperture(large_pages.all(), shown, unmap_args{2, pages, 2, 0}) ==
              status::invalid_parameter);
        CHECK(shown.stores == 0);
        CHECK(shown.finished == 0);
    }
    window shown;
    CHECK(map(shown, large_pages.all(), 7, 1) == status::success);
}

TEST_CASE("SEG-36: pages have the size of the segment's pages: 16 of 64 KiB, 256 of 4 KiB in a mebibyte") {
    window shown;
    CHECK(map(shown, large_pages.all(), 1, 15) == status::success);
    CHECK(map(shown, large_pages.all(), 1, 16) == status::invalid_parameter);
    CHECK(map(shown, small_pages.all(), 1, 255) == status::success);
    CHECK(map(shown, small_pages.all(), 1, 256) == status::invalid_parameter);
    CHECK(map(shown, small_pages.all(), 1, ~u64{0}) == status::invalid_parameter);
    CHECK(shown.stores == 4);
}

TEST_CASE("SEG-38: the allocation's handle is not followed, NULL or not") {
    window shown;
    u32 aperture_page = 4;
    u64 memory_page = 5;
    for (void* handle : {static_cast<void*>(nullptr), poison}) {
        map_args const args{handle, 2, 0, 1, &aperture_page, &memory_page};
        CHECK(segment::map_cpu_host_aperture(large_pages.all(), shown, args) == status::success);
        CHECK(shown.shows[4] == 5);
    }
}

TEST_CASE("SEG-35: mapping needs nothing but the table, also in constant evaluation") {
    constexpr u64 seen = [] {
        simple_window shown;
        u32 aperture_page = 1;
        u64 memory_page = 9;
        map_args const args{nullptr, 2, 0, 1, &aperture_page, &memory_page};
        return segment::map_cpu_host_aperture(large_pages.all(), shown, args) == status::success ? shown.last : 0;
    }();
    expect_both(seen == 9);
}

TEST_CASE("SEG-37: segments without a host aperture, and requests without arrays") {
    window shown;
    for (u16 id : {u16{0}, u16{1}, u16{3}}) {
        CAPTURE(id);
        CHECK(map(shown, large_pages.all(), 1, 1, id) == status::invalid_parameter);
        // Nor does one that names no page.
        CHECK(segment::map_cpu_host_aperture(large_pages.all(), shown, map_args{nullptr, id, 0, 0, nullptr, nullptr}) ==
              status::invalid_parameter);
    }
    CHECK(map(shown, plain_table, 1, 1) == status::invalid_parameter);
    table unplaced = large_pages;
    unplaced.rows[1].host_aperture.base = segment::at_start;
    CHECK(map(shown, unplaced.all(), 1, 1) == status::invalid_parameter);
    u32 page = 1;
    u64 memory_page = 1;
    CHECK(segment::map_cpu_host_aperture(large_pages.all(), shown, map_args{nullptr, 2, 0, 1, nullptr, &memory_page}) ==
          status::invalid_parameter);
    CHECK(segment::map_cpu_host_aperture(large_pages.all(), shown, map_args{nullptr, 2, 0, 1, &page, nullptr}) ==
          status::invalid_parameter);
    CHECK(segment::unmap_cpu_host_aperture(large_pages.all(), shown, unmap_args{1, nullptr, 2, 0}) ==
          status::invalid_parameter);
    CHECK(shown.stores == 0);
    CHECK(segment::map_cpu_host_aperture(large_pages.all(), shown, map_args{nullptr, 2, 0, 0, nullptr, nullptr}) ==
          status::success);
}

}  // namespace query_host_aperture_test
