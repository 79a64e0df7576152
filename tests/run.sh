#!/bin/sh
# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# sh tests/run.sh                  builds the tests of what a driver includes with clang++-19, or g++, and runs them (minutes)
# sh tests/run.sh --all            all of them, optimised, and the stages that --help lists (half an hour on two fast processors)
# sh tests/run.sh --stage NAME...  only these stages, each as in --all
#
# What is missing is installed with apt-get, after saying so; where everything is there, root is not needed.
set -u
folder=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P) || exit 1
root=$(CDPATH='' cd -- "$folder/.." && pwd -P) || exit 1
stages="$folder/stages"
. "$stages/need.sh"
. "$stages/run_tests.sh"
# Compilers are faster with large pages. glibc asks for them where the machine has them on demand, and gets more of them
# when it takes 64 MiB from the system at a time.
export GLIBC_TUNABLES="${GLIBC_TUNABLES:-glibc.malloc.hugetlb=1:glibc.malloc.top_pad=67108864}"

# In this order --all takes them, after tests, which needs the fewest packages: what says soon that something is wrong, then
# the longest, so that the lanes end together.
all_stages='include_graph rooms public_names release_names citations assertions format readme debugger reference windows abi sections wdk sanitize tests gcc clang arm64 compile_fail strict fuzz amalgamated first_touch mutation coverage images certify headers kernel mutants guide callgrind bench packages compile_time tidy code_size'
# The tests of what a driver includes, and of what tests are made with. The rest --all has: the example hardware and the simulators,
# which take longer to build and to run, and the examples, which examples/run.sh runs.
first_folders='adapter_info adl base cpu_executor ddi gpuva hw iommu paging paging_sweeps preemption rules segment testing wdk_functions'

usage() {
    sed -n '5,9s/^# \{0,1\}//p' "$0"
    printf 'Stages: %s\n' "$all_stages"
}

run_stage() {
    if [ -f "$stages/$1.py" ]; then
        python3 "$stages/$1.py"
    elif [ -f "$stages/$1.sh" ]; then
        sh "$stages/$1.sh"
    elif [ "$1" = compile_fail ]; then
        python3 "$folder/compile_fail/run.py"
    else
        printf 'there is no stage %s\n' "$1" >&2
        return 1
    fi
}

# What each stage printed, and a line with its result: the table at the end is made of them.
logs="$root/build/stages/logs"
processor_seconds() { # of what `times` wrote: the second line has user and system time of a shell's children
    sed -n '2{s/[ms]/ /g;p;}' "$1" | awk '{ n = 60 * $1 + $2 + 60 * $3 + $4 } END { printf "%.0f", n }'
}
timed() { # timed SHOW STAGE, where SHOW prints what it reads
    name=$2
    mkdir -p "$logs"
    begin=$(date +%s)
    # The stage is in a shell of its own, whose times are those of the stage alone.
    {
        run_stage "$name" 2>&1 && echo ok >"$logs/$name.word" || echo FAILED >"$logs/$name.word"
        times >"$logs/$name.times"
    } | tee "$logs/$name.log" | "$1"
    word=$(cat "$logs/$name.word")
    seconds=$(($(date +%s) - begin))
    echo "== $name: $word, $seconds s" | "$1"
    echo "$name $word $seconds $(processor_seconds "$logs/$name.times")" >>"$logs/results"
    [ "$word" = ok ]
}

with_its_name() { # of what runs beside it
    while IFS= read -r line; do
        printf '%-14s| %s\n' "$name" "$line"
    done
}

take() { # a stage that no other lane has taken
    mkdir "$logs/$1.taken" 2>/dev/null || return 0
    name=$1
    echo "begins" | with_its_name
    timed with_its_name "$1"
}

# Builds and most stages have a part that keeps one processor busy, so several run at a time, on their share of processors.
lane() { # lane [FIRST], where FIRST needs no more than the second command of README
    [ $# -eq 0 ] || take "$1"
    until [ -e "$logs/installed" ]; do
        kill -0 $$ 2>/dev/null && [ ! -e "$logs/given_up" ] || exit 1
        sleep 1
    done
    for stage in $all_stages; do
        take "$stage"
    done
}

case ${1:-} in
'')
    need quick
    # What is not optimised clang builds in two thirds of the time.
    compiler=$WDDMCORE_GXX
    has clang++-19 && compiler=clang++-19
    build "$root/build/quick" '' --preset quick -DCMAKE_CXX_COMPILER="$compiler" -DWDDMCORE_BUILD_EXAMPLES=OFF \
        -DWDDMCORE_TEST_FOLDERS="$(echo "$first_folders" | tr ' ' ';')" || exit 1
    run_tests "$root/build/quick" "by $compiler -O0" || exit 1
    printf 'Left to sh tests/run.sh --all: the other test programs, the examples, long sweeps whole, and %s stages.\n' \
        "$(echo "$all_stages" | wc -w)"
    ;;
--all)
    started=$(date +%s)
    need quick
    rm -rf "$logs"
    mkdir -p "$logs"
    # One more than processors, as stages also wait: for browsers, for programs that have to hang.
    lanes=$((WDDMCORE_JOBS < 4 ? WDDMCORE_JOBS + 1 : 4))
    WDDMCORE_JOBS=$((WDDMCORE_JOBS < 4 ? 1 : WDDMCORE_JOBS / 4))
    # What runs in the background does not hear of an interruption by itself.
    trap 'trap "" TERM; kill -TERM 0; exit 130' INT
    # What g++ builds begins while packages are unpacked, which takes a minute of one processor.
    lane tests &
    if ! (need all); then
        : >"$logs/given_up"
        echo 'Stage tests, which has begun, comes to its end.'
        wait
        exit 2
    fi
    : >"$logs/installed"
    while [ "$lanes" -gt 1 ]; do
        lane &
        lanes=$((lanes - 1))
    done
    wait
    for stage in $all_stages; do
        grep "^$stage " "$logs/results"
    done >"$logs/in_order"
    mv "$logs/in_order" "$logs/results"
    python3 "$stages/summary.py" table "$logs" $(($(date +%s) - started)) || exit 1
    ;;
--stage)
    shift
    [ $# -gt 0 ] || { usage >&2 && exit 2; }
    need all
    failed=''
    for stage in "$@"; do
        printf '\n== %s\n' "$stage"
        timed cat "$stage" || failed="$failed $stage"
    done
    if [ -n "$failed" ]; then
        printf '\nFailed:%s\n' "$failed"
        exit 1
    fi
    ;;
-h | --help)
    usage
    ;;
*)
    usage >&2
    exit 2
    ;;
esac
