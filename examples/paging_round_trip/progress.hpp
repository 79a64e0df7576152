// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>

#if defined(_WIN32)
#    include <io.h>
#else
#    include <unistd.h>
#endif

namespace wddmcore::examples {

/// Says what a long run does, on standard error: on a terminal in one line that changes, elsewhere a line for each step.
class progress_line {
public:
    explicit progress_line(std::size_t steps) : steps_(steps) {}

    void next(std::string const& what) {
        std::string line = std::to_string(++step_) + " of " + std::to_string(steps_) + ": " + what;
        if (!terminal()) {
            std::fprintf(stderr, "%s\n", line.c_str());
            return;
        }
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
    static constexpr std::size_t width = 79;  // a longer line would wrap and stay

    static bool terminal() {
#if defined(_WIN32)
        return _isatty(_fileno(stderr)) != 0;
#else
        return ::isatty(2) != 0;
#endif
    }

    std::size_t steps_;
    std::size_t step_ = 0;
    bool shown_ = false;
};

}  // namespace wddmcore::examples
