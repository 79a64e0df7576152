// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "system.hpp"

#include <cstring>

namespace wddmcore::inline WDDMCORE_ABI::testing::hardware_queues::parts {

/// Arguments that are gone when the call returns: whoever kept a pointer to them finds junk.
template <class Args>
class gone_after {
public:
    gone_after() = default;
    ~gone_after() { std::memset(static_cast<void*>(&whole_), 0xDD, sizeof whole_); }
    gone_after(gone_after const&) = delete;
    gone_after& operator=(gone_after const&) = delete;

    [[nodiscard]] Args& operator*() { return whole_.args; }
    [[nodiscard]] Args* operator->() { return &whole_.args; }

private:
    scheduler::parts::with_room<Args> whole_;
};

/// The calls of the driver that concern contexts, queues and nodes, and what is wrong with their answers.
class ddi {
public:
    explicit ddi(world& w) : w_(w) {}

    /// The calls may come at any level that the system chooses (IRQ-04, IRQ-09).
    [[nodiscard]] unsigned any_level() {
        return w_.random.chance(50) ? unsigned{wddmcore_dispatch_level} : unsigned{wddmcore_passive_level};
    }

    /// A new context with its queues, in a place that is free.
    void create(std::uint32_t slot, std::uint32_t node, std::uint64_t area) {
        os_context c;
        c.index = static_cast<std::uint32_t>(w_.contexts.size());
        c.slot = slot;
        c.node = node;
        c.area = area;
        c.fence = w_.opt.first_fence;
        w_.contexts.push_back(c);
        os_context& own = w_.contexts.back();
        {
            wddmcore_hw_context_private_data data{area};
            gone_after<queue_types::create_context> args;
            args->hHwContext = world::system_handle(world::context_handles, own.index);
            args->NodeOrdinal = node;
            args->EngineAffinity = 1;
            args->pPrivateDriverData = &data;
            args->PrivateDriverDataSize = static_cast<std::uint32_t>(sizeof data);
            driver_call const call(w_, "create_hw_context", wddmcore_passive_level);
            static_cast<void>(w_.table.create_hw_context(w_.table.adapter, &*args));
            own.handle = args->hHwContext;
        }
        w_.event(w_.nodes[node], world::name(own) + " is made");
        for (std::uint32_t i = 0; i < w_.opt.queues; ++i) {
            create_queue(own, slot * w_.opt.queues + i);
        }
        set_properties(own);
    }

    void destroy(os_context& c) {
        w_.event(w_.node_of(c), world::name(c) + " is destroyed");
        for (std::uint32_t const index : c.queues) {
            os_queue& q = w_.queues[index];
            driver_call const call(w_, "destroy_hw_queue", wddmcore_passive_level);
            static_cast<void>(w_.table.destroy_hw_queue(w_.table.adapter, q.handle));
            q.destroyed = true;
        }
        {
            driver_call const call(w_, "destroy_hw_context", wddmcore_passive_level);
            static_cast<void>(w_.table.destroy_hw_context(w_.table.adapter, c.handle));
        }
        if (!w_.stopped) {
            w_.check(w_.find(c) == nullptr, rule::hws_03, world::name(c) + " was destroyed and the GPU refers to it",
                     w_.node_of(c));
        }
        c.destroyed = true;
    }

    void set_properties(os_context& c) {
        if (w_.table.set_context_scheduling_properties == nullptr) {
            return;
        }
        c.band = static_cast<std::uint32_t>(w_.random.below(4));
        c.priority = static_cast<std::int32_t>(w_.random.between(0, 14)) - 7;
        gone_after<queue_types::properties> args;
        args->hContext = c.handle;
        args->priorityBand = c.band;
        args->inProcessPriority = c.priority;
        args->quantum = 1;
        driver_call const call(w_, "set_context_scheduling_properties", any_level());
        int const answer = w_.table.set_context_scheduling_properties(w_.table.adapter, &*args);
        w_.check(answer == status::success, rule::hws_04,
                 "the scheduling properties of " + world::name(c) + " are refused", w_.node_of(c));
    }

    void submit(os_queue& q) {
        packet& p = w_.packets[q.waiting.front()];
        os_context& c = w_.contexts[q.context];
        q.waiting.pop_front();
        q.next_fence += 1 + w_.random.below(3);
        p.fence = q.next_fence;
        p.queue = q.index;
        p.now = packet::stage::submitted;
        q.flying.push_back(p.number);
        ++w_.out.count.submissions;
        bool const suspended = c.wanted != os_context::wish::run;
        w_.event(w_.node_of(c), "submit " + w_.name(p) + " with " + world::hex(p.fence));
        // Kept until the run ends: a driver that kept the pointer reads junk, and not somebody else's memory.
        private_data_.push_back(node_step::expected_state(p.number));
        wddmcore_hw_submission_private_data& data = private_data_.back();
        int answer = 0;
        {
            gone_after<queue_types::submit> args;
            args->hHwQueue = q.handle;
            args->HwQueueProgressFenceId = p.fence;
            args->DmaBufferVirtualAddress = p.buffer;
            args->DmaBufferSize = static_cast<std::uint32_t>(p.commands.size()) * command_bytes;
            args->pDmaBufferPrivateData = &data;
            args->DmaBufferPrivateDataSize = static_cast<std::uint32_t>(sizeof data);
            args->HwQueueProgressFenceGpuVa = q.fence_address;
            args->HwQueueProgressFenceCpuVa = &q.progress;
            driver_call const call(w_, "submit_command_to_hw_queue", any_level());
            answer = w_.table.submit_command_to_hw_queue(w_.table.adapter, &*args);
        }
        std::memset(&data, 0xDD, sizeof data);
        w_.check(answer == status::success, suspended ? rule::hws_12 : rule::hws_06,
                 suspended ? "a submission to the queue of " + world::name(c) + " is refused while it is suspended"
                           : "the submission of " + w_.name(p) + " fails, and its fence would never be written",
                 w_.node_of(c));
    }

    void suspend(os_context& c) {
        bool const already = c.wanted == os_context::wish::suspended;
        ++c.generation;
        c.fence += 1 + w_.random.below(3);
        c.fences.push_back(c.fence);
        c.overtook = std::exchange(c.resumed_early, false);
        c.read_newest = c.read_stale = false;
        c.asked_at = w_.step;
        c.wanted = already ? c.wanted : os_context::wish::suspending;
        ++w_.out.count.suspensions;
        w_.event(w_.node_of(c), "suspend " + world::name(c) + " with " + world::hex(c.fence));
        gone_after<queue_types::suspend> args;
        args->hContext = c.handle;
        args->contextSuspendFence = c.fence;
        driver_call const call(w_, "suspend_context", any_level());
        ntstatus const answer = w_.table.suspend_context(w_.table.adapter, &*args);
        os_node& n = w_.node_of(c);
        if (already) {
            w_.check(answer == status::success, rule::hws_01,
                     world::name(c) + " is suspended already, and suspending it again does not succeed", n);
        } else if (answer == status::success && c.wanted == os_context::wish::suspending) {
            w_.check(!w_.is_referenced(c), rule::hws_01,
                     "success says that " + world::name(c) + " is suspended, and the GPU refers to it", n);
            c.wanted = os_context::wish::suspended;
        } else if (answer != status::pending) {
            w_.check(answer == status::success, rule::hws_01, "the suspension of " + world::name(c) + " fails", n);
        }
    }

    void resume(os_context& c) {
        c.resumed_early = c.resumed_early || c.wanted == os_context::wish::suspending;
        c.wanted = os_context::wish::run;
        c.last_start = os_context::start::resumed;
        w_.event(w_.node_of(c), "resume " + world::name(c));
        gone_after<queue_types::resume> args;
        args->hContext = c.handle;
        driver_call const call(w_, "resume_context", any_level());
        ntstatus const answer = w_.table.resume_context(w_.table.adapter, &*args);
        w_.check(answer == status::success, rule::hws_02, "the resumption of " + world::name(c) + " fails",
                 w_.node_of(c));
    }

    void switch_list(os_node& n, std::optional<std::uint32_t> first, std::optional<std::uint32_t> second) {
        auto const handle_of = [this](std::optional<std::uint32_t> i) { return i ? w_.contexts[*i].handle : nullptr; };
        n.first = first;
        n.second = second;
        ++n.list_generation;
        n.list_asked_at = w_.step;
        n.list_waits_since = n.list_pending ? n.list_waits_since : w_.step;
        n.list_pending = true;
        n.list_read = false;
        ++w_.out.count.list_switches;
        w_.event(n, "switch to the list of " + (first ? world::name(w_.contexts[*first]) : "nothing") + " and " +
                        (second ? world::name(w_.contexts[*second]) : "nothing"));
        gone_after<queue_types::switch_list> args;
        args->hHwContextFirst = handle_of(first);
        args->hHwContextSecond = handle_of(second);
        args->NodeOrdinal = n.node;
        driver_call const call(w_, "switch_to_hw_context_list", any_level());
        ntstatus const answer = w_.table.switch_to_hw_context_list(w_.table.adapter, &*args);
        w_.check(answer == status::success || answer == status::pending, rule::hws_07, "the switch of a list fails", n);
    }

private:
    void create_queue(os_context& c, std::uint32_t slot) {
        os_queue q;
        q.index = static_cast<std::uint32_t>(w_.queues.size());
        q.context = c.index;
        q.slot = slot;
        q.ring = 0x6000'0000U + 0x1000U * std::uint64_t{slot};
        q.fence_address = 0x7000'0000U + 0x1000U * std::uint64_t{q.index};
        q.next_fence = q.seen = q.progress = w_.opt.first_fence;
        c.queues.push_back(q.index);
        w_.queues.push_back(q);
        os_queue& own = w_.queues.back();
        wddmcore_hw_queue_private_data data{own.ring};
        gone_after<queue_types::create_queue> args;
        args->hHwQueue = world::system_handle(world::queue_handles, own.index);
        args->pPrivateDriverData = &data;
        args->PrivateDriverDataSize = static_cast<std::uint32_t>(sizeof data);
        args->hHwQueueProgressFence = own.index + 1;
        args->HwQueueProgressFenceCPUVirtualAddress = &own.progress;
        args->HwQueueProgressFenceGPUVirtualAddress = own.fence_address;
        driver_call const call(w_, "create_hw_queue", wddmcore_passive_level);
        static_cast<void>(w_.table.create_hw_queue(w_.table.adapter, c.handle, &*args));
        own.handle = args->hHwQueue;
    }

    world& w_;
    std::deque<wddmcore_hw_submission_private_data> private_data_;
};

}  // namespace wddmcore::testing::hardware_queues::parts
