// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// A driver that calls every function template of the core with the structures of the included DDI header: whatever an
// interface version has is called, and what it lacks is left out by `present`, as a driver does with the preprocessor.

#include <d3dkmddi.h>

#include "described_gpu.hpp"

// Tags of structures that are no answers to queries; those that this header lacks stay incomplete.
struct _DRIVER_INITIALIZATION_DATA;
struct _DXGKARGCB_ALLOCATE_ADL;
struct _DXGKARGCB_CREATECONTEXTALLOCATION;
struct _DXGKARGCB_CREATE_PHYSICAL_MEMORY_OBJECT;
struct _DXGKARGCB_DESTROY_PHYSICAL_MEMORY_OBJECT;
struct _DXGKARGCB_INVALIDATEHWCONTEXT;
struct _DXGKARGCB_MAPCONTEXTALLOCATION;
struct _DXGKARGCB_MAP_PHYSICAL_MEMORY;
struct _DXGKARGCB_UPDATECONTEXTALLOCATION;
struct _DXGKARG_CANCELCOMMAND;
struct _DXGKARG_GETROOTPAGETABLESIZE;
struct _DXGKARG_MAPCPUHOSTAPERTURE;
struct _DXGKARG_QUERYDEPENDENTENGINEGROUP;
struct _DXGKARG_QUERYENGINESTATUS;
struct _DXGKARG_RESETENGINE;
struct _DXGKARG_SETROOTPAGETABLE;
struct _DXGKARG_SUBMITCOMMANDTOHWQUEUE;
struct _DXGKARG_SUBMITCOMMANDVIRTUAL;
struct _DXGKARG_UNMAPCPUHOSTAPERTURE;
struct _DXGK_ADL;
struct _DXGK_CONTEXTINFO;
struct _D3DKMDT_PREEMPTION_CAPS;

// As the interface of the port driver declares it: the record is no constant.
void notify_interrupt(HANDLE const adapter, DXGKARGCB_NOTIFY_INTERRUPT_DATA* const data);
void queue_dpc(HANDLE adapter);

namespace strict {

using namespace wddmcore::preemption;

/// Calls `use(structure)` where the header has the structure.
template <class Structure>
constexpr void with(void* memory, auto use) {
    if constexpr (present<Structure>) {
        use(*static_cast<Structure*>(memory));
    }
}

struct patches {
    u8* at;
    template <class Element>
    void bind(u32 patch_offset, u64 address, Element const&) const {
        at[patch_offset] = static_cast<u8>(address);
    }
    template <class Element>
    void unbind(u32 patch_offset, Element const&) const {
        at[patch_offset] = 0;
    }
};

ntstatus paging(described_gpu& gpu, executing_gpu& other, cpu_mappings& memory, DXGKARG_BUILDPAGINGBUFFER* args) {
    cpu_answer const answer = execute_on_cpu(other, memory, *args, cpu_moment::at_build);
    return answer.what == cpu_outcome::not_mine ? build_paging_buffer(other, *args) : build_paging_buffer(gpu, *args);
}

ntstatus paging_otherwise(other_gpu& gpu, DXGKARG_BUILDPAGINGBUFFER* args) { return build_paging_buffer(gpu, *args); }
ntstatus paging_virtually(virtual_gpu& gpu, DXGKARG_BUILDPAGINGBUFFER* args) { return build_paging_buffer(gpu, *args); }

ntstatus query(described_gpu& gpu, DXGKARG_QUERYADAPTERINFO const* args) {
    return answer_query_adapter_info(gpu, *args).status;
}

void sources(MDL const* mdl, PFN_NUMBER const* pages_of_mdl, void* any) {
    static_cast<void>(adl::from_mdl(*mdl, pages_of_mdl));
    with<_DXGK_ADL>(any, [](auto& list) { static_cast<void>(adl::from_adl(list)); });
}

template <class Data>
void notify(HANDLE adapter, Data& data, actions demanded, report const& ids, engine_id id) {
    fault_details const details{};
    fill_completed(data, ids.completed, id);
    fill_preempted(data, ids.preemption, ids.last_completed, id);
    fill_vsync(data, 1, 0x1000, 0);
    if constexpr (reports_page_faults<Data>) {
        fill_faulted(data, ids.faulted, details, id);
        fill_fault_unknown(data, details, id);
    }
    if constexpr (reports_suspensions<Data>) {
        fill_suspended(data, adapter, 1);
    }
    if constexpr (reports_list_switches<Data>) {
        fill_list_switched(data, 1, id);
    }
    auto const tell = [adapter](Data& record) { notify_interrupt(adapter, &record); };
    static_cast<void>(notify_records(demanded, ids, id, details, data, tell));
    static_cast<void>(notify_in_order(demanded, ids, id, details, data, tell, [adapter] { queue_dpc(adapter); }));
    static_cast<void>(notify_in_order(
        demanded, ids, id, details, data, tell, [adapter] { queue_dpc(adapter); },
        [&](auto& more) {
            fill_vsync(data, 1, 0x1000, 0);
            more(data);
            return true;
        }));
}
void notify_all(HANDLE adapter, DXGKARGCB_NOTIFY_INTERRUPT_DATA* data, actions demanded, report const& ids) {
    notify(adapter, *data, demanded, ids, engine_id{0, 0});
}

template <class Patch>
void patch_and_submit(Patch const& args, DXGKARG_SUBMITCOMMAND const& submitted, u8* buffer) {
    using element = D3DDDI_PATCHLOCATIONLIST;
    using entry = DXGK_ALLOCATIONLIST;
    patch_rules const rules{};
    static_cast<void>(preemption::patch(args, rules, patches{buffer}));
    static_cast<void>(describe_one_packet(args, submitted));
    span<element const> const list{args.pPatchLocationList, args.PatchLocationListSize};
    span<entry const> const allocations{args.pAllocationList, args.AllocationListSize};
    static_cast<void>(judge_patch_list(list, allocations, args.DmaBufferSize, rules));
    static_cast<void>(portion_of(list, args.DmaBufferSize, window_of(args)));
    portion_cursor<element> walk{list, args.DmaBufferSize};
    while (walk.more()) {
        static_cast<void>(walk.next());
    }
    element room[4]{};
    static_cast<void>(take_user_list(
        list, span_of(room),
        [](element& to, element const* from) {
            to = *from;
            return true;
        },
        [](element const&) { return true; }));
    patch_list<element, entry> made{span_of(room), allocations, args.DmaBufferSize, rules};
    static_cast<void>(made.add(patch_use{}, patches{buffer}));
}

void rendering(DXGKARG_PATCH const* patch, DXGKARG_SUBMITCOMMAND const* submit, DXGKARG_RENDER* render,
               DXGKARG_PRESENT* present_args, u8* buffer) {
    patch_and_submit(*patch, *submit, buffer);
    static_cast<void>(portion_address(*submit));
    static_cast<void>(commit_render(*render, render_progress{}));
    static_cast<void>(commit_render(*present_args, render_progress{}));
}

template <class Args>
void submissions(Args const& args, engine_id const* context, adapter_shape shape) {
    static_cast<void>(engine_of_submission(args, context, shape, 0));
}

void scheduling(void* any, DXGKARG_SUBMITCOMMAND const* submit, DXGKARG_QUERYCURRENTFENCE* fence,
                DXGKARG_SETVIDPNSOURCEADDRESS const* flip, engine_id const* context) {
    adapter_shape const shape{};
    submissions(*submit, context, shape);
    static_cast<void>(answer_query_current_fence(*fence, fence_id{1}));
    static_cast<void>(flip_of(*flip));
    with<_DXGKARG_SUBMITCOMMANDVIRTUAL>(any, [&](auto& args) { submissions(args, context, shape); });
    with<_DXGKARG_CANCELCOMMAND>(any, [](auto& args) {
        resume_slot slot{};
        static_cast<void>(answer_cancel_command(args, slot, 0));
    });
    with<_DXGKARG_QUERYENGINESTATUS>(any, [](auto& args) {
        engine_status status{};
        static_cast<void>(status.answer(args, engine_progress{1}));
    });
    with<_DXGKARG_QUERYDEPENDENTENGINEGROUP>(
        any, [&](auto& args) { static_cast<void>(answer_dependent_engine_group(args, 0, shape)); });
    with<_DXGKARG_RESETENGINE>(any, [](auto& args) {
        engine<4> machine{};
        machine.start({stopping::inside_a_buffer, true});
        static_cast<void>(answer_reset_engine(args, engine_after_reset{}, machine, executing::nothing()));
    });
    with<_DXGKARG_SUBMITCOMMANDTOHWQUEUE>(any, [](auto& args) {
        if constexpr (members::queue_submission<decltype(args)>) {
            static_cast<void>(take_queue_submission(args, span<u8>{nullptr, 0}));
        }
    });
    with<_DXGKARGCB_INVALIDATEHWCONTEXT>(any, [](auto& args) {
        if constexpr (members::invalidate_hw_context<decltype(args)>) {
            fill_invalidate_hw_context(args, nullptr, nullptr);
        }
    });
}

void contexts(void* any) {
    with<_DXGK_CONTEXTINFO>(any, [](auto& info) { static_cast<void>(allocation_list_size_is_legal(info, true)); });
    with<_DXGKARGCB_CREATECONTEXTALLOCATION>(
        any, [](auto& args) { static_cast<void>(fill_context_allocation(args, context_allocation_wish{})); });
    with<_DXGKARGCB_MAPCONTEXTALLOCATION>(
        any, [](auto& args) { static_cast<void>(fill_context_mapping(args, context_mapping{})); });
    with<_DXGKARGCB_UPDATECONTEXTALLOCATION>(any, [](auto& args) {
        static_cast<void>(fill_context_update(args, system_allocation_handle{nullptr}, nullptr, 0));
    });
}

/// Every bit that the header names and the driver claims is set: none is lost because a later one is not there.
template <class Caps>
constexpr bool every_claimed_bit_is_set() {
    Caps caps{};
    scheduling_capabilities chosen = scheduling_gpu::scheduling;
    chosen.native_gpu_fence = chosen.optimized_native_fence_signaled_interrupt = claim::yes;
    fill_vidschcaps<scheduling_gpu>(chosen, version, caps);
    bool set = caps.MultiEngineAware != 0;
    if constexpr (requires { caps.PreemptionAware; }) {
        set = set && caps.PreemptionAware && caps.CancelCommandAware;
    }
    if constexpr (requires { caps.No64BitAtomics; }) {
        set = set && caps.No64BitAtomics && caps.LowIrqlPreemptCommand && caps.NoDmaPatching;
    }
    if constexpr (requires { caps.HwQueuePacketCap; }) {
        set = set && caps.HwQueuePacketCap == scheduling_gpu::scheduling.hw_queue_packet_cap;
    }
    if constexpr (requires { caps.NativeGpuFence; }) {
        set = set && caps.NativeGpuFence;
    }
    if constexpr (requires { caps.OptimizedNativeFenceSignaledInterrupt; }) {
        set = set && caps.OptimizedNativeFenceSignaledInterrupt;
    }
    return set;
}
static_assert(every_claimed_bit_is_set<DXGK_VIDSCHCAPS>());

void claims(void* any, DXGK_DRIVERCAPS* caps, scheduling_capabilities const& chosen) {
    fill_vidschcaps<scheduling_gpu>(chosen, version, caps->SchedulingCaps);
    static_cast<void>(check_flip_caps(chosen, caps->FlipCaps));
    with<_D3DKMDT_PREEMPTION_CAPS>(any, [](auto& answer) { fill_preemption_caps<scheduling_gpu>(answer); });
    with<_DRIVER_INITIALIZATION_DATA>(any, [&](auto& data) {
        static_cast<void>(check_recovery_functions(chosen, data));
        if constexpr (requires { data.DxgkDdiBeginExclusiveAccess; }) {
            static_cast<void>(iommu::check_function_table(data, iommu::capabilities{}));
        }
    });
}

void memory(void* any, described_gpu& gpu, DXGK_ALLOCATIONINFO* info, segment::allocation const& wanted) {
    segment::view const table = gpu.segments(0);
    static_cast<void>(segment::fill_allocation_info(wanted, table, segment::allocation_profile{}, *info));
    with<_DXGKARG_MAPCPUHOSTAPERTURE>(
        any, [&](auto& args) { static_cast<void>(segment::map_cpu_host_aperture(table, gpu, args)); });
    with<_DXGKARG_UNMAPCPUHOSTAPERTURE>(
        any, [&](auto& args) { static_cast<void>(segment::unmap_cpu_host_aperture(table, gpu, args)); });
    with<_DXGKARG_GETROOTPAGETABLESIZE>(any, [](auto& args) {
        static_cast<void>(gpuva::answer_root_page_table_size(described_gpu::page_tables, bytes{page_bytes}, args));
    });
    with<_DXGKARG_SETROOTPAGETABLE>(any, [](auto& args) {
        static_cast<void>(gpuva::set_root(described_gpu::page_tables, gpuva::root_table{}, args, true));
    });
    with<_DXGKARGCB_CREATE_PHYSICAL_MEMORY_OBJECT>(
        any, [](auto& args) { static_cast<void>(iommu::create_request(args, iommu::passive_level)); });
    with<_DXGKARGCB_MAP_PHYSICAL_MEMORY>(
        any, [](auto& args) { static_cast<void>(iommu::map_request(args, iommu::passive_level)); });
    with<_DXGKARGCB_ALLOCATE_ADL>(
        any, [](auto& args) { static_cast<void>(iommu::allocate_adl_request(args, iommu::passive_level)); });
    with<_DXGKARGCB_DESTROY_PHYSICAL_MEMORY_OBJECT>(
        any, [](auto& args) { static_cast<void>(iommu::destroy_request(args, iommu::passive_level)); });
}

}  // namespace strict
