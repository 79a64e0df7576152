// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// A driver without an engine: what the CPU executor does is asked of it, and everything else of build_paging_buffer.
#include "cpu_world.hpp"

#include <wddmcore/paging/build.hpp>

#include <base/expect_both.hpp>

namespace only_cpu_test {

using namespace cpu_world;

namespace {

constexpr capabilities every_address{.version = wddm::v2_9,
                                     .oldest = wddm::vista,
                                     .addresses = paging_addresses::both,
                                     .aperture = aperture_forms::either,
                                     .alternate_address_lock = claim::yes};

template <capabilities Caps>
struct engineless : driver {
    static constexpr capabilities caps = Caps;
    static constexpr bool paged_by_cpu = true;
    u64 stored = 0;
    void store_aperture_entry(segment_id, u64, page_number, bool) noexcept { ++stored; }
};
using whole = engineless<every_address>;

/// With page tables that the CPU stores: nothing of it is a command.
constexpr capabilities own_page_tables{
    .version = wddm::v2_9, .oldest = wddm::v2_0, .gpu_mmu = claim::yes, .page_tables = update_modes::cpu_virtual};
struct translating : engineless<own_page_tables>, hw::coherent_page_table_store {
    static constexpr gpuva::page_table_geometry page_tables{
        .level_count = 2, .levels = {{9, 8}, {0, 8}}, .virtual_address_bits = 32};
    static constexpr gpuva::gpu_mmu_capabilities mmu_caps{};
    static constexpr page_table_entry_limits entry_limits{.page_number_bits = 40};
    static constexpr page_table_entry encode_leaf(leaf_kind, u32, pte_target target, u64) noexcept {
        return {target.page << page_shift_lg2 | (target.flags.valid() ? 1u : 0u), 0};
    }
    static constexpr page_table_entry encode_directory(u32, pte_target table, pte_target) noexcept {
        return {table.page << page_shift_lg2 | (table.flags.valid() ? 1u : 0u), 0};
    }
    u64 flushes = 0;
    hw::tlb_flush last_flush{};
    void flush_at_once(hw::tlb_flush const& flush) noexcept {
        ++flushes;
        last_flush = flush;
    }
};

/// As a driver does it, whose mappings can always be had.
template <class Hw, class Memory>
ntstatus build(Hw& hw, Memory& memory, arguments& args) {
    cpu_answer const answer = execute_on_cpu(hw, memory, args, cpu_moment::at_build);
    switch (answer.what) {
        case cpu_outcome::done: return status::success;
        case cpu_outcome::busy: return status::graphics_allocation_busy;
        case cpu_outcome::not_mine: return build_paging_buffer(hw, args);
        default: return status::invalid_parameter;
    }
}

arguments request(u32 operation) {
    arguments args{};
    args.Operation = operation;
    return args;
}

}  // namespace

TEST_CASE("PGB-22: hardware without an engine needs none of the seven operations' encoders, and no room for them") {
    expect_both(check_hardware<whole, arguments>());
    expect_both(!hw::copy_engine<whole> && !hw::fill_engine<whole> && !hw::physical_accessor<whole>);
    // Without commands a buffer is a dword: the least that there is.
    expect_both(smallest_paging_buffer<whole> == bytes{4});
    u32 left = 0;
    for (u32 i = 0; i != paging_operation_count; ++i) {
        left += hw::left_to_cpu<whole>(static_cast<paging_operation>(i));
    }
    CHECK(left == 7);  // 0, 1, 3, 4, 7, 8 and 9
    expect_both(!hw::left_to_cpu<whole>(paging_operation::discard_content));
}

TEST_CASE("PGB-22: an operation of the CPU's that comes to build_paging_buffer is never acknowledged undone") {
    for (u32 const operation : {0u, 1u, 3u, 4u, 7u, 8u, 9u}) {
        CAPTURE(operation);
        whole hw;
        hw.answer = disposition::dropped;
        arguments args = request(operation);
        u32 buffer[64] = {};
        args.pDmaBuffer = buffer;
        args.DmaSize = sizeof buffer;
        CHECK(build_paging_buffer(hw, args) == status::invalid_parameter);
        CHECK(hw.faults == 1);
        CHECK(hw.last.rule == paging_rule::operation_not_claimed);
        CHECK(hw.last.value == operation);
        CHECK(args.pDmaBuffer == buffer);
        CHECK(args.MultipassOffset == 0);
    }
}

TEST_CASE("PGB-22 OP12-01: hardware without an engine flushes at once, without a command stream or a buffer") {
    expect_both(check_hardware<translating, arguments>());
    expect_both(hw::tlb<translating> && !hw::tlb_by_command<translating> && !hw::command_stream<translating>);
    expect_both(smallest_paging_buffer<translating> == bytes{4});
    translating hw;
    arguments flush = request(12);
    flush.FlushTlb = {};
    flush.FlushTlb.RootPageTableAddress.SegmentOffset = 0x7000;
    flush.FlushTlb.StartVirtualAddress = 0x3000;
    flush.FlushTlb.EndVirtualAddress = 0x5000;
    CHECK(build_paging_buffer(hw, flush) == status::success);
    CHECK(hw.flushes == 1);
    CHECK(hw.faults == 0);
    CHECK(hw.last_flush.root.offset.n == 0x7000);
    CHECK(hw.last_flush.first.n == 0);  // no granule: everything
    CHECK(hw.last_flush.last.n == 0);
}

TEST_CASE("what moves plain memory is operations 0, 1, 3, 4, 7, 8 and 9; a code that is no operation moves none") {
    for (u32 code = 0; code != paging_operation_count + 2; ++code) {
        CAPTURE(code);
        bool const moves = code < 10 && (0x39Bu >> code & 1) != 0;  // bits 0, 1, 3, 4, 7, 8 and 9
        CHECK(hw::is_cpu_operation(static_cast<paging_operation>(code)) == moves);
    }
    CHECK_FALSE(hw::is_cpu_operation(static_cast<paging_operation>(~u32{0})));
}

TEST_CASE("OP00-03 OP01-01 OP05-01 OP08-01 OP09-01: a driver without an engine pages, and maps its aperture") {
    seeded_numbers random(1);
    watched_memory<4> memory(random);
    whole hw;
    u8* const at = memory.bytes_now.at(part::memory, 0);

    arguments fill = request(1);
    fill.Fill = {};
    fill.Fill.FillSize = 3 * 4096;
    fill.Fill.FillPattern = 0x1122'3344;
    fill.Fill.Destination.SegmentId = memory_id;
    fill.Fill.Destination.SegmentAddress.QuadPart = static_cast<i64>(memory_base + 4096);
    CHECK(build(hw, memory, fill) == status::success);
    CHECK(at[4096] == 0x44);
    CHECK(at[4 * 4096 - 1] == 0x11);

    arguments copy = request(8);
    copy.TransferVirtual = {};
    copy.TransferVirtual.TransferSizeInBytes = 2 * 4096;
    copy.TransferVirtual.SourceVirtualAddress = process_base;
    copy.TransferVirtual.DestinationVirtualAddress = process_base + 8 * 4096;
    CHECK(build(hw, memory, copy) == status::success);
    u8 const* const moved = memory.bytes_now.at(part::process, 0);
    CHECK(std::equal(moved, moved + 2 * 4096, moved + 8 * 4096));

    usize const pages[] = {first_page, first_page + 1};
    arguments map = request(17);
    map.MapApertureSegment2 = {};
    map.MapApertureSegment2.SegmentId = aperture_id;
    map.MapApertureSegment2.NumberOfPages = 2;
    map.MapApertureSegment2.Adl.PageCount = 2;
    map.MapApertureSegment2.Adl.Pages = const_cast<usize*>(pages);
    CHECK(build(hw, memory, map) == status::success);
    CHECK(hw.stored == 2);

    CHECK(memory.clean());
    CHECK(hw.faults == 0);
}

}  // namespace only_cpu_test
