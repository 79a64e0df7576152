// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/testing/gpu_memory/gpu_memory.hpp>
#include <wddmcore/testing/page_table_walker.hpp>
#include <wddmcore/testing/processor/page_walker.hpp>
#include <wddmcore/testing/split_bus.hpp>
#include <wddmcore/testing/translation_cache.hpp>

#include <doctest/doctest.h>

#include <random>

namespace page_table_walker_test {

namespace {

using namespace wddmcore::testing;
using u64 = std::uint64_t;

/// A made-up format: 4-byte entries at the leaf, 16-byte ones above; b0 valid, b1 read only, b2 a page, address from b12.
[[nodiscard]] walked_entry two_widths(std::uint32_t level, u64 low, u64 high) {
    walked_entry e;
    if ((low & 1) == 0) {
        e.why = low == 2 ? "reads as zero" : "";
        return e;
    }
    bool const page = level == 0 || (low & 4) != 0;
    e.is = page ? walked_entry::kind::page : walked_entry::kind::table;
    e.writable = (low & 2) == 0;
    e.bus = level == 0 ? low & ~u64{0xFFF} : high;
    return e;
}

/// Levels of 4 and 3 index bits below a root at 0x1000, 4-KiB pages: addresses have 19 bits.
struct small_tables {
    gpu_memory memory;
    page_table_walker tables{memory, {{4, 4}, {3, 16}}, two_widths};

    small_tables() { REQUIRE(memory.add_linear(0, 0x4'0000) == gpu_memory_error::none); }
    template <class T>
    void put(u64 at, T value) {
        REQUIRE(memory.write(at, &value, sizeof value));
    }
    [[nodiscard]] translation walk(u64 va) const { return tables.walk(0x1000, va); }
};

}  // namespace

TEST_CASE("a walker goes down levels of any width, and says where it stops") {
    small_tables t;
    CHECK(t.walk(0x0'0000).why == "entry 0 of a table of level 1 is not valid");
    t.put(0x1000 + 2 * 16, u64{1});
    t.put(0x1000 + 2 * 16 + 8, u64{0x2000});
    CHECK(t.walk(0x2'5123).why == "entry 5 of a table of level 0 is not valid");
    t.put(0x2000 + 5 * 4, std::uint32_t{0x9003});
    translation const page = t.walk(0x2'5123);
    REQUIRE(page.ok());
    CHECK(page.bus == 0x9123);
    CHECK(page.bytes == 0x1000 - 0x123);
    CHECK_FALSE(page.writable);
    t.put(0x2000 + 6 * 4, std::uint32_t{2});
    CHECK(t.walk(0x2'6000).why == "entry 6 of a table of level 0 reads as zero");
    CHECK(t.walk(u64{1} << 19).why == "the address has more than 19 bits");
}

TEST_CASE("a walker knows pages of upper levels, their alignment, and tables that are nowhere") {
    small_tables t;
    t.put(0x1000 + 3 * 16, u64{5});
    t.put(0x1000 + 3 * 16 + 8, u64{0x3'0000});
    CHECK(t.walk(0x3'ABCD).bus == 0x3'ABCD);  // 4 index bits and 12: a page of 64 KiB
    CHECK(t.walk(0x3'ABCD).bytes == 0x1'0000 - 0xABCD);
    t.put(0x1000 + 3 * 16 + 8, u64{0x3'1000});
    CHECK(t.walk(0x3'0000).why == "entry 3 of a table of level 1 is not aligned to its page of 65536 bytes");
    t.put(0x1000 + 4 * 16, u64{1});
    t.put(0x1000 + 4 * 16 + 8, u64{0x100'0000});
    CHECK(t.walk(0x4'0000).why == "entry 0 of a table of level 0 is not in memory");
    CHECK(t.tables.walk(0x200'0000, 0).why == "entry 0 of a table of level 1 is not in memory");
}

TEST_CASE("a walker refuses levels that no hardware has") {
    gpu_memory memory;
    auto const refused = [&memory](std::vector<walked_level> levels, std::uint32_t page_bits) {
        CHECK_THROWS_AS(page_table_walker(memory, std::move(levels), two_widths, page_bits), std::invalid_argument);
    };
    refused({}, 12);
    refused({{0, 8}}, 12);
    refused({{33, 8}}, 12);
    refused({{9, 5}}, 12);
    refused({{9, 8}}, 11);
    refused({{9, 8}}, 31);
    refused({{32, 8}, {21, 8}}, 12);
    CHECK_THROWS_AS(page_table_walker(memory, {{9, 8}}, nullptr), std::invalid_argument);
    CHECK_NOTHROW(page_table_walker(memory, {{32, 8}, {20, 8}}, two_widths));
}

TEST_CASE("random tables of the processor: the general walker and the processor's own agree") {
    u64 const seed = 20'311;
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    gpu_memory memory;
    constexpr u64 bytes = 64 * 0x1000;
    REQUIRE(memory.add_linear(0, bytes) == gpu_memory_error::none);
    // Mostly sound: a table or a page somewhere in these 64 pages, now and then an entry that is not valid.
    for (u64 at = 0; at != bytes; at += 8) {
        u64 const target = random() % 70 * 0x1000;
        u64 const bits = random() % 8 == 0 ? 0 : 1 | (random() % 3 == 0 ? 32 | (random() & 0xE) : 0);
        u64 const entry = bits == 0 ? 0 : (bits & 32 && random() % 2 != 0 ? u64{0x20'0000} : target) | bits;
        REQUIRE(memory.write(at, &entry, sizeof entry));
    }
    cpu_page_walker const own(memory, 0);
    page_table_walker const general(memory, {{9, 8}, {9, 8}, {9, 8}, {9, 8}}, [](std::uint32_t level, u64 e, u64) {
        walked_entry found;
        bool const page = (e & 32) != 0;
        bool const known = page ? level < 2 : level != 0 && (e & 0xFFF) == 1;
        found.is = (e & 1) == 0 || !known ? walked_entry::kind::nothing
                   : page                 ? walked_entry::kind::page
                                          : walked_entry::kind::table;
        found.bus = e & 0x000F'FFFF'FFFF'F000;
        found.writable = (e & 2) == 0;
        found.executable = (e & 4) == 0;
        found.coherent = (e & 8) != 0;
        return found;
    });
    u64 pages = 0;
    u64 faults = 0;
    for (u64 i = 0; i != 20'000; ++i) {
        u64 const va = random() & ((u64{1} << 48) - 1);
        translation const a = own.walk(va);
        translation const b = general.walk(0, va);
        CAPTURE(va);
        CAPTURE(a.why);
        CAPTURE(b.why);
        CHECK(a.bus == b.bus);
        CHECK(a.bytes == b.bytes);
        CHECK(a.writable == b.writable);
        CHECK(a.coherent == b.coherent);
        CHECK(a.executable == b.executable);
        (a.ok() ? pages : faults) += 1;
    }
    CHECK(pages > 1000);
    CHECK(faults > 1000);
}

TEST_CASE(
    "OP12-02: walker, cache and split bus together: an engine writes through stale translations until the flush") {
    small_tables t;
    t.put(0x1000 + 2 * 16, u64{1});
    t.put(0x1000 + 2 * 16 + 8, u64{0x2000});
    t.put(0x2000, std::uint32_t{0x9001});
    t.put(0x2004, std::uint32_t{0xB003});  // read only
    translation_cache cache([&t](u64 root, u64 va) { return t.tables.walk(root, va); }, true);
    split_bus bus(
        t.memory, [](u64 address) { return address >= 0x2'0000 && address < 0x3'0000; },
        [&cache](u64 va) { return cache.translate(0x1000, va); });
    auto const read = [&t](u64 at) {
        std::uint32_t value = 0;
        REQUIRE(t.memory.read(at, &value, sizeof value));
        return value;
    };
    std::uint32_t const first = 0x1111'1111;
    std::uint32_t const second = 0x2222'2222;
    CHECK(bus.write(0x2'0010, &first, 4));
    CHECK(read(0x9010) == first);
    t.put(0x2000, std::uint32_t{0xA001});
    CHECK(bus.write(0x2'0010, &second, 4));
    CHECK(read(0x9010) == second);  // nobody has flushed
    cache.flush(0x1000, 0x2'0000, 0x2'0FFF);
    CHECK(bus.write(0x2'0010, &first, 4));
    CHECK(read(0xA010) == first);
    CHECK(bus.write(0x9010, &first, 4));  // not a virtual address
    CHECK(read(0x9010) == first);
    CHECK_FALSE(bus.write(0x2'1000, &first, 4));
    CHECK(bus.why() == "the page may only be read");
    std::uint32_t got = 0;
    CHECK(bus.read(0x2'1000, &got, 4));
    CHECK(bus.at(0x2'0FFE, 16).size == 2);
    CHECK_FALSE(bus.write(0x2'0FFE, &first, 4));  // its second half may only be read: nothing is written
    CHECK(read(0xAFFC) == 0);
}

}  // namespace page_table_walker_test
