// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "table_updates.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// Page tables of all address spaces: makes them, updates them through the driver, and lets them be checked.
///
/// The paging process has its leaf tables mapped below its window, so that GPU-virtual updates find them; tables of
/// other processes are mapped into the window for each update. Both are the system's habit, not the driver's business.
class table_keeper final : public table_updates {
public:
    table_keeper(machine& m, land& l, request_maker& maker, builder& b) : table_updates(m, l, maker, b) {
        if (!used()) {
            return;
        }
        std::uint64_t const reach = geometry_.table_reach(0);
        std::uint64_t const first = m_.options.va_base / page_size;
        std::uint64_t const end = first + (m_.options.va_size / page_size + reach - 1) / reach * reach;
        std::uint64_t below = reach;
        while ((end - (first - below)) / reach * geometry_.table_pages(0) > below) {
            below += reach;
        }
        if (below >= first) {
            throw std::invalid_argument("vidmm_options: there is no room below the window for its page tables");
        }
        area_ = first - below;
        end_ = end;
        spaces_.push_back(std::make_unique<address_space>());
    }

    [[nodiscard]] bool used() const { return m_.options.page_tables.used(); }
    [[nodiscard]] address_space& paging() { return *spaces_.front(); }
    [[nodiscard]] std::vector<std::unique_ptr<address_space>> const& spaces() const { return spaces_; }

    /// The paging process's tables, all by the CPU and at once (CHK-16); again after a power loss.
    void initialise() {
        address_space& space = paging();
        bool const again = !space.tables.empty();
        for (auto& [key, table] : space.tables) {
            std::fill(table.entries.begin(), table.entries.end(), pte{});
            table.initialised = false;
        }
        space.now.clear();
        space.stale.clear();
        for (std::uint64_t page = area_; page < end_ && !m_.stopped; page += geometry_.table_reach(0)) {
            if (chain(space, page, true) == nullptr) {
                throw std::logic_error("vidmm: there is no memory for the paging process's page tables");
            }
        }
        if (m_.stopped) {
            return;
        }
        // The leaf tables themselves, as far as the CPU is not the one to update them.
        std::vector<pte> entries;
        for (std::uint64_t page = area_; page < end_; page += geometry_.table_reach(0)) {
            page_table const& table = *space.find(0, page);
            for (std::uint64_t k = 0; k < geometry_.table_pages(0); ++k) {
                entries.push_back(entry_for(land_.address(table.where, k), 0));
            }
        }
        for (std::uint64_t k = 0; k < entries.size() && !m_.stopped;) {
            page_table& table = *space.find(0, geometry_.table_start(0, area_ + k));
            std::uint32_t const start = geometry_.index(0, area_ + k);
            auto const n =
                static_cast<std::uint32_t>(std::min<std::uint64_t>(entries.size() - k, geometry_.entries(0) - start));
            auto const from = entries.begin() + static_cast<std::ptrdiff_t>(k);
            update(space, table, {start, n, {from, from + n}, false, false, true});
            k += n;
        }
        if (!m_.stopped) {
            flush(space, {area_, end_ - area_}, true);
        }
        if (again) {
            m_.report.exercised(vidmm_rule::chk_16);
        }
    }

    [[nodiscard]] address_space& create_process() {
        auto space = std::make_unique<address_space>();
        space->number = ++last_;
        space->handle = reinterpret_cast<void*>(std::uintptr_t{0x9A0C'E550'0000} + space->number * page_size);
        // Opaque to the system: bits that the hardware knows, and in every other process unknown ones too (OP11-10).
        std::uint64_t const known = m_.options.page_tables.protection_bits;
        std::uint64_t const any = mixed(m_.options.seed ^ (0x9207'EC70 + space->number));
        space->protection = known == 0 ? 0 : space->number % 2 == 0 ? any & known : any;
        spaces_.push_back(std::move(space));
        return *spaces_.back();
    }

    /// Gives pages of an address space their entries, table by table, and flushes what may be cached.
    void write(address_space& space, std::uint64_t first, std::vector<pte> const& entries, bool flushes = true) {
        bool cached = !m_.options.page_tables.invalid_not_cached;
        for (std::uint64_t k = 0; k < entries.size() && !m_.stopped;) {
            page_table* const table = chain(space, first + k, false);
            if (table == nullptr) {
                return;
            }
            std::uint32_t const start = geometry_.index(0, first + k);
            auto const n =
                static_cast<std::uint32_t>(std::min<std::uint64_t>(entries.size() - k, geometry_.entries(0) - start));
            auto const from = entries.begin() + static_cast<std::ptrdiff_t>(k);
            for (std::uint32_t i = 0; i < n; ++i) {
                cached = cached || table->entries[start + i].Valid != 0;
            }
            bool const same = std::all_of(from, from + n, [&](pte const& e) {
                return e.Flags == from->Flags && e.PageAddress == from->PageAddress;
            });
            update(space, *table, {start, n, {from, same ? from + 1 : from + n}, same, false, false});
            k += n;
        }
        if (flushes && cached && !m_.stopped) {
            flush(space, {first, entries.size()}, false);
        }
    }

    /// Before an operation: its pages of the paging process.
    void open(std::vector<window_page> const& pages) {
        each_run(pages, [this](std::uint64_t first, std::vector<pte> entries) { write(paging(), first, entries); });
    }

    /// Behind it, so that they go once it was executed.
    void close(std::vector<window_page> const& pages, std::function<void()> done) {
        each_run(pages, [this](std::uint64_t first, std::vector<pte> entries) {
            write(paging(), first, std::vector<pte>(entries.size()), false);
        });
        if (m_.stopped) {
            return;
        }
        auto const by_va = [](window_page const& a, window_page const& b) { return a.va < b.va; };
        auto const [lowest, highest] = std::minmax_element(pages.begin(), pages.end(), by_va);
        after_ = std::move(done);
        flush(paging(), {lowest->va / page_size, (highest->va - lowest->va) / page_size + 1}, false);
    }

    /// A leaf table goes, and with it what it maps; the next write to it brings it back elsewhere.
    bool evict(address_space& space, std::uint64_t page) {
        page_table* const table = space.find(0, geometry_.table_start(0, page));
        if (table == nullptr || !table->resident() || m_.stopped) {
            return false;
        }
        std::vector<pte> const kept = table->entries;
        if (m_.options.page_tables.explicit_invalidation) {
            update(space, *table, {0, geometry_.entries(0), {pte{}}, true, false, false, true});
        }
        page_table& parent = *space.find(1, geometry_.table_start(1, page));
        update(space, parent, {geometry_.index(1, page), 1, {pte{}}, true, false, false});
        flush(space, {table->first_page, geometry_.table_reach(0)}, false);
        builder_.drain();
        land_.give_back(table->where);
        table->where = {};
        table->initialised = false;
        table->moved = true;
        table->entries = kept;
        return true;
    }

    /// All leaf tables of a process, and what they map.
    void evict_all(address_space& space) {
        for (auto& [key, table] : space.tables) {
            if (key.first != 0 || !table.resident() || m_.stopped) {
                continue;
            }
            static_cast<void>(evict(space, table.first_page));
            std::fill(table.entries.begin(), table.entries.end(), pte{});
        }
    }

    /// What was in page tables is lost; all of them are initialised again when they are needed.
    void power_lost() {
        for (auto const& space : spaces_) {
            for (auto& [key, table] : space->tables) {
                std::fill(table.entries.begin(), table.entries.end(), pte{});
                table.moved = space->number != 0;
                table.initialised = false;
                for (std::uint64_t k = 0; k < geometry_.table_pages(table.level) && table.resident(); ++k) {
                    m_.memory.junk(land_.address(table.where, k), page_size, m_.junk());
                }
            }
            space->now.clear();
            space->stale.clear();
        }
    }

    /// A table that went comes back with all its entries.
    bool restore(address_space& space, std::uint64_t page) { return chain(space, page, false) != nullptr; }

    [[nodiscard]] bool is_evicted(address_space& space, std::uint64_t page) {
        page_table const* const table = space.find(0, geometry_.table_start(0, page));
        return table != nullptr && !table->resident();
    }

    void send(std::shared_ptr<operation> const& op) override {
        if (!op->mapped.empty()) {
            open(op->mapped);
        }
        builder_.run(op);
        if (!op->mapped.empty()) {
            close(op->mapped, op->unmapped);
        }
    }

private:
    template <class Use>
    void each_run(std::vector<window_page> const& pages, Use const& use) {
        for (std::size_t i = 0; i < pages.size();) {
            std::size_t n = 1;
            while (i + n < pages.size() && pages[i + n].va == pages[i].va + n * page_size) {
                ++n;
            }
            std::vector<pte> entries;
            for (std::size_t k = i; k < i + n; ++k) {
                entries.push_back(entry_for(pages[k].address, 0));
            }
            use(pages[i].va / page_size, std::move(entries));
            i += n;
        }
    }

    /// All tables above a page, from the root on; those that are missing are made, filled, and entered in their parent.
    [[nodiscard]] page_table* chain(address_space& space, std::uint64_t page, bool by_cpu) {
        for (std::uint32_t level = geometry_.top() + 1; level-- != 0;) {
            std::uint64_t const first = geometry_.table_start(level, page);
            page_table& table = space.tables[{level, first}];
            if (table.initialised) {
                continue;
            }
            if (table.entries.empty()) {
                table.level = level;
                table.first_page = first;
                table.entries.resize(geometry_.entries(level));
            }
            if (!table.resident() && !place(table)) {
                return nullptr;
            }
            fill(space, table, by_cpu);
            table.initialised = true;
            if (level != geometry_.top()) {
                page_table& parent = *space.find(level + 1, geometry_.table_start(level + 1, page));
                pte entry = entry_for(land_.address(table.where, 0), 0);
                linked_child_ = &table;
                update(space, parent, {geometry_.index(level + 1, page), 1, {entry}, false, false, by_cpu});
                linked_child_ = nullptr;
                bool const maps =
                    std::any_of(table.entries.begin(), table.entries.end(), [](pte const& e) { return e.Valid != 0; });
                if (maps && !m_.stopped && !m_.options.page_tables.invalid_not_cached) {
                    flush(space, {table.first_page, geometry_.table_reach(level)}, false);
                }
            }
        }
        return space.find(0, geometry_.table_start(0, page));
    }

    [[nodiscard]] bool place(page_table& table) {
        vidmm_page_level const& level = geometry_.at(table.level);
        auto const take = [&] {
            std::uint64_t const pages = level.table_bytes / page_size;
            return level.segment == 0              ? land_.system(1)
                   : m_.options.page_tables.packed ? land_.last_in_segment(level.segment, pages)
                                                   : land_.in_segment(level.segment, pages);
        };
        std::optional<placement> where = take();
        if (!where) {
            builder_.drain();
            where = take();
        }
        if (!where) {
            return false;
        }
        table.where = *where;
        return true;
    }

    // The first update: all entries, in one word where they are all the same (GVA-23, OP11-08).
    void fill(address_space& space, page_table& table, bool by_cpu) {
        bool const empty =
            std::all_of(table.entries.begin(), table.entries.end(), [](pte const& e) { return e.Valid == 0; });
        std::vector<pte> const entries = empty ? std::vector<pte>{pte{}} : table.entries;
        update(space, table, {0, geometry_.entries(table.level), entries, empty, true, by_cpu});
    }

    std::uint64_t end_ = 0;  ///< page behind the window of the paging process
    std::uint32_t last_ = 0;
    std::vector<std::unique_ptr<address_space>> spaces_;
};

}  // namespace wddmcore::testing::vidmm_parts
