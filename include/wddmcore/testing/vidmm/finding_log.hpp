// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../config.hpp"

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// One rule found broken.
struct vidmm_violation {
    std::string rule;      ///< the id, for example "PGB-09"; of crashes see `crash_id`
    std::string sentence;  ///< what was wrong
    std::string state;     ///< the request and the numbers that show it; simulated addresses only

    [[nodiscard]] bool operator==(vidmm_violation const&) const = default;
};

/// What stands in the place of a rule's id where a run ended in a way of which no page has to speak.
namespace crash_id {

inline constexpr char const* null_access = "NULL-ACCESS";  ///< a NULL pointer was used
inline constexpr char const* wild_access = "WILD-ACCESS";  ///< an address at which the driver was given nothing
inline constexpr char const* crash = "CRASH";              ///< an instruction that the processor refuses, or an abort
inline constexpr char const* hang = "HANG";                ///< the call did not come back

}  // namespace crash_id

namespace vidmm_parts {

/// Findings in the order in which they were made, in memory that another process may see, so that a crash loses none.
///
/// Of fixed size; what no longer fits is left out as a whole.
struct kept_findings {
    static constexpr std::size_t room = 1 << 16;

    std::size_t used = 0;
    char text[room]{};  ///< rule, sentence and state, each ended by a zero

    void add(char const* rule, char const* sentence, char const* state) {
        std::size_t const sizes[] = {std::strlen(rule) + 1, std::strlen(sentence) + 1, std::strlen(state) + 1};
        if (sizes[0] + sizes[1] + sizes[2] > room - used) {
            return;
        }
        char const* const parts[] = {rule, sentence, state};
        std::size_t at = used;
        for (std::size_t i = 0; i < 3; ++i) {
            std::memcpy(text + at, parts[i], sizes[i]);
            at += sizes[i];
        }
        used = at;  // last: a crash in between leaves whole findings
    }

    [[nodiscard]] std::vector<vidmm_violation> all() const {
        std::vector<vidmm_violation> out;
        std::size_t at = 0;
        auto const next = [&] {
            std::string s(text + at);
            at += s.size() + 1;
            return s;
        };
        while (at < used) {
            vidmm_violation v;
            v.rule = next();
            v.sentence = next();
            v.state = next();
            out.push_back(std::move(v));
        }
        return out;
    }
};

/// Where this process's findings are also written; nullptr: nowhere.
[[nodiscard]] inline kept_findings*& findings_of_this_process() {
    static kept_findings* where = nullptr;
    return where;
}

/// Keeps a finding, the moment it is made.
inline void keep_finding(std::string const& rule, std::string const& sentence, std::string const& state) {
    if (kept_findings* const where = findings_of_this_process(); where != nullptr) {
        where->add(rule.c_str(), sentence.c_str(), state.c_str());
    }
}

}  // namespace vidmm_parts

}  // namespace wddmcore::testing
