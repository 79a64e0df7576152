// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "bugs.hpp"

#include <wddmcore/preemption/engine.hpp>

/// The engine machine once more, slow and obvious: a named state, a list, and the table line by line. It shares the types
/// of answers with the library and no decision. Here, and only here, mistakes can be switched on.
namespace preemption_test {

using namespace wddmcore;
using namespace wddmcore::preemption;

/// What a driver wants back: which packet of the model, and where its commands lie. Recognised by place alone.
struct model_cookie {
    u8 number;
    u8 place;
    friend constexpr bool operator==(model_cookie a, model_cookie b) { return a.place == b.place; }
};

using model_packet = packet<model_cookie>;
using model_outcome = outcome<model_cookie>;
using model_reset = reset_outcome<model_cookie>;

/// A submission's answer without the word behind it.
struct model_submitted {
    u32 serial;
    bool hand_over;
    bool release_due;
};

class slow_engine {
public:
    static constexpr u32 most = 8;

    struct entry {
        model_packet p;
        bool silent;
    };

    bool acknowledges = false;
    bool outside = false;  ///< submissions run outside the interrupt lock
    bug mistake = bug::none;

    engine_state state = engine_state::idle;
    u32 last = 0;
    u32 generation = 0;
    u32 request = 0;
    u32 first = 0;     ///< serial of the oldest entry
    u32 count = 0;
    u32 in_hardware = 0;  ///< of them, from the oldest
    u32 requested = 0;    ///< of them, submitted before the outstanding request
    bool ask_outstanding = false;
    u32 newest_id = 0;
    entry list[most]{};

    [[nodiscard]] bool has(bug b) const { return mistake == b; }

    [[nodiscard]] model_submitted submit(model_packet const& p) {
        u32 const serial = first + count;
        list[count++] = {p, false};
        newest_id = p.fence_id;
        if (state == engine_state::idle || state == engine_state::busy) {
            state = engine_state::busy;
            in_hardware = count;
            return {serial, true, false};
        }
        if (state == engine_state::stopping && has(bug::handed_over_while_stopping)) {
            in_hardware = count;
            return {serial, true, false};
        }
        if (state == engine_state::releasing && has(bug::handed_over_while_releasing)) {
            return {serial, true, false};
        }
        if (ask_outstanding && has(bug::mark_moves_with_submissions)) {
            requested = count;
        }
        return {serial, false, state == engine_state::releasing};
    }

    [[nodiscard]] rejection rejected(u32 id);
    [[nodiscard]] model_outcome preempt(u32 id);
    [[nodiscard]] model_outcome completed(u32 serial);
    [[nodiscard]] model_outcome stopped(stop const& s);
    [[nodiscard]] model_outcome faulted(fault f);
    [[nodiscard]] model_reset engine_reset(executing e);
    [[nodiscard]] serial_range release();
    u32 adapter_reset();
    bool restart();

    /// The place of a serial among what hardware holds, or in_hardware when it is not there.
    [[nodiscard]] u32 place_of(u32 serial) const {
        for (u32 i = 0; i != in_hardware; ++i) {
            if (first + i == serial) {
                return i;
            }
        }
        return in_hardware;
    }

private:
    void remove(u32 n);
    void retire(u32 n);
    void retire_silent();
    void let_go();
    void answer(model_outcome& out);
    void settle(model_outcome& out);
};

}  // namespace preemption_test
