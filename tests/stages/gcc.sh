# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# The tests by g++ -O1 that stage tests has not: single rules of paging, page tables, the example hardware, the simulators and
# what is certified. Stage clang has their long sweeps whole.
. "$(dirname -- "$0")/stage.sh"
tools cmake ctest ninja

build "$root/build/gcc-others" '' --preset gcc -DCMAKE_CXX_COMPILER="$WDDMCORE_GXX" -DWDDMCORE_BUILD_BENCH=OFF \
    -DWDDMCORE_BUILD_EXAMPLES=OFF -DWDDMCORE_LEFT_OUT="$(echo "$tested_first" | tr ' ' ';')" \
    '-DWDDMCORE_IN_PART=hardware;laws;page_tables;vidmm;zoo' || exit 1
run_tests "$root/build/gcc-others" 'by g++ -O1, long sweeps in part' "$tested_first"
