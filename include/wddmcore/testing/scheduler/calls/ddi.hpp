// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../display/flips.hpp"
#include "../host_buffers.hpp"
#include "../link/broadcasts.hpp"
#include "system.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::scheduler::parts {

/// The scheduler's calls of the driver, each with what must be true after it.
class ddi {
public:
    ddi(world& w, system_services& system)
        : w_(w), system_(system), flights_(w), buffers_(w), broadcasts_(w, buffers_) {}

    /// Submits the packet at the front of its context's queue.
    void submit(packet& p) {
        context& c = w_.context_of(p);
        os_engine& e = w_.os_of(c);
        bool const old_id = p.paging && p.had_fence;  // PRE-16; render packets get a new one (PRE-17)
        std::uint32_t const newest = e.last_submitted;
        bool const first = !std::exchange(e.used, true);
        p.fence = old_id ? p.fence : e.next_id++;
        p.had_fence = true;
        p.now = packet::stage::in_flight;
        p.held = e.asked.has_value();
        p.given = false;
        ++p.submitted;
        ++w_.out.count.submissions;
        c.queue.pop_front();
        e.paging_first -= e.paging_first != 0 ? 1U : 0U;
        w_.areas[c.area].resident = true;
        e.flights.push_back({p.fence, p.number, w_.sequence++});
        e.last_submitted = p.fence;
        e.quiet_since = e.flights.size() == 1 ? w_.step : e.quiet_since;
        p.flow = w_.new_flow();
        w_.event(e, "submit " + world::name(p) + " as " + world::hex(p.fence), p.flow);
        if (p.held) {
            w_.held(rule::amb_45);
        }
        submission_arguments const s = arguments(p, c);
        call_patch(p, s);
        bool const in_virtual = w_.opt.virtual_addresses;
        ntstatus answer;
        {
            driver_call const call(w_, in_virtual ? "submit_command_virtual" : "submit_command",
                                   wddmcore_dispatch_level);
            answer = in_virtual ? w_.calls.submit_virtual(w_.table, s) : w_.calls.submit(w_.table, s);
            broadcasts_.compare();
        }
        if (in_virtual && answer == status::invalid_parameter && p.invalid) {
            reject(e, p);
            return;
        }
        bool const smaller = !first && static_cast<std::int32_t>(p.fence - newest) <= 0;
        rule const which = smaller ? rule::pre_18 : p.start == p.end ? rule::ctx_05 : rule::pre_30;
        w_.check(answer == status::success, which, "a submission is refused", e);
    }

    void preempt(os_engine& e) {
        request r;
        r.fence = e.next_id++;
        r.before = w_.sequence;
        r.at = w_.now();
        r.step = w_.step;
        r.was_idle = e.flights.empty();
        r.progress = w_.hw_of(e).progress;
        r.found_waiting = w_.hw_of(e).waiting;
        r.flow = w_.new_flow();
        e.asked = r;
        flips::disturb(w_, true);
        w_.event(e, "preempt with " + world::hex(r.fence), r.flow);
        mirror::win8::dxgkarg_preemptcommand args{};
        args.PreemptionFenceId = r.fence;
        args.NodeOrdinal = e.node;
        args.EngineOrdinal = e.engine;
        driver_call const call(w_, "preempt_command", wddmcore_dispatch_level);
        ntstatus const answer = w_.table.preempt_command(w_.table.adapter, &args);
        w_.check(answer == status::success, rule::pre_09, "the preempt function fails", e);
        bool const unanswered = e.asked && e.asked->fence == r.fence;
        // Drivers may report what has finished before they answer; then nothing is left that could end the request.
        bool const is_idle = unanswered && !e.asked->asked && e.flights.empty();
        if (unanswered && (r.was_idle || is_idle)) {
            w_.broken(rule::pre_10, "everything was reported and the preemption is not reported at once", e);
        }
    }

    void query_fence(os_engine& e) {
        mirror::win8::dxgkarg_querycurrentfence args{};
        args.NodeOrdinal = e.node;
        args.EngineOrdinal = e.engine;
        driver_call const call(w_, "query_current_fence", wddmcore_passive_level);
        ntstatus const answer = w_.table.query_current_fence(w_.table.adapter, &args);
        w_.check(answer == status::success, rule::int_08, "query-current-fence fails", e);
        if (system_.scheduler_side().last_is_right(e, args.CurrentFence, rule::int_08)) {
            system_.scheduler_side().nothing_left(e, rule::int_08);
        }
    }

    void create(context& c) {
        wddmcore_context_arguments args{};
        args.node_ordinal = c.node;
        args.engine_affinity = 1U << c.engine;
        args.system_context = c.system ? 1 : 0;
        args.save_area = c.area;
        driver_call const call(w_, "create_context", wddmcore_passive_level);
        static_cast<void>(w_.table.create_context(w_.table.adapter, &args));
        c.handle = args.context;
    }

    void destroy(context& c) {
        driver_call const call(w_, "destroy_context", wddmcore_passive_level);
        static_cast<void>(w_.table.destroy_context(w_.table.adapter, c.handle));
        c.destroyed = true;
    }

    /// The packet never comes (back) to the hardware.
    void cancel(packet& p) {
        context& c = w_.context_of(p);
        if (p.half) {
            w_.areas[c.area].cancelled = true;
        }
        p.half = false;
        p.signalled = true;
        p.now = packet::stage::cancelled;
        ++w_.out.count.cancelled;
        w_.event(w_.os_of(c), "cancel " + world::name(p));
        flips::disturb(w_, false);
        if (w_.table.cancel_command == nullptr) {
            return;
        }
        submission_arguments s = arguments(p, c);
        s.host_buffer = buffers_.of(p).data();
        driver_call const call(w_, "cancel_command", wddmcore_passive_level);
        ntstatus const answer = w_.calls.cancel(w_.table, s);
        w_.check(answer == status::success, rule::tdr_14, "cancel fails", w_.os_of(c));
    }

    /// The bytes of DMA buffers whose packets are all over are nobody's any more.
    void forget_buffers() {
        broadcasts_.compare();
        buffers_.forget_over();
        broadcasts_.forget_over();
    }
    /// A new buffer is about to be at this address.
    void forget_buffer(std::uint64_t address) {
        buffers_.forget(address);
        broadcasts_.forget_over();
    }

private:
    [[nodiscard]] submission_arguments arguments(packet& p, context const& c) {
        submission_arguments s;
        s.context = p.null_handle ? nullptr : c.handle;
        // In system memory it is the physical address: where the GPU sees that is for the driver to add.
        s.buffer = p.buffer - w_.opt.buffers_base();
        s.buffer_size = p.buffer_size;
        s.start = p.start;
        s.end = p.end;
        p.private_data.invalid = p.invalid ? 1 : 0;
        p.private_data.address = p.buffer + p.start;
        s.private_data = &p.private_data;
        s.private_size = static_cast<std::uint32_t>(sizeof p.private_data);
        s.fence = p.fence;
        s.flags = (p.paging ? submit_flags::paging : 0) | (p.null_rendering ? submit_flags::null_rendering : 0) |
                  (p.is == packet::kind::context_switch ? submit_flags::context_switch : 0) |
                  (p.came_back && w_.is_2_0() ? submit_flags::resubmission : 0);  // PRE-19
        s.node = c.node;
        s.paging = p.paging;
        return s;
    }

    void call_patch(packet const& p, submission_arguments s) {
        if (!w_.patches() || p.buffer_size == 0) {
            return;
        }
        s.host_buffer = buffers_.of(p).data();
        driver_call const call(w_, "patch", wddmcore_passive_level);
        w_.check(w_.calls.patch(w_.table, s) == status::success, rule::pre_30, "patch fails",
                 w_.os_of(w_.context_of(p)));
        broadcasts_.patched(p);
    }

    void reject(os_engine& e, packet& p) {
        p.silent = true;
        p.signalled = true;
        ++w_.out.count.rejected;
        w_.held(rule::pre_30);
        w_.event(e, world::name(p) + " is rejected");
        if (p.given) {
            w_.broken(rule::pre_30, world::name(p) + " is rejected and was given to the engine", e);
        }
        flights_.retire_silent(e);
    }

    world& w_;
    system_services& system_;
    flights flights_;
    host_buffers buffers_;
    broadcasts broadcasts_;
};

}  // namespace wddmcore::testing::scheduler::parts
