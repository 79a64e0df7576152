# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# The whole ctest suite built by clang, optimised: what compiled code stores, and in which order, differs between
# compilers (LAW-04). Long sweeps take the first part of their cases; the build with g++ takes them whole.
. "$(dirname -- "$0")/stage.sh"
tools cmake ctest ninja clang++-14

build "$root/build/clang" '' --preset clang -DWDDMCORE_SLOW_BUILD=ON -DWDDMCORE_BUILD_BENCH=OFF || exit 1
run_tests "$root/build/clang" 'by clang++-14 -O1'
