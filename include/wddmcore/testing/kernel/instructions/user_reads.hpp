// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../user_space/read_watch.hpp"
#include "decoded.hpp"

#if defined(__x86_64__) && defined(__linux__)
#    include <utility>

/// Memory of a process in which each access is looked at: the instruction runs for one step while it is open.
namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts::traps {

/// The pieces that are open for a step.
struct open_pieces {
    std::array<user_space::user_memory*, 2> pieces{};
    static open_pieces& current() {
        static open_pieces one;
        return one;
    }
};

/// Says that what is read was read before, once for each pair of places.
inline void tell_of_read(std::uintptr_t at, std::size_t bytes, bool exact, std::string const& by) {
    std::string const before = user_space::read_watch::current().read(at, bytes, exact, by);
    if (!before.empty()) {
        system().find("AMB-68", "what a process has sent is read again, by " + by + ", and was read by " + before +
                                    ": it may have changed");
    }
}

#    if defined(ZYDIS_H)

/// @return false: the instruction cannot be carried out
[[nodiscard]] inline bool access_user_memory(ucontext_t& c, bool by_driver) {
    auto const* const code = reinterpret_cast<void const*>(reg(c, REG_RIP));
    auto const found = decode(code);
    std::size_t count = 0;
    open_pieces open;
    for (std::size_t i = 0; found && i < found->instruction.operand_count; ++i) {
        ZydisDecodedOperand const& o = found->operands[i];
        auto const address = o.type == ZYDIS_OPERAND_TYPE_MEMORY ? address_of(*found, o, c) : std::nullopt;
        user_space::user_memory* const piece = address ? user_space::watched_at(*address) : nullptr;
        if (piece == nullptr || count == open.pieces.size()) {
            continue;
        }
        open.pieces[count++] = piece;
        // What the kernel's functions copy for the driver is known from their arguments (copies.hpp).
        if (by_driver && (o.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0) {
            tell_of_read(*address, o.size / 8U, false, system().name_of(code));
        }
    }
    for (user_space::user_memory* const each : open.pieces) {
        if (each != nullptr) {
            each->open();
        }
    }
    if (count != 0) {
        reg(c, REG_EFL) |= single_step;
        open_pieces::current() = open;
    }
    return count != 0;
}

#    else

[[nodiscard]] inline bool access_user_memory(ucontext_t&, bool) { return false; }

#    endif

/// The step is over. @return false: there was none
inline bool end_of_user_access(ucontext_t& c) {
    open_pieces const open = std::exchange(open_pieces::current(), {});
    if (open.pieces[0] == nullptr) {
        return false;
    }
    for (user_space::user_memory* const each : open.pieces) {
        if (each != nullptr) {
            each->close();
        }
    }
    reg(c, REG_EFL) &= ~single_step;
    return true;
}

}  // namespace wddmcore::testing::kernel_parts::traps

#endif
