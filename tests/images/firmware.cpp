// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The self-checks without an operating system. As a UEFI application (`image_main` is called by firmware) it is the code
// of the msvc targets and needs none of UEFI's services; without firmware start_x86_64.S or start_aarch64.S calls it.

#include "machine.hpp"
#include "payload/image.hpp"

extern "C" {

unsigned long long volatile unaligned_elsewhere = 0;

[[noreturn]] void image_main() {
    bool passed = false;
    {
        [[maybe_unused]] images::alignment_checks const strict;
        passed = images::run_self_check(&images::print_line).passed();
    }
    images::line text;
    text << "unaligned accesses to memory that no GPU reads: " << unaligned_elsewhere;
    images::print_line(text.text());
    images::leave(passed);
}

/// Whatever the processor does not carry out.
///
/// @param what   the vector on x86-64, ESR_EL1 on AArch64
/// @param where  of the instruction
/// @param which  address it accessed, where there is one
[[noreturn]] void image_trap(unsigned long long what, unsigned long long where, unsigned long long which) {
    images::line text;
    text << "TRAP ";
    text.hex(what);
    text << " at ";
    text.hex(where);
    text << " accessing ";
    text.hex(which);
    images::print_line(text.text());
    images::leave(false);
}
}
