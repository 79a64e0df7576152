// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "system_model.hpp"

namespace preemption_test {

/// Preempted paging comes first (PRE-16); otherwise contexts take turns in any order, each in its own order: while a
/// packet may yet be given back, nothing of its context may be submitted behind it.
bool system_model::may_submit(setup const& s, u32 p) const {
    if (fates[p] != fate::queued || adapter_reset_due || (outstanding && !s.submits_during_request)) {
        return false;
    }
    for (u32 q = 0; q != s.pool.size(); ++q) {
        bool const first = came_back[q] && pages(s.pool[q].what) && (!(came_back[p] && pages(s.pool[p].what)) || q < p);
        bool const earlier = q < p && s.pool[q].context == s.pool[p].context;
        bool const in_doubt = outstanding && fates[q] == fate::submitted && s.pool[q].context == s.pool[p].context;
        if (q != p && ((fates[q] == fate::queued && (first || earlier)) || in_doubt)) {
            return false;
        }
    }
    // A wait that was taken back goes behind what it waits for: the system has learnt.
    bool const learnt = s.pool[p].what == kind::wait && came_back[p];
    return !learnt || fates[s.pool[p].waits_for] != fate::queued;
}

void system_model::submit(setup const& s, u32 p) {
    bool const old_name = came_back[p] && pages(s.pool[p].what);
    ids[p] = old_name ? ids[p] : next_id++;
    fates[p] = fate::submitted;
    handed_over[p] = false;
    sent[sent_count++] = static_cast<u8>(p);
    silent_follow(s);
}

bool system_model::finished() const {
    return sent_count == 0 && !outstanding && !reset_due && !adapter_reset_due && !down;
}

u32 system_model::find(u32 id) const {
    for (u32 i = 0; i != sent_count; ++i) {
        if (ids[sent[i]] == id) {
            return i;
        }
    }
    return sent_count;
}

void system_model::forget(u32 n) {
    for (u32 i = n; i < sent_count; ++i) {
        sent[i - n] = sent[i];
    }
    sent_count = static_cast<u8>(sent_count - n);
    for (u32 i = sent_count; i != most_packets_of_a_pool; ++i) {
        sent[i] = 0;
    }
    before_request = static_cast<u8>(before_request < n ? 0 : before_request - n);
    before_first_request = static_cast<u8>(before_first_request < n ? 0 : before_first_request - n);
}

void system_model::give_back(setup const& s, u32 n) {
    for (u32 i = 0; i != n; ++i) {
        u32 const p = sent[i];
        check(effects[p] != all, "PRE-12: an executed packet is to run again");
        bool const never_again = s.pool[p].what == kind::rejected;
        fates[p] = never_again ? fate::done : fate::queued;
        came_back[p] = true;
        handed_over[p] = false;
    }
    forget(n);
}

/// PRE-30: its fence counts as completed once everything before it is; an outstanding request is before it too, unless
/// only a reset can end that.
void system_model::silent_follow(setup const& s) {
    while (sent_count != 0 && s.pool[sent[0]].what == kind::rejected && (!outstanding || before_first_request != 0 || reset_due)) {
        last = ids[sent[0]];
        fates[sent[0]] = fate::done;
        forget(1);
    }
}

void system_model::everything_before_ran(setup const& s, u32 n, char const* rule) {
    for (u32 i = 0; i != n; ++i) {
        check(s.pool[sent[i]].what == kind::rejected || effects[sent[i]] == all, rule);
        fates[sent[i]] = fate::done;
    }
}

void system_model::hears_completed(setup const& s, u32 id) {
    u32 const k = find(id);
    check(k != sent_count, "INT-07: a completed id that is not in flight");
    if (k == sent_count) {
        return;
    }
    everything_before_ran(s, k + 1, "INT-07: completed, and never executed");
    last = id;
    forget(k + 1);
    silent_follow(s);
}

void system_model::hears_faulted(setup const& s, u32 id, bool known, bool needs_reset) {
    reset_due = reset_due || needs_reset;
    if (!known) {
        silent_follow(s);
        return;
    }
    u32 const k = find(id);
    check(k != sent_count, "INT-09: a faulted id that is not in flight");
    if (k == sent_count) {
        return;
    }
    everything_before_ran(s, k, "INT-09: before a fault, and never executed");
    check(effects[sent[k]] == faulted, "INT-09: another packet faulted");
    fates[sent[k]] = fate::given_up;
    last = id;
    forget(k + 1);
    silent_follow(s);
}

void system_model::hears_preempted(setup const& s, u32 id, u32 last_completed) {
    check(outstanding, "PRE-08: a report nobody asked for");
    check(id == request, "PRE-11: the report names another request");
    check(last_completed == last, "PRE-13: the report names another last completed");
    outstanding = false;
    give_back(s, before_request);
    before_request = before_first_request = 0;
    silent_follow(s);
}

/// @param executing  the packet that ran when the engine was stopped, or none
/// @param anybody    the hardware cannot tell, so that an innocent packet may be named (AMB-47)
void system_model::hears_reset(setup const& s, u32 aborted, u32 executing, bool anybody) {
    outstanding = false;
    reset_due = false;
    before_request = before_first_request = 0;
    silent_follow(s);
    u32 const k = find(aborted);
    check(aborted == last || k != sent_count, "TDR-05: the aborted id is neither last completed nor in flight");
    if (k != sent_count) {
        u32 const p = sent[k];
        everything_before_ran(s, k, "TDR-05: before the aborted one, and never executed");
        check(p == executing || anybody, "TDR-07: a packet is named that was not executing");
        check(handed_over[p], "TDR-07: a packet is named that hardware never had");
        check(effects[p] != all, "TDR-07: a packet is named that had finished");
        fates[p] = fate::given_up;
        last = aborted;
        forget(k + 1);
        adapter_reset_due = pages(s.pool[p].what);
    }
    silent_follow(s);
    give_back(s, sent_count);
}

void system_model::resets_adapter() {
    for (u32 i = 0; i != sent_count; ++i) {
        fates[sent[i]] = fate::given_up;
    }
    if (sent_count != 0) {
        last = ids[sent[sent_count - 1]];
    }
    forget(sent_count);
    // Saved state is gone with the adapter, and with it the contexts that were half way through something.
    for (u32 p = 0; p != most_packets_of_a_pool; ++p) {
        fates[p] = fates[p] == fate::queued && effects[p] != nothing ? fate::given_up : fates[p];
    }
    outstanding = false;
    before_request = before_first_request = 0;
    reset_due = false;
    adapter_reset_due = false;
    down = true;
}

}  // namespace preemption_test
