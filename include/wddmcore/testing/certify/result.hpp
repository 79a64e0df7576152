// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../scheduler.hpp"
#include "../trace.hpp"
#include "../vidmm.hpp"

#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing::certify_parts {

/// Writes what happened in a run where somebody asked for it.
inline void write_trace(std::string const& file, trace const& events) {
    if (!file.empty()) {
        std::ofstream to(file, std::ios::binary);
        events.write(to);
        if (!to) {
            throw std::runtime_error(file + " cannot be written");
        }
    }
}

/// The name of a file for another part of the same run: a word comes before the extension. Empty where `file` is.
[[nodiscard]] inline std::string file_beside(std::string const& file, std::string const& word) {
    std::size_t const dot = file.rfind('.');
    std::size_t const folder = file.rfind('/');
    bool const extended = dot != std::string::npos && (folder == std::string::npos || folder < dot);
    std::string out = file;
    return file.empty() ? out : out.insert(extended ? dot : file.size(), '.' + word);
}

/// What a scenario brings out of the process in which it ran, beside its findings.
struct result {
    std::map<std::string, std::uint64_t> exercised;
    std::vector<std::string> unjudged;
    std::vector<std::string> said;
    std::string left_out;

    void count(vidmm_report const& from) {
        for (vidmm_rule_text const& rule : vidmm_rules) {
            count(rule.id, from.times_exercised(rule.rule));
        }
    }
    void count(scheduler::report const& from) {
        for (scheduler::rule_text const& rule : scheduler::rules) {
            count(rule.id, from.times_exercised(rule.which));
        }
    }

    /// One line each; `read` is the opposite. A run that may crash writes them one after the other.
    [[nodiscard]] std::string text() const {
        std::string out = left_out.empty() ? "" : "left out " + left_out + '\n';
        for (std::string const& line : unjudged) {
            out += "unjudged " + line + '\n';
        }
        for (std::string const& line : said) {
            out += "said " + line + '\n';
        }
        for (auto const& [id, times] : exercised) {
            out += "exercised " + id + ' ' + std::to_string(times) + '\n';
        }
        return out;
    }
    [[nodiscard]] static result read(std::string const& text) {
        result out;
        std::istringstream in(text);
        std::string line;
        while (std::getline(in, line)) {
            auto const rest_after = [&line](std::string_view word) { return line.substr(word.size()); };
            if (line.starts_with("left out ")) {
                out.left_out = rest_after("left out ");
            } else if (line.starts_with("unjudged ")) {
                out.unjudged.push_back(rest_after("unjudged "));
            } else if (line.starts_with("said ")) {
                out.said.push_back(rest_after("said "));
            } else if (line.starts_with("exercised ")) {
                std::istringstream words(rest_after("exercised "));
                std::string id;
                std::uint64_t times = 0;
                words >> id >> times;
                out.exercised[id] += times;
            }
        }
        return out;
    }

private:
    void count(char const* id, std::uint64_t times) {
        if (times != 0) {
            exercised[id] += times;
        }
    }
};

}  // namespace wddmcore::testing::certify_parts
