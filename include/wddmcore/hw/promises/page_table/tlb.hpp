// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../capabilities.hpp"
#include "../command_stream.hpp"
#include "../keeps.hpp"

namespace wddmcore::inline WDDMCORE_ABI::hw {

/// Where the root of an address space's page tables lies, and so which address space is meant: never a bus address
/// (OP12-04). Segment 0 is system memory, and the offset is then an address there (GVA-18).
struct address_space_root {
    segment_id segment;
    segment_offset offset;
};

/// Cached translations that have to go.
struct tlb_flush {
    address_space_root root;
    void* process;              ///< hProcess as the request names it; may be NULL
    gpu_virtual_address first;  ///< first byte of the range, a multiple of flush_granule; 0 for a whole address space
    gpu_virtual_address last;   ///< last byte of the range, inclusive; 0 for a whole address space
};

/// Drops the cached translations of an address space by command (operation 12).
///
/// For library users: the command takes effect after the page-table writes that are queued before it, and before what
/// is queued after it (OP12-03). A driver that reports InvalidTlbEntriesNotCached gets no flush for an entry that
/// becomes valid, and promises with it that the hardware caches no invalid translation (OP12-02).
/// For hardware authors: `static constexpr dwords flush_dwords`, 1 to 256, the exact length of
/// `void encode_flush(u32* at, wddmcore::hw::tlb_flush const&) const`, which drops all translations of the root's
/// address space.
template <class Hw>
concept tlb_by_command = requires(Hw const& hw, u32* at, tlb_flush const& flush) {
    requires meta::is_constant_of<dwords, Hw::flush_dwords>;
    { hw.encode_flush(at, flush) } -> meta::same_as<void>;
};

/// Drops the translations of a range by command (optional: every command is one for the whole address space).
///
/// For library users: the range is rounded outward to whole granules (OP12-03).
/// For hardware authors: `static constexpr bytes flush_granule`, a power of two and at least 4096;
/// `static constexpr dwords flush_range_dwords`, 1 to 256, the exact length of
/// `void encode_flush_range(u32* at, wddmcore::hw::tlb_flush const&) const`.
template <class Hw>
concept ranged_tlb = tlb_by_command<Hw> && requires(Hw const& hw, u32* at, tlb_flush const& flush) {
    requires meta::is_constant_of<bytes, Hw::flush_granule>;
    requires meta::is_constant_of<dwords, Hw::flush_range_dwords>;
    { hw.encode_flush_range(at, flush) } -> meta::same_as<void>;
};

/// Drops them at once, by the CPU: for hardware that has no commands, and where there is no buffer. Where there is a
/// buffer, commands are preferred.
///
/// For library users: page tables that the GPU writes need the command as well (OP12-03): a flush at once would come
/// before writes that are only queued. Hardware that has both forms gets it where the system brings no buffer.
/// For hardware authors: `void flush_at_once(wddmcore::hw::tlb_flush const&)`, called at PASSIVE_LEVEL once for each
/// flush, after the CPU's own stores of entries. The translations are gone when it returns.
template <class Hw>
concept tlb_at_once = requires(Hw& hw, tlb_flush const& flush) {
    { hw.flush_at_once(flush) } -> meta::same_as<void>;
};

/// Drops the translations of a range at once (optional: every flush at once is one of the whole address space).
///
/// For library users: as ranged_tlb.
/// For hardware authors: `static constexpr bytes flush_granule`, as for ranged_tlb, and the same for both.
template <class Hw>
concept ranged_tlb_at_once = tlb_at_once<Hw> && requires { requires meta::is_constant_of<bytes, Hw::flush_granule>; };

/// Drops translations, in one way or in both.
template <class Hw>
concept tlb = tlb_by_command<Hw> || tlb_at_once<Hw>;

}  // namespace wddmcore::hw

namespace wddmcore::inline WDDMCORE_ABI::hw::detail {

template <class Hw>
inline constexpr bool declares_flush_range = requires { &Hw::encode_flush_range; } || requires {
    &Hw::flush_range_dwords;
} || requires { requires !tlb_at_once<Hw> && requires { &Hw::flush_granule; }; };

template <class Hw>
inline constexpr bool declares_flush =
    requires { &Hw::encode_flush; } || requires { &Hw::flush_dwords; } || declares_flush_range<Hw>;

/// Whether page-table entries are written by command, so that a flush at once may come before them (OP12-03).
template <class Hw>
inline constexpr bool queues_entries =
    contains(Hw::caps.page_tables, update_modes::gpu_virtual | update_modes::gpu_physical);

/// The promise of flush granule, judged.
struct flush_granule_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        if constexpr (!requires { Hw::flush_granule; }) {
            return true;
        } else if constexpr (!requires { requires meta::is_constant_of<bytes, Hw::flush_granule>; }) {
            static_assert(!Aloud, "tlb: `flush_granule` exists but is not a `static constexpr wddmcore::bytes`");
        } else if constexpr (!is_power_of_two(Hw::flush_granule.n) || Hw::flush_granule.n < page_bytes) {
            static_assert(!Aloud, "tlb: `flush_granule` must be a power of two, in bytes, and at least 4096");
        } else {
            return true;
        }
        return false;
    }
};

/// The promise of flush commands, judged.
struct flush_commands_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        if constexpr (!requires { Hw::flush_dwords; }) {
            static_assert(!Aloud, "tlb: `flush_dwords` is missing or not public: write `static constexpr "
                                  "wddmcore::dwords flush_dwords{...};`, the exact length of what encode_flush writes");
        } else if constexpr (!requires { requires meta::is_constant_of<dwords, Hw::flush_dwords>; }) {
            static_assert(!Aloud, "tlb: `flush_dwords` exists but is not a `static constexpr wddmcore::dwords`");
        } else if constexpr (!is_command_length(Hw::flush_dwords)) {
            static_assert(!Aloud, "tlb: `flush_dwords` must be 1 to 256 dwords");
        } else if constexpr (!tlb_by_command<Hw>) {
            constexpr bool declared = requires { &Hw::encode_flush; };
            static_assert(!Aloud || !declared,
                          "tlb: `encode_flush` exists but cannot be called as `void encode_flush(wddmcore::u32* at, "
                          "wddmcore::hw::tlb_flush const&) const`");
            static_assert(!Aloud || declared, "tlb: `encode_flush` is missing or not public: write `void "
                                              "encode_flush(wddmcore::u32* at, wddmcore::hw::tlb_flush const&) const`");
        } else if constexpr (!declares_flush_range<Hw>) {
            return command_stream_promise::kept<Hw, Aloud>();
        } else if constexpr (!ranged_tlb<Hw>) {
            static_assert(!Aloud, "tlb: `encode_flush_range`, `static constexpr wddmcore::dwords flush_range_dwords` "
                                  "and `static constexpr wddmcore::bytes flush_granule` go together and do not fit "
                                  "`void encode_flush_range(wddmcore::u32* at, wddmcore::hw::tlb_flush const&) const`");
        } else if constexpr (!is_command_length(Hw::flush_range_dwords)) {
            static_assert(!Aloud, "tlb: `flush_range_dwords` must be 1 to 256 dwords");
        } else {
            return command_stream_promise::kept<Hw, Aloud>();
        }
        return false;
    }
};

/// Flushes, judged.
struct tlb_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        constexpr bool stores = tlb_at_once<Hw> || requires { &Hw::flush_at_once; };
        if constexpr (!stores && !declares_flush<Hw>) {
            static_assert(!Aloud, "tlb: nothing flushes: write `void flush_at_once(wddmcore::hw::tlb_flush const&)`, "
                                  "or `void encode_flush(wddmcore::u32* at, wddmcore::hw::tlb_flush const&) const` "
                                  "with its `flush_dwords`");
        } else if constexpr (stores && !tlb_at_once<Hw>) {
            static_assert(!Aloud, "tlb: `flush_at_once` exists but cannot be called as `void "
                                  "flush_at_once(wddmcore::hw::tlb_flush const&)`");
        } else if constexpr (!declares_flush<Hw> && queues_entries<Hw>) {
            static_assert(!Aloud, "tlb: `flush_at_once` alone comes before page-table writes that are only queued "
                                  "(OP12-03), and the capabilities let the GPU write page tables: write "
                                  "`encode_flush` and `flush_dwords` too");
        } else if constexpr (!declares_flush<Hw>) {
            return flush_granule_promise::kept<Hw, Aloud>();
        } else {
            return keeps<Hw, Aloud, flush_commands_promise, flush_granule_promise>();
        }
        return false;
    }
};

}  // namespace wddmcore::hw::detail
