// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "table_system.hpp"

/// Operation 14 with ranges inside one table among ranges between tables: from the first that overlaps itself another
/// loop goes on.
namespace copy_in_table_test {

using namespace wddmcore;
using namespace wddmcore::table_tests;

namespace {

constexpr u64 first_table = 0x4000'0000;
constexpr u64 apart = 0x1'0000;  // between tables, bytes (OP14-01)

copy_range range_of(u64 source, u64 destination, u32 from, u32 to, u32 count) {
    copy_range one{};
    one.NumPageTableEntries = count;
    one.SrcPageTableAddress = first_table + source * apart;
    one.DstPageTableAddress = first_table + destination * apart;
    one.SrcStartPteIndex = from;
    one.DstStartPteIndex = to;
    return one;
}

arguments request_of(std::vector<copy_range>& ranges) {
    arguments args{};
    args.Operation = 14;
    args.CopyPageTableEntries = {};
    args.CopyPageTableEntries.NumRanges = static_cast<u32>(ranges.size());
    args.CopyPageTableEntries.pRanges = ranges.data();
    return args;
}

/// The words of all passes, each with room for exactly `commands` commands.
template <class Gpu>
std::vector<u32> words_of(Gpu& gpu, std::vector<copy_range> ranges, u64 commands) {
    arguments args = request_of(ranges);
    std::vector<u32> all;
    ntstatus answer = status::success;
    do {
        auto const room = static_cast<std::size_t>(commands * Gpu::copy_entries_dwords.n);
        std::vector<u32> buffer(room + 1024, 0x5A5A'5A5A);
        args.pDmaBuffer = buffer.data();
        args.DmaSize = static_cast<u32>(room * 4);
        u32 const token = args.MultipassOffset;
        answer = build(gpu, args);
        REQUIRE((answer == status::success || answer == status::graphics_insufficient_dma_buffer));
        REQUIRE(args.MultipassOffset > token);
        auto const written = static_cast<std::size_t>(static_cast<u32*>(args.pDmaBuffer) - buffer.data());
        // A pass ends at the end of the list, or where no command has room.
        REQUIRE((answer == status::success ? written <= room : written == room));
        all.insert(all.end(), buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(written));
    } while (answer != status::success);
    REQUIRE(gpu.faults == 0);
    return all;
}

/// Between tables; inside one: downwards, upwards, apart, onto itself, of nothing.
std::vector<copy_range> mixed_ranges() {
    return {range_of(0, 1, 3, 5, 7),  range_of(1, 1, 9, 7, 8), range_of(1, 0, 0, 400, 112), range_of(2, 2, 7, 9, 8),
            range_of(2, 2, 0, 20, 9), range_of(0, 0, 4, 4, 5), range_of(2, 2, 1, 2, 0),     range_of(2, 3, 511, 0, 1)};
}

/// The words of a list are the words of its ranges, one after another, in every room and from every range on.
template <class Gpu>
void expect_range_by_range(Gpu gpu) {
    std::vector<copy_range> const all = mixed_ranges();
    for (std::size_t first = 0; first != all.size(); ++first) {
        std::vector<copy_range> const list(all.begin() + static_cast<std::ptrdiff_t>(first), all.end());
        std::vector<u32> wanted;
        for (copy_range const& one : list) {
            std::vector<u32> const alone = words_of(gpu, {one}, 64);
            wanted.insert(wanted.end(), alone.begin(), alone.end());
        }
        for (u64 commands = 1; commands <= 16; ++commands) {
            CAPTURE(first);
            CAPTURE(commands);
            CHECK(words_of(gpu, list, commands) == wanted);
        }
    }
}

/// A request of mixed ranges that one change makes malformed: it is refused with nothing committed.
template <class Spoil>
void expect_refused(paging_rule rule, u64 value, u64 limit, Spoil spoil) {
    plain_gpu gpu = with_segments<plain_gpu>();
    std::vector<copy_range> ranges = mixed_ranges();
    arguments args = request_of(ranges);
    u32 buffer[256] = {};
    args.pDmaBuffer = buffer;
    args.DmaSize = sizeof buffer;
    spoil(args, ranges);
    arguments before;
    std::memcpy(static_cast<void*>(&before), &args, sizeof args);
    CHECK(build(gpu, args) == status::invalid_parameter);
    CHECK(gpu.faults == 1);
    CHECK(gpu.last_fault.rule == rule);
    CHECK(gpu.last_fault.value == value);
    CHECK(gpu.last_fault.limit == limit);
    CHECK(std::memcmp(static_cast<void const*>(&before), &args, sizeof args) == 0);
}

}  // namespace

TEST_CASE("OP14-01 OP14-05 OBS-11: ranges inside a table and between tables, in turn, in every room") {
    expect_range_by_range(with_segments<plain_gpu>());
    expect_range_by_range(with_segments<odd_gpu>());
}

TEST_CASE("OP14-01 PGB-02: every range is judged, inside a table and behind one that is") {
    for (std::size_t which = 0; which != mixed_ranges().size(); ++which) {
        CAPTURE(which);
        expect_refused(paging_rule::misaligned_table, first_table + 8, apart, [which](arguments&, auto& ranges) {
            ranges[which].SrcPageTableAddress = ranges[which].DstPageTableAddress = first_table + 8;
        });
        // Of a table of 512 entries, one end a single entry too far (arithmetic); the source's end is told first.
        expect_refused(paging_rule::outside_table, 513, 512, [which](arguments&, auto& ranges) {
            ranges[which].SrcStartPteIndex = 513 - ranges[which].NumPageTableEntries;
            ranges[which].DstStartPteIndex = 0;
        });
        expect_refused(paging_rule::outside_table, 513, 512, [which](arguments&, auto& ranges) {
            ranges[which].SrcStartPteIndex = 0;
            ranges[which].DstStartPteIndex = 513 - ranges[which].NumPageTableEntries;
        });
        expect_refused(paging_rule::outside_table, (u64{1} << 33) - 2, 512, [which](arguments&, auto& ranges) {
            ranges[which].NumPageTableEntries = ranges[which].SrcStartPteIndex = ~0u;
        });
    }
}

TEST_CASE("OP14-05: a token must stand inside its range, which has no entries when it is copied onto itself") {
    auto at = [](u32 range, u32 entry) {
        return [range, entry](arguments& args, auto&) { args.MultipassOffset = range << 9 | entry; };
    };
    expect_refused(paging_rule::token_past_end, 7, 7, at(0, 7));
    expect_refused(paging_rule::token_past_end, 8, 8, at(1, 8));
    expect_refused(paging_rule::token_past_end, 511, 112, at(2, 511));
    expect_refused(paging_rule::token_past_end, 1, 0, at(5, 1));
    expect_refused(paging_rule::token_past_end, 1, 0, at(6, 1));
    expect_refused(paging_rule::token_past_end, 1, 1, at(7, 1));
}

}  // namespace copy_in_table_test
