// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../trace.hpp"
#include "../vidmm/journal.hpp"
#include "../vidmm/random.hpp"
#include "calls/ddi_calls.hpp"
#include "display/model.hpp"
#include "model.hpp"
#include "options.hpp"
#include "report.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>

namespace wddmcore::inline WDDMCORE_ABI::testing::scheduler::parts {

using vidmm_parts::dice;

/// Everything that the parts of the simulator share.
struct world {
    world(wddmcore_driver_table const& driver, options const& chosen, std::uint64_t with_seed)
        : opt(chosen),
          table(whole(driver)),
          version(interface_version_of(table.version)),
          calls(calls_for(table)),
          seed(with_seed),
          random(with_seed),
          hardware_random(vidmm_parts::mixed(with_seed) ^ 0x6870'7565U),
          sources(table.set_vidpn_source_address != nullptr && opt.display.declared ? opt.display.sources : 0) {
        for (std::uint32_t n = 0; n < opt.nodes; ++n) {
            for (std::uint32_t e = 0; e < opt.engines; ++e) {
                os_engine os_side;
                os_side.node = n;
                os_side.engine = e;
                os_side.next_id = opt.first_fence_id + opt.fence_id_distance * static_cast<std::uint32_t>(os.size());
                os.push_back(os_side);
                hardware_engine hw_side;
                hw_side.node = n;
                hw_side.engine = e;
                hw.push_back(hw_side);
                if (opt.trace != nullptr) {
                    opt.trace->name_track(track(hw.size() - 1), title(hw.size() - 1), "engine");
                    opt.trace->name_track(track(hw.size() - 1) + 1, title(hw.size() - 1) + ": system", "system");
                }
            }
        }
    }

    options opt;
    wddmcore_driver_table table;
    wddm version;
    ddi_calls calls;
    std::uint64_t seed;
    dice random;           // of the system
    dice hardware_random;  // of the engines
    report out;

    std::uint64_t step = 0;
    unsigned irql = wddmcore_passive_level;
    bool in_interrupt = false;
    std::map<std::uint32_t, std::uint64_t> row_is_free_at;  // of the trace, in nanoseconds
    bool dpc_queued = false;
    bool notified = false;        // a record since the current interrupt level was entered
    bool record_waits = false;    // a record since the last notify-DPC
    bool vsync_notified = false;  // the same two of vsyncs
    bool vsync_waits = false;
    bool told_dpc = false;          // notify-DPC since the current DPC began
    bool quiet = false;             // no interrupt in the middle of a call
    bool whole_reset = false;       // from the start of the adapter reset to the restart
    bool adapter_is_reset = false;  // between the two calls
    bool stopped = false;
    char const* call = "";  // the driver's function that runs
    std::uint64_t call_number = 0;
    std::uint64_t calls_made = 0;
    std::uint64_t sequence = 0;

    std::deque<context> contexts;
    std::deque<packet> packets;
    std::vector<os_engine> os;
    std::vector<hardware_engine> hw;
    std::map<std::uint64_t, std::vector<command>> memory;  // DMA buffers by address
    std::map<std::uint64_t, std::uint32_t> windows;        // packets by the address of their first byte
    std::map<std::uint64_t, save_area> areas;
    std::vector<stale_event> stale;
    std::vector<display_source> sources;                 // none where the driver flips nothing
    std::function<void(std::uint32_t)> watch_preempted;  // by a probe: the ids of preemptions as they come
    std::function<void()> between_instructions;          // interrupts in the middle of a call

    [[nodiscard]] std::uint64_t now() const { return step * opt.timing.step_ns; }
    [[nodiscard]] bool is_2_0() const { return at_least(version, wddm::v2_0); }
    /// Whether the driver patches what is submitted to it.
    [[nodiscard]] bool patches() const { return !opt.virtual_addresses && opt.patch && table.patch != nullptr; }
    [[nodiscard]] std::size_t index_of(std::uint32_t node, std::uint32_t engine) const {
        return node * opt.engines + engine;
    }
    [[nodiscard]] os_engine& os_of(context const& c) { return os[index_of(c.node, c.engine)]; }
    [[nodiscard]] hardware_engine& hw_of(os_engine const& e) { return hw[index_of(e.node, e.engine)]; }
    [[nodiscard]] os_engine& os_of(hardware_engine const& e) { return os[index_of(e.node, e.engine)]; }
    [[nodiscard]] context& context_of(packet const& p) { return contexts[p.context]; }

    [[nodiscard]] static std::string hex(std::uint64_t value) { return testing::trace::hexadecimal(value); }
    [[nodiscard]] std::uint32_t track(std::size_t engine) const { return static_cast<std::uint32_t>(2 * engine); }
    [[nodiscard]] std::string title(std::size_t engine) const {
        return "node " + std::to_string(os[engine].node) + ", engine " + std::to_string(os[engine].engine);
    }
    [[nodiscard]] static std::string name(packet const& p) {
        char const* const what = p.is == packet::kind::context_switch ? "context switch"
                                 : p.is == packet::kind::paging       ? "paging"
                                 : p.null_rendering                   ? "null rendering"
                                                                      : "render";
        return std::string(what) + " packet " + std::to_string(p.number) + " of context " + std::to_string(p.context);
    }

    void held(rule which) { out.exercised(which); }

    /// Notes a broken rule, with the engine's state.
    void broken(rule which, std::string sentence, os_engine const& e) {
        say("broken: " + std::string(id_of(which)) + ": " + sentence);
        out.broken(which, std::move(sentence), state_of(e));
        stopped = stopped || (opt.stop_after != 0 && out.violations().size() >= opt.stop_after);
    }

    /// Holds or is broken.
    void check(bool right, rule which, char const* sentence, os_engine const& e) {
        if (right) {
            held(which);
        } else {
            broken(which, sentence, e);
        }
    }

    void say(std::string line) {
        if (opt.keep_journal) {
            out.journal.push_back(std::to_string(step) + ": " + std::move(line));
        }
    }

    /// A number for the arrows of one submission or request in the trace; 0 without a trace.
    [[nodiscard]] std::uint64_t new_flow() { return opt.trace != nullptr ? opt.trace->new_flow() : 0; }

    /// An event of one engine, for the journal and the trace.
    /// @param flow  of a submission, a request or a report about them: these get a row of their own
    void event(os_engine const& e, std::string const& what, std::uint64_t flow = 0) {
        say("node " + std::to_string(e.node) + " engine " + std::to_string(e.engine) + ": " + what);
        if (opt.trace != nullptr && flow != 0) {
            std::uint32_t const row = track(index_of(e.node, e.engine)) + 1;
            // Those of one step stand side by side, or an arrow could lead to another one.
            std::uint64_t& free = row_is_free_at[row];
            std::uint64_t const start = std::max(now(), free);
            free = start + std::max<std::uint64_t>(opt.timing.step_ns / 16, 1);
            opt.trace->span(row, what, start, free - start);
            opt.trace->flow(flow, row, start);
        } else if (opt.trace != nullptr) {
            opt.trace->moment(track(index_of(e.node, e.engine)), what, now());
        }
    }

    [[nodiscard]] std::string state_of(os_engine const& e) {
        std::string text = "seed " + std::to_string(seed) + ", step " + std::to_string(step) + ", in " +
                           (*call == '\0' ? "no call" : call) + ", node " + std::to_string(e.node) + " engine " +
                           std::to_string(e.engine) + ": last completed " + hex(e.last_completed) + ", in flight";
        for (flight const& f : e.flights) {
            packet const& p = packets[f.packet];
            text += ' ' + hex(f.fence) + (p.silent ? " (rejected)" : p.finished ? " (finished)" : "");
        }
        text += e.flights.empty() ? " nothing" : "";
        if (e.asked) {
            text += ", request " + hex(e.asked->fence) + " since step " + std::to_string(e.asked->step);
        }
        hardware_engine const& h = hw_of(e);
        text += ", ring";
        for (ring_entry const& r : h.ring) {
            text += ' ' + hex(r.what.buffer + r.what.start) + (r.begun ? " (begun)" : "");
        }
        text += h.ring.empty() ? " empty" : "";
        return text + (h.armed ? ", stop armed" : "") + (h.hung ? ", hung" : "") +
               (h.fault_halted ? ", halted by a fault" : "") + (h.waiting ? ", waiting" : "");
    }

    /// The rule that the driver breaks if it took a packet and never gave it to the hardware.
    [[nodiscard]] static rule rule_of_lost(packet const& p) {
        return p.null_rendering                       ? rule::pre_29
               : p.is == packet::kind::context_switch ? rule::ctx_01
               : p.start == p.end                     ? rule::ctx_05
               : p.held                               ? rule::amb_45
               : p.paging && p.came_back              ? rule::pre_16
               : p.silent                             ? rule::pre_30
                                                      : rule::pre_15;
    }

    /// Whether the engine has done what the packet asks for, as far as that can be seen.
    [[nodiscard]] static bool really_finished(packet const& p) {
        return p.finished || p.silent || (p.commands == 0 && p.is != packet::kind::context_switch) || p.null_rendering;
    }
};

/// A call of the driver: its level, its name.
class driver_call {
public:
    driver_call(world& w, char const* name, unsigned irql)
        : w_(w), irql_(w.irql), call_(w.call), number_(w.call_number) {
        w_.irql = irql;
        w_.call = name;
        w_.call_number = ++w_.calls_made;
        vidmm_parts::journal::current().call(name, false);
    }
    ~driver_call() {
        w_.irql = irql_;
        w_.call = call_;
        w_.call_number = number_;
    }
    driver_call(driver_call const&) = delete;
    driver_call& operator=(driver_call const&) = delete;

private:
    world& w_;
    unsigned irql_;
    char const* call_;
    std::uint64_t number_;
};

}  // namespace wddmcore::testing::scheduler::parts
