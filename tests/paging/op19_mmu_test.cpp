// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "../slow_build.hpp"
#include "notices.hpp"

namespace op19_mmu_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

constexpr engine_shape mapping(u32 grain) {
    engine_shape shape{};
    shape.caps = {.version = wddm::v3_2,
                  .addresses = paging_addresses::gpu_virtual,
                  .mmu_mapping = claim::yes,
                  .highest_visible_address = 0xF'FFFF'FFFF};
    shape.grain = grain;
    return shape;
}
constexpr engine_shape grain_1 = mapping(1);
constexpr engine_shape grain_4 = mapping(4);
constexpr engine_shape of_16_pages = [] {
    engine_shape shape = mapping(1);
    shape.caps.highest_visible_address = 16 * page_bytes - 1;
    return shape;
}();
constexpr u64 last_page = 0xFF'FFFF;

struct list_part {
    [[nodiscard]] static constexpr bool is_mmu(u32 id) { return id == 3 || id == 0xFFFF; }
};
struct store_part {
    told_log* log = nullptr;
    constexpr void store_mmu_map(hw::mmu_range const& range) { add(record_kind::mmu_map, range); }
    constexpr void store_mmu_unmap(hw::mmu_range const& range) { add(record_kind::mmu_unmap, range); }
    constexpr void add(record_kind kind, hw::mmu_range const& range) {
        log->add(kind, {range.mmu, range.address, range.length.n, range.first.n, range.segment.n,
                        range.allocation_start, range.position});
    }
};
using by_page = wddm2_gpu<grain_1, list_part, mmu_part_by_command<1>>;
using by_run = wddm2_gpu<grain_4, list_part, mmu_part_by_command<3>>;
using short_reach = wddm2_gpu<of_16_pages, list_part, mmu_part_by_command<64>>;
using at_once = wddm2_gpu<grain_1, list_part, store_part>;
using in_both_ways = wddm2_gpu<grain_1, list_part, mmu_part_by_command<3>, store_part>;

/// Requests of both operations; the list lives as long as this does.
struct requests {
    guarded_mdl memory{64};

    [[nodiscard]] latest_arguments map(u64 address, std::vector<u64> const& pages) {
        latest_arguments args = map_of(address, static_cast<u32>(pages.size()));
        args.MmapMmu.Adl.Pages = memory.make_array(pages);
        return args;
    }
    [[nodiscard]] static latest_arguments map(u64 address, u64 base, u32 count) {
        latest_arguments args = map_of(address, count);
        args.MmapMmu.Adl.Flags.Contiguous = 1;
        args.MmapMmu.Adl.BasePageNumber = static_cast<usize>(base);
        return args;
    }
    [[nodiscard]] static latest_arguments unmap(u64 address, u32 count) {
        latest_arguments args{};
        args.Operation = 20;
        args.UnmapMmu = {};
        args.UnmapMmu.VirtualAddress = address;
        args.UnmapMmu.MmuId = 3;
        args.UnmapMmu.AllocationOffset = 0x55;
        args.UnmapMmu.NumberOfPages = count;
        return args;
    }

private:
    [[nodiscard]] static latest_arguments map_of(u64 address, u32 count) {
        latest_arguments args{};
        args.Operation = 19;
        args.MmapMmu = {};
        args.MmapMmu.VirtualAddress = address;
        args.MmapMmu.MmuId = 3;
        args.MmapMmu.SegmentId = aperture_segment;
        args.MmapMmu.AllocationOffsetInPages = 0x77;
        args.MmapMmu.Adl.Flags.Value = 0;
        args.MmapMmu.Adl.PageCount = count;
        return args;
    }
};

/// One page of a mapping; 0 for its number when it is unmapped.
struct mapped {
    u64 address;
    u64 page;
    friend bool operator==(mapped const&, mapped const&) = default;
};

/// The pages that ranges map, one by one; `checked` also says that everything else about them is right.
template <class Range>
void add_pages(std::vector<mapped>& all, Range const& range, bool maps) {
    CHECK(range.values[0] == 3);
    CHECK(range.values[4] == (maps ? aperture_segment : 0));
    CHECK(range.values[5] == (maps ? 0x77 : 0x55));
    CHECK(range.values[6] == all.size());
    for (u64 i = 0; i < range.values[2]; ++i) {
        all.push_back({range.values[1] + i * 4096, maps ? range.values[3] + i : 0});
    }
}

std::vector<mapped> pages_of(pass_result const& done, bool maps, u64 most) {
    std::vector<mapped> all;
    for (recorded_command const& one : done.commands) {
        CHECK(one.kind == (maps ? record_kind::mmu_map : record_kind::mmu_unmap));
        CHECK(one.values[2] <= most);
        add_pages(all, one, maps);
    }
    return all;
}

std::vector<mapped> wanted(u64 address, std::vector<u64> const& pages) {
    std::vector<mapped> all;
    for (u64 const page : pages) {
        all.push_back({address + all.size() * 4096, page});
    }
    return all;
}

}  // namespace

TEST_CASE("OP19-01: the list's own count is the number of pages; each goes to the next address, whatever its form") {
    wddm2_request<by_run> test;
    requests ask;
    std::vector<u64> const scattered{5, 6, 7, 8, 9, 20, 30, 31, 2};
    CHECK(pages_of(test.run(ask.map(0x70'0000, scattered)), true, 3) == wanted(0x70'0000, scattered));
    CHECK(pages_of(test.run(ask.map(0x70'0000, 0x500, 8)), true, 3) == wanted(0x70'0000, rising_pages(0x500, 8)));
    // Runs are cut at three pages: 5-7, 8-9, 20, 30-31, 2.
    CHECK(test.run(ask.map(0, scattered)).commands.size() == 5);
    CHECK(test.run(ask.map(0, 0x500, 8)).commands.size() == 3);
}

TEST_CASE("OP19-01: any list through any number of passes of any room maps each page once") {
    requests ask;
    wddm2_request<by_run> runs;
    wddm2_request<by_page> single;
    u64 const seed = 0x19;
    notices::random_numbers random(seed);
    for (u32 round = 0; round < 300 / emulated_factor; ++round) {
        CAPTURE(seed);
        CAPTURE(round);
        std::vector<u64> pages;
        u64 page = random.below(1000);
        for (u64 left = 1 + random.below(40); left != 0; --left) {
            pages.push_back(page);
            page = random.below(4) == 0 ? random.below(last_page) : page + 1;
        }
        latest_arguments args = ask.map(0x1000 * random.below(1000), pages);
        u64 const address = args.MmapMmu.VirtualAddress;
        pass_result done = runs.os.run(runs.hw, args, [&] { return 1 + random.below(300); });
        CHECK(done.problem == "");
        CHECK(pages_of(done, true, 3) == wanted(address, pages));
        done = single.os.run(single.hw, args, [&] { return 1 + random.below(300); });
        CHECK(done.problem == "");
        CHECK(done.commands.size() == pages.size());
        CHECK(pages_of(done, true, 1) == wanted(address, pages));
    }
}

TEST_CASE("OP19-02: an unmap has its own count, and no pages; its offset is handed on as it is") {
    wddm2_request<by_run> test;
    pass_result const done = test.run(requests::unmap(0x70'0000, 8));
    CHECK(done.commands.size() == 3);
    CHECK(pages_of(done, false, 3) == wanted(0x70'0000, std::vector<u64>(8, 0)));
}

TEST_CASE("OP19-02 fault: an MMU that was never reported") {
    wddm2_request<by_run> test;
    requests ask;
    for (u32 const id : {0u, 4u, 0x8000u}) {
        latest_arguments map = ask.map(0, {1});
        map.MmapMmu.MmuId = static_cast<u16>(id);
        test.expect_fault(map, paging_rule::unknown_mmu, id, 0);
        latest_arguments unmap = requests::unmap(0, 1);
        unmap.UnmapMmu.MmuId = static_cast<u16>(id);
        test.expect_fault(unmap, paging_rule::unknown_mmu, id, 0);
    }
    latest_arguments last = requests::unmap(0, 1);
    last.UnmapMmu.MmuId = 0xFFFF;
    CHECK(test.run(last).commands[0].values[0] == 0xFFFF);
}

TEST_CASE("OP19-03: what an unmapped entry holds is the hardware type's: the library names no page for it") {
    wddm2_request<by_run> test;
    for (recorded_command const& one : test.run(requests::unmap(0x1000, 9)).commands) {
        CHECK(one.kind == record_kind::mmu_unmap);
        CHECK(one.values[3] == 0);
    }
}

TEST_CASE("OP19-01 OP19-02 fault: no pages, half pages, addresses that wrap, a token past the end") {
    wddm2_request<by_run> test;
    requests ask;
    constexpr u64 top = 0xFFFF'FFFF'FFFF'E000;
    for (latest_arguments const& good : {ask.map(0x1000, {1, 2, 3}), requests::unmap(0x1000, 3)}) {
        bool const maps = good.Operation == 19;
        auto const with = [&](u64 address, u32 count) {
            latest_arguments args = good;
            (maps ? args.MmapMmu.VirtualAddress : args.UnmapMmu.VirtualAddress) = address;
            (maps ? args.MmapMmu.Adl.PageCount : args.UnmapMmu.NumberOfPages) = count;
            return args;
        };
        test.expect_fault(with(0x1000, 0), paging_rule::nothing_to_map, 0, 0);
        test.expect_fault(with(0x1800, 3), paging_rule::misaligned_for_engine, 0x1800, 4096);
        test.expect_fault(with(top, 3), paging_rule::address_wraps, top, 3 * 4096);
        CHECK(test.run(with(top, 2)).commands.size() == 1);
        latest_arguments past = good;
        past.MultipassOffset = 4;
        test.expect_fault(past, paging_rule::token_past_end, 4, 3);
    }
}

TEST_CASE("ADL-01 ADL-06 fault: a list that is missing, wraps, or names a page that the device does not reach") {
    wddm2_request<by_run> test;
    requests ask;
    latest_arguments missing = ask.map(0, {1, 2});
    missing.MmapMmu.Adl.Pages = nullptr;
    test.expect_fault(missing, paging_rule::missing_list, 0, 0);
    test.expect_fault(ask.map(0, (u64{1} << 52) - 1, 2), paging_rule::list_wraps, (u64{1} << 52) - 1, last_page);
    test.expect_fault(ask.map(0, last_page, 2), paging_rule::list_wraps, last_page, last_page);
    CHECK(test.run(ask.map(0, last_page - 1, 2)).commands.size() == 1);
    for (u64 bad = 0; bad < 5; ++bad) {
        std::vector<u64> pages = lonely_pages(5);
        pages[bad] = last_page + 1;
        test.expect_fault(ask.map(0, pages), paging_rule::list_wraps, last_page + 1, last_page, true, false);
    }
    // The last page of a run, and a run whose numbers wrap.
    test.expect_fault(ask.map(0, {7, last_page - 1, last_page, last_page + 1}), paging_rule::list_wraps, last_page + 1,
                      last_page, true, false);
    test.expect_fault(ask.map(0, {7, ~u64{0}, 0}), paging_rule::list_wraps, ~u64{0}, last_page, true, false);
}

TEST_CASE(
    "ADL-06 OP19-02: the last page that the device reaches is mapped; an unmap names no page, and may be longer") {
    wddm2_request<by_run> test;
    requests ask;
    CHECK(test.run(ask.map(0, {last_page})).commands.size() == 1);
    CHECK(test.run(ask.map(0, {7, last_page, 9})).commands.size() == 3);
    CHECK(test.run(ask.map(0, {last_page - 1, last_page})).commands.size() == 1);
    // A device that reaches 16 pages.
    wddm2_request<short_reach> few;
    CHECK(few.run(requests::unmap(0x1000, 17)).commands.size() == 1);
    CHECK(few.run(ask.map(0, {14, 15})).commands.size() == 1);
    few.expect_fault(ask.map(0, {14, 15, 16}), paging_rule::list_wraps, 16, 15, true, false);
}

TEST_CASE("OP19-01: a pass reads no page that it has no command for, however long the list is") {
    wddm2_request<by_run> test;
    requests ask;
    latest_arguments args = ask.map(0x5000, lonely_pages(12));  // behind them nothing can be read
    args.MmapMmu.Adl.PageCount = 4000;
    pass_result const done = test.os.pass(test.hw, args, test.smallest * 10);
    CHECK(done.status == status::graphics_insufficient_dma_buffer);
    CHECK(args.MultipassOffset == done.commands.size());
    CHECK(done.commands.size() >= 8);
    CHECK(test.hw.faults == 0);
}

TEST_CASE("OP19-01 OP19-02 PGB-11: at once all pages are judged first, then stored in runs, and never again") {
    wddm2_request<at_once> test;
    told_log log;
    test.hw.log = &log;
    requests ask;
    test.expect_fault(ask.map(0, {1, 2, 9, last_page + 1}), paging_rule::list_wraps, last_page + 1, last_page);
    CHECK(log.count == 0);
    latest_arguments args = ask.map(0x5000, {1, 2, 3, 4, 9});
    CHECK(build_paging_buffer(test.hw, args) == status::success);
    REQUIRE(log.count == 2);
    std::vector<mapped> all;
    add_pages(all, log.list[0], true);
    add_pages(all, log.list[1], true);
    CHECK(all == wanted(0x5000, {1, 2, 3, 4, 9}));
    CHECK(args.MultipassOffset == 5);
    CHECK(build_paging_buffer(test.hw, args) == status::success);
    CHECK(log.count == 2);
    latest_arguments unmap = requests::unmap(0x5000, 9);
    CHECK(build_paging_buffer(test.hw, unmap) == status::success);
    REQUIRE(log.count == 3);
    CHECK(log.list[2].kind == record_kind::mmu_unmap);
    CHECK(log.list[2].values[2] == 9);
}

TEST_CASE("OP19-01 PGB-11: by command where there is a buffer, the rest at once where there is none") {
    wddm2_request<in_both_ways> test;
    told_log log;
    test.hw.log = &log;
    requests ask;
    latest_arguments args = ask.map(0x5000, {1, 2, 3, 4, 9});
    CHECK(test.os.pass(test.hw, args, 64).commands.size() == 1);
    CHECK(args.MultipassOffset == 3);
    args.pDmaBuffer = nullptr;
    CHECK(build_paging_buffer(test.hw, args) == status::success);
    REQUIRE(log.count == 2);
    CHECK(log.list[0].values[1] == 0x8000);
    CHECK(log.list[0].values[3] == 4);
    CHECK(log.list[0].values[6] == 3);
    wddm2_request<by_page> other;
    other.expect_without_buffer(requests::unmap(0, 1), status::invalid_parameter);
    other.expect_without_buffer(ask.map(0, {1}), status::invalid_parameter);
}

TEST_CASE("PGB-01 PGB-05: mappings in every room, from a byte on, resumed at every point") {
    wddm2_request<by_run> test;
    requests ask;
    test.expect_every_room(ask.map(0x1000, {1, 2, 3, 4, 9, 7}), 15, 4);
    test.expect_every_room(ask.map(0x1000, 0x500, 7), 15, 3);
    test.expect_every_room(requests::unmap(0x1000, 10), 15, 4);
    test.expect_stored_in_order(requests::unmap(0x1000, 10));
    CHECK(smallest_paging_buffer<by_run> == bytes{16 * 4});
}

TEST_CASE("OP19-01 OP19-02: mappings come from WDDM 3.2 on") {
    using newest = mirror::v3_2::dxgkarg_buildpagingbuffer;
    using before = mirror::v3_1::dxgkarg_buildpagingbuffer;
    CHECK((members::map_mmu<newest> && members::unmap_mmu<newest>));
    CHECK_FALSE((members::map_mmu<before> || members::unmap_mmu<before>));
    for (paging_operation const operation : {paging_operation::map_mmu, paging_operation::unmap_mmu}) {
        CHECK_FALSE(reachable({.version = wddm::v3_1, .mmu_mapping = claim::yes}, operation));
        CHECK_FALSE(reachable({.version = wddm::v3_2}, operation));  // nor without the claim
        CHECK(reachable({.version = wddm::v3_2, .mmu_mapping = claim::yes}, operation));
    }
}

namespace {

constexpr usize scattered[] = {4, 5, 6, 7, 1};

constexpr bool in_constant_evaluation() {
    wddm2_arguments args = wddm2_twin_of(paging_operation::map_mmu);
    args.MmapMmu = {nullptr, 0x9000, 3, 1, 0x77, {5, {0}, 0, scattered}};
    by_run hw = with_segments<by_run>();
    recorded_command records[4];
    bool const maps = records_in_constant_evaluation<16>(hw, args, record_kind::mmu_map, records) == 3 &&
                      records[2].values[3] == 1 && records[2].values[1] == 0xD000;
    at_once direct = with_segments<at_once>();
    told_log log;
    direct.log = &log;
    bool const stores = build_paging_buffer(direct, args) == status::success && log.count == 2;
    args = wddm2_twin_of(paging_operation::unmap_mmu);
    args.UnmapMmu = {nullptr, 0x9000, 3, 0x55, 7};
    return maps && stores && records_in_constant_evaluation<32>(hw, args, record_kind::mmu_unmap, records) == 3 &&
           records[2].values[2] == 1;
}
static_assert(in_constant_evaluation());

}  // namespace

TEST_CASE("laws 3 and 4: mappings in constant evaluation are the mappings at run time") {
    CHECK(in_constant_evaluation());
}

}  // namespace op19_mmu_test
