// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "adapter.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing {

namespace vidmm_parts {

/// Judges an allocation against the segments that were reported.
class allocation_judge {
public:
    allocation_judge(adapter_machine& m, vidmm_reported_allocation const& what)
        : m_(m), a_(what), segments_(m.description.adapters.at(0).segments) {}

    void judge() {
        m_.check(a_.size != 0 && (a_.pitch_aligned_size == 0 || a_.pitch_aligned_size >= a_.size), rule::pref_08,
                 text());
        check_sets();
        check_preferences();
        if (at_least(m_.version, wddm::v2_0)) {
            check_flags();
        }
    }

private:
    using rule = vidmm_rule;

    // Bits of DXGK_ALLOCATIONINFOFLAGS_WDDM2_0.
    static constexpr std::uint32_t cpu_visible = 1U << 0;
    static constexpr std::uint32_t permanent_sys_mem = 1U << 1;
    static constexpr std::uint32_t cached = 1U << 2;
    static constexpr std::uint32_t protected_memory = 1U << 3;
    static constexpr std::uint32_t existing_sys_mem = 1U << 4;
    static constexpr std::uint32_t existing_kernel_sys_mem = 1U << 5;
    static constexpr std::uint32_t map_aperture_cpu_visible = 1U << 13;
    static constexpr std::uint32_t history_buffer = 1U << 14;
    static constexpr std::uint32_t accessed_physically = 1U << 15;
    static constexpr std::uint32_t explicit_residency_notification = 1U << 16;
    // A bit of DXGK_ALLOCATIONINFOFLAGS2.
    static constexpr std::uint32_t share_backing_store_with_kmd = 1U << 0;

    [[nodiscard]] std::string text() const {
        return "allocation of " + std::to_string(a_.size) + " bytes, alignment " + std::to_string(a_.alignment) +
               ", sets " + std::to_string(a_.read_set) + ", " + std::to_string(a_.write_set) + " and " +
               std::to_string(a_.eviction_set) + ", preferred " + std::to_string(a_.preferred) + ", flags " +
               std::to_string(a_.flags) + (a_.flags2 != 0 ? " and " + std::to_string(a_.flags2) : "");
    }

    [[nodiscard]] std::uint32_t supported() const {
        return at_least(m_.version, wddm::v2_0) ? a_.write_set : a_.write_set | a_.read_set;
    }
    [[nodiscard]] bool names(std::uint32_t set, std::size_t index) const { return (set >> index & 1) != 0; }

    void check_sets() {
        std::uint64_t const known = (std::uint64_t{1} << segments_.size()) - 1;
        bool const there = ((a_.write_set | a_.eviction_set) & ~known) == 0;
        m_.check(supported() != 0, at_least(m_.version, wddm::v2_0) ? rule::pref_03 : rule::pref_01, text());
        if (!m_.check(there, rule::pref_01, text())) {
            return;
        }
        bool wide = false;
        bool reached = true;
        bool in_aperture = false;
        for (std::size_t i = 0; i < segments_.size(); ++i) {
            vidmm_reported_segment const& s = segments_[i];
            m_.check(!names(a_.eviction_set, i) || s.is_aperture(), rule::pref_06, text());
            if (names(supported(), i)) {
                wide = wide || s.has(vidmm_segment_flag::use_64kb_pages);
                in_aperture = in_aperture || s.is_aperture();
                reached = reached && (s.is_aperture() || s.has(vidmm_segment_flag::cpu_visible));
            }
        }
        m_.check(!wide || (a_.alignment != 0 && a_.alignment % 65536 == 0), rule::pref_07, text());
        bool const seen = at_least(m_.version, wddm::v2_0) && (a_.flags & cpu_visible) != 0;
        m_.check(!seen || reached || in_aperture, rule::pref_18, text());
        m_.check(a_.priority != 0, rule::pref_09, text());
    }

    void check_preferences() {
        for (std::uint32_t slot = 0; slot < 5; ++slot) {
            std::uint32_t const id = a_.preferred >> (6 * slot) & 31;
            m_.check(id == 0 || names(supported(), id - 1), rule::pref_02, text());
        }
    }

    [[nodiscard]] bool has(std::uint32_t flag) const { return (a_.flags & flag) != 0; }

    void check_flags() {
        m_.check(!has(explicit_residency_notification) || has(accessed_physically), rule::pref_13, text());
        m_.check(!has(map_aperture_cpu_visible) || m_.description.has(vidmm_cap::map_aperture2), rule::pref_14, text());
        m_.check(!has(cached | permanent_sys_mem) || has(cpu_visible), rule::pref_16, text());
        int const kinds =
            has(protected_memory) + has(permanent_sys_mem) + has(existing_sys_mem) + has(existing_kernel_sys_mem);
        m_.check(kinds <= 1, rule::pref_17, text());
        if ((a_.flags2 & share_backing_store_with_kmd) != 0) {
            // Whether it is shared, and whether the feature was found enabled, nobody here knows.
            bool const exists = has(existing_sys_mem | existing_kernel_sys_mem);
            m_.check(!exists && (a_.write_set & ~apertures()) == 0, rule::pref_19, text());
        }
        if (has(history_buffer)) {
            bool const is_cached = is_any_aperture_coherent();
            m_.check(a_.flags == (history_buffer | cpu_visible | (is_cached ? cached : 0)) && a_.flags2 == 0,
                     rule::pref_20, text());
        }
    }

    [[nodiscard]] std::uint32_t apertures() const {
        std::uint32_t set = 0;
        for (std::size_t i = 0; i < segments_.size(); ++i) {
            set |= segments_[i].is_aperture() ? 1U << i : 0;
        }
        return set;
    }
    [[nodiscard]] bool is_any_aperture_coherent() const {
        return std::any_of(segments_.begin(), segments_.end(), [](vidmm_reported_segment const& s) {
            return s.is_aperture() && s.has(vidmm_segment_flag::cache_coherent);
        });
    }

    adapter_machine& m_;
    vidmm_reported_allocation const& a_;
    std::vector<vidmm_reported_segment> const& segments_;
};

}  // namespace vidmm_parts

inline std::optional<vidmm_reported_allocation> vidmm_adapter::create_allocation(
    std::span<std::byte const> private_data) {
    std::vector<std::byte> const one(private_data.begin(), private_data.end());
    auto made = create_allocations({&one, 1});
    return made.empty() ? std::nullopt : std::optional(std::move(made.front()));
}

inline std::vector<vidmm_reported_allocation> vidmm_adapter::create_allocations(
    std::span<std::vector<std::byte> const> private_data) {
    using info_type = mirror::v3_2::dxgk_allocationinfo;
    using vidmm_parts::loan_side;
    if (m_.table.create_allocation == nullptr || m_.description.adapters.empty()) {
        return {};
    }
    std::size_t const info_bytes = m_.sizes.allocation_info;
    std::vector<std::shared_ptr<vidmm_parts::loan>> data;
    std::vector<std::byte> array(private_data.size() * info_bytes);
    for (std::size_t i = 0; i < private_data.size(); ++i) {
        data.push_back(
            m_.lend(private_data[i], loan_side::end, "an allocation's private data", vidmm_rule::output_size));
        info_type info{};
        info.pPrivateDriverData = private_data[i].empty() ? nullptr : data.back()->data();
        info.PrivateDriverDataSize = static_cast<u32>(private_data[i].size());
        std::memcpy(array.data() + i * info_bytes, &info, info_bytes);
    }
    auto const lent_info = m_.lend(array, loan_side::end, "DXGK_ALLOCATIONINFO", vidmm_rule::output_size);
    mirror::v3_2::dxgkarg_createallocation args{};
    args.NumAllocations = static_cast<u32>(private_data.size());
    args.pAllocationInfo = reinterpret_cast<info_type*>(lent_info->data());
    auto const lent =
        m_.lend_structure(vidmm_parts::bytes_of(args).first(m_.sizes.create_allocation),
                          m_.table.create_allocation_size, "DXGKARG_CREATEALLOCATION", vidmm_rule::output_size);
    vidmm_parts::journal::current().call("DxgkDdiCreateAllocation", false);
    ntstatus const status = m_.table.create_allocation(m_.table.adapter, lent->data());
    std::memcpy(array.data(), lent_info->data(), array.size());
    std::vector<std::vector<std::byte>> left;
    for (auto const& each : data) {
        left.emplace_back(each->data(), each->data() + each->size());
        each->end();
    }
    lent->end();
    lent_info->end();
    if (status < 0) {
        refused("DxgkDdiCreateAllocation", status);
        return {};
    }
    bool const v2 = at_least(m_.version, wddm::v2_0);
    bool const v3 = at_least(m_.version, wddm::v3_0);
    std::vector<vidmm_reported_allocation> found;
    for (std::size_t i = 0; i < left.size(); ++i) {
        info_type info{};
        std::memcpy(&info, array.data() + i * info_bytes, info_bytes);
        found.push_back({info.hAllocation, info.Size, info.PitchAlignedSize, info.Alignment,
                         info.SupportedReadSegmentSet, info.SupportedWriteSegmentSet, info.EvictionSegmentSet,
                         info.PreferredSegment.Value, v2 ? info.FlagsWddm2.Value : info.Flags.Value,
                         info.AllocationPriority, v3 ? info.Flags2.Value : 0, std::move(left[i])});
        vidmm_parts::allocation_judge(m_, found.back()).judge();
    }
    return found;
}

inline bool vidmm_adapter::destroy_allocation(vidmm_reported_allocation const& what) {
    if (m_.table.destroy_allocation == nullptr) {
        return false;
    }
    vidmm_parts::journal::current().call("DxgkDdiDestroyAllocation", false);
    ntstatus const status = m_.table.destroy_allocation(m_.table.adapter, what.handle);
    return status >= 0 ? true : refused("DxgkDdiDestroyAllocation", status);
}

}  // namespace wddmcore::testing
