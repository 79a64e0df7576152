// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "logs.hpp"
#include "watch.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::hardware_queues {

/// One run: the system's side, the simulated GPU and the driver between them. It does what Windows could do, by seed.
class scenario {
public:
    /// Starts the device, and makes contexts, queues, fences and logs.
    /// @param table   the driver; its adapter must be in the state before its start
    /// @param chosen  what the hardware and the system do, and how often
    /// @param seed    decides everything else
    /// @throws std::invalid_argument  the table does not fit its version, or lacks a function
    scenario(wddmcore_driver_table const& table, options const& chosen, std::uint64_t seed)
        : w_(table, chosen, seed),
          gpu_(w_),
          system_(w_, gpu_),
          ddi_(w_),
          recovery_(w_, system_, ddi_),
          watch_(w_, system_, ddi_, recovery_),
          fences_(w_, system_),
          logs_(w_) {
        start();
    }

    /// Does one step, on every node.
    /// @return false: everything is over
    [[nodiscard]] bool step() {
        ++w_.step;
        bool const creating = w_.packets.size() < w_.opt.packets;
        if (creating && w_.random.chance(60)) {
            create();
        }
        for (std::size_t i = 0; i < w_.queues.size() && !w_.stopped; ++i) {
            parts::os_queue& q = w_.queues[i];
            if (can_submit(q) && w_.random.chance(w_.opt.chances.submit)) {
                ddi_.submit(q);
            }
        }
        for (std::size_t i = 0; i < w_.contexts.size() && !w_.stopped; ++i) {
            act(w_.contexts[i], creating);
        }
        for (parts::os_node& n : w_.nodes) {
            act(n, creating);
        }
        if (!w_.fences.empty() && !w_.stopped && w_.random.chance(w_.opt.chances.update)) {
            fences_.update();
        }
        advance();
        return !w_.stopped && (creating || !is_done());
    }

    /// Suspends and destroys everything, and judges what is left.
    void finish() {
        for (parts::packet const& p : w_.packets) {
            if (!w_.stopped && p.now == parts::packet::stage::submitted) {
                w_.broken(parts::rule::hws_06, w_.name(p) + " did not end", w_.node_of(w_.queues[p.queue]));
            }
        }
        for (int i = 0; i < 2000 && !w_.stopped && !all_destroyed(); ++i) {
            ++w_.step;
            for (std::size_t c = 0; c < w_.contexts.size() && !w_.stopped; ++c) {
                retire(w_.contexts[c]);
            }
            advance();
        }
        for (parts::os_node const& n : w_.nodes) {
            if (!w_.stopped && !all_destroyed()) {
                w_.broken(parts::rule::hws_01, "a context is still suspending at the end of the run", n);
            }
        }
        system_.settle();
        if (!w_.stopped) {
            fences_.look();
        }
        logs_.read_all();
        // Of a run that stopped early there are some left, and the driver is not to blame for them.
        for (parts::os_context& c : w_.contexts) {
            if (!c.destroyed) {
                ddi_.destroy(c);
            }
        }
        for (parts::native_fence& f : w_.fences) {
            fences_.destroy(f);
        }
    }

    /// @return what the run showed; the scenario has it no more
    [[nodiscard]] scheduler::report take_result() { return std::move(w_.out); }

private:
    void start() {
        wddmcore_queue_claims claims{};
        w_.call = "start_hardware_queues";
        static_cast<void>(w_.table.start_hardware_queues(w_.table.adapter, &system_.table(), &gpu_.table(), &claims));
        w_.call = "";
        if (claims.native_fences != 0) {
            w_.check(w_.was_told_enabled, parts::rule::hws_11,
                     "native fences are claimed, and the system did not say that they are enabled", w_.nodes.front());
        }
        std::uint32_t slot = 0;
        for (parts::os_node& n : w_.nodes) {
            if (w_.table.set_scheduling_log_buffer != nullptr && !w_.stopped) {
                logs_.replace(n);
            }
            for (std::uint32_t i = 0; i < w_.opt.contexts && !w_.stopped; ++i, ++slot) {
                ddi_.create(slot, n.node, 0x4000'0000U + 0x1000U * std::uint64_t{slot});
            }
        }
        bool const has_fences = claims.native_fences != 0 && parts::has_native_fences(w_.table);
        for (std::uint32_t i = 0; has_fences && i < w_.opt.fences && !w_.stopped; ++i) {
            fences_.create(i);
        }
    }

    // A packet for one of the queues that are there.
    void create() {
        std::vector<parts::os_queue*> own;
        for (parts::os_queue& q : w_.queues) {
            if (!q.destroyed && !w_.contexts[q.context].invalid) {
                own.push_back(&q);
            }
        }
        if (own.empty()) {
            return;
        }
        parts::os_queue& q = *own[static_cast<std::size_t>(w_.random.below(own.size()))];
        parts::packet p;
        p.number = static_cast<std::uint32_t>(w_.packets.size());
        p.queue = q.index;
        p.buffer = 0x1'0000'0000U + 0x1'0000U * std::uint64_t{p.number};
        p.commands = commands_of(q, p.number);
        w_.packets.push_back(p);
        q.waiting.push_back(p.number);
        ++w_.out.count.packets;
    }

    [[nodiscard]] std::vector<parts::command> commands_of(parts::os_queue const& q, std::uint32_t number) {
        using kind = parts::command::kind;
        bool const released = w_.releases_fence(w_.node_of(q).node);
        std::vector<parts::command> out;
        if (released && w_.random.chance(w_.opt.chances.empty)) {
            return out;
        }
        out.resize(static_cast<std::size_t>(w_.random.between(1, w_.opt.most_commands)));
        auto const any = [&]() -> parts::command& {
            return out[static_cast<std::size_t>(w_.random.below(out.size()))];
        };
        // It waits for an older packet, so that some packet can always go on.
        if (number != 0 && w_.random.chance(w_.opt.chances.wait)) {
            std::uint64_t const reach = w_.random.between(1, std::min<std::uint64_t>(number, 12));
            any() = {kind::wait, number - static_cast<std::uint32_t>(reach), 0};
        }
        std::size_t const fence = q.slot;
        if (fence < w_.fences.size() && w_.random.chance(w_.opt.chances.signal)) {
            any() = {kind::signal, static_cast<std::uint32_t>(fence), w_.fences[fence].next_value++};
        }
        if (w_.random.below(1000) < w_.opt.troubles.hang) {
            any() = {kind::hang, 0, 0};
        }
        if (!released) {
            out.push_back({kind::fence, 0, 0});
        }
        return out;
    }

    [[nodiscard]] bool can_submit(parts::os_queue const& q) const {
        parts::os_context const& c = w_.contexts[q.context];
        return !q.destroyed && !c.invalid && !q.waiting.empty() && q.flying.size() < w_.opt.ring_entries &&
               !w_.nodes[c.node].halted;
    }

    void act(parts::os_context& c, bool creating) {
        using wish = parts::os_context::wish;
        if (c.destroyed || c.invalid || w_.nodes[c.node].halted) {
            return;
        }
        if (w_.random.chance(w_.opt.chances.properties)) {
            ddi_.set_properties(c);
        }
        if (w_.has_list(c.node) || w_.stopped) {
            return;
        }
        chances const& often = w_.opt.chances;
        if (c.wanted == wish::run && creating && w_.random.chance(often.suspend)) {
            ddi_.suspend(c);
        } else if (c.wanted == wish::suspending && w_.random.chance(often.resume_early) && !w_.hw[c.node].hung) {
            ddi_.resume(c);
            if (!w_.stopped && w_.random.chance(60)) {
                ddi_.suspend(c);
            }
        } else if (c.wanted == wish::suspended && w_.random.chance(often.suspend_again)) {
            ddi_.suspend(c);
        } else if (c.wanted == wish::suspended && w_.random.chance(often.resume)) {
            ddi_.resume(c);
        } else if (c.wanted == wish::suspended && creating && w_.random.chance(often.replace)) {
            recovery_.replace(c);
        }
    }

    void act(parts::os_node& n, bool creating) {
        if (w_.stopped) {
            return;
        }
        if (n.halted) {
            if (w_.random.chance(25)) {
                recovery_.resume(n);
            }
            return;
        }
        recovery_.replace_invalid(n);
        if (w_.has_list(n.node) && !w_.stopped) {
            choose_list(n, creating);
        }
        if (n.log && !w_.stopped && w_.random.chance(w_.opt.chances.new_log)) {
            logs_.replace(n);
        }
    }

    void choose_list(parts::os_node& n, bool creating) {
        bool const idle = !n.list_pending && !n.first;
        if (!idle && !w_.random.chance(w_.opt.chances.switch_list)) {
            return;
        }
        std::vector<std::uint32_t> own;
        for (parts::os_context const& c : w_.contexts) {
            if (c.node == n.node && !c.destroyed && !c.invalid) {
                own.push_back(c.index);
            }
        }
        if (creating && w_.random.chance(w_.opt.chances.empty_list)) {
            own.clear();
        }
        if (own.empty()) {
            if (n.first) {
                std::optional<std::uint32_t> const second = w_.random.chance(50) ? n.first : std::nullopt;
                ddi_.switch_list(n, {}, second);
            }
            return;
        }
        // Towards the end the one with the oldest packet, so that no other waits for it endlessly.
        std::uint32_t const first = creating ? own[static_cast<std::size_t>(w_.random.below(own.size()))] : oldest(own);
        std::uint32_t const second = own[static_cast<std::size_t>(w_.random.below(own.size()))];
        ddi_.switch_list(n, first, second != first ? std::optional(second) : std::nullopt);
    }

    [[nodiscard]] std::uint32_t oldest(std::vector<std::uint32_t> const& own) const {
        std::uint32_t best = own.front();
        std::uint32_t best_packet = ~0U;
        for (std::uint32_t const index : own) {
            for (std::uint32_t const q : w_.contexts[index].queues) {
                for (auto const* const list : {&w_.queues[q].flying, &w_.queues[q].waiting}) {
                    if (!list->empty() && list->front() < best_packet) {
                        best_packet = list->front();
                        best = index;
                    }
                }
            }
        }
        return best;
    }

    void advance() {
        gpu_.advance(false);
        if (w_.random.chance(w_.opt.chances.interrupt)) {
            system_.interrupt(false);
        } else if (w_.random.chance(w_.opt.chances.spurious_interrupt)) {
            system_.interrupt(true);
        }
        if (w_.random.chance(w_.opt.chances.dpc)) {
            system_.dpc();
        }
        for (parts::os_node& n : w_.nodes) {
            watch_.look(n);
        }
        for (parts::os_context const& c : w_.contexts) {
            bool const off = c.wanted == parts::os_context::wish::suspended && !c.destroyed && !c.invalid;
            if (off && !w_.stopped && w_.is_referenced(c)) {
                w_.broken(parts::rule::hws_03, parts::world::name(c) + " is suspended and the GPU refers to it",
                          w_.node_of(c));
            }
        }
        logs_.look();
        if (!w_.stopped && w_.step % 16 == 0) {
            fences_.look();
        }
    }

    [[nodiscard]] bool is_done() const {
        bool const packets =
            std::all_of(w_.packets.begin(), w_.packets.end(), [](parts::packet const& p) { return p.is_over(); });
        bool const nodes = std::none_of(w_.nodes.begin(), w_.nodes.end(),
                                        [](parts::os_node const& n) { return n.halted || n.list_pending; });
        return packets && nodes;
    }

    [[nodiscard]] bool all_destroyed() const {
        return std::all_of(w_.contexts.begin(), w_.contexts.end(),
                           [](parts::os_context const& c) { return c.destroyed; });
    }

    void retire(parts::os_context& c) {
        using wish = parts::os_context::wish;
        parts::os_node& n = w_.node_of(c);
        if (c.destroyed || n.halted) {
            if (n.halted) {
                recovery_.resume(n);
            }
            return;
        }
        if (w_.has_list(n.node) && (n.first || n.list_pending)) {
            if (!n.list_pending) {
                ddi_.switch_list(n, {}, {});
            }
        } else if (c.invalid || w_.has_list(n.node) || c.wanted == wish::suspended) {
            ddi_.destroy(c);
        } else if (c.wanted == wish::run) {
            ddi_.suspend(c);
        }
    }

    parts::world w_;
    parts::registers gpu_;
    parts::system_services system_;
    parts::ddi ddi_;
    parts::recovery recovery_;
    parts::watch watch_;
    parts::fences fences_;
    parts::logs logs_;
};

/// Plays one run of hardware scheduling against a driver.
/// @param table   the driver; its adapter must be in the state before its start
/// @param chosen  what the hardware and the system do, and how often
/// @param seed    decides everything else: the same seed gives the same report and journal on every host
/// @return what the run showed
/// @throws std::invalid_argument  the table does not fit its version, or lacks a function
[[nodiscard]] inline scheduler::report run(wddmcore_driver_table const& table, options const& chosen,
                                           std::uint64_t seed) {
    scenario what(table, chosen, seed);
    std::uint64_t const most = 20'000 + 200 * std::uint64_t{chosen.packets};  // a hundred times what a run takes
    for (std::uint64_t i = 0; i < most && what.step(); ++i) {
    }
    what.finish();
    return what.take_result();
}

}  // namespace wddmcore::testing::hardware_queues
