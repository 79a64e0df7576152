// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The DDI functions of wdk/ for physical addresses, the CPU host aperture and hardware scheduling.

#include "wdk_adapter.hpp"

using namespace wdk_kernel;

struct _DXGKARG_RENDER {
    void const* pCommand;
    u32 CommandLength;
    void* pDmaBuffer;
    u32 DmaSize;
    ddi::dxgk_allocationlist* pAllocationList;
    u32 AllocationListSize;
    ddi::d3dddi_patchlocationlist* pPatchLocationListOut;
    u32 PatchLocationListOutSize;
    u32 MultipassOffset;
};
struct _DXGKARGCB_INVALIDATEHWCONTEXT {
    void* hAdapter;
    void* hHwContext;
    u32 Flags;
};

namespace {

struct node_of {
    u32 NodeOrdinal;
    u32 EngineOrdinal;
};
struct of_context {
    void* hContext;
    u64 contextSuspendFence;
};
struct created_queue {
    void* hHwQueue;
};

struct queueing : adapter {
    preemption::patch_rules patching{.slots = 4};
    u8 room[16];

    ntstatus translate(void* own, _DXGKARG_RENDER& args, wdk::render_pass<_DXGKARG_RENDER>& pass) noexcept {
        registers[0] = reinterpret_cast<usize>(own);
        bool const added =
            pass.patches.add({args.CommandLength, 0, 0, 0, 0}, pass.addresses) == preemption::patch_defect::none;
        pass.dma_bytes = added ? 8 : 0;
        pass.done = added;
        return status::success;
    }
    void store_host_aperture_entry(segment_id, u32 page, u64 memory) noexcept { registers[page & 1] = memory; }
    void clear_host_aperture_entry(segment_id, u32 page) noexcept { registers[page & 1] = 0; }

    ntstatus open_hw_queue(void* of, created_queue&, void*& own) noexcept {
        own = of;
        return status::success;
    }
    void close_hw_queue(void* own) noexcept { registers[1] = reinterpret_cast<usize>(own); }
    ntstatus set_scheduling_properties(void* own, of_context const&) noexcept {
        registers[1] = reinterpret_cast<usize>(own);
        return status::success;
    }
    span<u8> room_in_hw_queue(void*, u32) noexcept { return {room, sizeof room}; }
    void append_to_hw_queue(void* own, preemption::queue_submission const& what, u8 const*) noexcept {
        registers[2] = reinterpret_cast<usize>(own) + what.progress_fence;
    }
    void ask_suspend(wdk::context&, u64 fence) noexcept { registers[3] = fence; }
    void ask_resume(wdk::context& of) noexcept { registers[3] = reinterpret_cast<usize>(of.own); }
    bool was_on_engine(wdk::context& of) noexcept { return registers[4] == reinterpret_cast<usize>(of.own); }
    bool reset_hw_engine(u32 n) noexcept { return registers[n & 1] == 0; }
    bool resume_hw_engine(u32 n) noexcept { return registers[n & 1] == 0; }
    void* system_adapter() noexcept { return room; }
    void invalidate_hw_context(_DXGKARGCB_INVALIDATEHWCONTEXT& args) noexcept {
        registers[5] = reinterpret_cast<usize>(args.hHwContext);
    }
};
static_assert(wdk::check_rendering<queueing>() && wdk::check_hw_queues<queueing>());

}  // namespace

extern "C" {

ntstatus render(void* context, _DXGKARG_RENDER* args) { return wdk::render<queueing>(context, args); }
ntstatus patch(void* handle, ddi::dxgkarg_patch const* args) { return wdk::patch<queueing>(handle, args); }
ntstatus map(void* handle, ddi::dxgkarg_mapcpuhostaperture const* args) {
    return wdk::map_cpu_host_aperture<queueing>(handle, args);
}
ntstatus unmap(void* handle, ddi::dxgkarg_unmapcpuhostaperture const* args) {
    return wdk::unmap_cpu_host_aperture<queueing>(handle, args);
}

ntstatus create_queue(void* context, created_queue* args) { return wdk::create_hw_queue<queueing>(context, args); }
ntstatus destroy_queue(void* queue) { return wdk::destroy_hw_queue<queueing>(queue); }
ntstatus submit_to_queue(void* handle, ddi::dxgkarg_submitcommandtohwqueue const* args) {
    return wdk::submit_command_to_hw_queue<queueing>(handle, args);
}
ntstatus properties(void* handle, of_context const* args) {
    return wdk::set_context_scheduling_properties<queueing>(handle, args);
}
ntstatus suspend(void* handle, of_context const* args) { return wdk::suspend_context<queueing>(handle, args); }
ntstatus resume(void* handle, of_context const* args) { return wdk::resume_context<queueing>(handle, args); }
bool suspended(wdk::context* of, u64 fence) { return wdk::context_suspended<queueing>(*of, fence); }
ntstatus reset_hw_engine(void* handle, node_of const* args) { return wdk::reset_hw_engine<queueing>(handle, args); }
ntstatus resume_hw_engine(void* handle, node_of const* args) { return wdk::resume_hw_engine<queueing>(handle, args); }
}
