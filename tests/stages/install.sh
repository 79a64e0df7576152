# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# The installed package and the source tree, each used by a project of its own: configured, built and run. The skeleton
# driver is one of them.
. "$(dirname -- "$0")/stage.sh"
tools cmake ninja
fresh_folder install

quietly() {
    "$@" >"$out/log" 2>&1 && return 0
    printf 'FAILED: %s\n' "$*"
    cat "$out/log"
    exit 1
}

# use NAME CMAKE-ARGUMENT...: the consumer, built in a folder with a space in its name.
use() {
    name=$1
    shift
    quietly cmake -G Ninja -S "$root/tests/install/$name" -B "$out/build of $name" \
        -DCMAKE_CXX_COMPILER="$WDDMCORE_GXX" "$@"
    quietly cmake --build "$out/build of $name"
    quietly "$out/build of $name/consumer"
    printf 'checked: %s builds and runs\n' "$name"
}

quietly cmake -G Ninja -S "$root" -B "$out/package" -DCMAKE_CXX_COMPILER="$WDDMCORE_GXX" \
    -DCMAKE_INSTALL_PREFIX="$out/the prefix" -DWDDMCORE_BUILD_TESTS=OFF -DWDDMCORE_BUILD_BENCH=OFF \
    -DWDDMCORE_BUILD_EXAMPLES=OFF
quietly cmake --install "$out/package"

(cd "$root/include" && find wddmcore -type f | sort) >"$out/wanted"
(cd "$out/the prefix/include" && find wddmcore -type f | sort) >"$out/installed"
if ! cmp -s "$out/wanted" "$out/installed"; then
    printf 'FAILED: the installed files are not those of include/\n'
    diff "$out/wanted" "$out/installed"
    exit 1
fi
count=$(wc -l <"$out/installed")
printf 'checked: %s files installed\n' "$((count))"
[ "$count" -gt 0 ] || exit 1

version=$(sed -n 's/^#define WDDMCORE_VERSION_M[A-Z]* //p' "$root/include/wddmcore/config.hpp" | paste -s -d . -)
use find_package -DCMAKE_PREFIX_PATH="$out/the prefix" -DWANTED_VERSION="$version"
use add_subdirectory -DWDDMCORE_SOURCE="$root"

# The driver to start from needs nothing of the repository but its own files, its hardware's and those that play it.
mkdir -p "$out/the skeleton/hardware" "$out/the skeleton/driver_host"
cp -R "$root/examples/kmd_skeleton.cpp" "$root/examples/kmd_skeleton" "$out/the skeleton"
for part in machine.hpp memory_run.hpp memory_run.cpp play.hpp play.cpp; do
    cp "$root/examples/driver_host/$part" "$out/the skeleton/driver_host"
done
cp "$root"/examples/hardware/cpu*.hpp "$out/the skeleton/hardware"
use kmd_skeleton -DCMAKE_PREFIX_PATH="$out/the prefix" -DSKELETON="$out/the skeleton"

# A version that is not there must not be found.
if cmake -G Ninja -S "$root/tests/install/find_package" -B "$out/too new" -DCMAKE_CXX_COMPILER="$WDDMCORE_GXX" \
    -DCMAKE_PREFIX_PATH="$out/the prefix" -DWANTED_VERSION=999.0 >"$out/log" 2>&1; then
    printf 'FAILED: version 999.0 was found\n'
    exit 1
fi
printf 'checked: a newer version than the installed one is refused\n'
