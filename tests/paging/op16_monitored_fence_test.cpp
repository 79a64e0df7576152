// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "wddm2_request.hpp"

namespace op16_monitored_fence_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

constexpr engine_shape signalling(u32 grain) {
    engine_shape shape{};
    shape.caps = {.version = wddm::v3_2,
                  .addresses = paging_addresses::gpu_virtual,
                  .monitored_fence_signal = claim::at_run_time};
    shape.grain = grain;
    return shape;
}
constexpr engine_shape grain_1 = signalling(1);
constexpr engine_shape grain_4 = signalling(4);
using wide_gpu = wddm2_gpu<grain_1, fence_part<8>>;
using narrow_gpu = wddm2_gpu<grain_4, fence_part<4>>;
struct long_fence : wide_gpu {
    static constexpr dwords fence_dwords{13};
};

template <class Args = latest_arguments>
Args signal(u64 place, u64 value) {
    Args args{};
    args.Operation = 16;
    args.SignalMonitoredFence = {};
    args.SignalMonitoredFence.MonitoredFenceGpuVa = place;
    args.SignalMonitoredFence.MonitoredFenceValue = value;
    return args;
}

constexpr u64 values[] = {0, 1, 0xFFFF'FFFF, 0x1'0000'0000, 0x1234'5678'9ABC'DEF0, ~u64{0}};

}  // namespace

TEST_CASE("OP16-01: one command writes the 64-bit value to the address of the paging process") {
    wddm2_request<wide_gpu> test;
    for (u64 const value : values) {
        for (u64 const place : {u64{8}, u64{0x7'0000'1238}, ~u64{0} - 7}) {
            pass_result const done = test.run(signal(place, value));
            REQUIRE(done.commands.size() == 1);
            CHECK(done.commands[0].kind == record_kind::fence);
            CHECK(done.commands[0].values[0] == place);
            CHECK(done.commands[0].values[1] == virtual_space);
            CHECK(done.commands[0].values[2] == value);
        }
    }
}

TEST_CASE("OP16-01 PGB-03: the fence stands behind everything that the buffer holds already") {
    wddm2_request<wide_gpu> test;
    std::vector<u32> buffer(64, 0x5555'5555);
    latest_arguments fill{};
    fill.Operation = 9;
    fill.FillVirtual = {};
    fill.FillVirtual.FillSizeInBytes = 4096;
    fill.FillVirtual.DestinationVirtualAddress = 0x1000;
    fill.pDmaBuffer = buffer.data() + 1;
    fill.DmaSize = 200;
    REQUIRE(build_paging_buffer(test.hw, fill) == status::success);
    latest_arguments args = signal(0x2000, 9);
    args.pDmaBuffer = fill.pDmaBuffer;
    args.DmaSize = 100;
    REQUIRE(build_paging_buffer(test.hw, args) == status::success);
    std::vector<record_kind> order;
    u64 const count = static_cast<u64>(static_cast<u32*>(args.pDmaBuffer) - buffer.data()) - 1;
    CHECK(parse_stream(buffer.data() + 1, count, 1,
                       [&order](recorded_command const& one) { order.push_back(one.kind); }) == "");
    CHECK(order == std::vector<record_kind>{record_kind::fill, record_kind::fence});
}

TEST_CASE("OP16-02: hardware without 64-bit atomic stores gets the low 32 bits, at a place of four bytes") {
    wddm2_request<narrow_gpu> test;
    for (u64 const value : values) {
        pass_result const done = test.run(signal(0x100C, value));
        CHECK(done.commands[0].values[0] == 0x100C);
        CHECK(done.commands[0].values[2] == (value & 0xFFFF'FFFF));
    }
}

TEST_CASE("OP16-01 fault: a place that no atomic store reaches") {
    wddm2_request<wide_gpu> wide;
    for (u64 const place : {u64{1}, u64{4}, u64{0x1007}, ~u64{0}}) {
        wide.expect_fault(signal(place, 1), paging_rule::misaligned_fence, place, 8);
    }
    wddm2_request<narrow_gpu> narrow;
    narrow.expect_fault(signal(0x1006, 1), paging_rule::misaligned_fence, 0x1006, 4);
}

TEST_CASE("OP16-01 PGB-11: a fence has its place in the stream: without a buffer it is not signalled") {
    wddm2_request<wide_gpu> test;
    test.expect_without_buffer(signal(0x1000, 1), status::invalid_parameter);
    latest_arguments done = signal(0x1000, 1);
    done.MultipassOffset = 1;
    test.expect_without_buffer(done, status::success);
    done.MultipassOffset = 7;
    test.expect_fault(done, paging_rule::token_past_end, 7, 1);
}

TEST_CASE("PGB-01 PGB-03 PGB-05: a fence in every room, from a byte on") {
    wddm2_request<wide_gpu> wide;
    wide.expect_every_room(signal(0x1000, 1), 7, 1);
    wddm2_request<narrow_gpu> narrow;
    narrow.expect_every_room(signal(0x1000, 1), 7, 1);
}

TEST_CASE("SEG-41: a fence counts for the smallest paging buffer where it is the longest command") {
    // Copies of the recording hardware take 11 dwords, fences 7.
    CHECK(smallest_paging_buffer<wide_gpu> == bytes{11 * 4});
    CHECK(paging::detail::group_dwords<wide_gpu, paging_operation::signal_monitored_fence>() == 7);
    CHECK(smallest_paging_buffer<long_fence> == bytes{13 * 4});
}

TEST_CASE("law 4: a fence is stored once, ascending, whole") {
    wddm2_request<narrow_gpu> test;
    test.expect_stored_in_order(signal(0x1000, 0x1234'5678'9ABC));
}

TEST_CASE("AMB-25: a fence comes from WDDM 2.2 on, by the header's own gate") {
    CHECK(has_arguments<mirror::v2_2::dxgkarg_buildpagingbuffer>(paging_operation::signal_monitored_fence));
    CHECK_FALSE(has_arguments<mirror::v2_1::dxgkarg_buildpagingbuffer>(paging_operation::signal_monitored_fence));
    CHECK_FALSE(reachable({.version = wddm::v2_1, .monitored_fence_signal = claim::yes},
                          paging_operation::signal_monitored_fence));
    static constexpr engine_shape first = [] {
        engine_shape shape = grain_1;
        shape.caps.version = shape.caps.oldest = wddm::v2_2;
        return shape;
    }();
    wddm2_request<wddm2_gpu<first, fence_part<8>>, mirror::v2_2::dxgkarg_buildpagingbuffer> test;
    CHECK(test.run(signal<mirror::v2_2::dxgkarg_buildpagingbuffer>(0x1000, 5)).commands[0].values[2] == 5);
}

namespace {

template <class Hw, u32 Room>
constexpr bool in_constant_evaluation(u64 value, u64 written) {
    Hw hw = with_segments<Hw>();
    wddm2_arguments args = wddm2_twin_of(paging_operation::signal_monitored_fence);
    args.SignalMonitoredFence = {0x4440, value};
    recorded_command records[2];
    return records_in_constant_evaluation<Room>(hw, args, record_kind::fence, records) == 1 &&
           records[0].values[0] == 0x4440 && records[0].values[2] == written;
}
static_assert(in_constant_evaluation<wide_gpu, 7>(~u64{0}, ~u64{0}));
static_assert(in_constant_evaluation<narrow_gpu, 8>(~u64{0}, 0xFFFF'FFFF));

}  // namespace

TEST_CASE("laws 3 and 4: a fence in constant evaluation is the fence at run time") {
    CHECK(in_constant_evaluation<wide_gpu, 7>(3, 3));
}

}  // namespace op16_monitored_fence_test
