// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../../hw.hpp"
#include "../../../paging/operations.hpp"
#include "../../../paging/virtual_range.hpp"
#include "../words.hpp"
#include "numbers.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

/// Where the laws look: page numbers, places in segments and virtual addresses that the hardware type can name.
namespace wddmcore::inline WDDMCORE_ABI::testing::law_parts {

/// Whether requests name system pages and segments, or addresses of the paging process.
template <class Hw>
inline constexpr bool is_physical = contains(Hw::caps.addresses, paging_addresses::physical);
template <class Hw>
inline constexpr bool is_virtual = reachable(Hw::caps, paging_operation::virtual_transfer);

/// Whether some aperture operation can arrive.
template <class Hw>
inline constexpr bool has_apertures = reachable(Hw::caps, paging_operation::unmap_aperture_segment);

/// Ids that a driver can report, and all others that the laws ask about (SEG-05).
inline constexpr u32 last_segment_id = 63;

/// The last page that the hardware type says it can reach; no page number has more than 52 bits.
template <class Hw>
[[nodiscard]] constexpr u64 last_page() {
    return Hw::caps.highest_visible_address >> page_shift_lg2;
}

/// 0 to `last`: the ends, the powers of two and their neighbours, and random ones.
[[nodiscard]] inline std::vector<u64> telling_numbers(random_numbers& random, u64 last, unsigned randoms) {
    std::vector<u64> numbers;
    auto const add = [&](u64 n) {
        if (n <= last) {
            numbers.push_back(n);
        }
    };
    for (u64 i = 0; i < 4; ++i) {
        add(i);
        add(last - i);
    }
    for (unsigned bit = 0; bit < 64; ++bit) {
        u64 const power = u64{1} << bit;
        add(power - 1);
        add(power);
        add(power + 1);
    }
    for (unsigned i = 0; i < randoms; ++i) {
        u64 const n = random.up_to(last);
        add(n);
        add(n ^ u64{1} << random.below(52));
    }
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers;
}

/// The ids that have a place.
template <class Hw>
[[nodiscard]] std::vector<segment_id> placed_segments(Hw const& hw) {
    std::vector<segment_id> found;
    if constexpr (hw::segment_map<Hw>) {
        for (u32 id = 1; id <= last_segment_id; ++id) {
            if (hw.place(segment_id{id}).size.n != 0) {
                found.push_back({id});
            }
        }
    }
    return found;
}

/// What both engines want an address to be a multiple of, so that any encoder may be asked about it.
template <class Hw>
[[nodiscard]] u64 common_alignment([[maybe_unused]] Hw const& hw) {
    u64 unit = 1;
    if constexpr (hw::copy_engine<Hw>) {
        unit = greater(unit, copy_unit(hw).n);
    }
    if constexpr (hw::fill_engine<Hw>) {
        unit = greater(unit, fill_unit(hw).n);
    }
    return unit;
}

/// The hardware's address, or a stand-in for hardware that takes none.
template <class Hw>
struct address_of : meta::type_is<char> {};
template <class Hw>
    requires requires { typename Hw::address; }
struct address_of<Hw> : meta::type_is<typename Hw::address> {};

/// Addresses of the paging process that the laws ask about: the canonical lower half, which every GPU has.
inline constexpr u64 virtual_limit = u64{1} << 47;

/// The same for requests, which the library refuses past what the page tables translate (CHK-15).
template <class Hw>
[[nodiscard]] u64 virtual_limit_of(Hw const& hw) {
    return lesser(virtual_limit, paging::detail::last_virtual_address(hw) / 2 + 1);
}

/// A few addresses of every kind that requests can name, aligned for every engine.
template <class Hw>
[[nodiscard]] std::vector<typename address_of<Hw>::type> sample_addresses(Hw const& hw, random_numbers& random) {
    std::vector<typename address_of<Hw>::type> found;
    if constexpr (is_physical<Hw> && hw::page_addresses<Hw>) {
        for (unsigned i = 0; i < 4; ++i) {
            found.push_back(hw.from_page(page_number{random.up_to(last_page<Hw>())}));
        }
    }
    if constexpr (is_physical<Hw> && hw::segment_addresses<Hw>) {
        for (segment_id const id : placed_segments(hw)) {
            u64 const last = hw.place(id).size.n - common_alignment(hw);
            found.push_back(hw.from_segment(id, segment_offset{0}));
            found.push_back(hw.from_segment(id, segment_offset{random.multiple(common_alignment(hw), last)}));
        }
    }
    if constexpr (is_virtual<Hw> && hw::virtual_addresses<Hw>) {
        for (unsigned i = 0; i < 4; ++i) {
            found.push_back(
                hw.from_virtual(gpu_virtual_address{random.multiple(common_alignment(hw), virtual_limit - 1)}));
        }
    }
    return found;
}

/// The words in which an address reaches the hardware: of every command that takes one, on every side.
///
/// Two addresses are the same to the hardware when these are; the type itself need not compare.
template <class Hw>
[[nodiscard]] std::vector<u32> words_of(Hw const& hw, typename Hw::address a, typename Hw::address other) {
    std::vector<u32> words;
    auto const add = [&](dwords n, encoder_ref encode) {
        // The encoder may write more than it declares: that is another law's business.
        std::size_t const first = words.size();
        words.resize(first + n.n + guard_words);
        encode(words.data() + first);
        words.resize(first + n.n);
    };
    if constexpr (hw::copy_engine<Hw>) {
        add(Hw::copy_dwords, [&](u32* at) { hw.encode_copy(at, a, other, copy_unit(hw)); });
        add(Hw::copy_dwords, [&](u32* at) { hw.encode_copy(at, other, a, copy_unit(hw)); });
    }
    if constexpr (hw::fill_engine<Hw>) {
        add(hw::fill_length(hw, a, fill_unit(hw), 0), [&](u32* at) { hw.encode_fill(at, a, fill_unit(hw), 0); });
    }
    if constexpr (hw::content_discarder<Hw>) {
        add(Hw::discard_dwords, [&](u32* at) { hw.encode_discard(at, a, nullptr); });
    }
    if constexpr (hw::physical_accessor<Hw>) {
        add(Hw::access_dwords, [&](u32* at) { hw.encode_read(at, a); });
        add(Hw::access_dwords, [&](u32* at) { hw.encode_write(at, a); });
    }
    return words;
}

/// Whether some command takes an address at all.
template <class Hw>
inline constexpr bool takes_addresses =
    hw::copy_engine<Hw> || hw::fill_engine<Hw> || hw::content_discarder<Hw> || hw::physical_accessor<Hw>;

}  // namespace wddmcore::testing::law_parts
