// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "aperture.hpp"
#include "group_dwords.hpp"
#include "notices/context.hpp"
#include "notices/fence.hpp"
#include "notices/fence_residency.hpp"
#include "notices/mmu.hpp"
#include "notices/notify_alloc.hpp"
#include "page_table/copy.hpp"
#include "page_table/tlb.hpp"
#include "page_table/update.hpp"
#include "transfer/fill.hpp"
#include "transfer/one_place.hpp"
#include "transfer/transfer.hpp"

/// The one table of the operations: a row for each. The dispatch of build_paging_buffer, check_hardware,
/// smallest_paging_buffer, reachable and has_arguments are derived from it.
///
/// A row is derived from the promises that the operation needs of an engine, the most basic first ("wants", see
/// hw/promises/keeps.hpp), and says
///   reachable     whether the operation can ever arrive at a driver of these capabilities, once its version is there
///   carried_by    whether a structure has the operation's arguments
///   group_dwords  the dwords of the longest group of commands that has to stay in one buffer (group_dwords.hpp); of
///                 hardware that writes no commands there is none
///   build         the operation itself
/// Source page: ne-d3dkmddi-_dxgk_buildpagingbuffer_operation.md.
namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

template <paging_operation Operation>
struct operation {
    static_assert(static_cast<u32>(Operation) >= paging_operation_count,
                  "an operation has no row in the table of paging/operations.hpp");
};

namespace wants = hw::detail;

/// What it takes to name memory by segments, and by addresses of the paging process.
using by_place = wants::all_of<wants::address_promise, wants::segment_addresses_promise, wants::segment_map_promise,
                               wants::command_stream_promise>;
using by_virtual_address =
    wants::all_of<wants::address_promise, wants::virtual_addresses_promise, wants::command_stream_promise>;

/// 0 TRANSFER.
template <>
struct operation<paging_operation::transfer>
    : wants::all_of<by_place, wants::page_addresses_promise, wants::copy_engine_promise, wants::page_window_promise> {
    static constexpr bool reachable(capabilities const& caps) noexcept { return names_places(caps); }
    template <class Args>
    static constexpr bool carried_by = members::transfer<Args>;
    template <class Hw>
    static constexpr u32 group_dwords = copy_group_dwords<Hw>();
    static constexpr ntstatus build(auto& hw, auto& args) noexcept {
        return build_transfer<paging_operation::transfer>(hw, args);
    }
};

/// 1 FILL.
template <>
struct operation<paging_operation::fill> : wants::all_of<by_place, wants::fill_engine_promise> {
    static constexpr bool reachable(capabilities const& caps) noexcept { return names_places(caps); }
    template <class Args>
    static constexpr bool carried_by = members::fill<Args>;
    template <class Hw>
    static constexpr u32 group_dwords = fill_group_dwords<Hw>();
    static constexpr ntstatus build(auto& hw, auto& args) noexcept {
        return build_fill<paging_operation::fill>(hw, args);
    }
};

/// 2 DISCARD_CONTENT. It names a place, not a way to move bytes, and comes to every driver (AMB-02).
template <>
struct operation<paging_operation::discard_content> : wants::content_discarder_promise {
    static constexpr bool reachable(capabilities const&) noexcept { return true; }
    template <class Args>
    static constexpr bool carried_by = members::discard_content<Args>;
    template <class Hw>
    static constexpr u32 group_dwords = hw::discard_dwords_of<Hw>().n;
    static constexpr ntstatus build(auto& hw, auto& args) noexcept { return build_discard_content(hw, args); }
};

/// 3 READ_PHYSICAL.
template <>
struct operation<paging_operation::read_physical> : wants::all_of<by_place, wants::physical_accessor_promise> {
    static constexpr bool reachable(capabilities const& caps) noexcept { return caps.oldest < wddm::v2_0; }
    template <class Args>
    static constexpr bool carried_by = members::read_physical<Args>;
    template <class Hw>
    static constexpr u32 group_dwords = Hw::access_dwords.n;
    static constexpr ntstatus build(auto& hw, auto& args) noexcept {
        return build_physical_access<paging_operation::read_physical>(hw, args);
    }
};

/// 4 WRITE_PHYSICAL.
template <>
struct operation<paging_operation::write_physical> : operation<paging_operation::read_physical> {
    template <class Args>
    static constexpr bool carried_by = members::write_physical<Args>;
    static constexpr ntstatus build(auto& hw, auto& args) noexcept {
        return build_physical_access<paging_operation::write_physical>(hw, args);
    }
};

/// 5 MAP_APERTURE_SEGMENT. A driver that may run as an older one gets this form there, whatever it claims for the
/// newer.
template <>
struct operation<paging_operation::map_aperture_segment>
    : wants::all_of<wants::segment_map_promise, wants::aperture_promise> {
    static constexpr bool reachable(capabilities const& caps) noexcept {
        return contains(caps.aperture, aperture_forms::mdl) ||
               (caps.aperture == aperture_forms::adl && caps.oldest < wddm::v2_9);
    }
    template <class Args>
    static constexpr bool carried_by = members::map_aperture_segment<Args>;
    template <hw::aperture_by_command Hw>
    static constexpr u32 group_dwords = Hw::aperture_entry_dwords.n;
    static constexpr ntstatus build(auto& hw, auto& args) noexcept {
        return build_aperture<paging_operation::map_aperture_segment>(hw, args);
    }
};

/// 6 UNMAP_APERTURE_SEGMENT.
template <>
struct operation<paging_operation::unmap_aperture_segment> : operation<paging_operation::map_aperture_segment> {
    static constexpr bool reachable(capabilities const& caps) noexcept { return caps.aperture != aperture_forms::none; }
    template <class Args>
    static constexpr bool carried_by = members::unmap_aperture_segment<Args>;
    static constexpr ntstatus build(auto& hw, auto& args) noexcept {
        return build_aperture<paging_operation::unmap_aperture_segment>(hw, args);
    }
};

/// 7 SPECIAL_LOCK_TRANSFER.
template <>
struct operation<paging_operation::special_lock_transfer> : operation<paging_operation::transfer> {
    static constexpr bool reachable(capabilities const& caps) noexcept {
        return names_places(caps) && may_be_yes(caps.alternate_address_lock);
    }
    template <class Args>
    static constexpr bool carried_by = members::special_lock_transfer<Args>;
    static constexpr ntstatus build(auto& hw, auto& args) noexcept {
        return build_transfer<paging_operation::special_lock_transfer>(hw, args);
    }
};

/// 8 VIRTUAL_TRANSFER.
template <>
struct operation<paging_operation::virtual_transfer> : wants::all_of<by_virtual_address, wants::copy_engine_promise> {
    static constexpr bool reachable(capabilities const& caps) noexcept { return names_virtual_addresses(caps); }
    template <class Args>
    static constexpr bool carried_by = members::virtual_transfer<Args>;
    template <class Hw>
    static constexpr u32 group_dwords = copy_group_dwords<Hw>();
    static constexpr ntstatus build(auto& hw, auto& args) noexcept { return build_virtual_transfer(hw, args); }
};

/// 9 VIRTUAL_FILL.
template <>
struct operation<paging_operation::virtual_fill> : wants::all_of<by_virtual_address, wants::fill_engine_promise> {
    static constexpr bool reachable(capabilities const& caps) noexcept { return names_virtual_addresses(caps); }
    template <class Args>
    static constexpr bool carried_by = members::virtual_fill<Args>;
    template <class Hw>
    static constexpr u32 group_dwords = fill_group_dwords<Hw>();
    static constexpr ntstatus build(auto& hw, auto& args) noexcept {
        return build_fill<paging_operation::virtual_fill>(hw, args);
    }
};

/// 10 INIT_CONTEXT_RESOURCE.
template <>
struct operation<paging_operation::init_context_resource> : wants::context_initializer_promise {
    static constexpr bool reachable(capabilities const& caps) noexcept { return may_be_yes(caps.context_allocations); }
    template <class Args>
    static constexpr bool carried_by = members::init_context_resource<Args>;
    template <hw::context_by_command Hw>
    static constexpr u32 group_dwords = Hw::context_piece_dwords.n;
    static constexpr ntstatus build(auto& hw, auto& args) noexcept { return build_init_context_resource(hw, args); }
};

/// 11 UPDATE_PAGE_TABLE. The CPU needs no room: commands are for the other update modes.
template <>
struct operation<paging_operation::update_page_table> : wants::page_table_update_promise {
    static constexpr bool reachable(capabilities const& caps) noexcept { return may_be_yes(caps.gpu_mmu); }
    template <class Args>
    static constexpr bool carried_by = members::update_page_table<Args>;
    template <class Hw>
    static constexpr u32 group_dwords = table_group_dwords<Hw>();
    static constexpr ntstatus build(auto& hw, auto& args) noexcept { return build_update_page_table(hw, args); }
};

/// 12 FLUSH_TLB.
template <>
struct operation<paging_operation::flush_tlb> : wants::all_of<wants::segment_map_promise, wants::tlb_promise> {
    static constexpr bool reachable(capabilities const& caps) noexcept { return may_be_yes(caps.gpu_mmu); }
    template <class Args>
    static constexpr bool carried_by = members::flush_tlb<Args>;
    template <hw::tlb_by_command Hw>
    static constexpr u32 group_dwords = flush_group_dwords<Hw>();
    static constexpr ntstatus build(auto& hw, auto& args) noexcept { return build_flush_tlb(hw, args); }
};

/// 13 UPDATE_CONTEXT_ALLOCATION.
template <>
struct operation<paging_operation::update_context_allocation>
    : wants::all_of<by_virtual_address, wants::context_updater_promise> {
    static constexpr bool reachable(capabilities const& caps) noexcept { return may_be_yes(caps.context_allocations); }
    template <class Args>
    static constexpr bool carried_by = members::update_context_allocation<Args>;
    template <class Hw>
    static constexpr u32 group_dwords = Hw::context_update_dwords.n;
    static constexpr ntstatus build(auto& hw, auto& args) noexcept { return build_update_context_allocation(hw, args); }
};

/// 14 COPY_PAGE_TABLE_ENTRIES. Not used where the CPU writes the tables (OP14-03).
template <>
struct operation<paging_operation::copy_page_table_entries> : wants::page_table_copy_promise {
    static constexpr bool reachable(capabilities const& caps) noexcept {
        return may_be_yes(caps.tiled_resources) && caps.page_tables != update_modes::cpu_virtual;
    }
    template <class Args>
    static constexpr bool carried_by = members::copy_page_table_entries<Args>;
    template <class Hw>
    static constexpr u32 group_dwords = Hw::copy_entries_dwords.n;
    static constexpr ntstatus build(auto& hw, auto& args) noexcept { return build_copy_page_table_entries(hw, args); }
};

/// 15 NOTIFY_RESIDENCY.
template <>
struct operation<paging_operation::notify_residency>
    : wants::all_of<wants::segment_map_promise, wants::residency_listener_promise> {
    static constexpr bool reachable(capabilities const& caps) noexcept {
        return may_be_yes(caps.residency_notification);
    }
    template <class Args>
    static constexpr bool carried_by = members::notify_residency<Args>;
    template <hw::residency_by_command Hw>
    static constexpr u32 group_dwords = Hw::residency_dwords.n;
    static constexpr ntstatus build(auto& hw, auto& args) noexcept { return build_notify_residency(hw, args); }
};

/// 16 SIGNAL_MONITORED_FENCE.
template <>
struct operation<paging_operation::signal_monitored_fence>
    : wants::all_of<by_virtual_address, wants::fence_writer_promise> {
    static constexpr bool reachable(capabilities const& caps) noexcept {
        return may_be_yes(caps.monitored_fence_signal);
    }
    template <class Args>
    static constexpr bool carried_by = members::signal_monitored_fence<Args>;
    template <class Hw>
    static constexpr u32 group_dwords = Hw::fence_dwords.n;
    static constexpr ntstatus build(auto& hw, auto& args) noexcept { return build_signal_monitored_fence(hw, args); }
};

/// 17 MAP_APERTURE_SEGMENT2.
template <>
struct operation<paging_operation::map_aperture_segment2> : operation<paging_operation::map_aperture_segment> {
    static constexpr bool reachable(capabilities const& caps) noexcept {
        return contains(caps.aperture, aperture_forms::adl);
    }
    template <class Args>
    static constexpr bool carried_by = members::map_aperture_segment2<Args>;
    static constexpr ntstatus build(auto& hw, auto& args) noexcept {
        return build_aperture<paging_operation::map_aperture_segment2>(hw, args);
    }
};

/// 18 NOTIFY_FENCE_RESIDENCY, experimental (AMB-11).
template <>
struct operation<paging_operation::notify_fence_residency>
    : wants::all_of<wants::segment_map_promise, wants::fence_residency_listener_promise> {
    static constexpr bool reachable(capabilities const& caps) noexcept { return may_be_yes(caps.native_fences); }
    template <class Args>
    static constexpr bool carried_by = members::notify_fence_residency<Args>;
    template <hw::fence_residency_by_command Hw>
    static constexpr u32 group_dwords = Hw::fence_residency_dwords.n;
    static constexpr ntstatus build(auto& hw, auto& args) noexcept { return build_notify_fence_residency(hw, args); }
};

/// 19 MAP_MMU, experimental (AMB-11).
template <>
struct operation<paging_operation::map_mmu> : wants::mmu_mapper_promise {
    static constexpr bool reachable(capabilities const& caps) noexcept { return may_be_yes(caps.mmu_mapping); }
    template <class Args>
    static constexpr bool carried_by = members::map_mmu<Args>;
    template <hw::mmu_by_command Hw>
    static constexpr u32 group_dwords = Hw::mmu_dwords.n;
    static constexpr ntstatus build(auto& hw, auto& args) noexcept { return build_map_mmu(hw, args); }
};

/// 20 UNMAP_MMU, experimental (AMB-11).
template <>
struct operation<paging_operation::unmap_mmu> : operation<paging_operation::map_mmu> {
    template <class Args>
    static constexpr bool carried_by = members::unmap_mmu<Args>;
    static constexpr ntstatus build(auto& hw, auto& args) noexcept { return build_unmap_mmu(hw, args); }
};

/// 21 NOTIFY_RESIDENCY2, experimental (AMB-11, AMB-12).
template <>
struct operation<paging_operation::notify_residency2>
    : wants::all_of<wants::segment_map_promise, wants::residency_range_listener_promise> {
    static constexpr bool reachable(capabilities const& caps) noexcept {
        return may_be_yes(caps.residency_notification);
    }
    template <class Args>
    static constexpr bool carried_by = members::notify_residency2<Args>;
    template <hw::residency_range_by_command Hw>
    static constexpr u32 group_dwords = Hw::residency_range_dwords.n;
    static constexpr ntstatus build(auto& hw, auto& args) noexcept { return build_notify_residency2(hw, args); }
};

/// 22 NOTIFY_ALLOC.
template <>
struct operation<paging_operation::notify_alloc> : wants::alloc_notifier_promise {
    static constexpr bool reachable(capabilities const& caps) noexcept {
        return may_be_yes(caps.allocation_notification);
    }
    template <class Args>
    static constexpr bool carried_by = members::notify_alloc<Args>;
    template <class Hw>
    static constexpr u32 group_dwords = notice_group_dwords<Hw>();
    static constexpr ntstatus build(auto& hw, auto& args) noexcept { return build_notify_alloc(hw, args); }
};

}  // namespace wddmcore::paging::detail

namespace wddmcore::inline WDDMCORE_ABI {

/// Whether an operation can ever arrive at a driver of these capabilities.
///
/// Any IRQL, nonpaged, touches no OS state. Source page: ne-d3dkmddi-_dxgk_buildpagingbuffer_operation.md.
///
/// @return false also for a code that is no operation
[[nodiscard]] constexpr bool reachable(capabilities const& caps, paging_operation operation) noexcept {
    return visit_operation(
        static_cast<u32>(operation),
        [&caps]<paging_operation Operation>() {
            return caps.version >= since(Operation) && paging::detail::operation<Operation>::reachable(caps);
        },
        [] { return false; });
}

/// Whether a structure carries the arguments of an operation: WDDM 1.0 to 3.2, each as its header has it.
///
/// @tparam Args  DXGKARG_BUILDPAGINGBUFFER of the included header, or one of its mirrors
/// @return false also for a code that is no operation
template <class Args>
[[nodiscard]] consteval bool has_arguments(paging_operation operation) noexcept {
    return visit_operation(
        static_cast<u32>(operation),
        []<paging_operation Operation>() { return paging::detail::operation<Operation>::template carried_by<Args>; },
        [] { return false; });
}

}  // namespace wddmcore
