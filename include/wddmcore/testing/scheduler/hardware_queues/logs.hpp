// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "ddi.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::hardware_queues::parts {

/// The system's side of scheduling logs: it replaces them, and reads what is in them (HWS-09).
class logs {
public:
    explicit logs(world& w) : w_(w) {}

    /// A node gets a new log.
    void replace(os_node& n) {
        scheduling_log log;
        log.node = n.node;
        log.address = 0xA000'0000U + 0x1'0000U * std::uint64_t{w_.logs.size()};
        log.entries = w_.opt.log_entries;
        // All but the header's numbers is junk.
        log.words.assign(log_header_words + log_entry_words * log.entries, 0xCDCD'CDCD'CDCD'CDCDU);
        log.words[0] = 0;
        log.words[1] = log.entries;
        w_.logs.push_back(log);
        scheduling_log& own = w_.logs.back();
        std::optional<std::size_t> const old = n.log;
        n.log = w_.logs.size() - 1;
        ++w_.out.count.log_buffers;
        w_.event(n, "set log " + std::to_string(*n.log));
        ntstatus answer = 0;
        {
            gone_after<queue_types::set_log> args;
            args->NodeOrdinal = n.node;
            args->NumberOfEntries = own.entries;
            args->LogBufferCpuVa = reinterpret_cast<queue_types::log_buffer*>(own.words.data());
            args->LogBufferGpuVa = own.address;
            args->InterruptEntry = own.entries;  // behind the last one: no entry interrupts
            driver_call const call(w_, "set_scheduling_log_buffer", wddmcore_passive_level);
            answer = w_.table.set_scheduling_log_buffer(w_.table.adapter, &*args);
        }
        w_.check(answer == status::success, rule::hws_09, "a new scheduling log is refused", n);
        if (old) {
            scheduling_log& before = w_.logs[*old];
            judge(before, n);
            before.left_as = before.words;
            before.replaced = true;
        }
    }

    /// Nothing may have come into a log that was replaced.
    void look() {
        for (std::size_t i = 0; i < w_.logs.size() && !w_.stopped; ++i) {
            scheduling_log& log = w_.logs[i];
            if (log.replaced && log.words != log.left_as) {
                w_.broken(rule::hws_09, "an entry went to log " + std::to_string(i) + " after it was replaced",
                          w_.nodes[log.node]);
                log.left_as = log.words;
            }
        }
    }

    /// Reads the logs that are in use.
    void read_all() {
        for (os_node const& n : w_.nodes) {
            if (n.log && !w_.stopped) {
                judge(w_.logs[*n.log], n);
            }
        }
    }

private:
    // What the header says is there has to be whole: entries are not zeroed, so what nobody wrote is junk.
    void judge(scheduling_log const& log, os_node const& n) {
        auto const next = static_cast<std::uint32_t>(log.words[0]);
        auto const wraps = static_cast<std::uint32_t>(log.words[0] >> 32);
        bool right = next < log.entries && log.words[1] == log.entries;
        std::uint32_t const valid = !right ? 0 : wraps != 0 ? log.entries : next;
        for (std::uint32_t i = 0; i < valid; ++i) {
            right = right && is_entry(&log.words[log_header_words + i * log_entry_words]);
        }
        if (!right || valid != 0) {
            w_.check(right, rule::hws_09, "a scheduling log says that entries are valid that were not written whole",
                     n);
        }
    }

    [[nodiscard]] bool is_entry(std::uint64_t const* words) const {
        bool const known = std::any_of(w_.contexts.begin(), w_.contexts.end(), [words](os_context const& c) {
            return reinterpret_cast<std::uintptr_t>(c.handle) == words[2];
        });
        return words[0] <= w_.now() + 1 && words[1] == 0 && known &&
               static_cast<std::uint32_t>(words[3]) <= context_state::newest;
    }

    world& w_;
};

}  // namespace wddmcore::testing::hardware_queues::parts
