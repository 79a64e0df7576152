// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The tables of examples/packets/ against the decoders of tests/hardware/, which were written apart from them: every
// call of every operation of each GPU, as the report records them, is executed by a decoder and by what the table found,
// each on memory of its own.

#include "packet_effects.hpp"

#include <doctest/doctest.h>
#include <hardware/amd_gfx10/sdma_engine.hpp>
#include <hardware/intel_xe/blitter.hpp>
#include <hardware/nvidia_ampere/copy_engine.hpp>
#include <packets/amd_sdma.hpp>
#include <packets/cpu_records.hpp>
#include <packets/intel_blitter.hpp>
#include <packets/nvidia_copy.hpp>
#include <report/run.hpp>
#include <wddmcore/testing/processor/engine.hpp>

#include <set>

namespace {

using namespace wddmcore;
using namespace wddmcore::tests;
using examples::packets::decode;
using examples::report::call;

constexpr std::uint32_t intel_policy = 5;

/// Executes a stream on a decoder of the hardware. `told` gets what went past memory.
testing::execution execute(std::string const& hardware, std::vector<u32> const& dwords,
                           std::vector<found_packet> const& packets, junk_memory& memory,
                           std::vector<std::uint64_t>& told) {
    if (hardware == "amd_gfx10") {
        // A poll of a register gets what it waits for, from the register that the table names.
        std::map<u32, u32> registers;
        for (found_packet const& p : packets) {
            if (p.what->name == std::string_view("POLL_REGMEM") && p["mem_poll"] == 0) {
                registers[static_cast<u32>(p["addr"] / 4)] = static_cast<u32>(p["reference"]);
            }
        }
        testing::amd_sdma_engine engine(
            [&](u32 index, u32 value) {
                told.insert(told.end(), {index, value});
                return true;
            },
            [&](u32 index) {
                auto const found = registers.find(index);
                return found == registers.end() ? std::nullopt : std::optional(found->second);
            });
        return engine.execute(dwords.data(), dwords.size(), memory);
    }
    if (hardware == "nvidia_ampere") {
        testing::nvidia_copy_engine engine({.video = video_base, .system = tests::system_base, .walk = {}});
        engine.host().on_invalidate = [&](testing::nvidia_invalidation const& i) {
            told.insert(told.end(), {i.all, i.aperture, i.root});
        };
        return engine.execute(dwords.data(), dwords.size(), memory);
    }
    if (hardware == "intel_xe") {
        testing::xe_blitter engine(intel_policy);
        return engine.execute(dwords.data(), dwords.size(), memory);
    }
    std::vector<std::byte> table(4096 * 16);
    testing::cpu_engine engine({{1, table}});
    engine.late().on_drop = [&](testing::cpu_drop const& d) {
        told.insert(told.end(), {d.segment, d.offset, d.first, d.last});
    };
    testing::execution const done = engine.execute(dwords.data(), dwords.size(), memory);
    for (testing::cpu_notice const& n : engine.late().notices) {
        told.insert(told.end(), n.values.begin(), n.values.end());
    }
    for (found_packet const& p : packets) {
        if (p.what->name == std::string_view("aperture entry")) {
            told.insert(told.end(), {1, p["index"], engine.page_of(1, p["index"]).value_or(0),
                                     engine.coherent_of(1, p["index"]).value_or(false)});
        }
    }
    return done;
}

/// One call: decoded whole, and with the same effect as on the decoder.
void check(std::string const& hardware, examples::packets::instruction_set const& set, call const& c) {
    std::vector<found_packet> const packets = decode(set, c.dwords);
    u64 commands = 0;
    u64 dwords = 0;
    junk_memory by_decoder;
    junk_memory by_table;
    packet_effects effects(by_table);
    for (found_packet const& p : packets) {
        REQUIRE(p.what != nullptr);
        CHECK_MESSAGE(p.unexplained == 0, std::string(p.what->name));
        commands += p.commands;
        dwords += p.dwords;
        if (p.what->name == std::string_view("POLL_REGMEM") && p["mem_poll"] != 0) {
            u32 const reference = static_cast<u32>(p["reference"]);
            REQUIRE(by_decoder.write(p["addr"], &reference, sizeof reference));
            REQUIRE(by_table.write(p["addr"], &reference, sizeof reference));
        }
    }
    CHECK(dwords == c.dwords.size());
    std::vector<std::uint64_t> told;
    testing::execution const done = execute(hardware, c.dwords, packets, by_decoder, told);
    CHECK_MESSAGE(done.ok, done.why);
    CHECK(done.commands == commands);
    for (found_packet const& p : packets) {
        effects.apply(p);
    }
    std::uint64_t where = 0;
    CHECK_MESSAGE(by_decoder.equals(by_table, where), "memory differs at ", where);
    CHECK(told == effects.told);
}

}  // namespace

TEST_CASE("every call of every operation: the tables find what the decoders execute") {
    for (examples::report::shown_hardware const& hardware : examples::report::all_hardware()) {
        std::set<std::string> names;
        std::set<paging_operation> operations;
        for (examples::report::adapter_run const& run : examples::report::play(hardware)) {
            INFO(run.rig, ", ", run.words);
            CHECK(run.wrong == "");
            for (call const& c : run.calls) {
                CAPTURE(name(c.operation));
                operations.insert(c.operation);
                if (!c.dwords.empty()) {
                    check(hardware.name, *hardware.set, c);
                }
                for (found_packet const& p : decode(*hardware.set, c.dwords)) {
                    names.insert(p.what->name);
                }
            }
        }
        CAPTURE(hardware.name);
        // All 23 but operation 7 where no allocation has an alternate address, and 19 and 20 where no other MMU is.
        bool const nvidia = hardware.name == std::string("nvidia_ampere");
        bool const cpu = hardware.name == std::string("cpu");
        CHECK(operations.size() == (nvidia ? 20u : cpu ? 23u : 22u));
        CHECK(names.size() >= 2);
    }
}

TEST_CASE("packets at the limits of their fields") {
    using namespace examples::packets;
    auto const check_words = [](char const* hardware, instruction_set const& set, std::vector<u32> words) {
        call c;
        c.dwords = std::move(words);
        check(hardware, set, c);
    };
    check_words("amd_gfx10", amd_sdma, {1, 0x3F'FFFF, 0, 0x1234'5678, 0xABCD, 0x8765'4321, 0x5678, 0});
    check_words("amd_gfx10", amd_sdma, {0x8000'000B, 0x1234'5678, 0xABCD, 0x8765'4321, 0x3F'FFFF, 0, 0, 0});
    check_words("intel_xe", intel_blitter,
                {0x5080'0008, 0x0350'0040, 0, 32767u << 16 | 16, 0x8000'0000, 0x12, 0, 0x0050'0040, 0x4000'0000, 0x34});
}

TEST_CASE("words that the vendors' numbers give are taken apart") {
    using namespace examples::packets;
    auto const value = [](std::span<field const> fields, std::string_view name, u64 entry) {
        u32 const halves[] = {static_cast<u32>(entry), static_cast<u32>(entry >> 32)};
        for (field const& f : fields) {
            if (f.name == name) {
                return value_of(f, halves);
            }
        }
        return ~u64{0};
    };
    u64 const amd = 0x0000'0001'2345'6077;
    CHECK(value(sdma::page, "ADDRESS", amd) == 0x12'3456);
    CHECK(value(sdma::page, "SYSTEM", amd) == 1);
    CHECK(value(sdma::page, "SNOOPED", amd) == 1);
    CHECK(value(sdma::page, "WRITEABLE", amd) == 1);
    CHECK(value(sdma::page, "FRAGMENT", amd) == 0);
    u64 const nvidia = 0x0000'0000'0123'450D;
    CHECK(value(copy_engine::page, "ADDRESS", nvidia) == 0x1'2345);
    CHECK(value(copy_engine::page, "APERTURE", nvidia) == 2);
    CHECK(value(copy_engine::page, "VOL", nvidia) == 1);
    CHECK(value(copy_engine::page, "READ_ONLY", nvidia) == 0);
    u64 const intel = 0x0000'0001'2345'6803;
    CHECK(value(blitter::page, "ADDRESS", intel) == 0x12'3456);
    CHECK(value(blitter::page, "DM", intel) == 1);
    CHECK(value(blitter::page, "RW", intel) == 1);

    u32 const four[] = {0x2004'8100, 1, 2, 3, 4};
    auto const found = decode(nvidia_copy, four);
    REQUIRE(found.size() == 1);
    REQUIRE(found[0].methods.size() == 4);
    CHECK(found[0].methods[0]->name == std::string_view("OFFSET_IN_UPPER"));
    CHECK(found[0].methods[3]->name == std::string_view("OFFSET_OUT_LOWER"));
    CHECK(found[0]["subchannel"] == 4);
    u32 const launch[] = {0x2001'80C0, 0x3186};
    auto const launched = decode(nvidia_copy, launch);
    REQUIRE(launched.size() == 1);
    CHECK(launched[0].commands == 1);
    CHECK(launched[0]["SRC_TYPE"] == 1);
    CHECK(launched[0]["DATA_TRANSFER_TYPE"] == 2);
    u32 const flush[] = {0x1300'4002, 8, 0, 7};
    auto const flushed = decode(intel_blitter, flush);
    REQUIRE(flushed.size() == 1);
    CHECK(flushed[0]["OP_STOREDW"] == 1);
    CHECK(flushed[0]["data"] == 7);
}

TEST_CASE("a stream that is cut short, or no stream at all, ends in a packet without a layout") {
    using namespace examples::packets;
    u32 const cut[] = {0x0000'0001, 0, 0};
    auto const found = decode(amd_sdma, cut);
    REQUIRE(found.size() == 1);
    CHECK(found[0].what == nullptr);
    CHECK(found[0].dwords == 3);
    u32 const unknown[] = {0x0000'0000, 0x0000'00FF, 0};
    auto const second = decode(amd_sdma, unknown);
    REQUIRE(second.size() == 2);
    CHECK(second[0].what != nullptr);
    CHECK(second[1].what == nullptr);
    u32 const stray[] = {0x0004'0001, 0, 0, 0, 0, 0, 0};
    auto const third = decode(amd_sdma, stray);
    REQUIRE(third.size() == 1);
    CHECK(third[0].unexplained == 1);
    CHECK(decode(amd_sdma, {}).empty());
}
