# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# The tests with the address and undefined-behaviour sanitizers, in checked mode, by clang. Those of what a driver includes
# stage coverage runs with both sanitizers, and stage images in checked mode (the explorer of preemption: stage mutants); by
# g++ stage amalgamated has those of the folders at the bottom. Left out beside them is what takes minutes for code that
# others run as well: the encoders write under the sanitizers in the fuzzer and the sequences, too, and the simulators of
# memory and scheduling in the fuzzer; the first also in certified.
. "$(dirname -- "$0")/stage.sh"
tools cmake ctest ninja clang++-19

in_coverage=$(sed -n '/"name": "coverage"/,/}/s/.*"WDDMCORE_TEST_FOLDERS": "\(.*\)",\{0,1\}$/\1/p' "$root/CMakePresets.json" | tr ';' ' ')
[ -n "$in_coverage" ] || {
    printf 'FAILED: CMakePresets.json has no folders of the preset coverage\n'
    exit 1
}
left_out="hardware laws vidmm zoo $in_coverage"
build "$root/build/clang-sanitize" '' --preset clang-sanitize -DWDDMCORE_BUILD_EXAMPLES=OFF \
    -DWDDMCORE_LEFT_OUT="$(echo "$left_out" | tr ' ' ';')" || exit 1
run_tests "$root/build/clang-sanitize" clang-sanitize "$left_out"
