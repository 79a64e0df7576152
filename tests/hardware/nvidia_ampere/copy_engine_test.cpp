// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "copy_engine.hpp"

#include <hardware/cpu/test_bus.hpp>
#include <hardware/nvidia_ampere.hpp>
#include <wddmcore/ddi/mirror/mirror.hpp>
#include <wddmcore/wddmcore.hpp>

#include <doctest/doctest.h>

#include <cstring>

namespace nvidia_copy_engine_test {

namespace {

using namespace decoder_tests;
using namespace wddmcore;
namespace nvidia = wddmcore::examples::nvidia;
using testing::nvidia_copy_engine;
using testing::translation;

// 8 KiB of video memory, 8 KiB of system memory, and virtual addresses that show the second half of each, exchanged.
constexpr u64 video = 0x80'0000'0000;
constexpr u64 system = 0x10'0000'0000;
constexpr u64 virtual_first = 0x1'2345'6789'A000;  // 49 bits

struct small_memory : patchy_bus {
    small_memory() : patchy_bus(0x4000, {{video + 0x5000, 0, 0x2000}, {system + 0x9'0000'7000, 0x2000, 0x2000}}) {}
};

[[nodiscard]] nvidia_copy_engine engine_of_two_pages() {
    return nvidia_copy_engine({video, system, [](u64 va) {
                                   translation t;
                                   if (va >> 12 == virtual_first >> 12) {
                                       t.bus = system + 0x9'0000'8000 + va % 4096;
                                   } else if (va >> 12 == (virtual_first >> 12) + 1) {
                                       t.bus = video + 0x6000 + va % 4096;
                                   } else {
                                       return testing::no_translation("nothing there");
                                   }
                                   t.bytes = 4096 - va % 4096;
                                   t.writable = true;
                                   return t;
                               }});
}

[[nodiscard]] execution run(small_memory& bus, words const& stream) {
    auto engine = engine_of_two_pages();
    return engine.execute(stream.data(), stream.size(), bus);
}

// Headers put together by hand: operation 1, count, subchannel 4, method / 4.
words const physical_copy{0x20028098, 0,          1,     0x20048100, 0x0,        0x5010, 0x9,
                          0x7020,     0x20028106, 0x123, 1,          0x200180C0, 0x3186};
words const virtual_copy{0x20048100, 0x12345, 0x6789AFF0, 0x12345, 0x6789B100, 0x20028106, 0x10, 1, 0x200180C0, 0x186};
words const dword_fill{0x20018099, 0,          0x20028102, 0x0, 0x5004,     0x20028106, 3,
                       1,          0x200381C0, 0xA1B2C3D4, 0,   0x00030004, 0x200180C0, 0x2586};
words const qword_write{0x20018099, 0,          0x20028102, 0x0,        0x5008,     0x20028106, 1,
                        1,          0x200381C0, 0x11223344, 0x55667788, 0x01030054, 0x200180C0, 0x2586};

template <class Encode>
[[nodiscard]] words encoded(dwords n, Encode encode) {
    words w(n.n);
    encode(w.data());
    return w;
}

// The encoders run in constant evaluation too: the last word of each command.
constexpr u32 last_word_of_copy = [] {
    u32 words[nvidia::ampere<>::copy_dwords.n]{};
    nvidia::ampere<>::encode_copy(words, {0, nvidia::target::video}, nvidia::ampere<>::from_page({1}), bytes{4096});
    return words[nvidia::ampere<>::copy_dwords.n - 1];
}();
constexpr u32 last_word_of_fill = [] {
    u32 words[nvidia::ampere<>::fill_dwords.n]{};
    nvidia::ampere<>::encode_fill(words, nvidia::ampere<>::from_virtual({0x1000}), bytes{4096}, 1);
    return words[nvidia::ampere<>::fill_dwords.n - 1];
}();
static_assert(last_word_of_copy == 0x3186 && last_word_of_fill == 0x586);

/// A stream with one word changed.
[[nodiscard]] words with(words w, std::size_t at, u32 value) {
    w[at] = value;
    return w;
}

}  // namespace

TEST_CASE("C7B5: a copy from video memory to a system page moves its bytes and no other") {
    small_memory bus;
    auto expected = bus.memory;
    model_copy(expected, 0x2020, 0x10, 0x123);
    execution const done = run(bus, physical_copy);
    CHECK_MESSAGE(done.ok, done.why);
    CHECK(done.commands == 1);
    CHECK(done.moved_bytes == 0x123);
    CHECK(bus.memory == expected);
}

TEST_CASE("C7B5: a copy of virtual addresses goes through both translations") {
    small_memory bus;
    auto expected = bus.memory;
    model_copy(expected, 0x1100, 0x3FF0, 0x10);
    execution const done = run(bus, virtual_copy);
    CHECK_MESSAGE(done.ok, done.why);
    CHECK(bus.memory == expected);
}

TEST_CASE("C7B5: a fill repeats constant A; an element of two constants is a 64-bit write") {
    small_memory bus;
    auto expected = bus.memory;
    model_fill(expected, 4, 12, 0xA1B2C3D4);
    model_fill(expected, 8, 4, 0x11223344);
    model_fill(expected, 12, 4, 0x55667788);
    words both = dword_fill;
    append(both, {0x80008040});  // NOP
    append(both, qword_write);
    execution const done = run(bus, both);
    CHECK_MESSAGE(done.ok, done.why);
    CHECK(done.commands == 2);
    CHECK(bus.memory == expected);
}

TEST_CASE("C7B5: what is only a mistake is refused, and changes nothing") {
    struct refused {
        words stream;
        char const* why;
    };
    std::vector<refused> const cases{
        {with(virtual_copy, 0, 0x20046100), "subchannel 3"},
        {with(virtual_copy, 0, 0x60048100), "operation 3"},
        {with(virtual_copy, 8, 0x200280C0), "wants 2 dwords, but 1 follow"},
        {with(virtual_copy, 0, 0x20048104), "method 0x410 is not one of these"},
        {with(virtual_copy, 1, 0x21234), "reserved bits 0x20000"},
        {with(virtual_copy, 9, 0x185), "transfer type 1"},
        {with(virtual_copy, 9, 0x182), "does not flush"},
        {with(virtual_copy, 9, 0x106), "not pitch-linear"},
        {with(virtual_copy, 9, 0x386), "bits 0x200"},
        {with(virtual_copy, 9, 0x18E), "bits 0x8"},
        {with(virtual_copy, 9, 0x1186), "reads method 0x260, which this window has not set"},
        {with(virtual_copy, 9, 0x586), "reads method 0x708, which this window has not set"},
        {with(virtual_copy, 7, 2), "2 lines"},
        {with(virtual_copy, 6, 0), "moves nothing"},
        {with(virtual_copy, 1, 0), "reads 16 bytes at virtual 0x6789aff0: nothing there"},
        {with(virtual_copy, 6, 0x200), "copies 512 bytes over themselves"},
        {with(physical_copy, 1, 3), "there is no such target"},
        {with(physical_copy, 2, 0), "writes 291 bytes at physical target 0 0x900007020, which are not all backed"},
        {with(dword_fill, 11, 0x00030000), "comes from 0, which is no constant"},
        {with(dword_fill, 6, 0x10000), "which are not all backed"},
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
}

TEST_CASE("C7B5: a window starts with no method set") {
    small_memory bus;
    auto engine = engine_of_two_pages();
    REQUIRE(engine.execute(virtual_copy.data(), virtual_copy.size(), bus).ok);
    execution const again = engine.execute(virtual_copy.data() + 8, 2, bus);
    CHECK_FALSE(again.ok);
    CHECK(has(again.why, "has not set"));
}

TEST_CASE("C7B5: the encoders of NVIDIA Ampere write the words that the manual gives") {
    using physical = nvidia::ampere<>;
    using in_process = nvidia::ampere<nvidia::virtual_paging>;
    nvidia::address const from{0x5010, nvidia::target::video};
    nvidia::address const to{0x9'0000'7020, nvidia::target::coherent_system};
    CHECK(encoded(physical::copy_dwords, [&](u32* at) { physical::encode_copy(at, to, from, bytes{0x123}); }) ==
          physical_copy);
    CHECK(encoded(in_process::copy_dwords, [&](u32* at) {
              in_process::encode_copy(at, in_process::from_virtual({0x1'2345'6789'B100}),
                                      in_process::from_virtual({0x1'2345'6789'AFF0}), bytes{0x10});
          }) == virtual_copy);
    CHECK(encoded(physical::fill_dwords, [&](u32* at) {
              physical::encode_fill(at, {0x5004, nvidia::target::video}, bytes{12}, 0xA1B2C3D4);
          }) == dword_fill);
    CHECK(encoded({3}, [](u32* at) { physical::encode_padding(at, dwords{3}); }) == words(3, 0x80008040));
    CHECK(encoded(physical::bind_dwords, [](u32* at) { physical::encode_bind(at); }) == words{0x20018000, 0xC7B5});
    // The segment begins 0x4000 into video memory here, and the entry of page 2 lies at 0x5008.
    physical const hw = physical::started({.video_segment = {2},
                                           .video = {{0x1000}, {0x2000}},
                                           .video_first = 0x4000,
                                           .aperture_segment = {1},
                                           .aperture = {{0x10'0000}, {0x4000}},
                                           .aperture_virtual = 0x7'0000,
                                           .aperture_table = nullptr,
                                           .aperture_table_address = 0x4FF8,
                                           .scratch = 0x6000});
    CHECK(hw.from_segment({2}, {0x20}).n == 0x4020);
    CHECK(hw.from_segment({1}, {0x1020}).n == 0x7'1020);
    // Page 0x1234 of coherent system memory, volatile: page << 8, then 0b1101.
    words entry = qword_write;
    entry[9] = 0x0012340D;
    entry[10] = 0;
    CHECK(encoded(physical::aperture_entry_dwords,
                  [&](u32* at) { hw.encode_aperture_entry(at, {1}, 2, {0x1234}, true); }) == entry);
}

TEST_CASE("OP08-06: a copy of 9 GiB is whole pages of at most 4 GiB - 1 byte, end to end") {
    using hardware = nvidia::ampere<nvidia::virtual_paging>;
    hardware hw{};
    words buffer(64);
    mirror::v2_9::dxgkarg_buildpagingbuffer args;
    std::memset(&args, 0, sizeof args);
    args.Operation = static_cast<decltype(args.Operation)>(8);
    args.pDmaBuffer = buffer.data();
    args.DmaSize = static_cast<u32>(buffer.size() * 4);
    args.TransferVirtual.TransferSizeInBytes = u64{9} << 30;
    args.TransferVirtual.SourceVirtualAddress = 0x10'0000'0000;
    args.TransferVirtual.DestinationVirtualAddress = 0x20'0000'0000;
    REQUIRE(build_paging_buffer(hw, args) == status::success);
    REQUIRE(static_cast<u32*>(args.pDmaBuffer) == buffer.data() + 30);
    u64 done = 0;
    for (std::size_t at = 0; at != 30; at += 10) {
        CHECK((u64{buffer[at + 1]} << 32 | buffer[at + 2]) == 0x10'0000'0000 + done);
        CHECK((u64{buffer[at + 3]} << 32 | buffer[at + 4]) == 0x20'0000'0000 + done);
        CHECK(buffer[at + 6] % 4096 == 0);
        done += buffer[at + 6];
    }
    CHECK(buffer[6] == 0xFFFF'F000);
    CHECK(done == u64{9} << 30);
}

}  // namespace nvidia_copy_engine_test
