// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "random_transfer.hpp"

#include <paging/shapes.hpp>

namespace layout_test {

using namespace cpu_world;

namespace {

// A layout that cannot be mistaken: every byte is changed, by where in the surface it lies and by all that is told.
[[nodiscard]] u8 key_of(u64 surface_byte, hw::swizzle direction, u32 id, u32 data) {
    return static_cast<u8>(surface_byte / 4096 * 7 + surface_byte + (direction == hw::swizzle::to_swizzled ? 1 : 128) +
                           id * 3 + data * 5);
}

struct layout_memory : watched_memory<4> {
    using watched_memory::watched_memory;
    void* allocation = nullptr;
    u64 changes = 0;

    void change_layout(void* to, void* from, cpu_layout_change const& change) noexcept {
        ++changes;
        if (change.allocation != allocation || change.size == 0 || change.size > 4096) {
            wrong += "a layout change of something else; ";
            return;
        }
        for (u32 i = 0; i != change.size; ++i) {
            static_cast<u8*>(to)[i] =
                static_cast<u8>(static_cast<u8*>(from)[i] ^ key_of(change.allocation_offset + i, change.direction,
                                                                   change.range_id, change.range_data));
        }
    }
};

// A hardware type with layouts of its own, and memory without CPU code for them.
constexpr engine_shape with_layouts = [] {
    engine_shape shape = shapes::engine(shapes::everything, 256 * page_bytes, 4, hw::overlap::safe, 1);
    shape.swizzles = true;
    return shape;
}();

}  // namespace

TEST_CASE(
    "OP00-07 OP00-08 OP07-01: a layout change goes page by page with the place in its surface, and only with one") {
    seeded_numbers random(seed_of_run());
    std::array<guarded_mdl, 2> lists{guarded_mdl(64), guarded_mdl(64)};
    layout_memory memory(random);
    int allocation = 0;
    memory.allocation = &allocation;
    driver hw;
    for (u64 round = 0; round != 200 / slow_build_factor; ++round) {
        CAPTURE(round);
        random_transfer request(random, lists);
        if (request.from.where == request.to.where && request.from.where != part::system) {
            continue;  // the next test's
        }
        bool const raw = random.one_in(4);  // no allocation: nobody knows a layout
        bool const swizzle = random.one_in(2);
        bool const special = request.args.Operation == 7;
        u32 offset = 0;
        u32 id = 0;
        u32 data = 0;
        auto const ask = [&](auto& t) {
            t.hAllocation = raw ? nullptr : &allocation;
            t.Flags.Swizzle = swizzle;
            t.Flags.Unswizzle = !swizzle;
            offset = t.TransferOffset;
        };
        if (special) {
            ask(request.args.SpecialLockTransfer);
            id = request.args.SpecialLockTransfer.SwizzlingRangeId = 5;
            data = request.args.SpecialLockTransfer.SwizzlingRangeData = 9;
        } else {
            ask(request.args.Transfer);
        }
        content expected = memory.bytes_now;
        model_copy(expected, request.to, request.from, 0, request.size);
        for (u64 i = 0; i != request.size && !raw; ++i) {
            *expected.at(request.to.where, request.to.byte(i)) ^=
                key_of(offset + i, swizzle ? hw::swizzle::to_swizzled : hw::swizzle::to_linear, id, data);
        }
        memory.changes = 0;
        memory.fail_only(random.below(5));
        u32 calls = 0;
        while (execute_on_cpu(hw, memory, request.args, cpu_moment::at_build, pages{3}).what != cpu_outcome::done) {
            REQUIRE(++calls < 20);
        }
        REQUIRE(memory.changes == (raw ? 0 : request.count()));
        REQUIRE(memory.clean());
        REQUIRE((memory.bytes_now == expected));
    }
    CHECK(hw.faults == 0);
}

TEST_CASE("OP00-07: an allocation alone changes no layout, and either of the two flags does") {
    seeded_numbers random(9);
    layout_memory memory(random);
    int allocation = 0;
    memory.allocation = &allocation;
    driver hw;
    for (u32 flags = 0; flags != 3; ++flags) {  // both at once are another matter (AMB-59)
        CAPTURE(flags);
        arguments args = of(paging_operation::transfer);
        args.Transfer.hAllocation = &allocation;
        args.Transfer.TransferSize = 2 * 4096;
        args.Transfer.Source.SegmentId = args.Transfer.Destination.SegmentId = memory_id;
        args.Transfer.Source.SegmentAddress.QuadPart = memory_base;
        args.Transfer.Destination.SegmentAddress.QuadPart = memory_base + 8 * 4096;
        args.Transfer.Flags.AllocationIsIdle = 1;
        args.Transfer.Flags.Swizzle = flags == 1;
        args.Transfer.Flags.Unswizzle = flags == 2;
        content expected = memory.bytes_now;
        model_copy(expected, {part::memory, 8 * 4096, {}}, {part::memory, 0, {}}, 0, 2 * 4096);
        memory.changes = 0;
        CHECK(execute_on_cpu(hw, memory, args, cpu_moment::at_build).what == cpu_outcome::done);
        CHECK(memory.changes == (flags == 0 ? 0 : 2));
        CHECK((memory.bytes_now == expected) == (flags == 0));
    }
    CHECK(hw.faults == 0);
}

TEST_CASE("OP08-07: a layout change between places that overlap by less than a page is refused, else ordered") {
    seeded_numbers random(7);
    layout_memory memory(random);
    int allocation = 0;
    memory.allocation = &allocation;
    {
        // AMB-59: both at once are malformed, for the CPU as well, with an allocation and without.
        driver hw;
        arguments args = of(paging_operation::transfer);
        args.Transfer.TransferSize = 4096;
        args.Transfer.Flags.Swizzle = args.Transfer.Flags.Unswizzle = 1;
        CHECK(execute_on_cpu(hw, memory, args, cpu_moment::at_build).what == cpu_outcome::refused);
        CHECK(hw.last.rule == paging_rule::two_layouts);
        args.Transfer.hAllocation = &allocation;
        CHECK(execute_on_cpu(hw, memory, args, cpu_moment::at_build).what == cpu_outcome::refused);
    }
    for (u32 const distance : {100u, 4095u, 4096u, 9000u}) {
        CAPTURE(distance);
        driver hw;
        arguments args = of(paging_operation::transfer);
        args.Transfer.hAllocation = &allocation;
        args.Transfer.TransferSize = 4 * 4096;
        args.Transfer.Source.SegmentId = args.Transfer.Destination.SegmentId = memory_id;
        args.Transfer.Source.SegmentAddress.QuadPart = memory_base;
        args.Transfer.Destination.SegmentAddress.QuadPart = static_cast<i64>(memory_base + distance);
        args.Transfer.Flags.Swizzle = 1;
        args.Transfer.Flags.AllocationIsIdle = 1;
        content expected = memory.bytes_now;
        cpu_answer const answer = execute_on_cpu(hw, memory, args, cpu_moment::at_build);
        if (distance < 4096) {
            CHECK(answer.what == cpu_outcome::refused);
            CHECK(hw.last.rule == paging_rule::overlap_below_page);
        } else {
            CHECK(answer.what == cpu_outcome::done);
            model_copy(expected, {part::memory, distance, {}}, {part::memory, 0, {}}, 0, 4 * 4096);
            for (u64 i = 0; i != 4 * 4096; ++i) {
                *expected.at(part::memory, distance + i) ^= key_of(i, hw::swizzle::to_swizzled, 0, 0);
            }
        }
        CHECK((memory.bytes_now == expected));
    }
}

TEST_CASE("OP08-07: pages share no byte with a segment that begins at address 0, whatever it is compared with") {
    struct from_zero : driver {
        [[nodiscard]] segment_place place(segment_id) const noexcept { return {{0}, {part_bytes}}; }
    };
    seeded_numbers random(10);
    layout_memory memory(random);
    guarded_mdl list(4);
    int allocation = 0;
    memory.allocation = &allocation;
    from_zero hw;
    arguments args = of(paging_operation::transfer);
    args.Transfer.hAllocation = &allocation;
    args.Transfer.TransferSize = 2 * 4096;
    args.Transfer.Source.SegmentId = memory_id;
    args.Transfer.Destination.pMdl = list.make(numbers_of({7, 3}));
    args.Transfer.Flags.AllocationIsIdle = 1;
    args.Transfer.Flags.Unswizzle = 1;
    content expected = memory.bytes_now;
    model_copy(expected, {part::system, 0, {7, 3}}, {part::memory, 0, {}}, 0, 2 * 4096);
    for (u64 i = 0; i != 2 * 4096; ++i) {
        *expected.at(part::system, (i < 4096 ? 7 * 4096 : 3 * 4096) + i % 4096) ^=
            key_of(i, hw::swizzle::to_linear, 0, 0);
    }
    CHECK(execute_on_cpu(hw, memory, args, cpu_moment::at_build).what == cpu_outcome::done);
    CHECK(hw.faults == 0);
    CHECK((memory.bytes_now == expected));
}

TEST_CASE("OP00-08: without layouts of its own a plain copy is made of a layout change, in whole mappings") {
    seeded_numbers random(11);
    watched_memory<4> memory(random);
    driver hw;
    int allocation = 0;
    arguments args = of(paging_operation::transfer);
    args.Transfer.hAllocation = &allocation;
    args.Transfer.TransferSize = 8 * 4096;
    args.Transfer.Source.SegmentId = memory_id;
    args.Transfer.Source.SegmentAddress.QuadPart = memory_base;
    args.Transfer.Destination.SegmentId = other_id;
    args.Transfer.Destination.SegmentAddress.QuadPart = other_base;
    args.Transfer.Flags.AllocationIsIdle = 1;
    args.Transfer.Flags.Swizzle = 1;
    content expected = memory.bytes_now;
    model_copy(expected, {part::other, 0, {}}, {part::memory, 0, {}}, 0, 8 * 4096);
    CHECK(execute_on_cpu(hw, memory, args, cpu_moment::at_build).what == cpu_outcome::done);
    CHECK(memory.calls == 4);  // twice four pages, on two sides
    CHECK((memory.bytes_now == expected));
}

TEST_CASE("OP00-08 PGB-22: hardware with layouts, and no CPU code for them: such a transfer is not the CPU's") {
    seeded_numbers random(8);
    watched_memory<4> memory(random);
    content const before = memory.bytes_now;
    recorder<with_layouts> hw;
    static_assert(hw::swizzle_copy_engine<recorder<with_layouts>>);
    hw.places[memory_id] = {{memory_base}, {part_bytes}};
    int allocation = 0;
    arguments args = of(paging_operation::transfer);
    args.Transfer.hAllocation = &allocation;
    args.Transfer.TransferSize = 4096;
    args.Transfer.Source.SegmentId = args.Transfer.Destination.SegmentId = memory_id;
    args.Transfer.Source.SegmentAddress.QuadPart = memory_base;
    args.Transfer.Destination.SegmentAddress.QuadPart = memory_base + 40960;
    args.Transfer.Flags.AllocationIsIdle = 1;
    args.Transfer.Flags.Unswizzle = 1;
    CHECK(execute_on_cpu(hw, memory, args, cpu_moment::at_build).what == cpu_outcome::not_mine);
    CHECK(args.MultipassOffset == 0);
    CHECK((memory.bytes_now == before));
    layout_memory with_code(random);  // where there is such code, it is
    with_code.allocation = &allocation;
    CHECK(execute_on_cpu(hw, with_code, args, cpu_moment::at_build).what == cpu_outcome::done);
    CHECK(with_code.changes == 1);
    args.MultipassOffset = 0;
    args.Transfer.hAllocation = nullptr;  // raw: no layout is meant (OP00-07)
    CHECK(execute_on_cpu(hw, memory, args, cpu_moment::at_build).what == cpu_outcome::done);
    CHECK(!(memory.bytes_now == before));
}

}  // namespace layout_test
