// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

/// @file
/// What the simulator of the GPU scheduler gives to a driver: the system's services and the registers of a simulated
/// GPU. Plain C, no includes, like driver_table.h; members past `size` are absent.

/// @def WDDMCORE_DRIVER_CALL
/// The Windows calling convention of the machine, as in driver_table.h.

#if !defined(WDDMCORE_DRIVER_CALL)
#    if defined(__x86_64__) && !defined(_WIN32) && (defined(__GNUC__) || defined(__clang__))
#        define WDDMCORE_DRIVER_CALL __attribute__((ms_abi))
#    else
#        define WDDMCORE_DRIVER_CALL
#    endif
#endif

#if defined(__cplusplus)
extern "C" {
#endif

/// The interrupt levels that the simulator uses.
enum {
    wddmcore_passive_level = 0,   ///< contexts, patching, queries, cancelling and resets
    wddmcore_dispatch_level = 2,  ///< submissions, preemptions and the DPC
    wddmcore_device_level = 5     ///< the interrupt routine, and what synchronize_execution calls
};

/// The part of DXGKRNL_INTERFACE that scheduling needs. `system` is the first argument of each function.
struct wddmcore_system_services {
    unsigned int size;  ///< bytes of this structure as the simulator knows it
    void* system;       ///< the simulator's own; passed back to it, never looked at

    /// DxgkCbNotifyInterrupt, at device level only; `data` is DXGKARGCB_NOTIFY_INTERRUPT_DATA of the driver's version.
    void(WDDMCORE_DRIVER_CALL* notify_interrupt)(void* system, void const* data);
    /// DxgkCbQueueDpc: the DPC routine is called soon. Returns nonzero when it was not queued already, else 0.
    int(WDDMCORE_DRIVER_CALL* queue_dpc)(void* system);
    /// DxgkCbNotifyDpc, from the DPC at dispatch level (IRQ-02), once something was notified (INT-01).
    void(WDDMCORE_DRIVER_CALL* notify_dpc)(void* system);
    /// DxgkCbSynchronizeExecution: calls a routine at device level, when the interrupt routine does not run.
    /// @param routine         gets `context`, which is the driver's own
    /// @param message_number  the message of the interrupt that is kept out: 0 (INT-03)
    /// @param returned        [out] what the routine returned; may be NULL
    /// @return an NTSTATUS, STATUS_SUCCESS
    int(WDDMCORE_DRIVER_CALL* synchronize_execution)(void* system, int(WDDMCORE_DRIVER_CALL* routine)(void* context),
                                                     void* context, unsigned int message_number, int* returned);
    /// KeGetCurrentIrql: returns one of the levels above.
    unsigned int(WDDMCORE_DRIVER_CALL* current_irql)(void* system);
};

/// DXGKARG_CREATECONTEXT, as far as scheduling is concerned.
struct wddmcore_context_arguments {
    unsigned int node_ordinal;     ///< which node, 0 to the node count - 1
    unsigned int engine_affinity;  ///< 1 << engine (LDA-03)
    unsigned int system_context;   ///< 1: the system's own, for paging; else 0
    /// GPU address of the context allocation in which the hardware saves the context; never 0.
    unsigned long long save_area;
    void* context;  ///< [out] the driver's handle
};

/// The private data of every DMA buffer, which stands for what the driver's own render and paging functions would have
/// left there: the simulator builds the buffers itself.
struct wddmcore_packet_private_data {
    /// 1: the driver finds this packet invalid; DxgkDdiSubmitCommandVirtual returns STATUS_INVALID_PARAMETER (PRE-30).
    unsigned int invalid;
    unsigned int reserved;  ///< 0
    /// GPU address of the first byte that is submitted: paging buffers come without one in the virtual form (OBS-08).
    unsigned long long address;
};

/// How an engine takes a packet: bits of wddmcore_gpu_packet::flags.
enum {
    wddmcore_gpu_resume = 1,        ///< go on where the save area says, instead of at `start`
    wddmcore_gpu_fence_only = 2,    ///< execute nothing of the buffer, complete the serial only
    wddmcore_gpu_keep_context = 4,  ///< run in whatever context is loaded: nothing is saved, nothing is loaded
};
/// A packet as it is written to an engine's ring.
struct wddmcore_gpu_packet {
    unsigned int serial;         ///< what the engine writes when the packet has completed
    unsigned int flags;          ///< of the bits above; 0: none
    unsigned long long context;  ///< address of the save area; 0: the null context
    unsigned long long buffer;   ///< GPU address of the DMA buffer
    unsigned int start;          ///< bytes from there to the first command
    unsigned int end;            ///< bytes from there to past the last command; `start`: there is none
};

/// What an engine has to say: bits of wddmcore_gpu_status::news.
enum {
    wddmcore_gpu_completed = 1,  ///< `completed` was written since the last reading
    wddmcore_gpu_stopped = 2,    ///< the engine answered a stop request: its ring is empty now
    wddmcore_gpu_faulted = 4,    ///< a packet had a page fault: the `fault_` members say which
};
/// The status of an engine. Reading it dismisses its interrupt.
struct wddmcore_gpu_status {
    unsigned int news;                ///< of the bits above; 0: this engine interrupted nobody
    unsigned int completed;           ///< serial of the packet that completed last
    unsigned int stopped_generation;  ///< of the request that was answered
    /// The newest serial that had completed by then; before the first one, the serial before the first that was given.
    /// What completed just before the stop may be told by this alone, without wddmcore_gpu_completed.
    unsigned int stopped_through;
    unsigned int stopped_half_run;   ///< 1: the packet after that has begun; its state is in its context's save area
    unsigned int fault_known;        ///< 1: fault_serial is the packet that faulted, 0: the engine cannot tell
    unsigned int fault_serial;       ///< serial of the packet that faulted; 0 where the engine cannot tell
    unsigned int fault_needs_reset;  ///< 1: the engine has halted, 0: it skipped the packet and goes on
    unsigned int progress;           ///< changes with everything that the engine executes
    unsigned int waiting;            ///< 1: the engine waits for a semaphore
};

/// What a halted engine was doing: values of wddmcore_gpu_halted::what.
enum {
    wddmcore_gpu_nothing = 0,     ///< no packet had begun
    wddmcore_gpu_executing = 1,   ///< a packet had begun
    wddmcore_gpu_cannot_tell = 2  ///< there were packets, and the hardware does not know whether one had begun
};
/// What a halted engine says of itself.
struct wddmcore_gpu_halted {
    unsigned int what;    ///< one of the three values above
    unsigned int serial;  ///< of the packet, for wddmcore_gpu_executing; else 0
};

/// Where an engine can stop: values of wddmcore_gpu::stopping.
enum {
    wddmcore_gpu_stops_nowhere = 0,          ///< only when its ring has run empty
    wddmcore_gpu_stops_between_buffers = 1,  ///< also in front of a packet that has not begun
    wddmcore_gpu_stops_inside = 2            ///< also inside a packet, whose state goes to its context's save area
};

/// What a display does. Reading it changes nothing.
struct wddmcore_gpu_display {
    unsigned int vsync;              ///< 1: a vsync came that was not dismissed, and the device interrupts; else 0
    unsigned int pending;            ///< 1: the address that was programmed last waits for the next vsync; else 0
    unsigned long long scanned_out;  ///< the address that the display has taken; 0: none yet
};

/// DXGKARG_SETVIDPNSOURCEVISIBILITY, the same in all versions.
struct wddmcore_source_visibility {
    unsigned int source;    ///< VidPnSourceId
    unsigned char visible;  ///< Visible: 0: the source is blanked, else it is shown
};

/// The registers. `gpu` is the first argument of each function, nodes and engines count from 0; any level is allowed.
struct wddmcore_gpu {
    unsigned int size;                    ///< bytes of this structure as the simulator knows it
    void* gpu;                            ///< the simulator's own; passed back to it, never looked at
    unsigned int node_count;              ///< 1 to 32
    unsigned int engine_count;            ///< of each node: physical adapters in the link, 1 or 2
    unsigned int ring_entries;            ///< packets that one ring holds
    unsigned int stopping;                ///< nowhere, between buffers, inside: one of the three values above
    unsigned int acknowledges_when_idle;  ///< 1: idle engines answer requests too, 0: they do not

    /// Appends a packet to the ring; the engine may begin with it at once.
    void(WDDMCORE_DRIVER_CALL* enqueue)(void* gpu, unsigned int node, unsigned int engine,
                                        struct wddmcore_gpu_packet const* packet);
    /// Asks the engine to stop where it next can; the ring loses what has not completed. The answer is
    /// wddmcore_gpu_stopped, with `generation`, any number, as its stopped_generation.
    void(WDDMCORE_DRIVER_CALL* request_stop)(void* gpu, unsigned int node, unsigned int engine,
                                             unsigned int generation);
    /// Takes a request back that was not answered yet.
    void(WDDMCORE_DRIVER_CALL* disarm)(void* gpu, unsigned int node, unsigned int engine);
    /// Writes all of the status to `status`, and forgets its news.
    void(WDDMCORE_DRIVER_CALL* read_status)(void* gpu, unsigned int node, unsigned int engine,
                                            struct wddmcore_gpu_status* status);
    /// Halts the engine and writes what it was doing to `halted`: nothing is executed from here on; what has happened
    /// before can still be read.
    void(WDDMCORE_DRIVER_CALL* halt)(void* gpu, unsigned int node, unsigned int engine,
                                     struct wddmcore_gpu_halted* halted);
    /// Empties and restarts a halted engine; what it still had to say is gone. Returns 0, or nonzero when it failed and
    /// the engine is as before.
    int(WDDMCORE_DRIVER_CALL* reset)(void* gpu, unsigned int node, unsigned int engine);
    /// The nodes that a reset of this one disturbs, itself included, as bits: node 0 is the lowest.
    unsigned long long(WDDMCORE_DRIVER_CALL* affected_nodes)(void* gpu, unsigned int node);

    // Displays, of drivers that have set_vidpn_source_address.

    unsigned int display_count;  ///< VidPN sources, each shown by the target of the same number; 0: none
    /// Programs the address of a primary, as DxgkDdiSetVidPnSourceAddress names it: the display takes it at the next
    /// vsync, or at once where `immediately` is 1. The first one starts the display: vsyncs come, and interrupt.
    void(WDDMCORE_DRIVER_CALL* program_address)(void* gpu, unsigned int source, unsigned long long address,
                                                int immediately);
    /// Blanks the picture (1) or shows it (0): addresses are taken and vsyncs come as before.
    void(WDDMCORE_DRIVER_CALL* blank)(void* gpu, unsigned int source, int blanked);
    /// Writes what the display does to `display`.
    void(WDDMCORE_DRIVER_CALL* read_display)(void* gpu, unsigned int source, struct wddmcore_gpu_display* display);
    /// Dismisses the interrupt of a vsync.
    void(WDDMCORE_DRIVER_CALL* dismiss_vsync)(void* gpu, unsigned int source);
};

#if defined(__cplusplus)
}
#endif
