// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../manager.hpp"

/// How allocations come and go, and what a reset does to them.
namespace wddmcore::inline WDDMCORE_ABI::testing {

inline vidmm::allocation_number vidmm::create(std::uint64_t size, bool with_content) {
    std::uint64_t const granule = std::max<std::uint64_t>(
        std::max<std::uint64_t>(m_.options.size_granule, m_.options.notify.on_eviction ? m_.options.notify.block : 1),
        land_.alignment() == 1 ? 4 : land_.alignment() * page_size);
    allocation a;
    a.number = ++last_;
    a.size = std::max<std::uint64_t>((size + granule - 1) / granule * granule, granule);
    if (with_content) {
        auto place = with_space([&] { return land_.system(a.page_count()); });
        if (!place) {
            return 0;
        }
        a.where = std::move(*place);
        land_.write(a.where, vidmm_parts::mixed(m_.options.seed ^ a.number));
    }
    a.handle = m_.options.handle_of ? m_.options.handle_of(a.number)
                                    : reinterpret_cast<void*>(std::uintptr_t{0xA110'C000'0000} + a.number * page_size);
    m_.events.moment(vidmm_parts::track_system, "create", m_.clock,
                     {trace::argument::number("allocation", a.number), trace::argument::number("bytes", a.size)});
    return allocations_.emplace(a.number, a).first->first;
}

inline vidmm::allocation& vidmm::at(allocation_number number) {
    auto const found = allocations_.find(number);
    if (found == allocations_.end()) {
        throw std::invalid_argument("vidmm: there is no allocation of this number");
    }
    return found->second;
}

/// After a reset: the driver hears that the allocation has left its segment, and the content is gone.
inline void vidmm::lose(allocation& a) {
    leave_processes(a);
    placement const from = std::exchange(a.where, placement{});
    auto op = std::make_shared<operation>();
    request& r = op->asked;
    r.operation = paging_operation::transfer;
    r.allocation = a.number;
    r.allocation_handle = a.handle;
    r.idle = true;
    r.start = true;
    r.end = true;
    r.source = {from.segment, land_.address(from, 0), m_.memory.segment(from.segment)->base};
    r.list = maker_.list_of({m_.memory.frame(0)}, false, false);
    op->finished = [this, from] { land_.give_back(from); };
    if (is_virtual() && !m_.options.physical_operations_too) {
        op->finished();
    } else {
        send(std::move(op));
    }
    queue_.drain();
    if (auto place = land_.system(a.page_count())) {
        a.where = std::move(*place);
        land_.write(a.where, m_.junk());
    }
}

inline void vidmm::send(std::shared_ptr<operation> op) {
    ready();
    if (tables_.used()) {
        tables_.send(op);
    } else {
        builder_.run(std::move(op));
    }
    std::map<std::string, std::uint64_t> pages;
    for (auto const& [number, a] : allocations_) {
        switch (a.where.is) {
            case kind::none: break;
            case kind::system: pages["system"] += a.page_count(); break;
            case kind::aperture: pages["aperture"] += a.page_count(); break;
            case kind::segment: pages["segment " + std::to_string(a.where.segment)] += a.page_count(); break;
        }
    }
    if (pages != pictured_) {
        pictured_ = pages;
        trace::arguments values;
        for (auto const& [where, count] : pages) {
            values.push_back(trace::argument::number(where, count));
        }
        m_.events.counter("allocated pages", m_.clock, std::move(values));
    }
}

inline void vidmm::reset() {
    queue_.drain();
    m_.report.reset();
    m_.events.moment(vidmm_parts::track_system, "adapter reset", m_.clock);
    for (auto& [number, a] : allocations_) {
        if (a.where.is == kind::segment) {
            lose(a);
        } else if (a.where.is == kind::aperture) {
            unmap_aperture(number);
        }
    }
    queue_.drain();
}

inline void vidmm::destroy(allocation_number number) {
    discard(number);
    unmap_aperture(number);
    leave_processes(at(number));
    allocation const a = at(number);
    queue_.drain();  // its pages may still be in use
    if (a.where.is == kind::system) {
        land_.give_back(a.where);
    }
    allocations_.erase(number);
}

inline void vidmm::finish() {
    queue_.drain();
    if (m_.stopped) {
        return;
    }
    for (auto const& space : tables_.spaces()) {
        if (ready_ && !m_.stopped) {
            vidmm_parts::table_check(m_, tables_.geometry(), *space).all("at the end");
            tables_.look_through(*space, "at the end");
        }
    }
    if (m_.stopped) {
        return;
    }
    if (auto const where = m_.memory.difference()) {
        m_.broken(vidmm_rule::pgb_10, "memory changed that no command was asked to change",
                  "at " + vidmm_parts::hex(*where), false, vidmm_parts::compared_page(m_.memory, *where));
    }
}

}  // namespace wddmcore::testing
