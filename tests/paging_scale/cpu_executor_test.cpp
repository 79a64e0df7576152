// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "whole_job.hpp"

#include <wddmcore/paging/cpu/executor.hpp>

namespace cpu_executor_test {

using namespace paging_scale;

namespace {

// Every range is the same few bytes of memory: only where it was asked for counts.
struct same_memory {
    static constexpr pages map_max{4};
    u64 next = 0;  ///< the segment offset that must come next, less what a side has on top
    u64 distance = 0;
    bool right = true;
    u32 calls = 0;
    alignas(8) u8 scratch[2][4 * 4096] = {};

    static void* map_pages(page_number, pages) noexcept { return nullptr; }
    void* map_segment(segment_id id, segment_offset offset, bytes size) noexcept {
        bool const second = calls % 2 != 0;
        right = right && id.n == memory_segment && offset.n == next + (second ? distance : 0) && size.n != 0 &&
                size.n <= sizeof scratch[0];
        next += second ? size.n : 0;
        return scratch[calls++ % 2];
    }
    static void unmap(void*, bytes) noexcept {}
};

}  // namespace

TEST_CASE("PGB-05 PGB-06: the CPU resumes at any token of 16 TiB, near 2^32 too") {
    seeded_numbers random(seed_of_run());
    gpu hw;
    for (u32 round = 0; round != 200; ++round) {
        u64 const count = most_pages - random.below(3);
        u64 const size = count * 4096 - random.below(4096);
        u64 const token = round % 2 == 0 ? count - 1 - random.below(9) : random.below(count);
        u64 const budget = 1 + random.below(7);
        CAPTURE(token);
        same_memory memory;
        memory.next = token * 4096;
        memory.distance = 20 * tebibyte;
        arguments args = transfer(memory_base + memory.distance, memory_base, size);
        args.MultipassOffset = static_cast<u32>(token);
        cpu_outcome const what = execute_on_cpu(hw, memory, args, cpu_moment::in_order, pages{budget}).what;
        bool const ends = token + budget >= count;
        CHECK(memory.right);
        CHECK(what == (ends ? cpu_outcome::done : cpu_outcome::more));
        CHECK(memory.next == (ends ? size : (token + budget) * 4096));
        CHECK(args.MultipassOffset == ((ends ? count : token + budget) & 0xFFFF'FFFF));
    }
    CHECK(hw.faults == 0);
}

}  // namespace cpu_executor_test
