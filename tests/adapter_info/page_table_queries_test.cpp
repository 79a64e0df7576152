// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "described_gpu.hpp"

#include <doctest/doctest.h>

#include <initializer_list>

namespace page_table_queries_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

constexpr auto gpummucaps = adapter_query::gpummucaps;
constexpr auto pagetableleveldesc = adapter_query::pagetableleveldesc;
constexpr auto pagingprocessgpuvasize = adapter_query::pagingprocessgpuvasize;

using mmu_in = mirror::v2_0::dxgk_querygpummucapsin;
using level_in = mirror::v2_0::dxgk_querypagetableleveldescin;
using level_out = mirror::v2_0::dxgk_page_table_level_desc;
using newest = mirror::v3_1::dxgk_gpummucaps;

/// A chosen driver whose MMU claim was decided to be no.
described_gpu without_page_tables() {
    described_gpu gpu{};
    gpu.chosen.gpu_mmu = claim::no;
    gpu.chosen.page_tables = update_modes::none;
    return gpu;
}

/// One whose tables of processes, or of the paging process, lie in a segment of one's choice.
struct gpu_with_tables_in : described_gpu {
    gpuva::page_table_segments segments_of_tables;
    gpuva::page_table_segments table_segments(u32) const { return segments_of_tables; }
};

query_reason reason_of_tables_in(u32 tables, u32 paging) {
    gpu_with_tables_in gpu{{}, gpuva::every_level_in(segment_id{tables}, segment_id{paging})};
    gpu.chosen.page_tables = update_modes::gpu_physical;
    level_in asked{0, 0};
    level_out description{};
    query_answer const answer = ask(gpu, pagetableleveldesc, asked, description);
    CHECK((description.PageTableSizeInBytes != 0) == (answer == query_answered));
    return why(answer);
}

/// One whose tables lie where the CPU cannot reach them.
struct unreachable_gpu : described_gpu {
    entry rows[2] = {aperture_row, visible_row};
    unreachable_gpu() {
        rows[1].flags = {};
        tables[0] = {{rows, 2}, {nullptr, 0}, {1}};
    }
};

}  // namespace

TEST_CASE("GVA-35: GPUMMUCAPS of every version names the mode that was chosen") {
    for_each_version([]<wddm Version>() {
        CAPTURE(static_cast<u32>(Version));
        using caps_type = typename mirror_binding<Version>::gpummucaps;
        gpu_of<Version> gpu{};
        mmu_in of{0};
        if constexpr (present<caps_type>) {
            caps_type caps;
            std::memset(&caps, 0xFF, sizeof caps);
            caps_type wanted{};
            gpuva::gpu_mmu_capabilities claims = gpu_of<Version>::mmu_caps;
            claims.mode = gpuva::update_mode::gpu_virtual;
            gpuva::fill_gpu_mmu_caps(gpu_of<Version>::page_tables, claims, Version, wanted);
            CHECK(ask<Version>(gpu, gpummucaps, of, caps) == query_answered);
            CHECK(std::memcmp(&caps, &wanted, sizeof caps) == 0);
            CHECK(caps.PageTableUpdateMode == 1);
            gpu.chosen.page_tables = update_modes::gpu_physical;
            CHECK(ask<Version>(gpu, gpummucaps, of, caps) == query_answered);
            CHECK(caps.PageTableUpdateMode == 2);
            gpu.chosen.page_tables = update_modes::cpu_virtual;
            CHECK(ask<Version>(gpu, gpummucaps, of, caps) == query_answered);
            CHECK(caps.PageTableUpdateMode == 0);
        } else {
            CHECK(ask<Version>(gpu, gpummucaps, of, of).reason == query_reason::not_in_header);
        }
    });
}

TEST_CASE("GVA-35: a driver that chose to have no page tables refuses, as not supported") {
    described_gpu const gpu = without_page_tables();
    mmu_in of{0};
    newest caps{};
    level_in level{0, 0};
    level_out description{};
    u32 adapter = 0;
    u32 size = 7;
    query_answer const refusal{query_outcome::refused, status::not_supported, query_reason::not_claimed};
    CHECK(ask(gpu, gpummucaps, of, caps) == refusal);
    CHECK(ask(gpu, pagetableleveldesc, level, description) == refusal);
    CHECK(ask(gpu, pagingprocessgpuvasize, adapter, size) == refusal);
    CHECK(size == 7);
}

TEST_CASE("GVA-38: each level is described by its own index, and no other exists") {
    described_gpu gpu{};
    gpu.link = 2;
    u16 const levels = static_cast<u16>(described_gpu::page_tables.level_count);
    for (u16 index = 0; index < levels; ++index) {
        CAPTURE(index);
        level_in asked{index, 1};
        level_out description{};
        REQUIRE(ask(gpu, pagetableleveldesc, asked, description) == query_answered);
        CHECK(description.PageTableIndexBitCount == described_gpu::page_tables.levels[index].index_bits);
        CHECK(description.PageTableSegmentId == 2);
        CHECK(description.PagingProcessPageTableSegmentId == 2);
        CHECK(description.PageTableSizeInBytes == gpuva::table_bytes(described_gpu::page_tables, index).n);
    }
    level_out untouched{};
    level_in none{levels, 0};
    CHECK(why(ask(gpu, pagetableleveldesc, none, untouched)) == query_reason::no_such_level);
    level_in elsewhere{0, 2};
    CHECK(why(ask(gpu, pagetableleveldesc, elsewhere, untouched)) == query_reason::no_such_adapter);
    CHECK(untouched.PageTableSizeInBytes == 0);
    CHECK(refuses_wrong_memory<wddm::v3_2, level_in, level_out>(gpu, pagetableleveldesc, level_in{0, 0}));
    CHECK(refuses_wrong_memory<wddm::v3_2, mmu_in, newest>(gpu, gpummucaps, mmu_in{0}));
    mmu_in other{2};
    newest caps{};
    CHECK(why(ask(gpu, gpummucaps, other, caps)) == query_reason::no_such_adapter);
}

TEST_CASE("GVA-40: tables of the paging process out of the CPU's reach are not described") {
    unreachable_gpu const gpu;
    level_in asked{0, 0};
    level_out description{};
    CHECK(why(ask(gpu, pagetableleveldesc, asked, description)) == query_reason::inconsistent);
    CHECK(description.PageTableSizeInBytes == 0);
}

TEST_CASE("SEG-10: page tables in an aperture, or in a segment that is not reported, are not described (SEG-05)") {
    CHECK(reason_of_tables_in(2, 2) == query_reason::none);
    CHECK(reason_of_tables_in(1, 2) == query_reason::inconsistent);
    CHECK(reason_of_tables_in(2, 1) == query_reason::inconsistent);
    CHECK(reason_of_tables_in(9, 2) == query_reason::inconsistent);
    CHECK(reason_of_tables_in(2, 9) == query_reason::inconsistent);
    CHECK(reason_of_tables_in(31, 2) == query_reason::inconsistent);
}

TEST_CASE("GVA-06: page tables in system memory are described while they have at most 4096 bytes") {
    static_assert(gpuva::table_bytes(described_gpu::page_tables, 0).n == 4096);
    CHECK(reason_of_tables_in(0, 0) == query_reason::none);
}

TEST_CASE("GVA-07: directories in local memory are not described to a driver that chose CPU-virtual updates") {
    described_gpu gpu{};
    gpu.chosen.page_tables = update_modes::cpu_virtual;
    level_in asked{0, 0};
    level_out description{};
    CHECK(why(ask(gpu, pagetableleveldesc, asked, description)) == query_reason::inconsistent);
}

TEST_CASE("CHK-01: the paging space is asked for with exactly one UINT each way, by the adapter's index") {
    described_gpu gpu{};
    u32 adapter = 0;
    u32 size = 0;
    CHECK(refuses_wrong_memory<wddm::v3_2, u32, u32>(gpu, pagingprocessgpuvasize, 0));
    u64 wide = 0;
    CHECK(why(ask_raw(gpu, pagingprocessgpuvasize, &wide, 8, &size, 4)) == query_reason::input_size);
    CHECK(why(ask_raw(gpu, pagingprocessgpuvasize, &adapter, 4, &wide, 8)) == query_reason::output_size);
    adapter = 1;
    CHECK(why(ask(gpu, pagingprocessgpuvasize, adapter, size)) == query_reason::no_such_adapter);
    gpu.link = 2;
    CHECK(ask(gpu, pagingprocessgpuvasize, adapter, size) == query_answered);
}

TEST_CASE("CHK-02: 0 leaves the size to the system") {
    described_gpu const gpu{};
    u32 adapter = 0;
    u32 size = 99;
    CHECK(ask(gpu, pagingprocessgpuvasize, adapter, size) == query_answered);
    CHECK(size == 0);
}

TEST_CASE("CHK-03: megabytes, also where they are 4 GiB and more") {
    described_gpu gpu{};
    gpu.space = {.largest_local_segment = 16 * gib, .whole = 4 * gib};
    u32 adapter = 0;
    u32 size = 0;
    CHECK(ask(gpu, pagingprocessgpuvasize, adapter, size) == query_answered);
    // 4 levels of 9 bits: 4 GiB in one piece do not fit the system's own choice of 4 GiB, whose start is taken.
    CHECK(size == gpuva::paging_process_space(described_gpu::page_tables, gpu.space).answer.n);
    CHECK(size > 4096);
    CHECK(size < 4200);
}

}  // namespace page_table_queries_test
