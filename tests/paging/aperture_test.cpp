// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "one_request.hpp"

namespace aperture_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

constexpr engine_shape at_once = shapes::engine(shapes::everything, 4 * page_bytes, 4, shapes::ordered, 1);
constexpr engine_shape with_commands() {
    engine_shape shape = at_once;
    shape.aperture_commands = true;
    return shape;
}
constexpr engine_shape by_command = with_commands();

// The entries of a request, by commands and at once; both have to be the same.
std::vector<stored_entry> entries(newest_arguments args) {
    one_request<by_command> commands;
    one_request<at_once> stores;
    newest_arguments other = args;
    pass_result const done = commands.run(args);
    CHECK(done.problem == "");
    CHECK(done.status == status::success);
    CHECK(commands.hw.stored == 0);
    CHECK(stores.run(other).status == status::success);
    CHECK(stores.stored() == entries_of(done.commands));
    return stores.stored();
}

void check_refused(newest_arguments const& args, paging_rule rule) {
    one_request<by_command> commands;
    one_request<at_once> stores;
    auto const check = [&](auto& test) {
        newest_arguments copy = args;
        test.hw.faults = 0;
        pass_result const done = test.os.pass(test.hw, copy, 4096);
        CHECK(done.problem == "");
        CHECK(done.status == status::invalid_parameter);
        CHECK(test.hw.faults == 1);
        CHECK(test.hw.last_fault.rule == rule);
        CHECK(test.hw.stored == 0);
        copy = args;
        CHECK(test.without_buffer(copy, true) == status::invalid_parameter);
        CHECK(test.hw.last_fault.rule == rule);
        CHECK(test.hw.stored == 0);
    };
    check(commands);
    check(stores);
}

constexpr u64 aperture_pages = (u64{1} << 36) / page_bytes;

}  // namespace

TEST_CASE("OP05-01: page k of the range is the MDL's page MdlOffset + k") {
    one_request<at_once> test;
    newest_arguments args = test.map(100, {9, 8, 20, 21, 3});
    args.MapApertureSegment.MdlOffset = 2;
    args.MapApertureSegment.NumberOfPages = 3;
    CHECK(entries(args) == std::vector<stored_entry>{{aperture_segment, 100, 20, false},
                                                     {aperture_segment, 101, 21, false},
                                                     {aperture_segment, 102, 3, false}});
    // One page, the first and the last of the list.
    args.MapApertureSegment.NumberOfPages = 1;
    args.MapApertureSegment.MdlOffset = 0;
    CHECK(entries(args) == std::vector<stored_entry>{{aperture_segment, 100, 9, false}});
    args.MapApertureSegment.MdlOffset = 4;
    CHECK(entries(args) == std::vector<stored_entry>{{aperture_segment, 100, 3, false}});
}

TEST_CASE("OP05-02: the range ends where the aperture ends, computed without overflow") {
    one_request<at_once> test;
    newest_arguments last = test.map(aperture_pages - 3, {5, 6, 7});
    CHECK(entries(last).size() == 3);
    for (newest_arguments const& good : {test.map(aperture_pages - 2, {5, 6, 7}),
                                         test.map2(aperture_pages - 2, 0x50, 3), test.unmap(aperture_pages - 2, 3)}) {
        check_refused(good, paging_rule::outside_aperture);
    }
    for (usize const first : {usize{aperture_pages}, ~usize{0}, ~usize{0} - 1, ~usize{0} - 2, usize{1} << 63}) {
        newest_arguments map = test.map(0, {5, 6, 7});
        map.MapApertureSegment.OffsetInPages = first;
        check_refused(map, paging_rule::outside_aperture);
        newest_arguments unmap = test.unmap(0, 3);
        unmap.UnmapApertureSegment.OffsetInPages = first;
        check_refused(unmap, paging_rule::outside_aperture);
    }
    newest_arguments huge = test.unmap(1, 1);
    for (usize const count : {usize{aperture_pages}, ~usize{0}, ~usize{0} - usize{aperture_pages}, usize{1} << 63}) {
        huge.UnmapApertureSegment.NumberOfPages = count;
        check_refused(huge, paging_rule::outside_aperture);
    }
}

TEST_CASE("OP05-03: coherent exactly when the flag says so, in both forms") {
    one_request<at_once> test;
    newest_arguments map = test.map(0, {5, 6});
    newest_arguments map2 = test.map2(0, {5, 6});
    newest_arguments run = test.map2(0, 5, 2);
    for (bool const coherent : {false, true}) {
        map.MapApertureSegment.Flags.CacheCoherent = coherent;
        map2.MapApertureSegment2.Flags.CacheCoherent = run.MapApertureSegment2.Flags.CacheCoherent = coherent;
        for (newest_arguments const& args : {map, map2, run}) {
            for (stored_entry const& one : entries(args)) {
                CHECK(one.coherent == coherent);
            }
        }
    }
    // The other bits of the word mean nothing.
    map.MapApertureSegment.Flags.Value = 0xFFFF'FFFE;
    CHECK_FALSE(entries(map)[0].coherent);
}

TEST_CASE("OP05-05: no allocation is a DMA buffer, no device the primary: both are mapped like anything") {
    one_request<at_once> test;
    newest_arguments args = test.map(4, {5, 6});
    std::vector<stored_entry> const expected = entries(args);
    args.MapApertureSegment.hAllocation = &test.marker;
    CHECK(entries(args) == expected);
    args.MapApertureSegment.hDevice = &test.marker;
    CHECK(entries(args) == expected);
    args.MapApertureSegment.hAllocation = nullptr;
    CHECK(entries(args) == expected);
}

TEST_CASE("OP06-01: every page of the range gets the dummy page") {
    one_request<at_once> test;
    newest_arguments args = test.unmap(40, 5, 0x12'3456'7000);
    std::vector<stored_entry> const found = entries(args);
    REQUIRE(found.size() == 5);
    for (u64 i = 0; i < 5; ++i) {
        CHECK(found[i].segment == aperture_segment);
        CHECK(found[i].index == 40 + i);
        CHECK(found[i].page == 0x12'3456'7);
    }
    // System page 0 is a page, and so is one above 2^32 pages.
    CHECK(entries(test.unmap(0, 1, 0))[0].page == 0);
    // An address inside a page means that page: twelve bits of it say nothing.
    for (u64 const inside : {u64{1}, u64{0x800}, u64{0xFFF}}) {
        CHECK(entries(test.unmap(0, 1, 0x12'3456'7000 + inside))[0].page == 0x1234567);
    }
    CHECK(entries(test.unmap(0, 1, 0x7FFF'FFFF'FFFF'F000))[0].page == 0x7'FFFF'FFFF'FFFF);
}

TEST_CASE("OP06-03 OP17-05: the CPU address of a mapping is neither read nor kept") {
    one_request<by_command> test;
    newest_arguments map = test.map2(3, {5, 6});
    map.MapApertureSegment2.CpuVisibleAddress = reinterpret_cast<void*>(usize{16});  // touching it would fault
    CHECK(entries(map).size() == 2);
    newest_arguments with_null = test.map2(3, {5, 6});
    with_null.MapApertureSegment2.CpuVisibleAddress = nullptr;
    CHECK(entries(with_null) == entries(map));
}

TEST_CASE("OP17-01: the second form replaces the first, unless the driver may run as an older one") {
    constexpr auto reaches = [](capabilities const& caps, u32 code) {
        return reachable(caps, static_cast<paging_operation>(code));
    };
    constexpr capabilities adl{.version = wddm::v3_0, .aperture = aperture_forms::adl};
    static_assert(reaches(adl, 17) && !reaches(adl, 5) && reaches(adl, 6));
    constexpr capabilities mdl{.version = wddm::v3_0, .aperture = aperture_forms::mdl};
    static_assert(!reaches(mdl, 17) && reaches(mdl, 5) && reaches(mdl, 6));
    constexpr capabilities either{.version = wddm::v3_0, .aperture = aperture_forms::either};
    static_assert(reaches(either, 17) && reaches(either, 5) && reaches(either, 6));
    constexpr capabilities also_older{.version = wddm::v3_0, .oldest = wddm::v2_0, .aperture = aperture_forms::adl};
    static_assert(reaches(also_older, 17) && reaches(also_older, 5));
    constexpr capabilities too_old{.version = wddm::v2_8, .aperture = aperture_forms::either};
    static_assert(!reaches(too_old, 17) && reaches(too_old, 5));
    CHECK(reaches(adl, 17));
}

TEST_CASE("OP17-02: page k of the range is the list's element AdlOffset + k, scattered or contiguous") {
    one_request<at_once> test;
    newest_arguments scattered = test.map2(100, {9, 8, 20, 21, 3});
    scattered.MapApertureSegment2.AdlOffset = 2;
    scattered.MapApertureSegment2.NumberOfPages = 3;
    CHECK(entries(scattered) == std::vector<stored_entry>{{aperture_segment, 100, 20, false},
                                                          {aperture_segment, 101, 21, false},
                                                          {aperture_segment, 102, 3, false}});
    newest_arguments run = test.map2(100, 0x900, 5);
    run.MapApertureSegment2.AdlOffset = 2;
    run.MapApertureSegment2.NumberOfPages = 3;
    CHECK(entries(run) == std::vector<stored_entry>{{aperture_segment, 100, 0x902, false},
                                                    {aperture_segment, 101, 0x903, false},
                                                    {aperture_segment, 102, 0x904, false}});
}

TEST_CASE("OP17-03: AdlOffset + NumberOfPages stays within PageCount, computed without overflow") {
    one_request<at_once> test;
    for (newest_arguments const& good : {test.map2(0, {5, 6, 7, 8}), test.map2(0, 0x500, 4)}) {
        newest_arguments args = good;
        args.MapApertureSegment2.AdlOffset = 1;
        check_refused(args, paging_rule::outside_list);
        args.MapApertureSegment2.NumberOfPages = 3;
        CHECK(entries(args).size() == 3);
        for (u32 const offset : {4u, 5u, 0xFFFF'FFFFu, 0xFFFF'FFFEu, 0xFFFF'FFFDu}) {
            args.MapApertureSegment2.AdlOffset = offset;
            check_refused(args, paging_rule::outside_list);
        }
    }
}

TEST_CASE("OP17-04: the contiguous flag is asked every time: both forms, one after the other") {
    one_request<by_command> test;
    for (u32 round = 0; round < 4; ++round) {
        newest_arguments args = round % 2 != 0 ? test.map2(1, 0x700, 3) : test.map2(1, {0x900, 0x703, 0x702});
        CHECK(entries(args) == map2_effect(args.MapApertureSegment2));
    }
}

TEST_CASE("OP17-06: there is no second unmap: operation 6 takes away what 17 mapped") {
    one_request<at_once> test;
    newest_arguments map = test.map2(30, 0x700, 4);
    std::vector<stored_entry> const mapped = entries(map);
    std::vector<stored_entry> const gone = entries(test.unmap(30, 4, 0xD000));
    REQUIRE(gone.size() == mapped.size());
    for (std::size_t i = 0; i < gone.size(); ++i) {
        CHECK(gone[i].index == mapped[i].index);
        CHECK(gone[i].page == 0xD);
    }
    static_assert(
        reachable({.version = wddm::v3_2, .aperture = aperture_forms::adl}, paging_operation::unmap_aperture_segment));
}

TEST_CASE("ADL-09: no page is nothing to map, told before any list is read") {
    one_request<at_once> test;
    newest_arguments map = test.map(5, {});
    map.MapApertureSegment.pMdl = reinterpret_cast<mirror::vista::mdl*>(test.map_list.make({4}));
    newest_arguments map2 = test.map2(5, {});
    map2.MapApertureSegment2.Adl.PageCount = 3;
    map2.MapApertureSegment2.Adl.Pages = reinterpret_cast<usize const*>(usize{8});  // reading it would fault
    newest_arguments empty = map2;
    empty.MapApertureSegment2.Adl.PageCount = 0;
    empty.MapApertureSegment2.Adl.Pages = nullptr;
    for (newest_arguments const& good : {map, map2, empty, test.unmap(5, 0)}) {
        check_refused(good, paging_rule::nothing_to_map);
        test.hw.answer = disposition::dropped;
        newest_arguments args = good;
        CHECK(test.os.pass(test.hw, args, 4096).status == status::success);
        CHECK(test.without_buffer(args, true) == status::success);
        CHECK(test.hw.stored == 0);
    }
}

TEST_CASE("PGB-11: what one pass began by command, a call without a buffer finishes at once") {
    one_request<by_command> test;
    newest_arguments args = test.map(50, lonely_pages(9));
    std::vector<stored_entry> const expected = map_effect(args.MapApertureSegment);
    pass_result const some = test.os.pass(test.hw, args, 4 * 7 * 4);
    REQUIRE(some.status == status::graphics_insufficient_dma_buffer);
    REQUIRE(some.next_token == 4);
    CHECK(test.without_buffer(args, true) == status::success);
    std::vector<stored_entry> all = entries_of(some.commands);
    std::vector<stored_entry> const rest = test.stored();
    all.insert(all.end(), rest.begin(), rest.end());
    CHECK(all == expected);
}

TEST_CASE("PGB-04 PGB-11: what is done at once is done: the token stands at the end, and nothing is stored again") {
    one_request<at_once> test;
    for (newest_arguments const& good : {test.map(50, lonely_pages(9)), test.unmap(50, 9), test.map2(50, 0x700, 9)}) {
        newest_arguments args = good;
        for (u64 const stores : {9u, 0u}) {
            CHECK(test.without_buffer(args, true) == status::success);
            CHECK(args.MultipassOffset == 9);
            CHECK(test.hw.stored == stores);
        }
    }
}

}  // namespace aperture_test
