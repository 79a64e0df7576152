// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "buffers/context_allocation.hpp"
#include "buffers/patch_location.hpp"
#include "claims/sentences.hpp"

/// What the scheduling half refuses, in words.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code; what they return is a literal.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// A rule of scheduling claims, in words. @return "" for rule::none, "?" for a number without a name
[[nodiscard]] constexpr char const* text_of(rule what) noexcept {
    switch (what) {
        case rule::none: return "";
        case rule::engines_missing:
            return "preemption_model: `engines` is missing or not public: write `static constexpr "
                   "wddmcore::preemption_engine engines[] = {...};`, one element for each node";
        case rule::engines_not_a_constant:
            return "preemption_model: `engines` exists but is not a `static constexpr wddmcore::preemption_engine` "
                   "array";
        case rule::scheduling_missing:
            return "hardware type: `scheduling` is missing or not public: write `static constexpr "
                   "wddmcore::scheduling_capabilities scheduling{...};`";
        case rule::scheduling_not_a_constant:
            return "hardware type: `scheduling` exists but is not a `static constexpr "
                   "wddmcore::scheduling_capabilities`";
        case rule::ring_capacity_not_a_constant:
            return "preemption_model: `ring_capacity` exists but is not a `static constexpr wddmcore::u32`";
        case rule::node_count_not_a_number:
            return "preemption_model: `node_count` exists but is not a `static constexpr wddmcore::u32`, nor "
                   "`chosen_within` a range of them";
        case rule::state_survives_patching_not_a_constant:
            return "preemption_model: `state_survives_patching` exists but is not a `static constexpr bool`";
        case rule::number_of_engines: return "preemption_model: there must be 1 to 64 `engines`, one for each node";
        case rule::node_count_range:
            return "preemption_model: `node_count` must be 1 to the number of `engines`, and the least of its range "
                   "not above its most";
        case rule::engine_runs_nothing:
            return "preemption_model: an engine runs nothing: say of graphics, compute or other work where it stops, "
                   "for example `.other = {wddmcore::other_preemption_granularity::dma_buffer_boundary}`";
        case rule::unknown_granularity:
            return "preemption_model: a granularity is none of the DDI's numbers 0, 100, 200, 300, 400 and 500";
        case rule::saved_state:
            return "preemption_model: an engine that stops inside a DMA buffer saves state: give its size in bytes "
                   "beside the granularity";
        case rule::stops_inside_patched_buffers:
            return "preemption_model: an engine stops inside a DMA buffer, which is patched again before it goes on: "
                   "claim `virtual_addressing`, promise `static constexpr bool state_survives_patching = true;`, or "
                   "stop at the DMA buffer boundary";
        case rule::wait_cannot_be_stopped:
            return "preemption_model: with `preemption_aware` a packet that waits in hardware must be stoppable "
                   "before its condition is met";
        case rule::preemption_before_win8:
            return "scheduling: `preemption_aware` needs headers and a `version` of Windows 8 or later";
        case rule::preemption_alone:
            return "scheduling: `preemption_aware` needs `multi_engine_aware`: the system stops a driver that claims "
                   "it alone";
        case rule::no_dma_patching_alone:
            return "scheduling: `no_dma_patching` needs `preemption_aware` and `multi_engine_aware`";
        case rule::cancel_command_before_win8:
            return "scheduling: `cancel_command_aware` needs a `version` of Windows 8 or later";
        case rule::cancel_command_alone: return "scheduling: `cancel_command_aware` needs `multi_engine_aware`";
        case rule::virtual_addressing_before_v2_0:
            return "scheduling: `virtual_addressing` needs a `version` of WDDM 2.0 or later";
        case rule::no_dma_patching_with_physical_addresses:
            return "scheduling: `no_dma_patching` opts out of the check of patched bindings, which only "
                   "`virtual_addressing` makes unnecessary";
        case rule::no_64_bit_atomics_before_v2_0:
            return "scheduling: `no_64_bit_atomics` needs a `version` of WDDM 2.0 or later";
        case rule::low_irql_before_v2_0:
            return "scheduling: `low_irql_preempt_command` needs a `version` of WDDM 2.0 or later";
        case rule::packet_cap_before_v2_3:
            return "scheduling: `hw_queue_packet_cap` needs a `version` of WDDM 2.3 or later";
        case rule::packet_cap_too_large:
            return "scheduling: `hw_queue_packet_cap` has 4 bits: 1 to 15 packets, or 0 for no claim";
        case rule::ring_capacity:
            return "preemption_model: `ring_capacity` must be a power of two up to 32768 and at least "
                   "`hw_queue_packet_cap`, or 64 where that is 0";
        case rule::native_fence_before_v3_1:
            return "scheduling: `native_gpu_fence` needs a `version` of WDDM 3.1 or later";
        case rule::native_fence_not_asked_for:
            return "scheduling: `native_gpu_fence` must be `claim::at_run_time`: it may be advertised only after the "
                   "system said that the feature is enabled";
        case rule::optimized_interrupt_alone:
            return "scheduling: `optimized_native_fence_signaled_interrupt` needs `native_gpu_fence`";
        case rule::paging_node: return "scheduling: `paging_node` must be below the number of `engines`";
        case rule::cancel_command_missing:
            return "scheduling: an engine stops inside DMA buffers under `preemption_aware`: claim "
                   "`cancel_command_aware` too, or a later packet of the same buffer goes on from the state of one "
                   "that was removed";
        case rule::no_adapter_recovery:
            return "scheduling: `recovery` must hold reset_from_timeout and restart_from_timeout: every driver has "
                   "both";
        case rule::per_engine_before_win8:
            return "scheduling: `support_per_engine_tdr` needs a `version` of Windows 8 or later";
        case rule::no_engine_recovery:
            return "scheduling: `support_per_engine_tdr` needs all of recovery_functions::per_engine: "
                   "query_dependent_engine_group, query_engine_status and reset_engine beside the two adapter-wide "
                   "functions";
        case rule::no_flip_on_vsync:
            return "scheduling: a display driver with `preemption_aware` needs flip_caps::on_vsync_mmio in `flips`: "
                   "the scheduler preempts even with flips pending";
        case rule::compute_only_flips: return "scheduling: a compute-only driver has flip_caps::none";
        case rule::compute_only_granularity:
            return "preemption_model: a compute-only driver needs an engine for compute, and none of them may stop "
                   "at compute_preemption_granularity::none";
        case rule::compute_only_preempt_irql:
            return "scheduling: a compute-only driver needs `low_irql_preempt_command`";
        case rule::compute_only_patching: return "scheduling: a compute-only driver has no `no_dma_patching`";
        case rule::compute_only_packet_cap:
            return "scheduling: `hw_queue_packet_cap` is reserved for a compute-only driver: leave it 0";
        case rule::live_migration_alone: return "scheduling: `live_migration` needs `dirty_bit_tracking`";
        case rule::different_node_counts:
            return "linked adapters: every physical adapter of a link must have the same number of `engines`";
        case rule::chosen_undecided: return "scheduling: what was chosen at AddDevice leaves a claim open";
        case rule::chosen_more_than_claimed:
            return "scheduling: what was chosen at AddDevice claims what `scheduling` does not";
    }
    return "?";
}

/// Why a context allocation is refused, in words. @return "" for context_allocation_defect::none, "?" for a number
/// without a name
[[nodiscard]] constexpr char const* text_of(context_allocation_defect what) noexcept {
    switch (what) {
        case context_allocation_defect::none: return "";
        case context_allocation_defect::system_owner:
            return "only non-system contexts and devices have context allocations (CTX-07)";
        case context_allocation_defect::context_of_device:
            return "of an allocation of a device the context handle must be NULL (CTX-08)";
        case context_allocation_defect::context_missing:
            return "an allocation of a context needs the handle of the context (CTX-08)";
        case context_allocation_defect::device_missing:
            return "the device handle is NULL, which stands for the system's device (CTX-07)";
        case context_allocation_defect::not_for_the_cpu:
            return "a CPU address needs CpuVisible, Protected and aperture segments only (CTX-10, OP10-01)";
        case context_allocation_defect::no_such_flag:
            return "the structure of this version has no AccessedPhysically or MapGpuVirtualAddress";
        case context_allocation_defect::eviction_not_aperture:
            return "EvictionSegmentSet names a segment that is no aperture (PREF-06)";
        case context_allocation_defect::preferred_not_supported:
            return "PreferredSegment names a segment outside SupportedSegmentSet (PREF-02)";
        case context_allocation_defect::preference_reserved:
            return "the two reserved bits of PreferredSegment are not 0 (PREF-04)";
        case context_allocation_defect::no_segment: return "SupportedSegmentSet is empty";
        case context_allocation_defect::size_out_of_range: return "the size is 0 or does not fit a usize";
        case context_allocation_defect::alignment_out_of_range: return "the alignment is no power of two";
    }
    return "?";
}

/// What is wrong with a patch-location list, in words. @return "" for patch_defect::none, "?" for a number without a
/// name
[[nodiscard]] constexpr char const* text_of(patch_defect what) noexcept {
    switch (what) {
        case patch_defect::none: return "";
        case patch_defect::missing_pointer: return "a list or the buffer is NULL although something of it is needed";
        case patch_defect::list_window: return "the elements to process leave the list (SPL-07)";
        case patch_defect::byte_window: return "the portion leaves the buffer, or ends before it starts (SPL-07)";
        case patch_defect::allocation_index: return "an AllocationIndex is not in the allocation list";
        case patch_defect::slot: return "a SlotId is not below MaxAllocationListSlotId (SPL-03)";
        case patch_defect::reserved_bits: return "a bit above the 24 of SlotId is set (SPL-03)";
        case patch_defect::order: return "a SplitOffset is below that of the element before (SPL-02)";
        case patch_defect::split_offset:
            return "a SplitOffset is past the patch it brings in or the end of the buffer, or inside the reach of an "
                   "earlier patch";
        case patch_defect::patch_offset:
            return "at a PatchOffset there is no room for what patching stores (SPL-09, SPL-15)";
        case patch_defect::misaligned: return "a PatchOffset is not a multiple of the alignment of the driver";
        case patch_defect::address_overflow:
            return "address + AllocationOffset does not fit the address width (SPL-09)";
        case patch_defect::full: return "no element is left in the output list: ask for another buffer";
    }
    return "?";
}

}  // namespace wddmcore::preemption
