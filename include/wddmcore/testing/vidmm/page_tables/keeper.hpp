// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "forms.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// Page tables of all address spaces: makes them, updates them through the driver, and lets them be checked.
///
/// The paging process has its leaf tables mapped below its window, so that GPU-virtual updates find them; tables of
/// other processes are mapped into the window for each update. Both are the system's habit, not the driver's business.
class table_keeper final : public table_forms {
public:
    table_keeper(machine& m, land& l, request_maker& maker, builder& b) : table_forms(m, l, maker, b) {
        if (!used()) {
            return;
        }
        check_page_sizes(m.options);
        std::uint64_t const reach = geometry_.table_reach(0);
        std::uint64_t const first = window_.first;
        end_ = first + (window_.count + reach - 1) / reach * reach;
        std::uint64_t below = reach;
        while (area_of_tables(first - below) > below) {
            below += reach;
        }
        if (below >= first) {
            throw std::invalid_argument("vidmm_options: there is no room below the window for its page tables");
        }
        area_ = first - below;
        spaces_.push_back(std::make_unique<address_space>());
        if (m.options.page_tables.process_of) {
            spaces_.back()->handle = m.options.page_tables.process_of(0);
        }
    }

    [[nodiscard]] bool used() const { return m_.options.page_tables.used(); }
    [[nodiscard]] address_space& paging() { return *spaces_.front(); }
    [[nodiscard]] std::vector<std::unique_ptr<address_space>> const& spaces() const { return spaces_; }

    /// The paging process's tables, all by the CPU and at once (CHK-16); again after a power loss.
    void initialise() {
        address_space& space = paging();
        bool const again = !space.tables.empty();
        for (auto& [first, table] : space.tables_64k) {
            forget(table);
        }
        for (auto& [key, table] : space.tables) {
            forget(table);
        }
        space.now.clear();
        space.stale.clear();
        for (std::uint64_t page = area_; page < end_ && !m_.stopped; page += geometry_.table_reach(0)) {
            bool made = chain(space, page, true, is_64k_only(page)) != nullptr;
            made = made && (!has_beside(page) || chain(space, page, true, true) != nullptr);
            if (!made && !m_.stopped) {
                throw std::logic_error("vidmm: there is no memory for the paging process's page tables");
            }
        }
        if (m_.stopped) {
            return;
        }
        // The tables themselves, as far as the CPU is not the one to update them.
        std::vector<pte> entries;
        for (page_table* const table : updated_tables()) {
            table->seen_at = area_ + entries.size();
            for (std::uint64_t k = 0; k < in_gpu_pages(geometry_.bytes_of(*table) / page_size); ++k) {
                entries.push_back(entry_for(land_.address(table->where, 0) + k * page_size, 0));
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
        space->handle = m_.options.page_tables.process_of
                            ? m_.options.page_tables.process_of(space->number)
                            : reinterpret_cast<void*>(std::uintptr_t{0x9A0C'E550'0000} + space->number * page_size);
        // Opaque to the system: bits that the hardware knows, and in every other process unknown ones too (OP11-10).
        std::uint64_t const known = m_.options.page_tables.protection_bits;
        std::uint64_t const any = mixed(m_.options.seed ^ (0x9207'EC70 + space->number));
        space->protection = known == 0 ? 0 : space->number % 2 == 0 ? any & known : any;
        spaces_.push_back(std::move(space));
        return *spaces_.back();
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

    /// All leaf tables of a process, and what they map.
    void evict_all(address_space& space) {
        auto const go = [&](page_table& table) {
            if (table.level == 0 && table.resident() && !m_.stopped) {
                evict_table(space, table);
                std::fill(table.entries.begin(), table.entries.end(), pte{});
            }
        };
        for (auto& [key, table] : space.tables) {
            go(table);
        }
        for (auto& [first, table] : space.tables_64k) {
            go(table);
        }
    }

    /// What was in page tables is lost; all of them are initialised again when they are needed.
    void power_lost() {
        for (auto const& space : spaces_) {
            for (auto& [key, table] : space->tables) {
                lose(table, space->number != 0);
            }
            for (auto& [first, table] : space->tables_64k) {
                lose(table, space->number != 0);
            }
            space->now.clear();
            space->stale.clear();
            if (page_table* const root = space->find(geometry_.top(), 0); root != nullptr && space->number != 0) {
                leave_root(*root);
            }
        }
    }

    /// The end of all address spaces, as far as the driver has to hear of it.
    void end_contexts() {
        for (auto const& space : spaces_) {
            destroy_contexts(*space);
        }
    }

    void send(std::shared_ptr<operation> const& op) override {
        if (!op->mapped.empty()) {
            open(op->mapped);
            tell_page_sizes(op->asked);
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

    // Src64KBPages and Dst64KBPages say what the tables do: what is partly in other pages is not in such (OP08-05).
    void tell_page_sizes(request& r) {
        if (r.operation != paging_operation::virtual_transfer) {
            return;
        }
        auto const is_64k = [&](std::uint64_t va) {
            for (std::uint64_t at = va / page_size; at <= (va + r.size - 1) / page_size; ++at) {
                if (!has_64k_page(paging(), at)) {
                    return false;
                }
            }
            return true;
        };
        r.source_64k = is_64k(r.source.address);
        r.destination_64k = is_64k(r.destination.address);
    }

    [[nodiscard]] std::uint64_t in_gpu_pages(std::uint64_t pages) const {
        std::uint64_t const unit = geometry_.gpu_page();
        return (pages + unit - 1) / unit * unit;
    }

    // Which leaf tables a page of the paging process has.
    [[nodiscard]] bool is_64k_only(std::uint64_t page) const {
        return page >= window_.first && page < window_.first_of_any();
    }
    [[nodiscard]] bool has_beside(std::uint64_t page) const { return window_.beside && page >= window_.first; }

    // Pages that all tables take which are updated once they are there, when the first leaf table is that of a page.
    [[nodiscard]] std::uint64_t area_of_tables(std::uint64_t page) const {
        std::uint64_t const reach = geometry_.table_reach(0);
        std::uint64_t const of_4k = in_gpu_pages(geometry_.table_pages(0));
        std::uint64_t const of_64k =
            window_.has_64k() ? in_gpu_pages(m_.options.page_tables.table_bytes_64k / page_size) : 0;
        std::uint64_t sum = 0;
        for (; page < end_; page += reach) {
            sum += is_64k_only(page) ? of_64k : of_4k + (has_beside(page) ? of_64k : 0);
        }
        for (std::uint32_t level = 1; level <= window_.highest_large; ++level) {
            std::uint64_t const whole = geometry_.table_reach(level);
            sum += ((end_ - 1) / whole - window_.first / whole + 1) * in_gpu_pages(geometry_.table_pages(level));
        }
        return sum;
    }

    // Those tables: leaves, then leaves beside them, then what can have large pages.
    [[nodiscard]] std::vector<page_table*> updated_tables() {
        address_space& space = paging();
        std::vector<page_table*> out;
        for (std::uint64_t page = area_; page < end_; page += geometry_.table_reach(0)) {
            out.push_back(is_64k_only(page) ? space.find_64k(page) : space.find(0, page));
        }
        for (std::uint64_t page = area_; page < end_; page += geometry_.table_reach(0)) {
            if (has_beside(page)) {
                out.push_back(space.find_64k(page));
            }
        }
        for (std::uint32_t level = 1; level <= window_.highest_large; ++level) {
            std::uint64_t const whole = geometry_.table_reach(level);
            for (std::uint64_t page = window_.first / whole * whole; page < end_; page += whole) {
                out.push_back(space.find(level, page));
            }
        }
        return out;
    }

    static void forget(page_table& table) {
        std::fill(table.entries.begin(), table.entries.end(), pte{});
        std::fill(table.entries_64k.begin(), table.entries_64k.end(), pte{});
        table.initialised = false;
    }

    void lose(page_table& table, bool moved) {
        forget(table);
        table.moved = moved;
        for (std::uint64_t k = 0; k < geometry_.bytes_of(table) / page_size && table.resident(); ++k) {
            m_.memory.junk(land_.address(table.where, k), page_size, m_.junk());
        }
    }

    std::uint32_t last_ = 0;
    std::uint64_t area_ = 0;  ///< first page of the paging process where its tables are seen
    std::vector<std::unique_ptr<address_space>> spaces_;
};

}  // namespace wddmcore::testing::vidmm_parts
