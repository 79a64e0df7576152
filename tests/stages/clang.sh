# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# What moves bytes, writes tables or shares words with hardware, optimised by clang 14: which stores there are, and in
# which order, differs between compilers (LAW-04); those of the example hardware are looked at in vidmm. Here are also the
# laws and the example hardware's decoders, not optimised, and the zoo, with their long sweeps; stage tests has those of the
# folders that both build (preemption's without its models of threads, which g++ has there). The headers are read by clang 14
# in stage headers; the other programs are built by the newer clang in stages coverage and sanitize.
. "$(dirname -- "$0")/stage.sh"
tools cmake ctest ninja clang++-14

folders='adl base cpu_executor hardware laws page_tables preemption vidmm zoo'
build "$root/build/clang" '' --preset clang -DWDDMCORE_BUILD_BENCH=OFF \
    -DWDDMCORE_BUILD_EXAMPLES=OFF -DWDDMCORE_TEST_FOLDERS="$(echo "$folders" | tr ' ' ';')" \
    '-DWDDMCORE_IN_PART=base;cpu_executor;preemption' || exit 1
run_tests "$root/build/clang" 'by clang++-14 -O1, long sweeps of the examples and simulators whole'
