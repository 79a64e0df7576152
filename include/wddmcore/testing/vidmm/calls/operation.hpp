// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../feature_options.hpp"
#include "../memory/intervals.hpp"
#include "arguments.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <span>

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// Bytes that have to be somewhere after an operation; addresses are those of memory_model.
struct extent {
    std::uint64_t destination = 0;
    std::uint64_t source = 0;  ///< of a transfer
    std::uint64_t size = 0;
};

/// Which rule explains what was found, and how.
struct finding {
    vidmm_rule rule;
    std::string sentence;
};

/// A page of the paging process that an operation needs, and what it has to stand for.
struct window_page {
    std::uint64_t va = 0;
    std::uint64_t address = 0;  ///< as memory_model counts
};

struct address_space;

/// A request on its way: asked, built in passes, submitted in windows, executed, compared.
struct operation {
    request asked;
    std::vector<extent> effect;      ///< what a transfer or fill has to do, derived from placements, not from `asked`
    std::uint64_t access = 0;        ///< of operations 3 and 4: where, as memory_model counts
    std::function<void()> finished;  ///< gives back what the request occupied
    /// What the request makes of the bytes of `effect`, which it gets as they have to be before; empty for transfers
    /// and fills.
    std::function<void(std::span<std::byte>)> becomes;
    /// Names the mistake behind other bytes than `wanted`; the expected image is not changed yet.
    std::function<finding(operation const&, std::span<std::byte const> wanted)> explain;
    std::function<void()> judge;        ///< what operations 10 to 22 have to show once executed, beside bytes
    std::vector<window_page> mapped;    ///< for this operation only, where the hardware has page tables of its own
    std::function<void()> unmapped;     ///< gives back these addresses
    address_space const* in = nullptr;  ///< where the commands are executed; none: the paging process
    /// Of a copy of entries: what its pages would be with usual mistakes.
    std::vector<std::optional<vidmm_translation>> at_build;     ///< sources read when the commands were built
    std::vector<std::optional<vidmm_translation>> independent;  ///< all sources read before the first entry is written
    std::vector<std::optional<vidmm_translation>> backwards;    ///< ranges in the opposite order
    std::uint64_t wrote_until = 0;  ///< of those with their own encoding: bytes up to the last one that changed
    bool own_encoding = false;      ///< the bytes of `effect` are the hardware's own: they follow what is there

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
    bool begun_anew = false;                ///< and that was all that had been done by then
    std::uint32_t last_token = 0;           ///< MultipassOffset of the last pass
    std::uint64_t flow = 0;                 ///< of the last pass's commands, in the trace; 0: it wrote none

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
