// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../waits.hpp"

#if defined(__x86_64__) && defined(__linux__)

/// Critical and guarded regions, the mutexes that use them, processes and identities of threads.
namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts::region_services {

using wait_services::fast_mutex;

inline constexpr char verifier[] = "0xC4 DRIVER_VERIFIER_DETECTED_VIOLATION";

inline void leave(std::uint32_t& count, char const* what, char const* first) {
    if (count == 0) {
        system().find(verifier, std::string(what) + " without " + first);
    } else {
        --count;
    }
}
inline void WDDMCORE_DRIVER_CALL enter_critical() {
    system().at_most(apc_level, "KeEnterCriticalRegion");
    ++system().running->critical_regions;
}
inline void WDDMCORE_DRIVER_CALL leave_critical() {
    system().at_most(apc_level, "KeLeaveCriticalRegion");
    leave(system().running->critical_regions, "KeLeaveCriticalRegion", "KeEnterCriticalRegion");
}
inline void WDDMCORE_DRIVER_CALL enter_guarded() {
    system().at_most(apc_level, "KeEnterGuardedRegion");
    ++system().running->guarded_regions;
}
inline void WDDMCORE_DRIVER_CALL leave_guarded() {
    system().at_most(apc_level, "KeLeaveGuardedRegion");
    leave(system().running->guarded_regions, "KeLeaveGuardedRegion", "KeEnterGuardedRegion");
}
/// Whether normal kernel APCs are kept from the running thread, as some functions want it.
[[nodiscard]] inline bool keeps_apcs_away() {
    thread const& t = *system().running;
    return t.critical_regions != 0 || t.guarded_regions != 0 || t.level >= apc_level;
}
inline std::uint8_t WDDMCORE_DRIVER_CALL apcs_disabled() {
    thread const& t = *system().running;
    return t.critical_regions != 0 || t.guarded_regions != 0 ? 1 : 0;
}
inline std::uint8_t WDDMCORE_DRIVER_CALL all_apcs_disabled() {
    thread const& t = *system().running;
    return t.guarded_regions != 0 || t.level >= apc_level ? 1 : 0;
}

// Mutexes.

inline void WDDMCORE_DRIVER_CALL initialize_guarded_mutex(fast_mutex* m) {
    *m = {1, nullptr, 0, {}, 0};
    wait_services::prepare(&m->event, synchronization_event, 0);
}
inline std::uint8_t WDDMCORE_DRIVER_CALL try_fast(fast_mutex* m) {
    system().at_most(apc_level, "ExTryToAcquireFastMutex");
    if (m->owner != nullptr) {
        return 0;
    }
    wait_services::acquire_fast(m);
    return 1;
}
/// The unsafe forms leave the level alone: the caller has kept APCs away.
inline void WDDMCORE_DRIVER_CALL acquire_unsafe(fast_mutex* m) {
    kernel_system& k = system();
    if (!keeps_apcs_away()) {
        k.find(verifier, "a mutex is acquired by its unsafe form, and APCs are not kept away");
    }
    irql const before = k.level();
    wait_services::acquire_fast(m);
    k.set_level(before);
    m->old_level = before;
}
inline void WDDMCORE_DRIVER_CALL release_unsafe(fast_mutex* m) { wait_services::release_fast(m); }

// Processes and identities.

struct process {
    dispatcher header;
    std::array<std::byte, 4096> rest;
};
[[nodiscard]] inline process& system_process() {
    static process one{{3, {}, 0, {nullptr, nullptr}}, {}};
    return one;
}
inline void* WDDMCORE_DRIVER_CALL current_process() { return &system_process(); }
inline void* WDDMCORE_DRIVER_CALL process_id(void*) { return reinterpret_cast<void*>(std::uintptr_t{4}); }
inline void* WDDMCORE_DRIVER_CALL current_process_id() { return process_id(nullptr); }
inline void* WDDMCORE_DRIVER_CALL thread_id(void* object) {
    auto const& all = system().threads;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i]->object == object) {
            return reinterpret_cast<void*>(8 + 4 * i);
        }
    }
    system().stop("0x7E SYSTEM_THREAD_EXCEPTION_NOT_HANDLED", "PsGetThreadId is given what is no thread");
}
inline void* WDDMCORE_DRIVER_CALL current_thread_id() { return thread_id(system().running->object); }
inline std::uint8_t WDDMCORE_DRIVER_CALL is_system_thread(void*) { return 1; }

[[nodiscard]] inline std::vector<service> services() {
    return {entry("KeEnterCriticalRegion", &enter_critical),
            entry("KeLeaveCriticalRegion", &leave_critical),
            entry("KeEnterGuardedRegion", &enter_guarded),
            entry("KeLeaveGuardedRegion", &leave_guarded),
            entry("KeAreApcsDisabled", &apcs_disabled),
            entry("KeAreAllApcsDisabled", &all_apcs_disabled),
            entry("KeInitializeGuardedMutex", &initialize_guarded_mutex),
            entry("ExTryToAcquireFastMutex", &try_fast),
            entry("KeTryToAcquireGuardedMutex", &try_fast),
            entry("ExAcquireFastMutexUnsafe", &acquire_unsafe),
            entry("ExReleaseFastMutexUnsafe", &release_unsafe),
            entry("KeAcquireGuardedMutexUnsafe", &acquire_unsafe),
            entry("KeReleaseGuardedMutexUnsafe", &release_unsafe),
            entry("PsGetCurrentProcess", &current_process),
            entry("IoGetCurrentProcess", &current_process),
            entry("PsGetThreadProcess", &current_process),
            entry("PsGetCurrentProcessId", &current_process_id),
            entry("PsGetProcessId", &process_id),
            entry("PsGetThreadProcessId", &process_id),
            entry("PsGetCurrentThreadId", &current_thread_id),
            entry("PsGetThreadId", &thread_id),
            entry("PsIsSystemThread", &is_system_thread)};
}

}  // namespace wddmcore::testing::kernel_parts::region_services

#endif
