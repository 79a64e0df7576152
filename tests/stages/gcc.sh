# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# By g++ -O1 what stage tests has not of the code that a driver includes: single rules of paging, page tables, the example
# hardware, and drivers of it under the simulator of memory. Stage clang has their long sweeps whole.
. "$(dirname -- "$0")/stage.sh"
tools cmake ctest ninja

build "$root/build/gcc-others" '' --preset gcc -DCMAKE_CXX_COMPILER="$WDDMCORE_GXX" -DWDDMCORE_BUILD_BENCH=OFF \
    -DWDDMCORE_BUILD_EXAMPLES=OFF '-DWDDMCORE_TEST_FOLDERS=hardware;hw;page_tables;paging;sequences;vidmm' \
    '-DWDDMCORE_IN_PART=hardware;page_tables;vidmm' || exit 1
run_tests "$root/build/gcc-others" 'by g++ -O1, long sweeps in part'
