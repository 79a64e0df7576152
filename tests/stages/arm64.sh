# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# The tests of what a driver includes as AArch64 programs, run under user-mode QEMU with the short sweeps. Where the CPU
# moves bytes or shares words with hardware, and where it is soon done, Debian's cross compiler builds them, optimised; the
# others clang, not optimised, in half the time. Optimised encoders run on this machine in stage images, and what they write
# is judged there; the example hardware's own tests are about decoders.
#
# Alignment is strict as far as it can be had: the compiler joins no accesses that may be unaligned (-mstrict-align), and
# every access through a pointer that is not aligned for its type traps (-fsanitize=alignment). User-mode QEMU itself
# lets unaligned accesses pass.
#
# Left out: what walks through all orders of a model of threads (preemption/explore and interleave), testing (it single-
# steps x86-64 instructions), laws, scheduler, sequences and vidmm (the simulators around the library).
. "$(dirname -- "$0")/stage.sh"
tools cmake ctest ninja aarch64-linux-gnu-g++ clang++-19
has qemu-aarch64 || tools qemu-aarch64-static

failed=''
for preset in arm64 arm64-clang; do
    what='AArch64 by g++ -O1, under QEMU'
    [ "$preset" = arm64 ] || what='AArch64 by clang++-19 -O0, under QEMU'
    build "$root/build/$preset" '' --preset "$preset" && run_tests "$root/build/$preset" "$what" || failed="$failed $preset"
done
[ -z "$failed" ] || {
    printf 'FAILED:%s\n' "$failed"
    exit 1
}
