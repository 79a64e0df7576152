// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "table.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace wddmcore::examples::packets {

/// A field that was found, and where.
struct found_field {
    field const* what;
    std::size_t dword;  ///< from the stream's start
    u64 value;
    method const* owner = nullptr;  ///< the method that the value went to
};

/// A packet that was found.
struct found_packet {
    layout const* what = nullptr;  ///< nullptr: no packet of this engine
    std::size_t first = 0;         ///< its first dword in the stream
    std::size_t dwords = 0;
    std::vector<found_field> fields{};
    std::vector<method const*> methods{};
    u64 commands = 0;
    u64 unexplained = 0;  ///< how many bits are set and belong to no field

    /// The value of a field by its name; the first one where there are several, 0 where there is none.
    [[nodiscard]] u64 operator[](std::string_view name) const {
        for (found_field const& f : fields) {
            if (name == f.what->name) {
                return f.value;
            }
        }
        return 0;
    }
};

namespace detail {

inline constexpr field data_field{"data", 0, 31, 0, reading::hex};

[[nodiscard]] constexpr u64 bits_of(field const& f) {
    return ~u64{0} << (63 - f.high) >> (63 - f.high + f.low) << f.low;
}

/// Adds fields, and notes which bits of their dwords they explain.
inline void add(found_packet& packet, std::span<field const> fields, std::span<u32 const> dwords, std::size_t at,
                std::vector<u32>& rest, method const* owner) {
    for (field const& f : fields) {
        packet.fields.push_back({&f, packet.first + at + f.dword, value_of(f, dwords.subspan(at)), owner});
        u64 const bits = bits_of(f);
        rest[at + f.dword] &= ~static_cast<u32>(bits);
        if (f.high > 31) {
            rest[at + f.dword + 1] &= ~static_cast<u32>(bits >> 32);
        }
    }
}

[[nodiscard]] inline std::size_t length_of(layout const& what, std::span<u32 const> rest) {
    if (!what.dwords.counted) {
        return what.dwords.base;
    }
    field const count{"", what.dwords.dword, what.dwords.high, what.dwords.low};
    return what.dwords.base + static_cast<std::size_t>(value_of(count, rest));
}

/// The fields of the methods that a packet's data go to.
inline void add_methods(instruction_set const& set, found_packet& packet, std::span<u32 const> dwords,
                        std::vector<u32>& rest) {
    u32 const first = (dwords[0] & 0xFFF) * 4;
    bool const increasing = dwords[0] >> 29 == 1;
    for (u32 i = 1; i != dwords.size(); ++i) {
        u32 const offset = increasing ? first + (i - 1) * 4 : first;
        auto const found = std::find_if(set.methods.begin(), set.methods.end(),
                                        [offset](method const& m) { return m.offset == offset; });
        if (found == set.methods.end()) {
            continue;  // its bits stay unexplained
        }
        packet.methods.push_back(&*found);
        packet.commands += found->command;
        add(packet, found->fields, dwords, i, rest, &*found);
    }
}

}  // namespace detail

/// Takes a stream apart. What is no packet of the engine, or does not fit, ends it: the last one then has no layout.
[[nodiscard]] inline std::vector<found_packet> decode(instruction_set const& set, std::span<u32 const> stream) {
    std::vector<found_packet> all;
    for (std::size_t at = 0; at != stream.size();) {
        std::span<u32 const> const rest = stream.subspan(at);
        found_packet packet{.first = at, .dwords = rest.size()};
        auto const what = std::find_if(set.layouts.begin(), set.layouts.end(),
                                       [&](layout const& l) { return (rest[0] & l.mask) == l.match; });
        std::size_t const length = what == set.layouts.end() ? 0 : detail::length_of(*what, rest);
        if (length == 0 || length > rest.size()) {
            all.push_back(packet);
            return all;
        }
        packet.what = &*what;
        packet.dwords = length;
        packet.commands = what->command;
        std::span<u32 const> const dwords = rest.first(length);
        std::vector<u32> unexplained(dwords.begin(), dwords.end());
        detail::add(packet, what->fields, dwords, 0, unexplained, nullptr);
        if (!set.methods.empty()) {
            detail::add_methods(set, packet, dwords, unexplained);
        } else if (what->payload != nullptr) {
            for (std::size_t i = what->fields.back().dword + 1 + (what->fields.back().high > 31); i < length; ++i) {
                detail::add(packet, {&detail::data_field, 1}, dwords, i, unexplained, nullptr);
            }
        }
        for (u32 const dword : unexplained) {
            packet.unexplained += static_cast<u64>(std::popcount(dword));
        }
        all.push_back(std::move(packet));
        at += length;
    }
    return all;
}

}  // namespace wddmcore::examples::packets
