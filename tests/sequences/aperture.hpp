// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "moves.hpp"

namespace sequences {

/// The aperture: what its entries lead to, bytes that move through it, and both in one buffer with other operations.
class aperture_moves : public moves {
public:
    using moves::moves;

protected:
    /// Operations 5 and 17: pages of an MDL or an ADL behind entries of the aperture; 6 puts the dummy page there.
    void map_aperture() {
        bool const old_form = reachable(known().caps, paging_operation::map_aperture_segment);
        bool const new_form = takes(paging_operation::map_aperture_segment2);
        if ((!old_form && !new_form) || !takes(paging_operation::unmap_aperture_segment)) {
            return;
        }
        request r;
        r.segment = aperture_id.n;
        r.size = 1 + random_.below(random_.chance(70) ? 24 : 60);
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
        buffers const which = any_buffers(true);
        std::string const what =
            say("operation ", static_cast<u32>(r.operation), " of ", r.size, " entries from ", r.offset);
        if (!passes_.run(r, what, which)) {
            return;
        }
        for (std::size_t i = 0; i != pages.size(); ++i) {
            mapped_[static_cast<std::size_t>(r.offset) + i] = pages[i];
        }
        if (which != buffers::always) {
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
