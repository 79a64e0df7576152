// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/units.hpp"

/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI {

/// Where a reported segment lies. A size of 0 means that no segment of that id was reported.
struct segment_place {
    segment_address base;
    bytes size;
};

/// Whether an id means system memory in the structures that came with WDDM 2.9 and later.
///
/// AMB-21: every page has 0 there; the newest header also defines 31 and does not say where it applies. Both are taken,
/// and nothing is read from a segment's address for either.
[[nodiscard]] constexpr bool is_system_memory(segment_id id) noexcept { return id.n == 0 || id.n == 31; }

namespace hw {

/// The segments as this adapter reported and placed them.
///
/// For library users: every reference to a segment goes through it: one that has no place goes to the fault hook.
/// For hardware authors: `segment_place place(segment_id) const`, for any id; `bool is_aperture(segment_id) const`, for
/// ids that have a place.
template <class Hw>
concept segment_map = requires(Hw const& hw, segment_id id) {
    { hw.place(id) } -> meta::same_as<segment_place>;
    { hw.is_aperture(id) } -> meta::same_as<bool>;
};

/// The hardware's own address value.
///
/// For library users: whatever the engines take, a plain number or a number with a target, in at most 16 bytes.
/// For hardware authors: `using address = ...;`, an aggregate to which bytes can be added.
template <class Hw>
concept addressed = requires(typename Hw::address a, bytes b) {
    { a + b } -> meta::same_as<typename Hw::address>;
    requires sizeof(typename Hw::address) <= 16;
};

/// How a system page is named.
///
/// For library users: pages of an MDL, an address descriptor list or a range become addresses by it. A number may be
/// logical: it is never taken as physical (ADL-02).
/// For hardware authors: `address from_page(page_number) const`, for any number that the hardware sees.
template <class Hw>
concept page_addresses = addressed<Hw> && requires(Hw const& hw, page_number page) {
    { hw.from_page(page) } -> meta::same_as<typename Hw::address>;
};

/// How a place in a segment is named.
///
/// For library users: segment addresses of requests, which include the base, arrive here as offsets (SEG-28).
/// For hardware authors: `address from_segment(segment_id, segment_offset) const`. The offset is from the segment's
/// start; the base is the hardware's business.
template <class Hw>
concept segment_addresses = addressed<Hw> && requires(Hw const& hw, segment_id id, segment_offset offset) {
    { hw.from_segment(id, offset) } -> meta::same_as<typename Hw::address>;
};

/// How an address of the paging process is named.
///
/// For library users: operations 8, 9, 10, 13 and 22 name memory so.
/// For hardware authors: `address from_virtual(gpu_virtual_address) const`, for any address of the space.
template <class Hw>
concept virtual_addresses = addressed<Hw> && requires(Hw const& hw, gpu_virtual_address va) {
    { hw.from_virtual(va) } -> meta::same_as<typename Hw::address>;
};

}  // namespace hw
}  // namespace wddmcore

namespace wddmcore::inline WDDMCORE_ABI::hw::detail {

/// The address type, judged.
struct address_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        if constexpr (addressed<Hw>) {
            return true;
        } else if constexpr (!requires { typename Hw::address; }) {
            static_assert(!Aloud, "address_space: `address` is missing or not public: write `using address = ...;`, "
                                  "an aggregate of at most 16 bytes");
        } else if constexpr (requires { requires(sizeof(typename Hw::address) > 16); }) {
            static_assert(!Aloud, "address_space: `address` is larger than 16 bytes");
        } else {
            static_assert(!Aloud,
                          "address_space: `address` exists but `address + wddmcore::bytes` does not give an `address`");
        }
        return false;
    }
};

/// Addresses of pages, judged.
struct page_addresses_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        if constexpr (!page_addresses<Hw>) {
            constexpr bool declared = requires { &Hw::from_page; };
            static_assert(!Aloud || !declared, "address_space: `from_page` exists but cannot be called as `address "
                                               "from_page(wddmcore::page_number) const`");
            static_assert(!Aloud || declared, "address_space: `from_page` is missing or not public: write `address "
                                              "from_page(wddmcore::page_number) const`");
        }
        return page_addresses<Hw>;
    }
};

/// Addresses in segments, judged.
struct segment_addresses_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        if constexpr (!segment_addresses<Hw>) {
            constexpr bool declared = requires { &Hw::from_segment; };
            static_assert(!Aloud || !declared, "address_space: `from_segment` exists but cannot be called as `address "
                                               "from_segment(wddmcore::segment_id, wddmcore::segment_offset) const`");
            static_assert(!Aloud || declared, "address_space: `from_segment` is missing or not public: write "
                                              "`address from_segment(wddmcore::segment_id, wddmcore::segment_offset) "
                                              "const`; the offset does not include the segment's base");
        }
        return segment_addresses<Hw>;
    }
};

/// GPU virtual addresses, judged.
struct virtual_addresses_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        if constexpr (!virtual_addresses<Hw>) {
            constexpr bool declared = requires { &Hw::from_virtual; };
            static_assert(!Aloud || !declared, "address_space: `from_virtual` exists but cannot be called as `address "
                                               "from_virtual(wddmcore::gpu_virtual_address) const`");
            static_assert(!Aloud || declared, "address_space: `from_virtual` is missing or not public: write `address "
                                              "from_virtual(wddmcore::gpu_virtual_address) const`");
        }
        return virtual_addresses<Hw>;
    }
};

/// The map of segments, judged.
struct segment_map_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        if constexpr (segment_map<Hw>) {
            return true;
        } else if constexpr (!requires(Hw const& hw, segment_id id) {
                                 { hw.place(id) } -> meta::same_as<segment_place>;
                             }) {
            constexpr bool declared = requires { &Hw::place; };
            static_assert(!Aloud || !declared, "segment_map: `place` exists but cannot be called as "
                                               "`wddmcore::segment_place place(wddmcore::segment_id) const`");
            static_assert(!Aloud || declared,
                          "segment_map: `place` is missing or not public: write `wddmcore::segment_place "
                          "place(wddmcore::segment_id) const`; a size of 0 bytes says that there is no such segment");
        } else {
            constexpr bool declared = requires { &Hw::is_aperture; };
            static_assert(!Aloud || !declared, "segment_map: `is_aperture` exists but cannot be called as `bool "
                                               "is_aperture(wddmcore::segment_id) const`");
            static_assert(!Aloud || declared, "segment_map: `is_aperture` is missing or not public: write `bool "
                                              "is_aperture(wddmcore::segment_id) const`");
        }
        return false;
    }
};

}  // namespace wddmcore::hw::detail
