// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// Chips that differ in their page tables: each is driven as a type of its own would be.
#include "../slow_build.hpp"
#include "table_requests.hpp"

#include <wddmcore/hw/check_numbers.hpp>
#include <wddmcore/paging/cpu/walk.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace chosen_tables_test {

using namespace wddmcore;
using namespace wddmcore::table_tests;

namespace {

using gpuva::page_table_geometry;

// 48 bits; 38 bits with pages of 16 KiB; 57 bits; 64 bits, with leaf tables of 64 KiB.
constexpr page_table_geometry four_levels{.level_count = 4, .levels = {{9, 8}, {9, 8, true}, {9, 8, true}, {9, 8}}};
constexpr page_table_geometry three_levels{
    .level_count = 3, .levels = {{10, 8}, {8, 8, true}, {8, 16}}, .gpu_page = 16 * kib};
constexpr page_table_geometry five_levels{.level_count = 5, .levels = {{9, 8}, {9, 8, true}, {9, 8}, {9, 8}, {9, 8}}};
constexpr page_table_geometry widest{.level_count = 4, .levels = {{13, 8}, {13, 8, true}, {13, 8}, {13, 8}}};

template <page_table_geometry const& Tables>
struct constant_gpu : generator_gpu {
    static constexpr page_table_geometry page_tables = Tables;
};

struct chosen_gpu : generator_gpu {
    u32 generation = 0;
    static constexpr chosen_among page_tables{{four_levels, three_levels, five_levels, widest},
                                              &chosen_gpu::generation};
};
/// A CPU that maps one page at a time.
struct single_pages {
    static constexpr pages map_max{1};
};
struct inline_only : plain_gpu {
    u32 generation = 0;
    static constexpr chosen_among page_tables{{four_levels, three_levels}, &inline_only::generation};
};
// Page numbers of the generator's own width, of system memory within 256 MiB, and of all that 52 bits can say.
constexpr page_table_entry_limits own_width{.page_number_bits = 34, .driver_protection = 0xF};
constexpr page_table_entry_limits narrow{.page_number_bits = 16, .driver_protection = 0x3};
constexpr page_table_entry_limits wide{.page_number_bits = 38, .driver_protection = 0};

template <class Base, page_table_entry_limits const& Limits>
struct constant_limits : Base {
    static constexpr page_table_entry_limits entry_limits = Limits;
};
template <class Base>
struct chosen_limits : Base {
    u32 width = 0;
    static constexpr chosen_among entry_limits{{own_width, narrow, wide}, &chosen_limits::width};
};
static_assert(hw::uniform_entries<chosen_limits<generator_gpu>>);
static_assert(hw::page_table_format<chosen_gpu> && hw::uniform_entries<chosen_gpu>);
static_assert(check_page_tables_of<chosen_gpu>());

/// Everything that is seen of one request.
struct outcome {
    std::vector<u32> words;
    std::vector<u64> table;  ///< what the CPU stored
    ntstatus status;
    u32 passes;
    u32 faults;
    u32 stores;
    paging_rule rule;
    u64 value;
    u64 limit;
    bool operator==(outcome const&) const = default;
};

template <class Gpu>
outcome play(Gpu gpu, arguments args, u32 room) {
    outcome all{};
    all.table.resize(2 * 0x2000);
    if (args.Operation == 11 && args.UpdatePageTable.UpdateMode == 0) {
        args.UpdatePageTable.PageTableAddress.CpuVirtual = all.table.data();
    }
    u32 token = 0;
    do {
        std::vector<u32> buffer(room);
        args.pDmaBuffer = buffer.data();
        args.DmaSize = room * 4;
        token = args.MultipassOffset;
        all.status = build(gpu, args);
        all.words.insert(all.words.end(), buffer.data(), static_cast<u32*>(args.pDmaBuffer));
        ++all.passes;
    } while (all.status == status::graphics_insufficient_dma_buffer && args.MultipassOffset != token);
    all.faults = gpu.faults;
    all.stores = gpu.stores;
    all.rule = gpu.last_fault.rule;
    all.value = gpu.last_fault.value;
    all.limit = gpu.last_fault.limit;
    return all;
}

template <class Chip, class Own>
void expect_same(Chip const& chip, Own const& own, u64 seed) {
    constexpr page_table_geometry tables = Own::page_tables;
    random_numbers random{seed};
    CAPTURE(seed);
    REQUIRE(check_numbers(chip) == no_number_broken);
    constexpr u32 rounds = emulated ? 120 : slow_build ? 400 : 6000;
    u32 done = 0;
    for (u32 round = 0; round != rounds; ++round) {
        CAPTURE(round);
        arguments args{};
        std::vector<pte> entries(600);
        std::vector<copy_range> ranges(4);
        u32 const room = random.one_in(3) ? 0x4000 : 12 + static_cast<u32>(random.below(90));
        if (random.one_in(4)) {
            args.Operation = 14;
            args.CopyPageTableEntries = {};
            for (copy_range& r : ranges) {
                u64 const end = u64{1} << (gpuva::address_bits(tables) - 1);
                r.SrcPageTableAddress =
                    random.one_in(20) ? random.next() & ~u64{0xFFFF} : random.below(end) & ~u64{0xFFFF};
                r.DstPageTableAddress = random.one_in(4) ? r.SrcPageTableAddress : random.below(end) & ~u64{0xFFFF};
                r.SrcStartPteIndex = static_cast<u32>(random.below(100));
                r.DstStartPteIndex = static_cast<u32>(random.below(100));
                r.NumPageTableEntries = static_cast<u32>(random.one_in(20) ? random.below(0x3000) : random.below(150));
            }
            args.CopyPageTableEntries.NumRanges = 1 + static_cast<u32>(random.below(4));
            args.CopyPageTableEntries.pRanges = ranges.data();
        } else {
            args.Operation = 11;
            args.UpdatePageTable = {};
            auto& update = args.UpdatePageTable;
            update.PageTableLevel = static_cast<u32>(random.one_in(2) ? 0 : random.below(6));
            update.StartIndex = static_cast<u32>(random.one_in(10) ? random.below(0x2100) : random.below(300));
            update.NumPageTableEntries = 1 + static_cast<u32>(random.below(random.one_in(4) ? 500 : 40));
            update.Flags.Repeat = random.one_in(3);
            update.DriverProtection = random.one_in(3) ? random.next() : 0;
            update.Flags.Use64KBPages = random.one_in(30);
            update.UpdateMode = static_cast<u32>(random.below(3));
            update.PageTableAddress.GpuPhysical.SegmentId = 1;
            update.PageTableAddress.GpuPhysical.SegmentOffset = random.below(1000) * 4096;
            if (update.UpdateMode == 1) {
                update.PageTableAddress.GpuVirtual =
                    random.one_in(10) ? random.next() & ~u64{0xFFF} : random.below(u64{1} << 36) & ~u64{0xFFF};
            }
            u64 const flags = random.one_in(3) ? 1 : 1 | 1 << 5;
            u64 const large = update.PageTableLevel == 1 && random.one_in(3) ? u64{1} << 10 : 0;
            u64 page = random.below(1000) * 4;
            for (pte& e : entries) {
                e.Flags = random.one_in(300) ? random.below(0x800) : flags | large;
                e.PageAddress = large != 0 ? random.below(8) << random.below(14) : page;
                page += random.one_in(9) ? 4 * random.below(100) : tables.gpu_page.n == page_bytes ? 1 : 0;
                page += random.one_in(500) ? u64{1} << random.below(40) : 0;
            }
            update.pPageTableEntries = entries.data();
        }
        outcome const expected = play(own, args, room);
        outcome const got = play(chip, args, room);
        REQUIRE(got == expected);
        done += expected.status == status::success;
    }
    // Enough of them are good, and enough are not.
    CHECK(done > rounds / 6);
    CHECK(done < rounds / 12 * 11);
}

template <page_table_geometry const& Tables>
void expect_same_as_constant(u32 generation, u64 seed) {
    CAPTURE(generation);
    auto chip = with_segments<chosen_gpu>();
    chip.generation = generation;
    expect_same(chip, with_segments<constant_gpu<Tables>>(), seed);
}

template <class Base>
void expect_same_limits(u64 seed) {
    auto chip = with_segments<chosen_limits<Base>>();
    expect_same(chip, with_segments<constant_limits<Base, own_width>>(), seed);
    chip.width = 1;
    expect_same(chip, with_segments<constant_limits<Base, narrow>>(), seed);
    chip.width = 2;
    expect_same(chip, with_segments<constant_limits<Base, wide>>(), seed);
}

}  // namespace

TEST_CASE("GVA-04: a chip's page tables are written as its own geometry says, in every mode") {
    for (u64 const seed : {u64{0x0916}, u64{0x1916}}) {
        expect_same_as_constant<four_levels>(0, seed);
        expect_same_as_constant<three_levels>(1, seed);
        expect_same_as_constant<five_levels>(2, seed);
        expect_same_as_constant<widest>(3, seed);
    }
}

TEST_CASE("OP11-10: a chip's entries hold page numbers and protection as wide as its own limits say") {
    expect_same_limits<generator_gpu>(0x0916);
    expect_same_limits<plain_gpu>(0x1916);
    expect_same_limits<dual_gpu>(0x2916);
}

TEST_CASE("OP11-10: the same request is right for the chip with the wider entries alone") {
    std::vector<pte> entries(20);
    for (pte& e : entries) {
        e.Flags = 1;
        e.PageAddress = 0x1'0000;  // the first page that 16 bits do not hold
    }
    arguments args{};
    args.Operation = 11;
    args.UpdatePageTable = {};
    args.UpdatePageTable.NumPageTableEntries = 20;
    args.UpdatePageTable.UpdateMode = 1;
    args.UpdatePageTable.PageTableAddress.GpuVirtual = 0x10'0000;
    args.UpdatePageTable.DriverProtection = 0xC;  // two bits that the narrow entries do not have
    args.UpdatePageTable.pPageTableEntries = entries.data();
    auto chip = with_segments<chosen_limits<plain_gpu>>();
    chip.width = 1;
    outcome const refused = play(chip, args, 0x1000);
    CHECK(refused.rule == paging_rule::page_too_high);
    CHECK(refused.value == 0x1'0000);
    CHECK(refused.limit == 0xFFFF);
    chip.width = 0;
    outcome const written = play(chip, args, 0x1000);
    CHECK(written.status == status::success);
    CHECK(written.faults == 0);
    for (pte& e : entries) {
        e.PageAddress = 0xFFFF;
    }
    outcome const with_protection = play(chip, args, 0x1000);
    chip.width = 1;
    outcome const without = play(chip, args, 0x1000);
    CHECK(without.faults == 0);
    CHECK(without.words.size() == with_protection.words.size());
    CHECK(without.words != with_protection.words);
    args.UpdatePageTable.DriverProtection = 0;
    CHECK(play(chip, args, 0x1000).words == without.words);
}

TEST_CASE("CHK-15: a chip's address space ends where its own page tables end") {
    u64 const bits[] = {48, 38, 57, 64};
    static_assert(paging::detail::virtual_address_bits_of<chosen_gpu> == 64);
    for (u32 generation = 0; generation != 4; ++generation) {
        CAPTURE(generation);
        chosen_gpu chip{};
        chip.generation = generation;
        u64 const last = bits[generation] == 64 ? ~u64{0} : (u64{1} << bits[generation]) - 1;
        paging::detail::cpu::space<chosen_gpu, single_pages> const for_the_cpu{chip};
        static_assert(for_the_cpu.copy_max == bytes{page_bytes});
        CHECK(paging::detail::in_address_space(for_the_cpu, gpu_virtual_address{last - 7}, 8));
        CHECK(!paging::detail::in_address_space(for_the_cpu, gpu_virtual_address{last - 7}, 9));
        CHECK(paging::detail::in_address_space(chip, gpu_virtual_address{last - 7}, 8));
        CHECK(!paging::detail::in_address_space(chip, gpu_virtual_address{last - 7}, 9));
        CHECK(paging::detail::in_address_space(chip, gpu_virtual_address{0}, last));
        CHECK(!paging::detail::in_address_space(chip, gpu_virtual_address{2}, last));
        CHECK(!paging::detail::in_address_space(chip, gpu_virtual_address{last}, ~u64{0}));
        if (bits[generation] != 64) {
            CHECK(paging::detail::in_address_space(chip, gpu_virtual_address{0}, last + 1));
            CHECK(!paging::detail::in_address_space(chip, gpu_virtual_address{1}, last + 1));
            CHECK(!paging::detail::in_address_space(chip, gpu_virtual_address{last + 1}, 1));
        }
    }
}

TEST_CASE("GVA-18: a leaf entry ends as far behind its page as the chip's own pages are large") {
    auto chip = with_segments<chosen_gpu>();
    chip.places[3].size = bytes{1026 * page_bytes};
    pte entry{};
    entry.Flags = 1 | 3 << 5;
    entry.PageAddress = 1024;
    arguments args{};
    args.Operation = 11;
    args.UpdatePageTable.NumPageTableEntries = 1;
    args.UpdatePageTable.UpdateMode = 1;
    args.UpdatePageTable.PageTableAddress.GpuVirtual = 0x1'0000;
    args.UpdatePageTable.pPageTableEntries = &entry;
    CHECK(play(chip, args, 0x1000).status == status::success);
    chip.generation = 1;  // pages of 16 KiB
    CHECK(play(chip, args, 0x1000).rule == paging_rule::outside_segment);
    entry.PageAddress = 1020;
    CHECK(play(chip, args, 0x1000).status == status::success);
}

TEST_CASE("OP11-09: a buffer for the smallest update is enough for every chip") {
    // The root of three levels has entries of 16 bytes: 5 dwords of the write's head and 4 of an entry.
    static_assert(paging::detail::update_group_dwords<chosen_gpu>() == 10);  // a generator's
    CHECK(paging::detail::update_group_dwords<inline_only>() == 9);
    CHECK(paging::detail::update_group_dwords<plain_gpu>() == 7);
}

TEST_CASE("law 7: an object that names no geometry is refused") {
    chosen_gpu chip{};
    for (u32 const generation : {4u, 5u, ~0u}) {
        chip.generation = generation;
        CHECK(check_numbers(chip) == broken_number{promised_number::page_tables, generation, 0, 3});
    }
    chip.generation = 3;
    CHECK(check_numbers(chip) == no_number_broken);
}

TEST_CASE("law 7: an object that names no limits of its entries is refused") {
    chosen_limits<generator_gpu> chip{};
    for (u32 const width : {3u, 4u, ~0u}) {
        chip.width = width;
        CHECK(check_numbers(chip) == broken_number{promised_number::entry_limits, width, 0, 2});
    }
    chip.width = 2;
    CHECK(check_numbers(chip) == no_number_broken);
    chosen_limits<chosen_gpu> both{};
    both.generation = 4;
    both.width = 3;
    CHECK(check_numbers(both) == broken_number{promised_number::page_tables, 4, 0, 3});  // the first of the two
    both.generation = 3;
    CHECK(check_numbers(both) == broken_number{promised_number::entry_limits, 3, 0, 2});
    both.width = 0;
    CHECK(check_numbers(both) == no_number_broken);
}

}  // namespace chosen_tables_test
