// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "blitter.hpp"

#include <hardware/cpu/test_bus.hpp>
#include <hardware/intel_xe.hpp>
#include <wddmcore/ddi/mirror/mirror.hpp>
#include <wddmcore/wddmcore.hpp>

#include <doctest/doctest.h>

#include <cstring>

namespace intel_blitter_test {

namespace {

using namespace decoder_tests;
using namespace wddmcore;
namespace intel = wddmcore::examples::intel;
using testing::translation;
using testing::xe_blitter;

constexpr u32 mocs = 5;
constexpr u64 first = 0x1234'5678'0000;  // 32 KiB are there
constexpr u64 lone = 0x2345'6789'A000;   // 4 KiB that may only be read

/// The bus is found at other addresses than the blitter's.
struct small_memory : patchy_bus {
    small_memory() : patchy_bus(0x9000, {{0x5000, 0, 0x9000}}) {}
};

[[nodiscard]] translation walk(u64 va) {
    translation t;
    bool const in_first = va - first < 0x8000;
    if (!in_first && va >> 12 != lone >> 12) {
        return testing::no_translation("nothing there");
    }
    t.bus = in_first ? 0x5000 + (va - first) : 0xD000 + va % 4096;
    t.bytes = 4096 - va % 4096;
    t.writable = in_first;
    return t;
}

[[nodiscard]] execution run(small_memory& bus, words stream) {
    stream.resize(stream.size() + stream.size() % 2);
    xe_blitter engine(mocs, walk);
    return engine.execute(stream.data(), stream.size(), bus);
}

[[nodiscard]] words joined(std::initializer_list<words> all) {
    words w;
    for (words const& one : all) {
        append(w, one);
    }
    return w;
}

// The encoders run in constant evaluation too: where the shorter row begins, and the value of the shorter set.
constexpr u32 rest_of_copy = [] {
    u32 words[intel::xe<>::copy_dwords.n]{};
    intel::xe<>{}.encode_copy(words, {0x10'0000}, {0x20'0000}, bytes{0x3040});
    return words[intel::xe<>::copy_dwords.n - 2];
}();
constexpr u32 rest_of_fill = [] {
    u32 words[intel::xe<>::fill_dwords.n]{};
    intel::xe<>{}.encode_fill(words, {0x10'0000}, bytes{0x3001}, 0x7777'7777);
    return words[intel::xe<>::fill_dwords.n - 1];
}();
static_assert(rest_of_copy == 0x20'3000 && rest_of_fill == 0x7700'0000);

/// A command with one word changed.
[[nodiscard]] words with(words w, std::size_t at, u32 value) {
    w[at] = value;
    return w;
}

// Commands put together by hand from the driver's definitions; policy 5.
words const flush{0x13000002, 0, 0, 0};
words const two_rows{0x50800008, 0x03501000, 0, 0x00020400, 0x56784000, 0x1234, 0, 0x00501000, 0x56780000, 0x1234};
words const one_line{0x50800008, 0x03501000, 0, 0x00010010, 0x56786000, 0x1234, 0, 0x00501000, 0x56782000, 0x1234};
words const set_two_rows{0x56C20005, 0xFFF, 1, 0xFFF, 0x56784000, 0x1234, 0xAB000028};
words const set_seven{0x56C20005, 6, 0, 6, 0x56786000, 0x1234, 0xAB000028};
words const store{0x10200003, 0x56780010, 0x1234, 0x11223344, 0x55667788};
words const forget{0x13044002, 0x56780040, 0x1234, 0};

}  // namespace

TEST_CASE("Xe blitter: a rectangle of whole rows and a shorter row move their bytes and no others") {
    small_memory bus;
    auto expected = bus.memory;
    model_copy(expected, 0x4000, 0x0000, 0x2000);
    model_copy(expected, 0x6000, 0x2000, 0x40);
    execution const done = run(bus, joined({{0x02800000}, flush, two_rows, one_line}));
    CHECK_MESSAGE(done.ok, done.why);
    CHECK(done.commands == 2);
    CHECK(done.moved_bytes == 0x2040);
    CHECK(bus.memory == expected);
}

TEST_CASE("Xe blitter: a set repeats one byte, to the byte") {
    small_memory bus;
    auto expected = bus.memory;
    model_fill(expected, 0x4000, 0x2007, 0xABABABAB);
    execution const done = run(bus, joined({set_two_rows, set_seven}));
    CHECK_MESSAGE(done.ok, done.why);
    CHECK(done.moved_bytes == 0x2007);
    CHECK(bus.memory == expected);
}

TEST_CASE("Xe blitter: a store of a quadword, and a flush that stores a dword") {
    small_memory bus;
    auto expected = bus.memory;
    model_fill(expected, 0x10, 4, 0x11223344);
    model_fill(expected, 0x14, 4, 0x55667788);
    model_fill(expected, 0x40, 4, 0);
    execution const done = run(bus, joined({store, forget}));
    CHECK_MESSAGE(done.ok, done.why);
    CHECK(done.commands == 2);
    CHECK(bus.memory == expected);
}

TEST_CASE("Xe blitter: commands that touch the same memory need a flush between them") {
    words const back{0x50800008, 0x03501000, 0, 0x00010010, 0x56780000, 0x1234, 0, 0x00501000, 0x56784000, 0x1234};
    for (words const& later : {back, two_rows, with(store, 1, 0x56784000), with(set_seven, 4, 0x56781000)}) {
        small_memory bus;
        CHECK(has(run(bus, joined({two_rows, later})).why, "earlier command"));
        execution const ordered = run(bus, joined({two_rows, flush, later}));
        CHECK_MESSAGE(ordered.ok, ordered.why);
    }
}

TEST_CASE("Xe blitter: what is only a mistake is refused, and changes nothing") {
    struct refused {
        words stream;
        char const* why;
    };
    std::vector<refused> const cases{
        {{0x05000000}, "is not one of these commands"},
        {{0x02800001}, "stray bits"},
        {with(two_rows, 0, 0x50800009), "wants 11 dwords"},
        {with(two_rows, 1, 0x01501000), "not linear, 32 bits"},
        {with(two_rows, 1, 0x43501000), "not linear, 32 bits"},
        {with(two_rows, 1, 0x03401000), "policy 5"},
        {with(two_rows, 7, 0x80501000), "for its source"},
        {with(two_rows, 7, 0x00501040), "pitch of 4160"},
        {with(two_rows, 7, 0x00500FC0), "pitch of 4032"},
        {with(two_rows, 2, 1), "corner"},
        {with(two_rows, 3, 0x80000400), "32768 rows"},
        {with(two_rows, 3, 0x00020000), "2 rows of 0 bytes"},
        {with(two_rows, 4, 0x56784020), "not in whole cache lines"},
        {with(two_rows, 4, 0x56781000), "over themselves"},
        {with(two_rows, 4, 0x56787000), "writes 8192 bytes at 0x123456787000: nothing there"},
        {with(with(one_line, 4, 0x6789A000), 5, 0x2345), "may only be read"},
        {with(set_two_rows, 0, 0x56C00005), "not the one for rows"},
        {with(set_two_rows, 2, 32767), "32768 rows"},
        {with(set_two_rows, 3, 0x1FFF), "pitch of 8192"},
        {with(set_two_rows, 6, 0xAB000020), "not policy 5"},
        {with(store, 0, 0x10600003), "not one for dwords or quadwords"},
        {with(store, 1, 0x56780014), "not at a quadword"},
        {with(forget, 0, 0x13040002), "forgets translations and stores nothing"},
        {with(forget, 1, 0x56780044), "not at a quadword"},
        {with(flush, 1, 0x40), "stores nothing"},
    };
    for (refused const& c : cases) {
        CAPTURE(c.why);
        small_memory bus;
        auto const before = bus.memory;
        execution const done = run(bus, c.stream);
        CHECK_FALSE(done.ok);
        CHECK_MESSAGE(has(done.why, c.why), done.why);
        CHECK(done.commands == 0);
        CHECK(bus.memory == before);
    }
    small_memory bus;
    xe_blitter engine(mocs, walk);
    CHECK(has(engine.execute(flush.data(), 3, bus).why, "ends inside a quadword"));
}

TEST_CASE("Xe blitter: the encoders write the words that the public driver's definitions give") {
    intel::xe<> const hw = intel::xe<>::started({.local_segment = {2},
                                                 .local = {{0x1000}, {0x8000}},
                                                 .local_virtual = first,
                                                 .aperture_segment = {1},
                                                 .aperture = {{0x10'0000}, {0x4000}},
                                                 .aperture_virtual = 0x7'0000,
                                                 .system_virtual = 0x1000'0000'0000,
                                                 .aperture_table = nullptr,
                                                 .aperture_table_virtual = first + 8,
                                                 .scratch_virtual = first + 0x40,
                                                 .mocs = mocs,
                                                 .coherent_pat = 2,
                                                 .noncoherent_pat = 5});
    auto const encoded = [](dwords n, auto encode) {
        words w(n.n);
        encode(w.data());
        return w;
    };
    auto const at = [&](u64 offset) { return hw.from_segment({2}, {offset}); };
    words const point = joined({{0x02800000}, flush});
    words const nothing(10, 0);
    words const no_set(7, 0);
    auto const copy = [&](u64 size) {
        return encoded(hw.copy_dwords, [&](u32* to) { hw.encode_copy(to, at(0x4000), at(0), bytes{size}); });
    };
    auto const fill = [&](u64 size) {
        return encoded(hw.fill_dwords, [&](u32* to) { hw.encode_fill(to, at(0x4000), bytes{size}, 0xABABABAB); });
    };
    words line = with(with(one_line, 4, 0x56784000), 8, 0x56780000);
    CHECK(copy(0x2000) == joined({point, two_rows, nothing}));
    CHECK(copy(0x2040) == joined({point, two_rows, one_line}));
    CHECK(copy(0x40) == joined({point, nothing, line}));
    CHECK(fill(0x2000) == joined({point, set_two_rows, no_set}));
    CHECK(fill(0x2007) == joined({point, set_two_rows, set_seven}));
    CHECK(fill(7) == joined({point, no_set, with(set_seven, 4, 0x56784000)}));
    // A read takes the whole cache line to the driver's own; a write sets the one byte.
    CHECK(encoded(hw.access_dwords, [&](u32* to) { hw.encode_read(to, at(0x2011)); }) ==
          joined({point, with(with(one_line, 4, 0x56780040), 8, 0x56782000)}));
    CHECK(encoded(hw.access_dwords, [&](u32* to) { hw.encode_write(to, at(0x2011)); }) ==
          joined({point, {0x56C20005, 0, 0, 0, 0x56782011, 0x1234, 0x28, 0, 0, 0}}));
    // Page 0x123456 under policy 2: present, writable, and bit 4.
    CHECK(encoded(hw.aperture_entry_dwords, [&](u32* to) { hw.encode_aperture_entry(to, {1}, 1, {0x123456}, true); }) ==
          joined({flush, {0x10200003, 0x56780010, 0x1234, 0x23456013, 0x1}, forget}));
    CHECK(hw.from_page({0x123}).n == 0x1000'0012'3000);
    CHECK(hw.from_segment({1}, {0x1020}).n == 0x7'1020);
}

TEST_CASE("AMB-09: four different bytes are no pattern for a blitter that repeats one") {
    intel::xe<intel::virtual_paging> hw{};
    words buffer(64, 0x5A5A5A5A);
    mirror::v2_9::dxgkarg_buildpagingbuffer args;
    std::memset(&args, 0, sizeof args);
    args.Operation = static_cast<decltype(args.Operation)>(9);
    args.pDmaBuffer = buffer.data();
    args.DmaSize = static_cast<u32>(buffer.size() * 4);
    args.FillVirtual.FillSizeInBytes = 4096;
    args.FillVirtual.FillPattern = 0xABABABAC;
    args.FillVirtual.DestinationVirtualAddress = first;
    CHECK(build_paging_buffer(hw, args) == status::invalid_parameter);
    CHECK(args.pDmaBuffer == buffer.data());
    args.FillVirtual.FillPattern = 0xABABABAB;
    CHECK(build_paging_buffer(hw, args) == status::success);
    CHECK(static_cast<u32*>(args.pDmaBuffer) == buffer.data() + 20);
}

}  // namespace intel_blitter_test
