// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "contexts.hpp"

namespace op13_context_update_test {

using namespace wddmcore;
using namespace wddmcore::testing;
using namespace wddmcore::testing::contexts;

namespace {

constexpr engine_shape shape_1 = with_contexts({.version = wddm::v2_0, .addresses = paging_addresses::gpu_virtual}, 1);
constexpr engine_shape shape_4 = with_contexts({.version = wddm::v3_2, .addresses = paging_addresses::gpu_virtual}, 4);
template <engine_shape const& Shape>
using updating = wddm2_gpu<Shape, image_part, context_part<512>, update_part>;
using first_gpu = updating<shape_1>;
using latest_gpu = updating<shape_4>;

u32 private_data[16] = {};

template <class Args = latest_arguments>
Args update(u64 place, u64 size) {
    Args args{};
    args.Operation = 13;
    args.UpdateContextAllocation = {};
    args.UpdateContextAllocation.ContextAllocation = place;
    args.UpdateContextAllocation.ContextAllocationSize = size;
    args.UpdateContextAllocation.pDriverPrivateData = private_data;
    args.UpdateContextAllocation.DriverPrivateDataSize = sizeof private_data;
    return args;
}

/// `count` writes of eight bytes, 24 bytes apart, the last one at the end of a context of 0x100 bytes.
template <class Hw>
void ask(Hw& hw, u32 count) {
    hw.commands = count;
    for (u32 i = 0; i < count; ++i) {
        hw.offsets[i] = 0xF8 - 24 * (count - 1 - i);
        hw.sizes[i] = 8;
    }
}

}  // namespace

TEST_CASE("OP13-01: each write goes to its place in the paging process's scratch area, with the driver's own data") {
    wddm2_request<latest_gpu> test;
    ask(test.hw, 3);
    pass_result const done = test.run(update(0x70'0000, 0x100));
    REQUIRE(done.commands.size() == 3);
    for (u32 i = 0; i < 3; ++i) {
        CHECK(done.commands[i].kind == record_kind::context_update);
        CHECK(done.commands[i].values[0] == 0x70'0000 + 0xF8 - 24 * (2 - i));
        CHECK(done.commands[i].values[1] == virtual_space);
        CHECK(done.commands[i].values[2] == 0x100);
        CHECK(done.commands[i].values[3] == sizeof private_data);
        CHECK(done.commands[i].values[4] == i);
    }
}

TEST_CASE("OP13-01 fault: a write that leaves the context allocation, wherever it stands, commits nothing") {
    wddm2_request<latest_gpu> test;
    for (u32 bad = 0; bad < 4; ++bad) {
        for (u64 const offset : {u64{0xF9}, u64{0x100}, u64{0x101}, ~u64{0} - 3}) {
            ask(test.hw, 4);
            test.hw.offsets[bad] = offset;
            latest_arguments args = update(0x70'0000, 0x100);
            u32 buffer[100] = {};
            args.pDmaBuffer = buffer;
            args.DmaSize = sizeof buffer;
            latest_arguments before;
            std::memcpy(&before, &args, sizeof args);
            test.hw.faults = 0;
            CHECK(build_paging_buffer(test.hw, args) == status::invalid_parameter);
            CHECK(std::memcmp(&before, &args, sizeof args) == 0);
            CHECK(test.hw.faults == 1);
            CHECK(test.hw.last_fault.rule == paging_rule::outside_context);
            CHECK(test.hw.last_fault.value == offset);
            CHECK(test.hw.last_fault.limit == 0x100);
        }
    }
}

TEST_CASE("OP13-01 fault: private data that is not there, a context that wraps, a token past the end") {
    wddm2_request<latest_gpu> test;
    ask(test.hw, 2);
    latest_arguments args = update(0x70'0000, 0x100);
    args.UpdateContextAllocation.pDriverPrivateData = nullptr;
    test.expect_fault(args, paging_rule::missing_private_data, sizeof private_data, 0);
    args.UpdateContextAllocation.DriverPrivateDataSize = 0;
    CHECK(test.run(args).commands.size() == 2);
    test.expect_fault(update(~u64{0} - 0xFE, 0x100), paging_rule::address_wraps, ~u64{0} - 0xFE, 0x100);
    CHECK(test.run(update(~u64{0} - 0xFF, 0x100)).commands.size() == 2);
    args = update(0x70'0000, 0x100);
    args.MultipassOffset = 3;
    test.expect_fault(args, paging_rule::token_past_end, 3, 2);
}

TEST_CASE("OP13-01: data that asks for nothing needs no buffer; anything else does") {
    wddm2_request<latest_gpu> test;
    test.expect_without_buffer(update(0x1000, 0), status::success);
    ask(test.hw, 1);
    test.expect_without_buffer(update(0x1000, 0x100), status::invalid_parameter);
}

TEST_CASE("PGB-01 PGB-05: an update in every room, from a byte on, resumed at every point") {
    wddm2_request<latest_gpu> test;
    ask(test.hw, 4);
    test.expect_every_room(update(0x70'0000, 0x100), 11, 4);
    CHECK(smallest_paging_buffer<latest_gpu> == bytes{12 * 4});
}

TEST_CASE("law 4: the writes of an update are stored once, ascending, whole") {
    wddm2_request<latest_gpu> test;
    ask(test.hw, 4);
    test.expect_stored_in_order(update(0x70'0000, 0x100));
}

TEST_CASE("OP13-01: an update comes from WDDM 2.0 on") {
    using first = mirror::v2_0::dxgkarg_buildpagingbuffer;
    wddm2_request<first_gpu, first> test;
    ask(test.hw, 2);
    CHECK(test.run(update<first>(0x1000, 0x100)).commands.size() == 2);
    CHECK_FALSE(has_arguments<mirror::v1_3::dxgkarg_buildpagingbuffer>(paging_operation::update_context_allocation));
    CHECK_FALSE(reachable({.version = wddm::v1_3, .context_allocations = claim::yes},
                          paging_operation::update_context_allocation));
}

namespace {

constexpr bool in_constant_evaluation() {
    latest_gpu hw = with_segments<latest_gpu>();
    hw.commands = 3;
    for (u32 i = 0; i < 3; ++i) {
        hw.offsets[i] = i * 16;
        hw.sizes[i] = 16;
    }
    wddm2_arguments args = wddm2_twin_of(paging_operation::update_context_allocation);
    args.UpdateContextAllocation = {0x9000, 48, nullptr, 0};
    recorded_command records[4];
    return records_in_constant_evaluation<12>(hw, args, record_kind::context_update, records) == 3 &&
           records[2].values[0] == 0x9020;
}
static_assert(in_constant_evaluation());

}  // namespace

TEST_CASE("laws 3 and 4: an update in constant evaluation is the update at run time") {
    CHECK(in_constant_evaluation());
}

}  // namespace op13_context_update_test
