// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "../base/every_text.hpp"
#include "../base/expect_both.hpp"
#include "../paging/chosen_numbers.hpp"
#include "plain_gpu.hpp"

#include <doctest/doctest.h>

#include <initializer_list>
#include <string>

namespace chosen_within_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

constexpr engine_numbers least{
    .copy_max = {512}, .copy_alignment = {1}, .fill_max = {400}, .fill_alignment = {4}, .fill_pattern_bytes = {1}};
constexpr engine_numbers most{.copy_max = 4 * mib, .copy_alignment = {256}, .fill_max = mib, .fill_alignment = {64}};
constexpr engine_numbers between{.copy_max = {100'000}, .copy_alignment = {8}, .fill_max = {65'536}};
using range = chosen_engine<least, most>;

/// The same range, with engines in three numbers.
struct range_of_nodes : range {
    u32 nodes = 0;
    static constexpr preemption_engine engines[] = {
        {.graphics = {graphics_preemption_granularity::dma_buffer_boundary}},
        {.compute = {compute_preemption_granularity::dma_buffer_boundary}},
        {.other = {other_preemption_granularity::dma_buffer_boundary}},
    };
    static constexpr chosen_within node_count{2u, 3u, &range_of_nodes::nodes};
};

constexpr range_of_nodes chip_of_nodes(u32 nodes, engine_numbers const& numbers = between) {
    range_of_nodes chip{chip_of<range>(numbers)};
    chip.nodes = nodes;
    return chip;
}

}  // namespace

TEST_CASE("a constant is its own least, most and value, and is never wrong") {
    constexpr plain_gpu<> gpu{};
    expect_both(hw::least_of(plain_gpu<>::copy_max) == mib && hw::most_of(plain_gpu<>::copy_max) == mib);
    expect_both(hw::value_of(gpu, plain_gpu<>::copy_max) == mib);
    expect_both(check_numbers(gpu) == no_number_broken);
    static_assert(hw::is_number_of<plain_gpu<>, bytes, plain_gpu<>::copy_max>);
    static_assert(!hw::is_number_of<plain_gpu<>, u32, plain_gpu<>::copy_max>);
}

TEST_CASE("a number that is chosen has the ends of its range, and the value of each object") {
    constexpr range chip = chip_of<range>(between);
    expect_both(hw::least_of(range::copy_max) == bytes{512} && hw::most_of(range::copy_max) == 4 * mib);
    expect_both(hw::value_of(chip, range::copy_max) == bytes{100'000});
    // Of a type that is put together from the one that has the member, too.
    expect_both(hw::value_of(chip_of_nodes(3), range_of_nodes::copy_max) == bytes{100'000});
    static_assert(hw::is_number_of<range_of_nodes, bytes, range_of_nodes::copy_max>);
    // Of no other type: it has no such member.
    static_assert(!hw::is_number_of<plain_gpu<>, bytes, range::copy_max>);
    static_assert(!hw::is_number_of<range_of_nodes, bytes, range_of_nodes::node_count>);
}

TEST_CASE("law 7: a chip's numbers are good at both ends of their ranges and between, and refused outside") {
    expect_both(check_numbers(chip_of<range>(least)) == no_number_broken);
    expect_both(check_numbers(chip_of<range>(between)) == no_number_broken);
    expect_both(check_numbers(chip_of<range>(most)) == no_number_broken);
    // Nothing was written by AddDevice.
    expect_both(check_numbers(range{}) == broken_number{promised_number::copy_max, 0, 512, (4 * mib).n});

    auto const with = [](auto change) {
        engine_numbers numbers = between;
        change(numbers);
        return check_numbers(chip_of<range>(numbers));
    };
    using enum promised_number;
    CHECK(with([](auto& n) { n.copy_max = {511}; }) == broken_number{copy_max, 511, 512, (4 * mib).n});
    CHECK(with([](auto& n) { n.copy_max = 4 * mib + bytes{1}; }) ==
          broken_number{copy_max, (4 * mib).n + 1, 512, (4 * mib).n});
    CHECK(with([](auto& n) { n.copy_alignment = {512}; }) == broken_number{copy_alignment, 512, 1, 256});
    CHECK(with([](auto& n) { n.copy_alignment = {0}; }) == broken_number{copy_alignment, 0, 1, 256});
    CHECK(with([](auto& n) { n.copy_alignment = {24}; }) == broken_number{copy_alignment, 24, 1, 256});
    CHECK(with([](auto& n) { n.fill_max = {399}; }) == broken_number{fill_max, 399, 400, mib.n});
    CHECK(with([](auto& n) { n.fill_max = 2 * mib; }) == broken_number{fill_max, (2 * mib).n, 400, mib.n});
    CHECK(with([](auto& n) { n.fill_alignment = {2}; }) == broken_number{fill_alignment, 2, 4, 64});
    CHECK(with([](auto& n) { n.fill_alignment = {48}; }) == broken_number{fill_alignment, 48, 4, 64});
    CHECK(with([](auto& n) { n.fill_pattern_bytes = {2}; }) == broken_number{fill_pattern_bytes, 2, 1, 4});
    CHECK(with([](auto& n) { n.fill_pattern_bytes = {8}; }) == broken_number{fill_pattern_bytes, 8, 1, 4});
    // Of several, the first in the order of the enumeration.
    CHECK(with([](auto& n) { n.fill_max = {1}, n.copy_alignment = {3}; }).what == copy_alignment);
}

TEST_CASE("LDA-06: a chip's nodes are good within their range, and refused outside") {
    expect_both(check_numbers(chip_of_nodes(2)) == no_number_broken);
    expect_both(check_numbers(chip_of_nodes(3)) == no_number_broken);
    for (u32 const nodes : {0u, 1u, 4u, ~0u}) {
        CHECK(check_numbers(chip_of_nodes(nodes)) == broken_number{promised_number::node_count, nodes, 2, 3});
    }
    expect_both(hw::engines_of(chip_of_nodes(2)).count == 2 && hw::engines_of(chip_of_nodes(3)).count == 3);
    CHECK(hw::engines_of(chip_of_nodes(3)).data == range_of_nodes::engines);
}

TEST_CASE("every number has a sentence of its own") {
    expect_texts(promised_number::none, promised_number::entry_limits);
    for (promised_number const one : {promised_number::copy_max, promised_number::node_count}) {
        CHECK(std::string(text_of(one)).find("declared range") != std::string::npos);
    }
}

}  // namespace chosen_within_test
