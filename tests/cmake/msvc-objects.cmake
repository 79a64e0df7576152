# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# Objects as a WDK driver has them (MSVC ABI, kernel mode), made by clang on any host. Nothing can be linked.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(WDDMCORE_TARGET "x86_64-pc-windows-msvc" CACHE STRING "x86_64-, aarch64- or i686-pc-windows-msvc")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES WDDMCORE_TARGET)
find_program(WDDMCORE_CLANGXX_19 NAMES clang++-19 REQUIRED)
set(CMAKE_CXX_COMPILER "${WDDMCORE_CLANGXX_19}")
set(CMAKE_CXX_COMPILER_TARGET "${WDDMCORE_TARGET}")
set(CMAKE_CXX_FLAGS_INIT
    "-ffreestanding -nostdinc -fno-exceptions -fno-rtti -fms-compatibility -fms-extensions -Xclang -fms-kernel -D_KERNEL_MODE=1")
