#!/bin/sh
# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# sh tests/run.sh                  builds the tests with g++ and runs them (a few minutes)
# sh tests/run.sh --all            the same, optimised, after the stages that --help lists (over an hour)
# sh tests/run.sh --stage NAME...  only these stages, each as in --all
#
# What is missing is installed with apt-get, after saying so; where everything is there, root is not needed.
set -u
folder=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P) || exit 1
root=$(CDPATH='' cd -- "$folder/.." && pwd -P) || exit 1
stages="$folder/stages"
. "$stages/need.sh"

all_stages='include_graph rooms public_names citations assertions format tidy readme install abi strict sections wdk headers kernel compile_time compile_fail callgrind mutants mutation coverage arm64 images certify clang sanitize fuzz'

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

build_tests() { build "$root/build/$preset" '' --preset "$preset" -DCMAKE_CXX_COMPILER="$WDDMCORE_GXX"; }

run_ctest() {
    ctest --test-dir "$root/build/$preset" --output-on-failure --no-tests=error --no-label-summary -j "$WDDMCORE_JOBS"
}

count_cases() {
    run_ctest
    tests=$?
    log="$root/build/$preset/Testing/Temporary/LastTest.log"
    cp "$log" "$logs/"
    python3 "$stages/summary.py" cases "$log" 'by g++ -O1, long sweeps whole' && return "$tests"
}

# What each stage printed, and a line with its result: the table at the end is made of them.
logs="$root/build/stages/logs"
timed() { # timed NAME COMMAND...
    name=$1
    shift
    mkdir -p "$logs"
    printf '\n== %s\n' "$name"
    begin=$(date +%s)
    { "$@" 2>&1 && echo ok >"$logs/$name.word" || echo FAILED >"$logs/$name.word"; } | tee "$logs/$name.log"
    word=$(cat "$logs/$name.word")
    seconds=$(($(date +%s) - begin))
    printf '== %s: %s, %s s\n' "$name" "$word" "$seconds"
    echo "$name $word $seconds" >>"$logs/results"
    [ "$word" = ok ]
}

case ${1:-} in
'')
    need quick
    preset=quick
    timed build build_tests || exit 1
    run_ctest || exit 1
    ;;
--all)
    need all
    preset=gcc
    rm -rf "$logs"
    started=$(date +%s)
    timed build build_tests && timed tests count_cases
    for stage in $all_stages; do
        case $stage in
        sanitize)
            # The fuzz stage keeps one processor busy; it runs beside this one and is shown in its turn.
            timed fuzz run_stage fuzz >"$root/build/fuzz.log" 2>&1 &
            fuzz=$!
            timed "$stage" run_stage "$stage"
            ;;
        fuzz)
            wait "$fuzz"
            cat "$root/build/fuzz.log"
            ;;
        *) timed "$stage" run_stage "$stage" ;;
        esac
    done
    python3 "$stages/summary.py" table "$logs" $(($(date +%s) - started)) || exit 1
    ;;
--stage)
    shift
    [ $# -gt 0 ] || { usage >&2 && exit 2; }
    need all
    failed=''
    for stage in "$@"; do
        timed "$stage" run_stage "$stage" || failed="$failed $stage"
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
