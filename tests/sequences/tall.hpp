// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "span.hpp"

namespace sequences {

/// The spans of an address space. Two of them stand side by side below an entry above level 1 that is now a directory's
/// and now a large page (GVA-16).
class tall_writer : public span_writer {
public:
    using span_writer::span_writer;

    /// A span at an address, with nothing in it.
    void add(u64 va) {
        span s;
        s.va = va;
        s.leaves.resize(static_cast<std::size_t>(pages()));
        s.big_blocks.resize(static_cast<std::size_t>(divide_up(pages(), u64{16})));
        spans.push_back(std::move(s));
    }

    /// The level of large pages above level 1; 0: there is none, or the segment is too small for two of them.
    [[nodiscard]] u32 tall_level() const {
        u32 level = gpuva::root_level(geometry());
        while (level > 1 && !geometry().levels[level].large_pages) {
            --level;
        }
        bool const fits = gpuva::entry_coverage(geometry(), level).n * 2 <= passes_.machine_.where.segment_bytes();
        return claims().large_pages && level > 1 && fits ? level : 0;
    }
    /// Addresses that one entry of that level covers, with two spans at their beginning.
    void add_tall(u64 va) {
        tall_ = va;
        add(va);
        add(va + span_bytes());
    }

    /// The entry above level 1 becomes a large page, another one, or leads to tables again: what a large page hid is as
    /// it was, unless it went away meanwhile.
    void change_tall() {
        u32 const level = tall_level();
        u64 const bytes = gpuva::entry_coverage(geometry(), level).n;
        bool const was_page = tall_page_.has_value();
        bool const was_there = was_page || any_resident_in_tall();
        if (was_page && passes_.random_.chance(60)) {
            passes_.meet(tables.lead_to_table(*tall_, level) ? shape::tables_under_page : shape::tables_anew);
            tall_page_.reset();
        } else {
            passes_.meet(was_page ? shape::tall_page_again : shape::tall_page);
            layout const& w = passes_.machine_.where;
            u64 const most = passes_.random_.chance(50) ? bytes + w.data_bytes : w.segment_bytes();
            tall_page_ = any_large(level, lesser(most, w.segment_bytes()) / page_bytes);
            tables.point_large(*tall_, level, pte_of(*tall_page_, true));
        }
        for (span* s : tall_spans()) {
            s->above = tall_page_ ? std::optional(tall_page_->after((s->va - *tall_) / page_bytes)) : std::nullopt;
        }
        tables.flush_if_needed(was_there, *tall_, bytes);
        check_tall(16);
        for (span* s : tall_spans()) {
            for (u64 i = 0; i < pages(); i += 1 + passes_.random_.below(16)) {
                check(*s, i);
            }
        }
        if (tall_page_ && passes_.random_.chance(40)) {
            drop_what_is_hidden(level);
        }
    }

    std::vector<span> spans;
    std::size_t fixed = 0;  ///< spans, the first ones, that never change

protected:
    [[nodiscard]] bool is_tall(span const& s) const {
        return tall_ && (s.va == *tall_ || s.va == *tall_ + span_bytes());
    }
    [[nodiscard]] std::vector<span*> tall_spans() {
        std::vector<span*> both;
        for (span& s : spans) {
            if (is_tall(s)) {
                both.push_back(&s);
            }
        }
        return both;
    }

    [[nodiscard]] bool any_resident_in_tall() {
        auto const both = tall_spans();
        return std::any_of(both.begin(), both.end(), [](span const* s) { return s->resident; });
    }
    void drop_what_is_hidden(u32 level) {
        for (span* s : tall_spans()) {
            tables.drop_table(s->small);
            tables.drop_table(s->big);
            s->what = span::kind::nothing;
            s->resident = false;
        }
        tables.drop_tables_below(*tall_, level);
    }
    /// Some addresses behind the two spans.
    void check_tall(unsigned count) {
        for (; tall_ && count != 0; --count) {
            u64 const all = gpuva::entry_coverage(geometry(), tall_level()).n / page_bytes;
            u64 const page = 2 * pages() + passes_.random_.below(all - 2 * pages());
            check(*tall_ + page * page_bytes, tall_page_ ? tall_page_->after(page) : leaf{});
        }
    }

private:
    std::optional<u64> tall_;        ///< addresses that one entry above level 1 covers: the first
    std::optional<leaf> tall_page_;  ///< what the first leads to, when that entry is a page
};

}  // namespace sequences
