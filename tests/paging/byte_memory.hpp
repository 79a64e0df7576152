// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "stream.hpp"

#include <wddmcore/testing/guarded/buffer.hpp>

#include <cstring>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// Runs copies whose two sides overlap on real bytes, in the order of the stream, and compares with a move.
///
/// @param by_direction  whether one command may not overlap itself
/// @return an empty string, or what is wrong
[[nodiscard]] inline std::string run_overlapping(std::vector<recorded_command> const& commands,
                                                 recorded_address destination, recorded_address source, u64 size,
                                                 bool by_direction) {
    u64 const low = destination.n < source.n ? destination.n : source.n;
    u64 const distance = destination.n < source.n ? source.n - destination.n : destination.n - source.n;
    u64 const total = size + distance;
    static std::vector<u8> const pattern = [] {
        std::vector<u8> bytes_of_pattern(u64{1} << 20);
        for (u64 i = 0; i < bytes_of_pattern.size(); ++i) {
            bytes_of_pattern[i] = std::to_integer<u8>(guarded_junk(7, i));
        }
        return bytes_of_pattern;
    }();
    std::vector<u8> memory(total);
    for (u64 i = 0; i < total; i += pattern.size()) {
        std::memcpy(memory.data() + i, pattern.data(), total - i < pattern.size() ? total - i : pattern.size());
    }
    std::vector<u8> expected = memory;
    std::memmove(expected.data() + (destination.n - low), memory.data() + (source.n - low), size);

    for (recorded_command const& one : commands) {
        u64 const to = one.destination.n - low;
        u64 const from = one.source.n - low;
        if (one.destination.space != destination.space || one.source.space != source.space || to > total ||
            total - to < one.size || from > total || total - from < one.size) {
            return "a copy outside the two ranges";
        }
        if (by_direction && (to < from ? from - to : to - from) < one.size) {
            return "OP08-07: one command overlaps itself";
        }
        std::memmove(memory.data() + to, memory.data() + from, one.size);
    }
    return memory == expected ? "" : "OP08-07: the bytes are not those of a move";
}

}  // namespace wddmcore::testing
