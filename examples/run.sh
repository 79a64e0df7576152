#!/bin/sh
# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# Builds the example paging_round_trip and runs it; all arguments go to it and its exit code is the script's.
# What is missing is installed with apt-get, after saying so; where everything is there, root is not needed.
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P) || exit 1
. "$root/tests/stages/need.sh"

need example
build "$root/build/examples" paging_round_trip \
    -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER="$WDDMCORE_GXX" \
    -DWDDMCORE_BUILD_TESTS=OFF -DWDDMCORE_BUILD_BENCH=OFF || exit 1
exec "$root/build/examples/examples/paging_round_trip" "$@"
