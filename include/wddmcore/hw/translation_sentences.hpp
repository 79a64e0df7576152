// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "broken_promise.hpp"

namespace wddmcore::inline WDDMCORE_ABI::hw {

/// Says what is wrong with a promise about translations and fences, as one compile error; of anything else it says
/// nothing. Always true.
template <member What, defect How>
consteval bool translation_sentence() {
    constexpr auto wrong = [](member what, defect how) { return What == what && How == how; };
    using enum defect;

    static_assert(
        !wrong(member::flush_dwords, missing),
        "tlb: `flush_dwords` is missing: write `static constexpr wddmcore::dwords flush_dwords{...};`, the exact "
        "length of what encode_flush writes");
    static_assert(!wrong(member::flush_dwords, not_a_constant),
                  "tlb: `flush_dwords` exists but is not a `static constexpr wddmcore::dwords`");
    static_assert(!wrong(member::flush_dwords, out_of_range), "tlb: `flush_dwords` must be 1 to 256 dwords");
    static_assert(
        !wrong(member::encode_flush, missing),
        "tlb: `encode_flush` is missing: write `void encode_flush(wddmcore::u32* at, wddmcore::hw::tlb_flush const&) "
        "const`");
    static_assert(!wrong(member::encode_flush, cannot_be_called),
                  "tlb: `encode_flush` exists but cannot be called as `void encode_flush(wddmcore::u32* at, "
                  "wddmcore::hw::tlb_flush const&) const`");
    static_assert(
        !wrong(member::flush_range_dwords, cannot_be_called),
        "tlb: `encode_flush_range`, `static constexpr wddmcore::dwords flush_range_dwords` and `static constexpr "
        "wddmcore::bytes flush_granule` go together and do not fit `void encode_flush_range(wddmcore::u32* at, "
        "wddmcore::hw::tlb_flush const&) const`");
    static_assert(!wrong(member::flush_range_dwords, out_of_range),
                  "tlb: `flush_range_dwords` must be 1 to 256 dwords");
    static_assert(!wrong(member::flush_granule, not_a_constant),
                  "tlb: `flush_granule` exists but is not a `static constexpr wddmcore::bytes`");
    static_assert(!wrong(member::flush_granule, out_of_range),
                  "tlb: `flush_granule` must be a power of two, in bytes, and at least 4096");
    static_assert(!wrong(member::tlb, missing),
                  "tlb: nothing flushes: write `void flush_at_once(wddmcore::hw::tlb_flush const&)`, or `void "
                  "encode_flush(wddmcore::u32* at, wddmcore::hw::tlb_flush const&) const` with its `flush_dwords`");
    static_assert(!wrong(member::flush_at_once, cannot_be_called),
                  "tlb: `flush_at_once` exists but cannot be called as `void flush_at_once(wddmcore::hw::tlb_flush "
                  "const&)`");
    static_assert(!wrong(member::flush_by_command, missing),
                  "tlb: `flush_at_once` alone comes before page-table writes that are only queued (OP12-03), and the "
                  "capabilities let the GPU write page tables: write `encode_flush` and `flush_dwords` too");
    static_assert(
        !wrong(member::fence_bytes, missing),
        "fence_writer: `fence_bytes` is missing: write `static constexpr wddmcore::bytes fence_bytes{...};`, the "
        "width of one atomic store: 8, or 4 with No64BitAtomics");
    static_assert(!wrong(member::fence_bytes, not_a_constant),
                  "fence_writer: `fence_bytes` exists but is not a `static constexpr wddmcore::bytes`");
    static_assert(!wrong(member::fence_bytes, out_of_range),
                  "fence_writer: `fence_bytes` must be 8, or 4 for an adapter that reports No64BitAtomics");
    static_assert(
        !wrong(member::fence_dwords, missing),
        "fence_writer: `fence_dwords` is missing: write `static constexpr wddmcore::dwords fence_dwords{...};`, the "
        "exact length of what encode_fence writes");
    static_assert(!wrong(member::fence_dwords, not_a_constant),
                  "fence_writer: `fence_dwords` exists but is not a `static constexpr wddmcore::dwords`");
    static_assert(!wrong(member::fence_dwords, out_of_range), "fence_writer: `fence_dwords` must be 1 to 256 dwords");
    static_assert(!wrong(member::encode_fence, missing),
                  "fence_writer: `encode_fence` is missing: write `void encode_fence(wddmcore::u32* at, address place, "
                  "wddmcore::u64 value) const`");
    static_assert(
        !wrong(member::encode_fence, cannot_be_called),
        "fence_writer: `encode_fence` exists but cannot be called as `void encode_fence(wddmcore::u32* at, address "
        "place, wddmcore::u64 value) const`");
    static_assert(!wrong(member::is_mmu, missing),
                  "mmu_mapper: `is_mmu` is missing: write `bool is_mmu(wddmcore::u32 id) const`");
    static_assert(!wrong(member::is_mmu, cannot_be_called),
                  "mmu_mapper: `is_mmu` exists but cannot be called as `bool is_mmu(wddmcore::u32 id) const`");
    static_assert(
        !wrong(member::mmu_mapper, missing),
        "mmu_mapper: nothing maps: write `void store_mmu_map(wddmcore::hw::mmu_range const&)` and `void "
        "store_mmu_unmap(wddmcore::hw::mmu_range const&)`, or `encode_mmu_map` and `encode_mmu_unmap` with their "
        "`mmu_max` and `mmu_dwords`");
    static_assert(!wrong(member::store_mmu, cannot_be_called),
                  "mmu_mapper: `store_mmu_map` and `store_mmu_unmap` go together and do not fit `void "
                  "store_mmu_map(wddmcore::hw::mmu_range const&)`");
    static_assert(
        !wrong(member::mmu_dwords, cannot_be_called),
        "mmu_mapper: `encode_mmu_map`, `encode_mmu_unmap`, `static constexpr wddmcore::dwords mmu_dwords` and "
        "`static constexpr wddmcore::pages mmu_max` go together and do not fit `void encode_mmu_map(wddmcore::u32* "
        "at, wddmcore::hw::mmu_range const&) const`");
    static_assert(!wrong(member::mmu_dwords, out_of_range), "mmu_mapper: `mmu_dwords` must be 1 to 256 dwords");
    static_assert(!wrong(member::mmu_max, out_of_range),
                  "mmu_mapper: `mmu_max` must be at least 1 page, or no page could ever be mapped");
    return true;
}

}  // namespace wddmcore::hw
