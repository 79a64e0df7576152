// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "malformed.hpp"

namespace fault_list_test {

using namespace wddmcore;
using namespace wddmcore::testing;

TEST_CASE("SEG-10 fault: an aperture operation that names a memory segment") {
    malformed<by_command> test;
    for (newest_arguments const& good : test.of_apertures()) {
        test.expect(
            good, [](newest_arguments& args) { set_aperture(args, local_memory); }, paging_rule::not_an_aperture,
            local_memory, 0);
    }
}

TEST_CASE("ADL-01 fault: a list that is missing") {
    malformed<by_command> test;
    test.expect(
        test.transfer_in({4}), [](newest_arguments& args) { args.Transfer.Source.pMdl = nullptr; },
        paging_rule::missing_list, 0, 0);
    test.expect(
        test.transfer_out({4}), [](newest_arguments& args) { args.Transfer.Destination.pMdl = nullptr; },
        paging_rule::missing_list, 0, 0);
    test.expect(
        test.special_lock({4}), [](newest_arguments& args) { args.SpecialLockTransfer.Source.pMdl = nullptr; },
        paging_rule::missing_list, 0, 0);
    test.expect(
        test.map(0, {4}), [](newest_arguments& args) { args.MapApertureSegment.pMdl = nullptr; },
        paging_rule::missing_list, 0, 0);
    test.expect(
        test.map2(0, {4}), [](newest_arguments& args) { args.MapApertureSegment2.Adl.Pages = nullptr; },
        paging_rule::missing_list, 0, 0);
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
    test.expect(
        lock, [](newest_arguments& args) { args.SpecialLockTransfer.TransferSize += 16; }, paging_rule::outside_list, 6,
        5);
    // An MDL that describes nothing has no page.
    newest_arguments const empty = test.transfer_in(lonely_pages(1));
    test.expect(
        empty, [](newest_arguments& args) { args.Transfer.Source.pMdl->ByteCount = 0; }, paging_rule::outside_list, 1,
        0);
}

TEST_CASE("ADL-05 fault: pages that leave an MDL or an address descriptor list on their way to an aperture") {
    malformed<by_command> test;
    for (u32 const offset : {1u, 5u, 0xFFFF'FFFFu}) {
        test.expect_one_of(
            test.map(7, lonely_pages(5)),
            [offset](newest_arguments& args) { args.MapApertureSegment.MdlOffset = offset; }, paging_rule::outside_list,
            {offset, u64{offset} + 5}, 5);
        for (newest_arguments const& good : {test.map2(7, lonely_pages(5)), test.map2(7, 0x500, 5)}) {
            test.expect_one_of(
                good, [offset](newest_arguments& args) { args.MapApertureSegment2.AdlOffset = offset; },
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
    auto const from = [](u64 base) {
        return
            [base](newest_arguments& args) { args.MapApertureSegment2.Adl.BasePageNumber = static_cast<usize>(base); };
    };
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
        CHECK((test.hw.last_fault.value == base || test.hw.last_fault.value == base + 4 ||
               test.hw.last_fault.value == base + 5));
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
        test.expect(
            test.unmap(7, 5, bad * page_bytes), [](newest_arguments&) {}, paging_rule::list_wraps, bad,
            last_visible_page);
    }
    newest_arguments reached = test.map2(7, {1, last_visible_page, 3});
    CHECK(test.run(reached).status == status::success);
}

TEST_CASE(
    "ADL-06 fault: a page that the device does not reach, found while commands are written: nothing is committed") {
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

TEST_CASE(
    "OP06-01 fault: a dummy page that the device does not reach is one number, judged before anything is written") {
    malformed<by_command> test;
    test.expect(
        test.unmap(7, 5, (last_visible_page + 1) * page_bytes), [](newest_arguments&) {}, paging_rule::list_wraps,
        last_visible_page + 1, last_visible_page);
    newest_arguments reached = test.unmap(7, 5, last_visible_page * page_bytes);
    CHECK(test.run(reached).status == status::success);
}

}  // namespace fault_list_test
