// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "allocations.hpp"
#include "answers.hpp"

/// How the answers are judged, and what happens to an adapter that has started.
namespace wddmcore::inline WDDMCORE_ABI::testing {

inline void vidmm_adapter::judge() {
    using namespace vidmm_parts;
    vidmm_adapter_description const& d = m_.description;
    std::uint32_t flags = 0;
    for (std::uint32_t i = 0; i < d.adapters.size(); ++i) {
        segment_judge(m_, i, d.adapters[i]).judge();
        table_judge(m_, d.adapters[i]).judge();
        flags |= d.adapters[i].flags;
        if (d.adapters[i].mmu && d.adapters[0].mmu) {
            m_.check(d.adapters[i].mmu->address_bits == d.adapters[0].mmu->address_bits, vidmm_rule::gva_33,
                     "physical adapter " + std::to_string(i) + ": " + std::to_string(d.adapters[i].mmu->address_bits) +
                         " address bits");
        }
    }
    if (at_least(m_.version, wddm::v2_0)) {
        bool const same = ((flags & vidmm_cap::adapter_gpu_mmu) != 0) == d.has(vidmm_cap::gpu_mmu) &&
                          ((flags & vidmm_cap::adapter_io_mmu) != 0) == d.has(vidmm_cap::io_mmu);
        bool const backed = !d.has(vidmm_cap::virtual_addressing) || d.has(vidmm_cap::gpu_mmu | vidmm_cap::io_mmu);
        m_.check(same && backed, vidmm_rule::gva_35,
                 "memory caps " + std::to_string(d.memory_caps) + ", flags " + std::to_string(flags));
    }
    physical_memory_judge(m_).judge();
}

inline bool vidmm_adapter::ask_again() {
    vidmm_adapter_description const& d = m_.description;
    if (!d.before_start.empty()) {
        m_.check(physical_memory_answers() == d.before_start, vidmm_rule::iom_02,
                 "PHYSICAL_MEMORY_CAPS or IOMMU_CAPS differ before and after the start");
    }
    vidmm_adapter_description now;
    if (!ask_driver_caps(now)) {
        return false;
    }
    std::uint32_t constexpr isolation = vidmm_cap::secure_mode_supported | vidmm_cap::secure_mode_required;
    m_.check((now.memory_caps & isolation) == (d.memory_caps & isolation), vidmm_rule::iom_04,
             "memory caps " + std::to_string(d.memory_caps) + ", later " + std::to_string(now.memory_caps));
    for (std::uint32_t i = 0; i < d.adapters.size(); ++i) {
        auto const found = vidmm_parts::segment_asker(m_).ask(i);
        if (!found) {
            return false;
        }
        auto const& before = d.adapters[i].segments;
        bool const same = std::equal(before.begin(), before.end(), found->segments.begin(), found->segments.end(),
                                     [](auto const& a, auto const& b) { return a.flags == b.flags; });
        m_.check(same, vidmm_rule::seg_02,
                 std::to_string(before.size()) + " segments, later " + std::to_string(found->segments.size()) +
                     ", or other kinds");
    }
    return refusal_.empty();
}

inline bool vidmm_adapter::create_context(bool virtual_addressing) {
    if (m_.table.create_context_with_info == nullptr) {
        return false;
    }
    std::size_t const before = broken();
    mirror::v3_2::dxgkarg_createcontext sent{};
    sent.EngineAffinity = 1;
    sent.Flags.VirtualAddressing = virtual_addressing ? 1 : 0;
    auto const whole = vidmm_parts::bytes_of(sent);
    auto const memory = m_.lend_structure(whole.first(m_.sizes.context), m_.table.create_context_size,
                                          "DXGKARG_CREATECONTEXT", vidmm_rule::output_size);
    vidmm_parts::journal::current().call("DxgkDdiCreateContext", false);
    ntstatus const status = m_.table.create_context_with_info(m_.table.adapter, memory->data());
    mirror::v3_2::dxgkarg_createcontext got{};
    std::memcpy(&got, memory->data(), m_.sizes.context);
    memory->end();
    if (status < 0) {
        return refused("DxgkDdiCreateContext", status);
    }
    u32 const set = got.ContextInfo.DmaBufferSegmentSet;
    std::string const numbers = "DmaBufferSegmentSet " + std::to_string(set);
    m_.check(set != 0 || !virtual_addressing, vidmm_rule::obs_07, numbers);
    for (u32 bit = 0; bit < 32; ++bit) {
        if ((set >> bit & 1) != 0) {
            auto const& segments = m_.description.adapters.at(0).segments;
            m_.check(bit < segments.size() && segments[bit].is_aperture(), vidmm_rule::seg_39, numbers);
        }
    }
    if (m_.table.destroy_context != nullptr) {
        m_.table.destroy_context(m_.table.adapter, got.hContext);
    }
    return broken() == before;
}

inline bool vidmm_adapter::exclusive_access() {
    bool const there = m_.table.begin_exclusive_access != nullptr && m_.table.end_exclusive_access != nullptr;
    if (!there || !m_.description.has(vidmm_cap::secure_mode_supported)) {
        return false;
    }
    std::size_t const before = broken();
    wddmcore_driver_table const& t = m_.table;
    auto const accesses = [&t] {
        return t.system_memory_accesses == nullptr ? 0 : t.system_memory_accesses(t.adapter);
    };
    mirror::v2_4::dxgkarg_beginexclusiveaccess const begin{};
    mirror::v2_4::dxgkarg_endexclusiveaccess const end{};
    for (std::uint32_t round = 0; round < m_.options.exclusive_windows && broken() == before; ++round) {
        std::string const numbers = "pair " + std::to_string(round + 1);
        vidmm_parts::journal::current().call("DxgkDdiBeginExclusiveAccess", false);
        if (!m_.check(t.begin_exclusive_access(t.adapter, &begin) >= 0, vidmm_rule::iom_10, numbers + ", begin")) {
            break;
        }
        auto const accessed = accesses();
        if (t.let_time_pass != nullptr) {
            t.let_time_pass(t.adapter);
        }
        auto const after = accesses();
        // Without the observer nobody knows: the rule stays not exercised.
        if (t.system_memory_accesses != nullptr) {
            m_.check(accessed == after, vidmm_rule::iom_09,
                     numbers + ": " + std::to_string(after - accessed) + " accesses to system memory");
        }
        vidmm_parts::journal::current().call("DxgkDdiEndExclusiveAccess", false);
        m_.check(t.end_exclusive_access(t.adapter, &end) >= 0, vidmm_rule::iom_10, numbers + ", end");
    }
    return broken() == before;
}

}  // namespace wddmcore::testing
