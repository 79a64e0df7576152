// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../world.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::scheduler::parts {

/// What executed commands leave in memory: each command of a context once, in order.
class effects {
public:
    explicit effects(world& w) : w_(w) {}

    /// The command of this packet is executed on engine `e`.
    void happen(packet& p, command const& c, hardware_engine const& e, os_engine const& os) {
        context& own = w_.context_of(p);
        if (e.loaded != own.area) {
            w_.broken(rule::spl_12, world::name(p) + " runs in the state of another context", os);
        } else if (p.start != 0) {
            w_.held(rule::spl_12);
        }
        if (p.null_rendering || p.silent) {
            // That it runs at all is the mistake; whether in turn, or once more, says nothing new.
            w_.broken(p.null_rendering ? rule::pre_29 : rule::pre_30,
                      world::name(p) + (p.null_rendering ? " is executed" : " was rejected and is executed"), os);
            p.blamed = true;
            return;
        }
        while (own.cursor < own.all.size() && is_past(w_.packets[own.all[own.cursor]])) {
            ++own.cursor;
        }
        bool const in_turn = own.cursor < own.all.size() && own.all[own.cursor] == p.number && c.index == p.executed;
        if (!in_turn && (is_past(p) || c.index < p.executed)) {
            w_.broken(rule::pre_12, world::name(p) + " runs twice, at command " + std::to_string(c.index), os);
        } else if (!in_turn) {
            packet const& due = own.cursor < own.all.size() ? w_.packets[own.all[own.cursor]] : p;
            bool const lost = due.now == packet::stage::in_flight && !due.given;
            w_.broken(lost ? world::rule_of_lost(due) : rule::pre_15,
                      world::name(p) + " runs out of turn, at command " + std::to_string(c.index), os);
        }
        p.blamed = p.blamed || !in_turn;
        p.executed = c.index + 1;
    }

private:
    // The packet has no command left.
    [[nodiscard]] static bool is_past(packet const& p) {
        return p.executed == p.commands || p.null_rendering || p.silent || p.faulted ||
               p.now == packet::stage::aborted || p.now == packet::stage::cancelled;
    }

    world& w_;
};

}  // namespace wddmcore::testing::scheduler::parts
