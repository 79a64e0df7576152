// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/units.hpp"
#include "../../ddi/operation.hpp"

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

/// The grain of the command stream and what fills it up.
///
/// For library users: each operation pads its own commands to a multiple of `unit_dwords`; the room is rounded down to
/// it first, so padding always fits (PGB-03).
/// A command that ends a whole submission is no padding, and no part of the type: one submission may carry the commands
/// of several passes, and hardware would stop at the first. DxgkDdiSubmitCommand writes it into the ring, behind the
/// paging buffer (`write_packet` of a driver made of wdk/).
/// For hardware authors: `static constexpr dwords unit_dwords`, 1 to 64, not necessarily a power of two;
/// `void encode_padding(u32* at, dwords n) const` writes exactly n dwords that do nothing, n below unit_dwords,
/// by put32 (base/stores.hpp) as everything: a loop of plain stores of zeros becomes a memset, which breaks law 4.
template <class Hw>
concept command_stream = requires(Hw const& hw, u32* at, dwords n) {
    requires meta::is_constant_of<dwords, Hw::unit_dwords>;
    { hw.encode_padding(at, n) } -> meta::same_as<void>;
};

}  // namespace hw
}  // namespace wddmcore

namespace wddmcore::inline WDDMCORE_ABI::hw::detail {

template <class Hw>
inline constexpr bool declares_record = requires { &Hw::encode_record; } || requires { &Hw::record_bytes; };

/// The command stream, judged.
struct command_stream_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        if constexpr (!requires { Hw::unit_dwords; }) {
            static_assert(!Aloud, "command_stream: `unit_dwords` is missing or not public: write `static constexpr "
                                  "wddmcore::dwords unit_dwords{...};`, the grain of the stream in dwords, 1 to 64");
        } else if constexpr (!requires { requires meta::is_constant_of<dwords, Hw::unit_dwords>; }) {
            static_assert(!Aloud,
                          "command_stream: `unit_dwords` exists but is not a `static constexpr wddmcore::dwords`");
        } else if constexpr (Hw::unit_dwords.n < 1 || Hw::unit_dwords.n > 64) {
            static_assert(!Aloud, "command_stream: `unit_dwords` must be 1 to 64 dwords");
        } else if constexpr (!command_stream<Hw>) {
            constexpr bool declared = requires { &Hw::encode_padding; };
            static_assert(!Aloud || !declared, "command_stream: `encode_padding` exists but cannot be called as "
                                               "`void encode_padding(wddmcore::u32* at, wddmcore::dwords n) const`");
            static_assert(!Aloud || declared, "command_stream: `encode_padding` is missing or not public: write "
                                              "`void encode_padding(wddmcore::u32* at, wddmcore::dwords n) const`");
        } else {
            return true;
        }
        return false;
    }
};

/// The record of a submission, judged.
struct submission_recorder_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        if constexpr (!declares_record<Hw>) {
            return true;
        } else if constexpr (!submission_recorder<Hw>) {
            static_assert(!Aloud, "submission_recorder: `encode_record` and `static constexpr wddmcore::bytes "
                                  "record_bytes` go together and do not fit `void encode_record(void* at, "
                                  "wddmcore::paging_record const&) const`");
        } else if constexpr (Hw::record_bytes.n < 1) {
            static_assert(!Aloud,
                          "submission_recorder: `record_bytes` must not be 0; leave it out where no record is kept");
        } else {
            return true;
        }
        return false;
    }
};

}  // namespace wddmcore::hw::detail
