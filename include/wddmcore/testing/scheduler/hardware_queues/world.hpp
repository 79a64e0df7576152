// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../trace.hpp"
#include "../../vidmm/journal.hpp"
#include "../../vidmm/random.hpp"
#include "../report.hpp"
#include "calls.hpp"
#include "model.hpp"
#include "options.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

namespace wddmcore::inline WDDMCORE_ABI::testing::hardware_queues::parts {

using scheduler::rule;

/// Everything that the parts of the simulator share.
struct world {
    world(wddmcore_driver_table const& driver, options const& chosen, std::uint64_t with_seed)
        : opt(chosen),
          table(scheduler::parts::whole(driver)),
          version(interface_version_of(table.version)),
          read(check_table(table)),
          seed(with_seed),
          random(with_seed),
          hardware_random(vidmm_parts::mixed(with_seed) ^ 0x6877'7175U) {
        opt.list_nodes = table.switch_to_hw_context_list == nullptr ? 0
                         : table.suspend_context == nullptr         ? ~std::uint32_t{0}
                                                                    : opt.list_nodes;
        for (std::uint32_t n = 0; n < opt.nodes; ++n) {
            os_node os_side;
            os_side.node = n;
            nodes.push_back(os_side);
            hardware_node hw_side;
            hw_side.node = n;
            hw.push_back(hw_side);
            if (opt.trace != nullptr) {
                opt.trace->name_track(n, "node " + std::to_string(n), "node");
            }
        }
    }

    options opt;
    wddmcore_driver_table table;
    wddm version;
    record_reader read;
    std::uint64_t seed;
    vidmm_parts::dice random;           // of the system
    vidmm_parts::dice hardware_random;  // of the GPU
    scheduler::report out;

    std::uint64_t step = 0;
    unsigned irql = wddmcore_passive_level;
    char const* call = "";
    bool dpc_queued = false;
    bool notified = false;      // a record since the current interrupt level was entered
    bool record_waits = false;  // a record since the last notify-DPC
    bool told_dpc = false;      // notify-DPC since the current DPC began
    bool in_interrupt = false;
    bool quiet = false;        // no interrupt in the middle of a call
    bool whole_reset = false;  // from the start of the adapter reset to the end of the restart
    bool is_silent = false;  // from the end of the adapter reset until each context is a new one: none of them may run
    bool was_told_enabled = false;
    bool updating = false;  // monitored values
    bool stopped = false;
    std::uint64_t calls_made = 0;
    std::uint64_t polled_in = 0;  ///< the call in which the driver asked for an event that was not there
    std::uint32_t polls = 0;      ///< how often it did there

    std::deque<os_node> nodes;
    std::deque<hardware_node> hw;
    std::deque<os_context> contexts;
    std::deque<os_queue> queues;
    std::deque<packet> packets;
    std::deque<scheduling_log> logs;
    std::deque<native_fence> fences;
    std::function<void()> between_instructions;  // interrupts in the middle of a call
    std::function<void()> gpu_goes_on;           // in the middle of an update

    [[nodiscard]] std::uint64_t now() const { return step * opt.step_ns; }
    [[nodiscard]] bool has_list(std::uint32_t node) const { return (opt.list_nodes >> node & 1) != 0; }
    [[nodiscard]] bool releases_fence(std::uint32_t node) const { return (opt.fence_release_nodes >> node & 1) != 0; }
    [[nodiscard]] os_node& node_of(os_context const& c) { return nodes[c.node]; }
    [[nodiscard]] os_node& node_of(os_queue const& q) { return nodes[contexts[q.context].node]; }
    [[nodiscard]] static std::string hex(std::uint64_t value) { return testing::trace::hexadecimal(value); }
    [[nodiscard]] static std::string name(os_context const& c) { return "context " + std::to_string(c.index); }
    [[nodiscard]] std::string name(packet const& p) const {
        return "packet " + std::to_string(p.number) + " of queue " + std::to_string(p.queue);
    }
    // The system's handles are no pointers to anything.
    [[nodiscard]] static void* system_handle(std::uint32_t base, std::uint32_t index) {
        return reinterpret_cast<void*>(static_cast<std::uintptr_t>(base + 16 * index));
    }
    static constexpr std::uint32_t context_handles = 0x4800'0000, fence_handles = 0x4F00'0000,
                                   queue_handles = 0x5100'0000;

    [[nodiscard]] static hardware_context* find(hardware_node& h, std::uint64_t area) {
        auto const at = std::find_if(h.contexts.begin(), h.contexts.end(),
                                     [area](hardware_context const& c) { return c.area == area; });
        return at == h.contexts.end() ? nullptr : &*at;
    }
    [[nodiscard]] hardware_context* find(os_context const& c) {
        hardware_context* const found = find(hw[c.node], c.area);
        return found != nullptr && found->context == c.index ? found : nullptr;
    }

    /// Whether anything on the GPU refers to the context, or will (HWS-03).
    [[nodiscard]] bool is_referenced(os_context const& c) {
        hardware_node& h = hw[c.node];
        hardware_context* const own = find(c);
        if (own == nullptr) {
            return false;
        }
        bool const comes = std::any_of(h.requests.begin(), h.requests.end(), [&](request const& r) {
            return r.area == c.area && r.what == request::kind::run;
        });
        bool const drains = std::any_of(own->rings.begin(), own->rings.end(),
                                        [](hardware_ring const& r) { return !r.draining.empty(); });
        bool const listed = h.first == c.area || h.second == c.area;
        return (own->runnable && !has_list(c.node)) || h.loaded == c.area || (h.saving && h.saving->area == c.area) ||
               comes || drains || listed;
    }

    void held(rule which) { out.exercised(which); }

    /// Notes a broken rule, with the node's state.
    void broken(rule which, std::string sentence, os_node const& n) {
        say("broken: " + std::string(scheduler::id_of(which)) + ": " + sentence);
        out.broken(which, std::move(sentence), state_of(n));
        stopped = stopped || (opt.stop_after != 0 && out.violations().size() >= opt.stop_after);
    }

    /// Holds or is broken.
    void check(bool right, rule which, std::string sentence, os_node const& n) {
        if (right) {
            held(which);
        } else {
            broken(which, std::move(sentence), n);
        }
    }

    void say(std::string line) {
        if (opt.keep_journal) {
            out.journal.push_back(std::to_string(step) + ": " + std::move(line));
        }
    }

    /// An event of one node, for the journal and the trace.
    void event(os_node const& n, std::string const& what) {
        say("node " + std::to_string(n.node) + ": " + what);
        if (opt.trace != nullptr) {
            opt.trace->moment(n.node, what, now());
        }
    }

    /// The system reads the progress fences: each value must be of a packet whose work is done (HWS-06).
    void look_at_progress() {
        for (os_queue& q : queues) {
            if (!q.destroyed && q.progress != q.seen && !stopped) {
                look_at_progress(q);
            }
        }
    }

    [[nodiscard]] std::string state_of(os_node const& n) {
        std::string text = "seed " + std::to_string(seed) + ", step " + std::to_string(step) + ", in " +
                           (*call == '\0' ? "no call" : call) + ", node " + std::to_string(n.node) +
                           (n.halted ? " (halted)" : "") + ':';
        for (os_context const& c : contexts) {
            if (c.node != n.node || c.destroyed) {
                continue;
            }
            text += ' ' + name(c) +
                    (c.invalid                                  ? " (invalid)"
                     : c.wanted == os_context::wish::suspended  ? " (suspended)"
                     : c.wanted == os_context::wish::suspending ? " (suspending)"
                                                                : "");
            if (c.fence != 0) {
                text += " fence " + hex(c.fence);
            }
            hardware_context* const own = find(c);
            text += own == nullptr ? ", unknown to the GPU;" : own->runnable ? ", may run;" : ", may not run;";
        }
        hardware_node const& h = hw[n.node];
        return text + " on the chip " + hex(h.loaded) + ", list " + hex(h.first) + ' ' + hex(h.second) + ", requests " +
               std::to_string(h.requests.size()) + ", events " + std::to_string(h.events.size()) +
               (h.hung ? ", hung" : "") + (h.halted ? ", halted" : "");
    }

private:
    void look_at_progress(os_queue& q) {
        os_node& n = node_of(q);
        std::uint64_t const value = q.progress;
        event(n, "progress fence of queue " + std::to_string(q.index) + " is " + hex(value));
        auto const last =
            std::find_if(q.flying.begin(), q.flying.end(), [&](std::uint32_t p) { return packets[p].fence == value; });
        if (value < q.seen || last == q.flying.end()) {
            broken(rule::hws_06, "a progress fence has the value " + hex(value) + ", which is of no packet in flight",
                   n);
            return;
        }
        for (auto at = q.flying.begin(); at != last + 1; ++at) {
            packet const& p = packets[*at];
            if (!p.may_signal(releases_fence(n.node)) && p.now != packet::stage::aborted) {
                broken(rule::hws_06, "the progress fence of " + name(p) + " is written and its buffer is still in use",
                       n);
                return;
            }
        }
        held(rule::hws_06);
        q.seen = value;
        while (!q.flying.empty() && packets[q.flying.front()].fence <= value) {
            packet& p = packets[q.flying.front()];
            p.now = p.now == packet::stage::aborted ? p.now : packet::stage::completed;
            out.count.completions += p.now == packet::stage::completed ? 1U : 0U;
            q.flying.pop_front();
        }
    }
};

/// A call of the driver: its level, its name.
class driver_call {
public:
    driver_call(world& w, char const* name, unsigned irql) : w_(w), irql_(w.irql), call_(w.call) {
        w_.irql = irql;
        w_.call = name;
        ++w_.calls_made;
        vidmm_parts::journal::current().call(name, false);
    }
    ~driver_call() {
        w_.look_at_progress();
        w_.irql = irql_;
        w_.call = call_;
    }
    driver_call(driver_call const&) = delete;
    driver_call& operator=(driver_call const&) = delete;

private:
    world& w_;
    unsigned irql_;
    char const* call_;
};

}  // namespace wddmcore::testing::hardware_queues::parts
