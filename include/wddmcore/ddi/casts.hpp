// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/span.hpp"
#include "../base/units.hpp"
#include "members.hpp"

/// Every cast that the DDI asks for: its void pointers, the array past an MDL's header, arrays walked by a stride, a
/// bank table, page numbers of another type (law 3). The only other casts between pointers are in the three files whose
/// subject is the machine's own loads and stores: base/stores, hw/page_table_store and paging/cpu/access.
///
/// All functions here: any IRQL, no OS call; pageable where their callers are.
namespace wddmcore::inline WDDMCORE_ABI::casts {

/// @return the write position as dwords: a void* in the DDI, a u32* in a test that runs in constant evaluation
template <class Pointer>
[[nodiscard]] constexpr u32* dma_words(Pointer buffer) noexcept {
    return static_cast<u32*>(buffer);
}

/// @param unit  bytes, not 0
/// @return how many bytes an address lies past a multiple of `unit`; 0 in constant evaluation, which has no addresses
[[nodiscard]] constexpr u32 bytes_past(void const* at, u32 unit) noexcept {
    return in_constant_evaluation() ? 0 : static_cast<u32>(reinterpret_cast<usize>(at) % unit);
}

/// @return how many bytes a write position lies past a dword: none if the library set it (PGB-03)
[[nodiscard]] constexpr u32 bytes_past_dword(u32 const* position) noexcept { return bytes_past(position, 4); }

/// @return the private data `n` bytes further on
template <class Pointer>
[[nodiscard]] constexpr Pointer private_data_after(Pointer at, bytes n) noexcept {
    return static_cast<u8*>(at) + n.n;
}

/// @param n  bytes; only 0 in constant evaluation, which has no such address
/// @return the place `n` bytes past a CPU address
[[nodiscard]] constexpr void* cpu_address_after(void* at, bytes n) noexcept {
    return n.n == 0 ? at : static_cast<u8*>(at) + n.n;
}

/// The PFN array of an MDL, which begins where its header ends.
///
/// @param mdl  not NULL
/// @return its page numbers; those of a test's structure that has them in a member are read there
template <class Mdl>
[[nodiscard]] constexpr usize const* mdl_pages(Mdl const* mdl) noexcept {
    if constexpr (members::pages_in_member<Mdl>) {
        return mdl->Pages;
    } else {
        return reinterpret_cast<usize const*>(mdl + 1);
    }
}

/// @return a page table as words: a void* in the DDI, a pointer to words in a test that runs in constant evaluation
template <class Word, class Pointer>
[[nodiscard]] constexpr Word* table_words(Pointer table) noexcept {
    if constexpr (meta::is_same<Pointer, Word*>) {
        return table;
    } else {
        // The DDI's void*, or a test's words of 8 bytes, which constant evaluation cannot read as shorter ones.
        return reinterpret_cast<Word*>(table);
    }
}

/// The PFN_NUMBER of a driver's headers where it is a type other than usize: `unsigned long` on 32-bit x86.
template <class Pfn>
concept other_page_number = !meta::same_as<Pfn, usize> && sizeof(Pfn) == sizeof(usize) && requires(Pfn pfn) {
    { pfn >> 12 } -> meta::same_as<Pfn>;
};

/// @return an array of PFN_NUMBER as one of usize, which has the same bytes
template <other_page_number Pfn>
[[nodiscard]] inline usize const* page_numbers(Pfn const* array) noexcept {
    return reinterpret_cast<usize const*>(array);
}

/// @return pInputData or pOutputData as the structure that the query's type stands for
template <class Structure, class Pointer>
[[nodiscard]] constexpr Structure* structure_at(Pointer data) noexcept {
    return static_cast<Structure*>(data);
}

/// Writes the first `size` bytes of a descriptor and no other byte: an element may be shorter or longer (SEG-03).
template <class Descriptor>
void copy_bytes(u8* to, Descriptor const& from, usize size) noexcept {
    u8 const* const bytes_of = reinterpret_cast<u8 const*>(&from);
    for (usize i = 0; i < size; ++i) {
        to[i] = bytes_of[i];
    }
}

/// Writes element `index` of an array whose elements lie `stride` bytes apart; the rest of a longer element stays as it
/// is. A test's array with a type is written by assignment, which constant evaluation can do.
template <class Descriptor, class Pointer>
constexpr void store_descriptor(Pointer array, usize index, usize stride, Descriptor const& descriptor) noexcept {
    if constexpr (meta::same_as<meta::bare<typename meta::pointee<Pointer>::type>, Descriptor>) {
        array[index] = descriptor;
    } else {
        copy_bytes(array + index * stride, descriptor, lesser<usize>(stride, sizeof descriptor));
    }
}

/// @return pBankRangeTable for END offsets of the same width. The DDI takes a pointer through which it could write, but
///         only reads
template <class Pointer, class Offset>
[[nodiscard]] constexpr Pointer bank_table(Offset const* ends) noexcept {
    using wanted = typename meta::pointee<Pointer>::type;
    static_assert(sizeof(wanted) == sizeof(Offset));
    if constexpr (meta::same_as<wanted, Offset>) {
        return const_cast<Pointer>(ends);
    } else {
        // u64 and SIZE_T may be different types of the same size.
        return ends == nullptr ? nullptr : reinterpret_cast<Pointer>(const_cast<Offset*>(ends));
    }
}

}  // namespace wddmcore::casts
