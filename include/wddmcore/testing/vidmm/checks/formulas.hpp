// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../memory/model.hpp"
#include "rules.hpp"

#include <functional>

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// Where byte i of a request comes from and goes to, as addresses of the engine; `nowhere` outside a list.
struct formula {
    using place = std::function<std::uint64_t(std::uint64_t)>;

    vidmm_rule rule{};
    std::string sentence;
    place source;  ///< empty for a fill
    place destination;
};

inline constexpr std::uint64_t nowhere = ~std::uint64_t{0};

/// The right formula of a request and the wrong ones that drivers have been seen to use.
class formula_book {
public:
    formula_book(memory_model const& memory, request const& r) : memory_(memory), r_(r) {
        right.source = r.is_fill() ? formula::place{} : proper(r.source);
        right.destination = proper(r.destination);
        if (r.is_transfer() && !r.is_virtual()) {
            physical();
        } else if (r.is_virtual()) {
            in_paging_process();
        } else if (r.operation == paging_operation::fill) {
            base_mistakes(r.destination, false);
        }
        if (r.is_transfer()) {
            wrong.push_back({r.is_virtual() ? vidmm_rule::op08_01 : vidmm_rule::op00_01,
                             "source and destination were exchanged", right.destination, right.source});
        }
    }

    formula_book(formula_book const&) = delete;
    formula_book& operator=(formula_book const&) = delete;

    formula right;
    std::vector<formula> wrong;

private:
    using place = formula::place;

    [[nodiscard]] std::uint64_t listed(std::uint64_t index) const {
        return index < r_.list.numbers.size() ? memory_.page_address(r_.list.numbers[static_cast<std::size_t>(index)])
                                              : nowhere;
    }

    /// Byte i in the page that `index` gives for page k of the request.
    template <class Index>
    [[nodiscard]] place by_list(Index index) const {
        return [this, index](std::uint64_t i) {
            std::uint64_t const page = listed(index(i / page_size));
            return page == nowhere ? nowhere : page + i % page_size;
        };
    }

    [[nodiscard]] static place linear(std::uint64_t address) {
        return [address](std::uint64_t i) { return address + i; };
    }

    [[nodiscard]] place proper(side const& s) const {
        if (r_.is_virtual()) {
            return linear(s.address);
        }
        if (s.segment == 0) {
            return by_list([first = r_.list.first](std::uint64_t k) { return first + k; });
        }
        return linear(s.address + r_.offset);
    }

    /// The request with one side replaced.
    void one_side(bool source_side, vidmm_rule rule, std::string sentence, place replaced) {
        wrong.push_back({rule, std::move(sentence), source_side ? replaced : right.source,
                         source_side ? right.destination : replaced});
    }

    void base_mistakes(side const& s, bool source_side) {
        std::uint64_t const right_address = s.address + r_.offset;
        if (s.segment_base != 0) {
            one_side(source_side, vidmm_rule::op00_03, "the segment's base was added to an address that has it already",
                     linear(right_address + s.segment_base));
            one_side(source_side, vidmm_rule::seg_28, "the segment's base was taken out of the address",
                     linear(right_address - s.segment_base));
        }
        if (right_address >> 32 != 0) {
            one_side(source_side, vidmm_rule::seg_28, "the segment address was cut to 32 bits",
                     linear(right_address & 0xffff'ffff));
        }
    }

    void segment_side(side const& s, bool source_side) {
        if (r_.offset != 0) {
            one_side(source_side, vidmm_rule::op00_02, "TransferOffset was not added to the segment address",
                     linear(s.address));
        }
        if (r_.list.first != 0) {
            one_side(source_side, vidmm_rule::op00_02, "MdlOffset was added to the segment address",
                     linear(s.address + r_.offset + r_.list.first * page_size));
        }
        base_mistakes(s, source_side);
        if (r_.offset != 0) {  // after the others: chance may make both offsets equal
            one_side(source_side, vidmm_rule::op00_02, "TransferOffset was added twice to the segment address",
                     linear(s.address + 2 * r_.offset));
        }
    }

    void list_side(bool source_side) {
        std::uint64_t const first = r_.list.first;
        std::uint64_t const skip = r_.offset / page_size;
        std::uint64_t const count = r_.list.numbers.size();
        auto const add = [&](vidmm_rule rule, std::string sentence, auto index) {
            one_side(source_side, rule, std::move(sentence), by_list(index));
        };
        if (skip != 0) {
            add(vidmm_rule::op00_02, "TransferOffset was added to the MDL side",
                [=](std::uint64_t k) { return first + skip + k; });
            add(vidmm_rule::op00_02, "TransferOffset was used in the place of MdlOffset",
                [=](std::uint64_t k) { return skip + k; });
            add(vidmm_rule::op00_02, "TransferOffset was added to the MDL side, modulo the MDL's size",
                [=](std::uint64_t k) { return (first + skip + k) % count; });
        }
        if (first != 0) {
            add(vidmm_rule::op00_02, "MdlOffset was ignored", [](std::uint64_t k) { return k; });
            add(vidmm_rule::op00_02, "MdlOffset was added twice", [=](std::uint64_t k) { return 2 * first + k; });
            if (first >> 20 != 0) {
                add(vidmm_rule::op00_02, "MdlOffset * 4096 was cut to 32 bits",
                    [=](std::uint64_t k) { return (first & 0xf'ffff) + k; });
            }
        }
        if (r_.swizzling_range != 0) {
            add(vidmm_rule::op07_01, "SwizzlingRangeId was taken for MdlOffset",
                [=, range = r_.swizzling_range](std::uint64_t k) { return range + k; });
        }
        add(vidmm_rule::op00_10, "the first page was used for all pages", [=](std::uint64_t) { return first; });
        add(vidmm_rule::op00_10, "the pages were taken one late", [=](std::uint64_t k) { return first + k + 1; });
        add(vidmm_rule::op00_10, "the pages were taken one early", [=](std::uint64_t k) { return first + k - 1; });
        for (std::uint64_t chunk = 2; chunk <= 64; ++chunk) {
            add(vidmm_rule::op00_10, "the page list begins anew every " + std::to_string(chunk) + " pages",
                [=](std::uint64_t k) { return first + k % chunk; });
        }
        std::uint64_t const start = listed(first);
        one_side(source_side, vidmm_rule::op00_10, "the pages were taken as one run after the first",
                 [start](std::uint64_t i) { return start + i; });
    }

    void physical() {
        side const& from = r_.source;
        side const& to = r_.destination;
        if (from.segment != 0) {
            segment_side(from, true);
        } else {
            list_side(true);
        }
        if (to.segment != 0) {
            segment_side(to, false);
        } else {
            list_side(false);
        }
        if (r_.offset == 0) {
            return;
        }
        if (from.segment != 0 && to.segment != 0) {
            wrong.push_back({vidmm_rule::op00_02, "TransferOffset was added to neither segment address",
                             linear(from.address), linear(to.address)});
            return;
        }
        // Both sides wrong at once: the offset on the list side instead of the segment side.
        std::uint64_t const first = r_.list.first;
        std::uint64_t const skip = r_.offset / page_size;
        place const moved = by_list([=](std::uint64_t k) { return first + skip + k; });
        bool const list_is_source = from.segment == 0;
        place const segment = linear(list_is_source ? to.address : from.address);
        wrong.push_back({vidmm_rule::op00_02, "TransferOffset was added to the MDL side and not to the segment side",
                         list_is_source ? moved : segment, list_is_source ? segment : moved});
    }

    void in_paging_process() {
        if (r_.offset == 0) {
            return;
        }
        bool const fill = r_.is_fill();
        vidmm_rule const rule = fill ? vidmm_rule::op09_01 : vidmm_rule::op08_01;
        if (!fill) {
            one_side(true, rule, "AllocationOffsetInBytes was added to the source address",
                     linear(r_.source.address + r_.offset));
            wrong.push_back({rule, "AllocationOffsetInBytes was added to both addresses",
                             linear(r_.source.address + r_.offset), linear(r_.destination.address + r_.offset)});
        }
        one_side(false, rule, "AllocationOffsetInBytes was added to the destination address",
                 linear(r_.destination.address + r_.offset));
    }

    memory_model const& memory_;
    request const& r_;
};

}  // namespace wddmcore::testing::vidmm_parts
