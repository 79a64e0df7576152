// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../finding_log.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// What a driver's process leaves behind, in memory that its parent sees too: nothing is lost in a crash.
///
/// Only fixed arrays, so that a signal handler can write to it.
struct kernel_record {
    static constexpr std::size_t text_bytes = std::size_t{1} << 17;

    bool finished = false;                ///< the run came to its end
    char call[160] = "";                  ///< the DDI function that was called last
    char detail[600] = "";                ///< what the simulator says of that call
    char thread[160] = "";                ///< which thread runs
    std::uint32_t last_import = ~0U;      ///< index of the kernel function that was called last
    vidmm_parts::kept_findings findings;  ///< of the kernel and of the simulators, in the order in which they were made
    char text[text_bytes] = "";           ///< what else the run says, in lines
    std::size_t text_used = 0;

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
