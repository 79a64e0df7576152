// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "patch_request.hpp"

#include <wddmcore/preemption/buffers/patch_list.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <random>
#include <vector>

#include "../base/expect_both.hpp"
#include "../slow_build.hpp"

namespace patch_test {

using namespace wddmcore;
using namespace wddmcore::testing;
using namespace wddmcore::preemption;

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
    CHECK(patch(one.args, usual_rules, writer) == nothing_wrong);  // every pointer NULL
    CHECK(writer.count == 0);
    one.args.PatchLocationListSubmissionLength = 1;
    one.args.PatchLocationListSize = 1;
    CHECK(patch(one.args, usual_rules, writer).defect == patch_defect::missing_pointer);
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
        return preemption::detail::patched_address(element_of(0, 0, offset, 0, 0), made, width);
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
    one.list[2].PatchOffset = 0x44;  // right after the first
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

TEST_CASE("SPL-04: an entry with a NULL handle unbinds") {
    CHECK(preemption::detail::unbinds(allocations[0]));
    CHECK_FALSE(preemption::detail::unbinds(allocations[3]));
    request<> one;
    remembering_writer writer;
    REQUIRE(one.run() == nothing_wrong);
    one.list[3].DriverId = 9;
    REQUIRE(patch(one.args, usual_rules, writer) == nothing_wrong);
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
        return judge_patch_list(span_of(list), span_of(entries), 64, usual_rules).defect;
    };
    CHECK(judged_with_offset(0) == patch_defect::none);
    CHECK(judged_with_offset(1) == patch_defect::none);
    CHECK(judged_with_offset(2) == patch_defect::address_overflow);
    element out[1] = {};
    remembering_writer writer;
    patch_list<element, entry> list{span_of(out), span_of(entries), 64, usual_rules};
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

}  // namespace patch_test
