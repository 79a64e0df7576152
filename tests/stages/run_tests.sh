# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# Sourced by tests/run.sh and the stages that are shell scripts. POSIX sh.

# run_tests FOLDER WHAT [PROGRAMS]: the ctest suite of a build folder without the programs that it left out, and how many
# cases that were.
run_tests() {
    tested=$1
    what=$2
    left_out=${3:-}
    set -- --test-dir "$tested" --output-on-failure --no-tests=error --no-label-summary -j "$WDDMCORE_JOBS"
    if [ -n "$left_out" ]; then
        set -- "$@" --exclude-regex "^(example\\.)?($(echo "$left_out" | sed 's/guide_/guide./g; s/ /|/g'))\$"
    fi
    ctest "$@"
    tests=$?
    python3 "$root/tests/stages/summary.py" cases "$tested/Testing/Temporary/LastTest.log" "$what" && return "$tests"
}
