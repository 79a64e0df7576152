// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../adapter_info/segments_of.hpp"
#include "../../segment/host_aperture.hpp"
#include "device.hpp"

/// The CPU host aperture. All functions here: PASSIVE_LEVEL, pageable, no lock.
namespace wddmcore::inline WDDMCORE_ABI::wdk {

namespace detail {

/// The segments of the only physical adapter that there is outside a link; none of another one.
template <class Gpu, class Args>
[[nodiscard]] segment::view segments_named(Gpu const& hw, Args const& args) noexcept {
    return args.PhysicalAdapterIndex == 0 ? adapter_info::detail::segments_of(hw, 0) : segment::view{};
}

}  // namespace detail

/// DxgkDdiMapCpuHostAperture: pages of the aperture show pages of the memory behind it.
///
/// It works as soon as the segments were reported, also before the adapter has an allocation (SEG-35, SEG-38). Every
/// page is checked before the first is stored (SEG-37).
///
/// @param handle  hAdapter; the driver is a segment::host_aperture_mapper
/// @param args    DXGKARG_MAPCPUHOSTAPERTURE
/// @return success. invalid_parameter, with nothing stored: the segment is not there or not behind an aperture, the
///         physical adapter is not 0, a page is past the end of the aperture or of the segment, or an array is NULL
///         although there are pages
/// PASSIVE_LEVEL (IRQ-01), pageable. WDDM 2.0. Source: nc-d3dkmddi-dxgkddi_mapcpuhostaperture.md.
template <class Gpu, class Args>
[[nodiscard]] ntstatus map_cpu_host_aperture(void* handle, Args const* args) noexcept {
    Gpu& hw = adapter_of<Gpu>(handle);
    return segment::map_cpu_host_aperture(detail::segments_named(hw, *args), hw, *args);
}

/// DxgkDdiUnmapCpuHostAperture: pages of the aperture show nothing.
///
/// @param handle  hAdapter; the driver is a segment::host_aperture_mapper
/// @param args    DXGKARG_UNMAPCPUHOSTAPERTURE
/// @return success. invalid_parameter, with nothing stored: the segment is not there or not behind an aperture, the
///         physical adapter is not 0, a page is past the end of the aperture, or the array is NULL although there are
///         pages
/// PASSIVE_LEVEL (IRQ-01), pageable. WDDM 2.0. Source: nc-d3dkmddi-dxgkddi_unmapcpuhostaperture.md.
template <class Gpu, class Args>
[[nodiscard]] ntstatus unmap_cpu_host_aperture(void* handle, Args const* args) noexcept {
    Gpu& hw = adapter_of<Gpu>(handle);
    return segment::unmap_cpu_host_aperture(detail::segments_named(hw, *args), hw, *args);
}

}  // namespace wddmcore::wdk
