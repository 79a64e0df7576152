// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

extern "C" {
extern unsigned char const alignment_vectors[];
extern unsigned long long volatile unaligned_elsewhere;  ///< counted by alignment_aarch64.S
}

/// The parts of QEMU's machines that images without an operating system talk to: a serial line, and how to leave.
namespace images {

#if defined(__x86_64__) || defined(_M_X64)

inline void out(unsigned short port, unsigned char value) {
    __asm__ volatile("outb %0, %1" : : "a"(value), "Nd"(port));
}
inline void put_character(char c) { out(0x3F8, static_cast<unsigned char>(c)); }

/// The isa-debug-exit device: QEMU's exit code is twice the value and one.
[[noreturn]] inline void leave(bool passed) {
    out(0xF4, passed ? 16 : 1);
    for (;;) {
        __asm__ volatile("hlt");
    }
}

/// There is nothing to switch on: privilege level 0 never checks alignment (Intel SDM, volume 3, interrupt 17), and
/// the library stores eight bytes at any dword on x64.
struct alignment_checks {};

#else

inline void put_character(char c) {
    *reinterpret_cast<unsigned volatile*>(0x0900'0000) = static_cast<unsigned char>(c);
}

/// Semihosting: SYS_EXIT of ADP_Stopped_ApplicationExit.
[[noreturn]] inline void leave(bool passed) {
    unsigned long long const block[2] = {0x20026, passed ? 0u : 1u};
    register unsigned long long operation __asm__("x0") = 0x18;
    register unsigned long long const* argument __asm__("x1") = block;
    __asm__ volatile("hlt #0xf000" : : "r"(operation), "r"(argument) : "memory");
    for (;;) {
        __asm__ volatile("wfi");
    }
}

/// SCTLR_EL1.A while it lives, with the vectors of alignment_aarch64.S. Interrupts are masked: their handlers are not
/// ours.
class alignment_checks {
public:
    alignment_checks() {
        __asm__ volatile("mrs %0, daif\n\tmsr daifset, #15" : "=r"(masks_));
        __asm__ volatile("mrs %0, vbar_el1" : "=r"(vectors_));
        __asm__ volatile("mrs %0, sctlr_el1" : "=r"(control_));
        __asm__ volatile("msr oslar_el1, xzr");  // steps need the OS lock to be open
        set(reinterpret_cast<unsigned long long>(alignment_vectors), control_ | 2);
    }
    ~alignment_checks() {
        set(vectors_, control_);
        __asm__ volatile("msr daif, %0" : : "r"(masks_));
    }
    alignment_checks(alignment_checks const&) = delete;
    alignment_checks& operator=(alignment_checks const&) = delete;

private:
    static void set(unsigned long long vectors, unsigned long long control) {
        __asm__ volatile("msr vbar_el1, %0\n\tmsr sctlr_el1, %1\n\tisb" : : "r"(vectors), "r"(control));
    }

    unsigned long long masks_, vectors_, control_;
};

#endif

inline void print_line(char const* text) {
    for (; *text != '\0'; ++text) {
        put_character(*text);
    }
    put_character('\r');
    put_character('\n');
}

}  // namespace images
