// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>

#if defined(_WIN32)
#    include <io.h>
#else
#    include <unistd.h>
#endif

namespace wddmcore::examples {

/// One line that says how far a long run is: only on a terminal, and only after the first second.
class progress_line {
public:
    explicit progress_line(std::size_t steps) : steps_(steps) {}

    void next(std::string const& what) {
        ++step_;
        if (!terminal() || std::chrono::steady_clock::now() - started_ < std::chrono::seconds(1)) {
            return;
        }
        std::string line = std::to_string(step_) + " of " + std::to_string(steps_) + ": " + what;
        line.resize(width, ' ');
        std::fprintf(stderr, "\r%s", line.c_str());
        std::fflush(stderr);
        shown_ = true;
    }

    void clear() {
        if (shown_) {
            std::fprintf(stderr, "\r%s\r", std::string(width, ' ').c_str());
            shown_ = false;
        }
    }

private:
    static constexpr std::size_t width = 110;

    static bool terminal() {
#if defined(_WIN32)
        return _isatty(_fileno(stderr)) != 0;
#else
        return ::isatty(2) != 0;
#endif
    }

    std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
    std::size_t steps_;
    std::size_t step_ = 0;
    bool shown_ = false;
};

}  // namespace wddmcore::examples
