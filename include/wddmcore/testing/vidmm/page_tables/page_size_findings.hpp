// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "looks.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// The usual mistakes with pages larger than 4 KiB.
class page_size_findings : protected table_looks {
public:
    using table_looks::table_looks;

protected:
    /// Whether an entry of the update is what a page is made from, and which: of a page of the GPU the one at its start
    /// (OP11-05).
    [[nodiscard]] pte const* entry_of(wddm2_request const& late, std::uint64_t page) const {
        std::uint64_t const first = late.first_address / page_size;
        std::uint64_t const at = page - page % share_of(late);
        std::uint64_t const index = at < first ? late.count : (at - first) / unit_of(late);
        return index >= late.count ? nullptr : &late.entries[late.repeat ? 0 : static_cast<std::size_t>(index)];
    }

    /// Whether every address is as a formula makes it from what it has to be, its entry, and the bytes of its place in
    /// the entry's page.
    template <class Change>
    [[nodiscard]] bool moved_by(wddm2_request const& late, page_changes const& changes, Change const& change) const {
        return fits(changes, [&](std::size_t k) {
            std::optional<leaf> value = changes[k].second;
            pte const* const entry = entry_of(late, changes[k].first);
            if (value && entry != nullptr && entry->Zero == 0) {
                std::uint64_t const unit = std::max(unit_of(late), share_of(late));
                value->address = change(value->address, *entry, changes[k].first % unit * page_size);
            }
            return value;
        });
    }

    /// @param base  of what an entry's page counts from
    template <class Base>
    [[nodiscard]] std::optional<finding> explain_page_size(wddm2_request const& late, page_changes const& changes,
                                                           Base const& base) const {
        using found = std::optional<finding>;
        std::uint64_t const unit = unit_of(late) * page_size;
        auto const by = [&](auto const& change) { return moved_by(late, changes, change); };
        if (late.level != 0 && by([&](std::uint64_t, pte const& e, std::uint64_t within) {
                return base(e) + e.PageAddress * page_size / unit * unit + within;
            })) {
            return found({vidmm_rule::gva_17, "the address of a large page was rounded to its size"});
        }
        if (late.use_64k && by([&](std::uint64_t, pte const& e, std::uint64_t within) {
                return base(e) + e.PageAddress * unit + within;
            })) {
            return found({vidmm_rule::gva_14, "PageAddress was taken for a number of 64-KiB pages"});
        }
        std::uint64_t const share = share_of(late);
        if (share > 1 && by([&](std::uint64_t a, pte const&, std::uint64_t) { return a + (share - 1) * page_size; })) {
            return found({vidmm_rule::op11_05, "of a GPU page's entries the last one was kept, not the first"});
        }
        return std::nullopt;
    }

    /// What is wrong with an entry above the leaf where there are tables of 64-KiB entries, if that is what it is.
    [[nodiscard]] std::optional<finding> explain_second_table(wddm2_request const& late) const {
        if (late.converted) {
            return finding{vidmm_rule::gva_13, "the entry of a table that was converted does not lead to the new one"};
        }
        bool const second = !late.entries_64k.empty() && late.entries_64k.front().Valid != 0;
        return late.child_64k || second ? std::optional(second_table(geometry_.is_dual())) : std::nullopt;
    }

    /// Whether the entry for a page's leaf table leads to one of 64-KiB entries as well (GVA-12).
    [[nodiscard]] bool has_second_table(std::uint64_t page) const {
        page_table const* const parent = space_.find(1, geometry_.table_start(1, page));
        std::uint32_t const index = geometry_.index(1, page);
        return parent != nullptr && index < parent->entries_64k.size() && parent->entries_64k[index].Valid != 0;
    }

    [[nodiscard]] static finding second_table(bool dual) {
        return dual ? finding{vidmm_rule::gva_12, "an entry does not lead to each of its two leaf tables"}
                    : finding{vidmm_rule::gva_11, "a table of 64-KiB entries is not taken for one"};
    }

    /// When nothing else explains leaf entries, or large ones.
    [[nodiscard]] finding otherwise(wddm2_request const& late) const {
        if (late.level != 0) {
            return {vidmm_rule::gva_16, "an entry with LargePage does not mean the data that it points at"};
        }
        if (late.use_64k) {
            return second_table(geometry_.is_dual());
        }
        return share_of(late) > 1
                   ? finding{vidmm_rule::op11_05, "entries of the GPU's pages are not those of their starts"}
                   : finding{vidmm_rule::op11_01, "the entries are not at StartIndex + i"};
    }

    /// 4-KiB pages behind one entry of the update's table, and entries that are one of the hardware's.
    [[nodiscard]] std::uint64_t unit_of(wddm2_request const& late) const {
        return late.use_64k ? pages_of_64k : geometry_.entry_pages(late.level);
    }
    [[nodiscard]] std::uint64_t share_of(wddm2_request const& late) const {
        return late.level == 0 && !late.use_64k ? geometry_.gpu_page() : 1;
    }
};

}  // namespace wddmcore::testing::vidmm_parts
