// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../hw/promises/page_table/commands.hpp"
#include "slots.hpp"

/// Which command writes which entries: the one place that decides, by dwords of the stream.
///
/// Three commands can write entries. An inline write carries them: its head, its tail and the entries themselves. A
/// generator makes any number of entries from one command of fixed length, when they rise by a page each or are all
/// alike. A fill does it for entries that are all alike and one 32-bit pattern. Bytes are what a paging buffer has too
/// few of, and what the GPU has to fetch, so that the shortest form wins; of equals the first named here. A fill whose
/// length depends on what it fills counts with the most that it takes: where it is chosen, it is shorter wherever the
/// table lies, and all passes choose alike.
///
/// No form joins entries to a larger page. The system names the table and the index of each entry (OP11-01) and sends
/// one for each 4 KiB of a leaf table (OP11-05); a large page stands where its entry says LargePage (GVA-16), a 64-KiB
/// page where it updates a table of those (GVA-14). A hardware type that has a fragment field sets it for these sizes,
/// which `leaf_kind` tells it. Aligned runs of 4-KiB entries are another matter: hardware could be told of them, and
/// nothing in the DDI forbids it, but a later update names only the entries that change. It may change a part of such a
/// run, and shows neither the rest nor a way to read it back; the rest would go on claiming a run that is broken, and a
/// TLB may translate the changed page by it. So leaf entries carry no fragment longer than their page.
/// gpuva/promotion.hpp is for tables whose whole layout is known: those of a driver's own mappings.
namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

enum class entry_form : u32 { inline_write, generate, fill };

/// What is around the entries of an inline write.
template <class Hw>
inline constexpr u32 write_overhead = Hw::write_head_dwords.n + hw::write_tail_of<Hw>().n;

/// Whether the generator makes entries of this size.
template <class Hw>
[[nodiscard]] constexpr bool generates([[maybe_unused]] u32 entry_bytes) noexcept {
    if constexpr (hw::page_table_generator<Hw>) {
        return entry_bytes == Hw::generate_entry_bytes;
    } else {
        return false;
    }
}

/// The entries that one fill takes: whole entries, and a multiple of what the engine is aligned to; 0 if none fits.
template <class Hw>
[[nodiscard]] constexpr u32 entries_of_fill([[maybe_unused]] Hw const& hw, [[maybe_unused]] u32 entry_bytes) noexcept {
    if constexpr (hw::fill_engine<Hw>) {
        // Both are powers of two: the larger is a multiple of the smaller.
        u64 const unit = greater<u64>(hw::value_of(hw, Hw::fill_alignment).n, entry_bytes);
        return static_cast<u32>(
            lesser<u64>(round_down(hw::value_of(hw, Hw::fill_max).n, unit) / entry_bytes, u64{1} << 31));
    } else {
        return 0;
    }
}

/// Whether a fill can write entries that are all alike: one pattern in all their dwords, at a place that the engine
/// takes.
///
/// @param offset  bytes of the first entry from the 4-KiB page that the table begins in
template <class Hw>
[[nodiscard]] constexpr bool fills([[maybe_unused]] Hw const& hw, [[maybe_unused]] page_table_entry value,
                                   [[maybe_unused]] u32 entry_bytes, [[maybe_unused]] u64 offset,
                                   [[maybe_unused]] u32 count) noexcept {
    if constexpr (hw::fill_engine<Hw>) {
        u32 const pattern = low_dword(value.low);
        bool const one_byte = pattern == (pattern & 0xFF) * 0x0101'0101u;
        bool const one_pattern = entry_bytes == 4 || (value.low == dword_pair(pattern, pattern) &&
                                                      (entry_bytes == 8 || value.high == value.low));
        return one_pattern && (one_byte || hw::value_of(hw, Hw::fill_pattern_bytes).n == 4) &&
               entries_of_fill(hw, entry_bytes) != 0 &&
               ((offset | u64{count} * entry_bytes) & (hw::value_of(hw, Hw::fill_alignment).n - 1)) == 0;
    } else {
        return false;
    }
}

/// The dwords of a form for `count` entries that are all alike.
template <class Hw>
[[nodiscard]] constexpr u64 dwords_of([[maybe_unused]] Hw const& hw, entry_form form, u32 entry_bytes,
                                      u32 count) noexcept {
    if (form == entry_form::inline_write) {
        u64 const entries = u64{count} * (entry_bytes / 4);
        return entries + divide_up<u64>(entries, Hw::write_max.n) * write_overhead<Hw>;
    }
    if constexpr (hw::page_table_generator<Hw>) {
        if (form == entry_form::generate) {
            return u64{divide_up(count, Hw::generate_max)} * Hw::generate_dwords.n;
        }
    }
    if constexpr (hw::fill_engine<Hw>) {
        if (form == entry_form::fill) {
            return u64{divide_up(count, entries_of_fill(hw, entry_bytes))} * hw::longest_fill<Hw>().n;
        }
    }
    return ~u64{0};
}

/// The cheapest form for entries that are all alike: Repeat.
template <class Hw>
[[nodiscard]] constexpr entry_form cheapest_form(Hw const& hw, page_table_entry value, u32 entry_bytes, u64 offset,
                                                 u32 count) noexcept {
    entry_form best = entry_form::inline_write;
    if (generates<Hw>(entry_bytes) && dwords_of(hw, entry_form::generate, entry_bytes, count) <
                                          dwords_of(hw, entry_form::inline_write, entry_bytes, count)) {
        best = entry_form::generate;
    }
    if (fills(hw, value, entry_bytes, offset, count) &&
        dwords_of(hw, entry_form::fill, entry_bytes, count) < dwords_of(hw, best, entry_bytes, count)) {
        best = entry_form::fill;
    }
    return best;
}

/// Whether a run of entries of 8 bytes is worth a generator's commands between two inline writes: they cost their own
/// dwords, and the overhead of the inline write that has to begin again after them.
template <class Hw>
[[nodiscard]] constexpr bool run_pays(Hw const& hw, u32 count) noexcept {
    constexpr u32 entry_bytes = 8;
    return generates<Hw>(entry_bytes) &&
           dwords_of(hw, entry_form::generate, entry_bytes, count) + write_overhead<Hw> < u64{count} * 2;
}

/// The dwords that one entry of the largest size needs in one buffer, in whichever form is chosen for it (law 7).
template <class Hw>
[[nodiscard]] consteval u32 update_group_dwords() noexcept {
    u32 most = write_overhead<Hw>;
    for (gpuva::page_table_geometry const& tables : hw::geometries<Hw>()) {
        for (u32 level = 0; level != tables.level_count; ++level) {
            most = greater(most, write_overhead<Hw> + tables.levels[level].entry_bytes / 4);
        }
    }
    if constexpr (gpuva::has_64k_tables(hw::any_geometry<Hw>())) {
        most = greater(most, write_overhead<Hw> + gpuva::entry_bytes_64k(hw::any_geometry<Hw>()) / 4);
    }
    if constexpr (hw::page_table_generator<Hw>) {
        most = greater(most, Hw::generate_dwords.n);
    }
    if constexpr (hw::fill_engine<Hw>) {
        most = greater(most, hw::longest_fill<Hw>().n);
    }
    return most;
}

}  // namespace wddmcore::paging::detail
