// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

// A device for a compiled driver: plain C, no includes. A shared library exports wddmcore_make_device, and the program
// `certify` loads it with --device. Functions are in the host's own calling convention unless WDDMCORE_DRIVER_CALL says
// otherwise; members past `size` are absent, and every function may be null.

#include "scheduler_table.h"

#if defined(__cplusplus)
extern "C" {
#endif

// What the device reaches, by the addresses on its bus. Functions return 0, or nonzero where no memory is.
struct wddmcore_device_bus {
    unsigned int size;
    void* bus;
    int (*read)(void* bus, unsigned long long address, void* to, unsigned long long bytes);
    int (*write)(void* bus, unsigned long long address, void const* from, unsigned long long bytes);
    // The longest directly usable piece, at most `bytes`; returns its length, 0 where no memory is.
    unsigned long long (*at)(void* bus, unsigned long long address, unsigned long long bytes, void** memory);
};

// What the machine gives to the device; valid as long as the device is.
struct wddmcore_device_host {
    unsigned int size;
    void* host;
    // The device interrupts: the system calls the driver's interrupt routine, and its DPC if it asks for one.
    // Anywhere in a function of the model: while the driver's instruction accesses a register it waits for the end of
    // the driver's function, or for its next wait.
    void (*interrupt)(void* host, unsigned int message);
};

// What the device has at a physical address, as the driver finds it in its resource list: memory, or registers where
// `memory` is null.
struct wddmcore_device_memory {
    unsigned long long address;
    unsigned long long bytes;
    void* memory;
};

struct wddmcore_device_model {
    unsigned int size;
    void* device;

    unsigned int memory_count;
    struct wddmcore_device_memory memory[6];

    // Paging: how the engine that executes paging buffers sees memory, and what the system must know of it.
    unsigned long long system_base;  // where the device sees page number 0
    unsigned int command_alignment;  // commands begin and end at multiples of it; 0: 4
    unsigned int page_attributes;  // bits CacheCoherent, ReadOnly, NoExecute of DXGK_PTE that `translate` tells; 0: all
    unsigned int monitored_fences;  // 1: operation 16 may be played

    // Executes one window: what one call of DxgkDdiBuildPagingBuffer wrote. A packet that the system submits may hold
    // several, which come one after another. Returns 0, or nonzero with a sentence and the offending dword.
    int (*execute)(void* device, unsigned int const* commands, unsigned long long dwords,
                   struct wddmcore_device_bus const* bus, char* why, unsigned long long why_bytes,
                   unsigned long long* dword);
    // A window was executed: the device tells, by an interrupt or as it does.
    void (*window_done)(void* device);
    // What page tables and CPU accesses go through, from now on; null: no more.
    void (*attach)(void* device, struct wddmcore_device_bus const* memory);

    // Observers, with the meaning that they have in driver_table.h.
    int (*aperture_page)(void* device, unsigned int segment, unsigned long long index, unsigned long long* page_number,
                         int* coherent);
    int (*translate)(void* device, unsigned int root_segment, unsigned long long root_offset,
                     unsigned long long virtual_address, int past_caches, unsigned long long* address,
                     unsigned int* attributes);
    void (*enter_address_space)(void* device, unsigned int root_segment, unsigned long long root_offset);
    int (*translate_in_context)(void* device, void* context, unsigned long long virtual_address, int past_caches,
                                unsigned long long* address, unsigned int* attributes);
    // The device has written to memory of a process, and keeps it in a cache until `write_back`.
    void (*cached_write)(void* device, void* process, unsigned long long virtual_address, unsigned long long address,
                         void const* from, unsigned long long bytes);
    void (*write_back)(void* device);

    // What the user-mode driver would send: private data of an allocation and of a context. Returns its bytes.
    unsigned int (*allocation_data)(void* device, unsigned int number, unsigned long long bytes, void* to,
                                    unsigned int room);
    unsigned int (*context_data)(void* device, unsigned long long save_area, void* to, unsigned int room);

    // Scheduling: the simulator's engines, which the device shows to the driver from the next StartDevice on; null:
    // they are gone. Without it scheduling is not judged.
    void (*show_engines)(void* device, struct wddmcore_gpu const* engines);

    // Registers: each instruction of the driver that reads or writes there is one call, of the instruction's width, at
    // most 8 bytes at a time. `range` is an index of `memory`, `offset` counts from its beginning. Null: a read gives
    // ones, and a write is lost.
    unsigned long long (*read_register)(void* device, unsigned int range, unsigned long long offset,
                                        unsigned int bytes);
    void (*write_register)(void* device, unsigned int range, unsigned long long offset, unsigned int bytes,
                           unsigned long long value);
    // Ports, for the instructions IN and OUT; port_count 0: none.
    unsigned int first_port;
    unsigned int port_count;
    unsigned int (*read_port)(void* device, unsigned int port, unsigned int bytes);
    void (*write_port)(void* device, unsigned int port, unsigned int bytes, unsigned int value);
    // The beginning of the configuration space, for DxgkCbReadDeviceSpace; the rest is 0.
    void const* configuration;
    unsigned int configuration_bytes;
};

// Makes the device. Returns 0, or nonzero when it cannot.
int wddmcore_make_device(struct wddmcore_device_host const* host, struct wddmcore_device_model* model);

#if defined(__cplusplus)
}
#endif
