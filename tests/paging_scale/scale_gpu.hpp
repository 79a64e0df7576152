// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <hardware/cpu.hpp>
#include <wddmcore/ddi/mirror/mirror.hpp>
#include <wddmcore/paging.hpp>

/// Hardware for allocations that no memory could hold: the reference processor, and records for ranges of pages.
namespace paging_scale {

using namespace wddmcore;

using arguments = mirror::v3_2::dxgkarg_buildpagingbuffer;

inline constexpr capabilities claims{.version = wddm::v3_2,
                                     .addresses = paging_addresses::both,
                                     .aperture = aperture_forms::either,
                                     .mmu_mapping = claim::yes,
                                     .allocation_notification = claim::yes};

inline constexpr u32 aperture_segment = 1;
inline constexpr u32 memory_segment = 2;
inline constexpr u64 aperture_base = 0x2000'0000'0000;
inline constexpr u64 memory_base = 0x4000'0000'0000;
inline constexpr u64 tebibyte = u64{1} << 40;
inline constexpr u64 most_pages = u64{1} << 32;           ///< whose tokens have 32 bits (PGB-06): 16 TiB
inline constexpr u64 most_listed_pages = most_pages - 1;  ///< what the count of a list holds
inline constexpr u64 most_bytes = most_pages * 4096;
inline constexpr u64 most_listed_bytes = most_listed_pages * 4096;

/// Records beside those of hardware/cpu.hpp, in the same form:
///
///   code  length  record                                                            dwords
///   0x80  8       map pages in an MMU     1: MMU, 2-3: address, 4-5: pages, 6-7: first page number
///   0x81  8       unmap them              1: MMU, 2-3: address, 4-5: pages, 6-7: zero
///   0x82  8       notice of eviction      1: zero, 2-3: address, 4-5: bytes, 6-7: bytes from the allocation's start
struct gpu : examples::cpu::processor<claims> {
    u32 faults = 0;
    paging_fault last{};

    gpu() : processor{} {
        segments[aperture_segment - 1] = {{{aperture_base}, {most_bytes}}, true};
        segments[memory_segment - 1] = {{{memory_base}, {64 * tebibyte}}, false};
    }
    disposition on_paging_fault(paging_fault const& fault) noexcept {
        ++faults;
        last = fault;
        return disposition::stop;
    }

    static constexpr pages mmu_max{0x3'0000};
    static constexpr dwords mmu_dwords{8};
    [[nodiscard]] static constexpr bool is_mmu(u32 id) noexcept { return id == 7; }
    static constexpr void encode_mmu_map(u32* at, hw::mmu_range const& range) noexcept {
        record(at, 0x80, range.mmu, range.address, range.length.n, range.first.n);
    }
    static constexpr void encode_mmu_unmap(u32* at, hw::mmu_range const& range) noexcept {
        record(at, 0x81, range.mmu, range.address, range.length.n, 0);
    }

    static constexpr bytes eviction_block = 64 * kib;
    static constexpr bytes eviction_alignment = 64 * kib;
    static constexpr bytes eviction_max = 512 * mib;
    static constexpr dwords eviction_dwords{8};
    static constexpr void encode_notify_eviction(u32* at, hw::alloc_notice const& notice) noexcept {
        record(at, 0x82, 0, notice.place.n, notice.size.n, notice.offset);
    }

private:
    static constexpr void record(u32* at, u32 code, u32 word, u64 a, u64 b, u64 c) noexcept {
        put64(at, dword_pair(code | 8 << 8, word));
        put64(at + 2, a);
        put64(at + 4, b);
        put64(at + 6, c);
    }
};

}  // namespace paging_scale
