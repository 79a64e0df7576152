// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "fingerprint.hpp"
#include "world.hpp"

#include <string>

/// Visits every state that a world can come to, depth first.
namespace preemption_test {

struct exploration {
    u64 states = 0;
    u64 steps = 0;
    u32 depth = 0;           ///< the longest path that was followed
    char const* wrong = nullptr;
    std::string path;        ///< how the wrong state was reached
};

template <class Machine>
class explorer {
public:
    explorer(setup const& with, bug broken) : start_(with, broken) {}

    exploration run() {
        seen_.insert(fingerprint(start_));
        visit(start_);
        return result_;
    }

private:
    void visit(world<Machine> const& w) {
        ++result_.states;
        result_.depth = result_.depth < path_.size() ? static_cast<u32>(path_.size()) : result_.depth;
        bool moves = false;
        w.for_each_event([&](event e, bool forced) {
            moves = moves || forced;
            if (result_.wrong == nullptr) {
                follow(w, e);
            }
        });
        if (!moves && result_.wrong == nullptr) {
            judge_end(w);
        }
    }

    void follow(world<Machine> const& w, event e) {
        ++result_.steps;
        world<Machine> next = w;
        next.happen(e);
        path_.push_back(e);
        if (next.wrong() != nullptr) {
            fail(next.wrong());
        } else if (seen_.insert(fingerprint(next))) {
            visit(next);
        }
        path_.pop_back();
    }

    /// Nothing more can happen: then everything must have happened.
    void judge_end(world<Machine> const& w) {
        bool all_over = w.sys.finished() && w.hardware.count == 0;
        for (u32 p = 0; p != w.s->pool.size(); ++p) {
            all_over = all_over && (w.sys.fates[p] == fate::done || w.sys.fates[p] == fate::given_up);
        }
        if (!all_over) {
            fail(w.sys.outstanding ? "PRE-08: the request is never answered" : "PRE-15: a packet is lost");
        }
    }

    void fail(char const* wrong) {
        result_.wrong = wrong;
        for (event const& e : path_) {
            result_.path += std::string(name_of(e.what)) + (e.what == step::submit ? "(" + std::to_string(e.packet) + ") " : " ");
        }
    }

    world<Machine> start_;
    fingerprint_set seen_;
    std::vector<event> path_;
    exploration result_;
};

}  // namespace preemption_test
