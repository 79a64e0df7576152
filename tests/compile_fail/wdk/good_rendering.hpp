// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/preemption/engine/engine_for.hpp>

// Of the DDI's header.
struct _DXGKARGCB_NOTIFY_INTERRUPT_DATA {
    int InterruptType;
};
struct patch_element {
    unsigned AllocationIndex, Value, AllocationOffset, PatchOffset, SplitOffset;
};
struct allocation_entry {
    void* hDeviceSpecificAllocation;
    unsigned SegmentId;
    struct {
        long long QuadPart;
    } PhysicalAddress;
};
struct _DXGKARG_RENDER {
    patch_element* pPatchLocationListOut;
    allocation_entry* pAllocationList;
};

#include <wddmcore/wdk/functions/rendering.hpp>

/// An adapter with what the functions for physical addresses ask of it, as good_device.hpp is one for the others.

#if !defined(patching_name)
#    define patching_name patching
#endif
#if !defined(patching_type)
#    define patching_type wddmcore::preemption::patch_rules
#endif
#if !defined(pass_type)
#    define pass_type wddmcore::wdk::render_pass<_DXGKARG_RENDER>&
#endif
#if !defined(translate_throws)
#    define translate_throws noexcept
#endif

struct good_rendering {
    patching_type patching_name{};
    wddmcore::ntstatus translate(void*, _DXGKARG_RENDER&, pass_type) translate_throws;
};
