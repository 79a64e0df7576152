// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/ddi.hpp>

#include <array>
#include <cstddef>

namespace sequences {

/// Forms of requests that are rare enough to be counted: a sequence that never meets one says nothing about it.
enum class shape : std::size_t {
    in_use,              ///< the allocation may be in use, and is: answered busy, then asked again (PGB-09)
    perhaps_in_use,      ///< it may be, and is not
    in_use_midway,       ///< it may be, and is from the second pass on: too late for a busy answer
    nothing_to_move,     ///< a transfer of size 0 (OP00-09)
    sub_transfer,        ///< a transfer with TransferOffset (OP00-02)
    overlap_upwards,     ///< a move to a higher place that begins inside the source (OP08-07)
    overlap_downwards,   ///< and to a lower one
    buffer_goes_away,    ///< the first passes had buffers, and what they left is done at once (PGB-11)
    context_at_once,     ///< the image of a context by its CPU address, all of it (OP10-01)
    context_begun,       ///< the same, what passes with buffers had left of it
    entries_in_process,  ///< copies of entries by a process's own addresses (OP14-04)
    page_for_tables,     ///< an entry of level 1 that led to tables becomes a large page at once (GVA-16)
    tables_for_page,     ///< and the other way round
    tall_page,           ///< a large page above level 1 (GVA-16)
    tall_page_again,     ///< instead of another
    tables_under_page,   ///< a large page above level 1 gives way to the tables that it hid
    tables_anew,         ///< and to new ones
    large_in_system,     ///< a large page of system memory (GVA-16)
};

inline constexpr std::size_t shape_count = static_cast<std::size_t>(shape::large_in_system) + 1;

/// How often each was met.
class shape_counts {
public:
    void meet(shape s) { ++times_[static_cast<std::size_t>(s)]; }
    [[nodiscard]] unsigned times(shape s) const { return times_[static_cast<std::size_t>(s)]; }

private:
    std::array<unsigned, shape_count> times_{};
};

/// How often each operation was carried out, and in how many passes.
struct counts {
    std::array<unsigned, wddmcore::paging_operation_count> times{};
    unsigned passes = 0;
    shape_counts shapes;
};

/// Which passes of a request have a buffer (PGB-11).
enum class buffers {
    always,
    smallest,  ///< each, but the smallest legal one
    never,     ///< all of it has to happen at once
    at_first,  ///< there is one for the first pass, the smallest, and what that leaves has to happen at once
};

}  // namespace sequences
