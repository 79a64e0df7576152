// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "ampere_rig.hpp"

#include <hardware/cpu/test_bus.hpp>

#include <doctest/doctest.h>

namespace nvidia_page_tables_test {

namespace {

using namespace ampere_test;
using decoder_tests::has;
using tables = nvidia::page_tables;
using nvidia::memory;
using nvidia::page_size;

constexpr u64 va = 0x1'2345'6780'0000;  // every level has another index
static_assert((va >> 47 & 3) == 2 && (va >> 38 & 0x1FF) != 0 && (va >> 29 & 0x1FF) != 0 && (va >> 21 & 0xFF) != 0);

constexpr u64 kib64 = 0x1'0000;
constexpr u64 mib2 = 0x20'0000;

[[nodiscard]] u64 bus_of(adapter const& a, u64 address) { return a.mmu.walk(address).bus; }

}  // namespace

TEST_CASE("VER2: a page of each size is found through all levels, at its first and at its last byte") {
    adapter a;
    a.map(va, 12, false, 0x12'3000);
    a.map(va + 0x1000, 12, true, 0x3FF'FFFF'FFFF'F000);  // 58 bits: all of the system's field
    a.map(va + kib64, 16, false, 0x13'0000);
    a.map(va + 2 * kib64, 16, true, 0x1'2345'0000);
    a.map(va + 17 * kib64, 16, false, 0x14'0000);
    a.map(va + 31 * kib64, 16, false, 0x15'0000);
    a.map(va + mib2, 21, false, 0x20'0000);
    a.map(va + 2 * mib2, 21, true, 0x1'2340'0000);
    auto const expect = [&](u64 at, u64 bus, u64 size) {
        CAPTURE(at);
        translation const first = a.mmu.walk(at);
        CHECK_MESSAGE(first.ok(), first.why);
        CHECK(first.bus == bus);
        CHECK(first.bytes == size);
        CHECK(first.writable);
        CHECK(bus_of(a, at + size - 1) == bus + size - 1);
        CHECK(a.mmu.walk(at + size - 1).bytes == 1);
    };
    expect(va, adapter::video_bus + 0x12'3000, 0x1000);
    expect(va + 0x1000, adapter::system_bus + 0x3FF'FFFF'FFFF'F000, 0x1000);
    expect(va + kib64, adapter::video_bus + 0x13'0000, kib64);
    expect(va + 2 * kib64, adapter::system_bus + 0x1'2345'0000, kib64);
    expect(va + 17 * kib64, adapter::video_bus + 0x14'0000, kib64);
    expect(va + 31 * kib64, adapter::video_bus + 0x15'0000, kib64);
    expect(va + mib2, adapter::video_bus + 0x20'0000, mib2);
    expect(va + 2 * mib2, adapter::system_bus + 0x1'2340'0000, mib2);
    CHECK_FALSE(a.mmu.walk(va + 0x2000).ok());
    CHECK_FALSE(a.mmu.walk(va + 3 * kib64).ok());
    CHECK_FALSE(a.mmu.walk(va + 3 * mib2).ok());
    CHECK_FALSE(a.mmu.walk(va - 1).ok());
}

TEST_CASE("VER2: every index bit of the 49 leads to another entry") {
    adapter a;
    a.map(va, 12, false, 0x1000);
    for (unsigned bit = 12; bit != 49; ++bit) {
        a.map(va ^ u64{1} << bit, 12, false, (bit - 10) * page_bytes);
    }
    CHECK(bus_of(a, va) == adapter::video_bus + 0x1000);
    for (unsigned bit = 12; bit != 49; ++bit) {
        CAPTURE(bit);
        CHECK(bus_of(a, va ^ u64{1} << bit) == adapter::video_bus + (bit - 10) * page_bytes);
    }
}

TEST_CASE("VER2: beneath one directory entry a 64-KiB page wins, an invalid one gives way, a hiding one does not") {
    adapter a;
    a.map(va, 12, false, 0x5000);
    CHECK(bus_of(a, va) == adapter::video_bus + 0x5000);
    a.map(va, 16, false, 0x7'0000);
    CHECK(bus_of(a, va) == adapter::video_bus + 0x7'0000);
    a.unmap(va, 16);
    CHECK(bus_of(a, va) == adapter::video_bus + 0x5000);
    a.tables.set(va, page_size::kib64, tables::hides_4kib);
    CHECK(has(a.mmu.walk(va).why, "hides"));
    a.tables.set(va, page_size::kib64, tables::sparse);
    CHECK(has(a.mmu.walk(va).why, "sparse"));
    a.unmap(va, 16);
    a.tables.set(va, page_size::kib4, tables::sparse);
    CHECK(has(a.mmu.walk(va).why, "sparse"));
    a.unmap(va, 12);
    CHECK(has(a.mmu.walk(va).why, "invalid"));
}

TEST_CASE("VER2: what a page is used for stands where the manual says") {
    adapter a;
    auto const walked = [&](nvidia::page_use use) {
        a.tables.map(va, page_size::kib4, use, 0x8000);
        return a.mmu.walk(va);
    };
    CHECK_FALSE(walked({.read_only = true}).writable);
    CHECK(walked({.where = memory::coherent_system}).coherent);
    CHECK_FALSE(walked({.where = memory::noncoherent_system}).coherent);
    CHECK(bus_of(a, va) == adapter::system_bus + 0x8000);
    CHECK(has(walked({.where = memory::peer, .peer = 5}).why, "peer"));
    CHECK(has(walked({.kind = 0xDB}).why, "kind 219"));
    // Field by field: bit 5 privileged, 6 read only, 7 no atomics, [35:33] the peer, [63:56] the kind.
    CHECK(tables::attributes({.privileged = true}).add == 0x21);
    CHECK(tables::attributes({.read_only = true}).add == 0x41);
    CHECK(tables::attributes({.without_atomics = true}).add == 0x81);
    CHECK(tables::attributes({.where = memory::peer, .peer = 5}).add == 0xA'0000'0003);
    CHECK(tables::attributes({.kind = 0xDB}).add == 0xDB00'0000'0000'0001);
    CHECK(tables::attributes({.where = memory::noncoherent_system, .is_volatile = true}).add == 0xF);
}

TEST_CASE("VER2: directories, with numbers of their own for where a table lies") {
    // Bits [2:1]: 1 video, 2 coherent, 3 non-coherent; the address from bit 8 on, without its low 12 bits.
    CHECK(tables::encode_directory({true, memory::video, 0x1'2345'6000}) == nvidia::page_table_entry{0x1234'5602, 0});
    CHECK(tables::encode_directory({true, memory::coherent_system, 0x3FF'FFFF'FFFF'F000}) ==
          nvidia::page_table_entry{0x003F'FFFF'FFFF'FF04, 0});
    CHECK(tables::encode_directory({true, memory::noncoherent_system, 0x1000}) == nvidia::page_table_entry{0x106, 0});
    CHECK(tables::encode_directory({true, memory::video, 0x1F'FFFF'F000}) ==
          nvidia::page_table_entry{0x1'FFFF'FF02, 0});
    // The 64-KiB half counts in 256 bytes from bit 4 on.
    CHECK(tables::encode_directory({true, memory::video, 0x1'2345'6C00}, {true, memory::coherent_system, 0x7000}) ==
          nvidia::page_table_entry{0x1234'56C2, 0x704});
    CHECK(tables::encode_directory({}, {true, memory::video, 0x7000}) == nvidia::page_table_entry{0, 0x702});
}

TEST_CASE("VER2: runs of entries are the page number shifted, masked, and one sum") {
    auto const parts = tables::attributes({.where = memory::coherent_system, .is_volatile = true});
    for (u64 page = 0x12345; page < 0x12345 + 20; ++page) {
        CHECK(tables::encode_leaf({page}, parts).low == 0x123450D + (page - 0x12345) * 0x100);
    }
    // A number beyond the field is cut off, and never disturbs its neighbours.
    CHECK(tables::encode_leaf({~u64{0}}, tables::attributes({})).low == 0x1'FFFF'FF01);
}

TEST_CASE("VER2: the walker refuses entries that no encoder means") {
    adapter a;
    a.map(va, 12, false, 0x5000);
    auto const why_of = [&](nvidia::page_table_entry entry) {
        a.tables.set(va, page_size::kib4, entry);
        return a.mmu.walk(va).why;
    };
    CHECK(has(why_of({0x0000'0002'0000'0501, 0}), "stray bits"));
    CHECK(has(why_of({0x0000'0000'0000'0511, 0}), "stray bits"));
    a.map(va + kib64, 16, false, 0x7'1000);
    CHECK(has(a.mmu.walk(va + kib64).why, "a page of 65536 bytes at 0x71000"));
    a.tables.set(va + mib2, page_size::mib2, {0x20'0001, 1});
    CHECK(has(a.mmu.walk(va + mib2).why, "second half is not 0"));
    CHECK(has(a.mmu.walk(u64{1} << 49).why, "more than 49 bits"));
}

}  // namespace nvidia_page_tables_test
