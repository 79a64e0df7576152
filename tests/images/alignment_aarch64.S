// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// Vectors of EL1 for images under SCTLR_EL1.A, which faults on every access that is not aligned for its own size. In
// memory that the GPU reads such an access is a failure. Elsewhere compilers make them, and may: the instruction is
// stepped over with the check off, and counted. Everything else is a failure, too.
    .text
    .balign 2048
    .globl alignment_vectors
alignment_vectors:
    .set vector, 0
    .rept 16
    .balign 128
    .if vector == 4                 // synchronous, from EL1 with its own stack
    b synchronous
    .else
    b failure
    .endif
    .set vector, vector + 1
    .endr

synchronous:
    sub sp, sp, #96                 // Windows lets functions use 16 bytes below the stack pointer
    stp x0, x1, [sp, #0]
    stp x2, x3, [sp, #16]
    mrs x0, esr_el1
    ubfx x1, x0, #26, #6
    cmp x1, #0x33                   // a software step from EL1: the instruction is done
    b.eq stepped
    cmp x1, #0x25                   // a data abort from EL1
    b.ne failure
    and x1, x0, #0x3F
    cmp x1, #0x21                   // an alignment fault
    b.ne failure
    mrs x1, far_el1
    adrp x2, guarded_memory
    add x2, x2, :lo12:guarded_memory
    ldp x2, x3, [x2]
    cmp x1, x3
    b.hs allowed
    add x1, x1, #15                 // the widest access
    cmp x1, x2
    b.hs failure
allowed:
    adrp x2, unaligned_elsewhere
    add x2, x2, :lo12:unaligned_elsewhere
    ldr x1, [x2]
    add x1, x1, #1
    str x1, [x2]
    mrs x0, sctlr_el1
    bic x0, x0, #2
    msr sctlr_el1, x0
    mrs x0, mdscr_el1               // SS and KDE: step, in EL1 as well
    orr x0, x0, #1
    orr x0, x0, #0x2000
    msr mdscr_el1, x0
    mrs x0, spsr_el1
    orr x0, x0, #0x200000           // SS
    bic x0, x0, #0x200              // D
    msr spsr_el1, x0
    b return
stepped:
    mrs x0, sctlr_el1
    orr x0, x0, #2
    msr sctlr_el1, x0
    mrs x0, mdscr_el1
    bic x0, x0, #1
    msr mdscr_el1, x0
    mrs x0, spsr_el1
    bic x0, x0, #0x200000
    orr x0, x0, #0x200
    msr spsr_el1, x0
return:
    isb
    ldp x0, x1, [sp, #0]
    ldp x2, x3, [sp, #16]
    add sp, sp, #96
    eret

failure:
    mrs x0, sctlr_el1               // the report must not fault again
    bic x0, x0, #2
    msr sctlr_el1, x0
    isb
    mrs x0, esr_el1
    mrs x1, elr_el1
    mrs x2, far_el1
    b image_trap
