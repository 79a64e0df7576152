// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "vidmm/memory/differing_memory.hpp"

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// One rule found broken.
struct vidmm_violation {
    std::string rule;           ///< the id, for example "PGB-09"; of crashes see `crash_id`
    std::string sentence;       ///< what was wrong
    std::string state;          ///< the request and the numbers that show it; simulated addresses only
    differing_memory memory{};  ///< where bytes of memory show it

    [[nodiscard]] bool operator==(vidmm_violation const&) const = default;
};

/// What stands in the place of a rule's id where a run ended in a way of which no page has to speak.
namespace crash_id {

inline constexpr char const* null_access = "NULL-ACCESS";  ///< a NULL pointer was used
inline constexpr char const* wild_access = "WILD-ACCESS";  ///< an address at which the driver was given nothing
inline constexpr char const* crash = "CRASH";              ///< an instruction that the processor refuses, or an abort
inline constexpr char const* hang = "HANG";                ///< the call did not come back
inline constexpr char const* refused = "REFUSED";          ///< a function failed that the system needs

}  // namespace crash_id

namespace vidmm_parts {

/// Findings in the order in which they were made, in memory that another process may see, so that a crash loses none.
///
/// Of fixed size; what no longer fits is left out as a whole.
struct kept_findings {
    static constexpr std::size_t room = 1 << 16;
    static constexpr std::size_t parts_of_one = 4;

    std::size_t used = 0;
    char text[room]{};  ///< rule, sentence, state and memory, each ended by a zero

    void add(char const* rule, char const* sentence, char const* state, char const* memory = "") {
        char const* const parts[parts_of_one] = {rule, sentence, state, memory};
        std::size_t all = 0;
        for (char const* const part : parts) {
            all += std::strlen(part) + 1;
        }
        if (all > room - used) {
            return;
        }
        std::size_t at = used;
        for (char const* const part : parts) {
            std::memcpy(text + at, part, std::strlen(part) + 1);
            at += std::strlen(part) + 1;
        }
        used = at;  // last: a crash in between leaves whole findings
    }

    /// Whether this rule was found broken in these words before, wherever.
    [[nodiscard]] bool has(char const* rule, std::string const& sentence) const {
        for (std::size_t at = 0; at < used;) {
            char const* const parts[] = {text + at, text + at + std::strlen(text + at) + 1};
            if (std::strcmp(parts[0], rule) == 0 && sentence == parts[1]) {
                return true;
            }
            for (std::size_t i = 0; i < parts_of_one; ++i) {
                at += std::strlen(text + at) + 1;
            }
        }
        return false;
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
            v.memory = differing_memory::read(next());
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
inline void keep_finding(std::string const& rule, std::string const& sentence, std::string const& state,
                         differing_memory const& memory = {}) {
    if (kept_findings* const where = findings_of_this_process(); where != nullptr) {
        where->add(rule.c_str(), sentence.c_str(), state.c_str(), memory.text().c_str());
    }
}

}  // namespace vidmm_parts

}  // namespace wddmcore::testing
