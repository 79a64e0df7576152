# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# Windows on x64 with Debian's mingw-w64; the programs run under Wine, of which WINEPREFIX names the folder.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
find_program(WDDMCORE_MINGW_GXX NAMES x86_64-w64-mingw32-g++-win32 REQUIRED)
find_program(WDDMCORE_WINE NAMES wine64 wine PATHS /usr/lib/wine REQUIRED)
set(CMAKE_CXX_COMPILER "${WDDMCORE_MINGW_GXX}")
set(CMAKE_CROSSCOMPILING_EMULATOR "${WDDMCORE_WINE}")
# GNU ld takes ten times as long for the same programs. g++ looks for lld by a name without a version.
find_program(WDDMCORE_LLD NAMES ld.lld-19 ld.lld REQUIRED)
file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/linker")
file(CREATE_LINK "${WDDMCORE_LLD}" "${CMAKE_BINARY_DIR}/linker/ld.lld" SYMBOLIC)
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static -fuse-ld=lld -B${CMAKE_BINARY_DIR}/linker")
# Its threads are those of Windows, and std::mutex is not among them.
add_compile_definitions(DOCTEST_CONFIG_NO_MULTITHREADING)
# Debian's doctest is one header beside those of Linux, which must not be seen: a copy that stands alone.
find_file(WDDMCORE_DOCTEST doctest/doctest.h PATHS /usr/local/include /usr/include REQUIRED NO_DEFAULT_PATH)
set(FETCHCONTENT_SOURCE_DIR_DOCTEST "${CMAKE_BINARY_DIR}/doctest-alone")
file(COPY "${WDDMCORE_DOCTEST}" DESTINATION "${FETCHCONTENT_SOURCE_DIR_DOCTEST}/include/doctest")
file(WRITE "${FETCHCONTENT_SOURCE_DIR_DOCTEST}/CMakeLists.txt"
    "add_library(doctest INTERFACE)\nadd_library(doctest::doctest ALIAS doctest)\n"
    "target_include_directories(doctest SYSTEM INTERFACE include)\n")
