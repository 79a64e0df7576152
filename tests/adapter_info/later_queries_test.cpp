// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "described_gpu.hpp"

#include <doctest/doctest.h>

#include <initializer_list>

namespace later_queries_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

using enum adapter_query;
namespace now = mirror::v3_2;

/// A type that says nothing about what is optional.
struct plain_gpu : examples::cpu::virtual_processor<everything_claimed(wddm::v3_2)> {
    static constexpr scheduling_capabilities scheduling{.multi_engine_aware = claim::yes};
    static constexpr preemption_engine engines[] = {{.other = {other_preemption_granularity::none}}};
    static constexpr bool both_mmus_on_one_adapter = true;
    static constexpr gpuva::page_table_segments table_segments = gpuva::every_level_in(segment_id{0}, segment_id{0});
    capabilities chosen = chosen_at(wddm::v3_2);
    segment::view segments = plain_table;
};

}  // namespace

TEST_CASE("OP19-02: the MMUs of each physical adapter, their count by its own query") {
    described_gpu gpu{};
    gpu.link = 2;
    for (u16 index : {u16{0}, u16{1}}) {
        CAPTURE(index);
        now::dxgk_querymmucountin which{index, 0, 0};
        now::dxgk_querymmucountout count{0, 0xABCD, 0x1234};
        REQUIRE(ask(gpu, querymmucount, which, count) == query_answered);
        CHECK(count.MmuCount == 3 - index);
        CHECK(count.Padding == 0xABCD);
        now::dxgk_querymmusin input{index};
        now::dxgk_mmudescriptor array[3];
        std::memset(array, 0xFF, sizeof array);
        now::dxgk_querymmusout out{array, 0, 0, {}};
        REQUIRE(ask(gpu, querymmus, input, out) == query_answered);
        CHECK(out.DisplayMmuId == index + 1);
        CHECK(array[0].Flags.Value == 0);
        CHECK(array[0].Size == 1 * gib.n);
        CHECK(array[1].Size == 2 * gib.n);
        CHECK(array[2].Size == (index == 0 ? 5 * gib.n : ~u64{0}));
        out.MmuDescriptors = nullptr;
        CHECK(why(ask(gpu, querymmus, input, out)) == query_reason::output_missing);
    }
    now::dxgk_querymmusin none{2};
    now::dxgk_querymmusout out{};
    CHECK(why(ask(gpu, querymmus, none, out)) == query_reason::no_such_adapter);
    CHECK(refuses_wrong_memory<wddm::v3_2, now::dxgk_querymmusin, now::dxgk_querymmusout>(gpu, querymmus, {}));
    CHECK(refuses_wrong_memory<wddm::v3_2, now::dxgk_querymmucountin, now::dxgk_querymmucountout>(gpu, querymmucount,
                                                                                                  {}));
}

TEST_CASE("PGB-23: the scatter reserve is of local segments only") {
    described_gpu const gpu{};
    now::dxgk_queryscatterreservein input{2};
    now::dxgk_queryscatterreserveout out{};
    CHECK(ask(gpu, scatter_reserve, input, out) == query_answered);
    CHECK(out.SetVGPUResourcesPageSize == 0x2'0000);
    for (u32 id : {0u, 1u, 3u, ~0u}) {
        CAPTURE(id);
        input.SegmentId = id;
        CHECK(why(ask(gpu, scatter_reserve, input, out)) == query_reason::no_such_segment);
    }
    CHECK(refuses_wrong_memory<wddm::v3_2, now::dxgk_queryscatterreservein, now::dxgk_queryscatterreserveout>(
        gpu, scatter_reserve, {2}));
}

TEST_CASE("HWS-13: dirty bits, as they were claimed for scheduling") {
    described_gpu gpu{};
    now::dxgk_dirty_bit_tracking_caps caps;
    caps.Value = ~0u;
    CHECK(ask(gpu, dirtybittrackingcaps, caps) == query_answered);
    CHECK(caps.Value == 3);
    u32 segment = 2;
    now::dxgk_dirty_bit_tracking_segment_caps of_segment{};
    CHECK(ask(gpu, dirtybittrackingsegmentcaps, segment, of_segment) == query_answered);
    CHECK(of_segment.PageSize == 0x1'0000);
    // The page: STATUS_NOT_IMPLEMENTED for a segment without such data.
    gpu.dirty_page = 0;
    CHECK(ask(gpu, dirtybittrackingsegmentcaps, segment, of_segment).status == status::not_implemented);
    for (u32 wrong : {0x800u, 0x1800u, 1u}) {
        gpu.dirty_page = wrong;
        CHECK(why(ask(gpu, dirtybittrackingsegmentcaps, segment, of_segment)) == query_reason::inconsistent);
    }
    CHECK(of_segment.PageSize == 0x1'0000);
    segment = 1;
    CHECK(why(ask(gpu, dirtybittrackingsegmentcaps, segment, of_segment)) == query_reason::no_such_segment);
}

TEST_CASE("HWS-13: what a hardware type says nothing about is the driver's to answer") {
    plain_gpu const gpu{};
    unsigned char memory[64] = {};
    for (adapter_query const type : {querymmucount, querymmus, scatter_reserve, dirtybittrackingsegmentcaps,
                                     framebuffersavesize, hardwarereservedranges, hardwarereservedranges2}) {
        CAPTURE(static_cast<u32>(type));
        query_answer const answer = ask(gpu, type, memory, memory);
        CHECK(answer.what == query_outcome::not_mine);
        CHECK(answer.reason == query_reason::not_described);
    }
    now::dxgk_dirty_bit_tracking_caps caps;
    caps.Value = ~0u;
    CHECK(ask(gpu, dirtybittrackingcaps, caps) == query_answered);
    CHECK(caps.Value == 0);
    mirror::v2_9::dxgk_iommu_caps remapping;
    remapping.Value = ~0u;
    CHECK(ask(gpu, adapter_query::iommu_caps, remapping) == query_answered);
    CHECK(remapping.Value == 0);
}

}  // namespace later_queries_test
