// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "../slow_build.hpp"
#include <paging/one_request.hpp>

namespace boundary_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

constexpr engine_shape of_limit(u64 limit_pages, u32 grain, capabilities const& caps = shapes::physical) {
    return shapes::engine(caps, limit_pages * page_bytes, 4, shapes::ordered, grain);
}
constexpr engine_shape limit_1 = of_limit(1, 1);
constexpr engine_shape limit_2 = of_limit(2, 1);
constexpr engine_shape every_operation = of_limit(2, 1, shapes::everything);
constexpr engine_shape limit_3 = of_limit(3, 2);
constexpr engine_shape limit_255 = of_limit(255, 1);
constexpr engine_shape limit_256 = of_limit(256, 3);
constexpr engine_shape limit_257 = of_limit(257, 1);
constexpr engine_shape limit_1024 = of_limit(1024, 1);

// A list whose page i does not continue page i - 1 where `breaks` says so.
template <class Breaks>
std::vector<u64> list_with_breaks(u64 count, Breaks&& breaks) {
    std::vector<u64> list;
    u64 page = 0x1'0000;
    for (u64 i = 0; i < count; ++i) {
        page += i != 0 && breaks(i) ? 2u : 1u;
        list.push_back(page);
    }
    return list;
}

// The fewest commands: each run of neighbours in pieces as long as the engine takes.
u64 fewest_commands(std::vector<u64> const& list, u64 limit) {
    u64 commands = 0;
    for (u64 i = 0; i < list.size();) {
        u64 length = 1;
        while (i + length < list.size() && length < limit && list[i + length] == list[i] + length) {
            ++length;
        }
        ++commands;
        i += length;
    }
    return commands;
}

// A list, what copying it has to do in both directions, and the fewest commands that can do it.
template <engine_shape const& Shape>
struct list_case {
    one_request<Shape>& test;
    std::vector<u64> const& list;
    u64 tail;        // bytes that the last page lacks
    u32 mdl_offset;  // pages of the list that come before the transfer
    newest_arguments requests[2] = {arguments(true), arguments(false)};
    std::vector<effect_piece> expected[2] = {joined(transfer_effect(test.hw, requests[0].Transfer, mdl_offset)),
                                             joined(transfer_effect(test.hw, requests[1].Transfer, mdl_offset))};
    u64 fewest = fewest_commands({list.begin() + mdl_offset, list.end()}, Shape.copy_max / page_bytes);

    // In buffers of so many commands.
    void check(u64 capacity) {
        u64 const room = (capacity * 11 + Shape.grain - 1) / Shape.grain * Shape.grain * 4;
        for (u32 side = 0; side < 2; ++side) {
            newest_arguments args = requests[side];
            pass_result const done = test.run(args, room);
            std::string problem = done.problem;
            if (problem.empty()) {
                problem = done.status != status::success                         ? "not done"
                          : joined(effect_of(done.commands)) != expected[side]   ? "not the model's effect"
                          : capacity >= fewest && done.commands.size() != fewest ? "more commands than runs"
                                                                                 : "";
            }
            if (!problem.empty()) {
                FAIL(problem << ": " << list.size() << " pages, capacity " << capacity << ", tail " << tail
                             << ", MdlOffset " << mdl_offset << (side == 0 ? ", in" : ", out"));
            }
        }
    }

private:
    newest_arguments arguments(bool in) {
        newest_arguments args = in ? test.transfer_in(list) : test.transfer_out(list);
        args.Transfer.MdlOffset = mdl_offset;
        args.Transfer.TransferSize -= static_cast<usize>(mdl_offset * page_bytes + tail);
        return args;
    }
};

template <engine_shape const& Shape>
void expect_all_patterns_around_256() {
    one_request<Shape> test;
    u64 const step = emulated ? 61 : slow_build ? 7 : 1;  // primes
    for (u64 pattern = 0; pattern < 1024; pattern += step) {
        std::vector<u64> const list = list_with_breaks(
            262, [pattern](u64 i) { return i >= 250 && i < 260 && ((pattern >> (i - 250)) & 1) != 0; });
        list_case<Shape> one{test, list, pattern % 3 == 0 ? 4092u : 0u, 0};
        for (u64 capacity = 1; capacity <= 12; ++capacity) {
            one.check(capacity);
        }
    }
    CHECK(test.hw.faults == 0);
}

template <engine_shape const& Shape>
void expect_lists_around_block_ends() {
    one_request<Shape> test;
    constexpr u64 counts[] = {1, 2, 3, 254, 255, 256, 257, 258, 259, 511, 512, 513, 514};
    constexpr u64 capacities[] = {1, 2, 7, 12, 255, 256, 257, 300};
    for (u64 const count : counts) {
        if (slow_build && count > 257) {
            break;
        }
        for (u64 const broken :
             {u64{0}, u64{1}, count / 2, count - 2, count - 1, u64{254}, u64{255}, u64{256}, u64{257}}) {
            for (u32 const mdl_offset : {0u, 1u, 5u}) {
                if (emulated && (count + broken + mdl_offset) % 7 != 0) {
                    continue;
                }
                std::vector<u64> const list =
                    list_with_breaks(count + mdl_offset, [=](u64 i) { return i == broken + mdl_offset; });
                for (u64 const tail : {u64{0}, u64{2048}}) {
                    list_case<Shape> one{test, list, tail, mdl_offset};
                    for (u64 capacity = 1; capacity <= 4; ++capacity) {
                        one.check(capacity);
                    }
                }
            }
        }
        // No page continues the one before it: as many commands as pages.
        std::vector<u64> const apart = list_with_breaks(count, [](u64) { return true; });
        list_case<Shape> one{test, apart, 0, 0};
        for (u64 const capacity : capacities) {
            one.check(capacity);
        }
    }
    CHECK(test.hw.faults == 0);
}

template <engine_shape const& Shape>
void expect_all_small_lists() {
    one_request<Shape> test;
    for (u64 count = 1; count <= 9; ++count) {
        for (u64 pattern = 0; pattern < (u64{1} << (count - 1)); pattern += emulated ? 7 : 1) {
            std::vector<u64> const list =
                list_with_breaks(count, [pattern](u64 i) { return ((pattern >> (i - 1)) & 1) != 0; });
            list_case<Shape> one{test, list, pattern % 2 * 8, 0};
            for (u64 capacity = 1; capacity <= count + 1; ++capacity) {
                one.check(capacity);
            }
        }
    }
    CHECK(test.hw.faults == 0);
}

}  // namespace

TEST_CASE("PGB-05 OP00-10: every pattern of breaks around page 256, in buffers of 1 to 12 commands") {
    SUBCASE("at most 3 pages a command") { expect_all_patterns_around_256<limit_3>(); }
    SUBCASE("at most 255 pages a command") { expect_all_patterns_around_256<limit_255>(); }
    SUBCASE("at most 256 pages a command") { expect_all_patterns_around_256<limit_256>(); }
    SUBCASE("at most 257 pages a command") { expect_all_patterns_around_256<limit_257>(); }
    SUBCASE("at most 1,024 pages a command") { expect_all_patterns_around_256<limit_1024>(); }
}

TEST_CASE("PGB-05 OP00-10: lists around 256 and 512 pages, with one break wherever it matters or with nothing else") {
    SUBCASE("at most 1 page a command") { expect_lists_around_block_ends<limit_1>(); }
    SUBCASE("at most 2 pages a command") { expect_lists_around_block_ends<limit_2>(); }
    SUBCASE("at most 256 pages a command") { expect_lists_around_block_ends<limit_256>(); }
    SUBCASE("at most 1,024 pages a command") { expect_lists_around_block_ends<limit_1024>(); }
}

TEST_CASE("PGB-05 OP00-10: every pattern of breaks of up to nine pages, in buffers of every size") {
    SUBCASE("at most 1 page a command") { expect_all_small_lists<limit_1>(); }
    SUBCASE("at most 2 pages a command") { expect_all_small_lists<limit_2>(); }
    SUBCASE("at most 3 pages a command") { expect_all_small_lists<limit_3>(); }
    SUBCASE("at most 255 pages a command") { expect_all_small_lists<limit_255>(); }
}

TEST_CASE("PGB-01: a buffer that fits exactly, one dword less, and a size that is no multiple of four") {
    one_request<limit_2> test;
    for (u64 commands = 1; commands <= 5; ++commands) {
        newest_arguments const good = test.transfer_in(lonely_pages(commands));
        u64 const exact = commands * 11 * 4;
        for (u64 const room : {exact - 4, exact - 1, exact, exact + 1, exact + 3, exact + 4}) {
            newest_arguments args = good;
            pass_result const done = test.os.pass(test.hw, args, room);
            CHECK(done.problem == "");
            CHECK(done.status == (room >= exact ? status::success : status::graphics_insufficient_dma_buffer));
            CHECK(done.commands.size() == (room >= exact ? commands : commands - 1));
        }
    }
    for (u64 room = 1; room < 44; ++room) {
        newest_arguments args = test.transfer_in(lonely_pages(1));
        CHECK(test.os.pass(test.hw, args, room).status == status::graphics_insufficient_dma_buffer);
        CHECK(args.MultipassOffset == 0);
    }
}

TEST_CASE("PGB-04: a token at the end of the work says that nothing is left, one behind it is refused") {
    one_request<every_operation> test;
    for (newest_arguments const& good : test.one_of_each()) {
        if (good.Operation == 2) {
            continue;  // nothing is kept per placement: the token is not looked at
        }
        u32 const end = good.Operation == 3 || good.Operation == 4 ? 1 : good.Operation == 7 ? 3 : 5;
        CAPTURE(good.Operation);
        newest_arguments args = good;
        args.MultipassOffset = end;
        pass_result const done = test.os.pass(test.hw, args, 4096);
        CHECK(done.problem == "");
        CHECK(done.status == status::success);
        CHECK(done.written_dwords == 0);
        CHECK(test.hw.stored == 0);
        for (u32 const behind : {end + 1, 0x8000'0000u, 0xFFFF'FFFFu}) {
            args = good;
            args.MultipassOffset = behind;
            test.hw.faults = 0;
            CHECK(test.os.pass(test.hw, args, 4096).status == status::invalid_parameter);
            CHECK(test.hw.faults == 1);
            CHECK(test.hw.last_fault.rule == paging_rule::token_past_end);
            CHECK(test.hw.last_fault.value == behind);
            CHECK(test.hw.last_fault.limit == end);
            CHECK(args.MultipassOffset == behind);
        }
    }
}

}  // namespace boundary_test
