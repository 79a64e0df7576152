// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/ddi/mirror/wddm2/v2_9.hpp>
#include <wddmcore/paging.hpp>

/// Hardware whose engine has numbers in its source, and the same hardware whose object has them.
namespace wddmcore::inline WDDMCORE_ABI::testing {

inline constexpr capabilities chosen_caps{
    .version = wddm::v2_9, .oldest = wddm::v2_0, .addresses = paging_addresses::both, .aperture = aperture_forms::mdl};

/// The numbers of an engine that chips of one driver may differ in.
struct engine_numbers {
    bytes copy_max = mib;
    bytes copy_alignment{4};
    bytes fill_max = mib;
    bytes fill_alignment{4};
    bytes fill_pattern_bytes{4};
};

/// What does not differ: commands that say all that they were asked for.
struct engine_of_any_numbers {
    struct address {
        u64 n;
        friend constexpr address operator+(address a, bytes b) noexcept { return {a.n + b.n}; }
    };
    static constexpr capabilities caps = chosen_caps;

    paging_fault last{};
    u32 faults = 0;

    [[nodiscard]] static constexpr address from_page(page_number page) noexcept { return {byte_address(page)}; }
    [[nodiscard]] static constexpr address from_segment(segment_id id, segment_offset offset) noexcept {
        return {(u64{id.n} << 40) + offset.n};
    }
    [[nodiscard]] static constexpr address from_virtual(gpu_virtual_address va) noexcept { return {va.n}; }
    [[nodiscard]] static constexpr segment_place place(segment_id id) noexcept {
        return {{u64{id.n} << 40}, {id.n == 1 ? 8 * page_bytes : id.n == 2 ? gib.n : 0}};
    }
    [[nodiscard]] static constexpr bool is_aperture(segment_id id) noexcept { return id.n == 1; }
    constexpr void store_aperture_entry(segment_id, u64, page_number, bool) noexcept {}

    static constexpr dwords unit_dwords{2};
    static constexpr void encode_padding(u32* at, dwords n) noexcept {
        for (u32 i = 0; i != n.n; ++i) {
            put32(at + i, 0x0DD);
        }
    }
    static constexpr hw::overlap copy_overlap = hw::overlap::by_direction;
    static constexpr dwords copy_dwords{5};
    static constexpr void encode_copy(u32* at, address to, address from, bytes size) noexcept {
        put64(at, to.n);
        put64(at + 2, from.n);
        put32(at + 4, static_cast<u32>(size.n));
    }
    static constexpr dwords fill_dwords{4};
    static constexpr void encode_fill(u32* at, address to, bytes size, u32 pattern) noexcept {
        put64(at, to.n);
        put32(at + 2, static_cast<u32>(size.n));
        put32(at + 3, pattern);
    }
    constexpr disposition on_paging_fault(paging_fault const& fault) noexcept {
        last = fault;
        ++faults;
        return disposition::stop;
    }
};

/// A chip of its own type.
template <engine_numbers Numbers>
struct constant_engine : engine_of_any_numbers {
    static constexpr bytes copy_max = Numbers.copy_max;
    static constexpr bytes copy_alignment = Numbers.copy_alignment;
    static constexpr bytes fill_max = Numbers.fill_max;
    static constexpr bytes fill_alignment = Numbers.fill_alignment;
    static constexpr bytes fill_pattern_bytes = Numbers.fill_pattern_bytes;
};

/// All chips between two.
template <engine_numbers Least, engine_numbers Most>
struct chosen_engine : engine_of_any_numbers {
    bytes copy_limit{0};  ///< what AddDevice found; nothing yet
    bytes copy_unit{0};
    bytes fill_limit{0};
    bytes fill_unit{0};
    bytes pattern{0};

    static constexpr chosen_within copy_max{Least.copy_max, Most.copy_max, &chosen_engine::copy_limit};
    static constexpr chosen_within copy_alignment{Least.copy_alignment, Most.copy_alignment, &chosen_engine::copy_unit};
    static constexpr chosen_within fill_max{Least.fill_max, Most.fill_max, &chosen_engine::fill_limit};
    static constexpr chosen_within fill_alignment{Least.fill_alignment, Most.fill_alignment, &chosen_engine::fill_unit};
    static constexpr chosen_within fill_pattern_bytes{Least.fill_pattern_bytes, Most.fill_pattern_bytes,
                                                      &chosen_engine::pattern};
};

/// An object of these numbers.
template <class Engine>
[[nodiscard]] constexpr Engine chip_of(engine_numbers const& numbers) {
    Engine chip{};
    chip.copy_limit = numbers.copy_max;
    chip.copy_unit = numbers.copy_alignment;
    chip.fill_limit = numbers.fill_max;
    chip.fill_unit = numbers.fill_alignment;
    chip.pattern = numbers.fill_pattern_bytes;
    return chip;
}

}  // namespace wddmcore::testing
