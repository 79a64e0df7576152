// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../finding_log.hpp"
#include "rules.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing::scheduler {

/// One rule found broken.
struct violation {
    std::string rule;      ///< the id, for example "PRE-13"
    std::string sentence;  ///< what was wrong
    std::string state;     ///< the engine's state that shows it, with seed and step; simulated addresses only

    /// @return whether every member is equal
    [[nodiscard]] bool operator==(violation const&) const = default;
};

/// One preempt request and how it ended.
struct preemption {
    /// In which way the request ended: the driver reported it, or a reset made an end of it (AMB-46).
    enum class ending : std::uint8_t { reported, reset };

    std::uint32_t node = 0;       ///< which node was asked, from 0
    std::uint32_t engine = 0;     ///< which engine of it, from 0
    std::uint64_t requested = 0;  ///< virtual nanoseconds
    std::uint64_t reported = 0;   ///< virtual nanoseconds
    ending how = ending::reported;
    bool was_idle = false;  ///< nothing was in flight: reported at once (PRE-10)

    /// @return virtual nanoseconds from the request to its report, or to the reset that ended it
    [[nodiscard]] std::uint64_t latency() const { return reported - requested; }
};

/// How often what happened.
struct counts {
    std::uint64_t packets = 0;          ///< packets that were made
    std::uint64_t submissions = 0;      ///< calls of a submit function; a packet that came back counts again
    std::uint64_t completions = 0;      ///< packets that a completion of the driver reported or included
    std::uint64_t preempted = 0;        ///< submissions that came back
    std::uint64_t half_run = 0;         ///< of these: begun
    std::uint64_t rejected = 0;         ///< submissions that the driver refused, as it had to (PRE-30)
    std::uint64_t aborted = 0;          ///< packets that a fault or a reset has ended
    std::uint64_t faults = 0;           ///< page faults that the driver reported
    std::uint64_t cancelled = 0;        ///< packets of contexts that were terminated (TDR-14)
    std::uint64_t engine_resets = 0;    ///< calls of DxgkDdiResetEngine
    std::uint64_t adapter_resets = 0;   ///< resets of the whole adapter
    std::uint64_t interrupts = 0;       ///< calls of the interrupt routine
    std::uint64_t late_interrupts = 0;  ///< stale ones after a reset
    std::uint64_t flips = 0;            ///< flips by registers that the driver reported as scanned out

    // Of hardware queues.
    std::uint64_t suspensions = 0;     ///< calls of DxgkDdiSuspendContext
    std::uint64_t list_switches = 0;   ///< calls of DxgkDdiSwitchToHwContextList
    std::uint64_t log_buffers = 0;     ///< calls of DxgkDdiSetSchedulingLogBuffer
    std::uint64_t fence_updates = 0;   ///< calls of DxgkDdiUpdateMonitoredValues
    std::uint64_t native_signals = 0;  ///< values that the GPU wrote to native fences

    /// @return whether something happened that only hardware queues have
    [[nodiscard]] bool of_queues() const {
        return suspensions + list_switches + log_buffers + fence_updates + native_signals != 0;
    }
};

/// Something that Windows never sends, sent on request; the report says what the driver did, without a judgement.
struct probe_answer {
    std::string what;    ///< what was sent
    std::string answer;  ///< what the driver did with it

    /// @return whether both members are equal
    [[nodiscard]] bool operator==(probe_answer const&) const = default;
};

/// What a run showed.
class report {
public:
    /// Counts that a rule's precondition occurred.
    /// @param which  the rule
    void exercised(rule which) { ++tally_[static_cast<std::size_t>(which)]; }

    /// Notes a broken rule; from the second time on it is only counted.
    /// @param which     the rule
    /// @param sentence  what was wrong
    /// @param state     the engine's state that shows it; simulated addresses only
    void broken(rule which, std::string sentence, std::string state) {
        exercised(which);
        if (broken_[static_cast<std::size_t>(which)]++ == 0) {
            vidmm_parts::keep_finding(id_of(which), sentence, state);
            violations_.push_back({id_of(which), std::move(sentence), std::move(state)});
        }
    }

    /// @return broken rules in the order in which they were found, each once
    [[nodiscard]] std::vector<violation> const& violations() const { return violations_; }

    /// Whether no rule was found broken; says nothing of rules that were not exercised.
    [[nodiscard]] bool passed() const { return violations_.empty(); }

    /// @return id of the first rule found broken, empty when there is none
    [[nodiscard]] std::string first_rule() const { return passed() ? std::string{} : violations_.front().rule; }

    /// How often a rule's precondition occurred; 0 means not exercised, which is not the same as passed.
    /// @param which  the rule
    [[nodiscard]] std::uint64_t times_exercised(rule which) const { return tally_[static_cast<std::size_t>(which)]; }

    counts count;                         ///< how often what happened
    std::vector<preemption> preemptions;  ///< in the order of their endings
    std::vector<std::string> journal;     ///< what happened, line by line, when options::keep_journal is set

    /// Notes what became of something that Windows never sends.
    /// @param what    what was sent
    /// @param answer  what the driver did with it
    void probe(std::string what, std::string answer) { probes_.push_back({std::move(what), std::move(answer)}); }
    /// @return what became of each of them, in the order in which they were sent
    [[nodiscard]] std::vector<probe_answer> const& probes() const { return probes_; }

    /// The run in words: equal for equal runs, on every host.
    [[nodiscard]] std::string text() const {
        std::string out = passed() ? "no rule was found broken\n" : "";
        for (violation const& v : violations_) {
            out += v.rule + ": " + v.sentence + "\n    " + v.state + '\n';
        }
        out += numbers();
        for (probe_answer const& p : probes_) {
            out += "probe: " + p.what + ": " + p.answer + '\n';
        }
        for (std::size_t i = 0; i < rule_count; ++i) {
            out += std::string(rules[i].id) + ' ' + state_of(i) + '\n';
        }
        return out;
    }

    /// How much of what happened, in two lines, or three of hardware queues.
    [[nodiscard]] std::string numbers() const {
        auto const n = [](std::uint64_t value, char const* what) { return std::to_string(value) + what; };
        return n(count.packets, " packets, ") + n(count.submissions, " submissions, ") +
               n(count.completions, " completions, ") + n(count.preempted, " preempted, ") +
               n(count.half_run, " of them half run, ") + n(count.rejected, " rejected, ") +
               n(count.aborted, " aborted, ") + n(count.faults, " faults, ") + n(count.cancelled, " cancelled\n") +
               n(preemptions.size(), " requests, ") + n(count.engine_resets, " engine resets, ") +
               n(count.adapter_resets, " adapter resets, ") + n(count.interrupts, " interrupts, ") +
               n(count.late_interrupts, " late ones") +
               (count.flips != 0 ? ", " + n(count.flips, " flips\n") : std::string("\n")) +
               (!count.of_queues()
                    ? ""
                    : n(count.suspensions, " suspensions, ") + n(count.list_switches, " lists, ") +
                          n(count.log_buffers, " logs, ") + n(count.fence_updates, " updates of monitored values, ") +
                          n(count.native_signals, " native signals\n"));
    }

private:
    [[nodiscard]] std::string state_of(std::size_t which) const {
        if (broken_[which] != 0) {
            return "broken " + std::to_string(broken_[which]) + " times";
        }
        return tally_[which] == 0 ? "not exercised" : "held " + std::to_string(tally_[which]) + " times";
    }

    std::vector<violation> violations_;
    std::array<std::uint64_t, rule_count> tally_{};
    std::array<std::uint64_t, rule_count> broken_{};
    std::vector<probe_answer> probes_;
};

}  // namespace wddmcore::testing::scheduler
