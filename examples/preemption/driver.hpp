// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "engine_unit.hpp"

#include <wddmcore/testing/scheduler_table.h>

#include <cassert>
#include <memory>
#include <mutex>
#include <vector>

/// The scheduling half of a driver. Everything that the DDI demands goes through the library's machine, and what is
/// left is the hardware's ring and registers. It runs on the simulator of the scheduler.
namespace wddmcore::examples {

template <class Policy>
class scheduling_driver {
    using unit = engine_unit<Policy>;
    using packet = preemption::submission<packet_cookie>;

public:
    /// DxgkDdiStartDevice. Types: the DDI's structures of the interface version.
    template <class Types>
    ntstatus start_device(wddmcore_system_services const& services, wddmcore_gpu const& gpu) {
        services_ = &services;
        gpu_ = &gpu;
        shape_ = {gpu.node_count, gpu.engine_count};
        preemption::engine_kind const kind{static_cast<preemption::stopping>(gpu.stopping),
                                           gpu.acknowledges_when_idle != 0};
        units_ = std::vector<unit>(gpu.node_count * gpu.engine_count);
        for (unit& u : units_) {
            u.machine.start(kind);
        }
        notify_ = [](scheduling_driver& d, preemption::actions demanded, preemption::report const& ids,
                     preemption::engine_id id, preemption::fault_details const& details) {
            typename Types::notify data{};
            return preemption::notify_records(demanded, ids, preemption::as_reported(d.shape_, id), details, data,
                                              [&d](typename Types::notify const& record) {
                                                  d.services_->notify_interrupt(d.services_->system, &record);
                                              });
        };
        return status::success;
    }

    ntstatus create_context(wddmcore_context_arguments& args) {
        auto const where = preemption::engine_of_context(shape_, args.node_ordinal, args.engine_affinity);
        if (!where.ok()) {
            return status::invalid_parameter;
        }
        contexts_.push_back(std::make_unique<context>(context{where.get(), args.save_area}));
        args.context = contexts_.back().get();
        if (args.system_context != 0) {
            at(where.get()).paging = contexts_.back().get();
        }
        return status::success;
    }

    ntstatus destroy_context(void* handle) {
        static_cast<context*>(handle)->half_run.forget();
        return status::success;
    }

    /// There is nothing to patch, because the simulator's buffers hold no addresses.
    template <class Args>
    ntstatus patch(Args const&) {
        return status::success;
    }

    template <class Args>
    ntstatus submit_command(Args const& args) {
        return submit(args, static_cast<u64>(args.DmaBufferPhysicalAddress.QuadPart),
                      {args.DmaBufferSubmissionStartOffset, args.DmaBufferSubmissionEndOffset});
    }

    template <class Args>
    ntstatus submit_command_virtual(Args const& args) {
        auto const& own = *static_cast<wddmcore_packet_private_data const*>(args.pDmaBufferPrivateData);
        // OBS-08: a paging buffer comes without its address.
        u64 const buffer = args.DmaBufferVirtualAddress != 0 ? args.DmaBufferVirtualAddress : own.address;
        return submit(args, buffer, {0, args.DmaBufferSize}, own.invalid != 0);
    }

    template <class Args>
    ntstatus preempt_command(Args const& args) {
        preemption::engine_id const id{args.NodeOrdinal, args.EngineOrdinal};
        std::lock_guard const lock(submission_);
        synchronized([&] {
            // What has finished is reported first. The engine's progress now is what later status queries are compared
            // with.
            wddmcore_gpu_status now{};
            gpu_->read_status(gpu_->gpu, id.node, id.engine, &now);
            bool const reported = serve(id, now);
            at(id).status.start({now.progress});
            auto const demanded = at(id).machine.preempt({args.PreemptionFenceId}, packet_leaves{});
            queue_dpc_if(carry_out(id, demanded) || reported);
            if (demanded.has(preemption::action::ask)) {
                gpu_->request_stop(gpu_->gpu, id.node, id.engine, at(id).machine.report().asked.n);
            }
        });
        return status::success;  // PRE-09
    }

    /// The packet will not come back, so its saved state, if there is any, is useless (TDR-14).
    template <class Args>
    ntstatus cancel_command(Args const& args) {
        auto const& own = *static_cast<wddmcore_packet_private_data const*>(args.pDmaBufferPrivateData);
        u64 const buffer = own.address - args.DmaBufferSubmissionStartOffset;
        synchronized([&] {
            auto& slot = static_cast<context*>(args.hContext)->half_run;
            static_cast<void>(preemption::answer_cancel_command(args, slot, buffer));
        });
        return status::success;
    }

    template <class Args>
    ntstatus query_current_fence(Args& args) {
        preemption::engine_id const id{args.NodeOrdinal, args.EngineOrdinal};
        synchronized([&] {
            queue_dpc_if(collect(id));
            static_cast<void>(preemption::answer_query_current_fence(args, at(id).machine.last_completed()));
        });
        return status::success;
    }

    bool interrupt_routine(unsigned message) {
        static_cast<void>(message);
        bool handled = false;
        bool reported = false;
        for_each_engine([&](preemption::engine_id id) {
            wddmcore_gpu_status status{};
            gpu_->read_status(gpu_->gpu, id.node, id.engine, &status);
            handled = handled || status.news != 0;
            reported = serve(id, status) || reported;
        });
        queue_dpc_if(reported);
        return handled;
    }

    void dpc_routine() {
        services_->notify_dpc(services_->system);
        // All engines are searched: a note by the interrupt routine would be shared by two locks.
        std::lock_guard const lock(submission_);
        for_each_engine([&](preemption::engine_id id) { hand_over(id); });
    }

    template <class Args>
    ntstatus query_engine_status(Args& args) {
        preemption::engine_id const id{args.NodeOrdinal, args.EngineOrdinal};
        synchronized([&] {
            wddmcore_gpu_status now{};
            gpu_->read_status(gpu_->gpu, id.node, id.engine, &now);
            queue_dpc_if(serve(id, now));
            static_cast<void>(at(id).status.answer(args, {now.progress}));
        });
        return status::success;
    }

    template <class Args>
    ntstatus query_dependent_engine_group(Args& args) {
        return preemption::answer_dependent_engine_group(args, gpu_->affected_nodes(gpu_->gpu, args.NodeOrdinal),
                                                         shape_);
    }

    template <class Args>
    ntstatus reset_engine(Args& args) {
        preemption::engine_id const id{args.NodeOrdinal, args.EngineOrdinal};
        std::lock_guard const lock(submission_);
        wddmcore_gpu_halted halted{};
        gpu_->halt(gpu_->gpu, id.node, id.engine, &halted);
        // What finished before the halt is not aborted: collect first.
        synchronized([&] { queue_dpc_if(collect(id)); });
        bool const done = gpu_->reset(gpu_->gpu, id.node, id.engine) == 0;
        ntstatus answer = status::unsuccessful;
        synchronized([&] {
            answer = preemption::answer_reset_engine(args, {done, done, done}, at(id).machine, executing(halted),
                                                     packet_leaves{});
        });
        return answer;
    }

    ntstatus reset_from_timeout() {
        std::lock_guard const lock(submission_);
        for_each_engine([&](preemption::engine_id id) {
            wddmcore_gpu_halted halted{};
            gpu_->halt(gpu_->gpu, id.node, id.engine, &halted);
            synchronized([&] { at(id).machine.adapter_reset(packet_leaves{}); });
        });
        for (auto const& each : contexts_) {
            each->half_run.forget();
        }
        return status::success;
    }

    ntstatus restart_from_timeout() {
        std::lock_guard const lock(submission_);
        for_each_engine([&](preemption::engine_id id) {
            static_cast<void>(gpu_->reset(gpu_->gpu, id.node, id.engine));
            synchronized([&] { static_cast<void>(at(id).machine.restart(packet_leaves{})); });
            hand_over(id);
        });
        return status::success;
    }

    [[nodiscard]] unit const& engine_at(preemption::engine_id id) const {
        return units_[id.node * shape_.physical_adapters + id.engine];
    }

private:
    [[nodiscard]] unit& at(preemption::engine_id id) { return units_[id.node * shape_.physical_adapters + id.engine]; }

    template <class Use>
    void for_each_engine(Use&& use) {
        for (u32 node = 0; node != shape_.nodes; ++node) {
            for (u32 engine = 0; engine != shape_.physical_adapters; ++engine) {
                use(preemption::engine_id{node, engine});
            }
        }
    }

    /// Runs a function under the interrupt lock.
    template <class Use>
    void synchronized(Use&& use) {
        services_->synchronize_execution(services_->system, &call<meta::bare<Use>>, &use, 0, nullptr);
    }

    template <class Use>
    static int WDDMCORE_DRIVER_CALL call(void* use) {
        (*static_cast<Use*>(use))();
        return 1;
    }

    template <class Args>
    ntstatus submit(Args const& args, u64 buffer, preemption::packet_window window, bool invalid = false) {
        auto* const named = static_cast<context*>(args.hContext);
        auto const where =
            preemption::engine_of_submission(args, named != nullptr ? &named->where : nullptr, shape_, 0);
        if (!where.ok()) {
            return status::invalid_parameter;
        }
        preemption::engine_id const id = where.get();
        unit& u = at(id);
        if (named == nullptr && u.paging == nullptr) {
            return status::invalid_parameter;
        }
        std::lock_guard const lock(submission_);
        packet const p{
            {args.SubmissionFenceId}, args.Flags.Value, window, {named != nullptr ? named : u.paging, buffer}};
        if (invalid) {
            synchronized([&] { static_cast<void>(u.machine.reject(p, packet_leaves{})); });
            return status::invalid_parameter;  // PRE-30
        }
        if constexpr (meta::is_same<Policy, preemption::under_interrupt_lock>) {
            synchronized([&] { take(id, p); });
        } else {
            take(id, p);
        }
        return status::success;
    }

    void take(preemption::engine_id id, packet const& p) {
        auto const demanded = at(id).machine.submit(p);
        // The system keeps HwQueuePacketCap, and the DDI has no answer for more (PRE-30).
        assert(!demanded.has(preemption::action::full));
        if (demanded.has(preemption::action::hand_over)) {
            write_ring(id);
        }
    }

    void hand_over(preemption::engine_id id) {
        if constexpr (meta::is_same<Policy, preemption::under_interrupt_lock>) {
            synchronized([&] { write_ring(id); });
        } else {
            write_ring(id);
        }
    }

    void write_ring(preemption::engine_id id) {
        while (auto const next = at(id).machine.next()) {
            packet const& p = *next.packet;
            context& owner = *p.cookie.owner;
            wddmcore_gpu_packet written{next.number.n,  0,           owner.save_area, p.cookie.buffer,
                                        p.window.start, p.window.end};
            if (preemption::is_context_switch(p.flags)) {
                written.context = 0;
                written.flags = wddmcore_gpu_fence_only;
            } else if ((p.flags & preemption::submit_flag::null_rendering) != 0 || p.window.start == p.window.end) {
                written.flags = wddmcore_gpu_fence_only | wddmcore_gpu_keep_context;
            } else if (owner.half_run.resumes({p.cookie.buffer, p.window})) {
                written.flags = wddmcore_gpu_resume;
            }
            gpu_->enqueue(gpu_->gpu, id.node, id.engine, &written);
        }
    }

    static preemption::executing executing(wddmcore_gpu_halted const& halted) {
        switch (halted.what) {
            case wddmcore_gpu_executing: return preemption::executing::one({halted.serial});
            case wddmcore_gpu_cannot_tell: return preemption::executing::unknown();
            default: return preemption::executing::nothing();
        }
    }

    bool collect(preemption::engine_id id) {
        wddmcore_gpu_status status{};
        gpu_->read_status(gpu_->gpu, id.node, id.engine, &status);
        return serve(id, status);
    }

    /// Reports one engine's news in the right order. Returns whether there was anything to report.
    bool serve(preemption::engine_id id, wddmcore_gpu_status const& status) {
        auto& machine = at(id).machine;
        bool reported = false;
        bool const faulted = (status.news & wddmcore_gpu_faulted) != 0;
        // A completion implies everything before it, so a fault that names its packet is reported first.
        if (faulted && status.fault_known != 0) {
            auto const then =
                status.fault_needs_reset != 0 ? preemption::after_fault::needs_reset : preemption::after_fault::runs_on;
            reported = carry_out(id, machine.faulted({status.fault_serial}, then, packet_leaves{}), details_of(status));
        }
        if ((status.news & wddmcore_gpu_completed) != 0) {
            reported = carry_out(id, machine.completed({status.completed}, packet_leaves{})) || reported;
        }
        if (faulted && status.fault_known == 0) {
            reported = carry_out(id, machine.faulted_unknown(), details_of(status)) || reported;
        }
        if ((status.news & wddmcore_gpu_stopped) != 0) {
            auto const demanded = machine.stopped({status.stopped_generation}, {status.stopped_through},
                                                  status.stopped_half_run != 0, packet_leaves{});
            reported = carry_out(id, demanded) || reported;
        }
        return reported;
    }

    static preemption::fault_details details_of(wddmcore_gpu_status const& status) {
        preemption::fault_details details{};
        details.flags = status.fault_needs_reset != 0 ? preemption::page_fault_flag::engine_reset_required : 0;
        return details;
    }

    bool carry_out(preemption::engine_id id, preemption::actions demanded,
                   preemption::fault_details const& details = {}) {
        bool reported = notify_(*this, demanded, at(id).machine.report(), id, details);
        if (demanded.has(preemption::action::disarm)) {
            gpu_->disarm(gpu_->gpu, id.node, id.engine);
            demanded = at(id).machine.disarmed(packet_leaves{});
            reported = notify_(*this, demanded, at(id).machine.report(), id, details) || reported;
        }
        return reported;
    }

    void queue_dpc_if(bool reported) {
        if (reported) {
            static_cast<void>(services_->queue_dpc(services_->system));
        }
    }

    wddmcore_system_services const* services_ = nullptr;
    wddmcore_gpu const* gpu_ = nullptr;
    preemption::adapter_shape shape_{};
    std::mutex submission_;  // in a driver: a spin lock, which raises to dispatch level
    std::vector<unit> units_;
    std::vector<std::unique_ptr<context>> contexts_;
    bool (*notify_)(scheduling_driver&, preemption::actions, preemption::report const&, preemption::engine_id,
                    preemption::fault_details const&) = nullptr;
};

}  // namespace wddmcore::examples
