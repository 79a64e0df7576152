// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "space.hpp"

namespace sequences {

/// The paging process and others, and what lies behind ranges of the former's addresses.
class world {
public:
    /// @param process_count  beside the paging process
    world(adapter& hw, machine& m, u64 seed, bool always_smallest, bool with_tables, unsigned process_count)
        : random_(seed), passes_(hw, m, random_, always_smallest), arena_(m, random_) {
        mapped_.resize(static_cast<std::size_t>(m.where.aperture_pages));
        if (with_tables) {
            views_.push_back({m.where.local_virtual, m.where.system_virtual});
            spaces_.push_back(std::make_unique<address_space>(passes_, arena_, true, views_[0]));
            hw.set_paging_root(paging().tables.root());
            paging().tables.starting = true;
            map_device(paging(), m.where.local_virtual, 0, m.where.solid_bytes());
            map_system(paging(), m.where.system_virtual, 0);
            if (known().aperture_in_tables) {
                u64 const bytes = paging().pages() * page_bytes;
                paging().map_line(m.where.aperture_virtual / bytes * bytes, {});
                paging().spans.back().foreign = true;
                hw.set_aperture_table(paging().spans.back().small.where.at +
                                      m.where.aperture_virtual % bytes / page_bytes * 8);
            }
            paging().fixed = paging().spans.size();
            paging().tables.starting = false;
            for (unsigned i = 0; i != process_count; ++i) {
                spaces_.push_back(std::make_unique<address_space>(passes_, arena_, false, views_[0]));
            }
            if (process_count != 0 && takes(paging_operation::copy_page_table_entries)) {
                add_view_of_tables(*spaces_[1]);
            }
            for (auto& space : spaces_) {
                add_spans(*space);
            }
        }
    }

protected:
    [[nodiscard]] facts const& known() const { return passes_.known(); }
    [[nodiscard]] machine& there() { return passes_.machine_; }
    [[nodiscard]] address_space& paging() { return *spaces_[0]; }
    [[nodiscard]] static u64 pages_of(u64 bytes) { return divide_up(bytes, u64{page_bytes}); }

    /// A part of the segment at fixed addresses: what tables are updated through, and what hardware may want that only
    /// knows virtual addresses.
    void map_device(address_space& space, u64 view, u64 begin, u64 end) {
        std::vector<std::pair<u64, frame>> all;
        for (u64 at = begin; at != end; at += page_bytes) {
            all.emplace_back(view + there().where.segment_first + at, frame{0, at / page_bytes});
        }
        map_frames(space, all, false);
    }
    /// The same for system pages.
    void map_system(address_space& space, u64 view, std::size_t first) {
        std::vector<std::pair<u64, frame>> all;
        for (std::size_t i = first; i != there().system_pages.size(); ++i) {
            all.emplace_back(view + there().system_pages[i] * page_bytes, frame{1 + i, 0});
        }
        map_frames(space, all, known().claims.cache_coherent);
    }
    void map_frames(address_space& space, std::vector<std::pair<u64, frame>> const& all, bool coherent) {
        u64 const pages = space.pages();
        std::map<u64, std::vector<std::pair<u64, leaf>>> by_span;
        for (auto const& [va, f] : all) {
            leaf l;
            l.there = true;
            l.writable = true;
            l.coherent = coherent;
            l.where = f;
            by_span[va / page_bytes / pages].emplace_back(va / page_bytes % pages, l);
        }
        for (auto const& [number, leaves] : by_span) {
            space.map_line(number * pages * page_bytes, leaves);
        }
    }
    /// Where a process whose companion context copies entries has page tables: at addresses of its own (OP14-04).
    void add_view_of_tables(address_space& space) {
        layout const& w = there().where;
        views_.push_back({w.local_virtual + w.process_step, w.system_virtual + w.process_step});
        space.tables.starting = true;
        map_device(space, views_[1].local, w.data_bytes, w.data_bytes + w.table_bytes);
        map_system(space, views_[1].system, machine::data_pages);
        space.tables.starting = false;
        space.fixed = space.spans.size();
    }

    /// Places for leaf tables: two side by side, the others anywhere.
    void add_spans(address_space& space) {
        u64 const bytes = space.pages() * page_bytes;
        u64 const count = u64{1} << (gpuva::address_bits(space.geometry()) - log2_of(bytes));
        while (space.spans.size() < space.fixed + 4) {
            bool const beside = random_.chance(40) && !space.spans.empty();
            u64 const number = beside ? space.spans.back().va / bytes + 1 : 1 + random_.below(count - 2);
            bool const taken = number + 1 >= count ||
                               std::any_of(space.spans.begin(), space.spans.end(),
                                           [&](span const& s) { return s.va == number * bytes; }) ||
                               is_fixed(number * bytes, bytes);
            if (!taken) {
                space.add(number * bytes);
            }
        }
        if (space.tall_level() != 0) {
            add_tall(space);
        }
    }
    /// Addresses for a large page above level 1, anywhere that nothing else is.
    void add_tall(address_space& space) {
        u64 const bytes = gpuva::entry_coverage(space.geometry(), space.tall_level()).n;
        u64 const count = u64{1} << (gpuva::address_bits(space.geometry()) - log2_of(bytes));
        for (;;) {
            u64 const va = random_.below(count) * bytes;
            bool const taken =
                is_fixed(va, bytes) || std::any_of(space.spans.begin(), space.spans.end(),
                                                   [&](span const& s) { return s.va / bytes == va / bytes; });
            if (!taken) {
                return space.add_tall(va);
            }
        }
    }
    [[nodiscard]] bool is_fixed(u64 va, u64 bytes) {
        layout const& w = there().where;
        u64 const end = va + bytes;
        return (end > w.local_virtual && va < w.local_virtual + w.device_bytes()) ||
               (end > w.aperture_virtual && va < w.aperture_virtual + w.aperture_pages * page_bytes);
    }

    /// A random change of the tables of a random process; fixed spans stay.
    void change_tables() {
        address_space& space = *spaces_[random_.below(spaces_.size())];
        space.change();
    }

    /// What lies behind a range of the paging process's addresses; nothing when a page is not there, or of the tables.
    struct window {
        u64 va = 0;
        stretches where;
    };
    [[nodiscard]] std::optional<window> any_window(u64 size, u64 unit, bool writes) {
        std::size_t const fixed = paging().fixed;
        span const& s = paging().spans[random_.chance(60) ? fixed + random_.below(paging().spans.size() - fixed)
                                                          : random_.below(fixed)];
        u64 const bytes = paging().pages() * page_bytes;
        if (!s.leads_somewhere() || size > bytes) {
            return std::nullopt;
        }
        u64 const first = random_.multiple(unit, bytes - size);
        window w{s.va + first, {}};
        std::vector<frame> seen;
        for (u64 done = 0; done != size;) {
            u64 const within = (first + done) % page_bytes;
            u64 const n = lesser(size - done, page_bytes - within);
            leaf const l = s.at((first + done) / page_bytes);
            bool const of_data = l.where.part == 0 ? l.where.page < there().where.data_bytes / page_bytes
                                                   : l.where.part <= machine::data_pages;
            if (!l.there || l.zero || !of_data || (writes && !l.writable)) {
                return std::nullopt;
            }
            if (writes && std::find(seen.begin(), seen.end(), l.where) != seen.end()) {
                return std::nullopt;
            }
            seen.push_back(l.where);
            w.where.push_back({l.where.part, static_cast<std::size_t>(l.where.page * page_bytes + within),
                               static_cast<std::size_t>(n)});
            done += n;
        }
        return w;
    }
    /// Some window: many are refused, since pages are not there.
    [[nodiscard]] std::optional<window> some_window(u64 size, u64 unit, bool writes) {
        for (int tries = 0; tries != 30; ++tries) {
            if (auto w = any_window(size, unit, writes)) {
                return w;
            }
        }
        return std::nullopt;
    }
    [[nodiscard]] static bool disjoint(stretches const& a, stretches const& b) {
        for (stretch const& x : a) {
            for (stretch const& y : b) {
                if (x.part == y.part && x.offset < y.offset + y.size && y.offset < x.offset + x.size) {
                    return false;
                }
            }
        }
        return true;
    }

    [[nodiscard]] u64 any_size(u64 unit, u64 most_pages, unsigned few_percent = 80) {
        u64 const whole =
            (1 + random_.below(random_.chance(few_percent) ? lesser<u64>(8, most_pages) : most_pages)) * page_bytes;
        return random_.chance(50) ? whole : whole - random_.multiple(unit, page_bytes - unit);
    }
    [[nodiscard]] u32 any_pattern() {
        auto const n = static_cast<u32>(random_.next());
        return known().byte_patterns ? (n & 0xFF) * 0x0101'0101u : n;
    }
    [[nodiscard]] static std::vector<std::byte> repeated(u32 pattern, u64 size) {
        std::vector<std::byte> all(static_cast<std::size_t>(size));
        for (std::size_t i = 0; i != all.size(); ++i) {
            all[i] = static_cast<std::byte>((pattern >> (8 * (i % 4))) & 0xFF);
        }
        return all;
    }

    void judge(request const& r, stretches const& changed, std::string const& what, buffers which = buffers::always) {
        if (passes_.run(r, what, which)) {
            passes_.look(changed, what);
        }
    }

    /// Whether the hardware has an operation, at the version that is played.
    [[nodiscard]] bool takes(paging_operation operation) const { return passes_.hw_.observes(operation); }

    /// Buffers for a request that hardware can also carry out at once, or cannot.
    [[nodiscard]] buffers any_buffers(bool at_once) {
        if (!at_once || passes_.filling()) {
            return buffers::always;
        }
        u64 const n = random_.below(100);
        return n < 30 ? buffers::never : n < 60 ? buffers::at_first : buffers::always;
    }

    random_numbers random_;
    passes passes_;
    table_arena arena_;
    std::vector<std::unique_ptr<address_space>> spaces_;  ///< the paging process first
    std::vector<memory_view> views_;                      ///< where it has page tables, and the first other one
    std::vector<std::optional<u64>> mapped_;              ///< of the aperture: the page of an entry
};

}  // namespace sequences
