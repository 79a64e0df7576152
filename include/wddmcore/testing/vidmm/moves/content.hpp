// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../manager.hpp"

/// Operations that move, make or drop content: 0 to 4 and 7 to 9.
namespace wddmcore::inline WDDMCORE_ABI::testing {

/// Sub-transfers from the first to the last; sometimes the system begins again before the last (OP00-06).
inline void vidmm::move_content(allocation const& a, placement const& from, placement const& to, bool give_back) {
    paging_operation const code = is_virtual() ? paging_operation::virtual_transfer : paging_operation::transfer;
    std::vector<part> const parts = maker_.parts(a.size, true);
    bool const retries = !is_virtual() && parts.size() > 1 && m_.random.chance(m_.options.chances.retry);
    bool const again = retries && m_.was_done(code);
    std::size_t const given_up = again ? m_.random.between(1, parts.size() - 1) : 0;
    auto const send_part = [&](std::size_t i, bool retried) {
        auto op = maker_.transfer(a, from, to, parts[i], code);
        op->asked.start = i == 0;
        op->asked.end = i + 1 == parts.size();
        op->asked.retried = retried;
        // One thing at a time: what was not done again was not left out because there is no allocation.
        op->asked.allocation_handle = retried ? a.handle : op->asked.allocation_handle;
        if (op->asked.end && give_back) {
            op->finished = [this, from, next = op->finished] {
                if (next) {
                    next();
                }
                land_.give_back(from);
            };
        }
        send(std::move(op));
    };
    for (std::size_t i = 0; i < given_up; ++i) {
        send_part(i, false);
    }
    if (again) {
        // What the first attempt moved is destroyed, or nobody could see whether it was done again.
        queue_.drain();
        land_.write(to, m_.junk());
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
        send_part(i, again);
    }
}

inline bool vidmm::fill(allocation_number number, std::uint32_t pattern, segment_id segment) {
    allocation& a = at(number);
    bool const made = a.where.is == kind::none;
    if (made) {
        auto place = with_space([&] { return land_.in_segment(segment.n, a.page_count()); });
        if (!place) {
            return false;
        }
        a.where = std::move(*place);
    }
    if (m_.stopped || a.where.is != kind::segment) {
        return false;
    }
    bool const in_parts = m_.options.addressing == vidmm_addressing::gpu_virtual;
    for (auto const& p : in_parts ? maker_.parts(a.size, true) : std::vector<part>{{0, a.size}}) {
        auto op = maker_.fill(a, a.where, p, pattern);
        op->finished = [this, where = a.where, p, next = op->finished] {
            if (next) {
                next();
            }
            // What an application then renders: a pattern moved to the wrong place would look right.
            land_.write_part(where, p.offset, p.size, m_.junk());
        };
        send(std::move(op));
    }
    if (made) {
        notice_residency(a, true);
    }
    return true;
}

inline bool vidmm::commit(allocation_number number, segment_id segment) {
    allocation& a = at(number);
    if (m_.stopped || (a.where.is != kind::system && a.where.is != kind::aperture)) {
        return false;
    }
    auto place = with_space([&] { return land_.in_segment(segment.n, a.page_count()); });
    if (!place) {
        return false;
    }
    leave_processes(a);
    bool const mapped = a.where.is == kind::aperture;
    placement const from = std::exchange(a.where, *place);
    move_content(a, from, a.where, !mapped);
    notice_residency(a, true);
    if (mapped) {
        unmap(a, from);
        land_.give_back(from);
    }
    return true;
}

inline bool vidmm::evict(allocation_number number) {
    allocation& a = at(number);
    if (m_.stopped || a.where.is != kind::segment) {
        return false;
    }
    auto place = with_space([&] { return land_.system(a.page_count()); });
    if (!place) {
        return false;
    }
    leave_processes(a);
    notice_residency(a, false);
    move_content(a, std::exchange(a.where, *place), *place, true);
    return true;
}

inline bool vidmm::move(allocation_number number, segment_id segment) {
    allocation& a = at(number);
    if (m_.stopped || a.where.is != kind::segment) {
        return false;
    }
    auto place = with_space([&] { return land_.in_segment(segment.n, a.page_count()); });
    if (!place) {
        return false;
    }
    leave_processes(a);
    move_content(a, std::exchange(a.where, *place), *place, true);
    notice_residency(a, true);
    return true;
}

inline bool vidmm::slide(allocation_number number, std::int64_t distance) {
    allocation& a = at(number);
    if (m_.stopped || a.where.is != kind::segment || !is_virtual() ||
        distance % static_cast<std::int64_t>(land_.alignment()) != 0 || distance == 0 ||
        a.size > m_.options.va_size / 8) {
        return false;
    }
    auto place = land_.beside(a.where, distance);
    if (!place) {
        return false;
    }
    leave_processes(a);
    placement const from = std::exchange(a.where, *place);
    auto op = maker_.transfer(a, from, *place, {0, a.size}, paging_operation::virtual_transfer);
    op->finished = [this, from, distance, next = op->finished] {
        if (next) {
            next();
        }
        auto const by = static_cast<std::uint64_t>(distance < 0 ? -distance : distance);
        land_.give_back_segment(from.segment, distance < 0 ? from.first + from.count - by : from.first, by);
    };
    send(std::move(op));
    return true;
}

inline bool vidmm::special_lock(allocation_number number, segment_id segment) {
    allocation& a = at(number);
    if (m_.stopped || !has_legacy_operations() || !m_.options.alternate_addresses ||
        (a.where.is != kind::segment && a.where.is != kind::system)) {
        return false;
    }
    auto place = with_space([&] {
        return a.where.is == kind::segment ? land_.system(a.page_count()) : land_.in_segment(segment.n, a.page_count());
    });
    if (!place) {
        return false;
    }
    placement const from = std::exchange(a.where, *place);
    auto op = maker_.transfer(a, from, *place, {0, a.size}, paging_operation::special_lock_transfer);
    op->asked.start = true;
    op->asked.end = true;
    op->asked.swizzling_range = static_cast<std::uint32_t>(m_.random.below(4));
    op->finished = [this, from] { land_.give_back(from); };
    send(std::move(op));
    return true;
}

inline bool vidmm::discard(allocation_number number) {
    allocation& a = at(number);
    if (m_.stopped || a.where.is != kind::segment) {
        return false;
    }
    leave_processes(a);
    notice_residency(a, false);
    placement const from = std::exchange(a.where, placement{});
    if (is_virtual() && !m_.options.physical_operations_too) {
        queue_.drain();
        land_.give_back(from);
        return true;
    }
    auto op = std::make_shared<operation>();
    op->asked.operation = paging_operation::discard_content;
    op->asked.allocation = a.number;
    op->asked.allocation_handle = a.handle;
    op->asked.idle = m_.random.chance(m_.options.chances.idle_at_once);
    op->asked.destination = {from.segment, land_.address(from, 0), m_.memory.segment(from.segment)->base};
    op->finished = [this, from] { land_.give_back(from); };
    send(std::move(op));
    return true;
}

inline bool vidmm::access(allocation_number number, bytes offset, bool writes) {
    allocation const& a = at(number);
    if (m_.stopped || !has_legacy_operations() || a.where.is != kind::segment || offset.n % 8 != 0 ||
        offset.n >= a.size) {
        return false;
    }
    vidmm_segment const& s = *m_.memory.segment(a.where.segment);
    std::uint64_t const address = land_.address(a.where, 0) + offset.n;
    auto op = std::make_shared<operation>();
    op->asked.operation = writes ? paging_operation::write_physical : paging_operation::read_physical;
    op->asked.allocation = a.number;
    op->asked.allocation_handle = a.handle;
    op->asked.destination = {s.id, m_.options.physical_access_has_base ? address : address - s.base, s.base};
    op->access = address;
    send(std::move(op));
    return true;
}

}  // namespace wddmcore::testing
