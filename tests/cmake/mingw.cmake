# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# Windows on x64 by clang with the headers and libraries of Debian's mingw-w64; the programs run under Wine, of which
# WINEPREFIX names the folder. Stage images builds one program by mingw-w64's g++ as well.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
find_program(WDDMCORE_CLANGXX_19 NAMES clang++-19 REQUIRED)
find_program(WDDMCORE_WINE NAMES wine64 wine PATHS /usr/lib/wine REQUIRED)
set(CMAKE_CXX_COMPILER "${WDDMCORE_CLANGXX_19}")
set(CMAKE_CXX_COMPILER_TARGET x86_64-w64-mingw32)
set(CMAKE_CROSSCOMPILING_EMULATOR "${WDDMCORE_WINE}")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static -fuse-ld=lld")
# Its threads are those of Windows, and std::mutex is not among them.
add_compile_definitions(DOCTEST_CONFIG_NO_MULTITHREADING)
# Debian's doctest is one header beside those of Linux, which must not be seen: a copy that stands alone.
find_file(WDDMCORE_DOCTEST doctest/doctest.h PATHS /usr/local/include /usr/include REQUIRED NO_DEFAULT_PATH)
set(FETCHCONTENT_SOURCE_DIR_DOCTEST "${CMAKE_BINARY_DIR}/doctest-alone")
file(COPY "${WDDMCORE_DOCTEST}" DESTINATION "${FETCHCONTENT_SOURCE_DIR_DOCTEST}/include/doctest")
file(WRITE "${FETCHCONTENT_SOURCE_DIR_DOCTEST}/CMakeLists.txt"
    "add_library(doctest INTERFACE)\nadd_library(doctest::doctest ALIAS doctest)\n"
    "target_include_directories(doctest SYSTEM INTERFACE include)\n")
