// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

#include "limits.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#if defined(__linux__)
#    include <sys/resource.h>
#    include <unistd.h>
#endif

namespace wddmcore::examples {

#if defined(__linux__)

namespace {

void lower(std::optional<std::uint64_t>& least, std::uint64_t value) { least = std::min(least.value_or(value), value); }

/// The first number in a file, if it begins with one.
std::optional<std::uint64_t> number_of(char const* path) {
    std::ifstream file(path);
    std::uint64_t value = 0;
    return file >> value ? std::optional(value) : std::nullopt;
}

std::uint64_t beyond(std::uint64_t limit, std::uint64_t used) { return limit - std::min(limit, used); }

}  // namespace

std::optional<std::uint64_t> memory_left() {
    std::optional<std::uint64_t> least;
    std::ifstream machine("/proc/meminfo");
    for (std::string word; machine >> word;) {
        std::uint64_t kib = 0;
        if (word == "MemAvailable:" && machine >> kib) {
            lower(least, kib * 1024);
            break;
        }
    }
    auto const allowed = number_of("/sys/fs/cgroup/memory.max");  // "max" without a limit
    if (auto const used = number_of("/sys/fs/cgroup/memory.current"); allowed && used) {
        lower(least, beyond(*allowed, *used));
    }
    ::rlimit space{};
    auto const pages = number_of("/proc/self/statm");
    if (::getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY && pages) {
        lower(least, beyond(space.rlim_cur, *pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE))));
    }
    return least;
}

#else

std::optional<std::uint64_t> memory_left() { return std::nullopt; }

#endif

std::uint64_t memory_needed(std::uint64_t size, bool traced) {
    constexpr std::uint64_t program = std::uint64_t{128} << 20;
    // Measured: five to six times the size, and with buffers of one command six KiB of events a page.
    constexpr std::uint64_t copies = 6;
    constexpr std::uint64_t events_of_a_page = 8192;
    return program + copies * size + (traced ? size / 4096 * events_of_a_page : 0);
}

std::string why_not_writable(std::string const& path) {
    errno = 0;
    std::ofstream const file(path, std::ios::app);
    return file ? "" : std::strerror(errno);
}

}  // namespace wddmcore::examples
