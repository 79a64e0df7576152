// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

// The boundary between a simulator and a driver: plain C, no includes, so that either side may be built with any
// compiler, any headers and any C++ library.
//
// A driver built on the host fills the table directly. A driver built from its own sources for Windows fills it in one
// file compiled with its own headers; the pointers then follow the Windows calling convention of the machine.

// On x86-64 outside Windows the two conventions differ; everywhere else the platform's own is the right one.
#if defined(__x86_64__) && !defined(_WIN32) && (defined(__GNUC__) || defined(__clang__))
#    define WDDMCORE_DRIVER_CALL __attribute__((ms_abi))
#else
#    define WDDMCORE_DRIVER_CALL
#endif

#if defined(__cplusplus)
extern "C" {
#endif

// What a driver offers. Status values are NTSTATUS: 32 bits, negative for failures.
//
// Fill `size` with sizeof(struct wddmcore_driver_table) and everything unknown with zero: members behind `size` are
// taken as absent, so a table of today works with a simulator of tomorrow.
struct wddmcore_driver_table {
    unsigned int size;     // bytes of this structure as the driver's side knows it
    unsigned int version;  // DXGKDDI_INTERFACE_VERSION that the driver registered with
    void* adapter;         // the miniport device context; passed through, never looked at

    // DxgkDdiBuildPagingBuffer; args is DXGKARG_BUILDPAGINGBUFFER of `version`. Required.
    int(WDDMCORE_DRIVER_CALL* build_paging_buffer)(void* adapter, void* args);
    // DxgkDdiPatch; args is DXGKARG_PATCH. May be null: then paging buffers are not patched.
    int(WDDMCORE_DRIVER_CALL* patch)(void* adapter, void const* args);
    // DxgkDdiSubmitCommand; args is DXGKARG_SUBMITCOMMAND. May be null when the virtual form is given.
    int(WDDMCORE_DRIVER_CALL* submit_command)(void* adapter, void const* args);
    // DxgkDdiSubmitCommandVirtual; args is DXGKARG_SUBMITCOMMANDVIRTUAL, WDDM 2.0. May be null.
    int(WDDMCORE_DRIVER_CALL* submit_command_virtual)(void* adapter, void const* args);

    // sizeof of the argument structures as the driver was compiled; 0: not told. Compared before the first call.
    unsigned int build_paging_buffer_size;
    unsigned int patch_size;
    unsigned int submit_command_size;
    unsigned int submit_command_virtual_size;

    // Observers, each optional: they tell what cannot be seen from outside, or tell the hardware's model something.

    // The page number that entry `index` of aperture segment `segment` points at. Returns 0, or nonzero for no answer.
    int(WDDMCORE_DRIVER_CALL* aperture_page)(void* adapter, unsigned int segment, unsigned long long index,
                                             unsigned long long* page_number);
    // The GPU begins (busy 1) or ends (busy 0) to use the allocation, as far as the hardware's model can know it.
    void(WDDMCORE_DRIVER_CALL* set_allocation_busy)(void* adapter, void* allocation, int busy);
};

#if defined(__cplusplus)
}
#endif
