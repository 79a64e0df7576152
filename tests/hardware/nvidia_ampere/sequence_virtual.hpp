// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "sequence_physical.hpp"

namespace paging_sequence {

/// Operations 8 and 9, and what lies behind the process's addresses: pages of every size that change while it runs.
template <class Rig>
class virtual_moves : protected physical_moves<Rig> {
protected:
    using base = physical_moves<Rig>;
    using typename base::arguments;
    using typename base::hardware;
    using base::base;

    // The window: a 2-MiB page, eight 64-KiB pages of the segment, then 4-KiB pages of the segment and of the system.
    static constexpr std::size_t large_pages = 512;
    static constexpr std::size_t blocks = 8;
    static constexpr std::size_t block_pages = 16;
    static constexpr std::size_t small_first = large_pages + blocks * block_pages;
    static constexpr std::size_t small_pages = 64;

    [[nodiscard]] static u64 address_of(std::size_t page) { return Rig::window_virtual + page * page_bytes; }

    void map_page(std::size_t page, unsigned page_lg2) {
        stretch const& s = places_[page];
        u64 const physical =
            s.part == 0 ? Rig::segment_first + s.offset : byte_address(this->rig_.play.system_pages[s.part - 1].number);
        this->rig_.map(address_of(page), page_lg2, s.part != 0, physical);
    }

    void map_window() {
        for (std::size_t i = 0; i != small_first; ++i) {
            places_.push_back({0, i * page_bytes, page_bytes});
        }
        for (std::size_t i = 0; i != small_pages; ++i) {
            std::size_t const page = i % 3 == 2 ? 0 : 1 + i / 3 * 2 + i % 3;  // two of three are pages of the system
            places_.push_back(page == 0 || page > this->page_count()
                                  ? stretch{0, (small_first + i) * page_bytes, page_bytes}
                                  : stretch{page, 0, page_bytes});
        }
        map_page(0, 21);
        for (std::size_t b = 0; b != blocks; ++b) {
            map_page(large_pages + b * block_pages, 16);
        }
        for (std::size_t i = small_first; i != places_.size(); ++i) {
            map_page(i, 12);
        }
        check_window("the first mapping");
    }

    /// Other memory behind addresses: two pages change places, a 64-KiB page becomes sixteen small ones, or back.
    void remap() {
        ++remaps_;
        if (this->random_.chance(40)) {
            std::size_t const a = small_first + this->random_.below(small_pages);
            std::size_t const b = small_first + this->random_.below(small_pages);
            std::swap(places_[a], places_[b]);
            map_page(a, 12);
            map_page(b, 12);
            return check_window("two small pages that change places");
        }
        std::size_t const a = this->random_.below(blocks);
        std::size_t const b = this->random_.below(blocks);
        auto const first = [this](std::size_t block) {
            return places_.begin() + static_cast<std::ptrdiff_t>(large_pages + block * block_pages);
        };
        unmap_block(a);
        if (a != b) {
            unmap_block(b);
            std::swap_ranges(first(a), first(a) + block_pages, first(b));
            map_block(b, this->random_.chance(50));
        }
        map_block(a, this->random_.chance(50));
        check_window(say("blocks ", a, " and ", b));
    }

    void unmap_block(std::size_t block) {
        std::size_t const page = large_pages + block * block_pages;
        if (!split_[block]) {
            this->rig_.unmap(address_of(page), 16);
        }
        for (std::size_t i = 0; split_[block] && i != block_pages; ++i) {
            this->rig_.unmap(address_of(page + i), 12);
        }
        this->fail_unless(!this->rig_.mmu.walk(address_of(page)).ok(),
                          say("block ", block, " is unmapped and still there"));
        split_[block] = false;
    }
    void map_block(std::size_t block, bool split) {
        std::size_t const page = large_pages + block * block_pages;
        split_[block] = split;
        for (std::size_t i = 0; split && i != block_pages; ++i) {
            map_page(page + i, 12);
        }
        if (!split) {
            map_page(page, 16);
        }
    }

    /// Every page of the window leads where the model says.
    void check_window(std::string const& what) {
        for (std::size_t i = 0; i != places_.size(); ++i) {
            stretch const& s = places_[i];
            u64 const expected =
                (s.part == 0 ? this->part().bus_address : this->rig_.play.system_pages[s.part - 1].bus_address) +
                s.offset;
            translation const t = this->rig_.mmu.walk(address_of(i));
            this->fail_unless(t.ok() && t.bus == expected && t.writable,
                              say(what, ": page ", i, " of the window leads elsewhere. ", t.why));
        }
    }

    [[nodiscard]] stretches in_window(u64 place, u64 size) const {
        stretches all;
        while (size != 0) {
            u64 const within = place % page_bytes;
            auto const n = static_cast<std::size_t>(lesser(size, page_bytes - within));
            stretch const& s = places_[place / page_bytes];
            all.push_back({s.part, s.offset + static_cast<std::size_t>(within), n});
            place += n;
            size -= n;
        }
        return all;
    }
    [[nodiscard]] u64 window() const { return places_.size() * page_bytes; }

    /// A place for `size` bytes: half of them in the last MiB, where the small pages are.
    [[nodiscard]] u64 any_place(u64 unit, u64 size) {
        u64 const last = window() - size;
        return this->random_.chance(50) ? this->random_.multiple(unit, last)
                                        : round_up(last - lesser(last, this->random_.below(1 << 20)), unit).value;
    }

    void move_virtual() {
        constexpr u64 unit = hardware::copy_alignment.n;
        u64 const size = this->any_size(unit, 64 * page_bytes);
        u64 from = any_place(unit, size);
        u64 to = any_place(unit, size);
        if (this->random_.chance(40) && !this->any_places(unit, window(), size, from, to)) {
            return;
        }
        u64 const distance = from < to ? to - from : from - to;
        if (distance < page_bytes || from > window() - size || to > window() - size) {
            return;
        }
        arguments args = law_parts::request_of<arguments>(paging_operation::virtual_transfer);
        args.TransferVirtual = {};
        args.TransferVirtual.TransferSizeInBytes = size;
        args.TransferVirtual.SourceVirtualAddress = Rig::window_virtual + from;
        args.TransferVirtual.DestinationVirtualAddress = Rig::window_virtual + to;
        stretches const target = in_window(to, size);
        this->renew(in_window(from, size));
        this->model_.write(target, this->model_.read(in_window(from, size)));
        this->judge(args, target,
                    say("a virtual transfer of ", size, " bytes from ", as_hex{from}, " to ", as_hex{to}));
    }

    void fill_virtual() {
        constexpr u64 unit = hardware::fill_alignment.n;
        u64 const size = this->any_size(unit, 300 * page_bytes);
        u64 const to = any_place(unit, size);
        if (to > window() - size) {
            return;
        }
        arguments args = law_parts::request_of<arguments>(paging_operation::virtual_fill);
        args.FillVirtual = {};
        args.FillVirtual.FillSizeInBytes = size;
        args.FillVirtual.FillPattern = this->any_pattern();
        args.FillVirtual.DestinationVirtualAddress = Rig::window_virtual + to;
        stretches const target = in_window(to, size);
        this->model_.write(target, this->repeated(args.FillVirtual.FillPattern, size));
        this->judge(args, target, say("a virtual fill of ", size, " bytes at ", as_hex{to}));
    }

    stretches places_;  ///< by page of the window
    std::array<bool, blocks> split_{};
    unsigned remaps_ = 0;
};

}  // namespace paging_sequence
