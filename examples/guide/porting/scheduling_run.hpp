// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "scheduling.hpp"

#include <wddmcore/testing/scheduler.hpp>

#include <memory>
#include <vector>

/// Both drivers behind the simulator's table, and a run over each.
namespace guide {

/// What the two have in common: contexts, and the names of the functions.
template <class Scheduler>
struct scheduled_driver {
    Scheduler inside{};
    std::vector<std::unique_ptr<by_hand::CONTEXT>> contexts{};

    static scheduled_driver& of(void* d) { return *static_cast<scheduled_driver*>(d); }
    void create(wddmcore_context_arguments& args) {
        contexts.push_back(std::make_unique<by_hand::CONTEXT>(by_hand::CONTEXT{args.node_ordinal, args.save_area}));
        args.context = contexts.back().get();
    }
};

inline wddmcore_driver_table table_of(scheduled_driver<by_hand::SCHEDULER>& driver) {
    using namespace by_hand;
    using d = scheduled_driver<SCHEDULER>;
    wddmcore_driver_table t{};
    t.adapter = &driver;
    t.start_device = [](void* a, wddmcore_system_services const* s, wddmcore_gpu const* g) WDDMCORE_DRIVER_CALL -> int {
        d::of(a).inside.Dxgk = s;
        d::of(a).inside.Gpu = g;
        return status::success;
    };
    t.create_context = [](void* a, wddmcore_context_arguments* args) WDDMCORE_DRIVER_CALL -> int {
        d::of(a).create(*args);
        d::of(a).inside.Paging =
            args->system_context != 0 ? static_cast<CONTEXT*>(args->context) : d::of(a).inside.Paging;
        return status::success;
    };
    t.submit_command_virtual = [](void* a, void const* args) WDDMCORE_DRIVER_CALL -> int {
        return d::of(a).inside.SubmitCommandVirtual(static_cast<DXGKARG_SUBMITCOMMANDVIRTUAL const*>(args));
    };
    t.preempt_command = [](void* a, void const* args) WDDMCORE_DRIVER_CALL -> int {
        return d::of(a).inside.PreemptCommand(static_cast<DXGKARG_PREEMPTCOMMAND const*>(args));
    };
    t.query_current_fence = [](void* a, void* args) WDDMCORE_DRIVER_CALL -> int {
        return d::of(a).inside.QueryCurrentFence(static_cast<DXGKARG_QUERYCURRENTFENCE*>(args));
    };
    t.interrupt_routine = [](void* a, unsigned)
                              WDDMCORE_DRIVER_CALL -> int { return d::of(a).inside.InterruptRoutine() ? 1 : 0; };
    t.dpc_routine = [](void* a)
                        WDDMCORE_DRIVER_CALL { d::of(a).inside.Dxgk->notify_dpc(d::of(a).inside.Dxgk->system); };
    return t;
}

inline wddmcore_driver_table table_of(scheduled_driver<with_machine::scheduler>& driver) {
    using namespace with_machine;
    using d = scheduled_driver<scheduler>;
    wddmcore_driver_table t{};
    t.adapter = &driver;
    t.start_device = [](void* a, wddmcore_system_services const* s, wddmcore_gpu const* g) WDDMCORE_DRIVER_CALL -> int {
        d::of(a).inside.dxgk = s;
        d::of(a).inside.gpu = g;
        d::of(a).inside.start();
        return status::success;
    };
    t.create_context = [](void* a, wddmcore_context_arguments* args) WDDMCORE_DRIVER_CALL -> int {
        d::of(a).create(*args);
        auto& paging = d::of(a).inside.paging;
        paging = args->system_context != 0 ? static_cast<CONTEXT const*>(args->context) : paging;
        return status::success;
    };
    t.submit_command_virtual = [](void* a, void const* args) WDDMCORE_DRIVER_CALL -> int {
        return d::of(a).inside.submit_command_virtual(*static_cast<DXGKARG_SUBMITCOMMANDVIRTUAL const*>(args));
    };
    t.preempt_command = [](void* a, void const* args) WDDMCORE_DRIVER_CALL -> int {
        return d::of(a).inside.preempt_command(*static_cast<DXGKARG_PREEMPTCOMMAND const*>(args));
    };
    t.query_current_fence = [](void* a, void* args) WDDMCORE_DRIVER_CALL -> int {
        return d::of(a).inside.query_current_fence(*static_cast<DXGKARG_QUERYCURRENTFENCE*>(args));
    };
    t.interrupt_routine = [](void* a, unsigned)
                              WDDMCORE_DRIVER_CALL -> int { return d::of(a).inside.interrupt_routine() ? 1 : 0; };
    t.dpc_routine = [](void* a) WDDMCORE_DRIVER_CALL { d::of(a).inside.dpc_routine(); };
    return t;
}

// What neither driver needs here: contexts live as long as the driver, nobody submits by physical addresses, nothing hangs.
inline int WDDMCORE_DRIVER_CALL destroy_context(void*, void*) { return status::success; }
inline int WDDMCORE_DRIVER_CALL submit_command(void*, void const*) { return status::not_supported; }
inline int WDDMCORE_DRIVER_CALL reset(void*) { return status::success; }

/// One run of the scheduler on two nodes whose hardware stops between DMA buffers. Nothing hangs and nothing faults.
template <class Scheduler>
testing::scheduler::report schedule(std::uint64_t seed) {
    scheduled_driver<Scheduler> driver;
    wddmcore_driver_table t = table_of(driver);
    t.size = sizeof t;
    t.version = static_cast<u32>(wddm::v2_0);
    t.destroy_context = destroy_context;
    t.submit_command = submit_command;
    t.reset_from_timeout = reset;
    t.restart_from_timeout = reset;
    testing::scheduler::options options{.nodes = with_machine::node_count,
                                        .stops_at = testing::scheduler::granularity::dma_buffer,
                                        .virtual_addresses = true,
                                        .packets = 200};
    options.chances.rejected = 0;
    return testing::scheduler::run(t, options, seed);
}

}  // namespace guide
