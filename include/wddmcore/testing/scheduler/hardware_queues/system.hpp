// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "hardware/registers.hpp"
#include "records.hpp"

#include <string_view>

namespace wddmcore::inline WDDMCORE_ABI::testing::hardware_queues::parts {

/// The system's services, and interrupts and DPCs as the driver gets them.
class system_services {
public:
    system_services(world& w, registers& gpu) : w_(w), gpu_(gpu), records_(w) {
        common_.size = static_cast<unsigned>(sizeof common_);
        common_.system = this;
        common_.notify_interrupt = &call_notify;
        common_.queue_dpc = &call_queue_dpc;
        common_.notify_dpc = &call_notify_dpc;
        common_.synchronize_execution = &call_synchronize;
        common_.current_irql = &call_irql;
        table_.size = static_cast<unsigned>(sizeof table_);
        table_.system = this;
        table_.common = &common_;
        table_.invalidate_hw_context = &call_invalidate;
        table_.native_fences_enabled = &call_enabled;
        w.between_instructions = [this] { between_instructions(); };
        w.gpu_goes_on = [this] { gpu_.advance(false); };
    }
    system_services(system_services const&) = delete;
    system_services& operator=(system_services const&) = delete;

    [[nodiscard]] wddmcore_queue_services const& table() const { return table_; }

    [[nodiscard]] registers& gpu() { return gpu_; }
    [[nodiscard]] records& system_side() { return records_; }

    /// Delivers the interrupt if there is one; otherwise, if `spurious`, one of another device on the same line.
    void interrupt(bool spurious) {
        bool const ours = gpu_.interrupts();
        if ((!ours && !spurious) || w_.stopped) {
            return;
        }
        driver_call const call(w_, "interrupt_routine", wddmcore_device_level);
        w_.in_interrupt = true;
        w_.notified = false;
        ++w_.out.count.interrupts;
        bool const taken = w_.table.interrupt_routine(w_.table.adapter, 0) != 0;
        w_.in_interrupt = false;
        os_node& any = w_.nodes.front();
        w_.check(taken == ours, rule::int_05,
                 ours ? "the driver does not take its own interrupt" : "the driver takes an interrupt of somebody else",
                 any);
        if (ours) {
            w_.check(!gpu_.interrupts(), rule::int_05, "the interrupt is not dismissed", any);
        }
        check_dpc_queued();
        if (ours && !w_.dpc_queued) {
            records_.nothing_left();
        }
    }

    /// Runs the DPC if it is queued.
    void dpc() {
        if (!w_.dpc_queued || w_.stopped) {
            return;
        }
        driver_call const call(w_, "dpc_routine", wddmcore_dispatch_level);
        w_.dpc_queued = false;
        w_.told_dpc = false;
        bool const owed = w_.record_waits;
        w_.table.dpc_routine(w_.table.adapter);
        if (owed) {
            w_.check(w_.told_dpc, rule::int_01, "the DPC does not call notify-DPC", w_.nodes.front());
            w_.record_waits = w_.record_waits && w_.notified && !w_.told_dpc;
        }
        // A driver may report from here: what it read before must be told by now.
        records_.nothing_left();
    }

    /// Delivers everything that is pending.
    void settle() {
        for (int rounds = 0; rounds < 8 && (gpu_.interrupts() || w_.dpc_queued); ++rounds) {
            interrupt(false);
            dpc();
        }
    }

    /// After a call at device level, or a routine under the lock: a record wants a DPC (INT-01).
    void check_dpc_queued() {
        if (w_.notified) {
            w_.check(w_.dpc_queued, rule::int_01, "a record was notified and no DPC is queued", w_.nodes.front());
        }
        w_.notified = false;
    }

private:
    [[nodiscard]] static system_services& of(void* system) { return *static_cast<system_services*>(system); }

    static void WDDMCORE_DRIVER_CALL call_notify(void* s, void const* data) { of(s).notify(data); }
    static int WDDMCORE_DRIVER_CALL call_queue_dpc(void* s) { return std::exchange(of(s).w_.dpc_queued, true) ? 0 : 1; }
    static void WDDMCORE_DRIVER_CALL call_notify_dpc(void* s) { of(s).notify_dpc(); }
    static int WDDMCORE_DRIVER_CALL call_synchronize(void* s, int(WDDMCORE_DRIVER_CALL* routine)(void*), void* context,
                                                     unsigned message, int* returned) {
        int const answer = of(s).synchronize(routine, context, message);
        if (returned != nullptr) {
            *returned = answer;
        }
        return status::success;
    }
    static unsigned WDDMCORE_DRIVER_CALL call_irql(void* s) { return of(s).w_.irql; }
    static int WDDMCORE_DRIVER_CALL call_invalidate(void* s, void const* args) {
        of(s).invalidate(*static_cast<queue_types::invalidate const*>(args));
        return status::success;
    }
    static int WDDMCORE_DRIVER_CALL call_enabled(void* s) {
        world& w = of(s).w_;
        w.was_told_enabled = w.was_told_enabled || w.opt.native_fences_enabled;
        return w.opt.native_fences_enabled ? 1 : 0;
    }

    void notify(void const* data) {
        w_.check(w_.irql == wddmcore_device_level, rule::int_03, "a record is notified below device level",
                 w_.nodes.front());
        w_.notified = true;
        w_.record_waits = true;
        records_.take(w_.read(data));
    }

    void notify_dpc() {
        w_.check(w_.irql == wddmcore_dispatch_level, rule::irq_02, "notify-DPC outside of dispatch level",
                 w_.nodes.front());
        w_.told_dpc = true;
        w_.record_waits = false;
    }

    int synchronize(int(WDDMCORE_DRIVER_CALL* routine)(void*), void* context, unsigned message) {
        if (w_.irql == wddmcore_device_level) {
            w_.broken(rule::int_04, "synchronize-execution at device level", w_.nodes.front());
            return routine(context);
        }
        w_.check(message == 0, rule::int_03, "synchronize-execution for another message than the interrupt's",
                 w_.nodes.front());
        between_instructions();
        unsigned const before = std::exchange(w_.irql, unsigned{wddmcore_device_level});
        w_.notified = false;
        int const answer = routine(context);
        check_dpc_queued();
        w_.irql = before;
        return answer;
    }

    void invalidate(queue_types::invalidate const& args) {
        for (os_context& c : w_.contexts) {
            if (args.hHwContext == world::system_handle(world::context_handles, c.index) && !c.destroyed) {
                c.invalid = true;
                w_.event(w_.node_of(c), world::name(c) + " is invalidated");
                w_.check(w_.irql == wddmcore_passive_level, rule::hws_08,
                         world::name(c) + " is invalidated above passive level", w_.node_of(c));
                return;
            }
        }
        w_.broken(rule::hws_08, "a context is invalidated that does not exist", w_.nodes.front());
    }

    // The nodes go on while the driver runs, and below device level it can be interrupted.
    void between_instructions() {
        if (w_.quiet || w_.irql >= wddmcore_device_level || w_.stopped ||
            !w_.hardware_random.chance(w_.opt.chances.interrupt_inside)) {
            return;
        }
        w_.quiet = true;
        gpu_.advance(false);
        interrupt(false);
        w_.quiet = false;
    }

    world& w_;
    registers& gpu_;
    records records_;
    wddmcore_system_services common_{};
    wddmcore_queue_services table_{};
};

}  // namespace wddmcore::testing::hardware_queues::parts
