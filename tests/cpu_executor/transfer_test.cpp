// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "random_transfer.hpp"

namespace transfer_test {

using namespace cpu_world;

namespace {

template <u64 MapMax>
void expect_random_moves(u64 seed) {
    seeded_numbers random(seed + MapMax);
    std::array<guarded_mdl, 2> lists{guarded_mdl(64), guarded_mdl(64)};
    watched_memory<MapMax> memory(random);
    driver hw;
    for (u64 round = 0; round != 400 / slow_build_factor; ++round) {
        CAPTURE(round);
        random_transfer request(random, lists);
        content expected = memory.bytes_now;
        model_copy(expected, request.to, request.from, 0, request.size);
        // Any budget: the token alone says where the next call begins (PGB-05).
        u64 const budget = random.one_in(3) ? ~u64{0} : 1 + random.below(6);
        for (cpu_outcome what = cpu_outcome::more; what == cpu_outcome::more;) {
            u32 const token = request.args.MultipassOffset;
            what = execute_on_cpu(hw, memory, request.args, cpu_moment::at_build, pages{budget}).what;
            u64 const left = request.count() - token;
            REQUIRE(request.args.MultipassOffset - token == (left < budget ? left : budget));
            REQUIRE(what == (left <= budget ? cpu_outcome::done : cpu_outcome::more));
        }
        REQUIRE(memory.clean());
        REQUIRE((memory.bytes_now == expected));
        // A token at the end: nothing is left, and nothing is mapped.
        u64 const calls = memory.calls;
        REQUIRE(execute_on_cpu(hw, memory, request.args, cpu_moment::at_build).what == cpu_outcome::done);
        REQUIRE(memory.calls == calls);
    }
    CHECK(hw.faults == 0);
}

// What a walk must do when one of its mappings fails: exactly the pages that the token counts are moved.
template <u64 MapMax>
void expect_failed_mappings_told(u64 seed) {
    seeded_numbers random(seed ^ MapMax);
    std::array<guarded_mdl, 2> lists{guarded_mdl(64), guarded_mdl(64)};
    watched_memory<MapMax> memory(random);
    driver hw;
    for (u64 round = 0; round != 60 / slow_build_factor; ++round) {
        random_transfer const request(random, lists);
        bool const overlaps = request.from.where == request.to.where && request.from.where != part::system;
        for (u64 at = 1;; ++at) {
            CAPTURE(round);
            CAPTURE(at);
            arguments args = request.args;
            content expected = memory.bytes_now;
            content whole = memory.bytes_now;
            model_copy(whole, request.to, request.from, 0, request.size);
            memory.fail_only(at);
            cpu_answer const answer = execute_on_cpu(hw, memory, args, cpu_moment::at_build);
            REQUIRE(memory.clean());
            if (answer.what == cpu_outcome::done) {
                REQUIRE(memory.calls < at);
                break;
            }
            REQUIRE(answer.what == cpu_outcome::unmapped);
            REQUIRE((answer.place == memory.failed));
            REQUIRE(memory.calls == at);  // no other mapping is tried instead
            REQUIRE(args.MultipassOffset < request.count());
            if (!overlaps) {
                model_copy(expected, request.to, request.from, 0, args.MultipassOffset * u64{4096});
                REQUIRE((memory.bytes_now == expected));
            }
            // The next call does the rest; of places that overlap as well, because no page is done twice.
            memory.fail_only(0);
            REQUIRE(execute_on_cpu(hw, memory, args, cpu_moment::at_build).what == cpu_outcome::done);
            REQUIRE((memory.bytes_now == whole));
        }
    }
    CHECK(hw.faults == 0);
}

}  // namespace

TEST_CASE(
    "OP00-01 OP00-02 OP07-01 PGB-05: the CPU moves what a build would, between any sides, in any number of calls") {
    u64 const seed = seed_of_run();
    expect_random_moves<1>(seed);
    expect_random_moves<3>(seed);
    expect_random_moves<64>(seed);
}

TEST_CASE("PGB-22: a mapping that fails at any call is told, never used, and no page of it is counted") {
    u64 const seed = seed_of_run();
    expect_failed_mappings_told<1>(seed);
    expect_failed_mappings_told<4>(seed);
}

TEST_CASE("PGB-22: with no mapping at all nothing is done, however often it is tried") {
    seeded_numbers random(seed_of_run());
    std::array<guarded_mdl, 2> lists{guarded_mdl(64), guarded_mdl(64)};
    watched_memory<8> memory(random);
    memory.fail_all_from = 0;
    content const before = memory.bytes_now;
    driver hw;
    random_transfer request(random, lists);
    for (u32 i = 0; i != 3; ++i) {
        CHECK(execute_on_cpu(hw, memory, request.args, cpu_moment::at_build).what == cpu_outcome::unmapped);
        CHECK(request.args.MultipassOffset == 0);
    }
    CHECK((memory.bytes_now == before));
    CHECK(memory.calls == 3);
}

TEST_CASE("OP00-10: consecutive pages are mapped together, as far as map_max allows") {
    seeded_numbers random(1);
    guarded_mdl list(16);
    watched_memory<4> memory(random);
    driver hw;
    arguments args = of(paging_operation::transfer);
    // Runs of 1, 6 and 3 pages: 1 + 2 + 1 chunks of at most four pages, two mappings each.
    args.Transfer.Source.pMdl = list.make(numbers_of({50, 10, 11, 12, 13, 14, 15, 30, 31, 32}));
    args.Transfer.Destination.SegmentId = memory_id;
    args.Transfer.Destination.SegmentAddress.QuadPart = memory_base;
    args.Transfer.TransferSize = 10 * 4096;
    args.Transfer.Flags.AllocationIsIdle = 1;
    CHECK(execute_on_cpu(hw, memory, args, cpu_moment::at_build).what == cpu_outcome::done);
    CHECK(memory.calls == 8);
    CHECK(memory.clean());
}

TEST_CASE("OP00-09: a transfer of no bytes is done, whatever else it says") {
    seeded_numbers random(2);
    watched_memory<4> memory(random);
    driver hw;
    for (paging_operation const operation : {paging_operation::transfer, paging_operation::special_lock_transfer}) {
        arguments args = of(operation);  // idle flag clear, no MDL, segment 0
        CHECK(execute_on_cpu(hw, memory, args, cpu_moment::at_build).what == cpu_outcome::done);
        args.Transfer.Source.SegmentId = 77;
        CHECK(execute_on_cpu(hw, memory, args, cpu_moment::in_order).what == cpu_outcome::done);
    }
    CHECK(memory.calls == 0);
    CHECK(hw.faults == 0);
}

TEST_CASE("PGB-09 PGB-10: while AllocationIsIdle is clear nothing is touched at build time, and everything in order") {
    seeded_numbers random(seed_of_run());
    std::array<guarded_mdl, 2> lists{guarded_mdl(64), guarded_mdl(64)};
    watched_memory<4> memory(random);
    driver hw;
    for (u32 round = 0; round != 20; ++round) {
        random_transfer request(random, lists);
        bool const special = request.args.Operation == 7;
        (special ? request.args.SpecialLockTransfer.Flags.Value : request.args.Transfer.Flags.Value) = 0;
        content expected = memory.bytes_now;
        u64 const calls = memory.calls;
        REQUIRE(execute_on_cpu(hw, memory, request.args, cpu_moment::at_build).what == cpu_outcome::busy);
        REQUIRE(memory.calls == calls);
        REQUIRE((memory.bytes_now == expected));
        model_copy(expected, request.to, request.from, 0, request.size);
        REQUIRE(execute_on_cpu(hw, memory, request.args, cpu_moment::in_order).what == cpu_outcome::done);
        REQUIRE((memory.bytes_now == expected));
    }
}

TEST_CASE("OP08-07: places that overlap keep their content at every distance, both ways, in any number of calls") {
    seeded_numbers random(seed_of_run());
    watched_memory<2> memory(random);
    driver hw;
    for (u64 const distance : {1u, 2u, 3u, 4u, 7u, 8u, 9u, 63u, 4095u, 4096u, 4097u, 8192u, 10000u, 20000u}) {
        for (bool const upward : {false, true}) {
            for (u64 const lacks : {0u, 1u, 4000u}) {
                for (u64 const start : {0u, 5u}) {
                    CAPTURE(distance);
                    CAPTURE(upward);
                    side const from{part::process, start + (upward ? 0 : distance), {}};
                    side const to{part::process, start + (upward ? distance : 0), {}};
                    u64 const size = 7 * 4096 - lacks;
                    content expected = memory.bytes_now;
                    model_copy(expected, to, from, 0, size);
                    arguments args = virtual_transfer(to.offset, from.offset, size);
                    u64 const budget = 1 + random.below(8);
                    cpu_outcome what = cpu_outcome::more;
                    while (what == cpu_outcome::more) {
                        what = execute_on_cpu(hw, memory, args, cpu_moment::in_order, pages{budget}).what;
                    }
                    REQUIRE(what == cpu_outcome::done);
                    REQUIRE((memory.bytes_now == expected));
                }
            }
        }
    }
    CHECK(memory.clean());
}

TEST_CASE("OP08-01: a virtual transfer goes through the process's own mapping, without AllocationOffsetInBytes") {
    seeded_numbers random(seed_of_run());
    watched_memory<5> memory(random);
    driver hw;
    side const from{part::process, 3, {}};
    side const to{part::process, 20 * 4096 + 11, {}};
    u64 const size = 9 * 4096 + 77;
    for (u64 fail = 1; fail != 7; ++fail) {
        content expected = memory.bytes_now;
        arguments args = virtual_transfer(to.offset, from.offset, size);
        args.TransferVirtual.AllocationOffsetInBytes = 0x5000;
        memory.fail_only(fail);
        cpu_answer const answer = execute_on_cpu(hw, memory, args, cpu_moment::in_order);
        // Ten pages, five a mapping: four mappings.
        CHECK(answer.what == (fail <= 4 ? cpu_outcome::unmapped : cpu_outcome::done));
        if (fail <= 4) {
            CHECK((answer.place == memory.failed));
            CHECK(answer.place.in == cpu_mapping::process_virtual);
            CHECK(args.MultipassOffset == (fail <= 2 ? 0 : 5));
        }
        model_copy(expected, to, from, 0, fail <= 4 ? args.MultipassOffset * u64{4096} : size);
        CHECK((memory.bytes_now == expected));
        CHECK(memory.clean());
    }
}

}  // namespace transfer_test
