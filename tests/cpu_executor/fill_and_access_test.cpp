// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "cpu_world.hpp"

#include <wddmcore/testing/watched/buffer.hpp>

namespace fill_and_access_test {

using namespace cpu_world;

namespace {

// The pattern's bytes again and again from the first one on: AMB-09, byte by byte.
void model_fill(content& bytes, part where, u64 offset, u64 first, u64 end, u32 pattern) {
    for (u64 i = first; i < end; ++i) {
        *bytes.at(where, offset + i) = static_cast<u8>(pattern >> (8 * (i % 4)));
    }
}

[[nodiscard]] arguments virtual_fill(u64 offset, u64 size, u32 pattern) {
    arguments args = of(paging_operation::virtual_fill);
    args.FillVirtual.DestinationVirtualAddress = process_base + offset;
    args.FillVirtual.FillSizeInBytes = size;
    args.FillVirtual.FillPattern = pattern;
    args.FillVirtual.AllocationOffsetInBytes = 0x3000;  // never added
    return args;
}

[[nodiscard]] arguments access(paging_operation operation, u32 segment, u64 address) {
    arguments args = of(operation);
    // Operations 3 and 4 have the same members.
    args.ReadPhysical.SegmentId = segment;
    args.ReadPhysical.PhysicalAddress.QuadPart = static_cast<i64>(address);
    return args;
}

}  // namespace

TEST_CASE("OP01-02 OP09-01 OP09-02 AMB-09: a fill keeps its pattern's phase over calls, mappings and odd places") {
    seeded_numbers random(seed_of_run());
    watched_memory<3> memory(random);
    driver hw;
    for (u64 round = 0; round != 400 / slow_build_factor; ++round) {
        CAPTURE(round);
        bool const in_process = random.one_in(2);
        part const where = in_process ? part::process : part::memory;
        u64 const offset = random.below(8 * 4096);
        u64 const size = 1 + random.below(random.one_in(3) ? 16 : 12 * 4096);
        u32 const pattern = static_cast<u32>(random.next());
        arguments args = in_process ? virtual_fill(offset, size, pattern) : fill(offset, size, pattern);
        content const before = memory.bytes_now;
        content whole = before;
        model_fill(whole, where, offset, 0, size, pattern);
        u64 const budget = random.one_in(2) ? ~u64{0} : 1 + random.below(5);
        memory.fail_only(random.below(4));
        u32 calls = 0;
        for (cpu_outcome what = cpu_outcome::more; what != cpu_outcome::done; ++calls) {
            cpu_answer const answer = execute_on_cpu(hw, memory, args, cpu_moment::at_build, pages{budget});
            what = answer.what;
            REQUIRE(calls < 20);
            REQUIRE((what == cpu_outcome::done || what == cpu_outcome::more || what == cpu_outcome::unmapped));
            REQUIRE((what != cpu_outcome::unmapped || answer.place == memory.failed));
            content partly = before;
            model_fill(partly, where, offset, 0, lesser<u64>(size, args.MultipassOffset * u64{4096}), pattern);
            REQUIRE((memory.bytes_now == partly));
        }
        REQUIRE((memory.bytes_now == whole));
        REQUIRE(memory.clean());
        // Done before: nothing happens any more.
        REQUIRE(execute_on_cpu(hw, memory, args, cpu_moment::at_build).what == cpu_outcome::done);
        REQUIRE((memory.bytes_now == whole));
    }
    CHECK(hw.faults == 0);
}

TEST_CASE("OP01-01: an aperture segment is not filled") {
    seeded_numbers random(3);
    watched_memory<3> memory(random);
    driver hw;
    arguments args = fill(0, 4096, 1);
    args.Fill.Destination.SegmentId = aperture_id;
    args.Fill.Destination.SegmentAddress.QuadPart = aperture_base;
    CHECK(execute_on_cpu(hw, memory, args, cpu_moment::at_build).what == cpu_outcome::refused);
    CHECK(hw.last.rule == paging_rule::fill_of_aperture);
    CHECK(memory.calls == 0);
    CHECK(args.MultipassOffset == 0);
}

TEST_CASE("OP03-01 OP04-01: one byte at exactly the place is mapped; a write changes no neighbour, a read nothing") {
    seeded_numbers random(seed_of_run());
    watched_memory<1> memory(random);
    driver hw;
    for (paging_operation const operation : {paging_operation::read_physical, paging_operation::write_physical}) {
        for (u64 const offset : {u64{0}, u64{1}, u64{4095}, u64{70'001}, part_bytes - 1}) {
            CAPTURE(offset);
            arguments args = access(operation, memory_id, memory_base + offset);
            content before = memory.bytes_now;
            memory.fail_only(1);
            cpu_answer answer = execute_on_cpu(hw, memory, args, cpu_moment::in_order);
            CHECK(answer.what == cpu_outcome::unmapped);
            CHECK((answer.place == cpu_place{cpu_mapping::segment, {memory_id}, offset, {1}}));
            CHECK(args.MultipassOffset == 0);
            CHECK((memory.bytes_now == before));
            memory.fail_only(0);
            answer = execute_on_cpu(hw, memory, args, cpu_moment::in_order);
            CHECK(answer.what == cpu_outcome::done);
            CHECK(args.MultipassOffset == 1);
            CHECK(memory.calls == 1);
            CHECK(memory.clean());
            // Which value is written is arbitrary: only the neighbours must be as they were.
            if (operation == paging_operation::write_physical) {
                *before.at(part::memory, offset) = *memory.bytes_now.at(part::memory, offset);
            }
            CHECK((memory.bytes_now == before));
            // Never twice: what is written there in the meantime stays.
            *memory.bytes_now.at(part::memory, offset) = *before.at(part::memory, offset) = 0xA7;
            CHECK(execute_on_cpu(hw, memory, args, cpu_moment::in_order).what == cpu_outcome::done);
            CHECK((memory.bytes_now == before));
            CHECK(memory.calls == 1);
        }
        arguments outside = access(operation, memory_id, memory_base + part_bytes);
        CHECK(execute_on_cpu(hw, memory, outside, cpu_moment::in_order).what == cpu_outcome::refused);
        CHECK(hw.last.rule == paging_rule::outside_segment);
    }
}

TEST_CASE("OP04-01: a write arrives") {
    seeded_numbers random(4);
    watched_memory<1> memory(random);
    driver hw;
    // Two contents that differ in the one byte are the same afterwards.
    for (u8 const value : {u8{0x5A}, u8{0xA5}}) {
        *memory.bytes_now.at(part::memory, 77) = value;
        arguments args = access(paging_operation::write_physical, memory_id, memory_base + 77);
        CHECK(execute_on_cpu(hw, memory, args, cpu_moment::in_order).what == cpu_outcome::done);
        CHECK(*memory.bytes_now.at(part::memory, 77) == 0);
    }
}

// A sanitizer's own loads would be seen as the library's.
#if defined(__x86_64__) && defined(__linux__) && !defined(WDDMCORE_SANITIZED)

namespace {

/// A segment of 64 bytes, each access to which is seen.
struct seen_memory {
    static constexpr pages map_max{1};
    watched_buffer bytes_now{64};

    void* map_pages(page_number, pages) noexcept { return nullptr; }
    void* map_segment(segment_id, segment_offset offset, bytes) noexcept { return bytes_now.data() + offset.n; }
    void unmap(void*, bytes) noexcept {}
};

}  // namespace

TEST_CASE("OP03-02: the byte is read, although nobody wants to know it") {
    seen_memory memory;
    driver hw;
    arguments args = access(paging_operation::read_physical, memory_id, memory_base + 5);
    REQUIRE(memory.bytes_now.arm(0, 64));
    cpu_answer const answer = execute_on_cpu(hw, memory, args, cpu_moment::in_order);
    memory.bytes_now.disarm();
    CHECK(answer.what == cpu_outcome::done);
    if (memory.bytes_now.watching()) {
        REQUIRE(memory.bytes_now.accesses().size() == 1);
        watched_access const& only = memory.bytes_now.accesses()[0];
        CHECK(only.kind == watched_kind::read);
        CHECK(only.offset == 5);
        CHECK(only.size == 1);
    }
}

#endif

TEST_CASE("PGB-22: what the CPU does not do is said to be not its own, and nothing is touched") {
    seeded_numbers random(5);
    watched_memory<3> memory(random);
    driver hw;
    for (u32 code : {2u, 5u, 6u, 10u, 11u, 12u, 13u, 14u, 15u, 16u, 17u, 18u, 19u, 20u, 21u, 22u, 23u, 0xFFFF'FFFFu}) {
        CAPTURE(code);
        arguments args = of(static_cast<paging_operation>(code));
        CHECK(execute_on_cpu(hw, memory, args, cpu_moment::at_build).what == cpu_outcome::not_mine);
        CHECK(args.MultipassOffset == 0);
    }
    CHECK(memory.calls == 0);
    CHECK(hw.faults == 0);
}

}  // namespace fill_and_access_test
