// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// QEMU's `virt` machine starts here in EL1, without MMU and caches.
    .section .text.start, "ax"
    .globl _start
_start:
    adrp x0, stack_end
    add x0, x0, :lo12:stack_end
    mov sp, x0
    mov x0, #(3 << 20)              // CPACR_EL1.FPEN: integer NEON is used for copies
    msr cpacr_el1, x0
    adrp x0, alignment_vectors
    add x0, x0, :lo12:alignment_vectors
    msr vbar_el1, x0
    isb
    b image_main

    .section .bss.stack, "aw", %nobits
    .balign 16
    .skip 65536
stack_end:
