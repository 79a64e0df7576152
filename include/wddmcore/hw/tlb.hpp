// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/meta.hpp"
#include "../base/units.hpp"

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
/// The command takes effect after the page-table writes that are queued before it, and before what is queued behind it
/// (OP12-03). A driver that reports InvalidTlbEntriesNotCached gets no flush for an entry that becomes valid, and
/// promises with it that the hardware caches no invalid translation (OP12-02).
///
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
/// flush, behind the CPU's own stores of entries. The translations are gone when it returns.
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
