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
using gpuva::chunk;
using gpuva::chunk_at;
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
            u64 end = 0;
            for (u64 k = 0; k < plan.count(); ++k) {
                chunk const one = chunk_at(plan, k);
                REQUIRE(one.offset.n == end);
                REQUIRE(one.size.n != 0);
                REQUIRE(
                    (k + 1 == plan.count() ? one.size.n <= window_pages * 4096 : one.size.n == window_pages * 4096));
                end += one.size.n;
            }
            REQUIRE(end == whole * 4096);
        }
    }
}

TEST_CASE("CHK-10: 16 TiB in chunks: no page is lost, repeated or counted in 32 bits") {
    constexpr bytes whole = 16384 * gib;
    constexpr chunk_plan plan = plan_chunks(gpuva::usable_window(amd_gpuvm, 4 * gib).get(), whole, small_grain).get();
    expect_both(plan.each == 4 * gib - 8 * mib);
    expect_both(plan.count() == (whole.n + plan.each.n - 1) / plan.each.n);
    constexpr chunk last = chunk_at(plan, plan.count() - 1);
    expect_both(last.offset + last.size == whole);
    expect_both(chunk_at(plan, 4000).offset.n == 4000 * (4 * gib - 8 * mib).n);
}

TEST_CASE("CHK-12: chunks end at page boundaries, of 64 KiB when either side has such pages") {
    expect_both(gpuva::chunk_grain(false, false) == small_grain);
    expect_both(gpuva::chunk_grain(true, false) == large_grain && gpuva::chunk_grain(false, true) == large_grain);
    u64 const seed = seed_of_run();
    for (u64 round = 0; round < 2000 / slow_build_factor; ++round) {
        CAPTURE(round);
        seeded_numbers random(seed + round);
        paging_window const window = window_of(random.below(100) * 4096, (1 + random.below(200)) * 4096);
        bytes const grain = gpuva::chunk_grain(random.one_in(2), random.one_in(2));
        u32 const sides = random.one_in(2) ? 1 : 2;
        result<chunk_plan> const plan = plan_chunks(window, {(1 + random.below(2000)) * 4096}, grain, sides);
        u64 const lost = (grain.n - window.start.n % grain.n) % grain.n;
        bool const fits_one = window.size.n > lost && (window.size.n - lost) / sides >= grain.n;
        REQUIRE(plan.ok() == fits_one);
        if (!plan.ok()) {
            continue;
        }
        for (u64 k = 0; k < plan.get().count(); ++k) {
            for (u32 side = 0; side < sides; ++side) {
                chunk const one = chunk_at(plan.get(), k, side);
                REQUIRE(one.offset.n % grain.n == 0);
                REQUIRE(one.at.n % grain.n == 0);
                REQUIRE(one.at.n >= window.start.n);
                REQUIRE(one.at.n + one.size.n <= window.start.n + window.size.n);
                REQUIRE((one.size.n % grain.n == 0 || k + 1 == plan.get().count()));
            }
        }
    }
}

TEST_CASE("CHK-13: passes inside a chunk begin anew with each chunk, and chunks do not depend on them") {
    constexpr u64 whole = 37;
    chunk_plan const plan = plan_chunks(sample_window, {whole * 4096}, small_grain).get();
    for (u64 room = 1; room <= 12; ++room) {
        std::vector<u32> touched(whole, 0);
        for (u64 k = 0; k < plan.count(); ++k) {
            chunk const one = chunk_at(plan, k);
            for (u64 token = 0; token * 4096 < one.size.n; token += room) {
                for (u64 page = token; page < token + room && page * 4096 < one.size.n; ++page) {
                    ++touched[one.offset.n / 4096 + page];
                }
            }
        }
        CHECK(touched == std::vector<u32>(whole, 1));
    }
}

TEST_CASE("CHK-14: every chunk is mapped at the same address, and all but the first find another's pages cached") {
    constexpr chunk_plan plan = plan_chunks(sample_window, bytes{35 * 4096}, small_grain).get();
    static_assert(plan.count() == 4);
    for (u64 k = 0; k < 4; ++k) {
        CHECK(chunk_at(plan, k).at == sample_window.start);
        CHECK(chunk_at(plan, k).window_had_other_pages == (k != 0));
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
    expect_both(plan_chunks(sample_window, bytes{4096}, small_grain, 0).error == errc::out_of_range);
    expect_both(plan_chunks(sample_window, bytes{4096}, small_grain, 3).error == errc::out_of_range);
}

TEST_CASE("CHK-09: a transfer whose sides share the window has them side by side") {
    constexpr chunk_plan plan = plan_chunks(sample_window, bytes{12 * 4096}, small_grain, 2).get();
    expect_both(plan.count() == 3 && plan.each == bytes{5 * 4096});
    expect_both(chunk_at(plan, 2, 0).at == sample_window.start);
    expect_both(chunk_at(plan, 2, 1).at == sample_window.start + bytes{5 * 4096});
    expect_both(chunk_at(plan, 2, 1).size == bytes{2 * 4096});
}

TEST_CASE("NTF-05: a chunk's address is that of its offset, which is not added again") {
    constexpr chunk_plan plan = plan_chunks(sample_window, bytes{25 * 4096}, small_grain).get();
    constexpr chunk second = chunk_at(plan, 1);
    expect_both(gpuva::address_in(second, second.offset) == sample_window.start);
    expect_both(gpuva::address_in(second, second.offset + bytes{5}) == sample_window.start + bytes{5});
    expect_both(gpuva::address_in(chunk_at(plan, 0), bytes{4096}) == sample_window.start + bytes{4096});
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
