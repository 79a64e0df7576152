# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# clang-tidy over every core header, with the instantiations of tests/kernel where there are any.
. "$(dirname -- "$0")/stage.sh"
tools clang-tidy-19
fresh_folder tidy

find "$root/tests/kernel" -name '*.cpp' 2>/dev/null | sort >"$out/files"
printf '#include <wddmcore/wddmcore.hpp>\n' >"$out/everything.cpp"
printf '%s\n' "$out/everything.cpp" >>"$out/files"
headers=$(find "$root/include/wddmcore" -name '*.hpp' -not -path '*/testing/*' -not -path '*/wdk/*' | wc -l)

if ! tr '\n' '\0' <"$out/files" | xargs -0 -n 1 -P "$WDDMCORE_JOBS" sh -c '
    clang-tidy-19 --quiet --config-file="$0/.clang-tidy" "$1" -- -std=c++20 -ffreestanding -nostdinc -nostdinc++ \
        -fno-exceptions -fno-rtti -I"$0/include" -I"$0/examples" -I"$0/tests" 2>/dev/null' "$root" >"$out/log"; then
    grep -E ' (error|warning): ' "$out/log" | sort | uniq | head -n 40
    grep -q . "$out/log" || printf 'clang-tidy ended without a message\n'
    printf 'FAILED: %s places in %s/log\n' "$(grep -E ' (error|warning): ' "$out/log" | sort -u | wc -l)" "$out"
    exit 1
fi
printf 'checked: %s headers in %s translation units\n' "$((headers))" "$(($(wc -l <"$out/files")))"
