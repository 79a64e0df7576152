// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "sequence_virtual.hpp"

/// Random paging operations on one adapter, executed by its own engine through its own page tables, beside a model of
/// bytes.
///
/// An adapter is a class with `hw`, `bus`, `play` (see law_memory), `mmu.walk(va)`, `map`, `unmap`, and constants that
/// say where it put things: `window_virtual`, `segment_first`.
namespace paging_sequence {

template <class Rig>
class player : virtual_moves<Rig> {
    using base = virtual_moves<Rig>;
    using typename base::hardware;
    static constexpr bool is_physical = law_parts::is_physical<hardware>;
    static constexpr bool is_virtual = law_parts::is_virtual<hardware>;

public:
    explicit player(u64 seed) : base(seed) {
        if constexpr (is_virtual) {
            this->map_window();
        }
    }

    /// Plays until something is wrong.
    /// @return what was wrong, empty when nothing was
    [[nodiscard]] std::string play(unsigned steps) {
        for (unsigned i = 0; i != steps && this->wrong_.empty(); ++i) {
            step();
            if (!this->wrong_.empty()) {
                this->wrong_ = say("step ", i, ": ", this->wrong_);
            }
        }
        return this->wrong_;
    }

    /// How often an operation was carried out.
    [[nodiscard]] unsigned times(paging_operation operation) const {
        return this->times_[static_cast<std::size_t>(operation)];
    }
    /// How many passes that took, and how many ranges of the process got other memory.
    [[nodiscard]] unsigned passes() const { return this->passes_; }
    [[nodiscard]] unsigned remaps() const { return this->remaps_; }

private:
    void step() {
        u64 const n = this->random_.below(100);
        bool const name_memory =
            !is_virtual || (is_physical && this->random_.chance(50));  // else the process's addresses
        if constexpr (is_physical) {
            if (name_memory && n < 30) {
                return this->move(paging_operation::transfer);
            }
            if constexpr (reachable(hardware::caps, paging_operation::special_lock_transfer)) {
                if (name_memory && n < 40) {
                    return this->move(paging_operation::special_lock_transfer);
                }
            }
            if (name_memory && n < 55) {
                return this->fill_segment();
            }
            if constexpr (reachable(hardware::caps, paging_operation::read_physical)) {
                if (name_memory && n < 65) {
                    return this->access();
                }
            }
        }
        if constexpr (is_virtual) {
            if (n < 35) {
                return this->move_virtual();
            }
            if (n < 60) {
                return this->fill_virtual();
            }
            if (n < 70) {
                return this->remap();
            }
        }
        if (n < 75) {
            return this->discard();
        }
        return n < 90 ? this->map_aperture() : this->unmap_aperture();
    }
};

}  // namespace paging_sequence
