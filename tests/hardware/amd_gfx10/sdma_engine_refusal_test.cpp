// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "sdma_test_bus.hpp"

#include <doctest/doctest.h>

namespace sdma_engine_refusal_test {

namespace {

using namespace sdma_test;
using packet = std::vector<std::uint32_t>;

packet const good_copy{0x00000001, 0xff, 0, 0x10000, 0, 0x00020000, 0x1234};
packet const good_write{0x00000002, 0x10000, 0, 1, 0xaaaaaaaa, 0xbbbbbbbb};
packet const good_fill{0x8000000b, 0x10000, 0, 0xaaaaaaaa, 0xff};
packet const good_entries{0x0000000c, 0x10000, 0, 0x77, 0, 0x5000, 0, 0x1000, 0, 3};
packet const good_fence{0x00030005, 0x10000, 0, 0xaaaaaaaa};
packet const good_trap{0x00000006, 0x1};
packet const good_poll{0xb0000008, 0x10000, 0, 0, 0, 0x0fff000a};

/// The packet with one dword replaced.
packet with(packet words, std::size_t dword, std::uint32_t value) {
    words.at(dword) = value;
    return words;
}

/// Each bit of `bits` in turn, set in one dword of a good packet, must be refused with `part` in the sentence.
void expect_refused_bits(packet const& good, std::size_t dword, std::uint32_t bits, char const* part) {
    for (unsigned bit = 0; bit < 32; ++bit) {
        if (((bits >> bit) & 1) != 0) {
            CAPTURE(bit);
            refusal const r = refuse_of(with(good, dword, good.at(dword) ^ (1u << bit)));
            CHECK(r.refused_at_packet);
            CHECK(r.memory_unchanged);
            CHECK_MESSAGE(contains(r.why, part), r.why);
        }
    }
}

void expect_refused(packet const& words, char const* part) {
    refusal const r = refuse_of(words);
    CHECK(r.refused_at_packet);
    CHECK(r.memory_unchanged);
    CHECK_MESSAGE(contains(r.why, part), r.why);
}

}  // namespace

TEST_CASE("SDMA5 refusals start from packets that are right") {
    for (packet const& words : {good_copy, good_write, good_fill, good_entries, good_fence, good_trap, good_poll}) {
        CAPTURE(words[0]);
        two_ranges bus;
        execution const done = run(bus, window(words));
        CHECK_MESSAGE(done.ok, done.why);
        CHECK(done.commands == 1);
    }
}

TEST_CASE("SDMA5 window: refused before its first packet when it is not whole groups of 8 dwords") {
    for (std::size_t const dwords : {1u, 4u, 7u, 9u, 12u, 15u}) {
        two_ranges bus;
        auto const before = bus.memory;
        packet words = good_fill;
        words.resize(std::max<std::size_t>(dwords, 5), 0);
        amd_sdma_engine engine;
        execution const done = engine.execute(words.data(), dwords, bus);
        CHECK_FALSE(done.ok);
        CHECK(done.dword == dwords);
        CHECK(done.commands == 0);
        CHECK(contains(done.why, "multiple of 8 dwords"));
        CHECK(bus.memory == before);
    }
}

TEST_CASE("SDMA5 window: a packet that goes on past the end is refused") {
    for (packet const& words : {good_copy, good_write, good_fill, good_entries, good_fence, good_trap, good_poll}) {
        for (std::size_t kept = 1; kept < words.size(); ++kept) {
            CAPTURE(words[0]);
            CAPTURE(kept);
            two_ranges bus;
            auto const before = bus.memory;
            // Nothing readable follows the cut, so that reading on would be seen by a sanitizer.
            packet cut((16 - kept), 0);
            cut.insert(cut.end(), words.begin(), words.begin() + static_cast<std::ptrdiff_t>(kept));
            execution const done = run(bus, cut);
            CHECK_FALSE(done.ok);
            CHECK(done.dword == 16 - kept);
            CHECK(done.commands == 0);
            CHECK(contains(done.why, "but the window ends"));
            CHECK(bus.memory == before);
        }
    }
    expect_refused({0x00070000}, "NOP has 8 dwords, but the window ends after 7 of them");
    expect_refused({0x3fff0000}, "NOP has 16384 dwords");
    expect_refused(with(good_write, 3, 0xfffff), "WRITE LINEAR has 1048580 dwords");
}

TEST_CASE("SDMA5 packets that this engine does not execute are named") {
    expect_refused({0x00000003}, "opcode 3 ");
    expect_refused({0x00000004, 0x20, 0, 8, 0, 0}, "INDIRECT (opcode 4)");
    expect_refused({0x00000007}, "SEM (opcode 7)");
    expect_refused({0x00000009}, "COND_EXE (opcode 9)");
    expect_refused({0x0000000a}, "ATOMIC (opcode 10)");
    expect_refused({0x0000000d}, "TIMESTAMP (opcode 13)");
    expect_refused({0x0000000f}, "PRE_EXE (opcode 15)");
    expect_refused({0x00000010}, "opcode 16 ");
    for (std::uint32_t opcode = 18; opcode < 256; ++opcode) {
        expect_refused({opcode}, ("opcode " + std::to_string(opcode) + " ").c_str());
    }
}

TEST_CASE("SDMA5 GCR_REQ: length, reserved bits, ranges, a request of nothing") {
    packet const good_request{0x00000011, 0, 0xc3a10000, 0, 0};
    two_ranges bus;
    CHECK(run(bus, window(good_request)).ok);
    expect_refused_bits(good_request, 0, 0xffff0000, "GCR_REQ sets reserved bits");
    expect_refused(with(good_request, 1, 0x1000), "GCR_REQ is not about all of memory");
    expect_refused(with(good_request, 2, 0), "GCR_REQ is not about all of memory, or asks for nothing");
}

TEST_CASE("SDMA5 sub-opcodes other than 0 are refused for every opcode") {
    expect_refused_bits(good_copy, 0, 0xff00, "COPY (opcode 1) with sub-opcode");
    expect_refused_bits(good_write, 0, 0xff00, "WRITE (opcode 2) with sub-opcode");
    expect_refused_bits(good_fence, 0, 0xff00, "FENCE (opcode 5) with sub-opcode");
    expect_refused_bits(good_trap, 0, 0xff00, "TRAP (opcode 6) with sub-opcode");
    expect_refused_bits(good_poll, 0, 0xff00, "POLL_REGMEM (opcode 8) with sub-opcode");
    expect_refused_bits(good_fill, 0, 0xff00, "CONST_FILL (opcode 11) with sub-opcode");
    expect_refused_bits(good_entries, 0, 0xff00, "PTEPDE (opcode 12) with sub-opcode");
    expect_refused_bits({0x00000000}, 0, 0xff00, "NOP (opcode 0) with sub-opcode");
    expect_refused_bits({0xf000000e, 0, 0}, 0, 0xff00, "SRBM_WRITE (opcode 14) with sub-opcode");
}

TEST_CASE("SDMA5 NOP: reserved bits") { expect_refused_bits({0x00000000}, 0, 0xc0000000, "reserved bits"); }

TEST_CASE("SDMA5 COPY LINEAR: encryption, protected memory, broadcast and reserved header bits") {
    expect_refused_bits(good_copy, 0, 0x08050000, "encryption, protected memory or broadcast");
    expect_refused_bits(good_copy, 0, 0xf7fa0000, "reserved bits");
}

TEST_CASE("OP08-06: COPY LINEAR longer than 0x400000 bytes") {
    expect_refused_bits(good_copy, 1, 0xffc00000, "at most 0x400000 bytes");
}

TEST_CASE("SDMA5 COPY LINEAR: swap and reserved bits of its third dword") {
    expect_refused_bits(good_copy, 2, 0x03030000, "swap");
    expect_refused_bits(good_copy, 2, 0xfcfcffff, "reserved bits");
}

TEST_CASE("OP08-07: COPY LINEAR onto itself, by one byte at either end, or whole") {
    expect_refused({0x00000001, 0xff, 0, 0x10000, 0, 0x100ff, 0}, "overlaps itself");
    expect_refused({0x00000001, 0xff, 0, 0x100ff, 0, 0x10000, 0}, "overlaps itself");
    expect_refused({0x00000001, 0xff, 0, 0x10000, 0, 0x10000, 0}, "overlaps itself");
}

TEST_CASE("OP08-07: COPY LINEAR between two addresses of the same memory") {
    small_bus bus(
        0x3000, {{0x10000, 0, 0x1000}, {0x11000, 0x1000, 0x1000}, {0x20000, 0x2000, 0x1000}, {0x21000, 0x800, 0x800}});
    auto const before = bus.memory;
    // Page 0x21000 lies over the second half of page 0x10000, which is not moved at the same moment.
    execution const done = run(bus, window({0x00000001, 0x17ff, 0, 0x10000, 0, 0x20000, 0}));
    CHECK_FALSE(done.ok);
    CHECK(contains(done.why, "the same memory through both addresses"));
    CHECK(bus.memory == before);
    CHECK(run(bus, window({0x00000001, 0x7ff, 0, 0x10000, 0, 0x21000, 0})).ok);
    CHECK(run(bus, window({0x00000001, 0x7ff, 0, 0x11000, 0, 0x21000, 0})).ok);
}

TEST_CASE("GVA-36: COPY LINEAR with a byte missing on either side changes nothing") {
    expect_refused({0x00000001, 0xff, 0, 0xffff, 0, 0x00020000, 0x1234}, "reads 256 bytes at 0xffff,");
    expect_refused({0x00000001, 0xff, 0, 0x1ff01, 0, 0x00020000, 0x1234}, "reads 256 bytes at 0x1ff01,");
    expect_refused({0x00000001, 0xff, 0, 0x10000, 0, 0x0002ff01, 0x1234}, "writes 256 bytes at 0x12340002ff01,");
    expect_refused({0x00000001, 0xff, 0, 0x10000, 0, 0x00020000, 0}, "writes 256 bytes at 0x20000,");
    expect_refused({0x00000001, 0xff, 0, 0xffffff80, 0xffffffff, 0x10000, 0}, "reads 256 bytes at 0xffffffffffffff80,");
}

TEST_CASE("GVA-36: a range that wraps is refused although both of its ends are backed") {
    small_bus bus(0x3000, {{0xfffffffffffff000, 0, 0x1000}, {0, 0x1000, 0x1000}, {0x8000, 0x2000, 0x1000}});
    auto const before = bus.memory;
    CHECK_FALSE(run(bus, window({0x00000001, 0xff, 0, 0xffffff80, 0xffffffff, 0x8000, 0})).ok);
    CHECK_FALSE(run(bus, window({0x00000001, 0xff, 0, 0x8000, 0, 0xffffff80, 0xffffffff})).ok);
    CHECK_FALSE(run(bus, window({0x8000000b, 0xffffff80, 0xffffffff, 0, 0xff})).ok);
    CHECK_FALSE(run(bus, window({0x00000002, 0xfffffffc, 0xffffffff, 1, 1, 2})).ok);
    CHECK_FALSE(run(bus, window({0x0000000c, 0xfffffff8, 0xffffffff, 0, 0, 0, 0, 0, 0, 1})).ok);
    CHECK(bus.memory == before);
    // Up to the last byte is no wrap.
    CHECK(run(bus, window({0x8000000b, 0xffffff80, 0xffffffff, 0, 0x7f})).ok);
}

TEST_CASE("SDMA5 WRITE LINEAR: reserved bits, swap, alignment") {
    expect_refused_bits(good_write, 0, 0xffff0000, "reserved bits");
    expect_refused_bits(good_write, 1, 0x3, "aligned to 4 bytes");
    expect_refused_bits(good_write, 3, 0x03000000, "swap");
    expect_refused_bits(good_write, 3, 0xfcf00000, "reserved bits");
}

TEST_CASE("GVA-36: WRITE LINEAR that is backed in part changes nothing") {
    expect_refused(with(good_write, 1, 0x1fffc), "writes 8 bytes at 0x1fffc,");
    expect_refused(with(good_write, 2, 0x5), "writes 8 bytes at 0x500010000,");
}

TEST_CASE("SDMA5 CONST_FILL: swap, reserved bits, fill sizes 1 and 3, alignment") {
    expect_refused_bits(good_fill, 0, 0x00030000, "swap");
    expect_refused_bits(good_fill, 0, 0x3ffc0000, "reserved bits");
    expect_refused(with(good_fill, 0, 0x4000000b), "not 1");
    expect_refused(with(good_fill, 0, 0xc000000b), "not 3");
    expect_refused_bits(good_fill, 1, 0x3, "aligned to 4 bytes");
}

TEST_CASE("OP08-06: CONST_FILL longer than 0x400000 bytes") {
    expect_refused_bits(good_fill, 4, 0xffc00000, "at most 0x400000 bytes");
    expect_refused_bits(with(good_fill, 0, 0x0000000b), 4, 0xffc00000, "at most 0x400000 bytes");
}

TEST_CASE("GVA-36: CONST_FILL that is backed in part changes nothing") {
    expect_refused(with(good_fill, 1, 0x1ff04), "writes 256 bytes at 0x1ff04,");
    expect_refused({0x0000000b, 0x1ff01, 0, 0, 0xff}, "writes 256 bytes at 0x1ff01,");
}

TEST_CASE("SDMA5 PTEPDE GEN: reserved bits, alignment, flags and addresses out of their place") {
    expect_refused_bits(good_entries, 0, 0xffff0000, "reserved bits");
    expect_refused_bits(good_entries, 1, 0x7, "aligned to 8 bytes");
    expect_refused_bits(good_entries, 3, 0xfffff000, "inside the address bits");
    expect_refused_bits(good_entries, 4, 0x0000ffff, "inside the address bits");
    expect_refused_bits(good_entries, 5, 0x00000fff, "leaves the address bits");
    expect_refused_bits(good_entries, 6, 0xffff0000, "leaves the address bits");
    expect_refused_bits(good_entries, 7, 0x00000fff, "leaves the address bits");
    expect_refused_bits(good_entries, 8, 0xffffffff, "reserved bits");
    expect_refused_bits(good_entries, 9, 0xfff80000, "reserved bits");
    expect_refused({0x0000000c, 0x10000, 0, 0, 0, 0xfffff000, 0xffff, 0x1000, 0, 1}, "leaves the address bits");
    // Only the entry in the middle is off its page.
    expect_refused({0x0000000c, 0x10000, 0, 0, 0, 0x5000, 0, 0x1800, 0, 2}, "leaves the address bits");
}

TEST_CASE("GVA-36: PTEPDE GEN that is backed in part changes nothing") {
    expect_refused(with(good_entries, 1, 0x1fff0), "writes 32 bytes at 0x1fff0,");
    expect_refused(with(good_entries, 9, 0x7ffff), "writes 4194304 bytes at 0x10000,");
}

TEST_CASE("SDMA5 FENCE: reserved bits, memory type, alignment, address") {
    expect_refused_bits(good_fence, 0, 0xfff80000, "reserved bits");
    expect_refused_bits(good_fence, 0, 0x00070000, "memory type");
    expect_refused(with(good_fence, 0, 0x00000005), "memory type 0, not 3");
    expect_refused_bits(good_fence, 1, 0x3, "aligned to 4 bytes");
    expect_refused(with(good_fence, 1, 0x20000), "writes 4 bytes at 0x20000,");
}

TEST_CASE("SDMA5 TRAP: reserved bits") {
    expect_refused_bits(good_trap, 0, 0xffff0000, "reserved bits");
    expect_refused_bits(good_trap, 1, 0xf0000000, "reserved bits");
}

TEST_CASE("SDMA5 POLL_REGMEM: reserved bits, registers, flush, other functions, alignment, address") {
    expect_refused_bits(good_poll, 0, 0x0bff0000, "reserved bits");
    expect_refused_bits(good_poll, 0, 0x80000000, "polls a register");
    expect_refused_bits(good_poll, 0, 0x04000000, "flush");
    for (std::uint32_t const function : {0u, 1u, 2u, 4u, 5u, 6u, 7u}) {
        expect_refused(with(good_poll, 0, 0x80000008 | function << 28),
                       ("function " + std::to_string(function) + ", not 3").c_str());
    }
    expect_refused_bits(good_poll, 1, 0x3, "aligned to 4 bytes");
    expect_refused_bits(good_poll, 3, 0xffffffff, "outside its mask");
    expect_refused_bits(good_poll, 5, 0xf0000000, "reserved bits");
    expect_refused(with(good_poll, 1, 0x20000), "reads 4 bytes at 0x20000,");
}

TEST_CASE("SDMA5 POLL_REGMEM: a condition that does not hold never will") {
    expect_refused({0xb0000008, 0x10000, 0, 0x1, 0x00ffffff, 0x0fff000a}, "would wait for ever");
    expect_refused({0xb0000008, 0x10000, 0, 0x1, 0x00ffffff, 0x0005000a}, "would give up after 5 retries");
}

TEST_CASE("SDMA5 SRBM_WRITE: reserved bits, byte enables, and an engine without registers") {
    expect_refused_bits({0xf000000e, 0x1234, 0}, 0, 0x0fff0000, "reserved bits");
    expect_refused_bits({0xf000000e, 0x1234, 0}, 0, 0xf0000000, "not all four");
    expect_refused({0xf000000e, 0x1234, 0}, "register 0x1234, which this engine does not have");
}

}  // namespace sdma_engine_refusal_test
