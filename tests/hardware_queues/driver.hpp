// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "parts.hpp"

namespace queue_driver {

/// A driver that leaves every decision to the library's parts, and is right unless it is told to make a mistake.
class driver : public hardware_side {
public:
    using hardware_side::hardware_side;

    // Habits that are right, too.
    bool reports_in_dpc = false;    ///< the interrupt routine only reads
    bool waits_in_suspend = false;  ///< the acknowledgement comes within the call
    bool resets_in_lock = false;    ///< the whole adapter, too, with nodes that go on until the lock is taken

    template <class Notify>
    ntstatus start_hardware_queues(wddmcore_queue_services const& services, wddmcore_queue_gpu const& gpu,
                                   wddmcore_queue_claims& claims) {
        start<Notify>(services, gpu);
        bool const enabled = !is(mistake::claims_unasked) && services.native_fences_enabled(services.system) != 0;
        auto const answer = enabled ? feature_answer::enabled : feature_answer::not_asked;
        bool const claimed = may_claim_native_fences(answer, true) || is(mistake::claims_unasked);
        claims.native_fences = claimed ? 1 : 0;
        return status::success;
    }

    ntstatus create_hw_context(types::create_context& args) {
        auto const& data = *static_cast<wddmcore_hw_context_private_data const*>(args.pPrivateDriverData);
        contexts_.push_back({});
        context& c = contexts_.back();
        c.node = args.NodeOrdinal;
        c.area = data.area;
        c.system = args.hHwContext;
        args.hHwContext = &c;
        return status::success;
    }

    [[nodiscard]] std::size_t live_contexts() const {
        return static_cast<std::size_t>(
            std::count_if(contexts_.begin(), contexts_.end(), [](context const& c) { return !c.gone; }));
    }

    ntstatus destroy_hw_context(void* handle) {
        static_cast<context*>(handle)->gone = true;
        return status::success;
    }

    ntstatus create_hw_queue(void* handle, types::create_queue& args) {
        auto const& data = *static_cast<wddmcore_hw_queue_private_data const*>(args.pPrivateDriverData);
        queues_.push_back({});
        queue& q = queues_.back();
        q.of = static_cast<context*>(handle);
        q.ring = data.ring;
        q.rooms.resize(gpu().ring_entries);
        args.hHwQueue = &q;
        gpu().open_queue(gpu().gpu, q.of->node, q.of->area, q.ring, handle);
        if (!is(mistake::starts_suspended)) {
            gpu().run(gpu().gpu, q.of->node, q.of->area);  // a context starts resumed (HWS-04)
        }
        return status::success;
    }

    ntstatus destroy_hw_queue(void* handle) {
        queue const& q = *static_cast<queue*>(handle);
        if (!is(mistake::destroy_leaves_queue)) {
            gpu().close_queue(gpu().gpu, q.of->node, q.ring);
        }
        return status::success;
    }

    ntstatus set_context_scheduling_properties(types::properties const& args) {
        context& c = *static_cast<context*>(args.hContext);
        locked([&] {
            if (!is(mistake::keeps_properties)) {
                gpu().set_priority(gpu().gpu, c.node, c.area, args.priorityBand, args.inProcessPriority);
            }
            c.machine.properties_set();
            if (is(mistake::properties_let_it_run)) {
                gpu().run(gpu().gpu, c.node, c.area);
            }
        });
        return is(mistake::properties_fail) ? status::unsuccessful : status::success;
    }

    ntstatus submit_command_to_hw_queue(types::submit const& args) {
        queue& q = *static_cast<queue*>(args.hHwQueue);
        context& c = *q.of;
        bool takes = false;
        bool suspended = false;
        locked([&] {
            takes = c.machine.takes_submissions();
            suspended = c.machine.state() == hw_context_state::suspended;
        });
        if (!takes || (suspended && is(mistake::refuses_while_suspended)) || is(mistake::submission_fails)) {
            return status::invalid_device_state;
        }
        room& copy = q.rooms[q.submitted++ % q.rooms.size()];
        auto const taken = take_queue_submission(args, wddmcore::span_of(copy.bytes));
        if (!taken.ok()) {
            return status::invalid_parameter;
        }
        if (is(mistake::drops_submission)) {
            return status::success;
        }
        append(q, taken.get(), copy, args);
        return status::success;
    }

    ntstatus suspend_context(types::suspend const& args) {
        context& c = *static_cast<context*>(args.hContext);
        ntstatus answer = status::success;
        locked([&] {
            bool const waits = c.machine.state() == hw_context_state::suspending || c.asked_and_resumed;
            hw_answer const demanded = c.machine.suspend(args.contextSuspendFence);
            answer = demanded.status;
            c.newest = args.contextSuspendFence;
            if (demanded.has(hw_action::ask_suspend) && !is(mistake::never_asks_to_suspend) &&
                !(is(mistake::asks_once_for_two) && waits)) {
                gpu().suspend(gpu().gpu, c.node, c.area, demanded.suspend_fence);
                c.asked_and_resumed = false;
            }
            if (demanded.has(hw_action::ask_suspend) && is(mistake::reports_before_acknowledgement)) {
                report_suspended(c, demanded.suspend_fence);
            }
        });
        for (int i = 0; waits_in_suspend && i < 10'000 && c.machine.state() == hw_context_state::suspending; ++i) {
            locked([&] { service(c.node); });
        }
        if (answer == status::success && is(mistake::pending_when_suspended)) {
            return status::pending;
        }
        bool const lies = answer == status::pending && is(mistake::says_suspended_at_once);
        return is(mistake::suspend_fails) ? status::unsuccessful : lies ? status::success : answer;
    }

    ntstatus resume_context(types::resume const& args) {
        context& c = *static_cast<context*>(args.hContext);
        locked([&] {
            bool const early = c.machine.state() == hw_context_state::suspending;
            bool const asks = c.machine.resume().has(hw_action::ask_resume);
            c.asked_and_resumed = c.asked_and_resumed || early;
            if (asks && !(early && is(mistake::resume_waits_for_acknowledgement))) {
                gpu().run(gpu().gpu, c.node, c.area);
            }
        });
        return is(mistake::resume_fails) ? status::unsuccessful : status::success;
    }

    ntstatus switch_to_hw_context_list(types::switch_list const& args) {
        node& n = nodes_[args.NodeOrdinal];
        auto const area_of = [](void* handle) { return handle != nullptr ? static_cast<context*>(handle)->area : 0; };
        u64 first = area_of(args.hHwContextFirst);
        u64 second = area_of(args.hHwContextSecond);
        locked([&] {
            list_answer const demanded = n.list.switch_to(first, second, ++n.switches);
            if (is(mistake::swaps_list) && second != 0 && first != 0) {
                std::swap(first, second);
            }
            if (is(mistake::runs_second_of_empty_list) && first == 0) {
                first = std::exchange(second, 0);
            }
            second = is(mistake::drops_second) ? 0 : second;
            if (demanded.ask && !is(mistake::never_switches)) {
                gpu().set_list(gpu().gpu, args.NodeOrdinal, first, second, demanded.switch_fence);
            }
            if (is(mistake::reports_switch_at_once)) {
                report_switched(args.NodeOrdinal, demanded.switch_fence);
            }
        });
        return status::success;
    }

    ntstatus reset_hw_engine(types::reset_engine& args) {
        std::uint32_t const n = args.NodeOrdinal;
        bool done = false;
        locked([&] {
            handle_read();
            service(n);
            done = gpu().reset(gpu().gpu, n) == 0;
            for (context& c : contexts_) {
                if (done && c.node == n && !c.gone) {
                    hw_answer const demanded = c.machine.engine_reset(gpu().was_hit(gpu().gpu, n, c.area) != 0);
                    c.caught = demanded.has(hw_action::invalidate);
                    if (demanded.has(hw_action::report)) {
                        report_suspended(c, demanded.suspend_fence);
                    }
                }
            }
        });
        for (context& c : contexts_) {
            if (std::exchange(c.caught, false) && !is(mistake::invalidates_nothing)) {
                types::invalidate args_of_callback{};
                fill_invalidate_hw_context(args_of_callback, this, c.system);
                services().invalidate_hw_context(services().system, &args_of_callback);
            }
        }
        if (is(mistake::restarts_in_reset)) {
            static_cast<void>(resume_hw_engine(args));
        }
        return done || is(mistake::hides_failed_reset) ? status::success : status::unsuccessful;
    }

    template <class Args>
    ntstatus resume_hw_engine(Args& args) {
        std::uint32_t const n = args.NodeOrdinal;
        bool const runs = gpu().restart(gpu().gpu, n) == 0;
        locked([&] {
            for (context& c : contexts_) {
                if (!runs || c.node != n || c.gone) {
                    continue;
                }
                bool const wakes = c.machine.engine_resumed().has(hw_action::ask_resume);
                bool const anyway =
                    (is(mistake::wakes_suspended) && c.machine.state() == hw_context_state::suspended) ||
                    (is(mistake::invalidates_and_runs) && c.machine.state() == hw_context_state::invalidated);
                if ((wakes && !is(mistake::wakes_nobody)) || anyway) {
                    gpu().run(gpu().gpu, n, c.area);
                }
            }
        });
        return is(mistake::hides_failed_resume) ? status::success : resume_hw_engine_status(runs);
    }

    ntstatus set_scheduling_log_buffer(types::set_log const& args) {
        node& n = nodes_[args.NodeOrdinal];
        locked([&] {
            static_cast<void>(n.log.replace(args.NumberOfEntries));
            n.buffer = is(mistake::writes_to_old_log) && n.buffer != nullptr ? n.buffer : args.LogBufferCpuVa;
            if (gpu().writes_log != 0) {
                gpu().set_log(gpu().gpu, args.NodeOrdinal, args.LogBufferGpuVa, args.NumberOfEntries);
            }
        });
        // Entries that are under way end within this call (HWS-09).
        while (gpu().writes_log != 0 && !is(mistake::returns_before_quiet) &&
               gpu().log_is_quiet(gpu().gpu, args.NodeOrdinal) == 0) {
        }
        return status::success;
    }

    ntstatus create_native_fence(types::create_fence& args) {
        fences_.push_back({args.hGlobalNativeFence, args.CurrentValueSystemProcessGpuVa});
        gpu().watch_fence(gpu().gpu, args.CurrentValueSystemProcessGpuVa, args.MonitoredValueSystemProcessGpuVa);
        args.hGlobalNativeFence = &fences_.back();
        return status::success;
    }

    ntstatus destroy_native_fence(types::destroy_fence const& args) {
        auto& f = *static_cast<native_fence*>(args.hGlobalNativeFence);
        gpu().forget_fence(gpu().gpu, f.current);
        f.current = 0;
        return status::success;
    }

    ntstatus update_monitored_values(types::update const& args) {
        for (std::uint32_t i = 0; i != args.NumFences; ++i) {
            native_fence& f = *static_cast<native_fence*>(args.NativeFenceArray[i]);
            if (update(f, {args.UpdatedValueArray[i]}, static_cast<u64*>(args.MonitoredValueKernelCpuVa[i]))) {
                report_signaled(f);
            }
        }
        return status::success;
    }

    bool interrupt_routine(unsigned) {
        bool ours = false;
        for (std::uint32_t n = 0; n != gpu().node_count; ++n) {
            ours = (reports_in_dpc ? read(n) : service(n)) || ours;
            if (is(mistake::reads_first_node_only)) {
                break;
            }
        }
        if (ours && reports_in_dpc) {
            common().queue_dpc(common().system);
        }
        return ours;
    }

    void dpc_routine() {
        if (!is(mistake::no_notify_dpc)) {
            common().notify_dpc(common().system);
        }
        locked([&] { handle_read(); });
        for (auto& late : std::exchange(late_copies_, {})) {
            *late.to = *static_cast<room const*>(late.from);
        }
    }

    ntstatus reset_from_timeout() {
        auto const reset = [&] {
            for (std::uint32_t n = 0; n != gpu().node_count && !is(mistake::adapter_reset_does_nothing); ++n) {
                static_cast<void>(gpu().reset(gpu().gpu, n));
            }
        };
        if (resets_in_lock) {
            locked([&] { reset(); });
        } else {
            reset();
        }
        return status::success;
    }

    ntstatus restart_from_timeout() {
        for (std::uint32_t n = 0; n != gpu().node_count && !is(mistake::restart_does_nothing); ++n) {
            static_cast<void>(gpu().restart(gpu().gpu, n));
        }
        return status::success;
    }
};

}  // namespace queue_driver
