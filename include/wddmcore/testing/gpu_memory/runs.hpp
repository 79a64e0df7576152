// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "bus.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// Joins small pieces of memory to the longest ones there are, and remembers the last few.
///
/// Without the memory, an engine that asks for a long piece and uses one page of it, again and again, would cost the
/// square of the length.
class gpu_memory_runs {
public:
    /// Forgets what was found, because the memory has changed.
    void clear() { runs_ = {}; }

    /// The longest piece at an address.
    /// @param address  where it begins
    /// @param size     bytes wanted at most, not 0
    /// @param resolve  tells for any address the piece up to the end of its page or region, as gpu_bus::piece;
    ///                 {nullptr, 0} where there is nothing
    /// @return the piece; {nullptr, 0} where there is nothing
    template <class Resolve>
    [[nodiscard]] gpu_bus::piece at(std::uint64_t address, std::size_t size, Resolve const& resolve) {
        run* found = find(address);
        if (found == nullptr) {
            gpu_bus::piece const start = resolve(address);
            if (start.data == nullptr) {
                return start;
            }
            found = &runs_[next_++ % runs_.size()];
            *found = {address, address + (start.size - 1), start.data, false};
        }
        std::uint64_t const wanted = size - 1;
        while (!found->whole && found->last - address < wanted) {
            extend(*found, resolve);
        }
        std::uint64_t const more = std::min<std::uint64_t>(found->last - address, wanted);
        return {found->data + (address - found->first), static_cast<std::size_t>(more) + 1};
    }

private:
    // A stretch of addresses that is one stretch of host memory, as far as somebody has looked.
    struct run {
        std::uint64_t first = 0;
        std::uint64_t last = 0;
        std::byte* data = nullptr;
        bool whole = false;
    };

    [[nodiscard]] run* find(std::uint64_t address) {
        for (run& r : runs_) {
            if (r.data != nullptr && address >= r.first && address <= r.last) {
                return &r;
            }
        }
        return nullptr;
    }

    template <class Resolve>
    static void extend(run& r, Resolve const& resolve) {
        if (r.last == std::numeric_limits<std::uint64_t>::max()) {
            r.whole = true;
            return;
        }
        gpu_bus::piece const more = resolve(r.last + 1);
        // Memories lie between guards, so two of them never touch, whatever the host does.
        auto const expected = reinterpret_cast<std::uintptr_t>(r.data) + (r.last - r.first) + 1;
        if (more.data == nullptr || reinterpret_cast<std::uintptr_t>(more.data) != expected) {
            r.whole = true;
            return;
        }
        r.last += more.size;
    }

    std::array<run, 4> runs_{};
    std::size_t next_ = 0;
};

}  // namespace wddmcore::testing
