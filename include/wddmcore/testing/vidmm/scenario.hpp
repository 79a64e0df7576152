// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "scenario_processes.hpp"

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
        count_features();
    }

    void step() {
        if (random_.chance(m_.options.chances.reset)) {
            mm_.reset();
            return;
        }
        if (m_.options.power_losses && random_.chance(m_.options.chances.power_loss)) {
            mm_.power_loss();
            return;
        }
        if (mm_.allocations_.empty() || (mm_.allocations_.size() < m_.options.most_allocations && random_.chance(25))) {
            bytes const size{random_.between(1, m_.options.largest_allocation)};
            static_cast<void>(random_.chance(70) ? mm_.create(size) : mm_.create_empty(size));
            return;
        }
        if (!features_.empty() && random_.chance(m_.options.chances.feature)) {
            feature(features_[static_cast<std::size_t>(random_.below(features_.size()))]);
            return;
        }
        auto const chosen =
            std::next(mm_.allocations_.begin(), static_cast<std::ptrdiff_t>(random_.below(mm_.allocations_.size())));
        act(chosen->second);
    }

private:
    using kind = vidmm_parts::placement::kind;

    // What is switched on, each with a number.
    enum class feature_kind : std::uint8_t {
        processes,
        eviction_notice,
        unmap_notice,
        context,
        monitored_fence,
        fences,
        mmu
    };

    void switch_on(bool wanted, feature_kind which) {
        if (wanted) {
            features_.push_back(which);
        }
    }

    void count_features() {
        switch_on(mm_.tables_.used(), feature_kind::processes);
        switch_on(m_.options.notify.on_eviction != nullptr, feature_kind::eviction_notice);
        switch_on(m_.options.notify.writes != nullptr, feature_kind::unmap_notice);
        switch_on(m_.options.contexts.bytes != 0, feature_kind::context);
        switch_on(m_.options.notices.monitored_fences, feature_kind::monitored_fence);
        switch_on(m_.options.notices.fence_value_of != nullptr, feature_kind::fences);
        switch_on(!m_.options.notices.mmus.empty(), feature_kind::mmu);
    }

    void feature(feature_kind chosen) {
        switch (chosen) {
            case feature_kind::processes: vidmm_process_scenario(mm_, random_).step(); break;
            case feature_kind::eviction_notice: mm_.notify_eviction(some_allocation()); break;
            case feature_kind::unmap_notice: mm_.notify_iommu_unmap(some_allocation()); break;
            case feature_kind::context: mm_.use_context(); break;
            case feature_kind::monitored_fence: mm_.signal_fence(random_.next()); break;
            case feature_kind::fences: mm_.notice_fences(); break;
            case feature_kind::mmu: mm_.change_mmu(some_allocation()); break;
        }
    }

    [[nodiscard]] std::uint32_t some_allocation() {
        return std::next(mm_.allocations_.begin(), static_cast<std::ptrdiff_t>(random_.below(mm_.allocations_.size())))
            ->first;
    }

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
    std::vector<feature_kind> features_;
};

inline void vidmm::run(std::uint64_t seed, std::uint64_t steps) {
    vidmm_scenario scenario(*this, vidmm_parts::mixed(seed) ^ m_.options.seed);
    for (std::uint64_t i = 0; i < steps && !m_.stopped; ++i) {
        scenario.step();
    }
    if (m_.options.unknown_operation && !m_.stopped) {
        send_unknown_operation();
    }
    if (m_.options.probes && !m_.stopped) {
        probe();
    }
    finish();
}

}  // namespace wddmcore::testing
