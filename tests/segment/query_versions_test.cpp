// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "query_samples.hpp"

#include <doctest/doctest.h>

#include <initializer_list>

/// The same tables through every form that each interface version has, field by field.
namespace query_versions_test {

using namespace wddmcore;
using namespace wddmcore::testing;
using segment::query_subject;

namespace {

/// What all forms say alike.
template <class Descriptor>
void expect_common(Descriptor const& found, entry const& row, wddm version) {
    CHECK(found.Flags.Value == (row.flags.value & named_flags(version)));
    CHECK(static_cast<u64>(found.BaseAddress.QuadPart) == row.base.n);
    CHECK(found.Size == row.size.n);
}

template <class Descriptor>
void expect_plain(Descriptor const& found, entry const& row, wddm version) {
    expect_common(found, row, version);
    CHECK(static_cast<u64>(found.CpuTranslatedAddress.QuadPart) == row.cpu.n);
    CHECK(found.SystemMemoryEndAddress == 0);
}

/// What forms 4 and 5 say of a window row.
template <class Descriptor>
void expect_window(Descriptor const& found, wddm version) {
    expect_common(found, window_row, version);
    CHECK(found.CpuHostAperture.PhysicalAddress == 0xE000'0000);
    CHECK(found.CpuHostAperture.SizeInPages == 0x1234);
    CHECK(found.NumInvalidMemoryRanges == 2);
    CHECK(found.VprRangeStartOffset == 0x4000'0000);
    CHECK(found.VprRangeSize == 0x1000'0000);
    CHECK(found.VprAlignment == 0x1'0000);
    CHECK(found.NumVprSupported == 3);
    CHECK(found.VprReserveSize == 0x20'0000);
    if constexpr (requires { found.NumUEFIFrameBufferRanges; }) {
        CHECK(found.NumUEFIFrameBufferRanges == 1);
    }
}

template <class Output>
void expect_paging_buffer(Output const& out) {
    CHECK(out.NbSegment == 2);
    CHECK(out.PagingBufferSegmentId == 1);
    CHECK(out.PagingBufferSize == 0x3'5000);
    CHECK(out.PagingBufferPrivateDataSize == 0x77);
}

/// Both calls of form 1 or 3.
template <class Binding, class Output>
void expect_linear(wddm version) {
    using descriptor = meta::bare<decltype(*Output{}.pSegmentDescriptor)>;
    query_subject const subject{plain_table, version, sample_sizes};
    typename Binding::querysegmentin input{};
    Output out{};
    REQUIRE(segment::answer_query_segment(subject, input, out) == query_answered);
    REQUIRE(out.NbSegment == 2);
    descriptor array[2]{};
    out.pSegmentDescriptor = array;
    REQUIRE(segment::answer_query_segment(subject, input, out) == query_answered);
    expect_paging_buffer(out);
    for (u32 i = 0; i < 2; ++i) {
        CAPTURE(i);
        expect_common(array[i], plain_rows[i], version);
        CHECK(array[i].CommitLimit == plain_rows[i].commit_limit.n);
        CHECK(static_cast<u64>(array[i].CpuTranslatedAddress.QuadPart) == plain_rows[i].cpu.n);
        CHECK(array[i].NbOfBanks == 0);
        CHECK(array[i].pBankRangeTable == nullptr);
        if constexpr (requires { array[i].SystemMemoryEndAddress; }) {
            CHECK(array[i].SystemMemoryEndAddress == 0);
        }
    }
}

template <class Binding>
void expect_strided(wddm version) {
    using descriptor = typename Binding::segmentdescriptor4;
    for (segment::view const& table : {plain_table, window_table}) {
        query_subject const subject{table, version, sample_sizes};
        typename Binding::querysegmentout4 out{};
        REQUIRE(segment::answer_query_segment4<descriptor>(subject, out) == query_answered);
        REQUIRE(out.NbSegment == 2);
        descriptor array[2]{};
        out.pSegmentDescriptor = reinterpret_cast<u8*>(array);
        out.SegmentDescriptorStride = sizeof(descriptor);
        REQUIRE(segment::answer_query_segment4<descriptor>(subject, out) == query_answered);
        expect_paging_buffer(out);
        expect_plain(array[0], aperture_row, version);
        CHECK(array[0].CommitLimit == 300 * mib.n);
        CHECK(array[0].NumInvalidMemoryRanges == 0);
        if (table.reported.data == window_rows) {
            expect_window(array[1], version);
            CHECK(array[1].CommitLimit == 5 * gib.n);
        } else {
            expect_plain(array[1], visible_row, version);
            CHECK(array[1].CommitLimit == 3 * gib.n);
        }
    }
}

template <class Binding>
void expect_form5(wddm version) {
    for (segment::view const& table : {plain_table, window_table}) {
        typename Binding::querysegmentcountout count{0xFFFF, 0xABCD, 0x1234'5678};
        REQUIRE(segment::answer_query_segment_count(table, count) == query_answered);
        CHECK(count.SegmentCount == 2);
        CHECK(count.Padding == 0xABCD);
        CHECK(count.Reserved == 0x1234'5678);
        mirror::v3_2::dxgk_segmentdescriptor5 array[2]{};
        typename Binding::querysegmentout5 out{array, {}};
        REQUIRE(segment::answer_query_segment5({table, version, {}}, out) == query_answered);
        expect_plain(array[0], aperture_row, version);
        CHECK(array[0].SegmentType == 0);
        CHECK(array[0].SlabSize == 0);
        CHECK(array[1].SegmentType == 1);
        if (table.reported.data == window_rows) {
            expect_window(array[1], version);
            CHECK(array[1].SlabSize == 9);  // DXGK_PAGESIZE_2MB
        } else {
            expect_plain(array[1], visible_row, version);
        }
    }
}

}  // namespace

TEST_CASE("SEG-04: one table answers every form of every interface version, field by field") {
    u32 forms = 0;
    for_each_version([&]<wddm Version>() {
        using binding = mirror_binding<Version>;
        CAPTURE(static_cast<u32>(Version));
        static_assert(binding::version == Version);
        expect_linear<binding, typename binding::querysegmentout>(Version);
        ++forms;
        if constexpr (present<typename binding::querysegmentout3>) {
            expect_linear<binding, typename binding::querysegmentout3>(Version);
            ++forms;
        }
        if constexpr (present<typename binding::querysegmentout4>) {
            expect_strided<binding>(Version);
            ++forms;
        }
        if constexpr (present<typename binding::querysegmentout5>) {
            expect_form5<binding>(Version);
            ++forms;
        }
    });
    // Form 1: all 21 versions; form 3: the 18 from Windows 8; form 4: the 15 from WDDM 2.0; form 5: WDDM 3.2.
    CHECK(forms == 21 + 18 + 15 + 1);
}

TEST_CASE("SEG-22: flags of later versions than the driver registers with stay reserved") {
    entry every = visible_row;
    every.flags = {~0u};
    every.system_memory_end = {1};
    using newest = mirror::v3_2::dxgk_segmentdescriptor4;
    CHECK(segment::detail::make_descriptor<newest>(every, wddm::vista, {}).Flags.Value == 0x3FF);
    CHECK(segment::detail::make_descriptor<newest>(every, wddm::win7, {}).Flags.Value == 0x3FF);
    CHECK(segment::detail::make_descriptor<newest>(every, wddm::win8, {}).Flags.Value == 0x7FF);
    CHECK(segment::detail::make_descriptor<newest>(every, wddm::v1_3, {}).Flags.Value == 0x7FF);
    CHECK(segment::detail::make_descriptor<newest>(every, wddm::v2_0, {}).Flags.Value == 0x1F'FFFF);
    CHECK(segment::detail::make_descriptor<newest>(every, wddm::v2_8, {}).Flags.Value == 0x1F'FFFF);
    CHECK(segment::detail::make_descriptor<newest>(every, wddm::v2_9, {}).Flags.Value == 0x3F'FFFF);
    CHECK(segment::detail::make_descriptor<newest>(every, wddm::v3_2, {}).Flags.Value == 0x3F'FFFF);
}

}  // namespace query_versions_test
