// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "samples/places.hpp"

#include <string>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing::law_parts {

/// The laws about addresses and places.
template <class Hw>
class address_laws {
public:
    address_laws(Hw const& hw, law_options const& options, law_report& report)
        : hw_(hw), options_(options), report_(report), random_(options.seed ^ 0xADD7) {}

    void check() {
        if constexpr (hw::segment_map<Hw> && (is_physical<Hw> || has_apertures<Hw>)) {
            check_places();
        }
        if constexpr (takes_addresses<Hw>) {
            if constexpr (is_physical<Hw> && hw::page_addresses<Hw>) {
                check_pages();
            }
            if constexpr (is_physical<Hw> && hw::segment_addresses<Hw>) {
                for (segment_id const id : placed_segments(hw_)) {
                    check_segment(id);
                }
            }
            if constexpr (is_virtual<Hw> && hw::virtual_addresses<Hw>) {
                check_virtual();
            }
        }
    }

private:
    // Any address serves as the far side of a copy while the near side is looked at.
    template <class Address>
    [[nodiscard]] bool same(Address a, Address b, Address far) const {
        return words_of(hw_, a, far) == words_of(hw_, b, far);
    }

    /// `make(n)` for different n must differ; `what` names the kind.
    template <class Make>
    void check_distinct(std::vector<u64> const& numbers, std::string const& what, Make const& make) {
        auto const far = make(numbers.front());
        distinct_commands all(words_of(hw_, far, far).size());
        for (u64 const n : numbers) {
            all.add(n, [&](u32* at) {
                std::vector<u32> const words = words_of(hw_, make(n), far);
                std::copy(words.begin(), words.end(), at);
            });
        }
        all.judge(report_, law::distinct_addresses, [&](u64 a, u64 b) {
            return say(what, " ", as_hex{a}, " and ", as_hex{b}, " are the same address to the hardware");
        });
    }

    /// Sums behind one address, at most `room` bytes on: what is added twice is what is added once.
    template <class Address>
    void check_sums(Address a, u64 room, std::string const& what) {
        u64 const unit = common_alignment(hw_);
        for (unsigned i = 0; i < 8; ++i) {
            u64 const k = random_.multiple(unit, lesser(room, u64{1} << random_.below(40)));
            check_sum(a, k, random_.multiple(unit, lesser(room - k, u64{1} << random_.below(40))), what);
        }
        // Sums whose carry goes all the way up.
        for (u64 power = 2 * unit; power <= room && power <= virtual_limit; power *= 2) {
            check_sum(a, power - unit, unit, what);
        }
        report_.judge(law::addable_addresses, same(a + bytes{0}, a, a),
                      [&] { return say(what, " + 0 is another address"); });
    }

    template <class Address>
    void check_sum(Address a, u64 k, u64 j, std::string const& what) {
        report_.judge(law::addable_addresses, same((a + bytes{k}) + bytes{j}, a + bytes{k + j}, a),
                      [&] { return say(what, " + ", k, " + ", j, " is not ", what, " + ", k + j); });
        report_.judge(law::addable_addresses, k == 0 || !same(a + bytes{k}, a, a),
                      [&] { return say(what, " + ", k, " is ", what, " itself"); });
    }

    void check_pages() {
        u64 const last = last_page<Hw>();
        std::vector<u64> const numbers = telling_numbers(random_, last, 400);
        check_distinct(numbers, "page number", [&](u64 n) { return hw_.from_page(page_number{n}); });
        for (unsigned i = 0; i < 10; ++i) {
            u64 const n = i == 0 ? 0 : numbers[random_.below(numbers.size())];
            check_sums(hw_.from_page(page_number{n}), byte_address(page_number{last - n}), say("page ", as_hex{n}));
        }
        if (options_.linear_pages) {
            for (u64 const n : numbers) {
                if (n != last) {
                    auto const page = hw_.from_page(page_number{n});
                    report_.judge(
                        law::linear_pages, same(hw_.from_page(page_number{n + 1}), page + bytes{page_bytes}, page),
                        [&] { return say("page ", as_hex{n + 1}, " is not where page ", as_hex{n}, " + 4096 is"); });
                }
            }
        } else if constexpr (hw::copy_engine<Hw>) {
            report_.judge(law::linear_pages, hw::chunk_pages(copy_most(hw_)).n <= 1, [&] {
                return say("copy_max is ", copy_most(hw_).n,
                           " bytes, so the library copies runs of consecutive pages as one, "
                           "and they must lie one after the other");
            });
        }
    }

    void check_segment(segment_id id) {
        u64 const unit = common_alignment(hw_);
        u64 const size = hw_.place(id).size.n;
        std::string const what = say("segment ", id.n);
        std::vector<u64> offsets = telling_numbers(random_, size / unit - 1, 100);
        for (u64& offset : offsets) {
            offset *= unit;
        }
        auto const start = hw_.from_segment(id, segment_offset{0});
        check_distinct(offsets, what + ", offset", [&](u64 n) { return hw_.from_segment(id, segment_offset{n}); });
        check_sums(start, size - unit, what);
        for (u64 const offset : offsets) {
            auto const place = hw_.from_segment(id, segment_offset{offset});
            u64 const k = random_.multiple(unit, size - unit - offset);
            report_.judge(law::linear_segments, same(place, start + bytes{offset}, start), [&] {
                return say(what, ", offset ", as_hex{offset}, " is not the segment's start + ", as_hex{offset});
            });
            report_.judge(law::linear_segments,
                          same(hw_.from_segment(id, segment_offset{offset + k}), place + bytes{k}, start), [&] {
                              return say(what, ", offset ", as_hex{offset + k}, " is not offset ", as_hex{offset},
                                         " + ", as_hex{k});
                          });
        }
    }

    void check_virtual() {
        u64 const unit = common_alignment(hw_);
        std::vector<u64> addresses = telling_numbers(random_, (virtual_limit - 1) / unit, 200);
        for (u64& va : addresses) {
            va *= unit;
        }
        check_distinct(addresses, "virtual address", [&](u64 n) { return hw_.from_virtual(gpu_virtual_address{n}); });
        for (u64 const va : addresses) {
            auto const place = hw_.from_virtual(gpu_virtual_address{va});
            u64 const k = random_.multiple(unit, lesser(virtual_limit - unit - va, u64{1} << random_.below(36)));
            report_.judge(
                law::linear_virtual, same(hw_.from_virtual(gpu_virtual_address{va + k}), place + bytes{k}, place),
                [&] { return say("virtual address ", as_hex{va + k}, " is not ", as_hex{va}, " + ", as_hex{k}); });
        }
        for (u64 const va : {addresses.front(), addresses[addresses.size() / 2]}) {
            check_sums(hw_.from_virtual(gpu_virtual_address{va}), virtual_limit - unit - va,
                       say("virtual address ", as_hex{va}));
        }
    }

    void check_places() {
        std::vector<segment_id> const placed = placed_segments(hw_);
        bool any_aperture = false;
        for (segment_id const id : placed) {
            segment_place const place = hw_.place(id);
            any_aperture |= hw_.is_aperture(id);
            report_.judge(law::known_segments, place.size.n - 1 <= ~u64{0} - place.base.n, [&] {
                return say("segment ", id.n, " of ", as_hex{place.size.n}, " bytes at ", as_hex{place.base.n},
                           " wraps");
            });
            report_.judge(law::known_segments, (place.base.n | place.size.n) % page_bytes == 0, [&] {
                return say("segment ", id.n, " of ", as_hex{place.size.n}, " bytes at ", as_hex{place.base.n},
                           " is not made of whole pages");
            });
        }
        if constexpr (has_apertures<Hw>) {
            report_.judge(law::known_segments, any_aperture, [] {
                return say("aperture operations are claimed, and no segment is an aperture (SEG-10)");
            });
        }
        std::vector<u32> strangers{0, 64, 0xFF, 0x100, 0xFFFF, 0x1'0000, 0x7FFF'FFFF, 0x8000'0000, 0xFFFF'FFFF};
        for (segment_id const id : placed) {
            // An id that was cut to 5, 8 or 16 bits would be taken for a real one.
            strangers.insert(strangers.end(), {id.n + 0x40, id.n + 0x100, id.n + 0x1'0000, id.n + 0x8000'0000});
        }
        for (u32 const id : strangers) {
            report_.judge(law::known_segments, hw_.place(segment_id{id}).size.n == 0, [&] {
                return say("id ", as_hex{id}, " was never reported and has a place of ",
                           as_hex{hw_.place(segment_id{id}).size.n}, " bytes");
            });
        }
    }

    Hw const& hw_;
    law_options const& options_;
    law_report& report_;
    random_numbers random_;
};

}  // namespace wddmcore::testing::law_parts
