// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <paging/one_request.hpp>

namespace large_token_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

constexpr u64 tebibyte = u64{1} << 40;
constexpr u64 fifteen_tib = 15 * tebibyte;

// Sanitized builds move the same bytes with fewer commands.
constexpr engine_shape many = shapes::engine(
    shapes::everything, slow_build_factor == 1 ? 1024 * page_bytes : 32 * 1024 * page_bytes, 4, shapes::ordered, 2);
constexpr engine_shape unlimited = shapes::engine(shapes::everything, ~u64{0}, 4, shapes::ordered, 1);
constexpr engine_shape single = shapes::engine(shapes::everything, page_bytes, 4, shapes::ordered, 1);

constexpr engine_shape with_swizzles() {
    engine_shape shape = single;
    shape.swizzles = true;
    return shape;
}
constexpr engine_shape swizzling = with_swizzles();

// Follows a transfer of terabytes: every command continues where the last one ended, up or down.
struct follower {
    u64 to;
    u64 from;
    u64 size;
    bool down;
    u64 moved = 0;
    bool right = true;

    void operator()(recorded_command const& one) {
        u64 const at = down ? size - moved - one.size : moved;
        right = right && one.size != 0 && one.size <= size - moved && one.destination.n == to + at &&
                one.source.n == from + at;
        moved += one.size;
    }
};

// The whole of a virtual transfer in buffers of random small sizes.
template <engine_shape const& Shape>
void expect_whole_transfer(u64 seed, u64 to, u64 from, u64 size, bool down) {
    one_request<Shape> test;
    seeded_numbers random(seed);
    newest_arguments args = test.virtual_transfer(to, from, size);
    follower check{to, from, size, down};
    u64 passes = 0;
    for (ntstatus status = status::graphics_insufficient_dma_buffer; status != status::success; ++passes) {
        u64 const room = test.smallest * (1 + random.below(400)) + random.below(40);
        pass_result const done = test.os.pass(test.hw, args, room, check);
        REQUIRE(done.problem == "");
        REQUIRE(check.right);
        status = done.status;
        // The token counts pages: what was moved is what it says, at every point (PGB-06).
        REQUIRE((status == status::success || check.moved == u64{done.next_token} * page_bytes || down));
    }
    CHECK(check.moved == size);
    CHECK(test.hw.faults == 0);
    CHECK(passes > 10);
}

}  // namespace

TEST_CASE("PGB-06 OBS-10: 15 TiB resumed in small buffers lose no page and repeat none") {
    u64 const seed = seed_of_run();
    SUBCASE("apart") { expect_whole_transfer<many>(seed, 0x4000'0000'0000, 0x1000, fifteen_tib, false); }
    SUBCASE("apart, not whole pages at the end") {
        expect_whole_transfer<many>(seed, 0x4000'0000'0000, 0x1000, fifteen_tib - 4092, false);
    }
    SUBCASE("overlapping, towards lower addresses") {
        expect_whole_transfer<many>(seed, 0x1000, 0x1000 + tebibyte, fifteen_tib, false);
    }
    SUBCASE("overlapping, towards higher addresses") {
        expect_whole_transfer<many>(seed, 0x1000 + tebibyte, 0x1000, fifteen_tib, true);
    }
    SUBCASE("overlapping, towards higher addresses, not whole pages at the end") {
        expect_whole_transfer<many>(seed, 0x1000 + tebibyte, 0x1000, fifteen_tib - 8, true);
    }
}

TEST_CASE("PGB-06: any token of a large transfer is resumed at exactly its page") {
    u64 const seed = seed_of_run();
    seeded_numbers random(seed);
    one_request<single> test;
    for (u64 round = 0; round < 4000 / slow_build_factor; ++round) {
        CAPTURE(round);
        u64 const count = round % 16 == 0 ? u64{1} << 32 : 1 + random.below(u64{1} << 32);
        u64 const size = count * page_bytes - random.below(1024) * 4;
        u32 const token = static_cast<u32>(random.one_in(4) ? count - 1 : random.below(count));
        u64 const left = count - token;
        u64 const groups = 1 + random.below(5);
        u64 const pages_now = groups < left ? groups : left;
        newest_arguments requests[] = {test.virtual_transfer(0x4000'0000'0000, 0x7000'0000'0000, size),
                                       test.virtual_fill(0x4000'0000'0000, size), test.transfer_inside(0, 0, size),
                                       test.fill(0, size)};
        // Physical ones in the segment that is large enough.
        u64 const base = test.hw.places[huge_memory].base.n;
        requests[2].Transfer.Source.SegmentId = requests[2].Transfer.Destination.SegmentId = huge_memory;
        requests[2].Transfer.Source.SegmentAddress.QuadPart = static_cast<i64>(base + 0x7000'0000'0000);
        requests[2].Transfer.Destination.SegmentAddress.QuadPart = static_cast<i64>(base + 0x4000'0000'0000);
        requests[3].Fill.Destination.SegmentId = huge_memory;
        requests[3].Fill.Destination.SegmentAddress.QuadPart = static_cast<i64>(base + 0x4000'0000'0000);
        for (newest_arguments& args : requests) {
            CAPTURE(args.Operation);
            bool const copies = args.Operation == 0 || args.Operation == 8;
            args.MultipassOffset = token;
            pass_result const done = test.os.pass(test.hw, args, groups * (copies ? 44 : 32));
            REQUIRE(done.problem == "");
            REQUIRE(done.commands.size() == pages_now);
            REQUIRE(done.status == (pages_now == left ? status::success : status::graphics_insufficient_dma_buffer));
            for (u64 i = 0; i < pages_now; ++i) {
                recorded_command const& one = done.commands[i];
                u64 const at = (token + i) * page_bytes;
                REQUIRE(one.destination.n == 0x4000'0000'0000 + at);
                REQUIRE((!copies || one.source.n == 0x7000'0000'0000 + at));
                REQUIRE(one.size == (size - at < page_bytes ? size - at : page_bytes));
            }
            if (done.status != status::success) {
                REQUIRE(done.next_token == token + pages_now);
            }
        }
    }
}

TEST_CASE("PGB-06: the most that tokens of 32 bits serve is 2^32 pages, and a byte more is refused") {
    one_request<unlimited> test;
    constexpr u64 most = (u64{1} << 32) * page_bytes;
    for (u64 const size : {most, most - 4}) {
        newest_arguments args = test.virtual_transfer(0x4000'0000'0000, 0x1000, size);
        pass_result const done = test.run(args);
        CHECK(done.status == status::success);
        u64 moved_bytes = 0;
        for (recorded_command const& one : done.commands) {
            moved_bytes += one.size;
        }
        CHECK(moved_bytes == size);
    }
    for (u64 const size : {most + 4, most + page_bytes, most + page_bytes + 4, u64{1} << 50}) {
        u64 const count = size / page_bytes + (size % page_bytes != 0);
        newest_arguments inside = test.transfer_inside(0, 0, size);
        u64 const base = test.hw.places[huge_memory].base.n;
        inside.Transfer.Source.SegmentId = inside.Transfer.Destination.SegmentId = huge_memory;
        inside.Transfer.Source.SegmentAddress.QuadPart = static_cast<i64>(base);
        inside.Transfer.Destination.SegmentAddress.QuadPart = static_cast<i64>(base + (u64{1} << 55));
        newest_arguments fill = test.fill(0, size);
        fill.Fill.Destination.SegmentId = huge_memory;
        fill.Fill.Destination.SegmentAddress.QuadPart = static_cast<i64>(base);
        for (newest_arguments args :
             {test.virtual_transfer(u64{1} << 60, 0x1000, size), test.virtual_fill(0x1000, size), inside, fill}) {
            test.hw.faults = 0;
            CHECK(test.os.pass(test.hw, args, 4096).status == status::invalid_parameter);
            CHECK(test.hw.faults == 1);
            CHECK(test.hw.last_fault.rule == paging_rule::too_many_pages);
            CHECK(test.hw.last_fault.value == count);
            CHECK(test.hw.last_fault.limit == u64{1} << 32);
        }
    }
}

TEST_CASE("PGB-06 OP00-08: operations 0 and 7 of 2^32 pages end with the last one, layouts changed or not") {
    one_request<swizzling> test;
    constexpr u64 size = (u64{1} << 32) * page_bytes;
    u64 const base = test.hw.places[huge_memory].base.n;
    auto const set = [&](auto& transfer, u32 flags) {
        transfer.TransferSize = static_cast<usize>(size);
        transfer.Source.SegmentId = transfer.Destination.SegmentId = huge_memory;
        transfer.Source.SegmentAddress.QuadPart = static_cast<i64>(base + 0x7000'0000'0000);
        transfer.Destination.SegmentAddress.QuadPart = static_cast<i64>(base + 0x4000'0000'0000);
        transfer.Flags.Value |= flags;
    };
    for (u32 const flags : {0u, 1u, 2u}) {
        newest_arguments requests[] = {test.transfer_inside(0, 0, size), test.special_lock(lonely_pages(1))};
        set(requests[0].Transfer, flags);
        set(requests[1].SpecialLockTransfer, flags);
        for (newest_arguments& args : requests) {
            CAPTURE(flags);
            CAPTURE(args.Operation);
            args.MultipassOffset = 0xFFFF'FFFE;
            pass_result const first = test.os.pass(test.hw, args, flags == 0 ? 44 : 68);
            REQUIRE(first.status == status::graphics_insufficient_dma_buffer);
            CHECK(args.MultipassOffset == 0xFFFF'FFFF);
            pass_result const last = test.os.pass(test.hw, args, 4096);
            CHECK(last.status == status::success);
            CHECK(args.MultipassOffset == 0);  // what is done does not come back
            REQUIRE(last.commands.size() == 1);
            CHECK(last.commands[0].kind == (flags == 0 ? record_kind::copy : record_kind::swizzled_copy));
            CHECK(last.commands[0].destination.n == 0x4000'0000'0000 + size - page_bytes);
            CHECK(last.commands[0].source.n == 0x7000'0000'0000 + size - page_bytes);
        }
    }
    CHECK(test.hw.faults == 0);
}

TEST_CASE("PGB-06: an engine without a limit moves terabytes in a few commands, none longer than whole pages") {
    one_request<unlimited> test;
    newest_arguments args = test.virtual_transfer(0x4000'0000'0000, 0x1000, fifteen_tib);
    pass_result const done = test.run(args);
    CHECK(done.problem == "");
    CHECK(joined(effect_of(done.commands)) ==
          std::vector<effect_piece>{moved({0x4000'0000'0000, virtual_space}, {0x1000, virtual_space}, fifteen_tib)});
    CHECK(done.commands.size() <= 16);
}

}  // namespace large_token_test
