// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "alloc_notifier.hpp"
#include "fence_residency_listener.hpp"
#include "residency_listener.hpp"
#include "residency_range_listener.hpp"
#include "translation_defects.hpp"

/// The first broken promise about notices: operations 15, 18, 21 and 22.
namespace wddmcore::inline WDDMCORE_ABI::hw {

template <class Hw>
inline constexpr bool declares_eviction = requires { &Hw::encode_notify_eviction; } || requires {
    &Hw::eviction_dwords;
} || requires { &Hw::eviction_max; } || requires { &Hw::eviction_block; } || requires { &Hw::eviction_alignment; };
template <class Hw>
inline constexpr bool declares_iommu_unmap = requires { &Hw::encode_notify_iommu_unmap; } || requires {
    &Hw::iommu_unmap_dwords;
} || requires { &Hw::iommu_unmap_max; };
template <class Hw>
inline constexpr bool declares_iommu_unmap_at_once = iommu_unmap_at_once<Hw> || requires { &Hw::notify_iommu_unmap; };
template <class Hw>
inline constexpr bool declares_residency = requires { &Hw::encode_residency; } || requires { &Hw::residency_dwords; };
template <class Hw>
inline constexpr bool declares_residency_range =
    requires { &Hw::encode_residency_range; } || requires { &Hw::residency_range_dwords; };
template <class Hw>
inline constexpr bool declares_fence_residency =
    requires { &Hw::encode_fence_residency; } || requires { &Hw::fence_residency_dwords; };

/// The numbers of an eviction notifier whose members are all there.
template <class Hw>
[[nodiscard]] consteval broken_promise broken_eviction_numbers() {
    constexpr u64 block = Hw::eviction_block.n;
    constexpr u64 alignment = Hw::eviction_alignment.n;
    if constexpr (block == 0 || (page_bytes % block != 0 && block % page_bytes != 0)) {
        return {member::eviction_block, defect::out_of_range};
    } else if constexpr (alignment == 0 || eviction_unit(Hw::eviction_block) % alignment != 0) {
        return {member::eviction_alignment, defect::out_of_range};
    } else if constexpr (Hw::eviction_max.n < eviction_unit(Hw::eviction_block)) {
        return {member::eviction_max, defect::out_of_range};
    } else if constexpr (!is_command_length(Hw::eviction_dwords)) {
        return {member::eviction_dwords, defect::out_of_range};
    } else {
        return broken_command_stream<Hw>();
    }
}

template <class Hw>
[[nodiscard]] consteval broken_promise broken_eviction_notifier() {
    if constexpr (!declares_eviction<Hw>) {
        return all_kept;
    } else if constexpr (!eviction_notifier<Hw>) {
        return {member::eviction_dwords, defect::cannot_be_called};
    } else {
        return broken_eviction_numbers<Hw>();
    }
}

template <class Hw>
[[nodiscard]] consteval broken_promise broken_iommu_unmap_notifier() {
    if constexpr (declares_iommu_unmap_at_once<Hw> && !iommu_unmap_at_once<Hw>) {
        return {member::notify_iommu_unmap, defect::cannot_be_called};
    } else if constexpr (!declares_iommu_unmap<Hw>) {
        return all_kept;
    } else if constexpr (!iommu_unmap_by_command<Hw>) {
        return {member::iommu_unmap_dwords, defect::cannot_be_called};
    } else if constexpr (!is_command_length(Hw::iommu_unmap_dwords)) {
        return {member::iommu_unmap_dwords, defect::out_of_range};
    } else if constexpr (Hw::iommu_unmap_max.n < page_bytes) {
        return {member::iommu_unmap_max, defect::out_of_range};
    } else {
        return broken_command_stream<Hw>();
    }
}

template <class Hw>
[[nodiscard]] consteval broken_promise broken_alloc_notifier() {
    constexpr bool reports_work = requires { &Hw::has_work; };
    if constexpr (!declares_eviction<Hw> && !declares_iommu_unmap<Hw> && !declares_iommu_unmap_at_once<Hw>) {
        return {member::alloc_notifier, defect::missing};
    } else if constexpr (broken_eviction_notifier<Hw>() != all_kept) {
        return broken_eviction_notifier<Hw>();
    } else if constexpr (broken_iommu_unmap_notifier<Hw>() != all_kept) {
        return broken_iommu_unmap_notifier<Hw>();
    } else if constexpr (reports_work && !work_reporter<Hw>) {
        return {member::has_work, defect::cannot_be_called};
    } else {
        return all_kept;
    }
}

template <class Hw>
[[nodiscard]] consteval broken_promise broken_residency_listener() {
    constexpr bool stores = residency_at_once<Hw> || requires { &Hw::notify_residency; };
    if constexpr (!stores && !declares_residency<Hw>) {
        return {member::residency_listener, defect::missing};
    } else if constexpr (stores && !residency_at_once<Hw>) {
        return {member::notify_residency, defect::cannot_be_called};
    } else if constexpr (!declares_residency<Hw>) {
        return all_kept;
    } else if constexpr (!residency_by_command<Hw>) {
        return {member::residency_dwords, defect::cannot_be_called};
    } else if constexpr (!is_command_length(Hw::residency_dwords)) {
        return {member::residency_dwords, defect::out_of_range};
    } else {
        return broken_command_stream<Hw>();
    }
}

template <class Hw>
[[nodiscard]] consteval broken_promise broken_residency_range_listener() {
    constexpr bool stores = residency_range_at_once<Hw> || requires { &Hw::notify_residency_range; };
    if constexpr (!stores && !declares_residency_range<Hw>) {
        return {member::residency_range_listener, defect::missing};
    } else if constexpr (stores && !residency_range_at_once<Hw>) {
        return {member::notify_residency_range, defect::cannot_be_called};
    } else if constexpr (!declares_residency_range<Hw>) {
        return all_kept;
    } else if constexpr (!residency_range_by_command<Hw>) {
        return {member::residency_range_dwords, defect::cannot_be_called};
    } else if constexpr (!is_command_length(Hw::residency_range_dwords)) {
        return {member::residency_range_dwords, defect::out_of_range};
    } else {
        return broken_command_stream<Hw>();
    }
}

template <class Hw>
[[nodiscard]] consteval broken_promise broken_fence_residency_listener() {
    constexpr bool stores = fence_residency_at_once<Hw> || requires { &Hw::notify_fence_residency; };
    if constexpr (!stores && !declares_fence_residency<Hw>) {
        return {member::fence_residency_listener, defect::missing};
    } else if constexpr (stores && !fence_residency_at_once<Hw>) {
        return {member::notify_fence_residency, defect::cannot_be_called};
    } else if constexpr (!declares_fence_residency<Hw>) {
        return all_kept;
    } else if constexpr (!fence_residency_by_command<Hw>) {
        return {member::fence_residency_dwords, defect::cannot_be_called};
    } else if constexpr (!is_command_length(Hw::fence_residency_dwords)) {
        return {member::fence_residency_dwords, defect::out_of_range};
    } else {
        return broken_command_stream<Hw>();
    }
}

}  // namespace wddmcore::hw
