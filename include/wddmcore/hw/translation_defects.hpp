// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "defects.hpp"
#include "fence_writer.hpp"
#include "mmu_mapper.hpp"
#include "tlb.hpp"

/// The first broken promise about translations and fences: operations 12, 16, 19 and 20.
namespace wddmcore::inline WDDMCORE_ABI::hw {

/// Whether a command's length is one that a paging buffer can be made for.
[[nodiscard]] consteval bool is_command_length(dwords length) { return length.n >= 1 && length.n <= 256; }

// Each of these has halves that go together, as in defects.hpp.
template <class Hw>
inline constexpr bool declares_flush_range = requires { &Hw::encode_flush_range; } || requires {
    &Hw::flush_range_dwords;
} || requires { requires !tlb_at_once<Hw> && requires { &Hw::flush_granule; }; };
template <class Hw>
inline constexpr bool declares_flush =
    requires { &Hw::encode_flush; } || requires { &Hw::flush_dwords; } || declares_flush_range<Hw>;
template <class Hw>
inline constexpr bool declares_mmu_commands = requires { &Hw::encode_mmu_map; } || requires {
    &Hw::encode_mmu_unmap;
} || requires { &Hw::mmu_dwords; } || requires { &Hw::mmu_max; };
template <class Hw>
inline constexpr bool declares_mmu_stores =
    mmu_at_once<Hw> || requires { &Hw::store_mmu_map; } || requires { &Hw::store_mmu_unmap; };

/// Whether page-table entries are written by command, so that a flush at once may come before them (OP12-03).
template <class Hw>
inline constexpr bool queues_entries = contains(Hw::caps.page_tables, update_modes::gpu_virtual) ||
                                       contains(Hw::caps.page_tables, update_modes::gpu_physical) ||
                                       reachable(Hw::caps, paging_operation::copy_page_table_entries);

template <class Hw>
[[nodiscard]] consteval broken_promise broken_flush_granule() {
    if constexpr (!requires { Hw::flush_granule; }) {
        return all_kept;
    } else if constexpr (!requires { requires meta::is_constant_of<bytes, Hw::flush_granule>; }) {
        return {member::flush_granule, defect::not_a_constant};
    } else if constexpr (!is_power_of_two(Hw::flush_granule.n) || Hw::flush_granule.n < page_bytes) {
        return {member::flush_granule, defect::out_of_range};
    } else {
        return all_kept;
    }
}

template <class Hw>
[[nodiscard]] consteval broken_promise broken_flush_commands() {
    if constexpr (!requires { Hw::flush_dwords; }) {
        return {member::flush_dwords, defect::missing};
    } else if constexpr (!requires { requires meta::is_constant_of<dwords, Hw::flush_dwords>; }) {
        return {member::flush_dwords, defect::not_a_constant};
    } else if constexpr (!is_command_length(Hw::flush_dwords)) {
        return {member::flush_dwords, defect::out_of_range};
    } else if constexpr (!tlb_by_command<Hw>) {
        constexpr bool declared = requires { &Hw::encode_flush; };
        return wrong_function(member::encode_flush, declared);
    } else if constexpr (!declares_flush_range<Hw>) {
        return broken_command_stream<Hw>();
    } else if constexpr (!ranged_tlb<Hw>) {
        return {member::flush_range_dwords, defect::cannot_be_called};
    } else if constexpr (!is_command_length(Hw::flush_range_dwords)) {
        return {member::flush_range_dwords, defect::out_of_range};
    } else {
        return broken_command_stream<Hw>();
    }
}

template <class Hw>
[[nodiscard]] consteval broken_promise broken_tlb() {
    constexpr bool stores = tlb_at_once<Hw> || requires { &Hw::flush_at_once; };
    if constexpr (!stores && !declares_flush<Hw>) {
        return {member::tlb, defect::missing};
    } else if constexpr (stores && !tlb_at_once<Hw>) {
        return {member::flush_at_once, defect::cannot_be_called};
    } else if constexpr (!declares_flush<Hw>) {
        return queues_entries<Hw> ? broken_promise{member::flush_by_command, defect::missing}
                                  : broken_flush_granule<Hw>();
    } else if constexpr (broken_flush_commands<Hw>() != all_kept) {
        return broken_flush_commands<Hw>();
    } else {
        return broken_flush_granule<Hw>();
    }
}

template <class Hw>
[[nodiscard]] consteval broken_promise broken_fence_writer() {
    if constexpr (!requires { Hw::fence_bytes; }) {
        return {member::fence_bytes, defect::missing};
    } else if constexpr (!requires { requires meta::is_constant_of<bytes, Hw::fence_bytes>; }) {
        return {member::fence_bytes, defect::not_a_constant};
    } else if constexpr (Hw::fence_bytes.n != 4 && Hw::fence_bytes.n != 8) {
        return {member::fence_bytes, defect::out_of_range};
    } else if constexpr (!requires { Hw::fence_dwords; }) {
        return {member::fence_dwords, defect::missing};
    } else if constexpr (!requires { requires meta::is_constant_of<dwords, Hw::fence_dwords>; }) {
        return {member::fence_dwords, defect::not_a_constant};
    } else if constexpr (!is_command_length(Hw::fence_dwords)) {
        return {member::fence_dwords, defect::out_of_range};
    } else if constexpr (!fence_writer<Hw>) {
        constexpr bool declared = requires { &Hw::encode_fence; };
        return wrong_function(member::encode_fence, declared);
    } else {
        return all_kept;
    }
}

template <class Hw>
[[nodiscard]] consteval broken_promise broken_mmu_mapper() {
    if constexpr (!mmu_list<Hw>) {
        constexpr bool declared = requires { &Hw::is_mmu; };
        return wrong_function(member::is_mmu, declared);
    } else if constexpr (!declares_mmu_commands<Hw> && !declares_mmu_stores<Hw>) {
        return {member::mmu_mapper, defect::missing};
    } else if constexpr (declares_mmu_stores<Hw> && !mmu_at_once<Hw>) {
        return {member::store_mmu, defect::cannot_be_called};
    } else if constexpr (!declares_mmu_commands<Hw>) {
        return all_kept;
    } else if constexpr (!mmu_by_command<Hw>) {
        return {member::mmu_dwords, defect::cannot_be_called};
    } else if constexpr (!is_command_length(Hw::mmu_dwords)) {
        return {member::mmu_dwords, defect::out_of_range};
    } else if constexpr (Hw::mmu_max.n == 0) {
        return {member::mmu_max, defect::out_of_range};
    } else {
        return broken_command_stream<Hw>();
    }
}

}  // namespace wddmcore::hw
