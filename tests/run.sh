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

wait_for() { # wait_for PROCESS LOG
    wait "$1"
    code=$?
    cat "$2"
    return "$code"
}

build_tests() { build "$root/build/$preset" '' --preset "$preset" -DCMAKE_CXX_COMPILER="$WDDMCORE_GXX"; }

run_ctest() { ctest --test-dir "$root/build/$preset" --output-on-failure --no-tests=error --no-label-summary -j "$WDDMCORE_JOBS"; }

passed=''
failed=''
table=''
timed() { # timed NAME COMMAND...
    name=$1
    shift
    printf '\n== %s\n' "$name"
    begin=$(date +%s)
    if "$@"; then
        word=ok
        passed="$passed $name"
    else
        word=FAILED
        failed="$failed $name"
    fi
    seconds=$(($(date +%s) - begin))
    printf '== %s: %s, %s s\n' "$name" "$word" "$seconds"
    table="$table$(printf '%-14s %-7s %4s s' "$name" "$word" "$seconds")
"
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
    started=$(date +%s)
    timed build build_tests
    built=$?
    for stage in $all_stages; do
        case $stage in
        sanitize)
            # The fuzz stage keeps one processor busy; it runs beside this one and is waited for in its turn.
            sh "$0" --stage fuzz >"$root/build/fuzz.log" 2>&1 &
            fuzz=$!
            timed "$stage" run_stage "$stage"
            ;;
        fuzz) timed "$stage" wait_for "$fuzz" "$root/build/fuzz.log" ;;
        *) timed "$stage" run_stage "$stage" ;;
        esac
    done
    printf '\n%s%-14s %-7s %4s s\n\n' "$table" 'stages' '' "$(($(date +%s) - started))"
    tests=1
    if [ "$built" -eq 0 ]; then
        run_ctest
        tests=$?
    fi
    [ -z "$failed" ] || printf '\nFailed:%s\n' "$failed"
    [ "$tests" -eq 0 ] || printf '\nFailed: ctest\n'
    [ "$built" -ne 0 ] && results='' || results="$root/build/gcc/Testing/Temporary/LastTest.log"
    python3 "$stages/summary.py" "$(echo "$passed" | wc -w)" "$(echo "$failed" | wc -w)" "$results" || exit 1
    [ -z "$failed" ] && [ "$tests" -eq 0 ] || exit 1
    ;;
--stage)
    shift
    [ $# -gt 0 ] || { usage >&2 && exit 2; }
    need all
    for stage in "$@"; do
        timed "$stage" run_stage "$stage"
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
