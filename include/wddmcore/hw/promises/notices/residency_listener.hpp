// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../command_stream.hpp"
#include "../keeps.hpp"

namespace wddmcore::inline WDDMCORE_ABI::hw {

/// An allocation came to a place in a segment, or left it.
struct residency_change {
    void* allocation;       ///< the driver's handle
    bool resident;          ///< whether it is in memory now, or was evicted
    segment_id segment;     ///< where it is; 0 when it left: then only `resident` counts (OP15-03)
    segment_offset offset;  ///< from the segment's start
};

/// Hears by command where an allocation is (operation 15): sent for allocations with both ExplicitResidencyNotification
/// and AccessedPhysically (OP15-01).
///
/// For library users: one command for each change, however many chunks the data moved in (OP15-04). It comes after
/// the commands that fill the new place, and before those that empty the old one (OP15-02).
/// For hardware authors: `static constexpr dwords residency_dwords`, 1 to 256, the exact length of
/// `void encode_residency(u32* at, wddmcore::hw::residency_change const&) const`.
template <class Hw>
concept residency_by_command = requires(Hw const& hw, u32* at, residency_change const& change) {
    requires meta::is_constant_of<dwords, Hw::residency_dwords>;
    { hw.encode_residency(at, change) } -> meta::same_as<void>;
};

/// Hears of it at once, on the CPU, perhaps before the commands that move the data have run (OP15-02). Where there is a
/// buffer, commands are preferred.
///
/// For library users: without it a notice without a buffer goes to the fault hook.
/// For hardware authors: `void notify_residency(wddmcore::hw::residency_change const&)`, called once for each change.
template <class Hw>
concept residency_at_once = requires(Hw& hw, residency_change const& change) {
    { hw.notify_residency(change) } -> meta::same_as<void>;
};

/// Hears where allocations are, in one way or in both.
template <class Hw>
concept residency_listener = residency_by_command<Hw> || residency_at_once<Hw>;

/// A part of an allocation became resident, or stopped being so.
///
/// Experimental: no public page says more than the structure's member names (AMB-11).
struct residency_range {
    void* allocation;        ///< the driver's handle
    u32 first_page;          ///< 4-KiB pages from the allocation's start
    u32 page_count;          ///< pages of 4 KiB
    bool resident;           ///< whether it is in memory now, or was evicted
    segment_id segment;      ///< as the request names it
    segment_offset offset;   ///< from the start of a segment that was reported; 0 in system memory
    usize const* page_list;  ///< of the request's MDL, in system memory; else NULL. Which page of the MDL is the first
                             ///< of the range, no page says: the hardware type decides
    u64 list_pages;          ///< how many pages the MDL has
};

/// Hears by command which part of an allocation is where (operation 21, experimental): partial residency is tracked for
/// each range (OP21-01).
///
/// For library users: one command for each range of the request, in its order.
/// For hardware authors: `static constexpr dwords residency_range_dwords`, 1 to 256, the exact length of
/// `void encode_residency_range(u32* at, wddmcore::hw::residency_range const&) const`.
template <class Hw>
concept residency_range_by_command = requires(Hw const& hw, u32* at, residency_range const& range) {
    requires meta::is_constant_of<dwords, Hw::residency_range_dwords>;
    { hw.encode_residency_range(at, range) } -> meta::same_as<void>;
};

/// Hears of it at once, on the CPU. Where there is a buffer, commands are preferred.
///
/// For library users: without it a notice without a buffer goes to the fault hook.
/// For hardware authors: `void notify_residency_range(wddmcore::hw::residency_range const&)`, called once for each
/// change.
template <class Hw>
concept residency_range_at_once = requires(Hw& hw, residency_range const& range) {
    { hw.notify_residency_range(range) } -> meta::same_as<void>;
};

/// Hears which part of an allocation is where, in one way or in both.
template <class Hw>
concept residency_range_listener = residency_range_by_command<Hw> || residency_range_at_once<Hw>;

/// One 64-bit value of a native fence: its place for the GPU and its kernel address for the CPU.
struct fence_value_place {
    segment_id segment;     ///< 0 or 31 is system memory (AMB-21)
    segment_offset offset;  ///< from the segment's start; in system memory as the request has it
    void* cpu;              ///< its kernel address
};

/// Where the two values of a native fence are now.
///
/// Experimental: no public page says more than the structure's member names (AMB-11).
struct fence_residency {
    void* fence;                  ///< hGlobalNativeFence, the system's handle
    fence_value_place current;    ///< the value that is signalled
    fence_value_place monitored;  ///< the value that it is compared with
};

/// Hears by command where the values of a native fence are (operation 18, experimental).
///
/// For library users: from here on a signal compares and interrupts by the new addresses, with the order of the two
/// kept over the move (OP18-02).
/// For hardware authors: `static constexpr dwords fence_residency_dwords`, 1 to 256, the exact length of
/// `void encode_fence_residency(u32* at, wddmcore::hw::fence_residency const&) const`.
template <class Hw>
concept fence_residency_by_command = requires(Hw const& hw, u32* at, fence_residency const& fence) {
    requires meta::is_constant_of<dwords, Hw::fence_residency_dwords>;
    { hw.encode_fence_residency(at, fence) } -> meta::same_as<void>;
};

/// Hears of it at once, on the CPU. Where there is a buffer, commands are preferred.
///
/// For library users: without it a notice without a buffer goes to the fault hook.
/// For hardware authors: `void notify_fence_residency(wddmcore::hw::fence_residency const&)`, called once for each
/// fence.
template <class Hw>
concept fence_residency_at_once = requires(Hw& hw, fence_residency const& fence) {
    { hw.notify_fence_residency(fence) } -> meta::same_as<void>;
};

/// Hears where native fences are, in one way or in both.
template <class Hw>
concept fence_residency_listener = fence_residency_by_command<Hw> || fence_residency_at_once<Hw>;

}  // namespace wddmcore::hw

namespace wddmcore::inline WDDMCORE_ABI::hw::detail {

template <class Hw>
inline constexpr bool declares_residency = requires { &Hw::encode_residency; } || requires { &Hw::residency_dwords; };

template <class Hw>
inline constexpr bool declares_residency_range =
    requires { &Hw::encode_residency_range; } || requires { &Hw::residency_range_dwords; };

template <class Hw>
inline constexpr bool declares_fence_residency =
    requires { &Hw::encode_fence_residency; } || requires { &Hw::fence_residency_dwords; };

/// Notices of operation 15, judged.
struct residency_listener_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        constexpr bool stores = residency_at_once<Hw> || requires { &Hw::notify_residency; };
        if constexpr (!stores && !declares_residency<Hw>) {
            static_assert(!Aloud, "residency_listener: nothing listens: write `void "
                                  "notify_residency(wddmcore::hw::residency_change const&)`, or `void "
                                  "encode_residency(wddmcore::u32* at, wddmcore::hw::residency_change const&) const` "
                                  "with its `residency_dwords`");
        } else if constexpr (stores && !residency_at_once<Hw>) {
            static_assert(!Aloud, "residency_listener: `notify_residency` exists but cannot be called as `void "
                                  "notify_residency(wddmcore::hw::residency_change const&)`");
        } else if constexpr (!declares_residency<Hw>) {
            return true;
        } else if constexpr (!residency_by_command<Hw>) {
            static_assert(!Aloud, "residency_listener: `encode_residency` and `static constexpr wddmcore::dwords "
                                  "residency_dwords` go together and do not fit `void "
                                  "encode_residency(wddmcore::u32* at, wddmcore::hw::residency_change const&) const`");
        } else if constexpr (!is_command_length(Hw::residency_dwords)) {
            static_assert(!Aloud, "residency_listener: `residency_dwords` must be 1 to 256 dwords");
        } else {
            return command_stream_promise::kept<Hw, Aloud>();
        }
        return false;
    }
};

/// Notices of operation 21, judged.
struct residency_range_listener_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        constexpr bool stores = residency_range_at_once<Hw> || requires { &Hw::notify_residency_range; };
        if constexpr (!stores && !declares_residency_range<Hw>) {
            static_assert(!Aloud, "residency_range_listener: nothing listens: write `void "
                                  "notify_residency_range(wddmcore::hw::residency_range const&)`, or `void "
                                  "encode_residency_range(wddmcore::u32* at, wddmcore::hw::residency_range const&) "
                                  "const` with its `residency_range_dwords`");
        } else if constexpr (stores && !residency_range_at_once<Hw>) {
            static_assert(!Aloud, "residency_range_listener: `notify_residency_range` exists but cannot be called as "
                                  "`void notify_residency_range(wddmcore::hw::residency_range const&)`");
        } else if constexpr (!declares_residency_range<Hw>) {
            return true;
        } else if constexpr (!residency_range_by_command<Hw>) {
            static_assert(!Aloud, "residency_range_listener: `encode_residency_range` and `static constexpr "
                                  "wddmcore::dwords residency_range_dwords` go together and do not fit `void "
                                  "encode_residency_range(wddmcore::u32* at, wddmcore::hw::residency_range const&) "
                                  "const`");
        } else if constexpr (!is_command_length(Hw::residency_range_dwords)) {
            static_assert(!Aloud, "residency_range_listener: `residency_range_dwords` must be 1 to 256 dwords");
        } else {
            return command_stream_promise::kept<Hw, Aloud>();
        }
        return false;
    }
};

/// Notices of operation 18, judged.
struct fence_residency_listener_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        constexpr bool stores = fence_residency_at_once<Hw> || requires { &Hw::notify_fence_residency; };
        if constexpr (!stores && !declares_fence_residency<Hw>) {
            static_assert(!Aloud, "fence_residency_listener: nothing listens: write `void "
                                  "notify_fence_residency(wddmcore::hw::fence_residency const&)`, or `void "
                                  "encode_fence_residency(wddmcore::u32* at, wddmcore::hw::fence_residency const&) "
                                  "const` with its `fence_residency_dwords`");
        } else if constexpr (stores && !fence_residency_at_once<Hw>) {
            static_assert(!Aloud, "fence_residency_listener: `notify_fence_residency` exists but cannot be called as "
                                  "`void notify_fence_residency(wddmcore::hw::fence_residency const&)`");
        } else if constexpr (!declares_fence_residency<Hw>) {
            return true;
        } else if constexpr (!fence_residency_by_command<Hw>) {
            static_assert(!Aloud, "fence_residency_listener: `encode_fence_residency` and `static constexpr "
                                  "wddmcore::dwords fence_residency_dwords` go together and do not fit `void "
                                  "encode_fence_residency(wddmcore::u32* at, wddmcore::hw::fence_residency const&) "
                                  "const`");
        } else if constexpr (!is_command_length(Hw::fence_residency_dwords)) {
            static_assert(!Aloud, "fence_residency_listener: `fence_residency_dwords` must be 1 to 256 dwords");
        } else {
            return command_stream_promise::kept<Hw, Aloud>();
        }
        return false;
    }
};

}  // namespace wddmcore::hw::detail
