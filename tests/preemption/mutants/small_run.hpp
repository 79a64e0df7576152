// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../explore/search.hpp"
#include "../explore/table.hpp"

#include <cstdio>
#include <string_view>

/// The explorer and the table as one small program, for the broken variants of tests/stages/mutants.py: it ends at the
/// first violation, with 1.
namespace preemption_mutants {
using namespace preemption_explore;

inline constexpr std::string_view mistakes[] = {
    "none",          "no_collecting",      "completion_first", "completed_by_os_id",  "no_disarm",
    "slot_not_kept", "slot_kept_too_long", "no_hand_over",     "reset_before_judged", "refusal_not_told",
};

inline bool table_holds() {
    for (preemption_table::row const& r : preemption_table::table) {
        for (u32 from = 0; from < engine_states; ++from) {
            if (!preemption_table::holds(r, static_cast<engine_state>(from))) {
                std::printf("the table: event %u in state %u\n", static_cast<u32>(r.what), from);
                return false;
            }
        }
    }
    if (!preemption_table::other_kinds_hold()) {
        std::printf("the table: the other kinds of hardware\n");
        return false;
    }
    return true;
}

inline bool explored(options o, mistake wrong) {
    o.wrong = wrong;
    outcome const one = explore(o);
    if (!one.broken.empty()) {
        std::printf("%s\n", one.broken.c_str());
    }
    return one.broken.empty();
}

/// Hardware of the two kinds that differ most in every trouble, each with one pool of each sort.
inline bool all_explored(mistake wrong) {
    engine_kind const kinds[] = {
        {stopping::inside_a_buffer, true}, {stopping::between_buffers, false}, {stopping::nowhere, true}};
    u32 const chosen[] = {10, 7, 6, 2, 8, 12};
    for (u32 const p : chosen) {
        for (u32 k = 0; k < 3; ++k) {
            for (u32 t = 0; t < troubles; ++t) {
                // The pool of four packets only fills the ring; the other large ones take turns.
                bool const skipped = p == 12 ? t != 0 || k != 1 : p != 10 && p != 7 && (t + k + p) % 2 != 0;
                bool const delayed = (t + k) % 2 != 0;
                if (!skipped &&
                    !explored(configure(pools[p], kinds[k], static_cast<trouble>(t), true, delayed), wrong)) {
                    return false;
                }
            }
        }
    }
    return true;
}

/// @param name  a mistake of the driver
inline int run(std::string_view name) {
    for (u32 i = 0; i < sizeof(mistakes) / sizeof(mistakes[0]); ++i) {
        if (mistakes[i] == name) {
            return all_explored(static_cast<mistake>(i)) && table_holds() ? 0 : 1;
        }
    }
    std::printf("no such mistake\n");
    return 2;
}

}  // namespace preemption_mutants
