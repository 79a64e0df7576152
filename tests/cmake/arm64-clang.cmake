# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# AArch64 Linux with clang and the libraries of Debian's cross compiler: where nothing is optimised it takes half the time.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
find_program(WDDMCORE_CLANGXX_19 NAMES clang++-19 REQUIRED)
find_program(WDDMCORE_QEMU NAMES qemu-aarch64 qemu-aarch64-static REQUIRED)
set(CMAKE_CXX_COMPILER "${WDDMCORE_CLANGXX_19}")
set(CMAKE_CXX_COMPILER_TARGET aarch64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR "${WDDMCORE_QEMU}" -L /usr/aarch64-linux-gnu)
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static -fuse-ld=lld")
# The longest searches take the part of their cases that they take with sanitizers.
add_compile_definitions(WDDMCORE_EMULATED)
