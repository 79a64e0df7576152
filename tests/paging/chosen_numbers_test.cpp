// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// Numbers of an engine that are chosen within a range: every chip is driven as a type of its own would be.
#include "../adl/seeded.hpp"
#include "chosen_numbers.hpp"
#include "twin.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <random>
#include <string>
#include <vector>

namespace chosen_numbers_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

using arguments = mirror::v2_9::dxgkarg_buildpagingbuffer;
using list_type = mirror::v2_9::mdl;

// Whole pages, longer than a block of the list's walk; whole pages, shorter; and from parts of a page to several pages.
constexpr engine_numbers long_least{.copy_max = 256 * kib, .fill_max = 128 * kib};
constexpr engine_numbers long_most{
    .copy_max = 4 * mib, .copy_alignment = {64}, .fill_max = mib, .fill_alignment = {16}};
constexpr engine_numbers short_least{.copy_max = {4096}, .fill_max = {4096}};
constexpr engine_numbers short_most{.copy_max = 3 * mib, .fill_max = 2 * mib};
constexpr engine_numbers any_least{
    .copy_max = {512}, .copy_alignment = {1}, .fill_max = {400}, .fill_alignment = {4}, .fill_pattern_bytes = {1}};
constexpr engine_numbers any_most{.copy_max = {20'000},
                                  .copy_alignment = {256},
                                  .fill_max = {12'288},
                                  .fill_alignment = {64},
                                  .fill_pattern_bytes = {4}};

/// A request, and the list that it names.
struct request {
    std::string name;
    arguments args;
    std::vector<unsigned char> list;

    /// A copy of the arguments that names this list.
    [[nodiscard]] arguments fresh() {
        arguments copy = args;
        if (!list.empty()) {
            auto* const mdl = reinterpret_cast<list_type*>(list.data());
            (copy.Transfer.Source.SegmentId == 0 ? copy.Transfer.Source.pMdl : copy.Transfer.Destination.pMdl) = mdl;
        }
        return copy;
    }
};

/// A list with runs of up to `longest` pages.
std::vector<unsigned char> list_of(u32 count, u32 longest, std::mt19937& random) {
    std::vector<unsigned char> memory(sizeof(list_type) + count * sizeof(usize));
    auto* const mdl = new (memory.data()) list_type{};
    mdl->ByteCount = count * 4096;
    auto* const pages = reinterpret_cast<usize*>(memory.data() + sizeof(list_type));
    usize page = 1000;
    for (u32 done = 0; done < count;) {
        u32 const run = 1 + static_cast<u32>(random() % longest);
        for (u32 i = 0; i != run && done != count; ++i) {
            pages[done++] = page++;
        }
        page += 1 + static_cast<u32>(random() % 50);
    }
    return memory;
}

request list_transfer(u32 count, u64 size, bool from_list, u32 longest, std::mt19937& random) {
    request r{
        std::to_string(size) + " bytes of runs up to " + std::to_string(longest), {}, list_of(count, longest, random)};
    r.args.Operation = 0;
    r.args.Transfer = {};
    r.args.Transfer.TransferSize = size;
    auto& place = from_list ? r.args.Transfer.Destination : r.args.Transfer.Source;
    place.SegmentId = 2;
    place.SegmentAddress.QuadPart = i64{2} << 40;
    return r;
}

request place_transfer(u64 from, u64 to, u64 size) {
    request r{"segment " + std::to_string(from) + " to " + std::to_string(to), {}, {}};
    r.args.Operation = 0;
    r.args.Transfer = {};
    r.args.Transfer.TransferSize = size;
    r.args.Transfer.Source.SegmentId = r.args.Transfer.Destination.SegmentId = 2;
    r.args.Transfer.Source.SegmentAddress.QuadPart = static_cast<i64>((u64{2} << 40) + from);
    r.args.Transfer.Destination.SegmentAddress.QuadPart = static_cast<i64>((u64{2} << 40) + to);
    return r;
}

request virtual_transfer(u64 from, u64 to, u64 size) {
    request r{"virtual " + std::to_string(from) + " to " + std::to_string(to), {}, {}};
    r.args.Operation = 8;
    r.args.TransferVirtual = {};
    r.args.TransferVirtual.TransferSizeInBytes = size;
    r.args.TransferVirtual.SourceVirtualAddress = from;
    r.args.TransferVirtual.DestinationVirtualAddress = to;
    return r;
}

request fill(bool by_address, u64 place, u64 size, u32 pattern) {
    request r{"fill of " + std::to_string(size) + " at " + std::to_string(place), {}, {}};
    if (by_address) {
        r.args.Operation = 9;
        r.args.FillVirtual = {};
        r.args.FillVirtual.FillSizeInBytes = size;
        r.args.FillVirtual.FillPattern = pattern;
        r.args.FillVirtual.DestinationVirtualAddress = place;
    } else {
        r.args.Operation = 1;
        r.args.Fill = {};
        r.args.Fill.FillSize = size;
        r.args.Fill.FillPattern = pattern;
        r.args.Fill.Destination.SegmentId = 2;
        r.args.Fill.Destination.SegmentAddress.QuadPart = static_cast<i64>((u64{2} << 40) + place);
    }
    return r;
}

/// Of every kind that an engine's numbers decide about; some that no engine of a large alignment takes.
std::vector<request> all_requests() {
    std::mt19937 random(0x0916);
    std::vector<request> all;
    for (u32 const longest : {1u, 5u, 200u, 2000u}) {
        all.push_back(list_transfer(600, 600 * page_bytes, true, longest, random));
        all.push_back(list_transfer(7, 7 * page_bytes - 256, false, longest, random));
    }
    all.push_back(list_transfer(3, 2 * page_bytes + 4, true, 2, random));
    constexpr u64 large = 5 * mib.n / emulated_factor;
    for (u64 const size : {u64{256}, 9 * page_bytes, 9 * page_bytes - 512, large, u64{4}, 2 * page_bytes + 12}) {
        all.push_back(place_transfer(0, 64 * mib.n, size));
        all.push_back(place_transfer(8192, 0, size));
        all.push_back(place_transfer(0, 8192, size));
        all.push_back(virtual_transfer(0x10'0000, 0x4000'0000, size));
        all.push_back(virtual_transfer(0x10'0000, 0x10'3000, size));
        all.push_back(virtual_transfer(0x10'0010, 0x4000'0040, size));
        for (u32 const pattern : {0u, 0x5555'5555u, 0x1234'5678u}) {
            all.push_back(fill(false, 0, size, pattern));
            all.push_back(fill(true, 0x7000'0100, size, pattern));
            all.push_back(fill(true, 0x7000'0008, size, pattern));
        }
    }
    return all;
}

/// Everything that a caller sees of one request in buffers of one size.
struct outcome {
    std::vector<u32> words;
    std::vector<u32> tokens;
    ntstatus status;
    u32 faults;
    paging_rule rule;
    u64 value;
    u64 limit;
    bool stuck;  ///< a pass that could not advance
    bool operator==(outcome const&) const = default;
};

template <class Hw>
outcome play(Hw hw, request& r, u32 room) {
    outcome all{};
    arguments args = r.fresh();
    std::vector<u32> const clean(room + 8, 0x5A5A'5A5A);
    std::vector<u32> buffer = clean;
    for (u32 pass = 0; pass != 2000; ++pass) {
        args.pDmaBuffer = buffer.data();
        args.DmaSize = room * 4;
        u32 const before = args.MultipassOffset;
        all.status = build_paging_buffer(hw, args);
        auto const written = static_cast<usize>(static_cast<u32*>(args.pDmaBuffer) - buffer.data());
        REQUIRE(written <= room);
        REQUIRE(std::memcmp(buffer.data() + written, clean.data(), (clean.size() - written) * 4) == 0);
        all.words.insert(all.words.end(), buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(written));
        std::copy_n(clean.begin(), written, buffer.begin());
        all.tokens.push_back(args.MultipassOffset);
        if (all.status != status::graphics_insufficient_dma_buffer) {
            break;
        }
        if (args.MultipassOffset == before) {
            all.stuck = true;
            break;
        }
    }
    all.faults = hw.faults;
    all.rule = hw.last.rule;
    all.value = hw.last.value;
    all.limit = hw.last.limit;
    return all;
}

/// One chip of a range against the type that has its numbers in the source, for every request, in buffers of each size.
template <class Range, engine_numbers Numbers>
void expect_same_as_constant() {
    constexpr u32 smallest = static_cast<u32>(smallest_paging_buffer<constant_engine<Numbers>>.n / 4);
    auto const chip = chip_of<Range>(Numbers);
    REQUIRE(check_numbers(chip) == no_number_broken);
    for (request& r : all_requests()) {
        for (u32 const room : {1u, smallest - 2, smallest - 1, smallest, smallest + 1, smallest + 13, 1024u}) {
            CAPTURE(r.name);
            CAPTURE(room);
            outcome const expected = play(constant_engine<Numbers>{}, r, room);
            outcome const got = play(chip, r, room);
            REQUIRE(got == expected);
            REQUIRE((room < smallest || !got.stuck));
        }
        // The smallest of all chips is enough for each.
        REQUIRE(!play(chip, r, static_cast<u32>(smallest_paging_buffer<Range>.n / 4)).stuck);
    }
}

}  // namespace

TEST_CASE("law 7: a chip whose commands take whole pages is driven as a type of its own") {
    using range = chosen_engine<long_least, long_most>;
    expect_same_as_constant<range, long_least>();
    expect_same_as_constant<range, long_most>();
    expect_same_as_constant<
        range, engine_numbers{
                   .copy_max = {1'000'000}, .copy_alignment = {16}, .fill_max = {555'555}, .fill_alignment = {8}}>();
}

TEST_CASE("law 7: a chip whose commands may be shorter than a block of the list is, too") {
    using range = chosen_engine<short_least, short_most>;
    expect_same_as_constant<range, short_least>();
    expect_same_as_constant<range, short_most>();
    expect_same_as_constant<range, engine_numbers{.copy_max = {3 * 4096 + 100}, .fill_max = {2 * 4096 + 4}}>();
    expect_same_as_constant<range, engine_numbers{.copy_max = 64 * kib, .fill_max = 64 * kib}>();
}

TEST_CASE("law 7: a chip that copies or fills less than a page at once is, beside one that takes several pages") {
    using range = chosen_engine<any_least, any_most>;
    expect_same_as_constant<range, any_least>();
    expect_same_as_constant<range, any_most>();
    expect_same_as_constant<
        range,
        engine_numbers{.copy_max = {1000}, .copy_alignment = {64}, .fill_max = {2000}, .fill_alignment = {16}}>();
    expect_same_as_constant<range, engine_numbers{.copy_max = {4095}, .copy_alignment = {256}, .fill_max = {4096}}>();
    expect_same_as_constant<range, engine_numbers{.copy_max = {4096}, .fill_max = {4095}, .fill_pattern_bytes = {1}}>();
    expect_same_as_constant<
        range, engine_numbers{.copy_max = {512}, .copy_alignment = {256}, .fill_max = {400}, .fill_alignment = {64}}>();
}

TEST_CASE(
    "AMB-09: of two chips of one driver the one with patterns of a dword fills with any, the other with equal bytes") {
    using range = chosen_engine<any_least, any_most>;
    for (u64 const pattern_bytes : {u64{1}, u64{4}}) {
        auto const chip =
            chip_of<range>({.copy_max = {4096}, .fill_max = {4096}, .fill_pattern_bytes = {pattern_bytes}});
        REQUIRE(check_numbers(chip) == no_number_broken);
        request mixed = fill(true, 0x7000'0000, page_bytes, 0x0403'0201);
        outcome const got = play(chip, mixed, 1024);
        CHECK((got.status == status::success) == (pattern_bytes == 4));
        CHECK((pattern_bytes == 4 || got.rule == paging_rule::pattern_not_fillable));
        request equal = fill(true, 0x7000'0000, page_bytes, 0x4242'4242);
        CHECK(play(chip, equal, 1024).status == status::success);
    }
}

TEST_CASE("SEG-41: the smallest paging buffer of a range is that of its worst chip, and enough for every chip") {
    // By hand: 512 bytes in pieces of 256 are 8 copies of 5 dwords, 400 in pieces of 64 are 384: 11 fills of 4; 44 is
    // even.
    using range = chosen_engine<any_least, any_most>;
    static_assert(smallest_paging_buffer<range> == bytes{44 * 4});
    static_assert(smallest_paging_buffer<chosen_engine<long_least, long_most>> == bytes{6 * 4});
    std::mt19937 random(0x5E41);
    std::vector<request> requests;
    requests.push_back(list_transfer(3, 3 * page_bytes, true, 2, random));
    requests.push_back(virtual_transfer(0x10'0000, 0x4000'0000, 3 * page_bytes));
    requests.push_back(fill(true, 0x7000'0000, 3 * page_bytes, 0));
    constexpr u64 step = emulated ? 12 : 4;
    for (u64 limit = 512; limit <= 12'288; limit += limit < 4200 ? step : 500) {
        for (u64 const unit : {u64{4}, u64{64}}) {
            auto const chip = chip_of<range>(
                {.copy_max = {limit}, .copy_alignment = {unit * 4}, .fill_max = {limit}, .fill_alignment = {unit}});
            REQUIRE(check_numbers(chip) == no_number_broken);
            for (request& r : requests) {
                CAPTURE(limit);
                CAPTURE(r.name);
                REQUIRE(play(chip, r, 44).status == status::success);
                // One dword too few for this very chip, by the formula of a type that has its numbers in the source.
                bool const copies = r.args.Operation != 9;
                u32 const group = copies ? 5 * hw::commands_per_page({limit}, {unit * 4})
                                         : 4 * hw::commands_per_page({limit}, {unit});
                u32 const exact = (group + 1) / 2 * 2;
                REQUIRE(!play(chip, r, exact).stuck);
                REQUIRE(play(chip, r, exact - 1).stuck);
            }
        }
    }
}

TEST_CASE("law 3: a build with chosen numbers is a constant expression") {
    constexpr u32 commands = [] {
        auto chip = chip_of<chosen_engine<any_least, any_most>>({.copy_max = {2048}});
        u32 words[16]{};
        twin_arguments args{};
        args.pDmaBuffer = words;
        args.DmaSize = sizeof words;
        args.Operation = 8;
        args.TransferVirtual.TransferSizeInBytes = page_bytes;
        args.TransferVirtual.SourceVirtualAddress = 0x10'0000;
        args.TransferVirtual.DestinationVirtualAddress = 0x20'0000;
        bool const done = build_paging_buffer(chip, args) == status::success;
        return done && words[4] == 2048 && words[9] == 2048 ? static_cast<u32>(args.pDmaBuffer - words) : 0;
    }();
    static_assert(commands == 10);
    CHECK(commands == 10);
}

}  // namespace chosen_numbers_test
