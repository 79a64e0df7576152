// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../manager.hpp"

/// Operations on the aperture: 5, 6 and 17.
namespace wddmcore::inline WDDMCORE_ABI::testing {

inline std::shared_ptr<vidmm::operation> vidmm::aperture_operation(allocation const& a, placement const& where,
                                                                   part const& p, void* handle) {
    auto op = std::make_shared<operation>();
    request& r = op->asked;
    r.allocation = a.number;
    r.allocation_handle = handle;
    bool const no_device = m_.random.chance(m_.options.chances.null_device);
    r.device_handle =
        no_device && m_.was_done(map_operation()) ? nullptr : reinterpret_cast<void*>(std::uintptr_t{0xDE1C'E000'0000});
    r.aperture = m_.aperture.id;
    r.first_aperture_page = where.first + p.offset / page_size;
    r.aperture_pages = p.size / page_size;
    r.no_buffer = m_.random.chance(m_.options.chances.no_buffer);
    return op;
}

inline void vidmm::unmap(allocation const& a, placement const& from) {
    for (auto const& p : maker_.parts(from.count * page_size, true)) {
        auto op = aperture_operation(a, from, p, a.handle);
        op->asked.operation = paging_operation::unmap_aperture_segment;
        op->asked.dummy_page = land_.dummy_page();
        send(std::move(op));
    }
    queue_.drain();
    for (auto const& view : cpu_views_[a.number]) {
        view->end();
        m_.report.exercised(vidmm_rule::op06_03);
    }
    cpu_views_.erase(a.number);
    land_.leave_aperture(from);
}

inline bool vidmm::evict_to_aperture(allocation_number number) {
    allocation& a = at(number);
    if (m_.stopped || a.where.is != kind::segment || m_.aperture.size == 0 || is_virtual()) {
        return false;
    }
    auto place = with_space([&] { return land_.system(a.page_count()); });
    if (!place) {
        return false;
    }
    placement const from = std::exchange(a.where, *place);
    if (!map_aperture(number)) {
        land_.give_back(*place);
        a.where = from;
        return false;
    }
    move_content(a, from, a.where, true);
    return true;
}

/// Some allocations were created with MapApertureCpuVisible (OP17-05).
inline bool vidmm::asks_for_cpu_address(allocation const& a) { return a.number % 3 == 0; }

/// A view of a part for the CPU, with what is there now: nobody writes to it while the aperture shows it. It becomes
/// inaccessible when the unmap was executed (OP06-03).
inline std::byte* vidmm::cpu_address(allocation const& a, part const& p) {
    auto const view = m_.memory_for_calls.lend(static_cast<std::size_t>(p.size), vidmm_parts::loan_side::start, 0,
                                               "CpuVisibleAddress", vidmm_rule::op17_05, vidmm_rule::op06_03);
    for (std::uint64_t at = 0; at < p.size; at += page_size) {
        std::uint64_t const number = a.where.pages[static_cast<std::size_t>((p.offset + at) / page_size)];
        std::memcpy(view->data() + at, m_.memory.is(m_.memory.page_address(number), page_size).data(), page_size);
    }
    cpu_views_[a.number].push_back(view);
    return view->data();
}

inline bool vidmm::map_aperture(allocation_number number) {
    allocation& a = at(number);
    if (m_.stopped || m_.aperture.size == 0 || a.where.is != kind::system) {
        return false;
    }
    auto place = with_space([&] { return land_.in_aperture(a.where); });
    if (!place) {
        return false;
    }
    a.where = std::move(*place);
    void* const handle = maker_.handle(a, map_operation());  // NULL: a DMA buffer; the same for all parts (OP05-05)
    bool const coherent = m_.aperture.cache_coherent && m_.random.chance(50);
    for (auto const& p : maker_.parts(a.where.count * page_size, true)) {
        auto op = aperture_operation(a, a.where, p, handle);
        request& r = op->asked;
        bool const adl = m_.options.aperture == vidmm_aperture::adl;
        r.operation = map_operation();
        r.coherent = coherent;
        auto const first = a.where.pages.begin() + static_cast<std::ptrdiff_t>(p.offset / page_size);
        r.list = maker_.list_of({first, first + static_cast<std::ptrdiff_t>(p.size / page_size)}, false, adl);
        if (adl && asks_for_cpu_address(a)) {
            r.cpu_visible = cpu_address(a, p);
        } else if (adl) {
            m_.report.exercised(vidmm_rule::op17_05);
        }
        send(std::move(op));
    }
    return true;
}

inline bool vidmm::unmap_aperture(allocation_number number) {
    allocation& a = at(number);
    if (m_.stopped || a.where.is != kind::aperture) {
        return false;
    }
    placement const from = a.where;
    a.where.is = kind::system;
    unmap(a, from);
    return true;
}

}  // namespace wddmcore::testing
