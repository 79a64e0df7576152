// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "fuzz_expectation.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::fuzz {

/// The operations that write to memory: copies, fills, single places.
template <class Hw, class Args>
class move_model : public model_base<Hw, Args> {
    using above = model_base<Hw, Args>;
    using above::args_;
    using above::count_pages;
    using above::emit;
    using above::hw_;
    using above::in_segment;
    using above::of;
    using above::resolve;
    using above::waits;
    using above::within_reach;

public:
    using above::above;

    [[nodiscard]] expectation<Hw> copy(expectation<Hw> answer, bool plain = true) const {
        constexpr u64 unit = Hw::copy_alignment.n;
        u64 const from = answer.source.place;
        u64 const to = answer.destination.place;
        if (from % unit != 0 || to % unit != 0 || answer.size % unit != 0) {
            return of(verdict::wrong);
        }
        bool const one_space =
            !answer.source.paged && !answer.destination.paged && answer.source.segment == answer.destination.segment;
        u64 const distance = from < to ? to - from : from - to;
        if (one_space && distance < answer.size) {
            answer.descending = to > from;
            if constexpr (Hw::copy_overlap == hw::overlap::by_direction) {
                if (distance == 0 && plain) {  // AMB-57
                    return of(args_.MultipassOffset > answer.count ? verdict::wrong : verdict::nothing);
                }
                if (distance < page_bytes) {
                    return of(verdict::wrong);
                }
                answer.longest = distance;
            }
        }
        answer.what = emit(answer.count);
        if (answer.what == verdict::work) {
            answer.unreachable = first_unreachable(answer.source, answer.count);
            answer.unreachable = lesser(answer.unreachable, first_unreachable(answer.destination, answer.count));
        }
        return answer;
    }

    /// The index of the first page from the token on that the device cannot reach; none where there are addresses.
    [[nodiscard]] u64 first_unreachable(model_side<Hw> const& side, u64 count) const {
        for (u64 i = args_.MultipassOffset; side.paged && i < count; ++i) {
            if (!within_reach(u64{side.list[i]})) {
                return i;
            }
        }
        return ~u64{0};
    }

    template <class Transfer>
    [[nodiscard]] expectation<Hw> physical_copy(Transfer const& t, u64 mdl_first) const {
        expectation<Hw> answer;
        answer.size = t.TransferSize;
        if (answer.size == 0) {
            return of(verdict::nothing);
        }
        bool const layouts = t.Flags.Swizzle != 0 || t.Flags.Unswizzle != 0;
        if (t.Flags.Swizzle != 0 && t.Flags.Unswizzle != 0) {  // AMB-59
            return of(verdict::wrong);
        }
        if (waits(t.hAllocation, t.Flags.AllocationIsIdle != 0)) {
            return of(verdict::busy);
        }
        if (!count_pages(answer.size, answer.count) ||
            !resolve(t.Source, t.TransferOffset, answer.size, mdl_first, answer.count, answer.source) ||
            !resolve(t.Destination, t.TransferOffset, answer.size, mdl_first, answer.count, answer.destination)) {
            return of(verdict::wrong);
        }
        return copy(answer, !(hw::swizzle_copy_engine<Hw> && t.hAllocation != nullptr && layouts));
    }

    /// An address of the paging process; a range may end where addresses end.
    [[nodiscard]] bool in_addresses(u64 va, u64 size, model_side<Hw>& side) const {
        side.place = va;
        side.base = hw_.from_virtual(gpu_virtual_address{va});
        return wide{va} + size <= end_of_virtual_addresses<Hw>();
    }

    [[nodiscard]] expectation<Hw> virtual_copy() const {
        expectation<Hw> answer;
        auto const& t = args_.TransferVirtual;
        answer.size = t.TransferSizeInBytes;
        if (answer.size == 0) {
            return of(verdict::harmless);
        }
        if (!count_pages(answer.size, answer.count) ||
            !in_addresses(t.SourceVirtualAddress, answer.size, answer.source) ||
            !in_addresses(t.DestinationVirtualAddress, answer.size, answer.destination)) {
            return of(verdict::wrong);
        }
        return copy(answer);
    }

    [[nodiscard]] expectation<Hw> fill(expectation<Hw> answer, u32 pattern) const {
        bool const repeats = pattern % 0x0101'0101 == 0 && pattern / 0x0101'0101 <= 0xFF;
        if (answer.destination.place % Hw::fill_alignment.n != 0 || answer.size % Hw::fill_alignment.n != 0 ||
            (Hw::fill_pattern_bytes.n == 1 && !repeats)) {
            return of(verdict::wrong);
        }
        answer.what = emit(answer.count);
        return answer;
    }

    [[nodiscard]] expectation<Hw> physical_fill() const {
        expectation<Hw> answer;
        auto const& f = args_.Fill;
        answer.size = f.FillSize;
        if (answer.size == 0) {
            return of(verdict::harmless);
        }
        if (!count_pages(answer.size, answer.count) ||
            !in_segment(f.Destination.SegmentId, f.Destination.SegmentAddress.QuadPart, 0, answer.size,
                        answer.destination) ||
            hw_.is_aperture(segment_id{f.Destination.SegmentId})) {
            return of(verdict::wrong);
        }
        return fill(answer, f.FillPattern);
    }

    [[nodiscard]] expectation<Hw> virtual_fill() const {
        expectation<Hw> answer;
        auto const& f = args_.FillVirtual;
        answer.size = f.FillSizeInBytes;
        if (answer.size == 0) {
            return of(verdict::harmless);
        }
        if (!count_pages(answer.size, answer.count) ||
            !in_addresses(f.DestinationVirtualAddress, answer.size, answer.destination)) {
            return of(verdict::wrong);
        }
        return fill(answer, f.FillPattern);
    }

    [[nodiscard]] expectation<Hw> discard() const {
        expectation<Hw> answer;
        auto const& d = args_.DiscardContent;
        if (waits(d.hAllocation, d.Flags.AllocationIsIdle != 0)) {
            return of(verdict::busy);
        }
        if constexpr (!hw::content_discarder<Hw>) {
            return of(verdict::nothing);
        }
        answer.count = 1;
        if (!in_segment(d.SegmentId, d.SegmentAddress.QuadPart, 0, 1, answer.destination)) {
            return of(verdict::wrong);
        }
        answer.what = emit(1);
        return answer;
    }

    template <class Access>
    [[nodiscard]] expectation<Hw> access(Access const& a) const {
        expectation<Hw> answer;
        answer.count = 1;
        if (!in_segment(a.SegmentId, a.PhysicalAddress.QuadPart, 0, 1, answer.destination)) {
            return of(verdict::wrong);
        }
        answer.what = emit(1);
        return answer;
    }
};

}  // namespace wddmcore::testing::fuzz
