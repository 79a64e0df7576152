// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "fuzz_model_copies.hpp"
#include "fuzz_require.hpp"
#include "fuzz_wddm2_hardware.hpp"

#include <paging/stream.hpp>

namespace wddmcore::inline WDDMCORE_ABI::testing::fuzz {

/// Follows the page-table entries of one pass, by command or stored by the CPU: each of the request once, in its order,
/// and none but those.
template <class Hw, class Args>
class update_stream {
    using model = table_model<Hw, Args>;

public:
    /// @param from, to  tokens before and behind the pass
    update_stream(Hw const& hw, expectation<Hw> const& expected, u64 from, u64 to)
        : hw_(hw),
          work_(expected.table),
          base_(expected.destination.base),
          next_(behind(from)),
          end_(behind(to)),
          // A token in the middle is behind an entry that was written; at its end it is behind all.
          last_(to),
          fills_align_((base_.n | (from == 0 ? 0 : (slot() - work_.start / work_.share) * work_.entry_bytes)) %
                           greater<u64>(Hw::fill_alignment.n, work_.entry_bytes) ==
                       0) {}

    /// Takes a write; its entries follow the head.
    /// @return dwords behind the head
    u64 take_write(u32 const* words, u64 left) {
        record_reader from{words + 1};
        recorded_address const place = from.place();
        u32 const count = from.word();
        u64 tail = 0;
        if constexpr (hw::page_table_writer_with_tail<Hw>) {
            tail = 1;
        }
        require(count + tail <= left, "PGB-01: a write is cut off");
        take_entries(place, from.at, count);
        require(tail == 0 || from.at[count] == (write_tail | count), "a write has the tail that belongs to it");
        return count + tail;
    }

    /// Takes a write of `count` dwords of entries.
    void take_entries(recorded_address place, u32 const* data, u32 count) {
        require(count != 0 && count <= Hw::write_max.n && count % (work_.entry_bytes / 4) == 0,
                "OP11-01: a write of whole entries, no more than the engine takes");
        expect_place(place);
        record_reader from{data};
        for (u32 k = 0; k != count / (work_.entry_bytes / 4); ++k) {
            take_entry(from);
        }
    }

    /// Takes a run of entries that the hardware makes.
    /// @param entry  the k-th of them, by its number
    template <class Entry>
    void take_run(recorded_address place, u32 count, Entry entry) {
        if constexpr (hw::page_table_generator<Hw>) {
            require(count != 0 && count <= Hw::generate_max && work_.entry_bytes == Hw::generate_entry_bytes,
                    "OP11-01: a run that the generator can make");
            expect_place(place);
            for (u32 k = 0; k != count; ++k) {
                expect_entry({entry(k), 0});
            }
        }
    }

    void take_generated(u32 const* words) {
        record_reader from{words + 1};
        recorded_address const place = from.place();
        u64 const add = from.wide();
        u64 const start = from.wide();
        u64 const step = from.wide();
        u32 const count = from.word();
        take_run(place, count, [=](u32 k) { return add + start + k * step; });
    }

    void take_fill(recorded_command const& one) {
        require(one.size != 0 && one.size <= Hw::fill_max.n && one.size % work_.entry_bytes == 0,
                "OP11-02: a fill of whole entries, no more than the engine takes");
        // Tables lie at pages, and the library's own tokens keep the engine's alignment: what the fuzzer makes up need
        // not.
        require(!fills_align_ || (one.size | one.destination.n) % Hw::fill_alignment.n == 0,
                "OP11-02: a fill at a place that the engine takes");
        require(Hw::fill_pattern_bytes.n == 4 || one.pattern % 0x0101'0101 == 0, "AMB-09: a pattern of one byte");
        expect_place(one.destination);
        u64 const pair = one.pattern | u64{one.pattern} << 32;
        for (u64 k = 0; k != one.size / work_.entry_bytes; ++k) {
            expect_entry({pair, pair});
        }
    }

    void finish() const { require(next_ == end_, "OP11-12: the entries of a pass are those that its token counts"); }

    /// The stores of the CPU: the entries of the request, nothing else of the table, in the order of law 4.
    void stored(u8 const* table, u64 table_bytes) {
        u64 const first = slot();
        u64 const size = work_.entry_bytes;
        u64 words = 0;
        for (u64 k = 0; k != first * size; ++k) {
            require(table[k] == unwritten_entry, "OP11-01: nothing before the range is stored");
        }
        while (next_ != end_) {
            u64 const at = slot() * size;
            require(at + size <= table_bytes, "OP11-01: inside the table");
            page_table_entry const wanted = model::entry(hw_, work_, next_);
            u64 const value[2] = {wanted.low, wanted.high};
            require(std::memcmp(table + at, value, size) == 0, "OP11-01: entry i of the request at StartIndex + i");
            words += expect_stores(table + at, words, wanted);
            next_ += work_.share;
        }
        require(entry_stores.count == words, "OP11-11: each word is stored once");
        require(entry_stores.finished == (words == 0 ? 0u : 1u), "OP11-04: the end of the stores is told once");
        for (u64 k = first * size + words * lesser<u64>(size, 8); k < table_bytes; ++k) {
            require(table[k] == unwritten_entry, "OP11-01: nothing behind the range is stored");
        }
    }

    static constexpr u8 unwritten_entry = 0xA5;

private:
    Hw const& hw_;
    table_work const& work_;
    typename Hw::address base_;
    u64 next_;  ///< the DDI's entry that the next one of the hardware is made from
    u64 end_;
    u64 last_;
    bool fills_align_;

    /// The first entry from `index` on that one of the hardware is made from.
    [[nodiscard]] u64 behind(u64 index) const {
        u64 const over = (work_.start + index) % work_.share;
        return over == 0 ? index : index + work_.share - over;
    }
    [[nodiscard]] u64 slot() const { return (work_.start + next_) / work_.share; }

    void expect_place(recorded_address place) const {
        require(same_place(base_ + bytes{slot() * work_.entry_bytes}, place),
                "OP11-01: the next entries at their place");
    }

    void expect_entry(page_table_entry got) {
        require(next_ < last_, "PGB-05: an entry that the token does not count");
        page_table_entry wanted = model::entry(hw_, work_, next_);
        if (work_.entry_bytes < 16) {
            got.high = wanted.high;
        }
        if (work_.entry_bytes == 4) {
            got.low &= 0xFFFF'FFFF;
            wanted.low &= 0xFFFF'FFFF;
        }
        require(got == wanted, "OP11-01: entry i of the request at StartIndex + i");
        next_ += work_.share;
    }

    void take_entry(record_reader& from) {
        page_table_entry got{0, 0};
        if (work_.entry_bytes == 4) {
            got.low = from.word();
        } else {
            got.low = from.wide();
            got.high = work_.entry_bytes == 16 ? from.wide() : 0;
        }
        expect_entry(got);
    }

    /// @param done  words stored for the entries before
    /// @return words of this entry
    u64 expect_stores(u8 const* at, u64 done, page_table_entry wanted) const {
        u64 const count = work_.entry_bytes == 16 ? 2 : 1;
        if (done + count > entry_stores.capacity || done + count > entry_stores.count) {
            return count;
        }
        if (count == 1) {
            require(entry_stores.at[done] == at, "law 4: entries ascend");
            return count;
        }
        // The word with the valid bit last when the entry becomes valid, else first.
        pte_flags const small{work_.small == nullptr ? 0 : work_.small[work_.repeat ? 0 : next_].flags};
        pte_flags const big{work_.big == nullptr ? 0 : work_.big[work_.repeat ? 0 : next_].flags};
        bool const valid = small.valid() || big.valid();
        u64 const valid_word = Hw::entry_limits.valid_word;
        static_cast<void>(wanted);
        require(entry_stores.at[done] == at + 8 * (valid ? 1 - valid_word : valid_word) &&
                    entry_stores.at[done + 1] == at + 8 * (valid ? valid_word : 1 - valid_word),
                "OP11-11: no half of a valid entry is ever seen");
        return count;
    }
};

/// Follows the copies of one pass of operation 14: the ranges in their order, each entry once, none destroyed before it
/// was copied.
template <class Hw, class Args>
class copy_stream {
    using model = copy_model<Hw, Args>;

public:
    copy_stream(Args const& args, u64 from) : args_(args), at_(part_of(from)) { skip(); }

    void take(u32 const* words) {
        record_reader from{words + 1};
        recorded_address const to_place = from.place();
        recorded_address const from_place = from.place();
        take_copied(to_place, from_place, from.wide());
    }

    void take_copied(recorded_address to_place, recorded_address from_place, u64 copied) {
        constexpr u64 size = Hw::page_tables.levels[0].entry_bytes;
        require(copied % size == 0, "OP14-01: whole entries");
        u64 const length = copied / size;
        require(at_.range < args_.CopyPageTableEntries.NumRanges, "OP14-01: no range behind the last");
        auto const& range = args_.CopyPageTableEntries.pRanges[at_.range];
        u64 const count = range.NumPageTableEntries;
        require(length != 0 && length <= count - at_.entry && length * size <= Hw::copy_entries_max.n,
                "OP14-01: entries of the range, no more than a command takes");
        u64 offset = at_.entry;
        bool const one_table = range.SrcPageTableAddress == range.DstPageTableAddress;
        if (one_table && overlap(range)) {
            u64 const source = range.SrcStartPteIndex;
            u64 const destination = range.DstStartPteIndex;
            require(length <= (source < destination ? destination - source : source - destination),
                    "OP14-01: no command overlaps itself");
            offset = destination > source ? count - at_.entry - length : offset;
        }
        recorded_address const wanted_from{range.SrcPageTableAddress + (range.SrcStartPteIndex + offset) * size,
                                           virtual_space};
        recorded_address const wanted_to{range.DstPageTableAddress + (range.DstStartPteIndex + offset) * size,
                                         virtual_space};
        require(from_place == wanted_from && to_place == wanted_to, "OP14-01: the next entries of the range");
        at_.entry += length;
        skip();
    }

    void finish(u64 to) {
        part const reached = at_;
        at_ = part_of(to);
        skip();
        require(reached.range == at_.range && reached.entry == at_.entry, "OP14-05: the token counts what was copied");
    }

private:
    struct part {
        u64 range;
        u64 entry;
    };
    Args const& args_;
    part at_;

    [[nodiscard]] static part part_of(u64 token) {
        return {token >> model::range_shift(), token & low_mask<u64>(model::range_shift())};
    }

    template <class Range>
    [[nodiscard]] static bool overlap(Range const& range) {
        u64 const source = range.SrcStartPteIndex;
        u64 const destination = range.DstStartPteIndex;
        return source < destination + range.NumPageTableEntries && destination < source + range.NumPageTableEntries;
    }

    /// Goes on behind ranges that are done, or that move nothing.
    void skip() {
        auto const& copy = args_.CopyPageTableEntries;
        while (at_.range < copy.NumRanges && at_.entry == model::moving(copy.pRanges[at_.range])) {
            at_ = {at_.range + 1, 0};
        }
    }
};

}  // namespace wddmcore::testing::fuzz
