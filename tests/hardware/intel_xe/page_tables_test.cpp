// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "xe_rig.hpp"

#include <hardware/cpu/test_bus.hpp>

#include <doctest/doctest.h>

namespace intel_page_tables_test {

namespace {

using namespace xe_test;
using decoder_tests::has;
using tables = intel::page_tables;
using intel::page_size;
using small_adapter = adapter<4 << 20, 48>;

constexpr u64 va = 0x3456'C765'4320'0000 & 0xFFFF'FFE0'0000;  // 48 bits, whole 2 MiB
static_assert((va >> 39 & 511) != 0 && (va >> 30 & 511) != 0 && (va >> 21 & 511) != 0);
constexpr u64 kib64 = 0x1'0000;
constexpr u64 mib2 = 0x20'0000;
constexpr u64 gib1 = 0x4000'0000;

}  // namespace

TEST_CASE("PPGTT: a page of each size is found through all levels, at its first and at its last byte") {
    small_adapter a;
    a.tables.map(va, page_size::kib4, {.device_memory = true}, 0x12'3000);
    a.tables.map(va + 0x1000, page_size::kib4, {}, 0x3FFF'FFFF'F000);  // 46 bits: all of the field
    a.tables.map(va + kib64, page_size::kib64_by_hint, {.device_memory = true}, 0x13'0000);
    a.tables.map(va + mib2, page_size::mib2, {}, 0x1'2340'0000);
    a.tables.map(va + 2 * mib2 + kib64, page_size::kib64_compact, {}, 0x1'2345'0000);
    a.tables.map(va + 2 * mib2 + 31 * kib64, page_size::kib64_compact, {.device_memory = true}, 0x14'0000);
    a.tables.map(va / gib1 * gib1 + gib1, page_size::gib1, {}, 0x3FFF'C000'0000);
    auto const expect = [&](u64 at, u64 bus, u64 size) {
        CAPTURE(at);
        translation const first = a.mmu.walk(at);
        CHECK_MESSAGE(first.ok(), first.why);
        CHECK(first.bus == bus);
        CHECK(first.bytes == size);
        CHECK(first.writable);
        CHECK(a.mmu.walk(at + size - 1).bus == bus + size - 1);
    };
    expect(va, small_adapter::device_bus + 0x12'3000, 0x1000);
    expect(va + 0x1000, small_adapter::system_bus + 0x3FFF'FFFF'F000, 0x1000);
    expect(va + kib64, small_adapter::device_bus + 0x13'0000, kib64);
    expect(va + mib2, small_adapter::system_bus + 0x1'2340'0000, mib2);
    expect(va + 2 * mib2 + kib64, small_adapter::system_bus + 0x1'2345'0000, kib64);
    expect(va + 2 * mib2 + 31 * kib64, small_adapter::device_bus + 0x14'0000, kib64);
    expect(va / gib1 * gib1 + gib1, small_adapter::system_bus + 0x3FFF'C000'0000, gib1);
    CHECK_FALSE(a.mmu.walk(va + 0x2000).ok());
    CHECK_FALSE(a.mmu.walk(va + 2 * mib2).ok());
    CHECK_FALSE(a.mmu.walk(va + 3 * mib2).ok());
    CHECK_FALSE(a.mmu.walk(va - 1).ok());
}

TEST_CASE("PPGTT: every index bit of the 48 leads to another entry") {
    small_adapter a;
    for (unsigned bit = 11; bit != 48; ++bit) {
        a.map(bit == 11 ? va : va ^ u64{1} << bit, 12, false, (bit - 10) * page_bytes);
    }
    for (unsigned bit = 11; bit != 48; ++bit) {
        CAPTURE(bit);
        u64 const at = bit == 11 ? va : va ^ u64 { 1 } << bit;
        CHECK(a.mmu.walk(at).bus == small_adapter::device_bus + (bit - 10) * page_bytes);
    }
}

TEST_CASE("PPGTT: what a page is used for stands where the public driver says") {
    small_adapter a;
    CHECK(tables::attributes(page_size::kib4, {}).add == 0x3);
    CHECK(tables::attributes(page_size::kib4, {.device_memory = true}).add == 0x803);
    CHECK(tables::attributes(page_size::kib4, {.read_only = true}).add == 0x1);
    CHECK(tables::attributes(page_size::kib4, {.atomics = true}).add == 0x403);
    CHECK(tables::attributes(page_size::kib64_by_hint, {}).add == 0x103);
    CHECK(tables::attributes(page_size::kib64_compact, {}).add == 0x3);
    CHECK(tables::attributes(page_size::mib2, {}).add == 0x83);
    CHECK(tables::attributes(page_size::gib1, {}).add == 0x83);
    CHECK(tables::encode_directory(0x1'2345'6000) == 0x1'2345'6003);
    CHECK(tables::encode_directory(0x1'2345'6000, true) == 0x1'2345'6043);
    // The five bits of a caching policy: 3, 4, then 7 of a small page or 12 of a large one, then 62 and 61.
    constexpr u64 small_pat[] = {0x8, 0x10, 0x80, u64{1} << 62, u64{1} << 61};
    constexpr u64 large_pat[] = {0x8, 0x10, 0x1000, u64{1} << 62, u64{1} << 61};
    for (u32 bit = 0; bit != 5; ++bit) {
        CHECK(tables::attributes(page_size::kib4, {.pat = 1u << bit}).add == (0x3 | small_pat[bit]));
        CHECK(tables::attributes(page_size::mib2, {.pat = 1u << bit}).add == (0x83 | large_pat[bit]));
    }
    for (page_size const size : {page_size::kib4, page_size::kib64_by_hint, page_size::mib2}) {
        a.tables.map(va, size, {.read_only = true, .pat = small_adapter::coherent_pat}, 0);
        CHECK(a.mmu.walk(va).coherent);
        CHECK_FALSE(a.mmu.walk(va).writable);
        a.tables.map(va, size, {.pat = small_adapter::noncoherent_pat}, 0);
        CHECK_FALSE(a.mmu.walk(va).coherent);
        CHECK(a.mmu.walk(va).writable);
        a.tables.unmap(va, size);
    }
}

TEST_CASE("PPGTT: the sixteen entries of a 64-KiB page by hint are one, or the page is refused") {
    small_adapter a;
    auto const parts = tables::attributes(page_size::kib64_by_hint, {.device_memory = true});
    for (u64 broken = 0; broken != 16; ++broken) {
        a.tables.map(va, page_size::kib64_by_hint, {.device_memory = true}, 0x13'0000);
        CHECK(a.mmu.walk(va + 0x5000).bytes == 0xB000);
        a.tables.set(va + broken * page_bytes, page_size::kib4, tables::encode_leaf({0x999}, parts));
        CHECK_FALSE(a.mmu.walk(va + (broken ^ 1) * page_bytes).ok());
    }
    // Sixteen pages that follow each other, but do not begin at 64 KiB.
    a.tables.map(va, page_size::kib64_by_hint, {.device_memory = true}, 0x13'1000);
    CHECK(has(a.mmu.walk(va).why, "stray bits: 0x1000"));
}

TEST_CASE("PPGTT: runs of entries are the page number shifted, masked, and one sum") {
    for (u64 page = 0x12'3456; page < 0x12'3456 + 20; ++page) {
        CHECK(tables::encode_leaf({page}, tables::attributes(page_size::kib4, {})) ==
              0x1'2345'6003 + (page - 0x12'3456) * 0x1000);
    }
    // A number beyond the field, or inside a large page, is cut off and never disturbs its neighbours.
    CHECK(tables::encode_leaf({~u64{0}}, tables::attributes(page_size::kib4, {})) == 0x3FFF'FFFF'F003);
    CHECK(tables::encode_leaf({~u64{0}}, tables::attributes(page_size::kib64_compact, {})) == 0x3FFF'FFFF'0003);
    CHECK(tables::encode_leaf({~u64{0}}, tables::attributes(page_size::mib2, {})) == 0x3FFF'FFE0'0083);
    CHECK(tables::encode_leaf({~u64{0}}, tables::attributes(page_size::gib1, {})) == 0x3FFF'C000'0083);
}

TEST_CASE("PPGTT: the walker refuses entries that no encoder means") {
    small_adapter a;
    a.map(va, 12, false, 0x5000);
    auto const why_of = [&](u64 entry) {
        a.tables.set(va, page_size::kib4, entry);
        return a.mmu.walk(va).why;
    };
    CHECK(has(why_of(tables::sparse), "null"));
    CHECK(has(why_of(0x5023), "stray bits"));
    CHECK(has(why_of(0x4000'0000'5003), "stray bits"));
    CHECK(has(why_of(tables::nothing), "not present"));
    a.tables.set(va, page_size::mib2, 0x5883);
    CHECK(has(a.mmu.walk(va).why, "stray bits"));
    CHECK(has(a.mmu.walk(u64{1} << 48).why, "more than 48 bits"));
}

}  // namespace intel_page_tables_test
