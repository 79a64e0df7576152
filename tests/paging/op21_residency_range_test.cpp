// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "wddm2_request.hpp"

namespace op21_residency_range_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

constexpr engine_shape listening(u32 grain) {
    engine_shape shape{};
    shape.caps = {.version = wddm::v3_2,
                  .addresses = paging_addresses::gpu_virtual,
                  .residency_notification = claim::at_run_time};
    shape.grain = grain;
    return shape;
}
constexpr engine_shape grain_1 = listening(1);
constexpr engine_shape grain_4 = listening(4);

struct store_part {
    told_log* log = nullptr;
    constexpr void notify_residency_range(hw::residency_range const& range) {
        log->add(record_kind::residency_range,
                 {range.first_page, range.page_count, range.resident, range.segment.n, range.offset.n, range.list_pages,
                  range.page_list == nullptr ? 0 : u64{*range.page_list}});
    }
};
// Operation 15 comes to whoever gets operation 21.
using by_command = wddm2_gpu<grain_4, residency_part, residency_range_part>;
using at_once = wddm2_gpu<grain_1, residency_part, store_part>;
using in_both_ways = wddm2_gpu<grain_1, residency_part, residency_range_part, store_part>;

u32 some_allocation = 0;

latest_arguments range(bool resident, u32 first, u32 count, u32 segment, u64 offset) {
    latest_arguments args{};
    args.Operation = 21;
    args.NotifyResidency2 = {};
    args.NotifyResidency2.hAllocation = &some_allocation;
    args.NotifyResidency2.AllocationOffsetInPages = first;
    args.NotifyResidency2.SizeInPages = count;
    args.NotifyResidency2.SegmentId = static_cast<u16>(segment);
    args.NotifyResidency2.PhysicalAddress.SegmentId = 0xBAD;
    args.NotifyResidency2.PhysicalAddress.SegmentOffset = offset;
    args.NotifyResidency2.Resident = resident;
    return args;
}

}  // namespace

TEST_CASE("OP21-01: a range is told with its pages and its place: partial residency is tracked for each range") {
    wddm2_request<by_command> test;
    recorded_command const one = test.run(range(true, 7, 3, local_memory, 0x5000)).commands[0];
    CHECK(one.kind == record_kind::residency_range);
    u64 const wanted[] = {7, 3, 1, local_memory, 0x5000, 0, 0};
    for (u32 i = 0; i < 7; ++i) {
        CHECK(one.values[i] == wanted[i]);
    }
}

TEST_CASE("OP21-01 AMB-11 AMB-21: system memory, by either of its ids, has an MDL and no address") {
    wddm2_request<by_command> test;
    guarded_mdl list{16};
    for (u32 const id : {0u, 31u}) {
        latest_arguments args = range(true, 2, 4, id, 0);
        args.NotifyResidency2.Mdl = list.make({0x77, 0x99, 0x12, 0x13});
        recorded_command const one = test.run(args).commands[0];
        CHECK(one.values[3] == id);
        CHECK(one.values[4] == 0);
        CHECK(one.values[5] == 4);
        CHECK(one.values[6] == 0x77);
        args.NotifyResidency2.Mdl = nullptr;
        test.expect_fault(args, paging_rule::missing_list, 2, 0);
        // Of an MDL without bytes there is no list to read.
        args.NotifyResidency2.Mdl = list.make({});
        recorded_command const empty = test.run(args).commands[0];
        CHECK(empty.values[5] == 0);
        CHECK(empty.values[6] == 0);
    }
}

TEST_CASE("OP21-01: of a range that is not resident only the range is read") {
    wddm2_request<by_command> test;
    for (u32 const id : {0u, 31u, local_memory, no_such_segment}) {
        recorded_command const one = test.run(range(false, 7, 3, id, ~u64{0})).commands[0];
        u64 const wanted[] = {7, 3, 0, 0, 0, 0, 0};
        for (u32 i = 0; i < 7; ++i) {
            CHECK(one.values[i] == wanted[i]);
        }
    }
}

TEST_CASE("OP21-01 fault: no pages, pages that wrap, a place that is not there or not whole") {
    wddm2_request<by_command> test;
    test.expect_fault(range(true, 7, 0, local_memory, 0), paging_rule::nothing_to_notify, 7, 0);
    test.expect_fault(range(false, 0xFFFF'FFFF, 2, 0, 0), paging_rule::notice_wraps, 0xFFFF'FFFF, 2);
    CHECK(test.run(range(false, 0xFFFF'FFFF, 1, 0, 0)).commands.size() == 1);
    test.expect_fault(range(true, 0, 1, no_such_segment, 0), paging_rule::unknown_segment, no_such_segment, 0);
    constexpr u64 size = u64{16} << 30;
    test.expect_fault(range(true, 0, 2, local_memory, size - 4096), paging_rule::outside_segment, size - 4096, size);
    CHECK(test.run(range(true, 0, 2, local_memory, size - 8192)).commands.size() == 1);
}

TEST_CASE("OP21-01 PGB-11: one notice a change: by command where there is a buffer, else at once") {
    wddm2_request<in_both_ways> test;
    told_log log;
    test.hw.log = &log;
    latest_arguments args = range(true, 7, 3, local_memory, 0x5000);
    CHECK(test.run(args).commands.size() == 1);
    CHECK(log.count == 0);
    test.expect_without_buffer(args, status::success);
    REQUIRE(log.count == 2);
    CHECK(log.list[1] == told{record_kind::residency_range, {7, 3, 1, local_memory, 0x5000, 0, 0}});
    args.MultipassOffset = 1;
    test.expect_without_buffer(args, status::success);
    CHECK(log.count == 2);
    wddm2_request<at_once> direct;
    direct.hw.log = &log;
    CHECK(direct.run(range(false, 1, 1, 0, 0)).written_dwords == 0);
    CHECK(log.count == 3);
    wddm2_request<by_command> other;
    other.expect_without_buffer(range(false, 1, 1, 0, 0), status::invalid_parameter);
}

TEST_CASE("PGB-01 PGB-03: a range in every room, from a byte on") {
    wddm2_request<by_command> test;
    test.expect_every_room(range(true, 7, 3, local_memory, 0x5000), 15, 1);
    test.expect_stored_in_order(range(true, 7, 3, local_memory, 0x5000));
    CHECK(smallest_paging_buffer<by_command> == bytes{16 * 4});
}

namespace {

/// What a later kit is said to carry: no address, no size.
struct changed_arguments {
    struct {
        void* hAllocation;
        u32 AllocationOffsetInPages;
        u16 SegmentId;
        void* Mdl;
        u32 Resident;
    } NotifyResidency2;
};

}  // namespace

TEST_CASE("OP21-02 AMB-12: the structure is told by its members, not by a version: a changed one does not match") {
    CHECK(has_arguments<mirror::v3_2::dxgkarg_buildpagingbuffer>(paging_operation::notify_residency2));
    CHECK_FALSE(has_arguments<mirror::v3_1::dxgkarg_buildpagingbuffer>(paging_operation::notify_residency2));
    CHECK_FALSE(members::notify_residency2<changed_arguments>);
    CHECK(members::notify_residency2<wddm2_arguments>);
}

namespace {

constexpr usize pages_of_list[] = {0x41, 0x42};
constexpr twin_mdl some_list{2 * 4096, 0, pages_of_list};

constexpr bool in_constant_evaluation(u16 segment, u64 list_pages) {
    wddm2_arguments args = wddm2_twin_of(paging_operation::notify_residency2);
    args.NotifyResidency2 = {nullptr, 3, 2, segment, {0, 0x9000}, &some_list, 1};
    by_command hw = with_segments<by_command>();
    recorded_command records[2];
    bool const command = records_in_constant_evaluation<16>(hw, args, record_kind::residency_range, records) == 1 &&
                         records[0].values[5] == list_pages;
    at_once direct = with_segments<at_once>();
    told_log log;
    direct.log = &log;
    return command && build_paging_buffer(direct, args) == status::success && log.count == 1;
}
static_assert(in_constant_evaluation(0, 2) && in_constant_evaluation(local_memory, 0));

}  // namespace

TEST_CASE("laws 3 and 4: a range in constant evaluation is the range at run time") {
    CHECK(in_constant_evaluation(31, 2));
}

}  // namespace op21_residency_range_test
