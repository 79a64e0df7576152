// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "broken_promise.hpp"

namespace wddmcore::inline WDDMCORE_ABI::hw {

/// Says what is wrong with a promise about notices, as one compile error; of anything else it says
/// nothing. Always true.
template <member What, defect How>
consteval bool notice_sentence() {
    constexpr auto wrong = [](member what, defect how) { return What == what && How == how; };
    using enum defect;

    static_assert(
        !wrong(member::alloc_notifier, missing),
        "alloc_notifier: nothing hears of a notice: write `encode_notify_eviction` with its `eviction_block`, "
        "`eviction_alignment`, `eviction_max` and `eviction_dwords`, or `encode_notify_iommu_unmap` with its "
        "`iommu_unmap_max` and `iommu_unmap_dwords`, or `void notify_iommu_unmap(wddmcore::hw::alloc_notice const&)`");
    static_assert(
        !wrong(member::eviction_dwords, cannot_be_called),
        "alloc_notifier: `encode_notify_eviction`, `static constexpr wddmcore::bytes eviction_block, "
        "eviction_alignment, eviction_max` and `static constexpr wddmcore::dwords eviction_dwords` go together and "
        "do not fit `void encode_notify_eviction(wddmcore::u32* at, wddmcore::hw::alloc_notice const&) const`");
    static_assert(!wrong(member::eviction_dwords, out_of_range),
                  "alloc_notifier: `eviction_dwords` must be 1 to 256 dwords");
    static_assert(
        !wrong(member::eviction_block, out_of_range),
        "alloc_notifier: `eviction_block` must divide 4096 bytes or be a multiple of them: notices come in pages");
    static_assert(
        !wrong(member::eviction_alignment, out_of_range),
        "alloc_notifier: `eviction_alignment` must divide the larger of `eviction_block` and 4096 bytes, or the "
        "second command of a notice would break it");
    static_assert(
        !wrong(member::eviction_max, out_of_range),
        "alloc_notifier: `eviction_max` must hold a whole `eviction_block` and at least 4096 bytes: no block may be "
        "cut (NTF-13)");
    static_assert(
        !wrong(member::iommu_unmap_dwords, cannot_be_called),
        "alloc_notifier: `encode_notify_iommu_unmap`, `static constexpr wddmcore::bytes iommu_unmap_max` and `static "
        "constexpr wddmcore::dwords iommu_unmap_dwords` go together and do not fit `void "
        "encode_notify_iommu_unmap(wddmcore::u32* at, wddmcore::hw::alloc_notice const&) const`");
    static_assert(!wrong(member::iommu_unmap_dwords, out_of_range),
                  "alloc_notifier: `iommu_unmap_dwords` must be 1 to 256 dwords");
    static_assert(!wrong(member::iommu_unmap_max, out_of_range),
                  "alloc_notifier: `iommu_unmap_max` must be at least 4096 bytes: notices come in pages");
    static_assert(!wrong(member::notify_iommu_unmap, cannot_be_called),
                  "alloc_notifier: `notify_iommu_unmap` exists but cannot be called as `void "
                  "notify_iommu_unmap(wddmcore::hw::alloc_notice const&)`");
    static_assert(
        !wrong(member::has_work, cannot_be_called),
        "alloc_notifier: `has_work` exists but cannot be called as `bool has_work(wddmcore::hw::alloc_notice const&) "
        "const`");
    static_assert(
        !wrong(member::residency_listener, missing),
        "residency_listener: nothing listens: write `void notify_residency(wddmcore::hw::residency_change const&)`, "
        "or `void encode_residency(wddmcore::u32* at, wddmcore::hw::residency_change const&) const` with its "
        "`residency_dwords`");
    static_assert(!wrong(member::notify_residency, cannot_be_called),
                  "residency_listener: `notify_residency` exists but cannot be called as `void "
                  "notify_residency(wddmcore::hw::residency_change const&)`");
    static_assert(
        !wrong(member::residency_dwords, cannot_be_called),
        "residency_listener: `encode_residency` and `static constexpr wddmcore::dwords residency_dwords` go together "
        "and do not fit `void encode_residency(wddmcore::u32* at, wddmcore::hw::residency_change const&) const`");
    static_assert(!wrong(member::residency_dwords, out_of_range),
                  "residency_listener: `residency_dwords` must be 1 to 256 dwords");
    static_assert(
        !wrong(member::residency_range_listener, missing),
        "residency_range_listener: nothing listens: write `void notify_residency_range(wddmcore::hw::residency_range "
        "const&)`, or `void encode_residency_range(wddmcore::u32* at, wddmcore::hw::residency_range const&) const` "
        "with its `residency_range_dwords`");
    static_assert(!wrong(member::notify_residency_range, cannot_be_called),
                  "residency_range_listener: `notify_residency_range` exists but cannot be called as `void "
                  "notify_residency_range(wddmcore::hw::residency_range const&)`");
    static_assert(!wrong(member::residency_range_dwords, cannot_be_called),
                  "residency_range_listener: `encode_residency_range` and `static constexpr wddmcore::dwords "
                  "residency_range_dwords` go together and do not fit `void encode_residency_range(wddmcore::u32* at, "
                  "wddmcore::hw::residency_range const&) const`");
    static_assert(!wrong(member::residency_range_dwords, out_of_range),
                  "residency_range_listener: `residency_range_dwords` must be 1 to 256 dwords");
    static_assert(
        !wrong(member::fence_residency_listener, missing),
        "fence_residency_listener: nothing listens: write `void notify_fence_residency(wddmcore::hw::fence_residency "
        "const&)`, or `void encode_fence_residency(wddmcore::u32* at, wddmcore::hw::fence_residency const&) const` "
        "with its `fence_residency_dwords`");
    static_assert(!wrong(member::notify_fence_residency, cannot_be_called),
                  "fence_residency_listener: `notify_fence_residency` exists but cannot be called as `void "
                  "notify_fence_residency(wddmcore::hw::fence_residency const&)`");
    static_assert(!wrong(member::fence_residency_dwords, cannot_be_called),
                  "fence_residency_listener: `encode_fence_residency` and `static constexpr wddmcore::dwords "
                  "fence_residency_dwords` go together and do not fit `void encode_fence_residency(wddmcore::u32* at, "
                  "wddmcore::hw::fence_residency const&) const`");
    static_assert(!wrong(member::fence_residency_dwords, out_of_range),
                  "fence_residency_listener: `fence_residency_dwords` must be 1 to 256 dwords");
    return true;
}

}  // namespace wddmcore::hw
