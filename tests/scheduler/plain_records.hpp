// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "mistakes.hpp"

#include <wddmcore/testing/scheduler/calls/bindings.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>

namespace plain {

/// Addresses of a packet's first byte and of its end.
struct window {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    [[nodiscard]] bool operator==(window const&) const = default;
};

/// A context, and the packet that was stopped half run in it.
struct context_state {
    std::uint32_t node = 0;
    std::uint32_t engine = 0;
    std::uint64_t area = 0;
    bool system = false;
    std::optional<window> stopped;
};

/// A submission that is not reported yet.
struct entry {
    std::uint32_t fence = 0;
    context_state* own = nullptr;
    wddmcore_gpu_packet packet{};
    bool silent = false;  ///< rejected (PRE-30)
    bool handed = false;  ///< in the engine's ring
    bool paging = false;
    bool came_back = false;
};

/// One engine.
struct engine_state {
    std::uint32_t node = 0;
    std::uint32_t engine = 0;
    std::deque<entry> entries;
    std::deque<wddmcore_gpu_status> read_only;  ///< and not told yet
    std::size_t mark = 0;                       ///< while stopping: entries before the request
    bool stopping = false;                      ///< a request is outstanding
    bool halted = false;                        ///< by a fault
    std::uint32_t request = 0;
    std::uint32_t generation = 0;
    std::uint32_t next_serial = 0xFFFF'FFF0;  // wraps soon
    std::uint32_t last = 0;
    std::uint32_t progress = 0;
    std::uint32_t progress_at_request = 0;
    // For mistakes only.
    std::uint32_t newest = 0;
    std::set<std::uint32_t> seen;
    bool waiting = false;
    bool report_later = false;
    std::uint32_t dead_request = 0;
};

/// How records of one interface version are notified.
struct notifiers {
    void (*completed)(wddmcore_system_services const&, std::uint32_t fence, std::uint32_t node, std::uint32_t engine);
    void (*preempted)(wddmcore_system_services const&, std::uint32_t fence, std::uint32_t last, std::uint32_t node,
                      std::uint32_t engine);
    void (*faulted)(wddmcore_system_services const&, std::uint32_t fence, bool unknown, bool old_type,
                    std::uint32_t node, std::uint32_t engine);
};

template <class Types>
[[nodiscard]] notifiers notifiers_of() {
    using data = typename Types::notify;
    notifiers n{};
    n.completed = [](wddmcore_system_services const& s, std::uint32_t fence, std::uint32_t node, std::uint32_t engine) {
        data d{};
        d.InterruptType = 1;
        d.DmaCompleted = {fence, node, engine};
        s.notify_interrupt(s.system, &d);
    };
    n.preempted = [](wddmcore_system_services const& s, std::uint32_t fence, std::uint32_t last, std::uint32_t node,
                     std::uint32_t engine) {
        data d{};
        d.InterruptType = 2;
        d.DmaPreempted = {fence, last, node, engine};
        s.notify_interrupt(s.system, &d);
    };
    n.faulted = [](wddmcore_system_services const& s, std::uint32_t fence, bool unknown, bool old_type,
                   std::uint32_t node, std::uint32_t engine) {
        data d{};
        if constexpr (requires { d.DmaPageFaulted; }) {
            d.InterruptType = 9;
            d.DmaPageFaulted = {};
            d.DmaPageFaulted.FaultedFenceId = fence;
            d.DmaPageFaulted.PageFaultFlags = unknown ? 2 : 0;
            d.DmaPageFaulted.NodeOrdinal = node;
            d.DmaPageFaulted.EngineOrdinal = engine;
        }
        if (old_type) {
            d.InterruptType = 4;
            d.DmaFaulted = {fence, 0, node, engine};
        }
        s.notify_interrupt(s.system, &d);
    };
    return n;
}

/// The part of the driver that talks to the system: the lock, the records, the mistakes it is told to make.
class recorder {
public:
    std::uint32_t also_tells = 0;  ///< a type of record that comes beside each completion
    explicit recorder(mistake makes = mistake::none) : wrong_(makes) {}

protected:
    [[nodiscard]] bool is(mistake which) const { return which == wrong_; }

    void start(wddmcore_system_services const& services, wddmcore_gpu const& gpu, notifiers how) {
        services_ = &services;
        gpu_ = &gpu;
        notify_ = how;
        for (std::uint32_t n = 0; n < gpu.node_count; ++n) {
            for (std::uint32_t k = 0; k < gpu.engine_count; ++k) {
                engine_state e;
                e.node = n;
                e.engine = k;
                engines_.push_back(e);
            }
        }
    }

    template <class Body>
    static int WDDMCORE_DRIVER_CALL call_body(void* body) {
        (*static_cast<Body*>(body))();
        return 0;
    }

    /// Runs `body` where the interrupt routine does not run.
    template <class Body>
    void locked(Body body) {
        unsigned const message = is(mistake::other_message) ? 1 : 0;
        services_->synchronize_execution(services_->system, &call_body<Body>, &body, message, nullptr);
    }

    [[nodiscard]] std::uint32_t last_of(engine_state const& e) const {
        return is(mistake::one_last_for_all) ? last_anywhere_ : e.last;
    }

    void notify_completed(engine_state& e, std::uint32_t fence) {
        last_anywhere_ = fence;
        if (also_tells != 0) {
            wddmcore::mirror::v3_1::dxgkargcb_notify_interrupt_data other{};
            other.InterruptType = also_tells;
            services_->notify_interrupt(services_->system, &other);
        }
        notify_->completed(*services_, fence, node_of(e), engine_of_record(e));
        later(e);
    }
    void notify_preempted(engine_state& e, std::uint32_t request, std::uint32_t last) {
        notify_->preempted(*services_, request, last, node_of(e), engine_of_record(e));
        later(e);
    }
    void notify_faulted(engine_state& e, std::uint32_t fence, bool unknown) {
        notify_->faulted(*services_, fence, unknown, is(mistake::old_fault_type), node_of(e), engine_of_record(e));
        later(e);
    }

    wddmcore_system_services const* services_ = nullptr;
    wddmcore_gpu const* gpu_ = nullptr;
    std::deque<engine_state> engines_;
    std::deque<context_state> contexts_;

private:
    [[nodiscard]] std::uint32_t node_of(engine_state const& e) const {
        return is(mistake::node_0_in_records) ? 0 : e.node;
    }
    [[nodiscard]] std::uint32_t engine_of_record(engine_state const& e) const {
        return is(mistake::engine_1_in_records) ? 1 : e.engine + (is(mistake::adapters_from_1_in_records) ? 1U : 0U);
    }

    void later(engine_state& e) {
        if (!is(mistake::no_dpc)) {
            services_->queue_dpc(services_->system);
        }
        if (e.report_later) {
            e.report_later = false;
            notify_->preempted(*services_, e.dead_request, e.last, e.node, e.engine);
        }
    }

    std::optional<notifiers> notify_;
    std::uint32_t last_anywhere_ = 0;
    mistake wrong_;
};

}  // namespace plain
