// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "machine.hpp"

#include <algorithm>

namespace sequences {

using law_parts::as_hex;
using law_parts::memory_model;
using law_parts::random_numbers;
using law_parts::say;
using stretch = memory_model::stretch;
using stretches = memory_model::stretches;

/// One 4-KiB page of physical memory: part 0 is the segment, `page` a page of it; part i + 1 is system page i.
struct frame {
    /// System memory by the number of its page, whether it is there or not: only translated to.
    static constexpr std::size_t any_system = ~std::size_t{0};

    std::size_t part = 0;
    u64 page = 0;

    /// The page so many pages behind it.
    [[nodiscard]] frame after(u64 pages) const {
        return part == 0 || part == any_system ? frame{part, page + pages}
                                               : frame{part + static_cast<std::size_t>(pages), 0};
    }
    friend bool operator==(frame const&, frame const&) = default;
};

/// Pages that hold page tables, some of the segment and some of the system. Free ones hold junk that nobody may change.
class table_arena {
public:
    struct place {
        bool in_system = false;
        u64 at = 0;  ///< offset in the segment, or a system address
        u64 bytes = 0;
    };

    table_arena(machine& m, random_numbers& random) : machine_(m), random_(random) {
        used_.resize(static_cast<std::size_t>(m.where.table_bytes / page_bytes));
        for (std::size_t i = 0; i != used_.size(); ++i) {
            soil(bus_of({false, offset_of(i), page_bytes}), page_bytes);
        }
        for (std::size_t i = machine::data_pages; i != machine::page_count; ++i) {
            free_system_.push_back(byte_address(page_number{m.system_pages[i]}));
            soil(bus_of({true, free_system_.back(), page_bytes}), page_bytes);
        }
    }

    /// Memory for a table; what is there is junk (OP11-08).
    [[nodiscard]] place allocate(u64 bytes, u64 alignment, bool may_be_in_system) {
        if (may_be_in_system && bytes == page_bytes && !free_system_.empty() && random_.chance(30)) {
            std::swap(free_system_[random_.below(free_system_.size())], free_system_.back());
            place const p{true, free_system_.back(), bytes};
            free_system_.pop_back();
            return p;
        }
        std::size_t const pages = static_cast<std::size_t>(bytes / page_bytes);
        std::size_t const step = static_cast<std::size_t>(alignment / page_bytes);
        std::size_t const slots = used_.size() / step;
        for (std::size_t i = 0, slot = static_cast<std::size_t>(random_.below(slots)); i != slots; ++i, ++slot) {
            std::size_t const first = slot % slots * step;
            if (first + pages <= used_.size() &&
                std::none_of(begin(first), begin(first + pages), [](bool b) { return b; })) {
                std::fill(begin(first), begin(first + pages), true);
                return {false, offset_of(first), bytes};
            }
        }
        throw std::logic_error("no memory for page tables");
    }

    /// Gives the memory back, for others to write over.
    void release(place const& p) {
        soil(bus_of(p), p.bytes);
        if (p.in_system) {
            free_system_.push_back(p.at);
            return;
        }
        std::size_t const first = static_cast<std::size_t>((p.at - machine_.where.data_bytes) / page_bytes);
        std::fill(begin(first), begin(first + static_cast<std::size_t>(p.bytes / page_bytes)), false);
    }

    [[nodiscard]] u64 bus_of(place const& p) const {
        return p.in_system ? machine_.bus_of_system(p.at) : machine_.bus_of_segment(p.at);
    }

    /// A free page that no longer holds its junk, as a sentence; empty when there is none.
    [[nodiscard]] std::string changed() {
        for (std::size_t i = 0; i != used_.size(); ++i) {
            if (!used_[i] && !is_soiled(bus_of({false, offset_of(i), page_bytes}))) {
                return say("free memory at ", as_hex{offset_of(i)}, " of the segment has changed");
            }
        }
        for (u64 const at : free_system_) {
            if (!is_soiled(bus_of({true, at, page_bytes}))) {
                return say("a free system page at ", as_hex{at}, " has changed");
            }
        }
        return {};
    }

private:
    [[nodiscard]] std::vector<bool>::iterator begin(std::size_t at) {
        return used_.begin() + static_cast<std::ptrdiff_t>(at);
    }
    [[nodiscard]] u64 offset_of(std::size_t page) const { return machine_.where.data_bytes + page * page_bytes; }

    // All ones: junk that most formats take for a valid entry.
    static constexpr u64 junk = 0xFFFF'FFFF'FFFF'FFFF;
    void soil(u64 bus_address, u64 bytes) {
        std::vector<u64> const words(static_cast<std::size_t>(bytes / 8), junk);
        if (!machine_.bus.write(bus_address, words.data(), static_cast<std::size_t>(bytes))) {
            throw std::logic_error("no memory for page tables");
        }
    }
    [[nodiscard]] bool is_soiled(u64 bus_address) {
        std::vector<u64> words(page_bytes / 8);
        return machine_.bus.read(bus_address, words.data(), page_bytes) &&
               std::all_of(words.begin(), words.end(), [](u64 w) { return w == junk; });
    }

    machine& machine_;
    random_numbers& random_;
    std::vector<bool> used_;
    std::vector<u64> free_system_;
};

}  // namespace sequences
