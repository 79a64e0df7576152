// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "span.hpp"

namespace sequences {

/// An address space: spans that get tables, pages, other pages, and lose them again; beside it the flat model.
class address_space : public span_writer {
public:
    using span_writer::check;
    using span_writer::span_writer;

    /// A span at an address, with nothing in it.
    void add(u64 va) {
        span s;
        s.va = va;
        s.leaves.resize(static_cast<std::size_t>(pages()));
        s.big_blocks.resize(static_cast<std::size_t>(divide_up(pages(), u64{16})));
        spans.push_back(std::move(s));
    }

    /// One random change of one random span.
    void change() {
        span& s = spans[fixed + passes_.random_.below(spans.size() - fixed)];
        u64 const n = passes_.random_.below(100);
        if (s.what == span::kind::nothing) {
            return n < 25 && can_be_large() ? make_large(s) : make_tables(s);
        }
        if (!s.resident) {
            return bring_back(s);
        }
        if (s.what == span::kind::large) {
            return n < 60 ? make_large(s) : clear(s);
        }
        if (n < 8) {
            return clear(s);
        }
        if (n < 16) {
            return evict(s);
        }
        bool const in_big = s.what == span::kind::big || (s.what == span::kind::dual && n < 50);
        in_big ? remap_big(s) : remap_small(s);
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
    }

    std::vector<span> spans;
    std::size_t fixed = 0;  ///< spans, the first ones, that never change

private:
    void make_tables(span& s) {
        u64 const n = passes_.random_.below(100);
        auto const leaf_kind = geometry().leaf;
        s.what = leaf_kind == gpuva::leaf_tables::of_4k || n < 35    ? span::kind::small
                 : leaf_kind == gpuva::leaf_tables::either || n < 60 ? span::kind::big
                                                                     : span::kind::dual;
        std::fill(s.leaves.begin(), s.leaves.end(), leaf{});
        std::fill(s.big_blocks.begin(), s.big_blocks.end(), false);
        bring_back(s);
    }

    /// Its tables come, are filled with what the system knows, then the entry above leads to them.
    void bring_back(span& s) {
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
        flush_pages(s, 0, pages(), false);
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
        bool const was_large = s.what == span::kind::large;
        leaf l;
        l.there = true;
        l.writable = !claims().read_only || passes_.random_.chance(80);
        l.no_execute = claims().no_execute && passes_.random_.chance(30);
        u64 const unit = claims().non_aligned_large_pages ? 1 : pages();
        l.where = {0, passes_.random_.multiple(unit, passes_.machine_.where.data_bytes / page_bytes - pages())};
        tables.point_large(s.va, pte_of(l, true));
        s.what = span::kind::large;
        s.resident = true;
        std::fill(s.big_blocks.begin(), s.big_blocks.end(), false);
        for (leaf& each : s.leaves) {
            each = l;
            l.where = l.where.after(1);
        }
        flush_pages(s, 0, pages(), was_large);
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
