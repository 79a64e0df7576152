// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "query_samples.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <initializer_list>
#include <vector>

#include "../base/expect_both.hpp"

namespace query_segment4_test {

using namespace wddmcore;
using namespace wddmcore::testing;
using segment::query_subject;

namespace {

namespace now = mirror::v3_2;
using descriptor = now::dxgk_segmentdescriptor4;

constexpr query_subject plain_subject{plain_table, wddm::v3_2, sample_sizes};
constexpr query_subject window_subject{window_table, wddm::v3_2, sample_sizes};

constexpr query_reason why(query_answer const& answer) {
    return answer.what == query_outcome::refused && answer.status == status::invalid_parameter ? answer.reason
                                                                                               : query_reason::none;
}

/// The descriptor of the first public header of WDDM 2.0: 88 bytes, without VprReserveSize.
struct first_descriptor4 {
    now::dxgk_segmentflags Flags;
    mirror::vista::large_integer BaseAddress;
    usize Size;
    usize CommitLimit;
    usize SystemMemoryEndAddress;
    union {
        mirror::vista::large_integer CpuTranslatedAddress;
        now::dxgk_cpuhostaperture CpuHostAperture;
    };
    u32 NumInvalidMemoryRanges;
    usize VprRangeStartOffset;
    usize VprRangeSize;
    u32 VprAlignment;
    u32 NumVprSupported;
};
static_assert(sizeof(first_descriptor4) == 88);

/// The array of a system whose elements have a stride, guarded by a pattern before, between and behind.
struct strided {
    static constexpr u8 pattern = 0xC7;
    usize stride;
    std::vector<u8> bytes_of;
    now::dxgk_querysegmentout4 out{};

    explicit strided(usize bytes_apart) : stride(bytes_apart), bytes_of(16 + 2 * bytes_apart + 16, pattern) {
        out.NbSegment = 2;
        out.pSegmentDescriptor = bytes_of.data() + 16;
        out.SegmentDescriptorStride = stride;
    }
    [[nodiscard]] u8 const* element(usize index) const { return bytes_of.data() + 16 + index * stride; }
    [[nodiscard]] bool is_untouched(usize from, usize to) const {
        bool all = true;
        for (usize i = from; i < to; ++i) {
            all = all && bytes_of[i] == pattern;
        }
        return all;
    }
};

/// Both elements hold the first bytes of what a whole descriptor would be, and no byte behind is touched.
void expect_elements(strided const& array, segment::view const& table) {
    usize const written = array.stride < sizeof(descriptor) ? array.stride : sizeof(descriptor);
    for (usize i = 0; i < 2; ++i) {
        CAPTURE(i);
        auto const whole = segment::detail::make_descriptor<descriptor>(table.reported.data[i], wddm::v3_2, {});
        // Padding has no value: members are compared up to the shortest stride, the rest where there is none.
        descriptor found = whole;
        std::memcpy(&found, array.element(i), written);
        CHECK(found.Flags.Value == whole.Flags.Value);
        CHECK(found.BaseAddress.QuadPart == whole.BaseAddress.QuadPart);
        CHECK(found.Size == whole.Size);
        CHECK(found.CommitLimit == whole.CommitLimit);
        CHECK(found.CpuHostAperture.PhysicalAddress == whole.CpuHostAperture.PhysicalAddress);
        CHECK(found.NumInvalidMemoryRanges == whole.NumInvalidMemoryRanges);
        CHECK(found.VprRangeSize == whole.VprRangeSize);
        CHECK(found.VprReserveSize == whole.VprReserveSize);
        CHECK(found.NumUEFIFrameBufferRanges == whole.NumUEFIFrameBufferRanges);
        CHECK(array.is_untouched(16 + i * array.stride + written, 16 + (i + 1) * array.stride));
    }
    CHECK(array.is_untouched(0, 16));
    CHECK(array.is_untouched(16 + 2 * array.stride, array.bytes_of.size()));
}

}  // namespace

TEST_CASE("SEG-01: the first call of form 4 looks at no other member") {
    now::dxgk_querysegmentout4 out;
    now::dxgk_querysegmentout4 before;
    std::memset(&out, 0x5A, sizeof out);
    out.NbSegment = 0;
    std::memcpy(&before, &out, sizeof out);  // pointer and stride are rubbish
    CHECK(segment::answer_query_segment4<descriptor>(window_subject, out) == query_answered);
    before.NbSegment = 2;
    CHECK(std::memcmp(&before, &out, sizeof out) == 0);
}

TEST_CASE("SEG-03: elements are walked with the system's stride, and the rest of a longer one is left alone") {
    for (usize stride : {88u, 92u, 96u, 104u, 200u}) {
        CAPTURE(stride);
        strided array(stride);
        REQUIRE(segment::answer_query_segment4<descriptor>(window_subject, array.out) == query_answered);
        expect_elements(array, window_table);
        CHECK(array.out.PagingBufferSegmentId == 1);
        CHECK(array.out.PagingBufferSize == 0x3'5000);
        CHECK(array.out.PagingBufferPrivateDataSize == 0x77);
        CHECK(array.out.SegmentDescriptorStride == stride);
    }
}

TEST_CASE("SEG-03: an element may end before the holes where there are none") {
    for (usize stride : {56u, 60u, 87u}) {
        CAPTURE(stride);
        strided array(stride);
        REQUIRE(segment::answer_query_segment4<descriptor>(plain_subject, array.out) == query_answered);
        expect_elements(array, plain_table);
        // Cutting off that memory has holes, or is protected, would be a lie.
        strided cut(stride);
        CHECK(why(segment::answer_query_segment4<descriptor>(window_subject, cut.out)) ==
              query_reason::form_cannot_express);
        CHECK(cut.is_untouched(0, cut.bytes_of.size()));
    }
}

TEST_CASE("SEG-03: an element that has no room for what every descriptor has is refused") {
    // NumInvalidMemoryRanges lies at 56 with 64-bit pointers.
    for (usize stride : {0u, 1u, 40u, 55u}) {
        CAPTURE(stride);
        strided array(stride);
        CHECK(why(segment::answer_query_segment4<descriptor>(plain_subject, array.out)) == query_reason::stride);
        CHECK(array.is_untouched(0, array.bytes_of.size()));
        CHECK(array.out.PagingBufferSize == 0);
    }
}

TEST_CASE("SEG-02: another count is refused by form 4, and nothing is written") {
    for (u32 count : {1u, 3u, ~0u}) {
        CAPTURE(count);
        strided array(96);
        array.out.NbSegment = count;
        CHECK(why(segment::answer_query_segment4<descriptor>(plain_subject, array.out)) == query_reason::count_changed);
        CHECK(array.is_untouched(0, array.bytes_of.size()));
        CHECK(array.out.NbSegment == count);
    }
    strided none(96);
    none.out.pSegmentDescriptor = nullptr;
    CHECK(why(segment::answer_query_segment4<descriptor>(plain_subject, none.out)) == query_reason::output_missing);
}

TEST_CASE("SEG-17: where the CPU reaches a segment is told in the member that its flag chooses") {
    constexpr auto behind = segment::detail::make_descriptor<descriptor>(window_row, wddm::v3_2, {});
    expect_both(behind.CpuHostAperture.PhysicalAddress == 0xE000'0000 && behind.CpuHostAperture.SizeInPages == 0x1234);
    constexpr auto visible = segment::detail::make_descriptor<descriptor>(visible_row, wddm::v3_2, {});
    expect_both(visible.CpuTranslatedAddress.QuadPart == i64{0x38'0000'0000});
    // The same storage: a BAR address beside a host aperture, or the other way round, is not mixed in.
    entry both = visible_row;
    both.host_aperture = {{0x1111'0000}, 7};
    auto const still_visible = segment::detail::make_descriptor<descriptor>(both, wddm::v3_2, {});
    CHECK(still_visible.CpuTranslatedAddress.QuadPart == i64{0x38'0000'0000});
    both = window_row;
    both.cpu = {0x2222'0000};
    auto const still_behind = segment::detail::make_descriptor<now::dxgk_segmentdescriptor5>(both, wddm::v3_2, {});
    CHECK(still_behind.CpuHostAperture.PhysicalAddress == 0xE000'0000);
    CHECK(still_behind.CpuHostAperture.SizeInPages == 0x1234);
}

TEST_CASE("SEG-32: protected memory is told member by member, also by the header without VprReserveSize") {
    constexpr auto made = segment::detail::make_descriptor<descriptor>(window_row, wddm::v3_2, {});
    expect_both(made.VprRangeStartOffset == 0x4000'0000 && made.VprRangeSize == 256 * mib.n);
    expect_both(made.VprAlignment == 0x1'0000 && made.NumVprSupported == 3 && made.VprReserveSize == 0x20'0000);
    expect_both(made.NumInvalidMemoryRanges == 2 && made.NumUEFIFrameBufferRanges == 1);
    constexpr auto first = segment::detail::make_descriptor<first_descriptor4>(window_row, wddm::v2_0, {});
    expect_both(first.VprRangeSize == 256 * mib.n && first.NumVprSupported == 3 && first.NumInvalidMemoryRanges == 2);
    strided array(88);
    CHECK(segment::answer_query_segment4<first_descriptor4>(window_subject, array.out) == query_answered);
}

TEST_CASE("SEG-11: form 4 tells of no AGP aperture, so its row is left out") {
    entry rows[] = {aperture_row, visible_row, old_rows[2]};
    now::dxgk_querysegmentout4 out{};
    CHECK(segment::answer_query_segment4<descriptor>({{{rows, 3}, {nullptr, 0}, {1}}, wddm::v2_0, sample_sizes}, out) ==
          query_answered);
    CHECK(out.NbSegment == 2);
}

TEST_CASE("SEG-03: an array that has a type is written in constant evaluation too") {
    constexpr auto written = [](u32 count) {
        struct typed_out {
            u32 NbSegment;
            descriptor* pSegmentDescriptor;
            u32 PagingBufferSegmentId, PagingBufferSize, PagingBufferPrivateDataSize;
            usize SegmentDescriptorStride;
        };
        descriptor array[2]{};
        typed_out out{count, array, 0, 0, 0, sizeof(descriptor)};
        query_answer const answer = segment::answer_query_segment4<descriptor>(window_subject, out);
        return answer == query_answered ? array[1] : descriptor{};
    };
    constexpr descriptor second = written(2);
    static_assert(second.CpuHostAperture.SizeInPages == 0x1234 && second.Size == 5 * gib.n);
    u32 const volatile two = 2;
    descriptor const at_run_time = written(two);
    CHECK(at_run_time.CpuHostAperture.SizeInPages == 0x1234);
    CHECK(at_run_time.Size == 5 * gib.n);
}

}  // namespace query_segment4_test
