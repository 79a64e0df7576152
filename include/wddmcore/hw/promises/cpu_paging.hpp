// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/meta.hpp"
#include "../../ddi/operation.hpp"

/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::hw {

/// Whether an operation moves or touches plain memory, so that the CPU can carry it out as well as an engine.
[[nodiscard]] constexpr bool is_cpu_operation(paging_operation operation) noexcept {
    u32 const code = static_cast<u32>(operation);
    return code < paging_operation_count && paging_operations[code].touches_memory;
}

/// Hardware without an engine for paging: operations 0, 1, 3, 4, 7, 8 and 9 are carried out by the CPU. Optional.
///
/// For library users: execute_on_cpu is asked first, and build_paging_buffer for what it answers `not_mine`. An
/// operation of the seven that comes to build_paging_buffer all the same goes to the fault hook: it is never
/// acknowledged undone. Discarding (2), apertures (5, 6, 17) and everything from operation 10 on are built as for any
/// other hardware.
/// For hardware authors: `static constexpr bool paged_by_cpu = true;`. copy_engine, fill_engine and physical_accessor
/// are then wanted by no operation of the seven; segment_map is. With GPU virtual paging addresses the mapping
/// functions given to execute_on_cpu must have `map_virtual` (paging/cpu/memory.hpp).
template <class Hw>
inline constexpr bool paged_by_cpu = requires { requires Hw::paged_by_cpu; };

/// Whether an operation never reaches the builders of a hardware type, because the CPU does it.
template <class Hw>
[[nodiscard]] constexpr bool left_to_cpu(paging_operation operation) noexcept {
    return paged_by_cpu<Hw> && is_cpu_operation(operation);
}

}  // namespace wddmcore::hw

namespace wddmcore::inline WDDMCORE_ABI::hw::detail {

/// The choice between engine and CPU, judged.
struct cpu_paging_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        constexpr bool declared = requires { Hw::paged_by_cpu; };
        constexpr bool kept = !declared || requires { requires meta::is_constant_of<bool, Hw::paged_by_cpu>; };
        static_assert(!Aloud || kept, "defaults: `paged_by_cpu` exists but is not a `static constexpr bool`");
        return kept;
    }
};

}  // namespace wddmcore::hw::detail
