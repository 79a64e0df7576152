// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../config.hpp"

#include <cstdint>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// What an x86-64 instruction does with its memory operand.
enum class watched_action : std::uint8_t {
    other,   ///< not in the table
    load,    ///< reads it
    store,   ///< writes it without reading
    update,  ///< reads it, then writes it
    string,  ///< one element of a string instruction: MOVS, STOS, LODS, CMPS, SCAS
    hint,    ///< touches caches only: CLFLUSH, CLFLUSHOPT, CLWB
};

/// One instruction as far as a watcher must know it.
struct watched_instruction {
    watched_action action = watched_action::other;  ///< use of the memory operand
    std::uint8_t size = 0;                          ///< bytes of one access; 0: not known

    /// Same action and size.
    [[nodiscard]] constexpr bool operator==(watched_instruction const&) const = default;
};

/// What stands before an opcode.
struct watched_prefixes {
    bool operand16 = false;   ///< 66
    bool repeat_f2 = false;   ///< F2
    bool repeat_f3 = false;   ///< F3
    bool lock = false;        ///< F0
    bool wide = false;        ///< REX.W or VEX.W
    bool vex = false;         ///< VEX or EVEX form
    std::uint8_t vector = 0;  ///< VEX.L: vectors of 16 << L bytes
    std::uint8_t map = 0;     ///< opcode map: 0 one byte, 1 0F, 2 0F 38, 3 0F 3A

    /// Bytes of a general-purpose operand that is not a byte.
    [[nodiscard]] constexpr std::uint8_t operand() const {
        if (wide) {
            return 8;
        }
        return operand16 ? 2 : 4;
    }

    /// Bytes of a whole vector.
    [[nodiscard]] constexpr std::uint8_t whole() const { return static_cast<std::uint8_t>(16U << vector); }
};

/// Reads the prefixes and moves `code` to the opcode byte.
/// @param code  the instruction's first byte; afterwards the opcode inside its map
/// @return all prefixes, the map included
[[nodiscard]] constexpr watched_prefixes watched_decode_prefixes(std::uint8_t const*& code) {
    watched_prefixes p;
    for (;; ++code) {
        switch (*code) {
            case 0x66: p.operand16 = true; continue;
            case 0xF2: p.repeat_f2 = true; continue;
            case 0xF3: p.repeat_f3 = true; continue;
            case 0xF0: p.lock = true; continue;
            case 0x2E:
            case 0x36:
            case 0x3E:
            case 0x26:
            case 0x64:
            case 0x65:
            case 0x67: continue;
            default: break;
        }
        break;
    }
    auto const implied = [&p](unsigned pp) {
        p.operand16 = pp == 1;
        p.repeat_f3 = pp == 2;
        p.repeat_f2 = pp == 3;
    };
    if (*code == 0xC5) {
        p.vex = true;
        p.map = 1;
        p.vector = (code[1] >> 2) & 1;
        implied(code[1] & 3);
        code += 2;
        return p;
    }
    if (*code == 0xC4) {
        p.vex = true;
        p.map = code[1] & 0x1F;
        p.wide = (code[2] & 0x80) != 0;
        p.vector = (code[2] >> 2) & 1;
        implied(code[2] & 3);
        code += 3;
        return p;
    }
    if (*code == 0x62) {
        p.vex = true;
        p.map = code[1] & 7;
        p.wide = (code[2] & 0x80) != 0;
        p.vector = (code[3] >> 5) & 3;
        implied(code[2] & 3);
        code += 4;
        return p;
    }
    if ((*code & 0xF0) == 0x40) {
        p.wide = (*code++ & 8) != 0;
    }
    if (*code == 0x0F) {
        ++code;
        p.map = 1;
        if (*code == 0x38 || *code == 0x3A) {
            p.map = *code++ == 0x38 ? 2 : 3;
        }
    }
    return p;
}

/// The one-byte opcodes.
/// @param code  opcode and ModRM byte
/// @param p     the prefixes
/// @return action and size
[[nodiscard]] constexpr watched_instruction watched_decode_one_byte(std::uint8_t const* code,
                                                                    watched_prefixes const& p) {
    using enum watched_action;
    std::uint8_t const op = code[0];
    std::uint8_t const width = (op & 1) != 0 ? p.operand() : std::uint8_t{1};
    if (op < 0x40) {  // ADD OR ADC SBB AND SUB XOR CMP, by columns; CMP writes nothing
        bool const writes = (op & 7) < 2 && op < 0x38;
        return (op & 7) < 4 ? watched_instruction{writes ? update : load, width} : watched_instruction{};
    }
    auto const reg = [code] { return (code[1] >> 3) & 7U; };  // read only where the opcode has a ModRM byte
    switch (op) {
        case 0x63: return {load, 4};
        case 0x80: return {reg() == 7 ? load : update, 1};
        case 0x81:
        case 0x83: return {reg() == 7 ? load : update, p.operand()};
        case 0x84:
        case 0x85:
        case 0x8A:
        case 0x8B: return {load, width};
        case 0x86:
        case 0x87: return {update, width};
        case 0x88:
        case 0x89:
        case 0xC6:
        case 0xC7: return {store, width};
        case 0xA4:
        case 0xA5:
        case 0xA6:
        case 0xA7:
        case 0xAA:
        case 0xAB:
        case 0xAC:
        case 0xAD:
        case 0xAE:
        case 0xAF: return {string, width};
        case 0xC0:
        case 0xC1:
        case 0xD0:
        case 0xD1:
        case 0xD2:
        case 0xD3: return {update, width};
        case 0xF6:
        case 0xF7: return {reg() == 2 || reg() == 3 ? update : load, width};
        case 0xFE: return {update, 1};
        case 0xFF: return reg() < 2 ? watched_instruction{update, p.operand()} : watched_instruction{load, 8};
        default: return {};
    }
}

/// The opcodes after 0F, legacy and VEX.
/// @param code  opcode and ModRM byte
/// @param p     the prefixes
/// @return action and size
[[nodiscard]] constexpr watched_instruction watched_decode_two_byte(std::uint8_t const* code,
                                                                    watched_prefixes const& p) {
    using enum watched_action;
    std::uint8_t const op = code[0];
    std::uint8_t const scalar = p.repeat_f3 ? 4 : 8;
    bool const is_scalar = p.repeat_f3 || p.repeat_f2;
    switch (op) {  // vector loads, whose VEX forms are alike
        case 0x10: return {load, is_scalar ? scalar : p.whole()};
        case 0x28: return {load, p.whole()};
        case 0x6F: return {load, p.operand16 || p.repeat_f3 ? p.whole() : std::uint8_t{8}};
        case 0x6E: return {load, p.wide ? std::uint8_t{8} : std::uint8_t{4}};
        case 0xF0: return {load, p.whole()};
        default: break;
    }
    if (op == 0x7E && p.repeat_f3) {
        return {load, 8};
    }
    if (p.vex) {
        return {};
    }
    auto const reg = [code] { return (code[1] >> 3) & 7U; };
    if (op >= 0x40 && op <= 0x4F) {
        return {load, p.operand()};
    }
    switch (op) {
        case 0xA3:
        case 0xAF:
        case 0xB8:
        case 0xBC:
        case 0xBD: return {load, p.operand()};
        case 0xA4:
        case 0xA5:
        case 0xAB:
        case 0xAC:
        case 0xAD:
        case 0xB3:
        case 0xBB: return {update, p.operand()};
        case 0xAE:
            return reg() == 7 || (reg() == 6 && p.operand16) ? watched_instruction{hint, 0} : watched_instruction{};
        case 0xB0:
        case 0xC0: return {update, 1};
        case 0xB1:
        case 0xC1: return {update, p.operand()};
        case 0xB6:
        case 0xBE: return {load, 1};
        case 0xB7:
        case 0xBF: return {load, 2};
        case 0xBA: return {reg() == 4 ? load : update, p.operand()};
        case 0xC3: return {store, p.operand()};
        case 0xC7:
            return reg() == 1 ? watched_instruction{update, p.wide ? std::uint8_t{16} : std::uint8_t{8}}
                              : watched_instruction{};
        default: return {};
    }
}

/// Tells what one x86-64 instruction does with its memory operand; meant for an instruction that has just faulted.
///
/// Bytes after the ModRM byte are never read. Vector stores are not in the table on purpose: masks and partial
/// forms make their size a matter of values, which a watcher has to find out by looking.
/// @param code  the instruction's first byte
/// @return action and size; `other` when it is not in the table
[[nodiscard]] constexpr watched_instruction watched_decode(std::uint8_t const* code) {
    watched_prefixes const p = watched_decode_prefixes(code);
    watched_instruction found;
    if (p.map == 0 && !p.vex) {
        found = watched_decode_one_byte(code, p);
    } else if (p.map == 1) {
        found = watched_decode_two_byte(code, p);
    } else if (p.map == 2 && *code == 0x2A) {
        found = {watched_action::load, p.whole()};  // MOVNTDQA
    } else if (p.map == 2 && !p.vex && *code == 0xF1 && !p.repeat_f2) {
        found = {watched_action::store, p.operand()};  // MOVBE
    } else if (p.map == 2 && !p.vex && *code == 0xF0 && !p.repeat_f2) {
        found = {watched_action::load, p.operand()};
    }
    if (p.lock) {
        found.action = watched_action::update;  // LOCK is legal on nothing else
    }
    return found;
}

}  // namespace wddmcore::testing
