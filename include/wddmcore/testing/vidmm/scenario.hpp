// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "manager.hpp"

#include <iterator>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// Chooses what the memory manager does next: anything that Windows could do in this state.
class vidmm_scenario {
public:
    vidmm_scenario(vidmm& mm, std::uint64_t seed) : mm_(mm), m_(mm.m_), random_(seed) {
        for (vidmm_segment const& s : m_.options.segments) {
            if (!s.aperture && !s.hollow) {
                segments_.push_back(segment_id{s.id});
            }
        }
    }

    void step() {
        if (random_.chance(m_.options.chances.reset)) {
            mm_.reset();
            return;
        }
        if (mm_.allocations_.empty() || (mm_.allocations_.size() < m_.options.most_allocations && random_.chance(25))) {
            bytes const size{random_.between(1, m_.options.largest_allocation)};
            static_cast<void>(random_.chance(70) ? mm_.create(size) : mm_.create_empty(size));
            return;
        }
        auto const chosen =
            std::next(mm_.allocations_.begin(), static_cast<std::ptrdiff_t>(random_.below(mm_.allocations_.size())));
        act(chosen->second);
    }

private:
    using kind = vidmm_parts::placement::kind;

    void act(vidmm_parts::allocation const& a) {
        std::uint32_t const number = a.number;
        if (random_.chance(4)) {
            mm_.destroy(number);
            return;
        }
        switch (a.where.is) {
            case kind::none:
                if (!segments_.empty()) {
                    fill(number);
                }
                break;
            case kind::system: in_system(number); break;
            case kind::aperture:
                if (segments_.empty() || mm_.is_virtual() || random_.chance(70)) {
                    mm_.unmap_aperture(number);
                } else {
                    mm_.commit(number, some_segment());
                }
                break;
            case kind::segment: in_segment(a); break;
        }
    }

    void in_system(std::uint32_t number) {
        std::uint64_t const choice = random_.below(10);
        if (m_.aperture.size != 0 && (choice < 4 || segments_.empty())) {
            mm_.map_aperture(number);
        } else if (!segments_.empty() && choice == 9 && mm_.special_lock(number, some_segment())) {
            return;
        } else if (!segments_.empty()) {
            mm_.commit(number, some_segment());
        }
    }

    void in_segment(vidmm_parts::allocation const& a) {
        std::uint32_t const number = a.number;
        std::uint64_t const pages = a.page_count();
        switch (random_.below(12)) {
            case 0:
            case 1:
            case 2: mm_.evict(number); break;
            case 3: mm_.evict_to_aperture(number); break;
            case 4:
            case 5: mm_.move(number, some_segment()); break;
            case 6: fill(number); break;
            case 7: mm_.discard(number); break;
            case 8: mm_.special_lock(number, some_segment()); break;
            case 9:
            case 10: {
                bytes const offset{random_.below(a.size / 8 + 1) * 8};
                mm_.access(number, offset, random_.chance(50));
                break;
            }
            default:
                if (m_.options.overlapping_moves && pages > 1) {
                    auto const by = static_cast<std::int64_t>(random_.between(1, pages - 1));
                    mm_.slide(number, random_.chance(50) ? by : -by);
                }
                break;
        }
    }

    // One throw of the dice in a statement: compilers evaluate arguments in different orders.
    void fill(std::uint32_t number) {
        std::uint32_t const value = pattern();
        mm_.fill(number, value, some_segment());
    }

    [[nodiscard]] segment_id some_segment() {
        return segments_[static_cast<std::size_t>(random_.below(segments_.size()))];
    }

    [[nodiscard]] std::uint32_t pattern() {
        auto const any = static_cast<std::uint32_t>(random_.next());
        return m_.options.byte_patterns ? (any & 0xff) * 0x0101'0101U : any;
    }

    vidmm& mm_;
    vidmm_parts::machine& m_;
    vidmm_parts::dice random_;
    std::vector<segment_id> segments_;
};

inline void vidmm::run(std::uint64_t seed, std::uint64_t steps) {
    vidmm_scenario scenario(*this, vidmm_parts::mixed(seed) ^ m_.options.seed);
    for (std::uint64_t i = 0; i < steps && !m_.stopped; ++i) {
        scenario.step();
    }
    if (m_.options.probes && !m_.stopped) {
        probe();
    }
    finish();
}

}  // namespace wddmcore::testing
