// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../../hw/promises/notices/alloc_notifier.hpp"
#include "../../../hw/promises/notices/context_allocations.hpp"
#include "../../../hw/promises/notices/fence_writer.hpp"
#include "../../../hw/promises/notices/mmu_mapper.hpp"
#include "../../../hw/promises/notices/residency_listener.hpp"
#include "../../../hw/promises/page_table/commands.hpp"
#include "../../../hw/promises/page_table/tlb.hpp"
#include "../../../paging/operations.hpp"
#include "formats.hpp"

#include <string>
#include <utility>
#include <vector>

/// Places for commands of operations 10 to 22, and which of them a hardware type is asked for.
namespace wddmcore::inline WDDMCORE_ABI::testing::law_parts {

/// Whether an operation can arrive and is served by commands of this promise.
template <class Hw, paging_operation Operation, bool Promised>
inline constexpr bool is_commanded = reachable(Hw::caps, Operation) && Promised;

/// Whether some operation of GPU virtual memory names the paging process's addresses.
template <class Hw>
[[nodiscard]] consteval bool names_wddm2_virtual() {
    using enum paging_operation;
    return reachable(Hw::caps, signal_monitored_fence) || reachable(Hw::caps, copy_page_table_entries) ||
           reachable(Hw::caps, update_context_allocation) ||
           (has_page_tables<Hw> && contains(Hw::caps.page_tables, update_modes::gpu_virtual));
}

/// Whether some operation writes page tables, or fences like them.
template <class Hw>
inline constexpr bool has_tables_in_memory =
    has_page_tables<Hw> || reachable(Hw::caps, paging_operation::signal_monitored_fence) ||
    reachable(Hw::caps, paging_operation::copy_page_table_entries);

/// Where commands can be told to write: places in one address space, made from numbers.
///
/// Virtual addresses where operations name those, else bytes of a memory segment.
template <class Hw>
class wddm2_places {
public:
    explicit wddm2_places(Hw const& hw) : hw_(hw) {
        if constexpr (by_virtual) {
            last_ = virtual_limit - 1;
        } else if constexpr (hw::segment_addresses<Hw> && hw::segment_map<Hw>) {
            for (segment_id const id : placed_segments(hw)) {
                if (!hw.is_aperture(id) && hw.place(id).size.n > last_) {
                    id_ = id;
                    last_ = hw.place(id).size.n - 1;
                }
            }
        }
    }

    /// The last number; 0 when there is no place at all.
    [[nodiscard]] u64 last() const { return last_; }

    [[nodiscard]] auto at(u64 n) const {
        if constexpr (by_virtual) {
            return hw_.from_virtual(gpu_virtual_address{n});
        } else {
            return hw_.from_segment(id_, segment_offset{n});
        }
    }

    /// Multiples of `unit` that leave room after them.
    [[nodiscard]] std::vector<u64> telling(random_numbers& random, u64 unit, u64 room) const {
        std::vector<u64> numbers;
        if (last_ >= room) {
            numbers = telling_numbers(random, (last_ - room) / unit, 60);
            for (u64& n : numbers) {
                n *= unit;
            }
        }
        return numbers;
    }

private:
    static constexpr bool by_virtual = hw::virtual_addresses<Hw> && names_wddm2_virtual<Hw>();

    Hw const& hw_;
    segment_id id_{0};
    u64 last_ = 0;
};

/// Runs of entries that a generator may be asked for: the first entry, and from one to the next.
template <class Hw>
[[nodiscard]] entry_run any_run(Hw const& hw, random_numbers& random, u64 pages, u32 count) {
    page_kind const kind = page_kinds(hw).front();
    u64 const flags = valid_flags(segment_id{0}, kind);
    if constexpr (hw::uniform_entries<Hw>) {
        if (random.chance(60) && pages > count) {
            entry_attributes const a = hw.attributes(kind.leaf, pte_flags{flags}, 0);
            u64 const first = random.below(pages - count);
            return {a.add, (first << Hw::entry_page_shift) & a.mask, u64{1} << Hw::entry_page_shift, count};
        }
    }
    u64 const page = random.below(pages / kind.pages) * kind.pages;
    return {hw.encode_leaf(kind.leaf, 0, pte_target{{flags}, page}, 0).low, 0, 0, count};
}

/// An MMU's id, if there is one among the first.
template <class Hw>
[[nodiscard]] std::pair<bool, u32> any_mmu(Hw const& hw) {
    for (u32 id = 0; id != 64; ++id) {
        if (hw.is_mmu(id)) {
            return {true, id};
        }
    }
    return {false, 0};
}

}  // namespace wddmcore::testing::law_parts
