// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "fuzz_expectation.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::fuzz {

/// Entries of an aperture that a request is about.
struct aperture_request {
    u32 segment;
    u64 first;
    bool coherent;

    template <class Args>
    [[nodiscard]] static aperture_request of(Args const& args) {
        if (args.Operation == 6) {
            return {args.UnmapApertureSegment.SegmentId, args.UnmapApertureSegment.OffsetInPages, false};
        }
        if constexpr (members::map_aperture_segment2<Args>) {
            if (args.Operation == 17) {
                auto const& map = args.MapApertureSegment2;
                return {map.SegmentId, map.OffsetInPages, map.Flags.CacheCoherent != 0};
            }
        }
        auto const& map = args.MapApertureSegment;
        return {map.SegmentId, map.OffsetInPages, map.Flags.CacheCoherent != 0};
    }
};

/// The operations that point entries of an aperture at pages.
template <class Hw, class Args>
class aperture_model : public model_base<Hw, Args> {
    using above = model_base<Hw, Args>;
    using above::args_;
    using above::has_buffer;
    using above::has_private_data;
    using above::hw_;
    using above::in_mdl;
    using above::of;
    using above::usable_buffer;
    using above::within_reach;

public:
    using above::above;

    /// The range of an aperture operation, then what is left of its work.
    template <class Map>
    [[nodiscard]] verdict in_aperture(Map const& map) const {
        segment_place const place = hw_.place(segment_id{map.SegmentId});
        if (place.size.n == 0 || !hw_.is_aperture(segment_id{map.SegmentId}) ||
            (wide{map.OffsetInPages} + map.NumberOfPages) * page_bytes > place.size.n) {
            return verdict::wrong;
        }
        return map.NumberOfPages == 0 ? verdict::harmless : verdict::work;
    }

    [[nodiscard]] expectation<Hw> map_pages(expectation<Hw> answer) const {
        u32 const token = args_.MultipassOffset;
        if (token > answer.count) {
            return of(verdict::wrong);
        }
        answer.what = token == answer.count ? verdict::nothing : verdict::work;
        answer.at_once = true;
        for (u64 i = token; i < answer.count && answer.unreachable == ~u64{0}; ++i) {
            if (!within_reach(answer.entry(i))) {
                answer.unreachable = i;
            }
        }
        if constexpr (hw::aperture_by_command<Hw>) {
            answer.at_once = !has_buffer();
            if (answer.what == verdict::work && has_buffer() && !(usable_buffer() && has_private_data())) {
                return of(verdict::wrong);
            }
        }
        if (answer.at_once && answer.unreachable != ~u64{0}) {
            return of(verdict::wrong);
        }
        return answer;
    }

    [[nodiscard]] expectation<Hw> map_mdl() const {
        expectation<Hw> answer;
        auto const& map = args_.MapApertureSegment;
        if (verdict const range = in_aperture(map); range != verdict::work) {
            return of(range);
        }
        answer.count = map.NumberOfPages;
        return in_mdl(map.pMdl, map.MdlOffset, answer.count, answer.pages) ? map_pages(answer) : of(verdict::wrong);
    }

    [[nodiscard]] expectation<Hw> unmap() const {
        expectation<Hw> answer;
        auto const& range = args_.UnmapApertureSegment;
        if (verdict const found = in_aperture(range); found != verdict::work) {
            return of(found);
        }
        answer.count = range.NumberOfPages;
        answer.dummy = true;
        answer.base = static_cast<u64>(range.DummyPage.QuadPart) / page_bytes;
        return within_reach(answer.base) ? map_pages(answer) : of(verdict::wrong);
    }

    [[nodiscard]] expectation<Hw> map_adl() const {
        expectation<Hw> answer;
        auto const& map = args_.MapApertureSegment2;
        if (verdict const range = in_aperture(map); range != verdict::work) {
            return of(range);
        }
        answer.count = map.NumberOfPages;
        if (wide{map.AdlOffset} + answer.count > map.Adl.PageCount) {
            return of(verdict::wrong);
        }
        if (map.Adl.Flags.Contiguous) {
            // ADL-06: of the whole list, not only of the part that is mapped.
            if ((wide{map.Adl.BasePageNumber} + map.Adl.PageCount) * page_bytes > end_of_addresses) {
                return of(verdict::wrong);
            }
            answer.base = map.Adl.BasePageNumber + map.AdlOffset;
            return within_reach(answer.entry(answer.count - 1)) ? map_pages(answer) : of(verdict::wrong);
        }
        if (map.Adl.Pages == nullptr) {
            return of(verdict::wrong);
        }
        answer.pages = map.Adl.Pages + map.AdlOffset;
        return map_pages(answer);
    }
};

}  // namespace wddmcore::testing::fuzz
