// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "functions.hpp"
#include "node.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::hardware_queues::parts {

/// The registers of the GPU that schedules by itself, as the driver reaches them; each use is checked.
class registers {
public:
    explicit registers(world& w) : w_(w), table_(gpu_functions<registers>::table(*this)) {
        table_.node_count = w.opt.nodes;
        table_.list_nodes = w.opt.list_nodes;
        table_.fence_release_nodes = w.opt.fence_release_nodes;
        table_.ring_entries = w.opt.ring_entries;
        table_.writes_log = w.opt.hardware_writes_log ? 1 : 0;
    }
    registers(registers const&) = delete;
    registers& operator=(registers const&) = delete;

    [[nodiscard]] wddmcore_queue_gpu const& table() const { return table_; }

    /// One step of every node that takes one.
    void advance(bool all) {
        for (hardware_node& h : w_.hw) {
            if (all || w_.hardware_random.chance(w_.opt.chances.node_steps)) {
                node_step(w_, h).advance();
            }
        }
    }

    [[nodiscard]] bool interrupts() const {
        return std::any_of(w_.hw.begin(), w_.hw.end(), [](hardware_node const& h) { return !h.events.empty(); });
    }

private:
    friend struct gpu_functions<registers>;

    // No rule names the mistake of using a node that does not exist: the first node takes the call.
    [[nodiscard]] hardware_node& at(unsigned node) {
        if (node >= w_.opt.nodes) {
            w_.broken(rule::pre_27, "the driver uses a node that does not exist", w_.nodes.front());
            return w_.hw.front();
        }
        return w_.hw[node];
    }

    [[nodiscard]] os_context* newest_of(std::uint64_t area) {
        os_context* found = nullptr;
        for (os_context& c : w_.contexts) {
            found = c.area == area ? &c : found;
        }
        return found;
    }

    [[nodiscard]] hardware_context& context_of(hardware_node& h, std::uint64_t area) {
        if (hardware_context* const known = world::find(h, area); known != nullptr) {
            return *known;
        }
        hardware_context c;
        c.area = area;
        os_context const* const own = newest_of(area);
        c.context = own != nullptr ? own->index : 0;
        h.contexts.push_back(c);
        return h.contexts.back();
    }

    [[nodiscard]] static hardware_ring* ring_of(hardware_node& h, std::uint64_t ring) {
        for (hardware_context& c : h.contexts) {
            for (hardware_ring& r : c.rings) {
                if (r.address == ring) {
                    return &r;
                }
            }
        }
        return nullptr;
    }

    void open_queue(hardware_node& h, std::uint64_t area, std::uint64_t ring, void* name) {
        hardware_context& c = context_of(h, area);
        c.name = name;
        hardware_ring r;
        r.address = ring;
        for (os_queue const& q : w_.queues) {
            r.queue = q.ring == ring && !q.destroyed ? q.index : r.queue;
        }
        c.rings.push_back(r);
    }

    void close_queue(hardware_node& h, std::uint64_t ring) {
        for (std::size_t i = 0; i < h.contexts.size(); ++i) {
            hardware_context& c = h.contexts[i];
            std::erase_if(c.rings, [ring](hardware_ring const& r) { return r.address == ring; });
            if (c.rings.empty() && (!c.runnable || w_.has_list(h.node)) && h.loaded != c.area) {
                h.contexts.erase(h.contexts.begin() + static_cast<std::ptrdiff_t>(i));
                return;
            }
        }
    }

    void append(hardware_node& h, std::uint64_t ring, wddmcore_queue_packet const& p) {
        w_.between_instructions();
        hardware_ring* const r = ring_of(h, ring);
        if (r == nullptr) {
            return;
        }
        os_queue const& q = w_.queues[r->queue];
        os_context const& c = w_.contexts[q.context];
        os_node& os = w_.node_of(q);
        auto const own = std::find_if(q.flying.begin(), q.flying.end(),
                                      [&](std::uint32_t number) { return w_.packets[number].buffer == p.buffer; });
        if (own == q.flying.end()) {
            w_.broken(rule::hws_06,
                      "a buffer goes into the ring of queue " + std::to_string(q.index) +
                          " that was not submitted to it",
                      os);
            return;
        }
        if (w_.table.set_context_scheduling_properties != nullptr) {
            hardware_context const& known = context_of(h, c.area);
            w_.check(known.band == c.band && known.priority == c.priority, rule::hws_04,
                     world::name(c) + " gets work and the hardware does not know its scheduling properties", os);
        }
        ring_entry e;
        e.what = p;
        e.packet = *own;
        w_.packets[*own].in_ring = true;
        r->entries.push_back(e);
    }

    void ask(hardware_node& h, request r) {
        os_node& os = w_.nodes[h.node];
        if (r.what == request::kind::list) {
            r.generation = os.list_generation;
        } else if (os_context const* const c = newest_of(r.area); c != nullptr) {
            r.generation = c->generation;
            r.context = c->index;
            static_cast<void>(context_of(h, r.area));
        }
        h.requests.push_back(r);
    }

    void set_priority(hardware_node& h, std::uint64_t area, std::uint32_t band, std::int32_t priority) {
        hardware_context& c = context_of(h, area);
        c.band = band;
        c.priority = priority;
    }

    void run(hardware_node& h, std::uint64_t area) { ask(h, {request::kind::run, area, 0, 0, 0, 0}); }
    void suspend(hardware_node& h, std::uint64_t area, std::uint64_t value) {
        ask(h, {request::kind::suspend, area, 0, value, 0, 0});
    }
    void set_list(hardware_node& h, std::uint64_t first, std::uint64_t second, std::uint64_t value) {
        ask(h, {request::kind::list, first, second, value, 0, 0});
    }

    void set_log(hardware_node& h, std::uint64_t address) {
        for (std::size_t i = 0; i < w_.logs.size(); ++i) {
            if (w_.logs[i].address == address && (!h.log || *h.log != i)) {
                h.log = i;
                h.log_next = h.log_wraps = 0;
            }
        }
    }

    // Whoever asks again and again waits: time passes for what is being written.
    [[nodiscard]] bool log_is_quiet(hardware_node& h) {
        log_writer log(w_, h);
        log.land();
        return log.is_quiet();
    }

    [[nodiscard]] int was_hit(hardware_node& h, std::uint64_t area) const {
        hardware_context const* const c = world::find(h, area);
        return w_.opt.troubles.cannot_tell ? 2 : c != nullptr && c->hit ? 1 : 0;
    }

    // A driver may wait in a call for what it has asked for: then it asks again and again.
    void let_time_pass() {
        w_.polls = w_.polled_in == w_.calls_made ? w_.polls + 1 : 0;
        w_.polled_in = w_.calls_made;
        if (w_.polls > 16 * w_.opt.nodes && !w_.in_interrupt) {
            w_.gpu_goes_on();
        }
    }

    [[nodiscard]] bool next_event(hardware_node& h, wddmcore_queue_event& event) {
        if (h.events.empty()) {
            let_time_pass();
            return false;
        }
        told_event const e = h.events.front();
        h.events.pop_front();
        event = e.what;
        if (e.what.type == wddmcore_queue_suspended) {
            os_context& c = w_.contexts[e.subject];
            (e.generation == c.generation ? c.read_newest : c.read_stale) = true;
        } else if (e.what.type == wddmcore_queue_list_switched) {
            os_node& os = w_.nodes[h.node];
            bool const newest = e.generation == os.list_generation;
            os.list_read = os.list_read || newest;
            if (newest) {
                os.stale_values.clear();
            } else {
                os.stale_values.push_back(e.what.value);
            }
        } else if (e.what.type == wddmcore_queue_fence_signaled) {
            w_.fences[e.subject].owed = w_.fences[e.subject].watched;
        }
        return true;
    }

    [[nodiscard]] bool reset(hardware_node& h) {
        os_node const& os = w_.nodes[h.node];
        if (!w_.whole_reset && w_.hardware_random.chance(w_.opt.troubles.reset_fails)) {
            w_.event(os, "the reset of the node fails");
            return false;
        }
        for (hardware_context& c : h.contexts) {
            c.hit = h.saving && h.saving->area == c.area;
            for (hardware_ring& r : c.rings) {
                bool const begun = !r.entries.empty() && r.entries.front().begun;
                c.hit = c.hit || !r.draining.empty() || (begun && h.loaded == c.area);
                if (begun && h.loaded == c.area) {
                    r.entries.pop_front();
                }
                r.draining.clear();
            }
            c.runnable = false;
            w_.contexts[c.context].hit = w_.contexts[c.context].hit || (c.hit && !w_.contexts[c.context].destroyed);
        }
        h.requests.clear();
        h.saving.reset();
        h.loaded = h.first = h.second = 0;
        h.hung = false;
        h.halted = true;
        w_.event(os, "the node is reset");
        return true;
    }

    [[nodiscard]] bool restart(hardware_node& h) {
        if (!w_.whole_reset && w_.hardware_random.chance(w_.opt.troubles.resume_fails)) {
            w_.event(w_.nodes[h.node], "the node does not schedule again");
            return false;
        }
        h.halted = false;
        w_.event(w_.nodes[h.node], "the node schedules again");
        return true;
    }

    [[nodiscard]] native_fence* fence_at(std::uint64_t current) {
        auto const at = std::find_if(w_.fences.begin(), w_.fences.end(),
                                     [current](native_fence const& f) { return f.current_address == current; });
        return at == w_.fences.end() ? nullptr : &*at;
    }

    void watch(std::uint64_t current, bool is_watched) {
        if (native_fence* const f = fence_at(current); f != nullptr) {
            f->watched = is_watched;
            f->seen_monitored = f->monitored;
        }
    }

    void see_monitored_values() {
        goes_on();
        for (native_fence& f : w_.fences) {
            f.monitored = f.window != nullptr ? *f.window : f.monitored;
            f.seen_monitored = f.monitored;
        }
    }

    [[nodiscard]] std::uint64_t current_value(std::uint64_t current) {
        native_fence const* const f = fence_at(current);
        std::uint64_t const value = f != nullptr ? f->current : 0;
        goes_on();
        return value;
    }

    // The GPU does not stand still while the driver looks at it.
    void goes_on() {
        if (w_.updating && w_.hardware_random.chance(w_.opt.chances.node_inside_update)) {
            w_.gpu_goes_on();
        }
    }

    world& w_;
    wddmcore_queue_gpu table_{};
};

}  // namespace wddmcore::testing::hardware_queues::parts
