// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../ddi/members.hpp"
#include "capabilities.hpp"
#include "promises/aperture.hpp"
#include "promises/capabilities.hpp"
#include "promises/command_stream.hpp"
#include "promises/cpu_paging.hpp"
#include "promises/dma_size.hpp"
#include "promises/fault_hook.hpp"
#include "promises/notices/alloc_notifier.hpp"
#include "promises/notices/context_allocations.hpp"
#include "promises/notices/fence_writer.hpp"
#include "promises/notices/mmu_mapper.hpp"
#include "promises/notices/residency_listener.hpp"
#include "promises/page_table/commands.hpp"
#include "promises/page_table/tlb.hpp"
#include "promises/transfer/content_discarder.hpp"
#include "promises/transfer/copy_engine.hpp"
#include "promises/transfer/fill_engine.hpp"
#include "promises/transfer/page_window.hpp"
#include "promises/transfer/physical_accessor.hpp"

namespace wddmcore::inline WDDMCORE_ABI::hw::detail {

/// What an operation wants of a hardware type whose engine does it: the one list of which promise serves which
/// operation.
template <paging_operation>
struct promises_of;

template <>
struct promises_of<paging_operation::transfer>
    : all_of<address_promise, page_addresses_promise, segment_addresses_promise, segment_map_promise,
             command_stream_promise, copy_engine_promise, page_window_promise> {};
template <>
struct promises_of<paging_operation::fill> : all_of<address_promise, segment_addresses_promise, segment_map_promise,
                                                    command_stream_promise, fill_engine_promise> {};
template <>
struct promises_of<paging_operation::discard_content> : content_discarder_promise {};
template <>
struct promises_of<paging_operation::read_physical>
    : all_of<address_promise, segment_addresses_promise, segment_map_promise, command_stream_promise,
             physical_accessor_promise> {};
template <>
struct promises_of<paging_operation::write_physical> : promises_of<paging_operation::read_physical> {};
template <>
struct promises_of<paging_operation::map_aperture_segment> : all_of<segment_map_promise, aperture_promise> {};
template <>
struct promises_of<paging_operation::unmap_aperture_segment> : all_of<segment_map_promise, aperture_promise> {};
template <>
struct promises_of<paging_operation::special_lock_transfer> : promises_of<paging_operation::transfer> {};
template <>
struct promises_of<paging_operation::virtual_transfer>
    : all_of<address_promise, virtual_addresses_promise, command_stream_promise, copy_engine_promise> {};
template <>
struct promises_of<paging_operation::virtual_fill>
    : all_of<address_promise, virtual_addresses_promise, command_stream_promise, fill_engine_promise> {};
template <>
struct promises_of<paging_operation::init_context_resource> : context_initializer_promise {};
template <>
struct promises_of<paging_operation::update_page_table> : page_table_update_promise {};
template <>
struct promises_of<paging_operation::flush_tlb> : all_of<segment_map_promise, tlb_promise> {};
template <>
struct promises_of<paging_operation::update_context_allocation>
    : all_of<address_promise, virtual_addresses_promise, command_stream_promise, context_updater_promise> {};
template <>
struct promises_of<paging_operation::copy_page_table_entries> : page_table_copy_promise {};
template <>
struct promises_of<paging_operation::notify_residency> : all_of<segment_map_promise, residency_listener_promise> {};
template <>
struct promises_of<paging_operation::signal_monitored_fence>
    : all_of<address_promise, virtual_addresses_promise, command_stream_promise, fence_writer_promise> {};
template <>
struct promises_of<paging_operation::map_aperture_segment2> : all_of<segment_map_promise, aperture_promise> {};
template <>
struct promises_of<paging_operation::notify_fence_residency>
    : all_of<segment_map_promise, fence_residency_listener_promise> {};
template <>
struct promises_of<paging_operation::map_mmu> : mmu_mapper_promise {};
template <>
struct promises_of<paging_operation::unmap_mmu> : mmu_mapper_promise {};
template <>
struct promises_of<paging_operation::notify_residency2>
    : all_of<segment_map_promise, residency_range_listener_promise> {};
template <>
struct promises_of<paging_operation::notify_alloc> : alloc_notifier_promise {};

/// What an operation wants of a hardware type that it can reach.
template <paging_operation Operation>
struct operation_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        if constexpr (!reachable(Hw::caps, Operation)) {
            return true;
        } else if constexpr (left_to_cpu<Hw>(Operation)) {
            return segment_map_promise::kept<Hw, Aloud>();
        } else {
            return promises_of<Operation>::template kept<Hw, Aloud>();
        }
    }
};

/// That the included header has the arguments of an operation that can come.
template <paging_operation Operation, class Args>
struct arguments_promise {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        if constexpr (!reachable(Hw::caps, Operation) || members::has_arguments<Args>(Operation)) {
            return true;
        } else if constexpr (Operation == paging_operation::notify_fence_residency &&
                             members::map_aperture_segment2<Args>) {
            // Operation 17 begins with the same version as the fences' notice: where it is there, the version is right
            // and the header's generation too old.
            static_assert(
                !Aloud,
                "capabilities: `native_fences` is claimed, but DXGKARG_BUILDPAGINGBUFFER of the included header has no "
                "NotifyFenceResidency: headers have it from build 26100 on, whatever version they declare");
            return false;
        } else {
            static_assert(
                !Aloud,
                "capabilities: `version` is newer than the DXGKDDI_INTERFACE_VERSION of the included header: an "
                "operation that the capabilities claim has no arguments there");
            return false;
        }
    }
};

/// What every hardware type says, whatever can reach it.
struct basic_promises : all_of<capabilities_promise, fault_hook_promise, submission_recorder_promise,
                               busy_reporter_promise, dma_size_promise, cpu_paging_promise> {};

/// What one operation wants of the hardware type and of the included header.
template <class Args>
struct with_arguments {
    template <paging_operation Operation>
    struct promise : all_of<operation_promise<Operation>, arguments_promise<Operation, Args>> {};
};

template <class Hw, template <paging_operation> class Promise, u32... Codes>
[[nodiscard]] consteval u32 count_kept(meta::numbers<Codes...>) {
    u32 count = 0;
    static_cast<void>(((Promise<static_cast<paging_operation>(Codes)>::template kept<Hw>() && ++count != 0) && ...));
    return count;
}

/// A promise for each operation; aloud, only the first broken one is asked, so that the compiler's notes stay short.
template <template <paging_operation> class Promise>
struct every_operation {
    template <class Hw, bool Aloud = false>
    [[nodiscard]] static consteval bool kept() {
        constexpr u32 first_broken = count_kept<Hw, Promise>(meta::count_to<paging_operation_count>{});
        if constexpr (first_broken != paging_operation_count) {
            return Promise<static_cast<paging_operation>(first_broken)>::template kept<Hw, Aloud>();
        } else {
            return true;
        }
    }
};

/// What all operations that can come want of a hardware type.
using operation_promises = every_operation<operation_promise>;

}  // namespace wddmcore::hw::detail

namespace wddmcore::inline WDDMCORE_ABI {

/// Checks a hardware type against everything that its capabilities make reachable, at compile time.
///
/// A broken promise is one compile error: a sentence that names the member, its form and its unit. The entry points
/// make the same check, and instantiate nothing else when it fails.
///
/// @tparam Hw    the hardware type
/// @tparam Args  DXGKARG_BUILDPAGINGBUFFER of the included header, or one of its mirrors
/// @return true when every promise is kept
template <class Hw, class Args>
[[nodiscard]] consteval bool check_hardware() {
    using namespace hw::detail;
    return keeps<Hw, true, basic_promises, every_operation<with_arguments<Args>::template promise>>();
}

}  // namespace wddmcore
