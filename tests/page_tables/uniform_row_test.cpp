// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "../base/expect_both.hpp"
#include "table_requests.hpp"

/// Rows of leaf entries with the same flags by command: each page number is judged, whatever the row's length.
namespace uniform_row_test {

using namespace wddmcore;
using namespace wddmcore::table_tests;

namespace {

constexpr u64 same_flags = 1 | 1 << 5;

/// The i-th page of a row, scattered so that no generator makes a run of them.
constexpr u64 page_of(u32 i) { return 0x1000 + u64{i} * 7; }

model_request row_of(u32 length) {
    model_request request;
    request.count = length;
    for (u32 i = 0; i != length; ++i) {
        request.entries.push_back({same_flags, page_of(i)});
    }
    return request;
}

/// Builds a row of this length with one page too wide at a time: at every place, by every bit that no entry holds.
///
/// @return the first place that was not refused with nothing committed; `length` when there is none
template <class Gpu>
u32 first_not_refused(Gpu gpu, u32 length) {
    constexpr u32 bits = Gpu::entry_limits.page_number_bits;
    model_request const request = row_of(length);
    request_arrays const arrays(request);
    auto* const entries = reinterpret_cast<pte*>(arrays.entries->data());
    std::vector<u32> buffer(256);
    for (u32 place = 0; place != length; ++place) {
        entries[place].PageAddress = page_of(place) | u64{1} << (bits + (length + place) % (64 - bits));
        arguments args = arguments_of(request, arrays);
        args.UpdatePageTable.UpdateMode = 1;
        args.UpdatePageTable.PageTableAddress.GpuVirtual = 0x1'0000;
        args.pDmaBuffer = buffer.data();
        args.DmaSize = static_cast<u32>(buffer.size() * 4);
        arguments const before = args;
        gpu.faults = 0;
        bool const is_refused = build(gpu, args) == status::invalid_parameter && gpu.faults == 1 &&
                                gpu.last_fault.rule == paging_rule::page_too_high &&
                                std::memcmp(&before, &args, sizeof args) == 0;
        entries[place].PageAddress = page_of(place);
        if (!is_refused || build(gpu, args) != status::success || args.MultipassOffset != length) {
            return place;
        }
    }
    return length;
}

template <class Gpu>
void expect_refused_everywhere(Gpu const& gpu) {
    for (u32 length = 8; length <= 70; ++length) {
        CAPTURE(length);
        REQUIRE(first_not_refused(gpu, length) == length);
    }
}

struct element {
    u64 Flags;
    u64 PageAddress;
};

/// What put_equal_flags makes of a row whose element `other` has other flags.
struct written {
    u32 count;
    u64 pages;
    u64 right;  ///< entries that are as they should be
};
constexpr written written_until(u32 other, u32 count) {
    element row[1200] = {};
    for (u32 i = 0; i != 1200; ++i) {
        row[i] = {i == other ? same_flags | 8 : same_flags, u64{1} << i % 40};
    }
    u32 buffer[2400];  // a load of a word that was not written is an error of the compiler
    auto const done = paging::detail::put_equal_flags<12>(buffer, row, count, same_flags, 5);
    u64 right = 0;
    for (u32 i = 0; i != done.count; ++i) {
        right += dword_pair(buffer[2 * i], buffer[2 * i + 1]) == (row[i].PageAddress << 12) + 5 ? 1u : 0u;
    }
    return {done.count, done.pages, right};
}
constexpr bool is_written(written got, u32 count) {
    return got.count == count && got.right == count && got.pages == low_mask<u64>(lesser(count, 40u));
}

}  // namespace

TEST_CASE("AMB-08 GVA-18: in a row of entries with the same flags a page that no entry holds is found at every place") {
    attribute_table by_key{};
    table_gpu with_table = with_segments<table_gpu>();
    paging::fill_attribute_table(with_table, 0, by_key);
    with_table.table = &by_key;
    expect_refused_everywhere(with_table);
    expect_refused_everywhere(with_segments<plain_gpu>());
    expect_refused_everywhere(with_segments<generator_gpu>());
}

TEST_CASE("AMB-08 PGB-05: passes before the one that reaches a malformed entry of a row commit") {
    plain_gpu gpu = with_segments<plain_gpu>();
    model_request request = row_of(70);
    request.entries[57].page = u64{1} << 34;
    request_arrays const arrays(request);
    arguments args = arguments_of(request, arrays);
    args.UpdatePageTable.UpdateMode = 1;
    args.UpdatePageTable.PageTableAddress.GpuVirtual = 0x1'0000;
    std::vector<u32> buffer(5 + 2 * 20);  // a command's head, and twenty entries
    for (u32 token : {20u, 40u}) {
        args.pDmaBuffer = buffer.data();
        args.DmaSize = static_cast<u32>(buffer.size() * 4);
        CHECK(build(gpu, args) == status::graphics_insufficient_dma_buffer);
        CHECK(args.MultipassOffset == token);
    }
    args.pDmaBuffer = buffer.data();
    arguments const before = args;
    CHECK(build(gpu, args) == status::invalid_parameter);
    CHECK(std::memcmp(&before, &args, sizeof args) == 0);
}

TEST_CASE("GVA-18: lines of the same flags are written up to the first that is mixed, and their pages gathered") {
    constexpr u32 none = ~0u;
    expect_both(is_written(written_until(none, 80), 80));
    expect_both(is_written(written_until(none, 71), 64));
    expect_both(is_written(written_until(none, 31), 24));
    expect_both(is_written(written_until(none, 7), 0));
    expect_both(is_written(written_until(0, 80), 0));
    expect_both(is_written(written_until(7, 80), 0));
    expect_both(is_written(written_until(13, 80), 8));
    expect_both(is_written(written_until(20, 80), 16));
    expect_both(is_written(written_until(31, 80), 24));
    expect_both(is_written(written_until(32, 80), 32));
    expect_both(is_written(written_until(79, 80), 72));
    // More than one block of them.
    expect_both(is_written(written_until(none, 1200), 1200));
    expect_both(is_written(written_until(none, 512), 512));
    expect_both(is_written(written_until(none, 1024), 1024));
    expect_both(is_written(written_until(none, 1199), 1192));
    expect_both(is_written(written_until(512, 1200), 512));
    expect_both(is_written(written_until(700, 1200), 696));
}

}  // namespace uniform_row_test
