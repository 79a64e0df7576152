// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../memory/placement.hpp"
#include "../page_tables/page_forms.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// The paging process's window in 4-KiB pages: which part of it has leaf tables of which kind, and which large pages it
/// can have.
///
/// Its tables are made when the adapter starts and stay until power is lost. So a leaf table keeps its kind: to convert
/// one, the contexts of its process have to be suspended (GVA-13), and it is the paging process's own context that
/// updates tables. With one table behind an entry, the window begins with tables of 64-KiB entries, for what can be
/// mapped in such pages alone. Nor does its root change (CHK-17): no page of it is large.
struct window_layout {
    std::uint64_t first = 0;          ///< page
    std::uint64_t count = 0;          ///< pages
    std::uint64_t in_64k_only = 0;    ///< pages at its start behind tables of 64-KiB entries: whole tables
    bool beside = false;              ///< each of its leaf tables has one of 64-KiB entries beside it (GVA-12)
    std::uint32_t highest_large = 0;  ///< the highest level at which an entry can be a page of it; 0: none

    explicit window_layout(vidmm_options const& o) : first(o.va_base / page_size), count(o.va_size / page_size) {
        if (!o.page_tables.used()) {
            return;
        }
        table_geometry const g(o.page_tables);
        bool const has_64k = g.has_64k() && has_64k_memory(o);
        beside = has_64k && g.is_dual();
        // A quarter of its tables, so that the rest has room for two sides and some slack as before (CHK-09).
        in_64k_only = has_64k && !beside ? count / g.table_reach(0) / 4 * g.table_reach(0) : 0;
        for (std::uint32_t level = 1; level < g.top() && g.at(level).large_pages; ++level) {
            std::uint64_t const unit = g.entry_pages(level);
            if ((first_of_any() + unit - 1) / unit * unit + unit > first + count) {
                break;
            }
            highest_large = level;
        }
    }

    [[nodiscard]] bool has_64k() const { return beside || in_64k_only != 0; }
    /// The first page that anything can be mapped at.
    [[nodiscard]] std::uint64_t first_of_any() const { return first + in_64k_only; }

private:
    [[nodiscard]] static bool has_64k_memory(vidmm_options const& o) {
        return o.page_tables.system_64k_pages || std::any_of(o.segments.begin(), o.segments.end(),
                                                             [](auto const& s) { return s.pages_64k && !s.aperture; });
    }
};

/// Addresses of the paging process's window: which are free, and where memory can be mapped in larger pages.
class paging_window {
public:
    explicit paging_window(machine& m)
        : m_(m),
          model_(m),
          forms_(m, model_.geometry()),
          layout_(m.options),
          any_(layout_.count - layout_.in_64k_only),
          of_64k_(layout_.in_64k_only) {}

    /// Pages for what is mapped in pages of 4 KiB, or of the GPU.
    [[nodiscard]] std::optional<std::uint64_t> take(std::uint64_t count, std::uint64_t alignment) {
        auto const at = any_.take_run(count, alignment, m_.random);
        return at ? std::optional(layout_.first_of_any() + *at) : std::nullopt;
    }

    /// Pages for memory at these addresses, where it can have larger pages if the dice say so.
    [[nodiscard]] std::optional<std::uint64_t> take_for(std::vector<std::uint64_t> const& addresses,
                                                        std::uint64_t alignment) {
        larger const can = larger_pages_of(addresses);
        if ((can.unit != 0 || can.all_64k) && m_.random.chance(m_.options.chances.larger_pages)) {
            bool const in_64k = can.all_64k && (can.unit == 0 || m_.random.chance(50));
            auto const at = in_64k ? of_64k_.take_run(addresses.size(), std::max(alignment, pages_of_64k), m_.random)
                                   : any_.take_run(addresses.size(), std::max(alignment, can.unit), m_.random);
            if (at) {
                return (in_64k ? layout_.first : layout_.first_of_any()) + *at;
            }
        }
        return take(addresses.size(), alignment);
    }

    void give_back(std::uint64_t first, std::uint64_t count) {
        if (first < layout_.first_of_any()) {
            of_64k_.give_back(first - layout_.first, count);
        } else {
            any_.give_back(first - layout_.first_of_any(), count);
        }
    }

    /// Pages of one part of what is moved, at most: two sides and some slack have room at a time (CHK-09).
    [[nodiscard]] std::uint64_t largest_part() const { return any_.size() / 4; }

private:
    struct larger {
        std::uint64_t unit = 0;  ///< pages of a page that the first of them can begin; 0: none
        bool all_64k = false;    ///< all can be behind a table of 64-KiB entries alone
    };

    [[nodiscard]] larger larger_pages_of(std::vector<std::uint64_t> const& addresses) const {
        larger out;
        if (layout_.highest_large == 0 && !layout_.has_64k()) {
            return out;
        }
        std::vector<pte> entries;
        for (std::uint64_t const address : addresses) {
            entries.push_back(model_.entry_for(address, 0));
        }
        std::uint32_t const level = std::min(forms_.large_level(0, entries), layout_.highest_large);
        for (std::uint32_t l = level; l != 0 && out.unit == 0; --l) {
            std::uint64_t const unit = model_.geometry().entry_pages(l);
            out.unit = layout_.first_of_any() % unit == 0 ? unit : 0;
        }
        out.all_64k = layout_.in_64k_only != 0 && forms_.is_64k(0, entries);
        bool const one_64k = layout_.beside && entries.size() >= pages_of_64k &&
                             layout_.first_of_any() % pages_of_64k == 0 &&
                             forms_.is_64k(0, std::span(entries).first(pages_of_64k));
        out.unit = out.unit == 0 && one_64k ? pages_of_64k : out.unit;
        return out;
    }

    machine& m_;
    table_model model_;
    page_forms forms_;
    window_layout layout_;
    space any_;     ///< from first_of_any on
    space of_64k_;  ///< from the first page on
};

}  // namespace wddmcore::testing::vidmm_parts
