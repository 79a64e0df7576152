// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "notices.hpp"

namespace op22_notify_unmap_test {

using namespace wddmcore;
using namespace wddmcore::testing;
using namespace wddmcore::testing::notices;

namespace {

using by_command = wddm2_gpu<grain_2, iommu_unmap_part<3 * 4096 + 7>>;
using at_once = wddm2_gpu<grain_1, unmap_at_once_part>;
using in_both_ways = wddm2_gpu<grain_3, iommu_unmap_part<4096>, unmap_at_once_part>;
using only_eviction = wddm2_gpu<grain_1, eviction_part<4096, 4096, 4096>>;
using of_both_events =
    wddm2_gpu<grain_1, eviction_part<0x1'0000, 0x1'0000, 0x1'0000>, iommu_unmap_part<4096>, work_part>;
using working_at_once = wddm2_gpu<grain_1, unmap_at_once_part, work_part>;

}  // namespace

TEST_CASE("NTF-04 NTF-05: an unmap notice is of the process it names; its address is taken as it is") {
    wddm2_request<by_command> test;
    pass_result const done = test.run(iommu_unmap(0x3000, 5 * 4096, 0x7000'0000));
    REQUIRE(done.commands.size() == 2);
    recorded_command const& one = done.commands[1];
    CHECK(one.kind == record_kind::iommu_unmap);
    CHECK(one.values[0] == handle_bits(&some_allocation));
    CHECK(one.values[1] == handle_bits(&some_process));
    CHECK(one.values[2] == 0x3000 + 3 * 4096);
    CHECK(one.values[3] == 0x7000'0000 + 3 * 4096);
    CHECK(one.values[4] == 2 * 4096);
    CHECK(one.values[5] == static_cast<u64>(hw::alloc_event::iommu_unmap));
}

TEST_CASE("AMB-39: the address of an unmap notice names what to flush: no copy and no fill goes through it") {
    wddm2_request<by_command> test;
    for (recorded_command const& one : test.run(iommu_unmap(0, 64 * 4096, 0x1000)).commands) {
        CHECK(one.kind == record_kind::iommu_unmap);
    }
}

TEST_CASE("NTF-04 fault: an unmap notice that names no process") {
    wddm2_request<by_command> test;
    latest_arguments args = iommu_unmap(0, 4096, 0);
    args.NotifyAllocation.hKmdProcessHandle = nullptr;
    test.expect_fault(args, paging_rule::foreign_notice, 1, 0);
}

TEST_CASE("NTF-03 AMB-27 fault: exactly one event; no bit means promotion") {
    wddm2_request<of_both_events> test;
    test.expect_fault(notice(0, 4096, 0), paging_rule::unclear_notice, 0, 1);
    for (u32 const bits : {3u, 0xFFFF'FFFFu}) {
        latest_arguments both = eviction(0, 4096, 0);
        both.NotifyAllocation.Flags.Value = bits;
        test.expect_fault(both, paging_rule::unclear_notice, 2, 1);
    }
    latest_arguments promotion = notice(0, 4096, 0);
    promotion.NotifyAllocation.Flags.Value = 4;
    test.expect_fault(promotion, paging_rule::unclear_notice, 0, 1);
}

TEST_CASE("NTF-02 fault: a notice of an event that the hardware type never asks to hear of") {
    wddm2_request<only_eviction> evicting;
    evicting.expect_fault(iommu_unmap(0, 4096, 0), paging_rule::unasked_notice, 1, 0);
    evicting.expect_fault(iommu_unmap(0x5000, 0, 0), paging_rule::nothing_to_notify, 0x5000, 0, false);
    wddm2_request<by_command> unmapping;
    unmapping.expect_fault(eviction(0, 4096, 0), paging_rule::unasked_notice, 0, 0);
}

TEST_CASE("NTF-16: a notice of no bytes may be dropped, and is heard of first") {
    wddm2_request<of_both_events> test;
    test.expect_fault(eviction(0x1'0000, 0, 0), paging_rule::nothing_to_notify, 0x1'0000, 0);
    test.expect_fault(iommu_unmap(0x5000, 0, 0), paging_rule::nothing_to_notify, 0x5000, 0, false);
}

TEST_CASE("NTF-16: where the hardware has nothing to do, nothing is written and no buffer is needed") {
    wddm2_request<of_both_events> test;
    u32 asked = 0;
    test.hw.working = false;
    test.hw.asked = &asked;
    for (latest_arguments const& args : {eviction(0, 9 * 0x1'0000, 0), iommu_unmap(0, 4096, 0)}) {
        pass_result const done = test.run(args);
        CHECK(done.written_dwords == 0);
        CHECK(done.next_token == 0);
        test.expect_without_buffer(args, status::success);
    }
    CHECK(asked == 6);
    // Nothing to do also where the part begins inside a block: there is no block.
    CHECK(test.run(eviction(0x800, 0x1000, 0)).written_dwords == 0);
}

TEST_CASE("NTF-14 NTF-16: what is half done is finished: the hardware is not asked again") {
    wddm2_request<of_both_events> test;
    u32 asked = 0;
    test.hw.asked = &asked;
    latest_arguments args = eviction(0, 3 * 0x1'0000, 0);
    pass_result const first = test.os.pass(test.hw, args, 13 * 4);
    CHECK(first.status == status::graphics_insufficient_dma_buffer);
    CHECK(args.MultipassOffset == 1);
    test.hw.working = false;
    pass_result const second = test.os.pass(test.hw, args, 4096);
    CHECK(second.status == status::success);
    CHECK(second.commands.size() == 2);
    CHECK(asked == 1);
}

TEST_CASE("NTF-10: hardware that hears of unmaps at once hears of the whole part once, with and without a buffer") {
    wddm2_request<at_once> test;
    told_log log;
    test.hw.log = &log;
    latest_arguments const args = iommu_unmap(0x3000, 5 * 4096 + 9, 0x7000'0000);
    CHECK(test.run(args).written_dwords == 0);
    REQUIRE(log.count == 1);
    CHECK(log.list[0] ==
          told{record_kind::iommu_unmap,
               {handle_bits(&some_allocation), handle_bits(&some_process), 0x3000, 0x7000'0000, 5 * 4096 + 9, 1}});
    test.expect_without_buffer(args, status::success);
    CHECK(log.count == 3);
    latest_arguments done = args;
    done.MultipassOffset = 6;
    test.expect_without_buffer(done, status::success);
    CHECK(log.count == 3);
    done.MultipassOffset = 7;
    test.expect_fault(done, paging_rule::token_past_end, 7, 6);
    CHECK(log.count == 3);
}

TEST_CASE("PGB-06: an unmap notice of 2^32 pages ends with its last page; a byte more is refused") {
    constexpr u64 most = (u64{1} << 32) * 4096;
    wddm2_request<by_command> commands;
    latest_arguments args = iommu_unmap(0, most, 0x1000);
    args.MultipassOffset = 0xFFFF'FFFF;
    pass_result const done = commands.os.pass(commands.hw, args, 4096);
    CHECK(done.status == status::success);
    REQUIRE(done.commands.size() == 1);
    CHECK(done.commands[0].values[2] == most - 4096);
    CHECK(done.commands[0].values[4] == 4096);
    CHECK(args.MultipassOffset == 0);  // what is done does not come back
    commands.expect_fault(iommu_unmap(0, most + 1, 0x1000), paging_rule::too_many_pages, (u64{1} << 32) + 1,
                          u64{1} << 32);
    wddm2_request<at_once> now;
    told_log log;
    now.hw.log = &log;
    now.expect_without_buffer(iommu_unmap(0, most, 0x1000), status::success);
    REQUIRE(log.count == 2);  // with a NULL buffer, and with one of no bytes
    CHECK(log.list[0].values[4] == most);
    CHECK(log.list[1].values[4] == most);
}

TEST_CASE("NTF-14: in both ways: by command where there is a buffer, and the rest at once where there is none") {
    wddm2_request<in_both_ways> test;
    told_log log;
    test.hw.log = &log;
    latest_arguments args = iommu_unmap(0, 5 * 4096, 0x9000);
    pass_result const first = test.os.pass(test.hw, args, 2 * 13 * 4 + 8);
    CHECK(first.commands.size() == 2);
    CHECK(log.count == 0);
    args.pDmaBuffer = nullptr;
    args.DmaSize = 0;
    CHECK(build_paging_buffer(test.hw, args) == status::success);
    REQUIRE(log.count == 1);
    CHECK(log.list[0].values[2] == 2 * 4096);
    CHECK(log.list[0].values[3] == 0x9000 + 2 * 4096);
    CHECK(log.list[0].values[4] == 3 * 4096);
    CHECK(args.MultipassOffset == 5);
}

TEST_CASE("NTF-16: hardware that hears at once is not called when there is nothing to do") {
    wddm2_request<working_at_once> test;
    told_log log;
    test.hw.log = &log;
    test.hw.working = false;
    test.expect_without_buffer(iommu_unmap(0, 4096, 0), status::success);
    CHECK(log.count == 0);
}

TEST_CASE("NTF-09 PGB-11: hardware that unmaps by command needs a buffer") {
    wddm2_request<by_command> test;
    test.expect_without_buffer(iommu_unmap(0, 4096, 0), status::invalid_parameter);
}

TEST_CASE("PGB-01 PGB-05: an unmap notice in every room, from a byte on, resumed at every point") {
    wddm2_request<by_command> test;
    test.expect_every_room(iommu_unmap(0, 11 * 4096, 0), 13, 4);
    wddm2_request<in_both_ways> other;
    told_log log;
    other.hw.log = &log;
    other.expect_every_room(iommu_unmap(0x800, 3 * 4096 + 1, 0), 13, 4);
    CHECK(log.count == 0);
}

TEST_CASE("law 4: the commands of an unmap notice are stored once, ascending, whole") {
    wddm2_request<by_command> test;
    test.expect_stored_in_order(iommu_unmap(0, 7 * 4096, 0));
}

TEST_CASE("NTF-01: a notice comes from WDDM 3.2 on") {
    CHECK(has_arguments<mirror::v3_2::dxgkarg_buildpagingbuffer>(paging_operation::notify_alloc));
    CHECK_FALSE(has_arguments<mirror::v3_1::dxgkarg_buildpagingbuffer>(paging_operation::notify_alloc));
    CHECK(reachable({.version = wddm::v3_2, .allocation_notification = claim::at_run_time},
                    paging_operation::notify_alloc));
    CHECK_FALSE(
        reachable({.version = wddm::v3_1, .allocation_notification = claim::yes}, paging_operation::notify_alloc));
}

namespace {

constexpr bool in_constant_evaluation() {
    u32 owner = 0;
    by_command hw = with_segments<by_command>();
    wddm2_arguments args = wddm2_twin_of(paging_operation::notify_alloc);
    args.NotifyAllocation = {nullptr, &owner, {0, 1}, 0x1000, 7 * 4096, 0x50'0000};
    recorded_command records[4];
    bool const commands = records_in_constant_evaluation<14>(hw, args, record_kind::iommu_unmap, records) == 3 &&
                          records[2].values[2] == 0x1000 + 6 * 4096 && records[2].values[4] == 4096;
    at_once direct = with_segments<at_once>();
    told_log log;
    direct.log = &log;
    return commands && build_paging_buffer(direct, args) == status::success && log.count == 1 &&
           args.MultipassOffset == 7 && log.list[0].values[4] == 7 * 4096;
}
static_assert(in_constant_evaluation());

}  // namespace

TEST_CASE("laws 3 and 4: an unmap notice in constant evaluation is the one at run time") {
    CHECK(in_constant_evaluation());
}

TEST_CASE("NTF-04 fault: an unmap notice may end with the last byte of all addresses, and not one past it") {
    constexpr u64 last_page = u64{0} - 4096;
    wddm2_request<by_command> test;
    CHECK(test.run(iommu_unmap(0, 4096, last_page)).status == status::success);
    test.expect_fault(iommu_unmap(0, 4097, last_page), paging_rule::address_wraps, last_page, 4097);
}

TEST_CASE("NTF-06: a part may end with the last byte that an offset names, and not with one behind it") {
    wddm2_request<by_command> test;
    constexpr u64 last = ~u64{0};
    test.expect_fault(iommu_unmap(last, 2, 0), paging_rule::notice_wraps, last, 2);
    test.expect_fault(iommu_unmap(last - 4, 6, 0), paging_rule::notice_wraps, last - 4, 6);
    CHECK(test.run(iommu_unmap(last - 4, 5, 0)).commands.size() == 1);
}

}  // namespace op22_notify_unmap_test
