// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../../../config.hpp"
#include "../../hardware_queue_table.h"

namespace wddmcore::inline WDDMCORE_ABI::testing::hardware_queues::parts {

/// The registers' table: one function of the C interface for each of their members.
template <class Registers>
struct gpu_functions {
    using address = unsigned long long;

    [[nodiscard]] static Registers& of(void* gpu) { return *static_cast<Registers*>(gpu); }

    static void WDDMCORE_DRIVER_CALL open_queue(void* g, unsigned n, address area, address ring, void* name) {
        of(g).open_queue(of(g).at(n), area, ring, name);
    }
    static void WDDMCORE_DRIVER_CALL close_queue(void* g, unsigned n, address ring) {
        of(g).close_queue(of(g).at(n), ring);
    }
    static void WDDMCORE_DRIVER_CALL append(void* g, unsigned n, address ring, wddmcore_queue_packet const* p) {
        of(g).append(of(g).at(n), ring, *p);
    }
    static void WDDMCORE_DRIVER_CALL set_priority(void* g, unsigned n, address area, unsigned band, int priority) {
        of(g).set_priority(of(g).at(n), area, band, priority);
    }
    static void WDDMCORE_DRIVER_CALL run(void* g, unsigned n, address area) { of(g).run(of(g).at(n), area); }
    static void WDDMCORE_DRIVER_CALL suspend(void* g, unsigned n, address area, address value) {
        of(g).suspend(of(g).at(n), area, value);
    }
    static void WDDMCORE_DRIVER_CALL set_list(void* g, unsigned n, address first, address second, address value) {
        of(g).set_list(of(g).at(n), first, second, value);
    }
    static void WDDMCORE_DRIVER_CALL set_log(void* g, unsigned n, address at, unsigned) {
        of(g).set_log(of(g).at(n), at);
    }
    static int WDDMCORE_DRIVER_CALL log_is_quiet(void* g, unsigned n) {
        return of(g).log_is_quiet(of(g).at(n)) ? 1 : 0;
    }
    static int WDDMCORE_DRIVER_CALL next_event(void* g, unsigned n, wddmcore_queue_event* event) {
        return of(g).next_event(of(g).at(n), *event) ? 1 : 0;
    }
    static int WDDMCORE_DRIVER_CALL reset(void* g, unsigned n) { return of(g).reset(of(g).at(n)) ? 0 : 1; }
    static int WDDMCORE_DRIVER_CALL was_hit(void* g, unsigned n, address area) {
        return of(g).was_hit(of(g).at(n), area);
    }
    static int WDDMCORE_DRIVER_CALL restart(void* g, unsigned n) { return of(g).restart(of(g).at(n)) ? 0 : 1; }
    static void WDDMCORE_DRIVER_CALL watch_fence(void* g, address current, address) { of(g).watch(current, true); }
    static void WDDMCORE_DRIVER_CALL forget_fence(void* g, address current) { of(g).watch(current, false); }
    static void WDDMCORE_DRIVER_CALL see_monitored_values(void* g) { of(g).see_monitored_values(); }
    static address WDDMCORE_DRIVER_CALL current_value(void* g, address current) { return of(g).current_value(current); }

    /// @return a table whose functions reach these registers
    [[nodiscard]] static wddmcore_queue_gpu table(Registers& gpu) {
        wddmcore_queue_gpu t{};
        t.size = static_cast<unsigned>(sizeof t);
        t.gpu = &gpu;
        t.open_queue = &open_queue;
        t.close_queue = &close_queue;
        t.append = &append;
        t.set_priority = &set_priority;
        t.run = &run;
        t.suspend = &suspend;
        t.set_list = &set_list;
        t.set_log = &set_log;
        t.log_is_quiet = &log_is_quiet;
        t.next_event = &next_event;
        t.reset = &reset;
        t.was_hit = &was_hit;
        t.restart = &restart;
        t.watch_fence = &watch_fence;
        t.forget_fence = &forget_fence;
        t.see_monitored_values = &see_monitored_values;
        t.current_value = &current_value;
        return t;
    }
};

}  // namespace wddmcore::testing::hardware_queues::parts
