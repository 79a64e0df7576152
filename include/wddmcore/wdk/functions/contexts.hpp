// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../adapter_info/segments_of.hpp"
#include "../../gpuva/placement/root_table.hpp"
#include "../../hw/promises/page_table/format.hpp"
#include "../../segment/allocation/dma_buffer_segments.hpp"
// The driver's `segments` calls what is in it, so it stays resident.
#include "../../segment/table/table.hpp"
#include "device.hpp"

/// Devices, contexts, and their address spaces. All functions here: nonpaged, since contexts lie in a list that the
/// submission lock guards, and since not every page names an IRQL (IRQ-09).
/// DDI: WDDM 1.0, where a function does not say another one.
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
    auto const where = preemption::engine_of_context(d.shape(), args->NodeOrdinal, args->EngineAffinity);
    auto const addressing = Gpu::caps.gpu_mmu == claim::no ? segment::context_addressing::physical
                                                           : segment::context_addressing::gpu_virtual;
    auto const segments = segment::dma_buffer_segments(adapter_info::detail::segments_of(d, 0), addressing,
                                                       segment::dma_buffer_memory::aperture);
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
    bool const is_systems = args->Flags.SystemContext != 0;
    context* const made =
        new (memory) context{adapter, own, where.get(), {}, nullptr, is_systems, false, args->hContext, {}};
    args->hContext = made;
    detail::submission_lock const lock(d);
    made->next = d.contexts;
    d.contexts = made;
    if (made->is_systems) {
        detail::renew_default(d, made->where.node);
    }
    return status::success;
}

/// DxgkDdiDestroyContext: nothing of it is in a ring any more but refused packets, which are not the context's there
/// (PRE-30).
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
        if (gone->is_systems) {
            detail::renew_default(d, gone->where.node);
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
    Gpu& gpu = adapter_of<Gpu>(of.adapter);
    auto const changed = gpuva::set_root(hw::geometry_of(gpu), gpuva::root_table{}, *args, true);
    if (changed.ok()) {
        gpu.set_root(of.own, changed.get().now);
    }
}

namespace detail {

/// Where the tables of a level lie. The type is the driver's to include: with it come judges, which are pageable.
template <class Gpu>
[[nodiscard]] auto homes_of(Gpu const& gpu, u32 level) noexcept {
    if constexpr (requires { gpu.table_segments(0u); }) {
        return gpu.table_segments(0u).levels[level];
    } else {
        return gpu.table_segments.levels[level];
    }
}

/// @return the size of a segment's pages; for system memory, 4096 bytes
[[nodiscard]] constexpr bytes page_in(segment::view const& table, segment_id id) noexcept {
    segment::entry const* const row = segment::find(table, id);
    return row != nullptr ? segment::segment_page(*row) : bytes{page_bytes};
}

/// The pages that a root is made of: the larger ones, where the paging process has its roots in another segment.
template <class Gpu>
[[nodiscard]] bytes root_page(Gpu const& gpu) noexcept {
    auto const root = homes_of(gpu, gpuva::root_level(hw::geometry_of(gpu)));
    segment::view const table = adapter_info::detail::segments_of(gpu, 0);
    return greater(page_in(table, root.segment), page_in(table, root.paging_process_segment));
}

}  // namespace detail

/// DxgkDdiGetRootPageTableSize: bytes of a root with so many entries, whole pages of its segment (GVA-26).
///
/// @param handle  hAdapter
/// @param args    DXGKARG_GETROOTPAGETABLESIZE, NumberOfPte in and out
/// @return bytes; 0 when page tables do not allow so many entries
/// Any IRQL that the system chooses (IRQ-09), nonpaged. WDDM 2.0. Source: nc-d3dkmddi-dxgkddi_getrootpagetablesize.md.
template <class Gpu, class Args>
[[nodiscard]] usize get_root_page_table_size(void* handle, Args* args) noexcept {
    Gpu const& gpu = adapter_of<Gpu>(handle);
    auto const size = gpuva::answer_root_page_table_size(hw::geometry_of(gpu), detail::root_page(gpu), *args);
    return size.ok() ? static_cast<usize>(size.get().n) : 0;
}

}  // namespace wddmcore::wdk
