// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "regions.hpp"

#if defined(__x86_64__) && defined(__linux__)

/// ERESOURCE, many readers or one writer, and rundown protection.
namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts::resource_services {

using region_services::verifier;

/// Who has a resource. The driver's 104 bytes are opaque, and nothing is kept there.
struct resource {
    thread* writer = nullptr;
    std::uint32_t writes = 0;                        // how often the writer has it
    std::map<thread const*, std::uint32_t> readers;  // and how often
    dispatcher changed{};
    std::uint32_t waiting_writers = 0;
    std::uint32_t waiting_readers = 0;

    [[nodiscard]] bool free() const { return writer == nullptr && readers.empty(); }
};
[[nodiscard]] inline std::map<void const*, resource>& all() {
    static std::map<void const*, resource> one;
    return one;
}
inline constexpr std::size_t resource_bytes = 104;

inline ntstatus WDDMCORE_DRIVER_CALL initialize(void* r) {
    kernel_system& k = system();
    k.at_most(dispatch_level, "ExInitializeResourceLite");
    if (!k.owed.add(r, resource_bytes, "a resource")) {
        k.find(verifier, "ExInitializeResourceLite initializes a resource that is in use");
    }
    all()[r] = {};
    return nt::success;
}
[[nodiscard]] inline resource& of(void* r, char const* what) {
    if (system().owed.find(r) == nullptr || all().find(r) == all().end()) {
        system().stop(verifier, std::string(what) + " is given a resource that is not initialized");
    }
    return all()[r];
}
inline ntstatus WDDMCORE_DRIVER_CALL remove(void* r) {
    kernel_system& k = system();
    k.at_most(dispatch_level, "ExDeleteResourceLite");
    if (!of(r, "ExDeleteResourceLite").free()) {
        k.find(verifier, "ExDeleteResourceLite deletes a resource that is held");
    }
    k.owed.remove(r);
    all().erase(r);
    return nt::success;
}
inline ntstatus WDDMCORE_DRIVER_CALL initialize_again(void* r) {
    if (!of(r, "ExReinitializeResourceLite").free()) {
        system().find(verifier, "ExReinitializeResourceLite is given a resource that is held");
    }
    all()[r] = {};
    return nt::success;
}

inline void may_acquire(char const* what) {
    system().at_most(apc_level, what);
    if (!region_services::keeps_apcs_away()) {
        system().find(verifier, std::string(what) + " is called while normal kernel APCs are enabled");
    }
    system().switch_point();
}
/// Waits until what the caller wants holds.
template <class Condition>
[[nodiscard]] bool wait_until(resource& r, std::uint32_t& waiting, bool waits, char const* what,
                              Condition const& holds) {
    while (!holds()) {
        if (!waits) {
            return false;
        }
        wait_services::prepare(&r.changed, notification_event, 0);
        ++waiting;
        static_cast<void>(wait_services::wait({&r.changed}, false, nullptr, what));
        --waiting;
    }
    return true;
}
inline std::uint8_t WDDMCORE_DRIVER_CALL acquire_exclusive(void* at, std::uint8_t waits) {
    char const* const what = "ExAcquireResourceExclusiveLite";
    may_acquire(what);
    resource& r = of(at, what);
    thread* const self = system().running;
    if (r.readers.count(self) != 0 && waits != 0) {
        system().stop("HANG", "a resource is acquired exclusively by a thread that has it shared: it waits for itself");
    }
    if (!wait_until(r, r.waiting_writers, waits != 0, what, [&] { return r.free() || r.writer == self; })) {
        return 0;
    }
    r.writer = self;
    ++r.writes;
    return 1;
}
/// @param yields  to threads that wait for exclusive access
[[nodiscard]] inline std::uint8_t share(void* at, bool waits, bool yields, char const* what) {
    may_acquire(what);
    resource& r = of(at, what);
    thread* const self = system().running;
    if (r.writer == self) {
        ++r.writes;
        return 1;
    }
    bool const again = r.readers.count(self) != 0;
    if (!wait_until(r, r.waiting_readers, waits, what, [&] {
            return r.writer == nullptr && (again || !yields || r.waiting_writers == 0 || r.readers.empty());
        })) {
        return 0;
    }
    ++r.readers[self];
    return 1;
}
inline std::uint8_t WDDMCORE_DRIVER_CALL acquire_shared(void* r, std::uint8_t waits) {
    return share(r, waits != 0, true, "ExAcquireResourceSharedLite");
}
inline std::uint8_t WDDMCORE_DRIVER_CALL acquire_before_writers(void* r, std::uint8_t waits) {
    return share(r, waits != 0, false, "ExAcquireSharedStarveExclusive");
}
inline std::uint8_t WDDMCORE_DRIVER_CALL acquire_after_writers(void* r, std::uint8_t waits) {
    return share(r, waits != 0, true, "ExAcquireSharedWaitForExclusive");
}
inline void leave(void* at, thread* holder, char const* what) {
    kernel_system& k = system();
    k.at_most(dispatch_level, what);
    resource& r = of(at, what);
    auto const reader = r.readers.find(holder);
    if (r.writer == holder && holder != nullptr) {
        r.writer = --r.writes == 0 ? nullptr : holder;
    } else if (reader != r.readers.end()) {
        if (--reader->second == 0) {
            r.readers.erase(reader);
        }
    } else {
        k.stop("0xE3 RESOURCE_NOT_OWNED", std::string(what) + " releases a resource that the thread does not hold");
    }
    r.changed.signalled = 1;
}
inline void WDDMCORE_DRIVER_CALL release(void* r) {
    leave(r, system().running, "ExReleaseResourceLite");
    system().switch_point();
}
inline void WDDMCORE_DRIVER_CALL release_for(void* r, void* thread_object) {
    thread* holder = nullptr;
    for (auto const& t : system().threads) {
        holder = t->object == thread_object ? t.get() : holder;
    }
    leave(r, holder, "ExReleaseResourceForThreadLite");
}
inline void WDDMCORE_DRIVER_CALL to_shared(void* at) {
    resource& r = of(at, "ExConvertExclusiveToSharedLite");
    if (r.writer != system().running) {
        system().stop("0xE3 RESOURCE_NOT_OWNED", "ExConvertExclusiveToSharedLite: the thread has no exclusive access");
    }
    r.readers[std::exchange(r.writer, nullptr)] = std::exchange(r.writes, 0);
    r.changed.signalled = 1;
}
inline void* WDDMCORE_DRIVER_CALL enter_exclusive(void* r) {
    region_services::enter_critical();
    static_cast<void>(acquire_exclusive(r, 1));
    return nullptr;
}
inline void* WDDMCORE_DRIVER_CALL enter_shared(void* r) {
    region_services::enter_critical();
    static_cast<void>(acquire_shared(r, 1));
    return nullptr;
}
inline void WDDMCORE_DRIVER_CALL release_and_leave(void* r) {
    release(r);
    region_services::leave_critical();
}
inline std::uint8_t WDDMCORE_DRIVER_CALL is_exclusive(void* r) {
    return of(r, "ExIsResourceAcquiredExclusiveLite").writer == system().running ? 1 : 0;
}
inline std::uint32_t WDDMCORE_DRIVER_CALL is_acquired(void* at) {
    resource const& r = of(at, "ExIsResourceAcquiredSharedLite");
    auto const found = r.readers.find(system().running);
    return r.writer == system().running ? r.writes : found == r.readers.end() ? 0 : found->second;
}
inline std::uint32_t WDDMCORE_DRIVER_CALL waiting_writers(void* r) {
    return of(r, "ExGetExclusiveWaiterCount").waiting_writers;
}
inline std::uint32_t WDDMCORE_DRIVER_CALL waiting_readers(void* r) {
    return of(r, "ExGetSharedWaiterCount").waiting_readers;
}

// Rundown protection: EX_RUNDOWN_REF counts in steps of two, and bit 0 says that it is over.

[[nodiscard]] inline std::map<std::uint64_t*, dispatcher>& ended() {
    static std::map<std::uint64_t*, dispatcher> one;
    return one;
}
inline void WDDMCORE_DRIVER_CALL initialize_rundown(std::uint64_t* r) { *r = 0; }
inline std::uint8_t WDDMCORE_DRIVER_CALL protect_often(std::uint64_t* r, std::uint32_t count) {
    system().at_most(dispatch_level, "ExAcquireRundownProtection");
    system().switch_point();
    if ((*r & 1) != 0) {
        return 0;
    }
    *r += std::uint64_t{2} * count;
    return 1;
}
inline std::uint8_t WDDMCORE_DRIVER_CALL protect(std::uint64_t* r) { return protect_often(r, 1); }
inline void WDDMCORE_DRIVER_CALL unprotect_often(std::uint64_t* r, std::uint32_t count) {
    system().at_most(dispatch_level, "ExReleaseRundownProtection");
    if (*r / 2 < count) {
        system().stop(verifier, "rundown protection is released more often than it was acquired");
    }
    *r -= std::uint64_t{2} * count;
    if (auto const waiting = ended().find(r); *r == 1 && waiting != ended().end()) {
        waiting->second.signalled = 1;
    }
    system().switch_point();
}
inline void WDDMCORE_DRIVER_CALL unprotect(std::uint64_t* r) { unprotect_often(r, 1); }
inline void WDDMCORE_DRIVER_CALL wait_for_rundown(std::uint64_t* r) {
    system().at_most(apc_level, "ExWaitForRundownProtectionRelease");
    *r |= 1;
    if (*r != 1) {
        dispatcher& over = ended()[r];
        wait_services::prepare(&over, notification_event, 0);
        static_cast<void>(wait_services::wait({&over}, false, nullptr, "ExWaitForRundownProtectionRelease"));
    }
    ended().erase(r);
}
inline void WDDMCORE_DRIVER_CALL complete_rundown(std::uint64_t* r) { *r = 1; }
inline void WDDMCORE_DRIVER_CALL begin_rundown_again(std::uint64_t* r) {
    if (*r != 1) {
        system().find(verifier, "ExReInitializeRundownProtection is called before the rundown is complete");
    }
    *r = 0;
}

[[nodiscard]] inline std::vector<service> services() {
    return {entry("ExInitializeResourceLite", &initialize),
            entry("ExReinitializeResourceLite", &initialize_again),
            entry("ExDeleteResourceLite", &remove),
            entry("ExAcquireResourceExclusiveLite", &acquire_exclusive),
            entry("ExAcquireResourceSharedLite", &acquire_shared),
            entry("ExAcquireSharedStarveExclusive", &acquire_before_writers),
            entry("ExAcquireSharedWaitForExclusive", &acquire_after_writers),
            entry("ExReleaseResourceLite", &release),
            entry("ExReleaseResourceForThreadLite", &release_for),
            entry("ExConvertExclusiveToSharedLite", &to_shared),
            entry("ExEnterCriticalRegionAndAcquireResourceExclusive", &enter_exclusive),
            entry("ExEnterCriticalRegionAndAcquireResourceShared", &enter_shared),
            entry("ExReleaseResourceAndLeaveCriticalRegion", &release_and_leave),
            entry("ExIsResourceAcquiredExclusiveLite", &is_exclusive),
            entry("ExIsResourceAcquiredSharedLite", &is_acquired),
            entry("ExGetExclusiveWaiterCount", &waiting_writers),
            entry("ExGetSharedWaiterCount", &waiting_readers),
            entry("ExInitializeRundownProtection", &initialize_rundown),
            entry("ExReInitializeRundownProtection", &begin_rundown_again),
            entry("ExAcquireRundownProtection", &protect),
            entry("ExAcquireRundownProtectionEx", &protect_often),
            entry("ExReleaseRundownProtection", &unprotect),
            entry("ExReleaseRundownProtectionEx", &unprotect_often),
            entry("ExWaitForRundownProtectionRelease", &wait_for_rundown),
            entry("ExRundownCompleted", &complete_rundown)};
}

}  // namespace wddmcore::testing::kernel_parts::resource_services

#endif
