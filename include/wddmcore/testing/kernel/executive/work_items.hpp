// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../waits.hpp"

#if defined(__x86_64__) && defined(__linux__)

/// Work items, which the system's worker threads carry out. There are as many workers as were ever busy at once so that
/// one item may wait for another.
namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts::work_services {

inline constexpr char invalid_worker[] = "0xE4 WORKER_INVALID";

/// IO_WORKITEM and WORK_QUEUE_ITEM, by their address.
struct item {
    enum class form { with_device, with_item, plain };
    form called = form::plain;
    void* device = nullptr;
    void* routine = nullptr;
    void* context = nullptr;
    bool queued = false;
};
struct workers {
    std::map<void*, item> items;
    std::deque<void*> queue;
    dispatcher wake{semaphore_object, {}, 0, {nullptr, nullptr}};
    std::vector<thread*> threads;

    static workers& current() {
        static workers one;
        return one;
    }
};

inline void carry_out(void* at) {
    item const i = workers::current().items[at];
    switch (i.called) {
        case item::form::with_device:
            reinterpret_cast<void(WDDMCORE_DRIVER_CALL*)(void*, void*)>(i.routine)(i.device, i.context);
            break;
        case item::form::with_item:
            reinterpret_cast<void(WDDMCORE_DRIVER_CALL*)(void*, void*, void*)>(i.routine)(i.device, i.context, at);
            break;
        case item::form::plain: reinterpret_cast<void(WDDMCORE_DRIVER_CALL*)(void*)>(i.routine)(i.context); break;
    }
}
inline void work() {
    kernel_system& k = system();
    workers& all = workers::current();
    for (;;) {
        k.running->idle = true;
        k.running->waits = {&all.wake};
        static_cast<void>(k.block());
        k.running->idle = false;
        void* const at = all.queue.front();
        all.queue.pop_front();
        // The item is free from here on: its routine may queue it again, or free it.
        all.items[at].queued = false;
        k.running->name = "a work item (" + k.name_of(all.items[at].routine) + ")";
        std::snprintf(k.record.thread, sizeof k.record.thread, "%s", k.running->name.c_str());
        carry_out(at);
        if (k.level() != passive_level) {
            k.stop("0xE1 WORKER_THREAD_RETURNED_AT_BAD_IRQL",
                   "the routine of a work item returns at IRQL " + std::to_string(k.level()));
        }
        if (std::exchange(k.running->critical_regions, 0) + std::exchange(k.running->guarded_regions, 0) != 0) {
            k.find("0x1 APC_INDEX_MISMATCH", "the routine of a work item returns in a critical or guarded region");
        }
    }
}
inline void add_worker() {
    kernel_system& k = system();
    auto t = std::make_unique<thread>(&work);
    static std::deque<std::array<std::byte, 4096>> objects;  // a KTHREAD each
    objects.emplace_back();
    t->object = new (objects.back().data()) dispatcher{thread_object, {}, 0, {nullptr, nullptr}};
    t->name = "a worker of the system";
    t->idle = true;
    workers::current().threads.push_back(t.get());
    k.threads.push_back(std::move(t));
}

inline void queue(void* at, item const& wanted, char const* what) {
    kernel_system& k = system();
    workers& all = workers::current();
    k.at_most(dispatch_level, what);
    item& i = all.items[at];
    if (i.queued) {
        k.stop(invalid_worker, std::string(what) + " queues a work item that is queued already");
    }
    i = wanted;
    i.queued = true;
    all.queue.push_back(at);
    auto const idle = std::count_if(all.threads.begin(), all.threads.end(), [](thread const* t) { return t->idle; });
    if (static_cast<std::size_t>(idle) < all.queue.size()) {
        add_worker();
    }
    ++all.wake.signalled;
    k.switch_point();
}
/// What is no longer a work item must not be one that waits to be carried out.
inline void forget(void* at, char const* what) {
    auto& items = workers::current().items;
    auto const found = items.find(at);
    if (found != items.end() && found->second.queued) {
        system().stop(invalid_worker, std::string(what) + " frees a work item that is queued");
    }
    if (found != items.end()) {
        items.erase(found);
    }
}

// IO_WORKITEM.

inline constexpr std::uint32_t item_bytes = 88;

inline void* WDDMCORE_DRIVER_CALL allocate(void* device) {
    system().at_most(dispatch_level, "IoAllocateWorkItem");
    void* const at = system().fails() ? nullptr : pool::current().take(item_bytes, 0, true, "a work item");
    if (at != nullptr) {
        workers::current().items[at] = {item::form::with_device, device, nullptr, nullptr, false};
    }
    return at;
}
inline void WDDMCORE_DRIVER_CALL free(void* at) {
    system().at_most(dispatch_level, "IoFreeWorkItem");
    forget(at, "IoFreeWorkItem");
    pool::current().give(at, 0, "IoFreeWorkItem");
}
inline std::uint32_t WDDMCORE_DRIVER_CALL size() { return item_bytes; }
inline void WDDMCORE_DRIVER_CALL initialize(void* device, void* at) {
    if (!system().owed.add(at, item_bytes, "a work item")) {
        system().find("0xC4 DRIVER_VERIFIER_DETECTED_VIOLATION",
                      "IoInitializeWorkItem initializes a work item that is in use");
    }
    workers::current().items[at] = {item::form::with_device, device, nullptr, nullptr, false};
}
inline void WDDMCORE_DRIVER_CALL uninitialize(void* at) {
    forget(at, "IoUninitializeWorkItem");
    system().owed.remove(at);
}
inline void enqueue(void* at, void* routine, void* context, item::form form, char const* what) {
    auto const& items = workers::current().items;
    auto const found = items.find(at);
    if (found == items.end()) {
        system().stop(invalid_worker, std::string(what) + " queues what is no work item");
    }
    if (found->second.queued) {
        system().stop(invalid_worker, std::string(what) + " queues a work item that is queued already");
    }
    queue(at, {form, found->second.device, routine, context, false}, what);
}
inline void WDDMCORE_DRIVER_CALL enqueue_plain(void* at, void(WDDMCORE_DRIVER_CALL* routine)(void*, void*),
                                               std::uint32_t, void* context) {
    enqueue(at, reinterpret_cast<void*>(routine), context, item::form::with_device, "IoQueueWorkItem");
}
inline void WDDMCORE_DRIVER_CALL enqueue_ex(void* at, void(WDDMCORE_DRIVER_CALL* routine)(void*, void*, void*),
                                            std::uint32_t, void* context) {
    enqueue(at, reinterpret_cast<void*>(routine), context, item::form::with_item, "IoQueueWorkItemEx");
}

/// WORK_QUEUE_ITEM, which the driver fills in: a list entry, the routine and its parameter.
struct queue_item {
    void* links[2];
    void(WDDMCORE_DRIVER_CALL* routine)(void*);
    void* parameter;
};
inline void WDDMCORE_DRIVER_CALL enqueue_bare(queue_item* at, std::uint32_t) {
    queue(at, {item::form::plain, nullptr, reinterpret_cast<void*>(at->routine), at->parameter, false},
          "ExQueueWorkItem");
}

[[nodiscard]] inline std::vector<service> services() {
    return {entry("IoAllocateWorkItem", &allocate),
            entry("IoFreeWorkItem", &free),
            entry("IoSizeofWorkItem", &size),
            entry("IoInitializeWorkItem", &initialize),
            entry("IoUninitializeWorkItem", &uninitialize),
            entry("IoQueueWorkItem", &enqueue_plain),
            entry("IoQueueWorkItemEx", &enqueue_ex),
            entry("ExQueueWorkItem", &enqueue_bare)};
}

}  // namespace wddmcore::testing::kernel_parts::work_services

#endif
