// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "patch_lists.hpp"

#include <doctest/doctest.h>

#include <cstring>

#include "../base/expect_both.hpp"

namespace patched_packet_test {

using namespace wddmcore;
using namespace wddmcore::testing;
using namespace wddmcore::preemption;

TEST_CASE("SPL-10: the segment id of an allocation-list entry is bits 1 to 5, mask 0x3E") {
    for (u32 segment = 0; segment < 32; ++segment) {
        entry one = entry_of(nullptr, segment, 0);
        one.WriteOperation = 1;
        u32 word = 0;
        std::memcpy(&word, reinterpret_cast<char const*>(&one) + sizeof(void*), sizeof word);
        CHECK(((word & 0x3E) >> 1) == segment);
        CHECK(preemption::detail::segment_id_of(one) == segment_id{segment});
    }
}

TEST_CASE("SPL-08: a portion's address is the whole buffer's plus its start, and both requests say the same") {
    using mirror::v2_0::dxgkarg_patch;
    using mirror::v2_0::dxgkarg_submitcommand;
    constexpr auto patched = [] {
        dxgkarg_patch args{};
        args.DmaBufferSegmentId = 2;
        args.DmaBufferPhysicalAddress = {.QuadPart = 0x7000};
        args.DmaBufferSize = 0x100;
        args.DmaBufferSubmissionStartOffset = 0x40;
        args.DmaBufferSubmissionEndOffset = 0x80;
        args.SubmissionFenceId = 77;
        return args;
    };
    constexpr auto submitted = [](auto change) {
        dxgkarg_submitcommand args{};
        args.DmaBufferSegmentId = 2;
        args.DmaBufferPhysicalAddress = {.QuadPart = 0x7000};
        args.DmaBufferSize = 0x100;
        args.DmaBufferSubmissionStartOffset = 0x40;
        args.DmaBufferSubmissionEndOffset = 0x80;
        args.SubmissionFenceId = 77;
        change(args);
        return args;
    };
    expect_both(portion_address(patched()) == checked<u64>{0x7040, true});
    expect_both(portion_address(submitted([](auto&) {})) == checked<u64>{0x7040, true});
    expect_both(!portion_address(submitted([](auto& a) { a.DmaBufferPhysicalAddress = {.QuadPart = -1}; })).ok);
    expect_both(window_of(patched()) == packet_window{0x40, 0x80});
    expect_both(describe_one_packet(patched(), submitted([](auto&) {})));
    expect_both(!describe_one_packet(patched(), submitted([](auto& a) { a.DmaBufferSubmissionStartOffset = 0; })));
    expect_both(!describe_one_packet(patched(), submitted([](auto& a) { a.DmaBufferSubmissionEndOffset = 0x100; })));
    expect_both(!describe_one_packet(patched(), submitted([](auto& a) { a.DmaBufferSize = 0x80; })));
    expect_both(!describe_one_packet(patched(), submitted([](auto& a) { a.DmaBufferSegmentId = 0; })));
    expect_both(
        !describe_one_packet(patched(), submitted([](auto& a) { a.DmaBufferPhysicalAddress = {.QuadPart = 0x7040}; })));
}

TEST_CASE("SPL-14: the fence ids of a packet's patch and submit requests are equal") {
    mirror::vista::dxgkarg_patch patched{};
    mirror::win8::dxgkarg_submitcommand submitted{};
    patched.SubmissionFenceId = submitted.SubmissionFenceId = 5;
    CHECK(describe_one_packet(patched, submitted));
    submitted.SubmissionFenceId = 6;
    CHECK(!describe_one_packet(patched, submitted));
}

}  // namespace patched_packet_test
