// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "cpu_world.hpp"

namespace cpu_world {

/// A transfer of operation 0 or 7 between any two sides, and what the model says of it.
struct random_transfer {
    arguments args{};
    side from;
    side to;
    u64 size = 0;

    /// @param lists  memory for the MDLs of the source and of the destination
    random_transfer(seeded_numbers& random, std::array<guarded_mdl, 2>& lists) {
        bool const special = random.one_in(4);
        args = of(special ? paging_operation::special_lock_transfer : paging_operation::transfer);
        u64 const count = 1 + random.below(random.one_in(3) ? 24 : 5);
        size = count * 4096 - (random.one_in(2) ? 0 : random.below(4096));
        // TransferOffset goes to the segment side, and MdlOffset to the other one (OP00-02); operation 7 has no
        // MdlOffset.
        u32 const offset = static_cast<u32>(random.one_in(2) ? 0 : random.below(5) * 4096 + random.below(3));
        u32 const before = special || random.one_in(2) ? 0 : static_cast<u32>(random.below(6));
        // System pages of the two sides are different, as is every memory there is: only one segment can overlap.
        choose(random, from, count, 0);
        choose(random, to, count, part_pages / 2);
        auto const describe = [&](auto& t) {
            t.TransferOffset = offset;
            t.TransferSize = static_cast<usize>(size);
            t.Flags.AllocationIsIdle = 1;
            put(random, t.Source, from, lists[0], offset, before);
            put(random, t.Destination, to, lists[1], offset, before);
        };
        if (special) {
            describe(args.SpecialLockTransfer);
        } else {
            args.Transfer.MdlOffset = before;
            describe(args.Transfer);
        }
    }

    /// How many pages its token counts.
    [[nodiscard]] u32 count() const { return static_cast<u32>((size + 4095) / 4096); }

private:
    void choose(seeded_numbers& random, side& s, u64 count, u64 first) const {
        s.where = std::array{part::system, part::system, part::memory, part::other}[random.below(4)];
        if (s.where == part::system) {
            s.page_index = scattered_pages(random, count, first, first + part_pages / 2);
        } else {
            s.offset = random.below(40) * 4096 + 6 * 4096 + (random.one_in(3) ? random.below(4096) : 0);
        }
    }

    template <class Side>
    static void put(seeded_numbers& random, Side& member, side const& s, guarded_mdl& list, u32 offset, u32 before) {
        if (s.where != part::system) {
            bool const memory = s.where == part::memory;
            member.SegmentId = memory ? memory_id : other_id;
            member.SegmentAddress.QuadPart = static_cast<i64>((memory ? memory_base : other_base) + s.offset - offset);
            return;
        }
        // Pages before the transfer's own that nobody may touch: numbers that no memory has.
        std::vector<u64> all(before, 0xBAD'0000);
        std::vector<u64> const numbers = numbers_of(s.page_index);
        all.insert(all.end(), numbers.begin(), numbers.end());
        member.SegmentId = 0;
        member.pMdl = list.make(all, random.one_in(2) ? 0 : static_cast<u32>(random.below(4096)));
    }
};

}  // namespace cpu_world
