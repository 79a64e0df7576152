// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/config.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

/// Fields, names and sentences of SDMA v5 packets, for the decoder only: the encoder has its own.
namespace wddmcore::inline WDDMCORE_ABI::testing::sdma {

/// The rest of a window, the packet's header first.
using words = std::span<std::uint32_t const>;

/// What a packet came to: its length in dwords, or the sentence that says why it was refused.
struct verdict {
    std::size_t length = 0;
    std::string why;
};

[[nodiscard]] constexpr std::uint32_t mask(unsigned high, unsigned low) {
    return (~std::uint32_t{0} >> (31 - (high - low))) << low;
}

[[nodiscard]] constexpr std::uint32_t field(std::uint32_t word, unsigned high, unsigned low) {
    return (word & mask(high, low)) >> low;
}

static_assert(mask(31, 0) == 0xffffffffu && mask(21, 0) == 0x3fffffu && field(0xb0000008u, 30, 28) == 3);

[[nodiscard]] constexpr std::uint64_t join(std::uint32_t low, std::uint32_t high) {
    return (std::uint64_t{high} << 32) | low;
}

[[nodiscard]] inline std::string hex(std::uint64_t value) {
    std::string text;
    do {
        text.insert(text.begin(), "0123456789abcdef"[value & 15]);
        value >>= 4;
    } while (value != 0);
    return "0x" + text;
}

[[nodiscard]] inline verdict refuse(std::string why) { return {0, std::move(why)}; }

[[nodiscard]] inline verdict truncated(std::string const& packet, std::uint64_t needs, std::size_t has) {
    return refuse(packet + " has " + std::to_string(needs) + " dwords, but the window ends after " +
                  std::to_string(has) + " of them");
}

[[nodiscard]] inline verdict reserved(std::string const& packet, unsigned dword, std::uint32_t bits) {
    return refuse(packet + " sets reserved bits " + hex(bits) + " in its dword " + std::to_string(dword));
}

[[nodiscard]] inline verdict misaligned(std::string const& packet, unsigned bytes, std::uint64_t address) {
    return refuse(packet + " needs an address aligned to " + std::to_string(bytes) + " bytes, not " + hex(address));
}

[[nodiscard]] inline verdict unbacked(std::string const& packet, char const* access, std::uint64_t first,
                                      std::uint64_t size) {
    return refuse(packet + " " + access + " " + std::to_string(size) + " bytes at " + hex(first) +
                  ", which are not all backed");
}

/// "NAME (opcode 4)", or only the number where version 5 has no such opcode.
[[nodiscard]] inline std::string opcode_name(std::uint32_t opcode) {
    // Opcode 16 is known for versions 4 and 6 only, as two different packets, so it has no name here.
    constexpr std::array<char const*, 18> names{
        "NOP",      "COPY",   "WRITE",      nullptr,  "INDIRECT",  "FENCE",      "TRAP",    "SEM",   "POLL_REGMEM",
        "COND_EXE", "ATOMIC", "CONST_FILL", "PTEPDE", "TIMESTAMP", "SRBM_WRITE", "PRE_EXE", nullptr, "GCR_REQ"};
    char const* const name = opcode < names.size() ? names[opcode] : nullptr;
    return name != nullptr ? std::string(name) + " (opcode " + std::to_string(opcode) + ")"
                           : "opcode " + std::to_string(opcode);
}

}  // namespace wddmcore::testing::sdma
