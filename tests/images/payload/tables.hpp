// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "paging_rig.hpp"
#include "requests.hpp"

/// Operations 11, 12 and 14: page tables by commands and by the CPU, flushes, copies of entries.
namespace images {

struct entry_list {
    static constexpr u32 room = 48;
    mirror::vista::dxgk_pte at[room];
    u32 count;
};

/// An update: which level, from which entry on, and whether the entries are pages.
struct table_update {
    char const* name;
    u32 level;
    u32 start;
    bool pages;
    bool repeat;
    u32 repeated;
};

template <class Rig>
u64 entry_of(Rig const& rig, table_update const& update, mirror::vista::dxgk_pte const& from) {
    bool const page = update.level == 0 || (from.Flags & pte_large) != 0;
    return page ? rig.machine.leaf(from.Flags, from.PageAddress, update.level != 0)
                : rig.machine.directory(from.Flags, from.PageAddress);
}

template <class Rig>
void play_update(Rig& rig, table_update const& update, entry_list& list) {
    constexpr update_modes modes = Rig::hw_type::caps.page_tables;
    auto args = Rig::request(paging_operation::update_page_table);
    auto& u = args.UpdatePageTable;
    u32 const count = update.repeat ? update.repeated : list.count;
    u.PageTableLevel = update.level;
    u.StartIndex = update.start;
    u.NumPageTableEntries = count;
    u.Flags.Repeat = update.repeat;
    u.pPageTableEntries = list.at;
    auto const effect = [&](u64 table) {
        return [&rig, &update, &list, count, table](gpu_memory& m) {
            for (u32 i = 0; i != count; ++i) {
                m.store64(table + (update.start + i) * 8, entry_of(rig, update, list.at[update.repeat ? 0 : i]));
            }
        };
    };
    // Modes by their numbers (ne-d3dkmddi-_dxgk_pagetableupdatemode.md): 0 CPU, 1 GPU virtual, 2 GPU physical.
    if constexpr (contains(modes, update_modes::gpu_virtual)) {
        u.UpdateMode = 1;
        u.PageTableAddress.GpuVirtual = virtual_base + 0x5000;
        rig.play(update.name, args, effect(virtual_base + 0x5000));
    }
    if constexpr (contains(modes, update_modes::gpu_physical)) {
        u.UpdateMode = 2;
        u.PageTableAddress.GpuPhysical = {};
        u.PageTableAddress.GpuPhysical.SegmentId = memory_segment.n;
        u.PageTableAddress.GpuPhysical.SegmentOffset = 0x6000;
        rig.play(update.name, args, effect(memory_base + 0x6000));
    }
    if constexpr (contains(modes, update_modes::cpu_virtual)) {
        u.UpdateMode = 0;
        u.PageTableAddress.CpuVirtual = rig.memory().at(entry_table_at, page_bytes);
        rig.play_at_once(update.name, args, effect(entry_table_at));
    }
}

template <class Rig>
void check_updates(Rig& rig) {
    if constexpr (comes<Rig, paging_operation::update_page_table>) {
        static entry_list list;
        auto const set = [&](u32 count, auto const& flags, auto const& page) {
            list.count = count;
            for (u32 i = 0; i != count; ++i) {
                list.at[i] = {};
                list.at[i].Flags = flags(i);
                list.at[i].PageAddress = page(i);
            }
        };
        set(entry_list::room, [](u32) { return pte_valid | pte_coherent; }, [](u32 i) { return u64{0x1'2345} + i; });
        play_update(rig, {"OP11: a run of system pages", 0, 5, true, false, 0}, list);
        set(
            entry_list::room, [](u32) { return pte_valid | pte_in_memory | pte_read_only; },
            [](u32 i) { return u64{i}; });
        play_update(rig, {"OP11: a run of memory", 0, 400, true, false, 0}, list);
        set(
            21, [](u32 i) { return i % 3 == 0 ? 0 : pte_valid | (i % 2 == 0 ? pte_in_memory : pte_no_execute); },
            [](u32 i) { return u64{0x200} + i * 7 % 5; });
        play_update(rig, {"OP11: entries that are no run", 0, 11, true, false, 0}, list);
        set(
            3, [](u32 i) { return i == 1 ? pte_valid | pte_zero : pte_valid | pte_in_memory | pte_large; },
            [](u32 i) { return u64{0x200} * (i + 1); });
        list.at[1].Flags |= pte_large;
        play_update(rig, {"OP11: large pages", 1, 509, true, false, 0}, list);
        set(
            5, [](u32 i) { return i == 2 ? 0 : pte_valid | (i % 2 == 0 ? pte_in_memory : 0); },
            [](u32 i) { return u64{0x11} * i + 1; });
        play_update(rig, {"OP11: tables below", 3, 0, false, false, 0}, list);
        set(1, [](u32) { return u64{0}; }, [](u32) { return u64{0}; });
        play_update(rig, {"OP11-02: one entry for all, invalid", 2, 0, false, true, 512}, list);
        set(1, [](u32) { return pte_valid | pte_in_memory; }, [](u32) { return u64{0x77}; });
        play_update(rig, {"OP11-02: one entry for all, valid", 0, 100, true, true, 33}, list);
    }
}

template <class Rig>
void check_table_commands(Rig& rig) {
    using enum paging_operation;
    if constexpr (comes<Rig, flush_tlb>) {
        auto args = Rig::request(flush_tlb);
        args.FlushTlb.RootPageTableAddress.SegmentId = memory_segment.n;
        args.FlushTlb.RootPageTableAddress.SegmentOffset = 0x3000;
        rig.play("OP12: a flush of everything", args, [](gpu_memory&) {});
        args.FlushTlb.StartVirtualAddress = 0x2'0000'9000;
        args.FlushTlb.EndVirtualAddress = 0x2'0000'B000;
        rig.play("OP12: a flush of a range", args, [](gpu_memory&) {});
    }
    if constexpr (comes<Rig, copy_page_table_entries>) {
        // Tables lie at multiples of 64 KiB (OP14-01), as the four ranges of memory do.
        mirror::v2_0::dxgk_buildpagingbuffer_copy_range ranges[3]{};
        ranges[0] = {3, virtual_base, system_base, 5, 500};
        ranges[1] = {512, system_base, memory_base, 0, 0};  // what the first has written, too
        ranges[2] = {7, memory_base, memory_base, 20, 23};  // overlapping itself
        auto args = Rig::request(copy_page_table_entries);
        args.CopyPageTableEntries.NumRanges = 3;
        args.CopyPageTableEntries.pRanges = ranges;
        rig.play("OP14: copies of entries, in order", args, [&](gpu_memory& m) {
            for (auto const& r : ranges) {
                m.copy(r.DstPageTableAddress + u64{r.DstStartPteIndex} * 8,
                       r.SrcPageTableAddress + u64{r.SrcStartPteIndex} * 8, u64{r.NumPageTableEntries} * 8);
            }
        });
    }
}

}  // namespace images
