#!/bin/sh
# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# Builds examples and runs them, and says what it does; --help tells how to call it. The exit code is that of the
# program that ran last. What is missing is installed with apt-get, after saying so; where everything is there, root is
# not needed.
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P) || exit 1
. "$root/tests/stages/need.sh"
programs="$root/build/examples/examples"

help() {
    cat <<'END'
sh examples/run.sh [OPTION...]
sh examples/run.sh --certify [OPTION...]
sh examples/run.sh --report FILE

Without options: builds the main job and runs it, which takes about a minute the first time. Simulated GPUs move
allocations of 4 KiB to 1 MiB from a memory segment to scattered system pages and back by the commands of the example
drivers, and every byte is compared. The first byte is compared as soon as one GPU is built. A table shows what each
operation cost; then a driver for several chips is tried with each of them.

  --full             also allocations of 16 MiB to 1 GiB, which takes many minutes and some gigabytes of memory
  --hardware NAME    one adapter: cpu, amd_gfx10, nvidia_ampere or intel_xe, alone or with _virtual or _tables
  --pages WHICH      system pages: host, random, contiguous, or a file of recorded runs (examples/data)
  --size BYTES       one size of allocation, 4096 to 4G
  --buffer BYTES     one size of paging buffer, 32 to 1M
  --seed N           what content and order follow from
  --trace FILE       writes every round trip as Chrome trace events, for ui.perfetto.dev or chrome://tracing
  --brief            only the last sentence, not the table
  --certify          certifies the driver of examples/kmd_skeleton instead and prints the report; options that follow
                     go to certify_skeleton: --seed N, --steps N, --packets N, --only SCENARIO, --shrink,
                     --trace FILE, --junit FILE, --html FILE
  --report FILE      writes a page that shows what each example GPU was asked, the commands field by field, and what
                     became of memory
  --help             this text; nothing is built or installed

Programs are built in build/examples, and nothing else is written unless an option names a file.
END
}

# say LINE: on a terminal the line changes, elsewhere there is one for each step.
say() {
    if [ -t 2 ]; then
        printf '\r%-79.79s' "$1" >&2
    else
        printf '%s\n' "$1" >&2
    fi
}
said() { [ -t 2 ] && printf '\r%79s\r' '' >&2; }

# What a build tool says of a step, in plain words; anything else is an error and shown as it is.
tell_steps() {
    result=1
    while IFS= read -r line; do
        case $line in
        'exit '*) result=${line#exit } ;;
        '@'*'Re-'* | 'ninja: no work to do.' | 'ninja: Entering'*) ;;
        '@'*) say "$(printf '%s' "$line" | sed 's/^@/build /
            s/ Building .*\.dir\/\(.*\)\.o$/: compiled examples\/\1/
            s/ Linking .* /: linked /')" ;;
        *) printf '%s\n' "$line" >&2 ;;
        esac
    done
    return "$result"
}

# make TARGET...: a tree that was copied or moved is configured anew.
make() {
    fresh=''
    if ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$root/build/examples/CMakeCache.txt" 2>/dev/null ||
        ! [ -f "$root/build/examples/build.ninja" ]; then
        [ -f "$root/build/examples/CMakeCache.txt" ] && fresh=--fresh
        say 'build: configured in build/examples'
        # shellcheck disable=SC2086
        cmake $fresh -S "$root" -B "$root/build/examples" --log-level=WARNING -G Ninja -DCMAKE_BUILD_TYPE=Release \
            -DCMAKE_CXX_COMPILER="$WDDMCORE_GXX" -DWDDMCORE_BUILD_TESTS=OFF -DWDDMCORE_BUILD_BENCH=OFF >/dev/null || exit 1
    fi
    {
        NINJA_STATUS='@%f/%t ' cmake --build "$root/build/examples" --target "$@" -j "$WDDMCORE_JOBS" 2>&1
        echo "exit $?"
    } | tell_steps || exit 1
    said
}

run() {
    program=$1
    shift
    "$programs/$program" "$@"
}

case ${1:-} in
--help | -h)
    help
    exit
    ;;
esac
need example
case ${1:-} in
--certify)
    shift
    make certify_skeleton
    run certify_skeleton "$@"
    ;;
--report)
    [ $# -eq 2 ] || { printf 'run.sh: --report FILE: expected the file that the page goes to\n' >&2; exit 2; }
    make report
    run report "$2" || exit 1
    printf 'The page is %s: open it in a browser.\n' "$2"
    ;;
'' | --full)
    make first_round_trip
    run first_round_trip --brief --hardware cpu --pages contiguous --size 4K --buffer 4096 || exit
    make paging_round_trip three_generations
    run paging_round_trip "$@" || exit
    printf '\nOne driver, several chips:\n'
    run three_generations
    ;;
*)
    make paging_round_trip
    run paging_round_trip "$@"
    ;;
esac
