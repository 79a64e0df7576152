// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "mistakes.hpp"

#include <wddmcore/preemption.hpp>
#include <wddmcore/testing/scheduler/hardware_queues.hpp>

#include <cstdint>
#include <deque>
#include <vector>

namespace queue_driver {

using wddmcore::ntstatus;
using wddmcore::u64;
using wddmcore::u8;
namespace status = wddmcore::status;
using namespace wddmcore::preemption;
using types = wddmcore::testing::hardware_queues::queue_types;

struct context {
    std::uint32_t node = 0;
    u64 area = 0;
    void* system = nullptr;
    hw_context machine;
    u64 newest = 0;
    bool caught = false;
    bool gone = false;
    bool asked_and_resumed = false;
};

struct room {
    u8 bytes[sizeof(wddmcore_hw_submission_private_data)];
};

struct queue {
    context* of = nullptr;
    u64 ring = 0;
    std::vector<room> rooms;  // one for each packet that can be in flight
    std::uint64_t submitted = 0;
};

struct node {
    hw_context_list<u64> list;
    u64 switches = 0;
    scheduling_log log;
    types::log_buffer* buffer = nullptr;
};

struct native_fence {
    void* system = nullptr;
    u64 current = 0;
};

/// What the driver does with the hardware and the records.
class hardware_side {
public:
    explicit hardware_side(mistake wrong = mistake::none) : wrong_(wrong) {}

protected:
    [[nodiscard]] bool is(mistake what) const { return wrong_ == what; }
    [[nodiscard]] wddmcore_queue_gpu const& gpu() const { return *gpu_; }
    [[nodiscard]] wddmcore_queue_services const& services() const { return *services_; }
    [[nodiscard]] wddmcore_system_services const& common() const { return *services_->common; }

    template <class Notify>
    void start(wddmcore_queue_services const& services, wddmcore_queue_gpu const& gpu) {
        services_ = &services;
        gpu_ = &gpu;
        nodes_.resize(gpu.node_count);
        suspended_ = [](hardware_side const& d, context const& c, u64 fence) {
            Notify data{};
            fill_suspended(data, c.system, fence);  // AMB-62
            d.notify(&data);
        };
        switched_ = [](hardware_side const& d, std::uint32_t n, u64 fence) {
            Notify data{};
            fill_list_switched(data, fence, {n, 0});
            d.notify(&data);
        };
        if constexpr (requires(Notify& data) { data.NativeFenceSignaled; }) {
            signaled_ = [](hardware_side const& d, void* system) {
                Notify data{};
                data.InterruptType = 19;
                data.NativeFenceSignaled = {};
                data.NativeFenceSignaled.SignaledNativeFenceCount = 1;
                data.NativeFenceSignaled.pSignaledNativeFenceArray = &system;
                d.notify(&data);
            };
        }
    }

    /// Runs at device level, kept apart from the interrupt routine.
    template <class Body>
    void locked(Body&& body) {
        auto const routine = [](void* at) -> int {
            (*static_cast<Body*>(at))();
            return 0;
        };
        run_locked<Body>(body, routine);
    }

    void report_suspended(context const& c, u64 fence) const {
        if (!is(mistake::never_reports_suspension)) {
            suspended_(*this, c, is(mistake::fence_of_32_bits) ? fence & 0xFFFF'FFFF : fence);
        }
    }
    void report_switched(std::uint32_t n, u64 fence) const {
        if (!is(mistake::never_reports_switch)) {
            switched_(*this, n, fence);
        }
    }
    void report_signaled(native_fence const& f) const { signaled_(*this, f.system); }

    void append(queue& q, queue_submission const& what, room& copy, types::submit const& args) {
        bool const released = (gpu().fence_release_nodes >> q.of->node & 1) != 0;
        bool const retirement = fence_writer_of(released, false) == fence_writer_of_queue::retirement;
        wddmcore_queue_packet p{};
        p.flags = !retirement || is(mistake::no_fence) ? 0U
                  : is(mistake::fence_when_read)       ? unsigned{wddmcore_queue_fence_when_read}
                                                       : unsigned{wddmcore_queue_fence_when_retired};
        p.bytes = what.buffer_bytes;
        p.buffer = what.buffer.n;
        p.fence_address = what.progress_fence_at.n;
        p.fence_value = what.progress_fence;
        p.private_data = is(mistake::keeps_private_data) ? args.pDmaBufferPrivateData : copy.bytes;
        p.private_data_bytes = what.private_data_bytes;
        if (is(mistake::copies_half)) {
            for (std::size_t i = sizeof copy.bytes / 2; i != sizeof copy.bytes; ++i) {
                copy.bytes[i] = 0;
            }
        }
        if (is(mistake::copies_in_dpc)) {
            copy = {};
            late_copies_.push_back({&copy, args.pDmaBufferPrivateData});
            common().queue_dpc(common().system);
        }
        if (is(mistake::fence_at_submission)) {
            *static_cast<u64*>(args.HwQueueProgressFenceCpuVa) = what.progress_fence;
        }
        gpu().append(gpu().gpu, q.of->node, q.ring, &p);
    }

    /// Takes what a node has to tell. @return whether there was something
    bool service(std::uint32_t n) {
        wddmcore_queue_event e{};
        bool any = false;
        while (gpu().next_event(gpu().gpu, n, &e) != 0) {
            any = true;
            handle(n, e);
        }
        return any;
    }

    /// Reads what a node has to tell, for the DPC. @return whether there was something
    bool read(std::uint32_t n) {
        wddmcore_queue_event e{};
        bool any = false;
        while (gpu().next_event(gpu().gpu, n, &e) != 0) {
            any = true;
            read_.push_back({n, e});
        }
        return any;
    }
    void handle_read() {
        for (read_event const& each : std::exchange(read_, {})) {
            handle(each.node, each.what);
        }
    }

    /// One monitored value. @return whether the fence is signaled already
    [[nodiscard]] bool update(native_fence const& f, fence_value monitored, u64* at) const {
        auto const barrier = [this] { gpu().see_monitored_values(gpu().gpu); };
        auto const load = [&] { return fence_value{gpu().current_value(gpu().gpu, f.current)}; };
        fence_value const before = is(mistake::reads_before_store) ? load() : fence_value{0};
        if (is(mistake::barrier_before_store)) {
            barrier();
        }
        bool const signaled = update_monitored_value(
            monitored,
            [&](fence_value value) {
                if (!is(mistake::stores_nothing)) {
                    *at = value.n;
                }
            },
            [&] {
                if (!is(mistake::no_barrier) && !is(mistake::barrier_before_store)) {
                    barrier();
                }
            },
            [&] { return is(mistake::reads_before_store) ? before : load(); });
        bool const equal = is(mistake::interrupts_at_equal) && load() == monitored;
        return (signaled || equal) && !is(mistake::decides_nothing);
    }

    struct late_copy {
        room* to;
        void const* from;
    };

    struct read_event {
        std::uint32_t node;
        wddmcore_queue_event what;
    };

    std::deque<context> contexts_;
    std::deque<queue> queues_;
    std::deque<node> nodes_;
    std::deque<native_fence> fences_;
    std::vector<late_copy> late_copies_;
    std::vector<read_event> read_;

private:
    template <class Body, class Routine>
    void run_locked(Body& body, Routine) {
        if (common().current_irql(common().system) == wddmcore_device_level || is(mistake::notifies_at_passive_level)) {
            body();
            return;
        }
        common().synchronize_execution(common().system, &call_body<Body>, &body, 0, nullptr);
    }
    template <class Body>
    static int WDDMCORE_DRIVER_CALL call_body(void* body) {
        (*static_cast<Body*>(body))();
        return 0;
    }

    void notify(void const* data) const {
        common().notify_interrupt(common().system, data);
        if (!is(mistake::no_dpc)) {
            common().queue_dpc(common().system);
        }
    }

    [[nodiscard]] context* find(std::uint32_t n, u64 area) {
        for (context& c : contexts_) {
            if (c.node == n && c.area == area && !c.gone) {
                return &c;
            }
        }
        return nullptr;
    }

    void handle(std::uint32_t n, wddmcore_queue_event const& e) {
        switch (e.type) {
            case wddmcore_queue_suspended: suspended(n, e); break;
            case wddmcore_queue_list_switched:
                if (nodes_[n].list.switched(e.value).report && !is(mistake::reports_switch_at_once)) {
                    report_switched(n, e.value);
                }
                break;
            case wddmcore_queue_fence_signaled:
                for (native_fence const& f : fences_) {
                    if (f.current == e.value && !is(mistake::drops_signal)) {
                        report_signaled(f);
                    }
                }
                break;
            default: log(n, e); break;
        }
    }

    void suspended(std::uint32_t n, wddmcore_queue_event const& e) {
        context* const c = find(n, e.context);
        if (c == nullptr) {
            return;
        }
        bool const any = is(mistake::takes_any_acknowledgement) && c->machine.state() == hw_context_state::suspending;
        bool const first = is(mistake::asks_once_for_two) && c->asked_and_resumed;
        hw_answer const demanded = c->machine.acknowledged(any ? c->newest : e.value);
        if (demanded.has(hw_action::report) && !is(mistake::reports_before_acknowledgement) && !first) {
            report_suspended(*c, demanded.suspend_fence);
        }
    }

    // The driver writes the log itself: every member, for entries are not zeroed (HWS-09).
    void log(std::uint32_t n, wddmcore_queue_event const& e) {
        node& here = nodes_[n];
        context const* const c = find(n, e.context);
        auto const place = here.log.claim();
        if (!place.ok() || c == nullptr || here.buffer == nullptr) {
            if (place.ok()) {
                write(here, place.get(), e, nullptr);
            }
            return;
        }
        write(here, place.get(), e, c);
    }

    void write(node& here, log_place place, wddmcore_queue_event const& e, context const* c) {
        auto& entry = here.buffer->Entries[place.index];
        entry.GpuTimeStamp = e.value;
        entry.OperationType = 0;
        entry.ReservedOperationTypeBits = 0;
        if (!is(mistake::writes_half_entry)) {
            // One that was destroyed meanwhile has no handle: it is named by any that still means something.
            entry.ContextStateChange.hKmdContext = const_cast<context*>(c != nullptr ? c : &contexts_.front());
            entry.ContextStateChange.newContextState = e.state;
        }
        here.log.finished(place);
        here.buffer->Header.AtomicWraparoundAndEntryIndex.QuadPart = here.log.index_and_wraps();
    }

    mistake wrong_;
    wddmcore_queue_services const* services_ = nullptr;
    wddmcore_queue_gpu const* gpu_ = nullptr;
    void (*suspended_)(hardware_side const&, context const&, u64) = nullptr;
    void (*switched_)(hardware_side const&, std::uint32_t, u64) = nullptr;
    void (*signaled_)(hardware_side const&, void*) = nullptr;
};

}  // namespace queue_driver
