// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/meta.hpp"
#include "../base/units.hpp"
#include "../ddi/operation.hpp"

namespace wddmcore::inline WDDMCORE_ABI {

/// What a pass put into the paging buffer.
struct paging_record {
    paging_operation operation;
    u32 written_bytes;  ///< commands of this pass, padding included
    u32 first_token;    ///< MultipassOffset the pass began with
    u32 next_token;     ///< MultipassOffset it leaves
};

namespace hw {

/// Keeps one record for each pass that wrote commands, in the buffer's private data (optional: the driver keeps one
/// record for all submissions of a buffer, and the private-data pointer is left alone; PGB-13).
///
/// For library users: the pointer advances by record_bytes with each such pass; too little room is answered
/// STATUS_GRAPHICS_INSUFFICIENT_DMA_BUFFER with nothing committed, because a fresh buffer brings fresh private data.
/// For hardware authors: `static constexpr bytes record_bytes`, at most the private-data size that the driver reports;
/// `void encode_record(void* at, paging_record const&) const` writes that many bytes. This memory is not GPU memory.
template <class Hw>
concept submission_recorder = requires(Hw const& hw, void* at, paging_record const& record) {
    requires meta::is_constant_of<bytes, Hw::record_bytes>;
    { hw.encode_record(at, record) } -> meta::same_as<void>;
};

}  // namespace hw
}  // namespace wddmcore
