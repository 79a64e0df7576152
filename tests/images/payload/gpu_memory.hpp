// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "checks.hpp"

/// The memory that simulated hardware sees: four ranges of addresses.
namespace images {

inline constexpr u64 system_base = 0x10'0000'0000;   ///< the address of system page 0
inline constexpr u64 memory_base = 0x80'0000'0000;   ///< of the memory segment's first byte
inline constexpr u64 virtual_base = 0x07'0000'0000;  ///< what the paging process maps
inline constexpr u64 driver_base = 0x90'0000'0000;   ///< the driver's own: tables, records, a dword for fences
inline constexpr u32 range_pages = 16;

// Parts of the driver's own memory.
inline constexpr u64 scratch_at = driver_base + 0x40;
inline constexpr u64 flat_scratch_at = driver_base + 0x80;
inline constexpr u64 aperture_table_at = driver_base + 0x1000;
inline constexpr u64 flat_table_at = driver_base + 0x2000;
inline constexpr u64 page_list_at = driver_base + 0x3000;
inline constexpr u64 fence_record_at = driver_base + 0x4000;
inline constexpr u64 entry_table_at = driver_base + 0x5000;

struct gpu_memory {
    static constexpr u32 range_bytes = range_pages * static_cast<u32>(page_bytes);
    static constexpr u64 bases[] = {system_base, memory_base, virtual_base, driver_base};
    static constexpr u32 total = range_bytes * 4;

    alignas(4096) u8 bytes_of[total];

    /// The bytes behind a range of addresses; null when not all of it is memory.
    [[nodiscard]] u8* at(u64 address, u64 size) {
        for (u32 i = 0; i != 4; ++i) {
            if (address >= bases[i] && address - bases[i] <= range_bytes &&
                size <= range_bytes - (address - bases[i])) {
                return bytes_of + range_bytes * i + (address - bases[i]);
            }
        }
        return nullptr;
    }
    [[nodiscard]] u8 const* at(u64 address, u64 size) const { return const_cast<gpu_memory*>(this)->at(address, size); }

    [[nodiscard]] u32 dword(u64 address) const { return dword_at(at(address, 4)); }
    void store(u64 address, u32 value) { set_dword(at(address, 4), value); }
    void store64(u64 address, u64 value) {
        store(address, low_dword(value));
        store(address + 4, high_dword(value));
    }

    /// Everything as it is before a request: no two pages alike, no page of one value; fences and scratch are 0.
    void begin() {
        for (u32 i = 0; i != total; i += 4) {
            set_dword(bytes_of + i, i * 0x9E37'79B1u + (i >> 12));
        }
        store64(scratch_at, 0);
        store64(flat_scratch_at, 0);
    }
    void become(gpu_memory const& other) {
        for (u32 i = 0; i != total; i += 4) {
            set_dword(bytes_of + i, dword_at(other.bytes_of + i));
        }
    }
    /// How many dwords differ.
    [[nodiscard]] u32 differences(gpu_memory const& other) const {
        u32 count = 0;
        for (u32 i = 0; i != total; i += 4) {
            count += dword_at(bytes_of + i) != dword_at(other.bytes_of + i);
        }
        return count;
    }
    void copy(u64 to, u64 from, u64 size) {
        u8* const target = at(to, size);
        u8 const* const source = at(from, size);
        // As memmove.
        for (u64 i = 0; i != size; ++i) {
            u64 const k = to > from ? size - 1 - i : i;
            static_cast<u8 volatile*>(target)[k] = source[k];
        }
    }
    void fill(u64 to, u64 size, u32 pattern) {
        for (u64 i = 0; i != size; i += 4) {
            store(to + i, pattern);
        }
    }
};

/// What came of executing commands, apart from memory.
struct effects {
    bool ok = true;
    u32 wrong_at = 0;  ///< the dword of the packet that was refused
    u32 commands = 0;
    u32 interrupts = 0;
    u64 told = 0;  ///< a hash of notices, flushes and registers, in their order

    void tell(u64 value) { told = (told ^ value) * 0x0000'0100'0000'01B3 + 1; }
};

}  // namespace images
