// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/base/units.hpp>

#include "expect_both.hpp"

#include <doctest/doctest.h>

#include <initializer_list>

namespace units_test {

namespace {

using namespace wddmcore;

constexpr u64 largest = ~u64{0};
constexpr u32 largest_32 = ~u32{0};

TEST_CASE("units: a page is 4096 bytes, whatever the GPU's own page is") {
    expect_both(page_shift_lg2 == 12 && page_bytes == 4096);
    expect_both(kib == bytes{1024} && mib == bytes{1'048'576} && gib == bytes{1'073'741'824});
    expect_both(1024 * kib == mib && 1024 * mib == gib);
}

template <class Unit>
constexpr bool adds_and_compares() {
    return Unit{2} + Unit{3} == Unit{5} && Unit{0} + Unit{0} == Unit{0} && Unit{2} != Unit{3} && Unit{} == Unit{0} &&
           Unit{static_cast<decltype(Unit::n)>(-1)} != Unit{0};
}

template <class Unit>
constexpr bool subtracts_and_orders() {
    return Unit{5} - Unit{3} == Unit{2} && Unit{largest} - Unit{largest} == Unit{0} &&
           Unit{largest} - Unit{1} == Unit{largest - 1} && Unit{largest - 1} + Unit{1} == Unit{largest} &&
           Unit{0} < Unit{1} && !(Unit{1} < Unit{1}) && !(Unit{2} < Unit{1}) && Unit{largest - 1} < Unit{largest} &&
           Unit{0} <= Unit{1} && Unit{1} <= Unit{1} && !(Unit{2} <= Unit{1}) && !(Unit{largest} <= Unit{0});
}

TEST_CASE("units: amounts add, subtract and compare within their unit") {
    expect_both(adds_and_compares<bytes>() && adds_and_compares<pages>() && adds_and_compares<dwords>());
    expect_both(subtracts_and_orders<bytes>() && subtracts_and_orders<pages>());
    expect_both(dwords{largest_32 - 1} + dwords{1} == dwords{largest_32});
    expect_both(segment_id{0} == segment_id{} && segment_id{1} != segment_id{2});
    expect_both(megabytes{1} == megabytes{1} && megabytes{1} != megabytes{2});
}

TEST_CASE("units: a count times bytes") {
    expect_both(3 * bytes{5} == bytes{15} && 0 * gib == bytes{0} && 1 * bytes{largest} == bytes{largest});
    expect_both((u64{1} << 33) * gib == bytes{u64{1} << 63});
}

/// An address moves by an amount of its own kind, up to its largest value.
template <class Address, class Amount>
constexpr bool moves_by() {
    return Address{0} + Amount{0} == Address{0} && Address{4096} + Amount{1} == Address{4097} &&
           Address{0} + Amount{largest} == Address{largest} && Address{largest - 1} + Amount{1} == Address{largest} &&
           Address{1} != Address{2};
}

TEST_CASE("SEG-28: addresses move by bytes, page numbers by pages") {
    expect_both(moves_by<gpu_virtual_address, bytes>());
    expect_both(moves_by<segment_offset, bytes>() && moves_by<segment_address, bytes>());
    expect_both(moves_by<page_number, pages>());
}

TEST_CASE("ADL-02: a page number is an address divided by 4096") {
    expect_both(byte_address(page_number{0}) == 0 && byte_address(page_number{1}) == 4096);
    expect_both(byte_address(page_number{0xF'FFFF}) == 0xFFFF'F000 &&
                byte_address(page_number{0x10'0000}) == gib.n * 4);
    expect_both(byte_address(page_number{(u64{1} << 52) - 1}) == largest - 4095);
}

TEST_CASE("units: whole pages in bytes, up to the last below 2^52") {
    expect_both(to_bytes(pages{0}) == bytes{0} && to_bytes(pages{1}) == bytes{4096});
    expect_both(to_bytes(pages{0xF'FFFF}) == 4 * gib - bytes{4096} && to_bytes(pages{0x10'0000}) == 4 * gib);
    expect_both(to_bytes(pages{(u64{1} << 52) - 1}) == bytes{largest - 4095});
}

TEST_CASE("CHK-03, AMB-31: megabytes are 2^20 bytes each and do not stop at 32 bits") {
    expect_both(to_bytes(megabytes{0}) == bytes{0} && to_bytes(megabytes{1}) == mib);
    expect_both(to_bytes(megabytes{4095}) == 4 * gib - mib && to_bytes(megabytes{4096}) == 4 * gib);
    expect_both(to_bytes(megabytes{4097}) == 4 * gib + mib);
    expect_both(to_bytes(megabytes{largest_32}) == bytes{0xF'FFFF'FFF0'0000});
}

TEST_CASE("units: dwords are four bytes each and do not stop at 32 bits") {
    expect_both(to_bytes(dwords{0}) == bytes{0} && to_bytes(dwords{1}) == bytes{4});
    expect_both(to_bytes(dwords{0x4000'0000}) == 4 * gib && to_bytes(dwords{largest_32}) == bytes{0x3'FFFF'FFFC});
}

TEST_CASE("units: bytes round up to the pages they span and down to the pages they fill") {
    expect_both(pages_spanned(bytes{0}) == pages{0} && whole_pages(bytes{0}) == pages{0});
    expect_both(pages_spanned(bytes{1}) == pages{1} && whole_pages(bytes{1}) == pages{0});
    expect_both(pages_spanned(bytes{4095}) == pages{1} && whole_pages(bytes{4095}) == pages{0});
    expect_both(pages_spanned(bytes{4096}) == pages{1} && whole_pages(bytes{4096}) == pages{1});
    expect_both(pages_spanned(bytes{4097}) == pages{2} && whole_pages(bytes{4097}) == pages{1});
    expect_both(pages_spanned(bytes{largest}) == pages{u64{1} << 52});
    expect_both(whole_pages(bytes{largest}) == pages{(u64{1} << 52) - 1});
}

TEST_CASE("units: conversions there and back lose nothing, at every power of two") {
    for (u32 bit = 0; bit < 52; ++bit) {
        for (u64 const n : {(u64{1} << bit) - 1, u64{1} << bit}) {
            CAPTURE(n);
            CHECK(whole_pages(to_bytes(pages{n})) == pages{n});
            CHECK(pages_spanned(to_bytes(pages{n})) == pages{n});
            CHECK(pages_spanned(to_bytes(pages{n}) + bytes{1}) == pages{n + 1});
            CHECK(byte_address(page_number{n}) == to_bytes(pages{n}).n);
        }
    }
}

}  // namespace

}  // namespace units_test
