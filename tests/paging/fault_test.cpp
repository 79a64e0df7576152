// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "one_request.hpp"

#include <functional>
#include <utility>

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

constexpr engine_shape commands_for_all() {
    engine_shape shape = shapes::engine(shapes::everything, 4 * page_bytes, 16, shapes::ordered, 2);
    shape.aperture_commands = true;
    shape.discards = true;
    shape.caps.highest_visible_address = 0xF'FFFF'FFFF;  // 2^24 pages
    return shape;
}
constexpr engine_shape by_command = commands_for_all();
constexpr engine_shape stores_at_once() {
    engine_shape shape = by_command;
    shape.aperture_commands = false;
    return shape;
}
constexpr engine_shape at_once = stores_at_once();

constexpr u64 last_visible_page = 0xFF'FFFF;

// One malformed request: exactly this rule is heard of, with these numbers, and nothing is committed.
template <engine_shape const& Shape>
struct malformed : one_request<Shape> {
    void expect(newest_arguments const& good, std::function<void(newest_arguments&)> const& spoil, paging_rule rule, u64 value, u64 limit) {
        expect_one_of(good, spoil, rule, {value, value}, limit);
    }

    // The same where a range is at fault: told by where it begins, or by where it would end.
    void expect_one_of(newest_arguments const& good, std::function<void(newest_arguments&)> const& spoil, paging_rule rule,
                       std::pair<u64, u64> values, u64 limit) {
        CAPTURE(good.Operation);
        CAPTURE(static_cast<u32>(rule));
        for (disposition const answer : {disposition::stop, disposition::dropped}) {
            std::vector<u32> buffer(1200, 0x5A5A'5A5A);
            u8 private_data[64] = {};
            newest_arguments args = good;
            args.pDmaBuffer = buffer.data() + 100;
            args.DmaSize = 4000;
            args.pDmaBufferPrivateData = private_data;
            args.DmaBufferPrivateDataSize = sizeof private_data;
            spoil(args);
            newest_arguments before;
            std::memcpy(&before, &args, sizeof args);
            this->hw.answer = answer;
            this->hw.faults = 0;
            this->hw.stored = 0;
            ntstatus const status = build_paging_buffer(this->hw, args);
            CHECK(status == (answer == disposition::dropped && harmless(rule) ? status::success : status::invalid_parameter));
            CHECK(this->hw.faults == 1);
            CHECK(this->hw.last_fault.rule == rule);
            CHECK(static_cast<u32>(this->hw.last_fault.operation) == good.Operation);
            u64 const value = this->hw.last_fault.value;
            CHECK((value == values.first || value == values.second));
            CHECK(this->hw.last_fault.limit == limit);
            CHECK(std::memcmp(&before, &args, sizeof args) == 0);
            CHECK(buffer == std::vector<u32>(1200, 0x5A5A'5A5A));
            CHECK(this->hw.stored == 0);
            for (u8 const one : private_data) {
                REQUIRE(one == 0);
            }
        }
    }

    // Every operation that moves or fills through the buffer.
    std::vector<newest_arguments> with_commands() {
        return {this->transfer_in(lonely_pages(5)), this->fill(0x4000, 5 * page_bytes), this->discard(0x8000),
                this->read(0x1234), this->write(0x4321), this->special_lock(lonely_pages(3)),
                this->virtual_transfer(0x70'0000, 0x20'0000, 5 * page_bytes), this->virtual_fill(0x3000, 5 * page_bytes)};
    }

    // Gives one side of a request that names a segment another segment and address.
    static void set_place(newest_arguments& args, u32 id, u64 address) {
        switch (args.Operation) {
            case 0:
                args.Transfer.Destination.SegmentId = id;
                args.Transfer.Destination.SegmentAddress.QuadPart = static_cast<i64>(address);
                break;
            case 1:
                args.Fill.Destination.SegmentId = id;
                args.Fill.Destination.SegmentAddress.QuadPart = static_cast<i64>(address);
                break;
            case 2:
                args.DiscardContent.SegmentId = id;
                args.DiscardContent.SegmentAddress.QuadPart = static_cast<i64>(address);
                break;
            case 3:
                args.ReadPhysical.SegmentId = id;
                args.ReadPhysical.PhysicalAddress.QuadPart = static_cast<i64>(address);
                break;
            case 4:
                args.WritePhysical.SegmentId = id;
                args.WritePhysical.PhysicalAddress.QuadPart = static_cast<i64>(address);
                break;
            case 7:
                args.SpecialLockTransfer.Destination.SegmentId = id;
                args.SpecialLockTransfer.Destination.SegmentAddress.QuadPart = static_cast<i64>(address);
                break;
            default: break;
        }
    }

    std::vector<newest_arguments> with_segment() {
        return {this->transfer_in(lonely_pages(5)), this->fill(0x4000, 5 * page_bytes), this->discard(0x8000),
                this->read(0x1234), this->write(0x4321), this->special_lock(lonely_pages(5))};
    }
    std::vector<newest_arguments> of_apertures() {
        return {this->map(7, lonely_pages(5)), this->unmap(7, 5), this->map2(7, lonely_pages(5)), this->map2(7, 0x500, 5)};
    }
};

void set_range(newest_arguments& args, usize first, usize count) {
    switch (args.Operation) {
        case 5:
            args.MapApertureSegment.OffsetInPages = first;
            args.MapApertureSegment.NumberOfPages = count;
            break;
        case 6:
            args.UnmapApertureSegment.OffsetInPages = first;
            args.UnmapApertureSegment.NumberOfPages = count;
            break;
        default:
            args.MapApertureSegment2.OffsetInPages = first;
            args.MapApertureSegment2.NumberOfPages = count;
            break;
    }
}
void set_aperture(newest_arguments& args, u32 id) {
    (args.Operation == 5   ? args.MapApertureSegment.SegmentId
     : args.Operation == 6 ? args.UnmapApertureSegment.SegmentId
                           : args.MapApertureSegment2.SegmentId) = id;
}

}  // namespace

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
            test.expect(good, [token](newest_arguments& args) { args.MultipassOffset = token; }, paging_rule::token_past_end, token, end);
        }
    }
}

TEST_CASE("PGB-06 fault: more pages than a token counts") {
    malformed<by_command> test;
    constexpr u64 size = (u64{1} << 32) * page_bytes;
    test.expect(test.virtual_transfer(u64{1} << 60, 0, size), [](newest_arguments&) {}, paging_rule::too_many_pages, u64{1} << 32, 0xFFFF'FFFF);
    test.expect(test.virtual_fill(0, size), [](newest_arguments&) {}, paging_rule::too_many_pages, u64{1} << 32, 0xFFFF'FFFF);
    // An aperture that has so many.
    test.hw.places[aperture_segment] = {{0}, {u64{1} << 46}};
    test.expect(test.unmap(0, u64{1} << 32), [](newest_arguments&) {}, paging_rule::too_many_pages, u64{1} << 32, 0xFFFF'FFFF);
    test.expect(test.unmap(9, (u64{1} << 33) + 7), [](newest_arguments&) {}, paging_rule::too_many_pages, (u64{1} << 33) + 7, 0xFFFF'FFFF);
}

TEST_CASE("OP00-01 fault: a segment that was never reported") {
    malformed<by_command> test;
    for (u32 const id : {no_such_segment, 7u, 8u, 0xFFFF'FFFFu}) {
        auto const spoil = [id](newest_arguments& args) { malformed<by_command>::set_place(args, id, 0x10'0000'0000); };
        for (newest_arguments const& good : test.with_segment()) {
            test.expect(good, spoil, paging_rule::unknown_segment, id, 0);
        }
        for (newest_arguments const& good : test.of_apertures()) {
            test.expect(good, [id](newest_arguments& args) { set_aperture(args, id); }, paging_rule::unknown_segment, id, 0);
        }
        newest_arguments const out = test.transfer_out(lonely_pages(3));
        test.expect(out, [id](newest_arguments& args) { args.Transfer.Source.SegmentId = id; }, paging_rule::unknown_segment, id, 0);
    }
    // Id 0 is the MDL of a transfer, and no segment of a fill.
    test.expect(test.fill(0, page_bytes), [](newest_arguments& args) { args.Fill.Destination.SegmentId = 0; }, paging_rule::unknown_segment, 0, 0);
}

TEST_CASE("SEG-10 fault: an aperture operation that names a memory segment") {
    malformed<by_command> test;
    for (newest_arguments const& good : test.of_apertures()) {
        test.expect(good, [](newest_arguments& args) { set_aperture(args, local_memory); }, paging_rule::not_an_aperture, local_memory, 0);
    }
}

TEST_CASE("OP00-03 fault: an address outside its segment, on either side of it") {
    malformed<by_command> test;
    u64 const base = test.local_base;
    u64 const end = base + test.hw.places[local_memory].size.n;
    for (newest_arguments const& good : test.with_segment()) {
        // A discard at the end has a test of its own.
        u64 const behind = good.Operation == 2 ? end + 1 : end;
        for (u64 const address : {base - 16, u64{0}, behind, end + 16, u64{0x7FFF'FFFF'FFFF'F000}, u64{0xFFFF'FFFF'FFFF'0000}}) {
            auto const spoil = [address](newest_arguments& args) { malformed<by_command>::set_place(args, local_memory, address); };
            test.expect(good, spoil, paging_rule::outside_segment, address, end);
        }
    }
    // Inside at first, and then out of it.
    for (newest_arguments const& good : {test.transfer_in(lonely_pages(5)), test.fill(0, 5 * page_bytes)}) {
        u64 const address = end - 5 * page_bytes + 16;
        auto const spoil = [address](newest_arguments& args) { malformed<by_command>::set_place(args, local_memory, address); };
        test.expect(good, spoil, paging_rule::outside_segment, address, end);
    }
    // An offset from the segment's start, taken for an address: the base is missing (OP00-03).
    newest_arguments const good = test.transfer_in(lonely_pages(5));
    test.expect(good, [](newest_arguments& args) { args.Transfer.Destination.SegmentAddress.QuadPart = 0x3000; },
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

TEST_CASE("ADL-01 fault: a list that is missing") {
    malformed<by_command> test;
    test.expect(test.transfer_in({4}), [](newest_arguments& args) { args.Transfer.Source.pMdl = nullptr; }, paging_rule::missing_list, 0, 0);
    test.expect(test.transfer_out({4}), [](newest_arguments& args) { args.Transfer.Destination.pMdl = nullptr; }, paging_rule::missing_list, 0, 0);
    test.expect(test.special_lock({4}), [](newest_arguments& args) { args.SpecialLockTransfer.Source.pMdl = nullptr; }, paging_rule::missing_list, 0, 0);
    test.expect(test.map(0, {4}), [](newest_arguments& args) { args.MapApertureSegment.pMdl = nullptr; }, paging_rule::missing_list, 0, 0);
    test.expect(test.map2(0, {4}), [](newest_arguments& args) { args.MapApertureSegment2.Adl.Pages = nullptr; }, paging_rule::missing_list, 0, 0);
}

TEST_CASE("ADL-05 fault: pages that leave an MDL") {
    malformed<by_command> test;
    auto const at = [](u32 offset) { return [offset](newest_arguments& args) { args.Transfer.MdlOffset = offset; }; };
    for (newest_arguments const& good : {test.transfer_in(lonely_pages(5)), test.transfer_out(lonely_pages(5))}) {
        test.expect(good, at(1), paging_rule::outside_list, 6, 5);
        test.expect(good, at(5), paging_rule::outside_list, 10, 5);
        test.expect(good, at(0xFFFF'FFFF), paging_rule::outside_list, 0x1'0000'0004, 5);
    }
    newest_arguments const lock = test.special_lock(lonely_pages(5));
    test.expect(lock, [](newest_arguments& args) { args.SpecialLockTransfer.TransferSize += 16; }, paging_rule::outside_list, 6, 5);
    // An MDL that describes nothing has no page.
    newest_arguments const empty = test.transfer_in(lonely_pages(1));
    test.expect(empty, [](newest_arguments& args) { args.Transfer.Source.pMdl->ByteCount = 0; }, paging_rule::outside_list, 1, 0);
}

TEST_CASE("ADL-05 fault: pages that leave an MDL or an address descriptor list on their way to an aperture") {
    malformed<by_command> test;
    for (u32 const offset : {1u, 5u, 0xFFFF'FFFFu}) {
        test.expect_one_of(test.map(7, lonely_pages(5)), [offset](newest_arguments& args) { args.MapApertureSegment.MdlOffset = offset; },
                           paging_rule::outside_list, {offset, u64{offset} + 5}, 5);
        for (newest_arguments const& good : {test.map2(7, lonely_pages(5)), test.map2(7, 0x500, 5)}) {
            test.expect_one_of(good, [offset](newest_arguments& args) { args.MapApertureSegment2.AdlOffset = offset; },
                               paging_rule::outside_list, {offset, u64{offset} + 5}, 5);
        }
    }
}

TEST_CASE("OP05-02 fault: a range that leaves the aperture") {
    malformed<by_command> test;
    constexpr u64 size = (u64{1} << 36) / page_bytes;
    for (newest_arguments const& good : test.of_apertures()) {
        for (u64 const first : {size - 4, size, size + 1, u64{1} << 40}) {
            auto const spoil = [first](newest_arguments& args) { set_range(args, static_cast<usize>(first), 5); };
            test.expect_one_of(good, spoil, paging_rule::outside_aperture, {first, first + 5}, size);
        }
    }
}

TEST_CASE("ADL-06 fault: a contiguous list that leaves the address space, or what the device reaches") {
    malformed<by_command> test;
    auto const from = [](u64 base) { return [base](newest_arguments& args) { args.MapApertureSegment2.Adl.BasePageNumber = static_cast<usize>(base); }; };
    newest_arguments const good = test.map2(7, 0x500, 5);
    for (u64 const base : {last_visible_page - 3, last_visible_page + 1, (u64{1} << 52) - 5}) {
        test.expect_one_of(good, from(base), paging_rule::list_wraps, {base, base + 4}, last_visible_page);
    }
    newest_arguments last = test.map2(7, last_visible_page - 4, 5);
    CHECK(test.run(last).status == status::success);
}

TEST_CASE("ADL-06 fault: a contiguous list that wraps is told by its base, not by an offset into it") {
    malformed<by_command> test;
    for (u64 const base : {(u64{1} << 52) - 4, u64{1} << 52, ~u64{0}}) {
        newest_arguments args = test.map2(7, base, 5);
        args.MapApertureSegment2.AdlOffset = 1;
        args.MapApertureSegment2.NumberOfPages = 2;
        CHECK(test.os.pass(test.hw, args, 4096).status == status::invalid_parameter);
        CHECK(test.hw.last_fault.rule == paging_rule::list_wraps);
        CHECK((test.hw.last_fault.value == base || test.hw.last_fault.value == base + 4 || test.hw.last_fault.value == base + 5));
    }
}

TEST_CASE("ADL-06 fault: a page of a scattered list that the device does not reach, before anything is stored") {
    malformed<at_once> test;
    for (u64 const bad : {last_visible_page + 1, u64{1} << 40}) {
        for (u64 position = 0; position < 5; ++position) {
            std::vector<u64> list = lonely_pages(5);
            list[position] = bad;
            test.expect(test.map2(7, list), [](newest_arguments&) {}, paging_rule::list_wraps, bad, last_visible_page);
            test.expect(test.map(7, list), [](newest_arguments&) {}, paging_rule::list_wraps, bad, last_visible_page);
        }
        test.expect(test.unmap(7, 5, bad * page_bytes), [](newest_arguments&) {}, paging_rule::list_wraps, bad, last_visible_page);
    }
    newest_arguments reached = test.map2(7, {1, last_visible_page, 3});
    CHECK(test.run(reached).status == status::success);
}

TEST_CASE("ADL-06 fault: a page that the device does not reach, found while commands are written: nothing is committed") {
    one_request<by_command> test;
    for (u64 position = 0; position < 5; ++position) {
        std::vector<u64> list = lonely_pages(5);
        list[position] = last_visible_page + 1;
        for (newest_arguments args : {test.map2(7, list), test.map(7, list)}) {
            u32 buffer[100] = {};
            args.pDmaBuffer = buffer;
            args.DmaSize = sizeof buffer;
            newest_arguments before;
            std::memcpy(&before, &args, sizeof args);
            test.hw.faults = 0;
            CHECK(build_paging_buffer(test.hw, args) == status::invalid_parameter);
            CHECK(std::memcmp(&before, &args, sizeof args) == 0);
            CHECK(test.hw.faults == 1);
            CHECK(test.hw.last_fault.rule == paging_rule::list_wraps);
            CHECK(test.hw.last_fault.value == last_visible_page + 1);
            CHECK(test.hw.last_fault.limit == last_visible_page);
            CHECK(test.hw.stored == 0);
        }
    }
}

TEST_CASE("OP06-01 fault: a dummy page that the device does not reach is one number, judged before anything is written") {
    malformed<by_command> test;
    test.expect(test.unmap(7, 5, (last_visible_page + 1) * page_bytes), [](newest_arguments&) {}, paging_rule::list_wraps,
                last_visible_page + 1, last_visible_page);
}

TEST_CASE("OP08-06 fault: what the engine cannot take") {
    malformed<by_command> test;
    newest_arguments const in = test.transfer_in(lonely_pages(5));
    u64 const address = test.local_base + 0x3000;
    test.expect(in, [](newest_arguments& args) { args.Transfer.TransferSize -= 8; }, paging_rule::misaligned_for_engine, 5 * page_bytes - 8, 16);
    test.expect(in, [](newest_arguments& args) { args.Transfer.TransferOffset = 4; }, paging_rule::misaligned_for_engine, address + 4, 16);
    test.expect(in, [](newest_arguments& args) { args.Transfer.Destination.SegmentAddress.QuadPart += 8; }, paging_rule::misaligned_for_engine, address + 8, 16);
    test.expect(test.transfer_out(lonely_pages(5)), [](newest_arguments& args) { args.Transfer.Source.SegmentAddress.QuadPart += 1; },
                paging_rule::misaligned_for_engine, address + 1, 16);
    test.expect(test.fill(8, page_bytes), [](newest_arguments&) {}, paging_rule::misaligned_for_engine, test.local_base + 8, 16);
    test.expect(test.fill(0, page_bytes + 4), [](newest_arguments&) {}, paging_rule::misaligned_for_engine, page_bytes + 4, 16);
    test.expect(test.virtual_fill(0x9004, page_bytes), [](newest_arguments&) {}, paging_rule::misaligned_for_engine, 0x9004, 16);
    test.expect(test.virtual_fill(0x9000, 8), [](newest_arguments&) {}, paging_rule::misaligned_for_engine, 8, 16);
    test.expect(test.virtual_transfer(0x9004, 0x2'0000, 64), [](newest_arguments&) {}, paging_rule::misaligned_for_engine, 0x9004, 16);
    test.expect(test.virtual_transfer(0x9000, 0x2'0001, 64), [](newest_arguments&) {}, paging_rule::misaligned_for_engine, 0x2'0001, 16);
    test.expect(test.virtual_transfer(0x9000, 0x2'0000, 60), [](newest_arguments&) {}, paging_rule::misaligned_for_engine, 60, 16);
}

TEST_CASE("OP08-07 fault: an overlap at a distance below a page") {
    malformed<by_command> test;
    test.expect(test.virtual_transfer(0x9010, 0x9000, 0x1000), [](newest_arguments&) {}, paging_rule::overlap_below_page, 16, page_bytes);
    test.expect(test.virtual_transfer(0x9000, 0x9FF0, 0x1000), [](newest_arguments&) {}, paging_rule::overlap_below_page, 0xFF0, page_bytes);
    test.expect(test.transfer_inside(0x9000, 0x9020, 0x5000), [](newest_arguments&) {}, paging_rule::overlap_below_page, 32, page_bytes);
}

TEST_CASE("DESIGN 6: a discard names a place in its segment, and the end of a segment is none") {
    malformed<by_command> test;
    u64 const size = test.hw.places[local_memory].size.n;
    test.expect(test.discard(size), [](newest_arguments&) {}, paging_rule::outside_segment, test.local_base + size, test.local_base + size);
    newest_arguments last = test.discard(size - 1);
    CHECK(test.run(last).status == status::success);
}

TEST_CASE("law 5: dropped is taken as stop except for requests of nothing") {
    u32 taken = 0;
    for (u32 rule = 0; rule < 22; ++rule) {
        auto const one = static_cast<paging_rule>(rule);
        bool const nothing = one == paging_rule::nothing_to_fill || one == paging_rule::nothing_to_transfer || one == paging_rule::nothing_to_map;
        CHECK(harmless(one) == nothing);
        CHECK(std::string(rule_id(one)) != "?");
        taken += harmless(one);
    }
    CHECK(taken == 3);
    CHECK(std::string(rule_id(static_cast<paging_rule>(22))) == "?");
}
