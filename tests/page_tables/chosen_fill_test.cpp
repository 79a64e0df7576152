// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// Page tables that are filled by chips which differ in their fills: each as a type of its own.
#include "../slow_build.hpp"
#include "table_requests.hpp"

#include <wddmcore/hw/check_numbers.hpp>

#include <doctest/doctest.h>

namespace chosen_fill_test {

using namespace wddmcore;
using namespace wddmcore::table_tests;

namespace {

struct base : plain_format, grain_part<1>, write_part<0x3FFE, false>, fill_part<0x40'0000, 4, 4>, copy_part<4096> {};

template <u64 Max, u64 Alignment, u64 Pattern>
struct constant_gpu : base {
    static constexpr bytes fill_max{Max};
    static constexpr bytes fill_alignment{Alignment};
    static constexpr bytes fill_pattern_bytes{Pattern};
};

struct chosen_gpu : base {
    bytes limit{0};
    bytes unit{0};
    bytes pattern{0};
    static constexpr chosen_within fill_max{bytes{64}, 4 * mib, &chosen_gpu::limit};
    static constexpr chosen_within fill_alignment{bytes{4}, bytes{64}, &chosen_gpu::unit};
    static constexpr chosen_within fill_pattern_bytes{bytes{1}, bytes{4}, &chosen_gpu::pattern};
};

/// The bytes and passes of a repeated entry, which its table then holds.
template <class Gpu>
run_result repeat(Gpu gpu, u32 start, u32 count, u64 flags, u64 page, u64 room) {
    model_request request;
    request.start = start;
    request.count = count;
    request.repeat = true;
    request.entries = {{flags, page}};
    request_arrays const arrays(request);
    arguments args = arguments_of(request, arrays);
    table_memory is = place_table(args, 1, 0, 0x1000, size_of_table<plain_gpu>(0, false));
    run_result const done = run(gpu, args, is, [room] { return room; });
    CHECK(done.problem == "");
    return done;
}

template <u64 Max, u64 Alignment, u64 Pattern>
void expect_same_as_constant() {
    auto chip = with_segments<chosen_gpu>();
    chip.limit = {Max};
    chip.unit = {Alignment};
    chip.pattern = {Pattern};
    REQUIRE(check_numbers(chip) == no_number_broken);
    for (u32 const start : {0u, 1u, 8u}) {
        for (u32 const count : {1u, 4u, 8u, 64u, 500u}) {
            if (emulated && count > 64 && start != 0) {
                continue;
            }
            for (u64 const flags : {u64{0}, u64{1}}) {
                for (u64 const room : {u64{32}, u64{60}, u64{0x8000}}) {
                    CAPTURE(start);
                    CAPTURE(count);
                    CAPTURE(room);
                    auto const expected =
                        repeat(with_segments<constant_gpu<Max, Alignment, Pattern>>(), start, count, flags, 0x11, room);
                    auto const got = repeat(chip, start, count, flags, 0x11, room);
                    CHECK(got.bytes == expected.bytes);
                    CHECK(got.passes == expected.passes);
                    CHECK(got.status == expected.status);
                }
            }
        }
    }
}

}  // namespace

TEST_CASE("OP11-02: a chip fills its tables as its own largest fill, alignment and pattern say") {
    expect_same_as_constant<4 * 1024 * 1024, 4, 4>();
    expect_same_as_constant<64, 4, 4>();
    expect_same_as_constant<64, 64, 1>();
    expect_same_as_constant<1000, 16, 1>();
    expect_same_as_constant<4096, 64, 4>();
}

TEST_CASE("OP11-02: only a chip with patterns of a dword fills entries whose bytes differ") {
    constexpr page_table_entry by_bytes{0x1111'1111'1111'1111, 0};
    constexpr page_table_entry by_dwords{0x0001'1000'0001'1000, 0};
    auto chip = with_segments<chosen_gpu>();
    chip.limit = 4 * mib;
    chip.unit = {4};
    for (u64 const width : {u64{1}, u64{4}}) {
        CAPTURE(width);
        chip.pattern = {width};
        CHECK(paging::detail::fills(chip, by_bytes, 8, 0, 64));
        CHECK(paging::detail::fills(chip, by_dwords, 8, 0, 64) == (width == 4));
    }
}

}  // namespace chosen_fill_test
