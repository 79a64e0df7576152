// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "patch_lists.hpp"

#include <wddmcore/preemption/context_lists.hpp>
#include <wddmcore/preemption/patch_list.hpp>
#include <wddmcore/preemption/render_pass.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

#include "../base/expect_both.hpp"
#include "../slow_build.hpp"

namespace patch_test {

using namespace wddmcore;
using namespace wddmcore::testing;
using namespace wddmcore::preemption;

namespace {

constexpr patch_rules rules{.slots = 4};

/// Entry 0 unbinds (SPL-04), 1 and 2 are resident, 3 is not.
entry const allocations[] = {
    entry_of(nullptr, 0, 0),
    entry_of(&some_allocation, 1, 0x1'0000'0000),
    entry_of(&some_allocation, 2, 0x8000'0000),
    entry_of(&some_allocation, 0, ~u64{0}),
};

/// An allocation list of nothing but the entry that unbinds.
constexpr entry nothing[] = {entry_of(nullptr, 0, 0)};

/// What is wrong with the SlotId word of a list of one.
constexpr patch_defect judged(u32 value, u32 slots) {
    element const list[] = {element_of(0, value, 0, 0, 0)};
    return judge_patch_list(span_of(list), span_of(nothing), 64, patch_rules{.slots = slots}).defect;
}

/// A buffer of 64 dwords, its list and a request for a part of both, made with DXGKARG_PATCH of one version.
template <class Args = mirror::v2_0::dxgkarg_patch>
struct request {
    using entry_type = meta::bare<decltype(*Args{}.pAllocationList)>;
    std::vector<u32> buffer = std::vector<u32>(64, 0xCCCC'CCCC);
    std::vector<element> list = {
        element_of(1, 0, 0x10, 0x08, 0x00),  // before the window
        element_of(1, 0, 0x20, 0x40, 0x40), element_of(2, 1, 0, 0x50, 0x40),
        element_of(0, 2, 0, 0x60, 0x60),    element_of(2, 1, 0x30, 0x88, 0x80),  // behind the window
    };
    std::vector<entry_type> entries;
    Args args{};

    request() {
        for (entry const& one : allocations) {
            entry_type made{};
            made.hDeviceSpecificAllocation = one.hDeviceSpecificAllocation;
            made.SegmentId = one.SegmentId;
            made.PhysicalAddress = one.PhysicalAddress;
            entries.push_back(made);
        }
        args.DmaBufferSize = 0x100;
        args.DmaBufferSubmissionStartOffset = 0x40;
        args.DmaBufferSubmissionEndOffset = 0x80;
        args.PatchLocationListSubmissionStart = 1;
        args.PatchLocationListSubmissionLength = 3;
        args.SubmissionFenceId = 77;
        args.DmaBufferPhysicalAddress = {.QuadPart = 0x7000};
    }

    patch_answer run(patch_rules const& with = rules) {
        args.pDmaBuffer = buffer.data();
        args.pAllocationList = entries.data();
        args.AllocationListSize = static_cast<u32>(entries.size());
        args.pPatchLocationList = list.data();
        args.PatchLocationListSize = static_cast<u32>(list.size());
        return again(with);
    }
    patch_answer again(patch_rules const& with = rules) const {
        return patch(args, with,
                     address_writer{.buffer = static_cast<u32*>(args.pDmaBuffer),
                                    .address_bytes = with.address_bytes,
                                    .unbound = 0xDEAD'0000'BEEF});
    }
    bool untouched() const { return buffer == std::vector<u32>(64, 0xCCCC'CCCC); }
};

}  // namespace

TEST_CASE("SPL-07: the elements of the window are patched, and no others") {
    request<> one;
    REQUIRE(one.run() == nothing_wrong);
    std::vector<u32> expected(64, 0xCCCC'CCCC);
    expected[0x40 / 4] = 0x20;  // 0x1'0000'0000 + 0x20
    expected[0x44 / 4] = 0x1;
    expected[0x50 / 4] = 0x8000'0000;
    expected[0x54 / 4] = 0;
    expected[0x60 / 4] = 0x0000'BEEF;
    expected[0x64 / 4] = 0xDEAD;
    CHECK(one.buffer == expected);
}

TEST_CASE("SPL-07: every version's DXGKARG_PATCH is patched alike") {
    request<mirror::vista::dxgkarg_patch> older;
    request<> newer;
    CHECK(older.run() == nothing_wrong);
    CHECK(newer.run() == nothing_wrong);
    CHECK(older.buffer == newer.buffer);
}

TEST_CASE("SPL-07: a list window that leaves the list is refused, also where its sum wraps") {
    request<> one;
    one.args.PatchLocationListSubmissionStart = 3;
    CHECK(one.run() == patch_answer{patch_defect::list_window, 0});
    one.args.PatchLocationListSubmissionStart = 0xFFFF'FFFF;
    CHECK(one.run() == patch_answer{patch_defect::list_window, 0});
    one.args.PatchLocationListSubmissionStart = 1;
    one.args.PatchLocationListSubmissionLength = 0xFFFF'FFFF;
    CHECK(one.run() == patch_answer{patch_defect::list_window, 0});
    one.args.PatchLocationListSubmissionLength = 5;
    CHECK(one.run() == patch_answer{patch_defect::list_window, 0});
    CHECK(one.untouched());
}

TEST_CASE("SPL-07: a portion that leaves the buffer, or is reversed, is refused") {
    request<> one;
    one.args.DmaBufferSubmissionEndOffset = 0x101;
    CHECK(one.run() == patch_answer{patch_defect::byte_window, 0});
    one.args.DmaBufferSubmissionEndOffset = 0x3F;
    CHECK(one.run() == patch_answer{patch_defect::byte_window, 0});
    CHECK(one.untouched());
}

TEST_CASE("SPL-07: a patch outside the portion's bytes is refused, and nothing is stored") {
    for (u32 const outside : {0x3Cu, 0x7Cu, 0x80u, 0xF8u, 0xFFFF'FFFCu}) {
        CAPTURE(outside);
        request<> one;
        one.list[3].PatchOffset = outside;  // the last of the window: the two before it are good
        CHECK(one.run() == patch_answer{patch_defect::patch_offset, 3});
        CHECK(one.untouched());
    }
    request<> last;
    last.list[3].PatchOffset = 0x78;
    CHECK(last.run() == nothing_wrong);
}

TEST_CASE("AMB-01: a paging buffer has no lists, and its patch request does nothing") {
    request<> one;
    one.args.PatchLocationListSubmissionStart = one.args.PatchLocationListSubmissionLength = 0;
    remembering_writer writer;
    CHECK(patch(one.args, rules, writer) == nothing_wrong);  // every pointer NULL
    CHECK(writer.count == 0);
    one.args.PatchLocationListSubmissionLength = 1;
    one.args.PatchLocationListSize = 1;
    CHECK(patch(one.args, rules, writer).defect == patch_defect::missing_pointer);
}

TEST_CASE("SPL-07: pointers are needed as soon as there is an element") {
    for (int which = 0; which < 3; ++which) {
        CAPTURE(which);
        request<> one;
        CHECK(one.run() == nothing_wrong);
        which == 0   ? static_cast<void>(one.args.pDmaBuffer = nullptr)
        : which == 1 ? static_cast<void>(one.args.pAllocationList = nullptr)
                     : static_cast<void>(one.args.pPatchLocationList = nullptr);
        CHECK(one.again() == patch_answer{patch_defect::missing_pointer, 0});
    }
}

TEST_CASE("PRE-20: patching again gives the same bytes, and after a move those of a fresh patch") {
    request<> one;
    REQUIRE(one.run() == nothing_wrong);
    std::vector<u32> const first = one.buffer;
    REQUIRE(one.again() == nothing_wrong);
    CHECK(one.buffer == first);
    one.entries[1].PhysicalAddress = {.QuadPart = 0x9'9999'0000};
    REQUIRE(one.again() == nothing_wrong);
    request<> fresh;
    fresh.entries[1].PhysicalAddress = {.QuadPart = 0x9'9999'0000};
    REQUIRE(fresh.run() == nothing_wrong);
    CHECK(one.buffer == fresh.buffer);
    CHECK(one.buffer[0x40 / 4] == 0x9999'0020);
}

TEST_CASE("SPL-09: the address is the allocation's plus AllocationOffset, in the address width") {
    constexpr auto sum = [](u64 address, u32 offset, u32 width) {
        entry made{};
        made.PhysicalAddress = {.QuadPart = static_cast<i64>(address)};
        return patched_address(element_of(0, 0, offset, 0, 0), made, width);
    };
    expect_both(sum(0x1000, 0x234, 8) == checked<u64>{0x1234, true});
    expect_both(sum(0xFFFF'FFFF, 1, 8) == checked<u64>{0x1'0000'0000, true});
    expect_both(!sum(~u64{0}, 1, 8).ok && sum(~u64{0} - 1, 1, 8).ok);
    expect_both(sum(0xFFFF'FFFE, 1, 4).ok && !sum(0xFFFF'FFFF, 1, 4).ok && !sum(0x1'0000'0000, 0, 4).ok);
}

TEST_CASE("SPL-09: 4-byte addresses store one dword, and a larger address is refused before anything is stored") {
    constexpr patch_rules narrow{.slots = 4, .address_bytes = 4};
    request<> one;
    one.list[1].AllocationIndex = 2;
    one.list[2].PatchOffset = 0x44;  // right behind the first
    REQUIRE(one.run(narrow) == nothing_wrong);
    CHECK(one.buffer[0x40 / 4] == 0x8000'0020);
    CHECK(one.buffer[0x44 / 4] == 0x8000'0000);
    CHECK(one.buffer[0x48 / 4] == 0xCCCC'CCCC);
    request<> large;
    large.list[3] = element_of(1, 2, 0, 0x60, 0x60);  // its address has 33 bits
    large.list[1].AllocationIndex = 2;
    CHECK(large.run(narrow) == patch_answer{patch_defect::address_overflow, 3});
    CHECK(large.untouched());
    large.entries[1].PhysicalAddress = {.QuadPart = -1};
    large.list[3].AllocationOffset = 1;
    CHECK(large.run() == patch_answer{patch_defect::address_overflow, 3});
    CHECK(large.untouched());
}

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

TEST_CASE("SPL-15: a patch that is not aligned as the stream is refused") {
    request<> one;
    one.list[2].PatchOffset = 0x52;
    CHECK(one.run() == patch_answer{patch_defect::misaligned, 2});
    CHECK(one.untouched());
    constexpr patch_rules eight{.slots = 4, .alignment = 8};
    one.list[2].PatchOffset = 0x54;
    CHECK(one.run(eight) == patch_answer{patch_defect::misaligned, 2});
    CHECK(one.run() == nothing_wrong);
}

TEST_CASE("SPL-03: slots have 24 bits and lie below MaxAllocationListSlotId") {
    expect_both(judged(3, 4) == patch_defect::none && judged(4, 4) == patch_defect::slot);
    expect_both(judged(0xFF'FFFF, 0x100'0000) == patch_defect::none);
    expect_both(judged(0x100'0000, 0xFFFF'FFFF) == patch_defect::reserved_bits);
    expect_both(judged(0x8000'0001, 4) == patch_defect::reserved_bits);
    expect_both(slot_of(element_of(0, 0xAB'0012'34u, 0, 0, 0)) == 0x1234);
}

TEST_CASE("SPL-03: the slot of a mirrored element is its bit field SlotId") {
    element one{};
    one.SlotId = 0xABCDEF;
    one.Reserved = 0x55;
    element copy{};
    std::memcpy(&copy, &one, sizeof one);
    CHECK(slot_of(copy) == 0xABCDEF);
}

TEST_CASE("SPL-04: an entry with a NULL handle unbinds") {
    CHECK(unbinds(allocations[0]));
    CHECK_FALSE(unbinds(allocations[3]));
    request<> one;
    remembering_writer writer;
    REQUIRE(one.run() == nothing_wrong);
    one.list[3].DriverId = 9;
    REQUIRE(patch(one.args, rules, writer) == nothing_wrong);
    CHECK(writer.count == 3);
    CHECK(writer.calls[0] == remembering_writer::call{0x40, 0x1'0000'0020, 0});
    CHECK(writer.calls[2] == remembering_writer::call{0x60, ~u64{0}, 9});
}

TEST_CASE("SPL-04: unbinding that stores nothing asks no writer") {
    constexpr patch_rules silent{.slots = 4, .unbind_room = 0};
    request<> one;
    one.list[3].PatchOffset = 0xFFFF'FFFF;
    remembering_writer asked;
    REQUIRE(one.run(silent) == nothing_wrong);
    CHECK(one.buffer[0x50 / 4] == 0x8000'0000);
    CHECK(one.buffer[0x60 / 4] == 0xCCCC'CCCC);
    REQUIRE(patch(one.args, silent, asked) == nothing_wrong);
    CHECK(asked.count == 2);
    element out[1] = {};
    remembering_writer writer;
    patch_list<element, entry> list{span_of(out), span_of(allocations), 64, silent};
    CHECK(list.add({0, 0, 0, 0xFFFF'FFFF, 64}, writer) == patch_defect::none);
    CHECK(writer.count == 0);
}

TEST_CASE("SPL-06: an address is judged as soon as it is known, and never where nothing is bound") {
    entry const entries[] = {entry_of(nullptr, 3, ~u64{0}), entry_of(&some_allocation, 0, ~u64{0}),
                             entry_of(&some_allocation, 3, ~u64{0})};
    auto const judged_with_offset = [&](u32 index) {
        element const list[] = {element_of(index, 0, 1, 0, 0)};
        return judge_patch_list(span_of(list), span_of(entries), 64, rules).defect;
    };
    CHECK(judged_with_offset(0) == patch_defect::none);
    CHECK(judged_with_offset(1) == patch_defect::none);
    CHECK(judged_with_offset(2) == patch_defect::address_overflow);
    element out[1] = {};
    remembering_writer writer;
    patch_list<element, entry> list{span_of(out), span_of(entries), 64, rules};
    CHECK(list.add({1, 0, 1, 0, 0}, writer) == patch_defect::none);
    CHECK(writer.count == 0);
    request<> one;
    one.entries[0].PhysicalAddress = {.QuadPart = -1};
    one.list[3].AllocationOffset = 1;
    CHECK(one.run() == nothing_wrong);
}

TEST_CASE("SPL-03: an element names an entry of the allocation list") {
    request<> one;
    one.list[2].AllocationIndex = 4;
    CHECK(one.run() == patch_answer{patch_defect::allocation_index, 2});
    one.list[2].AllocationIndex = 0xFFFF'FFFF;
    CHECK(one.run() == patch_answer{patch_defect::allocation_index, 2});
    CHECK(one.untouched());
}

TEST_CASE("SPL-02: nothing is split off behind its own patch or behind the buffer") {
    constexpr element late[] = {element_of(0, 0, 0, 0x20, 0x24)};
    constexpr patch_rules stores_nothing{.slots = 1, .unbind_room = 0};
    expect_both(judge_patch_list(span_of(late), span_of(nothing), 64, rules) ==
                patch_answer{patch_defect::split_offset, 0});
    constexpr element at_end[] = {element_of(0, 0, 0, 64, 64)};
    constexpr element behind[] = {element_of(0, 0, 0, 64, 65)};
    expect_both(judge_patch_list(span_of(at_end), span_of(nothing), 64, stores_nothing) == nothing_wrong);
    expect_both(judge_patch_list(span_of(behind), span_of(nothing), 64, stores_nothing).defect ==
                patch_defect::split_offset);
}

TEST_CASE("SPL-02: where nothing is stored, PatchOffset means nothing") {
    constexpr patch_rules stores_nothing{.slots = 1, .unbind_room = 0};
    constexpr element nowhere[] = {element_of(0, 0, 0, 0xFFFF'FFFF, 32), element_of(0, 0, 0, 0, 40)};
    expect_both(judge_patch_list(span_of(nowhere), span_of(nothing), 64, stores_nothing) == nothing_wrong);
    expect_both(judge_patch_list(span_of(nowhere), span_of(nothing), 64, rules).defect == patch_defect::patch_offset);
}

TEST_CASE("SPL-10: the segment id of an allocation-list entry is bits 1 to 5, mask 0x3E") {
    for (u32 segment = 0; segment < 32; ++segment) {
        entry one = entry_of(nullptr, segment, 0);
        one.WriteOperation = 1;
        u32 word = 0;
        std::memcpy(&word, reinterpret_cast<char const*>(&one) + sizeof(void*), sizeof word);
        CHECK(((word & 0x3E) >> 1) == segment);
        CHECK(segment_id_of_word(word | 0xFFFF'FFC1) == segment_id{segment});
        CHECK(segment_id_of(one) == segment_id{segment});
    }
}

TEST_CASE("SPL-08: a portion's address is the whole buffer's plus its start, and both requests say the same") {
    using mirror::v2_0::dxgkarg_patch;
    using mirror::v2_0::dxgkarg_submitcommand;
    constexpr auto patched = [] {
        dxgkarg_patch args{};
        args.DmaBufferSegmentId = 2;
        args.DmaBufferPhysicalAddress = {.QuadPart = 0x7000};
        args.DmaBufferSize = 0x100;
        args.DmaBufferSubmissionStartOffset = 0x40;
        args.DmaBufferSubmissionEndOffset = 0x80;
        args.SubmissionFenceId = 77;
        return args;
    };
    constexpr auto submitted = [](auto change) {
        dxgkarg_submitcommand args{};
        args.DmaBufferSegmentId = 2;
        args.DmaBufferPhysicalAddress = {.QuadPart = 0x7000};
        args.DmaBufferSize = 0x100;
        args.DmaBufferSubmissionStartOffset = 0x40;
        args.DmaBufferSubmissionEndOffset = 0x80;
        args.SubmissionFenceId = 77;
        change(args);
        return args;
    };
    expect_both(portion_address(patched()) == checked<u64>{0x7040, true});
    expect_both(portion_address(submitted([](auto&) {})) == checked<u64>{0x7040, true});
    expect_both(!portion_address(submitted([](auto& a) { a.DmaBufferPhysicalAddress = {.QuadPart = -1}; })).ok);
    expect_both(window_of(patched()) == packet_window{0x40, 0x80});
    using enum packet_difference;
    expect_both(difference_of(patched(), submitted([](auto&) {})) == none);
    expect_both(difference_of(patched(), submitted([](auto& a) { a.DmaBufferSubmissionStartOffset = 0; })) == start);
    expect_both(difference_of(patched(), submitted([](auto& a) { a.DmaBufferSubmissionEndOffset = 0x100; })) == end);
    expect_both(difference_of(patched(), submitted([](auto& a) { a.DmaBufferSize = 0x80; })) == size);
    expect_both(difference_of(patched(), submitted([](auto& a) { a.DmaBufferSegmentId = 0; })) == segment);
    expect_both(difference_of(patched(), submitted([](auto& a) {
                                  a.DmaBufferPhysicalAddress = {.QuadPart = 0x7040};
                              })) == address);
}

TEST_CASE("SPL-14: the fence ids of a packet's patch and submit requests are equal") {
    mirror::vista::dxgkarg_patch patched{};
    mirror::win8::dxgkarg_submitcommand submitted{};
    patched.SubmissionFenceId = submitted.SubmissionFenceId = 5;
    CHECK(difference_of(patched, submitted) == packet_difference::none);
    submitted.SubmissionFenceId = 6;
    CHECK(difference_of(patched, submitted) == packet_difference::fence);
}

TEST_CASE("SPL-05: every use stands in the list, whether it was pre-patched or not") {
    element out[4] = {};
    u32 buffer[64] = {};
    patch_list<element, entry> list{span_of(out), span_of(allocations), sizeof buffer, rules};
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
    CHECK(judge_patch_list(span<element const>{out, list.used}, span_of(allocations), sizeof buffer, rules) ==
          nothing_wrong);
}

TEST_CASE("SPL-06: what has a segment is pre-patched at once, what has none is left alone") {
    element out[4] = {};
    u32 buffer[64] = {};
    patch_list<element, entry> list{span_of(out), span_of(allocations), sizeof buffer, rules};
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
    patch_list<element, entry> list{span_of(out), span_of(allocations), sizeof buffer, rules};
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
    patch_list<element, entry> other{span_of(out), span<entry const>{huge, 1}, sizeof buffer, rules};
    CHECK(other.add({0, 0, 1, 0, 0}, writer) == address_overflow);
    CHECK((list.used == 1 && other.used == 0));
    REQUIRE(list.add({0, 1, 0, 0x20, 0x10}, writer) == none);
    CHECK(list.add({1, 0, 0, 0x20, 0x20}, writer) == full);
    CHECK(list.used == 2);
    u32 expected[16] = {};
    expected[8] = 0x7777;
    CHECK(std::memcmp(buffer, expected, sizeof buffer) == 0);
}

TEST_CASE("SPL-09: random requests store what a plain model says, or nothing at all") {
    char const* const given = std::getenv("WDDMCORE_SEED");
    std::uint64_t const seed = given != nullptr ? std::strtoull(given, nullptr, 0) : 20'261'122;
    MESSAGE("WDDMCORE_SEED=" << seed);
    std::mt19937_64 random(seed);
    u32 patched = 0;
    for (int round = 0; round < (slow_build ? 3'000 : 30'000); ++round) {
        request<> one;
        one.list.clear();
        for (u64 n = random() % 8; n != 0; --n) {
            u32 const offset = static_cast<u32>(random() % 16 == 0 ? random() : random() % 0x30 * 4);
            one.list.push_back(element_of(static_cast<u32>(random() % 32 == 0 ? 4 : random() % 3), 0,
                                          static_cast<u32>(random()), offset, 0));
        }
        one.args.DmaBufferSubmissionStartOffset = static_cast<u32>(random() % 16 * 4);
        one.args.DmaBufferSubmissionEndOffset = static_cast<u32>(0x80 + random() % 33 * 4);
        one.args.PatchLocationListSubmissionStart = static_cast<u32>(random() % 3);
        one.args.PatchLocationListSubmissionLength = static_cast<u32>(random() % 4);
        u64 const first = one.args.PatchLocationListSubmissionStart;
        u64 const last = first + one.args.PatchLocationListSubmissionLength;
        bool good = last <= one.list.size();
        std::vector<u32> expected = one.buffer;
        for (u64 i = first; good && i < last; ++i) {
            element const& e = one.list[i];
            good = e.AllocationIndex < 4 && e.PatchOffset % 4 == 0 &&
                   e.PatchOffset >= one.args.DmaBufferSubmissionStartOffset &&
                   u64{e.PatchOffset} + 8 <= one.args.DmaBufferSubmissionEndOffset;
            if (good) {
                u64 const address = e.AllocationIndex == 0
                                        ? 0xDEAD'0000'BEEF
                                        : static_cast<u64>(allocations[e.AllocationIndex].PhysicalAddress.QuadPart) +
                                              e.AllocationOffset;
                expected[e.PatchOffset / 4] = static_cast<u32>(address);
                expected[e.PatchOffset / 4 + 1] = static_cast<u32>(address >> 32);
            }
        }
        CAPTURE(round);
        REQUIRE((one.run() == nothing_wrong) == good);
        if (good) {
            REQUIRE(one.buffer == expected);
            patched += u32{last != first};
        } else {
            REQUIRE(one.untouched());
        }
    }
    CHECK(patched > 100);
}

TEST_CASE("SPL-18: a context for GDI asks for 256 entries, one without patching gets 16 for written primaries") {
    mirror::v2_0::dxgk_contextinfo info{};
    for (u32 entries = 0; entries < 600; ++entries) {
        info.AllocationListSize = entries;
        CHECK(allocation_list_size_is_legal(info, true) == (entries == 256));
        CHECK(allocation_list_size_is_legal(info, false));
        CHECK(allocation_list_entries(info, true) == entries);
        CHECK(allocation_list_entries(info, false) == 16);
    }
    for (int bits = 0; bits < 4; ++bits) {
        bool const primary = (bits & 1) != 0;
        bool const written = (bits & 2) != 0;
        CHECK(belongs_in_allocation_list(true, primary, written));
        CHECK(belongs_in_allocation_list(false, primary, written) == (bits == 3));
    }
}

TEST_CASE("SPL-19: MultipassOffset carries a render's progress, and outputs move behind what was written") {
    struct render {
        void* pDmaBuffer;
        u32 DmaSize;
        element* pPatchLocationListOut;
        u32 PatchLocationListOutSize;
        u32 MultipassOffset;
    };
    u8 buffer[64] = {};
    element out[4] = {};
    render args{buffer, sizeof buffer, out, 4, 0};
    CHECK(commit_render(args, {false, 3, 40, 2}) == status::graphics_insufficient_dma_buffer);
    CHECK((args.pDmaBuffer == buffer + 40 && args.pPatchLocationListOut == out + 2 && args.MultipassOffset == 3));
    CHECK((args.DmaSize == sizeof buffer && args.PatchLocationListOutSize == 4));
    // The next pass: a fresh buffer, the same token.
    args.pDmaBuffer = buffer;
    args.pPatchLocationListOut = out;
    CHECK(commit_render(args, {true, 5, 64, 4}) == status::success);
    CHECK((args.pDmaBuffer == buffer + 64 && args.pPatchLocationListOut == out + 4 && args.MultipassOffset == 5));
}

TEST_CASE("SPL-19: a pass that goes back, or that claims more than the buffers hold, changes nothing") {
    struct render {
        u8* pDmaBuffer;
        u32 DmaSize;
        element* pPatchLocationListOut;
        u32 PatchLocationListOutSize;
        u32 MultipassOffset;
    };
    constexpr auto refused = [](render_progress progress) {
        u8 buffer[8] = {};
        element out[2] = {};
        render args{buffer, 8, out, 2, 7};
        bool const status_is_right = commit_render(args, progress) == status::invalid_parameter;
        return status_is_right && args.pDmaBuffer == buffer && args.pPatchLocationListOut == out &&
               args.MultipassOffset == 7;
    };
    expect_both(refused({false, 6, 0, 0}) && refused({true, 0, 8, 2}));
    expect_both(refused({false, 8, 9, 0}) && refused({false, 8, 0, 3}) && refused({true, 8, ~u32{0}, 0}));
    expect_both(!refused({false, 7, 8, 2}));
}

}  // namespace patch_test
