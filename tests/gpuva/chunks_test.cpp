// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "sample_geometries.hpp"

#include <wddmcore/gpuva/paging_process/chunks.hpp>

#include "../adl/seeded.hpp"

#include <vector>

#include "../base/expect_both.hpp"

namespace chunks_test {

using namespace wddmcore;
using namespace wddmcore::testing;
using gpuva::block_fit;
using gpuva::chunk_plan;
using gpuva::paging_window;
using gpuva::plan_chunks;

namespace {

constexpr paging_window window_of(u64 start, u64 size) { return {{start}, {size}}; }
constexpr paging_window sample_window = window_of(0x40'0000, 10 * 4096);
constexpr bytes small_grain{4096};
constexpr bytes large_grain{65536};

}  // namespace

TEST_CASE("CHK-09: an allocation of the window's size is one chunk, a larger one is several") {
    expect_both(plan_chunks(sample_window, bytes{10 * 4096}, small_grain).get().count() == 1);
    expect_both(plan_chunks(sample_window, bytes{4096}, small_grain).get().count() == 1);
    expect_both(plan_chunks(sample_window, bytes{11 * 4096}, small_grain).get().count() == 2);
}

TEST_CASE("CHK-10: as many chunks as the size divided by the window, rounded up; the last is shorter, never empty") {
    for (u64 window_pages = 1; window_pages <= 9; ++window_pages) {
        for (u64 whole = 1; whole <= 40; ++whole) {
            CAPTURE(window_pages);
            CAPTURE(whole);
            chunk_plan const plan =
                plan_chunks(window_of(0x1000, window_pages * 4096), {whole * 4096}, small_grain).get();
            REQUIRE(plan.count() == (whole + window_pages - 1) / window_pages);
            REQUIRE(plan.each.n == window_pages * 4096);
            REQUIRE((plan.count() - 1) * plan.each.n < whole * 4096);
            REQUIRE(plan.count() * plan.each.n >= whole * 4096);
        }
    }
}

TEST_CASE("CHK-10: 16 TiB in chunks: no page is lost, repeated or counted in 32 bits") {
    constexpr bytes whole = 16384 * gib;
    constexpr chunk_plan plan = plan_chunks(gpuva::usable_window(amd_gpuvm, 4 * gib).get(), whole, small_grain).get();
    expect_both(plan.each == 4 * gib - 8 * mib);
    expect_both(plan.count() == (whole.n + plan.each.n - 1) / plan.each.n);
}

TEST_CASE("CHK-12: chunks are as large as the window holds in whole multiples of the grain, from one of them on") {
    u64 const seed = seed_of_run();
    for (u64 round = 0; round < 2000 / slow_build_factor; ++round) {
        CAPTURE(round);
        seeded_numbers random(seed + round);
        paging_window const window = window_of(random.below(100) * 4096, (1 + random.below(200)) * 4096);
        bytes const grain = random.one_in(2) ? small_grain : large_grain;
        result<chunk_plan> const plan = plan_chunks(window, {(1 + random.below(2000)) * 4096}, grain);
        u64 largest = 0;
        for (u64 first = 0; first <= window.start.n + window.size.n; first += grain.n) {
            bool const inside = first >= window.start.n && first + grain.n <= window.start.n + window.size.n;
            largest += inside ? grain.n : 0;
        }
        REQUIRE(plan.ok() == (largest != 0));
        REQUIRE((!plan.ok() || plan.get().each.n == largest));
    }
}

TEST_CASE("CHK-15: a window that wraps is refused, one that ends with the last byte is not") {
    expect_both(plan_chunks(window_of(0 - u64{8192}, 8192), bytes{4096}, small_grain).ok());
    expect_both(plan_chunks(window_of(0 - u64{8192}, 12288), bytes{4096}, small_grain).error == errc::overflow);
    expect_both(plan_chunks(window_of(0 - u64{8192}, 8193), bytes{4096}, small_grain).error == errc::overflow);
    // Its next multiple of 64 KiB would be behind the last address.
    expect_both(plan_chunks(window_of(0 - u64{8192}, 8192), bytes{4096}, large_grain).error == errc::out_of_range);
}

TEST_CASE("CHK-10: requests that have no chunks") {
    expect_both(plan_chunks(sample_window, bytes{0}, small_grain).error == errc::out_of_range);
    expect_both(plan_chunks(sample_window, bytes{100}, small_grain).error == errc::misaligned);
    expect_both(plan_chunks(window_of(100, 4096), bytes{4096}, small_grain).error == errc::misaligned);
    expect_both(plan_chunks(sample_window, bytes{4096}, bytes{12288}).error == errc::misaligned);
    expect_both(plan_chunks(sample_window, bytes{4096}, bytes{2048}).error == errc::misaligned);
    expect_both(plan_chunks(sample_window, bytes{4096}, bytes{0}).error == errc::misaligned);
    expect_both(plan_chunks(sample_window, bytes{4096}, large_grain).error == errc::out_of_range);
    expect_both(plan_chunks(window_of(0x1000, 0), bytes{4096}, small_grain).error == errc::out_of_range);
    expect_both(plan_chunks(window_of(0x1000, 4095), bytes{4096}, small_grain).error == errc::out_of_range);
}

TEST_CASE("NTF-13: a compression block lies in one chunk, or the driver is told that it does not") {
    for (u64 block : {u64{256}, u64{4096}, u64{8192}, u64{20480}, u64{65536}, u64{12288}}) {
        for (u64 whole = 1; whole <= 30; ++whole) {
            CAPTURE(block);
            CAPTURE(whole);
            chunk_plan const plan = plan_chunks(sample_window, {whole * 4096}, small_grain).get();
            bool in_two = false;
            for (u64 first = 0; first < whole * 4096; first += block) {
                u64 const last = lesser(first + block, whole * 4096) - 1;
                in_two = in_two || first / plan.each.n != last / plan.each.n;
            }
            block_fit const found = gpuva::blocks_in(plan, {block});
            // Blocks that do not divide the chunk may still all lie well in a short last one: then it warns for
            // nothing.
            CHECK((!in_two || found == block_fit::straddles));
            CHECK((found != block_fit::aligned || !in_two));
            CHECK((found == block_fit::one_chunk) == (plan.count() == 1));
        }
    }
    constexpr chunk_plan plan = plan_chunks(sample_window, bytes{25 * 4096}, small_grain).get();
    expect_both(gpuva::blocks_in(plan, bytes{8192}) == block_fit::aligned);
    expect_both(gpuva::blocks_in(plan, bytes{20480}) == block_fit::aligned);
    expect_both(gpuva::blocks_in(plan, bytes{12288}) == block_fit::straddles);
    expect_both(gpuva::blocks_in(plan, bytes{65536}) == block_fit::straddles);
}

}  // namespace chunks_test
