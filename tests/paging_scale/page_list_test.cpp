// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "whole_job.hpp"

namespace page_list_test {

using namespace paging_scale;

namespace {

constexpr u64 first_page = 0x0012'3456'7003;  // of the one run that the list is; no memory is behind it
constexpr u64 va = 0x0123'0000'7000;

[[nodiscard]] arguments map_mmu(u32 count) {
    arguments args = request(paging_operation::map_mmu);
    args.MmapMmu.VirtualAddress = va;
    args.MmapMmu.MmuId = 7;
    args.MmapMmu.Adl.PageCount = count;
    args.MmapMmu.Adl.Flags.Contiguous = 1;
    args.MmapMmu.Adl.BasePageNumber = first_page;
    return args;
}

[[nodiscard]] arguments map_aperture() {
    arguments args = request(paging_operation::map_aperture_segment2);
    args.MapApertureSegment2.SegmentId = aperture_segment;
    args.MapApertureSegment2.NumberOfPages = most_listed_pages;
    args.MapApertureSegment2.Adl.PageCount = static_cast<u32>(most_listed_pages);
    args.MapApertureSegment2.Adl.Flags.Contiguous = 1;
    args.MapApertureSegment2.Adl.BasePageNumber = first_page;
    return args;
}

// Goes on from random tokens, and from those around the wrap of 32 and of 31 bits.
template <class Start>
void from_any_token(seeded_numbers& random, u64 count, Start const& start) {
    u64 const special[] = {0, 1, 0x7FFF'FFFE, 0x7FFF'FFFF, 0x8000'0000, count - 1, count - 2, count - 3000};
    for (u64 const token : special) {
        start(token);
    }
    for (u64 round = 0; round != 60 / testing::slow_build_factor; ++round) {
        start(random.below(count));
    }
}

}  // namespace

TEST_CASE("PGB-06 OP19-01 ADL-01: a contiguous list of 2^32 - 1 pages is mapped whole, in any buffers") {
    seeded_numbers random(seed_of_run());
    gpu hw;
    for (u32 round = 0; round != 3; ++round) {
        whole_job job{.most_dwords = 4000};
        expected map{0x80, va, first_page, most_listed_bytes, 7};
        CHECK(job.run<record_stream>(hw, map_mmu(0xFFFF'FFFF), map, random));
        CHECK(job.passes > 50);
    }
    whole_job job;
    expected unmap{0x81, va, 0, most_listed_bytes, 7};
    arguments args = request(paging_operation::unmap_mmu);
    args.UnmapMmu.VirtualAddress = va;
    args.UnmapMmu.MmuId = 7;
    args.UnmapMmu.NumberOfPages = 0xFFFF'FFFF;
    CHECK(job.run<record_stream>(hw, args, unmap, random));
    CHECK(hw.faults == 0);
}

TEST_CASE("PGB-05 PGB-06: a mapping resumes at any token, and from there no page is lost or repeated") {
    seeded_numbers random(seed_of_run());
    gpu hw;
    from_any_token(random, most_listed_pages, [&](u64 token) {
        CAPTURE(token);
        whole_job job;
        expected map{0x80, va, first_page, most_listed_bytes, 7, false, token * 4096};
        arguments args = map_mmu(0xFFFF'FFFF);
        args.MultipassOffset = static_cast<u32>(token);
        CHECK(job.run<record_stream>(hw, args, map, random));
    });
    CHECK(hw.faults == 0);
}

TEST_CASE("PGB-05 PGB-06 OP17-02 ADL-04: an aperture of 16 TiB less a page is mapped from any token, entry by entry") {
    seeded_numbers random(seed_of_run());
    gpu hw;
    from_any_token(random, most_listed_pages, [&](u64 token) {
        CAPTURE(token);
        whole_job job{.most_dwords = 4000};
        // Segment 1 and no coherency in the word; entry k is page k of the one run.
        expected map{5, 0, first_page, most_listed_bytes, aperture_segment, false, token * 4096};
        arguments args = map_aperture();
        args.MultipassOffset = static_cast<u32>(token);
        bool const whole = job.run<record_stream>(hw, args, map, random, 20);
        // Twenty passes write at most 10,000 entries: only who begins near the end comes to it.
        CHECK((whole || token + 10'000 < most_listed_pages || job.passes == 20));
        CHECK((!whole || token + 10'000 >= most_listed_pages));
    });
    CHECK(hw.faults == 0);
}

TEST_CASE("NTF-14 PGB-06: a notice of exactly 16 TiB is counted in blocks: each block once, in any buffers") {
    seeded_numbers random(seed_of_run());
    gpu hw;
    constexpr u64 place = 0x0123'0001'0000;
    for (u64 const size : {16 * tebibyte, 16 * tebibyte - 4096, 200 * tebibyte}) {
        CAPTURE(size);
        whole_job job{.step = 64 * 1024, .most_dwords = 6000};
        expected notice{0x82, place, 0x30000, size};
        arguments args = request(paging_operation::notify_alloc);
        args.NotifyAllocation.Flags.Eviction = 1;
        args.NotifyAllocation.OffsetInBytes = 0x30000;
        args.NotifyAllocation.SizeInBytes = size;
        args.NotifyAllocation.GpuVirtualAddressAtOffset = place;
        CHECK(job.run<record_stream>(hw, args, notice, random));
    }
    CHECK(hw.faults == 0);
}

}  // namespace page_list_test
