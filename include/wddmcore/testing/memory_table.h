// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

/// @file
/// What the simulator of the video memory manager gives to a driver that starts: the system's services for physical
/// memory. Plain C, no includes, like driver_table.h; members past `size` are absent.

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

/// The callbacks that logical remapping takes away (IOM-13): values for earlier_callback.
enum {
    wddmcore_allocate_pages_for_mdl = 0,      ///< DxgkCbAllocatePagesForMdl
    wddmcore_allocate_contiguous_memory = 1,  ///< DxgkCbAllocateContiguousMemory
    wddmcore_map_mdl_to_iommu = 2,            ///< DxgkCbMapMdlToIoMmu
};

/// The part of DXGKRNL_INTERFACE that physical memory needs, and the interrupt level. From WDDM 2.9 on.
///
/// `system` is the first argument of each function; `args` is the DXGKARGCB structure of the same name. Callbacks are
/// for IRQL 1 (APC_LEVEL) and below (IOM-14); those that return int return an NTSTATUS.
struct wddmcore_memory_services {
    unsigned int size;  ///< bytes of this structure as the simulator knows it
    void* system;       ///< the simulator's own; passed back to it, never looked at

    /// DxgkCbCreatePhysicalMemoryObject: stores the object, and its handle for the adapter where hAdapter is not NULL.
    /// Returns STATUS_INVALID_PARAMETER for a size of 0 and an unknown type.
    int(WDDMCORE_DRIVER_CALL* create_physical_memory_object)(void* system, void* args);
    /// DxgkCbDestroyPhysicalMemoryObject: an object without ADLs ends, with its adapter's handle (ADL-12, ADL-14).
    void(WDDMCORE_DRIVER_CALL* destroy_physical_memory_object)(void* system, void const* args);
    /// DxgkCbOpenPhysicalMemoryObject: stores the adapter's handle of an object that was created without one (ADL-13).
    /// Returns STATUS_INVALID_PARAMETER when it is open already.
    int(WDDMCORE_DRIVER_CALL* open_physical_memory_object)(void* system, void* args);
    /// DxgkCbClosePhysicalMemoryObject: ends an adapter's handle; the object stays (ADL-14).
    void(WDDMCORE_DRIVER_CALL* close_physical_memory_object)(void* system, void const* args);
    /// DxgkCbMapPhysicalMemory: stores where the CPU finds a part of an object. The mapping is whole pages of 4 KiB:
    /// Offset comes back as the bytes from its start to the part, Size as its bytes (ADL-15). Returns
    /// STATUS_INVALID_HANDLE without such an object, STATUS_INVALID_PARAMETER for a part that is empty or not inside.
    int(WDDMCORE_DRIVER_CALL* map_physical_memory)(void* system, void* args);
    /// DxgkCbUnmapPhysicalMemory, with the address and the size that mapping gave (ADL-15).
    void(WDDMCORE_DRIVER_CALL* unmap_physical_memory)(void* system, void const* args);
    /// DxgkCbAllocateAdl: stores the ADL of a part of an open object, in whole 4-KiB pages (ADL-10). Returns
    /// STATUS_INVALID_HANDLE when it is not open, STATUS_INVALID_PARAMETER for another part, and for RequireContiguous
    /// where the object is not contiguous.
    int(WDDMCORE_DRIVER_CALL* allocate_adl)(void* system, void* args);
    /// DxgkCbFreeAdl: the device must not reach the ADL's pages any more (ADL-11).
    void(WDDMCORE_DRIVER_CALL* free_adl)(void* system, void const* args);

    /// One of the earlier callbacks; `which` is of the enumeration above. The simulator has no memory behind them: it
    /// notes the call and returns STATUS_NOT_SUPPORTED.
    int(WDDMCORE_DRIVER_CALL* earlier_callback)(void* system, unsigned int which);

    /// KeGetCurrentIrql: returns the level, 0 for PASSIVE_LEVEL.
    unsigned int(WDDMCORE_DRIVER_CALL* current_irql)(void* system);
    /// KeRaiseIrql: goes to `level` and returns the level before.
    unsigned int(WDDMCORE_DRIVER_CALL* raise_irql)(void* system, unsigned int level);
    /// KeLowerIrql: goes back to `level`, which is what raising returned.
    void(WDDMCORE_DRIVER_CALL* lower_irql)(void* system, unsigned int level);
};

#if defined(__cplusplus)
}
#endif
