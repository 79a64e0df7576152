// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// Fills by commands whose lengths differ: each gets exactly its room, in every buffer.
#include "varied_fill_gpu.hpp"

#include <wddmcore/mirror.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace varied_fill_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

constexpr capabilities both_names{
    .version = wddm::v2_9, .oldest = wddm::v2_0, .addresses = paging_addresses::both, .aperture = aperture_forms::mdl};
using arguments = mirror::v2_9::dxgkarg_buildpagingbuffer;

// Two pages a command; a page in pieces of 960 bytes, by hand: 4 of them and one of 256.
constexpr plain_numbers two_pages{.fill_max = bytes{2 * page_bytes}};
constexpr plain_numbers two_pages_in_fours{.unit = {4}, .fill_max = bytes{2 * page_bytes}};
constexpr plain_numbers small_pieces{.unit = {2}, .fill_max = {1000}, .fill_alignment = {64}};

template <plain_numbers Numbers>
using gpu = varied_fill_gpu<Numbers, both_names>;

arguments virtual_fill(u64 place, u64 size, u32 pattern) {
    arguments args{};
    args.Operation = 9;
    args.FillVirtual = {};
    args.FillVirtual.FillSizeInBytes = size;
    args.FillVirtual.FillPattern = pattern;
    args.FillVirtual.DestinationVirtualAddress = place;
    return args;
}

arguments physical_fill(u64 offset, u64 size, u32 pattern) {
    arguments args{};
    args.Operation = 1;
    args.Fill = {};
    args.Fill.FillSize = size;
    args.Fill.FillPattern = pattern;
    args.Fill.Destination.SegmentId = 2;
    args.Fill.Destination.SegmentAddress.QuadPart = static_cast<i64>((u64{2} << 40) + offset);
    return args;
}

/// The length that the type's documentation says, worked out once more.
u32 length_of(u64 place, u32 pattern) {
    u32 length = 3;
    length += place >= u64{1} << 32;
    length += pattern != 0;
    return place % 2048 == 0 ? length : length + 3;
}

/// A request in buffers of `room` dwords: what is written is whole commands of their exact length, each pass holds all
/// that fit, nothing else of the buffer changes, and together the fills are the request.
template <class Hw>
void expect_fill(arguments args, u64 place, u64 size, u32 pattern, u32 room) {
    CAPTURE(place);
    CAPTURE(size);
    CAPTURE(pattern);
    CAPTURE(room);
    constexpr u64 piece = hw::commands_per_page(Hw::fill_max, Hw::fill_alignment) == 1 ? 2 * page_bytes : 960;
    Hw hw{};
    u64 filled = 0;
    for (u32 passes = 0; passes != 100; ++passes) {
        std::vector<u32> buffer(room + 20, 0x5A5A'5A5A);
        args.pDmaBuffer = buffer.data() + 10;
        args.DmaSize = room * 4;
        u32 const token = args.MultipassOffset;
        ntstatus const status = build_paging_buffer(hw, args);
        REQUIRE(hw.faults == 0);
        auto const written = static_cast<std::size_t>(static_cast<u32*>(args.pDmaBuffer) - (buffer.data() + 10));
        REQUIRE(written <= room);
        REQUIRE(written % Hw::unit_dwords.n == 0);
        for (std::size_t i = 0; i != buffer.size(); ++i) {
            bool const inside = i >= 10 && i < 10 + written;
            REQUIRE((buffer[i] == 0x5A5A'5A5A) == !inside);
        }
        u32 used = 0;
        for (varied_fill const& one : fills_in(buffer.data() + 10, written, place >> 32 != 0, pattern == 0)) {
            REQUIRE(one.place == place + filled);
            REQUIRE(one.length == length_of(one.place, pattern));
            REQUIRE(one.pattern == pattern);
            u64 const to_page = piece == 960 ? page_bytes - filled % page_bytes : piece;
            REQUIRE(one.size == std::min({piece, to_page, size - filled}));
            filled += one.size;
            used += one.length;
        }
        REQUIRE(used + Hw::unit_dwords.n > written);  // less than a grain is padding
        if (status == status::success) {
            CHECK(filled == size);
            return;
        }
        REQUIRE(status == status::graphics_insufficient_dma_buffer);
        REQUIRE(filled == u64{args.MultipassOffset} * page_bytes);
        // What comes next did not fit: a command of two pages, or those of one page.
        u32 next = 0;
        for (u64 at = filled; at < std::min(filled + page_bytes, size); at += piece) {
            next += length_of(place + at, pattern);
        }
        u32 const usable = room / Hw::unit_dwords.n * Hw::unit_dwords.n;
        REQUIRE(used + next > usable);
        if (args.MultipassOffset == token) {
            CHECK(room * 4 < smallest_paging_buffer<Hw>.n);
            return;
        }
    }
    FAIL("the fill never ends");
}

template <plain_numbers Numbers>
void expect_fills() {
    for (u64 const size : {u64{64}, 3 * page_bytes, 7 * page_bytes - 64, 9 * page_bytes}) {
        for (u32 const pattern : {0u, 0xDEAD'BEEFu}) {
            for (u32 room = 1; room <= 60; ++room) {
                for (u64 const place : {u64{0x40'0000}, u64{0x40'0040}, u64{0x12'0000'0000}, u64{0xFFFF'C000}}) {
                    bool const crosses = place < u64{1} << 32 && place + size > u64{1} << 32;
                    if (!crosses) {
                        expect_fill<gpu<Numbers>>(virtual_fill(place, size, pattern), place, size, pattern, room);
                    }
                }
                expect_fill<gpu<Numbers>>(physical_fill(0x1040, size, pattern), (u64{2} << 40) + 0x1040, size, pattern,
                                          room);
            }
        }
    }
}

}  // namespace

TEST_CASE("OP01-02 OP09-01 PGB-01 PGB-05: fills whose commands differ in length take exactly their room") {
    SUBCASE("two pages a command") { expect_fills<two_pages>(); }
    SUBCASE("in grains of four dwords") { expect_fills<two_pages_in_fours>(); }
    SUBCASE("pieces of a page, which stay together") { expect_fills<small_pieces>(); }
}

TEST_CASE("law 7: the smallest paging buffer counts fills of different lengths with the most") {
    // The longest command is 8 dwords; a page of pieces is five of them. The copies of these types are 4 dwords each.
    CHECK(paging::detail::group_dwords<gpu<two_pages>, paging_operation::fill>() == 8);
    CHECK(paging::detail::group_dwords<gpu<small_pieces>, paging_operation::virtual_fill>() == 40);
    CHECK(smallest_paging_buffer<gpu<two_pages>> == bytes{32});
    CHECK(smallest_paging_buffer<gpu<small_pieces>> == bytes{160});
}

TEST_CASE("PGB-11: a fill whose length differs needs a buffer like any other") {
    gpu<two_pages> hw{};
    arguments args = virtual_fill(0x40'0000, page_bytes, 1);
    CHECK(build_paging_buffer(hw, args) == status::invalid_parameter);
    CHECK(hw.faults == 1);
    CHECK(args.MultipassOffset == 0);
    // One of no bytes is none (OBS-02).
    u32 words[4] = {};
    args.pDmaBuffer = words;
    args.DmaSize = 0;
    CHECK(build_paging_buffer(hw, args) == status::invalid_parameter);
    CHECK(hw.faults == 2);
    CHECK(args.MultipassOffset == 0);
}

namespace {

/// A page in pieces of 960 bytes, each by one dword, and by two more where it has more than 512 bytes.
struct short_gpu : gpu<small_pieces> {
    static constexpr dwords unit_dwords{1};
    static constexpr dwords fill_dwords_most{3};
    [[nodiscard]] static constexpr dwords fill_dwords_of(address, bytes size, u32) noexcept {
        return {size.n > 512 ? 3u : 1u};
    }
    static constexpr void encode_fill(u32* at, address to, bytes size, u32 pattern) noexcept {
        put(at, fill_dwords_of(to, size, pattern), 7);
    }
};

/// Copies of one dword.
constexpr plain_numbers copies_of_one_dword{.copy_dwords = {1}};

}  // namespace

TEST_CASE("PGB-01 PGB-05: the pieces of a page take what each of them needs, the last one by the bytes that it has") {
    short_gpu hw{};
    // Four pieces of 960 bytes and one of 256: 4 * 3 + 1 dwords; with no dword to spare, and with one too few.
    u32 words[16] = {};
    for (u32 const room : {13u, 12u}) {
        arguments args = virtual_fill(0x40'0000, page_bytes, 1);
        args.pDmaBuffer = words;
        args.DmaSize = room * 4;
        ntstatus const status = build_paging_buffer(hw, args);
        CHECK(status == (room == 13 ? status::success : status::graphics_insufficient_dma_buffer));
        CHECK(static_cast<u32*>(args.pDmaBuffer) - words == (room == 13 ? 13 : 0));
    }
    CHECK(hw.faults == 0);
}

TEST_CASE("PGB-01: a command of one dword takes a buffer of one dword") {
    u32 word = 0;
    short_gpu hw{};
    arguments fill = virtual_fill(0x40'0000, 256, 1);
    fill.pDmaBuffer = &word;
    fill.DmaSize = 4;
    CHECK(build_paging_buffer(hw, fill) == status::success);
    CHECK(word == 7);
    CHECK(fill.pDmaBuffer == &word + 1);
    plain_gpu<copies_of_one_dword, both_names> copying{};
    arguments copy{};
    copy.Operation = 8;
    copy.TransferVirtual = {};
    copy.TransferVirtual.TransferSizeInBytes = page_bytes;
    copy.TransferVirtual.SourceVirtualAddress = 0x40'0000;
    copy.TransferVirtual.DestinationVirtualAddress = 0x80'0000;
    copy.pDmaBuffer = &word;
    copy.DmaSize = 4;
    CHECK(build_paging_buffer(copying, copy) == status::success);
    CHECK(word == 1);
    CHECK(copy.pDmaBuffer == &word + 1);
}

namespace {

/// Lengths in constant evaluation: 3 dwords for zeros below 4 GiB at a page.
constexpr bool in_constant_evaluation() {
    u32 words[16] = {};
    gpu<two_pages> hw{};
    paging::detail::dma_writer writer{words, 7};
    paging::detail::progress const done =
        paging::detail::fill_by_lengths(hw, writer, plain_address{0x40'0000}, paging::detail::extent{5, 0}, 0, 0u);
    return done.what == paging::detail::outcome::need_buffer && done.token == 4 && writer.room == 1 &&
           words[0] == (varied_fill_head | 3) && words[4] == 0x40'2000 && words[6] == 0;
}
static_assert(in_constant_evaluation());

}  // namespace

TEST_CASE("laws 3 and 4: fills of different lengths in constant evaluation are those at run time") {
    CHECK(in_constant_evaluation());
}

}  // namespace varied_fill_test
