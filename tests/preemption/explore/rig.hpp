// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/preemption/engine/engine.hpp>
#include <wddmcore/preemption/engine/resume_slot.hpp>

/// One engine in the hands of a test, and what it learns of the packets that leave.
namespace preemption_rig {
using namespace wddmcore;
using namespace wddmcore::preemption;

inline constexpr engine_kind inside{stopping::inside_a_buffer, true};
inline constexpr engine_kind between{stopping::between_buffers, false};
inline constexpr engine_kind nowhere{stopping::nowhere, false};

constexpr actions both(action a, action b) { return only(a) | b; }

template <u32 Capacity = 8>
struct rig {
    using machine = engine<Capacity, under_interrupt_lock, u32>;
    using packet = typename machine::packet;

    machine e{};
    u32 fates[7] = {};  ///< how many packets left with each fate
    u32 handed = 0;     ///< how many were given to hardware

    struct counter {
        rig* r;
        constexpr void operator()(packet const&, fate why) const { ++r->fates[static_cast<u32>(why)]; }
    };

    constexpr explicit rig(engine_kind kind, u32 last = 0, serial first = {1}) { e.start(kind, {last}, first); }

    [[nodiscard]] constexpr counter on_leave() { return {this}; }
    [[nodiscard]] constexpr u32 left(fate why) const { return fates[static_cast<u32>(why)]; }
    [[nodiscard]] constexpr u32 last() const { return e.last_completed().n; }

    static constexpr packet make(u32 id, u32 flags = 0, packet_window window = {0, 8}) {
        return {{id}, flags, window, id};
    }
    constexpr void hand_over() {
        while (e.next()) {
            ++handed;
        }
    }
    /// Submits and hands over; the serial that hardware will write.
    constexpr serial submit(u32 id, u32 flags = 0, packet_window window = {0, 8}) {
        serial const number = e.next_serial();
        static_cast<void>(e.submit(make(id, flags, window)));
        hand_over();
        return number;
    }
    constexpr actions preempt(u32 id) { return e.preempt({id}, on_leave()); }
    constexpr actions completed(serial s) { return e.completed(s, on_leave()); }
    constexpr actions stopped(serial through, bool half_run) {
        return e.stopped(e.report().asked, through, half_run, on_leave());
    }
};

}  // namespace preemption_rig
