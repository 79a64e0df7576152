#!/bin/sh
# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# sh bench/run.sh                     every benchmark, by each compiler that is there: a table, a picture, a file of numbers
# sh bench/run.sh --soon              the same with few repetitions, to see whether everything runs
# sh bench/run.sh --only PATTERN      only rows whose name the regular expression matches
# sh bench/run.sh --compiler NAME     only this one, for example clang++-19
# sh bench/run.sh --compare OLD NEW   the rows of two such files of numbers side by side
#
# Writes build/bench/<compiler>/rows.json, table.txt, picture.svg, and in listings/ the instructions that are executed
# for the rows that miss a goal. What is missing is installed with apt-get, after saying so. Close everything else: the
# table's ratios are of one run, but a busy machine still moves them.
set -u
folder=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P) || exit 1
root=$(CDPATH='' cd -- "$folder/.." && pwd -P) || exit 1
. "$root/tests/stages/need.sh"

repetitions=9
seconds=0.05
only=.
soon=''
compilers=''
while [ $# -gt 0 ]; do
    case $1 in
    --soon) repetitions=1 seconds=0.001 soon=--soon ;;
    --only) only=${2:?--only wants a pattern} && shift ;;
    --compiler) compilers=${2:?--compiler wants a name} && shift ;;
    --compare)
        [ $# -ge 3 ] || { sed -n '5,13s/^# \{0,1\}//p' "$0" >&2 && exit 2; }
        exec python3 "$folder/table.py" --compare "$2" "$3"
        ;;
    -h | --help) sed -n '5,13s/^# \{0,1\}//p' "$0" && exit 0 ;;
    *) sed -n '5,13s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
    esac
    shift
done

need bench
if [ -z "$compilers" ]; then
    for name in "$WDDMCORE_GXX" clang++-14 clang++-19; do
        has "$name" && compilers="$compilers $name"
    done
fi
# On the second processor, if there are two: the first serves most interrupts.
pin=''
has taskset && [ "$WDDMCORE_JOBS" -gt 1 ] && pin='taskset -c 1'

failed=0
for compiler in $compilers; do
    printf '\n== %s\n' "$compiler"
    out="$root/build/bench/$compiler"
    build "$out/programs" '' -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER="$compiler" -DWDDMCORE_BUILD_TESTS=OFF \
        -DWDDMCORE_BUILD_EXAMPLES=OFF -DWDDMCORE_INSTALL=OFF || exit 1
    rm -f "$out"/*.json
    for program in "$out"/programs/bench/bench_*; do
        name=${program##*/bench_}
        printf 'measuring %s\n' "$name"
        # Two threads that wait for each other want both processors.
        [ "$name" = preempt ] && where='' || where=$pin
        # shellcheck disable=SC2086
        $where "$program" --benchmark_filter="$only" --benchmark_repetitions="$repetitions" \
            --benchmark_min_time="$seconds" --benchmark_enable_random_interleaving=true \
            --benchmark_out="$out/$name.json" --benchmark_out_format=json >"$out/$name.log" 2>&1
        # A pattern that names none of its rows makes a program fail with this sentence.
        if [ $? -ne 0 ] && ! grep -q 'Failed to match any benchmarks' "$out/$name.log"; then
            tail -n 5 "$out/$name.log"
            failed=1
        fi
    done
    python3 "$folder/table.py" "$out" "$("$compiler" --version | head -n 1)" &&
        python3 "$folder/listing.py" "$out" "$compiler" $soon || failed=1
done
exit "$failed"
