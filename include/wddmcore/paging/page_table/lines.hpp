// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "entries.hpp"
#include "equal_flags.hpp"

/// Leaf entries of 8 bytes, many at a time: eight a line while a line has the flags of the first, then, from the first
/// mixed line on and for good, through the table of attributes.
namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

/// Whether the leaf entries of a hardware type can be written by lines.
template <class Hw>
[[nodiscard]] consteval bool has_lines() noexcept {
    if constexpr (hw::uniform_entries<Hw>) {
        // A chip of larger pages takes the longer way.
        return hw::any_geometry<Hw>().levels[0].entry_bytes == 8 && hw::most_of_geometries<Hw>([](auto const& tables) {
                                                                        return u32{gpuva::gpu_page_lg2(tables) == 0};
                                                                    }) != 0;
    } else {
        return false;
    }
}

/// The same for this chip, of a type that has them.
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr bool has_lines_now(Hw const& hw) noexcept {
    return hw::of_geometry(hw, [](auto const& tables) { return gpuva::gpu_page_lg2(tables) == 0; });
}

/// Whether this request is one for lines.
template <class Hw, class Pte>
[[nodiscard]] constexpr bool is_for_lines(entry_source<Pte> const& from) noexcept {
    constexpr bool only_4k = !hw::chooses_page_tables<Hw>;
    return has_lines<Hw>() && (only_4k || from.table.share_lg2 == 0) && from.table.level == 0 &&
           from.table.leaf == leaf_kind::gpu_page && !from.repeat;
}

/// Stores of commands: two dwords an entry.
struct command_sink {
    static constexpr bool judged_before = false;
    u32* at;
    WDDMCORE_INLINE constexpr void put(u32 k, u64 entry) const noexcept {
        wddmcore::detail::store64(at + usize{2} * k, entry);
    }
    WDDMCORE_INLINE constexpr void step(u32 count) noexcept { at += usize{2} * count; }
};

/// Stores by the CPU, seen at once.
template <class Hw>
struct store_sink {
    static constexpr bool judged_before = true;
    Hw& hw;
    u64* at;
    WDDMCORE_INLINE constexpr void put(u32 k, u64 entry) const noexcept { hw.store_entry_word(at + k, entry); }
    WDDMCORE_INLINE constexpr void step(u32 count) noexcept { at += count; }
};

/// What is still to be settled about elements that were looked at all at once; the greater takes more.
enum class suspicion : u32 {
    none,
    segments,  ///< one may name a segment that was never reported: names_no_place tells
    ends,      ///< one may name a page past the end of its segment, or what is said above: so does it
    any,       ///< one may be malformed: each has to be looked at
};

/// What the lines of a request remember from one packet to the next.
struct line_state {
    bool mixed;      ///< a mixed line was met: from then on entries go through the table, since looking for equal flags
                     ///< again would cost more than it saves
    suspicion open;  ///< to be settled before anything is committed
};

/// What elements have in all, gathered without a branch.
struct entry_summary {
    u64 flags;  ///< every flag that some element has
    u64 page;   ///< every bit that some page number has
};

/// One element through the table of attributes; `seen` gathers the flags.
template <u32 Shift, class Pte>
[[nodiscard]] WDDMCORE_INLINE constexpr u64 by_table(Pte const& e, attribute_table const& table, u64& seen) noexcept {
    u64 const flags = e.Flags;
    seen |= flags;
    u64 const key = flags & pte_flags::key;
    return ((e.PageAddress << Shift) & table.mask[key]) + table.add[key];
}

/// Writes elements through the table of attributes, branch-free.
///
/// @return every flag that some element has
template <u32 Shift, class Sink, class Pte>
[[nodiscard]] WDDMCORE_INLINE constexpr u64 put_by_table(Sink to, Pte const* e, u32 count,
                                                         attribute_table const& table) noexcept {
    u64 seen = 0;
    for (u32 left = count / 4; left != 0; --left) {
        to.put(0, by_table<Shift>(e[0], table, seen));
        to.put(1, by_table<Shift>(e[1], table, seen));
        to.put(2, by_table<Shift>(e[2], table, seen));
        to.put(3, by_table<Shift>(e[3], table, seen));
        e += 4;
        to.step(4);
    }
    for (u32 k = 0; k != count % 4; ++k) {
        to.put(k, by_table<Shift>(e[k], table, seen));
    }
    return seen;
}

/// Every bit that some page number has, those of entries without a page included. Gathered here an element costs one
/// instruction; gathered together with the flags it would cost two, for lack of registers.
[[nodiscard]] WDDMCORE_INLINE constexpr u64 gathered_pages(auto const* e, u32 count) noexcept {
    u64 seen = 0;
    for (u32 left = count / 8; left != 0; --left) {
        seen |= e[0].PageAddress | e[1].PageAddress | e[2].PageAddress | e[3].PageAddress | e[4].PageAddress |
                e[5].PageAddress | e[6].PageAddress | e[7].PageAddress;
        e += 8;
    }
    for (u32 k = 0; k != count % 8; ++k) {
        seen |= e[k].PageAddress;
    }
    return seen;
}

/// Whether some element of a segment names a page from `end` on.
[[nodiscard]] constexpr bool names_page_past(auto const* e, u32 count, segment_id segment, u64 end) noexcept {
    bool past = false;
    for (u32 k = 0; k != count; ++k) {
        past |= pte_flags::segment_field::of(e[k].Flags) == segment.n && e[k].PageAddress >= end;
    }
    return past;
}

/// Whether some element names a segment that was never reported, or, asked for that, a page past the end of one.
///
/// The gathered ids of a request (suspicion_about) name more than its elements do as soon as ids are no power of two
/// less one: 1 and 4 gather to 5. Then, and only then, each id is looked at: a few instructions an element, where
/// judging elements one by one would take ten times as many. So it is with page numbers, which gather to more than the
/// highest.
template <class Hw, class Pte>
[[nodiscard]] WDDMCORE_NOINLINE constexpr bool names_no_place(Hw const& hw, suspicion open, Pte const* e,
                                                              u32 count) noexcept {
    // Bytes and not the bits of a word: a store waits for none before it, where setting bits is a chain.
    bool named[32] = {};
    Pte const* at = e;
    for (u32 left = count / 4; left != 0; --left) {
        named[pte_flags::segment_field::of(at[0].Flags)] = true;
        named[pte_flags::segment_field::of(at[1].Flags)] = true;
        named[pte_flags::segment_field::of(at[2].Flags)] = true;
        named[pte_flags::segment_field::of(at[3].Flags)] = true;
        at += 4;
    }
    for (u32 k = 0; k != count % 4; ++k) {
        named[pte_flags::segment_field::of(at[k].Flags)] = true;
    }
    u64 const pages = open == suspicion::ends ? gathered_pages(e, count) : 0;
    for (u32 id = 1; id != 32; ++id) {
        if (named[id]) {
            u64 const end = hw.place(segment_id{id}).size.n / page_bytes;
            // What was never reported ends at 0, which is before every page.
            if (pages >= end && names_page_past(e, count, segment_id{id}, end)) {
                return true;
            }
        }
    }
    return false;
}

/// What is open about elements that have this in all.
///
/// Ids of segments that were gathered name every id that has no other bits; only when one of those was never reported,
/// or ends before the page that was gathered, can an element have named what is not there.
template <class Hw>
[[nodiscard]] constexpr suspicion suspicion_about(Hw const& hw, entry_summary seen) noexcept {
    if ((seen.flags & (pte_flags::large_page_bit | pte_flags::adapter_field::mask | unclaimed_flags<Hw>)) != 0 ||
        (!Hw::mmu_caps.zero_in_pte && (seen.flags & pte_flags::zero_bit) != 0) ||
        (seen.page >> hw::entry_limits_of(hw).page_number_bits) != 0) {
        return suspicion::any;
    }
    u32 const gathered = static_cast<u32>(pte_flags::segment_field::of(seen.flags));
    suspicion open = suspicion::none;
    for (u32 id = gathered; id != 0; id = (id - 1) & gathered) {
        u64 const end = hw.place(segment_id{id}).size.n / page_bytes;
        if (seen.page >= end) {
            open = greater(open, end == 0 ? suspicion::segments : suspicion::ends);
        }
    }
    return open;
}

/// Settles a suspicion as far as that goes without looking at each element for itself.
///
/// @param entries  of the request; an array only where a suspicion about segments is open: it may be NULL, or hold one
///                 element (OP11-02), and nothing is added to it then
/// @return whether that remains to be done
[[nodiscard]] WDDMCORE_INLINE constexpr bool remains(auto const& hw, suspicion open, auto const* entries, u32 first,
                                                     u32 count) noexcept {
    return open == suspicion::any || (open != suspicion::none && names_no_place(hw, open, entries + first, count));
}

/// Writes elements with the attributes asked for whenever the flags change: hardware without a table of attributes.
///
/// @return whether something is malformed
template <class Hw, class Sink, class Pte>
[[nodiscard]] constexpr bool put_by_asking(Hw const& hw, Sink to, Pte const* e, u32 count, u64 protection) noexcept {
    bool wrong = false;
    u64 end = 0;
    u64 flags = 0;
    entry_attributes a{};
    for (u32 k = 0; k != count; ++k) {
        if (k == 0 || e[k].Flags != flags) {
            flags = e[k].Flags;
            pte_flags const known{flags & pte_flags::known};
            wrong |= judge_flags(hw, known).any || (known.valid() && known.large_page());
            end = known.valid() && !known.zero() ? end_of_pages(hw, known) : ~u64{0};
            a = hw.attributes(leaf_kind::gpu_page, known, protection);
        }
        u64 const page = e[k].PageAddress;
        wrong |= page >= end;
        to.put(k, ((page << Hw::entry_page_shift) & a.mask) + a.add);
    }
    return wrong;
}

/// The table of attributes of a request; NULL where there is none.
///
/// Its keys end with the segment, so that a link, whose entries also differ in the adapter, has no use for it.
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr attribute_table const* table_for([[maybe_unused]] Hw const& hw,
                                                                         [[maybe_unused]] u64 protection) noexcept {
    if constexpr (hw::keeps_attribute_table<Hw> && hw::any_entry_limits<Hw>().adapters == 1) {
        return hw.attributes_by_key(protection);
    } else {
        return nullptr;
    }
}

/// Writes `count` leaf entries of 8 bytes.
///
/// @param from   the first of them
/// @param state  of the request so far
/// @return the state after them
template <class Hw, class Sink, class Pte>
[[nodiscard]] WDDMCORE_INLINE constexpr line_state put_lines(Hw const& hw, Sink to, Pte const* from, u32 count,
                                                             u64 protection, line_state state) noexcept {
    u32 done = 0;
    if (!state.mixed && count >= 8) {
        u64 const flags = from->Flags;
        pte_flags const known{flags & pte_flags::known};
        entry_attributes const a = hw.attributes(leaf_kind::gpu_page, known, protection);
        // The short way adds the page without a mask: not for an entry without an address, nor where the mask cuts a
        // page number off.
        u32 const bits = hw::entry_limits_of(hw).page_number_bits;
        u64 const every_page = low_mask<u64>(bits) << Hw::entry_page_shift;
        if ((every_page & ~a.mask) == 0) {
            state.open = judge_flags(hw, known).any || known.large_page() ? suspicion::any : state.open;
            if constexpr (Sink::judged_before) {
                done = store_equal_flags<Hw::entry_page_shift>(to, from, count, flags, a.add);
            } else {
                equal_flags_put const alike = put_equal_flags<Hw::entry_page_shift>(to.at, from, count, flags, a.add);
                done = alike.count;
                bool const too_high = (alike.pages >> bits) != 0;
                bool const past = alike.pages >= end_of_pages(hw, known);
                state.open = greater(state.open, too_high ? suspicion::any : past ? suspicion::ends : suspicion::none);
            }
        }
        state.mixed = count - done >= 8;
    }
    if (done != count) {
        to.step(done);
        if (attribute_table const* const table = table_for(hw, protection); table != nullptr) {
            u64 const flags = put_by_table<Hw::entry_page_shift>(to, from + done, count - done, *table);
            u64 const pages = Sink::judged_before ? 0 : gathered_pages(from + done, count - done);
            state.open = greater(state.open, suspicion_about(hw, entry_summary{flags, pages}));
        } else {
            bool const wrong = put_by_asking(hw, to, from + done, count - done, protection);
            state.open = wrong ? suspicion::any : state.open;
        }
    }
    return state;
}

}  // namespace wddmcore::paging::detail

namespace wddmcore::inline WDDMCORE_ABI::paging {

/// Fills a driver's table of attributes: after its segments were placed, and again when they move.
///
/// A key that no entry may have, because a flag was not claimed or a segment does not exist, gets what an entry that is
/// not valid has; a request with such an entry goes to the fault hook.
/// @param hw          the hardware: what it claims, its segments, its attributes
/// @param protection  DriverProtection that the table is for, most often 0
/// @param table       written whole
/// IRQL PASSIVE_LEVEL, may be pageable; touches no OS state. WDDM 2.0. Source page: ns-d3dukmdt-_dxgk_pte.md.
template <class Hw>
constexpr void fill_attribute_table(Hw const& hw, u64 protection, attribute_table& table) noexcept {
    for (u32 key = 0; key != attribute_table::entries; ++key) {
        pte_flags const flags{key};
        bool const possible = !detail::judge_flags(hw, flags).any;
        entry_attributes const a = hw.attributes(leaf_kind::gpu_page, possible ? flags : pte_flags{0},
                                                 protection & hw::entry_limits_of(hw).driver_protection);
        table.mask[key] = a.mask;
        table.add[key] = a.add;
    }
}

}  // namespace wddmcore::paging
