// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "cpu_rig.hpp"
#include "play.hpp"

#include <hardware/cpu_virtual.hpp>

namespace sequences {

namespace {

namespace cpu = wddmcore::examples::cpu;

template <wddm Version, paging_addresses Addresses>
using rig_of = cpu_rig<
    hooked<cpu::virtual_processor<cpu::every_promise(
        Version, update_modes::cpu_virtual | update_modes::gpu_virtual | update_modes::gpu_physical, Addresses)>>,
    cpu::aperture_entry>;

/// The processor's addresses are those of the bus.
[[nodiscard]] layout flat() {
    layout where;
    where.segment_base = where.device_bus + where.segment_first;
    return where;
}

}  // namespace

TEST_CASE("OP00 to OP22, OP11-01, OP11-02, OP12-03, OP14-02, OBS-11, NTF-10, GVA-16, GVA-23: "
          "a thousand operations on the reference processor end as the model says") {
    using enum paging_operation;
    check_sequence<rig_of<wddm::v3_2, paging_addresses::both>, mirror::v3_2::dxgkarg_buildpagingbuffer>(
        flat(), {transfer, fill, virtual_transfer, virtual_fill, update_page_table, flush_tlb, copy_page_table_entries,
                 init_context_resource, update_context_allocation, notify_residency, signal_monitored_fence,
                 map_aperture_segment2, notify_fence_residency, map_mmu, notify_residency2, notify_alloc});
}

TEST_CASE("OP06 to OP16, PGB-05, OP11-03, OP12-01, OP14-01: "
          "a thousand operations on the reference processor end as the model says in WDDM 2.0 and 2.2") {
    using enum paging_operation;
    check_sequence<rig_of<wddm::v2_0, paging_addresses::gpu_virtual>, mirror::v2_0::dxgkarg_buildpagingbuffer>(
        flat(), {virtual_transfer, virtual_fill, update_page_table, flush_tlb, copy_page_table_entries,
                 init_context_resource, update_context_allocation, notify_residency});
    check_sequence<rig_of<wddm::v2_2, paging_addresses::gpu_virtual>, mirror::v2_2::dxgkarg_buildpagingbuffer>(
        flat(), {virtual_transfer, virtual_fill, update_page_table, flush_tlb, signal_monitored_fence});
}

TEST_CASE("OP06 to OP18, PGB-05, OP17-02, OP18-01: "
          "a thousand operations on the reference processor end as the model says in WDDM 2.9 and 3.1") {
    using enum paging_operation;
    check_sequence<rig_of<wddm::v2_9, paging_addresses::gpu_virtual>, mirror::v2_9::dxgkarg_buildpagingbuffer>(
        flat(), {virtual_transfer, update_page_table, map_aperture_segment2, notify_fence_residency});
    check_sequence<rig_of<wddm::v3_1, paging_addresses::gpu_virtual>, mirror::v3_1::dxgkarg_buildpagingbuffer>(
        flat(), {virtual_transfer, update_page_table, map_aperture_segment2, notify_fence_residency});
}

}  // namespace sequences
