// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "fuzz_model_aperture.hpp"
#include "fuzz_read_stream.hpp"
#include "fuzz_require.hpp"
#include "fuzz_stream_tables.hpp"
#include "fuzz_stream_wddm2.hpp"
#include "fuzz_windows.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::fuzz {

/// Follows the commands of one pass: each must be the next piece of the work, and together they must be the pages from
/// the token before the pass to the token behind it.
template <class Hw, class Args>
class stream_check {
public:
    /// @param from, to  tokens before and behind the pass
    stream_check(Hw const& hw, Args const& args, expectation<Hw> const& expected, u64 from, u64 to)
        : hw_(hw), args_(args), expected_(expected), entry_(from), last_(to) {
        if (expected.descending) {
            position_ = bytes_to(expected.count - from);
            end_ = bytes_to(expected.count - to);
        } else {
            position_ = bytes_to(from);
            end_ = bytes_to(to);
        }
    }

    /// @return how many bytes were copied or filled
    u64 follow(u32 const* words, u64 count) {
        if constexpr (tables_by_command<Hw>) {
            if (args_.Operation == 11 || args_.Operation == 14) {
                follow_tables(words, count);
                return 0;
            }
        }
        if constexpr (windowed<Hw>) {
            if (args_.Operation == 0 || args_.Operation == 7) {
                return follow_window(words, count);
            }
        }
        read_stream(
            words, count, Hw::unit_dwords.n, [this](recorded_command const& one) { take(one); },
            [](u32, u32 const*, u64) -> u64 {
                require(false, "a page-table command of another operation");
                return 0;
            });
        return finish();
    }

    /// Behind the last command of a pass.
    /// @return how many bytes were copied or filled
    u64 finish() const {
        switch (args_.Operation) {
            case 0:
            case 1:
            case 7:
            case 8:
            case 9:
                require(position_ == end_, "PGB-05: the commands of a pass are the pages that its token counts");
                break;
            default:
                require(entry_ == last_, "PGB-05: the commands of a pass are the entries that its token counts");
                break;
        }
        return moved_;
    }

    void take_copy(recorded_command const& one) {
        require(one.size <= Hw::copy_max.n, "OP08-06: a copy is longer than the engine takes");
        require(one.size <= expected_.longest, "OP08-07: a copy is longer than the distance");
        constexpr u64 unit = Hw::copy_alignment.n;
        require(one.size % unit == 0 && one.source.n % unit == 0 && one.destination.n % unit == 0,
                "OP08-06: a copy is not aligned");
        u64 const offset = advance(one.size);
        require(lies_at(expected_.source, offset, one.size, one.source), "OP00-01: a copy reads elsewhere");
        require(lies_at(expected_.destination, offset, one.size, one.destination), "OP00-01: a copy writes elsewhere");
        moved_ += one.size;
    }

    void take_fill(recorded_command const& one, u32 pattern) {
        require(one.size <= Hw::fill_max.n, "OP08-06: a fill is longer than the engine takes");
        constexpr u64 unit = Hw::fill_alignment.n;
        require(one.size % unit == 0 && one.destination.n % unit == 0, "OP08-06: a fill is not aligned");
        u64 const offset = advance(one.size);
        require(offset % Hw::fill_pattern_bytes.n == 0, "OP09-02: the pattern loses its phase");
        require(lies_at(expected_.destination, offset, one.size, one.destination), "OP09-01: a fill writes elsewhere");
        require(one.pattern == pattern, "AMB-09: the pattern");
        moved_ += one.size;
    }

    /// The same of what was told at once.
    void follow_calls(told const* list, u64 count) {
        if constexpr (late<Hw>) {
            require(count <= at_once_log::capacity, "the log of the hardware is long enough");
            wddm2_stream<Hw, Args> calls(hw_, args_, expected_, entry_);
            for (u64 i = 0; i != count; ++i) {
                calls.take(list[i].kind, list[i].values);
            }
        }
        require(entry_ == last_, "PGB-05: what was told at once is what the token counts");
    }

private:
    Hw const& hw_;
    Args const& args_;
    expectation<Hw> const& expected_;
    u64 position_ = 0;  ///< bytes from the start of the request: what comes next, or, descending, what is still to come
    u64 end_ = 0;
    u64 entry_;  ///< of operations that do not count pages of bytes: the next command
    u64 last_;
    u64 moved_ = 0;
    window_slots<Hw> window_;

    [[nodiscard]] u64 bytes_to(u64 page) const { return lesser(page * page_bytes, expected_.size); }

    /// The page numbers behind [offset, offset + size) are one behind the other, and begin at `place`.
    [[nodiscard]] bool lies_at(model_side<Hw> const& side, u64 offset, u64 size, recorded_address place) {
        if constexpr (windowed<Hw>) {
            if (place.space == window_space) {
                return lies_in_window(side, offset, size, place.n);
            }
        }
        if (!same_place(side.page(hw_, offset / page_bytes) + bytes{offset % page_bytes}, place)) {
            return false;
        }
        for (u64 page = offset / page_bytes + 1; side.paged && page * page_bytes < offset + size; ++page) {
            if (side.list[page] != side.list[page - 1] + 1) {
                return false;
            }
        }
        return true;
    }

    /// The slots behind [place, place + size) hold the pages behind [offset, offset + size).
    [[nodiscard]] bool lies_in_window(model_side<Hw> const& side, u64 offset, u64 size, u64 place) {
        if constexpr (windowed<Hw>) {
            if (!side.paged || offset % page_bytes != place % page_bytes) {
                return false;
            }
            u64 const first = offset / page_bytes;
            u64 const count = (offset + size - 1) / page_bytes - first + 1;
            for (u64 i = 0; i != count; ++i) {
                if (window_.page(place + i * page_bytes) != side.list[first + i]) {
                    return false;
                }
            }
            return true;
        }
        return false;
    }

    u64 follow_window(u32 const* words, u64 count) {
        while (count != 0) {
            u64 length = window_.take(words, count);
            if (length == 0) {
                if ((words[0] & 0xFFFF'0000) != record_head) {
                    break;
                }
                length = words[0] & 0xFF;
                require(length <= count && length == record_length(words[0] >> 8 & 0xFF), "no record begins like this");
                take(decode_record(words));
            }
            words += length;
            count -= length;
        }
        // What is left is padding, if it is anything: whether the whole is a multiple of the grain is known already.
        read_padding(words, count, Hw::unit_dwords.n);
        return finish();
    }

    /// Takes the next `size` bytes of the request and tells where they begin.
    u64 advance(u64 size) {
        require(size != 0, "OP08-06: no command is empty");
        if (expected_.descending) {
            require(size <= position_ - end_, "PGB-05: a command reaches past its pass");
            position_ -= size;
            return position_;
        }
        require(size <= end_ - position_, "PGB-05: a command reaches past its pass");
        position_ += size;
        return position_ - size;
    }

    template <class Transfer>
    void take_swizzled(recorded_command const& one, Transfer const& t, u32 range_id, u32 range_data) {
        u64 const offset = advance(one.size);
        require(offset % page_bytes == 0, "OP00-08: layouts change page by page");
        require(one.size == lesser(page_bytes, expected_.size - offset), "OP00-08: layouts change page by page");
        require(lies_at(expected_.source, offset, one.size, one.source), "OP00-01: a copy reads elsewhere");
        require(lies_at(expected_.destination, offset, one.size, one.destination), "OP00-01: a copy writes elsewhere");
        require(one.allocation_offset == u64{t.TransferOffset} + offset, "OP08-02: which part of the surface moves");
        require(one.swizzle_direction == (t.Flags.Swizzle != 0 ? 1u : 2u),
                "OP00-08: the direction of the layout change");
        require(one.allocation != 0 && one.allocation == handle_bits(t.hAllocation),
                "OP00-07: raw without an allocation");
        require(one.range_id == range_id && one.range_data == range_data, "OP07-01: the range's id and data");
        moved_ += one.size;
    }

    void take_entry(recorded_command const& one, u32 segment, u64 first, bool coherent) {
        require(entry_ < last_, "PGB-05: an entry that the token does not count");
        require(one.segment == segment && one.index == first + entry_, "OP05-01: an entry of the aperture");
        require(one.page == expected_.entry(entry_), "OP05-01: the page of an entry");
        require(one.coherent == coherent, "OP05-03: coherent as asked");
        ++entry_;
    }

    void take_place(recorded_command const& one) {
        require(entry_ == 0 && last_ == 1, "PGB-05: one command, once");
        require(same_place(expected_.destination.page(hw_, 0), one.destination), "OP04-01: exactly that place");
        ++entry_;
    }

    void take(recorded_command const& one) {
        switch (one.kind) {
            case record_kind::copy:
                require(args_.Operation == 0 || args_.Operation == 7 || args_.Operation == 8, "a copy");
                take_copy(one);
                break;
            case record_kind::swizzled_copy:
                if (args_.Operation == 0) {
                    take_swizzled(one, args_.Transfer, 0, 0);
                } else {
                    require(args_.Operation == 7, "a copy that changes the layout");
                    take_swizzled(one, args_.SpecialLockTransfer, args_.SpecialLockTransfer.SwizzlingRangeId,
                                  args_.SpecialLockTransfer.SwizzlingRangeData);
                }
                break;
            case record_kind::fill:
                if constexpr (members::virtual_fill<Args>) {
                    if (args_.Operation == 9) {
                        return take_fill(one, args_.FillVirtual.FillPattern);
                    }
                }
                require(args_.Operation == 1, "a fill");
                take_fill(one, args_.Fill.FillPattern);
                break;
            case record_kind::aperture_entry: take_entry_of_operation(one); break;
            case record_kind::discard:
                require(args_.Operation == 2 && one.allocation == handle_bits(args_.DiscardContent.hAllocation),
                        "a discard");
                take_place(one);
                break;
            case record_kind::read:
                require(args_.Operation == 3, "a read");
                take_place(one);
                break;
            case record_kind::write:
                require(args_.Operation == 4, "a write");
                take_place(one);
                break;
            default:
                if constexpr (late<Hw>) {
                    require(entry_ < last_, "PGB-05: a command that the token does not count");
                    wddm2_stream<Hw, Args>(hw_, args_, expected_, entry_).take(one.kind, one.values);
                    break;
                }
                require(false, "a command that no operation of this hardware writes");
                break;
        }
    }

    void follow_tables(u32 const* words, u64 count) {
        auto const none = [](recorded_command const&) { require(false, "a command of another operation"); };
        if (args_.Operation == 11) {
            update_stream<Hw, Args> entries(hw_, expected_, entry_, last_);
            read_stream(
                words, count, Hw::unit_dwords.n,
                [&](recorded_command const& one) {
                    require(one.kind == record_kind::fill, "entries are written, made or filled");
                    entries.take_fill(one);
                },
                [&](u32 kind, u32 const* at, u64 left) -> u64 {
                    if (kind == write_entries_kind) {
                        return entries.take_write(at, left);
                    }
                    require(kind == generate_entries_kind, "entries are written, made or filled");
                    entries.take_generated(at);
                    return 0;
                });
            entries.finish();
        } else {
            copy_stream<Hw, Args> copies(args_, entry_);
            read_stream(words, count, Hw::unit_dwords.n, none, [&](u32 kind, u32 const* at, u64) -> u64 {
                require(kind == copy_entries_kind, "entries are copied");
                copies.take(at);
                return 0;
            });
            copies.finish(last_);
        }
    }

    void take_entry_of_operation(recorded_command const& one) {
        u32 const operation = args_.Operation;
        require(operation == 5 || operation == 6 || operation == 17, "an aperture entry");
        aperture_request const request = aperture_request::of(args_);
        take_entry(one, request.segment, request.first, request.coherent);
    }
};

}  // namespace wddmcore::testing::fuzz
