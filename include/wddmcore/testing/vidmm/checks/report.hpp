// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../../ddi/operation.hpp"
#include "../../finding_log.hpp"
#include "rules.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// What one operation cost, summed over the run.
struct vidmm_operation_statistics {
    std::uint64_t requests = 0;       ///< complete operations
    std::uint64_t passes = 0;         ///< calls of the build function
    std::uint64_t commands = 0;       ///< packets that the engine executed; 0 without an engine
    std::uint64_t command_bytes = 0;  ///< bytes of commands
    std::uint64_t pages = 0;          ///< 4-KiB pages that were asked for
    std::uint64_t runs = 0;           ///< runs of consecutive pages among them
    std::uint64_t build_ns = 0;       ///< host time inside the build function: not part of the deterministic report
};

/// Something that Windows never sends, sent on request; what the driver did is told, never judged.
struct vidmm_probe {
    std::string what;
    std::string answer;

    [[nodiscard]] bool operator==(vidmm_probe const&) const = default;
};

/// What a run showed.
class vidmm_report {
public:
    /// Counts that a rule's precondition occurred.
    void exercised(vidmm_rule rule, std::uint64_t times = 1) { tally_[static_cast<std::size_t>(rule)] += times; }

    /// Notes a broken rule; the same rule again is counted, not listed again.
    void broken(vidmm_rule rule, std::string sentence, std::string state, differing_memory memory = {}) {
        exercised(rule);
        if (broken_[static_cast<std::size_t>(rule)]++ == 0) {
            vidmm_parts::keep_finding(id_of(rule), sentence, state, memory);
            violations_.push_back({id_of(rule), std::move(sentence), std::move(state), std::move(memory)});
        }
    }

    /// Broken rules in the order in which they were found, each once.
    [[nodiscard]] std::vector<vidmm_violation> const& violations() const { return violations_; }

    /// Whether no rule was found broken; says nothing of rules that were not exercised.
    [[nodiscard]] bool passed() const { return violations_.empty(); }

    /// Id of the first rule found broken, empty when there is none.
    [[nodiscard]] std::string first_rule() const { return passed() ? std::string{} : violations_.front().rule; }

    /// How often a rule's precondition occurred; 0 means not exercised, which is not the same as passed.
    [[nodiscard]] std::uint64_t times_exercised(vidmm_rule rule) const {
        return tally_[static_cast<std::size_t>(rule)];
    }

    [[nodiscard]] vidmm_operation_statistics& of(paging_operation operation) {
        return operations_[static_cast<std::size_t>(operation)];
    }
    [[nodiscard]] vidmm_operation_statistics const& of(paging_operation operation) const {
        return operations_[static_cast<std::size_t>(operation)];
    }

    void probe(std::string what, std::string answer) { probes_.push_back({std::move(what), std::move(answer)}); }
    [[nodiscard]] std::vector<vidmm_probe> const& probes() const { return probes_; }

    void busy_answer() { ++busy_; }
    void reset() { ++resets_; }
    void window() { ++windows_; }

    /// How many windows were submitted.
    [[nodiscard]] std::uint64_t windows() const { return windows_; }

    /// The run in words: equal for equal runs, on every host.
    [[nodiscard]] std::string text() const {
        std::string out = passed() ? "no rule was found broken\n" : "";
        for (vidmm_violation const& v : violations_) {
            out += v.rule + ": " + v.sentence + "\n    " + v.state + '\n';
        }
        for (std::size_t i = 0; i < paging_operation_count; ++i) {
            vidmm_operation_statistics const& s = operations_[i];
            if (s.passes != 0) {
                out += std::string(name(static_cast<paging_operation>(i))) + ": " + std::to_string(s.requests) +
                       " requests, " + std::to_string(s.passes) + " passes, " + std::to_string(s.commands) +
                       " commands, " + std::to_string(s.command_bytes) + " bytes, " + std::to_string(s.pages) +
                       " pages in " + std::to_string(s.runs) + " runs\n";
            }
        }
        out += std::to_string(windows_) + " windows, " + std::to_string(busy_) + " busy answers, " +
               std::to_string(resets_) + " resets\n";
        for (vidmm_probe const& p : probes_) {
            out += "probe: " + p.what + ": " + p.answer + '\n';
        }
        for (std::size_t i = 0; i < vidmm_rule_count; ++i) {
            out += std::string(vidmm_rules[i].id) + ' ' + state_of(i) + '\n';
        }
        return out;
    }

    /// Operation, passes, commands, bytes and nanoseconds, one line each; the times differ from run to run.
    [[nodiscard]] std::string table() const {
        std::string out = "operation              requests   passes  commands     bytes    pages     runs    ns/pass\n";
        for (std::size_t i = 0; i < paging_operation_count; ++i) {
            vidmm_operation_statistics const& s = operations_[i];
            if (s.passes != 0) {
                out += left(name(static_cast<paging_operation>(i)), 21) + right(s.requests, 10) + right(s.passes, 9) +
                       right(s.commands, 10) + right(s.command_bytes, 10) + right(s.pages, 9) + right(s.runs, 9) +
                       right(s.build_ns / s.passes, 11) + '\n';
            }
        }
        return out;
    }

private:
    [[nodiscard]] std::string state_of(std::size_t rule) const {
        if (broken_[rule] != 0) {
            return "broken " + std::to_string(broken_[rule]) + " times";
        }
        return tally_[rule] == 0 ? "not exercised" : "held " + std::to_string(tally_[rule]) + " times";
    }
    [[nodiscard]] static std::string left(std::string text, std::size_t width) {
        text.resize(text.size() < width ? width : text.size(), ' ');
        return text;
    }
    [[nodiscard]] static std::string right(std::uint64_t value, std::size_t width) {
        std::string const digits = std::to_string(value);
        return std::string(digits.size() < width ? width - digits.size() : 1, ' ') + digits;
    }

    std::vector<vidmm_violation> violations_;
    std::array<std::uint64_t, vidmm_rule_count> tally_{};
    std::array<std::uint64_t, vidmm_rule_count> broken_{};
    std::array<vidmm_operation_statistics, paging_operation_count> operations_{};
    std::vector<vidmm_probe> probes_;
    std::uint64_t busy_ = 0;
    std::uint64_t resets_ = 0;
    std::uint64_t windows_ = 0;
};

}  // namespace wddmcore::testing
