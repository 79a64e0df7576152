// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../hw/promises/cpu_paging.hpp"
#include "../operations.hpp"
#include "operations.hpp"

/// Operations 0, 1, 3, 4, 7, 8 and 9, carried out by the CPU through a driver's mapping functions: for hardware without
/// a copy engine, and for what is left to do when the GPU must not be touched.
namespace wddmcore::inline WDDMCORE_ABI {

namespace paging::detail::cpu {

/// Decodes the operation and goes to its executor. An operation whose members the argument structure lacks cannot come.
template <class Hw, class Memory, class Args>
[[nodiscard]] constexpr cpu_answer execute(Hw& hw, Memory& memory, Args& args, cpu_moment moment,
                                           pages budget) noexcept {
    auto const go = [&]<paging_operation Operation>() {
        using enum paging_operation;
        constexpr bool is_virtual = Operation == paging_operation::virtual_transfer || Operation == virtual_fill;
        if constexpr (!detail::operation<Operation>::template carried_by<Args> ||
                      (is_virtual && !cpu_virtual_memory<Memory>)) {
            return answer_not_mine;
        } else if constexpr (Operation == paging_operation::transfer || Operation == special_lock_transfer) {
            return cpu::transfer<Operation>(hw, memory, args, moment, budget);
        } else if constexpr (Operation == paging_operation::fill || Operation == virtual_fill) {
            return fill_place<Operation>(hw, memory, args, budget);
        } else if constexpr (Operation == read_physical || Operation == write_physical) {
            return access<Operation>(hw, memory, args, budget);
        } else if constexpr (Operation == paging_operation::virtual_transfer) {
            return cpu::virtual_transfer<Operation>(hw, memory, args, budget);
        } else {
            return answer_not_mine;
        }
    };
    return visit_operation(static_cast<u32>(args.Operation), go, [] { return answer_not_mine; });
}

/// Whether operations 8 and 9 are left to a CPU that cannot reach the paging process's memory.
template <class Hw, class Memory>
[[nodiscard]] consteval bool lacks_virtual_memory() {
    if constexpr (hw::paged_by_cpu<Hw> && !cpu_virtual_memory<Memory>) {
        return names_virtual_addresses(Hw::caps);
    } else {
        return false;
    }
}

/// Whether the driver's two objects are what the executor wants: one sentence for the first thing that is missing.
template <class Hw, class Memory>
[[nodiscard]] consteval bool check_executor() {
    if constexpr (!hw::segment_map<Hw> || !hw::fault_hook<Hw>) {
        static_assert(hw::segment_map<Hw> && hw::fault_hook<Hw>,
                      "wddmcore: the CPU executor wants place(), is_aperture() and on_paging_fault() of the hardware "
                      "type; see hw/promises/address_space.hpp and fault_hook.hpp");
        return false;
    } else if constexpr (!cpu_memory<Memory>) {
        static_assert(
            cpu_memory<Memory>,
            "wddmcore: the CPU executor wants map_max (1 page or more), map_pages, map_segment and unmap, all of "
            "one pointer type; see paging/cpu/memory.hpp");
        return false;
    } else if constexpr (lacks_virtual_memory<Hw, Memory>()) {
        static_assert(
            !lacks_virtual_memory<Hw, Memory>(),
            "wddmcore: `paged_by_cpu` with GPU virtual paging addresses needs map_virtual, or operations 8 and "
            "9 would be nobody's; see paging/cpu/memory.hpp");
        return false;
    } else {
        return true;
    }
}

}  // namespace paging::detail::cpu

/// Carries out one paging operation with the CPU. It judges requests and counts tokens as build_paging_buffer does, but
/// memory is moved before it returns, and no buffer is looked at.
///
/// A transfer keeps its direction where places overlap, at any distance. A pass resumes from MultipassOffset alone,
/// which is the only member that is written; it counts whole pages, and a page whose mapping failed is not among them.
/// After the last of 2^32 pages it is 0: only `done` tells that case from a beginning.
/// Whether the pages of a list can be reached is the mapping function's to judge: the CPU's reach is not the device's.
///
/// | answer   | what the driver tells the system                                                                    |
/// |----------|-----------------------------------------------------------------------------------------------------|
/// | done     | STATUS_SUCCESS                                                                                      |
/// | busy     | STATUS_GRAPHICS_ALLOCATION_BUSY; only at_build, operations 0 and 7, AllocationIsIdle clear (PGB-09) |
/// | refused  | STATUS_INVALID_PARAMETER: bugcheck, as from build_paging_buffer (law 5)                             |
/// | unmapped | nothing yet: wait and call again. No status is true here: SUCCESS would lose content (PGB-22), and  |
/// |          | INSUFFICIENT makes the system come back without waiting, and stops it without a buffer (OBS-02)     |
/// | more     | nothing yet: call again                                                                             |
/// | not_mine | what build_paging_buffer says                                                                       |
///
/// A hardware type without an engine says so (`paged_by_cpu`, hw/promises/cpu_paging.hpp), and build_paging_buffer then
/// wants no copy and fill commands of it.
///
/// @param hw      `place`, `is_aperture` and `on_paging_fault` of a hardware type; no engine is needed
/// @param memory  the driver's mapping functions (paging::cpu_memory)
/// @param args    DXGKARG_BUILDPAGINGBUFFER, the header's own, a mirror, or a driver's copy with the same members
/// @param moment  inside the build function, or in the queue's order
/// @param budget  the most pages of this call, 1 or more; operations 3 and 4 count as one
/// @return the outcome, and for unmapped the place that could not be mapped
/// IRQL: that of the mapping functions; may be pageable; touches no OS state. WDDM 1.0 to 3.2: operations 0, 1, 3, 4,
/// 7, 8 and 9. One call at a time for one `args`. Source page: nc-d3dkmddi-dxgkddi_buildpagingbuffer.md.
template <class Hw, class Memory, class Args>
[[nodiscard]] constexpr cpu_answer execute_on_cpu(Hw& hw, Memory& memory, Args& args, cpu_moment moment,
                                                  pages budget = {~u64{0}}) noexcept {
    if constexpr (paging::detail::cpu::check_executor<Hw, Memory>()) {
        return paging::detail::cpu::execute(hw, memory, args, moment, budget);
    } else {
        return paging::detail::cpu::answer_not_mine;
    }
}

}  // namespace wddmcore
