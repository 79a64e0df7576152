// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "key.hpp"
#include "moves.hpp"
#include "stale.hpp"

#include <string>
#include <vector>

/// Breadth first over all histories of one configuration, to closure: the first violation has the shortest history.
namespace preemption_explore {

/// A set of 64-bit keys.
class seen_states {
    std::vector<u64> places_ = std::vector<u64>(1024);
    std::size_t count_ = 0;

    void put(u64 key) {
        std::size_t at = static_cast<std::size_t>(key >> 7) & (places_.size() - 1);
        while (places_[at] != 0) {
            at = (at + 1) & (places_.size() - 1);
        }
        places_[at] = key;
    }

public:
    [[nodiscard]] std::size_t size() const { return count_; }

    /// Whether it was not there.
    bool insert(u64 key) {
        key |= 1;
        std::size_t at = static_cast<std::size_t>(key >> 7) & (places_.size() - 1);
        while (places_[at] != 0) {
            if (places_[at] == key) {
                return false;
            }
            at = (at + 1) & (places_.size() - 1);
        }
        places_[at] = key;
        if (++count_ * 2 > places_.size()) {
            std::vector<u64> old(places_.size() * 2);
            old.swap(places_);
            for (u64 const other : old) {
                if (other != 0) {
                    put(other);
                }
            }
        }
        return true;
    }
};

struct outcome {
    u64 states = 0;
    u64 moves = 0;
    u32 depth = 0;
    std::string broken;  ///< the rule and the shortest history; empty when there is none
};

/// Nothing goes on by itself any more: then all must be over, unless the engine waits for a reset.
inline void check_end(world& w) {
    scheduler const& s = w.system;
    hardware const& g = w.gpu;
    bool const can_be_asked = s.requests != 0 && !s.requested;
    if (s.halted || (can_be_asked && g.length != 0 && !g.running && !can_start(w))) {
        return;
    }
    for (u32 packet = 0; packet < w.how->packets->count; ++packet) {
        require(w, w.ended(packet), "a packet never runs, or is never reported");
    }
    require(w, !s.requested, "PRE-11: a request is never answered");
    require(w, w.engine.state() == engine_state::idle, "the engine is not idle at the end");
    for (resume_slot const& slot : w.slots) {
        require(w, !slot.taken, "AMB-52: a resume slot outlives its packet");
    }
}

/// How a state was reached: the state before, and the step.
struct trail {
    u32 from;
    move by;
};

inline std::string history(options const& o, std::vector<trail> const& trails, u32 last, move by, char const* what) {
    std::vector<move> moves{by};
    for (u32 at = last; at != 0; at = trails[at].from) {
        moves.insert(moves.begin(), trails[at].by);
    }
    std::string text = what;
    text += std::string("\n  packets ") + o.packets->name + "; " + trouble_names[static_cast<u32>(o.what)] +
            "; stops " + std::to_string(static_cast<u32>(o.kind.stops)) + "; acknowledges " +
            std::to_string(bit(o.kind.acknowledges_when_idle)) + "; meanwhile " +
            std::to_string(bit(o.submits_meanwhile)) + "; delayed " + std::to_string(bit(o.delayed)) + "\n ";
    for (move const& m : moves) {
        text += std::string(" | ") + step_names[static_cast<u32>(m.what)];
        text += m.what == step::submit ? " " + std::to_string(m.packet) : "";
    }
    return text;
}

inline outcome explore(options const& o) {
    outcome result;
    seen_states seen;
    std::vector<trail> trails{{0, {step::submit, 0}}};
    std::vector<world> level{begin(o)};
    std::vector<world> next_level;
    u32 first_of_level = 0;
    seen.insert(key(level[0]));
    for (; !level.empty(); ++result.depth) {
        for (u32 i = 0; i < level.size(); ++i) {
            u32 const at = first_of_level + i;
            bool goes_on = false;
            for (u32 what = 0; what < steps; ++what) {
                for (u32 packet = 0; packet < (what == 0 ? o.packets->count : 1u); ++packet) {
                    move const m{static_cast<step>(what), packet};
                    if (!enabled(level[i], m)) {
                        continue;
                    }
                    goes_on = goes_on || what < steps_that_go_on;
                    ++result.moves;
                    world w = level[i];
                    take(w, m);
                    bool const is_new = w.broken == nullptr && seen.insert(key(w));
                    if (is_new) {
                        w.broken = try_stale_events(w.engine);
                    }
                    if (w.broken != nullptr) {
                        result.states = seen.size();
                        result.broken = history(o, trails, at, m, w.broken);
                        return result;
                    }
                    if (is_new) {
                        trails.push_back({at, m});
                        next_level.push_back(w);
                    }
                }
            }
            if (!goes_on) {
                check_end(level[i]);
                if (level[i].broken != nullptr) {
                    result.states = seen.size();
                    result.broken = history(o, trails, trails[at].from, trails[at].by, level[i].broken);
                    return result;
                }
            }
        }
        first_of_level += static_cast<u32>(level.size());
        level.swap(next_level);
        next_level.clear();
    }
    result.states = seen.size();
    return result;
}

}  // namespace preemption_explore
