// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "promises/dma_size.hpp"
#include "promises/transfer/content_discarder.hpp"

/// What happens where a hardware type leaves an optional promise out. A private member is one that is left out: the
/// library cannot see it.
///
/// | promise                     | without it                                                                     |
/// |-----------------------------|--------------------------------------------------------------------------------|
/// | busy_reporter               | no allocation is ever busy                                                     |
/// | content_discarder           | nothing is kept per placement: operation 2 writes nothing                      |
/// | page_window                 | every run of scattered pages is a copy of its own                              |
/// | swizzle_copy_engine         | every layout is linear: Swizzle and Unswizzle mean a plain copy                |
/// | aperture_by_command         | aperture entries are stored at once, with and without a buffer                 |
/// | submission_recorder         | one record for all submissions: the private-data pointer stays                 |
/// | ranged_tlb                  | every flush by command is one of the whole address space                       |
/// | ranged_tlb_at_once          | every flush at once is one of the whole address space                          |
/// | tlb_at_once                 | without a buffer a flush of operation 12 goes to the fault hook                |
/// | iommu_unmap_at_once         | without a buffer an unmap notice of operation 22 goes to the fault hook        |
/// | context_at_once             | the same for an initial image, whose CPU address is then never used            |
/// | residency_at_once           | the same for operation 15                                                      |
/// | residency_range_at_once     | the same for operation 21                                                      |
/// | fence_residency_at_once     | the same for operation 18                                                      |
/// | mmu_at_once                 | the same for operations 19 and 20                                              |
/// | work_reporter               | every notice of operation 22 means work                                        |
/// | uniform_entries             | every page-table entry is asked of encode_leaf                                 |
/// | keeps_attribute_table       | leaf entries of mixed flags ask for their attributes whenever the flags change |
/// | page_table_generator        | runs of entries are written inline                                             |
/// | page_table_writer_with_tail | nothing follows the entries of an inline write                                 |
/// | `paged_by_cpu`              | operations 0, 1, 3, 4, 7, 8, 9 are the engine's (promises/cpu_paging.hpp)      |
/// | `decrements_dma_size`       | DmaSize is left as it came (promises/dma_size.hpp, AMB-06)                     |
///
/// Encoders are called at the IRQL of the entry point that they serve, PASSIVE_LEVEL for paging; they write what they
/// are asked for and touch no OS state. What a list or an array says is judged while it is walked, so that an encoder
/// may see a page number or flags that turn out to be wrong: nothing of that pass is committed.
///
/// All functions here: any IRQL that the hardware type's own function allows, safe in non-paged code.
///
/// Everything else is required as soon as the capabilities make an operation reachable that uses it
/// (paging/operations.hpp).
namespace wddmcore::inline WDDMCORE_ABI::hw {

/// @param allocation  the driver's handle of it, as the request has it; may be NULL
/// @return whether an allocation is in use; never, where the hardware type does not say.
template <class Hw>
[[nodiscard]] constexpr bool is_busy(Hw const& hw, void* allocation) noexcept {
    if constexpr (busy_reporter<Hw>) {
        return hw.allocation_is_busy(allocation);
    } else {
        return false;
    }
}

/// @return the dwords that throwing content away takes; none, where the hardware type keeps nothing.
template <class Hw>
[[nodiscard]] consteval dwords discard_dwords_of() noexcept {
    if constexpr (content_discarder<Hw>) {
        return Hw::discard_dwords;
    } else {
        return {0};
    }
}

/// @return the bytes of private data that a pass with commands takes; none, where the hardware type keeps no record.
template <class Hw>
[[nodiscard]] consteval bytes record_bytes_of() noexcept {
    if constexpr (submission_recorder<Hw>) {
        return Hw::record_bytes;
    } else {
        return {0};
    }
}

}  // namespace wddmcore::hw
