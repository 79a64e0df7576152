# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# Sourced by the stages that are shell scripts: where the tree is, and that a tool is there. POSIX sh.
set -u
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P) || exit 1
. "$root/tests/stages/need.sh"
. "$root/tests/stages/run_tests.sh"
find_gxx || {
    printf 'FAILED: g++ 12 or newer is not installed (sh tests/run.sh --all installs what it needs)\n'
    exit 1
}

# The folders of tests/ whose long sweeps stage tests has whole.
tested_first='adapter_info adl base cpu_executor ddi gpuva hardware_queues iommu paging_sweeps paging_scale preemption scheduler segment skeleton wdk_functions'

tools() {
    for tool in "$@"; do
        has "$tool" || {
            printf 'FAILED: %s is not installed (sh tests/run.sh --all installs what it needs)\n' "$tool"
            exit 1
        }
    done
}

# fresh_folder NAME: an empty build folder of this stage.
fresh_folder() {
    out="$root/build/stages/$1"
    rm -rf "$out" && mkdir -p "$out" || exit 1
}
