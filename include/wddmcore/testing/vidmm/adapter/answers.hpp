// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "adapter.hpp"
#include "later_queries.hpp"

/// What an adapter is asked for between StartDevice and its first allocation.
namespace wddmcore::inline WDDMCORE_ABI::testing {

inline bool vidmm_adapter::ask_driver_caps(vidmm_adapter_description& to) {
    using caps_type = mirror::v3_2::dxgk_drivercaps;
    std::size_t const size =
        m_.options.older_system
            ? std::min(m_.sizes.drivercaps, vidmm_parts::adapter_sizes_of(*m_.options.older_system).drivercaps)
            : m_.sizes.drivercaps;
    std::vector<std::byte> const zeroes(size);
    auto const reply = m_.ask(adapter_query::drivercaps, {}, zeroes, "DRIVERCAPS");
    if (!reply.success()) {
        return refused("DxgkDdiQueryAdapterInfo, DRIVERCAPS,", reply.status);
    }
    auto const caps = reply.as<caps_type>();
    to.version = m_.version;
    to.memory_caps = caps.MemoryManagementCaps.Value;
    to.wddm_version = caps.WDDMVersion;
    to.highest_acceptable = static_cast<std::uint64_t>(caps.HighestAcceptableAddress.QuadPart);
    to.aperture_commit_limit = caps.ApertureSegmentCommitLimit;
    to.nodes = caps.GpuEngineTopology.NbAsymetricProcessingNodes;
    to.paging_node = caps.MemoryManagementCaps.PagingNode;
    to.packet_cap = caps.SchedulingCaps.HwQueuePacketCap;
    to.graphics_preemption = static_cast<std::uint32_t>(caps.PreemptionCaps.GraphicsPreemptionGranularity);
    to.compute_preemption = static_cast<std::uint32_t>(caps.PreemptionCaps.ComputePreemptionGranularity);
    to.compute_only = caps.MiscCaps.ComputeOnly != 0;
    to.preempts = caps.SchedulingCaps.PreemptionAware != 0;
    to.flips_by_registers = caps.FlipCaps.FlipOnVSyncMmIo != 0;
    return refusal_.empty();
}

inline bool vidmm_adapter::ask_adapter_caps(std::uint32_t index, vidmm_reported_adapter& to) {
    mirror::v3_2::dxgk_queryphysicaladaptercapsin const in{index};
    std::vector<std::byte> const zeroes(m_.sizes.physical_adapter);
    auto const reply =
        m_.ask(adapter_query::physicaladaptercaps, vidmm_parts::bytes_of(in), zeroes, "PHYSICALADAPTERCAPS");
    if (!reply.success()) {
        return refused("DxgkDdiQueryAdapterInfo, PHYSICALADAPTERCAPS,", reply.status);
    }
    auto const caps = reply.as<mirror::v3_2::dxgk_physicaladaptercaps>();
    to.flags = caps.Flags.Value;
    to.execution_nodes = caps.NumExecutionNodes;
    to.paging_node = caps.PagingNodeIndex;
    if ((to.flags & vidmm_cap::adapter_gpu_mmu) != 0) {
        vidmm_parts::table_asker(m_, index).ask(to);
    }
    return refusal_.empty();
}

inline bool vidmm_adapter::ask_everything() {
    vidmm_adapter_description& d = m_.description;
    if (!ask_driver_caps(d)) {
        return false;
    }
    // Forms 1 and 3 know no physical adapters.
    std::uint32_t const count = at_least(m_.version, wddm::v2_0) ? m_.options.physical_adapters : 1;
    for (std::uint32_t i = 0; i < count; ++i) {
        vidmm_reported_adapter a;
        if (at_least(m_.version, wddm::v2_0) && !ask_adapter_caps(i, a)) {
            return false;
        }
        auto found = vidmm_parts::segment_asker(m_).ask(i);
        if (!found) {
            return false;
        }
        a.segments = std::move(found->segments);
        a.paging_buffer = found->paging_buffer;
        for (vidmm_reported_segment& s : a.segments) {
            ask_memory_states(i, s);
        }
        if (at_least(m_.version, wddm::v3_2)) {
            vidmm_parts::later_asker(m_).ask_mmus(i, a);
            vidmm_parts::later_asker(m_).ask_reserves(a);
        }
        d.adapters.push_back(std::move(a));
    }
    if (at_least(m_.version, wddm::v2_4) && d.has(vidmm_cap::secure_mode_supported)) {
        vidmm_parts::physical_memory_asker(m_).ask_isolation(d);
    }
    if (at_least(m_.version, wddm::v3_2)) {
        vidmm_parts::later_asker(m_).ask_dirty_bits(d);
    }
    return refusal_.empty();
}

inline void vidmm_adapter::ask_memory_states(std::uint32_t index, vidmm_reported_segment& s) {
    if (s.invalid_ranges != 0) {
        s.invalid = memory_state(adapter_query::segmentmemorystate, index, s, s.invalid_ranges);
    }
    if (s.uefi_ranges != 0 && at_least(m_.version, wddm::v2_2)) {
        s.uefi = memory_state(adapter_query::uefiframebufferranges, index, s, s.uefi_ranges);
    }
}

inline std::vector<vidmm_memory_range> vidmm_adapter::memory_state(adapter_query type, std::uint32_t index,
                                                                   vidmm_reported_segment const& s,
                                                                   std::uint32_t count) {
    using range_type = mirror::v3_2::dxgk_memoryrange;
    auto constexpr rule = vidmm_rule::seg_31;
    std::string const name = "segment " + std::to_string(s.id) + ", " + std::to_string(count) + " ranges";
    std::vector<vidmm_memory_range> found;
    if (!m_.check(count < 65536, rule, name)) {
        return found;
    }
    std::vector<std::byte> const zeroes(count * sizeof(range_type));
    auto const array = m_.lend(zeroes, vidmm_parts::loan_side::end, "the array of memory ranges", rule);
    mirror::v3_2::dxgk_querysegmentmemorystate state{};
    state.DriverSegmentId = static_cast<u16>(s.id);
    state.PhysicalAdapterIndex = static_cast<u16>(index);
    state.NumInvalidMemoryRanges = count;
    state.pMemoryRanges = reinterpret_cast<range_type*>(array->data());
    bool const answered =
        m_.ask_in_place(type, vidmm_parts::bytes_of(state), "the state of a segment's memory").success();
    m_.check(answered, rule, name + ": refused");
    for (std::uint32_t i = 0; answered && i < count; ++i) {
        range_type r{};
        std::memcpy(&r, array->data() + i * sizeof r, sizeof r);
        found.push_back({r.SegmentOffset, r.SizeInBytes});
        bool const whole = r.SizeInBytes != 0 && r.SegmentOffset % s.page_bytes() == 0 &&
                           r.SizeInBytes % s.page_bytes() == 0 && r.SegmentOffset <= s.size &&
                           r.SizeInBytes <= s.size - r.SegmentOffset;
        m_.check(whole, rule,
                 name + ": " + std::to_string(r.SizeInBytes) + " bytes from " + std::to_string(r.SegmentOffset));
    }
    array->end();
    return found;
}

}  // namespace wddmcore::testing
