// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/ddi/mirror/mirror.hpp>
#include <wddmcore/paging/page_table/equal_flags.hpp>
#include <wddmcore/paging/page_table/lines.hpp>
#include <wddmcore/paging/page_table/runs.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "table_gpus.hpp"

/// What looks at eight entries in one go, against what looks at them one by one.
namespace lines_test {

using namespace wddmcore;
using namespace wddmcore::table_tests;
using pte = mirror::v2_0::dxgk_pte;

namespace {

constexpr u64 valid = 1;

pte entry_of(u64 flags, u64 page) {
    pte made{};
    made.Flags = flags;
    made.PageAddress = page;
    return made;
}

/// A run of valid entries, or of entries that are not valid.
std::vector<pte> run_of(u32 count, u64 flags, u64 page) {
    std::vector<pte> made;
    for (u32 k = 0; k != count; ++k) {
        made.push_back(entry_of(flags, page + k));
    }
    return made;
}

u32 below(std::mt19937& random, u32 limit) { return static_cast<u32>(random() % limit); }

bool goes_on(pte const& before, pte const& e) {
    return e.Flags == before.Flags && ((before.Flags & valid) == 0 || e.PageAddress == before.PageAddress + 1);
}

/// Where a run of one line at least begins and ends, found entry by entry.
template <class Gpu>
paging::detail::element_run run_in(std::vector<pte> const& e, u32 first, u32 end, u32 last, u32 most) {
    for (u32 line = first; line + 8 <= end;) {
        u32 run = 1;
        while (run != 8 && goes_on(e[line + run - 1], e[line + run])) {
            ++run;
        }
        if (run != 8) {
            line += 8;
            continue;
        }
        u32 begin = line;
        for (; begin != first && goes_on(e[begin - 1], e[begin]); --begin) {
        }
        u32 stop = line + 8;
        for (u32 more = 0; more != most && stop != last && goes_on(e[stop - 1], e[stop]); ++more) {
            ++stop;
        }
        if (paging::detail::run_pays(Gpu{}, stop - begin)) {
            return {begin, stop};
        }
        line = stop;
    }
    return {end, end};
}

/// The run that is found in random entries against the one that a walk finds.
template <class Gpu>
void expect_run(std::vector<pte> const& entries, u32 first, u32 end, u32 last, u32 most) {
    auto const found = paging::detail::find_run(Gpu{}, entries.data(), first, end, last, most);
    auto const expected = run_in<Gpu>(entries, first, end, last, most);
    CHECK(found.begin == expected.begin);
    CHECK(found.end == expected.end);
}

/// Words that a sink was given, each at its place.
struct recorded {
    static constexpr bool judged_before = true;
    u64* at;
    constexpr void put(u32 index, u64 value) const { at[index] = value; }
    constexpr void step(u32 count) { at += count; }
};

/// Entries that are not valid keep the low twelve bits of their page.
struct low_pages_gpu : plain_gpu {
    [[nodiscard]] constexpr entry_attributes attributes(leaf_kind kind, pte_flags flags,
                                                        u64 protection) const noexcept {
        return flags.valid() ? plain_gpu::attributes(kind, flags, protection) : entry_attributes{0x00FF'FFFF, 0};
    }
};

}  // namespace

TEST_CASE("OP11-02: a line of eight is a run unless one of its entries is another, whichever it is") {
    for (u64 const flags : {valid, u64{0}}) {
        auto line = run_of(9, flags, 0x1000);
        CHECK(paging::detail::is_line_of_run(line.data()));
        CHECK(paging::detail::eight_flags_equal(line.data(), flags));
        for (u32 k = 0; k != 9; ++k) {
            CAPTURE(flags);
            CAPTURE(k);
            pte const before = line[k];
            line[k].Flags ^= 0x10;
            CHECK(paging::detail::is_line_of_run(line.data()) == (k == 8));
            CHECK(paging::detail::eight_flags_equal(line.data(), flags) == (k == 8));
            line[k] = before;
            line[k].PageAddress += 0x40;
            // An entry that is not valid names no page.
            CHECK(paging::detail::is_line_of_run(line.data()) == (k == 8 || flags == 0));
            line[k] = before;
        }
    }
}

TEST_CASE("OP11-02: the first run that pays is the one that a walk by neighbours finds") {
    constexpr std::uint32_t seed = 20260804;
    INFO("seed " << seed);
    std::mt19937 random{seed};
    for (u32 round = 0; round != 600; ++round) {
        CAPTURE(round);
        u32 const last = 8 + below(random, 90);
        std::vector<pte> entries;
        while (entries.size() < last + 40) {
            auto const part = run_of(1 + below(random, round % 3 == 0 ? 60 : 20), below(random, 3) == 0 ? 0 : valid,
                                     1000 + below(random, 4) * 256);
            entries.insert(entries.end(), part.begin(), part.end());
        }
        u32 const first = below(random, 8);
        u32 const end = first + below(random, last - first + 1);
        u32 const most = below(random, 40);
        expect_run<generator_gpu>(entries, first, end, last, most);
        expect_run<odd_gpu>(entries, first, end, last, most);  // whose commands take eleven, so that eight do not pay
    }
}

TEST_CASE("OP11-02: a run ends before a page that comes again, and before one that goes back") {
    for (u64 const next : {u64{106}, u64{107}, u64{108}}) {
        CAPTURE(next);
        auto entries = run_of(8, valid, 100);
        auto const second = run_of(24, valid, next);
        entries.insert(entries.end(), second.begin(), second.end());
        auto const found = paging::detail::find_run(generator_gpu{}, entries.data(), 0, 32, 32, 32);
        CHECK(found.begin == 0);
        CHECK(found.end == (next == 108 ? 32 : 8));
        expect_run<generator_gpu>(entries, 0, 32, 32, 32);
    }
}

TEST_CASE("OP11-02: lines of the same flags are counted, and stored at their places, up to the first other one") {
    for (u32 lines = 0; lines != 12; ++lines) {
        for (u32 other = 0; other <= lines * 8; ++other) {
            CAPTURE(lines);
            CAPTURE(other);
            auto entries = run_of(lines * 8 + 8, valid, 0x300);
            entries[other].Flags = 5;
            u32 const equal = other / 8 < lines ? other / 8 : lines;
            CHECK(paging::detail::lines_of_equal_flags(entries.data(), lines, valid) == equal);
            std::vector<u64> words(lines * 8 + 8, ~u64{0});
            u32 const stored =
                paging::detail::store_equal_flags<4>(recorded{words.data()}, entries.data(), lines * 8, valid, u64{7});
            CHECK(stored == equal * 8);
            for (u32 k = 0; k != words.size(); ++k) {
                REQUIRE(words[k] == (k < stored ? (entries[k].PageAddress << 4) + 7 : ~u64{0}));
            }
        }
    }
    // A rest of less than a line is left for others.
    auto const entries = run_of(15, valid, 0x300);
    std::vector<u64> words(16, ~u64{0});
    CHECK(paging::detail::store_equal_flags<4>(recorded{words.data()}, entries.data(), 15, valid, u64{7}) == 8);
    CHECK(paging::detail::store_equal_flags<4>(recorded{words.data()}, entries.data(), 7, valid, u64{7}) == 0);
}

TEST_CASE(
    "law 4: lines of the same flags go into a command up to the first other one, by blocks of 64 and what is left") {
    for (u32 const lines : {1u, 63u, 64u, 65u, 66u, 128u, 129u}) {
        for (u32 const equal : {lines, lines - 1, lines / 2}) {
            CAPTURE(lines);
            CAPTURE(equal);
            auto entries = run_of(lines * 8, valid, 0x300);
            if (equal != lines) {
                entries[equal * 8 + 7].Flags = 5;
            }
            u64 pages = 0;
            for (u32 k = 0; k != equal * 8; ++k) {
                pages |= entries[k].PageAddress;
            }
            std::vector<u32> words(usize{lines} * 16, ~u32{0});
            auto const put = paging::detail::put_equal_flags<4>(words.data(), entries.data(), lines * 8, valid, u64{7});
            CHECK(put.count == equal * 8);
            CHECK(put.pages == pages);
            for (u32 k = 0; k != lines * 8; ++k) {
                u64 const word = words[2 * k] | u64{words[2 * k + 1]} << 32;
                REQUIRE(word == (k < equal * 8 ? (entries[k].PageAddress << 4) + 7 : ~u64{0}));
            }
        }
    }
}

TEST_CASE("OP11-01 GVA-22: a line whose entries keep a part of the page keeps that part alone") {
    low_pages_gpu const gpu{};
    auto const entries = run_of(20, 0, 0x1234'5FF8);
    std::vector<u32> words(40);
    static_cast<void>(paging::detail::put_lines(gpu, paging::detail::command_sink{words.data()}, entries.data(), 20, 0,
                                                {false, paging::detail::suspicion::none}));
    for (u32 k = 0; k != 20; ++k) {
        CHECK((words[2 * k] | u64{words[2 * k + 1]} << 32) == ((0x1234'5FF8 + k) % 0x1000) << 12);
    }
}

TEST_CASE("OP11-02: through the table of attributes each entry has its own word, and every flag is gathered") {
    static attribute_table table{};
    for (u32 key = 0; key != attribute_table::entries; ++key) {
        table.mask[key] = key % 2 == 0 ? ~u64{0} : 0xFFFF'F000;
        table.add[key] = key;
    }
    for (u32 count = 0; count != 20; ++count) {
        std::vector<pte> entries;
        std::vector<u64> words(24, ~u64{0});
        u64 flags = 0;
        u64 page = 0;
        for (u32 k = 0; k != count; ++k) {
            entries.push_back(entry_of(u64{1} << (k % 5), u64{1} << (k + 12)));
            flags |= entries.back().Flags;
            page |= entries.back().PageAddress;
        }
        CHECK(paging::detail::put_by_table<4>(recorded{words.data()}, entries.data(), count, table) == flags);
        CHECK(paging::detail::gathered_pages(entries.data(), count) == page);
        for (u32 k = 0; k != words.size(); ++k) {
            CAPTURE(k);
            if (k >= count) {
                REQUIRE(words[k] == ~u64{0});
                continue;
            }
            u64 const key = entries[k].Flags & pte_flags::key;
            REQUIRE(words[k] == ((entries[k].PageAddress << 4) & table.mask[key]) + table.add[key]);
        }
    }
}

TEST_CASE("SEG-05: a page past the end counts where the entry names that segment") {
    auto const entries = run_of(3, pte_flags::segment_field::place(2), 0x10);
    CHECK(paging::detail::names_page_past(entries.data(), 3, {2}, 0x12));
    CHECK_FALSE(paging::detail::names_page_past(entries.data(), 3, {2}, 0x13));
    CHECK_FALSE(paging::detail::names_page_past(entries.data(), 2, {2}, 0x12));
    CHECK_FALSE(paging::detail::names_page_past(entries.data(), 3, {3}, 0x10));
}

}  // namespace lines_test
