// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../world.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::hardware_queues::parts {

// A log in words: the header has four, and so has each entry.
inline constexpr std::size_t log_header_words = 4;
inline constexpr std::size_t log_entry_words = 4;

/// DXGK_SCHEDULING_LOG_CONTEXT_STATE.
namespace context_state {
inline constexpr std::uint32_t idle = 0;
inline constexpr std::uint32_t running = 1;
inline constexpr std::uint32_t ready = 2;
inline constexpr std::uint32_t newest = 3;
}  // namespace context_state

/// The scheduling log of a node, as the hardware writes it: an entry is in memory some steps after it was begun.
class log_writer {
public:
    log_writer(world& w, hardware_node& h) : w_(w), h_(h) {}

    /// A context has changed its state: an entry of the log, or an event for a driver that writes the log itself.
    void changed(hardware_context const& c, std::uint32_t state) {
        if (!w_.opt.hardware_writes_log) {
            told_event e;
            e.what = {wddmcore_queue_state_changed, state, c.area, w_.now() + 1};
            e.subject = c.context;
            h_.events.push_back(e);
            return;
        }
        if (!h_.log) {
            return;
        }
        posted_entry e;
        e.log = *h_.log;
        e.index = h_.log_next;
        if (++h_.log_next == w_.logs[*h_.log].entries) {
            h_.log_next = 0;
            ++h_.log_wraps;
        }
        e.wraps = h_.log_wraps;
        e.time = w_.now() + 1;
        e.name = c.name;
        e.state = state;
        e.left = static_cast<std::uint32_t>(w_.hardware_random.below(4));
        h_.posted.push_back(e);
    }

    /// Time passes: entries come to memory in their order.
    void land() {
        if (!h_.posted.empty() && h_.posted.front().left != 0) {
            --h_.posted.front().left;
            return;
        }
        while (!h_.posted.empty() && h_.posted.front().left == 0) {
            write(h_.posted.front());
            h_.posted.pop_front();
        }
    }

    /// Whether every entry of older logs is in memory.
    [[nodiscard]] bool is_quiet() const {
        return std::all_of(h_.posted.begin(), h_.posted.end(),
                           [this](posted_entry const& e) { return h_.log && e.log == *h_.log; });
    }

private:
    void write(posted_entry const& e) {
        std::vector<std::uint64_t>& words = w_.logs[e.log].words;
        std::size_t const at = log_header_words + e.index * log_entry_words;
        words[at] = e.time;
        words[at + 1] = 0;  // a change of a context's state
        words[at + 2] = reinterpret_cast<std::uintptr_t>(e.name);
        words[at + 3] = e.state;
        std::uint32_t const next = e.index + 1 == w_.logs[e.log].entries ? 0 : e.index + 1;
        words[0] = std::uint64_t{e.wraps} << 32 | next;
    }

    world& w_;
    hardware_node& h_;
};

}  // namespace wddmcore::testing::hardware_queues::parts
