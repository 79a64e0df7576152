// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "one_request.hpp"

#include <set>

namespace status_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

constexpr engine_shape with_everything() {
    engine_shape shape = shapes::engine(shapes::everything, page_bytes, 4, shapes::ordered, 2);
    shape.aperture_commands = true;
    shape.discards = true;
    shape.swizzles = true;
    shape.reports_busy = true;
    return shape;
}
constexpr engine_shape reporting = with_everything();
constexpr engine_shape bare = shapes::engine(shapes::everything, page_bytes, 4, shapes::ordered, 2);

void set_idle(newest_arguments& args, bool idle) {
    switch (args.Operation) {
        case 0: args.Transfer.Flags.AllocationIsIdle = idle; break;
        case 2: args.DiscardContent.Flags.AllocationIsIdle = idle; break;
        case 7: args.SpecialLockTransfer.Flags.AllocationIsIdle = idle; break;
        default: break;
    }
}

bool has_idle_flag(u32 operation) { return operation == 0 || operation == 2 || operation == 7; }

}  // namespace

TEST_CASE("PGB-08: every status of every operation in every room is a legal one") {
    one_request<reporting> test;
    for (newest_arguments const& good : test.one_of_each()) {
        for (u64 room = 1; room < 300; room += 3) {
            for (u32 state = 0; state < 4; ++state) {
                newest_arguments args = good;
                set_idle(args, state % 2 != 0);
                test.hw.busy = state / 2 != 0;
                ntstatus const status = test.os.pass(test.hw, args, room).status;
                bool const busy_allowed = has_idle_flag(good.Operation) && state == 2;
                REQUIRE((status == status::success || status == status::graphics_insufficient_dma_buffer ||
                         (busy_allowed && status == status::graphics_allocation_busy)));
            }
        }
    }
    CHECK(test.hw.faults == 0);
}

TEST_CASE("PGB-09 OP02-02 AMB-28: busy is answered exactly while the idle flag is clear, by operations 0, 2 and 7") {
    one_request<reporting> test;
    for (newest_arguments const& good : test.one_of_each()) {
        for (u32 state = 0; state < 4; ++state) {
            CAPTURE(good.Operation);
            CAPTURE(state);
            newest_arguments args = good;
            set_idle(args, state % 2 != 0);
            test.hw.busy = state / 2 != 0;
            test.asked.times = 0;
            pass_result const done = test.os.pass(test.hw, args, 4096);
            REQUIRE(done.problem == "");
            bool const asked = has_idle_flag(good.Operation) && state % 2 == 0;
            CHECK((test.asked.times != 0) == asked);
            CHECK(done.status == (asked && test.hw.busy ? status::graphics_allocation_busy : status::success));
            if (done.status == status::graphics_allocation_busy) {
                CHECK(done.written_dwords == 0);
                CHECK(done.next_token == 0);
            }
        }
    }
}

TEST_CASE("PGB-09: the retry with the idle flag set succeeds, however busy the hardware still is") {
    one_request<reporting> test;
    test.hw.busy = true;
    for (newest_arguments args :
         {test.transfer_in(lonely_pages(3)), test.discard(0x1000), test.special_lock(lonely_pages(3))}) {
        set_idle(args, false);
        CHECK(test.os.pass(test.hw, args, 4096).status == status::graphics_allocation_busy);
        set_idle(args, true);
        CHECK(test.os.pass(test.hw, args, 4096).status == status::success);
    }
}

TEST_CASE("PGB-09: an operation that has begun is not interrupted by busy") {
    one_request<reporting> test;
    newest_arguments args = test.transfer_in(lonely_pages(4));
    set_idle(args, false);
    CHECK(test.os.pass(test.hw, args, test.smallest).status == status::graphics_insufficient_dma_buffer);
    test.hw.busy = true;
    CHECK(test.os.pass(test.hw, args, 4096).status == status::success);
}

TEST_CASE("PGB-09: hardware that does not report is never busy") {
    one_request<bare> test;
    newest_arguments args = test.transfer_in(lonely_pages(4));
    set_idle(args, false);
    CHECK(test.os.pass(test.hw, args, 4096).status == status::success);
}

TEST_CASE("PGB-10: with the idle flag clear nothing happens at once: everything is a command") {
    one_request<reporting> test;
    for (newest_arguments args :
         {test.transfer_in(lonely_pages(3)), test.discard(0x1000), test.special_lock(lonely_pages(3))}) {
        set_idle(args, false);
        pass_result const done = test.os.pass(test.hw, args, 4096);
        CHECK(done.status == status::success);
        CHECK_FALSE(done.commands.empty());
        CHECK(test.hw.stored == 0);
    }
}

TEST_CASE("PGB-11 OBS-02: without a buffer map and unmap are complete on return") {
    for (bool const null_pointer : {true, false}) {
        one_request<reporting> by_command;
        one_request<bare> at_once;
        auto const check = [null_pointer](auto& test) {
            std::vector<u64> const list = {4, 9, 77};
            newest_arguments map = test.map(10, list);
            CHECK(test.without_buffer(map, null_pointer) == status::success);
            CHECK(test.stored() == map_effect(map.MapApertureSegment));
            newest_arguments map2 = test.map2(20, list);
            CHECK(test.without_buffer(map2, null_pointer) == status::success);
            CHECK(test.stored() == map2_effect(map2.MapApertureSegment2));
            newest_arguments unmap = test.unmap(10, 3);
            CHECK(test.without_buffer(unmap, null_pointer) == status::success);
            CHECK(test.stored() == unmap_effect(unmap.UnmapApertureSegment, false));
            CHECK(test.hw.faults == 0);
        };
        check(by_command);
        check(at_once);
    }
}

TEST_CASE("PGB-11 OBS-02: without a buffer commands are refused, and INSUFFICIENT is never the answer") {
    for (bool const null_pointer : {true, false}) {
        one_request<reporting> test;
        for (newest_arguments const& good : test.one_of_each()) {
            if (good.Operation == 5 || good.Operation == 6 || good.Operation == 17) {
                continue;
            }
            CAPTURE(good.Operation);
            newest_arguments args = good;
            test.hw.faults = 0;
            CHECK(test.without_buffer(args, null_pointer) == status::invalid_parameter);
            CHECK(test.hw.faults == 1);
            CHECK(test.hw.last_fault.rule == paging_rule::no_buffer);
            CHECK(static_cast<u32>(test.hw.last_fault.operation) == good.Operation);
            CHECK(args.MultipassOffset == 0);
        }
    }
}

TEST_CASE("PGB-11: work that is nothing is done without a buffer") {
    for (bool const null_pointer : {true, false}) {
        one_request<bare> test;
        newest_arguments empty = test.transfer_in(lonely_pages(1));
        empty.Transfer.TransferSize = 0;
        CHECK(test.without_buffer(empty, null_pointer) == status::success);
        newest_arguments discard = test.discard(0x1000);  // nothing is kept per placement
        CHECK(test.without_buffer(discard, null_pointer) == status::success);
        CHECK(test.hw.faults == 0);
    }
}

TEST_CASE("PGB-21: a NULL allocation is as good as any other") {
    one_request<reporting> test;
    test.hw.busy = true;
    newest_arguments transfer = test.transfer_in(lonely_pages(3));
    transfer.Transfer.hAllocation = nullptr;
    transfer.Transfer.Flags.Swizzle = 1;
    pass_result const raw = test.run(transfer);
    CHECK(raw.status == status::success);
    CHECK(joined(effect_of(raw.commands)) == joined(transfer_effect(test.hw, transfer.Transfer, 0)));

    newest_arguments lock = test.special_lock(lonely_pages(3));
    lock.SpecialLockTransfer.hAllocation = nullptr;
    lock.SpecialLockTransfer.Flags.Unswizzle = 1;
    pass_result const locked = test.run(lock);
    CHECK(joined(effect_of(locked.commands)) == joined(transfer_effect(test.hw, lock.SpecialLockTransfer, 0)));

    newest_arguments discard = test.discard(0x6000);
    discard.DiscardContent.hAllocation = nullptr;
    pass_result const thrown = test.run(discard);
    REQUIRE(thrown.commands.size() == 1);
    CHECK(thrown.commands[0].allocation == 0);

    // The reporter is asked about the handle that came, NULL included.
    transfer.Transfer.Flags.AllocationIsIdle = 0;
    transfer.MultipassOffset = 0;
    test.asked.about = &test;
    CHECK(test.os.pass(test.hw, transfer, 4096).status == status::graphics_allocation_busy);
    CHECK(test.asked.about == nullptr);
    newest_arguments named = test.discard(0);
    set_idle(named, false);
    CHECK(test.os.pass(test.hw, named, 4096).status == status::graphics_allocation_busy);
    CHECK(test.asked.about == &test.marker);
}

TEST_CASE("PGB-22: an unknown operation is never acknowledged") {
    one_request<reporting> test;
    for (disposition const answer : {disposition::stop, disposition::dropped}) {
        test.hw.answer = answer;
        for (u32 const code : {paging_operation_count, paging_operation_count + 1, 100u, 0x8000'0000u, 0xFFFF'FFFFu}) {
            CAPTURE(code);
            newest_arguments args{};
            args.Operation = code;
            test.hw.faults = 0;
            pass_result const done = test.os.pass(test.hw, args, 4096);
            CHECK(done.problem == "");
            CHECK(done.status == status::invalid_parameter);
            CHECK(test.hw.faults == 1);
            CHECK(test.hw.last_fault.rule == paging_rule::unknown_operation);
            CHECK(static_cast<u32>(test.hw.last_fault.operation) == code);
            CHECK(test.hw.last_fault.value == code);
            CHECK(test.hw.last_fault.limit == paging_operation_count);
        }
    }
}

namespace {

constexpr engine_shape only_virtual = shapes::engine(
    {.version = wddm::v2_9, .addresses = paging_addresses::gpu_virtual}, page_bytes, 4, shapes::ordered, 1);
constexpr engine_shape only_physical = shapes::engine({.version = wddm::v2_9}, page_bytes, 4, shapes::ordered, 1);

template <engine_shape const& Shape>
void expect_the_rest_refused(std::set<u32> const& claimed) {
    one_request<Shape> test;
    for (disposition const answer : {disposition::stop, disposition::dropped}) {
        test.hw.answer = answer;
        for (u32 code = 0; code < paging_operation_count; ++code) {
            if (claimed.contains(code)) {
                continue;
            }
            CAPTURE(code);
            newest_arguments args{};
            args.Operation = code;
            if (code == 0) {
                args = test.transfer_in(lonely_pages(2));
            }
            test.hw.faults = 0;
            pass_result const done = test.os.pass(test.hw, args, 4096);
            CHECK(done.problem == "");
            CHECK(done.status == status::invalid_parameter);
            CHECK(test.hw.faults == 1);
            CHECK(test.hw.last_fault.rule == paging_rule::operation_not_claimed);
            CHECK(test.hw.last_fault.value == code);
        }
    }
}

}  // namespace

TEST_CASE("PGB-22: an operation that the capabilities exclude is never acknowledged") {
    SUBCASE("virtual addresses only") { expect_the_rest_refused<only_virtual>({2, 8, 9}); }
    SUBCASE("physical addresses only, from WDDM 2.0 on") { expect_the_rest_refused<only_physical>({0, 1, 2}); }
    SUBCASE("everything that there is") { expect_the_rest_refused<bare>({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 17}); }
}

TEST_CASE("OP00-09 AMB-02: the transfer of nothing after a reset comes to every driver and is answered") {
    one_request<only_virtual> test;
    for (u64 const room : {u64{0}, u64{4096}}) {
        newest_arguments args = test.transfer_in(lonely_pages(2));
        args.Transfer.TransferSize = 0;
        pass_result const done = test.os.pass(test.hw, args, room);
        CHECK(done.problem == "");
        CHECK(done.status == status::success);
        CHECK(done.written_dwords == 0);
    }
    CHECK(test.hw.faults == 0);
}

}  // namespace status_test
