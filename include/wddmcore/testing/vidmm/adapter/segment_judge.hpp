// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "machine.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// Judges the segments that one physical adapter reported. What the library's own check says plays no part here.
class segment_judge {
public:
    segment_judge(adapter_machine& m, std::uint32_t adapter, vidmm_reported_adapter const& reported)
        : m_(m), adapter_(adapter), reported_(reported) {}

    void judge() {
        for (vidmm_reported_segment const& s : reported_.segments) {
            check_flags(s);
            // SEG-12: an AGP segment has no numbers of its own.
            if (!s.has(vidmm_segment_flag::agp)) {
                check_kind(s);
                check_power(s);
                check_numbers(s);
                check_banks(s);
                check_protected_range(s);
            }
        }
        check_overlap();
        check_apertures();
        check_order();
        check_paging_buffer();
    }

private:
    using rule = vidmm_rule;
    using list = std::vector<vidmm_reported_segment>;

    bool check(bool holds, rule what, vidmm_reported_segment const& s, std::string const& numbers = {}) {
        return m_.check(holds, what, name(s) + numbers);
    }

    [[nodiscard]] std::string name(vidmm_reported_segment const& s) const {
        return "physical adapter " + std::to_string(adapter_) + ", segment " + std::to_string(s.id) + ", flags " +
               std::to_string(s.flags) + ", base " + std::to_string(s.base) + ", size " + std::to_string(s.size);
    }

    // Bits that the version's DXGK_SEGMENTFLAGS has names for.
    [[nodiscard]] std::uint32_t known_flags() const {
        if (at_least(m_.version, wddm::v2_9)) {
            return (1U << 22) - 1;
        }
        if (at_least(m_.version, wddm::v2_0)) {
            return (1U << 21) - 1;
        }
        return at_least(m_.version, wddm::win8) ? (1U << 11) - 1 : (1U << 10) - 1;
    }

    void check_flags(vidmm_reported_segment const& s) {
        namespace flag = vidmm_segment_flag;
        check((s.flags & ~(known_flags() & ~flag::reserved_sys_mem)) == 0, rule::seg_22, s);
        if (s.has(flag::agp)) {
            bool const alone = s.flags == flag::agp;
            bool const first = std::none_of(reported_.segments.begin(), reported_.segments.begin() + s.id - 1,
                                            [](auto const& other) { return other.has(flag::agp); });
            check(alone && first && m_.options.agp_aperture, rule::seg_11, s);
        }
    }

    void check_kind(vidmm_reported_segment const& s) {
        namespace flag = vidmm_segment_flag;
        if (s.has(flag::aperture)) {
            check(!s.has(flag::cpu_visible), rule::seg_14, s);
            check(!s.has(flag::populated_from_system_memory), rule::seg_19, s);
            check(!s.has(flag::use_banking), rule::seg_25, s);
        } else {
            check(!s.has(flag::cache_coherent), rule::seg_13, s);
        }
        if (s.has(flag::supports_cpu_host_aperture)) {
            check(!s.has(flag::cpu_visible), rule::seg_15, s);
            check(s.host_aperture_pages != 0, rule::seg_35, s, ", no page in its CPU host aperture");
        }
        check(s.has(flag::supports_cpu_host_aperture) || !s.has(flag::supports_cached_cpu_host_aperture), rule::seg_16,
              s);
    }

    void check_power(vidmm_reported_segment const& s) {
        namespace flag = vidmm_segment_flag;
        bool const standby = s.has(flag::preserved_during_standby);
        bool const hibernate = s.has(flag::preserved_during_hibernate);
        bool const partly = s.has(flag::partially_preserved_during_hibernate);
        check(hibernate || partly ? standby && hibernate != partly : true, rule::seg_20, s);
        check(partly == (s.system_memory_end != 0) || !at_least(m_.version, wddm::win8), rule::seg_21, s);
    }

    void check_numbers(vidmm_reported_segment const& s) {
        check(s.size != 0 && s.size % 4096 == 0 && s.base % 4096 == 0, rule::seg_08, s);
        if (s.has(vidmm_segment_flag::use_64kb_pages)) {
            check(s.size % 65536 == 0 && s.base % 65536 == 0, rule::seg_09, s);
        }
        if (s.commit_limit) {
            // AMB-30: the page of form 4 gives memory segments no commit limit, so 0 is accepted there.
            bool const unsaid = at_least(m_.version, wddm::v2_0) && *s.commit_limit == 0;
            bool const right = s.is_aperture() ? *s.commit_limit <= s.size : *s.commit_limit == s.size || unsaid;
            check(right, rule::seg_23, s, ", commit limit " + std::to_string(*s.commit_limit));
        }
    }

    void check_banks(vidmm_reported_segment const& s) {
        if (!s.has(vidmm_segment_flag::use_banking) || s.is_aperture()) {
            return;
        }
        // The last bank ends with the segment: its end was not read.
        bool rises = s.bank_count != 0 && s.banks.size() + 1 == s.bank_count;
        std::uint64_t last = 0;
        for (std::uint64_t const end : s.banks) {
            rises = rises && end > last && end <= s.size;
            last = end;
        }
        check(rises, rule::seg_24, s, ", " + std::to_string(s.bank_count) + " banks");
    }

    void check_protected_range(vidmm_reported_segment const& s) {
        if (!s.has(vidmm_segment_flag::vpr_supported)) {
            return;
        }
        bool const aligned =
            s.vpr_alignment != 0 && s.vpr_start % s.vpr_alignment == 0 && s.vpr_size % s.vpr_alignment == 0;
        bool const inside = s.vpr_start <= s.size && s.vpr_size <= s.size - s.vpr_start && s.vpr_reserve <= s.vpr_size;
        check(aligned && inside, rule::seg_32, s,
              ", protected " + std::to_string(s.vpr_size) + " bytes from " + std::to_string(s.vpr_start));
    }

    void check_overlap() {
        list const& all = reported_.segments;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (all[i].has(vidmm_segment_flag::agp)) {
                continue;
            }
            check(all[i].size <= ~all[i].base, rule::seg_07, all[i], ": wraps");
            for (std::size_t k = 0; k < i; ++k) {
                bool const apart = all[k].has(vidmm_segment_flag::agp) || all[i].base >= all[k].base + all[k].size ||
                                   all[k].base >= all[i].base + all[i].size;
                check(apart, rule::seg_07, all[i], " and segment " + std::to_string(all[k].id));
            }
        }
    }

    void check_apertures() {
        if (!at_least(m_.version, wddm::v2_0)) {
            return;
        }
        auto const apertures = std::count_if(reported_.segments.begin(), reported_.segments.end(),
                                             [](auto const& s) { return s.is_aperture(); });
        // AMB-04: a compute-only adapter may have none.
        m_.check(apertures == 1 || (apertures == 0 && m_.description.compute_only), rule::seg_26,
                 std::to_string(apertures) + " aperture segments");
    }

    void check_order() {
        for (vidmm_reported_segment const& s : reported_.segments) {
            if (s.has(vidmm_segment_flag::supports_cpu_host_aperture)) {
                check(s.id == reported_.segments.size(), rule::obs_04, s, ", not the last one");
            }
        }
    }

    void check_paging_buffer() {
        vidmm_paging_buffer const& p = reported_.paging_buffer;
        std::string const numbers =
            "PagingBufferSegmentId " + std::to_string(p.segment) + ", PagingBufferSize " + std::to_string(p.size);
        bool const there = p.segment == 0 ||
                           (p.segment <= reported_.segments.size() && reported_.segments[p.segment - 1].is_aperture());
        if (m_.check(there, rule::seg_40, numbers) && p.segment != 0 && at_least(m_.version, wddm::v2_0)) {
            m_.check(p.segment == 1, rule::obs_04, numbers);
        }
        m_.check(p.size != 0 || !p.known, rule::seg_41, numbers);
    }

    adapter_machine& m_;
    std::uint32_t adapter_;
    vidmm_reported_adapter const& reported_;
};

}  // namespace wddmcore::testing::vidmm_parts
