// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "cpu_world.hpp"

#include <hardware/cpu.hpp>
#include <wddmcore/paging.hpp>

#include <functional>

namespace refusal_test {

using namespace cpu_world;

namespace {

// The same driver with an engine: what a build says of a request, the executor must say too.
inline constexpr capabilities all_addresses{.version = wddm::v2_9,
                                            .oldest = wddm::vista,
                                            .addresses = paging_addresses::both,
                                            .aperture = aperture_forms::either,
                                            .alternate_address_lock = claim::yes};

struct gpu : examples::cpu::processor<all_addresses> {
    u32 faults = 0;
    paging_fault last{};
    disposition answer = disposition::stop;

    gpu() : processor{} {
        segments[0] = {{{aperture_base}, {part_bytes}}, true};
        segments[1] = {{{memory_base}, {part_bytes}}, false};
        segments[2] = {{{other_base}, {part_bytes}}, false};
    }
    disposition on_paging_fault(paging_fault const& fault) noexcept {
        ++faults;
        last = fault;
        return answer;
    }
};

struct malformed {
    char const* name;
    paging_rule rule;
    std::function<void(arguments&)> breaks;
    paging_operation operation = paging_operation::transfer;
};

std::vector<malformed> const requests{
    {"source of an unknown segment", paging_rule::unknown_segment,
     [](arguments& a) { a.Transfer.Source.SegmentId = 9; }},
    {"destination of an unknown segment", paging_rule::unknown_segment,
     [](arguments& a) { a.Transfer.Destination.SegmentId = 9; }},
    {"outside its segment", paging_rule::outside_segment,
     [](arguments& a) { a.Transfer.TransferOffset = part_bytes - 4096; }},
    {"below its segment", paging_rule::outside_segment,
     [](arguments& a) { a.Transfer.Source.SegmentAddress.QuadPart = memory_base - 4096; }},
    {"an offset that wraps", paging_rule::offset_wraps,
     [](arguments& a) {
         a.Transfer.Source.SegmentAddress.QuadPart = -4096;
         a.Transfer.TransferOffset = 8192;
     }},
    {"no MDL", paging_rule::missing_list, [](arguments& a) { a.Transfer.Destination.pMdl = nullptr; }},
    {"past the MDL", paging_rule::outside_list, [](arguments& a) { a.Transfer.MdlOffset = 3; }},
    {"an MDL offset that wraps", paging_rule::outside_list, [](arguments& a) { a.Transfer.MdlOffset = 0xFFFF'FFFF; }},
    {"a token behind the end", paging_rule::token_past_end, [](arguments& a) { a.MultipassOffset = 3; }},
    {"more than 16 TiB", paging_rule::too_many_pages,
     [](arguments& a) { a.Transfer.TransferSize = static_cast<usize>((u64{1} << 44) + 1); }},
    {"a virtual source that wraps", paging_rule::address_wraps,
     [](arguments& a) { a = virtual_transfer(0, ~process_base - 4096, 8192); }, paging_operation::virtual_transfer},
    {"a virtual destination that wraps", paging_rule::address_wraps,
     [](arguments& a) { a = virtual_transfer(~process_base - 4096, 0, 8192); }, paging_operation::virtual_transfer},
    {"a virtual transfer of nothing", paging_rule::nothing_to_transfer,
     [](arguments& a) { a = virtual_transfer(0, 8192, 0); }, paging_operation::virtual_transfer},
    {"a virtual transfer of more than 16 TiB", paging_rule::too_many_pages,
     [](arguments& a) { a = virtual_transfer(0, 8192, (u64{1} << 44) + 1); }, paging_operation::virtual_transfer},
    {"a fill of nothing", paging_rule::nothing_to_fill, [](arguments& a) { a = fill(0, 0, 1); },
     paging_operation::fill},
    {"a fill of more than 16 TiB", paging_rule::too_many_pages,
     [](arguments& a) { a = fill(0, (u64{1} << 44) + 1, 1); }, paging_operation::fill},
    {"a virtual fill of nothing", paging_rule::nothing_to_fill, [](arguments& a) { a = virtual_fill(0, 0, 1); },
     paging_operation::virtual_fill},
    {"a virtual fill of more than 16 TiB", paging_rule::too_many_pages,
     [](arguments& a) { a = virtual_fill(0, (u64{1} << 44) + 4, 1); }, paging_operation::virtual_fill},
    {"a virtual fill that wraps", paging_rule::address_wraps,
     [](arguments& a) { a = virtual_fill(~process_base - 4095, 8192, 1); }, paging_operation::virtual_fill},
    {"a virtual fill's token behind the end", paging_rule::token_past_end,
     [](arguments& a) {
         a = virtual_fill(0, 4096, 1);
         a.MultipassOffset = 2;
     },
     paging_operation::virtual_fill},
    {"a fill outside", paging_rule::outside_segment, [](arguments& a) { a = fill(4096, part_bytes, 1); },
     paging_operation::fill},
    {"a fill of an unknown segment", paging_rule::unknown_segment,
     [](arguments& a) {
         a = fill(4096, 4096, 1);
         a.Fill.Destination.SegmentId = 0;
     },
     paging_operation::fill},
    {"a fill's token behind the end", paging_rule::token_past_end,
     [](arguments& a) {
         a = fill(4096, 4096, 1);
         a.MultipassOffset = 2;
     },
     paging_operation::fill},
    {"a read of an unknown segment", paging_rule::unknown_segment,
     [](arguments& a) {
         a = of(paging_operation::read_physical);
         a.ReadPhysical.SegmentId = 30;
     },
     paging_operation::read_physical},
    {"a write outside", paging_rule::outside_segment,
     [](arguments& a) {
         a = of(paging_operation::write_physical);
         a.WritePhysical.SegmentId = memory_id;
     },
     paging_operation::write_physical},
    {"a write's token behind the end", paging_rule::token_past_end,
     [](arguments& a) {
         a = of(paging_operation::write_physical);
         a.WritePhysical.SegmentId = memory_id;
         a.WritePhysical.PhysicalAddress.QuadPart = memory_base;
         a.MultipassOffset = 2;
     },
     paging_operation::write_physical},
};

/// A driver with page tables of its own: 12 bits and four times 9.
struct table_driver : driver {
    static constexpr capabilities caps{.version = wddm::v3_2,
                                       .addresses = paging_addresses::gpu_virtual,
                                       .gpu_mmu = claim::yes,
                                       .page_tables = update_modes::cpu_virtual};
    static constexpr gpuva::page_table_geometry page_tables{.level_count = 4,
                                                            .levels = {{9, 8}, {9, 8}, {9, 8}, {9, 8}}};
};

}  // namespace

TEST_CASE("PGB-04 PGB-06 OP00-01 OP00-02 OP00-03 OP08-01 ADL-05: the CPU refuses what a build refuses, in its words") {
    seeded_numbers random(6);
    watched_memory<3> memory(random);
    content const before = memory.bytes_now;
    guarded_mdl list(4);
    for (malformed const& m : requests) {
        CAPTURE(m.name);
        arguments args = of(paging_operation::transfer);
        args.Transfer.Source.SegmentId = memory_id;
        args.Transfer.Source.SegmentAddress.QuadPart = memory_base;
        args.Transfer.Destination.pMdl = list.make(numbers_of({5, 6, 9, 8}));
        args.Transfer.TransferSize = 2 * 4096;
        args.Transfer.Flags.AllocationIsIdle = 1;
        m.breaks(args);
        for (disposition const answer : {disposition::stop, disposition::dropped}) {
            driver hw;
            gpu built;
            hw.answer = built.answer = answer;
            arguments on_cpu = args;
            cpu_answer const got = execute_on_cpu(hw, memory, on_cpu, cpu_moment::at_build);
            u32 words[64];
            arguments on_gpu = args;
            on_gpu.pDmaBuffer = words;
            on_gpu.DmaSize = sizeof words;
            ntstatus const said = build_paging_buffer(built, on_gpu);
            CHECK(hw.faults == 1);
            CHECK(built.faults == 1);
            CHECK(hw.last.operation == m.operation);
            CHECK(hw.last.rule == m.rule);
            CHECK(built.last.rule == m.rule);
            CHECK(hw.last.value == built.last.value);
            CHECK(hw.last.limit == built.last.limit);
            CHECK(got.what == (said == status::success ? cpu_outcome::done : cpu_outcome::refused));
            CHECK(got.what ==
                  (answer == disposition::dropped && harmless(m.rule) ? cpu_outcome::done : cpu_outcome::refused));
            CHECK(on_cpu.MultipassOffset == args.MultipassOffset);
        }
    }
    CHECK(memory.calls == 0);
    CHECK((memory.bytes_now == before));
}

/// Mappings of segments and system pages alone.
struct without_virtual_mappings : watched_memory<3> {
    using watched_memory::watched_memory;
    static constexpr u32 map_virtual = 0;
};

TEST_CASE("PGB-22: an operation that the mapping functions or the header have nothing for is not the CPU's") {
    seeded_numbers random(7);
    without_virtual_mappings memory(random);
    driver hw;
    for (u32 const operation : {8u, 9u}) {
        arguments args = virtual_transfer(0, 8192, 4096);
        args.Operation = operation;
        CHECK(execute_on_cpu(hw, memory, args, cpu_moment::at_build).what == cpu_outcome::not_mine);
    }
    watched_memory<3> whole(random);
    for (u32 const operation : {8u, 9u}) {
        mirror::vista::dxgkarg_buildpagingbuffer args{};
        args.Operation = operation;
        CHECK(execute_on_cpu(hw, whole, args, cpu_moment::at_build).what == cpu_outcome::not_mine);
    }
    CHECK(hw.faults == 0);
    CHECK(memory.calls + whole.calls == 0);
}

TEST_CASE("CHK-15: the CPU maps no address behind the last one that the driver's page tables translate") {
    constexpr u64 space_end = u64{1} << 48;
    static_assert(process_base < space_end / 2);
    seeded_numbers random(7);
    watched_memory<3> memory(random);
    content const before = memory.bytes_now;
    // One page behind the end, and an address whose low 48 bits are good again.
    for (u64 const from : {space_end - process_base - 4096, space_end}) {
        for (arguments args : {virtual_transfer(from, 0, 8192), virtual_transfer(0, from, 8192)}) {
            table_driver hw;
            CHECK(execute_on_cpu(hw, memory, args, cpu_moment::at_build).what == cpu_outcome::refused);
            CHECK(hw.faults == 1);
            CHECK(hw.last.rule == paging_rule::address_wraps);
            driver without_tables;
            CHECK(execute_on_cpu(without_tables, memory, args, cpu_moment::at_build).what != cpu_outcome::refused);
        }
    }
    CHECK((memory.bytes_now == before));
}

}  // namespace refusal_test
