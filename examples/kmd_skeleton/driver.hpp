// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "gpu.hpp"

#include <wddmcore/preemption/engine/engine_for.hpp>
#include <wddmcore/testing/scheduler_table.h>

#include <cassert>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

/// A kernel-mode display driver, small but complete as far as memory and scheduling are concerned: a render-only WDDM
/// 3.2 adapter with GPU virtual addresses and two nodes. The functions stand in the order in which the system calls
/// them.
///
/// In a real driver `ddi` is the included header, `wddmcore_system_services` is DXGKRNL_INTERFACE, `wddmcore_gpu` is
/// the registers, the mutex is a spin lock, and `new` allocates from the non-paged pool.
namespace wddmcore::examples::skeleton {

namespace ddi = mirror::v3_2;

/// What the user-mode driver says about an allocation in its private data. The driver keeps no more of it.
struct allocation_request {
    u64 size = 0;
    u32 cpu_visible = 0;   ///< not 0: the CPU must be able to reach it
    u32 notify_unmap = 0;  ///< not 0: ask for operation 22 before the IOMMU unmaps it
};

/// What the driver keeps for a context, and with each packet in a ring.
struct context {
    preemption::engine_id where;
    u64 save_area;  // the GPU's address of its context allocation
    gpuva::root_table root{};
    preemption::resume_slot half_run{};
};
struct packet_cookie {
    context* owner;
    u64 buffer;
};
using packet = preemption::submission<packet_cookie>;

/// A half-run packet is remembered until it has finished.
struct packet_leaves {
    void operator()(packet const& p, preemption::fate why) const {
        if (why == preemption::fate::half_run) {
            p.cookie.owner->half_run.keep({p.cookie.buffer, p.window});
        } else if (why != preemption::fate::preempted && why != preemption::fate::lost) {
            p.cookie.owner->half_run.finished({p.cookie.buffer, p.window});
        }
    }
};

/// One node: the library's machine, and what the driver adds to it.
struct node {
    preemption::engine_for<gpu, preemption::under_interrupt_lock, packet_cookie> machine{};
    preemption::engine_status status{};
    context* paging = nullptr;  // the system's own context, for paging packets that name none
};

class driver {
public:
    explicit driver(resources const& found) : found_(found) {}

    // PASSIVE_LEVEL: the adapter's start and stop, its answers, its allocations and contexts, its paging buffers.

    /// In this driver the source code decides every claim. A claim that is `at_run_time` would be decided in this
    /// function, because the system asks for PHYSICAL_MEMORY_CAPS and IOMMU_CAPS before the device starts (IOM-02).
    ntstatus add_device() { return status::success; }

    /// StartDevice in two halves, one for each simulator: first memory, then scheduling.
    ntstatus start_memory() { return gpu_.start(found_) ? status::success : status::invalid_parameter; }
    ntstatus start_scheduling(wddmcore_system_services const& services, wddmcore_gpu const& registers) {
        services_ = &services;
        registers_ = &registers;
        for (u32 n = 0; n != shape.nodes; ++n) {
            nodes_[n] = {};
            nodes_[n].machine.start(preemption::kind_of(gpu::engines[n]));
        }
        return status::success;
    }
    ntstatus stop_device() { return status::success; }
    ntstatus remove_device() { return contexts_.empty() ? status::success : status::device_busy; }

    ntstatus query_adapter_info(ddi::dxgkarg_queryadapterinfo const& args) {
        if (args.Type == static_cast<u32>(adapter_query::drivercaps)) {
            std::memset(args.pOutputData, 0, args.OutputDataSize);  // a driver's own members come first; none here
        }
        auto const answer = answer_query_adapter_info<mirror_binding<gpu::caps.version>>(gpu_, args);
        return answer.done() ? answer.status : status::not_supported;  // the driver's own switch goes here
    }

    /// The engines are idle during that time, and nothing else in this adapter touches system memory on its own
    /// (IOM-09).
    using event = iommu::exclusive_event;
    ntstatus begin_exclusive_access(ddi::dxgkarg_beginexclusiveaccess const&) { return exclusive(event::begin); }
    ntstatus end_exclusive_access(ddi::dxgkarg_endexclusiveaccess const&) { return exclusive(event::end); }

    ntstatus create_allocation(ddi::dxgkarg_createallocation& args) {
        for (u32 i = 0; i != args.NumAllocations; ++i) {
            if (ntstatus const made = describe(args.pAllocationInfo[i]); made != status::success) {
                while (i-- != 0) {
                    destroy_allocation(args.pAllocationInfo[i].hAllocation);
                }
                return made;
            }
        }
        return status::success;
    }
    /// For each handle of DXGKARG_DESTROYALLOCATION.
    static void destroy_allocation(void* handle) { delete static_cast<allocation_request*>(handle); }

    /// @param save_area  the context allocation's address; a real driver has made and mapped the allocation before
    ntstatus create_context(ddi::dxgkarg_createcontext& args, u64 save_area) {
        auto const where = preemption::engine_of_context(shape, args.NodeOrdinal, args.EngineAffinity);
        auto const segments = segment::dma_buffer_segments(gpu_.segments(0), segment::context_addressing::gpu_virtual,
                                                           segment::dma_buffer_memory::aperture);
        if (!where.ok() || !segments.ok()) {
            return status::invalid_parameter;
        }
        std::lock_guard const lock(submission_);
        contexts_.push_back(std::make_unique<context>(context{where.get(), save_area}));
        args.hContext = contexts_.back().get();
        context*& paging = nodes_[args.NodeOrdinal].paging;
        paging = args.Flags.SystemContext != 0 ? contexts_.back().get() : paging;
        args.ContextInfo.DmaBufferSize = 64 * 1024;
        args.ContextInfo.DmaBufferSegmentSet = segments.get();
        args.ContextInfo.DmaBufferPrivateDataSize = sizeof(packet_data);
        return status::success;
    }
    ntstatus destroy_context(void* handle) {
        std::lock_guard const lock(submission_);
        for (node& n : nodes_) {
            n.paging = n.paging == handle ? nullptr : n.paging;
        }
        std::erase_if(contexts_, [handle](auto const& each) { return each.get() == handle; });
        return status::success;
    }
    /// The engine loads the root with the context.
    void set_root_page_table(ddi::dxgkarg_setrootpagetable const& args) {
        auto& root = static_cast<context*>(args.hContext)->root;
        auto const changed = gpuva::set_root(gpu::page_tables, root, args, true);
        root = changed.ok() ? changed.get().now : root;
    }

    ntstatus build_paging_buffer(ddi::dxgkarg_buildpagingbuffer& args) {
        gpu_.commands_at = reinterpret_cast<usize>(args.pDmaBuffer);  // the processor reads what the CPU wrote there
        return wddmcore::build_paging_buffer(gpu_, args);
    }

    // DISPATCH_LEVEL, and device level for the interrupt: packets go in, fences come out.

    ntstatus submit_command_virtual(ddi::dxgkarg_submitcommandvirtual const& args) {
        auto* const named = static_cast<context*>(args.hContext);
        auto const where = preemption::engine_of_submission(args, named != nullptr ? &named->where : nullptr, shape,
                                                            gpu::scheduling.paging_node);
        context* const owner = named != nullptr || !where.ok() ? named : nodes_[where.get().node].paging;
        if (!where.ok() || owner == nullptr) {
            return status::invalid_parameter;
        }
        auto const& own = *static_cast<packet_data const*>(args.pDmaBufferPrivateData);
        u64 const buffer = args.DmaBufferVirtualAddress != 0 ? args.DmaBufferVirtualAddress : own.address;
        packet const p{{args.SubmissionFenceId}, args.Flags.Value, {0, args.DmaBufferSize}, {owner, buffer}};
        std::lock_guard const lock(submission_);
        synchronized([&] {
            auto& machine = nodes_[where.get().node].machine;
            auto const demanded = own.invalid != 0 ? machine.reject(p, packet_leaves{}) : machine.submit(p);
            // The system keeps HwQueuePacketCap, and the DDI has no answer for more (PRE-30).
            assert(!demanded.has(preemption::action::full));
            if (demanded.has(preemption::action::hand_over)) {
                write_ring(where.get().node);
            }
        });
        return own.invalid != 0 ? status::invalid_parameter : status::success;
    }

    bool interrupt_routine(u32) {
        bool handled = false;
        for (u32 n = 0; n != shape.nodes; ++n) {
            handled = take_news(n).news != 0 || handled;
        }
        return handled;
    }
    /// Packets that were held back since a preempt request go to hardware.
    void dpc_routine() {
        services_->notify_dpc(services_->system);
        std::lock_guard const lock(submission_);
        for (u32 n = 0; n != shape.nodes; ++n) {
            synchronized([&] { write_ring(n); });
        }
    }

    ntstatus preempt_command(ddi::dxgkarg_preemptcommand const& args) {
        std::lock_guard const lock(submission_);
        synchronized([&] {
            u32 const n = args.NodeOrdinal;
            nodes_[n].status.start({take_news(n).progress});  // what has finished is reported ahead of the preemption
            auto const demanded = nodes_[n].machine.preempt({args.PreemptionFenceId}, packet_leaves{});
            carry_out(n, demanded);
            if (demanded.has(preemption::action::ask)) {
                registers_->request_stop(registers_->gpu, n, 0, nodes_[n].machine.report().asked.n);
            }
        });
        return status::success;  // PRE-09
    }

    // PASSIVE_LEVEL: the rest of scheduling, and recovery from a timeout.

    /// The packet will not come back, so its saved state is useless (TDR-14).
    ntstatus cancel_command(ddi::dxgkarg_cancelcommand const& args) {
        u64 const address = static_cast<packet_data const*>(args.pDmaBufferPrivateData)->address;
        ntstatus answer = status::success;
        synchronized([&] {
            answer = preemption::answer_cancel_command(args, static_cast<context*>(args.hContext)->half_run,
                                                       address - args.DmaBufferSubmissionStartOffset);
        });
        return answer;
    }
    ntstatus query_current_fence(ddi::dxgkarg_querycurrentfence& args) {
        ntstatus answer = status::success;
        synchronized([&] {
            static_cast<void>(take_news(args.NodeOrdinal));
            answer = preemption::answer_query_current_fence(args, nodes_[args.NodeOrdinal].machine.last_completed());
        });
        return answer;
    }

    ntstatus query_engine_status(ddi::dxgkarg_queryenginestatus& args) {
        ntstatus answer = status::success;
        synchronized(
            [&] { answer = nodes_[args.NodeOrdinal].status.answer(args, {take_news(args.NodeOrdinal).progress}); });
        return answer;
    }
    ntstatus query_dependent_engine_group(ddi::dxgkarg_querydependentenginegroup& args) {
        u64 const nodes = registers_->affected_nodes(registers_->gpu, args.NodeOrdinal);
        return preemption::answer_dependent_engine_group(args, nodes, shape);
    }
    ntstatus reset_engine(ddi::dxgkarg_resetengine& args) {
        u32 const n = args.NodeOrdinal;
        std::lock_guard const lock(submission_);
        auto const running = halt(n);
        synchronized([&] { static_cast<void>(take_news(n)); });  // what finished before the halt is not aborted
        bool const done = registers_->reset(registers_->gpu, n, 0) == 0;
        ntstatus answer = status::unsuccessful;
        synchronized([&] {
            answer =
                preemption::answer_reset_engine(args, {done, done, done}, nodes_[n].machine, running, packet_leaves{});
        });
        return answer;
    }
    ntstatus reset_from_timeout() {
        std::lock_guard const lock(submission_);
        for (u32 n = 0; n != shape.nodes; ++n) {
            static_cast<void>(halt(n));
            synchronized([&] { nodes_[n].machine.adapter_reset(packet_leaves{}); });
        }
        for (auto const& each : contexts_) {
            each->half_run.forget();
        }
        return status::success;
    }
    ntstatus restart_from_timeout() {
        std::lock_guard const lock(submission_);
        for (u32 n = 0; n != shape.nodes; ++n) {
            static_cast<void>(registers_->reset(registers_->gpu, n, 0));
            synchronized([&] {
                static_cast<void>(nodes_[n].machine.restart(packet_leaves{}));
                write_ring(n);
            });
        }
        return status::success;
    }

private:
    static constexpr preemption::adapter_shape shape{hw::engine_count<gpu>, 1};

    ntstatus exclusive(event what) {
        bool const allowed = judge(exclusive_, what) == iommu::verdict::allowed;
        exclusive_ = after(exclusive_, what);
        return allowed ? status::success : status::invalid_device_state;
    }

    /// Where an allocation may lie, and what else the system must know about it.
    ntstatus describe(ddi::dxgk_allocationinfo& info) {
        if (info.PrivateDriverDataSize < sizeof(allocation_request)) {
            return status::invalid_parameter;
        }
        auto const& wanted = *static_cast<allocation_request const*>(info.pPrivateDriverData);
        segment::allocation a{.size = bytes{wanted.size},
                              .supported = segment::set_of(gpu::local, gpu::window),
                              .eviction = segment::set_of(gpu::window),
                              .preferred = segment::prefer(gpu::local, gpu::window)};
        if (wanted.cpu_visible != 0) {
            a.flags_wddm2 = a.flags_wddm2.with(segment::allocation_flag_wddm2::cpu_visible);
        }
        if (wanted.notify_unmap != 0) {
            a.flags2 = a.flags2.with(segment::allocation_flag2::notify_io_mmu_unmap);
        }
        auto const of = segment::allocation_profile_of(gpu::caps, iommu::has_gpu_va_iommu(gpu::iommu));
        if (auto const bad = segment::fill_allocation_info(a, gpu_.segments(0), of, info);
            bad != segment::allocation_is_good) {
            std::fprintf(stderr, "%s\n", segment::text_of(bad.what));  // DbgPrintEx in a driver
            return status::invalid_parameter;
        }
        info.hAllocation = new (std::nothrow) allocation_request(wanted);
        return info.hAllocation != nullptr ? status::success : status::no_memory;
    }

    /// Runs a function under the interrupt lock (DxgkCbSynchronizeExecution).
    template <class Use>
    void synchronized(Use use) {
        services_->synchronize_execution(services_->system, &run<Use>, &use, 0, nullptr);
    }
    template <class Use>
    static int WDDMCORE_DRIVER_CALL run(void* use) {
        (*static_cast<Use*>(use))();
        return 1;
    }

    [[nodiscard]] preemption::executing halt(u32 n) {
        wddmcore_gpu_halted halted{};
        registers_->halt(registers_->gpu, n, 0, &halted);
        return halted.what == wddmcore_gpu_executing ? preemption::executing::one({halted.serial})
               : halted.what == wddmcore_gpu_nothing ? preemption::executing::nothing()
                                                     : preemption::executing::unknown();
    }

    /// The packets that the machine hands over go to the hardware's ring.
    void write_ring(u32 n) {
        while (auto const next = nodes_[n].machine.next()) {
            packet const& p = *next.packet;
            context& owner = *p.cookie.owner;
            wddmcore_gpu_packet to{next.number.n, 0, owner.save_area, p.cookie.buffer, p.window.start, p.window.end};
            if (preemption::is_context_switch(p.flags)) {
                to.context = 0;
                to.flags = wddmcore_gpu_fence_only;
            } else if ((p.flags & preemption::submit_flag::null_rendering) != 0 || p.window.start == p.window.end) {
                to.flags = wddmcore_gpu_fence_only | wddmcore_gpu_keep_context;
            } else if (owner.half_run.resumes({p.cookie.buffer, p.window})) {
                to.flags = wddmcore_gpu_resume;
            }
            registers_->enqueue(registers_->gpu, n, 0, &to);
        }
    }

    /// Reads a node's news and reports it in the right order. Called under the interrupt lock.
    [[nodiscard]] wddmcore_gpu_status take_news(u32 n) {
        wddmcore_gpu_status now{};
        registers_->read_status(registers_->gpu, n, 0, &now);
        auto& machine = nodes_[n].machine;
        bool const faulted = (now.news & wddmcore_gpu_faulted) != 0;
        bool const halted = now.fault_needs_reset != 0;
        // A completion implies everything before it, so a fault that names its packet is reported first.
        if (faulted && now.fault_known != 0) {
            auto const then = halted ? preemption::after_fault::needs_reset : preemption::after_fault::runs_on;
            carry_out(n, machine.faulted({now.fault_serial}, then, packet_leaves{}), halted);
        }
        if ((now.news & wddmcore_gpu_completed) != 0) {
            carry_out(n, machine.completed({now.completed}, packet_leaves{}));
        }
        if (faulted && now.fault_known == 0) {
            carry_out(n, machine.faulted_unknown(), halted);
        }
        if ((now.news & wddmcore_gpu_stopped) != 0) {
            bool const half_run = now.stopped_half_run != 0;
            carry_out(n, machine.stopped({now.stopped_generation}, {now.stopped_through}, half_run, packet_leaves{}));
        }
        return now;
    }

    /// Notifies what the machine wants notified, and withdraws a request that hardware will not answer.
    void carry_out(u32 n, preemption::actions demanded, bool halted = false) {
        auto& machine = nodes_[n].machine;
        preemption::fault_details details{};
        details.flags = halted ? preemption::page_fault_flag::engine_reset_required : 0;
        auto const tell = [this](auto const& record) { services_->notify_interrupt(services_->system, &record); };
        auto const later = [this] { static_cast<void>(services_->queue_dpc(services_->system)); };
        preemption::notify_in_order(demanded, machine.report(), {n, 0}, details, record_, tell, later);
        if (demanded.has(preemption::action::disarm)) {
            registers_->disarm(registers_->gpu, n, 0);
            auto const then = machine.disarmed(packet_leaves{});
            preemption::notify_in_order(then, machine.report(), {n, 0}, details, record_, tell, later);
        }
    }

    resources found_;
    gpu gpu_{};
    iommu::exclusive_access exclusive_{};
    wddmcore_system_services const* services_ = nullptr;
    wddmcore_gpu const* registers_ = nullptr;
    ddi::dxgkargcb_notify_interrupt_data record_{};  // guarded by the interrupt lock
    std::mutex submission_;
    node nodes_[shape.nodes];
    std::vector<std::unique_ptr<context>> contexts_;
};

}  // namespace wddmcore::examples::skeleton
