// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../gpuva/placement/root_table.hpp"
#include "../../segment/allocation/dma_buffer_segments.hpp"
#include "../../segment/table/table.hpp"
#include "device.hpp"

/// Devices, contexts, and their address spaces. All functions here: nonpaged, since contexts lie in a list that the
/// submission lock guards, and since not every page names an IRQL (IRQ-09).
namespace wddmcore::inline WDDMCORE_ABI::wdk {

/// DxgkDdiCreateContext: which node it runs on, and where its DMA buffers lie.
///
/// The driver gives its adapter as hDevice to DxgkDdiCreateDevice, or a structure whose `adapter_of_device` says it.
///
/// @param handle  hDevice
/// @param args    DXGKARG_CREATECONTEXT; ContextInfo's other members are written by the driver's `open_context`
/// @return success. invalid_parameter: no such node or engine, or DMA buffers need an aperture that is not there
///         (SEG-39). no_memory, or what else `open_context` found
/// PASSIVE_LEVEL (IRQ-01), nonpaged for its lock. Source: nc-d3dkmddi-dxgkddi_createcontext.md.
template <class Gpu, class Args>
[[nodiscard]] ntstatus create_context(void* handle, Args* args) noexcept {
    void* const adapter = Gpu::adapter_of_device(handle);
    device<Gpu>& d = detail::device_of<Gpu>(adapter);
    auto const where = preemption::engine_of_context(d.shape, args->NodeOrdinal, args->EngineAffinity);
    auto const addressing = Gpu::caps.gpu_mmu == claim::no ? segment::context_addressing::physical
                                                           : segment::context_addressing::gpu_virtual;
    auto const segments = segment::dma_buffer_segments(d.segments(0), addressing, segment::dma_buffer_memory::aperture);
    if (!where.ok() || !segments.ok()) {
        return status::invalid_parameter;
    }
    void* const memory = d.allocate_nonpaged(sizeof(context));
    if (memory == nullptr) {
        return status::no_memory;
    }
    args->ContextInfo.DmaBufferSegmentSet = segments.get();
    void* own = nullptr;
    ntstatus const opened = d.open_context(*args, own);
    if (!succeeded(opened)) {
        d.release_nonpaged(memory);
        return opened;
    }
    context* const made = new (memory) context{adapter, own, where.get(), {}, nullptr};
    args->hContext = made;
    detail::submission_lock const lock(d);
    made->next = d.contexts;
    d.contexts = made;
    if (args->Flags.SystemContext != 0) {
        d.nodes[args->NodeOrdinal].paging = made;
    }
    return status::success;
}

/// DxgkDdiDestroyContext: nothing of it is in a ring any more.
///
/// @param handle  hContext
/// @return success
/// PASSIVE_LEVEL (IRQ-01), nonpaged for its lock. Source: nc-d3dkmddi-dxgkddi_destroycontext.md.
template <class Gpu>
[[nodiscard]] ntstatus destroy_context(void* handle) noexcept {
    context* const gone = detail::context_of(handle);
    device<Gpu>& d = detail::device_of<Gpu>(gone->adapter);
    {
        detail::submission_lock const lock(d);
        context** link = &d.contexts;
        while (*link != gone) {
            link = &(*link)->next;
        }
        *link = gone->next;
        for (node<Gpu>& each : d.nodes) {
            each.paging = each.paging == gone ? nullptr : each.paging;
        }
    }
    d.close_context(gone->own);
    d.release_nonpaged(gone);
    return status::success;
}

/// DxgkDdiSetRootPageTable: the root goes to the driver, which loads it with the context. An illegal one is not taken.
///
/// @param handle  hAdapter; not needed
/// @param args    DXGKARG_SETROOTPAGETABLE
/// Any IRQL that the system chooses (IRQ-09), nonpaged. WDDM 2.0. Source: nc-d3dkmddi-dxgkddi_setrootpagetable.md.
template <class Gpu, class Args>
void set_root_page_table([[maybe_unused]] void* handle, Args const* args) noexcept {
    context const& of = *detail::context_of(args->hContext);
    auto const changed = gpuva::set_root(Gpu::page_tables, gpuva::root_table{}, *args, true);
    if (changed.ok()) {
        detail::device_of<Gpu>(of.adapter).set_root(of.own, changed.get().now);
    }
}

/// DxgkDdiGetRootPageTableSize: bytes of a root with so many entries (GVA-26).
///
/// @param handle  hAdapter; not needed
/// @param args    DXGKARG_GETROOTPAGETABLESIZE, NumberOfPte in and out
/// @return bytes; 0 when page tables do not allow so many entries
/// Any IRQL that the system chooses (IRQ-09), nonpaged. WDDM 2.0. Source: nc-d3dkmddi-dxgkddi_getrootpagetablesize.md.
template <class Gpu, class Args>
[[nodiscard]] usize get_root_page_table_size([[maybe_unused]] void* handle, Args* args) noexcept {
    auto const size = gpuva::answer_root_page_table_size(Gpu::page_tables, bytes{page_bytes}, *args);
    return size.ok() ? static_cast<usize>(size.get().n) : 0;
}

}  // namespace wddmcore::wdk
