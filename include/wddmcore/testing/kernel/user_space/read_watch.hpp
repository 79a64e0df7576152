// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "memory.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#if defined(__x86_64__) && defined(__linux__)

namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts::user_space {

/// What a driver has read of a process's memory in the call at hand. The process may change it at any moment: what is
/// used has to be what was looked at, so each byte is read once (AMB-68).
///
/// Compilers copy with overlapping loads, and such a pair is no finding: of two loads one has to lie inside the other,
/// or to read nothing new. Of a copy by a function of the kernel all bytes are known: any that is read again is one.
class read_watch {
public:
    [[nodiscard]] static read_watch& current() {
        static read_watch one;
        return one;
    }

    /// A call begins that gets these pieces.
    void begin(std::initializer_list<user_memory*> pieces) {
        reads_.clear();
        for (user_memory* const each : pieces) {
            each->close();
        }
    }
    /// The call is over.
    void end() { reads_.clear(); }

    /// Something is read.
    /// @param exact  by a function of the kernel, byte for byte
    /// @param by     who reads: an offset in the image, in words
    /// @return who has read it before in this call; empty: nobody
    [[nodiscard]] std::string read(std::uintptr_t at, std::size_t bytes, bool exact, std::string const& by) {
        std::string before;
        std::vector<bool> seen(bytes);
        for (one_read const& r : reads_) {
            std::uintptr_t const first = std::max(at, r.at);
            std::uintptr_t const end = std::min(at + bytes, r.at + r.bytes);
            if (first >= end) {
                continue;
            }
            bool const contains =
                (r.at <= at && at + bytes <= r.at + r.bytes) || (at <= r.at && r.at + r.bytes <= at + bytes);
            std::fill(seen.begin() + static_cast<std::ptrdiff_t>(first - at),
                      seen.begin() + static_cast<std::ptrdiff_t>(end - at), true);
            bool const all = std::find(seen.begin(), seen.end(), false) == seen.end();
            if (before.empty() && (exact || r.exact || contains || all)) {
                before = r.by;
            }
        }
        reads_.push_back({at, bytes, exact, by});
        return before;
    }

private:
    struct one_read {
        std::uintptr_t at;
        std::size_t bytes;
        bool exact;
        std::string by;
    };
    std::vector<one_read> reads_;
};

/// The piece that is watched at an address; nullptr: none.
[[nodiscard]] inline user_memory* watched_at(std::uintptr_t address) {
    for (user_memory* const each : user_memory::everything()) {
        if (each->is_closed() && each->holds(address)) {
            return each;
        }
    }
    return nullptr;
}

}  // namespace wddmcore::testing::kernel_parts::user_space

#endif
