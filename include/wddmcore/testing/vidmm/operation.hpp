// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "arguments.hpp"
#include "intervals.hpp"

#include <functional>
#include <memory>
#include <optional>

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// Bytes that have to be somewhere after an operation; addresses are those of memory_model.
struct extent {
    std::uint64_t destination = 0;
    std::uint64_t source = 0;  ///< of a transfer
    std::uint64_t size = 0;
};

/// A request on its way: asked, built in passes, submitted in windows, executed, compared.
struct operation {
    request asked;
    std::vector<extent> effect;      ///< what a transfer or fill has to do, derived from placements, not from `asked`
    std::uint64_t access = 0;        ///< of operations 3 and 4: where, as memory_model counts
    std::function<void()> finished;  ///< gives back what the request occupied

    std::shared_ptr<handed_list> list;
    std::uint32_t passes = 0;
    std::uint32_t parts_left = 0;           ///< parts submitted or open, not executed
    bool built = false;                     ///< the driver said success
    bool wrote = false;                     ///< any command
    bool skipped = false;                   ///< a pass moved MultipassOffset and wrote nothing
    intervals destination;                  ///< of the effect
    intervals done;                         ///< of the destination, touched by executed parts
    intervals touched;                      ///< anything, by executed parts
    std::optional<std::uint64_t> repeated;  ///< what a later pass touched again

    bool overlaps = false;  ///< the destination is a part of the source

    void prepare() {
        intervals source;
        for (extent const& e : effect) {
            destination.add(e.destination, e.destination + e.size);
            if (asked.is_transfer()) {
                source.add(e.source, e.source + e.size);
            }
        }
        overlaps = !source.common(destination).empty();
    }
};

}  // namespace wddmcore::testing::vidmm_parts
