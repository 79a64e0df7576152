# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# The tests with the address and undefined-behaviour sanitizers, in checked mode, by clang; by g++ those of the
# folders at the bottom. Left out is what takes minutes for code that others run as well: the encoders write under the
# sanitizers in the fuzzer and the sequences, too, and the simulators of memory and scheduling in the fuzzer; the first also
# in certified. Long sweeps of what stages tests and clang run whole are taken in part.
. "$(dirname -- "$0")/stage.sh"
tools cmake ctest ninja clang++-19

left_out='hardware laws vidmm zoo'
failed=''
for preset in clang-sanitize gcc-sanitize; do
    set -- --preset "$preset"
    if [ "$preset" = clang-sanitize ]; then
        set -- "$@" -DWDDMCORE_BUILD_EXAMPLES=OFF -DWDDMCORE_LEFT_OUT="$(echo "$left_out" | tr ' ' ';')" \
            '-DWDDMCORE_IN_PART=paging;paging_sweeps;preemption'
    else
        set -- "$@" -DCMAKE_CXX_COMPILER="$WDDMCORE_GXX"
    fi
    printf -- '-- %s\n' "$preset"
    if build "$root/build/$preset" '' "$@"; then
        run_tests "$root/build/$preset" "$preset" "$left_out" || failed="$failed $preset"
    else
        failed="$failed $preset"
    fi
done
[ -z "$failed" ] || {
    printf 'FAILED:%s\n' "$failed"
    exit 1
}
