// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../vidmm/isolated.hpp"
#include "scenario.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::scheduler {

/// How `run_isolated` takes this simulator's report out of the process in which the scenario ran.
///
/// `testing::run_isolated([&] { return scheduler::run(table, options, seed); })` gives a verdict even when the driver
/// crashes or never returns; its `last_call` is the driver's function that was called last.
inline void keep_report(vidmm_parts::last_words& words, report const& from) {
    std::string lines;
    for (violation const& v : from.violations()) {
        lines += v.rule + '\n' + v.sentence + '\n' + v.state + '\n';
    }
    vidmm_parts::keep(words.violations, vidmm_parts::last_words::text_size, lines);
    vidmm_parts::keep(words.text, vidmm_parts::last_words::text_size, from.text());
    words.finished = true;
}

}  // namespace wddmcore::testing::scheduler
