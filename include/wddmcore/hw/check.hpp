// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../ddi/members.hpp"
#include "context_defects.hpp"
#include "context_sentences.hpp"
#include "cpu_paging.hpp"
#include "defects.hpp"
#include "notice_defects.hpp"
#include "notice_sentences.hpp"
#include "page_table_defects.hpp"
#include "page_table_sentences.hpp"
#include "translation_defects.hpp"
#include "translation_sentences.hpp"
#include "window_defects.hpp"
#include "window_sentences.hpp"

namespace wddmcore::inline WDDMCORE_ABI::hw {

/// The first of several findings that is one.
template <class... Findings>
[[nodiscard]] consteval broken_promise first_of(Findings... findings) {
    broken_promise found = all_kept;
    ((found == all_kept ? static_cast<void>(found = findings) : static_cast<void>(0)), ...);
    return found;
}

/// What an operation wants of a hardware type: the one list of which promise serves which operation.
template <class Hw, paging_operation Operation>
[[nodiscard]] consteval broken_promise broken_for() {
    using enum paging_operation;
    if constexpr (left_to_cpu<Hw>(Operation)) {
        return broken_segment_map<Hw>();
    } else if constexpr (Operation == transfer || Operation == special_lock_transfer) {
        return first_of(broken_address<Hw>(), broken_page_addresses<Hw>(), broken_segment_addresses<Hw>(),
                        broken_segment_map<Hw>(), broken_command_stream<Hw>(), broken_copy_engine<Hw>(),
                        broken_page_window<Hw>());
    } else if constexpr (Operation == fill) {
        return first_of(broken_address<Hw>(), broken_segment_addresses<Hw>(), broken_segment_map<Hw>(),
                        broken_command_stream<Hw>(), broken_fill_engine<Hw>());
    } else if constexpr (Operation == discard_content) {
        if constexpr (declares_discard<Hw>) {
            return first_of(broken_address<Hw>(), broken_segment_addresses<Hw>(), broken_segment_map<Hw>(),
                            broken_command_stream<Hw>(), broken_content_discarder<Hw>());
        } else {
            return all_kept;
        }
    } else if constexpr (Operation == read_physical || Operation == write_physical) {
        return first_of(broken_address<Hw>(), broken_segment_addresses<Hw>(), broken_segment_map<Hw>(),
                        broken_command_stream<Hw>(), broken_physical_accessor<Hw>());
    } else if constexpr (Operation == map_aperture_segment || Operation == unmap_aperture_segment ||
                         Operation == map_aperture_segment2) {
        return first_of(broken_segment_map<Hw>(), broken_aperture<Hw>());
    } else if constexpr (Operation == virtual_transfer) {
        return first_of(broken_address<Hw>(), broken_virtual_addresses<Hw>(), broken_command_stream<Hw>(),
                        broken_copy_engine<Hw>());
    } else if constexpr (Operation == virtual_fill) {
        return first_of(broken_address<Hw>(), broken_virtual_addresses<Hw>(), broken_command_stream<Hw>(),
                        broken_fill_engine<Hw>());
    } else if constexpr (Operation == init_context_resource) {
        return broken_context_initializer<Hw>();
    } else if constexpr (Operation == flush_tlb) {
        return first_of(broken_segment_map<Hw>(), broken_tlb<Hw>());
    } else if constexpr (Operation == update_context_allocation) {
        return first_of(broken_address<Hw>(), broken_virtual_addresses<Hw>(), broken_command_stream<Hw>(),
                        broken_context_updater<Hw>());
    } else if constexpr (Operation == notify_residency) {
        return first_of(broken_segment_map<Hw>(), broken_residency_listener<Hw>());
    } else if constexpr (Operation == signal_monitored_fence) {
        return first_of(broken_address<Hw>(), broken_virtual_addresses<Hw>(), broken_command_stream<Hw>(),
                        broken_fence_writer<Hw>());
    } else if constexpr (Operation == notify_fence_residency) {
        return first_of(broken_segment_map<Hw>(), broken_fence_residency_listener<Hw>());
    } else if constexpr (Operation == map_mmu || Operation == unmap_mmu) {
        return broken_mmu_mapper<Hw>();
    } else if constexpr (Operation == notify_residency2) {
        return first_of(broken_segment_map<Hw>(), broken_residency_range_listener<Hw>());
    } else if constexpr (Operation == notify_alloc) {
        return broken_alloc_notifier<Hw>();
    } else if constexpr (Operation == update_page_table) {
        return broken_page_table_update<Hw>();
    } else {
        static_assert(Operation == copy_page_table_entries);
        return broken_page_table_copy<Hw>();
    }
}

/// The first broken promise of one operation, if the capabilities make it reachable.
template <class Hw, class Args, paging_operation Operation>
[[nodiscard]] consteval broken_promise broken_operation() {
    if constexpr (!reachable(Hw::caps, Operation)) {
        return all_kept;
    } else if constexpr (broken_for<Hw, Operation>() != all_kept) {
        return broken_for<Hw, Operation>();
    } else if constexpr (!members::has_arguments<Args>(Operation)) {
        // Capabilities claim what the included header cannot carry. Operation 17 begins with the same version as the
        // fences' notice: where it is there, the version is right and the header's generation too old.
        if constexpr (Operation == paging_operation::notify_fence_residency && members::map_aperture_segment2<Args>) {
            return {member::native_fences, defect::missing};
        } else {
            return {member::declared_version, defect::out_of_range};
        }
    } else {
        return all_kept;
    }
}

template <class Hw, class Args, u32... Operations>
[[nodiscard]] consteval broken_promise broken_operations(meta::numbers<Operations...>) {
    return first_of(broken_operation<Hw, Args, static_cast<paging_operation>(Operations)>()...);
}

/// The first broken promise of a hardware type with respect to everything that can reach it.
template <class Hw, class Args>
[[nodiscard]] consteval broken_promise first_broken_promise() {
    if constexpr (broken_capabilities<Hw>() != all_kept) {
        return broken_capabilities<Hw>();
    } else if constexpr (broken_fault_hook<Hw>() != all_kept) {
        return broken_fault_hook<Hw>();
    } else if constexpr (broken_submission_recorder<Hw>() != all_kept) {
        return broken_submission_recorder<Hw>();
    } else if constexpr (broken_busy_reporter<Hw>() != all_kept) {
        return broken_busy_reporter<Hw>();
    } else if constexpr (broken_dma_size_choice<Hw>() != all_kept) {
        return broken_dma_size_choice<Hw>();
    } else if constexpr (broken_cpu_choice<Hw>() != all_kept) {
        return broken_cpu_choice<Hw>();
    } else {
        return broken_operations<Hw, Args>(meta::count_to<paging_operation_count>{});
    }
}

}  // namespace wddmcore::hw

namespace wddmcore::inline WDDMCORE_ABI {

/// Checks a hardware type against everything that its capabilities make reachable, at compile time.
///
/// A broken promise is one compile error: a sentence that names the member, its form and its unit. The entry points make
/// the same check, and instantiate nothing else when it fails.
///
/// @tparam Hw    the hardware type
/// @tparam Args  DXGKARG_BUILDPAGINGBUFFER of the included header, or one of its mirrors
/// @return true when every promise is kept
template <class Hw, class Args>
[[nodiscard]] consteval bool check_hardware() {
    constexpr hw::broken_promise found = hw::first_broken_promise<Hw, Args>();
    static_cast<void>(hw::sentence<found.what, found.how>());
    static_cast<void>(hw::translation_sentence<found.what, found.how>());
    static_cast<void>(hw::context_sentence<found.what, found.how>());
    static_cast<void>(hw::notice_sentence<found.what, found.how>());
    static_cast<void>(hw::page_table_sentence<found.what, found.how>());
    static_cast<void>(hw::window_sentence<found.what, found.how>());
    return found == hw::all_kept;
}

}  // namespace wddmcore
