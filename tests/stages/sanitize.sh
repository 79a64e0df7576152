# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# The whole ctest suite with the address and undefined-behaviour sanitizers, in checked mode, under both compilers.
. "$(dirname -- "$0")/stage.sh"
tools cmake ctest ninja clang++-19

failed=''
for preset in clang-sanitize gcc-sanitize; do
    set -- --preset "$preset"
    [ "$preset" = clang-sanitize ] || set -- "$@" -DCMAKE_CXX_COMPILER="$WDDMCORE_GXX"
    printf -- '-- %s\n' "$preset"
    if build "$root/build/$preset" '' "$@"; then
        run_tests "$root/build/$preset" "$preset" || failed="$failed $preset"
    else
        failed="$failed $preset"
    fi
done
[ -z "$failed" ] || {
    printf 'FAILED:%s\n' "$failed"
    exit 1
}
