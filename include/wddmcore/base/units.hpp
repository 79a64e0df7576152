// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "checked.hpp"

/// The vocabulary of the library. One word, one meaning:
///
///   first / end    half-open range [first, end)          first / last   inclusive range [first, last]
///   _lg2           log2 of a size                        page           4096 bytes, whatever the GPU's own page is
///   page number    address >> 12; it may be logical, so it is never taken as physical or mapped for the CPU (ADL-02)
///   segment address  base included, as WDDM 1.x arguments carry it; segment offset: from the segment's start (SEG-28)
///
/// Units are aggregates of one member `n` (law 6): built as bytes{n}, read as .n, never converted silently.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI {

inline constexpr u32 page_shift_lg2 = 12;                    ///< log2 of a system page in bytes
inline constexpr u64 page_bytes = u64{1} << page_shift_lg2;  ///< a system page in bytes

/// A number of bytes.
struct bytes {
    u64 n;
    friend constexpr bool operator==(bytes, bytes) = default;
    friend constexpr bytes operator+(bytes a, bytes b) noexcept { return {a.n + b.n}; }
    friend constexpr bytes operator-(bytes a, bytes b) noexcept { return {a.n - b.n}; }
    friend constexpr bytes operator*(u64 count, bytes unit) noexcept { return {count * unit.n}; }
    friend constexpr bool operator<(bytes a, bytes b) noexcept { return a.n < b.n; }
    friend constexpr bool operator<=(bytes a, bytes b) noexcept { return a.n <= b.n; }
};

/// A count of 4-KiB pages.
struct pages {
    u64 n;
    friend constexpr bool operator==(pages, pages) = default;
    friend constexpr pages operator+(pages a, pages b) noexcept { return {a.n + b.n}; }
    friend constexpr pages operator-(pages a, pages b) noexcept { return {a.n - b.n}; }
    friend constexpr bool operator<(pages a, pages b) noexcept { return a.n < b.n; }
    friend constexpr bool operator<=(pages a, pages b) noexcept { return a.n <= b.n; }
};

/// A count of 32-bit words of a command stream.
struct dwords {
    u32 n;
    friend constexpr bool operator==(dwords, dwords) = default;
    friend constexpr dwords operator+(dwords a, dwords b) noexcept { return {a.n + b.n}; }
};

/// A 4-KiB page's address >> 12.
struct page_number {
    u64 n;
    friend constexpr bool operator==(page_number, page_number) = default;
    friend constexpr page_number operator+(page_number a, pages b) noexcept { return {a.n + b.n}; }
};

/// An address that the GPU translates through a process's page tables.
struct gpu_virtual_address {
    u64 n;
    friend constexpr bool operator==(gpu_virtual_address, gpu_virtual_address) = default;
    friend constexpr gpu_virtual_address operator+(gpu_virtual_address a, bytes b) noexcept { return {a.n + b.n}; }
};

/// Bytes from the start of a segment.
struct segment_offset {
    u64 n;
    friend constexpr bool operator==(segment_offset, segment_offset) = default;
    friend constexpr segment_offset operator+(segment_offset a, bytes b) noexcept { return {a.n + b.n}; }
};

/// A GPU address that includes the segment's base.
struct segment_address {
    u64 n;
    friend constexpr bool operator==(segment_address, segment_address) = default;
    friend constexpr segment_address operator+(segment_address a, bytes b) noexcept { return {a.n + b.n}; }
};

/// The id of a segment; 0 means system memory in the DDI's arguments (OP00-01, GVA-18).
struct segment_id {
    u32 n;
    friend constexpr bool operator==(segment_id, segment_id) = default;
};

/// A count of 2^20 bytes (AMB-31).
struct megabytes {
    u32 n;
    friend constexpr bool operator==(megabytes, megabytes) = default;
};

inline constexpr bytes kib{u64{1} << 10};  ///< 1024 bytes: `4 * kib`
inline constexpr bytes mib{u64{1} << 20};  ///< 2^20 bytes
inline constexpr bytes gib{u64{1} << 30};  ///< 2^30 bytes

/// @param p  below 2^52 pages; the number of bytes of more would wrap
/// @return the bytes of whole pages
[[nodiscard]] constexpr bytes to_bytes(pages p) noexcept { return {p.n << page_shift_lg2}; }
static_assert(to_bytes(pages{3}) == bytes{12288});

/// @return the bytes of megabytes, in 64 bits: 4096 MB and more do not fit in 32 (CHK-03)
[[nodiscard]] constexpr bytes to_bytes(megabytes m) noexcept { return {u64{m.n} << 20}; }
static_assert(to_bytes(megabytes{4096}) == 4 * gib);

/// @return the bytes of dwords, in 64 bits
[[nodiscard]] constexpr bytes to_bytes(dwords d) noexcept { return {u64{d.n} * 4}; }
static_assert(to_bytes(dwords{7}) == bytes{28});

/// @return the pages that `b` bytes touch if they start at a page boundary
[[nodiscard]] constexpr pages pages_spanned(bytes b) noexcept { return {divide_up<u64>(b.n, page_bytes)}; }
static_assert(pages_spanned(bytes{4097}) == pages{2} && pages_spanned(bytes{0}) == pages{0});

/// @return the whole pages inside `b` bytes that start at a page boundary
[[nodiscard]] constexpr pages whole_pages(bytes b) noexcept { return {b.n >> page_shift_lg2}; }
static_assert(whole_pages(4 * mib - bytes{1}) == pages{1023});

/// @param p  below 2^52; the address of a larger number would wrap
/// @return the address of the page's first byte
[[nodiscard]] constexpr u64 byte_address(page_number p) noexcept { return p.n << page_shift_lg2; }
static_assert(byte_address(page_number{0x100}) == 0x100000);

static_assert(sizeof(bytes) == 8 && sizeof(dwords) == 4 && sizeof(segment_id) == 4);

}  // namespace wddmcore
