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
        ctest --test-dir "$root/build/$preset" --output-on-failure --no-tests=error --no-label-summary \
            -j "$WDDMCORE_JOBS" || failed="$failed $preset"
    else
        failed="$failed $preset"
    fi
done
[ -z "$failed" ] || {
    printf 'FAILED:%s\n' "$failed"
    exit 1
}
