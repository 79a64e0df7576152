// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "wddm2_request.hpp"

namespace op12_flush_tlb_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

constexpr engine_shape flushing(u32 grain) {
    engine_shape shape{};
    shape.caps = {.version = wddm::v3_2,
                  .addresses = paging_addresses::gpu_virtual,
                  .gpu_mmu = claim::yes,
                  .page_tables = update_modes::cpu_virtual};
    shape.grain = grain;
    return shape;
}
constexpr engine_shape grain_3 = flushing(3);
constexpr engine_shape grain_5 = flushing(5);

// A flush comes only to hardware with page tables; the CPU stores these.
using whole_gpu = wddm2_gpu<grain_5, page_table_part, flush_part>;
template <u64 Granule>
using range_gpu = wddm2_gpu<grain_3, page_table_part, flush_part, flush_range_part<Granule>>;
using page_gpu = range_gpu<4096>;
using large_gpu = range_gpu<0x1'0000>;

using whole_at_once = wddm2_gpu<grain_3, page_table_part, flush_at_once_part>;
template <u64 Granule>
using range_at_once = wddm2_gpu<grain_3, page_table_part, flush_range_at_once_part<Granule>>;
// Both: with ranges, and with commands that have none.
using in_both_ways = wddm2_gpu<grain_3, page_table_part, flush_part, flush_range_part<4096>, flush_at_once_part>;
using at_once_by_range = wddm2_gpu<grain_3, page_table_part, flush_part, flush_range_at_once_part<4096>>;

u32 process = 0;

template <class Args = latest_arguments>
Args flush(u64 start, u64 end, u32 segment = local_memory, u64 offset = 0x7000) {
    Args args{};
    args.Operation = 12;
    args.FlushTlb = {};
    args.FlushTlb.RootPageTableAddress.SegmentId = segment;
    args.FlushTlb.RootPageTableAddress.SegmentOffset = offset;
    args.FlushTlb.hProcess = &process;
    args.FlushTlb.StartVirtualAddress = start;
    args.FlushTlb.EndVirtualAddress = end;
    return args;
}

template <class Hw>
recorded_command only_command(wddm2_request<Hw>& test, latest_arguments const& args) {
    pass_result const done = test.run(args);
    REQUIRE(done.commands.size() == 1);
    return done.commands[0];
}

template <class Hw>
void expect_range(u64 start, u64 end, u64 first, u64 last) {
    CAPTURE(start);
    CAPTURE(end);
    wddm2_request<Hw> test;
    recorded_command const one = only_command(test, flush(start, end));
    CHECK(one.kind == record_kind::flush_range);
    CHECK(one.values[0] == local_memory);
    CHECK(one.values[1] == 0x7000);
    CHECK(one.values[2] == first);
    CHECK(one.values[3] == last);
}

/// What hardware is told at once of one flush, with a buffer or without one; nothing is ever written for it.
template <class Hw>
told told_at_once(latest_arguments args, bool buffer_there) {
    wddm2_request<Hw> test;
    told_log log;
    test.hw.flushed = &log;
    if (buffer_there) {
        pass_result const done = test.os.pass(test.hw, args, 4096);
        CHECK(done.problem == "");
        CHECK(done.status == status::success);
        CHECK(done.written_dwords == 0);
    } else {
        CHECK(build_paging_buffer(test.hw, args) == status::success);
    }
    CHECK(args.MultipassOffset == 1);
    CHECK(test.hw.faults == 0);
    CHECK(log.count == 1);
    return log.list[0];
}

told flushed(u64 first, u64 last) {
    return {record_kind::flush, {local_memory, 0x7000, handle_bits(&process), first, last}};
}

}  // namespace

TEST_CASE("OP12-01 OBS-13: start and end zero flush the whole address space") {
    wddm2_request<page_gpu> test;
    CHECK(only_command(test, flush(0, 0)).kind == record_kind::flush);
    // Only both: a range that begins at zero is a range.
    CHECK(only_command(test, flush(0, 0x1000)).kind == record_kind::flush_range);
}

TEST_CASE("OP12-01: hardware without ranges flushes the whole address space for every range") {
    wddm2_request<whole_gpu> test;
    for (u64 const end : {u64{0}, u64{0x5000}, ~u64{0}}) {
        recorded_command const one = only_command(test, flush(0, end));
        CHECK(one.kind == record_kind::flush);
        CHECK(one.values[0] == local_memory);
        CHECK(one.values[1] == 0x7000);
        CHECK(one.values[2] == handle_bits(&process));
    }
}

TEST_CASE("OP12-03 AMB-20: a range is rounded outward to the granule, and the granule of its end is flushed too") {
    // By hand: the first byte of the granule that holds the start, the last byte of the granule that holds the end.
    expect_range<page_gpu>(0x3000, 0x5000, 0x3000, 0x5FFF);
    expect_range<page_gpu>(0x3FFF, 0x4001, 0x3000, 0x4FFF);
    expect_range<page_gpu>(0x3000, 0x3FFF, 0x3000, 0x3FFF);
    expect_range<large_gpu>(0x1'3000, 0x1'5000, 0x1'0000, 0x1'FFFF);
    expect_range<large_gpu>(0x2'0000, 0x4'0000, 0x2'0000, 0x4'FFFF);
    expect_range<large_gpu>(0x1, 0x2, 0, 0xFFFF);
}

TEST_CASE("OP12-03 AMB-20: no range ends behind the last byte of the address space, and an empty one is one granule") {
    // Page tables of 32 bits; the end is that byte, or the one behind it.
    expect_range<page_gpu>(0xFFFF'0000, 0xFFFF'FFFF, 0xFFFF'0000, 0xFFFF'FFFF);
    expect_range<page_gpu>(0xFFFF'0000, 0x1'0000'0000, 0xFFFF'0000, 0xFFFF'FFFF);
    expect_range<large_gpu>(0xFFF0'0000, 0x1'0000'0000, 0xFFF0'0000, 0xFFFF'FFFF);
    expect_range<large_gpu>(0, ~u64{0}, 0, 0xFFFF'FFFF);
    expect_range<large_gpu>(0xFFFF'FFFF, ~u64{0}, 0xFFFF'0000, 0xFFFF'FFFF);
    expect_range<page_gpu>(0x9000, 0x9000, 0x9000, 0x9FFF);
}

TEST_CASE("CHK-15: of a range behind the address space, nothing less than all of it is flushed") {
    for (u64 const start : {u64{0x1'0000'0000}, u64{0x1'0000'5000}, ~u64{0} - 0xFFFF}) {
        wddm2_request<page_gpu> test;
        CHECK(only_command(test, flush(start, ~u64{0})).kind == record_kind::flush);
    }
}

TEST_CASE("OP12-04 GVA-18: the root is (segment, offset): in system memory, or inside a reported segment") {
    wddm2_request<page_gpu> test;
    // No base is added: the segment begins at 0x10'0000'0000.
    CHECK(only_command(test, flush(0, 0, local_memory, (u64{16} << 30) - 1)).values[1] == (u64{16} << 30) - 1);
    recorded_command const system = only_command(test, flush(0, 0, 0, 0x1234'5678'9000));
    CHECK(system.values[0] == 0);
    CHECK(system.values[1] == 0x1234'5678'9000);
    test.expect_fault(flush(0, 0, no_such_segment), paging_rule::unknown_segment, no_such_segment, 0);
    test.expect_fault(flush(0, 0, 0xFFFF'FFFF), paging_rule::unknown_segment, 0xFFFF'FFFF, 0);
    test.expect_fault(flush(0, 0, local_memory, u64{16} << 30), paging_rule::outside_segment, u64{16} << 30,
                      u64{16} << 30);
}

TEST_CASE("OP12-01 fault: a range that ends before it begins, also with an end of zero") {
    wddm2_request<page_gpu> test;
    test.expect_fault(flush(0x5000, 0x4FFF), paging_rule::reversed_range, 0x5000, 0x4FFF);
    test.expect_fault(flush(0x5000, 0), paging_rule::reversed_range, 0x5000, 0);
    wddm2_request<whole_gpu> other;
    other.expect_fault(flush(1, 0), paging_rule::reversed_range, 1, 0);
}

TEST_CASE("OP12-03 PGB-11: a flush has its place in the stream: without a buffer it is not done") {
    wddm2_request<page_gpu> test;
    test.expect_without_buffer(flush(0, 0), status::invalid_parameter);
    test.expect_without_buffer(flush(0x1000, 0x2000), status::invalid_parameter);
    // What was done in an earlier pass needs none.
    latest_arguments done = flush(0, 0);
    done.MultipassOffset = 1;
    test.expect_without_buffer(done, status::success);
    done.MultipassOffset = 2;
    test.expect_fault(done, paging_rule::token_past_end, 2, 1);
}

TEST_CASE("OP12-01 OP12-04: hardware without commands is told at once, with a buffer and without one") {
    for (bool const buffer_there : {true, false}) {
        CHECK(told_at_once<whole_at_once>(flush(0, 0), buffer_there) == flushed(0, 0));
        // Without a granule every flush is one of everything.
        CHECK(told_at_once<whole_at_once>(flush(0x3000, 0x5000), buffer_there) == flushed(0, 0));
        CHECK(told_at_once<range_at_once<4096>>(flush(0, 0), buffer_there) == flushed(0, 0));
    }
    CHECK(told_at_once<whole_at_once>(flush(0, 0, 0, 0x1234'5678'9000), false) ==
          told{record_kind::flush, {0, 0x1234'5678'9000, handle_bits(&process), 0, 0}});
}

TEST_CASE("OP12-03 AMB-20 CHK-15: a range that is flushed at once is rounded outward like a command's") {
    // The numbers of the commands above.
    CHECK(told_at_once<range_at_once<4096>>(flush(0x3FFF, 0x4001), false) == flushed(0x3000, 0x4FFF));
    CHECK(told_at_once<range_at_once<4096>>(flush(0, 0x1000), false) == flushed(0, 0x1FFF));
    CHECK(told_at_once<range_at_once<0x1'0000>>(flush(0x2'0000, 0x4'0000), false) == flushed(0x2'0000, 0x4'FFFF));
    CHECK(told_at_once<range_at_once<0x1'0000>>(flush(0xFFF0'0000, 0x1'0000'0000), false) ==
          flushed(0xFFF0'0000, 0xFFFF'FFFF));
    CHECK(told_at_once<range_at_once<4096>>(flush(0x1'0000'0000, ~u64{0}), false) == flushed(0, 0));
}

TEST_CASE("OP12-03 PGB-11: by command where there is a buffer, at once where there is none and hardware that can") {
    wddm2_request<in_both_ways> test;
    told_log log;
    test.hw.flushed = &log;
    CHECK(only_command(test, flush(0x3000, 0x5000)).kind == record_kind::flush_range);
    CHECK(log.count == 0);
    test.expect_without_buffer(flush(0x3000, 0x5000), status::success);
    CHECK(log.count == 2);
    CHECK(log.list[0] == flushed(0x3000, 0x5FFF));
    // A granule may be that of the flush at once alone.
    wddm2_request<at_once_by_range> other;
    CHECK(only_command(other, flush(0x3000, 0x5000)).kind == record_kind::flush);
    CHECK(told_at_once<at_once_by_range>(flush(0x3000, 0x5000), false) == flushed(0x3000, 0x5FFF));
}

TEST_CASE("OP12-01 OP12-04 PGB-04: a flush at once is made once, and a wrong one is not made") {
    wddm2_request<range_at_once<4096>> test;
    told_log log;
    test.hw.flushed = &log;
    latest_arguments args = flush(0x1000, 0x2000);
    CHECK(build_paging_buffer(test.hw, args) == status::success);
    CHECK(build_paging_buffer(test.hw, args) == status::success);
    CHECK(log.count == 1);
    args.MultipassOffset = 2;
    test.expect_fault(args, paging_rule::token_past_end, 2, 1, false);
    test.expect_fault(flush(0x5000, 0), paging_rule::reversed_range, 0x5000, 0, false);
    test.expect_fault(flush(0, 0, no_such_segment), paging_rule::unknown_segment, no_such_segment, 0, false);
    CHECK(log.count == 1);
    CHECK(paging::detail::group_dwords<range_at_once<4096>, paging_operation::flush_tlb>() == 0);
    CHECK(paging::detail::group_dwords<in_both_ways, paging_operation::flush_tlb>() == 9);
}

TEST_CASE("PGB-01 PGB-03 PGB-05: a flush in every room, from a byte on") {
    wddm2_request<page_gpu> range;
    range.expect_every_room(flush(0x1000, 0x2000), 9, 1);
    range.expect_every_room(flush(0, 0), 7, 1);
    wddm2_request<whole_gpu> whole;
    whole.expect_every_room(flush(0x1000, 0x2000), 7, 1);
    CHECK(paging::detail::group_dwords<page_gpu, paging_operation::flush_tlb>() == 9);
    CHECK(paging::detail::group_dwords<whole_gpu, paging_operation::flush_tlb>() == 7);
    // A virtual copy of 11 dwords is longer; rounded up to grains of 3 and 5.
    CHECK(wddm2_request<page_gpu>::smallest == 12 * 4);
    CHECK(wddm2_request<whole_gpu>::smallest == 15 * 4);
}

TEST_CASE("law 4: a flush is stored once, ascending, whole") {
    wddm2_request<page_gpu> test;
    test.expect_stored_in_order(flush(0x1000, 0x2000));
    test.expect_stored_in_order(flush(0, 0));
}

TEST_CASE("OP12-01: every structure from WDDM 2.0 on carries a flush, and none before it") {
    wddm2_request<page_gpu, mirror::v2_0::dxgkarg_buildpagingbuffer> first;
    CHECK(first.run(flush<mirror::v2_0::dxgkarg_buildpagingbuffer>(0x3000, 0x5000)).commands[0].values[3] == 0x5FFF);
    wddm2_request<page_gpu, mirror::v2_9::dxgkarg_buildpagingbuffer> later;
    CHECK(later.run(flush<mirror::v2_9::dxgkarg_buildpagingbuffer>(0x3000, 0x5000)).commands[0].values[3] == 0x5FFF);
    CHECK(has_arguments<mirror::v2_0::dxgkarg_buildpagingbuffer>(paging_operation::flush_tlb));
    CHECK_FALSE(has_arguments<mirror::v1_3::dxgkarg_buildpagingbuffer>(paging_operation::flush_tlb));
}

namespace {

template <class Hw, u32 Room>
constexpr bool in_constant_evaluation(u64 start, u64 end, record_kind kind, u64 first, u64 last) {
    Hw hw = with_segments<Hw>();
    wddm2_arguments args = wddm2_twin_of(paging_operation::flush_tlb);
    args.FlushTlb = {{local_memory, 0x8000}, nullptr, start, end};
    recorded_command records[2];
    return records_in_constant_evaluation<Room>(hw, args, kind, records) == 1 && records[0].values[1] == 0x8000 &&
           records[0].values[2] == first && records[0].values[3] == last;
}
static_assert(in_constant_evaluation<page_gpu, 9>(0x3000, 0x5000, record_kind::flush_range, 0x3000, 0x5FFF));
static_assert(in_constant_evaluation<page_gpu, 20>(0, 0, record_kind::flush, 0, 0));
static_assert(in_constant_evaluation<whole_gpu, 10>(0x3000, 0x5000, record_kind::flush, 0, 0));

constexpr bool at_once_in_constant_evaluation() {
    using gpu = range_at_once<4096>;
    gpu hw = with_segments<gpu>();
    told_log log;
    hw.flushed = &log;
    wddm2_arguments args = wddm2_twin_of(paging_operation::flush_tlb);
    args.FlushTlb = {{local_memory, 0x8000}, nullptr, 0x3000, 0x5000};
    return build_paging_buffer(hw, args) == status::success && log.count == 1 &&
           log.list[0] == told{record_kind::flush, {local_memory, 0x8000, 0, 0x3000, 0x5FFF}};
}
static_assert(at_once_in_constant_evaluation());

}  // namespace

TEST_CASE("laws 3 and 4: a flush in constant evaluation is the flush at run time") {
    CHECK(in_constant_evaluation<page_gpu, 9>(0x3000, 0x5000, record_kind::flush_range, 0x3000, 0x5FFF));
    CHECK(at_once_in_constant_evaluation());
}

}  // namespace op12_flush_tlb_test
