// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/preemption/claims/granularity.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <random>
#include <vector>

#include "../base/expect_both.hpp"
#include "../slow_build.hpp"

namespace granularity_test {

using namespace wddmcore;
using namespace wddmcore::preemption;

namespace {

using graphics = graphics_preemption_granularity;
using compute = compute_preemption_granularity;
using other = other_preemption_granularity;

constexpr preemption_engine three_d{.graphics = {graphics::pixel_boundary, {64}},
                                    .compute = {compute::thread_boundary, {256}}};
constexpr preemption_engine coarser{.graphics = {graphics::triangle_boundary, {32}},
                                    .compute = {compute::dispatch_boundary, {16}}};
constexpr preemption_engine only_compute{.compute = {compute::thread_group_boundary, {128}}};
constexpr preemption_engine copies{.other = {other::dma_buffer_boundary}};

constexpr preemption_engine all[] = {three_d, only_compute, copies};
constexpr preemption_engine two[] = {three_d, coarser};
constexpr preemption_engine no_graphics[] = {only_compute, copies};
constexpr preemption_engine no_compute[] = {copies, copies};
constexpr preemption_engine with_none[] = {three_d, {.compute = {compute::none}}};

}  // namespace

// The numbers stand in tests/abi/ddi_abi.json.
TEST_CASE("PRE-04: below 100 nothing stops, below 200 only between buffers") {
    using preemption::detail::stopping_at;
    expect_both(stopping_at(99) == stopping::nowhere && stopping_at(100) == stopping::between_buffers);
    expect_both(stopping_at(199) == stopping::between_buffers && stopping_at(200) == stopping::inside_a_buffer);
}

TEST_CASE("PRE-04: both enumerations have the DDI's numbers, and a larger number is finer") {
    expect_both(
        static_cast<u32>(graphics::none) == 0 && static_cast<u32>(graphics::dma_buffer_boundary) == 100 &&
        static_cast<u32>(graphics::primitive_boundary) == 200 && static_cast<u32>(graphics::triangle_boundary) == 300 &&
        static_cast<u32>(graphics::pixel_boundary) == 400 && static_cast<u32>(graphics::shader_boundary) == 500);
    expect_both(static_cast<u32>(compute::none) == 0 && static_cast<u32>(compute::dma_buffer_boundary) == 100 &&
                static_cast<u32>(compute::dispatch_boundary) == 200 &&
                static_cast<u32>(compute::thread_group_boundary) == 300 &&
                static_cast<u32>(compute::thread_boundary) == 400 && static_cast<u32>(compute::shader_boundary) == 500);
    for (u32 number = 0; number < 1000; ++number) {
        constexpr u32 numbers[] = {0, 100, 200, 300, 400, 500};
        CAPTURE(number);
        CHECK(is_preemption_granularity(number) ==
              (std::find(std::begin(numbers), std::end(numbers), number) != std::end(numbers)));
    }
    CHECK_FALSE(is_preemption_granularity(~u32{0}));
}

TEST_CASE("PRE-05: the adapter reports the coarsest of the engines that run a kind of work") {
    expect_both(coarsest_graphics(span_of(two)) == graphics::triangle_boundary);
    expect_both(coarsest_compute(span_of(two)) == compute::dispatch_boundary);
    expect_both(coarsest_compute(span_of(all)) == compute::thread_group_boundary);
    expect_both(coarsest_compute(span_of(with_none)) == compute::none);
}

TEST_CASE("PRE-05: an engine that cannot run a kind of work does not count for it") {
    // The copy engine stops at 100 and the second at nothing for graphics: neither makes graphics coarser.
    expect_both(coarsest_graphics(span_of(all)) == graphics::pixel_boundary);
    expect_both(coarsest_graphics(span_of(with_none)) == graphics::pixel_boundary);
    expect_both(coarsest_graphics(span_of(no_graphics)) == graphics::none);
    expect_both(coarsest_compute(span_of(no_compute)) == compute::none);
    expect_both(coarsest_compute(span<preemption_engine const>{nullptr, 0}) == compute::none);
}

TEST_CASE("PRE-05: the coarsest over random engines is the least number of a plain list") {
    char const* const given = std::getenv("WDDMCORE_SEED");
    std::uint64_t const seed = given != nullptr ? std::strtoull(given, nullptr, 0) : 20'261'122;
    MESSAGE("WDDMCORE_SEED=" << seed);
    std::mt19937_64 random(seed);
    for (int round = 0; round < (slow_build ? 2'000 : 20'000); ++round) {
        std::vector<preemption_engine> engines(1 + random() % 64);
        std::vector<u32> graphics_numbers;
        std::vector<u32> compute_numbers;
        for (preemption_engine& engine : engines) {
            engine.graphics = {graphics{static_cast<u32>(random() % 6 * 100)}, {1}, random() % 2 == 0};
            engine.compute = {compute{static_cast<u32>(random() % 6 * 100)}, {1}, random() % 2 == 0};
            u32 const g = static_cast<u32>(engine.graphics.granularity);
            u32 const c = static_cast<u32>(engine.compute.granularity);
            // With both kinds the engine stops as the coarser class; a number of 200 and above is one class.
            bool const coarse = engine.graphics.runs && engine.compute.runs && (g < 200 || c < 200);
            if (engine.graphics.runs) {
                graphics_numbers.push_back(coarse ? std::min(g, c) : g);
            }
            if (engine.compute.runs) {
                compute_numbers.push_back(coarse ? std::min(g, c) : c);
            }
        }
        auto const least = [](std::vector<u32> const& of) {
            return of.empty() ? 0 : *std::min_element(of.begin(), of.end());
        };
        span<preemption_engine const> const view{engines.data(), engines.size()};
        CAPTURE(round);
        REQUIRE(static_cast<u32>(coarsest_graphics(view)) == least(graphics_numbers));
        REQUIRE(static_cast<u32>(coarsest_compute(view)) == least(compute_numbers));
    }
}

TEST_CASE("PRE-06: the machine sees three classes: nowhere, between buffers, inside a buffer") {
    expect_both(preemption::detail::stopping_at(0) == stopping::nowhere);
    expect_both(preemption::detail::stopping_at(100) == stopping::between_buffers);
    expect_both(preemption::detail::stopping_at(200) == stopping::inside_a_buffer);
    expect_both(preemption::detail::stopping_at(300) == stopping::inside_a_buffer &&
                preemption::detail::stopping_at(400) == stopping::inside_a_buffer);
    expect_both(preemption::detail::stopping_at(500) == stopping::inside_a_buffer);
}

TEST_CASE("PRE-05: an engine of several kinds of work stops as the coarsest of them") {
    constexpr preemption_engine mixed{.graphics = {graphics::pixel_boundary, {64}},
                                      .compute = {compute::dma_buffer_boundary}};
    constexpr preemption_engine mixed_otherwise{.graphics = {graphics::dma_buffer_boundary},
                                                .compute = {compute::none}};
    constexpr preemption_engine with_copies{.compute = {compute::thread_boundary, {8}}, .other = {other::none}};
    expect_both(kind_of(three_d).stops == stopping::inside_a_buffer);
    expect_both(kind_of(mixed).stops == stopping::between_buffers);
    expect_both(kind_of(mixed_otherwise).stops == stopping::nowhere);
    expect_both(kind_of(with_copies).stops == stopping::nowhere);
    expect_both(kind_of(copies).stops == stopping::between_buffers);
    expect_both(kind_of(preemption_engine{}).stops == stopping::nowhere);
}

TEST_CASE("PRE-21: what is reported is never finer than what the machine asks hardware for") {
    constexpr preemption_engine held_back[] = {
        {.graphics = {graphics::pixel_boundary, {64}}, .other = {other::none}},
        {.compute = {compute::thread_boundary, {64}}, .other = {other::dma_buffer_boundary}},
    };
    expect_both(coarsest_graphics(span_of(held_back)) == graphics::none);
    expect_both(coarsest_compute(span_of(held_back)) == compute::dma_buffer_boundary);
    expect_both(kind_of(held_back[0]).stops == stopping::nowhere);
    expect_both(kind_of(held_back[1]).stops == stopping::between_buffers);
}

TEST_CASE("PRE-10: whether hardware acknowledges when idle goes to the machine") {
    constexpr preemption_engine acknowledging{.other = {other::none}, .acknowledges_when_idle = true};
    expect_both(kind_of(acknowledging).acknowledges_when_idle && !kind_of(copies).acknowledges_when_idle);
}

TEST_CASE("CTX-07: a save area holds the largest state of the kinds of work that an engine runs") {
    constexpr preemption_engine unused{.graphics = {graphics::none, {4096}, false}, .compute = {compute::none, {2}}};
    expect_both(saved_state_of(three_d) == bytes{256});
    expect_both(saved_state_of(unused) == bytes{2});
    expect_both(saved_state_of(copies) == bytes{0});
    constexpr preemption_engine video{.other = {other::inside_dma_buffer, {12}}};
    expect_both(saved_state_of(video) == bytes{12} && kind_of(video).stops == stopping::inside_a_buffer);
}

}  // namespace granularity_test
