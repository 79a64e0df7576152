// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/adapter_info.hpp>
#include <wddmcore/ddi/mirror_binding.hpp>
#include <wddmcore/segment/table/table.hpp>

#include <hardware/cpu.hpp>

/// A hardware type that describes its adapter; a case replaces one member, and nothing else.
namespace good {

using namespace wddmcore;

// What page tables need, for cases that claim them.
#define claims_page_tables made.gpu_mmu = claim::yes, made.page_tables = update_modes::cpu_virtual
#define has_geometry                                                          \
    static constexpr gpuva::page_table_geometry page_tables{.level_count = 4, \
                                                            .levels = {{9, 8}, {9, 8}, {9, 8}, {9, 8}}};
#define has_mmu_caps static constexpr gpuva::gpu_mmu_capabilities mmu_caps{};
#define has_table_segments static constexpr gpuva::page_table_segments table_segments{};
#define records_submissions                  \
    static constexpr bytes record_bytes{16}; \
    static constexpr void encode_record(void*, paging_record const&) noexcept {}

#ifndef adapter_changes
#    define adapter_changes
#endif
constexpr capabilities claims() {
    capabilities made{.version = wddm::v3_2,
                      .addresses = paging_addresses::physical,
                      .aperture = aperture_forms::adl,
                      .highest_visible_address = 0xFFF'FFFF'FFFF};
    adapter_changes;
    return made;
}

#ifndef scheduling_changes
#    define scheduling_changes
#endif
constexpr scheduling_capabilities scheduling_claims() {
    scheduling_capabilities made{.multi_engine_aware = claim::yes};
    scheduling_changes;
    return made;
}

#ifndef iommu_changes
#    define iommu_changes
#endif
constexpr iommu::capabilities iommu_claims() {
    iommu::capabilities made{.isolation = claim::yes, .dma_remapping = claim::yes};
    iommu_changes;
    return made;
}

#ifndef gpu_segments
#    define gpu_segments                                \
        segment::table<1> segments = segment::table_of( \
            segment_id{1}, segment::aperture{.id = segment_id{1}, .base = segment::at(0x1'0000'0000), .size = gib});
#endif
#ifndef gpu_scheduling
#    define gpu_scheduling static constexpr scheduling_capabilities scheduling = scheduling_claims();
#endif
#ifndef gpu_iommu
#    define gpu_iommu static constexpr wddmcore::iommu::capabilities iommu = iommu_claims();
#endif
#ifndef gpu_paging_buffer_size
#    define gpu_paging_buffer_size static constexpr bytes paging_buffer_size = 64 * kib;
#endif
#ifndef gpu_chosen
#    define gpu_chosen
#endif
#ifndef gpu_more
#    define gpu_more
#endif
#ifndef gpu_engine
#    define gpu_engine                                      \
        {                                                   \
            .other = { other_preemption_granularity::none } \
        }
#endif
#ifndef gpu_base
#    define gpu_base examples::cpu::processor<claims()>
#endif

struct gpu : gpu_base {
    static constexpr preemption_engine engines[] = {gpu_engine};
    gpu_scheduling gpu_iommu gpu_paging_buffer_size gpu_chosen gpu_more gpu_segments
};

#ifndef adapter_binding
#    define adapter_binding mirror_binding<wddm::v3_2>
#endif

inline query_answer ask(gpu const& hardware, mirror::v2_4::dxgkarg_queryadapterinfo const& args) {
    return answer_query_adapter_info<adapter_binding>(hardware, args);
}

}  // namespace good
