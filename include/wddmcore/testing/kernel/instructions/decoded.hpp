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

#    endif

}  // namespace wddmcore::testing::kernel_parts::traps

#endif
