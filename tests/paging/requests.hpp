// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "guarded_mdl.hpp"
#include "recorder.hpp"

#include <adl/seeded.hpp>

#include <unordered_set>

namespace wddmcore::inline WDDMCORE_ABI::testing {

inline constexpr u64 most_pages_of_a_list = 1400;

/// How many pages a request has: mostly few, now and then around the sizes where blocks and limits lie.
///
/// @param limit  bytes of one command; below a page, where every page is many commands, the requests stay smaller
[[nodiscard]] inline u64 random_pages(seeded_numbers& random, u64 limit) {
    if (limit < page_bytes && !random.one_in(256)) {
        return 1 + random.below(limit < 1000 ? 6 : 16);
    }
    switch (random.below(200)) {
        case 0: return 1020 + random.below(10);
        case 1:
        case 2: return 250 + random.below(15);
        case 3: return 505 + random.below(15);
        case 4:
        case 5: return 1 + random.below(300);
        default: return random.one_in(3) ? 1 + random.below(4) : 1 + random.below(24);
    }
}

/// A size in bytes for a request of `count` pages: whole, or with a last page that is not.
[[nodiscard]] inline u64 random_size(seeded_numbers& random, u64 count, u64 alignment) {
    u64 const whole = count * page_bytes;
    if (alignment == page_bytes || random.one_in(2)) {
        return whole;
    }
    switch (random.below(3)) {
        case 0: return whole - alignment;
        case 1: return whole - page_bytes + alignment;
        default: return whole - random.below(page_bytes / alignment) * alignment;
    }
}

/// Page numbers that are all different and break after a page with the given odds.
///
/// @param mark  a bit of the page number, so that the lists of two sides share no page
[[nodiscard]] inline std::vector<u64> distinct_pages(seeded_numbers& random, u64 count, u64 mark) {
    constexpr u64 odds[] = {1, 2, 4, 16, 100, 1'000'000};
    u64 const one_break_in = odds[random.below(6)];
    std::vector<u64> list;
    std::unordered_set<u64> used;
    auto const fresh = [&] { return mark | random.below(u64{1} << 44); };
    u64 page = fresh();
    while (list.size() < count) {
        if (!used.insert(page).second) {
            page = fresh();
            continue;
        }
        list.push_back(page);
        if (!random.one_in(one_break_in)) {
            ++page;
            continue;
        }
        switch (random.below(5)) {
            case 0: page += 2; break;                   // one page left out
            case 1: page -= 1; break;                   // falling
            case 2: page += (u64{1} << 32) + 1; break;  // consecutive in 32 bits only
            case 3: page += (u64{1} << 20) + 1; break;  // consecutive in the low 32 bits of the address only
            default: page = fresh(); break;
        }
        page = (page & ((u64{1} << 44) - 1)) | mark;
    }
    return list;
}

/// A room in bytes: one or a few groups of commands, sometimes plenty, sometimes no multiple of four; now and then too
/// little for anything, as the rest of a buffer that others have written to.
[[nodiscard]] inline u64 random_room(seeded_numbers& random, u64 smallest) {
    if (random.one_in(12)) {
        return 1 + random.below(smallest);
    }
    switch (random.below(8)) {
        case 0: return smallest;
        case 1: return smallest + random.below(8);
        case 2: return smallest + random.below(smallest * 2 + 1);
        case 3: return smallest * (1 + random.below(4)) + random.below(64);
        default: {
            u64 const most = 4096 + random.below(60'000);
            return smallest < most ? smallest + random.below(most - smallest) : smallest;
        }
    }
}

/// A place of `size` bytes in a segment, `offset` bytes behind the address that is given: at its start, its end, or
/// anywhere; a multiple of `alignment` with respect to the segment's start.
[[nodiscard]] inline u64 random_place(seeded_numbers& random, segment_place const& segment, u64 size, u64 offset,
                                      u64 alignment) {
    u64 const room = (segment.size.n - size - offset) / alignment;
    u64 const steps = random.one_in(6) ? room : random.one_in(6) ? 0 : random.below(room + 1);
    return segment.base.n + steps * alignment;
}

/// An offset of a sub-transfer in its allocation (OP00-02); 32 bits.
[[nodiscard]] inline u32 random_offset(seeded_numbers& random, u64 alignment) {
    switch (random.below(4)) {
        case 0: return static_cast<u32>(random.below(u64{1} << 32) / alignment * alignment);
        case 1: return static_cast<u32>(random.below(u64{1} << 20) * page_bytes);
        case 2: return static_cast<u32>(((u64{1} << 32) - 1) / alignment * alignment);
        default: return 0;
    }
}

/// Makes physical transfers (operations 0 and 7) that an engine of the given alignment can do.
class transfer_maker {
public:
    transfer_maker() : source_(most_pages_of_a_list), destination_(most_pages_of_a_list) {}

    bool overlapping = false;  ///< whether the last request's two sides overlap

    /// Fills `t`; the MDL sides live until the next call.
    ///
    /// @param has_mdl_offset  operation 7 has no MdlOffset: its lists begin with the transfer
    /// @return MdlOffset
    template <class Hw, class Transfer>
    u32 make(seeded_numbers& random, Hw const& hw, Transfer& t, bool has_mdl_offset) {
        return make(random, Hw::shape, hw.places, t, has_mdl_offset);
    }

private:
    // Compiled once for all hardware types.
    template <class Transfer>
    u32 make(seeded_numbers& random, engine_shape const& shape, segment_place const* places, Transfer& t,
             bool has_mdl_offset) {
        u64 const alignment = shape.copy_alignment;
        constexpr u32 segments[] = {local_memory, aperture_segment, huge_memory, top_memory};
        overlapping = false;
        u64 const count = random_pages(random, shape.copy_max);
        t.hAllocation = random.one_in(3) ? nullptr : &marker_;
        t.TransferOffset = random_offset(random, alignment);
        t.TransferSize = static_cast<usize>(random_size(random, count, alignment));
        t.Flags.Value = 0;
        t.Flags.AllocationIsIdle = random.one_in(2);
        t.Flags.TransferStart = random.one_in(2);
        t.Flags.TransferEnd = random.one_in(2);
        u32 const mdl_offset = has_mdl_offset && random.one_in(2) ? static_cast<u32>(random.below(40)) : 0;
        auto const list_side = [&](auto& side, guarded_mdl& mdl, u64 mark) {
            side.SegmentId = 0;
            side.pMdl =
                mdl.make(distinct_pages(random, mdl_offset + count + (random.one_in(2) ? random.below(9) : 0), mark),
                         random.one_in(4) ? static_cast<u32>(random.below(page_bytes)) : 0);
        };
        auto const segment_side = [&](auto& side) {
            side.SegmentId = segments[random.below(4)];
            side.SegmentAddress.QuadPart = static_cast<i64>(
                random_place(random, places[side.SegmentId], t.TransferSize, t.TransferOffset, alignment));
        };
        switch (random.below(8)) {
            case 0:
            case 1:
                list_side(t.Source, source_, 0);
                segment_side(t.Destination);
                break;
            case 2:
            case 3:
                segment_side(t.Source);
                list_side(t.Destination, destination_, u64{1} << 45);
                break;
            case 4:
                list_side(t.Source, source_, 0);
                list_side(t.Destination, destination_, u64{1} << 45);
                break;
            case 5:
                segment_side(t.Source);
                do {
                    segment_side(t.Destination);
                } while (t.Destination.SegmentId == t.Source.SegmentId);
                break;
            default: overlap_sides(random, shape, places, t); break;
        }
        return mdl_offset;
    }

    // Both sides in one segment, at any distance that the engine can do; often they overlap.
    template <class Transfer>
    void overlap_sides(seeded_numbers& random, engine_shape const& shape, segment_place const* places, Transfer& t) {
        u64 const alignment = shape.copy_alignment;
        u64 const nearest = shape.copy_overlap == hw::overlap::safe ? alignment : page_bytes;
        u64 const size = t.TransferSize;
        u64 distance = nearest + random.below(size / alignment + 2) * alignment;
        if (random.one_in(3)) {
            distance = nearest + random.below(3) * alignment;
        }
        overlapping = distance < size;
        t.Source.SegmentId = t.Destination.SegmentId = random.one_in(2) ? local_memory : top_memory;
        u64 const low = random_place(random, places[t.Source.SegmentId], size + distance, t.TransferOffset, alignment);
        bool const up = random.one_in(2);
        t.Source.SegmentAddress.QuadPart = static_cast<i64>(up ? low : low + distance);
        t.Destination.SegmentAddress.QuadPart = static_cast<i64>(up ? low + distance : low);
    }

    guarded_mdl source_;
    guarded_mdl destination_;
    u32 marker_ = 0;  ///< its address is an allocation's handle
};

}  // namespace wddmcore::testing
