// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "world.hpp"

#include <numeric>

namespace sequences {

/// The operations that move bytes: through the paging process's tables, by segments and page lists.
class moves : public world {
public:
    using world::world;

protected:
    /// How far a move goes whose two places overlap: at least a page, as allocations move (OP08-07).
    [[nodiscard]] u64 any_distance(u64 unit) {
        return (1 + random_.below(4)) * page_bytes +
               (random_.chance(50) ? random_.multiple(unit, page_bytes - unit) : 0);
    }

    /// `size` bytes of a window from `first` on.
    [[nodiscard]] static stretches part_of(stretches const& all, u64 first, u64 size) {
        stretches part;
        for (stretch const& s : all) {
            u64 const skipped = lesser<u64>(first, s.size);
            u64 const taken = lesser<u64>(size, s.size - skipped);
            if (taken != 0) {
                part.push_back({s.part, s.offset + static_cast<std::size_t>(skipped), static_cast<std::size_t>(taken)});
            }
            first -= skipped;
            size -= taken;
        }
        return part;
    }

    /// Operation 8 by less than its size: what is read later must not be overwritten before (OP08-07).
    void slide_virtual() {
        u64 const unit = known().copy_unit;
        u64 const size = any_size(unit, 24, 50);
        u64 const distance = any_distance(unit);
        auto const all = distance < size ? some_window(size + distance, unit, true) : std::nullopt;
        if (!all) {
            return;
        }
        bool const up = random_.chance(50);
        request r;
        r.operation = paging_operation::virtual_transfer;
        r.size = size;
        r.source = all->va + (up ? 0 : distance);
        r.address = all->va + (up ? distance : 0);
        stretches const to = part_of(all->where, up ? distance : 0, size);
        passes_.model_.write(to, passes_.model_.read(part_of(all->where, up ? 0 : distance, size)));
        passes_.meet(up ? shape::overlap_upwards : shape::overlap_downwards);
        judge(r, to, say("a virtual transfer of ", size, " bytes from ", as_hex{r.source}, " to ", as_hex{r.address}),
              random_.chance(50) ? buffers::smallest : buffers::always);
    }

    /// Operation 8.
    void move_virtual() {
        if (random_.chance(25)) {
            return slide_virtual();
        }
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
        u64 const size = any_size(unit, 56, 60);
        u64 const from = random_.multiple(unit, there().where.data_bytes - size);
        u64 const kind = random_.below(3);
        request r;
        r.operation = operation;
        r.size = size;
        side a = in_segment(from, size);
        side b;
        if (kind == 0) {
            u64 const distance = any_distance(unit);
            u64 to = random_.multiple(unit, there().where.data_bytes - size);
            if (distance < size && random_.chance(50)) {
                to = from >= distance ? from - distance : from + distance;
                to = random_.chance(50) && from + distance + size <= there().where.data_bytes ? from + distance : to;
            }
            if (to > there().where.data_bytes - size) {
                return;
            }
            b = in_segment(to, size);
            if (!disjoint(a.where, b.where)) {
                // Closer than a page is what the hook hears of, or one command: no allocation moves that little.
                if ((to > from ? to - from : from - to) < page_bytes) {
                    return;
                }
                passes_.meet(to > from ? shape::overlap_upwards : shape::overlap_downwards);
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
        may_be_in_use(r);
        std::string const what = say("operation ", static_cast<u32>(operation), " of ", size, " bytes, kind ", kind);
        if (!passes_.filling() && random_.chance(10)) {
            r.size = 0;
            passes_.meet(shape::nothing_to_move);
            passes_.run(r, what + ", of which nothing is left", random_.chance(50) ? buffers::never : buffers::always);
            return;
        }
        take_offset(r, unit);
        passes_.model_.write(b.where, passes_.model_.read(a.where));
        judge(r, b.where, what, r.idle ? buffers::always : buffers::smallest);
    }
    /// Its allocation may be in use: then it is, or another one.
    void may_be_in_use(request& r) {
        r.allocation = passes_.hw_.handle(random_.next());
        r.idle = random_.chance(40);
        r.in_use = random_.chance(40);
    }
    /// Says a part of where the segment's sides are by TransferOffset, which counts for them only (OP00-02).
    void take_offset(request& r, u64 unit) {
        u64 least = ~u32{0};
        for (law_parts::transfer_end const* end : {&r.from, &r.to}) {
            least = end->segment.n != 0 ? lesser(least, end->address - there().where.segment_base) : least;
        }
        if (least < unit || random_.chance(60)) {
            return;
        }
        r.offset = random_.multiple(unit, least);
        passes_.meet(shape::sub_transfer);
        for (law_parts::transfer_end* end : {&r.from, &r.to}) {
            end->address -= end->segment.n != 0 ? r.offset : 0;
        }
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
        if (operation == paging_operation::discard_content) {
            may_be_in_use(r);
        }
        if (passes_.run(r, say("operation ", static_cast<u32>(operation), " at ", as_hex{place})) &&
            operation == paging_operation::write_physical) {
            // What is written is arbitrary (OP03-01); where, is not.
            passes_.model_.accept({{0, static_cast<std::size_t>(place), 8}});
        }
    }
};

}  // namespace sequences
