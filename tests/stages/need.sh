# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# Sourced by tests/run.sh and examples/run.sh: finds the tools, installs what is missing, says so first.
# POSIX sh. Sets WDDMCORE_GXX (a g++ of at least 12) and WDDMCORE_JOBS.

: "${WDDMCORE_JOBS:=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)}"
export WDDMCORE_JOBS

find_gxx() {
    for candidate in ${WDDMCORE_GXX:-} g++ g++-12 g++-13 g++-14 g++-15; do
        command -v "$candidate" >/dev/null 2>&1 || continue
        major=$("$candidate" -dumpversion 2>/dev/null | cut -d. -f1)
        if [ "${major:-0}" -ge 12 ] 2>/dev/null; then
            WDDMCORE_GXX=$candidate
            export WDDMCORE_GXX
            return 0
        fi
    done
    return 1
}

has() { command -v "$1" >/dev/null 2>&1; }

has_cmake() {
    has cmake || return 1
    version=$(cmake --version | sed -n '1s/[^0-9]*\([0-9]*\)\.\([0-9]*\).*/\1 \2/p')
    major=${version% *}
    minor=${version#* }
    [ "${major:-0}" -gt 3 ] || { [ "${major:-0}" -eq 3 ] && [ "${minor:-0}" -ge 25 ]; }
}

has_header() {
    find_gxx && echo "#include <$1>" | "$WDDMCORE_GXX" -std=c++20 -E -x c++ - >/dev/null 2>&1
}

# A compiler without its sanitizer runtime compiles but does not link.
has_clang_runtime() {
    has "$1" && [ -n "$(find "$(dirname "$("$1" -print-libgcc-file-name -rtlib=compiler-rt)")" \
        -name 'libclang_rt.fuzzer*' 2>/dev/null | head -n 1)" ]
}

# Debian's own Python finds the bindings; another one on the same machine is told where they are.
has_libclang() {
    python3 -c 'import sys; sys.path.append("/usr/lib/python3/dist-packages"); import clang.cindex as c; c.Index.create()' \
        2>/dev/null
}

has_file() { [ -f "$1" ]; }

# Debian keeps Wine's programs in a folder of their own.
has_wine() { [ -x /usr/lib/wine/wine64 ] || has wine64; }

has_qemu() { has qemu-aarch64 || has qemu-aarch64-static; }

# One requirement: the test, what a person calls it, the package, a second package where the first is too old.
require() {
    "$1" $2 && return 0
    lacking="$lacking
    $3"
    packages="$packages $4"
    second_packages="$second_packages ${5:-$4}"
}

look() {
    lacking=''
    packages=''
    second_packages=''
    require find_gxx '' 'g++ 12 or newer' g++ g++-12
    if [ "$1" = docs ]; then
        require has python3 'python3' python3
        require has doxygen 'doxygen' doxygen
        return 0
    fi
    require has_cmake '' 'cmake 3.25 or newer' cmake
    require has ninja 'ninja' ninja-build
    require has python3 'python3' python3
    [ "$1" = example ] && return 0
    require has git 'git' git
    require has_header doctest/doctest.h 'doctest' doctest-dev
    require has_header benchmark/benchmark.h 'Google Benchmark' libbenchmark-dev
    require has_header Zydis/Zydis.h 'Zydis' libzydis-dev
    [ "$1" = quick ] && return 0
    require has valgrind 'valgrind' valgrind
    [ "$1" = bench ] && return 0
    require has clang++-14 'clang 14' clang-14
    require has_clang_runtime clang++-14 'the sanitizer runtime of clang 14' libclang-rt-14-dev
    require has clang++-19 'clang 19' clang-19
    require has_clang_runtime clang++-19 'the sanitizer and profile runtimes of clang 19' libclang-rt-19-dev
    require has llvm-cov-19 'llvm-cov and llvm-profdata 19' llvm-19
    require has_libclang '' 'the Python bindings of libclang 19' python3-clang-19
    require has aarch64-linux-gnu-g++ 'a cross compiler for AArch64' 'g++-aarch64-linux-gnu libc6-dev-arm64-cross'
    require has gdb 'gdb' gdb
    require has xmllint 'xmllint' libxml2-utils
    require has doxygen 'doxygen' doxygen
    require has_qemu '' 'qemu-aarch64' qemu-user qemu-user-static
    require has clang-format-19 'clang-format 19' clang-format-19
    require has clang-tidy-19 'clang-tidy 19' clang-tidy-19
    require has pkg-config 'pkg-config' pkgconf
    require has nuget 'nuget' nuget
    require has lld-link-19 'lld 19' lld-19
    require has qemu-system-x86_64 'QEMU for x86-64 machines' qemu-system-x86
    require has qemu-system-aarch64 'QEMU for AArch64 machines' qemu-system-arm
    require has_file /usr/share/ovmf/OVMF.fd 'UEFI firmware for x86-64' ovmf
    require has_file /usr/share/qemu-efi-aarch64/QEMU_EFI.fd 'UEFI firmware for AArch64' qemu-efi-aarch64
    require has chromium 'Chromium' chromium
    require has_wine '' 'Wine for 64-bit programs' wine64
    require has x86_64-w64-mingw32-g++-win32 'a cross compiler for Windows' g++-mingw-w64-x86-64-win32
}

install_packages() {
    if ! has apt-get; then
        printf 'This machine has no apt-get. Please install what is missing and start again.\n' >&2
        exit 2
    fi
    if [ "$(id -u)" -eq 0 ]; then
        as_root='env'
    elif has sudo; then
        as_root='sudo env'
    else
        printf 'Neither root nor sudo. Please install, as root:\n    apt-get install%s\n' "$1" >&2
        exit 2
    fi
    printf 'Installing now:\n    apt-get update\n    apt-get install --yes --no-install-recommends%s\n' "$1"
    set -- $1
    # shellcheck disable=SC2086
    if ! { $as_root DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 update &&
        $as_root DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 \
            install --yes --no-install-recommends "$@" >/dev/null; } </dev/null; then
        printf 'apt-get could not install: %s\n' "$*" >&2
    fi
}

# need docs|example|quick|bench|all: returns when everything is there, else leaves with 2.
need() {
    look "$1"
    [ -z "$lacking" ] && return 0
    printf 'Missing on this machine:%s\n' "$lacking"
    install_packages "$packages"
    look "$1"
    [ -z "$lacking" ] && return 0
    if [ "$second_packages" != "$packages" ]; then
        install_packages "$second_packages"
        look "$1"
        [ -z "$lacking" ] && return 0
    fi
    printf 'Still missing:%s\nPlease install it by hand (the packages are called%s on Debian) and start again.\n' \
        "$lacking" "$packages" >&2
    exit 2
}

# What ninja says of its steps as a person wants it: one line that changes on a terminal, elsewhere a line for every
# tenth. What a compiler says is printed as it comes. Returns what `exit N`, the last line, says.
show_steps() {
    result=1
    shown=0
    while IFS= read -r line; do
        case $line in
        '@exit '*) result=${line#@exit } ;;
        '@'*/*' Re-'* | 'ninja: no work to do.' | 'ninja: Entering directory'* | 'ninja: build stopped'*) ;;
        '@'*/*' '*)
            line=${line#@}
            steps=${line%% *}
            of=${steps#*/}
            steps=${steps%/*}
            if [ -t 1 ]; then
                printf '\r\033[K%.79s' "built $steps of $of: ${line##*/}"
                shown=1
            elif [ $((steps * 10 / of)) -ne "$shown" ]; then
                shown=$((steps * 10 / of))
                printf 'built %s of %s\n' "$steps" "$of"
            fi
            ;;
        *)
            [ -t 1 ] && [ "$shown" -ne 0 ] && printf '\r\033[K'
            printf '%s\n' "$line"
            ;;
        esac
    done
    [ -t 1 ] && [ "$shown" -ne 0 ] && printf '\r\033[K'
    return "$result"
}

# build FOLDER TARGET CMAKE-ARGUMENT...: configures and builds; TARGET '' is all. Says how far it is, and nothing where
# nothing is to be built.
build() {
    build_folder=$1
    build_target=$2
    shift 2
    fresh=''
    if ! [ -f "$build_folder/CMakeCache.txt" ]; then
        printf 'configuring %s\n' "${build_folder#"$root/"}"
    elif ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$build_folder/CMakeCache.txt"; then
        fresh=--fresh # the tree was copied or moved
    fi
    for argument in "$@"; do
        case $argument in
        -DCMAKE_CXX_COMPILER=*)
            [ ! -f "$build_folder/CMakeCache.txt" ] ||
                grep -q "^CMAKE_CXX_COMPILER:.*[=/]${argument##*[=/]}\$" "$build_folder/CMakeCache.txt" || fresh=--fresh
            ;;
        esac
    done
    cmake $fresh -S "$root" -B "$build_folder" --log-level=WARNING "$@" >/dev/null || return 1
    {
        NINJA_STATUS='@%f/%t ' cmake --build "$build_folder" ${build_target:+--target "$build_target"} \
            -j "$WDDMCORE_JOBS" -- -k 0 2>&1
        echo "@exit $?"
    } | show_steps
}
