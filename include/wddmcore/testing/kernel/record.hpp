// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../config.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// What a driver's process leaves behind, in memory that its parent sees too: nothing is lost in a crash.
///
/// Only fixed arrays, so that a signal handler can write to it.
struct kernel_record {
    /// One thing that is wrong.
    struct finding {
        char id[48];         ///< a rule, or the bug check that Windows would stop with
        char sentence[320];  ///< what is wrong
        char where[600];     ///< in which call, and in which function of the image
    };
    static constexpr std::size_t most_findings = 64;
    static constexpr std::size_t text_bytes = std::size_t{1} << 17;

    std::uint32_t count = 0;
    bool finished = false;            ///< the run came to its end
    bool refused = false;             ///< the driver refused to start; the text says which function
    char call[160] = "";              ///< the DDI function that was called last
    char detail[600] = "";            ///< what the simulator says of that call
    char thread[160] = "";            ///< which thread runs
    std::uint32_t last_import = ~0U;  ///< index of the kernel function that was called last
    std::array<finding, most_findings> findings{};
    char text[text_bytes] = "";  ///< what else the run says
    std::size_t text_used = 0;

    /// Notes a finding; the same id and sentence only once.
    void add(char const* id, std::string const& sentence, std::string const& where) {
        for (std::uint32_t i = 0; i < count; ++i) {
            if (id == std::string(findings[i].id) && sentence.substr(0, 319) == findings[i].sentence) {
                return;
            }
        }
        if (count < most_findings) {
            finding& f = findings[count];
            std::snprintf(f.id, sizeof f.id, "%s", id);
            std::snprintf(f.sentence, sizeof f.sentence, "%s", sentence.c_str());
            std::snprintf(f.where, sizeof f.where, "%s", where.c_str());
            ++count;
        }
    }

    /// Adds to the run's text; what no longer fits is left out.
    void say(std::string const& words) {
        std::size_t const room = text_bytes - 1 - text_used;
        std::size_t const bytes = std::min(room, words.size());
        std::copy_n(words.data(), bytes, text + text_used);
        text_used += bytes;
        text[text_used] = '\0';
    }
};

}  // namespace wddmcore::testing
