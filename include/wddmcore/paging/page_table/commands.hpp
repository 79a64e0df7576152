// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../writer.hpp"
#include "lines.hpp"
#include "runs.hpp"

/// Page-table entries by command.
namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

/// What an emitter of entries reached, and what has to be settled before the commit.
struct entries_done {
    progress reached;  ///< the token counts slots here
    suspicion open;
};

/// The entries that one inline write can carry into the room that is left; 0 when not even one fits.
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr u32 inline_fit(dma_writer const& writer, u32 entry_bytes) noexcept {
    u32 const words = entry_bytes / 4;
    if (writer.room < write_overhead<Hw> + words) {
        return 0;
    }
    return lesser(writer.room - write_overhead<Hw>, Hw::write_max.n) / words;
}

/// Opens an inline write of entries whose room is there.
/// @return where they go
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr u32* begin_write(Hw const& hw, dma_writer& writer, typename Hw::address place,
                                                         dwords entries) noexcept {
    hw.encode_write_head(writer.take(Hw::write_head_dwords), place, entries);
    return writer.take(entries);
}

/// Ends an inline write.
template <class Hw>
WDDMCORE_INLINE constexpr void end_write([[maybe_unused]] Hw const& hw, [[maybe_unused]] dma_writer& writer,
                                         [[maybe_unused]] typename Hw::address place,
                                         [[maybe_unused]] dwords entries) noexcept {
    if constexpr (hw::page_table_writer_with_tail<Hw>) {
        hw.encode_write_tail(writer.take(Hw::write_tail_dwords), place, entries);
    }
}

/// Puts one entry of any size into the stream.
WDDMCORE_INLINE constexpr u32* put_entry(u32* at, page_table_entry entry, u32 entry_bytes) noexcept {
    if (entry_bytes == 4) {
        put32(at, low_dword(entry.low));
        return at + 1;
    }
    put64(at, entry.low);
    if (entry_bytes == 8) {
        return at + 2;
    }
    put64(at + 2, entry.high);
    return at + 4;
}

/// Slots [slot, ...) from one entry that is the same for all: in the cheapest form.
template <class Hw, class Pte>
[[nodiscard]] constexpr progress put_equal_slots(Hw const& hw, dma_writer& writer, typename Hw::address table,
                                                 entry_source<Pte> const& from, u32 slot) noexcept {
    u32 const size = from.table.entry_bytes;
    page_table_entry const value = encode_slot(hw, from, 0);
    u64 const first_offset = u64{from.slots.first} * size;
    // The whole request decides, not what is left of it: all passes speak the same form.
    entry_form const form = cheapest_form(hw, value, size, from.table_in_page + first_offset, from.slots.count);
    while (slot != from.slots.count) {
        typename Hw::address const place = table + bytes{first_offset + u64{slot} * size};
        u32 const left = from.slots.count - slot;
        u32 length = 0;
        if (form == entry_form::inline_write) {
            length = lesser(left, inline_fit<Hw>(writer, size));
            if (length == 0) {
                return {outcome::need_buffer, slot};
            }
            dwords const entries{length * (size / 4)};
            u32* at = begin_write(hw, writer, place, entries);
            for (u32 k = 0; k != length; ++k) {
                at = put_entry(at, value, size);
            }
            end_write(hw, writer, place, entries);
        }
        if constexpr (hw::page_table_generator<Hw>) {
            if (form == entry_form::generate) {
                if (!writer.has(Hw::generate_dwords)) {
                    return {outcome::need_buffer, slot};
                }
                length = lesser(left, Hw::generate_max);
                hw.encode_generate(writer.take(Hw::generate_dwords), place, entry_run{value.low, 0, 0, length});
            }
        }
        if constexpr (hw::fill_engine<Hw>) {
            if (form == entry_form::fill) {
                u32 const filled = lesser(left, entries_of_fill(hw, size));
                dwords const need = hw::fill_length(hw, place, u64{filled} * bytes{size}, low_dword(value.low));
                if (!writer.has(need)) {
                    return {outcome::need_buffer, slot};
                }
                length = filled;
                hw.encode_fill(writer.take(need), place, u64{length} * bytes{size}, low_dword(value.low));
            }
        }
        slot += length;
    }
    return {outcome::done, slot};
}

/// Slots of any level and entry size, inline, one encoder call an entry.
template <class Hw, class Pte>
[[nodiscard]] constexpr progress put_each_slot(Hw const& hw, dma_writer& writer, typename Hw::address table,
                                               entry_source<Pte> const& from, u32 slot) noexcept {
    u32 const size = from.table.entry_bytes;
    while (slot != from.slots.count) {
        u32 const length = lesser(from.slots.count - slot, inline_fit<Hw>(writer, size));
        if (length == 0) {
            return {outcome::need_buffer, slot};
        }
        typename Hw::address const place = table + bytes{u64{from.slots.first + slot} * size};
        dwords const entries{length * (size / 4)};
        u32* at = begin_write(hw, writer, place, entries);
        for (u32 k = 0; k != length; ++k) {
            at = put_entry(at, encode_slot(hw, from, slot + k), size);
        }
        end_write(hw, writer, place, entries);
        slot += length;
    }
    return {outcome::done, slot};
}

/// Writes one run by the generator, as far as the room goes; the first command's room is there.
///
/// @return the element after the last one written
template <class Hw, class Pte>
[[nodiscard]] WDDMCORE_INLINE constexpr u32 put_run(Hw const& hw, dma_writer& writer, typename Hw::address table,
                                                    entry_source<Pte> const& from, element_run run,
                                                    entry_attributes a) noexcept {
    // What has no address does not rise.
    u64 const step = a.mask == 0 ? 0 : u64{1} << Hw::entry_page_shift;
    u32 element = run.begin;
    while (element != run.end && writer.has(Hw::generate_dwords)) {
        u32 const length = lesser(run.end - element, Hw::generate_max);
        u64 const start = (static_cast<u64>(from.entries[element].PageAddress) << Hw::entry_page_shift) & a.mask;
        hw.encode_generate(writer.take(Hw::generate_dwords), table + bytes{u64{from.slots.first + element} * 8},
                           entry_run{a.add, start, step, length});
        element += length;
    }
    return element;
}

/// Leaf entries of 8 bytes: lines inline, and between them the runs that the generator makes cheaper.
template <class Hw, class Pte>
[[nodiscard]] WDDMCORE_INLINE constexpr entries_done put_leaf_slots(Hw const& hw, dma_writer& writer,
                                                                    typename Hw::address table,
                                                                    entry_source<Pte> const& from, u32 slot) noexcept {
    u32 const count = from.slots.count;
    line_state state{false, suspicion::none};
    while (slot != count) {
        u32 const fit = inline_fit<Hw>(writer, 8);
        u32 end = count - slot < fit ? count : slot + fit;
        if constexpr (hw::page_table_generator<Hw>) {
            if (generates<Hw>(8)) {
                if (!writer.has(Hw::generate_dwords) && end != count) {
                    // Room for a few inline entries only: they would break a run up, and save nothing.
                    return {{outcome::need_buffer, slot}, state.open};
                }
                u32 const commands = writer.room / Hw::generate_dwords.n;
                u32 const most = commands < count / Hw::generate_max + 1 ? commands * Hw::generate_max : count;
                // Too little room for a line is still enough to look for a run.
                u32 const look = lesser(count, greater(end, slot + 8));
                element_run const run =
                    commands == 0 ? element_run{look, look} : find_run(hw, from.entries, slot, look, count, most);
                if (run.begin == slot) {
                    pte_flags const flags{from.entries[slot].Flags & pte_flags::known};
                    entry_attributes const a = hw.attributes(leaf_kind::gpu_page, flags, from.protection);
                    if (flags.valid() || a.mask == 0) {
                        // A run whose numbers wrap ends low again: both of its ends tell.
                        u64 const highest =
                            greater<u64>(from.entries[slot].PageAddress, from.entries[run.end - 1].PageAddress);
                        bool const wrong =
                            judge_flags(hw, flags).any ||
                            (flags.valid() && (flags.large_page() || highest >= end_of_pages(hw, flags)));
                        state.open = wrong ? suspicion::any : state.open;
                        slot = put_run(hw, writer, table, from, run, a);
                        continue;
                    }
                }
                if (run.begin != slot) {
                    end = lesser(end, run.begin);
                }
            }
        }
        if (fit == 0) {
            return {{outcome::need_buffer, slot}, state.open};
        }
        typename Hw::address const place = table + bytes{u64{from.slots.first + slot} * 8};
        dwords const entries{(end - slot) * 2};
        u32* const at = begin_write(hw, writer, place, entries);
        state = put_lines(hw, command_sink{at}, from.entries + slot, end - slot, from.protection, state);
        end_write(hw, writer, place, entries);
        slot = end;
    }
    return {{outcome::done, slot}, state.open};
}

}  // namespace wddmcore::paging::detail
