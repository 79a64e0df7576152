// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "decoded.hpp"

#if defined(__x86_64__) && defined(__linux__)

/// KUSER_SHARED_DATA: its address is fixed, and compiled into drivers, so each read of it faults.
namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts::traps {

inline constexpr std::uintptr_t shared_page = 0xFFFF'F780'0000'0000;

struct shared_view {
    std::byte* page = nullptr;  // what is read there
    greg_t before = 0;          // of the register that points at our page for a step
    int replaced_index = -1;    // which one
    static shared_view& current() {
        static shared_view one;
        return one;
    }
};

inline void refresh_shared_page() {
    kernel_system& k = system();
    std::byte* const page = shared_view::current().page;
    auto const put = [page](std::size_t at, auto value) { std::memcpy(page + at, &value, sizeof value); };
    std::uint64_t const ticks = (k.now - k.started) / 156'250 + 1000;
    auto const time = [&put](std::size_t at, std::uint64_t value) {
        put(at, static_cast<std::uint32_t>(value));
        put(at + 4, static_cast<std::uint32_t>(value >> 32));
        put(at + 8, static_cast<std::uint32_t>(value >> 32));
    };
    put(0, static_cast<std::uint32_t>(ticks));
    put(4, std::uint32_t{0xFA00000});  // TickCountMultiplier
    time(0x08, k.now - k.started);     // InterruptTime
    time(0x14, k.now);                 // SystemTime
    put(0x320, ticks);                 // TickCountQuad
}

#    if defined(ZYDIS_H)

/// A read of the shared page: a fixed address is carried out, any other form runs for one step with our page.
[[nodiscard]] inline bool shared_read(ucontext_t& c, std::uintptr_t address) {
    auto const found = decode(reinterpret_cast<void const*>(reg(c, REG_RIP)));
    shared_view& s = shared_view::current();
    if (!found) {
        return false;
    }
    system().advance(10);
    refresh_shared_page();
    for (ZydisDecodedOperand const& o : found->operands) {
        if (o.type != ZYDIS_OPERAND_TYPE_MEMORY) {
            continue;
        }
        int const base =
            o.mem.base == ZYDIS_REGISTER_NONE || o.mem.base == ZYDIS_REGISTER_RIP ? -1 : context_index(o.mem.base);
        if (base < 0) {
            if (found->instruction.mnemonic != ZYDIS_MNEMONIC_MOV ||
                found->operands[0].type != ZYDIS_OPERAND_TYPE_REGISTER || o.mem.index != ZYDIS_REGISTER_NONE) {
                return false;
            }
            std::uint64_t value = 0;
            std::memcpy(&value, s.page + (address - shared_page),
                        std::min<std::size_t>(found->operands[0].size / 8, sizeof value));
            if (!put_into(found->operands[0], value, c)) {
                return false;
            }
            reg(c, REG_RIP) += found->instruction.length;
            return true;
        }
        s.replaced_index = base;
        s.before = reg(c, base);
        bool const overwritten = found->operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
                                 found->instruction.mnemonic != ZYDIS_MNEMONIC_CMP &&
                                 found->instruction.mnemonic != ZYDIS_MNEMONIC_TEST &&
                                 context_index(found->operands[0].reg.value) == base;
        reg(c, base) += static_cast<greg_t>(reinterpret_cast<std::uintptr_t>(s.page) - shared_page);
        if (overwritten) {
            s.replaced_index = -1;
            return true;
        }
        reg(c, REG_EFL) |= single_step;
        return true;
    }
    return false;
}

/// The step is over: the register points again at what the driver believes.
/// @return false: there was none
inline bool end_of_shared_read(ucontext_t& c) {
    shared_view& s = shared_view::current();
    if (s.replaced_index < 0) {
        return false;
    }
    reg(c, std::exchange(s.replaced_index, -1)) = s.before;
    reg(c, REG_EFL) &= ~single_step;
    return true;
}

#    else

[[nodiscard]] inline bool shared_read(ucontext_t&, std::uintptr_t) { return false; }
inline bool end_of_shared_read(ucontext_t&) { return false; }

#    endif

}  // namespace wddmcore::testing::kernel_parts::traps

#endif
