// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "sdma_words.hpp"

#include <wddmcore/testing/gpu_memory/bus.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

/// The packets that pad, order and signal.
namespace wddmcore::inline WDDMCORE_ABI::testing::sdma {

[[nodiscard]] inline verdict nop(words packet) {
    if (std::uint32_t const extra = packet[0] & mask(31, 30)) {
        return reserved("NOP", 0, extra);
    }
    std::size_t const length = std::size_t{1} + field(packet[0], 29, 16);
    if (packet.size() < length) {
        return truncated("NOP", length, packet.size());
    }
    return {length, {}};
}

[[nodiscard]] inline verdict fence(words packet, gpu_bus& bus) {
    if (packet.size() < 4) {
        return truncated("FENCE", 4, packet.size());
    }
    if (std::uint32_t const extra = packet[0] & mask(31, 19)) {
        return reserved("FENCE", 0, extra);
    }
    // A fence that stays in a cache of the GPU is never seen by the one who waits for it.
    std::uint32_t const memory_type = field(packet[0], 18, 16);
    if (memory_type != 3) {
        return refuse("FENCE has memory type " + std::to_string(memory_type) + ", not 3 (uncached)");
    }
    std::uint64_t const to = join(packet[1], packet[2]);
    if (to % 4 != 0) {
        return misaligned("FENCE", 4, to);
    }
    if (!bus.write(to, &packet[3], sizeof packet[3])) {
        return unbacked("FENCE", "writes", to, sizeof packet[3]);
    }
    return {4, {}};
}

[[nodiscard]] inline verdict trap(words packet, execution& done) {
    if (packet.size() < 2) {
        return truncated("TRAP", 2, packet.size());
    }
    if (std::uint32_t const extra = packet[0] & mask(31, 16)) {
        return reserved("TRAP", 0, extra);
    }
    if (std::uint32_t const extra = packet[1] & ~mask(27, 0)) {
        return reserved("TRAP", 1, extra);
    }
    ++done.interrupts;
    return {2, {}};
}

/// Reads a register (dword index); none when there is no such register.
using register_reader = std::function<std::optional<std::uint32_t>(std::uint32_t)>;

/// Waits for memory, or for a register, which is named by its byte address.
[[nodiscard]] inline verdict poll(words packet, gpu_bus& bus, register_reader const& registers) {
    constexpr char const* name = "POLL_REGMEM";
    if (packet.size() < 6) {
        return truncated(name, 6, packet.size());
    }
    if (std::uint32_t const extra = packet[0] & (mask(25, 16) | mask(27, 27))) {
        return reserved(name, 0, extra);
    }
    bool const memory = field(packet[0], 31, 31) != 0;
    if (!memory && !registers) {
        return refuse("POLL_REGMEM polls a register, and this engine polls memory only");
    }
    if (field(packet[0], 26, 26) != 0) {
        return refuse("POLL_REGMEM asks for a flush while it polls memory");
    }
    std::uint32_t const function = field(packet[0], 30, 28);
    if (function != 3) {
        return refuse("POLL_REGMEM compares by function " + std::to_string(function) + ", not 3 (equal)");
    }
    if (std::uint32_t const extra = packet[5] & mask(31, 28)) {
        return reserved(name, 5, extra);
    }
    std::uint64_t const from = join(packet[1], packet[2]);
    std::uint32_t const reference = packet[3];
    std::uint32_t const compared = packet[4];
    if (from % 4 != 0) {
        return misaligned(name, 4, from);
    }
    // Whether the engine masks the reference too is not known, and without these bits it does not matter.
    if ((reference & ~compared) != 0) {
        return refuse("POLL_REGMEM has reference bits " + hex(reference & ~compared) + " outside its mask");
    }
    std::uint32_t value = 0;
    if (memory) {
        if (!bus.read(from, &value, sizeof value)) {
            return unbacked(name, "reads", from, sizeof value);
        }
    } else {
        std::optional<std::uint32_t> const found =
            packet[2] == 0 ? registers(packet[1] / 4) : std::optional<std::uint32_t>{};
        if (!found) {
            return refuse("POLL_REGMEM reads the register at " + hex(from) + ", which this engine does not have");
        }
        value = *found;
    }
    // Execution is in order and nobody else writes: what does not hold now never will.
    if ((value & compared) != reference) {
        std::uint32_t const retries = field(packet[5], 27, 16);
        std::string const end =
            retries == 0xfff ? "would wait for ever" : "would give up after " + std::to_string(retries) + " retries";
        return refuse("POLL_REGMEM " + end + ": it waits for " + hex(reference) + " under mask " + hex(compared) +
                      " and finds " + hex(value) + " at " + hex(from));
    }
    return {6, {}};
}

/// Cache maintenance; the fields behind the header are not described in the sources, so that only what takes effect on
/// all of memory is let through: ranges of 0.
[[nodiscard]] inline verdict cache_request(words packet) {
    constexpr char const* name = "GCR_REQ";
    if (packet.size() < 5) {
        return truncated(name, 5, packet.size());
    }
    if (std::uint32_t const extra = packet[0] & mask(31, 16)) {
        return reserved(name, 0, extra);
    }
    if (packet[1] != 0 || packet[3] != 0 || packet[4] != 0 || packet[2] == 0) {
        return refuse("GCR_REQ is not about all of memory, or asks for nothing");
    }
    return {5, {}};
}

/// Takes a register write (dword index, value); false when there is no such register.
using register_writer = std::function<bool(std::uint32_t, std::uint32_t)>;

[[nodiscard]] inline verdict write_register(words packet, register_writer const& registers) {
    constexpr char const* name = "SRBM_WRITE";
    if (packet.size() < 3) {
        return truncated(name, 3, packet.size());
    }
    if (std::uint32_t const extra = packet[0] & mask(27, 16)) {
        return reserved(name, 0, extra);
    }
    if (field(packet[0], 31, 28) != 0xf) {
        return refuse("SRBM_WRITE enables bytes " + hex(field(packet[0], 31, 28)) + " and not all four");
    }
    if (!registers || !registers(packet[1], packet[2])) {
        return refuse("SRBM_WRITE goes to register " + hex(packet[1]) + ", which this engine does not have");
    }
    return {3, {}};
}

}  // namespace wddmcore::testing::sdma
