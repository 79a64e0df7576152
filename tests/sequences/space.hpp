// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "tall.hpp"

namespace sequences {

/// An address space: spans that get tables, pages, other pages, and lose them again; beside it the flat model.
class address_space : public tall_writer {
public:
    using tall_writer::check;
    using tall_writer::tall_writer;

    /// One random change of one random span.
    void change() {
        span& s = spans[fixed + passes_.random_.below(spans.size() - fixed)];
        u64 const n = passes_.random_.below(100);
        if (s.above) {
            return change_tall();
        }
        if (s.what == span::kind::nothing) {
            return n < 30 && can_be_large() ? make_large(s) : make_tables(s);
        }
        if (!s.resident) {
            return bring_back(s, false);
        }
        if (s.what == span::kind::large) {
            return n < 50 ? make_large(s) : n < 80 ? make_tables(s) : clear(s);
        }
        if (n < 8) {
            return clear(s);
        }
        if (n < 16) {
            return evict(s);
        }
        if (n < 28 && can_be_large()) {
            return make_large(s);
        }
        bool const in_big = s.what == span::kind::big || (s.what == span::kind::dual && n < 50);
        in_big ? remap_big(s) : remap_small(s);
    }

    /// A span gets a table of small pages, whatever it had.
    void make_small() {
        for (std::size_t i = fixed; i != spans.size(); ++i) {
            if (!spans[i].above) {
                if (spans[i].resident) {
                    clear(spans[i]);
                }
                return make_tables(spans[i], span::kind::small);
            }
        }
    }

    /// Maps every page of a span to consecutive frames, for good.
    void map_line(u64 va, std::vector<std::pair<u64, leaf>> const& pages_of) {
        add(va);
        span& s = spans.back();
        s.what = span::kind::small;
        s.small = tables.make_table(0, false);
        s.resident = true;
        std::vector<leaf> all(static_cast<std::size_t>(pages()));
        for (auto const& [page, l] : pages_of) {
            all[static_cast<std::size_t>(page)] = l;
        }
        write_small(s, 0, all, false);
        tables.point(s.va, &s.small, nullptr);
        tables.flush_if_needed(false, s.va, pages() * page_bytes);
    }

    /// Every page leads where the model says: what the hardware has in its cache, and what its tables hold.
    void check() {
        for (span const& s : spans) {
            for (u64 i = 0; i != pages(); ++i) {
                check(s, i);
            }
        }
    }
    void check_some() {
        for (int i = 0; i != 8; ++i) {
            check(spans[passes_.random_.below(spans.size())], passes_.random_.below(pages()));
        }
        check_tall(1);
    }

private:
    void make_tables(span& s) {
        u64 const n = passes_.random_.below(100);
        auto const leaf_kind = geometry().leaf;
        make_tables(s, leaf_kind == gpuva::leaf_tables::of_4k || n < 35    ? span::kind::small
                       : leaf_kind == gpuva::leaf_tables::either || n < 60 ? span::kind::big
                                                                           : span::kind::dual);
    }
    void make_tables(span& s, span::kind what) {
        bool const was_large = s.what == span::kind::large;
        if (was_large) {
            passes_.meet(shape::tables_for_page);
        }
        s.what = what;
        std::fill(s.leaves.begin(), s.leaves.end(), leaf{});
        std::fill(s.big_blocks.begin(), s.big_blocks.end(), false);
        bring_back(s, was_large);
    }

    /// Its tables come, are filled with what the system knows, then the entry above leads to them.
    /// @param was_there  whether a large page is there instead
    void bring_back(span& s, bool was_there) {
        s.resident = true;
        bool const with_small = s.what == span::kind::small || s.what == span::kind::dual;
        bool const with_big = s.what == span::kind::big || s.what == span::kind::dual;
        std::vector<leaf> const all = s.leaves;
        std::vector<bool> const blocks = s.big_blocks;
        if (with_small) {
            s.small = tables.make_table(0, false);
            std::vector<leaf> mine = all;
            for (std::size_t i = 0; i != mine.size(); ++i) {
                mine[i] = blocks[i / 16] ? leaf{} : mine[i];
            }
            write_small(s, 0, mine, false, 0, true);
        }
        if (with_big) {
            s.big = tables.make_table(0, true);
            std::vector<leaf> mine;
            for (std::size_t i = 0; i != blocks.size(); ++i) {
                mine.push_back(blocks[i] ? all[i * 16] : leaf{});
            }
            write_big(s, 0, mine, false, 0, true);
        }
        s.leaves = all;
        s.big_blocks = blocks;
        tables.point(s.va, with_small ? &s.small : nullptr, with_big ? &s.big : nullptr);
        flush_pages(s, 0, pages(), was_there);
    }

    /// Its tables leave memory; what they held is kept by the system alone.
    void evict(span& s) {
        tables.point(s.va, nullptr, nullptr);
        s.resident = false;
        flush_pages(s, 0, pages(), true);
        tables.drop_table(s.small);
        tables.drop_table(s.big);
    }

    void clear(span& s) {
        tables.point(s.va, nullptr, nullptr);
        s.resident = false;
        s.what = span::kind::nothing;
        flush_pages(s, 0, pages(), true);
        tables.drop_table(s.small);
        tables.drop_table(s.big);
    }

    void make_large(span& s) {
        bool const was_there = s.resident;
        if (s.small.there || s.big.there) {
            passes_.meet(shape::page_for_tables);
        }
        leaf const l = any_large(1, passes_.machine_.where.data_bytes / page_bytes);
        tables.point_large(s.va, 1, pte_of(l, true));
        s.what = span::kind::large;
        s.resident = true;
        std::fill(s.big_blocks.begin(), s.big_blocks.end(), false);
        for (std::size_t i = 0; i != s.leaves.size(); ++i) {
            s.leaves[i] = l.after(i);
        }
        flush_pages(s, 0, pages(), was_there);
        tables.drop_table(s.small);
        tables.drop_table(s.big);
    }

    void remap_small(span& s) {
        u64 first = passes_.random_.below(pages());
        if (s.big_blocks[static_cast<std::size_t>(first / 16)]) {
            return;
        }
        u64 most = 1;
        while (first + most != pages() && !s.big_blocks[static_cast<std::size_t>((first + most) / 16)]) {
            ++most;
        }
        u64 const count = passes_.random_.chance(20)
                              ? most
                              : 1 + passes_.random_.below(lesser<u64>(most, passes_.random_.chance(70) ? 40 : most));
        bool const was_there = any_there(s, first, count);
        u64 const groups = (first + count - 1) / share() - first / share() + 1;
        if (passes_.random_.chance(25)) {
            write_small(s, first, {any_leaf(share(), true)}, true, count);
        } else {
            write_small(s, first, spread(any_leaves(groups, share(), true), first, count), false);
        }
        flush_pages(s, first, count, was_there);
    }

    void remap_big(span& s) {
        u64 const blocks = pages() / 16;
        u64 const first = passes_.random_.below(blocks);
        u64 const count = 1 + passes_.random_.below(blocks - first);
        bool const was_there = any_there(s, first * 16, count * 16);
        if (s.what == span::kind::dual) {
            // Of two tables only one may hold valid entries for 64 KiB (GVA-12).
            bool any = false;
            for (u64 b = first; b != first + count; ++b) {
                if (!s.big_blocks[static_cast<std::size_t>(b)]) {
                    write_small(s, b * 16, {leaf{}}, true, 16);
                    any = true;
                }
            }
            if (any) {
                flush_pages(s, first * 16, count * 16, was_there);
            }
        }
        bool const repeat = passes_.random_.chance(25);
        if (repeat) {
            write_big(s, first, {any_leaf(16, false)}, true, count);
        } else {
            write_big(s, first, any_leaves(count, 16, false), false);
        }
        flush_pages(s, first * 16, count * 16, true);
    }
};

}  // namespace sequences
