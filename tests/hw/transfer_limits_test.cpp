// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

// The numbers of copies, fills, windows and physical accesses that a hardware type may have, each with its neighbours
// that it may not.

#include <wddmcore/hw/promises/transfer/content_discarder.hpp>
#include <wddmcore/hw/promises/transfer/copy_engine.hpp>
#include <wddmcore/hw/promises/transfer/fill_engine.hpp>
#include <wddmcore/hw/promises/transfer/page_window.hpp>
#include <wddmcore/hw/promises/transfer/physical_accessor.hpp>

#include "keeps.hpp"
#include "plain_gpu.hpp"
#include "without.hpp"

#include <doctest/doctest.h>

#include "../base/expect_both.hpp"

namespace transfer_limits_test {

using namespace wddmcore;
using namespace wddmcore::testing;
namespace promises = wddmcore::hw::detail;

// Not in an unnamed namespace, where a compiler calls members unused that a broken promise does not get to.
namespace types {

using plain = plain_gpu<>;

template <u64 Most, u64 Alignment, u32 Dwords = 1>
struct copies : plain {
    static constexpr bytes copy_max{Most};
    static constexpr bytes copy_alignment{Alignment};
    static constexpr dwords copy_dwords{Dwords};
};
/// Numbers that are found out at AddDevice.
template <u64 LeastOfMost, u64 MostOfMost, u64 LeastAlignment, u64 MostAlignment>
struct chosen_copies : plain {
    bytes most{LeastOfMost};
    bytes grain{LeastAlignment};
    static constexpr chosen_within copy_max{bytes{LeastOfMost}, bytes{MostOfMost}, &chosen_copies::most};
    static constexpr chosen_within copy_alignment{bytes{LeastAlignment}, bytes{MostAlignment}, &chosen_copies::grain};
};
template <u32 Dwords>
struct swizzles : plain {
    static constexpr dwords swizzle_dwords{Dwords};
    static void encode_swizzled_copy(u32*, hw::swizzled_copy<swizzles> const&) {}
};

template <u64 Most, u64 Alignment, u64 Pattern, u32 Dwords = 1>
struct fills : plain {
    static constexpr bytes fill_max{Most};
    static constexpr bytes fill_alignment{Alignment};
    static constexpr bytes fill_pattern_bytes{Pattern};
    static constexpr dwords fill_dwords{Dwords};
};
template <u64 LeastAlignment, u64 MostAlignment, u64 LeastPattern, u64 MostPattern>
struct chosen_fills : plain {
    bytes grain{LeastAlignment};
    bytes pattern{LeastPattern};
    static constexpr chosen_within fill_alignment{bytes{LeastAlignment}, bytes{MostAlignment}, &chosen_fills::grain};
    static constexpr chosen_within fill_pattern_bytes{bytes{LeastPattern}, bytes{MostPattern}, &chosen_fills::pattern};
};
/// A fill whose length follows from what is filled. It is not plain, whose fill has one length.
template <u32 Most>
struct long_fills {
    using address = plain_address;
    static constexpr bytes fill_max = mib;
    static constexpr bytes fill_alignment{4};
    static constexpr bytes fill_pattern_bytes{4};
    static constexpr dwords fill_dwords_most{Most};
    static constexpr dwords fill_dwords_of(address, bytes, u32) { return {1}; }
    static void encode_fill(u32*, address, bytes, u32) {}
};
struct two_lengths : long_fills<2> {
    static constexpr dwords fill_dwords{1};
};
struct no_length {
    using address = plain_address;
};
struct only_asked {
    using address = plain_address;
    static dwords fill_dwords_of(address, bytes, u32) { return {1}; }
};
struct only_the_most {
    using address = plain_address;
    static constexpr dwords fill_dwords_most{1};
};

template <u32 Dwords>
struct accesses : plain {
    static constexpr dwords access_dwords{Dwords};
};
template <u32 Dwords, class Gpu = plain>
struct discards : Gpu {
    static constexpr dwords discard_dwords{Dwords};
    static void encode_discard(u32*, auto const&, void*) {}
};
struct busy : plain {
    static bool allocation_is_busy(void*) { return false; }
};
struct wrong_busy : plain {
    static int allocation_is_busy(void*) { return 0; }
};

struct window_numbers {
    u32 slots = 1;
    u64 entry_bytes = 8;
    u32 shift = 0;
    u32 write_max = 1;
    u32 head = 1;
    u32 flush = 0;
    u32 wait = 0;
    u64 reach = ~u64{0};  ///< the last byte that the adapter sees
};
template <window_numbers N>
struct window : plain_gpu<plain_numbers{}, capabilities{.version = wddm::v1_3,
                                                        .aperture = aperture_forms::mdl,
                                                        .highest_visible_address = N.reach}> {
    static constexpr u32 window_slots = N.slots;
    static constexpr bytes window_entry_bytes{N.entry_bytes};
    static constexpr u32 window_page_shift = N.shift;
    static constexpr u32 window_write_max = N.write_max;
    static constexpr dwords window_head_dwords{N.head};
    static constexpr dwords window_flush_dwords{N.flush};
    static constexpr dwords window_wait_dwords{N.wait};
    static plain_address window_address() { return {0}; }
    static u64 window_entry_bits() { return 1; }
    static void encode_window_head(u32*, u32, u32) {}
    static void encode_window_flush(u32*, u32, u32) {}
    static void encode_window_wait(u32*) {}
};
template <window_numbers N>
constexpr bool is_window = keeps<promises::page_window_promise, window<N>>;

}  // namespace types

using namespace types;

TEST_CASE("law 5: the alignment of copies divides a page, and a copy takes as much at least") {
    using promises::copy_engine_promise;
    expect_both(keeps<copy_engine_promise, plain> && keeps<copy_engine_promise, copies<1, 1>>);
    expect_both(keeps<copy_engine_promise, copies<4096, 4096>> && !keeps<copy_engine_promise, copies<4095, 4096>>);
    expect_both(!keeps<copy_engine_promise, copies<8192, 8192>> && !keeps<copy_engine_promise, copies<4096, 3>>);
    expect_both(!keeps<copy_engine_promise, copies<4096, 0>>);
    expect_both(!keeps<copy_engine_promise, copies<4, 4, 0>> && keeps<copy_engine_promise, copies<4, 4, 256>>);
    expect_both(!keeps<copy_engine_promise, copies<4, 4, 257>>);
}

TEST_CASE("law 5: numbers of copies that a chip chooses fit at both ends") {
    using promises::copy_engine_promise;
    expect_both(keeps<copy_engine_promise, chosen_copies<64, 64, 1, 64>>);
    expect_both(keeps<copy_engine_promise, chosen_copies<64, 4096, 1, 64>>);
    expect_both(!keeps<copy_engine_promise, chosen_copies<63, 4096, 1, 64>>);
    expect_both(!keeps<copy_engine_promise, chosen_copies<65, 64, 1, 64>>);
    expect_both(!keeps<copy_engine_promise, chosen_copies<64, 64, 64, 1>>);
    expect_both(!keeps<copy_engine_promise, chosen_copies<64, 64, 3, 64>>);
    expect_both(!keeps<copy_engine_promise, chosen_copies<64, 64, 1, 48>>);
}

TEST_CASE("law 5: a swizzled copy has 1 to 256 dwords") {
    using promises::copy_engine_promise;
    expect_both(!keeps<copy_engine_promise, swizzles<0>> && keeps<copy_engine_promise, swizzles<1>>);
    expect_both(keeps<copy_engine_promise, swizzles<256>> && !keeps<copy_engine_promise, swizzles<257>>);
}

TEST_CASE("law 5: a fill's alignment divides a page, holds the pattern, and is no more than a fill takes") {
    using promises::fill_engine_promise;
    expect_both(keeps<fill_engine_promise, plain> && keeps<fill_engine_promise, fills<1, 1, 1>>);
    expect_both(keeps<fill_engine_promise, fills<4096, 4096, 4>> && !keeps<fill_engine_promise, fills<4095, 4096, 4>>);
    expect_both(!keeps<fill_engine_promise, fills<8192, 8192, 4>> && !keeps<fill_engine_promise, fills<8192, 12, 4>>);
    expect_both(keeps<fill_engine_promise, fills<64, 4, 4>> && !keeps<fill_engine_promise, fills<64, 2, 4>>);
    expect_both(!keeps<fill_engine_promise, fills<64, 4, 0>> && !keeps<fill_engine_promise, fills<64, 4, 2>>);
    expect_both(!keeps<fill_engine_promise, fills<64, 4, 3>> && !keeps<fill_engine_promise, fills<64, 8, 5>>);
    expect_both(!keeps<fill_engine_promise, fills<64, 4, 4, 0>> && keeps<fill_engine_promise, fills<64, 4, 4, 256>>);
    expect_both(!keeps<fill_engine_promise, fills<64, 4, 4, 257>>);
}

TEST_CASE("law 5: numbers of fills that a chip chooses fit at both ends") {
    using promises::fill_engine_promise;
    expect_both(keeps<fill_engine_promise, chosen_fills<4, 8, 1, 4>>);
    expect_both(!keeps<fill_engine_promise, chosen_fills<2, 8, 1, 4>>);
    expect_both(!keeps<fill_engine_promise, chosen_fills<12, 16, 1, 4>>);
    expect_both(!keeps<fill_engine_promise, chosen_fills<4, 12, 1, 4>>);
    expect_both(!keeps<fill_engine_promise, chosen_fills<8, 4, 1, 4>>);
    expect_both(!keeps<fill_engine_promise, chosen_fills<4, 8, 4, 1>>);
    expect_both(!keeps<fill_engine_promise, chosen_fills<4, 8, 2, 4>>);
    expect_both(!keeps<fill_engine_promise, chosen_fills<4, 8, 1, 3>>);
}

TEST_CASE("law 5: a fill has one length, or says which") {
    using promises::fill_engine_promise;
    expect_both(keeps<fill_engine_promise, long_fills<1>> && keeps<fill_engine_promise, long_fills<256>>);
    expect_both(!keeps<fill_engine_promise, long_fills<0>> && !keeps<fill_engine_promise, long_fills<257>>);
    expect_both(hw::longest_fill<plain>() == plain::fill_dwords && hw::longest_fill<long_fills<7>>() == dwords{7});
    expect_both(hw::fill_length(plain{}, plain_address{}, bytes{4}, 0) == plain::fill_dwords);
    expect_both(hw::fill_length(long_fills<7>{}, plain_address{}, bytes{4}, 0) == dwords{1});
    using promises::fill_length_promise;
    expect_both(keeps<fill_length_promise, plain> && keeps<fill_length_promise, long_fills<2>>);
    expect_both(!keeps<fill_length_promise, two_lengths> && !keeps<fill_length_promise, no_length>);
    expect_both(!keeps<fill_length_promise, only_asked> && !keeps<fill_length_promise, only_the_most>);
}

TEST_CASE("law 5: an access has 1 to 256 dwords; so has what discards") {
    using promises::physical_accessor_promise;
    expect_both(!keeps<physical_accessor_promise, accesses<0>> && keeps<physical_accessor_promise, accesses<1>>);
    expect_both(keeps<physical_accessor_promise, accesses<256>> && !keeps<physical_accessor_promise, accesses<257>>);
    using promises::content_discarder_promise;
    expect_both(keeps<content_discarder_promise, plain> && !keeps<content_discarder_promise, discards<0>>);
    expect_both(keeps<content_discarder_promise, discards<1>> && keeps<content_discarder_promise, discards<256>>);
    expect_both(!keeps<content_discarder_promise, discards<257>>);
    expect_both(!keeps<content_discarder_promise, discards<1, without_address<plain>>>);
    expect_both(!keeps<content_discarder_promise, discards<1, without_stream<plain>>>);
    using promises::busy_reporter_promise;
    expect_both(keeps<busy_reporter_promise, plain> && keeps<busy_reporter_promise, busy>);
    expect_both(!keeps<busy_reporter_promise, wrong_busy>);
}

TEST_CASE("law 5: a window has 1 to 1,048,576 pages, entries of 4 or 8 bytes, and room for the last page") {
    expect_both(keeps<promises::page_window_promise, plain> && is_window<window_numbers{}>);
    expect_both(!is_window<window_numbers{.slots = 0}> && is_window<window_numbers{.slots = 0x10'0000}>);
    expect_both(!is_window<window_numbers{.slots = 0x10'0001}>);
    expect_both(!is_window<window_numbers{.entry_bytes = 3}> && !is_window<window_numbers{.entry_bytes = 5}>);
    expect_both(!is_window<window_numbers{.entry_bytes = 7}> && !is_window<window_numbers{.entry_bytes = 9}>);
    expect_both(is_window<window_numbers{.shift = 12}> && !is_window<window_numbers{.shift = 13}>);
    expect_both(!is_window<window_numbers{.write_max = 0}> && is_window<window_numbers{.write_max = 2}>);
    // The last page of 16 TiB is number 2^32 - 1, of half of it 2^31 - 1.
    constexpr u64 reach = (u64{1} << 44) - 1;
    expect_both(is_window<window_numbers{.entry_bytes = 4, .reach = reach}>);
    expect_both(!is_window<window_numbers{.entry_bytes = 4, .shift = 1, .reach = reach}>);
    expect_both(is_window<window_numbers{.entry_bytes = 4, .shift = 1, .reach = reach / 2}>);
    expect_both(!is_window<window_numbers{.entry_bytes = 4, .reach = reach + page_bytes}>);
    expect_both(is_window<window_numbers{.entry_bytes = 8, .shift = 12, .reach = reach}>);
}

TEST_CASE("law 5: a window's commands have at most 256 dwords, its head one at least") {
    expect_both(!is_window<window_numbers{.head = 0}> && is_window<window_numbers{.head = 256}>);
    expect_both(!is_window<window_numbers{.head = 257}>);
    expect_both(is_window<window_numbers{.flush = 256}> && !is_window<window_numbers{.flush = 257}>);
    expect_both(is_window<window_numbers{.wait = 256}> && !is_window<window_numbers{.wait = 257}>);
}

}  // namespace transfer_limits_test
