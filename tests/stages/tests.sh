# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# The tests of what a driver includes and of the scheduler by g++ -O1, with their long sweeps. It needs the fewest packages, so
# it begins while the others are installed; stage gcc has the tests that this one has not.
. "$(dirname -- "$0")/stage.sh"
tools cmake ctest ninja

build "$root/build/gcc" '' --preset gcc -DCMAKE_CXX_COMPILER="$WDDMCORE_GXX" -DWDDMCORE_BUILD_BENCH=OFF \
    -DWDDMCORE_BUILD_EXAMPLES=OFF -DWDDMCORE_TEST_FOLDERS="$(echo "$tested_first" | tr ' ' ';')" || exit 1
run_tests "$root/build/gcc" 'by g++ -O1, long sweeps whole'
result=$?
mkdir -p "$root/build/stages/logs" &&
    cp "$root/build/gcc/Testing/Temporary/LastTest.log" "$root/build/stages/logs/" || exit 1
exit "$result"
