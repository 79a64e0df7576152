// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../display/scanout.hpp"
#include "../recovery/stale.hpp"
#include "engine.hpp"

#include <algorithm>

namespace wddmcore::inline WDDMCORE_ABI::testing::scheduler::parts {

/// The registers of the simulated GPU as the driver reaches them; each use is checked.
class registers {
public:
    explicit registers(world& w) : w_(w), stale_(w), displays_(w) {
        table_.size = static_cast<unsigned>(sizeof table_);
        table_.gpu = this;
        table_.node_count = w.opt.nodes;
        table_.engine_count = w.opt.engines;
        table_.ring_entries = w.opt.ring_entries;
        table_.stopping = w.opt.stops_at == granularity::nowhere      ? unsigned{wddmcore_gpu_stops_nowhere}
                          : w.opt.stops_at == granularity::dma_buffer ? unsigned{wddmcore_gpu_stops_between_buffers}
                                                                      : unsigned{wddmcore_gpu_stops_inside};
        table_.acknowledges_when_idle = w.opt.acknowledges_when_idle ? 1 : 0;
        table_.enqueue = &call_enqueue;
        table_.request_stop = &call_request_stop;
        table_.disarm = &call_disarm;
        table_.read_status = &call_read_status;
        table_.halt = &call_halt;
        table_.reset = &call_reset;
        table_.affected_nodes = &call_affected_nodes;
        displays_.connect<registers>(table_);
    }
    registers(registers const&) = delete;
    registers& operator=(registers const&) = delete;

    [[nodiscard]] wddmcore_gpu const& table() const { return table_; }
    [[nodiscard]] scanout& displays() { return displays_; }

    /// The nodes that the reset of one disturbs, itself included, as bits.
    [[nodiscard]] unsigned long long affected(std::uint32_t node) const {
        unsigned long long const own = 1ULL << node;
        return (w_.opt.dependent_nodes & own) != 0 ? w_.opt.dependent_nodes : own;
    }

    /// One step of every engine that takes one.
    void advance(bool all) {
        for (hardware_engine& e : w_.hw) {
            if (all || w_.hardware_random.chance(w_.opt.chances.engine_steps)) {
                engine_step(w_, e).advance();
            }
        }
        stale_.deliver();
        displays_.advance();
    }

    [[nodiscard]] bool interrupts() const {
        return displays_.interrupts() ||
               std::any_of(w_.hw.begin(), w_.hw.end(), [](hardware_engine const& e) { return e.latch.news != 0; });
    }

private:
    [[nodiscard]] static registers& of(void* gpu) { return *static_cast<registers*>(gpu); }

    static void WDDMCORE_DRIVER_CALL call_enqueue(void* gpu, unsigned node, unsigned engine,
                                                  wddmcore_gpu_packet const* packet) {
        of(gpu).enqueue(of(gpu).at(node, engine), *packet);
    }
    static void WDDMCORE_DRIVER_CALL call_request_stop(void* gpu, unsigned node, unsigned engine, unsigned generation) {
        of(gpu).request_stop(of(gpu).at(node, engine), generation);
    }
    static void WDDMCORE_DRIVER_CALL call_disarm(void* gpu, unsigned node, unsigned engine) {
        of(gpu).disarm(of(gpu).at(node, engine));
    }
    static void WDDMCORE_DRIVER_CALL call_read_status(void* gpu, unsigned node, unsigned engine,
                                                      wddmcore_gpu_status* status) {
        *status = of(gpu).read_status(of(gpu).at(node, engine));
    }
    static void WDDMCORE_DRIVER_CALL call_halt(void* gpu, unsigned node, unsigned engine, wddmcore_gpu_halted* halted) {
        *halted = of(gpu).halt(of(gpu).at(node, engine));
    }
    static int WDDMCORE_DRIVER_CALL call_reset(void* gpu, unsigned node, unsigned engine) {
        return of(gpu).reset(of(gpu).at(node, engine)) ? 0 : 1;
    }
    static unsigned long long WDDMCORE_DRIVER_CALL call_affected_nodes(void* gpu, unsigned node) {
        return of(gpu).affected(node);
    }

    // No rule names the mistake of using an engine that does not exist: the first engine takes the call.
    [[nodiscard]] hardware_engine& at(unsigned node, unsigned engine) {
        bool const exists = node < w_.opt.nodes && engine < w_.opt.engines;
        if (!exists) {
            w_.broken(rule::pre_27, "the driver uses an engine that does not exist", w_.os.front());
        }
        return w_.hw[exists ? w_.index_of(node, engine) : 0];
    }

    void enqueue(hardware_engine& e, wddmcore_gpu_packet const& p) {
        if (w_.between_instructions) {
            w_.between_instructions();
        }
        os_engine& os = w_.os_of(e);
        not_while_cancelling(os);
        if (w_.adapter_is_reset) {
            w_.broken(rule::tdr_11, "a packet is given to the hardware while the adapter is reset", os);
        }
        if (e.armed && os.asked) {
            w_.broken(rule::amb_45, "a packet is given to an engine that was asked to stop", os);
        } else if (e.armed) {
            w_.broken(rule::pre_26, "a packet is given to an engine whose stop request was never taken back", os);
        }
        auto const window = w_.windows.find(p.buffer + p.start);
        if (window != w_.windows.end()) {
            check_packet(e, os, p, w_.packets[packet_on(w_, window->second, e.engine)]);
        }
        if (!std::exchange(e.used, true)) {
            e.retired = p.serial - 1;
        }
        ring_entry entry;
        entry.what = p;
        e.ring.push_back(entry);
        w_.event(os, "packet into the ring");
    }

    void check_packet(hardware_engine& e, os_engine& os, wddmcore_gpu_packet const& given, packet const& p) {
        auto const is_this = [&p](flight const& f) { return f.packet == p.number || (p.twin && f.packet == *p.twin); };
        auto const flying = std::find_if(os.flights.begin(), os.flights.end(), is_this);
        std::string const what = world::name(p);
        if (flying == os.flights.end()) {
            for (os_engine const& other : w_.os) {
                if (std::any_of(other.flights.begin(), other.flights.end(), is_this)) {
                    // The adapter of a link is that of its context's affinity.
                    w_.broken(other.node == e.node ? rule::lda_03 : rule::pre_27,
                              what + " is given to an engine that it was not submitted to", os);
                    return;
                }
            }
            w_.broken(p.now == packet::stage::cancelled ? rule::tdr_14
                      : p.reset_hit                     ? rule::tdr_10
                      : p.silent                        ? rule::pre_30
                                                        : rule::pre_15,
                      what + " is given to the engine although it is not in flight", os);
            return;
        }
        w_.packets[p.number].given = true;
        if (w_.opt.engines > 1) {
            w_.held(rule::lda_03);
        }
        if (p.silent) {
            w_.broken(rule::pre_30, what + " was rejected and is given to the engine", os);
        }
        // Whether a request is ignored or its answer is lost is said when it stays unanswered.
        if (os.asked && os.asked->asked && !os.asked->stopped && flying->sequence >= os.asked->before) {
            w_.broken(rule::amb_45, what + " was submitted after the request and is not held", os);
        }
        for (ring_entry const& r : e.ring) {
            if (r.what.buffer + r.what.start == given.buffer + given.start) {
                w_.broken(is_for_twin(p) ? rule::lda_03 : rule::pre_15, what + " is given to the engine twice", os);
            }
        }
        bool const empty = (given.flags & wddmcore_gpu_fence_only) != 0;
        if (!empty && given.buffer + given.end != p.buffer + p.end) {
            w_.broken(rule::spl_12, what + " is given to the engine with another end", os);
        }
    }

    // Of a buffer that is broadcast: the other adapter still waits for it, so one of the two was meant for that.
    [[nodiscard]] bool is_for_twin(packet const& p) const {
        return p.twin && w_.packets[*p.twin].now == packet::stage::in_flight && !w_.packets[*p.twin].given;
    }

    void request_stop(hardware_engine& e, unsigned generation) {
        os_engine& os = w_.os_of(e);
        auto const all_reported = [&os] {
            return os.flights.empty() || (os.asked && os.flights.front().sequence >= os.asked->before);
        };
        bool const was_idle = all_reported();
        if (w_.between_instructions) {
            w_.between_instructions();
        }
        not_while_cancelling(os);
        if (!os.asked) {
            bool const other =
                std::any_of(w_.os.begin(), w_.os.end(), [](os_engine const& o) { return o.asked && !o.asked->asked; });
            w_.broken(other ? rule::pre_27 : rule::pre_11, "an engine is asked to stop that nobody asked for", os);
        } else {
            // What an interrupt could report here, it reports only to a driver that does not keep it out.
            w_.check(was_idle || !all_reported(), rule::int_03,
                     "an interrupt reports the last packet while the hardware is asked: nothing keeps it out", os);
            w_.check(!was_idle, rule::pre_10, "the hardware is asked although everything was reported", os);
            os.asked->asked = true;
        }
        e.armed = true;
        e.generation = generation;
        e.saving = 0;
        w_.event(os, "engine is asked to stop");
    }

    void disarm(hardware_engine& e) {
        e.armed = false;
        e.saving = 0;
        w_.event(w_.os_of(e), "stop request is taken back");
    }

    [[nodiscard]] wddmcore_gpu_status read_status(hardware_engine& e) {
        check_polling(e);
        wddmcore_gpu_status status = e.latch;
        status.progress = e.progress;
        status.waiting = e.waiting ? 1 : 0;
        os_engine& os = w_.os_of(e);
        if (os.asked && (status.news & wddmcore_gpu_stopped) != 0) {
            os.asked->stopped = true;
        }
        e.latch.news = 0;
        return status;
    }

    // A driver that waits for its own hardware would never return: the simulator notes the mistake and advances it.
    void check_polling(hardware_engine& e) {
        std::uint32_t const many = std::string_view(w_.call) == "preempt_command" ? 4 : 4096;
        e.polls = e.polled_in == w_.call_number ? e.polls + 1 : 1;
        e.polled_in = w_.call_number;
        if (e.polls > many) {
            w_.broken(rule::pre_08, "the driver waits for the hardware inside a call", w_.os_of(e));
            e.hung = false;
            e.fault_halted = false;
            for (command_list& commands : all_commands()) {
                for (command& c : *commands) {
                    c.does = command::kind::work;
                }
            }
            advance(true);
        }
    }

    using command_list = std::vector<command>*;
    [[nodiscard]] std::vector<command_list> all_commands() {
        std::vector<command_list> all;
        for (auto& [address, commands] : w_.memory) {
            all.push_back(&commands);
        }
        return all;
    }

    [[nodiscard]] wddmcore_gpu_halted halt(hardware_engine& e) {
        e.halted = true;
        wddmcore_gpu_halted halted{};
        bool const executing = !e.ring.empty() && e.ring.front().begun;
        e.executing.reset();
        if (executing) {
            auto const window = w_.windows.find(e.ring.front().what.buffer + e.ring.front().what.start);
            if (window != w_.windows.end()) {
                e.executing = packet_on(w_, window->second, e.engine);
            }
        }
        e.truth.what = executing ? unsigned{wddmcore_gpu_executing} : unsigned{wddmcore_gpu_nothing};
        e.truth.serial = executing ? e.ring.front().what.serial : 0;
        halted = e.truth;
        if (w_.opt.troubles.cannot_tell && !e.ring.empty()) {
            halted.what = wddmcore_gpu_cannot_tell;
            halted.serial = 0;
        }
        w_.event(w_.os_of(e), "engine is halted");
        return halted;
    }

    [[nodiscard]] bool reset(hardware_engine& e) {
        if (e.halted && !w_.whole_reset && w_.hardware_random.chance(w_.opt.troubles.reset_fails)) {
            e.reset_failed = true;
            return false;
        }
        if (e.halted) {
            stale_.remember(e);
        }
        e.ring.clear();
        e.loaded = 0;
        e.armed = false;
        e.saving = 0;
        e.halted = false;
        e.fault_halted = false;
        e.hung = false;
        e.waiting = false;
        e.latch.news = 0;
        w_.event(w_.os_of(e), "engine is reset");
        return true;
    }

    void not_while_cancelling(os_engine& os) {
        if (std::string_view(w_.call) == "cancel_command") {
            w_.broken(rule::tdr_14, "cancel touches an engine", os);
        }
    }

    world& w_;
    stale_events stale_;
    scanout displays_;
    wddmcore_gpu table_{};
};

}  // namespace wddmcore::testing::scheduler::parts
