// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "registers.hpp"

#if defined(__x86_64__) && defined(__linux__)

/// Instructions that only the kernel may execute, and that a kit's headers compile into a driver.
namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts::traps {

#    if defined(ZYDIS_H)

/// The width of what IN and OUT move.
[[nodiscard]] inline std::uint32_t bits_of(decoded const& d) {
    return std::min<std::uint32_t>(d.instruction.operand_width, 32);
}
[[nodiscard]] inline std::uint32_t port_of(decoded const& d, ucontext_t& c) {
    ZydisDecodedOperand const& o = d.operands[d.instruction.mnemonic == ZYDIS_MNEMONIC_IN ? 1 : 0];
    return static_cast<std::uint32_t>(
               o.type == ZYDIS_OPERAND_TYPE_IMMEDIATE ? o.imm.value.u : static_cast<std::uint64_t>(reg(c, REG_RDX))) &
           0xFFFF;
}
inline void move_control_register(decoded const& d, ucontext_t& c) {
    ZydisRegister const to = d.operands[0].reg.value;
    ZydisRegister const from = d.operands[1].reg.value;
    kernel_system& k = system();
    if (from == ZYDIS_REGISTER_CR8) {
        reg(c, context_index(to)) = k.level();
    } else if (to == ZYDIS_REGISTER_CR8) {
        auto const level = static_cast<irql>(reg(c, context_index(from)) & 15);
        k.set_level(level);  // what was deferred runs at the next service, not here
    } else if (int const index = context_index(to); index >= 0) {
        reg(c, index) = 0;
    }
}

/// Carries out what only the kernel may. @return false: it is something else
[[nodiscard]] inline bool privileged(ucontext_t& c) {
    auto const found = decode(reinterpret_cast<void const*>(reg(c, REG_RIP)));
    if (!found) {
        return false;
    }
    kernel_system& k = system();
    std::string const at = k.name_of(reinterpret_cast<void const*>(reg(c, REG_RIP)));
    switch (found->instruction.mnemonic) {
        case ZYDIS_MNEMONIC_MOV: {
            auto const is_system = [](ZydisDecodedOperand const& o) {
                ZydisRegisterClass const kind =
                    o.type == ZYDIS_OPERAND_TYPE_REGISTER ? ZydisRegisterGetClass(o.reg.value) : ZYDIS_REGCLASS_INVALID;
                return kind == ZYDIS_REGCLASS_CONTROL || kind == ZYDIS_REGCLASS_DEBUG;
            };
            if (!is_system(found->operands[0]) && !is_system(found->operands[1])) {
                return false;
            }
            move_control_register(*found, c);
            break;
        }
        case ZYDIS_MNEMONIC_IN: {
            std::uint64_t const mask = (std::uint64_t{1} << bits_of(*found)) - 1;
            std::uint64_t const value = device_access::current().in(port_of(*found, c), bits_of(*found) / 8) & mask;
            // As of any result of 32 bits, the upper half is 0.
            std::uint64_t const kept = mask == 0xFFFF'FFFF ? 0 : static_cast<std::uint64_t>(reg(c, REG_RAX)) & ~mask;
            reg(c, REG_RAX) = static_cast<greg_t>(kept | value);
            break;
        }
        case ZYDIS_MNEMONIC_OUT: {
            std::uint64_t const mask = (std::uint64_t{1} << bits_of(*found)) - 1;
            device_access::current().out(
                port_of(*found, c), bits_of(*found) / 8,
                static_cast<std::uint32_t>(static_cast<std::uint64_t>(reg(c, REG_RAX)) & mask));
            break;
        }
        case ZYDIS_MNEMONIC_RDMSR: reg(c, REG_RAX) = reg(c, REG_RDX) = 0; break;
        case ZYDIS_MNEMONIC_CLI:
        case ZYDIS_MNEMONIC_STI:
        case ZYDIS_MNEMONIC_WRMSR:
        case ZYDIS_MNEMONIC_WBINVD:
        case ZYDIS_MNEMONIC_INVD:
        case ZYDIS_MNEMONIC_INVLPG: break;
        case ZYDIS_MNEMONIC_INT:
            if (found->operands[0].imm.value.u == 0x29) {
                k.stop("0x139 KERNEL_SECURITY_CHECK_FAILURE",
                       "__fastfail(" + std::to_string(reg(c, REG_RCX) & 0xFFFF'FFFF) + ") at " + at);
            }
            if (found->operands[0].imm.value.u == 0x2C) {
                k.find("ASSERT", "NT_ASSERT fails at " + at);
                break;
            }
            return found->operands[0].imm.value.u == 0x2D;
        default: return false;
    }
    reg(c, REG_RIP) += found->instruction.length;
    return true;
}

#    else

[[nodiscard]] inline bool privileged(ucontext_t&) { return false; }

#    endif

}  // namespace wddmcore::testing::kernel_parts::traps

#endif
