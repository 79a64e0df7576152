// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// A driver that belongs to no device and registers with nothing. Loaded once, it says whether each bit-field of the kit's
// headers lies where the library has it, runs the self-checks of tests/images, writes both to C:\wddmcore_check.txt and
// to the debugger, and can be unloaded.

#include <wddmcore/wdk/layout_check.hpp>

#include "../images/payload/image.hpp"

extern "C" DRIVER_INITIALIZE DriverEntry;
DRIVER_UNLOAD unload;

namespace {

HANDLE report = nullptr;

HANDLE create_report() {
    UNICODE_STRING name;
    RtlInitUnicodeString(&name, L"\\??\\C:\\wddmcore_check.txt");
    OBJECT_ATTRIBUTES where;
    InitializeObjectAttributes(&where, &name, OBJ_KERNEL_HANDLE | OBJ_CASE_INSENSITIVE, nullptr, nullptr);
    IO_STATUS_BLOCK done{};
    HANDLE handle = nullptr;
    NTSTATUS const status = ZwCreateFile(&handle, FILE_GENERIC_WRITE, &where, &done, nullptr, FILE_ATTRIBUTE_NORMAL, 0,
                                         FILE_OVERWRITE_IF, FILE_SYNCHRONOUS_IO_NONALERT, nullptr, 0);
    return NT_SUCCESS(status) ? handle : nullptr;
}

void write(char const* text, ULONG length) {
    IO_STATUS_BLOCK done{};
    static_cast<void>(
        ZwWriteFile(report, nullptr, nullptr, nullptr, &done, const_cast<char*>(text), length, nullptr, nullptr));
}

void print(char const* text) {
    DbgPrintEx(DPFLTR_IHVVIDEO_ID, DPFLTR_ERROR_LEVEL, "%s\n", text);
    if (report != nullptr) {
        ULONG length = 0;
        while (text[length] != '\0') {
            ++length;
        }
        write(text, length);
        write("\n", 1);
    }
}

}  // namespace

_Use_decl_annotations_ void unload(PDRIVER_OBJECT) {
    DbgPrintEx(DPFLTR_IHVVIDEO_ID, DPFLTR_ERROR_LEVEL, "wddmcore_check: unloaded\n");
}

_Use_decl_annotations_ extern "C" NTSTATUS DriverEntry(PDRIVER_OBJECT driver, PUNICODE_STRING) {
    driver->DriverUnload = unload;
    report = create_report();
    char const* const moved = wddmcore::wdk::moved_bit();
    print(moved == nullptr ? "each bit is in its place" : moved);
    images::verdict const found = images::run_self_check(&print);
    bool const written = report != nullptr && NT_SUCCESS(ZwClose(report));
    report = nullptr;
    if (moved != nullptr) {
        return STATUS_REVISION_MISMATCH;
    }
    return found.passed() && written ? STATUS_SUCCESS : STATUS_UNSUCCESSFUL;
}
