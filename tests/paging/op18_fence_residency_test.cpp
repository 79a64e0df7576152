// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "wddm2_request.hpp"

namespace op18_fence_residency_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

constexpr engine_shape listening(wddm version, u32 grain) {
    engine_shape shape{};
    shape.caps = {.version = version, .addresses = paging_addresses::gpu_virtual, .native_fences = claim::yes};
    shape.grain = grain;
    return shape;
}
constexpr engine_shape grain_1 = listening(wddm::v2_9, 1);
constexpr engine_shape grain_4 = listening(wddm::v3_2, 4);

struct store_part {
    told_log* log = nullptr;
    constexpr void notify_fence_residency(hw::fence_residency const& fence) {
        log->add(record_kind::fence_residency,
                 {handle_bits(fence.fence), fence.current.segment.n, fence.current.offset.n,
                  handle_bits(fence.current.cpu), fence.monitored.segment.n, fence.monitored.offset.n,
                  handle_bits(fence.monitored.cpu)});
    }
};
using by_command = wddm2_gpu<grain_4, fence_residency_part>;
using at_once = wddm2_gpu<grain_1, store_part>;
using in_both_ways = wddm2_gpu<grain_1, fence_residency_part, store_part>;

using record = mirror::v3_2::dxgk_fence_residency_info;

u8 memory[256] = {};

/// Fences of which no two values are alike, in turn in a segment, and in system memory by either of its ids.
struct fence_list {
    std::vector<record> list;
    explicit fence_list(u32 count) : list(count) {
        constexpr u32 ids[] = {local_memory, 0, 31};
        for (u32 i = 0; i < count; ++i) {
            list[i] = {};
            list[i].hGlobalNativeFence = memory + 3 * i;
            list[i].CurrentValuePhysicalAddress.SegmentId = ids[i % 3];
            list[i].CurrentValuePhysicalAddress.SegmentOffset = 0x1000 + i * 0x100;
            list[i].MonitoredValuePhysicalAddress.SegmentId = ids[(i + 1) % 3];
            list[i].MonitoredValuePhysicalAddress.SegmentOffset = 0x9000 + i * 0x100;
            list[i].CurrentValueKernelCpuVa = memory + 3 * i + 1;
            list[i].MonitoredValueKernelCpuVa = memory + 3 * i + 2;
        }
    }
    [[nodiscard]] latest_arguments request() {
        latest_arguments args{};
        args.Operation = 18;
        args.NotifyFenceResidency = {};
        args.NotifyFenceResidency.NumFences = static_cast<u32>(list.size());
        args.NotifyFenceResidency.FenceResidencyInfo = list.data();
        return args;
    }
    void expect(u32 index, u64 const (&values)[7]) const {
        record const& one = list[index];
        CHECK(values[0] == handle_bits(one.hGlobalNativeFence));
        CHECK(values[1] == one.CurrentValuePhysicalAddress.SegmentId);
        CHECK(values[2] == one.CurrentValuePhysicalAddress.SegmentOffset);
        CHECK(values[3] == handle_bits(one.CurrentValueKernelCpuVa));
        CHECK(values[4] == one.MonitoredValuePhysicalAddress.SegmentId);
        CHECK(values[5] == one.MonitoredValuePhysicalAddress.SegmentOffset);
        CHECK(values[6] == handle_bits(one.MonitoredValueKernelCpuVa));
    }
};

}  // namespace

TEST_CASE("OP18-01 OP18-02: every fence is told of once, in order, with both values' places") {
    wddm2_request<by_command> test;
    fence_list fences(7);
    pass_result const done = test.run(fences.request(), 4 * 32);
    REQUIRE(done.commands.size() == 7);
    for (u32 i = 0; i < 7; ++i) {
        CHECK(done.commands[i].kind == record_kind::fence_residency);
        fences.expect(i, done.commands[i].values);
    }
}

TEST_CASE("OP18-01 AMB-21: a value lies in system memory by either id, or its eight bytes lie in a reported segment") {
    constexpr u64 size = u64{16} << 30;
    wddm2_request<by_command> test;
    for (u32 value = 0; value < 2; ++value) {
        for (u32 which = 0; which < 4; ++which) {
            fence_list fences(4);
            record& one = fences.list[which];
            auto& place = value == 0 ? one.CurrentValuePhysicalAddress : one.MonitoredValuePhysicalAddress;
            place.SegmentId = no_such_segment;
            test.expect_fault(fences.request(), paging_rule::unknown_segment, no_such_segment, 0);
            place.SegmentId = local_memory;
            place.SegmentOffset = size - 7;
            test.expect_fault(fences.request(), paging_rule::outside_segment, size - 7, size);
            place.SegmentOffset = size - 8;
            CHECK(test.run(fences.request()).commands.size() == 4);
            place.SegmentId = 31;
            place.SegmentOffset = ~u64{0};
            CHECK(test.run(fences.request()).commands.size() == 4);
        }
    }
}

TEST_CASE("OP18-01 fault: no fences, no list, a token past the end") {
    wddm2_request<by_command> test;
    fence_list fences(3);
    latest_arguments args = fences.request();
    args.NotifyFenceResidency.NumFences = 0;
    test.expect_fault(args, paging_rule::nothing_to_notify, 0, 0);
    args = fences.request();
    args.NotifyFenceResidency.FenceResidencyInfo = nullptr;
    test.expect_fault(args, paging_rule::missing_fences, 3, 0);
    args = fences.request();
    args.MultipassOffset = 4;
    test.expect_fault(args, paging_rule::token_past_end, 4, 3);
}

TEST_CASE("OP18-01: fences that are told of at once are all judged before the first is told of") {
    wddm2_request<at_once> test;
    told_log log;
    test.hw.log = &log;
    fence_list fences(5);
    fences.list[4].MonitoredValuePhysicalAddress.SegmentId = no_such_segment;
    test.expect_fault(fences.request(), paging_rule::unknown_segment, no_such_segment, 0);
    CHECK(log.count == 0);
    fences.list[4].MonitoredValuePhysicalAddress.SegmentId = 0;
    latest_arguments args = fences.request();
    CHECK(build_paging_buffer(test.hw, args) == status::success);
    CHECK(args.MultipassOffset == 5);
    REQUIRE(log.count == 5);
    for (u32 i = 0; i < 5; ++i) {
        fences.expect(i, log.list[i].values);
    }
    // None is told of again.
    CHECK(build_paging_buffer(test.hw, args) == status::success);
    CHECK(log.count == 5);
}

TEST_CASE("OP18-01 PGB-11: by command where there is a buffer, the rest at once where there is none") {
    wddm2_request<in_both_ways> test;
    told_log log;
    test.hw.log = &log;
    fence_list fences(5);
    latest_arguments args = fences.request();
    CHECK(test.os.pass(test.hw, args, 2 * 15 * 4 + 8).commands.size() == 2);
    CHECK(log.count == 0);
    args.pDmaBuffer = nullptr;
    CHECK(build_paging_buffer(test.hw, args) == status::success);
    REQUIRE(log.count == 3);
    fences.expect(2, log.list[0].values);
    wddm2_request<by_command> other;
    other.expect_without_buffer(fences.request(), status::invalid_parameter);
}

TEST_CASE("PGB-01 PGB-05: fences in every room, from a byte on, resumed at every point") {
    wddm2_request<by_command> test;
    fence_list fences(4);
    test.expect_every_room(fences.request(), 15, 4);
    test.expect_stored_in_order(fences.request());
}

TEST_CASE("AMB-25: the header of build 26100 has the operation from WDDM 2.9 on") {
    CHECK_FALSE(has_arguments<mirror::v2_8::dxgkarg_buildpagingbuffer>(paging_operation::notify_fence_residency));
    CHECK(has_arguments<mirror::v3_2::dxgkarg_buildpagingbuffer>(paging_operation::notify_fence_residency));
    CHECK(reachable(grain_1.caps, paging_operation::notify_fence_residency));
    CHECK_FALSE(
        reachable({.version = wddm::v2_8, .native_fences = claim::yes}, paging_operation::notify_fence_residency));
}

namespace {

constexpr bool in_constant_evaluation() {
    twin_fence fences[3] = {};
    for (u32 i = 0; i < 3; ++i) {
        fences[i].CurrentValuePhysicalAddress = {local_memory, 8 * u64{i}};
        fences[i].MonitoredValuePhysicalAddress = {0, 16 * u64{i}};
    }
    wddm2_arguments args = wddm2_twin_of(paging_operation::notify_fence_residency);
    args.NotifyFenceResidency = {3, fences};
    by_command hw = with_segments<by_command>();
    recorded_command records[4];
    bool const command = records_in_constant_evaluation<16>(hw, args, record_kind::fence_residency, records) == 3 &&
                         records[2].values[2] == 16 && records[2].values[5] == 32;
    at_once direct = with_segments<at_once>();
    told_log log;
    direct.log = &log;
    return command && build_paging_buffer(direct, args) == status::success && log.count == 3;
}
static_assert(in_constant_evaluation());

}  // namespace

TEST_CASE("laws 3 and 4: fences in constant evaluation are the fences at run time") { CHECK(in_constant_evaluation()); }

}  // namespace op18_fence_residency_test
