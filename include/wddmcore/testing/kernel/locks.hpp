// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "system.hpp"

#if defined(__x86_64__) && defined(__linux__)

/// Interrupt levels, spin locks and interlocked lists. One thread runs at a time: a lock that is taken twice is never
/// free.
namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts::lock_services {

inline irql WDDMCORE_DRIVER_CALL current_level() { return system().level(); }
inline irql WDDMCORE_DRIVER_CALL raise(irql to) {
    kernel_system& k = system();
    irql const before = k.level();
    if (to < before) {
        k.stop("0x9 IRQL_NOT_GREATER_OR_EQUAL",
               "KeRaiseIrql from IRQL " + std::to_string(before) + " to " + std::to_string(to));
    }
    k.set_level(to);
    return before;
}
inline irql WDDMCORE_DRIVER_CALL raise_to_dispatch() { return raise(dispatch_level); }
inline void WDDMCORE_DRIVER_CALL lower(irql to) {
    kernel_system& k = system();
    if (to > k.level()) {
        k.stop("0xA IRQL_NOT_LESS_OR_EQUAL",
               "KeLowerIrql from IRQL " + std::to_string(k.level()) + " to " + std::to_string(to));
    }
    k.lower(to);
}

inline void take(std::uintptr_t* lock) {
    kernel_system& k = system();
    if (*lock != 0) {
        k.stop("0xF SPIN_LOCK_ALREADY_OWNED",
               "a spin lock is acquired that is held already: the processor spins forever");
    }
    *lock = 1;
    ++k.locks_held;
}
inline void leave(std::uintptr_t* lock) {
    kernel_system& k = system();
    if (*lock == 0) {
        k.stop("0x10 SPIN_LOCK_NOT_OWNED", "a spin lock is released that nobody holds");
    }
    *lock = 0;
    --k.locks_held;
}
inline void WDDMCORE_DRIVER_CALL initialize(std::uintptr_t* lock) { *lock = 0; }
inline irql WDDMCORE_DRIVER_CALL acquire(std::uintptr_t* lock) {
    system().at_most(dispatch_level, "KeAcquireSpinLock");
    system().switch_point();
    irql const before = system().level();
    system().set_level(std::max(before, dispatch_level));
    take(lock);
    return before;
}
inline void WDDMCORE_DRIVER_CALL acquire_to(std::uintptr_t* lock, irql* before) { *before = acquire(lock); }
inline void WDDMCORE_DRIVER_CALL release(std::uintptr_t* lock, irql to) {
    kernel_system& k = system();
    leave(lock);
    if (to > k.level()) {
        k.stop("0xA IRQL_NOT_LESS_OR_EQUAL", "KeReleaseSpinLock raises the level to " + std::to_string(to));
    }
    k.lower(to);
    k.switch_point();
}
inline void WDDMCORE_DRIVER_CALL acquire_here(std::uintptr_t* lock) {
    if (system().level() < dispatch_level) {
        system().find("0xC4 DRIVER_VERIFIER_DETECTED_VIOLATION",
                      "KeAcquireSpinLockAtDpcLevel is called at IRQL " + std::to_string(system().level()));
    }
    take(lock);
}
inline void WDDMCORE_DRIVER_CALL release_here(std::uintptr_t* lock) { leave(lock); }
inline std::uint8_t WDDMCORE_DRIVER_CALL try_acquire_here(std::uintptr_t* lock) {
    if (*lock != 0) {
        return 0;
    }
    acquire_here(lock);
    return 1;
}

/// KLOCK_QUEUE_HANDLE: a queue entry of two pointers, then the old level.
struct queued_lock {
    void* next;
    std::uintptr_t* lock;
    irql before;
};
inline void WDDMCORE_DRIVER_CALL acquire_queued(std::uintptr_t* lock, queued_lock* q) {
    q->lock = lock;
    q->before = acquire(lock);
}
inline void WDDMCORE_DRIVER_CALL release_queued(queued_lock* q) { release(q->lock, q->before); }
inline void WDDMCORE_DRIVER_CALL acquire_queued_here(std::uintptr_t* lock, queued_lock* q) {
    q->lock = lock;
    acquire_here(lock);
}
inline void WDDMCORE_DRIVER_CALL release_queued_here(queued_lock* q) { leave(q->lock); }

// Lists.

struct list_entry {
    list_entry* next;
    list_entry* before;
};
/// What the fast-fail of the kernel's own list code finds.
inline void check_list(list_entry const* e) {
    if (e->next->before != e || e->before->next != e) {
        system().stop("0x139 KERNEL_SECURITY_CHECK_FAILURE", "a doubly linked list is damaged");
    }
}
inline list_entry* insert(list_entry* after, list_entry* entry_) {
    list_entry* const next = after->next;
    entry_->next = next;
    entry_->before = after;
    after->next = next->before = entry_;
    return entry_;
}
inline list_entry* WDDMCORE_DRIVER_CALL insert_tail(list_entry* head, list_entry* entry_, std::uintptr_t*) {
    check_list(head);
    list_entry* const last = head->before == head ? nullptr : head->before;
    insert(head->before, entry_);
    return last;
}
inline list_entry* WDDMCORE_DRIVER_CALL insert_head(list_entry* head, list_entry* entry_, std::uintptr_t*) {
    check_list(head);
    list_entry* const first = head->next == head ? nullptr : head->next;
    insert(head, entry_);
    return first;
}
inline list_entry* WDDMCORE_DRIVER_CALL remove_head(list_entry* head, std::uintptr_t*) {
    check_list(head);
    list_entry* const first = head->next;
    if (first == head) {
        return nullptr;
    }
    check_list(first);
    head->next = first->next;
    first->next->before = head;
    return first;
}

/// SLIST_HEADER and SLIST_ENTRY: the depth in 16 bits, then the first entry.
struct single_entry {
    single_entry* next;
};
struct single_list {
    std::uint64_t depth;
    single_entry* first;
};
inline void WDDMCORE_DRIVER_CALL initialize_single(single_list* l) { *l = {0, nullptr}; }
inline single_entry* WDDMCORE_DRIVER_CALL push(single_list* l, single_entry* e) {
    e->next = l->first;
    ++l->depth;
    return std::exchange(l->first, e) == e->next ? e->next : nullptr;
}
inline single_entry* WDDMCORE_DRIVER_CALL pop(single_list* l) {
    single_entry* const first = l->first;
    if (first != nullptr) {
        l->first = first->next;
        --l->depth;
    }
    return first;
}
inline single_entry* WDDMCORE_DRIVER_CALL flush(single_list* l) {
    l->depth = 0;
    return std::exchange(l->first, nullptr);
}
inline std::uint16_t WDDMCORE_DRIVER_CALL depth(single_list const* l) { return static_cast<std::uint16_t>(l->depth); }

[[nodiscard]] inline std::vector<service> services() {
    return {entry("KeGetCurrentIrql", &current_level),
            entry("KfRaiseIrql", &raise),
            entry("KeRaiseIrqlToDpcLevel", &raise_to_dispatch),
            entry("KeLowerIrql", &lower),
            entry("KfLowerIrql", &lower),
            entry("KeInitializeSpinLock", &initialize),
            entry("KeAcquireSpinLock", &acquire_to),
            entry("KeAcquireSpinLockRaiseToDpc", &acquire),
            entry("KfAcquireSpinLock", &acquire),
            entry("KeReleaseSpinLock", &release),
            entry("KfReleaseSpinLock", &release),
            entry("KeAcquireSpinLockAtDpcLevel", &acquire_here),
            entry("KefAcquireSpinLockAtDpcLevel", &acquire_here),
            entry("KeReleaseSpinLockFromDpcLevel", &release_here),
            entry("KefReleaseSpinLockFromDpcLevel", &release_here),
            entry("KeTryToAcquireSpinLockAtDpcLevel", &try_acquire_here),
            entry("KeAcquireInStackQueuedSpinLock", &acquire_queued),
            entry("KeReleaseInStackQueuedSpinLock", &release_queued),
            entry("KeAcquireInStackQueuedSpinLockAtDpcLevel", &acquire_queued_here),
            entry("KeReleaseInStackQueuedSpinLockFromDpcLevel", &release_queued_here),
            entry("ExInterlockedInsertTailList", &insert_tail),
            entry("ExInterlockedInsertHeadList", &insert_head),
            entry("ExInterlockedRemoveHeadList", &remove_head),
            entry("InitializeSListHead", &initialize_single),
            entry("ExpInterlockedPushEntrySList", &push),
            entry("ExpInterlockedPopEntrySList", &pop),
            entry("ExpInterlockedFlushSList", &flush),
            entry("ExQueryDepthSList", &depth)};
}

}  // namespace wddmcore::testing::kernel_parts::lock_services

#endif
