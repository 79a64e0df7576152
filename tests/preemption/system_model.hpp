// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "setup.hpp"

/// The GPU scheduler of the system, as the DDI's pages describe it, for one engine. It believes only what is reported,
/// and knows by magic what was executed: a report that contradicts that is wrong.
namespace preemption_test {

enum class fate : u8 { queued, submitted, done, given_up };

class system_model {
public:
    /// What a packet's commands have done to memory so far.
    enum effect : u8 { nothing, first_half, all, faulted };

    u32 next_id = 0;
    u32 last = 0;
    u32 request = 0;
    bool outstanding = false;
    u8 before_request = 0;        ///< of what was sent, submitted before the newest outstanding request
    u8 before_first_request = 0;  ///< ... before the one that hardware was asked for, where the system sends a second
    std::array<fate, most_packets_of_a_pool> fates{};
    std::array<u32, most_packets_of_a_pool> ids{};
    std::array<bool, most_packets_of_a_pool> came_back{};
    std::array<bool, most_packets_of_a_pool> handed_over{};
    std::array<u8, most_packets_of_a_pool> effects{};
    std::array<u8, most_packets_of_a_pool> sent{};  ///< submitted and not reported, oldest first
    u8 sent_count = 0;
    u8 preempts = 0, resets = 0, adapter_resets = 0;
    bool reset_due = false, adapter_reset_due = false, down = false;
    char const* wrong = nullptr;

    void check(bool holds, char const* rule) {
        if (!holds && wrong == nullptr) {
            wrong = rule;
        }
    }

    [[nodiscard]] bool may_submit(setup const& s, u32 p) const;
    void submit(setup const& s, u32 p);
    [[nodiscard]] bool finished() const;

    void ask() {
        request = next_id++;
        before_first_request = outstanding ? before_first_request : sent_count;
        outstanding = true;
        before_request = sent_count;
        preempts = static_cast<u8>(preempts == 0 ? 0 : preempts - 1);
    }
    void hears_completed(setup const& s, u32 id);
    void hears_faulted(setup const& s, u32 id, bool known, bool needs_reset);
    void hears_preempted(setup const& s, u32 id, u32 last_completed);
    void hears_reset(setup const& s, u32 aborted, u32 executing, bool anybody);
    void resets_adapter();

private:
    [[nodiscard]] u32 find(u32 id) const;
    void forget(u32 n);
    void give_back(setup const& s, u32 n);
    void silent_follow(setup const& s);
    void everything_before_ran(setup const& s, u32 n, char const* rule);
};

}  // namespace preemption_test
