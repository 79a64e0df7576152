// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "recorder.hpp"

#include <string>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing {

/// One record of a recorded stream, decoded; members that its kind does not have are zero.
struct recorded_command {
    record_kind kind{};
    recorded_address destination{};  ///< of copies and fills; the place of reads, writes and discards
    recorded_address source{};
    u64 size = 0;  ///< bytes
    u32 pattern = 0;
    u32 segment = 0;  ///< of an aperture entry, with its index, page and coherency
    u64 index = 0;
    u64 page = 0;
    bool coherent = false;
    u64 allocation = 0;         ///< the handle's bits
    u64 allocation_offset = 0;  ///< of a swizzled copy, bytes
    u32 swizzle_direction = 0;  ///< 1: to swizzled, 2: to linear
    u32 range_id = 0;
    u32 range_data = 0;
    u64 values[7] = {};  ///< of the kinds from `flush` on
    friend constexpr bool operator==(recorded_command const&, recorded_command const&) = default;
};

/// Reads words one after another.
struct record_reader {
    u32 const* at;
    constexpr u32 word() { return *at++; }
    constexpr u64 wide() {
        u64 const low = word();
        return low | u64{word()} << 32;
    }
    constexpr recorded_address place() {
        u64 const n = wide();
        return {n, wide()};
    }
};

/// How many 64-bit values a record of the kinds from `flush` on has.
[[nodiscard]] constexpr u32 value_count(record_kind kind) {
    switch (kind) {
        case record_kind::flush:
        case record_kind::fence: return 3;
        case record_kind::flush_range:
        case record_kind::residency: return 4;
        case record_kind::context_piece:
        case record_kind::context_update: return 5;
        case record_kind::eviction:
        case record_kind::iommu_unmap: return 6;
        case record_kind::residency_range:
        case record_kind::fence_residency:
        case record_kind::mmu_map:
        case record_kind::mmu_unmap: return 7;
        default: return 0;
    }
}

/// Reads what follows the head of a record; nothing where it is of no kind.
[[nodiscard]] constexpr recorded_command read_record(record_kind kind, record_reader& from) {
    recorded_command one;
    one.kind = kind;
    switch (kind) {
        case record_kind::copy:
            one.destination = from.place();
            one.source = from.place();
            one.size = from.wide();
            break;
        case record_kind::fill:
            one.destination = from.place();
            one.size = from.wide();
            one.pattern = from.word();
            break;
        case record_kind::read:
        case record_kind::write: one.destination = from.place(); break;
        case record_kind::aperture_entry: {
            one.segment = from.word();
            one.index = from.wide();
            one.page = from.wide();
            one.coherent = from.word() != 0;
            break;
        }
        case record_kind::discard:
            one.destination = from.place();
            one.allocation = from.wide();
            break;
        case record_kind::swizzled_copy:
            one.destination = from.place();
            one.source = from.place();
            one.allocation_offset = from.wide();
            one.size = from.word();
            one.swizzle_direction = from.word();
            one.allocation = from.wide();
            one.range_id = from.word();
            one.range_data = from.word();
            break;
        default:
            for (u32 i = 0; i != value_count(kind); ++i) {
                one.values[i] = from.wide();
            }
            break;
    }
    return one;
}

/// How many dwords a record of a kind has, as far as it is read; 0 for what is no kind.
[[nodiscard]] constexpr u32 record_length(u32 kind) {
    constexpr u32 zeros[32]{};
    record_reader from{zeros + 1};
    static_cast<void>(read_record(static_cast<record_kind>(kind), from));
    auto const length = static_cast<u32>(from.at - zeros);
    return length == 1 ? 0 : length;
}
static_assert(record_length(0) == 0 && record_length(1) == 11 && record_length(19) == 15 && record_length(20) == 0);

[[nodiscard]] constexpr recorded_command decode_record(u32 const* at) {
    record_reader from{at + 1};
    return read_record(static_cast<record_kind>((*at >> 8) & 0xFF), from);
}

/// Decodes what one pass left behind: whole records, then padding that fills up the grain and no more (PGB-03, PGB-07).
///
/// @param words  the pass's own words
/// @param count  dwords
/// @param grain  dwords of the stream's unit
/// @param each   called with every record, in order
/// @return an empty string, or what is wrong with the stream
template <class Each>
[[nodiscard]] std::string parse_stream(u32 const* words, u64 count, u32 grain, Each&& each) {
    u64 at = 0;
    while (at < count && (words[at] & 0xFFFF'0000) == record_head) {
        u32 const length = words[at] & 0xFF;
        if (length == 0 || length != record_length((words[at] >> 8) & 0xFF)) {
            return "dword " + std::to_string(at) + ": no record begins like this";
        }
        if (count - at < length) {
            return "dword " + std::to_string(at) + ": the record is cut off";
        }
        each(decode_record(words + at));
        at += length;
    }
    u64 const padding = count - at;
    if (padding >= grain) {
        return "dword " + std::to_string(at) + ": " + std::to_string(padding) +
               " dwords are neither records nor padding";
    }
    for (u64 i = 0; i < padding; ++i) {
        if (words[at + i] != (padding_head | static_cast<u32>(padding) << 8 | static_cast<u32>(i))) {
            return "dword " + std::to_string(at + i) + ": not the padding that was asked for";
        }
    }
    if (count % grain != 0) {
        return "the pass is not a multiple of the grain";
    }
    return {};
}

}  // namespace wddmcore::testing
