// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../command_stream.hpp"
#include "../keeps.hpp"

namespace wddmcore::inline WDDMCORE_ABI::hw {

/// Consecutive pages of a mapping in another MMU than the GPU's own.
///
/// Experimental: no public page says more than the structures' member names (AMB-11).
struct mmu_range {
    u32 mmu;               ///< an id of the driver's MMU caps (OP19-02)
    void* allocation;      ///< may be NULL (PGB-21)
    u64 address;           ///< virtual address of the first page, bytes
    pages length;          ///< pages, 1 or more
    page_number first;     ///< the first of as many consecutive pages; of no meaning when they are unmapped
    segment_id segment;    ///< as the request names it; 0 when they are unmapped
    u64 allocation_start;  ///< AllocationOffsetInPages of a map; AllocationOffset of an unmap, whose unit no page tells
    u64 position;          ///< pages of the same request before these
};

/// The MMUs that there are: those of the driver's QUERYMMUS answer.
///
/// For library users: a request for an MMU that is not among them goes to the fault hook.
/// For hardware authors: `bool is_mmu(u32 id) const`. Beside it at least one of mmu_by_command and mmu_at_once.
template <class Hw>
concept mmu_list = requires(Hw const& hw, u32 id) {
    { hw.is_mmu(id) } -> meta::same_as<bool>;
};

/// Maps and unmaps pages in an MMU by command (operations 19 and 20, experimental).
///
/// For library users: what an unmapped entry holds, and which flush has to follow, no page tells: both are the hardware
/// type's business (OP19-03).
/// For hardware authors: `static constexpr pages mmu_max`, the most pages of one command, at least 1;
/// `static constexpr dwords mmu_dwords`, 1 to 256, the exact length of both
/// `void encode_mmu_map(u32* at, wddmcore::hw::mmu_range const&) const` and
/// `void encode_mmu_unmap(u32* at, wddmcore::hw::mmu_range const&) const`.
template <class Hw>
concept mmu_by_command = mmu_list<Hw> && requires(Hw const& hw, u32* at, mmu_range const& range) {
    requires meta::is_constant_of<pages, Hw::mmu_max>;
    requires meta::is_constant_of<dwords, Hw::mmu_dwords>;
    { hw.encode_mmu_map(at, range) } -> meta::same_as<void>;
    { hw.encode_mmu_unmap(at, range) } -> meta::same_as<void>;
};

/// Maps and unmaps them at once, by the CPU. Where there is a buffer, commands are preferred.
///
/// For library users: without it a request without a buffer goes to the fault hook.
/// For hardware authors: `void store_mmu_map(wddmcore::hw::mmu_range const&)` and
/// `void store_mmu_unmap(wddmcore::hw::mmu_range const&)`.
template <class Hw>
concept mmu_at_once = mmu_list<Hw> && requires(Hw& hw, mmu_range const& range) {
    { hw.store_mmu_map(range) } -> meta::same_as<void>;
    { hw.store_mmu_unmap(range) } -> meta::same_as<void>;
};

/// Maps pages in MMUs, in one way or in both.
template <class Hw>
concept mmu_mapper = mmu_by_command<Hw> || mmu_at_once<Hw>;

}  // namespace wddmcore::hw

namespace wddmcore::inline WDDMCORE_ABI::hw::detail {

template <class Hw>
inline constexpr bool declares_mmu_commands = requires { &Hw::encode_mmu_map; } || requires {
    &Hw::encode_mmu_unmap;
} || requires { &Hw::mmu_dwords; } || requires { &Hw::mmu_max; };

template <class Hw>
inline constexpr bool declares_mmu_stores =
    mmu_at_once<Hw> || requires { &Hw::store_mmu_map; } || requires { &Hw::store_mmu_unmap; };

/// Mappings in other MMUs, judged.
struct mmu_mapper_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        if constexpr (!mmu_list<Hw>) {
            constexpr bool declared = requires { &Hw::is_mmu; };
            static_assert(!Aloud || !declared,
                          "mmu_mapper: `is_mmu` exists but cannot be called as `bool is_mmu(wddmcore::u32 id) const`");
            static_assert(!Aloud || declared,
                          "mmu_mapper: `is_mmu` is missing or not public: write `bool is_mmu(wddmcore::u32 id) const`");
        } else if constexpr (!declares_mmu_commands<Hw> && !declares_mmu_stores<Hw>) {
            static_assert(!Aloud, "mmu_mapper: nothing maps: write `void store_mmu_map(wddmcore::hw::mmu_range "
                                  "const&)` and `void store_mmu_unmap(wddmcore::hw::mmu_range const&)`, or "
                                  "`encode_mmu_map` and `encode_mmu_unmap` with their `mmu_max` and `mmu_dwords`");
        } else if constexpr (declares_mmu_stores<Hw> && !mmu_at_once<Hw>) {
            static_assert(!Aloud, "mmu_mapper: `store_mmu_map` and `store_mmu_unmap` go together and do not fit `void "
                                  "store_mmu_map(wddmcore::hw::mmu_range const&)`");
        } else if constexpr (!declares_mmu_commands<Hw>) {
            return true;
        } else if constexpr (!mmu_by_command<Hw>) {
            static_assert(!Aloud, "mmu_mapper: `encode_mmu_map`, `encode_mmu_unmap`, `static constexpr "
                                  "wddmcore::dwords mmu_dwords` and `static constexpr wddmcore::pages mmu_max` go "
                                  "together and do not fit `void encode_mmu_map(wddmcore::u32* at, "
                                  "wddmcore::hw::mmu_range const&) const`");
        } else if constexpr (!is_command_length(Hw::mmu_dwords)) {
            static_assert(!Aloud, "mmu_mapper: `mmu_dwords` must be 1 to 256 dwords");
        } else if constexpr (Hw::mmu_max.n == 0) {
            static_assert(!Aloud, "mmu_mapper: `mmu_max` must be at least 1 page, or no page could ever be mapped");
        } else {
            return command_stream_promise::kept<Hw, Aloud>();
        }
        return false;
    }
};

}  // namespace wddmcore::hw::detail
