// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../memory.hpp"
#include "decoded.hpp"
#include "device_access.hpp"

#if defined(__x86_64__) && defined(__linux__)

/// Registers of the device: an instruction that reads or writes there is the device model's business.
namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts::traps {

/// An access that is being carried out: the instruction runs for one step on memory that holds what the device
/// answered, and what it has written there goes to the device afterwards. So any instruction may access a register; a
/// plain move, which most accesses are, is carried out without that, as a step costs several times as much.
///
/// What the device is asked may interrupt the driver, whose interrupt routine accesses registers itself: nothing is
/// kept here, and no page is open, while the device is asked.
struct register_access {
    struct part {
        std::uint32_t range = 0;
        std::byte* at = nullptr;
        std::uint64_t offset = 0;
        std::uint32_t bytes = 0;
        bool reads = false;
        bool writes = false;
        std::array<std::byte, 64> value{};  // of the widest instruction

        /// The device is asked in pieces of at most 8 bytes.
        template <class Each>
        void in_pieces(Each const& each) {
            for (std::uint32_t done = 0; done < bytes;) {
                std::uint32_t const piece = std::min(bytes - done, 8U);
                each(value.data() + done, offset + done, piece);
                done += piece;
            }
        }
        void load() {
            in_pieces([this](std::byte* to, std::uint64_t where, std::uint32_t piece) {
                std::uint64_t const answer = device_access::current().load(range, where, piece);
                std::memcpy(to, &answer, piece);
            });
        }
        void store() {
            in_pieces([this](std::byte const* from, std::uint64_t where, std::uint32_t piece) {
                std::uint64_t written = 0;
                std::memcpy(&written, from, piece);
                device_access::current().store(range, where, piece, written);
            });
        }
        [[nodiscard]] bool protect(int protection) const {
            auto const first = reinterpret_cast<std::uintptr_t>(at) & ~std::uintptr_t{4095};
            auto const end = (reinterpret_cast<std::uintptr_t>(at) + bytes + 4095) & ~std::uintptr_t{4095};
            return ::mprotect(reinterpret_cast<void*>(first), end - first, protection) == 0;
        }
    };
    std::array<part, 2> parts{};  // a string instruction reads one place and writes another
    std::size_t count = 0;

    static register_access& current() {
        static register_access one;
        return one;
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

/// A move between a register of the device and one of the processor, or a number. @return false: it is no such move
[[nodiscard]] inline bool moved(decoded const& found, register_access::part& p, ucontext_t& c) {
    if (found.instruction.mnemonic != ZYDIS_MNEMONIC_MOV || p.bytes > 8) {
        return false;
    }
    std::uint64_t value = 0;
    if (p.reads) {
        if (index_of_low_part(found.operands[0]) < 0) {
            return false;
        }
        p.load();
        std::memcpy(&value, p.value.data(), p.bytes);
        reg(c, REG_RIP) += found.instruction.length;
        return put_into(found.operands[0], value, c);
    }
    auto const taken = taken_from(found.operands[1], c);
    if (!taken) {
        return false;
    }
    std::memcpy(p.value.data(), &*taken, p.bytes);
    reg(c, REG_RIP) += found.instruction.length;
    p.store();
    return true;
}

/// Begins an access. @return false: the instruction cannot be carried out
[[nodiscard]] inline bool access_registers(ucontext_t& c) {
    auto const found = decode(reinterpret_cast<void const*>(reg(c, REG_RIP)));
    if (!found) {
        return false;
    }
    register_access a;
    auto const& ranges = memory_services::physical_memory::current().ranges;
    for (std::size_t i = 0; i < found->instruction.operand_count && a.count < a.parts.size(); ++i) {
        ZydisDecodedOperand const& o = found->operands[i];
        auto const address = o.type == ZYDIS_OPERAND_TYPE_MEMORY ? address_of(*found, o, c) : std::nullopt;
        auto const* const range = address ? registers_at(*address) : nullptr;
        std::uint32_t const bytes = o.size / 8U;
        if (range == nullptr || bytes > sizeof a.parts[0].value) {
            continue;
        }
        std::uint64_t const offset = *address - reinterpret_cast<std::uintptr_t>(range->memory);
        if (bytes > range->size - offset) {
            continue;
        }
        if (!is_mapped(*range)) {
            system().find("0x50 PAGE_FAULT_IN_NONPAGED_AREA",
                          "registers are used that are not mapped, by " +
                              system().name_of(reinterpret_cast<void const*>(reg(c, REG_RIP))));
        }
        register_access::part& p = a.parts[a.count++];
        p.range = static_cast<std::uint32_t>(range - ranges.data());
        p.at = reinterpret_cast<std::byte*>(*address);
        p.offset = offset;
        p.bytes = bytes;
        p.reads = (o.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0;
        p.writes = (o.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
    }
    if (a.count == 1 && moved(*found, a.parts[0], c)) {
        return true;
    }
    for (register_access::part& p : std::span(a.parts).first(a.count)) {
        if (p.reads) {
            p.load();
        }
    }
    for (register_access::part const& p : std::span(a.parts).first(a.count)) {
        if (!p.protect(PROT_READ | PROT_WRITE)) {
            return false;
        }
        std::memcpy(p.at, p.value.data(), p.bytes);
    }
    if (a.count != 0) {
        reg(c, REG_EFL) |= single_step;
    }
    register_access::current() = a;
    return a.count != 0;
}

#    else

[[nodiscard]] inline bool access_registers(ucontext_t&) { return false; }

#    endif

/// The step is over: what was written goes to the device. @return false: there was none
inline bool end_of_access(ucontext_t& c) {
    register_access a = std::exchange(register_access::current(), {});
    if (a.count == 0) {
        return false;
    }
    for (register_access::part& p : std::span(a.parts).first(a.count)) {
        std::memcpy(p.value.data(), p.at, p.bytes);
        static_cast<void>(p.protect(PROT_NONE));
    }
    reg(c, REG_EFL) &= ~single_step;
    for (register_access::part& p : std::span(a.parts).first(a.count)) {
        if (p.writes) {
            p.store();
        }
    }
    return true;
}

}  // namespace wddmcore::testing::kernel_parts::traps

#endif
