// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/preemption/engine/engine_for.hpp>

// Of the DDI's header.
struct _DXGKARGCB_NOTIFY_INTERRUPT_DATA {
    int InterruptType;
};

#include <wddmcore/wdk/functions/check.hpp>

/// An adapter with everything that the functions of wdk/ ask of it. Each case takes one member away (names another one),
/// gives it another type, or lets it throw.

#if !defined(lock_name)
#    define lock_name take_submission_lock
#endif
#if !defined(lock_type)
#    define lock_type wddmcore::wdk::irq_level
#endif
#if !defined(lock_throws)
#    define lock_throws noexcept
#endif
#if !defined(dpc_name)
#    define dpc_name queue_dpc
#endif
#if !defined(notify_argument)
#    define notify_argument _DXGKARGCB_NOTIFY_INTERRUPT_DATA&
#endif
#if !defined(notify_throws)
#    define notify_throws noexcept
#endif
#if !defined(packet_name)
#    define packet_name write_packet
#endif
#if !defined(address_type)
#    define address_type wddmcore::u64
#endif
#if !defined(news_throws)
#    define news_throws noexcept
#endif
#if !defined(group_name)
#    define group_name nodes_reset_with
#endif
#if !defined(reset_type)
#    define reset_type bool
#endif
#if !defined(halt_throws)
#    define halt_throws noexcept
#endif
#if !defined(device_name)
#    define device_name adapter_of_device
#endif
#if !defined(memory_type)
#    define memory_type void*
#endif
#if !defined(close_throws)
#    define close_throws noexcept
#endif

struct good_device {
    lock_type lock_name() lock_throws;
    void leave_submission_lock(wddmcore::wdk::irq_level) noexcept;
    void run_synchronized(wddmcore::wdk::synchronized_routine*, void*) noexcept;

    void notify_interrupt(notify_argument) notify_throws;
    void dpc_name() noexcept;
    void notify_dpc() noexcept;

    void packet_name(wddmcore::u32, wddmcore_packet const&) noexcept;
    void read_news(wddmcore::u32, wddmcore_engine_news&) news_throws;
    void request_stop(wddmcore::u32, wddmcore::u32) noexcept;
    void withdraw_stop(wddmcore::u32) noexcept;
    address_type address_of_packet(void const*) noexcept;
    bool accepts_packet(void const*) noexcept;

    wddmcore_halted halt(wddmcore::u32, wddmcore::u32&) halt_throws;
    reset_type reset_node(wddmcore::u32) noexcept;
    wddmcore::u64 group_name(wddmcore::u32) noexcept;

    memory_type allocate_nonpaged(wddmcore::usize) noexcept;
    void release_nonpaged(void*) noexcept;
    void close_context(void*) close_throws;
    static void* device_name(void*) noexcept;
};
