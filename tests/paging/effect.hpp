// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "stream.hpp"

#include <algorithm>
#include <ostream>

/// What a request does to memory, in the hardware's addresses: a list of moved pieces and of filled pieces.
namespace wddmcore::inline WDDMCORE_ABI::testing {

/// Bytes [destination, destination + size) become what [source, source + size) was, or a repeated pattern.
struct effect_piece {
    recorded_address destination{};
    recorded_address source{};  ///< of a fill: {0, fill_source}
    u64 size = 0;
    u32 pattern = 0;  ///< of a fill, in the phase of an address that is a multiple of four
    friend bool operator==(effect_piece const&, effect_piece const&) = default;
};

inline constexpr u64 fill_source = ~u64{0};

inline std::ostream& operator<<(std::ostream& out, effect_piece const& piece) {
    out << std::hex << piece.destination.space << ":" << piece.destination.n << " <- ";
    if (piece.source.space == fill_source) {
        out << "pattern " << piece.pattern;
    } else {
        out << piece.source.space << ":" << piece.source.n;
    }
    return out << " x " << piece.size << std::dec;
}

/// A pattern that begins at `address`, turned to the phase of a multiple of four.
[[nodiscard]] inline u32 in_phase(u32 pattern, u64 address) {
    u32 const turn = static_cast<u32>(address % 4) * 8;
    return turn == 0 ? pattern : pattern << turn | pattern >> (32 - turn);
}

[[nodiscard]] inline effect_piece moved(recorded_address destination, recorded_address source, u64 size) {
    return {destination, source, size, 0};
}

[[nodiscard]] inline effect_piece filled(recorded_address destination, u64 size, u32 pattern) {
    return {destination, {0, fill_source}, size, in_phase(pattern, destination.n)};
}

/// The pieces in the order of their destinations, neighbours that continue each other joined. Two lists without double
/// writes have the same effect exactly when they are equal afterwards.
[[nodiscard]] inline std::vector<effect_piece> joined(std::vector<effect_piece> pieces) {
    std::sort(pieces.begin(), pieces.end(), [](effect_piece const& a, effect_piece const& b) {
        return a.destination.space != b.destination.space ? a.destination.space < b.destination.space
                                                          : a.destination.n < b.destination.n;
    });
    std::vector<effect_piece> result;
    for (effect_piece const& piece : pieces) {
        if (!result.empty()) {
            effect_piece& last = result.back();
            bool const fill = piece.source.space == fill_source;
            if (last.destination + bytes{last.size} == piece.destination && last.source.space == piece.source.space &&
                last.pattern == piece.pattern && (fill || last.source.n + last.size == piece.source.n)) {
                last.size += piece.size;
                continue;
            }
        }
        result.push_back(piece);
    }
    return result;
}

/// Whether no byte is written twice; `pieces` as `joined` leaves them.
[[nodiscard]] inline bool written_once(std::vector<effect_piece> const& pieces) {
    for (std::size_t i = 1; i < pieces.size(); ++i) {
        effect_piece const& a = pieces[i - 1];
        effect_piece const& b = pieces[i];
        if (a.destination.space == b.destination.space && b.destination.n - a.destination.n < a.size) {
            return false;
        }
    }
    return true;
}

/// What a list of recorded commands does; other kinds than copies and fills do nothing here.
[[nodiscard]] inline std::vector<effect_piece> effect_of(std::vector<recorded_command> const& commands) {
    std::vector<effect_piece> pieces;
    for (recorded_command const& one : commands) {
        if (one.kind == record_kind::copy) {
            pieces.push_back(moved(one.destination, one.source, one.size));
        } else if (one.kind == record_kind::fill) {
            pieces.push_back(filled(one.destination, one.size, one.pattern));
        }
    }
    return pieces;
}

}  // namespace wddmcore::testing
