#!/bin/sh
# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# Builds the example paging_round_trip and runs it; all arguments go to it and its exit code is the script's. Without
# arguments the example three_generations follows: a line for each chip. `--certify` certifies the driver of kmd_skeleton/
# instead and prints the report; what follows goes to the program certify_skeleton.
# What is missing is installed with apt-get, after saying so; where everything is there, root is not needed.
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P) || exit 1
. "$root/tests/stages/need.sh"

need example
set_up() {
    build "$root/build/examples" "$1" \
        -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER="$WDDMCORE_GXX" \
        -DWDDMCORE_BUILD_TESTS=OFF -DWDDMCORE_BUILD_BENCH=OFF
}
if [ "${1:-}" = --certify ]; then
    shift
    set_up certify_skeleton || exit 1
    exec "$root/build/examples/examples/certify_skeleton" "$@"
fi
set_up paging_round_trip || exit 1
if [ $# -ne 0 ]; then
    exec "$root/build/examples/examples/paging_round_trip" "$@"
fi
"$root/build/examples/examples/paging_round_trip" || exit
printf '\nSeveral chips, one type:\n'
set_up three_generations || exit 1
exec "$root/build/examples/examples/three_generations"
