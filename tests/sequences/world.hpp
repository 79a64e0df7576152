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
            std::vector<u64> const vas{m.where.local_virtual, m.where.system_virtual};
            spaces_.push_back(std::make_unique<address_space>(passes_, arena_, true, vas));
            hw.set_paging_root(paging().tables.root());
            paging().tables.starting = true;
            map_memory(m.where.local_virtual, false);
            map_memory(m.where.system_virtual, true);
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
                spaces_.push_back(std::make_unique<address_space>(passes_, arena_, false, vas));
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

    /// The device's memory, or all system pages, at fixed addresses of the paging process: what tables are updated
    /// through, and what hardware may want that only knows virtual addresses.
    void map_memory(u64 first_va, bool system) {
        u64 const pages = paging().pages();
        std::map<u64, std::vector<std::pair<u64, leaf>>> by_span;
        auto const add = [&](u64 va, frame const& f) {
            leaf l;
            l.there = true;
            l.writable = true;
            l.coherent = system && known().claims.cache_coherent;
            l.where = f;
            by_span[va / page_bytes / pages].emplace_back(va / page_bytes % pages, l);
        };
        if (system) {
            for (std::size_t i = 0; i != there().system_pages.size(); ++i) {
                add(first_va + there().system_pages[i] * page_bytes, {1 + i, 0});
            }
        } else {
            u64 const first = there().where.segment_first;
            for (u64 at = 0; at != there().where.segment_bytes() / page_bytes; ++at) {
                add(first_va + first + at * page_bytes, {0, at});
            }
        }
        for (auto const& [number, leaves] : by_span) {
            paging().map_line(number * pages * page_bytes, leaves);
        }
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
        span const& s =
            paging().spans[random_.chance(60) ? paging().fixed + random_.below(4) : random_.below(paging().fixed)];
        u64 const bytes = paging().pages() * page_bytes;
        if (!s.resident || s.foreign || size > bytes) {
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

    [[nodiscard]] u64 any_size(u64 unit, u64 most_pages) {
        u64 const whole =
            (1 + random_.below(random_.chance(80) ? lesser<u64>(8, most_pages) : most_pages)) * page_bytes;
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

    void judge(request const& r, stretches const& changed, std::string const& what) {
        if (passes_.run(r, what)) {
            passes_.look(changed, what);
        }
    }

    /// Whether the hardware has an operation, at the version that is played.
    [[nodiscard]] bool takes(paging_operation operation) const { return passes_.hw_.observes(operation); }

    random_numbers random_;
    passes passes_;
    table_arena arena_;
    std::vector<std::unique_ptr<address_space>> spaces_;  ///< the paging process first
    std::vector<std::optional<u64>> mapped_;              ///< of the aperture: the page of an entry
};

}  // namespace sequences
