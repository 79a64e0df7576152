// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "sequence_passes.hpp"

#include <optional>

namespace paging_sequence {

/// Operations 5, 6 and 17: entries of the aperture, with and without a buffer.
template <class Rig>
class aperture_moves : protected passes<Rig> {
protected:
    using base = passes<Rig>;
    using typename base::arguments;
    using typename base::hardware;
    using base::base;

    void map_aperture() {
        auto const& aperture = this->rig_.play.aperture;
        std::vector<std::size_t> order = this->any_pages();
        // A page that two entries show could be on both sides of a copy.
        std::erase_if(order, [this](std::size_t i) {
            return std::find(mapped_.begin(), mapped_.end(), std::optional(i)) != mapped_.end();
        });
        std::size_t const first = this->random_.below(mapped_.size());
        std::size_t const count =
            std::min<std::size_t>({order.size(), mapped_.size() - first, 1 + this->random_.below(12)});
        if (count == 0) {
            return;
        }
        order.resize(count);
        bool const coherent = this->random_.chance(50);
        std::vector<usize> numbers;
        for (std::size_t i = 0; i != count; ++i) {
            mapped_[first + i] = order[i];
            coherent_[first + i] = coherent;
            numbers.push_back(static_cast<usize>(this->rig_.play.system_pages[order[i]].number.n));
        }
        auto const fill_in = [&](auto& map) {
            map.SegmentId = aperture.id.n;
            map.OffsetInPages = static_cast<usize>(aperture.first + first);
            map.NumberOfPages = static_cast<usize>(count);
            map.Flags.CacheCoherent = coherent;
        };
        std::string const what = say("a map of ", count, " entries from ", first);
        constexpr bool by_mdl = reachable(hardware::caps, paging_operation::map_aperture_segment);
        constexpr bool by_adl = reachable(hardware::caps, paging_operation::map_aperture_segment2);
        bool const without_buffer = this->random_.chance(30);
        if constexpr (by_adl) {
            if (!by_mdl || this->random_.chance(50)) {
                arguments args = law_parts::request_of<arguments>(paging_operation::map_aperture_segment2);
                args.MapApertureSegment2 = {};
                fill_in(args.MapApertureSegment2);
                args.MapApertureSegment2.Adl.PageCount = static_cast<u32>(count);
                args.MapApertureSegment2.Adl.Pages = numbers.data();
                static_cast<void>(this->carry_out(args, what, without_buffer));
                return check_aperture(what);
            }
        }
        if constexpr (by_mdl) {
            law_parts::mdl_of<arguments> storage(numbers);
            arguments args = law_parts::request_of<arguments>(paging_operation::map_aperture_segment);
            args.MapApertureSegment = {};
            fill_in(args.MapApertureSegment);
            args.MapApertureSegment.pMdl = storage.get();
            static_cast<void>(this->carry_out(args, what, without_buffer));
        }
        check_aperture(what);
    }

    void unmap_aperture() {
        auto const& aperture = this->rig_.play.aperture;
        std::size_t const first = this->random_.below(mapped_.size());
        std::size_t const count = std::min<std::size_t>(mapped_.size() - first, 1 + this->random_.below(12));
        std::size_t const dummy = this->random_.below(this->page_count());
        arguments args = law_parts::request_of<arguments>(paging_operation::unmap_aperture_segment);
        args.UnmapApertureSegment = {};
        args.UnmapApertureSegment.SegmentId = aperture.id.n;
        args.UnmapApertureSegment.OffsetInPages = static_cast<usize>(aperture.first + first);
        args.UnmapApertureSegment.NumberOfPages = static_cast<usize>(count);
        args.UnmapApertureSegment.DummyPage.QuadPart =
            static_cast<i64>(byte_address(this->rig_.play.system_pages[dummy].number));
        for (std::size_t i = first; i != first + count; ++i) {
            mapped_[i].reset();
            dummy_[i] = dummy;
        }
        std::string const what = say("an unmap of ", count, " entries from ", first);
        static_cast<void>(this->carry_out(args, what, this->random_.chance(30)));
        check_aperture(what);
    }

    /// Every entry that was ever set leads where the model says, and no byte of memory has changed.
    void check_aperture(std::string const& what) {
        auto const& aperture = this->rig_.play.aperture;
        for (std::size_t i = 0; i != mapped_.size(); ++i) {
            std::optional<std::size_t> const due = mapped_[i] ? mapped_[i] : dummy_[i];
            if (!due) {
                continue;
            }
            u64 const expected = this->rig_.play.system_pages[*due].number.n;
            this->fail_unless(aperture.page_of(aperture.first + i) == expected,
                              say(what, ": entry ", i, " leads elsewhere"));
            this->fail_unless(!mapped_[i] || aperture.coherent_of(aperture.first + i) == coherent_[i],
                              say(what, ": entry ", i, " is not as coherent as it was asked for"));
        }
        this->compare({}, what);
    }

    // By entry: the index of the page that it shows, or of the dummy page, and whether it was asked to be coherent.
    std::vector<std::optional<std::size_t>> mapped_ =
        std::vector<std::optional<std::size_t>>(static_cast<std::size_t>(this->rig_.play.aperture.count));
    std::vector<std::optional<std::size_t>> dummy_ = mapped_;
    std::vector<bool> coherent_ = std::vector<bool>(mapped_.size());
};

}  // namespace paging_sequence
