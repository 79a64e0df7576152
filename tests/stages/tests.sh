# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# The tests of what a driver includes and of the scheduler by g++ -O1. Those of the example hardware, the laws and the
# other simulator are stage clang's: each test with long sweeps has them whole in one of the two, and sequences in stage
# sanitize. Of paging g++ builds what sweeps or draws many requests (paging_sweeps); the tests of single rules (paging), which
# take it as long as all others together, run in stages coverage, arm64 and images, built by clang and not optimised. The
# sources of most that g++ does not build it reads here; examples it builds in stages first_touch, guide and certify.
. "$(dirname -- "$0")/stage.sh"
tools cmake ctest ninja

built='adapter_info adl base cpu_executor ddi gpuva iommu paging_sweeps paging_scale preemption scheduler segment skeleton wdk_functions'
build "$root/build/gcc" '' --preset gcc -DCMAKE_CXX_COMPILER="$WDDMCORE_GXX" -DWDDMCORE_BUILD_BENCH=OFF \
    -DWDDMCORE_BUILD_EXAMPLES=OFF -DWDDMCORE_TEST_FOLDERS="$(echo "$built" | tr ' ' ';')" || exit 1
run_tests "$root/build/gcc" 'by g++ -O1, long sweeps whole'
result=$?
mkdir -p "$root/build/stages/logs" &&
    cp "$root/build/gcc/Testing/Temporary/LastTest.log" "$root/build/stages/logs/" || exit 1

# Folders with the same headers in one translation unit.
fresh_folder read_by_gxx
for folders in 'certified driver_image testing' packets paging sequences 'vidmm zoo'; do
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
