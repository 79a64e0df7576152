// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../ddi/members.hpp"
#include "context_allocation.hpp"

/// The initial content of a context allocation (INIT_CONTEXT_RESOURCE, paging operation 10): what its arguments
/// promise.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// How the memory for the initial image can be reached; several ways may be open, and the driver takes any of them.
struct context_image_ways {
    bool segment_address;      ///< Destination.SegmentAddress, base included, in Destination.SegmentId
    bool mdl;                  ///< Destination.pMdl: pages of system memory (segment id 0)
    bool cpu_address;          ///< Destination.VirtualAddress
    bool gpu_virtual_address;  ///< Destination.GpuVirtualAddress; from WDDM 2.0 (OP10-02)
    friend constexpr bool operator==(context_image_ways const&, context_image_ways const&) = default;
};

namespace detail {

/// Whether the arguments have a GPU virtual address: from WDDM 2.0 (OP10-02).
template <class Args>
concept image_has_virtual_address =
    requires(Args const& args) { args.InitContextResource.Destination.GpuVirtualAddress; };

}  // namespace detail

/// Judges the destination of an initial image and says which ways to it are open.
///
/// The image is written once and whole: evictions and moves keep its content (OP10-03). From WDDM 1.2. Source:
/// ns-d3dkmddi-_dxgkarg_buildpagingbuffer.md, context-allocation.md.
///
/// @param args        DXGKARG_BUILDPAGINGBUFFER of operation 10
/// @param allocation  the one that InitContextResource.hAllocation names
/// @return the ways. missing: segment id 0 without an MDL. inconsistent: a CPU address for an allocation that was not
///         created for one (OP10-01, CTX-10), or pages of an MDL, which need not be contiguous, for one that the
///         hardware reaches by physical address (CTX-11)
template <class Args>
    requires members::init_context_resource<Args>
[[nodiscard]] constexpr result<context_image_ways> ways_to_context_image(
    Args const& args, context_allocation const& allocation) noexcept {
    auto const& destination = args.InitContextResource.Destination;
    bool const in_segment = destination.SegmentId != 0;
    context_image_ways ways{};
    ways.segment_address = in_segment;
    ways.mdl = !in_segment;
    ways.cpu_address = destination.VirtualAddress != nullptr;
    if constexpr (detail::image_has_virtual_address<Args>) {
        ways.gpu_virtual_address = destination.GpuVirtualAddress != 0;
    }
    if (ways.mdl && destination.pMdl == nullptr) {
        return refused<context_image_ways>(errc::missing);
    }
    if (ways.cpu_address && !allocation.may_have_cpu_address_at_init()) {
        return refused<context_image_ways>(errc::inconsistent);
    }
    if (ways.mdl && allocation.is_accessed_physically()) {
        return refused<context_image_ways>(errc::inconsistent);
    }
    return good(ways);
}

}  // namespace wddmcore::preemption
