// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "malformed.hpp"

#include <utility>

namespace transfer_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

constexpr engine_shape plain = shapes::engine(shapes::everything, 4 * page_bytes, 4, shapes::ordered, 1);

std::vector<effect_piece> effect(pass_result const& done) {
    CHECK(done.problem == "");
    CHECK(done.status == status::success);
    return joined(effect_of(done.commands));
}

}  // namespace

TEST_CASE("OP00-01: segment id 0 selects the MDL, any other id the address, on each side by itself") {
    one_request<plain> test;
    newest_arguments in = test.transfer_in({0x40, 0x90});
    CHECK(effect(test.run(in)) ==
          joined({moved({0x3000, segment_space(local_memory)}, {0x4'0000, system_space}, 4096),
                  moved({0x4000, segment_space(local_memory)}, {0x9'0000, system_space}, 4096)}));
    newest_arguments out = test.transfer_out({0x40, 0x90});
    CHECK(effect(test.run(out)) ==
          joined({moved({0x4'0000, system_space}, {0x3000, segment_space(local_memory)}, 4096),
                  moved({0x9'0000, system_space}, {0x4000, segment_space(local_memory)}, 4096)}));
    newest_arguments both = test.transfer_in({0x40, 0x90});
    both.Transfer.Destination.SegmentId = 0;
    both.Transfer.Destination.pMdl = test.destination.make({0x41, 0x30});
    CHECK(effect(test.run(both)) == joined({moved({0x4'1000, system_space}, {0x4'0000, system_space}, 4096),
                                            moved({0x3'0000, system_space}, {0x9'0000, system_space}, 4096)}));
    newest_arguments neither = test.transfer_inside(0x10'0000, 0x5000, 8192);
    CHECK(effect(test.run(neither)) ==
          joined({moved({0x10'0000, segment_space(local_memory)}, {0x5000, segment_space(local_memory)}, 8192)}));
}

TEST_CASE("PGB-05: a run that outlasts the pass is not read to its end, however long the list is") {
    one_request<by_command> test;  // four pages a copy
    guarded_mdl mdl(40);           // behind these pages nothing can be read
    auto const* const list = reinterpret_cast<usize const*>(mdl.make(rising_pages(0x500, 40)) + 1);
    u32 words[22] = {};  // two copies
    paging::detail::dma_writer writer{words, 22};
    paging::detail::progress const reached = paging::detail::copy_list<true>(
        test.hw, writer, list, test.hw.from_segment(segment_id{local_memory}, segment_offset{0}),
        paging::detail::list_extent{4000, 0}, 0);
    CHECK(reached.what == paging::detail::outcome::need_buffer);
    CHECK(reached.token == 8);
    CHECK(writer.at == words + 22);
}

TEST_CASE("OP08-07: pages lie in no segment: the first bytes of one that begins at 0 overlap none of them") {
    one_request<by_command> test;
    test.hw.places[local_memory].base.n = 0;
    for (bool const out : {false, true}) {
        newest_arguments args = out ? test.transfer_out(lonely_pages(5)) : test.transfer_in(lonely_pages(5));
        (out ? args.Transfer.Source : args.Transfer.Destination).SegmentAddress.QuadPart = 16;
        pass_result const done = test.run(args);
        CHECK(done.status == status::success);
        CHECK(done.commands.size() == 5);
        CHECK(joined(effect_of(done.commands)) == joined(transfer_effect(test.hw, args.Transfer, 0)));
    }
}

TEST_CASE("OP08-07: the same address in two segments is no overlap: the bytes are copied") {
    one_request<by_command> test;
    // Two segments at one address, so that nothing but their ids tells them apart.
    u64 const aperture_base = test.local_base;
    test.hw.places[aperture_segment].base.n = aperture_base;
    newest_arguments args = test.transfer_inside(0x9000, 0x9000, 0x2000);
    args.Transfer.Destination.SegmentId = aperture_segment;
    args.Transfer.Destination.SegmentAddress.QuadPart = static_cast<i64>(aperture_base + 0x9000);
    CHECK(effect(test.run(args)) ==
          joined({moved({0x9000, segment_space(aperture_segment)}, {0x9000, segment_space(local_memory)}, 0x2000)}));
    args.Transfer.Destination.SegmentAddress.QuadPart = static_cast<i64>(aperture_base + 0x9010);
    CHECK(effect(test.run(args)) ==
          joined({moved({0x9010, segment_space(aperture_segment)}, {0x9000, segment_space(local_memory)}, 0x2000)}));
}

TEST_CASE("ADL-06: a list is one run only when every page follows the one before it") {
    for (u32 const n : {1u, 7u, 8u, 9u, 16u, 19u}) {
        std::vector<usize> list(n + 1);
        std::iota(list.begin(), list.end(), usize{0x100});
        CHECK(adl::detail::consecutive(list.data(), n));
        for (u32 place = 1; place <= n; ++place) {
            for (usize const wrong : {list[place] - 1, list[place] + 1, usize{0}, ~usize{0}}) {
                std::vector<usize> other = list;
                other[place] = wrong;
                CAPTURE(place);
                CHECK_FALSE(adl::detail::consecutive(other.data(), n));
            }
        }
    }
}

TEST_CASE("OP00-02: TransferOffset goes to the segment side only, MdlOffset to the MDL side only, in pages") {
    one_request<plain> test;
    newest_arguments args = test.transfer_in(rising_pages(0x100, 10));
    args.Transfer.TransferSize = 2 * page_bytes;
    args.Transfer.TransferOffset = 0x7'0000;
    args.Transfer.MdlOffset = 3;
    CHECK(effect(test.run(args)) ==
          joined({moved({0x7'3000, segment_space(local_memory)}, {0x10'3000, system_space}, 8192)}));
    newest_arguments out = test.transfer_out(rising_pages(0x100, 10));
    out.Transfer.TransferSize = 2 * page_bytes;
    out.Transfer.TransferOffset = 0x7'0000;
    out.Transfer.MdlOffset = 3;
    CHECK(effect(test.run(out)) ==
          joined({moved({0x10'3000, system_space}, {0x7'3000, segment_space(local_memory)}, 8192)}));
    // Two segments: it is added to both.
    newest_arguments inside = test.transfer_inside(0x20'0000, 0x1000, 4096);
    inside.Transfer.TransferOffset = 0x7'0000;
    inside.Transfer.MdlOffset = 3;
    CHECK(effect(test.run(inside)) ==
          joined({moved({0x27'0000, segment_space(local_memory)}, {0x7'1000, segment_space(local_memory)}, 4096)}));
    // It is no multiple of a page when the engine can do it.
    inside.Transfer.TransferOffset = 0x7'0404;
    inside.MultipassOffset = 0;
    CHECK(effect(test.run(inside)) ==
          joined({moved({0x27'0404, segment_space(local_memory)}, {0x7'1404, segment_space(local_memory)}, 4096)}));
}

TEST_CASE("OP00-02: the largest offsets: 32 bits of bytes and of pages, no product of 32 bits") {
    one_request<plain> test;
    newest_arguments args = test.transfer_in({0x111});
    args.Transfer.TransferOffset = 0xFFFF'FFFC;
    CHECK(effect(test.run(args)) ==
          joined({moved({0x1'0000'2FFC, segment_space(local_memory)}, {0x11'1000, system_space}, 4096)}));
    // 2^20 pages and more: MdlOffset in bytes does not fit 32 bits. An MDL describes 4 GiB at the most.
    constexpr u64 many = (u64{1} << 20) - 1;
    guarded_mdl large(many);
    newest_arguments far = test.transfer_in({0x111});
    far.Transfer.TransferSize = page_bytes;
    far.Transfer.Source.pMdl = large.make(rising_pages(0x7'0000'0000, many));
    far.Transfer.MdlOffset = static_cast<u32>(many - 1);
    CHECK(effect(test.run(far)) == joined({moved({0x3000, segment_space(local_memory)},
                                                 {(0x7'0000'0000 + many - 1) * 4096, system_space}, 4096)}));
}

TEST_CASE("OP00-03 SEG-28: SegmentAddress has the base in it already") {
    one_request<plain> test;
    for (u32 const id : {local_memory, aperture_segment, huge_memory, top_memory}) {
        CAPTURE(id);
        newest_arguments args = test.transfer_in({0x5});
        args.Transfer.Destination.SegmentId = id;
        args.Transfer.Destination.SegmentAddress.QuadPart = static_cast<i64>(test.hw.places[id].base.n + 0x8000);
        CHECK(effect(test.run(args)) == joined({moved({0x8000, segment_space(id)}, {0x5000, system_space}, 4096)}));
        // The first and the last page of the segment.
        u64 const last = test.hw.places[id].size.n - page_bytes;
        for (u64 const offset : {u64{0}, last}) {
            args.MultipassOffset = 0;
            args.Transfer.Destination.SegmentAddress.QuadPart = static_cast<i64>(test.hw.places[id].base.n + offset);
            CHECK(effect(test.run(args)) == joined({moved({offset, segment_space(id)}, {0x5000, system_space}, 4096)}));
        }
    }
}

TEST_CASE("OP00-04: TransferOffset stays the same over the passes; progress is the token's") {
    one_request<plain> test;
    newest_arguments args = test.transfer_in(lonely_pages(6));
    args.Transfer.TransferOffset = 0x1'0000;
    std::vector<effect_piece> const expected = joined(transfer_effect(test.hw, args.Transfer, 0));
    std::vector<recorded_command> all;
    for (u32 pass = 0; pass < 6; ++pass) {
        CHECK(args.MultipassOffset == pass);
        pass_result const done = test.os.pass(test.hw, args, test.smallest);
        REQUIRE(done.problem == "");
        REQUIRE(done.commands.size() == 1);
        CHECK(args.Transfer.TransferOffset == 0x1'0000);
        CHECK(done.status == (pass < 5 ? status::graphics_insufficient_dma_buffer : status::success));
        all.push_back(done.commands[0]);
    }
    CHECK(joined(effect_of(all)) == expected);
}

TEST_CASE("OP00-05: sub-transfers make one allocation, whatever the start and end flags say") {
    one_request<plain> test;
    std::vector<u64> const list = lonely_pages(12);
    newest_arguments whole = test.transfer_in(list);
    std::vector<effect_piece> const expected = effect(test.run(whole));
    std::vector<effect_piece> parts;
    u64 const lengths[] = {5, 4, 3};
    u64 done_pages = 0;
    for (u32 part = 0; part < 3; ++part) {
        newest_arguments args = test.transfer_in(list);
        args.Transfer.TransferSize = static_cast<usize>(lengths[part] * page_bytes);
        args.Transfer.TransferOffset = static_cast<u32>(done_pages * page_bytes);
        args.Transfer.MdlOffset = static_cast<u32>(done_pages);
        args.Transfer.Flags.TransferStart = part == 0;
        args.Transfer.Flags.TransferEnd = part == 2;
        pass_result const done = test.run(args);
        std::vector<effect_piece> const pieces = effect_of(done.commands);
        parts.insert(parts.end(), pieces.begin(), pieces.end());
        done_pages += lengths[part];
    }
    CHECK(joined(parts) == expected);
}

TEST_CASE("OP00-06: a second start before the end is a retry: all of it again, from the token 0") {
    one_request<plain> test;
    newest_arguments args = test.transfer_in(lonely_pages(6));
    args.Transfer.Flags.TransferStart = 1;
    args.Transfer.Flags.TransferEnd = 1;
    newest_arguments retry = args;
    CHECK(test.os.pass(test.hw, args, 2 * test.smallest).next_token == 2);  // and then the system gives it up
    CHECK(effect(test.run(retry)) == joined(transfer_effect(test.hw, retry.Transfer, 0)));
}

TEST_CASE("OP00-09: a transfer of size 0 is done, and the GPU is not touched") {
    one_request<plain> test;
    for (u64 const room : {u64{0}, u64{1}, u64{4096}}) {
        newest_arguments list = test.transfer_in(lonely_pages(2));
        list.Transfer.TransferSize = 0;
        list.Transfer.Flags.AllocationIsIdle = 0;
        newest_arguments nothing = list;
        nothing.Transfer.Source.pMdl = nullptr;
        newest_arguments lock = test.special_lock(lonely_pages(2));
        lock.SpecialLockTransfer.TransferSize = 0;
        for (newest_arguments args : {list, nothing, lock}) {
            pass_result const done = test.os.pass(test.hw, args, room);
            CHECK(done.problem == "");
            CHECK(done.status == status::success);
            CHECK(done.written_dwords == 0);
        }
    }
    CHECK(test.hw.faults == 0);
    CHECK(test.hw.stored == 0);
}

TEST_CASE("OP00-10: neighbours are merged up to the engine's limit and never across it") {
    one_request<plain> test;  // four pages a command
    for (u64 count = 1; count <= 40; ++count) {
        newest_arguments args = test.transfer_in(rising_pages(0x600, count));
        pass_result const done = test.run(args);
        CHECK(effect(done) == joined(transfer_effect(test.hw, args.Transfer, 0)));
        CHECK(done.commands.size() == (count + 3) / 4);
        for (recorded_command const& one : done.commands) {
            REQUIRE(one.size <= 4 * page_bytes);
        }
        newest_arguments apart = test.transfer_out(lonely_pages(count));
        CHECK(test.run(apart).commands.size() == count);
    }
}

TEST_CASE("OP00-10: pages are neighbours in 64 bits, not in 32, and never by wrapping") {
    one_request<plain> test;
    for (u64 const jump : {u64{1} << 32, u64{1} << 20, u64{1} << 31, u64{1} << 44}) {
        newest_arguments args = test.transfer_in({0x100, 0x101 + jump, 0x102 + jump, 0x103});
        CHECK(effect(test.run(args)) == joined(transfer_effect(test.hw, args.Transfer, 0)));
    }
    newest_arguments falling = test.transfer_out({0x105, 0x104, 0x103, 0x103 + 2});
    CHECK(effect(test.run(falling)) == joined(transfer_effect(test.hw, falling.Transfer, 0)));
}

TEST_CASE("OP00-10: pages between two ends that are as far apart as they should be need not be in order") {
    one_request<plain> test;
    for (u64 const count : {u64{4}, u64{9}, u64{12}, u64{256}, u64{257}, u64{300}}) {
        for (u64 at = 1; at + 2 < count; at += count < 20 ? 1u : 37u) {
            std::vector<u64> list = rising_pages(0x800, count);
            std::swap(list[at], list[at + 1]);
            newest_arguments in = test.transfer_in(list);
            REQUIRE(effect(test.run(in)) == joined(transfer_effect(test.hw, in.Transfer, 0)));
            // One page far away, and everything else as if it were not.
            list = rising_pages(0x800, count);
            list[at] = 0x9'0000;
            newest_arguments out = test.transfer_out(list);
            REQUIRE(effect(test.run(out)) == joined(transfer_effect(test.hw, out.Transfer, 0)));
        }
    }
}

TEST_CASE("OP07-01: operation 7 is a transfer whose MDL begins with it") {
    one_request<plain> test;
    newest_arguments args = test.special_lock(lonely_pages(7));
    args.SpecialLockTransfer.TransferSize = 6 * page_bytes - 8;
    args.SpecialLockTransfer.TransferOffset = 0x4000;
    args.SpecialLockTransfer.SwizzlingRangeId = 0x1234;
    args.SpecialLockTransfer.SwizzlingRangeData = 0x5678;
    CHECK(effect(test.run(args)) == joined(transfer_effect(test.hw, args.SpecialLockTransfer, 0)));
    // The words behind its own arguments are not an MdlOffset.
    args.Reserved.Reserved[sizeof args.SpecialLockTransfer / 4] = 5;
    args.MultipassOffset = 0;
    CHECK(effect(test.run(args)) == joined(transfer_effect(test.hw, args.SpecialLockTransfer, 0)));
}

TEST_CASE("OP08-07: two segments never overlap, even at equal offsets and with an engine that needs order") {
    one_request<plain> test;
    newest_arguments args = test.transfer_inside(0, 0, 8 * page_bytes);
    args.Transfer.Destination.SegmentId = top_memory;
    args.Transfer.Destination.SegmentAddress.QuadPart = static_cast<i64>(test.hw.places[top_memory].base.n + 64);
    args.Transfer.Source.SegmentAddress.QuadPart = static_cast<i64>(test.local_base);
    CHECK(effect(test.run(args)) == joined(transfer_effect(test.hw, args.Transfer, 0)));
}

}  // namespace transfer_test
