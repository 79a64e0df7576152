// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wddmcore::examples {

/// What the command line asked for; empty members mean "all of them".
struct round_trip_options {
    std::optional<std::string> hardware;
    std::optional<std::string> pages;     ///< host, random, contiguous, or a file
    std::optional<std::uint64_t> size;    ///< bytes of one allocation
    std::optional<std::uint32_t> buffer;  ///< bytes of one paging buffer
    std::uint64_t seed = 1;
    std::optional<std::string> trace;  ///< a file for Chrome trace events
    bool full = false;                 ///< sizes up to a gigabyte, which take minutes
    bool brief = false;                ///< without the table
    bool help = false;
};

/// The options or, if the command line is wrong, what was expected.
struct parsed_options {
    round_trip_options options;
    std::string problem;  ///< empty when there is none
};

/// @param names  the available hardware
[[nodiscard]] parsed_options parse(std::vector<std::string> const& words, std::vector<std::string> const& names);

/// How to call the program.
[[nodiscard]] std::string usage(std::vector<std::string> const& names);

}  // namespace wddmcore::examples
