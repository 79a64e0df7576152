// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "world.hpp"

#include <numeric>

namespace sequences {

/// The operations that move bytes: through the paging process's tables, by segments and page lists; and the aperture.
class moves : public world {
public:
    using world::world;

protected:
    /// Operation 8.
    void move_virtual() {
        u64 const unit = known().copy_unit;
        u64 const size = any_size(unit, 48);
        auto const from = some_window(size, unit, false);
        auto const to = some_window(size, unit, true);
        if (!from || !to || !disjoint(from->where, to->where)) {
            return;
        }
        request r;
        r.operation = paging_operation::virtual_transfer;
        r.size = size;
        r.source = from->va;
        r.address = to->va;
        passes_.model_.write(to->where, passes_.model_.read(from->where));
        judge(r, to->where,
              say("a virtual transfer of ", size, " bytes from ", as_hex{r.source}, " to ", as_hex{r.address}));
    }

    /// Operation 9.
    void fill_virtual() {
        u64 const size = any_size(known().fill_unit, 64);
        auto const to = some_window(size, known().fill_unit, true);
        if (!to) {
            return;
        }
        request r;
        r.operation = paging_operation::virtual_fill;
        r.size = size;
        r.value = any_pattern();
        r.address = to->va;
        passes_.model_.write(to->where, repeated(static_cast<u32>(r.value), size));
        judge(r, to->where, say("a virtual fill of ", size, " bytes at ", as_hex{r.address}));
    }

    struct side {
        law_parts::transfer_end end;
        stretches where;
    };
    [[nodiscard]] side in_segment(u64 place, u64 size) {
        return {{memory_id, there().where.segment_base + place, {}},
                {{0, static_cast<std::size_t>(place), static_cast<std::size_t>(size)}}};
    }
    [[nodiscard]] std::vector<std::size_t> any_pages(std::size_t count) {
        std::vector<std::size_t> order(machine::data_pages);
        std::iota(order.begin(), order.end(), std::size_t{0});
        for (u64 left = random_.below(random_.chance(50) ? 4 : 2 * order.size()); left != 0; --left) {
            std::swap(order[random_.below(order.size())], order[random_.below(order.size())]);
        }
        std::size_t const first = static_cast<std::size_t>(random_.below(order.size() - count + 1));
        return {order.begin() + static_cast<std::ptrdiff_t>(first),
                order.begin() + static_cast<std::ptrdiff_t>(first + count)};
    }
    [[nodiscard]] std::vector<usize> numbers_of(std::vector<std::size_t> const& pages) {
        std::vector<usize> numbers;
        for (std::size_t const i : pages) {
            numbers.push_back(static_cast<usize>(there().system_pages[i]));
        }
        return numbers;
    }

    /// Operations 0 and 7: segment to segment, or to and from pages.
    void move_physical(paging_operation operation) {
        u64 const unit = known().copy_unit;
        u64 const size = any_size(unit, 56);
        u64 const from = random_.multiple(unit, there().where.data_bytes - size);
        u64 const kind = random_.below(3);
        request r;
        r.operation = operation;
        r.size = size;
        side a = in_segment(from, size);
        side b;
        if (kind == 0) {
            b = in_segment(random_.multiple(unit, there().where.data_bytes - size), size);
            if (!disjoint(a.where, b.where)) {
                return;
            }
        } else {
            r.skip = operation == paging_operation::transfer ? static_cast<u32>(random_.below(4)) : 0;
            auto const pages = any_pages(static_cast<std::size_t>(pages_of(size)) + r.skip);
            b.end.pages = numbers_of(pages);
            for (u64 done = 0; done < size; done += page_bytes) {
                b.where.push_back({1 + pages[static_cast<std::size_t>(r.skip + done / page_bytes)], 0,
                                   static_cast<std::size_t>(lesser<u64>(page_bytes, size - done))});
            }
        }
        if (kind == 2) {
            std::swap(a, b);
        }
        r.from = a.end;
        r.to = b.end;
        passes_.model_.write(b.where, passes_.model_.read(a.where));
        judge(r, b.where, say("operation ", static_cast<u32>(operation), " of ", size, " bytes, kind ", kind));
    }

    /// Operation 1.
    void fill_physical() {
        u64 const size = any_size(known().fill_unit, 64);
        u64 const to = random_.multiple(known().fill_unit, there().where.data_bytes - size);
        request r;
        r.operation = paging_operation::fill;
        r.segment = memory_id.n;
        r.address = there().where.segment_base + to;
        r.size = size;
        r.value = any_pattern();
        stretches const target = in_segment(to, size).where;
        passes_.model_.write(target, repeated(static_cast<u32>(r.value), size));
        judge(r, target, say("a fill of ", size, " bytes at ", as_hex{to}));
    }

    /// Operations 2, 3 and 4.
    void touch(paging_operation operation) {
        u64 const unit = operation == paging_operation::discard_content ? page_bytes : 1;
        u64 const place = random_.multiple(unit, there().where.data_bytes - page_bytes);
        request r;
        r.operation = operation;
        r.segment = memory_id.n;
        r.address = there().where.segment_base + place;
        if (passes_.run(r, say("operation ", static_cast<u32>(operation), " at ", as_hex{place})) &&
            operation == paging_operation::write_physical) {
            // What is written is arbitrary (OP03-01); where, is not.
            passes_.model_.accept({{0, static_cast<std::size_t>(place), 8}});
        }
    }

    /// Operations 5 and 17: pages of an MDL or an ADL behind entries of the aperture; 6 puts the dummy page there.
    void map_aperture() {
        bool const old_form = reachable(known().caps, paging_operation::map_aperture_segment);
        bool const new_form = takes(paging_operation::map_aperture_segment2);
        if ((!old_form && !new_form) || !takes(paging_operation::unmap_aperture_segment)) {
            return;
        }
        request r;
        r.segment = aperture_id.n;
        r.size = 1 + random_.below(24);
        r.offset = random_.below(mapped_.size() - r.size + 1);
        r.set = random_.chance(50);
        bool const unmap = random_.chance(35);
        std::vector<u64> pages(static_cast<std::size_t>(r.size));
        if (unmap) {
            r.operation = paging_operation::unmap_aperture_segment;
            pages.assign(pages.size(), there().system_pages[random_.below(machine::data_pages)]);
            r.address = pages[0] * page_bytes;
        } else {
            r.operation = new_form && (!old_form || random_.chance(50)) ? paging_operation::map_aperture_segment2
                                                                        : paging_operation::map_aperture_segment;
            r.skip = static_cast<u32>(random_.below(4));
            std::vector<std::size_t> chosen = any_pages(static_cast<std::size_t>(r.size) + r.skip);
            if (r.operation == paging_operation::map_aperture_segment2 && random_.chance(40)) {
                // A contiguous list: eight pages stand in a row at most.
                r.contiguous = true;
                r.size = 1 + random_.below(4);
                r.offset = random_.below(mapped_.size() - r.size + 1);
                chosen.resize(static_cast<std::size_t>(r.size) + r.skip);
                pages.resize(static_cast<std::size_t>(r.size));
                std::iota(chosen.begin(), chosen.end(),
                          static_cast<std::size_t>(random_.multiple(8, machine::data_pages - 8)));
            }
            r.pages = numbers_of(chosen);
            for (std::size_t i = 0; i != pages.size(); ++i) {
                pages[i] = r.pages[i + r.skip];
            }
        }
        bool const alone = !passes_.filling() && random_.chance(30);
        std::string const what =
            say("operation ", static_cast<u32>(r.operation), " of ", r.size, " entries from ", r.offset);
        if (!passes_.run(r, what, alone)) {
            return;
        }
        for (std::size_t i = 0; i != pages.size(); ++i) {
            mapped_[static_cast<std::size_t>(r.offset) + i] = pages[i];
        }
        if (alone) {
            passes_.hw_.forget_aperture();
        }
        check_aperture(what);
    }

    /// A range of the aperture, and the system pages behind it; nothing where one is not mapped, or is there twice.
    [[nodiscard]] std::optional<side> some_of_aperture(u64 size, u64 unit) {
        u64 const first = random_.multiple(unit, mapped_.size() * page_bytes - size);
        side s{{aperture_id, there().where.aperture_base + first, {}}, {}};
        for (u64 done = 0; done != size;) {
            auto const page = mapped_[static_cast<std::size_t>((first + done) / page_bytes)];
            if (!page) {
                return std::nullopt;
            }
            u64 const within = (first + done) % page_bytes;
            u64 const n = lesser(size - done, page_bytes - within);
            auto const at = std::find(there().system_pages.begin(), there().system_pages.end(), *page);
            std::size_t const part = 1 + static_cast<std::size_t>(at - there().system_pages.begin());
            if (std::any_of(s.where.begin(), s.where.end(), [&](stretch const& x) { return x.part == part; })) {
                return std::nullopt;
            }
            s.where.push_back({part, static_cast<std::size_t>(within), static_cast<std::size_t>(n)});
            done += n;
        }
        return s;
    }
    /// Operation 0 between the aperture and the segment, in either direction.
    void move_aperture() {
        if (!known().aperture_moves || !takes(paging_operation::transfer)) {
            return;
        }
        u64 const unit = known().copy_unit;
        for (int tries = 0; tries != 10; ++tries) {
            u64 const size = any_size(unit, 8);
            std::optional<side> a = some_of_aperture(size, unit);
            if (!a) {
                continue;
            }
            side b = in_segment(random_.multiple(unit, there().where.data_bytes - size), size);
            if (random_.chance(50)) {
                std::swap(*a, b);
            }
            request r;
            r.operation = paging_operation::transfer;
            r.size = size;
            r.from = a->end;
            r.to = b.end;
            passes_.model_.write(b.where, passes_.model_.read(a->where));
            ++through_aperture_;
            return judge(r, b.where, say("a transfer of ", size, " bytes, one side the aperture"));
        }
    }

    /// Operations that depend on each other, in one buffer: nothing has been executed when the next is built.
    void move_in_one_buffer() {
        passes_.begin_buffer();
        for (u64 left = 3 + random_.below(6); left != 0; --left) {
            u64 const kind = random_.below(8);
            if (kind < 2 && takes(paging_operation::virtual_transfer)) {
                move_virtual();
            } else if (kind == 2 && takes(paging_operation::virtual_fill)) {
                fill_virtual();
            } else if (kind == 3 && takes(paging_operation::transfer)) {
                move_physical(paging_operation::transfer);
            } else if (kind == 4 && takes(paging_operation::fill)) {
                fill_physical();
            } else {
                kind == 5 ? map_aperture() : move_aperture();
            }
        }
        passes_.end_buffer("several operations in one buffer");
        check_aperture("several operations in one buffer");
        ++shared_buffers_;
    }

    unsigned through_aperture_ = 0;
    unsigned shared_buffers_ = 0;

    void check_aperture(std::string const& what) {
        if (passes_.filling()) {
            return;
        }
        for (std::size_t i = 0; i != mapped_.size(); ++i) {
            if (mapped_[i]) {
                auto const found = passes_.hw_.aperture_page(i);
                passes_.fail_unless(found == mapped_[i], say(what, ": entry ", i, " leads to ",
                                                             as_hex{found.value_or(0)}, ", not ", as_hex{*mapped_[i]}));
            }
        }
    }
};

}  // namespace sequences
