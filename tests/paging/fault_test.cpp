// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "malformed.hpp"

namespace fault_test {

using namespace wddmcore;
using namespace wddmcore::testing;

TEST_CASE("PGB-11 fault: no buffer") {
    malformed<by_command> test;
    for (newest_arguments const& good : test.with_commands()) {
        test.expect(good, [](newest_arguments& args) { args.DmaSize = 0; }, paging_rule::no_buffer, 0, 0);
    }
}

TEST_CASE("PGB-03 fault: a write position between two dwords") {
    one_request<by_command> test;
    for (u32 const shift : {1u, 2u, 3u}) {
        for (newest_arguments const& good : test.one_of_each()) {
            CAPTURE(good.Operation);
            std::vector<u32> buffer(400, 0x5A5A'5A5A);
            newest_arguments args = good;
            args.pDmaBuffer = reinterpret_cast<u8*>(buffer.data() + 9) + shift;
            args.DmaSize = 1000;
            newest_arguments before;
            std::memcpy(&before, &args, sizeof args);
            test.hw.faults = 0;
            CHECK(build_paging_buffer(test.hw, args) == status::invalid_parameter);
            CHECK(test.hw.faults == 1);
            CHECK(test.hw.last_fault.rule == paging_rule::misaligned_buffer);
            CHECK(static_cast<u32>(test.hw.last_fault.operation) == good.Operation);
            CHECK(std::memcmp(&before, &args, sizeof args) == 0);
            CHECK(buffer == std::vector<u32>(400, 0x5A5A'5A5A));
        }
    }
}

TEST_CASE("PGB-03 fault: the position, or what it lacks, is told with the four that it had to divide by") {
    one_request<by_command> test;
    alignas(4) u8 buffer[1004] = {};
    for (u32 const shift : {1u, 2u, 3u}) {
        newest_arguments args = test.fill(0, page_bytes);
        args.pDmaBuffer = buffer + shift;
        args.DmaSize = 1000;
        CHECK(build_paging_buffer(test.hw, args) == status::invalid_parameter);
        CHECK(test.hw.last_fault.value % 4 == shift);
        CHECK(test.hw.last_fault.limit == 4);
    }
}

TEST_CASE("PGB-04 fault: a token behind the work") {
    malformed<by_command> test;
    for (newest_arguments const& good : test.one_of_each()) {
        u64 const end = good.Operation >= 2 && good.Operation <= 4 ? 1 : good.Operation == 7 ? 3 : 5;
        for (u32 const token : {static_cast<u32>(end + 1), 0xFFFF'FFFFu}) {
            test.expect(
                good, [token](newest_arguments& args) { args.MultipassOffset = token; }, paging_rule::token_past_end,
                token, end);
        }
    }
}

TEST_CASE("PGB-06 fault: more pages than a token counts") {
    malformed<by_command> test;
    constexpr u64 size = (u64{1} << 32) * page_bytes + 4;
    test.expect(
        test.virtual_transfer(u64{1} << 60, 0, size), [](newest_arguments&) {}, paging_rule::too_many_pages,
        (u64{1} << 32) + 1, u64{1} << 32);
    // A byte is a page too many as well.
    for (u64 const too_many : {size, size - 3}) {
        test.expect(
            test.virtual_fill(0, too_many), [](newest_arguments&) {}, paging_rule::too_many_pages, (u64{1} << 32) + 1,
            u64{1} << 32);
    }
    // An aperture that has so many.
    test.hw.places[aperture_segment] = {{0}, {u64{1} << 46}};
    test.expect(
        test.unmap(0, u64{1} << 32), [](newest_arguments&) {}, paging_rule::too_many_pages, u64{1} << 32, 0xFFFF'FFFF);
    test.expect(
        test.unmap(9, (u64{1} << 33) + 7), [](newest_arguments&) {}, paging_rule::too_many_pages, (u64{1} << 33) + 7,
        0xFFFF'FFFF);
}

TEST_CASE("OP01-02 OP08-01 ADL-09 fault: of a request of nothing the hook hears a nought") {
    malformed<by_command> test;
    auto const nothing = [](newest_arguments&) {};
    test.expect(test.fill(0, 0), nothing, paging_rule::nothing_to_fill, 0, 0);
    test.expect(test.virtual_fill(0x1000, 0), nothing, paging_rule::nothing_to_fill, 0, 0);
    test.expect(test.virtual_transfer(0x9000, 0x1000, 0), nothing, paging_rule::nothing_to_transfer, 0, 0);
    test.expect(test.unmap(7, 0), nothing, paging_rule::nothing_to_map, 0, 0);
}

TEST_CASE("OP00-01 fault: a segment that was never reported") {
    malformed<by_command> test;
    for (u32 const id : {no_such_segment, 7u, 8u, 0xFFFF'FFFFu}) {
        auto const spoil = [id](newest_arguments& args) { malformed<by_command>::set_place(args, id, 0x10'0000'0000); };
        for (newest_arguments const& good : test.with_segment()) {
            test.expect(good, spoil, paging_rule::unknown_segment, id, 0);
        }
        for (newest_arguments const& good : test.of_apertures()) {
            test.expect(
                good, [id](newest_arguments& args) { set_aperture(args, id); }, paging_rule::unknown_segment, id, 0);
        }
        newest_arguments const out = test.transfer_out(lonely_pages(3));
        test.expect(
            out, [id](newest_arguments& args) { args.Transfer.Source.SegmentId = id; }, paging_rule::unknown_segment,
            id, 0);
    }
    // Id 0 is the MDL of a transfer, and no segment of a fill.
    test.expect(
        test.fill(0, page_bytes), [](newest_arguments& args) { args.Fill.Destination.SegmentId = 0; },
        paging_rule::unknown_segment, 0, 0);
}

TEST_CASE("OP00-03 fault: an address outside its segment, on either side of it") {
    malformed<by_command> test;
    u64 const base = test.local_base;
    u64 const end = base + test.hw.places[local_memory].size.n;
    for (newest_arguments const& good : test.with_segment()) {
        // A discard at the end has a test of its own.
        u64 const behind = good.Operation == 2 ? end + 1 : end;
        for (u64 const address :
             {base - 16, u64{0}, behind, end + 16, u64{0x7FFF'FFFF'FFFF'F000}, u64{0xFFFF'FFFF'FFFF'0000}}) {
            auto const spoil = [address](newest_arguments& args) {
                malformed<by_command>::set_place(args, local_memory, address);
            };
            test.expect(good, spoil, paging_rule::outside_segment, address, end);
        }
    }
    // Inside at first, and then out of it.
    for (newest_arguments const& good : {test.transfer_in(lonely_pages(5)), test.fill(0, 5 * page_bytes)}) {
        u64 const address = end - 5 * page_bytes + 16;
        auto const spoil = [address](newest_arguments& args) {
            malformed<by_command>::set_place(args, local_memory, address);
        };
        test.expect(good, spoil, paging_rule::outside_segment, address, end);
    }
    // An offset from the segment's start, taken for an address: the base is missing (OP00-03).
    newest_arguments const good = test.transfer_in(lonely_pages(5));
    test.expect(
        good, [](newest_arguments& args) { args.Transfer.Destination.SegmentAddress.QuadPart = 0x3000; },
        paging_rule::outside_segment, 0x3000, end);
    // TransferOffset counts.
    u64 const near_end = end - 6 * page_bytes;
    auto const spoil = [near_end](newest_arguments& args) {
        malformed<by_command>::set_place(args, local_memory, near_end);
        args.Transfer.TransferOffset = 2 * page_bytes;
    };
    test.expect(good, spoil, paging_rule::outside_segment, near_end + 2 * page_bytes, end);
}

TEST_CASE("OP00-02 fault: an address that wraps when TransferOffset is added") {
    malformed<by_command> test;
    auto const spoil = [](newest_arguments& args) {
        malformed<by_command>::set_place(args, top_memory, ~u64{0} - 4095);
        (args.Operation == 0 ? args.Transfer.TransferOffset : args.SpecialLockTransfer.TransferOffset) = 4096;
    };
    for (newest_arguments const& good : {test.transfer_in({4}), test.special_lock({4})}) {
        test.expect(good, spoil, paging_rule::offset_wraps, ~u64{0} - 4095, 4096);
    }
}

TEST_CASE("OP08-06 fault: what the engine cannot take") {
    malformed<by_command> test;
    newest_arguments const in = test.transfer_in(lonely_pages(5));
    u64 const address = test.local_base + 0x3000;
    test.expect(
        in, [](newest_arguments& args) { args.Transfer.TransferSize -= 8; }, paging_rule::misaligned_for_engine,
        5 * page_bytes - 8, 16);
    test.expect(
        in, [](newest_arguments& args) { args.Transfer.TransferOffset = 4; }, paging_rule::misaligned_for_engine,
        address + 4, 16);
    test.expect(
        in, [](newest_arguments& args) { args.Transfer.Destination.SegmentAddress.QuadPart += 8; },
        paging_rule::misaligned_for_engine, address + 8, 16);
    test.expect(
        test.transfer_out(lonely_pages(5)),
        [](newest_arguments& args) { args.Transfer.Source.SegmentAddress.QuadPart += 1; },
        paging_rule::misaligned_for_engine, address + 1, 16);
    test.expect(
        test.fill(8, page_bytes), [](newest_arguments&) {}, paging_rule::misaligned_for_engine, test.local_base + 8,
        16);
    test.expect(
        test.fill(1, page_bytes), [](newest_arguments&) {}, paging_rule::misaligned_for_engine, test.local_base + 1,
        16);
    test.expect(
        test.fill(0, page_bytes + 4), [](newest_arguments&) {}, paging_rule::misaligned_for_engine, page_bytes + 4, 16);
    test.expect(
        test.virtual_fill(0x9004, page_bytes), [](newest_arguments&) {}, paging_rule::misaligned_for_engine, 0x9004,
        16);
    test.expect(test.virtual_fill(0x9000, 8), [](newest_arguments&) {}, paging_rule::misaligned_for_engine, 8, 16);
    test.expect(
        test.virtual_transfer(0x9004, 0x2'0000, 64), [](newest_arguments&) {}, paging_rule::misaligned_for_engine,
        0x9004, 16);
    test.expect(
        test.virtual_transfer(0x9000, 0x2'0001, 64), [](newest_arguments&) {}, paging_rule::misaligned_for_engine,
        0x2'0001, 16);
    test.expect(
        test.virtual_transfer(0x9000, 0x2'0000, 60), [](newest_arguments&) {}, paging_rule::misaligned_for_engine, 60,
        16);
}

TEST_CASE("OP08-07 fault: an overlap at a distance below a page") {
    malformed<by_command> test;
    test.expect(
        test.virtual_transfer(0x9010, 0x9000, 0x1000), [](newest_arguments&) {}, paging_rule::overlap_below_page, 16,
        page_bytes);
    test.expect(
        test.virtual_transfer(0x9000, 0x9FF0, 0x1000), [](newest_arguments&) {}, paging_rule::overlap_below_page, 0xFF0,
        page_bytes);
    test.expect(
        test.transfer_inside(0x9000, 0x9020, 0x5000), [](newest_arguments&) {}, paging_rule::overlap_below_page, 32,
        page_bytes);
}

TEST_CASE("DESIGN 6: a discard names a place in its segment, and the end of a segment is none") {
    malformed<by_command> test;
    u64 const size = test.hw.places[local_memory].size.n;
    test.expect(
        test.discard(size), [](newest_arguments&) {}, paging_rule::outside_segment, test.local_base + size,
        test.local_base + size);
    newest_arguments last = test.discard(size - 1);
    CHECK(test.run(last).status == status::success);
}

TEST_CASE("law 5: dropped is taken as stop except for requests of nothing") {
    u32 taken = 0;
    for (u32 rule = 0; std::string(rule_id(static_cast<paging_rule>(rule))) != "?"; ++rule) {
        auto const one = static_cast<paging_rule>(rule);
        bool const nothing = one == paging_rule::nothing_to_fill || one == paging_rule::nothing_to_transfer ||
                             one == paging_rule::nothing_to_map || one == paging_rule::nothing_to_notify ||
                             one == paging_rule::nothing_to_update;
        CHECK(harmless(one) == nothing);
        taken += harmless(one);
    }
    CHECK(taken == 5);
}

}  // namespace fault_test
