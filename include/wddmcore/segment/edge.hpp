// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/meta.hpp"
#include "../base/span.hpp"

/// The DDI's edge of the queries: void pointers, arrays walked by a stride, a bank table. Nothing else here casts
/// (law 3).
///
/// All functions here: PASSIVE_LEVEL as DxgkDdiQueryAdapterInfo, pageable, touch no OS state.
namespace wddmcore::inline WDDMCORE_ABI::segment::edge {

/// pInputData, pOutputData as the structure that the query's type says.
template <class Structure, class Pointer>
[[nodiscard]] constexpr Structure* structure_at(Pointer data) noexcept {
    return static_cast<Structure*>(data);
}

/// Writes the first `size` bytes of a descriptor, and no other byte: an element may be shorter or longer (SEG-03).
template <class Descriptor>
void copy_bytes(u8* to, Descriptor const& from, usize size) noexcept {
    u8 const* const bytes_of = reinterpret_cast<u8 const*>(&from);
    for (usize i = 0; i < size; ++i) {
        to[i] = bytes_of[i];
    }
}

/// Writes element `index` of an array whose elements lie `stride` bytes apart; the rest of a longer element stays as it
/// is. A test whose array has a type is written by assignment, also in constant evaluation.
template <class Descriptor, class Pointer>
constexpr void store_descriptor(Pointer array, usize index, usize stride, Descriptor const& descriptor) noexcept {
    if constexpr (meta::same_as<meta::bare<typename meta::pointee<Pointer>::type>, Descriptor>) {
        array[index] = descriptor;
    } else {
        copy_bytes(array + index * stride, descriptor, lesser<usize>(stride, sizeof descriptor));
    }
}

/// pBankRangeTable, from END offsets of the same width: the DDI takes a pointer that it could write through, and only
/// reads.
template <class Pointer, class Offset>
[[nodiscard]] constexpr Pointer bank_table(Offset const* ends) noexcept {
    using wanted = typename meta::pointee<Pointer>::type;
    static_assert(sizeof(wanted) == sizeof(Offset));
    if constexpr (meta::same_as<wanted, Offset>) {
        return const_cast<Pointer>(ends);
    } else {
        // u64 and SIZE_T may be two types of the same bytes.
        return ends == nullptr ? nullptr : reinterpret_cast<Pointer>(const_cast<Offset*>(ends));
    }
}

}  // namespace wddmcore::segment::edge
