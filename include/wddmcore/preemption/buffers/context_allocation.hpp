// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/breach.hpp"
#include "../../base/result.hpp"
#include "../../ddi/ntstatus.hpp"
#include "../../segment/allocation/preference.hpp"
#include "../../segment/allocation/segment_set.hpp"

/// Context allocations: the memory that a context's or a device's state is saved to.
///
/// A driver calls the callbacks at PASSIVE_LEVEL (IRQ-05). All functions here: PASSIVE_LEVEL, pageable, touch no OS
/// state.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// The system's handle of an allocation: callbacks take it. The driver's is another type, so that the two cannot be
/// mixed up (AMB-34).
struct system_allocation_handle {
    void* h;  ///< the handle
    friend constexpr bool operator==(system_allocation_handle, system_allocation_handle) = default;
};

/// The driver's handle of the same allocation: paging operations bring it back.
struct driver_allocation_handle {
    void* h;  ///< the handle
    friend constexpr bool operator==(driver_allocation_handle, driver_allocation_handle) = default;
};

/// Bits of DXGK_CREATECONTEXTALLOCATIONFLAGS and DXGK_ALLOCATIONINFOFLAGS that context allocations use.
namespace detail::context_allocation_bit {
inline constexpr u32 shared_across_contexts = 1u << 0;   ///< ContextAllocationFlags
inline constexpr u32 map_gpu_virtual_address = 1u << 1;  ///< ContextAllocationFlags, from WDDM 2.0
inline constexpr u32 cpu_visible = 1u << 0;              ///< Flags
inline constexpr u32 is_protected = 1u << 3;             ///< Flags
inline constexpr u32 accessed_physically = 1u << 15;     ///< Flags, from WDDM 2.0
}  // namespace detail::context_allocation_bit

/// What a context allocation belongs to.
enum class context_allocation_owner : u32 {
    context,  ///< one context: resident while its commands are queued
    device,   ///< all contexts of a device (SharedAcrossContexts)
};

/// What a driver wants of a context allocation.
struct context_allocation_wish {
    context_allocation_owner owner;
    bool system_owner;                ///< the context or device is the system's (SystemContext, SystemDevice): refused
    bool cpu_visible;                 ///< CpuVisible
    bool is_protected;                ///< Protected
    bool accessed_physically;         ///< AccessedPhysically; from WDDM 2.0
    bool map_gpu_virtual_address;     ///< MapGpuVirtualAddress; from WDDM 2.0
    bool wants_cpu_address;           ///< the initial image is to be written through a CPU address (OP10-01)
    void* adapter;                    ///< hAdapter
    void* device;                     ///< hDevice, the system's handle
    void* context;                    ///< hContext, the system's handle; NULL for a device
    driver_allocation_handle driver;  ///< hDriverAllocation
    bytes size;                       ///< above 0, within a usize
    u32 alignment;                    ///< bytes, a power of two
    u32 supported_segments;           ///< SupportedSegmentSet: bit 0 is segment 1
    u32 eviction_segments;            ///< EvictionSegmentSet: apertures only; 0: straight to system memory (PREF-06)
    u32 preferred_segment;            ///< the whole word of PreferredSegment, segment::value_of(preference)
    u32 aperture_segments;            ///< which segments of the adapter are apertures, as a set like the others
    u32 physical_adapter = 0;  ///< PhysicalAdapterIndex, from WDDM 2.0: in a link, where the context runs (LDA-01)
};

/// Why a wish is refused.
///
/// A vocabulary of its own, since the members of a wish contradict each other in twelve ways, and the callback's own
/// answer to most of them would only be invalid-parameter.
enum class context_allocation_defect : u32 {
    none,
    system_owner,           ///< only non-system contexts and devices have context allocations (CTX-07)
    context_of_device,      ///< an allocation of a device has a NULL context handle (CTX-08)
    context_missing,        ///< an allocation of a context has its handle (CTX-08)
    device_missing,         ///< the device handle is NULL, which stands for the system's device (CTX-07)
    not_for_the_cpu,        ///< a CPU address needs CpuVisible, Protected and aperture segments only (CTX-10, OP10-01)
    no_such_flag,           ///< the structure of this version has no AccessedPhysically or MapGpuVirtualAddress
    no_segment,             ///< SupportedSegmentSet is empty
    eviction_not_aperture,  ///< EvictionSegmentSet names a segment that is no aperture (PREF-06)
    preferred_not_supported,  ///< PreferredSegment names a segment outside SupportedSegmentSet (PREF-02)
    preference_reserved,      ///< the two reserved bits of PreferredSegment are not 0 (PREF-04)
    size_out_of_range,        ///< the size is 0 or does not fit a usize
    alignment_out_of_range,   ///< the alignment is no power of two
};

namespace detail {

/// The words of the defects, in the order of their enumeration.
inline constexpr char const* context_allocation_defect_texts[] = {
    "",
    "only non-system contexts and devices have context allocations (CTX-07)",
    "of an allocation of a device the context handle must be NULL (CTX-08)",
    "an allocation of a context needs the handle of the context (CTX-08)",
    "the device handle is NULL, which stands for the system's device (CTX-07)",
    "a CPU address needs CpuVisible, Protected and aperture segments only (CTX-10, OP10-01)",
    "the structure of this version has no AccessedPhysically or MapGpuVirtualAddress",
    "SupportedSegmentSet is empty",
    "EvictionSegmentSet names a segment that is no aperture (PREF-06)",
    "PreferredSegment names a segment outside SupportedSegmentSet (PREF-02)",
    "the two reserved bits of PreferredSegment are not 0 (PREF-04)",
    "the size is 0 or does not fit a usize",
    "the alignment is no power of two",
};
static_assert(sizeof context_allocation_defect_texts / sizeof *context_allocation_defect_texts ==
              static_cast<u32>(context_allocation_defect::alignment_out_of_range) + 1);

}  // namespace detail

/// Why a context allocation is refused, in words. Any IRQL, safe in non-paged code.
///
/// @return "" for context_allocation_defect::none, "?" for a number without a name
[[nodiscard]] constexpr char const* text_of(context_allocation_defect what) noexcept {
    return wddmcore::detail::text_in(detail::context_allocation_defect_texts, what);
}

namespace detail {

/// Whether an allocation may get a CPU address at initialisation (CTX-10, OP10-01).
[[nodiscard]] constexpr bool may_have_cpu_address(context_allocation_wish const& wish) noexcept {
    return wish.cpu_visible && wish.is_protected && wish.supported_segments != 0 &&
           (wish.supported_segments & ~wish.aperture_segments) == 0;
}

inline constexpr u32 preference_slot_bits = 6;  ///< of PreferredSegment: a segment id and a direction (PREF-04)

/// Whether a structure knows the flags of WDDM 2.0.
template <class Args>
concept knows_virtual_context_allocations = requires(Args const& args) {
    args.ContextAllocationFlags.MapGpuVirtualAddress;
    args.Flags.AccessedPhysically;
};

/// Whether a wish prefers a segment that it does not support (PREF-02).
[[nodiscard]] constexpr bool prefers_unsupported(context_allocation_wish const& wish) noexcept {
    bool unsupported = false;
    for (u32 slots = wish.preferred_segment; slots != 0; slots >>= preference_slot_bits) {
        segment_id const id{slots & segment::largest_preferred_id};
        unsupported |= id.n != 0 && !segment::segment_set{wish.supported_segments}.has(id);
    }
    return unsupported;
}

/// The first defect of a wish (PREF-02, PREF-04, PREF-06).
template <class Args>
[[nodiscard]] constexpr context_allocation_defect check_context_allocation(
    context_allocation_wish const& wish) noexcept {
    using enum context_allocation_defect;
    wddmcore::detail::first_breach<context_allocation_defect> check{};
    bool const of_device = wish.owner == context_allocation_owner::device;
    check.when(wish.system_owner, system_owner);
    check.when(of_device && wish.context != nullptr, context_of_device);
    check.when(!of_device && wish.context == nullptr, context_missing);
    check.when(wish.device == nullptr, device_missing);
    check.when(wish.wants_cpu_address && !may_have_cpu_address(wish), not_for_the_cpu);
    if constexpr (!knows_virtual_context_allocations<Args>) {
        check.when(wish.accessed_physically || wish.map_gpu_virtual_address, no_such_flag);
    }
    check.when(wish.supported_segments == 0, no_segment);
    check.when((wish.eviction_segments & ~wish.aperture_segments) != 0, eviction_not_aperture);
    check.when(wish.preferred_segment >> (segment::preference_slots * preference_slot_bits) != 0, preference_reserved);
    check.when(prefers_unsupported(wish), preferred_not_supported);
    check.when(wish.size == bytes{0}, size_out_of_range);
    check.when(wish.size.n != static_cast<usize>(wish.size.n), size_out_of_range);  // which has 32 bits with i686
    check.when(!is_power_of_two(wish.alignment), alignment_out_of_range);
    return check.found.what;
}

}  // namespace detail

/// Fills DXGKARGCB_CREATECONTEXTALLOCATION for DxgkCbCreateContextAllocation.
///
/// From WDDM 1.2; AccessedPhysically (the allocation is contiguous in memory or mapped in an aperture, CTX-11) and
/// MapGpuVirtualAddress from WDDM 2.0. Source: nc-d3dkmddi-dxgkcb_createcontextallocation.md,
/// ns-d3dkmddi-_dxgkargcb_createcontextallocation.md, ns-d3dkmddi-_dxgk_allocationinfo.md.
///
/// @param args  every member is written; hAllocation is NULL, the callback sets it
/// @param wish  what the driver wants; sizes and alignment in bytes
/// @return none; or the first defect of the wish, and nothing is written
template <class Args>
[[nodiscard]] constexpr context_allocation_defect fill_context_allocation(
    Args& args, context_allocation_wish const& wish) noexcept {
    namespace bit = detail::context_allocation_bit;
    context_allocation_defect const defect = detail::check_context_allocation<Args>(wish);
    if (defect != context_allocation_defect::none) {
        return defect;
    }
    bool const of_device = wish.owner == context_allocation_owner::device;
    args.ContextAllocationFlags.Value = (of_device ? bit::shared_across_contexts : 0u) |
                                        (wish.map_gpu_virtual_address ? bit::map_gpu_virtual_address : 0u);
    args.hAdapter = wish.adapter;
    args.hDevice = wish.device;
    args.hContext = wish.context;
    args.hDriverAllocation = wish.driver.h;
    args.Size = static_cast<usize>(wish.size.n);
    args.Alignment = wish.alignment;
    args.SupportedSegmentSet = wish.supported_segments;
    args.EvictionSegmentSet = wish.eviction_segments;
    args.PreferredSegment.Value = wish.preferred_segment;
    args.HintedBank.Value = 0;
    args.Flags.Value = (wish.cpu_visible ? bit::cpu_visible : 0u) | (wish.is_protected ? bit::is_protected : 0u) |
                       (wish.accessed_physically ? bit::accessed_physically : 0u);
    args.hAllocation = nullptr;
    if constexpr (requires { args.PhysicalAdapterIndex; }) {
        args.PhysicalAdapterIndex = wish.physical_adapter;
    }
    return defect;
}

/// One context allocation of a driver, from creation to release.
///
/// Destroying the object releases nothing: only the driver knows when it runs at PASSIVE_LEVEL, as the callback wants.
class context_allocation {
public:
    /// Takes hAllocation over after DxgkCbCreateContextAllocation returned success; once, until it is released.
    ///
    /// @param system  hAllocation, not NULL
    constexpr void created(system_allocation_handle system) noexcept {
        promise(system_.h == nullptr);
        system_ = system;
    }

    /// Whether there is something to release. @return true from created() to release()
    [[nodiscard]] constexpr bool exists() const noexcept { return system_.h != nullptr; }

    /// The handle for the callbacks. @return NULL in it when there is no allocation
    [[nodiscard]] constexpr system_allocation_handle system() const noexcept { return system_; }

    /// Releases it, in DxgkDdiDestroyContext or DxgkDdiDestroyDevice. However often it is called, the allocation is
    /// destroyed once. Source: nc-d3dkmddi-dxgkcb_destroycontextallocation.md.
    ///
    /// @param destroy  `void(system_allocation_handle)`: calls DxgkCbDestroyContextAllocation with the system's handle
    ///                 (CTX-14)
    /// @return true: destroy was called; false: there was nothing to release
    template <class Destroy>
    constexpr bool release(Destroy&& destroy) noexcept {
        if (!exists()) {
            return false;
        }
        system_allocation_handle const handle = system_;
        system_ = {};
        destroy(handle);
        return true;
    }

private:
    system_allocation_handle system_{};
};

}  // namespace wddmcore::preemption
