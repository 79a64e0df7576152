// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "manager.hpp"

#include <iterator>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// Chooses what happens to the address spaces of processes.
class vidmm_process_scenario {
public:
    vidmm_process_scenario(vidmm& mm, vidmm_parts::dice& random) : mm_(mm), m_(mm.m_), random_(random) {}

    void step() {
        if (mm_.processes_.size() < m_.options.page_tables.processes &&
            (mm_.processes_.empty() || random_.chance(10))) {
            static_cast<void>(mm_.create_process());
            return;
        }
        if (mm_.processes_.empty()) {
            return;
        }
        auto const chosen =
            std::next(mm_.processes_.begin(), static_cast<std::ptrdiff_t>(random_.below(mm_.processes_.size())));
        std::uint32_t const number = chosen->first;
        switch (random_.below(10)) {
            case 0: mm_.evict_page_table(number, some_address()); break;
            case 1: mm_.restore_page_table(number, some_address()); break;
            case 2:
            case 3: unmap(number, chosen->second); break;
            case 4:
            case 5:
                if (m_.options.page_tables.copies) {
                    copy(number, chosen->second);
                    break;
                }
                [[fallthrough]];
            default: map(number); break;
        }
    }

private:
    static constexpr std::uint64_t page_size = vidmm_parts::page_size;

    [[nodiscard]] std::uint64_t reach() const { return mm_.tables_.geometry().table_reach(0); }

    // The first table, or the one behind it, so that ranges lie over both; or the last of all.
    [[nodiscard]] std::uint64_t some_table() {
        std::vector<std::uint64_t> const pages = mm_.process_pages();
        return pages[static_cast<std::size_t>(random_.below(pages.size()))];
    }
    [[nodiscard]] gpu_virtual_address some_address() { return {some_table() * page_size}; }

    void map(std::uint32_t number) {
        if (mm_.allocations_.empty()) {
            return;
        }
        auto const chosen =
            std::next(mm_.allocations_.begin(), static_cast<std::ptrdiff_t>(random_.below(mm_.allocations_.size())));
        std::uint64_t const count = chosen->second.page_count();
        std::uint64_t const table = some_table();
        if (count > reach()) {
            return;
        }
        // At a table's start, at its end, or anywhere, over its end as well where another one follows.
        std::uint64_t const where = random_.below(4);
        std::uint64_t offset = where == 0 ? 0 : where == 1 ? reach() - count : random_.below(reach() - count + 1);
        if (where == 3 && table == mm_.process_pages().front() && mm_.process_pages().size() > 1) {
            offset = reach() - random_.between(1, count);
        }
        std::uint64_t const attributes = random_.next() & m_.options.page_tables.attributes;
        mm_.map(number, chosen->first, {(table + offset) * page_size}, attributes);
    }

    // A mapping, or a part of it.
    void unmap(std::uint32_t number, vidmm::process const& p) {
        if (p.mapped.empty()) {
            return;
        }
        auto const chosen = std::next(p.mapped.begin(), static_cast<std::ptrdiff_t>(random_.below(p.mapped.size())));
        std::uint64_t const skipped = random_.chance(50) ? 0 : random_.below(chosen->second.count);
        std::uint64_t const count = random_.between(1, chosen->second.count - skipped);
        if (m_.options.page_tables.zero_pages && random_.chance(40)) {
            mm_.map_zero(number, {(chosen->first + skipped) * page_size}, {count * page_size});
            return;
        }
        mm_.unmap(number, {(chosen->first + skipped) * page_size}, {count * page_size});
    }

    // Mapped pages are copied to a part of the last table where nothing is mapped, and from there on; then all of it
    // goes.
    void copy(std::uint32_t number, vidmm::process const& p) {
        std::uint64_t const table = mm_.process_pages().back();
        if (p.mapped.empty() || mm_.process_pages().size() < 3) {
            return;
        }
        std::vector<vidmm_copied_range> ranges;
        std::uint64_t next = table + reach();  // the table behind the ones that map() uses
        std::uint64_t const first = next;
        std::uint64_t const count = random_.between(1, 4);
        for (std::uint64_t i = 0; i < count; ++i) {
            vidmm_copied_range r;
            if (!ranges.empty() && random_.chance(60)) {
                r.from_page = ranges.back().to_page;
                r.count = ranges.back().count;
            } else {
                auto const chosen =
                    std::next(p.mapped.begin(), static_cast<std::ptrdiff_t>(random_.below(p.mapped.size())));
                std::uint64_t const left = reach() - chosen->first % reach();
                r.from_page = chosen->first;
                r.count = static_cast<std::uint32_t>(random_.between(1, std::min(chosen->second.count, left)));
            }
            r.to_page = next + random_.below(3);
            next = r.to_page + r.count;
            if (next > first + reach()) {
                break;
            }
            ranges.push_back(r);
        }
        mm_.copy_page_table_entries(number, ranges);
        mm_.unmap(number, {first * page_size}, {(std::min(next, first + reach()) - first) * page_size});
    }

    vidmm& mm_;
    vidmm_parts::machine& m_;
    vidmm_parts::dice& random_;
};

}  // namespace wddmcore::testing
