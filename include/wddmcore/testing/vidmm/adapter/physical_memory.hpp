// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "machine.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::vidmm_parts {

/// The queries about physical memory, and what is judged of their answers.
class physical_memory_asker {
public:
    explicit physical_memory_asker(adapter_machine& m) : m_(m) {}

    /// PHYSICAL_MEMORY_CAPS and IOMMU_CAPS; both have no input, so that each physical adapter asks the same (WDDM 2.9).
    [[nodiscard]] vidmm_physical_memory_answers ask() {
        vidmm_physical_memory_answers found;
        mirror::v3_2::dxgk_physical_memory_caps const no_memory{};
        query_reply const memory =
            m_.ask(adapter_query::physical_memory_caps, {}, bytes_of(no_memory), "PHYSICAL_MEMORY_CAPS");
        if (memory.success()) {
            auto const caps = memory.as<mirror::v3_2::dxgk_physical_memory_caps>();
            found.highest_visible = static_cast<std::uint64_t>(caps.HighestVisibleAddress.QuadPart);
        }
        mirror::v3_2::dxgk_iommu_caps const no_caps{};
        query_reply const iommu = m_.ask(adapter_query::iommu_caps, {}, bytes_of(no_caps), "IOMMU_CAPS");
        if (iommu.success()) {
            found.iommu = iommu.as<mirror::v3_2::dxgk_iommu_caps>().Value;
        }
        return found;
    }

    /// FRAMEBUFFERSAVESIZE and HARDWARERESERVEDRANGES, for an adapter with isolation (WDDM 2.4).
    void ask_isolation(vidmm_adapter_description& to) {
        mirror::v3_2::dxgk_framebuffersavearea const none{};
        query_reply const saved = m_.ask(adapter_query::framebuffersavesize, {}, bytes_of(none), "FRAMEBUFFERSAVESIZE");
        if (saved.success()) {
            to.save_size = saved.as<mirror::v3_2::dxgk_framebuffersavearea>().MaximumSize;
            m_.check(*to.save_size % 4096 == 0, vidmm_rule::iom_17, std::to_string(*to.save_size) + " bytes");
        }
        ask_reserved(to);
    }

private:
    using ranges_type = mirror::v3_2::dxgk_hardwarereservedranges;
    using range_type = mirror::v3_2::dxgk_physical_memory_range;

    void ask_reserved(vidmm_adapter_description& to) {
        ranges_type const first{};
        query_reply const counted =
            m_.ask(adapter_query::hardwarereservedranges, {}, bytes_of(first), "HARDWARERESERVEDRANGES");
        if (!counted.success()) {
            return;
        }
        u32 const count = counted.as<ranges_type>().NumRanges;
        bool const only_counted = counted.as<ranges_type>().pPhysicalRanges == nullptr;
        if (!m_.check(only_counted && count < 4096, vidmm_rule::iom_19, "first call, " + std::to_string(count))) {
            return;
        }
        if (count != 0) {
            ask_array(count, to);
        }
        judge_reserved(to.reserved_ranges);
    }

    void ask_array(u32 count, vidmm_adapter_description& to) {
        std::vector<std::byte> const zeroes(count * sizeof(range_type));
        auto const array = m_.lend(zeroes, loan_side::end, "the array of reserved ranges", vidmm_rule::iom_19);
        ranges_type second{};
        second.NumRanges = count;
        second.pPhysicalRanges = reinterpret_cast<range_type*>(array->data());
        query_reply const reply =
            m_.ask(adapter_query::hardwarereservedranges, {}, bytes_of(second), "HARDWARERESERVEDRANGES");
        u32 const now = reply.as<ranges_type>().NumRanges;
        if (m_.check(reply.success() && now == count, vidmm_rule::iom_19,
                     std::to_string(count) + " ranges in the first call, " + std::to_string(now) + " in the second")) {
            for (u32 i = 0; i < count; ++i) {
                range_type r{};
                std::memcpy(&r, array->data() + i * sizeof r, sizeof r);
                to.reserved_ranges.push_back({static_cast<std::uint64_t>(r.BaseAddress.QuadPart),
                                              static_cast<std::uint64_t>(r.NumberOfBytes.QuadPart)});
            }
        }
        array->end();
    }

    void judge_reserved(std::vector<vidmm_memory_range> const& reserved) {
        for (vidmm_memory_range const& r : reserved) {
            std::string const numbers = std::to_string(r.size) + " bytes from " + std::to_string(r.base);
            m_.check(r.size != 0 && r.size <= ~r.base, vidmm_rule::iom_19, numbers);
            for (vidmm_memory_range const& managed : m_.options.system_memory) {
                bool const apart = r.base >= managed.base + managed.size || managed.base >= r.base + r.size;
                m_.check(apart, vidmm_rule::iom_19, numbers + ", which the system manages");
            }
        }
    }

    adapter_machine& m_;
};

/// Judges the answers about physical memory against each other and against the machine.
class physical_memory_judge {
public:
    explicit physical_memory_judge(adapter_machine& m) : m_(m), d_(m.description) {}

    void judge() {
        check_words();
        check_link();
        check_reach();
        check_functions();
    }

private:
    using rule = vidmm_rule;

    void check_words() {
        std::uint32_t const iommu = d_.iommu();
        std::string const numbers =
            "IOMMU_CAPS " + std::to_string(iommu) + ", memory caps " + std::to_string(d_.memory_caps);
        bool const supported = d_.has(vidmm_cap::secure_mode_supported);
        bool const required = d_.has(vidmm_cap::secure_mode_required);
        bool const isolation = (iommu & vidmm_cap::isolation_supported) != 0;
        bool const isolation_required = (iommu & vidmm_cap::isolation_required) != 0;
        m_.check(isolation || !isolation_required, rule::iom_05, numbers);
        if (at_least(d_.version, wddm::v2_9)) {
            m_.check(isolation == supported && isolation_required == required, rule::iom_04, numbers);
        } else {
            m_.check(supported || !required, rule::iom_05, numbers);
        }
        if ((iommu & vidmm_cap::dma_remapping) != 0) {
            m_.check(d_.has(vidmm_cap::map_aperture2), rule::iom_05, numbers);
            m_.check(d_.before_start.front().highest_visible.has_value(), rule::iom_01,
                     numbers + ", PHYSICAL_MEMORY_CAPS refused");
        }
        // DXGK_PHYSICALADAPTERFLAGS has these bits from WDDM 3.1 on.
        if (at_least(d_.version, wddm::v3_1)) {
            for (vidmm_reported_adapter const& a : d_.adapters) {
                bool const same =
                    ((a.flags & vidmm_cap::adapter_gpu_va_iommu) != 0) == ((iommu & vidmm_cap::gpu_va_iommu) != 0) &&
                    ((a.flags & vidmm_cap::adapter_gpu_va_iommu_global) != 0) ==
                        ((iommu & vidmm_cap::gpu_va_iommu_global) != 0);
                m_.check(same, rule::iom_22, numbers + ", flags " + std::to_string(a.flags));
            }
        }
    }

    // IOM-03: asked on behalf of any member, a link has one answer, its members' least.
    void check_link() {
        std::optional<std::uint64_t> least;
        for (std::uint64_t const highest : m_.options.highest_visible_of) {
            least = std::min(least.value_or(highest), highest);
        }
        for (vidmm_physical_memory_answers const& a : d_.before_start) {
            if (a.highest_visible) {
                bool const same = a.highest_visible == d_.before_start.front().highest_visible;
                m_.check(same && (!least || *a.highest_visible == *least), rule::iom_03,
                         "highest visible address " + std::to_string(*a.highest_visible));
            }
        }
    }

    void check_reach() {
        if (d_.before_start.empty() || !d_.before_start.front().highest_visible) {
            return;
        }
        bool const remapped = m_.options.remaps && (d_.iommu() & vidmm_cap::dma_remapping) != 0;
        std::uint64_t const highest = *d_.before_start.front().highest_visible;
        m_.check(remapped || highest >= m_.options.memory_end - 1, rule::iom_06,
                 "highest visible address " + std::to_string(highest) + ", memory ends at " +
                     std::to_string(m_.options.memory_end));
    }

    void check_functions() {
        if (at_least(d_.version, wddm::v2_4) && d_.has(vidmm_cap::secure_mode_supported)) {
            m_.check(m_.table.begin_exclusive_access != nullptr && m_.table.end_exclusive_access != nullptr,
                     rule::iom_12, "a function is missing");
        }
    }

    adapter_machine& m_;
    vidmm_adapter_description const& d_;
};

}  // namespace wddmcore::testing::vidmm_parts
