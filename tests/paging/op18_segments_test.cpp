// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "wddm2_request.hpp"

/// Operation 18 with values in segments alone, or in all places but one.
namespace op18_segments_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

constexpr engine_shape listening{
    .caps = {.version = wddm::v3_2, .addresses = paging_addresses::gpu_virtual, .native_fences = claim::yes},
    .grain = 4};

struct counting_part {
    u32* told = nullptr;
    void notify_fence_residency(hw::fence_residency const&) { ++*told; }
};
using by_command = wddm2_gpu<listening, fence_residency_part>;
using at_once = wddm2_gpu<listening, counting_part>;

using record = mirror::v3_2::dxgk_fence_residency_info;

constexpr u64 size = u64{16} << 30;  // of local memory
u8 memory[64] = {};

struct fence_list {
    std::vector<record> list;
    explicit fence_list(u32 count) : list(count) {
        for (u32 i = 0; i != count; ++i) {
            list[i] = {};
            list[i].hGlobalNativeFence = memory + i;
            list[i].CurrentValuePhysicalAddress.SegmentId = local_memory;
            list[i].CurrentValuePhysicalAddress.SegmentOffset = i * 8;
            list[i].MonitoredValuePhysicalAddress.SegmentId = local_memory;
            list[i].MonitoredValuePhysicalAddress.SegmentOffset = size - 8 - i * 8;
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
};

/// Tells the fences of a list in one pass from `token` on, and compares what was told with the list.
void expect_told(wddm2_request<by_command>& test, fence_list& fences, u32 token) {
    latest_arguments args = fences.request();
    args.MultipassOffset = token;
    pass_result const done = test.os.pass(test.hw, args, 4096);
    CHECK(done.problem == "");
    CHECK(done.status == status::success);
    REQUIRE(done.commands.size() == fences.list.size() - token);
    for (u32 i = 0; i != done.commands.size(); ++i) {
        record const& one = fences.list[token + i];
        CHECK(done.commands[i].values[0] == handle_bits(one.hGlobalNativeFence));
        CHECK(done.commands[i].values[1] == one.CurrentValuePhysicalAddress.SegmentId);
        CHECK(done.commands[i].values[2] == one.CurrentValuePhysicalAddress.SegmentOffset);
        CHECK(done.commands[i].values[4] == one.MonitoredValuePhysicalAddress.SegmentId);
        CHECK(done.commands[i].values[5] == one.MonitoredValuePhysicalAddress.SegmentOffset);
    }
}

}  // namespace

TEST_CASE(
    "OP18-01: values at both ends of a segment are told of, with one value in system memory anywhere in the list") {
    wddm2_request<by_command> test;
    for (u32 system = 0; system <= 5; ++system) {
        fence_list fences(5);
        if (system != 5) {
            fences.list[system].MonitoredValuePhysicalAddress.SegmentId = 31;
        }
        for (u32 token = 0; token != 5; ++token) {
            expect_told(test, fences, token);
        }
    }
}

TEST_CASE(
    "OP18-01 fault: one value outside its segment, of any fence that is left; fences told of are not judged again") {
    wddm2_request<by_command> test;
    for (u32 which = 0; which != 8; ++which) {
        fence_list fences(4);
        record& one = fences.list[which / 2];
        auto& place = which % 2 == 0 ? one.CurrentValuePhysicalAddress : one.MonitoredValuePhysicalAddress;
        place.SegmentOffset = size - 7;
        test.expect_fault(fences.request(), paging_rule::outside_segment, size - 7, size);
        place.SegmentOffset = ~u64{0};
        test.expect_fault(fences.request(), paging_rule::outside_segment, ~u64{0}, size);
        place.SegmentId = no_such_segment;
        for (u32 token = 0; token != 4; ++token) {
            latest_arguments args = fences.request();
            args.MultipassOffset = token;
            if (token <= which / 2) {
                test.expect_fault(args, paging_rule::unknown_segment, no_such_segment, 0);
            } else {
                expect_told(test, fences, token);
            }
        }
    }
}

TEST_CASE("AMB-21: a value of any offset is good by exactly the two ids of system memory") {
    wddm2_request<by_command> test;
    for (u32 id = 0; id != 70; ++id) {
        CAPTURE(id);
        CHECK(paging::detail::in_system_memory(segment_id{id}) == (id == 0 || id == 31));
        fence_list fences(2);
        fences.list[1].CurrentValuePhysicalAddress.SegmentId = id;
        fences.list[1].CurrentValuePhysicalAddress.SegmentOffset = ~u64{0};
        latest_arguments args = fences.request();
        CHECK(test.os.pass(test.hw, args, 4096).commands.size() == (id == 0 || id == 31 ? 2u : 0u));
    }
    CHECK_FALSE(paging::detail::in_system_memory(segment_id{~0u}));
}

TEST_CASE("OP18-01: what is told at once is judged whole first, also where every value but the last is in a segment") {
    wddm2_request<at_once> test;
    u32 told = 0;
    test.hw.told = &told;
    fence_list fences(3);
    fences.list[2].MonitoredValuePhysicalAddress.SegmentOffset = size;
    test.expect_fault(fences.request(), paging_rule::outside_segment, size, size);
    CHECK(told == 0);
    fences.list[2].MonitoredValuePhysicalAddress.SegmentOffset = 0;
    latest_arguments args = fences.request();
    args.MultipassOffset = 1;
    CHECK(build_paging_buffer(test.hw, args) == status::success);
    CHECK(told == 2);
    CHECK(args.MultipassOffset == 3);
}

TEST_CASE("PGB-01 PGB-05: fences in segments in every room, from a byte on, resumed at every point") {
    wddm2_request<by_command> test;
    fence_list fences(4);
    test.expect_every_room(fences.request(), 15, 4);
    test.expect_stored_in_order(fences.request());
}

}  // namespace op18_segments_test
