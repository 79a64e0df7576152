# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# All tests by clang 14, optimised: which stores there are, and in which order, differs between compilers (LAW-04). Those of
# the example hardware are looked at in vidmm. The long sweeps that stage tests has whole are here in part, and preemption is
# without its models of threads.
. "$(dirname -- "$0")/stage.sh"
tools cmake ctest ninja clang++-14

build "$root/build/clang" '' --preset clang -DWDDMCORE_BUILD_BENCH=OFF -DWDDMCORE_BUILD_EXAMPLES=OFF \
    -DWDDMCORE_IN_PART="$(echo "$tested_first" | tr ' ' ';')" || exit 1
run_tests "$root/build/clang" 'by clang++-14 -O1, long sweeps of the examples and simulators whole'
