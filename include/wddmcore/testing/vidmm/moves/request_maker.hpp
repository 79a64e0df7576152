// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../calls/builder.hpp"
#include "../memory/placement.hpp"
#include "paging_window.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// Turns what the memory manager wants into requests: parts, page lists with foreign pages around, mapped addresses.
class request_maker {
public:
    request_maker(machine& m, land& l, window_queue& queue) : m_(m), land_(l), queue_(queue), window_(m) {}

    struct part {
        std::uint64_t offset;
        std::uint64_t size;
    };

    /// Cuts a size into parts of whole pages (64 KiB where a segment has such pages); only the last may be odd.
    [[nodiscard]] std::vector<part> parts(std::uint64_t size, bool may_split) {
        std::uint64_t const unit = land_.alignment() * page_size;
        std::uint64_t most =
            m_.options.largest_part == 0 ? size : std::max(m_.options.largest_part / unit * unit, unit);
        if (m_.options.addressing == vidmm_addressing::gpu_virtual) {
            most = std::min(most, std::max(window_.largest_part() * page_size / unit * unit, unit));  // CHK-09
        }
        std::uint64_t const units = (size + unit - 1) / unit;
        if (may_split && units > 1 && m_.random.chance(m_.options.chances.split)) {
            most = std::min(most, m_.random.between(1, units - 1) * unit);
        }
        std::vector<part> out;
        for (std::uint64_t at = 0; at < size; at += most) {
            out.push_back({at, std::min(most, size - at)});
        }
        return out;
    }

    // The first of each operation is an ordinary one: a driver that cannot do even that breaks no rule about NULL.
    [[nodiscard]] void* handle(allocation const& a, paging_operation code) {
        bool const null = m_.random.chance(m_.options.chances.null_allocation);
        return null && m_.was_done(code) ? nullptr : a.handle;
    }

    /// Operation 0, 7 or 8 for one part; `effect` follows the placements.
    [[nodiscard]] std::shared_ptr<operation> transfer(allocation const& a, placement const& from, placement const& to,
                                                      part const& p, paging_operation code) {
        auto op = std::make_shared<operation>();
        request& r = op->asked;
        r.operation = code;
        r.allocation = a.number;
        r.allocation_handle = handle(a, r.operation);
        r.offset = p.offset;
        r.size = p.size;
        r.idle = m_.random.chance(m_.options.chances.idle_at_once);
        for (std::uint64_t at = 0; at < p.size; at += page_size) {
            std::uint64_t const k = (p.offset + at) / page_size;
            op->effect.push_back({land_.address(to, k), land_.address(from, k), std::min(page_size, p.size - at)});
        }
        if (code == paging_operation::virtual_transfer) {
            map_both(*op, from, to, p);
        } else {
            physical_side(r.source, r, from, p);
            physical_side(r.destination, r, to, p);
        }
        return op;
    }

    /// Operation 1 or 9 for one part.
    [[nodiscard]] std::shared_ptr<operation> fill(allocation const& a, placement const& to, part const& p,
                                                  std::uint32_t pattern) {
        auto op = std::make_shared<operation>();
        request& r = op->asked;
        bool const is_virtual = m_.options.addressing == vidmm_addressing::gpu_virtual;
        r.operation = is_virtual ? paging_operation::virtual_fill : paging_operation::fill;
        r.allocation = a.number;
        r.allocation_handle = handle(a, r.operation);
        r.offset = is_virtual ? p.offset : 0;
        r.size = p.size;
        r.pattern = pattern;
        op->effect.push_back({land_.address(to, p.offset / page_size), 0, p.size});
        if (is_virtual) {
            r.destination.address = map_part(*op, to, p);
        } else {
            physical_side(r.destination, r, to, p);
        }
        return op;
    }

    /// A page list over `pages`, with foreign pages before and after it.
    [[nodiscard]] page_list list_of(std::vector<std::uint64_t> const& pages, bool from_start, bool may_be_contiguous) {
        page_list out;
        bool in_one_run = !pages.empty();
        for (std::size_t i = 1; i < pages.size(); ++i) {
            in_one_run = in_one_run && pages[i] == pages[i - 1] + 1;
        }
        std::uint64_t const before = from_start ? 0 : m_.random.below(m_.options.pages_before + 1ULL);
        std::uint64_t const behind = m_.random.below(m_.options.pages_behind + 1ULL);
        out.first = before;
        out.contiguous = may_be_contiguous && in_one_run && m_.random.chance(60);
        auto const foreign = [&](std::uint64_t count) {
            for (std::uint64_t i = 0; i < count; ++i) {
                std::uint64_t number = 0;
                do {
                    number = m_.memory.frame(m_.random.below(m_.memory.ram_pages()));
                } while (pages.size() < m_.memory.ram_pages() / 2 &&
                         std::find(pages.begin(), pages.end(), number) != pages.end());
                out.numbers.push_back(number);
            }
        };
        if (out.contiguous) {
            for (std::uint64_t i = 0; i < before + pages.size() + behind; ++i) {
                out.numbers.push_back(pages.front() - before + i);
            }
            return out;
        }
        foreign(before);
        out.numbers.insert(out.numbers.end(), pages.begin(), pages.end());
        foreign(behind);
        return out;
    }

    /// Addresses of the paging process's window for a while, for pages of 4 KiB.
    /// @param alignment  4-KiB pages
    [[nodiscard]] std::uint64_t take_window(std::uint64_t size, std::uint64_t alignment) {
        std::uint64_t const count = (size + page_size - 1) / page_size;
        return take([&] { return window_.take(count, std::max(alignment, land_.alignment())); });
    }

    void leave_window(std::uint64_t va, std::uint64_t size) {
        std::uint64_t const count = (size + page_size - 1) / page_size;
        m_.bus.unmap(va, count * page_size);
        window_.give_back(va / page_size, count);
    }

    /// Lets addresses of the window stand for a part of an allocation, for one operation.
    [[nodiscard]] std::uint64_t map_part(operation& op, placement const& where, part const& p) {
        std::uint64_t const va = map_pages(op, where, p);
        leave_behind(op, [this, va, size = p.size] { leave_window(va, size); });
        return va;
    }

private:
    void physical_side(side& s, request& r, placement const& where, part const& p) {
        if (where.is == placement::kind::system) {
            std::uint64_t const first = p.offset / page_size;
            std::uint64_t const end = (p.offset + p.size + page_size - 1) / page_size;
            std::vector<std::uint64_t> const pages(where.pages.begin() + static_cast<std::ptrdiff_t>(first),
                                                   where.pages.begin() + static_cast<std::ptrdiff_t>(end));
            // Operation 7 has no MdlOffset: its list begins with the range (OP07-01).
            r.list = list_of(pages, r.operation == paging_operation::special_lock_transfer, false);
            return;
        }
        vidmm_segment const& segment = *m_.memory.segment(where.segment);
        s.segment = where.segment;
        s.segment_base = segment.base;
        s.address = segment.base + where.first * page_size;  // TransferOffset is not in it (OP00-02)
    }

    template <class Take>
    [[nodiscard]] std::uint64_t take(Take const& from_window) {
        std::optional<std::uint64_t> first = from_window();
        if (!first) {
            queue_.drain();  // what is mapped is still in use until its windows were executed
            first = from_window();
        }
        if (!first && m_.stopped) {
            return m_.options.va_base;  // nothing is executed any more, so nothing is ever given back
        }
        if (!first) {
            throw std::logic_error("vidmm: the paging process's window is too small");
        }
        return *first * page_size;
    }

    // Addresses that stand for a part, in larger pages where they can and the dice say so.
    [[nodiscard]] std::uint64_t map_pages(operation& op, placement const& where, part const& p) {
        std::vector<std::uint64_t> addresses;
        for (std::uint64_t at = 0; at < p.size; at += page_size) {
            addresses.push_back(land_.address(where, (p.offset + at) / page_size));
        }
        std::uint64_t const va = take([&] { return window_.take_for(addresses, land_.alignment()); });
        for (std::size_t k = 0; k != addresses.size(); ++k) {
            m_.bus.map(va + k * page_size, addresses[k]);
            if (m_.options.page_tables.used()) {
                op.mapped.push_back({va + k * page_size, addresses[k]});
            }
        }
        return va;
    }

    // Where the hardware has page tables, addresses are free again only when their entries are gone.
    void leave_behind(operation& op, std::function<void()> leave) {
        (m_.options.page_tables.used() ? op.unmapped : op.finished) = std::move(leave);
    }

    void map_both(operation& op, placement const& from, placement const& to, part const& p) {
        request& r = op.asked;
        auto const local = [](placement const& w) { return w.is == placement::kind::segment; };
        r.direction = !local(from) ? transfer_direction::system_to_local
                      : local(to)  ? transfer_direction::local_to_local
                                   : transfer_direction::local_to_system;
        r.source_64k = local(from) && m_.memory.segment(from.segment)->pages_64k;
        r.destination_64k = local(to) && m_.memory.segment(to.segment)->pages_64k;
        bool const overlap = local(from) && local(to) && from.segment == to.segment &&
                             from.first < to.first + to.count && to.first < from.first + from.count;
        if (overlap) {  // one mapping for both, so that the driver can see it
            std::uint64_t const lowest = std::min(from.first, to.first);
            std::uint64_t const pages = std::max(from.first, to.first) + from.count - lowest;
            placement const both{placement::kind::segment, {}, from.segment, lowest, pages};
            std::uint64_t const va = map_pages(op, both, {0, pages * page_size});
            r.source.address = va + (from.first - lowest) * page_size + p.offset;
            r.destination.address = va + (to.first - lowest) * page_size + p.offset;
            leave_behind(op, [this, va, size = pages * page_size] { leave_window(va, size); });
            return;
        }
        std::uint64_t const source = map_pages(op, from, p);
        std::uint64_t const destination = map_pages(op, to, p);
        r.source.address = source;
        r.destination.address = destination;
        leave_behind(op, [this, source, destination, size = p.size] {
            leave_window(source, size);
            leave_window(destination, size);
        });
    }

    machine& m_;
    land& land_;
    window_queue& queue_;
    paging_window window_;
};

}  // namespace wddmcore::testing::vidmm_parts
