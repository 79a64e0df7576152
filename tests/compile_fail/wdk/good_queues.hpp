// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/preemption/engine/engine_for.hpp>

// Of the DDI's header.
struct _DXGKARGCB_NOTIFY_INTERRUPT_DATA {
    int InterruptType;
};

#include <wddmcore/wdk/functions/hardware_queues.hpp>

/// An adapter with what the functions for hardware scheduling ask of it, as good_device.hpp is one for the others.

#if !defined(room_name)
#    define room_name room_in_hw_queue
#endif
#if !defined(room_type)
#    define room_type wddmcore::span<wddmcore::u8>
#endif
#if !defined(append_throws)
#    define append_throws noexcept
#endif
#if !defined(suspend_name)
#    define suspend_name ask_suspend
#endif
#if !defined(suspend_argument)
#    define suspend_argument wddmcore::wdk::context&
#endif
#if !defined(resume_throws)
#    define resume_throws noexcept
#endif
#if !defined(was_name)
#    define was_name was_on_engine
#endif
#if !defined(reset_type)
#    define reset_type bool
#endif
#if !defined(invalidate_throws)
#    define invalidate_throws noexcept
#endif

struct good_queues {
    void close_hw_queue(void*) noexcept;
    room_type room_name(void*, wddmcore::u32) noexcept;
    void append_to_hw_queue(void*, wddmcore::preemption::queue_submission const&, wddmcore::u8 const*) append_throws;

    void suspend_name(suspend_argument, wddmcore::u64) noexcept;
    void ask_resume(wddmcore::wdk::context&) resume_throws;

    reset_type reset_hw_engine(wddmcore::u32) noexcept;
    bool was_name(wddmcore::wdk::context&) noexcept;
    bool resume_hw_engine(wddmcore::u32) noexcept;
    void* system_adapter() noexcept;
    void invalidate_hw_context(_DXGKARGCB_INVALIDATEHWCONTEXT&) invalidate_throws;
};
