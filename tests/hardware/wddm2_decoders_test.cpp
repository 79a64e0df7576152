// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <hardware/amd_gfx10/gpuvm_walker.hpp>
#include <hardware/amd_gfx10/sdma_engine.hpp>
#include <hardware/cpu/test_bus.hpp>
#include <hardware/intel_xe/blitter.hpp>
#include <hardware/mock/mock_engine.hpp>
#include <hardware/mock/mock_page_walker.hpp>
#include <hardware/nvidia_ampere/copy_engine.hpp>
#include <wddmcore/testing/processor/engine.hpp>
#include <wddmcore/testing/processor/page_walker.hpp>
#include <wddmcore/testing/translation_cache.hpp>

#include <doctest/doctest.h>

#include <vector>

/// The decoders and walkers of page-table work, against streams and tables written out by hand.
namespace wddm2_decoders_test {

namespace {

using namespace wddmcore::testing;
using decoder_tests::has;
using decoder_tests::patchy_bus;
using u64 = std::uint64_t;
using words = std::vector<std::uint32_t>;

/// Memory at 0 that begins as zeros, without holes.
struct plain_memory : patchy_bus {
    plain_memory() : patchy_bus(0x2'0000, {{0, 0, 0x2'0000}}) { std::fill(memory.begin(), memory.end(), std::byte{0}); }
    void put(u64 at, u64 value) { static_cast<void>(write(at, &value, sizeof value)); }
    [[nodiscard]] u64 get(u64 at) {
        u64 value = 0;
        static_cast<void>(read(at, &value, sizeof value));
        return value;
    }
};

/// Refused with a part of a sentence, and nothing changed.
template <class Engine>
void check_refused(Engine& engine, words const& stream, char const* part) {
    plain_memory bus;
    auto const before = bus.memory;
    execution const done = engine.execute(stream.data(), stream.size(), bus);
    CAPTURE(part);
    CAPTURE(done.why);
    CHECK_FALSE(done.ok);
    CHECK(has(done.why, part));
    CHECK(bus.memory == before);
}

/// The last dword of a command of the mock: the exclusive or of the first `count`, of all when 0.
[[nodiscard]] words sealed(words command, std::size_t count = 0) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i != (count == 0 ? command.size() : count); ++i) {
        sum ^= command[i];
    }
    command.push_back(sum);
    while (command.size() % 3 != 0) {
        command.push_back(0xFADE'0000 | static_cast<std::uint32_t>(3 - command.size() % 3));
    }
    return command;
}

}  // namespace

TEST_CASE("OP12-02: a cached translation stays until its page, its space or everything is flushed") {
    unsigned walks = 0;
    u64 target = 0x5000;
    auto const walk = [&](u64 root, u64 va) {
        ++walks;
        translation t;
        t.bus = target + root;
        t.bytes = va == 0x9000 ? 0 : 4096;
        return t;
    };
    translation_cache cache(walk, true);
    CHECK(cache.translate(1, 0x3010).bus == 0x5011);
    target = 0x8000;
    CHECK(cache.translate(1, 0x3FFF).bus == 0x6000);
    CHECK(cache.translate(2, 0x3010).bus == 0x8012);
    cache.flush(2);
    cache.flush(1, 0x4000, 0x4FFF);
    CHECK(cache.translate(1, 0x3010).bus == 0x5011);
    cache.flush(1, 0x3FFF, 0x3FFF);
    CHECK(cache.translate(1, 0x3010).bus == 0x8011);
    CHECK_FALSE(cache.translate(1, 0x9000).ok());
    unsigned const before = walks;
    CHECK_FALSE(cache.translate(1, 0x9000).ok());
    CHECK(walks == before);
    translation_cache forgetful(walk, false);
    CHECK_FALSE(forgetful.translate(1, 0x9000).ok());
    CHECK_FALSE(forgetful.translate(1, 0x9000).ok());
    CHECK(walks == before + 2);
}

TEST_CASE("SDMA5 waits for a register, and empties caches") {
    std::uint32_t value = 0;
    amd_sdma_engine engine([](std::uint32_t, std::uint32_t) { return true; },
                           [&](std::uint32_t index) { return index == 0x28A6 ? std::optional(value) : std::nullopt; });
    words const poll{0x30000008, 0x28A6 * 4, 0, 0xFE, 0xFE, 0x0FFF000A, 0, 0};
    check_refused(engine, poll, "would wait for ever");
    value = 0xFFFF;
    plain_memory bus;
    CHECK(engine.execute(poll.data(), poll.size(), bus).ok);
    words other = poll;
    other[1] += 4;
    check_refused(engine, other, "which this engine does not have");
    words const request{0x11, 0, 0xC3A10000, 0, 0, 0, 0, 0};
    CHECK(engine.execute(request.data(), request.size(), bus).ok);
    CHECK(engine.cache_requests() == 1);
}

TEST_CASE("AMD GPUVM: the vector of a 4-KiB page, a 2-MiB page, and runs that are not true") {
    plain_memory bus;
    gpuvm const tables(bus, 0, 0x4000'0000, 0);
    // Directories at 0, 0x1000, 0x2000 in the device's memory; a page table at 0x3000.
    bus.put(0, 0x1001);
    bus.put(0x1000, 0x2001);
    bus.put(0x2000, 0x3001);
    bus.put(0x3000 + 5 * 8, 0x0000'0001'2345'6077);
    translation const page = tables.walk(0x5123);
    CHECK(page.bus == 0x4000'0000 + 0x1'2345'6123);
    CHECK(page.bytes == 0x1000 - 0x123);
    CHECK(page.writable);
    CHECK(page.coherent);
    CHECK(has(tables.walk(0x6000).why, "is not valid"));
    bus.put(0x2008, u64{1} << 54 | 0x20'0021);
    CHECK(tables.walk(0x20'1000).bus == 0x20'1000);
    CHECK_FALSE(tables.walk(0x20'1000).writable);
    bus.put(0x2008, u64{1} << 54 | 0x10'0021);
    CHECK(has(tables.walk(0x20'1000).why, "not aligned"));
    bus.put(0x3000, 0x1'0061 | 1 << 7);
    bus.put(0x3008, 0x1'1061 | 1 << 7);
    CHECK(tables.walk(0x1000).bus == 0x1'1000);
    bus.put(0x3008, 0x1'2061 | 1 << 7);
    CHECK(has(tables.walk(0).why, "a run of 2 pages"));
    bus.put(0, 0x1009);
    CHECK(has(tables.walk(0).why, "stray bits 0x8"));
}

TEST_CASE("cpu engine: entries, runs, stores and drops; the walk through them") {
    cpu_engine engine;
    std::vector<cpu_drop> dropped;
    engine.late().on_drop = [&](cpu_drop const& d) { dropped.push_back(d); };
    plain_memory bus;
    words const stream{6 << 8 | 6, 2,          0x1000,     0, 0x2001, 0,  // one entry; the head says 4 + 2 dwords
                       8 << 8 | 7, 3,          0x2008,     0, 0x5021, 0, 0x1000, 0, 6 << 8 | 9, 1, 0x7000, 0,
                       0x11111111, 0x22222222, 8 << 8 | 8, 2, 0x1000, 0, 0x3000, 0, 0x4FFF,     0};
    execution const done = engine.execute(stream.data(), stream.size(), bus);
    CHECK_MESSAGE(done.ok, done.why);
    CHECK(done.interrupts == 1);
    CHECK(bus.get(0x1000) == 0x2001);
    CHECK(bus.get(0x2008) == 0x5021);
    CHECK(bus.get(0x2018) == 0x7021);
    CHECK(bus.get(0x7000) == 0x2222222211111111);
    REQUIRE(dropped.size() == 1);
    CHECK(dropped[0].last == 0x4FFF);
    check_refused(engine, {5 << 8 | 6, 1, 0x1000, 0, 0, 0}, "entries of 1 dwords");
    check_refused(engine, {8 << 8 | 8, 2, 0, 0, 0x3001, 0, 0x4FFF, 0}, "not whole pages");

    // The leaf table is the one at 0x2000; two directories above it.
    bus.put(0xA000, 0xB001);
    bus.put(0xB000, 0x1001);
    CHECK(cpu_page_walker(bus, 0xA000).walk(0x2010).bus == 0x6010);
    bus.put(0x2018, 0x7061);
    CHECK(has(cpu_page_walker(bus, 0xA000).walk(0x3000).why, "stray bits: 0x40"));
}

TEST_CASE("mock engine: entries, copies, flushes and evictions; the walk through them") {
    mock_map const map{{{2, 0}}, 0x4000'0000, 0};
    mock_engine engine(map);
    std::vector<mock_flush> flushed;
    engine.late().on_flush = [&](mock_flush const& f) { flushed.push_back(f); };
    plain_memory bus;
    auto const run = [&](words const& stream) {
        execution const done = engine.execute(stream.data(), stream.size(), bus);
        CHECK_MESSAGE(done.ok, done.why);
    };
    words const entry =
        sealed({0xB708'000B, 0, 0x1000, 2 << 8 | 0x11, 4, 0x0000'0005, 0xC000'0000, 2, 0x8000'0000, 0xE17D'0004}, 5);
    run(entry);
    CHECK(bus.get(0x1000) == 0xC000'0000'0000'0005);
    CHECK(bus.get(0x1008) == 0x8000'0000'0000'0002);
    run(sealed({0xB709'0009, 0, 0x1010, 2 << 8 | 0x11, 0, 0x1000, 2 << 8 | 0x11, 16}));
    CHECK(bus.get(0x1010) == 0xC000'0000'0000'0005);
    run(sealed({0xB70A'0109, 0, 0x1000, 2, 0, 0x8000, 0, 0xFFFF}));
    run(sealed({0xB70A'0005, 0, 0x1000, 2}));
    REQUIRE(flushed.size() == 2);
    CHECK(flushed[0].last == 0xFFFF);
    CHECK(flushed[1].all);
    run(sealed({0xB713'000B, 0, 0, 0, 0x2000, 4096, 0, 0, 0, 7}));
    CHECK(bus.get(0x2FF8) == 0x3535'3535'3535'3535);
    words wrong = entry;
    wrong[9] = 0xE17D'0005;
    check_refused(engine, wrong, "goes on behind them");
    wrong = entry;
    wrong[10] ^= 1;
    check_refused(engine, wrong, "ends with");
    check_refused(engine, sealed({0xB70A'0109, 0, 0x1000, 2, 0, 0x1000, 0, 0xFFFF}), "no whole granules");
    check_refused(engine, sealed({0xB713'000B, 0, 0, 0, 0x2000, 4096, 0, 4096, 0, 7}), "4096 of the allocation");

    // Five levels, the root at 0x8000; the leaf table at 0x1000.
    for (unsigned level = 4; level != 0; --level) {
        u64 const at = 0x8000 + (4 - level) * 0x1000;
        u64 const next = level == 1 ? 1 : at / 4096 + 1;
        bus.put(at, next | u64{level} << 56 | u64{0xD} << 60);
        bus.put(at + 8, u64{1} << 63 | 2);
    }
    mock_page_walker const tables(bus, map, 0x8000);
    CHECK(tables.walk(0x3456).bus == 0x5000 + 0x3456);
    CHECK(tables.walk(0x3456).bytes == 0x4000 - 0x3456);
    CHECK(has(tables.walk(0x8000).why, "not 0x5A all over"));
    bus.put(0x1000, 0xC100'0000'0000'0005);
    CHECK(has(tables.walk(0).why, "a table of another level"));
}

TEST_CASE("Xe blitter: dwords, quadwords behind a flush, interrupts and copies of bytes") {
    plain_memory bus;
    unsigned forgotten = 0;
    xe_blitter engine(5);
    engine.on_forget([&] { ++forgotten; });
    bus.put(0x3000, 0x1122334455667788);
    words const stream{0x10000003, 0x1004,     0,          0xAAAA5555, 0x12345678, 0x13004003, 0x2000, 0,      1,
                       2,          0x01000000, 0x56800008, 7,          0,          0,          0,      0x3000, 0,
                       0x4000,     0,          0x50000028, 0x13044002, 0x5000,     0,          9};
    words padded = stream;
    padded.resize((stream.size() + 1) / 2 * 2);
    execution const done = engine.execute(padded.data(), padded.size(), bus);
    CHECK_MESSAGE(done.ok, done.why);
    CHECK(bus.get(0x1000) == 0xAAAA5555'00000000);
    CHECK(bus.get(0x1008) == 0x12345678);
    CHECK(bus.get(0x2000) == 0x00000002'00000001);
    CHECK(bus.get(0x4000) == 0x1122334455667788);
    CHECK(bus.get(0x5000) == 9);
    CHECK(done.interrupts == 1);
    CHECK(forgotten == 1);
    check_refused(engine, {0x56800008, 7, 0, 0, 0, 0x3000, 0, 0x3004, 0, 0x50000028}, "over themselves");
    check_refused(engine, {0x56800008, 7, 0, 0, 0, 0x3000, 0, 0x4000, 0, 0x50000020}, "has policies");
}

TEST_CASE("NVIDIA copy engine: semaphores, invalidations, and data that a method ignores") {
    plain_memory bus;
    nvidia_copy_engine engine({0, 0, {}});
    std::vector<nvidia_invalidation> dropped;
    engine.host().on_invalidate = [&](nvidia_invalidation const& i) { dropped.push_back(i); };
    words const wait{0x20050017, 0x7000, 0, 0, 0, 0x01100001};
    words const drop{0x2004000A, 0, 0, 0x5000'0000, 0x48000001};
    words stream = wait;
    stream.insert(stream.end(), drop.begin(), drop.end());
    words const more{0x60028040, 0xFFFFFFFF, 0xFFFFFFFF, 0x20048090, 0, 0x6000, 5, 6, 0x200180C0, 0x0800004C};
    stream.insert(stream.end(), more.begin(), more.end());
    execution const done = engine.execute(stream.data(), stream.size(), bus);
    CHECK_MESSAGE(done.ok, done.why);
    CHECK(bus.get(0x6000) == 0x00000006'00000005);
    CHECK(done.interrupts == 1);
    REQUIRE(dropped.size() == 1);
    CHECK_FALSE(dropped[0].all);
    CHECK(dropped[0].root == 0x1'5000'0000);
    check_refused(engine, drop, "without having waited");
    check_refused(engine, {0x20050017, 0x7000, 0, 0, 0, 0x01000001}, "no release that waits");
    // SEM_ADDR_HI has eight bits.
    check_refused(engine, {0x20050017, 0x7000, 0x100, 0, 0, 0x00100001}, "an address with reserved bits");
    check_refused(engine, {0x200180C0, 0x0800004C}, "which this window has not set");
}

}  // namespace wddm2_decoders_test
