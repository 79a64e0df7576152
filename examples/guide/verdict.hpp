// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/testing/vidmm.hpp>

#include <cstdio>
#include <string>

/// What the programs of the guide print of a run.
namespace guide {

/// A long sentence in lines of at most 100 characters, each after four blanks.
inline std::string folded(std::string const& text) {
    std::string out = "   ";
    std::size_t column = 3;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t const end = std::min(text.find_first_of(" \n", at), text.size());
        if (column + end - at + 1 > 100) {
            out += "\n   ";
            column = 3;
        }
        out += ' ' + text.substr(at, end - at);
        column += end - at + 1;
        at = end + 1;
    }
    return out + '\n';
}

/// The first broken rule, with the simulator's sentence and the numbers that show it; or what was done without one.
inline bool print_verdict(wddmcore::testing::vidmm_report const& report) {
    if (!report.passed()) {
        auto const& first = report.violations().front();
        std::printf("%s is broken\n%s%s", first.rule.c_str(), folded(first.sentence).c_str(),
                    folded(first.state).c_str());
        return false;
    }
    std::printf("no rule was found broken\n");
    for (unsigned i = 0; i != wddmcore::paging_operation_count; ++i) {
        auto const operation = static_cast<wddmcore::paging_operation>(i);
        if (auto const& of = report.of(operation); of.requests != 0) {
            std::printf("  %-24s %5llu requests, %5llu passes, %5llu commands\n", wddmcore::name(operation),
                        static_cast<unsigned long long>(of.requests), static_cast<unsigned long long>(of.passes),
                        static_cast<unsigned long long>(of.commands));
        }
    }
    return true;
}

}  // namespace guide
