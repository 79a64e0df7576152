// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

/// @file
/// A device for a compiled driver: plain C, no includes. A shared library exports wddmcore_make_device, and the program
/// `certify` loads it with --device. Functions are in the host's own calling convention unless WDDMCORE_DRIVER_CALL
/// says otherwise; members past `size` are absent, and every function may be null. A device
/// that knows a larger wddmcore_device_model than `size` says writes nothing past it, or makes no device.

#include "scheduler/hardware_queue_table.h"
#include "scheduler_table.h"

#if defined(__cplusplus)
extern "C" {
#endif

/// What the device reaches, by the byte addresses on its bus. Functions return 0, or nonzero where no memory is.
struct wddmcore_device_bus {
    unsigned int size;  ///< bytes of this structure as the host knows it
    void* bus;          ///< the host's own: the first argument of each function
    /// Reads `bytes` bytes from `address` on, all of them or none.
    int (*read)(void* bus, unsigned long long address, void* to, unsigned long long bytes);
    /// Writes `bytes` bytes from `address` on, all of them or none.
    int (*write)(void* bus, unsigned long long address, void const* from, unsigned long long bytes);
    /// Stores in `memory` where the longest directly usable piece from `address` on is. Returns its bytes, at most
    /// `bytes`, or 0 where no memory is.
    unsigned long long (*at)(void* bus, unsigned long long address, unsigned long long bytes, void** memory);
};

/// What the machine gives to the device; valid as long as the device is.
struct wddmcore_device_host {
    unsigned int size;  ///< bytes of this structure as the host knows it
    void* host;         ///< the host's own: the first argument of each function; may be NULL
    /// The device interrupts: the system calls the driver's interrupt routine with this message, 0 for the first, and
    /// its DPC if it asks for one. Anywhere in a function of the model: while the driver's instruction accesses a
    /// register it waits for the end of the driver's function, or for its next wait.
    void (*interrupt)(void* host, unsigned int message);
};

/// What the device has at a physical address, as the driver finds it in its resource list: memory, or registers where
/// `memory` is null.
struct wddmcore_device_memory {
    unsigned long long address;  ///< physical address of the first byte
    unsigned long long bytes;    ///< 1 to 0xFFFFFFFF, as the resource list holds it
    void* memory;                ///< where the host finds these bytes; NULL: registers
};

/// A place in commands of the user-mode driver that means an allocation: D3DDDI_PATCHLOCATIONLIST.
struct wddmcore_patch_location {
    unsigned int allocation_index;   ///< AllocationIndex: of the allocation list
    unsigned int slot;               ///< SlotId: its lowest 24 bits
    unsigned int driver_id;          ///< DriverId: what the driver makes of it
    unsigned int allocation_offset;  ///< AllocationOffset, in bytes
    unsigned int patch_offset;       ///< PatchOffset: bytes from the beginning of the commands
    unsigned int split_offset;       ///< SplitOffset: bytes from the beginning of the commands
};

/// A device: what it consists of, and what it does when it is asked. wddmcore_make_device fills it.
struct wddmcore_device_model {
    unsigned int size;  ///< bytes of this structure; the host sets it to those it has before the device is made
    void* device;       ///< the device's own: the first argument of each function

    unsigned int memory_count;                ///< how many of `memory` there are, 0 to 6
    struct wddmcore_device_memory memory[6];  ///< in the order of the resource list

    // Paging: how the engine that executes paging buffers sees memory, and what the system must know of it.
    unsigned long long system_base;  ///< where the device sees page number 0: a bus address in bytes
    unsigned int command_alignment;  ///< commands begin and end at multiples of it, bytes, a multiple of 4; 0: 4
    /// Bits CacheCoherent, ReadOnly and NoExecute of DXGK_PTE that `translate` tells; 0: all.
    unsigned int page_attributes;
    unsigned int monitored_fences;  ///< 1: operation 16 may be played, 0: not

    /// Executes one window: what one call of DxgkDdiBuildPagingBuffer wrote. A packet that the system submits may hold
    /// several, which come one after another. NULL: where all memory segments of the driver lie in memory that it has
    /// allocated itself, or in that of `memory`, the driver executes by itself; else paging is not judged.
    /// @param commands   the first command
    /// @param dwords     32-bit words of the window, 1 or more
    /// @param bus        what the commands reach, until this function returns
    /// @param why        [out] where nonzero is returned: one sentence that says why, with its NUL
    /// @param why_bytes  room for it
    /// @param dword      [out] where nonzero is returned: the offending command, in dwords from the window's start
    /// @return 0, or nonzero when a command or one of its accesses is wrong
    int (*execute)(void* device, unsigned int const* commands, unsigned long long dwords,
                   struct wddmcore_device_bus const* bus, char* why, unsigned long long why_bytes,
                   unsigned long long* dword);
    /// All windows of a packet were executed: the device tells, by an interrupt or as it does.
    void (*window_done)(void* device);
    /// What page tables and CPU accesses go through, from now on: all memory by bus addresses. NULL: no more.
    void (*attach)(void* device, struct wddmcore_device_bus const* memory);

    // Observers, with the meaning that they have in driver_table.h.

    /// Which page an entry of an aperture points at.
    /// @param segment      id of the aperture segment, 1 to 31
    /// @param index        of the entry: 4-KiB pages from the segment's start
    /// @param page_number  [out] number of the 4-KiB page of system memory
    /// @param coherent     [out] 1: the entry is mapped coherent with the CPU's caches (OP05-03), 0: not
    /// @return 0, or nonzero for no answer
    int (*aperture_page)(void* device, unsigned int segment, unsigned long long index, unsigned long long* page_number,
                         int* coherent);
    /// What the hardware makes of a GPU virtual address in the address space of a root.
    /// @param root_segment     id of the segment that holds the root, 1 to 31; 0: system memory
    /// @param root_offset      bytes from the segment's start; in system memory the physical address
    /// @param virtual_address  the address, in bytes
    /// @param past_caches      1: by the page tables alone, changing nothing; 0: with cached translations, and asking
    ///                         counts as an access
    /// @param address          [out] the address that the engine uses on the bus, in bytes
    /// @param attributes       [out] bits CacheCoherent, ReadOnly and NoExecute at their places in DXGK_PTE
    /// @return 0, or nonzero for a page fault
    int (*translate)(void* device, unsigned int root_segment, unsigned long long root_offset,
                     unsigned long long virtual_address, int past_caches, unsigned long long* address,
                     unsigned int* attributes);
    /// The engine is about to execute commands in the address space of this root, named as in `translate`.
    void (*enter_address_space)(void* device, unsigned int root_segment, unsigned long long root_offset);
    /// As `translate`, by the root and the number of entries that the driver was told last for a context, which is its
    /// own handle.
    int (*translate_in_context)(void* device, void* context, unsigned long long virtual_address, int past_caches,
                                unsigned long long* address, unsigned int* attributes);
    /// The device has written to memory of a process, and keeps it in a cache until `write_back`.
    /// @param process          which process, as operation 22 names it
    /// @param virtual_address  GPU virtual address of the first byte
    /// @param address          bus address of the first byte
    /// @param from             what was written
    /// @param bytes            how many bytes
    void (*cached_write)(void* device, void* process, unsigned long long virtual_address, unsigned long long address,
                         void const* from, unsigned long long bytes);
    /// The caches write back what they still have.
    void (*write_back)(void* device);

    /// What the user-mode driver would send with an allocation: its private data. NULL: DxgkDdiCreateAllocation is not
    /// called, and allocations have handles that point nowhere.
    /// @param number  of the allocation in the simulator, from 1
    /// @param bytes   most that it may have
    /// @param to      [out] the private data
    /// @param room    for it, in bytes
    /// @return its bytes, at most `room`
    unsigned int (*allocation_data)(void* device, unsigned int number, unsigned long long bytes, void* to,
                                    unsigned int room);
    /// What the user-mode driver would send with a context: its private data. NULL: none.
    /// @param save_area  GPU address where the hardware saves the context
    /// @param to         [out] the private data
    /// @param room       for it, in bytes
    /// @return its bytes, at most `room`
    unsigned int (*context_data)(void* device, unsigned long long save_area, void* to, unsigned int room);

    /// Scheduling: the simulator's engines, which the device shows to the driver from the next StartDevice on; null:
    /// they are gone. Without it scheduling is not judged.
    void (*show_engines)(void* device, struct wddmcore_gpu const* engines);

    /// Registers: each instruction of the driver that reads there is one call, of the instruction's width, at most 8
    /// bytes at a time. NULL: a read gives ones.
    /// @param range   an index of `memory`
    /// @param offset  bytes from the beginning of that range
    /// @param bytes   1 to 8
    /// @return the value, in the lowest bytes
    unsigned long long (*read_register)(void* device, unsigned int range, unsigned long long offset,
                                        unsigned int bytes);
    /// The same for instructions that write there: `value` has what is written in its lowest bytes. NULL: a write is
    /// lost.
    void (*write_register)(void* device, unsigned int range, unsigned long long offset, unsigned int bytes,
                           unsigned long long value);
    unsigned int first_port;  ///< ports, for the instructions IN and OUT: number of the first one
    unsigned int port_count;  ///< how many ports there are; 0: none
    /// The driver's IN from `port` on, `bytes` 1, 2 or 4. NULL: it gives ones.
    /// @return the value, in the lowest bytes
    unsigned int (*read_port)(void* device, unsigned int port, unsigned int bytes);
    /// The driver's OUT from `port` on, `bytes` 1, 2 or 4: `value` has them in its lowest bytes. NULL: it is lost.
    void (*write_port)(void* device, unsigned int port, unsigned int bytes, unsigned int value);
    /// The beginning of the configuration space, for DxgkCbReadDeviceSpace; the rest is 0. NULL: all of it is.
    void const* configuration;
    unsigned int configuration_bytes;  ///< of `configuration`; the first 4,096 are used

    /// What the user-mode driver would send to DxgkDdiRender. The allocation list has three entries: the first one is
    /// empty, from the second the commands may read, to the third they may write. NULL: it is not called.
    /// @param number       of the request, from 0 on, at most 15
    /// @param bytes        that each of the two allocations has at least
    /// @param to           [out] the commands
    /// @param room         for them, in bytes: the context's DmaBufferSize
    /// @param patches      [out] the patch-location list that goes with them
    /// @param patch_count  [in] for how many elements there is room in it: the context's PatchLocationListSize;
    ///                     [out] how many there are
    /// @return bytes of the commands, at most `room`; 0: there are no more requests
    unsigned int (*render_commands)(void* device, unsigned int number, unsigned long long bytes, void* to,
                                    unsigned int room, struct wddmcore_patch_location* patches,
                                    unsigned int* patch_count);

    /// How many of the displays of wddmcore_gpu the device shows to the driver, with their interrupts. 0: flips are not
    /// judged.
    unsigned int display_count;

    /// Hardware scheduling: the simulator's GPU that schedules by itself (scheduler/hardware_queue_table.h), which the
    /// device shows to the driver from the next StartDevice on; null: it is gone. In such a run there are no engines.
    /// NULL: hardware queues are not judged.
    void (*show_queues)(void* device, struct wddmcore_queue_gpu const* queues);
    /// What the user-mode driver would send with a hardware context: its private data. NULL:
    /// wddmcore_hw_context_private_data.
    /// @param area  what names the context to the hardware
    /// @param to    [out] the private data
    /// @param room  for it, in bytes
    /// @return its bytes, at most `room`
    unsigned int (*hw_context_data)(void* device, unsigned long long area, void* to, unsigned int room);
    /// The same of a hardware queue, by what names its ring. NULL: wddmcore_hw_queue_private_data.
    unsigned int (*hw_queue_data)(void* device, unsigned long long ring, void* to, unsigned int room);
    /// The same of a submission: the device makes wddmcore_hw_submission_private_data of it again as it appends the
    /// packet. NULL: that structure itself.
    /// @param state  the four numbers that the buffer needs to run
    unsigned int (*hw_submission_data)(void* device, unsigned long long const* state, void* to, unsigned int room);
};

/// Makes the device; the shared library has this function.
/// @param host   what the machine gives; valid as long as the device is
/// @param model  [out] the device; all members but `size` are zero before
/// @return 0, or nonzero when it cannot be made
int wddmcore_make_device(struct wddmcore_device_host const* host, struct wddmcore_device_model* model);

#if defined(__cplusplus)
}
#endif
