# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# The tests with the address and undefined-behaviour sanitizers, in checked mode, by clang; by g++ stage amalgamated has those
# of the folders at the bottom. Left out is what takes minutes for code that others run as well: the encoders write under the
# sanitizers in the fuzzer and the sequences, too, and the simulators of memory and scheduling in the fuzzer; the first also
# in certified. Long sweeps of what stages tests and clang run whole are taken in part.
. "$(dirname -- "$0")/stage.sh"
tools cmake ctest ninja clang++-19

left_out='hardware laws vidmm zoo'
build "$root/build/clang-sanitize" '' --preset clang-sanitize -DWDDMCORE_BUILD_EXAMPLES=OFF \
    -DWDDMCORE_LEFT_OUT="$(echo "$left_out" | tr ' ' ';')" '-DWDDMCORE_IN_PART=paging;paging_sweeps;preemption' || exit 1
run_tests "$root/build/clang-sanitize" clang-sanitize "$left_out"
