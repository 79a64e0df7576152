// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "wddm2_request.hpp"

namespace op15_residency_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

constexpr engine_shape listening(wddm version, u32 grain) {
    engine_shape shape{};
    shape.caps = {.version = version, .addresses = paging_addresses::gpu_virtual, .residency_notification = claim::yes};
    shape.grain = grain;
    return shape;
}
// Below WDDM 3.2, where operation 21 is not sent.
constexpr engine_shape grain_1 = listening(wddm::v2_0, 1);
constexpr engine_shape grain_4 = listening(wddm::v3_1, 4);

struct store_part {
    told_log* log = nullptr;
    constexpr void notify_residency(hw::residency_change const& change) {
        log->add(record_kind::residency,
                 {handle_bits(change.allocation), change.resident, change.segment.n, change.offset.n});
    }
};
using by_command = wddm2_gpu<grain_4, residency_part>;
using at_once = wddm2_gpu<grain_1, store_part>;
using in_both_ways = wddm2_gpu<grain_1, residency_part, store_part>;

u32 some_allocation = 0;

template <class Args = latest_arguments>
Args notice(bool resident, u32 segment, u64 offset) {
    Args args{};
    args.Operation = 15;
    args.NotifyResidency = {};
    args.NotifyResidency.hAllocation = &some_allocation;
    args.NotifyResidency.PhysicalAddress.SegmentId = segment;
    args.NotifyResidency.PhysicalAddress.SegmentOffset = offset;
    args.NotifyResidency.Resident = resident;
    return args;
}

}  // namespace

TEST_CASE("OP15-01 OP15-02: a commit is one command with the allocation and its place in the segment") {
    wddm2_request<by_command> test;
    pass_result const done = test.run(notice(true, local_memory, 0x5000));
    REQUIRE(done.commands.size() == 1);
    recorded_command const& one = done.commands[0];
    CHECK(one.kind == record_kind::residency);
    CHECK(one.values[0] == handle_bits(&some_allocation));
    CHECK(one.values[1] == 1);
    CHECK(one.values[2] == local_memory);
    CHECK(one.values[3] == 0x5000);
}

TEST_CASE(
    "OP15-03: only the Resident bit tells: offset 0 is a place, and the address of an eviction is not looked at") {
    wddm2_request<by_command> test;
    recorded_command const placed = test.run(notice(true, local_memory, 0)).commands[0];
    CHECK(placed.values[1] == 1);
    CHECK(placed.values[2] == local_memory);
    CHECK(placed.values[3] == 0);
    for (u32 const segment : {0u, local_memory, no_such_segment}) {
        recorded_command const gone = test.run(notice(false, segment, u64{1} << 50)).commands[0];
        CHECK(gone.values[1] == 0);
        CHECK(gone.values[2] == 0);
        CHECK(gone.values[3] == 0);
    }
}

TEST_CASE("OP15-03 fault: resident nowhere, in a segment that is not there, behind the segment's end") {
    wddm2_request<by_command> test;
    test.expect_fault(notice(true, 0, 0), paging_rule::resident_nowhere, 0, 0);
    test.expect_fault(notice(true, 0, 0x1000), paging_rule::resident_nowhere, 0x1000, 0);
    test.expect_fault(notice(true, no_such_segment, 0), paging_rule::unknown_segment, no_such_segment, 0);
    test.expect_fault(notice(true, local_memory, u64{16} << 30), paging_rule::outside_segment, u64{16} << 30,
                      u64{16} << 30);
    CHECK(test.run(notice(true, local_memory, (u64{16} << 30) - 1)).commands.size() == 1);
}

TEST_CASE("OP15-04: exactly one notice for a change, however often the build is called again") {
    wddm2_request<by_command> test;
    latest_arguments args = notice(true, local_memory, 0);
    // Too small: nothing is told yet.
    CHECK(test.os.pass(test.hw, args, 36).status == status::graphics_insufficient_dma_buffer);
    CHECK(args.MultipassOffset == 0);
    CHECK(test.os.pass(test.hw, args, 48).commands.size() == 1);
    CHECK(args.MultipassOffset == 1);
    CHECK(test.os.pass(test.hw, args, 48).commands.empty());

    wddm2_request<at_once> direct;
    told_log log;
    direct.hw.log = &log;
    args = notice(true, local_memory, 0x3000);
    CHECK(direct.os.pass(direct.hw, args, 4096).written_dwords == 0);
    CHECK(direct.os.pass(direct.hw, args, 4096).status == status::success);
    REQUIRE(log.count == 1);
    CHECK(log.list[0] == told{record_kind::residency, {handle_bits(&some_allocation), 1, local_memory, 0x3000}});
    args.MultipassOffset = 2;
    direct.expect_fault(args, paging_rule::token_past_end, 2, 1);
    CHECK(log.count == 1);
}

TEST_CASE("OP15-02 PGB-11: by command where there is a buffer, at once where there is none and hardware that can") {
    wddm2_request<in_both_ways> test;
    told_log log;
    test.hw.log = &log;
    CHECK(test.run(notice(false, 0, 0)).commands.size() == 1);
    CHECK(log.count == 0);
    test.expect_without_buffer(notice(false, 0, 0), status::success);
    CHECK(log.count == 2);
    wddm2_request<by_command> other;
    other.expect_without_buffer(notice(false, 0, 0), status::invalid_parameter);
}

TEST_CASE("PGB-01 PGB-03: a residency notice in every room, from a byte on") {
    wddm2_request<by_command> test;
    test.expect_every_room(notice(true, local_memory, 0x1000), 9, 1);
    test.expect_stored_in_order(notice(true, local_memory, 0x1000));
}

TEST_CASE("OP15-01: a residency notice comes from WDDM 2.0 on") {
    using first = mirror::v2_0::dxgkarg_buildpagingbuffer;
    wddm2_request<wddm2_gpu<grain_1, residency_part>, first> test;
    CHECK(test.run(notice<first>(true, local_memory, 0x1000)).commands[0].values[3] == 0x1000);
    CHECK_FALSE(has_arguments<mirror::v1_3::dxgkarg_buildpagingbuffer>(paging_operation::notify_residency));
    CHECK_FALSE(
        reachable({.version = wddm::v1_3, .residency_notification = claim::yes}, paging_operation::notify_residency));
}

namespace {

constexpr bool in_constant_evaluation() {
    wddm2_arguments args = wddm2_twin_of(paging_operation::notify_residency);
    args.NotifyResidency = {nullptr, {local_memory, 0x9000}, 1};
    by_command hw = with_segments<by_command>();
    recorded_command records[2];
    bool const command = records_in_constant_evaluation<12>(hw, args, record_kind::residency, records) == 1 &&
                         records[0].values[3] == 0x9000;
    at_once direct = with_segments<at_once>();
    told_log log;
    direct.log = &log;
    return command && build_paging_buffer(direct, args) == status::success && log.count == 1;
}
static_assert(in_constant_evaluation());

}  // namespace

TEST_CASE("laws 3 and 4: a residency notice in constant evaluation is the one at run time") {
    CHECK(in_constant_evaluation());
}

}  // namespace op15_residency_test
