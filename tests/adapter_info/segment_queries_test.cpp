// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "described_gpu.hpp"

#include <doctest/doctest.h>

#include <initializer_list>

namespace segment_queries_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

using enum adapter_query;
namespace now = mirror::v3_2;

/// A driver of one version with the table that every form can express.
template <wddm Version>
gpu_of<Version> plain_gpu() {
    gpu_of<Version> gpu{};
    gpu.tables[0] = plain_table;
    return gpu;
}

template <class Binding, wddm Version, class Output>
void expect_two_calls(adapter_query type) {
    auto const gpu = plain_gpu<Version>();
    typename Binding::querysegmentin input{};
    Output out{};
    REQUIRE(ask<Version>(gpu, type, input, out) == query_answered);
    REQUIRE(out.NbSegment == 2);
    meta::bare<decltype(*out.pSegmentDescriptor)> array[2]{};
    out.pSegmentDescriptor = array;
    REQUIRE(ask<Version>(gpu, type, input, out) == query_answered);
    CHECK(out.PagingBufferSize == 0x3'5000);
    CHECK(out.PagingBufferPrivateDataSize == 0x77);
    CHECK(array[0].Size == 512 * mib.n);
    CHECK(array[1].Size == 3 * gib.n);
    CHECK(array[1].Flags.Value == (0x404u & named_flags(Version)));
    CHECK(refuses_wrong_memory<Version, typename Binding::querysegmentin, Output>(gpu, type, input));
}

template <class Binding, wddm Version>
void expect_form4() {
    auto const gpu = plain_gpu<Version>();
    typename Binding::querysegmentin4 input{0};
    typename Binding::querysegmentout4 out{};
    REQUIRE(ask<Version>(gpu, querysegment4, input, out) == query_answered);
    REQUIRE(out.NbSegment == 2);
    typename Binding::segmentdescriptor4 array[2]{};
    out.pSegmentDescriptor = reinterpret_cast<u8*>(array);
    out.SegmentDescriptorStride = sizeof array[0];
    REQUIRE(ask<Version>(gpu, querysegment4, input, out) == query_answered);
    CHECK(out.PagingBufferSegmentId == 1);
    CHECK(array[0].CommitLimit == 300 * mib.n);
    CHECK(static_cast<u64>(array[1].CpuTranslatedAddress.QuadPart) == memory_cpu);
    CHECK(refuses_wrong_memory<Version, typename Binding::querysegmentin4, typename Binding::querysegmentout4>(
        gpu, querysegment4, input));
}

}  // namespace

TEST_CASE("SEG-04: the adapter answers every form that its header has, and passes on the others") {
    for_each_version([]<wddm Version>() {
        using binding = mirror_binding<Version>;
        CAPTURE(static_cast<u32>(Version));
        expect_two_calls<binding, Version, typename binding::querysegmentout>(querysegment);
        unsigned char memory[64] = {};
        auto const gpu = plain_gpu<Version>();
        auto const passed_on = [&](adapter_query type) {
            query_answer const answer = ask<Version>(gpu, type, memory, memory);
            return answer.what == query_outcome::not_mine && answer.reason == query_reason::not_in_header;
        };
        if constexpr (present<typename binding::querysegmentout3>) {
            expect_two_calls<binding, Version, typename binding::querysegmentout3>(querysegment3);
        } else {
            CHECK(passed_on(querysegment3));
        }
        if constexpr (present<typename binding::querysegmentout4>) {
            expect_form4<binding, Version>();
        } else {
            CHECK(passed_on(querysegment4));
        }
        CHECK(passed_on(segmentmemorystate) == (Version < wddm::v2_0));
        CHECK(passed_on(uefiframebufferranges) == (Version < wddm::v2_2));
        CHECK(passed_on(querysegment5) == (Version < wddm::v3_2));
        CHECK(passed_on(querysegmentcount) == (Version < wddm::v3_2));
        CHECK(passed_on(querypagingbufferinfo) == (Version < wddm::v3_2));
    });
}

TEST_CASE("SEG-04: forms 1 and 3 know no link, and tell of the first physical adapter's segments") {
    gpu_of<wddm::v3_2> gpu = plain_gpu<wddm::v3_2>();
    gpu.link = 2;
    entry one[] = {visible_row};
    one[0].id = {1};
    gpu.tables[1] = {{one, 1}, {nullptr, 0}, {0}};
    now::dxgk_querysegmentin input{};
    now::dxgk_querysegmentout out{};
    REQUIRE(ask(gpu, querysegment, input, out) == query_answered);
    CHECK(out.NbSegment == 2);
    now::dxgk_querysegmentout3 out3{};
    REQUIRE(ask(gpu, querysegment3, input, out3) == query_answered);
    CHECK(out3.NbSegment == 2);
}

TEST_CASE("SEG-02: form 5 is counted by its own query; each physical adapter of a link has its table") {
    described_gpu gpu{};
    gpu.link = 2;
    entry three[] = {aperture_row, visible_row, visible_row};
    three[2].id = {3};
    gpu.tables[1] = {{three, 3}, {nullptr, 0}, {1}};
    for (u16 index : {u16{0}, u16{1}}) {
        CAPTURE(index);
        now::dxgk_querysegmentcountin which{index, 0, 0};
        now::dxgk_querysegmentcountout count{};
        REQUIRE(ask(gpu, querysegmentcount, which, count) == query_answered);
        CHECK(count.SegmentCount == 2 + index);
        now::dxgk_querysegmentin5 input{index, 0, 0};
        now::dxgk_segmentdescriptor5 array[3]{};
        now::dxgk_querysegmentout5 out{array, {}};
        REQUIRE(ask(gpu, querysegment5, input, out) == query_answered);
        CHECK(array[1].Size == (index == 0 ? 5 : 3) * gib.n);
        CHECK(array[2].Size == (index == 0 ? 0 : 3 * gib.n));
        mirror::v2_0::dxgk_querysegmentin4 input4{index};
        mirror::v2_0::dxgk_querysegmentout4 out4{};
        REQUIRE(ask(gpu, querysegment4, input4, out4) == query_answered);
        CHECK(out4.NbSegment == 2 + u32{index});
    }
    now::dxgk_querysegmentcountin none{2, 0, 0};
    now::dxgk_querysegmentcountout count{};
    CHECK(why(ask(gpu, querysegmentcount, none, count)) == query_reason::no_such_adapter);
    mirror::v2_0::dxgk_querysegmentin4 none4{0x1'0000};  // a UINT in form 4, whose low word is 0
    mirror::v2_0::dxgk_querysegmentout4 out4{};
    CHECK(why(ask(gpu, querysegment4, none4, out4)) == query_reason::no_such_adapter);
    now::dxgk_querysegmentin5 none5{2, 0, 0};
    now::dxgk_querysegmentout5 out5{};
    CHECK(why(ask(gpu, querysegment5, none5, out5)) == query_reason::no_such_adapter);
    CHECK(refuses_wrong_memory<wddm::v3_2, now::dxgk_querysegmentcountin, now::dxgk_querysegmentcountout>(
        gpu, querysegmentcount, {}));
    CHECK(refuses_wrong_memory<wddm::v3_2, now::dxgk_querysegmentin5, now::dxgk_querysegmentout5>(gpu, querysegment5,
                                                                                                  {}));
}

TEST_CASE("SEG-41: the size of paging buffers is told by its own query too, and is no smaller than one command needs") {
    described_gpu const gpu{};
    now::dxgk_querypagingbufferinfoin input{0, 0};
    now::dxgk_querypagingbufferinfoout out{};
    REQUIRE(ask(gpu, querypagingbufferinfo, input, out) == query_answered);
    CHECK(out.PagingBufferSize == 0x3'5000);
    CHECK(out.PagingBufferPrivateDataSize == 0x77);
    CHECK(out.PagingBufferSize >= smallest_paging_buffer<described_gpu>.n);
    input.PhysicalAdapterIndex = 1;
    CHECK(why(ask(gpu, querypagingbufferinfo, input, out)) == query_reason::no_such_adapter);
    CHECK(refuses_wrong_memory<wddm::v3_2, now::dxgk_querypagingbufferinfoin, now::dxgk_querypagingbufferinfoout>(
        gpu, querypagingbufferinfo, {}));
    struct says_nothing : examples::cpu::virtual_processor<everything_claimed(wddm::v3_2)> {};
    CHECK(adapter_info::detail::paging_buffer_size_of<says_nothing>() == 64 * kib);
    CHECK(adapter_info::detail::paging_private_data_size_of<says_nothing>() == bytes{0});
}

TEST_CASE("AMB-43: the memory state is taken from the output where that is large enough, else from the input") {
    described_gpu const gpu{};
    using state = mirror::v2_2::dxgk_querysegmentmemorystate;
    mirror::v2_0::dxgk_memoryrange ranges[2] = {};
    state asked{2, 0, {2}, ranges};
    state other{1, 0, {0}, nullptr};
    u32 const size = sizeof(state);
    CHECK(ask_raw(gpu, segmentmemorystate, nullptr, 0, &asked, size) == query_answered);
    CHECK(ranges[1].SegmentOffset == 0x20'0000);
    ranges[1].SegmentOffset = 0;
    CHECK(ask_raw(gpu, segmentmemorystate, &asked, size, nullptr, 0) == query_answered);
    CHECK(ranges[1].SegmentOffset == 0x20'0000);
    ranges[1].SegmentOffset = 0;
    CHECK(ask_raw(gpu, segmentmemorystate, &asked, size, &other, size - 1) == query_answered);
    CHECK(ranges[1].SegmentOffset == 0x20'0000);
    CHECK(why(ask_raw(gpu, segmentmemorystate, &asked, size, &other, size)) == query_reason::no_such_segment);
    CHECK(why(ask_raw(gpu, segmentmemorystate, nullptr, 0, nullptr, 0)) == query_reason::input_missing);
    CHECK(why(ask_raw(gpu, segmentmemorystate, &asked, size - 1, &other, size - 1)) == query_reason::input_size);
    state elsewhere{2, 1, {2}, ranges};
    CHECK(why(ask_raw(gpu, segmentmemorystate, nullptr, 0, &elsewhere, size)) == query_reason::no_such_adapter);
    state frame_buffer{2, 0, {1}, ranges};
    CHECK(ask_raw(gpu, uefiframebufferranges, nullptr, 0, &frame_buffer, size) == query_answered);
    CHECK(ranges[0].SizeInBytes == 0x10'0000);
}

TEST_CASE("SEG-01: queries that are not of this kind go to the driver's own switch") {
    described_gpu const gpu{};
    u32 memory = 0;
    u32 ours = 0;
    for (u32 type = 0; type < 64; ++type) {
        query_answer const answer = ask_raw(gpu, static_cast<adapter_query>(type), nullptr, 0, nullptr, 0);
        ours += answer.done() ? 1u : 0u;
        CHECK((answer.done() || answer.reason == query_reason::unknown_type));
    }
    CHECK(ours == 23);
    CHECK_FALSE(ask(gpu, static_cast<adapter_query>(0), memory).done());
    CHECK_FALSE(ask(gpu, static_cast<adapter_query>(4), memory).done());
    CHECK_FALSE(ask(gpu, static_cast<adapter_query>(~0u), memory).done());
}

}  // namespace segment_queries_test
