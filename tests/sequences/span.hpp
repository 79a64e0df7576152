// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "tables.hpp"

namespace sequences {

/// What one 4-KiB page of addresses leads to, as the system sees it.
struct leaf {
    bool there = false;
    bool writable = false;
    bool zero = false;  ///< reads as zero: no access goes there in these sequences
    bool coherent = false;
    bool no_execute = false;
    frame where;

    /// What so many pages behind it lead to, in the same page of the GPU.
    [[nodiscard]] leaf after(u64 pages) const {
        leaf l = *this;
        l.where = where.after(pages);
        return l;
    }
    friend bool operator==(leaf const&, leaf const&) = default;
};

/// The addresses that one leaf table covers.
struct span {
    enum class kind { nothing, small, big, dual, large };

    u64 va = 0;
    kind what = kind::nothing;
    bool foreign = false;   ///< its leaf entries are the driver's own, and nothing is known of them
    bool resident = false;  ///< its tables, if it has some, are there
    page_table small;
    page_table big;
    std::vector<leaf> leaves;      ///< by 4-KiB page
    std::vector<bool> big_blocks;  ///< by 64 KiB: whether its entry is that of the table of 64-KiB pages
    std::optional<leaf> above;     ///< its first page's, of a large page above level 1, which hides all that it has

    [[nodiscard]] leaf at(u64 page) const {
        return above ? above->after(page) : resident ? leaves[static_cast<std::size_t>(page)] : leaf{};
    }
    /// Whether something is known of where its addresses lead.
    [[nodiscard]] bool leads_somewhere() const { return above || (resident && !foreign); }
};

/// Writes and checks the entries of spans of one address space, with the model of what they hold beside it.
class span_writer {
public:
    span_writer(passes& p, table_arena& arena, bool is_paging, memory_view view)
        : tables(p, arena, is_paging, view), passes_(p) {}

    /// 4-KiB pages that a leaf table covers.
    [[nodiscard]] u64 pages() const { return gpuva::entry_count(geometry(), 0); }
    [[nodiscard]] gpuva::page_table_geometry const& geometry() const { return passes_.known().geometry; }
    /// 4-KiB pages of one page of the GPU.
    [[nodiscard]] u64 share() const { return u64{1} << gpuva::gpu_page_lg2(geometry()); }

    void check(span const& s, u64 page) {
        if (s.foreign) {
            return;
        }
        check(s.va + page * page_bytes, s.at(page));
    }
    void check(u64 va, leaf const& l) {
        judge(va, l, passes_.hw_.cache().translate(tables.root().offset, va), "as the hardware has it in its cache");
        judge(va, l, passes_.hw_.walk(tables.root(), va), "by the tables");
    }
    [[nodiscard]] bool has_big_blocks(span const& s) const {
        return std::find(s.big_blocks.begin(), s.big_blocks.end(), true) != s.big_blocks.end();
    }

    /// Whether large pages of system memory come, which no version before WDDM 2.9 knows of.
    [[nodiscard]] bool large_in_system() const {
        return claims().large_pages && claims().system_memory_large_pages && passes_.known().caps.version >= wddm::v2_9;
    }

    table_writer tables;

protected:
    /// Page numbers of system memory that large pages may lead to.
    static constexpr u64 system_pages = u64{1} << 22;

    [[nodiscard]] gpuva::gpu_mmu_capabilities const& claims() const { return passes_.known().claims; }
    [[nodiscard]] u64 span_bytes() const { return pages() * page_bytes; }
    [[nodiscard]] bool can_be_large() const {
        return claims().large_pages && geometry().levels[1].large_pages &&
               span_bytes() <= passes_.machine_.where.data_bytes;
    }

    void judge(u64 va, leaf const& l, translation const& t, char const* how) {
        std::string wrong;
        if (t.ok() != (l.there && !l.zero)) {
            wrong = t.ok() ? "leads somewhere" : "leads nowhere: " + t.why;
        } else if (t.ok() && t.bus != passes_.bus_of(l.where)) {
            wrong = say("leads to ", as_hex{t.bus}, ", not ", as_hex{passes_.bus_of(l.where)});
        } else if (t.ok() && t.writable != l.writable) {
            wrong = t.writable ? "can be written" : "cannot be written";
        } else if (t.ok() && t.coherent != l.coherent) {
            wrong = t.coherent ? "is coherent" : "is not coherent";
        } else if (t.ok() && t.executable == l.no_execute) {
            wrong = t.executable ? "can be executed" : "cannot be executed";
        }
        if (!wrong.empty()) {
            passes_.fail_unless(false, say("address ", as_hex{va}, " ", how, " ", wrong));
        }
    }

    [[nodiscard]] plain_pte pte_of(leaf const& l, bool large) const {
        if (!l.there) {
            return {};
        }
        u64 flags = 1 | (l.where.part == 0 ? u64{memory_id.n} << 5 : 0) | (l.writable ? 0u : 8u) | (l.zero ? 2u : 0u) |
                    (l.coherent ? 4u : 0u) | (l.no_execute ? 0x10u : 0u) | (large ? 0x400u : 0u);
        return {flags, l.where.part == 0 ? l.where.page : passes_.system_page(l.where)};
    }

    /// A page of some size, in memory that has that many in a row.
    [[nodiscard]] leaf any_leaf(u64 size_in_pages, bool may_be_system) {
        leaf l;
        if (passes_.random_.chance(12)) {
            return l;
        }
        l.there = true;
        l.writable = !claims().read_only || passes_.random_.chance(80);
        l.zero = claims().zero_in_pte && passes_.random_.chance(5);
        l.no_execute = claims().no_execute && passes_.random_.chance(30);
        if (may_be_system && size_in_pages <= 8 && passes_.random_.chance(40)) {
            l.coherent = claims().cache_coherent && passes_.random_.chance(50);
            l.where = {1 + static_cast<std::size_t>(
                               passes_.random_.multiple(size_in_pages, machine::data_pages - size_in_pages)),
                       0};
        } else {
            u64 const all = passes_.machine_.where.data_bytes / page_bytes;
            l.where = {0, passes_.random_.multiple(size_in_pages, all - size_in_pages)};
        }
        return l;
    }

    /// A large page of a level, of a segment of so many pages.
    [[nodiscard]] leaf any_large(u32 level, u64 segment_pages) {
        leaf l;
        l.there = true;
        l.writable = !claims().read_only || passes_.random_.chance(80);
        l.zero = claims().zero_in_pte && passes_.random_.chance(5);
        l.no_execute = claims().no_execute && passes_.random_.chance(30);
        u64 const covered = gpuva::entry_coverage(geometry(), level).n / page_bytes;
        bool const anywhere = claims().non_aligned_large_pages && passes_.known().caps.version >= wddm::v2_1;  // GVA-17
        u64 const unit = anywhere ? 1 : covered;
        if (large_in_system() && passes_.random_.chance(40)) {
            passes_.meet(shape::large_in_system);
            l.coherent = claims().cache_coherent && passes_.random_.chance(50);
            l.where = {frame::any_system, passes_.random_.multiple(unit, system_pages - covered)};
        } else {
            l.where = {0, passes_.random_.multiple(unit, segment_pages - covered)};
        }
        return l;
    }

    /// Leaves for some pages of the GPU: in runs of consecutive ones, alike, or each for itself.
    [[nodiscard]] std::vector<leaf> any_leaves(u64 count, u64 size_in_pages, bool may_be_system) {
        std::vector<leaf> all;
        while (all.size() != count) {
            leaf l = any_leaf(size_in_pages, may_be_system);
            for (u64 run = 1 + passes_.random_.below(passes_.random_.chance(50) ? 3 : 70); run != 0; --run) {
                if (all.size() == count) {
                    break;
                }
                all.push_back(l);
                u64 const end =
                    l.where.part == 0 ? passes_.machine_.where.data_bytes / page_bytes : (l.where.part - 1) / 8 * 8 + 8;
                u64 const next = (l.where.part == 0 ? l.where.page : l.where.part - 1) + size_in_pages;
                if (!l.there || next + size_in_pages > end) {
                    break;
                }
                l.where = l.where.after(size_in_pages);
            }
        }
        return all;
    }

    /// What the model holds after entries of the table of small pages were written: only those at pages' starts count
    /// (OP11-05).
    void set_small(span& s, u64 first, std::vector<leaf> const& entries, u64 count, bool repeat) {
        for (u64 i = 0; i != count; ++i) {
            u64 const at = first + i;
            if (at % share() != 0) {
                continue;
            }
            leaf l = entries[static_cast<std::size_t>(repeat ? 0 : i)];
            for (u64 k = 0; k != share(); ++k) {
                s.leaves[static_cast<std::size_t>(at + k)] = l;
                l.where = l.where.after(1);
            }
        }
    }

    /// Writes entries of the table of small pages, one for each 4 KiB; `groups` has one leaf for each page of the GPU.
    void write_small(span& s, u64 first, std::vector<leaf> const& entries, bool repeat, u64 count = 0,
                     bool initial = false) {
        count = repeat ? count : entries.size();
        table_update u;
        u.start = static_cast<u32>(first);
        u.count = static_cast<u32>(count);
        u.repeat = repeat;
        u.initial = initial;
        for (leaf const& l : entries) {
            u.entries.push_back(pte_of(l, false));
        }
        tables.update(s.small, std::move(u), "pages");
        set_small(s, first, entries, count, repeat);
    }
    void write_big(span& s, u64 first, std::vector<leaf> const& entries, bool repeat, u64 count = 0,
                   bool initial = false) {
        count = repeat ? count : entries.size();
        table_update u;
        u.start = static_cast<u32>(first);
        u.count = static_cast<u32>(count);
        u.repeat = repeat;
        u.initial = initial;
        for (leaf const& l : entries) {
            u.entries.push_back(pte_of(l, false));
        }
        if (geometry().leaf == gpuva::leaf_tables::both && passes_.random_.chance(50)) {
            u.entries_64k = u.entries;  // AMB-22: either array may come with such a table
        }
        tables.update(s.big, std::move(u), "pages of 64 KiB");
        for (u64 i = 0; i != count; ++i) {
            leaf l = entries[static_cast<std::size_t>(repeat ? 0 : i)];
            bool const keeps_small = s.what == span::kind::dual && !l.there;
            if (keeps_small && !s.big_blocks[static_cast<std::size_t>(first + i)]) {
                continue;  // what the other table holds there goes on to count
            }
            s.big_blocks[static_cast<std::size_t>(first + i)] = l.there;
            for (u64 k = 0; k != 16; ++k) {
                s.leaves[static_cast<std::size_t>((first + i) * 16 + k)] = l;
                l.where = l.where.after(1);
            }
        }
    }

    /// One leaf a page of the GPU, said again for each 4 KiB of it.
    [[nodiscard]] std::vector<leaf> spread(std::vector<leaf> const& groups, u64 first, u64 count) const {
        std::vector<leaf> all;
        u64 const begin = first / share();
        for (u64 i = 0; i != count; ++i) {
            leaf l = groups[static_cast<std::size_t>((first + i) / share() - begin)];
            l.where = l.where.after((first + i) % share());
            all.push_back(l);
        }
        return all;
    }

    [[nodiscard]] bool any_there(span const& s, u64 first, u64 count) const {
        return s.resident && std::any_of(s.leaves.begin() + static_cast<std::ptrdiff_t>(first),
                                         s.leaves.begin() + static_cast<std::ptrdiff_t>(first + count),
                                         [](leaf const& l) { return l.there; });
    }
    void flush_pages(span const& s, u64 first, u64 count, bool was_there) {
        tables.flush_if_needed(was_there, s.va + first * page_bytes, count * page_bytes);
        for (u64 i = 0; i < count; i += 1 + passes_.random_.below(16)) {
            check(s, first + i);
        }
    }

    passes& passes_;
};

}  // namespace sequences
