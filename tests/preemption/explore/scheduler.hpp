// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "world.hpp"

/// The system's side: what it may submit next, and what it makes of each record.
namespace preemption_explore {

inline void drop_first(scheduler& s, u32 count) {
    for (u32 i = count; i < s.length; ++i) {
        s.list[i - count] = s.list[i];
    }
    s.length -= count;
    s.covered -= s.covered < count ? s.covered : count;
}

/// Where an id stands among the submitted packets; most_packets if nowhere.
inline u32 find(scheduler const& s, u32 id) {
    for (u32 i = 0; i < s.length; ++i) {
        if (s.id[s.list[i]] == id) {
            return i;
        }
    }
    return most_packets;
}

/// Rejected packets complete when all before them has (PRE-30), but not ahead of the answer to a request that does not
/// cover them. A newer request that does finds those whose turn has come completed (AMB-61).
inline void complete_rejected(world& w) {
    scheduler& s = w.system;
    bool const held = s.requested && !s.halted;
    while (s.length != 0 && w.kind(s.list[0]).rejected && (!held || s.covered != 0)) {
        s.at[s.list[0]] = place::done;
        s.last = s.id[s.list[0]];
        drop_first(s, 1);
    }
}

/// Takes everything before place `end` of the list as completed (INT-07).
inline void complete_before(world& w, u32 end) {
    scheduler& s = w.system;
    for (u32 i = 0; i < end; ++i) {
        u32 const packet = s.list[i];
        require(w, w.kind(packet).rejected || w.gpu.did[packet] == truth::finished,
                "PRE-12: a packet is reported completed that has not run");
        require(w, !s.requested || i < s.covered, "AMB-45: a packet that is held is reported completed");
        s.at[packet] = place::done;
        s.last = s.id[packet];
    }
    drop_first(s, end);
}

inline void hear_completed(world& w, u32 id) {
    if (w.system.deaf) {
        return;
    }
    u32 const at = find(w.system, id);
    require(w, at != most_packets, "PRE-13: a completed record names no submitted packet");
    if (at == most_packets) {
        return;
    }
    require(w, !w.kind(w.system.list[at]).rejected, "PRE-30: a rejected submission is reported");
    complete_before(w, at + 1);
    complete_rejected(w);
}

inline void hear_faulted(world& w, u32 id, bool needs_reset) {
    scheduler& s = w.system;
    if (s.deaf) {
        return;
    }
    u32 const at = find(s, id);
    require(w, at != most_packets, "INT-09: a fault names no submitted packet");
    if (at == most_packets) {
        return;
    }
    for (u32 i = 0; i < at; ++i) {
        require(w, w.kind(s.list[i]).rejected, "PRE-13: a fault is reported before the completions ahead of it");
    }
    u32 const packet = s.list[at];
    require(w, w.gpu.did[packet] == truth::given_up, "INT-09: another packet is named faulted");
    complete_before(w, at);
    s.at[packet] = place::faulted;
    s.last = id;
    drop_first(s, 1);
    s.halted = needs_reset;
    complete_rejected(w);
}

/// What was preempted or lost comes back, but rejected packets never do (AMB-50).
inline void comes_back(world& w, u32 packet) {
    scheduler& s = w.system;
    s.returned[packet] = !w.kind(packet).rejected;
    s.at[packet] = w.kind(packet).rejected ? place::dropped : place::waiting;
}

inline void hear_preempted(world& w, u32 request, u32 last) {
    scheduler& s = w.system;
    if (s.deaf) {
        return;
    }
    require(w, s.requested, "PRE-11: a preempted record without a request");
    require(w, request == s.request, "PRE-11, AMB-15: the record carries another id than the newest request's");
    require(w, last == s.last, "PRE-11, PRE-14: the record names another last completed id");
    for (u32 i = 0; i < s.covered; ++i) {
        u32 const packet = s.list[i];
        require(w, w.gpu.did[packet] == truth::untouched || w.gpu.did[packet] == truth::begun,
                "PRE-12: a packet that has run is reported preempted");
        comes_back(w, packet);
    }
    drop_first(s, s.covered);
    s.requested = false;
    complete_rejected(w);
}

/// DxgkDdiResetEngine fails: the whole adapter is reset next (TDR-08), and what is out stays out until then. What was
/// collected while the system was deaf counts all the same, since the driver cannot take it back.
inline void hear_refused(world& w, u32 id) {
    scheduler& s = w.system;
    u32 left = 0;
    for (u32 i = 0; i < s.length; ++i) {
        u32 const packet = s.list[i];
        truth const did = w.gpu.did[packet];
        if (w.in_ring[packet]) {
            s.list[left++] = packet;
        } else if (w.kind(packet).rejected || did == truth::finished) {
            s.at[packet] = place::done;
        } else if (did == truth::given_up) {
            s.at[packet] = place::faulted;
        } else {
            comes_back(w, packet);
        }
    }
    require(w, !w.how->hears_collected || (left == s.length && id == s.last),
            "TDR-07: a refused reset names another id than the last completed one, or forgets packets");
    s.length = left;
    s.last = id;
    s.covered = 0;
    s.requested = s.halted = false;
    s.escalates = s.refused = true;
}

/// The answer of DxgkDdiResetEngine, with success.
///
/// @param heard_all  nothing was collected while the system was deaf: both know of the same completions
inline void hear_aborted(world& w, u32 id, bool heard_all) {
    scheduler& s = w.system;
    u32 const newest = s.length != 0 ? s.id[s.list[s.length - 1]] : s.last;
    require(w, !heard_all || s.length == 0 || preemption::detail::lies_within({id}, {s.last}, {newest}),
            "TDR-05: the system checks the aborted id, and stops");
    u32 sure = 0;  // rejected packets that completed as soon as everything before them had
    while (sure < s.length && w.kind(s.list[sure]).rejected) {
        ++sure;
    }
    u32 const least = sure == 0 ? s.last : s.id[s.list[sure - 1]];
    u32 const at = find(s, id);
    require(w, id == least || (at != most_packets && at >= sure),
            "TDR-05: LastAbortedFenceId is outside [last completed, last submitted]");
    if (w.broken != nullptr) {
        return;
    }
    // A paging packet may come back with the very id that the adapter reset made the last completed one.
    bool const means_it = at < s.length && (s.list[at] == w.executing || w.gpu.did[s.list[at]] == truth::finished ||
                                            w.gpu.did[s.list[at]] == truth::given_up);
    u32 const end = id == least && !means_it ? sure : at + 1;
    for (u32 i = 0; i < end; ++i) {
        u32 const packet = s.list[i];
        truth const did = w.gpu.did[packet];
        bool const over = w.kind(packet).rejected || did == truth::finished || did == truth::given_up;
        if (i + 1 == end && !over) {
            bool const innocent = w.how->what == trouble::cannot_tell;
            require(w, packet == w.executing || innocent, "TDR-07: a packet that was not executing is named aborted");
            s.at[packet] = place::aborted;
            if ((w.kind(packet).flags & submit_flag::paging) != 0) {
                s.escalates = true;
                comes_back(w, packet);
            }
            continue;
        }
        require(w, over, "TDR-07: a packet before the aborted one has not run");
        s.at[packet] = did == truth::given_up ? place::faulted : place::done;
    }
    if (w.executing != none) {
        require(w, s.at[w.executing] != place::queued, "TDR-07: the packet that was executing is not named");
    }
    for (u32 i = end; i < s.length; ++i) {
        u32 const packet = s.list[i];
        require(w, w.gpu.did[packet] != truth::finished && w.gpu.did[packet] != truth::given_up,
                "TDR-07: a packet that has run will be submitted again");
        comes_back(w, packet);
    }
    s.length = s.covered = 0;
    s.last = id;
    s.requested = s.halted = false;
}

/// DxgkDdiResetFromTimeout: everything begins again from nothing.
inline void reset_adapter(world& w) {
    scheduler& s = w.system;
    if (s.length != 0) {
        s.last = s.id[s.list[s.length - 1]];
    }
    for (u32 i = 0; i < s.length; ++i) {
        comes_back(w, s.list[i]);
    }
    s.length = s.covered = 0;
    s.requested = s.halted = s.escalates = s.refused = false;
    s.lost = true;
}

/// Whether a packet could stand ahead of the one that it waits for, with no request left to take it back.
inline bool would_block(world const& w, u32 packet) {
    u32 const first = w.kind(packet).waits_for;
    if (first == none || w.ended(first)) {
        return false;
    }
    bool const stoppable = w.how->kind.stops != stopping::nowhere;
    return w.system.requested || (w.system.at[first] == place::waiting && (!stoppable || w.system.requests == 0));
}

/// A paging packet that comes back: ahead of all others, in their old order (PRE-16, TDR-09).
inline bool goes_first(world const& w, u32 packet) {
    return w.system.returned[packet] && (w.kind(packet).flags & submit_flag::paging) != 0;
}

/// Packets of a context are submitted in order.
inline bool may_submit(world const& w, u32 packet) {
    scheduler const& s = w.system;
    if (s.at[packet] != place::waiting || s.escalates || would_block(w, packet) ||
        ((s.requested || s.lost) && !w.how->submits_meanwhile)) {
        return false;
    }
    for (u32 other = 0; other < w.how->packets->count; ++other) {
        if (other == packet) {
            continue;
        }
        // With a request outstanding, what is queued may come back and has to run first.
        bool const may_wait = s.at[other] == place::waiting || (s.at[other] == place::queued && s.requested);
        bool const same_context = other < packet && w.kind(other).context == w.kind(packet).context;
        bool const paging_first = s.at[other] == place::waiting && goes_first(w, other) && !goes_first(w, packet);
        if ((may_wait && same_context) || paging_first) {
            return false;
        }
    }
    return true;
}

/// Paging packets come back with their ids, render packets with new ones (PRE-16, PRE-17).
inline void list_submission(world& w, u32 packet) {
    scheduler& s = w.system;
    bool const keeps = s.returned[packet] && (w.kind(packet).flags & submit_flag::paging) != 0;
    s.id[packet] = keeps ? s.id[packet] : s.next_id++;
    s.at[packet] = place::queued;
    s.list[s.length++] = packet;
}

}  // namespace preemption_explore
