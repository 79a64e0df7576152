// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "whole_job.hpp"

#include <hardware/amd_gfx10.hpp>

namespace whole_allocation_test {

using namespace paging_scale;

namespace {

constexpr u64 allocation = 16 * tebibyte + 4096;
constexpr u64 old_place = memory_base + 0x1000;
constexpr u64 new_place = memory_base + 20 * tebibyte;

// An address of the paging process far above 4 GiB, at an odd page.
constexpr u64 from_va = 0x0123'0000'7000;
constexpr u64 to_va = 0x4321'0000'3000;

constexpr capabilities amd_claims{.version = wddm::v2_9, .addresses = paging_addresses::both};

}  // namespace

TEST_CASE("PGB-05 PGB-06 OBS-10: 16 TiB in one request, any buffers: no page is lost, none repeated") {
    seeded_numbers random(seed_of_run());
    gpu hw;
    for (u64 const size : {most_bytes, most_bytes - 4092}) {
        CAPTURE(size);
        whole_job job;
        expected copy{1, to_va, from_va, size};
        CHECK(job.run<record_stream>(hw, virtual_transfer(to_va, from_va, size), copy, random));
        expected copy_in_segment{1, new_place, old_place, size};
        CHECK(job.run<record_stream>(hw, transfer(new_place, old_place, size), copy_in_segment, random));
        expected pattern{2, to_va, 0, size, 0x1234'5678};
        pattern.from = 0;
        CHECK(job.run<record_stream>(hw, virtual_fill(to_va, size, 0x1234'5678), pattern, random));
        expected pattern_in_segment{2, new_place, 0, size, 0x8765'4321};
        CHECK(job.run<record_stream>(hw, fill(new_place, size, 0x8765'4321), pattern_in_segment, random));
        CHECK(job.passes > 100);
    }
    CHECK(hw.faults == 0);
}

TEST_CASE("PGB-06 OP08-07: so it is from the last page to the first, where the new place overlaps the old one") {
    seeded_numbers random(seed_of_run());
    gpu hw;
    for (u64 const lacks : {u64{0}, u64{4000}}) {
        u64 const size = most_bytes - lacks;
        whole_job job;
        expected copy{1, from_va + tebibyte, from_va, size, 0, true};
        CHECK(job.run<record_stream>(hw, virtual_transfer(from_va + tebibyte, from_va, size), copy, random));
    }
    CHECK(hw.faults == 0);
}

TEST_CASE("PGB-06 OP00-05: an allocation of a page more comes in parts, because a request of it is refused") {
    u64 const seed = seed_of_run();
    seeded_numbers random(seed);
    gpu hw;
    for (u32 round = 0; round != 4; ++round) {
        u64 const first = round == 0 ? most_bytes : (1 + random.below(most_pages)) * 4096;
        whole_job job;
        expected both{1, to_va, from_va, allocation};
        // Each part is a request with a token of its own; its addresses account for the part (OP08-01).
        u64 done = 0;
        for (u64 const size : {first, allocation - first}) {
            arguments args = virtual_transfer(to_va + done, from_va + done, size);
            args.TransferVirtual.AllocationOffsetInBytes = done;
            expected part{1, to_va + done, from_va + done, size};
            CHECK(job.run<record_stream>(hw, args, part, random));
            done += part.position;
        }
        CHECK(done == both.size);
    }
    CHECK(hw.faults == 0);
    for (arguments args : {virtual_transfer(to_va, from_va, allocation), virtual_fill(to_va, allocation, 1),
                           transfer(new_place, old_place, allocation), fill(new_place, allocation, 1)}) {
        CAPTURE(args.Operation);
        u32 words[64];
        args.pDmaBuffer = words;
        args.DmaSize = sizeof words;
        hw.faults = 0;
        CHECK(build_paging_buffer(hw, args) == status::invalid_parameter);
        CHECK(hw.faults == 1);
        CHECK(hw.last.rule == paging_rule::too_many_pages);
        CHECK(hw.last.value == most_pages + 1);
        CHECK(hw.last.limit == most_pages);
        CHECK(args.pDmaBuffer == words);
    }
}

TEST_CASE("PGB-06: an engine of 4 MiB a packet, overlap by direction: four million packets, none lost") {
    seeded_numbers random(seed_of_run());
    examples::amd::gfx10<amd_claims> hw{};
    // A slow build takes the last part of the same request: tokens near 2^32.
    u64 const begin = slow_build ? most_pages - 0x0100'0000 : 0;
    for (bool const down : {false, true}) {
        whole_job job{.most_dwords = 200'000};
        u64 const to = down ? from_va + tebibyte : to_va;
        expected copy{1, to, from_va, most_bytes, 0, down, begin * 4096};
        arguments args = virtual_transfer(to, from_va, most_bytes);
        args.MultipassOffset = static_cast<u32>(begin);
        CHECK(job.run<sdma_stream>(hw, args, copy, random));
    }
    whole_job job{.most_dwords = 200'000};
    expected pattern{2, to_va, 0, most_bytes - 4, 0xA5A5'0001, false, begin * 4096};
    arguments args = virtual_fill(to_va, most_bytes - 4, 0xA5A5'0001);
    args.MultipassOffset = static_cast<u32>(begin);
    CHECK(job.run<sdma_stream>(hw, args, pattern, random));
}

}  // namespace whole_allocation_test
