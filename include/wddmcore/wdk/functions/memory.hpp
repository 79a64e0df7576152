// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../adapter_info/answer.hpp"
#include "../../iommu/exclusive_access.hpp"
#include "../../paging/build.hpp"
#include "../../segment/allocation/info.hpp"
#include "../bind.hpp"
#include "device.hpp"

/// Paging, the adapter's answers, allocations. All functions here: PASSIVE_LEVEL (IRQ-01), pageable, no lock.
/// DDI: WDDM 1.0, where a function does not say another one.
namespace wddmcore::inline WDDMCORE_ABI::wdk {

/// DxgkDdiBuildPagingBuffer: a paging operation becomes commands.
///
/// @param handle  hAdapter
/// @param args    DXGKARG_BUILDPAGINGBUFFER
/// @return as wddmcore::build_paging_buffer()
/// Pageable. Source: nc-d3dkmddi-dxgkddi_buildpagingbuffer.md.
template <class Gpu, class Args>
[[nodiscard]] ntstatus build_paging_buffer(void* handle, Args* args) noexcept {
    Gpu& hw = adapter_of<Gpu>(handle);
    if constexpr (requires { hw.begin_paging_buffer(args->pDmaBuffer); }) {
        hw.begin_paging_buffer(args->pDmaBuffer);
    }
    return wddmcore::build_paging_buffer(hw, *args);
}

/// DxgkDdiQueryAdapterInfo: first the driver's own members and queries, then the library's (see
/// adapter_info/answer.hpp).
///
/// @param handle  hAdapter
/// @param args    DXGKARG_QUERYADAPTERINFO; the driver's `answer_first` sees it before the library does
/// @return the library's status, or what `answer_first` returned for a query that is not the library's
/// Pageable. Source: nc-d3dkmddi-dxgkddi_queryadapterinfo.md.
template <class Gpu, class Args>
[[nodiscard]] ntstatus query_adapter_info(void* handle, Args const* args) noexcept {
    Gpu& hw = adapter_of<Gpu>(handle);
    ntstatus const own = hw.answer_first(*args);
    auto const answer = wddmcore::answer_query_adapter_info(hw, *args);
    return answer.done() ? answer.status : own;
}

/// DxgkDdiCreateAllocation: what the driver wants of each allocation is judged and written; then the driver keeps it.
///
/// @param handle  hAdapter
/// @param args    DXGKARG_CREATEALLOCATION; the driver's `allocation_of` reads the private data of each
/// @return success. invalid_parameter: private data that `allocation_of` does not understand, or a rule that is
/// broken.
///         no_memory: `keep_allocation` gave NULL. On a failure the ones before are dropped again
/// Pageable. Source: nc-d3dkmddi-dxgkddi_createallocation.md.
template <class Gpu, class Args>
[[nodiscard]] ntstatus create_allocation(void* handle, Args* args) noexcept {
    Gpu& hw = adapter_of<Gpu>(handle);
    auto const profile = segment::allocation_profile_of(Gpu::caps, iommu::has_gpu_va_iommu(Gpu::iommu));
    ntstatus made = status::success;
    u32 i = 0;
    for (; i != args->NumAllocations && succeeded(made); ++i) {
        auto& info = args->pAllocationInfo[i];
        auto const wanted = hw.allocation_of(info.pPrivateDriverData, info.PrivateDriverDataSize);
        if (!wanted.ok() || segment::fill_allocation_info(wanted.get(), adapter_info::detail::segments_of(hw, 0),
                                                          profile, info) != segment::allocation_is_good) {
            made = status::invalid_parameter;
        } else {
            info.hAllocation = hw.keep_allocation(wanted.get());
            made = info.hAllocation != nullptr ? status::success : status::no_memory;
        }
    }
    while (!succeeded(made) && --i != 0) {
        hw.drop_allocation(args->pAllocationInfo[i - 1].hAllocation);
    }
    return made;
}

/// DxgkDdiDestroyAllocation: each allocation that it names goes back to the driver.
///
/// @param handle  hAdapter
/// @param args    DXGKARG_DESTROYALLOCATION
/// @return success
/// Pageable. Source: nc-d3dkmddi-dxgkddi_destroyallocation.md.
template <class Gpu, class Args>
[[nodiscard]] ntstatus destroy_allocation(void* handle, Args const* args) noexcept {
    Gpu& hw = adapter_of<Gpu>(handle);
    for (u32 i = 0; i != args->NumAllocations; ++i) {
        hw.drop_allocation(args->pAllocationList[i]);
    }
    return status::success;
}

namespace detail {

template <class Gpu>
[[nodiscard]] ntstatus change_access(void* handle, iommu::exclusive_event event) noexcept {
    device<Gpu>& d = detail::device_of<Gpu>(handle);
    iommu::exclusive_access const now{d.exclusive != 0};
    bool const allowed = iommu::judge(now, event) == iommu::verdict::allowed;
    d.exclusive = iommu::after(now, event).inside ? 1 : 0;
    return allowed ? status::success : status::invalid_device_state;
}

}  // namespace detail

/// DxgkDdiBeginExclusiveAccess: the engines are idle from here on, and nothing else in the adapter touches system
/// memory (IOM-09).
///
/// @param handle  hAdapter
/// @return success; invalid_device_state when it has begun already
/// Pageable. WDDM 2.4. Source: nc-d3dkmddi-dxgkddi_beginexclusiveaccess.md.
template <class Gpu, class Args>
[[nodiscard]] ntstatus begin_exclusive_access(void* handle, Args const*) noexcept {
    return detail::change_access<Gpu>(handle, iommu::exclusive_event::begin);
}

/// DxgkDdiEndExclusiveAccess: the adapter may touch system memory again.
///
/// @param handle  hAdapter
/// @return success; invalid_device_state when it has not begun
/// Pageable. WDDM 2.4. Source: nc-d3dkmddi-dxgkddi_endexclusiveaccess.md.
template <class Gpu, class Args>
[[nodiscard]] ntstatus end_exclusive_access(void* handle, Args const*) noexcept {
    return detail::change_access<Gpu>(handle, iommu::exclusive_event::end);
}

}  // namespace wddmcore::wdk
