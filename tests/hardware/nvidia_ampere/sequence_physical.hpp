// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "sequence_aperture.hpp"

namespace paging_sequence {

/// Operations 0 to 4 and 7: memory named by segments, page lists and the aperture.
template <class Rig>
class physical_moves : protected aperture_moves<Rig> {
protected:
    using base = aperture_moves<Rig>;
    using typename base::arguments;
    using typename base::hardware;
    using base::base;

    struct side {
        law_parts::transfer_end end;
        stretches where;
    };

    /// A part of the segment, as the request and as the model see it.
    [[nodiscard]] side in_segment(u64 place, u64 size, u32 offset) const {
        u64 const start = this->rig_.hw.place(this->part().id).base.n + this->part().first.n;
        return {{this->part().id, start + place - offset, {}},
                {{0, static_cast<std::size_t>(place), static_cast<std::size_t>(size)}}};
    }

    /// System pages, by their indices, the first `skip` of them outside of the transfer.
    [[nodiscard]] side on_pages(std::vector<std::size_t> const& order, std::size_t skip, u64 size) const {
        side s;
        for (std::size_t const i : order) {
            s.end.pages.push_back(static_cast<usize>(this->rig_.play.system_pages[i].number.n));
        }
        for (u64 done = 0; done < size; done += page_bytes) {
            s.where.push_back(
                {1 + order[skip + done / page_bytes], 0, static_cast<std::size_t>(lesser(page_bytes, size - done))});
        }
        return s;
    }

    /// Mapped pages of the aperture from an entry on; fewer bytes when fewer are mapped.
    [[nodiscard]] std::optional<side> in_aperture(std::size_t entry, u64& size) {
        auto const& aperture = this->rig_.play.aperture;
        std::size_t count = 0;
        while (entry + count < this->mapped_.size() && this->mapped_[entry + count]) {
            ++count;
        }
        if (count == 0) {
            return std::nullopt;
        }
        size = lesser<u64>(size, count * page_bytes);
        side s;
        s.end.segment = aperture.id;
        s.end.address = this->rig_.hw.place(aperture.id).base.n + (aperture.first + entry) * page_bytes;
        for (u64 done = 0; done < size; done += page_bytes) {
            s.where.push_back({1 + *this->mapped_[entry + done / page_bytes], 0,
                               static_cast<std::size_t>(lesser(page_bytes, size - done))});
        }
        return s;
    }

    /// Segment to segment, to and from pages, and to and from pages that the aperture shows.
    void move(paging_operation operation) {
        constexpr u64 unit = hardware::copy_alignment.n;
        u64 size = this->any_size(unit, (this->page_count() - 4) * page_bytes);
        u64 from = this->random_.multiple(unit, this->part().size.n - size);
        u64 const kind = this->random_.below(5);
        bool const is_transfer = operation == paging_operation::transfer;
        u32 const skip = is_transfer && (kind == 1 || kind == 2) ? static_cast<u32>(this->random_.below(4)) : 0;
        u64 to = 0;
        side source;
        side target;
        u32 offset = 0;
        if (kind == 0) {
            if (!this->any_places(unit, this->part().size.n, size, from, to)) {
                return;
            }
            offset = static_cast<u32>(this->random_.below(lesser(from, to) + 1));
            source = in_segment(from, size, offset);
            target = in_segment(to, size, offset);
        } else if (kind <= 2) {
            offset = static_cast<u32>(this->random_.below(from + 1));
            source = in_segment(from, size, offset);
            target = on_pages(this->any_pages(), skip, size);
        } else {
            // TransferOffset would move the aperture's side too, and the entries before it need not be mapped.
            auto const shown = in_aperture(this->random_.below(this->mapped_.size()), size);
            if (!shown) {
                return;
            }
            source = in_segment(from, size, 0);
            target = *shown;
        }
        if (kind == 2 || kind == 4) {
            std::swap(source, target);
        }
        this->renew(source.where);
        this->model_.write(target.where, this->model_.read(source.where));
        law_parts::transfer_arguments<arguments> request(operation, source.end, target.end, offset, size, skip);
        this->judge(request.args, target.where,
                    say("operation ", static_cast<u32>(operation), " of ", size, " bytes, kind ", kind, ", from ",
                        as_hex{from}));
    }

    void fill_segment() {
        constexpr u64 unit = hardware::fill_alignment.n;
        u64 const size = this->any_size(unit, this->part().size.n / 4);
        u64 const to = this->random_.multiple(unit, this->part().size.n - size);
        arguments args = law_parts::request_of<arguments>(paging_operation::fill);
        args.Fill = {};
        args.Fill.FillSize = static_cast<usize>(size);
        args.Fill.FillPattern = this->any_pattern();
        args.Fill.Destination.SegmentId = this->part().id.n;
        args.Fill.Destination.SegmentAddress.QuadPart =
            static_cast<i64>(this->rig_.hw.place(this->part().id).base.n + this->part().first.n + to);
        stretches const target{{0, static_cast<std::size_t>(to), static_cast<std::size_t>(size)}};
        this->model_.write(target, this->repeated(args.Fill.FillPattern, size));
        this->judge(args, target, say("a fill of ", size, " bytes at ", as_hex{to}));
    }

    void access() {
        u64 const place = this->random_.below(this->part().size.n);
        auto const address =
            static_cast<i64>(this->rig_.hw.place(this->part().id).base.n + this->part().first.n + place);
        if (this->random_.chance(50)) {
            arguments args = law_parts::request_of<arguments>(paging_operation::read_physical);
            args.ReadPhysical = {};
            args.ReadPhysical.SegmentId = this->part().id.n;
            args.ReadPhysical.PhysicalAddress.QuadPart = address;
            this->judge(args, {}, say("a read at ", as_hex{place}));
            return;
        }
        arguments args = law_parts::request_of<arguments>(paging_operation::write_physical);
        args.WritePhysical = {};
        args.WritePhysical.SegmentId = this->part().id.n;
        args.WritePhysical.PhysicalAddress.QuadPart = address;
        if (this->carry_out(args, say("a write at ", as_hex{place}))) {
            // What is written is arbitrary (OP03-01); where, is not.
            this->model_.accept({{0, static_cast<std::size_t>(place),
                                  static_cast<std::size_t>(lesser<u64>(8, this->part().size.n - place))}});
            this->compare({}, say("a write at ", as_hex{place}));
        }
    }

    void discard() {
        arguments args = law_parts::request_of<arguments>(paging_operation::discard_content);
        args.DiscardContent = {};
        args.DiscardContent.Flags.AllocationIsIdle = 1;
        args.DiscardContent.SegmentId = this->part().id.n;
        args.DiscardContent.SegmentAddress.QuadPart =
            static_cast<i64>(this->rig_.hw.place(this->part().id).base.n + this->part().first.n +
                             this->random_.multiple(page_bytes, this->part().size.n - page_bytes));
        this->judge(args, {}, "a discard");
    }
};

}  // namespace paging_sequence
