// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "fuzz_model_tables.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::fuzz {

/// Operation 14: ranges of entries, in the order of their list.
template <class Hw, class Args>
class copy_model : public model_base<Hw, Args> {
    using above = model_base<Hw, Args>;
    using above::args_;
    using above::has_private_data;
    using above::of;
    using above::usable_buffer;

    static constexpr auto const& tables = Hw::page_tables;

public:
    using above::above;

    [[nodiscard]] expectation<Hw> copies() const {
        expectation<Hw> answer;
        auto const& copy = args_.CopyPageTableEntries;
        u64 const ranges = copy.NumRanges;
        u32 const bits = range_shift();
        if (ranges == 0) {
            return of(verdict::harmless);
        }
        answer.count = ranges << bits;
        if (copy.pRanges == nullptr || answer.count >= end_of_tokens || args_.MultipassOffset > answer.count) {
            return of(verdict::wrong);
        }
        if (args_.MultipassOffset == answer.count) {
            return of(verdict::nothing);
        }
        if (!usable_buffer() || !has_private_data()) {
            return of(verdict::wrong);
        }
        u32 const first = args_.MultipassOffset >> bits;
        u32 const done = args_.MultipassOffset & low_mask<u32>(bits);
        if (!right(copy.pRanges[first]) || (done != 0 && done >= moving(copy.pRanges[first]))) {
            return of(verdict::wrong);
        }
        answer.what = verdict::work;
        answer.steps = 1;
        for (u32 i = first; i != ranges; ++i) {
            if (!right(copy.pRanges[i])) {
                answer.unreachable = u64{i} << bits;
                break;
            }
            answer.steps += moving(copy.pRanges[i]);
        }
        return answer;
    }

    /// Where a token's range begins: the entry is below it (OP14-05).
    [[nodiscard]] static constexpr u32 range_shift() {
        return tables.levels[0].index_bits - (tables.gpu_page.n == 16 * 1024 ? 2u : 0u);
    }

    /// The entries that a range moves: none onto themselves.
    template <class Range>
    [[nodiscard]] static u32 moving(Range const& range) {
        bool const onto_itself =
            range.SrcPageTableAddress == range.DstPageTableAddress && range.SrcStartPteIndex == range.DstStartPteIndex;
        return onto_itself ? 0 : range.NumPageTableEntries;
    }

private:
    template <class Range>
    [[nodiscard]] static bool right(Range const& range) {
        u64 const entries = entries_of<Hw>(0) / (tables.gpu_page.n / page_bytes);
        u64 const bytes = entries * tables.levels[0].entry_bytes;
        u64 const count = range.NumPageTableEntries;
        return (range.SrcPageTableAddress | range.DstPageTableAddress) % 0x1'0000 == 0 &&
               range.SrcStartPteIndex + count <= entries && range.DstStartPteIndex + count <= entries &&
               wide{range.SrcPageTableAddress} + bytes <= end_of_virtual_addresses<Hw>() &&
               wide{range.DstPageTableAddress} + bytes <= end_of_virtual_addresses<Hw>();
    }
};

}  // namespace wddmcore::testing::fuzz
