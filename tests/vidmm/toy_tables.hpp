// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "toy_work.hpp"

#include <functional>
#include <tuple>

namespace toy {

/// The toy driver's page tables: operations 11, 12 and 14. MultipassOffset counts entries.
class toy_tables : public toy_work {
public:
    using toy_work::toy_work;

    u32 page_lg2 = 0;       ///< log2 of the 4-KiB pages in one of the machine's
    bool dual = false;      ///< level 1 names two tables
    bool wide_64k = false;  ///< an entry of 64 KiB has a second word, which says nothing
    u64 system_base = 0;    ///< where the bus shows page number 0
    u32 own_adapter = 0;    ///< which physical adapter of a link it is; it reaches the memory of no other
    std::function<void(u64 root, u64 first, u64 last)> flush_register;  ///< for who flushes at once

    /// The power is gone, and the driver knows it.
    void power_lost() {
        if (!wrong.initialises_once) {
            initialised_.clear();
        }
        remembered_.clear();
        linked_.clear();
        of_64k_.clear();
    }

protected:
    template <class Place>
    [[nodiscard]] u64 bus_address(Place const& p) const {
        return (p.SegmentId == 0 ? system_base : bases.at(p.SegmentId)) + p.SegmentOffset;
    }

    template <class Entry>
    [[nodiscard]] u64 encode(Entry const& e, bool leaf, u64 protection, bool of_64k = false) const {
        bool const is_lost = wrong.zero_is_nothing || (wrong.zero_lost_above_leaf && e.LargePage != 0);
        bool const is_peer = e.Segment != 0 && e.PhysicalAdapterIndex != own_adapter;
        if (e.Valid == 0 || is_peer || (is_lost && leaf && e.Zero != 0)) {
            return 0;
        }
        if (leaf && e.Zero != 0 && !wrong.zero_ignored) {
            return 3;
        }
        u64 address = wrong.page_is_address && leaf  ? u64{e.PageAddress} & ~u64{0xfff}
                      : wrong.page_shifted && leaf   ? u64{e.PageAddress} << 10 & ~u64{0xfff}
                      : wrong.wide_numbers && of_64k ? u64{e.PageAddress} << 16
                                                     : u64{e.PageAddress} << 12;
        u64 const base = e.Segment == 0 ? system_base : bases.at(static_cast<u32>(e.Segment));
        address += wrong.entry_without_base ? 0 : base;
        address += wrong.entry_base_twice ? base : 0;
        address <<= wrong.number_shifted && leaf ? 3 : 0;
        u64 const shown = wrong.keeps_all_protection ? protection : protection & 3;
        address |= leaf && !wrong.drops_protection ? shown << 5 : 0;
        return address | (wrong.never_valid && leaf ? 0 : 1) | (wrong.drops_attributes ? 0 : e.Flags & 0x1c);
    }

    template <class Args>
    ntstatus update_page_table(Args& args, writer& out) {
        auto const& u = args.UpdatePageTable;
        bool const by_cpu = u.UpdateMode == 0;
        if (args.MultipassOffset == 0 && skipped(u)) {
            return status::success;
        }
        if (by_cpu || wrong.always_cpu_address) {
            return wrong.init_wants_buffer ? status::graphics_insufficient_dma_buffer : by_processor(u);
        }
        u64 const table =
            u.UpdateMode == 1 ? u64{u.PageTableAddress.GpuVirtual} : bus_address(u.PageTableAddress.GpuPhysical);
        return by_command(u, table, u.UpdateMode == 2, args, out);
    }

    template <class Args>
    ntstatus flush_tlb(Args const& args, writer& out) {
        auto const& f = args.FlushTlb;
        u64 root = bus_address(f.RootPageTableAddress);
        if (wrong.flush_one_root) {
            first_root_ = first_root_ == ~u64{0} ? root : first_root_;
            root = first_root_;
        }
        bool const whole = f.StartVirtualAddress == 0 && f.EndVirtualAddress == 0 && !wrong.flush_of_nothing;
        u64 const last = whole ? ~u64{0} : std::max<u64>(f.EndVirtualAddress, 1) - 1;
        if (wrong.flush_at_build) {
            flush_register(root, f.StartVirtualAddress, last);
            return status::success;
        }
        command c(code::flush);
        c.wide(root)
            .wide(f.StartVirtualAddress)
            .wide(last - (wrong.flush_too_short && last > 4096 && !whole ? 4096 : 0));
        return out.put(c) ? status::success : status::graphics_insufficient_dma_buffer;
    }

    /// MultipassOffset: range in the upper half, entry in the lower.
    template <class Args>
    ntstatus copy_entries(Args& args, writer& out) {
        auto const& c = args.CopyPageTableEntries;
        u32 range = args.MultipassOffset >> 16;
        u32 entry = args.MultipassOffset & 0xffff;
        for (; range < c.NumRanges; ++range, entry = 0) {
            auto const& r = c.pRanges[wrong.copy_backwards ? c.NumRanges - 1 - range : range];
            u64 const from = r.SrcPageTableAddress + u64{8} * r.SrcStartPteIndex;
            u64 const to = r.DstPageTableAddress + u64{8} * (wrong.copy_indices_ignored ? 0 : r.DstStartPteIndex);
            u32 const count = wrong.copies_whole_tiles ? r.NumPageTableEntries / 16 * 16 : u32{r.NumPageTableEntries};
            while (entry < count) {
                u32 const n = std::min(most_copied, count - entry);
                command k(code::table_copy);
                k.word(n | (wrong.copies_leaves_only ? leaves_bit : 0))
                    .wide(from + u64{8} * entry)
                    .wide(to + u64{8} * entry);
                if (wrong.copy_at_build) {
                    u64 seen = 0;
                    static_cast<void>(bus->read(table_seen, &seen, 8));
                }
                if (!out.put(k)) {
                    args.MultipassOffset = range << 16 | (entry + (wrong.copy_loses_entry ? n : 0));
                    return status::graphics_insufficient_dma_buffer;
                }
                entry += n;
            }
        }
        return status::success;
    }

    static constexpr u32 most_copied = 5;
    static constexpr u32 most_written = 4;

public:
    u64 table_seen = 0;  ///< an address on the bus, for who reads at build

private:
    using key = std::tuple<void*, u32, u64>;

    template <class Update>
    [[nodiscard]] static key key_of(Update const& u, u64 more = 0) {
        return {u.hProcess, u.PageTableLevel, u.FirstPteVirtualAddress + more};
    }

    // What a driver in want of speed leaves out.
    template <class Update>
    [[nodiscard]] bool skipped(Update const& u) {
        if (wrong.initialises_once && u.hProcess == nullptr && u.Flags.InitialUpdate != 0) {
            return !initialised_.insert(key_of(u)).second;
        }
        if (wrong.links_once && u.PageTableLevel != 0 && u.Flags.InitialUpdate == 0 &&
            u.pPageTableEntries[0].Valid != 0) {
            return !linked_.insert(key_of(u)).second;
        }
        if (wrong.skips_unchanged && u.PageTableLevel == 0 && u.hProcess != nullptr) {
            bool differs = false;
            for (u32 i = 0; i < u.NumPageTableEntries; ++i) {
                auto const [last, first] = remembered_.try_emplace(key_of(u, u64{i} * 4096), ~u64{0});
                u64 const now = encode(u.pPageTableEntries[u.Flags.Repeat != 0 ? 0 : i], true, u.DriverProtection);
                differs = differs || first || last->second != now;
                last->second = now;
            }
            return !differs && u.Flags.InitialUpdate != 0;
        }
        return wrong.skips_invalid && u.Flags.InitialUpdate != 0 && u.Flags.Repeat != 0 &&
               u.pPageTableEntries[0].Valid == 0;
    }

    // The machine's words of an update: at most one for each page of its own, and two for an entry with two tables
    // or with a second word.
    template <class Update>
    [[nodiscard]] bool is_shared(Update const& u) const {
        return u.PageTableLevel == 0 && u.Flags.Use64KBPages == 0 && page_lg2 != 0;
    }
    template <class Update>
    [[nodiscard]] bool is_pair(Update const& u) const {
        return (dual && u.PageTableLevel == 1) || (wide_64k && u.Flags.Use64KBPages != 0);
    }
    // Entries before the first one at a page's start.
    template <class Update>
    [[nodiscard]] u32 skipped_by(Update const& u) const {
        u32 const share = u32{1} << page_lg2;
        return is_shared(u) && !wrong.start_rounded ? (share - u.StartIndex % share) % share : 0;
    }
    template <class Update>
    [[nodiscard]] u32 start_of(Update const& u) const {
        u32 const start = wrong.start_index_ignored ? 0 : u.StartIndex;
        if (is_shared(u)) {
            return (start + skipped_by(u)) >> page_lg2;
        }
        return is_pair(u) ? 2 * start : wrong.index_in_4k && u.Flags.Use64KBPages != 0 ? start / 16 : start;
    }

    template <class Update>
    [[nodiscard]] u64 entry_of(Update const& u, u32 i) {
        u32 const last = wrong.last_of_page && is_shared(u) ? (u32{1} << page_lg2) - 1 : 0;
        u32 const mine = is_shared(u) ? std::min(skipped_by(u) + (i << page_lg2) + last, u.NumPageTableEntries - 1)
                         : is_pair(u) ? i / 2
                                      : i;
        u32 const element = u.Flags.Repeat != 0 && !wrong.repeat_advances ? 0 : mine;
        if (is_pair(u) && i % 2 != 0 && u.PageTableLevel == 0) {
            return 0;
        }
        if (is_pair(u) && i % 2 != 0) {
            bool const ignored = wrong.first_array_only || (wrong.kind_of_processes_only && u.hProcess == nullptr);
            return ignored ? 0 : encode(u.pPageTableEntries64KB[element], false, 0);
        }
        auto const& e = u.pPageTableEntries[element];
        if (wrong.one_of_two && is_pair(u) && u.PageTableLevel != 0 && u.pPageTableEntries64KB[element].Valid != 0) {
            return 0;
        }
        bool const ignored = wrong.large_as_table || (wrong.large_of_processes_only && u.hProcess == nullptr);
        bool const large = u.PageTableLevel != 0 && e.LargePage != 0 && !ignored;
        u64 const entry = encode(e, u.PageTableLevel == 0 || large, u.DriverProtection, u.Flags.Use64KBPages != 0);
        if (large && e.Valid != 0) {
            return (wrong.large_rounded ? entry & ~u64{0x1'f000} : entry) | 0x80;
        }
        return entry |
               (u.PageTableLevel == 1 && e.Valid != 0 && leads_to_64k(u, mine, e.PageTablePageSize) ? 0x100 : 0);
    }

    template <class Update>
    [[nodiscard]] bool leads_to_64k(Update const& u, u32 i, u64 size) {
        bool const ignored = wrong.kind_ignored || (wrong.kind_of_processes_only && u.hProcess == nullptr);
        bool const is = size == 1 && !dual && !ignored;
        return wrong.kind_once ? of_64k_.try_emplace(key_of(u, i), is).first->second : is;
    }

    template <class Update>
    [[nodiscard]] u32 count_of(Update const& u) const {
        u32 const count = u.Flags.Repeat != 0 && wrong.repeat_once ? 1 : u.NumPageTableEntries;
        u32 const share = u32{1} << page_lg2;
        return is_shared(u) ? (std::max(count, skipped_by(u)) - skipped_by(u) + share - 1) >> page_lg2
               : is_pair(u) ? 2 * count
                            : count;
    }

    template <class Update>
    ntstatus by_processor(Update const& u) {
        auto* const table = static_cast<std::byte*>(u.PageTableAddress.CpuVirtual);
        u32 const start = start_of(u);
        u32 const count = wrong.init_half && u.NumPageTableEntries > 1 ? count_of(u) / 2 : count_of(u);
        for (u32 i = 0; i < count; ++i) {
            u64 const entry = entry_of(u, i);
            std::memcpy(table + u64{8} * (start + i), &entry, 8);
        }
        return status::success;
    }

    template <class Update, class Args>
    ntstatus by_command(Update const& u, u64 table, bool physical, Args& args, writer& out) {
        u32 const start = start_of(u);
        u32 const count = count_of(u);
        u32 done = args.MultipassOffset;
        u32 const begun = wrong.restarts_entries ? done : 0;
        while (done < count) {
            u32 n = std::min(is_fill(u) ? most_filled : most_written, count - done);
            u64 const at = table + u64{8} * (start + done - begun);
            if (!put_entries(u, done, n, at, physical, count, out)) {
                args.MultipassOffset = done;
                return status::graphics_insufficient_dma_buffer;
            }
            done += n;
        }
        return status::success;
    }

    template <class Update>
    [[nodiscard]] bool is_fill(Update const& u) const {
        return u.Flags.Repeat != 0 && !wrong.repeat_advances && !is_pair(u);
    }

    template <class Update>
    [[nodiscard]] bool put_entries(Update const& u, u32 done, u32& n, u64 at, bool physical, u32 count, writer& out) {
        u32 const more = wrong.writes_one_more && done + n == count ? 1 : 0;
        if (is_fill(u)) {
            command c(code::table_fill, physical);
            c.word(n + more).wide(at).wide(entry_of(u, 0));
            return out.put(c);
        }
        for (; n != 0; n = n == 1 ? 0 : 1) {  // as many as there is room for: four, or one
            command c(code::table_write, physical);
            c.word(n + (n < most_written ? more : 0)).wide(at);
            for (u32 i = 0; i < n; ++i) {
                c.wide(entry_of(u, done + i));
            }
            if (n < most_written && more != 0) {
                c.wide(0);
            }
            if (out.put(c)) {
                return true;
            }
        }
        return false;
    }

    static constexpr u32 most_filled = 100;

    std::set<key> initialised_;
    std::set<key> linked_;
    std::map<key, bool> of_64k_;
    std::map<key, u64> remembered_;
    u64 first_root_ = ~u64{0};
};

}  // namespace toy
