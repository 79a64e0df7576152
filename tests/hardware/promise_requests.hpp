// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/mirror.hpp>
#include <wddmcore/wddmcore.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

/// Requests to hardware types that own page tables, and the dwords that come of them.
namespace promise_tests {

using namespace wddmcore;
using arguments = mirror::v3_2::dxgkarg_buildpagingbuffer;
using pte = mirror::v3_2::dxgk_pte;
using words = std::vector<u32>;

inline constexpr u32 untouched = 0xDEAD'BEEF;

/// What one pass with ample room wrote; nothing behind it was touched, and the pass ended the request.
template <class Hw>
[[nodiscard]] words commands_of(Hw& hw, arguments args) {
    words buffer(8192, untouched);
    args.pDmaBuffer = buffer.data();
    args.DmaSize = static_cast<u32>(buffer.size() * 4);
    CHECK(build_paging_buffer(hw, args) == status::success);
    auto const length = static_cast<std::size_t>(static_cast<u32*>(args.pDmaBuffer) - buffer.data());
    for (std::size_t i = length; i != buffer.size(); ++i) {
        if (buffer[i] != untouched) {
            FAIL_CHECK("a dword behind the commands was written: " << i);
            break;
        }
    }
    buffer.resize(length);
    return buffer;
}

/// Compares streams dword by dword.
inline void expect_words(words const& got, words const& expected) {
    CHECK(got.size() == expected.size());
    for (std::size_t i = 0; i != got.size() && i != expected.size(); ++i) {
        CAPTURE(i);
        CHECK(got[i] == expected[i]);
    }
}

[[nodiscard]] inline arguments request(u32 operation) {
    arguments args{};
    args.Operation = operation;
    return args;
}

[[nodiscard]] inline pte page_of(u64 flags, u64 page) {
    pte one{};
    one.Flags = flags;
    one.PageAddress = page;
    return one;
}

// Bits of DXGK_PTE's Flags (ns-d3dukmdt-_dxgk_pte.md).
inline constexpr u64 valid = 1;
inline constexpr u64 zero = 2;
inline constexpr u64 coherent = 4;
inline constexpr u64 read_only = 8;
inline constexpr u64 no_execute = 0x10;
inline constexpr u64 large = 0x400;
inline constexpr u64 table_of_64k = u64{1} << 17;
[[nodiscard]] constexpr u64 in_segment(u32 id) { return u64{id} << 5; }

/// Pages one behind the other.
[[nodiscard]] inline std::vector<pte> run_of(u64 flags, u64 first, u32 count) {
    std::vector<pte> entries;
    for (u32 i = 0; i != count; ++i) {
        entries.push_back(page_of(flags, first + i));
    }
    return entries;
}

/// Update modes by their numbers (ne-d3dkmddi-_dxgk_pagetableupdatemode.md).
inline constexpr u32 by_cpu = 0;
inline constexpr u32 by_virtual_address = 1;
inline constexpr u32 by_place = 2;

/// An update of the entries from `start` on; the table's address is the caller's to set.
[[nodiscard]] inline arguments update_of(u32 level, u32 start, std::vector<pte>& entries, u32 mode) {
    arguments args = request(11);
    args.UpdatePageTable = {};
    args.UpdatePageTable.PageTableLevel = level;
    args.UpdatePageTable.StartIndex = start;
    args.UpdatePageTable.NumPageTableEntries = static_cast<u32>(entries.size());
    args.UpdatePageTable.pPageTableEntries = entries.data();
    args.UpdatePageTable.UpdateMode = mode;
    return args;
}

[[nodiscard]] inline arguments update_at(u64 table, u32 level, u32 start, std::vector<pte>& entries) {
    arguments args = update_of(level, start, entries, by_virtual_address);
    args.UpdatePageTable.PageTableAddress.GpuVirtual = table;
    return args;
}

[[nodiscard]] inline arguments update_in(u32 segment, u64 offset, u32 level, u32 start, std::vector<pte>& entries) {
    arguments args = update_of(level, start, entries, by_place);
    args.UpdatePageTable.PageTableAddress.GpuPhysical.SegmentId = segment;
    args.UpdatePageTable.PageTableAddress.GpuPhysical.SegmentOffset = offset;
    return args;
}

/// A leaf entry as encode_leaf makes it.
template <class Hw>
[[nodiscard]] constexpr u64 leaf_of(Hw const& hw, leaf_kind kind, u32 level, u64 flags, u64 page, u64 protection = 0) {
    return hw.encode_leaf(kind, level, pte_target{{flags}, page}, protection).low;
}

/// How many interface versions from WDDM 2.0 on take a hardware type that declares them; any other is a compile error.
template <template <capabilities> class Gpu, capabilities Claimed>
[[nodiscard]] consteval u32 accepted_versions() {
    constexpr auto at = [](wddm version) {
        capabilities caps = Claimed;
        caps.version = version;
        return caps;
    };
    return u32{check_hardware<Gpu<at(wddm::v2_0)>, mirror::v2_0::dxgkarg_buildpagingbuffer>()} +
           u32{check_hardware<Gpu<at(wddm::v2_1)>, mirror::v2_1::dxgkarg_buildpagingbuffer>()} +
           u32{check_hardware<Gpu<at(wddm::v2_1_5)>, mirror::v2_1_5::dxgkarg_buildpagingbuffer>()} +
           u32{check_hardware<Gpu<at(wddm::v2_1_6)>, mirror::v2_1_6::dxgkarg_buildpagingbuffer>()} +
           u32{check_hardware<Gpu<at(wddm::v2_2)>, mirror::v2_2::dxgkarg_buildpagingbuffer>()} +
           u32{check_hardware<Gpu<at(wddm::v2_3)>, mirror::v2_3::dxgkarg_buildpagingbuffer>()} +
           u32{check_hardware<Gpu<at(wddm::v2_4)>, mirror::v2_4::dxgkarg_buildpagingbuffer>()} +
           u32{check_hardware<Gpu<at(wddm::v2_5)>, mirror::v2_5::dxgkarg_buildpagingbuffer>()} +
           u32{check_hardware<Gpu<at(wddm::v2_6)>, mirror::v2_6::dxgkarg_buildpagingbuffer>()} +
           u32{check_hardware<Gpu<at(wddm::v2_7)>, mirror::v2_7::dxgkarg_buildpagingbuffer>()} +
           u32{check_hardware<Gpu<at(wddm::v2_8)>, mirror::v2_8::dxgkarg_buildpagingbuffer>()} +
           u32{check_hardware<Gpu<at(wddm::v2_9)>, mirror::v2_9::dxgkarg_buildpagingbuffer>()} +
           u32{check_hardware<Gpu<at(wddm::v3_0)>, mirror::v3_0::dxgkarg_buildpagingbuffer>()} +
           u32{check_hardware<Gpu<at(wddm::v3_1)>, mirror::v3_1::dxgkarg_buildpagingbuffer>()} +
           u32{check_hardware<Gpu<at(wddm::v3_2)>, mirror::v3_2::dxgkarg_buildpagingbuffer>()};
}

/// How many operations claims make reachable.
[[nodiscard]] constexpr u32 reachable_operations(capabilities const& caps) {
    u32 count = 0;
    for (u32 operation = 0; operation != paging_operation_count; ++operation) {
        count += u32{reachable(caps, static_cast<paging_operation>(operation))};
    }
    return count;
}

}  // namespace promise_tests
