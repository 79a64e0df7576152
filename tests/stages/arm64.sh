# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# The tests of what a driver includes as AArch64 programs: built by Debian's cross compiler, optimised where the CPU moves
# bytes or shares words with hardware, and run under user-mode QEMU, with the short sweeps. Optimised encoders run on this
# machine in stage images, and what they write is judged there; the example hardware's own tests are about decoders.
#
# Alignment is strict as far as it can be had: the compiler joins no accesses that may be unaligned (-mstrict-align), and
# every access through a pointer that is not aligned for its type traps (-fsanitize=alignment). User-mode QEMU itself
# lets unaligned accesses pass.
#
# Left out: what walks through all orders of a model of threads (preemption/explore and interleave), testing (it single-
# steps x86-64 instructions), laws, scheduler, sequences and vidmm (the simulators around the library).
. "$(dirname -- "$0")/stage.sh"
tools cmake ctest ninja aarch64-linux-gnu-g++
has qemu-aarch64 || tools qemu-aarch64-static

build "$root/build/arm64" '' --preset arm64 &&
    run_tests "$root/build/arm64" 'AArch64 by g++, what the preset lists with -O1, under QEMU'
