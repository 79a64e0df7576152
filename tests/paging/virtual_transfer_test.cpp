// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "byte_memory.hpp"
#include "one_request.hpp"

namespace virtual_transfer_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

constexpr engine_shape ordered = shapes::engine(shapes::everything, 4 * page_bytes, 4, shapes::ordered, 1);
constexpr engine_shape safe = shapes::engine(shapes::everything, 4 * page_bytes, 4, shapes::safe, 1);
constexpr engine_shape pieces = shapes::engine(shapes::everything, 1000, 8, shapes::ordered, 1);

std::vector<effect_piece> effect(pass_result const& done) {
    CHECK(done.problem == "");
    CHECK(done.status == status::success);
    return joined(effect_of(done.commands));
}

// Runs an overlapping move in buffers of every small size and compares bytes.
template <engine_shape const& Shape>
void check_move(u64 to, u64 from, u64 size) {
    CAPTURE(to);
    CAPTURE(from);
    CAPTURE(size);
    one_request<Shape> test;
    for (u64 groups = 1; groups <= 4; ++groups) {
        newest_arguments virtual_move = test.virtual_transfer(to, from, size);
        pass_result const one = test.run(virtual_move, groups * test.smallest);
        REQUIRE(effect(one) == joined(virtual_transfer_effect(virtual_move.TransferVirtual)));
        REQUIRE(run_overlapping(one.commands, {to, virtual_space}, {from, virtual_space}, size,
                                Shape.copy_overlap == hw::overlap::by_direction) == "");
        newest_arguments move = test.transfer_inside(to, from, size);
        pass_result const other = test.run(move, groups * test.smallest);
        REQUIRE(effect(other) == joined(transfer_effect(test.hw, move.Transfer, 0)));
        REQUIRE(run_overlapping(other.commands, {to, segment_space(local_memory)}, {from, segment_space(local_memory)},
                                size, Shape.copy_overlap == hw::overlap::by_direction) == "");
    }
    CHECK(test.hw.faults == 0);
}

/// A copy of a place to itself: nothing is written, with a buffer or without, at every token (AMB-57).
template <engine_shape const& Shape>
void check_nothing_to_do(u64 place, u64 size) {
    one_request<Shape> test;
    u32 const pages = static_cast<u32>((size + 4095) / 4096);
    for (newest_arguments const& good :
         {test.virtual_transfer(place, place, size), test.transfer_inside(place, place, size)}) {
        for (u32 token = 0; token <= pages; ++token) {
            newest_arguments args = good;
            args.MultipassOffset = token;
            pass_result const done = test.os.pass(test.hw, args, 4096);
            CHECK(done.problem == "");
            CHECK(done.status == status::success);
            CHECK(done.commands.empty());
            CHECK(args.MultipassOffset == token);
            args.pDmaBuffer = nullptr;
            CHECK(build_paging_buffer(test.hw, args) == status::success);
        }
        CHECK(test.hw.faults == 0);
        newest_arguments past = good;
        past.MultipassOffset = pages + 1;
        CHECK(test.os.pass(test.hw, past, 4096).status == status::invalid_parameter);
        CHECK(test.hw.last_fault.rule == paging_rule::token_past_end);
        test.hw.faults = 0;
    }
}

template <engine_shape const& Shape>
void check_refused(u64 to, u64 from, u64 size) {
    CAPTURE(to);
    CAPTURE(from);
    one_request<Shape> test;
    u64 const distance = to < from ? from - to : to - from;
    for (newest_arguments args : {test.virtual_transfer(to, from, size), test.transfer_inside(to, from, size)}) {
        test.hw.faults = 0;
        pass_result const done = test.os.pass(test.hw, args, 4096);
        CHECK(done.problem == "");
        CHECK(done.status == status::invalid_parameter);
        CHECK(test.hw.faults == 1);
        CHECK(test.hw.last_fault.rule == paging_rule::overlap_below_page);
        CHECK(test.hw.last_fault.value == distance);
        CHECK(test.hw.last_fault.limit == page_bytes);
    }
}

}  // namespace

TEST_CASE("OP08-01: the addresses account for the chunk: AllocationOffsetInBytes is not added") {
    one_request<ordered> test;
    newest_arguments args = test.virtual_transfer(0x7000'0000'0000, 0x1234'5000, 3 * page_bytes + 40);
    args.TransferVirtual.AllocationOffsetInBytes = 0x40'0000;
    CHECK(effect(test.run(args)) ==
          joined({moved({0x7000'0000'0000, virtual_space}, {0x1234'5000, virtual_space}, 3 * page_bytes + 40)}));
}

TEST_CASE(
    "OP08-03 OP08-04 OP08-05: direction, page tables and page sizes change nothing for an engine behind translation") {
    one_request<ordered> test;
    newest_arguments const good = test.virtual_transfer(0x70'0000, 0x10'0000, 9 * page_bytes);
    newest_arguments plain = good;
    std::vector<recorded_command> const expected = test.run(plain).commands;
    for (u32 direction = 0; direction < 3; ++direction) {
        for (u32 flags = 0; flags < 4; ++flags) {
            for (u64 const table : {u64{0}, u64{0x1234'5678'9ABC}}) {
                newest_arguments args = good;
                args.TransferVirtual.TransferDirection = direction;
                args.TransferVirtual.Flags.Flags = flags;
                args.TransferVirtual.SourcePageTable = table;
                args.TransferVirtual.DestinationPageTable = ~table;
                args.TransferVirtual.hAllocation = table != 0 ? &test.marker : nullptr;
                CHECK(test.run(args).commands == expected);
            }
        }
    }
}

TEST_CASE("OP08-06: no command exceeds the limit, and every split suits the engine's alignment") {
    one_request<ordered> whole_pages;
    newest_arguments args = whole_pages.virtual_transfer(0x70'0404, 0x10'0808, 10 * page_bytes + 12);
    pass_result const done = whole_pages.run(args);
    CHECK(effect(done).size() == 1);
    CHECK(done.commands.size() == 3);
    for (recorded_command const& one : done.commands) {
        CHECK(one.size <= 4 * page_bytes);
        CHECK((one.size | one.destination.n | one.source.n) % 4 == 0);
    }
    one_request<pieces> parts;  // 1,000 bytes a command: five for a page
    newest_arguments small = parts.virtual_transfer(0x70'0408, 0x10'0808, 2 * page_bytes + 16);
    pass_result const in_parts = parts.run(small);
    CHECK(effect(in_parts).size() == 1);
    CHECK(in_parts.commands.size() == 11);
    for (recorded_command const& one : in_parts.commands) {
        CHECK(one.size <= 1000);
        CHECK((one.size | one.destination.n | one.source.n) % 8 == 0);
    }
}

TEST_CASE("OP08-06: what the engine cannot take is refused, with the number and the alignment") {
    one_request<pieces> test;
    struct expectation {
        u64 to;
        u64 from;
        u64 size;
        u64 value;
    };
    for (expectation const& one :
         {expectation{0x10'0004, 0x4000, 4096, 0x10'0004}, expectation{0x10'0000, 0x4004, 4096, 0x4004},
          expectation{0x10'0000, 0x4000, 4092, 4092}, expectation{0x10'0000, 0x4000, 4, 4}}) {
        newest_arguments args = test.virtual_transfer(one.to, one.from, one.size);
        test.hw.faults = 0;
        pass_result const done = test.os.pass(test.hw, args, 4096);
        CHECK(done.status == status::invalid_parameter);
        CHECK(test.hw.faults == 1);
        CHECK(test.hw.last_fault.rule == paging_rule::misaligned_for_engine);
        CHECK(test.hw.last_fault.value == one.value);
        CHECK(test.hw.last_fault.limit == 8);
    }
}

TEST_CASE("OP08-07: overlapping moves, both directions, at every distance of whole pages up to the size") {
    for (u64 distance = 1; distance <= 14; distance += emulated ? 3 : 1) {
        for (u64 const size : {1 * page_bytes, 2 * page_bytes, 5 * page_bytes, 13 * page_bytes, 13 * page_bytes - 8,
                               12 * page_bytes + 8}) {
            check_move<ordered>(0x10'0000 + distance * page_bytes, 0x10'0000, size);
            check_move<ordered>(0x10'0000, 0x10'0000 + distance * page_bytes, size);
            check_move<pieces>(0x10'0000 + distance * page_bytes, 0x10'0000, size);
            check_move<pieces>(0x10'0000, 0x10'0000 + distance * page_bytes, size);
            check_move<safe>(0x10'0000 + distance * page_bytes, 0x10'0000, size);
            check_move<safe>(0x10'0000, 0x10'0000 + distance * page_bytes, size);
        }
    }
}

TEST_CASE("OP08-07: overlapping moves at distances that are no multiple of a page") {
    for (u64 const distance : {page_bytes, page_bytes + 8, 2 * page_bytes - 8, 2 * page_bytes + 8,
                               4 * page_bytes + 1000, 5 * page_bytes - 8}) {
        for (u64 const size : {distance, distance + 8, 2 * distance - 8, 3 * distance + 16, 12 * page_bytes}) {
            check_move<ordered>(0x10'0000 + distance, 0x10'0000, size);
            check_move<ordered>(0x10'0000, 0x10'0000 + distance, size);
            check_move<pieces>(0x10'0000 + distance, 0x10'0000, size);
            check_move<pieces>(0x10'0000, 0x10'0000 + distance, size);
        }
    }
}

TEST_CASE("AMB-57: a copy of a place to itself is done, with no command, for an engine that needs order") {
    check_nothing_to_do<ordered>(0x10'0000, 2 * page_bytes);
    check_nothing_to_do<ordered>(0x10'0000, 8);
    check_nothing_to_do<pieces>(0x10'0000, 3 * page_bytes + 8);
    // One that promises every overlap is asked as ever.
    one_request<safe> test;
    newest_arguments same = test.virtual_transfer(0x10'0000, 0x10'0000, page_bytes);
    CHECK(test.run(same).commands.size() == 1);
    // What else is wrong is still heard of.
    one_request<ordered> other;
    newest_arguments odd = other.virtual_transfer(0x10'0002, 0x10'0002, page_bytes);
    CHECK(other.os.pass(other.hw, odd, 4096).status == status::invalid_parameter);
    CHECK(other.hw.last_fault.rule == paging_rule::misaligned_for_engine);
}

TEST_CASE("OP08-07: a distance below a page is refused, for an engine that needs order") {
    for (u64 const distance : {u64{8}, u64{1000}, u64{2048}, page_bytes - 8}) {
        check_refused<ordered>(0x10'0000 + distance, 0x10'0000, 2 * page_bytes);
        check_refused<ordered>(0x10'0000, 0x10'0000 + distance, 2 * page_bytes);
        check_refused<pieces>(0x10'0000 + distance, 0x10'0000, distance + 8);
        check_refused<pieces>(0x10'0000, 0x10'0000 + distance, distance + 8);
    }
}

TEST_CASE("OP08-07: ranges that only touch do not overlap, however near") {
    for (u64 const size : {u64{8}, u64{1000}, page_bytes - 8, page_bytes, 3 * page_bytes + 8}) {
        check_move<ordered>(0x10'0000 + size, 0x10'0000, size);
        check_move<ordered>(0x10'0000, 0x10'0000 + size, size);
        check_move<pieces>(0x10'0000, 0x10'0000 + size, size);
    }
}

TEST_CASE("OP08-07: an engine that is safe moves at any distance") {
    for (u64 const distance : {u64{4}, u64{8}, u64{100}, u64{4092}, u64{4096}, u64{4100}, u64{10'000}}) {
        for (u64 const size : {u64{8}, 2 * page_bytes, 9 * page_bytes + 4, 17 * page_bytes}) {
            check_move<safe>(0x10'0000 + distance, 0x10'0000, size);
            check_move<safe>(0x10'0000, 0x10'0000 + distance, size);
        }
    }
}

TEST_CASE("OP08-01: a range that leaves the address space is refused, on either side") {
    one_request<ordered> test;
    for (u64 const va : {~u64{0} - 4096 + 1, ~u64{0} - 8192 + 5}) {
        for (newest_arguments args :
             {test.virtual_transfer(va, 0x4000, 3 * page_bytes), test.virtual_transfer(0x4000, va, 3 * page_bytes),
              test.virtual_fill(va, 3 * page_bytes)}) {
            test.hw.faults = 0;
            CHECK(test.os.pass(test.hw, args, 4096).status == status::invalid_parameter);
            CHECK(test.hw.faults == 1);
            CHECK(test.hw.last_fault.rule == paging_rule::address_wraps);
            CHECK(test.hw.last_fault.value == va);
        }
    }
}

TEST_CASE("OP08-01 OP09-01: the last page of the address space is a page") {
    one_request<ordered> test;
    u64 const last = ~u64{0} - page_bytes + 1;
    newest_arguments to = test.virtual_transfer(last, 0x4000, page_bytes);
    CHECK(effect(test.run(to)) == joined({moved({last, virtual_space}, {0x4000, virtual_space}, page_bytes)}));
    newest_arguments from = test.virtual_transfer(0x4000, last, page_bytes);
    CHECK(effect(test.run(from)) == joined({moved({0x4000, virtual_space}, {last, virtual_space}, page_bytes)}));
    newest_arguments fill = test.virtual_fill(last, page_bytes);
    CHECK(effect(test.run(fill)) == joined({filled({last, virtual_space}, page_bytes, 0xAABB'CCDD)}));
}

TEST_CASE("OP08-03 OP08-04: directions are taken alike, and page tables that come along are not read") {
    one_request<ordered> test;
    newest_arguments const good = test.virtual_transfer(0x70'0000, 0x20'0000, 5 * page_bytes);
    newest_arguments plain = good;
    std::vector<effect_piece> const expected = effect(test.run(plain));
    for (u32 direction = 0; direction < 3; ++direction) {
        for (u64 const table : {u64{0}, u64{0x1000}, ~u64{0}}) {
            newest_arguments args = good;
            args.TransferVirtual.TransferDirection = direction;
            args.TransferVirtual.SourcePageTable = table;
            args.TransferVirtual.DestinationPageTable = ~table;
            CHECK(effect(test.run(args)) == expected);
        }
    }
}

TEST_CASE("OP08-01: a transfer of nothing is told, and may be dropped") {
    one_request<ordered> test;
    for (disposition const answer : {disposition::stop, disposition::dropped}) {
        test.hw.answer = answer;
        test.hw.faults = 0;
        newest_arguments args = test.virtual_transfer(0x8000, 0x4000, 0);
        pass_result const done = test.os.pass(test.hw, args, 4096);
        CHECK(done.status == (answer == disposition::dropped ? status::success : status::invalid_parameter));
        CHECK(done.written_dwords == 0);
        CHECK(test.hw.faults == 1);
        CHECK(test.hw.last_fault.rule == paging_rule::nothing_to_transfer);
    }
}

}  // namespace virtual_transfer_test
