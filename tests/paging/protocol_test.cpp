// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "one_request.hpp"

namespace protocol_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

// Every operation writes commands, one page each, in a grain that none of them is a multiple of.
constexpr engine_shape all_by_command(u32 grain) {
    engine_shape shape = shapes::engine(shapes::everything, page_bytes, 4, shapes::ordered, grain);
    shape.aperture_commands = true;
    shape.discards = true;
    return shape;
}
constexpr engine_shape grain_1 = all_by_command(1);
constexpr engine_shape grain_2 = all_by_command(2);
constexpr engine_shape grain_3 = all_by_command(3);
constexpr engine_shape grain_4 = all_by_command(4);
constexpr engine_shape grain_5 = all_by_command(5);

u32 whole_grains(u64 dwords_written, u32 grain) {
    return static_cast<u32>((dwords_written + grain - 1) / grain * grain);
}

// The dwords that each operation of one_of_each takes for each of its commands, and how many commands it has.
struct cost {
    u32 dwords;
    u32 commands;
};
cost cost_of(u32 operation) {
    switch (operation) {
        case 0: return {11, 5};
        case 1: return {8, 5};
        case 2: return {7, 1};
        case 3:
        case 4: return {5, 1};
        case 7: return {11, 3};
        case 8: return {11, 5};
        case 9: return {8, 5};
        default: return {7, 5};  // aperture entries
    }
}

template <engine_shape const& Shape>
void expect_every_room() {
    one_request<Shape> test;
    for (newest_arguments const& good : test.one_of_each()) {
        cost const price = cost_of(good.Operation);
        CAPTURE(good.Operation);
        for (u64 room = 1; room <= price.dwords * price.commands * 4 + 24; ++room) {
            CAPTURE(room);
            newest_arguments args = good;
            pass_result const done = test.os.pass(test.hw, args, room);
            REQUIRE_MESSAGE(done.problem.empty(), done.problem);
            // What fits, padding included: the room is rounded down to the grain first (PGB-03).
            u64 const usable = room / 4 / Shape.grain * Shape.grain;
            u64 const fit = usable / price.dwords < price.commands ? usable / price.dwords : price.commands;
            REQUIRE(done.commands.size() == fit);
            REQUIRE(done.written_dwords == whole_grains(fit * price.dwords, Shape.grain));
            REQUIRE(done.status ==
                    (fit == price.commands ? status::success : status::graphics_insufficient_dma_buffer));
        }
    }
    CHECK(test.hw.stored == 0);
}

}  // namespace

TEST_CASE("PGB-01 PGB-02 PGB-03: every operation in every small room: what fits is written, padded, and told") {
    SUBCASE("a grain of one") { expect_every_room<grain_1>(); }
    SUBCASE("a grain of two") { expect_every_room<grain_2>(); }
    SUBCASE("a grain of three") { expect_every_room<grain_3>(); }
    SUBCASE("a grain of four") { expect_every_room<grain_4>(); }
    SUBCASE("a grain of five") { expect_every_room<grain_5>(); }
}

TEST_CASE("PGB-03: operations are packed back to back, at positions that no engine alignment has chosen") {
    one_request<grain_3> test;
    std::vector<u32> buffer(400, 0x5555'5555);
    u64 position = 1;  // a dword, nothing better
    std::vector<recorded_command> together;
    std::vector<recorded_command> apart;
    for (newest_arguments const& good : test.one_of_each()) {
        newest_arguments args = good;
        args.pDmaBuffer = buffer.data() + position;
        args.DmaSize = static_cast<u32>((buffer.size() - position) * 4);
        REQUIRE(build_paging_buffer(test.hw, args) == status::success);
        u64 const end = static_cast<u64>(static_cast<u32*>(args.pDmaBuffer) - buffer.data());
        REQUIRE((end - position) % 3 == 0);
        REQUIRE(parse_stream(buffer.data() + position, end - position, 3,
                             [&together](recorded_command const& one) { together.push_back(one); }) == "");
        position = end;
        newest_arguments alone = good;
        pass_result const done = test.os.pass(test.hw, alone, 4096);
        apart.insert(apart.end(), done.commands.begin(), done.commands.end());
    }
    CHECK(buffer[0] == 0x5555'5555);
    CHECK(buffer[position] == 0x5555'5555);
    CHECK(together == apart);
}

TEST_CASE("PGB-04: the token alone carries progress: any pass can be made by other hardware from other arguments") {
    one_request<grain_2> first;
    one_request<grain_2> second;
    std::vector<newest_arguments> const of_first = first.one_of_each();
    std::vector<newest_arguments> const of_second = second.one_of_each();
    for (std::size_t i = 0; i < of_first.size(); ++i) {
        CAPTURE(of_first[i].Operation);
        newest_arguments args = of_first[i];
        for (ntstatus status = status::graphics_insufficient_dma_buffer; status != status::success;) {
            newest_arguments again = of_second[i];
            again.MultipassOffset = args.MultipassOffset;
            pass_result const here = first.os.pass(first.hw, args, first.smallest);
            pass_result const there = second.os.pass(second.hw, again, second.smallest);
            REQUIRE(here.problem == "");
            REQUIRE(there.problem == "");
            REQUIRE(here.commands.size() == there.commands.size());
            for (std::size_t k = 0; k < here.commands.size(); ++k) {
                recorded_command one = here.commands[k];
                recorded_command other = there.commands[k];
                one.allocation = other.allocation = 0;  // two tests have two handles
                REQUIRE(one == other);
            }
            REQUIRE(here.next_token == there.next_token);
            status = here.status;
        }
    }
}

TEST_CASE("PGB-04: a pass that is made twice from one token writes the same commands twice") {
    one_request<grain_3> test;
    for (newest_arguments const& good : test.one_of_each()) {
        newest_arguments once = good;
        newest_arguments twice = good;
        pass_result const first = test.os.pass(test.hw, once, 80);
        pass_result const second = test.os.pass(test.hw, twice, 80);
        CHECK(first.commands == second.commands);
        CHECK(first.next_token == second.next_token);
    }
}

TEST_CASE("PGB-05 SEG-41: the smallest paging buffer is the largest group of one page, in whole grains") {
    CHECK(smallest_paging_buffer<recorder<grain_1>> == bytes{11 * 4});
    CHECK(smallest_paging_buffer<recorder<grain_3>> == bytes{12 * 4});
    CHECK(smallest_paging_buffer<recorder<grain_5>> == bytes{15 * 4});
    CHECK(smallest_paging_buffer<recorder<shapes::below_a_page<shapes::everything>>> ==
          bytes{5 * 11 * 4});  // 1,000 bytes, five times
    CHECK(smallest_paging_buffer<recorder<shapes::far_below_a_page<shapes::everything>>> ==
          bytes{180 * 4});  // 259 bytes, sixteen times, by five
    CHECK(smallest_paging_buffer<recorder<shapes::nearly_a_page<shapes::everything>>> ==
          bytes{24 * 4});  // 4,092 and 4, by three
}

TEST_CASE("PGB-05: a buffer of the smallest size always advances, and one group more advances by one page more") {
    one_request<shapes::nearly_a_page<shapes::everything>> test;
    newest_arguments args = test.transfer_in(lonely_pages(9));
    pass_result const one = test.os.pass(test.hw, args, test.smallest);
    CHECK(one.next_token == 1);
    CHECK(one.commands.size() == 2);
    pass_result const two = test.os.pass(test.hw, args, 2 * test.smallest);
    CHECK(two.next_token == 3);
    CHECK(two.commands.size() == 4);
    // A group less a dword is not a group: a page is never half done between two passes.
    pass_result const none = test.os.pass(test.hw, args, test.smallest - 12);
    CHECK(none.status == status::graphics_insufficient_dma_buffer);
    CHECK(none.next_token == 3);
    CHECK(none.commands.empty());
}

TEST_CASE("PGB-07: each pass is whole records, whatever the buffers") {
    one_request<grain_4> test;
    for (u64 room = test.smallest; room < 400; room += 3) {
        newest_arguments args = test.transfer_in(lonely_pages(60));
        pass_result const done = test.run(args, room);
        REQUIRE(done.problem == "");  // parse_stream refuses a record that is cut off
        REQUIRE(done.commands.size() == 60);
    }
}

TEST_CASE("PGB-12: the buffer's own GPU address is neither used nor changed, mapped or not") {
    one_request<grain_1> test;
    for (newest_arguments const& good : test.one_of_each()) {
        newest_arguments unmapped = good;
        newest_arguments mapped = good;
        unmapped.DmaBufferGpuVirtualAddress = 0;
        unmapped.DmaBufferWriteOffset = 0;
        mapped.DmaBufferGpuVirtualAddress = 0x1234'5678'9000;
        mapped.DmaBufferWriteOffset = 0xFFFF'FFFC;
        CHECK(test.os.pass(test.hw, unmapped, 4096).commands == test.os.pass(test.hw, mapped, 4096).commands);
        CHECK(mapped.DmaBufferGpuVirtualAddress + mapped.DmaBufferWriteOffset == 0x1234'5678'9000 + 0xFFFF'FFFC);
    }
}

TEST_CASE("PGB-01: the largest DmaSize is a size like any other") {
    one_request<grain_5> test;
    for (newest_arguments const& good : test.one_of_each()) {
        for (u32 const size : {0xFFFF'FFFFu, 0xFFFF'FFFCu, 0x8000'0000u}) {
            CAPTURE(good.Operation);
            newest_arguments usual = good;
            pass_result const expected = test.os.pass(test.hw, usual, 4096);
            std::vector<u32> buffer(1024, 0x5555'5555);
            newest_arguments args = good;
            args.pDmaBuffer = buffer.data();
            args.DmaSize = size;
            CHECK(build_paging_buffer(test.hw, args) == status::success);
            CHECK(static_cast<u64>(static_cast<u32*>(args.pDmaBuffer) - buffer.data()) == expected.written_dwords);
            CHECK(buffer[expected.written_dwords] == 0x5555'5555);
        }
    }
}

}  // namespace protocol_test
