// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/base/types.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

/// Command packets as data: which fields they have, and where. From such a table a stream is taken apart, for a page, a
/// log or a debugger. The encoders do not use it, so it also shows when an encoder is wrong.
namespace wddmcore::examples::packets {

/// How the value of a field is best written.
enum class reading : std::uint8_t {
    number,    ///< decimal
    hex,       ///< an address, a pattern or bits
    less_one,  ///< the field holds one less than it means
};

/// A field of a packet, a method's value or a page-table entry.
struct field {
    char const* name;
    u32 dword;  ///< counted from the packet's first
    u32 high;   ///< the highest bit; above 31 it lies in the next dword
    u32 low;
    reading as = reading::number;
    char const* means = "";  ///< what the value says, where the name does not
};

/// How long a packet is, in dwords: `base`, and the value of a field of the packet where `counted`.
struct length {
    u32 base;
    bool counted = false;
    u32 dword = 0;
    u32 high = 0;
    u32 low = 0;
};

/// One kind of packet. Its first dword, under `mask`, is `match`.
struct layout {
    char const* name;
    char const* means;
    u32 mask;
    u32 match;
    length dwords;
    std::span<field const> fields;
    bool command = true;            ///< it does something; false: it pads, orders or only carries methods
    char const* payload = nullptr;  ///< what the dwords after the fields are; methods: see `instruction_set`
};

/// A register of the engine that a packet's data is written to, one dword each.
struct method {
    char const* name;
    char const* means;
    u32 offset;  ///< in bytes
    std::span<field const> fields;
    bool command = false;  ///< the one that carries the work out
};

/// All packets of one engine. With methods, data dword i of a packet goes to the method that its first dword names in
/// bits [11:0] (in dwords), and for an increasing packet to the i-th after it.
struct instruction_set {
    char const* name;
    std::span<layout const> layouts;
    std::span<method const> methods = {};
};

/// The value of a field.
[[nodiscard]] constexpr u64 value_of(field const& f, std::span<u32 const> dwords) noexcept {
    u64 const low = f.dword < dwords.size() ? dwords[f.dword] : 0;
    u64 const high = f.high > 31 && f.dword + 1 < dwords.size() ? dwords[f.dword + 1] : 0;
    return (low | high << 32) << (63 - f.high) >> (63 - f.high + f.low);
}

}  // namespace wddmcore::examples::packets
