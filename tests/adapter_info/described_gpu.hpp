// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/adapter_info.hpp>

#include <cstring>
#include <hardware/cpu_virtual.hpp>

#include "../preemption/claiming_gpu.hpp"
#include "../segment/query_samples.hpp"

/// A hardware type that describes everything that there is to describe; tests change one thing at a time.
namespace wddmcore::inline WDDMCORE_ABI::testing {

inline constexpr u64 reach = (u64{1} << 44) - 1;

constexpr capabilities everything_claimed(wddm version) {
    return {
        .version = version,
        .oldest = wddm::vista,
        .addresses = paging_addresses::both,
        .aperture = version >= wddm::v2_9 ? aperture_forms::either : aperture_forms::mdl,
        .gpu_mmu = claim::at_run_time,
        .page_tables = update_modes::cpu_virtual | update_modes::gpu_virtual | update_modes::gpu_physical,
        .highest_visible_address = reach,
        .io_mmu = claim::at_run_time,
    };
}

/// What such a driver chooses where it registers with a version.
constexpr capabilities chosen_at(wddm version) {
    capabilities chosen = everything_claimed(version);
    bool const virtual_memory = version >= wddm::v2_0;
    chosen.oldest = version;
    chosen.gpu_mmu = virtual_memory ? claim::yes : claim::no;
    chosen.io_mmu = claim::no;
    chosen.page_tables = virtual_memory ? update_modes::gpu_virtual : update_modes::none;
    chosen.aperture = version >= wddm::v2_9 ? aperture_forms::adl : aperture_forms::mdl;
    return chosen;
}

/// Claims of scheduling that a version has.
constexpr scheduling_capabilities scheduling_at(wddm version, scheduling_capabilities claims) {
    if (version < wddm::win8) {
        claims.preemption_aware = claims.cancel_command_aware = claims.no_dma_patching = claim::no;
        claims.support_per_engine_tdr = claim::no;
        claims.recovery = recovery_functions::per_adapter;
    }
    if (version < wddm::v2_0) {
        claims.virtual_addressing = claims.no_64_bit_atomics = claims.low_irql_preempt_command = claim::no;
        claims.no_dma_patching = claim::no;
    }
    if (version < wddm::v2_3) {
        claims.hw_queue_packet_cap = 0;
    }
    if (version < wddm::v3_1) {
        claims.native_gpu_fence = claims.optimized_native_fence_signaled_interrupt = claim::no;
    }
    if (version < wddm::v3_2) {
        claims.live_migration = claims.dirty_bit_tracking = claim::no;
    }
    return claims;
}

/// Claims about the IOMMU that a version has, all of them as one value.
constexpr iommu::capabilities iommu_at(wddm version, claim all) {
    return {.isolation = version >= wddm::v2_4 ? all : claim::no,
            .isolation_required = version >= wddm::v2_7 ? all : claim::no,
            .dma_remapping = version >= wddm::v2_9 ? all : claim::no,
            .gpu_va_iommu_required = version >= wddm::v3_1 ? all : claim::no,
            .gpu_va_iommu_global_required = version >= wddm::v3_1 ? all : claim::no};
}

inline constexpr iommu::physical_memory_range two_ranges[] = {{0x1000'0000, 2 * mib}, {0x8000'0000, 64 * kib}};
inline constexpr mmu_description three_mmus[] = {{1 * gib}, {2 * gib}, {5 * gib}};

template <wddm Version>
struct gpu_of : examples::cpu::virtual_processor<everything_claimed(Version)> {
    static constexpr scheduling_capabilities scheduling = scheduling_at(Version, all_claims);
    static constexpr preemption_engine engines[3] = {
        {.graphics = {graphics_preemption_granularity::pixel_boundary, 64 * kib},
         .compute = {compute_preemption_granularity::thread_group_boundary, 2 * mib},
         .waits = hardware_waits::can_be_stopped},
        {.compute = {compute_preemption_granularity::dispatch_boundary, mib}, .acknowledges_when_idle = true},
        {.other = {other_preemption_granularity::dma_buffer_boundary}},
    };
    static constexpr bool state_survives_patching = true;
    static constexpr u32 ring_capacity = 64;
    static constexpr iommu::capabilities iommu = iommu_at(Version, claim::at_run_time);
    static constexpr bool both_mmus_on_one_adapter = true;
    static constexpr gpuva::page_table_segments table_segments = gpuva::every_level_in(segment_id{2}, segment_id{2});
    static constexpr bytes paging_buffer_size{0x3'5000};
    static constexpr bytes paging_private_data_size{0x77};
    static constexpr bool dirty_bits_performant = true;

    capabilities chosen = chosen_at(Version);
    scheduling_capabilities chosen_scheduling = scheduling_at(Version, everything_chosen);
    wddmcore::iommu::capabilities chosen_iommu = iommu_at(Version, claim::yes);
    segment::view tables[2] = {window_table, plain_table};
    u32 link = 1;
    u64 reaches[2] = {reach, reach};
    gpuva::paging_space_request space{};
    bytes to_save = 5 * mib + bytes{1};
    span<wddmcore::iommu::physical_memory_range const> reserved{two_ranges, 2};
    u32 dirty_page = 0x1'0000;

    [[nodiscard]] constexpr segment::view segments(u32 index) const { return tables[index]; }
    [[nodiscard]] constexpr u32 physical_adapters() const { return link; }
    [[nodiscard]] constexpr u64 highest_visible_address(u32 index) const { return reaches[index]; }
    [[nodiscard]] constexpr gpuva::paging_space_request paging_space(u32) const { return space; }
    [[nodiscard]] constexpr bytes frame_buffer_save_size() const { return to_save; }
    [[nodiscard]] constexpr span<wddmcore::iommu::physical_memory_range const> reserved_ranges() const {
        return reserved;
    }
    [[nodiscard]] constexpr span<mmu_description const> mmus(u32 index) const { return {three_mmus, 3 - index}; }
    [[nodiscard]] constexpr u16 display_mmu(u32 index) const { return static_cast<u16>(index + 1); }
    [[nodiscard]] constexpr u64 vgpu_resources_page_size(segment_id id) const { return u64{0x1'0000} * id.n; }
    [[nodiscard]] constexpr u32 dirty_bit_page_size(segment_id) const { return dirty_page; }
};

using described_gpu = gpu_of<wddm::v3_2>;

/// The argument structure of a version: three layouts serve all of them.
template <wddm Version>
using query_args =
    meta::conditional_t<(Version >= wddm::v2_4), mirror::v2_4::dxgkarg_queryadapterinfo,
                        meta::conditional_t<(Version >= wddm::v2_2), mirror::v2_2::dxgkarg_queryadapterinfo,
                                            mirror::vista::dxgkarg_queryadapterinfo>>;

/// A query with any memory.
template <wddm Version = wddm::v3_2, class Hw>
query_answer ask_raw(Hw const& gpu, adapter_query type, void* input, u32 input_size, void* output, u32 output_size) {
    query_args<Version> args{};
    args.Type = static_cast<u32>(type);
    args.pInputData = input;
    args.InputDataSize = input_size;
    args.pOutputData = output;
    args.OutputDataSize = output_size;
    return answer_query_adapter_info<mirror_binding<Version>>(gpu, args);
}

/// A query with its structures.
template <wddm Version = wddm::v3_2, class Hw, class Input, class Output>
query_answer ask(Hw const& gpu, adapter_query type, Input& input, Output& output) {
    return ask_raw<Version>(gpu, type, &input, sizeof input, &output, sizeof output);
}

/// A query without input.
template <wddm Version = wddm::v3_2, class Hw, class Output>
query_answer ask(Hw const& gpu, adapter_query type, Output& output) {
    return ask_raw<Version>(gpu, type, nullptr, 0, &output, sizeof output);
}

constexpr query_reason why(query_answer const& answer) {
    return answer.what == query_outcome::refused && answer.status == status::invalid_parameter ? answer.reason
                                                                                               : query_reason::none;
}

/// Every wrong way to hand over memory is refused, and the output stays as it was.
template <wddm Version = wddm::v3_2, class Input, class Output, class Hw>
bool refuses_wrong_memory(Hw const& gpu, adapter_query type, Input input) {
    unsigned char output[sizeof(Output)];
    unsigned char before[sizeof(Output)];
    std::memset(output, 0x6B, sizeof output);
    std::memset(before, 0x6B, sizeof before);
    u32 const in_size = sizeof(Input);
    u32 const out_size = sizeof(Output);
    bool const all =
        why(ask_raw<Version>(gpu, type, nullptr, in_size, output, out_size)) == query_reason::input_missing &&
        why(ask_raw<Version>(gpu, type, &input, in_size - 1, output, out_size)) == query_reason::input_size &&
        why(ask_raw<Version>(gpu, type, &input, 0, output, out_size)) == query_reason::input_size &&
        why(ask_raw<Version>(gpu, type, &input, in_size, nullptr, out_size)) == query_reason::output_missing &&
        why(ask_raw<Version>(gpu, type, &input, in_size, output, out_size - 1)) == query_reason::output_size &&
        why(ask_raw<Version>(gpu, type, &input, in_size, output, 0)) == query_reason::output_size;
    return all && std::memcmp(output, before, sizeof output) == 0;
}

}  // namespace wddmcore::testing
