// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// A driver without an engine: what the CPU executor does is asked of it, and everything else of build_paging_buffer.
#include "cpu_world.hpp"

#include <wddmcore/paging/build.hpp>

#include <base/expect_both.hpp>

namespace only_cpu_test {

using namespace cpu_world;

namespace {

constexpr capabilities every_address{.version = wddm::v2_9,
                                     .oldest = wddm::vista,
                                     .addresses = paging_addresses::both,
                                     .aperture = aperture_forms::either,
                                     .alternate_address_lock = claim::yes};

template <capabilities Caps>
struct engineless : driver {
    static constexpr capabilities caps = Caps;
    static constexpr bool paged_by_cpu = true;
    u64 stored = 0;
    void store_aperture_entry(segment_id, u64, page_number, bool) noexcept { ++stored; }
};
using whole = engineless<every_address>;

/// As a driver does it, whose mappings can always be had.
template <class Hw, class Memory>
ntstatus build(Hw& hw, Memory& memory, arguments& args) {
    cpu_answer const answer = execute_on_cpu(hw, memory, args, cpu_moment::at_build);
    switch (answer.what) {
        case cpu_outcome::done: return status::success;
        case cpu_outcome::busy: return status::graphics_allocation_busy;
        case cpu_outcome::not_mine: return build_paging_buffer(hw, args);
        default: return status::invalid_parameter;
    }
}

arguments request(u32 operation) {
    arguments args{};
    args.Operation = operation;
    return args;
}

}  // namespace

TEST_CASE("PGB-22: hardware without an engine needs none of the seven operations' encoders, and no room for them") {
    expect_both(check_hardware<whole, arguments>());
    expect_both(!hw::copy_engine<whole> && !hw::fill_engine<whole> && !hw::physical_accessor<whole>);
    // Without commands a buffer is a dword: the least that there is.
    expect_both(smallest_paging_buffer<whole> == bytes{4});
    u32 left = 0;
    for (u32 i = 0; i != paging_operation_count; ++i) {
        left += hw::left_to_cpu<whole>(static_cast<paging_operation>(i));
    }
    CHECK(left == 7);  // 0, 1, 3, 4, 7, 8 and 9
    expect_both(!hw::left_to_cpu<whole>(paging_operation::discard_content));
}

TEST_CASE("PGB-22: an operation of the CPU's that comes to build_paging_buffer is never acknowledged undone") {
    for (u32 const operation : {0u, 1u, 3u, 4u, 7u, 8u, 9u}) {
        CAPTURE(operation);
        whole hw;
        hw.answer = disposition::dropped;
        arguments args = request(operation);
        u32 buffer[64] = {};
        args.pDmaBuffer = buffer;
        args.DmaSize = sizeof buffer;
        CHECK(build_paging_buffer(hw, args) == status::invalid_parameter);
        CHECK(hw.faults == 1);
        CHECK(hw.last.rule == paging_rule::operation_not_claimed);
        CHECK(hw.last.value == operation);
        CHECK(args.pDmaBuffer == buffer);
        CHECK(args.MultipassOffset == 0);
    }
}

TEST_CASE("OP00-03 OP01-01 OP05-01 OP08-01 OP09-01: a driver without an engine pages, and maps its aperture") {
    seeded_numbers random(1);
    watched_memory<4> memory(random);
    whole hw;
    u8* const at = memory.bytes_now.at(part::memory, 0);

    arguments fill = request(1);
    fill.Fill = {};
    fill.Fill.FillSize = 3 * 4096;
    fill.Fill.FillPattern = 0x1122'3344;
    fill.Fill.Destination.SegmentId = memory_id;
    fill.Fill.Destination.SegmentAddress.QuadPart = static_cast<i64>(memory_base + 4096);
    CHECK(build(hw, memory, fill) == status::success);
    CHECK(at[4096] == 0x44);
    CHECK(at[4 * 4096 - 1] == 0x11);

    arguments copy = request(8);
    copy.TransferVirtual = {};
    copy.TransferVirtual.TransferSizeInBytes = 2 * 4096;
    copy.TransferVirtual.SourceVirtualAddress = process_base;
    copy.TransferVirtual.DestinationVirtualAddress = process_base + 8 * 4096;
    CHECK(build(hw, memory, copy) == status::success);
    u8 const* const moved = memory.bytes_now.at(part::process, 0);
    CHECK(std::equal(moved, moved + 2 * 4096, moved + 8 * 4096));

    usize const pages[] = {first_page, first_page + 1};
    arguments map = request(17);
    map.MapApertureSegment2 = {};
    map.MapApertureSegment2.SegmentId = aperture_id;
    map.MapApertureSegment2.NumberOfPages = 2;
    map.MapApertureSegment2.Adl.PageCount = 2;
    map.MapApertureSegment2.Adl.Pages = const_cast<usize*>(pages);
    CHECK(build(hw, memory, map) == status::success);
    CHECK(hw.stored == 2);

    CHECK(memory.clean());
    CHECK(hw.faults == 0);
}

}  // namespace only_cpu_test
