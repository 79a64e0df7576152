// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../exceptions.hpp"

#if defined(__x86_64__) && defined(__linux__)
#    include <array>
#    include <optional>
#    include <ucontext.h>

// A program that includes this links Zydis where its header is there, or defines WDDMCORE_NO_ZYDIS.
#    if __has_include(<Zydis/Zydis.h>) && !defined(WDDMCORE_NO_ZYDIS)
#        include <Zydis/Zydis.h>
#    endif

/// Instructions of a driver that the processor refuses to carry out.
namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts::traps {

/// Whether such instructions are decoded and carried out: it takes Zydis at build time.
#    if defined(ZYDIS_H)
inline constexpr bool emulates = true;
#    else
inline constexpr bool emulates = false;
#    endif

inline constexpr greg_t single_step = 0x100;  // RFLAGS.TF

[[nodiscard]] inline greg_t& reg(ucontext_t& c, int index) { return c.uc_mcontext.gregs[index]; }

#    if defined(ZYDIS_H)

/// Where a signal's context keeps a 64-bit register.
[[nodiscard]] inline int context_index(ZydisRegister r) {
    auto const whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, r);
    bool const general = whole >= ZYDIS_REGISTER_RAX && whole <= ZYDIS_REGISTER_R15;
    return general ? exceptions::order[whole - ZYDIS_REGISTER_RAX] : -1;
}

struct decoded {
    ZydisDecodedInstruction instruction;
    std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> operands;
};
[[nodiscard]] inline std::optional<decoded> decode(void const* code) {
    ZydisDecoder decoder;
    decoded d;
    bool const good = ZYAN_SUCCESS(ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64)) &&
                      ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code, 15, &d.instruction, d.operands.data()));
    return good ? std::optional(d) : std::nullopt;
}
/// Where a memory operand lies; nothing: it is relative to a segment, or to a register that holds no address.
[[nodiscard]] inline std::optional<std::uintptr_t> address_of(decoded const& d, ZydisDecodedOperand const& o,
                                                              ucontext_t& c) {
    auto at = static_cast<std::uintptr_t>(o.mem.disp.has_displacement ? o.mem.disp.value : 0);
    if (o.mem.segment == ZYDIS_REGISTER_GS || o.mem.segment == ZYDIS_REGISTER_FS) {
        return std::nullopt;
    }
    for (auto const& [name, scale] : {std::pair(o.mem.base, ZyanU8{1}), std::pair(o.mem.index, o.mem.scale)}) {
        if (name == ZYDIS_REGISTER_RIP) {
            at += static_cast<std::uintptr_t>(reg(c, REG_RIP)) + d.instruction.length;
        } else if (name != ZYDIS_REGISTER_NONE) {
            int const index = context_index(name);
            if (index < 0) {
                return std::nullopt;
            }
            at += static_cast<std::uintptr_t>(reg(c, index)) * scale;
        }
    }
    return at;
}

/// Where a context keeps the general register whose lowest bytes an operand is; -1: the operand is something else.
[[nodiscard]] inline int index_of_low_part(ZydisDecodedOperand const& o) {
    bool const second_byte = o.reg.value >= ZYDIS_REGISTER_AH && o.reg.value <= ZYDIS_REGISTER_BH;
    return o.type == ZYDIS_OPERAND_TYPE_REGISTER && !second_byte ? context_index(o.reg.value) : -1;
}

/// What a move puts into a general register: less than four bytes leave the rest of it as it was.
/// @return false: it is no general register, or the second byte of one
[[nodiscard]] inline bool put_into(ZydisDecodedOperand const& to, std::uint64_t value, ucontext_t& c) {
    int const index = index_of_low_part(to);
    if (index < 0) {
        return false;
    }
    std::uint64_t const moved = to.size >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << to.size) - 1;
    std::uint64_t const kept = to.size < 32 ? ~moved : 0;
    reg(c, index) = static_cast<greg_t>((static_cast<std::uint64_t>(reg(c, index)) & kept) | (value & moved));
    return true;
}

/// What a move takes from a general register or has in itself; nothing: it is something else.
[[nodiscard]] inline std::optional<std::uint64_t> taken_from(ZydisDecodedOperand const& from, ucontext_t& c) {
    if (from.type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
        return from.imm.value.u;
    }
    int const index = index_of_low_part(from);
    return index < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(reg(c, index)));
}

#    endif

}  // namespace wddmcore::testing::kernel_parts::traps

#endif
