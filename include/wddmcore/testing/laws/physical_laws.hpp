// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../paging/operations.hpp"
#include "memory_laws.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing::law_parts {

/// The laws over memory that is named by segments and page lists: operations 0 to 4 and 7.
template <class Hw, class Args, class Build>
class physical_laws : memory_laws_base<Hw, Args, Build> {
    using base = memory_laws_base<Hw, Args, Build>;
    using typename base::stretches;

public:
    physical_laws(Hw& hw, law_memory const& memory, law_options const& options, law_report& report, Build const& build)
        : base(hw, memory, options, report, build, 0x5E67) {}

    void check() {
        if (!add_memory()) {
            return;
        }
        for (unsigned i = 0; i < this->options_.rounds; ++i) {
            transfer(paging_operation::transfer);
            if constexpr (reachable(Hw::caps, paging_operation::special_lock_transfer)) {
                transfer(paging_operation::special_lock_transfer);
            }
            move_over_itself();
            round_trip();
            fill();
            if constexpr (hw::swizzle_copy_engine<Hw>) {
                layout_round_trip();
            }
            if constexpr (reachable(Hw::caps, paging_operation::write_physical)) {
                access();
            }
            discard();
        }
        u64 const half = round_down(range() / 2, page_bytes);
        auto const first = this->hw_.from_segment(part().id, part().first);
        auto const second = this->hw_.from_segment(part().id, part().first + bytes{half});
        this->check_largest(first, second, 0, half, range() - half);
        this->check_padding(first, second, {{0, static_cast<std::size_t>(half), page_bytes}});
    }

private:
    [[nodiscard]] law_memory::segment_part const& part() const { return this->memory_.segment; }
    [[nodiscard]] u64 range() const { return part().size.n; }

    /// Part 0 of the model is the segment, part 1 + i is page i.
    [[nodiscard]] bool add_memory() {
        if (part().size.n < 16 * page_bytes || this->memory_.system_pages.size() < 8 ||
            !this->model_.add(say("segment ", part().id.n), part().bus_address, range(), this->random_)) {
            return false;
        }
        bool there = true;
        for (law_memory::page const& page : this->memory_.system_pages) {
            if (page.number.n > last_page<Hw>()) {
                this->report_.leave_out({law::copies_arrive, "requests by segments and pages",
                                         say("page ", as_hex{page.number.n}, " of what the laws may play with lies ",
                                             "above `highest_visible_address`")});
                return false;
            }
            there &= this->model_.add(say("page ", as_hex{page.number.n}), page.bus_address, page_bytes, this->random_);
        }
        return there;
    }

    /// One side of a transfer, as the request and as the model see it.
    struct side {
        transfer_end end;
        stretches where;
        u64 place = 0;  ///< bytes from the start of the segment's part
    };

    [[nodiscard]] side in_segment(u64 place, u64 size, u32 offset) const {
        u64 const start = this->hw_.place(part().id).base.n + part().first.n;
        return {{part().id, start + place - offset, {}},
                {{0, static_cast<std::size_t>(place), static_cast<std::size_t>(size)}},
                place};
    }

    /// The side on pages `first` to the end of `order`; pages before it are for MdlOffset to skip.
    [[nodiscard]] side on_pages(std::vector<std::size_t> const& order, std::size_t skip, u64 size) const {
        side s;
        for (std::size_t const i : order) {
            s.end.pages.push_back(static_cast<usize>(this->memory_.system_pages[i].number.n));
        }
        for (u64 done = 0; done < size; done += page_bytes) {
            s.where.push_back(
                {1 + order[skip + done / page_bytes], 0, static_cast<std::size_t>(lesser(page_bytes, size - done))});
        }
        return s;
    }

    /// All pages, in blocks that keep their order, the blocks shuffled: runs of every length.
    [[nodiscard]] std::vector<std::size_t> any_order() {
        std::size_t const count = this->memory_.system_pages.size();
        std::vector<std::vector<std::size_t>> blocks;
        u64 const longest = this->random_.chance(20) ? count : 1 + this->random_.below(6);
        for (std::size_t i = 0; i < count;) {
            std::size_t const n = std::min<std::size_t>(count - i, 1 + this->random_.below(longest));
            blocks.emplace_back();
            for (std::size_t k = 0; k < n; ++k) {
                blocks.back().push_back(i++);
            }
        }
        std::vector<std::size_t> order;
        while (!blocks.empty()) {
            auto const at = blocks.begin() + static_cast<std::ptrdiff_t>(this->random_.below(blocks.size()));
            order.insert(order.end(), at->begin(), at->end());
            blocks.erase(at);
        }
        return order;
    }

    /// What is added to segment addresses: any number that the place allows (OP00-02).
    [[nodiscard]] u32 any_offset(u64 place) { return static_cast<u32>(this->random_.below(place + 1)); }

    void judge(paging_operation operation, side const& from, side const& to, u32 offset, u64 size, u32 mdl_offset,
               law arrives) {
        transfer_arguments<Args> request(operation, from.end, to.end, offset, size, mdl_offset);
        this->model_copy(from.where, to.where);
        this->judge_request(request.args, to.where, size, arrives,
                            say("a ", name(operation), " of ", size, " bytes from ", text(from), " to ", text(to),
                                ", TransferOffset ", offset, ", MdlOffset ", mdl_offset));
    }

    [[nodiscard]] static std::string text(side const& s) {
        return s.end.segment.n != 0 ? say("segment ", s.end.segment.n, " + ", as_hex{s.place})
                                    : say(s.where.size(), " pages from ", as_hex{s.end.pages.front()}, " on");
    }

    /// Between any two sides.
    void transfer(paging_operation operation) {
        u64 const unit = copy_unit(this->hw_).n;
        u64 const count = this->memory_.system_pages.size();
        bool const from_pages = this->random_.chance(50);
        bool const to_pages = this->random_.chance(50);
        bool const with_offset = operation == paging_operation::transfer;
        u32 const skip = with_offset ? static_cast<u32>(this->random_.below(4)) : 0;
        u64 const pages_each = from_pages && to_pages ? count / 2 : count;
        u64 const most = from_pages || to_pages ? (pages_each - skip) * page_bytes : range() / 2;
        u64 const size = this->any_size(unit, lesser(most, range()));
        u64 const from = this->random_.multiple(unit, range() - size);
        u64 const to = this->random_.multiple(unit, range() - size);
        if (!from_pages && !to_pages && !this->may_move(from, to, size)) {
            return;
        }
        u32 const offset = any_offset(from_pages ? to : to_pages ? from : lesser(from, to));
        std::vector<std::size_t> order = any_order();
        std::vector<std::size_t> rest = order;
        if (from_pages && to_pages) {
            // Different pages on both sides: a page that is copied over itself is no request.
            rest.assign(order.begin() + static_cast<std::ptrdiff_t>(count / 2), order.end());
            order.resize(count / 2);
        }
        side const source = from_pages ? on_pages(order, skip, size) : in_segment(from, size, offset);
        side const target = to_pages ? on_pages(rest, skip, size) : in_segment(to, size, offset);
        law const arrives = from_pages || to_pages ? law::copies_arrive : this->move_law(from, to, size);
        judge(operation, source, target, offset, size, skip, arrives);
    }

    /// From one place of the segment to another that overlaps it.
    void move_over_itself() {
        auto const s = this->any_shift(copy_unit(this->hw_).n, range());
        u32 const offset = any_offset(lesser(s.from, s.to));
        judge(paging_operation::transfer, in_segment(s.from, s.size, offset), in_segment(s.to, s.size, offset), offset,
              s.size, 0, law::overlap_as_promised);
    }

    /// Out to pages and back to another place of the segment: eviction and commit.
    void round_trip() {
        u64 const unit = copy_unit(this->hw_).n;
        u64 const size = this->any_size(unit, lesser(range() / 2, this->memory_.system_pages.size() * page_bytes));
        u64 const from = this->random_.multiple(unit, range() - size);
        u64 const back = this->random_.multiple(unit, range() - size);
        std::vector<std::size_t> const order = any_order();
        u32 const out = any_offset(from);
        u32 const in = any_offset(back);
        side const outside = on_pages(order, 0, size);
        judge(paging_operation::transfer, in_segment(from, size, out), outside, out, size, 0, law::copies_arrive);
        judge(paging_operation::transfer, outside, in_segment(back, size, in), in, size, 0, law::copies_arrive);
    }

    void fill() {
        u64 const unit = fill_unit(this->hw_).n;
        u64 const size = this->any_size(unit, range());
        u64 const to = this->random_.multiple(unit, range() - size);
        u32 const pattern = this->any_pattern();
        Args args = request_of<Args>(paging_operation::fill);
        args.Fill = {};
        args.Fill.FillSize = static_cast<usize>(size);
        args.Fill.FillPattern = pattern;
        args.Fill.Destination.SegmentId = part().id.n;
        args.Fill.Destination.SegmentAddress.QuadPart =
            static_cast<i64>(this->hw_.place(part().id).base.n + part().first.n + to);
        stretches const target{{0, static_cast<std::size_t>(to), static_cast<std::size_t>(size)}};
        this->model_.write(target, this->repeated(pattern, size));
        this->judge_request(
            args, target, size, law::fills_arrive,
            say("a fill of ", size, " bytes at segment ", part().id.n, " + ", as_hex{to}, " with ", as_hex{pattern}));
    }

    /// Through a layout change to the segment and back to other pages: the bytes must be what they were (OP00-08).
    void layout_round_trip() {
        u64 const unit = copy_unit(this->hw_).n;
        u64 const half = this->memory_.system_pages.size() / 2;
        if (this->options_.allocation == nullptr) {
            return;
        }
        u64 const size = this->any_size(unit, lesser(range(), half * page_bytes));
        u64 const place = round_down(this->random_.below(range() - size + 1), unit);
        u32 const offset = any_offset(place);
        std::vector<std::size_t> order = any_order();
        std::vector<std::size_t> const rest(order.begin() + static_cast<std::ptrdiff_t>(half), order.end());
        order.resize(static_cast<std::size_t>(half));
        side const linear = on_pages(order, 0, size);
        side const swizzled = in_segment(place, size, offset);
        side const again = on_pages(rest, 0, size);
        std::string const what =
            say("a layout change of ", size, " bytes at segment ", part().id.n, " + ", as_hex{place});

        static_cast<void>(this->model_.scramble(linear.where, this->random_));
        transfer_arguments<Args> out(paging_operation::transfer, linear.end, swizzled.end, offset, size, 0);
        out.args.Transfer.hAllocation = this->options_.allocation;
        out.args.Transfer.Flags.Swizzle = 1;
        driven const there = this->driver_.drive(out.args, what);
        this->model_.accept(swizzled.where);  // what the layout is, only the hardware knows
        this->finish(there, swizzled.where, size, law::layouts_return, what);

        transfer_arguments<Args> in(paging_operation::transfer, swizzled.end, again.end, offset, size, 0);
        in.args.Transfer.hAllocation = this->options_.allocation;
        in.args.Transfer.Flags.Unswizzle = 1;
        this->model_.write(again.where, this->model_.read(linear.where));
        this->judge_request(in.args, again.where, size, law::layouts_return, what + " and back");
    }

    /// Operations 3 and 4 at any byte of the part.
    void access() {
        u64 const place = this->random_.below(range());
        u64 const address = this->hw_.place(part().id).base.n + part().first.n + place;
        Args read = request_of<Args>(paging_operation::read_physical);
        read.ReadPhysical = {};
        read.ReadPhysical.SegmentId = part().id.n;
        read.ReadPhysical.PhysicalAddress.QuadPart = static_cast<i64>(address);
        std::string const at = say("segment ", part().id.n, " + ", as_hex{place});
        static_cast<void>(this->driver_.drive(read, "a physical read of " + at));
        this->compare({}, law::access_in_place, "a physical read of " + at);

        Args write = request_of<Args>(paging_operation::write_physical);
        write.WritePhysical = {};
        write.WritePhysical.SegmentId = part().id.n;
        write.WritePhysical.PhysicalAddress.QuadPart = static_cast<i64>(address);
        static_cast<void>(this->driver_.drive(write, "a physical write of " + at));
        this->model_.accept(
            {{0, static_cast<std::size_t>(place), static_cast<std::size_t>(lesser<u64>(8, range() - place))}});
        auto const wrong = this->model_.compare({});
        this->report_.judge(law::access_in_place, !wrong,
                            [&] { return say("a physical write of ", at, " changes ", wrong->place); });
    }

    /// Operation 2: whatever it does, it does it to what the hardware keeps, and to the allocation's own bytes at most.
    void discard() {
        u64 const place = this->random_.multiple(page_bytes, range() - page_bytes);
        Args args = request_of<Args>(paging_operation::discard_content);
        args.DiscardContent = {};
        args.DiscardContent.hAllocation = this->random_.chance(30) ? nullptr : this->options_.allocation;
        args.DiscardContent.Flags.AllocationIsIdle = 1;
        args.DiscardContent.SegmentId = part().id.n;
        args.DiscardContent.SegmentAddress.QuadPart =
            static_cast<i64>(this->hw_.place(part().id).base.n + part().first.n + place);
        std::string const what = say("a discard at segment ", part().id.n, " + ", as_hex{place});
        static_cast<void>(this->driver_.drive(args, what));
        stretches const own{{0, static_cast<std::size_t>(place), static_cast<std::size_t>(range() - place)}};
        this->model_.accept(own);
        this->compare(own, law::nothing_else_changes, what);
    }
};

}  // namespace wddmcore::testing::law_parts
