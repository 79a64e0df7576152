// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../manager.hpp"

/// Address spaces of processes: operations 11, 12 and 14.
namespace wddmcore::inline WDDMCORE_ABI::testing {

/// The paging process's page tables, before the first call that needs them (CHK-16).
inline void vidmm::ready() {
    if (ready_ || !tables_.used() || m_.stopped) {
        return;
    }
    ready_ = true;
    m_.enter = [this](vidmm_parts::address_space const* in) {
        vidmm_parts::address_space const& space = in != nullptr ? *in : tables_.paging();
        vidmm_location const at = location_of(space.tables.at({tables_.geometry().top(), 0}).where);
        m_.options.page_tables.enter(at.segment, at.offset);
    };
    m_.context_of = [this](vidmm_parts::address_space const* in) {
        return vidmm_parts::table_keeper::context_of(in != nullptr ? *in : tables_.paging());
    };
    tables_.initialise();
}

inline vidmm::process& vidmm::process_of(process_number number) {
    auto const found = processes_.find(number);
    if (found == processes_.end()) {
        throw std::invalid_argument("vidmm: there is no process of this number");
    }
    return found->second;
}

inline vidmm::process_number vidmm::create_process() {
    if (!tables_.used()) {
        return 0;
    }
    ready();
    process p;
    p.space = &tables_.create_process();
    return processes_.emplace(p.space->number, p).first->first;
}

inline void vidmm::adopt_context(process_number number, void* context) {
    vidmm_parts::address_space& space = *process_of(number).space;
    space.contexts.push_back(context);
    if (space.root_told) {
        static_cast<void>(move_root_page_table(number));
    }
}

inline void vidmm::release_context(process_number number, void* context) {
    std::erase(process_of(number).space->contexts, context);
}

inline void vidmm::enter(process_number number) {
    if (m_.enter && !m_.stopped) {
        m_.enter(process_of(number).space);
    }
}

inline std::vector<std::uint64_t> vidmm::process_pages() const {
    constexpr std::uint64_t most_entries = 1200;  // of a root that grows; of 4 bytes, more than a page of them
    vidmm_parts::table_geometry const& g = tables_.geometry();
    std::uint64_t const reach = g.table_reach(0);
    std::uint64_t const root = g.entry_pages(g.top());
    std::uint64_t const end =
        tables_.has_resizable_roots() ? std::min(g.table_reach(g.top()), root * most_entries) : g.table_reach(g.top());
    std::vector<std::uint64_t> out{root};  // past entry 0 of the root, which is never valid (GVA-30)
    if (end >= root + 2 * reach) {
        out.push_back(root + reach);
    }
    if (end >= root + 4 * reach) {
        out.push_back(end - 2 * reach);
    }
    return out;
}

/// Behind the reach of the root's entry 0 (GVA-30), and inside the address space.
inline bool vidmm::may_map(std::uint64_t first, std::uint64_t count) const {
    vidmm_parts::table_geometry const& g = tables_.geometry();
    return first >= g.entry_pages(g.top()) && first + count <= g.table_reach(g.top());
}

inline bool vidmm::map(process_number number, allocation_number what, gpu_virtual_address at_address,
                       std::uint64_t attributes) {
    process& p = process_of(number);
    allocation const& a = at(what);
    std::uint64_t const first = at_address.n / page_size;
    if (m_.stopped || a.where.is == kind::none || at_address.n % m_.options.page_tables.gpu_page_bytes != 0 ||
        !may_map(first, a.page_count())) {
        return false;
    }
    forget(p, first, a.page_count());
    std::vector<vidmm_parts::pte> entries;
    for (std::uint64_t k = 0; k < a.page_count(); ++k) {
        entries.push_back(tables_.entry_for(land_.address(a.where, k), attributes));
    }
    p.mapped[first] = {what, a.page_count()};
    tables_.write(*p.space, first, entries);
    return !m_.stopped;
}

/// The system's own list: a new mapping takes the place of what was there, wholly or in part.
inline void vidmm::forget(process& p, std::uint64_t first, std::uint64_t count) {
    std::map<std::uint64_t, mapping> kept;
    for (auto const& [start, m] : p.mapped) {
        if (start + m.count <= first || start >= first + count) {
            kept[start] = m;
            continue;
        }
        if (start < first) {
            kept[start] = {m.allocation, first - start};
        }
        if (start + m.count > first + count) {
            kept[first + count] = {m.allocation, start + m.count - first - count};
        }
    }
    p.mapped = std::move(kept);
}

inline bool vidmm::unmap(process_number number, gpu_virtual_address at_address, bytes size) {
    process& p = process_of(number);
    std::uint64_t const first = at_address.n / page_size;
    std::uint64_t const count = (size.n + page_size - 1) / page_size;
    std::uint64_t const unit = m_.options.page_tables.gpu_page_bytes / page_size;
    if (m_.stopped || count == 0 || (first | count) % unit != 0) {
        return false;
    }
    forget(p, first, count);
    tables_.write(*p.space, first, std::vector<vidmm_parts::pte>(count));
    return !m_.stopped;
}

inline bool vidmm::map_zero(process_number number, gpu_virtual_address at_address, bytes size) {
    process& p = process_of(number);
    std::uint64_t const first = at_address.n / page_size;
    std::uint64_t const count = (size.n + page_size - 1) / page_size;
    std::uint64_t const unit = m_.options.page_tables.gpu_page_bytes / page_size;
    if (m_.stopped || count == 0 || !m_.options.page_tables.zero_pages || at_address.n % page_size != 0 ||
        (first | count) % unit != 0 || !may_map(first, count)) {
        return false;
    }
    forget(p, first, count);
    tables_.write(
        *p.space, first,
        std::vector<vidmm_parts::pte>(static_cast<std::size_t>(count), vidmm_parts::table_keeper::zero_entry()));
    return !m_.stopped;
}

/// Before an allocation moves: what processes and other MMUs see of it goes.
inline void vidmm::leave_processes(allocation const& a) {
    for (auto& [number, p] : processes_) {
        std::vector<std::pair<std::uint64_t, std::uint64_t>> gone;
        for (auto const& [start, m] : p.mapped) {
            if (m.allocation == a.number) {
                gone.emplace_back(start, m.count);
            }
        }
        for (auto const& [start, count] : gone) {
            unmap(number, {start * page_size}, {count * page_size});
        }
    }
    for (std::uint32_t const mmu : m_.options.notices.mmus) {
        if (mmu_pages_.contains({mmu, mmu_address(a)})) {
            unmap_mmu(a, mmu);
        }
    }
    queue_.drain_if(!processes_.empty());
}

inline bool vidmm::evict_page_table(process_number number, gpu_virtual_address at_address) {
    process& p = process_of(number);
    return tables_.evict(*p.space, at_address.n / page_size);
}

inline bool vidmm::restore_page_table(process_number number, gpu_virtual_address at_address) {
    process& p = process_of(number);
    return tables_.is_evicted(*p.space, at_address.n / page_size) &&
           tables_.restore(*p.space, at_address.n / page_size);
}

inline bool vidmm::move_root_page_table(process_number number) {
    process& p = process_of(number);
    vidmm_parts::page_table const* const root = p.space->find(tables_.geometry().top(), 0);
    if (m_.stopped || root == nullptr || !root->initialised) {
        return false;
    }
    return tables_.move_root(*p.space, static_cast<std::uint32_t>(root->entries.size()));
}

inline bool vidmm::copy_page_table_entries(process_number number, std::vector<vidmm_copied_range> const& ranges) {
    process& p = process_of(number);
    bool const apart = std::all_of(ranges.begin(), ranges.end(), [](vidmm_copied_range const& r) {
        return std::max(r.from_page, r.to_page) - std::min(r.from_page, r.to_page) >= r.count;
    });
    if (m_.stopped || ranges.empty() || !apart || !m_.options.page_tables.copies) {
        return false;
    }
    return copies_.run(*p.space, ranges);
}

}  // namespace wddmcore::testing
