// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "one_request.hpp"

namespace reach_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

constexpr capabilities reaching(u64 highest) {
    return {.version = wddm::v2_9, .alternate_address_lock = claim::yes, .highest_visible_address = highest};
}
constexpr engine_shape four_gib = shapes::engine(reaching(0xFFFF'FFFF), 256 * page_bytes, 4, shapes::ordered, 1);
constexpr engine_shape of_two_pages = shapes::engine(reaching(0xFFFF'FFFF), 2 * page_bytes, 4, shapes::ordered, 3);
constexpr engine_shape of_pieces = shapes::engine(reaching(0xFFFF'FFFF), 1000, 8, shapes::ordered, 1);
constexpr engine_shape three_gib = shapes::engine(reaching(0xBFFF'FFFF), 256 * page_bytes, 4, shapes::ordered, 1);
constexpr engine_shape with_layouts() {
    engine_shape shape = four_gib;
    shape.swizzles = true;
    return shape;
}
constexpr engine_shape swizzling = with_layouts();
constexpr u64 last = 0xF'FFFF;  // of 4 GiB

/// Lists with one page too far, and which one it is.
struct spoilt_list {
    std::vector<u64> pages;
    u64 bad;
};

std::vector<spoilt_list> spoilt_lists() {
    std::vector<spoilt_list> lists{
        {{last + 1}, last + 1},
        {{last - 1, last, last + 1}, last + 1},         // a run that leaves the reach
        {{7, 1u << 20, 9}, 1u << 20},                   // alone in the middle
        {{u64{1} << 36}, u64{1} << 36},                 // what a 48-bit address would cut off
        {{3, (u64{1} << 52) + 5}, (u64{1} << 52) + 5},  // what a byte address in 64 bits would cut off
        {{5, ~u64{0}}, ~u64{0}},
        {{~u64{0}, 0, 1}, ~u64{0}},  // numbers that wrap: the last page of the run is a low one
        {{5, ~u64{0} - 1, ~u64{0}, 0, 1}, ~u64{0} - 1},
        {{~u64{0}, 0, 1, 9}, ~u64{0}},
    };
    std::vector<u64> wrapping = rising_pages(~u64{0} - 299, 300);
    for (u64 k = 0; k < 5; ++k) {
        wrapping.push_back(k);
    }
    lists.push_back({wrapping, wrapping[0]});
    for (u64 const where : {u64{0}, u64{1}, u64{255}, u64{256}, u64{299}}) {
        std::vector<u64> scattered = lonely_pages(300);
        scattered[where] = last + 77;
        lists.push_back({scattered, last + 77});
        std::vector<u64> rising = rising_pages(0x100, 300);
        rising[where] = last + 77;
        lists.push_back({rising, last + 77});
    }
    return lists;
}

/// The request stops, the hook hears of the page, and nothing is committed.
template <class Request>
void expect_stop(Request& test, newest_arguments args, u64 bad, u64 limit) {
    test.hw.faults = 0;
    newest_arguments const before = args;
    pass_result const done = test.os.pass(test.hw, args, paging_system::capacity);
    CHECK(done.status == status::invalid_parameter);
    CHECK(done.commands.empty());
    CHECK(args.MultipassOffset == before.MultipassOffset);
    CHECK(test.hw.faults == 1);
    CHECK(test.hw.last_fault.rule == paging_rule::list_wraps);
    CHECK(test.hw.last_fault.value == bad);
    CHECK(test.hw.last_fault.limit == limit);
}

template <engine_shape const& Shape>
void expect_stops() {
    one_request<Shape> test;
    for (spoilt_list const& list : spoilt_lists()) {
        CAPTURE(list.bad);
        expect_stop(test, test.transfer_in(list.pages), list.bad, last);
        expect_stop(test, test.transfer_out(list.pages), list.bad, last);
        expect_stop(test, test.special_lock(list.pages), list.bad, last);
    }
}

}  // namespace

TEST_CASE("ADL-06: a page behind the device's reach is not moved: an engine of 256 pages") { expect_stops<four_gib>(); }

TEST_CASE("ADL-06: a page behind the device's reach is not moved: an engine of two pages") {
    expect_stops<of_two_pages>();
}

TEST_CASE("ADL-06: a page behind the device's reach is not moved: an engine below a page") {
    expect_stops<of_pieces>();
}

TEST_CASE("ADL-06: a page behind the device's reach is not moved: a layout change") {
    one_request<swizzling> test;
    for (spoilt_list const& list : spoilt_lists()) {
        newest_arguments args = test.transfer_in(list.pages);
        args.Transfer.Flags.Value |= 1;  // Swizzle
        expect_stop(test, args, list.bad, last);
        args = test.transfer_out(list.pages);
        args.Transfer.Flags.Value |= 2;  // Unswizzle
        expect_stop(test, args, list.bad, last);
    }
}

TEST_CASE("ADL-06 AMB-23: the last page of the reach is moved") {
    one_request<four_gib> test;
    std::vector<std::vector<u64>> const lists{{3, last - 1, last}, {last - 1, last}, {last}};
    for (std::vector<u64> const& list : lists) {
        CAPTURE(list.size());
        for (newest_arguments args : {test.transfer_in(list), test.transfer_out(list)}) {
            pass_result const done = test.run(args);
            CHECK(done.problem == "");
            CHECK(done.status == status::success);
            CHECK(joined(effect_of(done.commands)) == joined(transfer_effect(test.hw, args.Transfer, 0)));
        }
    }
}

TEST_CASE("ADL-06: a reach that is no power of two refuses nothing that it holds") {
    one_request<three_gib> test;
    // Or-ed, the two numbers are 0xFFFFF, behind the last page 0xBFFFF.
    newest_arguments args = test.transfer_in({0xA'0000, 0x5'FFFF});
    pass_result const done = test.run(args);
    CHECK(done.problem == "");
    CHECK(done.status == status::success);
    CHECK(joined(effect_of(done.commands)) == joined(transfer_effect(test.hw, args.Transfer, 0)));
    expect_stop(test, test.transfer_in({0xA'0000, 0xC'0000}), 0xC'0000, 0xB'FFFF);
}

TEST_CASE("ADL-06: the passes before a page that is too far are committed, the pass with it is not") {
    one_request<four_gib> test;
    std::vector<u64> list = lonely_pages(10);
    list[7] = last + 1;
    newest_arguments args = test.transfer_in(list);
    u64 const room = 4 * smallest_paging_buffer<recorder<four_gib>>.n;
    pass_result const first = test.os.pass(test.hw, args, room);
    CHECK(first.status == status::graphics_insufficient_dma_buffer);
    CHECK(first.commands.size() == args.MultipassOffset);
    CHECK(args.MultipassOffset >= 4);
    u32 const token = args.MultipassOffset;
    pass_result const second = test.os.pass(test.hw, args, room);
    CHECK(second.status == status::invalid_parameter);
    CHECK(second.commands.empty());
    CHECK(args.MultipassOffset == token);
}

TEST_CASE("ADL-06: page numbers that wrap are no run, on either side") {
    using hardware = recorder<four_gib>;
    using side = paging::detail::endpoint<hardware>;
    usize const wrapping[] = {~usize{0} - 1, ~usize{0}, 0, 1, 2};
    usize const rising[] = {10, 11, 12, 13, 14};
    side const one{.base = {}, .list = wrapping, .place = 0, .segment = 0};
    side const other{.base = {}, .list = rising, .place = 0, .segment = 0};
    side const flat{.base = {}, .list = nullptr, .place = 0, .segment = 1};
    for (side const& second : {other, flat}) {
        CHECK(paging::detail::contiguous_from(one, second, 0, 5) == 2);
        CHECK(paging::detail::contiguous_from(second, one, 0, 5) == 2);
        CHECK(paging::detail::contiguous_from(one, second, 1, 4) == 1);
        CHECK(paging::detail::contiguous_from(one, second, 2, 3) == 3);
    }
    CHECK(paging::detail::contiguous_from(other, flat, 0, 5) == 5);
    CHECK(paging::detail::contiguous_from(other, flat, 1, 3) == 3);
}

}  // namespace reach_test
