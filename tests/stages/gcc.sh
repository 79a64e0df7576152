# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# By g++ -O1 what stage tests has not of the code that a driver includes: single rules of paging, page tables, the example
# hardware, and drivers of it under the simulator of memory. Stage clang has their long sweeps whole. The sources of tests
# that only stage sanitize builds g++ reads.
. "$(dirname -- "$0")/stage.sh"
tools cmake ctest ninja

build "$root/build/gcc-others" '' --preset gcc -DCMAKE_CXX_COMPILER="$WDDMCORE_GXX" -DWDDMCORE_BUILD_BENCH=OFF \
    -DWDDMCORE_BUILD_EXAMPLES=OFF '-DWDDMCORE_TEST_FOLDERS=hardware;hw;page_tables;paging;sequences;vidmm' \
    '-DWDDMCORE_IN_PART=hardware;page_tables;vidmm' || exit 1
run_tests "$root/build/gcc-others" 'by g++ -O1, long sweeps in part'
result=$?

# Folders with the same headers in one translation unit.
fresh_folder read_by_gxx
for folders in 'certified driver_image rules testing' packets zoo; do
    for folder in $folders; do
        find "$root/tests/$folder" -name '*.cpp' | sort | sed 's/.*/#include "&"/'
    done >"$out/$(echo "$folders" | tr ' ' '_').cpp"
done
strict=$(cd "$root/tests/stages" && python3 -c 'import common; print(*common.strict)') || exit 1
# shellcheck disable=SC2086
ls "$out" | xargs -P "$WDDMCORE_JOBS" -I{} "$WDDMCORE_GXX" -std=c++20 -fsyntax-only $strict \
    -DDOCTEST_CONFIG_SUPER_FAST_ASSERTS -I"$root/include" -I"$root/examples" -I"$root/tests" "$out/{}" || exit 1
printf 'checked: %s sources that g++ reads without a warning\n' "$(cat "$out"/*.cpp | wc -l)"
exit "$result"
