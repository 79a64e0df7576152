// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The one file that is linked with a driver's own object files, to certify the driver from source; bind_driver.py does it:
//
//   clang --target=x86_64-pc-windows-msvc-elf -fno-autolink -g -O1 -c driver.c
//   python3 bind_driver.py driver.so driver.o
//   certify driver.so --device model.so
//
// The target has the Windows ABI (its calling convention, its 32-bit long, its 16-bit wchar_t) and writes ELF objects.
// What such objects import of the kernel is defined here, hidden in the library: memcpy in the driver's convention must
// not be the memcpy of the program that loads it. A name that nobody has is an undefined symbol at link time. What the
// driver defines itself takes precedence: all of this is weak.
//
// Nothing is called before the program has filled the slots, so there is no code here but jumps through them.

#include "bound_driver.h"
#include "service_names.h"

#if !defined(__x86_64__) || !defined(__ELF__)
#    error "a driver is bound as a library of x86-64 Linux"
#endif

// A slot, its row in the table, and its name as a driver's object asks for it: a jump through the slot where it is a
// function's, eight bytes where it is a variable's, and the slot itself where a kit declares a pointer to a variable.
// DxgkInitialize is what a kit's display library links into a driver.
asm(".macro wddmcore_slot name, variable\n"
    "    .section .data.wddmcore, \"aw\"\n"
    "    .weak __imp_\\name\n"
    "    .hidden __imp_\\name\n"
    "    .p2align 3\n"
    "__imp_\\name:\n"
    "wddmcore_slot_\\name:\n"
    "    .quad 0\n"
    "    .section .rodata.wddmcore_text, \"a\"\n"
    "wddmcore_text_\\name:\n"
    "    .asciz \"\\name\"\n"
    "    .section wddmcore_names, \"aw\"\n"
    "    .p2align 3\n"
    "    .quad wddmcore_text_\\name, wddmcore_slot_\\name, \\variable\n"
    "    .weak \\name\n"
    "    .hidden \\name\n"
    ".endm\n"
    ".irp name, DxgkInitialize," WDDMCORE_KERNEL_FUNCTIONS "\n"
    "    wddmcore_slot \\name, 0\n"
    "    .text\n"
    "    .type \\name, @function\n"
    "\\name:\n"
    "    jmp *wddmcore_slot_\\name(%rip)\n"
    ".endr\n"
    ".irp name," WDDMCORE_KERNEL_VARIABLES "\n"
    "    wddmcore_slot \\name, wddmcore_variable_\\name\n"
    "    .section .data.wddmcore, \"aw\"\n"
    "    .type \\name, @object\n"
    "\\name:\n"
    "wddmcore_variable_\\name:\n"
    "    .quad 0\n"
    ".endr\n"
    ".irp name," WDDMCORE_KERNEL_POINTERS "\n"
    "    wddmcore_slot \\name, 0\n"
    "    .type \\name, @object\n"
    "    .set \\name, wddmcore_slot_\\name\n"
    ".endr\n"
    // Whole pages for the sections that come and go: nothing else shares the first of them, and nothing the last one
    // where this file is linked last.
    "    .section PAGE, \"ax\", @progbits\n"
    "    .p2align 12\n"
    "    .section INIT, \"ax\", @progbits\n"
    "    .p2align 12\n"
    "    .text\n");

#pragma GCC visibility push(hidden)
extern "C" {
// What the linker has put where: the library, the two sections, and the rows of the table above.
extern unsigned char const __ehdr_start[], _end[];
extern unsigned char const __start_PAGE[], __stop_PAGE[], __start_INIT[], __stop_INIT[];
extern wddmcore_bound_name const __start_wddmcore_names[], __stop_wddmcore_names[];
void DriverEntry();
}
#pragma GCC visibility pop

extern "C" {
[[gnu::visibility("default")]] extern wddmcore_bound_driver const wddmcore_driver;
wddmcore_bound_driver const wddmcore_driver = {sizeof wddmcore_driver, reinterpret_cast<void*>(&DriverEntry),
                                               __ehdr_start,           _end,
                                               __start_PAGE,           __stop_PAGE,
                                               __start_INIT,           __stop_INIT,
                                               __start_wddmcore_names, __stop_wddmcore_names};
}
