// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/paging/page_table/copy.hpp>
#include <wddmcore/paging/page_table/update.hpp>

/// The command stream of the GPUs of these tests: what their encoders write. The decoder, in table_executor.hpp, is
/// written from this description alone.
///
/// Every command: dword 0 is 0xE000'0000 | kind << 8 | length in dwords, the entries of a write not counted; then the
/// destination, its number (low, high) and its space; then
///   write     the count of dwords, the dwords; with a tail: 0xE7A1'0000 | count behind them
///   generate  add, start (64 bits each), step, count; dword 0 has the bytes of an entry in [23:16]
///   fill      bytes, pattern
///   copy      the source (number, space), bytes
/// Padding: 0xFADD'0000 | dwords | index.
namespace wddmcore::inline WDDMCORE_ABI::table_tests {

enum class command_kind : u32 { write = 1, generate, fill, copy };

/// Spaces that a destination counts in.
inline constexpr u32 virtual_space = 0;
inline constexpr u32 system_space = 1;
[[nodiscard]] constexpr u32 segment_space(u32 id) { return 0x100 + id; }

struct table_address {
    u64 n;
    u64 space;
    friend constexpr table_address operator+(table_address a, bytes b) noexcept { return {a.n + b.n, a.space}; }
};

/// Writes dwords ascending, each once.
struct words_out {
    u32* at;
    constexpr void word(u32 value) { *at++ = value; }
    constexpr void wide(u64 value) {
        word(static_cast<u32>(value));
        word(static_cast<u32>(value >> 32));
    }
    constexpr void head(command_kind kind, u32 length) { word(0xE000'0000 | static_cast<u32>(kind) << 8 | length); }
    constexpr void place(table_address a) {
        wide(a.n);
        word(static_cast<u32>(a.space));
    }
};

}  // namespace wddmcore::table_tests
