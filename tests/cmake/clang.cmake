# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# The oldest clang that the library promises to build with; without it, the machine's own.
find_program(WDDMCORE_CLANGXX NAMES clang++-14 clang++ REQUIRED)
set(CMAKE_CXX_COMPILER "${WDDMCORE_CLANGXX}")
