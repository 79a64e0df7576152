// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "address_space.hpp"

namespace wddmcore::inline WDDMCORE_ABI::hw {

/// An update of a context allocation, as the driver asked for it with DxgkCbUpdateContextAllocation.
///
/// The callback returns when the update is done: it must not be called while a paging buffer is built (OP13-02).
struct context_update {
    bytes size;        ///< of the context allocation
    void const* data;  ///< the driver's private data, as passed to the callback (OP13-01); dies with the request
    u32 data_bytes;
};

/// Where one command of an update writes.
struct context_write {
    u64 offset;  ///< bytes from the start of the context allocation
    u64 size;    ///< bytes
};

/// Writes into a context allocation what the driver's private data asks for (operation 13).
///
/// For library users: a write that leaves the allocation is not carried out; what the commands need of the private data
/// has to be in them, because it does not live until they run.
/// For hardware authors: `u32 context_update_count(wddmcore::hw::context_update const&) const`, how many commands an
/// update takes, the same in every pass; `context_write context_update_at(wddmcore::hw::context_update const&, u32
/// index) const`, where one of them writes; `static constexpr dwords context_update_dwords`, 1 to 256, the exact length
/// of `void encode_context_update(u32* at, address place, wddmcore::hw::context_update const&, u32 index) const`, where
/// `place` is the first byte that it writes.
template <class Hw>
concept context_updater = addressed<Hw> && requires(Hw const& hw, u32* at, typename Hw::address place,
                                                    context_update const& update, u32 index) {
    { hw.context_update_count(update) } -> meta::same_as<u32>;
    { hw.context_update_at(update, index) } -> meta::same_as<context_write>;
    requires meta::is_constant_of<dwords, Hw::context_update_dwords>;
    { hw.encode_context_update(at, place, update, index) } -> meta::same_as<void>;
};

}  // namespace wddmcore::hw
