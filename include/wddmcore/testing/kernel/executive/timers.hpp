// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../waits.hpp"

#if defined(__x86_64__) && defined(__linux__)

/// EX_TIMER: a timer that the system allocates, and whose callback runs at DISPATCH_LEVEL.
namespace wddmcore::inline WDDMCORE_ABI::testing::kernel_parts::timer_services {

using callback = void(WDDMCORE_DRIVER_CALL*)(void* timer, void* context);

/// What the driver's pointer points at: something to wait for, and the rest, which it does not know.
struct allocated_timer {
    dispatcher header;
    deferred_call call;
    callback routine;
    bool deleted;  // goes as soon as its callback has run
};

inline void give_back(allocated_timer* t) { pool::current().give(t, 0, "ExDeleteTimer"); }
inline void WDDMCORE_DRIVER_CALL fire(deferred_call* call, void* context, void*, void*) {
    auto* const t = static_cast<allocated_timer*>(call->data);
    if (t->routine != nullptr) {
        t->routine(t, context);
    }
    if (t->deleted) {
        give_back(t);
    }
}
/// A timer of the driver's; anything else stops the system.
[[nodiscard]] inline allocated_timer* of(void* at, char const* what) {
    pool::block const* const block = pool::current().find(at);
    if (block == nullptr || block->size != sizeof(allocated_timer) || std::string("a timer") != block->kind) {
        system().stop("0xC7 TIMER_OR_DPC_INVALID", std::string(what) + " is given what is no timer");
    }
    return static_cast<allocated_timer*>(at);
}

inline void* WDDMCORE_DRIVER_CALL allocate(callback routine, void* context, std::uint32_t attributes) {
    constexpr std::uint32_t notifies = std::uint32_t{1} << 31;
    system().at_most(dispatch_level, "ExAllocateTimer");
    void* const at = system().fails() ? nullptr : pool::current().take(sizeof(allocated_timer), 0, true, "a timer");
    if (at == nullptr) {
        return nullptr;
    }
    auto* const t = new (at) allocated_timer{};
    wait_services::prepare(&t->header, (attributes & notifies) != 0 ? notification_timer : synchronization_timer, 0);
    wait_services::initialize_dpc(&t->call, &fire, context);
    t->call.data = t;
    t->routine = routine;
    return t;
}
inline std::uint8_t WDDMCORE_DRIVER_CALL set(void* at, std::int64_t due, std::int64_t period, void*) {
    kernel_system& k = system();
    k.at_most(dispatch_level, "ExSetTimer");
    allocated_timer* const t = of(at, "ExSetTimer");
    bool const was = k.timers.erase(&t->header) != 0;
    t->header.signalled = 0;
    std::uint64_t const when = due < 0 ? k.now + static_cast<std::uint64_t>(-due) : static_cast<std::uint64_t>(due);
    k.timers[&t->header] = {when, static_cast<std::uint64_t>(period), &t->call};  // both in 100 ns
    return was ? 1 : 0;
}
inline std::uint8_t WDDMCORE_DRIVER_CALL cancel(void* at, void*) {
    system().at_most(dispatch_level, "ExCancelTimer");
    return system().timers.erase(&of(at, "ExCancelTimer")->header) != 0 ? 1 : 0;
}
inline std::uint8_t WDDMCORE_DRIVER_CALL remove(void* at, std::uint8_t cancels, std::uint8_t waits, void*) {
    kernel_system& k = system();
    k.at_most(waits != 0 ? apc_level : dispatch_level, "ExDeleteTimer");
    allocated_timer* const t = of(at, "ExDeleteTimer");
    if (waits != 0 && cancels == 0) {
        k.find("0xC4 DRIVER_VERIFIER_DETECTED_VIOLATION", "ExDeleteTimer is to wait and not to cancel");
    }
    bool const is_set = k.timers.find(&t->header) != k.timers.end();
    if (is_set && cancels == 0) {
        k.timers[&t->header].period = 0;
        t->deleted = true;
        return 0;
    }
    k.timers.erase(&t->header);
    if (std::find(k.calls.begin(), k.calls.end(), &t->call) != k.calls.end()) {
        t->deleted = true;  // its time came before; the callback runs once more
        if (k.level() < dispatch_level) {
            k.run_deferred();
        }
        return 0;
    }
    give_back(t);
    return is_set ? 1 : 0;
}

[[nodiscard]] inline std::vector<service> services() {
    return {entry("ExAllocateTimer", &allocate), entry("ExSetTimer", &set), entry("ExCancelTimer", &cancel),
            entry("ExDeleteTimer", &remove)};
}

}  // namespace wddmcore::testing::kernel_parts::timer_services

#endif
