// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "intel_xe.hpp"

/// Intel Xe2: how the blitter's command streamer writes page tables, drops cached translations and signals.
namespace wddmcore::examples::intel {

inline constexpr u32 mi_user_interrupt = mi(0x02, 2);
inline constexpr u32 mi_flush_qword = mi(0x26, 5) | flush_stores_dword;
inline constexpr u32 mem_copy_line = blit(0x5A, 10);
static_assert(mi_user_interrupt == 0x0100'0000 && mi_flush_qword == 0x1300'4003 && mem_copy_line == 0x5680'0008);

/// MI_STORE_DATA_IMM of n dwords, or of n quadwords; the data follow the address.
[[nodiscard]] constexpr u32 mi_store_dwords(u32 n) noexcept { return mi(0x20, n + 3); }
[[nodiscard]] constexpr u32 mi_store_qwords(u32 n) noexcept {
    return mi(0x20, 2 * n + 3) | bit_field<u32, 21>::place(1);
}
static_assert(mi_store_dwords(1) == 0x1000'0002 && mi_store_qwords(1) == 0x1020'0003);

/// A plain MI_FLUSH_DW, 4 dwords. It precedes stores, which may otherwise overtake blits.
struct plain_flush {
    static constexpr dwords length{4};
    static constexpr void encode(u32* at) noexcept {
        put64(at, dword_pair(mi_flush_dw, 0));
        put64(at + 2, 0);
    }
};

/// A flush, then MI_STORE_DATA_IMM of quadwords; the entries themselves follow.
struct mi_table_writer {
    static constexpr dwords write_max{2 * 0x1FF};  // what the public driver allows itself
    static constexpr dwords write_head_dwords = plain_flush::length + dwords{3};

    static constexpr void encode_write_head(u32* at, address destination, dwords entries) noexcept {
        plain_flush::encode(at);
        put32(at + 4, mi_store_qwords(entries.n / 2));
        put64(at + 5, destination.n);
    }
};

/// MEM_COPY of one line, 10 dwords, after an order point: bytes - 1, then the source, then the destination. The
/// position of the caching policies in the last dword is taken from the vendor's own tests; the driver's sources do not
/// say it.
struct mem_table_copier {
    static constexpr bytes copy_entries_max{page_bytes};  // a table
    static constexpr dwords copy_entries_dwords = order_point::length + dwords{10};

    static constexpr void encode(u32* at, address destination, address source, bytes size, u32 mocs) noexcept {
        order_point::encode(at);
        at += order_point::length.n;
        put64(at, dword_pair(mem_copy_line, static_cast<u32>(size.n - 1)));
        put64(at + 2, 0);
        put64(at + 4, dword_pair(0, low_dword(source.n)));
        put64(at + 6, dword_pair(high_dword(source.n), low_dword(destination.n)));
        put64(at + 8, dword_pair(high_dword(destination.n),
                                 bit_field<u32, 31, 28>::place(mocs) | bit_field<u32, 6, 3>::place(mocs)));
    }
};

/// Entries in the BAR are mapped write-combined: what the CPU has stored must leave its buffers before it takes effect.
struct bar_table_store : hw::coherent_page_table_store {
    void (*drain_stores)() = nullptr;  ///< the driver's store fence; NULL where the mapping is not write-combined

    constexpr void finish_entry_stores() const noexcept {
        if (drain_stores != nullptr) {
            drain_stores();
        }
    }
};

/// MI_FLUSH_DW, 4 dwords, which completes everything before it and drops cached translations; it has to store something
/// too.
///
/// It reaches only the translations of its own engine. A driver begins each submission to another engine with the same
/// command, and the address space is idle while it changes (GVA-25), as `updates_need_idle` asks the system.
struct flush_and_forget {
    static constexpr dwords length{4};
    static constexpr void encode(u32* at, u64 scratch) noexcept {
        put32(at, mi_flush_dw | flush_stores_dword | flush_invalidates_tlb);
        put64(at + 1, scratch);
        put32(at + 3, 0);
    }
};

/// A signal, 6 dwords: a flush that ends by storing a quadword, and the interrupt that follows (OP16-03).
struct flush_fence {
    static constexpr bytes fence_bytes{8};
    static constexpr dwords fence_dwords{5 + 1};

    static constexpr void encode_fence(u32* at, address place, u64 value) noexcept {
        put32(at, mi_flush_qword);
        put64(at + 1, place.n);
        put64(at + 3, value);
        put32(at + 5, mi_user_interrupt);
    }
};

}  // namespace wddmcore::examples::intel
