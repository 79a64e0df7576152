// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/segment/table/mapped.hpp>

#include "../base/expect_both.hpp"
#include "table_samples.hpp"

namespace table_addresses_test {

using namespace table_samples;

namespace {

constexpr auto table = table_of(window, aperture, visible);
constexpr auto unplaced = table_of(window, aperture, segment::memory{.id = vram, .base = at(0), .size = at_start},
                                   segment::agp_aperture{.id = {3}});

template <class From, class To>
concept converts = requires(From from, To& to) { to = from; };

struct placed_later : segment::mapped<3> {};
struct constant : segment::mapped_by<table> {};
static_assert(hw::segment_map<placed_later> && hw::segment_map<constant>);

}  // namespace

TEST_CASE("SEG-28: an address with the segment's base and an offset from its start are types that never convert") {
    static_assert(!converts<segment_address, segment_offset> && !converts<segment_offset, segment_address>);
    static_assert(!converts<u64, segment_address> && !converts<u64, segment_offset>);
    static_assert(!converts<cpu_physical_address, segment_address> && !converts<bytes, segment_address>);
    static_assert(converts<segment_offset, segment_offset>);
    CHECK(!converts<segment_address, segment_offset>);
}

TEST_CASE("SEG-05: a hardware type takes its segments' places from the table") {
    constexpr constant hardware{};
    expect_both(hardware.place(vram).base == at(0x80'0000'0000));
    expect_both(hardware.place(vram).size == 16 * gib);
    expect_both(hardware.place({0}).size == bytes{0});
    expect_both(hardware.place({3}).size == bytes{0});
    expect_both(hardware.is_aperture(window));
    expect_both(!hardware.is_aperture(vram));
    expect_both(!hardware.is_aperture({0}));

    placed_later later{};
    CHECK(later.place(window).size == bytes{0});
    later.segments = unplaced;
    CHECK(later.place(window).size == 512 * mib);
    CHECK(later.place(vram).size == bytes{0});
    CHECK(later.place({3}).size == bytes{0});
    CHECK(later.is_aperture({3}));
    CHECK(later.segments.place(vram, {.size = 2 * gib}) == no_rule_broken);
    CHECK(later.place(vram).size == 2 * gib);
}

}  // namespace table_addresses_test
