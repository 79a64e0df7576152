// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "table_stream.hpp"

#include <cstring>
#include <string>
#include <vector>

/// Decodes the stream of table_stream.hpp and runs it on simulated table memory. It shares nothing with the encoders.
namespace wddmcore::inline WDDMCORE_ABI::table_tests {

/// A piece of memory that tables lie in; what is outside of it is an error.
struct table_memory {
    u64 space;
    u64 base;
    std::vector<unsigned char> content;

    [[nodiscard]] bool holds(u64 in_space, u64 at, u64 size) const {
        return in_space == space && at >= base && at - base <= content.size() && size <= content.size() - (at - base);
    }
    [[nodiscard]] unsigned char* at(u64 address) { return content.data() + (address - base); }
    bool operator==(table_memory const&) const = default;
};

/// How many commands of each kind ran.
struct command_counts {
    u64 writes = 0;
    u64 generates = 0;
    u64 fills = 0;
    u64 copies = 0;
};

/// Runs what one pass wrote.
///
/// @param grain       dwords that the pass must be a multiple of
/// @param write_max   the most dwords of entries in one write
/// @param write_tail  whether writes end with a tail
/// @return an empty string, or what is wrong with the stream
[[nodiscard]] inline std::string run_commands(u32 const* words, u64 count, u32 grain, u64 write_max, bool write_tail,
                                              table_memory& memory, command_counts& ran) {
    auto wide = [words](u64 at) { return u64{words[at]} | u64{words[at + 1]} << 32; };
    auto fail = [](u64 at, char const* what) { return "dword " + std::to_string(at) + ": " + what; };
    u64 at = 0;
    while (at < count && (words[at] >> 24) == 0xE0) {
        u32 const kind = (words[at] >> 8) & 0xFF;
        u64 const length = words[at] & 0xFF;
        if (count - at < length || length < 5) {
            return fail(at, "the command is cut off");
        }
        u64 const place = wide(at + 1);
        u64 const space = words[at + 3];
        if (kind == 1) {
            u64 const n = words[at + 4];
            u64 const whole = 5 + n + (write_tail ? 1 : 0);
            if (length != 5 || n == 0 || n > write_max || count - at < whole) {
                return fail(at, "not a write");
            }
            if (!memory.holds(space, place, n * 4)) {
                return fail(at, "writes outside the table");
            }
            std::memcpy(memory.at(place), words + at + 5, n * 4);
            if (write_tail && words[at + 5 + n] != (0xE7A1'0000u | n)) {
                return fail(at, "the write lacks its tail");
            }
            at += whole;
            ++ran.writes;
        } else if (kind == 2) {
            u64 const entry = (words[at] >> 16) & 0xFF;
            u64 const n = words[at + 9];
            if (length != 10 || n == 0 || (entry != 4 && entry != 8) || !memory.holds(space, place, n * entry)) {
                return fail(at, "not a generate, or outside the table");
            }
            for (u64 i = 0; i != n; ++i) {
                u64 const value = wide(at + 4) + wide(at + 6) + i * words[at + 8];
                std::memcpy(memory.at(place + i * entry), &value, entry);
            }
            at += length;
            ++ran.generates;
        } else if (kind == 3) {
            u64 const size = wide(at + 4);
            if (length != 7 || size == 0 || size % 4 != 0 || !memory.holds(space, place, size)) {
                return fail(at, "not a fill, or outside the table");
            }
            for (u64 i = 0; i != size; i += 4) {
                std::memcpy(memory.at(place + i), words + at + 6, 4);
            }
            at += length;
            ++ran.fills;
        } else if (kind == 4) {
            u64 const from = wide(at + 4);
            u64 const size = wide(at + 7);
            if (length != 9 || size == 0 || !memory.holds(space, place, size) ||
                !memory.holds(words[at + 6], from, size)) {
                return fail(at, "not a copy, or outside the tables");
            }
            if ((place < from ? from - place : place - from) < size) {
                return fail(at, "one command overlaps itself");
            }
            std::memmove(memory.at(place), memory.at(from), size);
            at += length;
            ++ran.copies;
        } else {
            return fail(at, "no such command");
        }
    }
    u64 const padding = count - at;
    if (padding >= grain || count % grain != 0) {
        return fail(at, "neither commands nor padding");
    }
    for (u64 i = 0; i != padding; ++i) {
        if (words[at + i] != (0xFADD'0000u | padding << 8 | i)) {
            return fail(at + i, "not the padding that was asked for");
        }
    }
    return {};
}

}  // namespace wddmcore::table_tests
