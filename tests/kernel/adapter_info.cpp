// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// DxgkDdiQueryAdapterInfo and the two functions of a CPU host aperture, as a driver would have them: answers from the
// oldest, the middle and the newest structures, of a type that describes everything and of one that describes little.

#include <wddmcore/adapter_info.hpp>
#include <wddmcore/ddi/mirror_binding.hpp>
#include <wddmcore/segment/allocation/dma_buffer_segments.hpp>
#include <wddmcore/segment/host_aperture.hpp>
#include <wddmcore/segment/table/table.hpp>

#include <hardware/cpu.hpp>
#include <hardware/cpu_virtual.hpp>

using namespace wddmcore;

namespace {

constexpr u64 reach = (u64{1} << 44) - 1;

constexpr capabilities everything(wddm version) {
    return {.version = version,
            .oldest = wddm::vista,
            .addresses = paging_addresses::both,
            .aperture = version >= wddm::v2_9 ? aperture_forms::either : aperture_forms::mdl,
            .gpu_mmu = claim::at_run_time,
            .page_tables = update_modes::cpu_virtual | update_modes::gpu_virtual,
            .highest_visible_address = reach};
}

constexpr segment_id gart{1};
constexpr segment_id vram{2};

/// Everything that a driver can say, with two tables of one type.
template <wddm Version>
struct full_gpu : examples::cpu::virtual_processor<everything(Version)> {
    static constexpr scheduling_capabilities scheduling{.multi_engine_aware = claim::at_run_time};
    static constexpr preemption_engine engines[1] = {{.other = {other_preemption_granularity::none}}};
    static constexpr iommu::capabilities iommu{.isolation = Version >= wddm::v2_4 ? claim::at_run_time : claim::no};
    static constexpr gpuva::page_table_segments table_segments = gpuva::every_level_in(segment_id{0}, vram);
    static constexpr bool dirty_bits_performant = true;
    static constexpr auto large_bar =
        segment::table_of(gart, segment::aperture{.id = gart, .base = segment::at(0x7FFF'0000'0000), .size = 512 * mib},
                          segment::cpu_visible_memory{.id = vram, .base = segment::at(0x80'0000'0000)});

    capabilities chosen;
    scheduling_capabilities chosen_scheduling;
    wddmcore::iommu::capabilities chosen_iommu;
    segment::table<2> tables[2];
    u32 link;
    u64 reaches[2];
    gpuva::paging_space_request space;
    mmu_description mmu;
    wddmcore::iommu::physical_memory_range range;

    [[nodiscard]] segment::view segments(u32 index) const { return tables[index].all(); }
    [[nodiscard]] u32 physical_adapters() const { return link; }
    [[nodiscard]] u64 highest_visible_address(u32 index) const { return reaches[index]; }
    [[nodiscard]] gpuva::paging_space_request paging_space(u32) const { return space; }
    [[nodiscard]] bytes frame_buffer_save_size() const { return {reaches[0]}; }
    [[nodiscard]] span<wddmcore::iommu::physical_memory_range const> reserved_ranges() const { return {&range, 1}; }
    [[nodiscard]] span<mmu_description const> mmus(u32) const { return {&mmu, 1}; }
    [[nodiscard]] u64 vgpu_resources_page_size(segment_id) const { return page_bytes; }
    [[nodiscard]] u32 dirty_bit_page_size(segment_id) const { return link; }

    void store_host_aperture_entry(segment_id, u32 aperture_page, u64 memory_page) {
        reaches[aperture_page & 1] = memory_page;
    }
    void clear_host_aperture_entry(segment_id, u32 aperture_page) { reaches[aperture_page & 1] = 0; }
};

/// What a first driver says.
struct small_gpu : examples::cpu::processor<capabilities{.version = wddm::v2_9,
                                                         .addresses = paging_addresses::physical,
                                                         .aperture = aperture_forms::adl,
                                                         .highest_visible_address = reach}> {
    static constexpr scheduling_capabilities scheduling{};
    static constexpr preemption_engine engines[1] = {{.other = {other_preemption_granularity::none}}};
    static constexpr auto segments = segment::table_of(
        gart, segment::aperture{.id = gart, .base = segment::at(0x7FFF'0000'0000), .size = 512 * mib});
};

template <wddm Version, class Hw, class Args>
ntstatus query(void* adapter, Args const* args) {
    query_answer const answer =
        answer_query_adapter_info<mirror_binding<Version>>(*static_cast<Hw const*>(adapter), *args);
    return answer.done() ? answer.status : status::not_supported;
}

}  // namespace

extern "C" {

ntstatus full_query_vista(void* adapter, mirror::vista::dxgkarg_queryadapterinfo const* args) {
    return query<wddm::vista, full_gpu<wddm::vista>>(adapter, args);
}
ntstatus full_query_v2_2(void* adapter, mirror::v2_2::dxgkarg_queryadapterinfo const* args) {
    return query<wddm::v2_2, full_gpu<wddm::v2_2>>(adapter, args);
}
ntstatus full_query_v3_2(void* adapter, mirror::v2_4::dxgkarg_queryadapterinfo const* args) {
    return query<wddm::v3_2, full_gpu<wddm::v3_2>>(adapter, args);
}
ntstatus small_query_v2_9(void* adapter, mirror::v2_4::dxgkarg_queryadapterinfo const* args) {
    return query<wddm::v2_9, small_gpu>(adapter, args);
}
ntstatus small_query_v3_2(void* adapter, mirror::v2_4::dxgkarg_queryadapterinfo const* args) {
    return query<wddm::v3_2, small_gpu>(adapter, args);
}

ntstatus map_host_aperture(void* adapter, mirror::v2_0::dxgkarg_mapcpuhostaperture const* args) {
    auto& gpu = *static_cast<full_gpu<wddm::v3_2>*>(adapter);
    return segment::map_cpu_host_aperture(gpu.segments(args->PhysicalAdapterIndex), gpu, *args);
}
ntstatus unmap_host_aperture(void* adapter, mirror::v2_0::dxgkarg_unmapcpuhostaperture const* args) {
    auto& gpu = *static_cast<full_gpu<wddm::v3_2>*>(adapter);
    return segment::unmap_cpu_host_aperture(gpu.segments(args->PhysicalAdapterIndex), gpu, *args);
}

u32 dma_segments(void* adapter) {
    auto& gpu = *static_cast<full_gpu<wddm::v3_2>*>(adapter);
    return segment::dma_buffer_segments(gpu.segments(0), segment::context_addressing::gpu_virtual,
                                        segment::dma_buffer_memory::aperture)
        .value;
}

}  // extern "C"
