# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# AArch64 Linux with Debian's cross compiler; the programs run under user-mode QEMU.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
find_program(WDDMCORE_ARM64_GXX NAMES aarch64-linux-gnu-g++ REQUIRED)
find_program(WDDMCORE_QEMU NAMES qemu-aarch64 qemu-aarch64-static REQUIRED)
set(CMAKE_CXX_COMPILER "${WDDMCORE_ARM64_GXX}")
set(CMAKE_CROSSCOMPILING_EMULATOR "${WDDMCORE_QEMU}" -L /usr/aarch64-linux-gnu)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
# The longest searches take the part of their cases that they take with sanitizers.
add_compile_definitions(WDDMCORE_EMULATED)
