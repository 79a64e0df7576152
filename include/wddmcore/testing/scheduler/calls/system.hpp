// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../display/vsync_records.hpp"
#include "../hardware/registers.hpp"
#include "../records.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::scheduler::parts {

/// The system's services, and interrupts and DPCs as the driver gets them.
class system_services {
public:
    system_services(world& w, registers& gpu) : w_(w), gpu_(gpu), records_(w), vsyncs_(w) {
        table_.size = static_cast<unsigned>(sizeof table_);
        table_.system = this;
        table_.notify_interrupt = &call_notify;
        table_.queue_dpc = &call_queue_dpc;
        table_.notify_dpc = &call_notify_dpc;
        table_.synchronize_execution = &call_synchronize;
        table_.current_irql = &call_irql;
        w.between_instructions = [this] { between_instructions(); };
    }
    system_services(system_services const&) = delete;
    system_services& operator=(system_services const&) = delete;

    [[nodiscard]] wddmcore_system_services const& table() const { return table_; }

    /// Delivers the interrupt if there is one; otherwise, if `spurious`, one of another device on the same line.
    void interrupt(bool spurious) {
        bool const ours = gpu_.interrupts();
        if (!ours && !spurious) {
            return;
        }
        bool const in_dpc = std::string_view(w_.call) == "dpc_routine";
        driver_call const call(w_, "interrupt_routine", wddmcore_device_level);
        w_.in_interrupt = true;
        w_.notified = false;
        w_.vsync_notified = false;
        ++w_.out.count.interrupts;
        bool const taken = w_.table.interrupt_routine(w_.table.adapter, 0) != 0;
        w_.in_interrupt = false;
        w_.held(rule::int_04);
        os_engine& any = w_.os.front();
        w_.check(taken == ours, rule::int_05,
                 ours ? "the driver does not take its own interrupt" : "the driver takes an interrupt of somebody else",
                 any);
        if (ours) {
            w_.check(!gpu_.interrupts(), rule::int_05, "the interrupt is not dismissed", any);
        }
        check_dpc_queued();
        if (ours && !w_.dpc_queued) {
            records_.nothing_left(rule::int_07);
            if (!in_dpc) {  // which may be about to tell
                vsyncs_.nothing_left();
            }
        }
    }

    /// Runs the DPC if it is queued.
    void dpc() {
        if (!w_.dpc_queued) {
            return;
        }
        driver_call const call(w_, "dpc_routine", wddmcore_dispatch_level);
        w_.dpc_queued = false;
        w_.told_dpc = false;
        bool const owed = w_.record_waits;
        bool const vsync = w_.vsync_waits;
        w_.table.dpc_routine(w_.table.adapter);
        if (owed || vsync) {
            w_.check(w_.told_dpc, owed ? rule::int_01 : rule::flp_05, "the DPC does not call notify-DPC",
                     w_.os.front());
            w_.record_waits = w_.record_waits && w_.notified && !w_.told_dpc;
            w_.vsync_waits = w_.vsync_waits && w_.vsync_notified && !w_.told_dpc;
        }
        // A driver may report from here, or from a thread that it wakes here: what it read before must be told by now.
        records_.nothing_left(rule::int_07);
        vsyncs_.nothing_left();
    }

    /// Delivers everything that is pending.
    void settle() {
        for (int rounds = 0; rounds < 8 && (gpu_.interrupts() || w_.dpc_queued); ++rounds) {
            interrupt(false);
            dpc();
        }
    }

    [[nodiscard]] records& scheduler_side() { return records_; }

private:
    [[nodiscard]] static system_services& of(void* system) { return *static_cast<system_services*>(system); }

    static void WDDMCORE_DRIVER_CALL call_notify(void* system, void const* data) { of(system).notify(data); }
    static int WDDMCORE_DRIVER_CALL call_queue_dpc(void* system) { return of(system).queue_dpc() ? 1 : 0; }
    static void WDDMCORE_DRIVER_CALL call_notify_dpc(void* system) { of(system).notify_dpc(); }
    static int WDDMCORE_DRIVER_CALL call_synchronize(void* system, int(WDDMCORE_DRIVER_CALL* routine)(void*),
                                                     void* context, unsigned message, int* returned) {
        int const answer = of(system).synchronize(routine, context, message);
        if (returned != nullptr) {
            *returned = answer;
        }
        return status::success;
    }
    static unsigned WDDMCORE_DRIVER_CALL call_irql(void* system) { return of(system).w_.irql; }

    void notify(void const* data) {
        record const r = w_.calls.read(data);
        bool const exists = r.known && r.node < w_.opt.nodes && r.engine < w_.opt.engines;
        os_engine& e = exists ? w_.os[w_.index_of(r.node, r.engine)] : w_.os.front();
        w_.check(w_.irql == wddmcore_device_level, rule::int_03, "a record is notified below device level", e);
        if (std::string_view(w_.call) == "cancel_command") {
            w_.broken(rule::tdr_14, "cancel notifies a record", e);
        }
        if (vsyncs_.judges(r)) {
            w_.vsync_notified = true;
            w_.vsync_waits = true;
            vsyncs_.take(r);
            return;
        }
        if (w_.in_interrupt && !w_.sources.empty()) {
            w_.check(!w_.vsync_notified, rule::int_02, "a record of packets comes after a vsync in one interrupt", e);
        }
        w_.notified = true;
        w_.record_waits = true;
        records_.take(r);
    }

    [[nodiscard]] bool queue_dpc() { return !std::exchange(w_.dpc_queued, true); }

    void notify_dpc() {
        w_.check(w_.irql == wddmcore_dispatch_level, rule::irq_02, "notify-DPC outside of dispatch level",
                 w_.os.front());
        w_.told_dpc = true;
        w_.record_waits = false;
        w_.vsync_waits = false;
    }

    int synchronize(int(WDDMCORE_DRIVER_CALL* routine)(void*), void* context, unsigned message) {
        os_engine& any = w_.os.front();
        if (w_.irql == wddmcore_device_level) {
            bool const flips = std::string_view(w_.call) == "set_vidpn_source_address";
            w_.broken(flips ? rule::flp_03 : rule::int_04, "synchronize-execution at device level", any);
            return routine(context);
        }
        w_.check(message == 0, rule::int_03, "synchronize-execution for another message than the interrupt's", any);
        between_instructions();
        unsigned const before = std::exchange(w_.irql, unsigned{wddmcore_device_level});
        w_.notified = false;
        w_.vsync_notified = false;
        int const answer = routine(context);
        check_dpc_queued();
        w_.irql = before;
        return answer;
    }

    void check_dpc_queued() {
        if (w_.notified || w_.vsync_notified) {
            w_.check(w_.dpc_queued, w_.notified ? rule::int_01 : rule::flp_05,
                     "a record was notified and no DPC is queued", w_.os.front());
        }
        w_.notified = false;
        w_.vsync_notified = false;
    }

    // The engines go on while the driver runs, and at dispatch level it can be interrupted.
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
    vsync_records vsyncs_;
    wddmcore_system_services table_{};
};

}  // namespace wddmcore::testing::scheduler::parts
