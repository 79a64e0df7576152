// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "pool.hpp"

#if defined(__x86_64__) && defined(__linux__)

/// Threads, events, mutexes, semaphores, timers and deferred calls.
namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts::wait_services {

inline void prepare(dispatcher* d, std::uint8_t type, std::int32_t signalled) {
    *d = {type, {}, signalled, {nullptr, nullptr}};
}

// Waits.

inline ntstatus wait(std::vector<dispatcher*> objects, bool all, std::int64_t const* timeout, char const* what) {
    kernel_system& k = system();
    bool const looks_only = timeout != nullptr && *timeout == 0;
    if (k.level() > apc_level && !(k.level() == dispatch_level && looks_only)) {
        k.stop("0xA IRQL_NOT_LESS_OR_EQUAL",
               std::string(what) + " waits at IRQL " + std::to_string(k.level()) + ", where no thread may");
    }
    thread& self = *k.running;
    self.waits = std::move(objects);
    self.waits_for_all = all;
    if (looks_only) {
        int const index = k.satisfied(self, true);
        kernel_system::over(self, index);
        return index < 0 ? nt::timeout : all ? nt::success : index;
    }
    if (timeout != nullptr) {
        self.until =
            *timeout < 0 ? k.now + static_cast<std::uint64_t>(-*timeout) : static_cast<std::uint64_t>(*timeout);
    }
    k.switch_point();
    int const index = k.block();
    return index < 0 ? nt::timeout : all ? nt::success : index;
}
inline ntstatus WDDMCORE_DRIVER_CALL wait_for_one(dispatcher* object, std::uint32_t, std::uint8_t, std::uint8_t,
                                                  std::int64_t const* timeout) {
    return wait({object}, false, timeout, "KeWaitForSingleObject");
}
inline ntstatus WDDMCORE_DRIVER_CALL wait_for_many(std::uint32_t count, dispatcher* const* objects, std::uint32_t type,
                                                   std::uint32_t, std::uint8_t, std::uint8_t,
                                                   std::int64_t const* timeout, void*) {
    constexpr std::uint32_t wait_all = 0;
    return wait({objects, objects + count}, type == wait_all, timeout, "KeWaitForMultipleObjects");
}
inline ntstatus WDDMCORE_DRIVER_CALL delay(std::uint8_t, std::uint8_t, std::int64_t const* interval) {
    kernel_system& k = system();
    if (k.level() > apc_level) {
        k.stop("0xA IRQL_NOT_LESS_OR_EQUAL", "KeDelayExecutionThread is called at IRQL " + std::to_string(k.level()));
    }
    k.running->until =
        *interval < 0 ? k.now + static_cast<std::uint64_t>(-*interval) : static_cast<std::uint64_t>(*interval);
    static_cast<void>(k.block());
    return nt::success;
}

// Events, semaphores, mutexes.

inline void WDDMCORE_DRIVER_CALL initialize_event(dispatcher* e, std::uint32_t type, std::uint8_t state) {
    prepare(e, type == 0 ? notification_event : synchronization_event, state != 0 ? 1 : 0);
}
inline std::int32_t WDDMCORE_DRIVER_CALL set_event(dispatcher* e, std::int32_t, std::uint8_t) {
    system().at_most(dispatch_level, "KeSetEvent");
    std::int32_t const before = std::exchange(e->signalled, 1);
    system().switch_point();
    return before;
}
inline std::int32_t WDDMCORE_DRIVER_CALL reset_event(dispatcher* e) { return std::exchange(e->signalled, 0); }
inline void WDDMCORE_DRIVER_CALL clear_event(dispatcher* e) { e->signalled = 0; }
inline std::int32_t WDDMCORE_DRIVER_CALL read_state(dispatcher const* e) { return e->signalled; }

inline void WDDMCORE_DRIVER_CALL initialize_semaphore(dispatcher* s, std::int32_t count, std::int32_t) {
    prepare(s, semaphore_object, count);
}
inline std::int32_t WDDMCORE_DRIVER_CALL release_semaphore(dispatcher* s, std::int32_t, std::int32_t by, std::uint8_t) {
    std::int32_t const before = s->signalled;
    s->signalled += by;
    system().switch_point();
    return before;
}
inline void WDDMCORE_DRIVER_CALL initialize_mutex(dispatcher* m, std::uint32_t) { prepare(m, mutex_object, 1); }
inline std::int32_t WDDMCORE_DRIVER_CALL release_mutex(dispatcher* m, std::uint8_t) {
    kernel_system& k = system();
    if (m->waiters[0] != k.running) {
        k.stop("0xC4 DRIVER_VERIFIER_DETECTED_VIOLATION", "KeReleaseMutex: another thread owns the mutex");
    }
    std::int32_t const before = m->signalled++;
    if (m->signalled == 1) {
        m->waiters[0] = nullptr;
    }
    k.switch_point();
    return before;
}

/// FAST_MUTEX: count, owner, contention, an event, the old level. Guarded mutexes are the same here.
struct fast_mutex {
    std::int32_t count;
    void* owner;
    std::uint32_t contention;
    dispatcher event;
    std::uint32_t old_level;
};
inline void WDDMCORE_DRIVER_CALL acquire_fast(fast_mutex* m) {
    kernel_system& k = system();
    k.at_most(apc_level, "ExAcquireFastMutex");
    if (m->owner == k.running) {
        k.stop("0xC4 DRIVER_VERIFIER_DETECTED_VIOLATION", "a fast mutex is acquired again by its owner");
    }
    while (m->owner != nullptr) {
        static_cast<void>(wait({&m->event}, false, nullptr, "ExAcquireFastMutex"));
    }
    m->owner = k.running;
    m->count = 0;
    m->old_level = k.level();
    k.set_level(apc_level);
}
inline void WDDMCORE_DRIVER_CALL release_fast(fast_mutex* m) {
    kernel_system& k = system();
    if (m->owner != k.running) {
        k.stop("0xC4 DRIVER_VERIFIER_DETECTED_VIOLATION", "a fast mutex is released by another thread than its owner");
    }
    irql const before = static_cast<irql>(m->old_level);
    m->owner = nullptr;
    m->count = 1;
    m->event.signalled = 1;
    k.lower(before);
    k.switch_point();
}
// Timers and deferred calls.

inline void WDDMCORE_DRIVER_CALL initialize_timer_ex(dispatcher* t, std::uint32_t type) {
    prepare(t, type == 0 ? notification_timer : synchronization_timer, 0);
}
inline void WDDMCORE_DRIVER_CALL initialize_timer(dispatcher* t) { initialize_timer_ex(t, 0); }
inline std::uint8_t WDDMCORE_DRIVER_CALL set_timer_ex(dispatcher* t, std::int64_t due, std::int32_t period,
                                                      deferred_call* call) {
    kernel_system& k = system();
    bool const was = k.timers.erase(t) != 0;
    t->signalled = 0;
    std::uint64_t const when = due < 0 ? k.now + static_cast<std::uint64_t>(-due) : static_cast<std::uint64_t>(due);
    k.timers[t] = {when, static_cast<std::uint64_t>(period) * 10'000, call};
    return was ? 1 : 0;
}
inline std::uint8_t WDDMCORE_DRIVER_CALL set_timer(dispatcher* t, std::int64_t due, deferred_call* call) {
    return set_timer_ex(t, due, 0, call);
}
inline std::uint8_t WDDMCORE_DRIVER_CALL cancel_timer(dispatcher* t) { return system().timers.erase(t) != 0 ? 1 : 0; }

inline void WDDMCORE_DRIVER_CALL initialize_dpc(
    deferred_call* d, void(WDDMCORE_DRIVER_CALL* routine)(deferred_call*, void*, void*, void*), void* context) {
    *d = {0x13, 0, {nullptr, nullptr}, routine, context, nullptr, nullptr, nullptr};
}
inline std::uint8_t WDDMCORE_DRIVER_CALL insert_dpc(deferred_call* d, void* a, void* b) {
    kernel_system& k = system();
    bool const queued = k.queue(*d, a, b);
    if (k.level() < dispatch_level) {
        k.run_deferred();
    }
    return queued ? 1 : 0;
}
inline std::uint8_t WDDMCORE_DRIVER_CALL remove_dpc(deferred_call* d) {
    return std::erase(system().calls, d) != 0 ? 1 : 0;
}
inline void WDDMCORE_DRIVER_CALL flush_dpcs() {
    system().at_most(passive_level, "KeFlushQueuedDpcs");
    system().run_deferred();
}
inline void WDDMCORE_DRIVER_CALL ignore_dpc(deferred_call*, std::uint32_t) {}

// Threads.

inline void begin_thread() {
    kernel_system& k = system();
    k.running->routine(k.running->argument);
    k.end_thread();
}
inline constexpr std::uintptr_t first_thread_handle = 0x8000'1000;

inline ntstatus WDDMCORE_DRIVER_CALL create_thread(void** handle, std::uint32_t, void*, void*, void*,
                                                   void(WDDMCORE_DRIVER_CALL* routine)(void*), void* argument) {
    kernel_system& k = system();
    k.at_most(passive_level, "PsCreateSystemThread");
    if (k.fails()) {
        return nt::insufficient_resources;
    }
    auto t = std::make_unique<thread>(&begin_thread);
    t->routine = routine;
    t->argument = argument;
    t->name =
        "driver thread " + std::to_string(k.threads.size()) + " (" + k.name_of(reinterpret_cast<void*>(routine)) + ")";
    static std::deque<std::array<std::byte, 4096>> objects;  // a KTHREAD each, of which only the header means something
    objects.emplace_back();
    t->object = new (objects.back().data()) dispatcher{thread_object, {}, 0, {nullptr, nullptr}};
    *handle = reinterpret_cast<void*>(first_thread_handle + 8 * k.threads.size());
    k.threads.push_back(std::move(t));
    k.switch_point();
    return nt::success;
}
inline ntstatus WDDMCORE_DRIVER_CALL terminate_thread(ntstatus) {
    system().end_thread();
    return nt::success;
}
[[nodiscard]] inline thread* thread_of(void* handle) {
    auto const at = (reinterpret_cast<std::uintptr_t>(handle) - first_thread_handle) / 8;
    auto const& all = system().threads;
    return at != 0 && at < all.size() ? all[at].get() : nullptr;
}
inline void* WDDMCORE_DRIVER_CALL current_thread() { return system().running->object; }
inline std::int32_t WDDMCORE_DRIVER_CALL set_priority(void*, std::int32_t) { return 8; }

// Time.

inline void WDDMCORE_DRIVER_CALL stall(std::uint32_t microseconds) {
    system().advance(std::uint64_t{microseconds} * 10);
}
inline std::int64_t WDDMCORE_DRIVER_CALL performance_counter(std::int64_t* frequency) {
    if (frequency != nullptr) {
        *frequency = 10'000'000;
    }
    system().advance(10);
    return static_cast<std::int64_t>(system().now - system().started);
}
inline void WDDMCORE_DRIVER_CALL system_time(std::int64_t* to) {
    system().advance(10);
    *to = static_cast<std::int64_t>(system().now);
}
inline std::uint64_t WDDMCORE_DRIVER_CALL interrupt_time() {
    system().advance(10);
    return system().now - system().started;
}
inline std::uint32_t WDDMCORE_DRIVER_CALL time_increment() { return 156'250; }

[[nodiscard]] inline std::vector<service> services() {
    return {entry("KeWaitForSingleObject", &wait_for_one),
            entry("KeWaitForMutexObject", &wait_for_one),
            entry("KeWaitForMultipleObjects", &wait_for_many),
            entry("KeDelayExecutionThread", &delay),
            entry("KeInitializeEvent", &initialize_event),
            entry("KeSetEvent", &set_event),
            entry("KeResetEvent", &reset_event),
            entry("KeClearEvent", &clear_event),
            entry("KeReadStateEvent", &read_state),
            entry("KeReadStateTimer", &read_state),
            entry("KeReadStateSemaphore", &read_state),
            entry("KeInitializeSemaphore", &initialize_semaphore),
            entry("KeReleaseSemaphore", &release_semaphore),
            entry("KeInitializeMutex", &initialize_mutex),
            entry("KeReleaseMutex", &release_mutex),
            entry("ExAcquireFastMutex", &acquire_fast),
            entry("ExReleaseFastMutex", &release_fast),
            entry("KeAcquireGuardedMutex", &acquire_fast),
            entry("KeReleaseGuardedMutex", &release_fast),
            entry("KeInitializeTimer", &initialize_timer),
            entry("KeInitializeTimerEx", &initialize_timer_ex),
            entry("KeSetTimer", &set_timer),
            entry("KeSetTimerEx", &set_timer_ex),
            entry("KeCancelTimer", &cancel_timer),
            entry("KeInitializeDpc", &initialize_dpc),
            entry("KeInitializeThreadedDpc", &initialize_dpc),
            entry("KeInsertQueueDpc", &insert_dpc),
            entry("KeRemoveQueueDpc", &remove_dpc),
            entry("KeFlushQueuedDpcs", &flush_dpcs),
            entry("KeSetImportanceDpc", &ignore_dpc),
            entry("KeSetTargetProcessorDpc", &ignore_dpc),
            entry("PsCreateSystemThread", &create_thread),
            entry("PsTerminateSystemThread", &terminate_thread),
            entry("KeGetCurrentThread", &current_thread),
            entry("PsGetCurrentThread", &current_thread),
            entry("KeSetPriorityThread", &set_priority),
            entry("KeSetBasePriorityThread", &set_priority),
            entry("KeStallExecutionProcessor", &stall),
            entry("KeQueryPerformanceCounter", &performance_counter),
            entry("KeQuerySystemTime", &system_time),
            entry("KeQuerySystemTimePrecise", &system_time),
            entry("KeQueryInterruptTime", &interrupt_time),
            entry("KeQueryUnbiasedInterruptTime", &interrupt_time),
            entry("KeQueryTimeIncrement", &time_increment)};
}

}  // namespace wddmcore::testing::kernel_parts::wait_services

#endif
