// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "query_samples.hpp"

#include <wddmcore/segment/allocation/dma_buffer_segments.hpp>

#include <doctest/doctest.h>

#include "../base/expect_both.hpp"

namespace dma_buffer_segments_test {

using namespace wddmcore;
using namespace wddmcore::testing;
using segment::context_addressing;
using segment::dma_buffer_memory;
using segment::dma_buffer_segments;

namespace {

constexpr entry late_rows[] = {visible_row, visible_row, aperture_row, old_rows[2]};
constexpr entry numbered(entry row, u32 id) {
    row.id = {id};
    return row;
}
constexpr entry four_rows[] = {numbered(late_rows[0], 1), numbered(late_rows[1], 2), numbered(late_rows[2], 3),
                               numbered(late_rows[3], 4)};
constexpr segment::view four{{four_rows, 4}, {nullptr, 0}, {3}};
constexpr segment::view memory_only{{four_rows, 2}, {nullptr, 0}, {0}};

constexpr auto physical = context_addressing::physical;
constexpr auto gpu_virtual = context_addressing::gpu_virtual;

}  // namespace

TEST_CASE("SEG-39: DMA buffers live behind apertures, or in contiguous system memory") {
    expect_both(dma_buffer_segments(four, physical, dma_buffer_memory::aperture).get() == 4);
    expect_both(dma_buffer_segments(four, physical, dma_buffer_memory::contiguous_system).get() == 0);
    expect_both(dma_buffer_segments(plain_table, physical, dma_buffer_memory::aperture).get() == 1);
    // What was wanted cannot be had: 0 would be another kind of memory.
    expect_both(dma_buffer_segments(memory_only, physical, dma_buffer_memory::aperture).error == errc::missing);
    expect_both(dma_buffer_segments(memory_only, physical, dma_buffer_memory::contiguous_system).get() == 0);
}

TEST_CASE("PREF-01: an id that has no bit is in no set of segments") {
    // A hand-made row of id 0, and one above 32.
    static constexpr entry odd_rows[] = {numbered(aperture_row, 0), numbered(aperture_row, 33),
                                         numbered(aperture_row, 3)};
    constexpr segment::view odd{{odd_rows, 3}, {nullptr, 0}, {3}};
    expect_both(segment::detail::aperture_segments(odd).value == 4);
}

TEST_CASE("OBS-07: a context with GPU virtual addresses names an aperture, never 0") {
    expect_both(dma_buffer_segments(four, gpu_virtual, dma_buffer_memory::aperture).get() == 4);
    expect_both(dma_buffer_segments(four, gpu_virtual, dma_buffer_memory::contiguous_system).get() == 4);
    expect_both(dma_buffer_segments(memory_only, gpu_virtual, dma_buffer_memory::aperture).error == errc::missing);
}

}  // namespace dma_buffer_segments_test
