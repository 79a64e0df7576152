// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../memory.hpp"
#include "decoded.hpp"
#include "device_access.hpp"

#if defined(__x86_64__) && defined(__linux__)

/// Registers of the device: an instruction that reads or writes there is the device model's business.
namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts::traps {

/// An access that is being carried out: the instruction runs for one step on memory that holds what the device answered,
/// and what it has written there goes to the device afterwards. So any instruction may access a register.
struct register_access {
    struct part {
        std::uint32_t range = 0;
        std::byte* at = nullptr;
        std::uint64_t offset = 0;
        std::uint32_t bytes = 0;
        bool writes = false;
    };
    std::array<part, 4> parts{};
    std::size_t count = 0;

    static register_access& current() {
        static register_access one;
        return one;
    }
    [[nodiscard]] static bool open(part const& p, int protection) {
        auto const first = reinterpret_cast<std::uintptr_t>(p.at) & ~std::uintptr_t{4095};
        auto const end = (reinterpret_cast<std::uintptr_t>(p.at) + p.bytes + 4095) & ~std::uintptr_t{4095};
        return ::mprotect(reinterpret_cast<void*>(first), end - first, protection) == 0;
    }
    /// The device is asked in pieces of at most 8 bytes.
    template <class Each>
    static void in_pieces(part const& p, Each const& each) {
        for (std::uint32_t done = 0; done < p.bytes;) {
            std::uint32_t const bytes = std::min(p.bytes - done, 8U);
            each(p.at + done, p.offset + done, bytes);
            done += bytes;
        }
    }
};

/// The range of registers that an address lies in.
[[nodiscard]] inline memory_services::device_range const* registers_at(std::uintptr_t address) {
    for (auto const& r : memory_services::physical_memory::current().ranges) {
        if (r.is_registers && address - reinterpret_cast<std::uintptr_t>(r.memory) < r.size) {
            return &r;
        }
    }
    return nullptr;
}

#    if defined(ZYDIS_H)

/// The driver has mapped a part of these registers.
[[nodiscard]] inline bool is_mapped(memory_services::device_range const& r) {
    auto const& mapped = memory_services::physical_memory::current().mapped;
    auto const first = mapped.lower_bound(r.memory);
    return first != mapped.end() && static_cast<std::byte*>(first->first) < r.memory + r.size;
}

/// Begins an access. @return false: the instruction cannot be carried out
[[nodiscard]] inline bool access_registers(ucontext_t& c) {
    auto const found = decode(reinterpret_cast<void const*>(reg(c, REG_RIP)));
    register_access& a = register_access::current();
    a.count = 0;
    if (!found) {
        return false;
    }
    auto const& ranges = memory_services::physical_memory::current().ranges;
    for (std::size_t i = 0; i < found->instruction.operand_count && a.count < a.parts.size(); ++i) {
        ZydisDecodedOperand const& o = found->operands[i];
        auto const address = o.type == ZYDIS_OPERAND_TYPE_MEMORY ? address_of(*found, o, c) : std::nullopt;
        auto const* const range = address ? registers_at(*address) : nullptr;
        std::uint32_t const bytes = o.size / 8U;
        if (range == nullptr || bytes > range->size - (*address - reinterpret_cast<std::uintptr_t>(range->memory))) {
            continue;
        }
        if (!is_mapped(*range)) {
            system().find("0x50 PAGE_FAULT_IN_NONPAGED_AREA",
                          "registers are used that are not mapped, by " +
                              system().name_of(reinterpret_cast<void const*>(reg(c, REG_RIP))));
        }
        register_access::part const p{static_cast<std::uint32_t>(range - ranges.data()),
                                      reinterpret_cast<std::byte*>(*address),
                                      *address - reinterpret_cast<std::uintptr_t>(range->memory), bytes,
                                      (o.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0};
        if (!register_access::open(p, PROT_READ | PROT_WRITE)) {
            return false;
        }
        if ((o.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0) {
            register_access::in_pieces(p, [&p](std::byte* at, std::uint64_t offset, std::uint32_t piece) {
                std::uint64_t const value = device_access::current().load(p.range, offset, piece);
                std::memcpy(at, &value, piece);
            });
        }
        a.parts[a.count++] = p;
    }
    if (a.count != 0) {
        reg(c, REG_EFL) |= single_step;
    }
    return a.count != 0;
}

#    else

[[nodiscard]] inline bool access_registers(ucontext_t&) { return false; }

#    endif

/// The step is over: what was written goes to the device. @return false: there was none
inline bool end_of_access(ucontext_t& c) {
    register_access& a = register_access::current();
    if (a.count == 0) {
        return false;
    }
    for (register_access::part const& p : std::span(a.parts).first(std::exchange(a.count, 0))) {
        if (p.writes) {
            register_access::in_pieces(p, [&p](std::byte const* at, std::uint64_t offset, std::uint32_t piece) {
                std::uint64_t value = 0;
                std::memcpy(&value, at, piece);
                device_access::current().store(p.range, offset, piece, value);
            });
        }
        static_cast<void>(register_access::open(p, PROT_NONE));
    }
    reg(c, REG_EFL) &= ~single_step;
    return true;
}

}  // namespace wddmcore::testing::kernel_parts::traps

#endif
