// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "patch_request.hpp"

#include <wddmcore/preemption/buffers/patch_list.hpp>

#include <doctest/doctest.h>

#include <cstring>

#include "../base/expect_both.hpp"

namespace patch_list_test {

using namespace wddmcore;
using namespace wddmcore::testing;
using namespace wddmcore::preemption;

namespace {

/// What is wrong with the SlotId word of a list of one.
constexpr patch_defect judged(u32 value, u32 slots) {
    element const list[] = {element_of(0, value, 0, 0, 0)};
    return judge_patch_list(span_of(list), span_of(nothing), 64, patch_rules{.slots = slots}).defect;
}

}  // namespace

TEST_CASE("SPL-15: room for all that patching stores is left when the buffer is built") {
    constexpr patch_rules roomy{.slots = 4, .room = 16, .unbind_room = 4};
    entry const one[] = {allocations[0], allocations[1]};
    element list[] = {element_of(1, 0, 0, 0x30, 0x30)};
    auto const judged_in = [&](u32 bytes) {
        return judge_patch_list(span<element const>{list, 1}, span_of(one), bytes, roomy).defect;
    };
    CHECK(judged_in(0x40) == patch_defect::none);
    CHECK(judged_in(0x3F) == patch_defect::patch_offset);
    list[0].AllocationIndex = 0;  // unbinding takes 4 bytes
    CHECK(judged_in(0x34) == patch_defect::none);
    CHECK(judged_in(0x33) == patch_defect::patch_offset);
    list[0].PatchOffset = 0xFFFF'FFF4;
    CHECK(judged_in(0xFFFF'FFFF) == patch_defect::none);
    list[0].AllocationIndex = 1;  // 0xFFFFFFF4 + 16 wraps
    CHECK(judged_in(0xFFFF'FFFF) == patch_defect::patch_offset);
}

TEST_CASE("SPL-03: slots have 24 bits and lie below MaxAllocationListSlotId") {
    expect_both(judged(3, 4) == patch_defect::none && judged(4, 4) == patch_defect::slot);
    expect_both(judged(0xFF'FFFF, 0x100'0000) == patch_defect::none);
    expect_both(judged(0x100'0000, 0xFFFF'FFFF) == patch_defect::reserved_bits);
    expect_both(judged(0x8000'0001, 4) == patch_defect::reserved_bits);
    expect_both(preemption::detail::slot_of(element_of(0, 0xAB'0012'34u, 0, 0, 0)) == 0x1234);
}

TEST_CASE("SPL-03: the slot of a mirrored element is its bit field SlotId") {
    element one{};
    one.SlotId = 0xABCDEF;
    one.Reserved = 0x55;
    element copy{};
    std::memcpy(&copy, &one, sizeof one);
    CHECK(preemption::detail::slot_of(copy) == 0xABCDEF);
}

TEST_CASE("SPL-02: nothing is split off past its own patch or past the buffer") {
    constexpr element late[] = {element_of(0, 0, 0, 0x20, 0x24)};
    constexpr patch_rules stores_nothing{.slots = 1, .unbind_room = 0};
    expect_both(judge_patch_list(span_of(late), span_of(nothing), 64, usual_rules) ==
                patch_answer{patch_defect::split_offset, 0});
    constexpr element at_end[] = {element_of(0, 0, 0, 64, 64)};
    constexpr element past[] = {element_of(0, 0, 0, 64, 65)};
    expect_both(judge_patch_list(span_of(at_end), span_of(nothing), 64, stores_nothing) == nothing_wrong);
    expect_both(judge_patch_list(span_of(past), span_of(nothing), 64, stores_nothing).defect ==
                patch_defect::split_offset);
}

TEST_CASE("SPL-15: no patch reaches over a later split point, where patching the portion before it would be refused") {
    // Portions [0, 32) and [32, 64): the patch of 8 bytes at 28 belongs to the first and ends in the second.
    constexpr element straddling[] = {element_of(0, 0, 0, 28, 0), element_of(0, 0, 0, 40, 32)};
    constexpr element far[] = {element_of(0, 0, 0, 48, 0), element_of(0, 0, 0, 40, 32)};
    constexpr element touching[] = {element_of(0, 0, 0, 24, 0), element_of(0, 0, 0, 40, 32)};
    constexpr element same_point[] = {element_of(0, 0, 0, 48, 32), element_of(0, 0, 0, 40, 32)};
    expect_both(judge_patch_list(span_of(straddling), span_of(nothing), 64, usual_rules) ==
                patch_answer{patch_defect::split_offset, 1});
    expect_both(judge_patch_list(span_of(far), span_of(nothing), 64, usual_rules) ==
                patch_answer{patch_defect::split_offset, 1});
    expect_both(judge_patch_list(span_of(touching), span_of(nothing), 64, usual_rules) == nothing_wrong);
    expect_both(judge_patch_list(span_of(same_point), span_of(nothing), 64, usual_rules) == nothing_wrong);
}

TEST_CASE("SPL-02: where nothing is stored, PatchOffset means nothing") {
    constexpr patch_rules stores_nothing{.slots = 1, .unbind_room = 0};
    constexpr element nowhere[] = {element_of(0, 0, 0, 0xFFFF'FFFF, 32), element_of(0, 0, 0, 0, 40)};
    expect_both(judge_patch_list(span_of(nowhere), span_of(nothing), 64, stores_nothing) == nothing_wrong);
    expect_both(judge_patch_list(span_of(nowhere), span_of(nothing), 64, usual_rules).defect ==
                patch_defect::patch_offset);
}

TEST_CASE("SPL-05: every use stands in the list, whether it was pre-patched or not") {
    element out[4] = {};
    u32 buffer[64] = {};
    patch_list<element, entry> list{span_of(out), span_of(allocations), sizeof buffer, usual_rules};
    address_writer const writer{.buffer = buffer, .unbound = 0x7777};
    CHECK(list.add({.allocation_index = 1,
                    .slot = 0,
                    .allocation_offset = 4,
                    .patch_offset = 0x10,
                    .split_offset = 0,
                    .driver_id = 42},
                   writer) == patch_defect::none);
    CHECK(list.add({3, 1, 0, 0x20, 0x20}, writer) == patch_defect::none);
    CHECK(list.add({0, 2, 0, 0x30, 0x20}, writer) == patch_defect::none);
    CHECK(list.used == 3);
    CHECK((out[0].AllocationIndex == 1 && out[0].Value == 0 && out[0].DriverId == 42));
    CHECK((out[0].AllocationOffset == 4 && out[0].PatchOffset == 0x10 && out[0].SplitOffset == 0));
    CHECK((out[1].AllocationIndex == 3 && out[1].SplitOffset == 0x20 && out[2].AllocationIndex == 0));
    CHECK(judge_patch_list(span<element const>{out, list.used}, span_of(allocations), sizeof buffer, usual_rules) ==
          nothing_wrong);
}

TEST_CASE("SPL-06: what has a segment is pre-patched at once, what has none is left alone") {
    element out[4] = {};
    u32 buffer[64] = {};
    patch_list<element, entry> list{span_of(out), span_of(allocations), sizeof buffer, usual_rules};
    address_writer const writer{.buffer = buffer, .unbound = 0x7777};
    REQUIRE(list.add({1, 0, 4, 0x10, 0}, writer) == patch_defect::none);
    REQUIRE(list.add({3, 1, 0, 0x20, 0x20}, writer) == patch_defect::none);
    REQUIRE(list.add({0, 2, 0, 0x30, 0x20}, writer) == patch_defect::none);
    u32 expected[64] = {};
    expected[4] = 4;
    expected[5] = 1;
    expected[12] = 0x7777;
    CHECK(std::memcmp(buffer, expected, sizeof buffer) == 0);
}

TEST_CASE("SPL-05: a refused use leaves the list and the buffer as they were") {
    element out[2] = {};
    u32 buffer[16] = {};
    patch_list<element, entry> list{span_of(out), span_of(allocations), sizeof buffer, usual_rules};
    address_writer const writer{.buffer = buffer, .unbound = 0x7777};
    REQUIRE(list.add({3, 0, 0, 0x10, 0x10}, writer) == patch_defect::none);
    using enum patch_defect;
    CHECK(list.add({4, 0, 0, 0x20, 0x20}, writer) == allocation_index);
    CHECK(list.add({1, 4, 0, 0x20, 0x20}, writer) == slot);
    CHECK(list.add({1, 0x100'0000, 0, 0x20, 0x20}, writer) == reserved_bits);
    CHECK(list.add({1, 0, 0, 0x20, 0x0F}, writer) == order);
    CHECK(list.add({1, 0, 0, 0x3C, 0x20}, writer) == patch_offset);
    CHECK(list.add({1, 0, 0, 0x22, 0x20}, writer) == misaligned);
    CHECK(list.add({1, 0, 0, 0x20, 0x24}, writer) == split_offset);
    entry huge[] = {entry_of(&some_allocation, 1, ~u64{0})};
    patch_list<element, entry> other{span_of(out), span<entry const>{huge, 1}, sizeof buffer, usual_rules};
    CHECK(other.add({0, 0, 1, 0, 0}, writer) == address_overflow);
    CHECK((list.used == 1 && other.used == 0));
    REQUIRE(list.add({0, 1, 0, 0x20, 0x10}, writer) == none);
    CHECK(list.add({1, 0, 0, 0x20, 0x20}, writer) == full);
    CHECK(list.used == 2);
    u32 expected[16] = {};
    expected[8] = 0x7777;
    CHECK(std::memcmp(buffer, expected, sizeof buffer) == 0);
}

}  // namespace patch_list_test
