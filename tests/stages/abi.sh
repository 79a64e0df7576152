# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# The mirrors are what the generator writes, and have the DDI's layouts on every machine.
. "$(dirname -- "$0")/stage.sh"
tools python3 clang++-14 clang++-19

python3 "$root/tests/abi/generate.py" --check || exit 1
GXX=$WDDMCORE_GXX python3 "$root/tests/abi/check_layouts.py" || exit 1
