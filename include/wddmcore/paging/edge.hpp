// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/assert.hpp"
#include "../base/units.hpp"
#include "../ddi/shape.hpp"
#include "writer.hpp"

/// The DDI's edge of paging/: void pointers and the array behind an MDL's header. Nothing else here casts (law 3).
namespace wddmcore::inline WDDMCORE_ABI::paging::edge {

/// The write position as dwords: a void* in the DDI, a u32* in a test that runs in constant evaluation.
template <class Pointer>
[[nodiscard]] constexpr u32* dma_words(Pointer buffer) noexcept {
    return static_cast<u32*>(buffer);
}

/// How many bytes a write position lies behind a dword: none, for every position that this library left behind (PGB-03).
[[nodiscard]] constexpr u32 bytes_past_dword(u32 const* position) noexcept {
    return in_constant_evaluation() ? 0 : static_cast<u32>(reinterpret_cast<usize>(position) & 3);
}

/// The private data `n` bytes on.
template <class Pointer>
[[nodiscard]] constexpr Pointer private_data_after(Pointer at, bytes n) noexcept {
    return static_cast<u8*>(at) + n.n;
}

/// A place `n` bytes behind a CPU address; in constant evaluation, where there is no such place, only for no bytes.
[[nodiscard]] constexpr void* cpu_address_after(void* at, bytes n) noexcept {
    return n.n == 0 ? at : static_cast<u8*>(at) + n.n;
}

/// The PFN array of an MDL, which begins where its header ends.
///
/// @param mdl  not NULL
/// Source page: wdm MDL semantics. A test structure that carries its pages in a member is read there instead.
template <class Mdl>
[[nodiscard]] constexpr usize const* mdl_pages(Mdl const* mdl) noexcept {
    if constexpr (shape::pages_in_member<Mdl>) {
        return mdl->Pages;
    } else {
        return reinterpret_cast<usize const*>(mdl + 1);
    }
}

}  // namespace wddmcore::paging::edge
