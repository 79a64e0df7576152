# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# QEMU starts a kernel with this note (PVH) in 32-bit mode, without paging. The first 4 MiB are mapped one to one.
    .section .note.pvh, "a", @note
    .long 4, 8, 18                  # XEN_ELFNOTE_PHYS32_ENTRY
    .asciz "Xen"
    .quad start32

    .section .text.start, "ax"
    .code32
    .globl _start
_start:
start32:
    movl $stack_end, %esp
    movl $level2, %eax              # two pages of 2 MiB
    movl $0x83, (%eax)
    movl $0x200083, 8(%eax)
    orl $3, %eax
    movl %eax, level3
    movl $level3, %eax
    orl $3, %eax
    movl %eax, level4
    movl $level4, %eax
    movl %eax, %cr3
    movl $0x620, %eax               # CR4: PAE, OSFXSR, OSXMMEXCPT
    movl %eax, %cr4
    movl $0xC0000080, %ecx          # EFER.LME
    rdmsr
    orl $0x100, %eax
    wrmsr
    movl $0x80000033, %eax          # CR0: PG, NE, ET, MP, PE
    movl %eax, %cr0
    lgdt gdt_pointer
    ljmp $8, $start64

    .code64
start64:
    movl $16, %eax
    movl %eax, %ds
    movl %eax, %es
    movl %eax, %ss
    leaq idt(%rip), %rdi            # one gate for each vector, 16 bytes
    leaq stubs(%rip), %rax
    movl $32, %ecx
fill:
    movw %ax, (%rdi)
    movw $8, 2(%rdi)
    movw $0x8E00, 4(%rdi)
    movq %rax, %rdx
    shrq $16, %rdx
    movw %dx, 6(%rdi)
    movq $0, 8(%rdi)
    addq $16, %rax
    addq $16, %rdi
    decl %ecx
    jnz fill
    lidt idt_pointer(%rip)
    call image_main

# Vectors 8, 10 to 14, 17, 21, 29 and 30 push an error code; the others get a 0 in its place.
    .balign 16
stubs:
    .set vector, 0
    .rept 32
    .balign 16
    .if (0x60227D00 >> vector) & 1
    .else
    pushq $0
    .endif
    pushq $vector
    jmp trap
    .set vector, vector + 1
    .endr

trap:
    popq %rdi
    movq 8(%rsp), %rsi              # past the error code: RIP
    movq %cr2, %rdx
    andq $-16, %rsp
    call image_trap

    .section .rodata
    .balign 8
gdt:
    .quad 0, 0x00AF9A000000FFFF, 0x00CF92000000FFFF
gdt_pointer:
    .word 23
    .quad gdt
idt_pointer:
    .word 32 * 16 - 1
    .quad idt

    .section .bss.tables, "aw", @nobits
    .balign 4096
level4: .skip 4096
level3: .skip 4096
level2: .skip 4096
idt:    .skip 512
    .balign 16
    .skip 65536
stack_end:
