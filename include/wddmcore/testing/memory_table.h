// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

// What the simulator of the video memory manager gives to a driver that starts: the system's services for physical
// memory. Plain C, no includes, like driver_table.h; members past `size` are absent.

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

// The callbacks that logical remapping takes away (IOM-13).
enum {
    wddmcore_allocate_pages_for_mdl = 0,
    wddmcore_allocate_contiguous_memory = 1,
    wddmcore_map_mdl_to_iommu = 2,
};

// The part of DXGKRNL_INTERFACE that physical memory needs, WDDM 2.9, and the interrupt level. `system` is the first
// argument of each function; args is the DXGKARGCB structure of the same name. Statuses are NTSTATUS.
struct wddmcore_memory_services {
    unsigned int size;
    void* system;

    int(WDDMCORE_DRIVER_CALL* create_physical_memory_object)(void* system, void* args);
    void(WDDMCORE_DRIVER_CALL* destroy_physical_memory_object)(void* system, void const* args);
    int(WDDMCORE_DRIVER_CALL* open_physical_memory_object)(void* system, void* args);
    void(WDDMCORE_DRIVER_CALL* close_physical_memory_object)(void* system, void const* args);
    int(WDDMCORE_DRIVER_CALL* map_physical_memory)(void* system, void* args);
    void(WDDMCORE_DRIVER_CALL* unmap_physical_memory)(void* system, void const* args);
    int(WDDMCORE_DRIVER_CALL* allocate_adl)(void* system, void* args);
    void(WDDMCORE_DRIVER_CALL* free_adl)(void* system, void const* args);

    // One of the earlier callbacks, by the enumeration above. The simulator has no memory behind them: it notes the
    // call and returns STATUS_NOT_SUPPORTED.
    int(WDDMCORE_DRIVER_CALL* earlier_callback)(void* system, unsigned int which);

    // KeGetCurrentIrql, KeRaiseIrql and KeLowerIrql: raising returns the level before.
    unsigned int(WDDMCORE_DRIVER_CALL* current_irql)(void* system);
    unsigned int(WDDMCORE_DRIVER_CALL* raise_irql)(void* system, unsigned int level);
    void(WDDMCORE_DRIVER_CALL* lower_irql)(void* system, unsigned int level);
};

#if defined(__cplusplus)
}
#endif
