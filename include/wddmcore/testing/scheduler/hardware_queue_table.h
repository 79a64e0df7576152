// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

/// @file
/// What the simulator of hardware scheduling gives to a driver: the system's services and the registers of a simulated
/// GPU that schedules by itself. Plain C, like driver_table.h; members past `size` are absent.

#include "../scheduler_table.h"

#if defined(__cplusplus)
extern "C" {
#endif

/// What the system offers beside the services of packet scheduling. `system` is the first argument of each function.
struct wddmcore_queue_services {
    unsigned int size;                              ///< bytes of this structure as the simulator knows it
    void* system;                                   ///< the simulator's own; passed back to it, never looked at
    struct wddmcore_system_services const* common;  ///< interrupts, DPCs and the lock that keeps interrupts out

    /// DxgkCbInvalidateHwContext, at passive level: a reset has hit a context, and it runs no more (HWS-08).
    /// @param args  DXGKARGCB_INVALIDATEHWCONTEXT; hHwContext is the system's handle of the context
    /// @return an NTSTATUS, STATUS_SUCCESS
    int(WDDMCORE_DRIVER_CALL* invalidate_hw_context)(void* system, void const* args);
    /// The query whether the system has native fences enabled (HWS-11). Returns nonzero for yes, else 0.
    int(WDDMCORE_DRIVER_CALL* native_fences_enabled)(void* system);
};

/// What a driver says of itself when it starts.
struct wddmcore_queue_claims {
    unsigned int native_fences;  ///< [out] 1: NativeGpuFence of DXGK_VIDSCHCAPS is set (HWS-11); else 0
};

/// The private data of DXGKARG_CREATEHWCONTEXT: what a user-mode driver would have left there.
struct wddmcore_hw_context_private_data {
    unsigned long long area;  ///< GPU address of the context's saved state, which names it to the hardware; never 0
};
/// The private data of DXGKARG_CREATEHWQUEUE.
struct wddmcore_hw_queue_private_data {
    unsigned long long ring;  ///< GPU address of the queue's ring, which names it to the hardware; never 0
};
/// The private data of DXGKARG_SUBMITCOMMANDTOHWQUEUE; the hardware reads it when it begins with the buffer.
struct wddmcore_hw_submission_private_data {
    unsigned long long state[4];  ///< what the buffer needs to run
};

/// Who writes a queue's progress fence: bits of wddmcore_queue_packet::flags.
enum {
    /// The hardware writes it when the buffer is retired: neither GPU nor CPU use it any more.
    wddmcore_queue_fence_when_retired = 1,
    /// The hardware writes it when it has read the buffer: some of its commands may still be under way.
    wddmcore_queue_fence_when_read = 2
};
/// A DMA buffer as it is written to a ring.
struct wddmcore_queue_packet {
    unsigned int flags;                ///< of the bits above; 0: the buffer's last command writes the fence
    unsigned int bytes;                ///< of the buffer; 0: there is no command
    unsigned long long buffer;         ///< GPU address of the DMA buffer
    unsigned long long fence_address;  ///< GPU address of the progress fence, with one of the flags
    unsigned long long fence_value;    ///< what is written there
    void const* private_data;          ///< memory of the driver's, until the hardware has begun; may be NULL
    unsigned int private_data_bytes;   ///< how much of it the hardware reads
};

/// What the hardware tells: values of wddmcore_queue_event::type.
enum {
    wddmcore_queue_suspended = 1,       ///< `context` is off the GPU; `value` is that of the request
    wddmcore_queue_list_switched = 2,   ///< the node works on a new list; `value` is that of the request
    wddmcore_queue_fence_signaled = 3,  ///< the current value at address `value` went above its monitored one
    wddmcore_queue_state_changed = 4    ///< for the log: `context` is in `state` since `value`
};
/// One entry of the memory in which the hardware leaves what it has to tell.
struct wddmcore_queue_event {
    unsigned int type;           ///< of the values above
    unsigned int state;          ///< of wddmcore_queue_state_changed: DXGK_SCHEDULING_LOG_CONTEXT_STATE
    unsigned long long context;  ///< the area of the context, where there is one
    unsigned long long value;    ///< as the type says
};

/// The registers of the hardware's scheduler. `gpu` is the first argument of each function, nodes count from 0, any
/// level is allowed. A context is named by its area, a queue by its ring.
struct wddmcore_queue_gpu {
    unsigned int size;        ///< bytes of this structure as the simulator knows it
    void* gpu;                ///< the simulator's own; passed back to it, never looked at
    unsigned int node_count;  ///< 1 to 32
    /// Nodes that run the list of contexts that they are given, as bits; the others choose among the contexts that may
    /// run.
    unsigned int list_nodes;
    unsigned int fence_release_nodes;  ///< nodes with RingBufferFenceRelease (HWS-06), as bits
    unsigned int ring_entries;         ///< packets that one ring holds
    unsigned int writes_log;           ///< 1: the hardware writes the scheduling log; 0: it tells, the driver writes

    /// A ring belongs to a context from now on.
    /// @param name  what the hardware writes into the log for the context, hKmdContext
    void(WDDMCORE_DRIVER_CALL* open_queue)(void* gpu, unsigned int node, unsigned long long area,
                                           unsigned long long ring, void* name);
    /// The hardware reads nothing more of a ring; with the last one of a context it forgets the context.
    void(WDDMCORE_DRIVER_CALL* close_queue)(void* gpu, unsigned int node, unsigned long long ring);
    /// Appends a packet to a ring; the hardware may begin with it at once.
    void(WDDMCORE_DRIVER_CALL* append)(void* gpu, unsigned int node, unsigned long long ring,
                                       struct wddmcore_queue_packet const* packet);
    /// How a context is scheduled: its DXGK_SCHEDULING_PRIORITY_BAND and its priority in its process.
    void(WDDMCORE_DRIVER_CALL* set_priority)(void* gpu, unsigned int node, unsigned long long area, unsigned int band,
                                             int priority);
    /// The hardware may run the context from now on. Requests of a node are taken in their order.
    void(WDDMCORE_DRIVER_CALL* run)(void* gpu, unsigned int node, unsigned long long area);
    /// Asks for the context to leave the GPU and stay off; `value`, any number, is echoed by wddmcore_queue_suspended.
    void(WDDMCORE_DRIVER_CALL* suspend)(void* gpu, unsigned int node, unsigned long long area,
                                        unsigned long long value);
    /// The list of a node of `list_nodes`, echoed by wddmcore_queue_list_switched.
    /// @param first   runs now; 0: the node idles
    /// @param second  runs while all queues of the first are idle or wait; may be 0
    /// @param value   any number, which is echoed
    void(WDDMCORE_DRIVER_CALL* set_list)(void* gpu, unsigned int node, unsigned long long first,
                                         unsigned long long second, unsigned long long value);
    /// Where the hardware writes the log of a node, DXGK_SCHEDULING_LOG_BUFFER; only where it writes it.
    void(WDDMCORE_DRIVER_CALL* set_log)(void* gpu, unsigned int node, unsigned long long address,
                                        unsigned int number_of_entries);
    /// Returns nonzero when no entry of an older log is being written any more, else 0.
    int(WDDMCORE_DRIVER_CALL* log_is_quiet)(void* gpu, unsigned int node);
    /// Takes the oldest event of a node; what was the last one dismisses the interrupt. Returns 0 when there is none.
    int(WDDMCORE_DRIVER_CALL* next_event)(void* gpu, unsigned int node, struct wddmcore_queue_event* event);
    /// Stops a node and clears it: nothing is loaded, no request waits, its list is empty, and it runs nothing until it
    /// is restarted. Rings stay, and so do events that were not taken. Returns 0, or nonzero when it failed.
    int(WDDMCORE_DRIVER_CALL* reset)(void* gpu, unsigned int node);
    /// Whether the last reset of a node discarded work of a context: 0 no, 1 yes, 2 the hardware cannot tell.
    int(WDDMCORE_DRIVER_CALL* was_hit)(void* gpu, unsigned int node, unsigned long long area);
    /// A node that was reset schedules again, beginning with no context that may run. Returns 0, or nonzero when it
    /// cannot.
    int(WDDMCORE_DRIVER_CALL* restart)(void* gpu, unsigned int node);
    /// A native fence: whenever the GPU writes its current value it compares that with the monitored one.
    void(WDDMCORE_DRIVER_CALL* watch_fence)(void* gpu, unsigned long long current, unsigned long long monitored);
    /// No longer a native fence.
    void(WDDMCORE_DRIVER_CALL* forget_fence)(void* gpu, unsigned long long current);
    /// The hardware drops its copies of monitored values: it has seen what is in memory when this returns (HWS-15).
    void(WDDMCORE_DRIVER_CALL* see_monitored_values)(void* gpu);
    /// Reads the current value of a native fence.
    unsigned long long(WDDMCORE_DRIVER_CALL* current_value)(void* gpu, unsigned long long current);
};

#if defined(__cplusplus)
}
#endif
