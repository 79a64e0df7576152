// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "address_space.hpp"
#include "keeps.hpp"

namespace wddmcore::inline WDDMCORE_ABI::hw {

/// Points a page of an aperture segment at a system page (operations 5, 6, 17).
///
/// For library users: entries are 4-KiB pages whatever the GPU's own page size is. Which page an unmapped entry gets is
/// never the hardware's choice: it comes as an argument, the dummy page (OP06-01).
/// Which allocations these operations come for: below WDDM 2.0 every one that is placed in the aperture; from there on,
/// of operation 17 as of 5, those that were created with AccessedPhysically. The others are promoted to implicit system
/// memory, and no page of the aperture is mapped for them (PREF-11).
/// For hardware authors: `void store_aperture_entry(segment_id, u64 index, page_number, bool coherent)`: at once, by
/// the CPU, without disturbing other entries (OP05-04). It is required because these operations may come without a
/// buffer (OBS-02). Where only a command can write an entry, it puts that command into the driver's own ring and waits
/// until it was executed; it is called at PASSIVE_LEVEL.
template <class Hw>
concept aperture = requires(Hw& hw, segment_id id, u64 index, page_number page, bool coherent) {
    { hw.store_aperture_entry(id, index, page, coherent) } -> meta::same_as<void>;
};

/// The same by command, preferred when there is a buffer.
///
/// For library users: commands that are queued when a request comes without a buffer are carried out after what that
/// request stores at once (PGB-20); no page says whether the system waits for them first. Hardware for which the order
/// matters leaves this promise out, and has every entry stored at once. The simulator does not find such hardware: it
/// executes what is waiting before it sends one of these operations.
/// For hardware authors: `static constexpr dwords aperture_entry_dwords`, 1 to 256, the exact length of
/// `void encode_aperture_entry(u32* at, segment_id, u64 index, page_number, bool coherent) const`.
template <class Hw>
concept aperture_by_command =
    aperture<Hw> && requires(Hw const& hw, u32* at, segment_id id, u64 index, page_number page, bool coherent) {
        requires meta::is_constant_of<dwords, Hw::aperture_entry_dwords>;
        { hw.encode_aperture_entry(at, id, index, page, coherent) } -> meta::same_as<void>;
    };

}  // namespace wddmcore::hw

namespace wddmcore::inline WDDMCORE_ABI::hw::detail {

template <class Hw>
inline constexpr bool declares_aperture_entry =
    requires { &Hw::encode_aperture_entry; } || requires { &Hw::aperture_entry_dwords; };

/// Aperture entries, judged.
struct aperture_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        if constexpr (!aperture<Hw>) {
            constexpr bool declared = requires { &Hw::store_aperture_entry; };
            static_assert(!Aloud || !declared, "aperture: `store_aperture_entry` exists but cannot be called as "
                                               "`void store_aperture_entry(wddmcore::segment_id, wddmcore::u64 "
                                               "index, wddmcore::page_number, bool coherent)`");
            static_assert(!Aloud || declared,
                          "aperture: `store_aperture_entry` is missing or not public: write `void "
                          "store_aperture_entry(wddmcore::segment_id, wddmcore::u64 index, wddmcore::page_number, bool "
                          "coherent)`; aperture operations also come without a buffer");
        } else if constexpr (!declares_aperture_entry<Hw>) {
            return true;
        } else if constexpr (!requires { requires meta::is_constant_of<dwords, Hw::aperture_entry_dwords>; }) {
            static_assert(!Aloud, "aperture: `encode_aperture_entry` needs `static constexpr wddmcore::dwords "
                                  "aperture_entry_dwords{...};`");
        } else if constexpr (!is_command_length(Hw::aperture_entry_dwords)) {
            static_assert(!Aloud, "aperture: `aperture_entry_dwords` must be 1 to 256 dwords");
        } else if constexpr (!aperture_by_command<Hw>) {
            static_assert(!Aloud, "aperture: `encode_aperture_entry` exists but cannot be called as `void "
                                  "encode_aperture_entry(wddmcore::u32* at, wddmcore::segment_id, wddmcore::u64 index, "
                                  "wddmcore::page_number, bool coherent) const`");
        } else {
            return true;
        }
        return false;
    }
};

}  // namespace wddmcore::hw::detail
