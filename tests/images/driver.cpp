// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// A kernel-mode driver that runs the self-checks from DriverEntry, reports through its status, the debugger's output
// and a file, and can be unloaded. The few declarations of the kernel that it needs are written out here.

#include "payload/image.hpp"

namespace {

using namespace images;

struct unicode_string {
    u16 length, room;  // bytes
    char16_t const* text;
};
struct object_attributes {
    u32 length;
    void* root;
    unicode_string const* name;
    u32 attributes;
    void* security;
    void* quality;
};
struct io_status {
    usize status;
    usize information;
};
/// DRIVER_OBJECT, of which only DriverUnload is written.
struct driver_object {
    u8 before[0x68];
    void (*unload)(driver_object*);
};
static_assert(__builtin_offsetof(driver_object, unload) == 0x68);  // x64 and ARM64

constexpr u32 access_write = 0x0012'0116, create_anew = 5, synchronous = 0x20, kernel_handle = 0x240;
constexpr i32 not_passed = static_cast<i32>(0xC000'0001);  // STATUS_UNSUCCESSFUL

extern "C" {
__declspec(dllimport) u32 DbgPrint(char const* format, ...);
__declspec(dllimport) i32 ZwCreateFile(void** handle, u32 access, object_attributes const*, io_status*, i64 const* size,
                                       u32 attributes, u32 share, u32 disposition, u32 options, void* extended,
                                       u32 extended_length);
__declspec(dllimport) i32 ZwWriteFile(void* handle, void* event, void* routine, void* context, io_status*,
                                      void const* from, u32 length, i64 const* offset, u32 const* key);
__declspec(dllimport) i32 ZwClose(void* handle);
}

constexpr char16_t report_name[] = u"\\??\\C:\\wddmcore_images.txt";
constexpr char16_t unload_name[] = u"\\??\\C:\\wddmcore_unloaded.txt";

/// A new file; null when there is none.
template <usize Size>
void* create(char16_t const (&name)[Size]) {
    unicode_string const path{sizeof name - 2, sizeof name, name};
    object_attributes const where{sizeof(object_attributes), nullptr, &path, kernel_handle, nullptr, nullptr};
    io_status done{};
    void* handle = nullptr;
    i32 const status =
        ZwCreateFile(&handle, access_write, &where, &done, nullptr, 0x80, 0, create_anew, synchronous, nullptr, 0);
    return status < 0 ? nullptr : handle;
}

void* report = nullptr;

void write(char const* text) {
    u32 length = 0;
    while (text[length] != '\0') {
        ++length;
    }
    io_status done{};
    static_cast<void>(ZwWriteFile(report, nullptr, nullptr, nullptr, &done, text, length, nullptr, nullptr));
}

void print(char const* text) {
    DbgPrint("%s\n", text);
    if (report != nullptr) {
        write(text);
        write("\n");
    }
}

void unload(driver_object*) {
    if (void* const mark = create(unload_name)) {
        static_cast<void>(ZwClose(mark));
    }
}

}  // namespace

extern "C" i32 DriverEntry(driver_object* driver, void*) {
    driver->unload = &unload;
    report = create(report_name);
    verdict const v = run_self_check(&print);
    bool const written = report != nullptr && ZwClose(report) >= 0;
    report = nullptr;
    return v.passed() && written ? 0 : not_passed;
}
