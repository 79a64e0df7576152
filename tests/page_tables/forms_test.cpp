// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "../base/expect_both.hpp"
#include "table_requests.hpp"

#include <wddmcore/paging/group_dwords.hpp>

namespace forms_test {

using namespace wddmcore;
using namespace wddmcore::table_tests;
using paging::detail::entry_form;

namespace {

constexpr page_table_entry zero{0, 0};
constexpr page_table_entry pattern{0x1234'5678'1234'5678, 0};
constexpr page_table_entry other{0x1234'5678'9ABC'DEF0, 0};

/// A fill engine that takes one entry of eight bytes at a time.
struct small_fill_gpu : plain_format,
                        grain_part<1>,
                        write_part<0xF'FFFE, false>,
                        fill_part<8, 4, 4>,
                        copy_part<4096> {};

/// A fill engine that takes any place, and more at once than entries can be counted.
struct endless_fill_gpu : plain_format,
                          grain_part<1>,
                          write_part<0xF'FFFE, false>,
                          fill_part<u64{1} << 40, 1, 4>,
                          copy_part<4096> {};

/// A generator that makes so few entries at once that it never pays for many.
struct short_run_gpu : plain_format, grain_part<1>, write_part<0x3FFE, false>, generate_part<4, 8>, copy_part<4096> {};

/// The dwords of each form, counted as the text of table_stream.hpp says.
template <class Gpu>
u64 dwords_written(u32 start, u32 count, u64 flags, u64 page, u32 level = 0, u64 address = 0x1000) {
    model_request request;
    request.level = level;
    request.start = start;
    request.count = count;
    request.repeat = true;
    request.entries = {{flags, page}};
    request_arrays const arrays(request);
    arguments args = arguments_of(request, arrays);
    table_memory is = place_table(args, 1, 0, address, size_of_table<Gpu>(level, false));
    Gpu gpu = with_segments<Gpu>();
    run_result const done = run(gpu, args, is, [] { return u64{0x8000}; });
    CHECK(done.problem == "");
    return done.bytes / 4;
}

}  // namespace

TEST_CASE("the cheapest form of entries that are all alike is the one of the fewest dwords") {
    // Inline: 5 and two an entry. A generator: 10. A fill: 7, for one pattern in both dwords.
    expect_both(paging::detail::cheapest_form(plain_gpu{}, zero, 8, 0, 512) == entry_form::inline_write);
    expect_both(paging::detail::cheapest_form(generator_gpu{}, zero, 8, 0, 1) == entry_form::inline_write);
    expect_both(paging::detail::cheapest_form(generator_gpu{}, zero, 8, 0, 2) == entry_form::fill);
    expect_both(paging::detail::cheapest_form(generator_gpu{}, pattern, 8, 8, 2) == entry_form::fill);
    expect_both(paging::detail::cheapest_form(generator_gpu{}, other, 8, 0, 2) == entry_form::inline_write);
    expect_both(paging::detail::cheapest_form(generator_gpu{}, other, 8, 0, 3) == entry_form::generate);
    // Inline, six and two an entry: of equals the first.
    expect_both(paging::detail::cheapest_form(odd_gpu{}, other, 8, 0, 2) == entry_form::inline_write);
    expect_both(paging::detail::cheapest_form(odd_gpu{}, other, 8, 0, 3) == entry_form::generate);
    // Three commands of ten against five and two an entry.
    expect_both(paging::detail::cheapest_form(short_run_gpu{}, other, 8, 0, 4) == entry_form::generate);
    expect_both(paging::detail::cheapest_form(short_run_gpu{}, other, 8, 0, 9) == entry_form::inline_write);
    // One byte a fill, and 96 bytes of it at the most.
    expect_both(paging::detail::cheapest_form(odd_gpu{}, pattern, 8, 0, 11) == entry_form::generate);
    expect_both(paging::detail::cheapest_form(odd_gpu{}, zero, 8, 0, 12) == entry_form::fill);
    // A fill that is aligned to eight bytes, and entries of sixteen.
    expect_both(paging::detail::cheapest_form(dual_gpu{}, page_table_entry{0, 0}, 16, 16, 100) == entry_form::fill);
    expect_both(paging::detail::cheapest_form(dual_gpu{}, page_table_entry{0, 1}, 16, 16, 100) ==
                entry_form::inline_write);
    // Entries of four bytes are always one pattern.
    expect_both(paging::detail::cheapest_form(narrow_gpu{}, page_table_entry{0x3001'2345, 0}, 4, 4, 40) ==
                entry_form::fill);
}

TEST_CASE("entries of a size that no generator makes, or no fill takes, are written inline") {
    constexpr u64 none = ~u64{0};
    expect_both(paging::detail::cheapest_form(generator_gpu{}, page_table_entry{other.low, 1}, 16, 0, 512) ==
                entry_form::inline_write);
    expect_both(paging::detail::cheapest_form(narrow_gpu{}, page_table_entry{0x3001'2345, 0}, 4, 4, 40) ==
                entry_form::fill);
    expect_both(paging::detail::cheapest_form(narrow_gpu{}, other, 8, 0, 512) == entry_form::inline_write);
    // A fill takes whole entries, and no more than the engine does.
    expect_both(paging::detail::entries_of_fill(small_fill_gpu{}, 4) == 2 &&
                paging::detail::entries_of_fill(small_fill_gpu{}, 8) == 1);
    expect_both(paging::detail::entries_of_fill(small_fill_gpu{}, 16) == 0);
    expect_both(paging::detail::entries_of_fill(coarse_gpu{}, 8) == 0x8'0000 &&
                paging::detail::entries_of_fill(dual_gpu{}, 16) == 256);
    expect_both(!paging::detail::fills(small_fill_gpu{}, zero, 16, 0, 100) &&
                paging::detail::fills(small_fill_gpu{}, zero, 8, 0, 100));
    expect_both(paging::detail::cheapest_form(small_fill_gpu{}, zero, 16, 0, 100) == entry_form::inline_write);
    // What is more than a dword counts is half of that; and a fill of any place takes each.
    expect_both(paging::detail::entries_of_fill(endless_fill_gpu{}, 8) == 0x8000'0000);
    expect_both(paging::detail::fills(endless_fill_gpu{}, zero, 8, 8, 3));
    // Hardware without the engine never gets its form.
    expect_both(paging::detail::entries_of_fill(plain_gpu{}, 8) == 0);
    expect_both(!paging::detail::fills(plain_gpu{}, zero, 8, 0, 100));
    expect_both(paging::detail::dwords_of(plain_gpu{}, entry_form::inline_write, 16, 10) == 5 + 40);
    expect_both(paging::detail::dwords_of(plain_gpu{}, entry_form::generate, 8, 1) == none);
    expect_both(paging::detail::dwords_of(plain_gpu{}, entry_form::fill, 8, 1) == none);
    expect_both(paging::detail::dwords_of(plain_gpu{}, static_cast<entry_form>(3), 8, 1) == none);
    expect_both(paging::detail::dwords_of(generator_gpu{}, entry_form::generate, 8, 0x4'0001) == 20);
}

TEST_CASE("what is written has the dwords that the choice was made by") {
    CHECK(dwords_written<plain_gpu>(0, 512, 0, 0) == 5 + 1024);
    CHECK(dwords_written<generator_gpu>(0, 512, 0, 0) == 7);
    CHECK(dwords_written<generator_gpu>(3, 500, 1 | 1 << 5, 0x1234) == 10);
    CHECK(dwords_written<generator_gpu>(3, 1, 1 | 1 << 5, 0x1234) == 7);
    CHECK(dwords_written<generator_gpu>(3, 40, 1 | 1 << 5, 0x1234, 1) == 10);
    CHECK(dwords_written<dual_gpu>(0, 256, 0, 0, 1) == 7);
}

TEST_CASE("a fill is chosen by where the table really lies") {
    CHECK(dwords_written<coarse_gpu>(0, 512, 0, 0) == 7);
    CHECK(dwords_written<coarse_gpu>(0, 512, 0, 0, 0, 0x1008) == 5 + 1024);
    CHECK(dwords_written<coarse_gpu>(7, 504, 0, 0, 0, 0x1008) == 7);  // 0x1008 + 7 * 8 is a multiple of 64
}

TEST_CASE("a fill whose length differs counts with the most, and takes what it needs where the table lies") {
    // 14 dwords at the most; inline 5 and two an entry.
    expect_both(paging::detail::cheapest_form(split_fill_gpu{}, zero, 8, 0, 4) == entry_form::inline_write);
    expect_both(paging::detail::cheapest_form(split_fill_gpu{}, zero, 8, 0, 5) == entry_form::fill);
    expect_both(paging::detail::update_group_dwords<split_fill_gpu>() == 14);
    CHECK(dwords_written<split_fill_gpu>(0, 512, 0, 0) == 7);
    CHECK(dwords_written<split_fill_gpu>(0, 512, 0, 0, 0, 0x1008) == 14);
    CHECK(dwords_written<split_fill_gpu>(7, 504, 0, 0, 0, 0x1008) == 7);
}

TEST_CASE("a run breaks an inline write off only where that pays") {
    // Between two inline writes a generator costs its ten dwords and a new head of five: eight entries cost one more.
    generator_gpu gpu = with_segments<generator_gpu>();
    for (u32 length = 1; length != 40; ++length) {
        model_request request;
        request.count = 16 + length + 16;
        for (u32 i = 0; i != request.count; ++i) {
            bool const in_run = i >= 16 && i < 16 + length;
            request.entries.push_back({1 | 1 << 5, in_run ? 0x10'0000 + i : 0x1000 + i * 3});
        }
        request_arrays const arrays(request);
        arguments args = arguments_of(request, arrays);
        table_memory is = place_table(args, 1, 0, 0x1000, 4096);
        run_result const done = run(gpu, args, is, [] { return u64{0x8000}; });
        CHECK(done.problem == "");
        u64 const inline_only = 5 + u64{request.count} * 2;
        u64 const broken_off = 5 + 32 + 10 + 5 + 32;
        CHECK(done.bytes / 4 == (length < 8 || inline_only < broken_off ? inline_only : broken_off));
    }
}

TEST_CASE("law 7: room for one command of a run is used for it, from whichever entry the pass begins") {
    // Ten dwords: a generator's command; inline, with a head of five, two entries.
    generator_gpu gpu = with_segments<generator_gpu>();
    for (u32 const before : {0u, 2u, 16u}) {
        model_request request;
        request.count = before + 64;
        for (u32 i = 0; i != request.count; ++i) {
            request.entries.push_back({1 | 1 << 5, i < before ? 0x1000 + i * 3 : 0x10'0000 + i});
        }
        request_arrays const arrays(request);
        arguments args = arguments_of(request, arrays);
        table_memory is = place_table(args, 1, 0, 0x1000, 4096);
        run_result all;
        args.MultipassOffset = before;
        one_pass(gpu, args, 40, is, all);
        CHECK(all.problem == "");
        CHECK(all.status == status::success);
        CHECK(all.bytes == 40);
        CHECK(args.MultipassOffset == request.count);
    }
}

TEST_CASE("law 7: a run goes as far as the commands that there is room for, each of as many entries as it can make") {
    model_request request;
    request.count = 60;
    for (u32 i = 0; i != 60; ++i) {
        request.entries.push_back({1 | 1 << 5, 0x10'0000 + i});
    }
    request_arrays const arrays(request);
    for (u32 const commands : {1u, 2u, 3u}) {
        CAPTURE(commands);
        odd_gpu gpu = with_segments<odd_gpu>();
        arguments args = arguments_of(request, arrays);
        table_memory is = place_table(args, 1, 0, 0x1000, 4096);
        run_result all;
        // Ten dwords and eleven entries a command, and a grain of three.
        one_pass(gpu, args, (commands * 10 + 2) / 3 * 3 * 4, is, all);
        CHECK(all.problem == "");
        CHECK(all.ran.generates == commands);
        CHECK(args.MultipassOffset == commands * 11);
    }
}

TEST_CASE("a run is one command in room for so many that their entries are more than a dword counts") {
    // A command makes 2^18 entries: 2^14 of them make 2^32.
    generator_gpu gpu = with_segments<generator_gpu>();
    for (u32 const commands : {0x3FFFu, 0x4000u, 0x4001u}) {
        model_request request;
        request.count = 512;
        for (u32 i = 0; i != 512; ++i) {
            request.entries.push_back({1 | 1 << 5, 0x10'0000 + i});
        }
        request_arrays const arrays(request);
        arguments args = arguments_of(request, arrays);
        table_memory is = place_table(args, 1, 0, 0x1000, 4096);
        run_result const done = run(gpu, args, is, [commands] { return u64{commands} * 40; });
        CHECK(done.problem == "");
        CHECK(done.bytes == 40);
    }
}

TEST_CASE("a run pays by all the commands that it takes") {
    // Ten dwords a command, and five, or with a tail six, for the write that begins anew.
    expect_both(!paging::detail::run_pays(generator_gpu{}, 7));
    expect_both(paging::detail::run_pays(generator_gpu{}, 8));
    expect_both(!paging::detail::run_pays(odd_gpu{}, 8));
    expect_both(paging::detail::run_pays(odd_gpu{}, 9));
    expect_both(!paging::detail::run_pays(odd_gpu{}, 12));  // a second command, for one entry
    expect_both(paging::detail::run_pays(odd_gpu{}, 14));
    expect_both(!paging::detail::run_pays(short_run_gpu{}, 64));
    expect_both(!paging::detail::run_pays(plain_gpu{}, 512));
}

namespace {

/// Tables that the CPU alone writes.
struct by_cpu_gpu : plain_gpu {
    static constexpr capabilities caps{
        .version = wddm::v2_9, .gpu_mmu = claim::yes, .page_tables = update_modes::cpu_virtual};
};
/// Wider entries in the leaf than above it.
struct wide_leaf_gpu : plain_gpu {
    static constexpr gpuva::page_table_geometry page_tables{.level_count = 3, .levels = {{9, 16}, {9, 8}, {9, 8}}};
};

}  // namespace

TEST_CASE("PGB-05: the room of the smallest paging buffer holds the largest group of every table") {
    expect_both(paging::detail::update_group_dwords<plain_gpu>() == 5 + 2);
    expect_both(paging::detail::update_group_dwords<generator_gpu>() == 10);
    expect_both(paging::detail::update_group_dwords<dual_gpu>() == 5 + 4 + 1);
    expect_both(paging::detail::update_group_dwords<odd_page_gpu>() == 5 + 4);
    expect_both(paging::detail::update_group_dwords<wide_leaf_gpu>() == 5 + 4);
    expect_both(paging::detail::table_group_dwords<plain_gpu>() == 5 + 2);
    expect_both(paging::detail::table_group_dwords<by_cpu_gpu>() == 0);
}

TEST_CASE("attributes say of every key what the encoder says, and a table of them the same") {
    static attribute_table by_key{};
    plain_gpu const plain = with_segments<plain_gpu>();
    dual_gpu const dual = with_segments<dual_gpu>();
    auto agree = [](auto const& gpu, pte_flags flags, leaf_kind kind) {
        for (u64 page : {u64{0}, u64{16}, u64{0x12'3450}}) {
            entry_attributes const a = gpu.attributes(kind, flags, 3);
            u64 const by_attributes = ((page << gpu.entry_page_shift) & a.mask) + a.add;
            if (gpu.encode_leaf(kind, 0, pte_target{flags, page}, 3).low != by_attributes) {
                return false;
            }
        }
        return true;
    };
    for (u32 key = 0; key != attribute_table::entries; ++key) {
        by_key.mask[key] = by_key.add[key] = ~u64{0};  // as if no key had been filled
    }
    paging::fill_attribute_table(plain, 3, by_key);
    for (u64 key = 0; key != 1024; ++key) {
        pte_flags const flags{key};
        CHECK(agree(plain, flags, leaf_kind::gpu_page));
        CHECK(agree(dual, flags, leaf_kind::page_64k));
        bool const known =
            !flags.valid() || flags.zero() || flags.segment().n == 0 || plain.place(flags.segment()).size.n != 0;
        entry_attributes const a = plain.attributes(leaf_kind::gpu_page, known ? flags : pte_flags{0}, 3);
        CHECK(by_key.mask[key] == a.mask);
        CHECK(by_key.add[key] == a.add);
    }
}

}  // namespace forms_test
