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
        if (mm_.tables_.tells_roots() && random_.chance(m_.options.chances.root_move)) {
            mm_.move_root_page_table(number);
            return;
        }
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
            default:
                if (std::vector<std::uint64_t> const units = larger_pages(); !units.empty() && random_.chance(70)) {
                    map_larger(number, units[static_cast<std::size_t>(random_.below(units.size()))]);
                    break;
                }
                map(number);
                break;
        }
    }

private:
    static constexpr std::uint64_t page_size = vidmm_parts::page_size;

    [[nodiscard]] std::uint64_t most_pages() const {
        return std::max(m_.options.largest_allocation, m_.options.page_tables.largest_page) / page_size;
    }

    [[nodiscard]] std::uint64_t reach() const { return mm_.tables_.geometry().table_reach(0); }

    // The first table, or the one after it, so that ranges lie over both; or the last of all.
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
        mm_.map(number, chosen->first, {(table + in_gpu_pages(offset)) * page_size}, attributes);
    }

    [[nodiscard]] std::uint64_t in_gpu_pages(std::uint64_t pages) const {
        return pages - pages % mm_.tables_.geometry().gpu_page();
    }

    // The pages larger than 4 KiB that mappings of a scenario's allocations can have, in 4-KiB pages.
    [[nodiscard]] std::vector<std::uint64_t> larger_pages() const {
        vidmm_parts::table_geometry const& g = mm_.tables_.geometry();
        std::uint64_t const most = most_pages();
        std::vector<std::uint64_t> out;
        if (g.has_64k() && most >= vidmm_parts::pages_of_64k && is_64k_memory()) {
            out.push_back(vidmm_parts::pages_of_64k);
        }
        for (std::uint32_t level = 1; level <= g.top(); ++level) {
            if (g.at(level).large_pages && g.entry_pages(level) <= most) {
                out.push_back(g.entry_pages(level));
            }
        }
        return out;
    }

    [[nodiscard]] bool is_64k_memory() const {
        bool found = m_.options.page_tables.system_64k_pages;
        for (vidmm_segment const& s : m_.options.segments) {
            found = found || (s.pages_64k && !s.aperture);
        }
        return found;
    }

    // An allocation that has such pages, where they can begin; sometimes a page of the GPU beside that place.
    void map_larger(std::uint32_t number, std::uint64_t unit) {
        std::uint32_t const what = allocation_of(unit);
        if (what == 0) {
            return;
        }
        std::uint64_t const table = unit > reach() ? mm_.process_pages().front() : some_table();
        std::uint64_t const places = std::max<std::uint64_t>(reach() / unit, 1);
        std::uint64_t const beside = random_.chance(15) ? mm_.tables_.geometry().gpu_page() : 0;
        std::uint64_t const place = random_.below(places) * unit + beside;
        std::uint64_t const attributes = random_.next() & m_.options.page_tables.attributes;
        mm_.map(number, what, {(table + place) * page_size}, attributes);
    }

    // Whether memory has such pages.
    [[nodiscard]] bool has(vidmm_parts::placement const& where, std::uint64_t unit) const {
        vidmm_page_tables const& tables = m_.options.page_tables;
        bool const is_64k = unit == vidmm_parts::pages_of_64k && tables.table_bytes_64k != 0;
        if (where.is == vidmm_parts::placement::kind::segment) {
            return !is_64k || m_.memory.segment(where.segment)->pages_64k;
        }
        return where.is == vidmm_parts::placement::kind::system &&
               (is_64k ? tables.system_64k_pages : tables.system_large_pages);
    }

    // One that is large enough, mostly where such pages are, or a new one; 0: none.
    [[nodiscard]] std::uint32_t allocation_of(std::uint64_t unit) {
        std::vector<std::uint32_t> found;
        bool const anywhere = random_.chance(20);
        for (auto const& [number, a] : mm_.allocations_) {
            bool const somewhere = a.where.is != vidmm_parts::placement::kind::none;
            if (a.page_count() >= unit && somewhere && (anywhere || has(a.where, unit))) {
                found.push_back(number);
            }
        }
        bool const full = mm_.allocations_.size() >= m_.options.most_allocations;
        if (!found.empty() && (full || random_.chance(60))) {
            return found[static_cast<std::size_t>(random_.below(found.size()))];
        }
        return full ? 0 : new_allocation_of(unit);
    }

    [[nodiscard]] std::uint32_t new_allocation_of(std::uint64_t unit) {
        std::uint64_t const pages = std::min(random_.between(1, 2) * unit, std::max(most_pages(), unit));
        std::uint32_t const made = mm_.create({pages * page_size});
        std::vector<segment_id> segments;
        for (vidmm_segment const& s : m_.options.segments) {
            if (!s.aperture && !s.hollow && has({vidmm_parts::placement::kind::segment, {}, s.id}, unit)) {
                segments.push_back(segment_id{s.id});
            }
        }
        if (made != 0 && !segments.empty() && random_.chance(80)) {
            mm_.commit(made, segments[static_cast<std::size_t>(random_.below(segments.size()))]);
        }
        return made;
    }

    // A mapping, or a part of it.
    void unmap(std::uint32_t number, vidmm::process const& p) {
        if (p.mapped.empty()) {
            return;
        }
        auto const chosen = std::next(p.mapped.begin(), static_cast<std::ptrdiff_t>(random_.below(p.mapped.size())));
        std::uint64_t skipped = in_gpu_pages(random_.chance(50) ? 0 : random_.below(chosen->second.count));
        std::uint64_t const left = random_.between(1, chosen->second.count - skipped);
        std::uint64_t unit = mm_.tables_.geometry().gpu_page();
        if (std::vector<std::uint64_t> const units = larger_pages(); !units.empty() && random_.chance(60)) {
            unit = units[static_cast<std::size_t>(random_.below(units.size()))];  // what is left stays in larger pages
            skipped -= skipped % unit;
        }
        std::uint64_t const count = std::min((left + unit - 1) / unit * unit, chosen->second.count - skipped);
        if (m_.options.page_tables.zero_pages && random_.chance(40)) {
            mm_.map_zero(number, {(chosen->first + skipped) * page_size}, {count * page_size});
            return;
        }
        mm_.unmap(number, {(chosen->first + skipped) * page_size}, {count * page_size});
    }

    // Where copies go, for a while.
    struct free_place {
        std::uint64_t unit;   ///< pages of those that are copied whole
        std::uint64_t first;  ///< page
        std::uint64_t count;  ///< pages
    };

    // The table after those that map() uses; for larger pages those before the last of them, as far as there are any.
    [[nodiscard]] free_place place_of_copies() {
        std::uint64_t const last = mm_.process_pages().back();
        free_place const small{1, last + reach(), reach()};
        std::vector<std::uint64_t> const units = larger_pages();
        if (units.empty() || random_.chance(40)) {
            return small;
        }
        std::uint64_t const unit = units[static_cast<std::size_t>(random_.below(units.size()))];
        std::uint64_t const count = unit < reach() ? reach() : 4 * unit;
        std::uint64_t const first = (last - count) / count * count;
        bool const is_free = first > mm_.process_pages().front() + 4 * reach() + 8 * unit;
        return is_free ? free_place{unit, first, count} : small;
    }

    // Mapped pages are copied to where nothing is mapped, and from there on; then all of it goes.
    void copy(std::uint32_t number, vidmm::process const& p) {
        if (p.mapped.empty() || mm_.process_pages().size() < 3) {
            return;
        }
        free_place const place = place_of_copies();
        std::uint64_t const end = place.first + place.count;
        std::vector<vidmm_copied_range> ranges;
        std::uint64_t next = place.first;
        std::uint64_t const count = random_.between(1, 4);
        for (std::uint64_t i = 0; i < count; ++i) {
            vidmm_copied_range r;
            if (!ranges.empty() && random_.chance(60)) {
                r.from_page = ranges.back().to_page;
                r.count = ranges.back().count;
            } else {
                auto const chosen =
                    std::next(p.mapped.begin(), static_cast<std::ptrdiff_t>(random_.below(p.mapped.size())));
                r = place.unit == 1 ? some_of(chosen->first, chosen->second.count)
                                    : larger_of(chosen->first, chosen->second.count, place.unit);
            }
            r.to_page = next + (place.unit == 1 ? random_.below(3) : beside(place.unit));
            next = r.to_page + r.count;
            if (next > end) {
                break;
            }
            ranges.push_back(r);
        }
        mm_.copy_page_table_entries(number, ranges);
        mm_.unmap(number, {place.first * page_size}, {(std::min(next, end) - place.first) * page_size});
        if (place.unit == vidmm_parts::pages_of_64k && !mm_.tables_.geometry().is_dual() && random_.chance(50)) {
            mm_.evict_page_table(number, {place.first * page_size});  // so that it can be of either kind again
        }
    }

    // Pages of a mapping from its start on, inside one table.
    [[nodiscard]] vidmm_copied_range some_of(std::uint64_t first, std::uint64_t count) {
        std::uint64_t const left = reach() - first % reach();
        return {first, 0, static_cast<std::uint32_t>(random_.between(1, std::min(count, left)))};
    }

    // Whole larger pages of a mapping where it has some.
    [[nodiscard]] vidmm_copied_range larger_of(std::uint64_t first, std::uint64_t count, std::uint64_t unit) {
        std::uint64_t const skipped = (unit - first % unit) % unit;
        if (count < skipped + unit) {
            return some_of(first, count);
        }
        return {first + skipped, 0, static_cast<std::uint32_t>(random_.between(1, (count - skipped) / unit) * unit)};
    }

    // Mostly where the next such page can begin.
    [[nodiscard]] std::uint64_t beside(std::uint64_t unit) { return random_.chance(15) ? random_.below(unit) : 0; }

    vidmm& mm_;
    vidmm_parts::machine& m_;
    vidmm_parts::dice& random_;
};

}  // namespace wddmcore::testing
