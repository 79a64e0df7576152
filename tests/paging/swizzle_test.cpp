// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "one_request.hpp"

#include <algorithm>

namespace swizzle_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

constexpr engine_shape plain = shapes::engine(shapes::everything, 4 * page_bytes, 4, shapes::ordered, 1);
constexpr engine_shape with_swizzles() {
    engine_shape shape = plain;
    shape.swizzles = true;
    return shape;
}
constexpr engine_shape swizzling = with_swizzles();

std::vector<effect_piece> effect(pass_result const& done) {
    CHECK(done.problem == "");
    CHECK(done.status == status::success);
    return joined(effect_of(done.commands));
}

}  // namespace

TEST_CASE("OP00-07: without an allocation the copy is raw, whatever the flags say") {
    one_request<swizzling> test;
    for (u32 flags = 0; flags < 3; ++flags) {
        newest_arguments args = test.transfer_in(lonely_pages(3));
        args.Transfer.Flags.Value |= flags;  // bit 0 Swizzle, bit 1 Unswizzle
        newest_arguments raw = args;
        raw.Transfer.hAllocation = nullptr;
        CHECK(effect(test.run(raw)) == joined(transfer_effect(test.hw, raw.Transfer, 0)));
        pass_result const done = test.run(args);
        CHECK((done.commands[0].kind == record_kind::swizzled_copy) == (flags != 0));
    }
}

TEST_CASE("OP00-08 OP08-02: a layout change goes page by page and tells which part of the surface moves") {
    u64 const seed = seed_of_run();
    recorder<swizzling> hw = recorder_with_segments<swizzling>();
    paging_system os;
    transfer_maker maker;
    for (u64 round = 0; round < 2000 / emulated_factor; ++round) {
        seeded_numbers random(seed + round);
        newest_arguments args{};
        std::vector<recorded_command> expected;
        // Nobody changes the layout of memory into itself.
        auto const prepare = [&](auto& t, bool has_mdl_offset) {
            u32 offset = 0;
            do {
                offset = maker.make(random, hw, t, has_mdl_offset);
            } while (maker.overlapping);
            t.hAllocation = &hw;
            (random.one_in(2) ? t.Flags.Value |= 1u : t.Flags.Value |= 2u);
            return offset;
        };
        if (random.one_in(2)) {
            args.Operation = static_cast<u32>(paging_operation::transfer);
            auto& t = args.Transfer = {};
            t.MdlOffset = prepare(t, true);
            expected = swizzle_effect(hw, t, t.MdlOffset, 0, 0);
        } else {
            args.Operation = static_cast<u32>(paging_operation::special_lock_transfer);
            auto& t = args.SpecialLockTransfer = {};
            prepare(t, false);
            t.SwizzlingRangeId = static_cast<u32>(random.next());
            t.SwizzlingRangeData = static_cast<u32>(random.next());
            expected = swizzle_effect(hw, t, 0, t.SwizzlingRangeId, t.SwizzlingRangeData);
        }
        pass_result const done =
            os.run(hw, args, [&] { return random_room(random, smallest_paging_buffer<recorder<swizzling>>.n); });
        CAPTURE(round);
        REQUIRE(done.problem == "");
        REQUIRE(done.status == status::success);
        REQUIRE(done.commands == expected);
    }
}

TEST_CASE("OP00-08: hardware whose layouts are all linear copies plainly") {
    one_request<plain> test;
    newest_arguments args = test.transfer_in(lonely_pages(3));
    args.Transfer.Flags.Swizzle = 1;
    CHECK(effect(test.run(args)) == joined(transfer_effect(test.hw, args.Transfer, 0)));
}

TEST_CASE("OP08-07: a layout change inside memory begins at the end that keeps what is still to be read") {
    one_request<swizzling> test;
    for (u64 const to : {u64{0x4000} + 2 * page_bytes, u64{0x4000} - 2 * page_bytes}) {
        CAPTURE(to);
        // The last page falls short.
        newest_arguments args = test.transfer_inside(to, 0x4000, 5 * page_bytes - 100);
        args.Transfer.Flags.Value |= 1;  // Swizzle
        std::vector<recorded_command> expected = swizzle_effect(test.hw, args.Transfer, 0, 0, 0);
        if (to > 0x4000) {
            std::reverse(expected.begin(), expected.end());
        }
        pass_result const done = test.run(args);
        CHECK(done.problem == "");
        CHECK(done.status == status::success);
        CHECK(done.commands == expected);
        // In passes of one page each.
        pass_result const in_passes = test.os.run(test.hw, args, [] { return one_request<swizzling>::smallest; });
        CHECK(in_passes.problem == "");
        CHECK(in_passes.commands == expected);
    }
}

TEST_CASE("OP08-07: no engine promises what a layout change does to bytes that it still has to read") {
    constexpr static engine_shape safe_copies = [] {
        engine_shape shape = swizzling;
        shape.copy_overlap = hw::overlap::safe;
        shape.copy_alignment = 1;
        return shape;
    }();
    one_request<safe_copies> test;
    newest_arguments args = test.transfer_inside(0x4001, 0x4000, 2 * page_bytes);
    CHECK(test.run(args).status == status::success);
    args.Transfer.Flags.Value |= 1;  // Swizzle
    CHECK(test.os.pass(test.hw, args, 4096).status == status::invalid_parameter);
    CHECK(test.hw.last_fault.rule == paging_rule::overlap_below_page);
    CHECK(test.hw.last_fault.value == 1);
}

TEST_CASE(
    "OP00-08 OP08-07: where all layouts are linear a copy keeps what the engine promises, whatever the flags say") {
    constexpr static engine_shape linear_and_safe = [] {
        engine_shape shape = plain;
        shape.copy_overlap = hw::overlap::safe;
        shape.copy_alignment = 1;
        return shape;
    }();
    one_request<linear_and_safe> test;
    newest_arguments args = test.transfer_inside(0x4001, 0x4000, 2 * page_bytes);
    args.Transfer.Flags.Value |= 1;  // Swizzle
    pass_result const done = test.run(args);
    CHECK(done.status == status::success);
    CHECK(done.commands.size() == 1);
}

TEST_CASE("AMB-59: of the two layouts both together are wrong, and neither alone") {
    for (u32 flags = 0; flags != 4; ++flags) {
        newest_arguments args = one_request<plain>{}.transfer_inside(0x4000, 0x9000, page_bytes);
        args.Transfer.Flags.Value |= flags;  // bit 0 Swizzle, bit 1 Unswizzle
        paging::detail::finding const problem = paging::detail::check_layouts(args.Transfer);
        CHECK(problem.any == (flags == 3));
        CHECK((!problem.any || problem.rule == paging_rule::two_layouts));
    }
}

TEST_CASE("OP08-07: a layout change of places that overlap goes page by page from the end that is overwritten last") {
    one_request<swizzling> test;
    for (bool const upward : {false, true}) {
        u64 const to = upward ? 0x4000 + 2 * page_bytes : 0x4000;
        u64 const from = upward ? 0x4000 : 0x4000 + 2 * page_bytes;
        newest_arguments args = test.transfer_inside(to, from, 5 * page_bytes - 8);
        args.Transfer.Flags.Swizzle = 1;
        pass_result const done = test.run(args);
        REQUIRE(done.commands.size() == 5);
        for (u64 k = 0; k != 5; ++k) {
            u64 const page = upward ? 4 - k : k;
            recorded_command const& one = done.commands[k];
            CAPTURE(k);
            CHECK(one.kind == record_kind::swizzled_copy);
            CHECK(one.destination.n == to + page * page_bytes);
            CHECK(one.source.n == from + page * page_bytes);
            CHECK(one.size == (page == 4 ? page_bytes - 8 : page_bytes));
        }
    }
}

TEST_CASE("AMB-59: Swizzle and Unswizzle both set are malformed, with and without an allocation and an engine") {
    one_request<swizzling> test;
    one_request<plain> linear;
    for (bool const named : {false, true}) {
        newest_arguments args = test.transfer_in(lonely_pages(3));
        args.Transfer.hAllocation = named ? &test : nullptr;
        args.Transfer.Flags.Value |= 3;
        CHECK(test.os.pass(test.hw, args, 4096).status == status::invalid_parameter);
        CHECK(test.hw.last_fault.rule == paging_rule::two_layouts);
        CHECK(test.hw.last_fault.value == 3);  // the two flags
        CHECK(test.hw.last_fault.operation == paging_operation::transfer);
        CHECK(linear.os.pass(linear.hw, args, 4096).status == status::invalid_parameter);
        CHECK(linear.hw.last_fault.rule == paging_rule::two_layouts);
        newest_arguments locked{};
        locked.Operation = static_cast<u32>(paging_operation::special_lock_transfer);
        locked.SpecialLockTransfer.hAllocation = args.Transfer.hAllocation;
        locked.SpecialLockTransfer.TransferSize = 4096;
        locked.SpecialLockTransfer.Source = {};
        locked.SpecialLockTransfer.Destination = {};
        locked.SpecialLockTransfer.Flags.Value = 3;
        test.hw.faults = 0;
        CHECK(test.os.pass(test.hw, locked, 4096).status == status::invalid_parameter);
        CHECK(test.hw.last_fault.rule == paging_rule::two_layouts);
        CHECK(test.hw.last_fault.operation == paging_operation::special_lock_transfer);
        // OP00-09: of no bytes it is news, whatever else it says.
        args.Transfer.TransferSize = 0;
        CHECK(test.os.pass(test.hw, args, 4096).status == status::success);
    }
}

TEST_CASE("AMB-57: a layout that changes in its place is no copy of a place to itself") {
    one_request<swizzling> test;
    newest_arguments args = test.transfer_inside(0x4000, 0x4000, 2 * page_bytes);
    CHECK(test.run(args).commands.empty());
    args.Transfer.Flags.Value |= 2;  // Unswizzle
    CHECK(test.os.pass(test.hw, args, 4096).status == status::invalid_parameter);
    CHECK(test.hw.last_fault.rule == paging_rule::overlap_below_page);
    CHECK(test.hw.last_fault.value == 0);
    args.Transfer.hAllocation = nullptr;
    CHECK(test.run(args).commands.empty());
}

}  // namespace swizzle_test
