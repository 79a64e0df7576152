// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "passes.hpp"

#include <map>

namespace sequences {

/// A page table and where it lies.
struct page_table {
    u32 level = 0;
    bool of_64k = false;
    table_arena::place where;
    bool there = false;
};

/// Where an address space has the device's memory, from its byte 0 on, and system memory, from its address 0 on.
struct memory_view {
    u64 local = 0;
    u64 system = 0;
};

/// The system's page-table operations on one address space: requests of operations 11 and 12, and nothing of what a
/// leaf holds.
class table_writer {
public:
    /// @param is_paging_process  whose tables are always updated by the CPU (GVA-40)
    /// @param view               the paging process's
    table_writer(passes& p, table_arena& arena, bool is_paging_process, memory_view view)
        : passes_(p), arena_(arena), paging_(is_paging_process), view_(view) {
        root_ = make_table(gpuva::root_level(geometry()), false, true);
    }

    [[nodiscard]] gpuva::page_table_geometry const& geometry() const { return passes_.known().geometry; }
    [[nodiscard]] root_place root() const { return {root_.where.at}; }
    [[nodiscard]] void* process() const { return paging_ ? nullptr : const_cast<table_writer*>(this); }

    /// Where an address space sees a table.
    [[nodiscard]] u64 virtual_of(page_table const& t, memory_view view) const {
        return t.where.in_system ? view.system + t.where.at
                                 : view.local + passes_.machine_.where.segment_first + t.where.at;
    }

    /// A new table, invalid everywhere (GVA-23).
    [[nodiscard]] page_table make_table(u32 level, bool of_64k, bool is_root = false) {
        page_table t{level, of_64k, {}, true};
        u64 const bytes = of_64k ? gpuva::table_bytes_64k(geometry()).n : gpuva::table_bytes(geometry(), level).n;
        // Operation 14 wants leaf tables at multiples of 64 KiB (OP14-01).
        u64 const alignment = level == 0 && !of_64k ? greater<u64>(0x1'0000, bytes) : greater<u64>(page_bytes, bytes);
        bool const in_system = passes_.known().tables_in_system && !is_root && !paging_ && level != 0;
        t.where = arena_.allocate(bytes, alignment, in_system);
        table_update u;
        u.initial = true;
        u.repeat = passes_.random_.chance(70);
        u.count = static_cast<u32>(of_64k ? gpuva::entry_count_64k(geometry()) : gpuva::entry_count(geometry(), level));
        u.entries.resize(u.repeat ? 1 : u.count);
        if (geometry().leaf == gpuva::leaf_tables::both && level == 1) {
            u.entries_64k = u.entries;
        }
        update(t, u, "a new table");
        return t;
    }

    /// A table that goes away: its last update says so, then its memory is somebody else's.
    void drop_table(page_table& t) {
        if (!t.there) {
            return;
        }
        table_update u;
        u.eviction = true;
        u.repeat = true;
        u.count =
            static_cast<u32>(t.of_64k ? gpuva::entry_count_64k(geometry()) : gpuva::entry_count(geometry(), t.level));
        u.entries.resize(1);
        update(t, u, "a table that is evicted");
        arena_.release(t.where);
        t.there = false;
    }

    /// Operation 11 on a table, in one of the modes that the hardware has.
    void update(page_table const& t, table_update u, std::string const& what) {
        request r;
        r.operation = paging_operation::update_page_table;
        r.process = process();
        u.level = t.level;
        u.of_64k = t.of_64k;
        u.mode = any_mode();
        if (u.mode == 0) {
            u.cpu = passes_.machine_.cpu(arena_.bus_of(t.where));
        } else if (u.mode == 1) {
            r.address = virtual_of(t, view_);
        } else {
            r.segment = t.where.in_system ? 0 : memory_id.n;
            r.offset = t.where.at;
        }
        ++modes_[u.mode];
        std::string const sentence = say(what, ", level ", u.level, ", mode ", u.mode, ", entries ", u.start, " + ",
                                         u.count, u.repeat ? ", repeated" : "", u.of_64k ? ", of 64 KiB" : "");
        bool const alone = u.mode == 0 && (paging_ || passes_.random_.chance(50));
        r.update = std::move(u);
        passes_.run(r, sentence, alone ? buffers::never : buffers::always);
    }

    /// Operation 12 for the bytes from `first` to `last`, or for everything.
    void flush(u64 first, u64 last) {
        request r;
        r.operation = paging_operation::flush_tlb;
        r.process = process();
        r.segment = memory_id.n;
        r.offset = root_.where.at;
        bool const all = passes_.random_.chance(25);
        r.address = all ? 0 : first;
        r.size = all ? 0 : last;
        passes_.run(r, say("a flush of ", as_hex{r.address}, " to ", as_hex{r.size}));
    }

    /// The table of a level above the leaf that translates an address; it and those above it are there afterwards.
    page_table const& table(u64 va, u32 lowest) {
        page_table const* above = &root_;
        for (u32 level = gpuva::root_level(geometry()); level != lowest; --level) {
            page_table& below = directories_[{level - 1, va / coverage(level)}];
            if (!below.there) {
                below = make_table(level - 1, false);
                point(*above, va, below);
                flush_if_needed(false, va, coverage(level));
            }
            above = &below;
        }
        return *above;
    }

    /// An entry above level 1 leads to its table, which is made if it is not there.
    /// @return whether it was there
    bool lead_to_table(u64 va, u32 level) {
        page_table const& above = table(va, level);
        page_table& below = directories_[{level - 1, va / coverage(level)}];
        bool const was_there = below.there;
        if (!was_there) {
            below = make_table(level - 1, false);
        }
        point(above, va, below);
        return was_there;
    }

    /// The tables between the leaves and an entry above level 1 go away; nothing leads to them any more.
    void drop_tables_below(u64 va, u32 level) {
        for (auto& [place, below] : directories_) {
            auto const& [at, number] = place;
            if (at < level && number / (coverage(level) / coverage(at + 1)) == va / coverage(level)) {
                drop_table(below);
            }
        }
    }

    /// An entry of level 1: what leads to leaf tables, or nothing.
    void point(u64 va, page_table const* small, page_table const* big) {
        table_update u;
        u.count = 1;
        u.start = gpuva::entry_index(geometry(), 1, {va});
        u.repeat = passes_.random_.chance(20);
        if (geometry().leaf == gpuva::leaf_tables::both) {
            u.entries = {small != nullptr ? pointer(*small) : plain_pte{}};
            u.entries_64k = {big != nullptr ? pointer(*big) : plain_pte{}};
        } else {
            page_table const* const one = small != nullptr ? small : big;
            u.entries = {one != nullptr ? pointer(*one) : plain_pte{}};
        }
        update(table(va, 1), u, small == nullptr && big == nullptr ? "a leaf table that leaves" : "a leaf table");
    }

    /// An entry above the leaf that is a large page.
    void point_large(u64 va, u32 level, plain_pte const& page) {
        table_update u;
        u.count = 1;
        u.start = gpuva::entry_index(geometry(), level, {va});
        u.entries = {page};
        if (level == 1 && geometry().leaf == gpuva::leaf_tables::both) {
            u.entries_64k.resize(1);
        }
        update(table(va, level), u, "a large page");
    }

    /// The flush behind a change of `bytes` from `va` on.
    /// @param was_valid  whether something could be cached that is wrong now (OP12-02)
    void flush_if_needed(bool was_valid, u64 va, u64 bytes) {
        if (!starting && (was_valid || !passes_.known().claims.invalid_entries_not_cached)) {
            flush(va, va + bytes - 1);
        }
    }

    [[nodiscard]] std::array<unsigned, 3> const& modes() const { return modes_; }

    bool starting = false;  ///< no engine has run yet, so that nothing is cached

private:
    /// The bytes that an entry of a level covers.
    [[nodiscard]] u64 coverage(u32 level) const { return gpuva::entry_coverage(geometry(), level).n; }

    /// An entry of a table above level 1 leads to a table.
    void point(page_table const& above, u64 va, page_table const& below) {
        table_update u;
        u.start = gpuva::entry_index(geometry(), above.level, {va});
        u.count = 1;
        u.entries = {pointer(below)};
        update(above, u, "a directory's entry");
    }

    [[nodiscard]] static plain_pte pointer(page_table const& t) {
        // PageTablePageSize 1: the table has entries of 64 KiB (GVA-11).
        return {1 | (t.where.in_system ? 0 : u64{memory_id.n} << 5) | (t.of_64k ? u64{1} << 17 : 0),
                t.where.at / page_bytes};
    }

    [[nodiscard]] u32 any_mode() {
        auto const modes = static_cast<u32>(passes_.known().caps.page_tables);
        if (paging_ || modes == 0) {
            return 0;
        }
        for (;;) {
            auto const mode = static_cast<u32>(passes_.random_.below(3));
            if ((modes >> mode & 1) != 0) {
                return mode;
            }
        }
    }

    passes& passes_;
    table_arena& arena_;
    bool paging_;
    memory_view view_;
    page_table root_;
    std::map<std::pair<u32, u64>, page_table> directories_;  ///< by level and by the entry above
    std::array<unsigned, 3> modes_{};
};

}  // namespace sequences
