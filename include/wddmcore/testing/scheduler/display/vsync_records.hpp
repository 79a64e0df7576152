// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../world.hpp"

#include <algorithm>
#include <iterator>

namespace wddmcore::inline WDDMCORE_ABI::testing::scheduler::parts {

/// What the driver tells of vsyncs, and what is wrong with it.
class vsync_records {
public:
    explicit vsync_records(world& w) : w_(w) {}

    /// Whether the record is a vsync of a display that is judged.
    [[nodiscard]] bool judges(record const& r) const {
        return r.type == interrupt_type::crtc_vsync && !w_.sources.empty();
    }

    /// A vsync was notified.
    void take(record const& r) {
        w_.event(any(), "vsync of target " + std::to_string(r.target) + " tells " + world::hex(r.address));
        if (r.target >= w_.sources.size()) {
            w_.broken(rule::flp_05, "a vsync of target " + std::to_string(r.target) + ", which does not exist", any());
            return;
        }
        display_source& s = w_.sources[r.target];
        if (r.address == 0) {
            w_.broken(rule::flp_05,
                      s.blanked ? "a vsync is reported without an address while the source is blanked"
                                : "a vsync is reported without an address",
                      any());
            return;
        }
        s.told_since = true;
        // It may be told late, so the last one that was told is right as well, but nothing older.
        auto const is_this = [&r](latched_address const& l) { return l.address == r.address; };
        auto const last = std::find_if(s.taken.rbegin(), s.taken.rend(), is_this);
        if (last == s.taken.rend()) {
            bool const early = s.pending && s.programmed == r.address;
            w_.broken(rule::flp_04,
                      "the vsync tells " + world::hex(r.address) + (early ? ", which waits for its vsync" : "") +
                          "; scanned out is " + world::hex(s.scanned_out()),
                      any());
            return;
        }
        w_.held(rule::flp_04);
        std::uint64_t const number = last->number;
        s.taken.erase(s.taken.begin(), std::prev(last.base()));
        s.owed = number >= s.owed ? 0 : s.owed;
        latched(s, r.address);
        if (s.blanked) {
            w_.held(rule::flp_05);
        }
    }

    /// After the interrupts were served: each vsync that was dismissed is told, with what was scanned out then.
    void nothing_left() {
        for (display_source& s : w_.sources) {
            if (s.owed == 0 || s.news) {
                continue;
            }
            bool const stale = s.told_since;
            s.owed = 0;
            w_.broken(stale ? rule::flp_04 : rule::flp_05,
                      stale ? "the vsync tells an address that was replaced; scanned out is " +
                                  world::hex(s.scanned_out())
                            : "a vsync was dismissed and is not reported",
                      any());
        }
    }

private:
    [[nodiscard]] os_engine& any() { return w_.os.front(); }

    // The system has asked for no other flip since: what it asked for is what was taken, or is older.
    void latched(display_source& s, std::uint64_t address) {
        if (!s.asked || !s.asked->programmed || s.asked->address != address) {
            return;
        }
        w_.held(rule::flp_07);
        if (s.asked->disturbed) {
            w_.held(rule::flp_01);
        }
        ++w_.out.count.flips;
        s.asked.reset();
    }

    world& w_;
};

}  // namespace wddmcore::testing::scheduler::parts
