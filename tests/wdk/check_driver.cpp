// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// A driver that does nothing but look: loaded once, it says whether each bit-field of the kit's headers lies where the
// library has it, and can be unloaded. It belongs to no device and registers with nothing.

#include <wddmcore/wdk/layout_check.hpp>

extern "C" DRIVER_INITIALIZE DriverEntry;
DRIVER_UNLOAD unload;

_Use_decl_annotations_ void unload(PDRIVER_OBJECT) {}

_Use_decl_annotations_ extern "C" NTSTATUS DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING) {
    driver->DriverUnload = unload;
    char const* const moved = wddmcore::wdk::moved_bit();
    DbgPrintEx(DPFLTR_IHVVIDEO_ID, DPFLTR_ERROR_LEVEL, "wddmcore: %s\n",
               moved == nullptr ? "each bit is in its place" : moved);
    return moved == nullptr ? STATUS_SUCCESS : STATUS_REVISION_MISMATCH;
}
