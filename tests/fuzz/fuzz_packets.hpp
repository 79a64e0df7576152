// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "fuzz_stream.hpp"

#include <initializer_list>

/// Reads the streams of the examples back, word by word, from the hardware's own facts. Numbers stand here as the
/// vendor's files have them: nothing is shared with the encoders.
namespace wddmcore::inline WDDMCORE_ABI::testing::fuzz {

[[nodiscard]] constexpr u32 low_word(u64 n) { return static_cast<u32>(n); }
[[nodiscard]] constexpr u32 high_word(u64 n) { return static_cast<u32>(n >> 32); }
[[nodiscard]] constexpr u64 joined(u32 const* at) { return at[0] | u64{at[1]} << 32; }

/// Which entries of an allocation's list of pages change, and to what.
struct residency_work {
    void* allocation = nullptr;
    u32 first = 0;
    u32 count = ~u32{0};
    bool resident = false;
    u32 segment = 0;
    u64 offset = 0;

    template <class Args>
    [[nodiscard]] static residency_work of(Args const& args) {
        if constexpr (members::notify_residency2<Args>) {
            if (args.Operation == 21) {
                auto const& range = args.NotifyResidency2;
                bool const system = range.SegmentId == 0 || range.SegmentId == 31;
                return {range.hAllocation,
                        static_cast<u32>(range.AllocationOffsetInPages),
                        static_cast<u32>(range.SizeInPages),
                        range.Resident != 0 && !system,
                        range.SegmentId,
                        system ? 0 : range.PhysicalAddress.SegmentOffset};
            }
        }
        if constexpr (members::notify_residency<Args>) {
            auto const& notice = args.NotifyResidency;
            return {notice.hAllocation,
                    0,
                    ~u32{0},
                    notice.Resident != 0,
                    notice.PhysicalAddress.SegmentId,
                    notice.PhysicalAddress.SegmentOffset};
        }
        return {};
    }

    /// The list that changes: 0 or 1, or 2 for none.
    [[nodiscard]] u32 list() const {
        for (u32 i = 0; i != 2; ++i) {
            if (allocation == known_handle(i) && first < list_pages[i]) {
                return i;
            }
        }
        return 2;
    }
    [[nodiscard]] u32 changed(u32 list) const { return lesser(count, list_pages[list] - first); }
};

/// Follows the packets of one pass. `Reader` knows the words: `padding_word`, `copy`, `fill`, `table`, `table_copy`, and
/// `one` for the next piece of any other operation.
template <class Reader, class Hw, class Args>
class packet_stream {
public:
    /// @param from, to  tokens before and behind the pass
    packet_stream(Hw const& hw, Args const& args, expectation<Hw> const& expected, u64 from, u64 to)
        : hw_(hw), args_(args), expected_(expected), entry_(from), last_(to) {}

    /// @return how many bytes were copied or filled
    u64 follow(u32 const* words, u64 count) {
        at_ = words;
        left_ = count;
        u64 const moved = follow_commands();
        require(count % Hw::unit_dwords.n == 0 && left_ < Hw::unit_dwords.n,
                "PGB-03: what is behind the commands is padding up to the grain");
        for (; left_ != 0; --left_) {
            require(*at_++ == Reader::padding_word, "PGB-03: padding does nothing");
        }
        return moved;
    }

protected:
    Hw const& hw_;
    Args const& args_;
    expectation<Hw> const& expected_;
    u64 entry_;  ///< of operations that do not count pages of bytes: the next command
    u64 last_;

    /// The next words of the stream.
    u32 const* take(u64 count) {
        require(count <= left_, "PGB-01: a command is cut off");
        u32 const* const words = at_;
        at_ += count;
        left_ -= count;
        return words;
    }
    [[nodiscard]] u32 head() const { return left_ == 0 ? 0 : *at_; }
    /// Whether a command follows, and no padding.
    [[nodiscard]] bool more() const { return left_ != 0 && *at_ != Reader::padding_word; }
    /// The same words, which stay.
    [[nodiscard]] u32 const* peek(u64 count) const {
        require(count <= left_, "PGB-01: a command is cut off");
        return at_;
    }

    /// The next words are these.
    void expect(char const* rule, std::initializer_list<u32> wanted) {
        u32 const* words = take(wanted.size());
        for (u32 const word : wanted) {
            require(*words++ == word, rule);
        }
    }
    void expect_nothing(char const* rule, u64 count) {
        u32 const* const words = take(count);
        for (u64 i = 0; i != count; ++i) {
            require(words[i] == 0, rule);
        }
    }

    /// The next part of an image, which is cut at the multiples of `step` of the place that it goes to (OP10-03).
    struct image_part {
        u64 offset;  ///< bytes from the image's start
        u64 size;
        typename Hw::address place;
    };
    [[nodiscard]] image_part next_part(u64 step) const {
        u64 const first = entry_ == 0 ? 0 : entry_ * step - expected_.base;
        u64 const end = lesser((entry_ + 1) * step - expected_.base, expected_.size);
        return {first, end - first, expected_.destination.page(hw_, first / page_bytes) + bytes{first % page_bytes}};
    }

    /// What an image's piece is: where it goes, and its words.
    struct image_piece {
        u64 place;
        u32 const* words;
        u32 count;
    };
    [[nodiscard]] image_piece next_piece() const {
        void* const allocation = args_.InitContextResource.hAllocation;
        image_part const part = next_part(64);
        for (u32 i = 0; i != context_image_count; ++i) {
            if (allocation == known_handle(i)) {
                return {part.place.n, image_words() + part.offset / 4, static_cast<u32>(part.size / 4)};
            }
        }
        require(false, "OP10-03: an allocation without an image");
        return {};
    }

    /// Where a native fence's values lie, as a record of the firmware's has them.
    template <class Address>
    [[nodiscard]] u64 value_place(Address const& value, u64 system) const {
        return value.SegmentId == 0 || value.SegmentId == 31
                   ? system + value.SegmentOffset
                   : hw_.from_segment(segment_id{static_cast<u32>(value.SegmentId)},
                                      segment_offset{value.SegmentOffset})
                         .n;
    }
    [[nodiscard]] static u64 record_of(void* fence) {
        return fence == known_handle(0) ? fence_records[0] : fence == known_handle(1) ? fence_records[1] : 0;
    }

private:
    u32 const* at_ = nullptr;
    u64 left_ = 0;

    [[nodiscard]] Reader& self() { return static_cast<Reader&>(*this); }

    u64 follow_commands() {
        switch (args_.Operation) {
            case 0:
            case 7:
            case 8: return follow_copies();
            case 1: return follow_fills(args_.Fill.FillPattern);
            case 9:
                if constexpr (members::virtual_fill<Args>) {
                    return follow_fills(args_.FillVirtual.FillPattern);
                }
                break;
            case 11:
            case 14:
                if constexpr (late<Hw>) {
                    follow_tables();
                    return 0;
                }
                break;
            default: break;
        }
        while (entry_ < last_) {
            self().one();
        }
        require(entry_ == last_, "PGB-05: the commands of a pass are what its token counts");
        return 0;
    }

    u64 follow_copies() {
        stream_check<Hw, Args> moves(hw_, args_, expected_, entry_, last_);
        while (more()) {
            moves.take_copy(self().copy());
        }
        return moves.finish();
    }
    u64 follow_fills(u32 pattern) {
        stream_check<Hw, Args> moves(hw_, args_, expected_, entry_, last_);
        while (more()) {
            moves.take_fill(self().fill(), pattern);
        }
        return moves.finish();
    }

    void follow_tables() {
        if (args_.Operation == 11) {
            update_stream<Hw, Args> entries(hw_, expected_, entry_, last_);
            while (more()) {
                self().table(entries);
            }
            entries.finish();
        } else {
            copy_stream<Hw, Args> copies(args_, entry_);
            while (more()) {
                recorded_command const one = self().table_copy();
                copies.take_copied(one.destination, one.source, one.size);
            }
            copies.finish(last_);
        }
    }
};

}  // namespace wddmcore::testing::fuzz
