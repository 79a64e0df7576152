// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "checks.hpp"

/// The mirrors' layouts as this machine's compiler has them, beside the measured numbers. The rows are written by
/// layout_rows.py from tests/abi; here they are read, and bits are set and found, when the image runs.
namespace images {

struct layout_row {
    char const* name;
    u32 offset, measured_offset;
    u32 size, measured_size;
};

/// Sets a bit-field to all ones in an object of zeroes.
struct bits_row {
    char const* name;
    void (*set)(void* object);
    u32 bytes;  ///< of the object
    u32 offset, size;
    u64 measured_mask;
};

extern layout_row const layout_rows[];
extern u32 const layout_row_count;
extern bits_row const bits_rows[];
extern u32 const bits_row_count;

inline void check_layouts(checks& to) {
    to.begin("layouts of the DDI's structures");
    for (u32 i = 0; i != layout_row_count; ++i) {
        layout_row const& row = layout_rows[i];
        to.expect(row.offset == row.measured_offset && row.size == row.measured_size, row.name, row.offset);
        to.hash(row.offset);
        to.hash(row.size);
    }
    to.begin("bits of the DDI's structures");
    alignas(16) static u8 object[2048];
    for (u32 i = 0; i != bits_row_count; ++i) {
        bits_row const& row = bits_rows[i];
        for (u32 at = 0; at != sizeof object; at += 4) {
            set_dword(object + at, 0);
        }
        bool fits = row.bytes <= sizeof object;
        if (fits) {
            row.set(object);
        }
        u64 mask = 0;
        for (u32 at = 0; fits && at != row.bytes; ++at) {
            u32 const byte = static_cast<u8 volatile*>(object)[at];
            if (at - row.offset < row.size) {
                mask |= u64{byte} << 8 * (at - row.offset);
            } else {
                fits = byte == 0;
            }
        }
        to.expect(fits && mask == row.measured_mask, row.name, mask);
        to.hash64(mask);
    }
}

}  // namespace images
