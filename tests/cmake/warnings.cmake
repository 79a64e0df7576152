# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# The flags of our own tests, benchmarks and examples. Users of the library get none of them.
set(CMAKE_CXX_EXTENSIONS OFF)
add_library(wddmcore_strict INTERFACE)
target_link_libraries(wddmcore_strict INTERFACE wddmcore::wddmcore)
target_include_directories(wddmcore_strict INTERFACE "${PROJECT_SOURCE_DIR}/examples" "${PROJECT_SOURCE_DIR}/tests")
if(CMAKE_CXX_COMPILER_FRONTEND_VARIANT STREQUAL "MSVC" OR MSVC)
    target_compile_options(wddmcore_strict INTERFACE /W4 /WX /permissive- /Zc:__cplusplus /utf-8 /bigobj)
else()
    target_compile_options(wddmcore_strict INTERFACE
        -Wall -Wextra -Wconversion -Wsign-conversion -Wshadow $<$<COMPILE_LANGUAGE:CXX>:-Wold-style-cast> -Wcast-align
        -Werror)
endif()
if(CMAKE_CROSSCOMPILING AND NOT MSVC)
    # Where unaligned words trap, every cast of mapped bytes to words is warned of; stage arm64 checks them as they run.
    target_compile_options(wddmcore_strict INTERFACE -Wno-cast-align)
endif()

set(WDDMCORE_SANITIZE "" CACHE STRING "Sanitizers of tests and examples, for example address,undefined")
if(WDDMCORE_SANITIZE)
    target_compile_options(wddmcore_strict INTERFACE
        "-fsanitize=${WDDMCORE_SANITIZE}" -fno-sanitize-recover=all -fno-omit-frame-pointer)
    # Newer clangs move locals to the heap to see a use after return: with coroutines and forks that takes ten times as long.
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 15)
        target_compile_options(wddmcore_strict INTERFACE -fsanitize-address-use-after-return=never)
    endif()
    target_link_options(wddmcore_strict INTERFACE "-fsanitize=${WDDMCORE_SANITIZE}")
    target_compile_definitions(wddmcore_strict INTERFACE WDDMCORE_SANITIZED)
endif()

option(WDDMCORE_SLOW_BUILD "Long sweeps of the tests take a part of their cases" OFF)
if(WDDMCORE_SLOW_BUILD OR WDDMCORE_SANITIZE)
    target_compile_definitions(wddmcore_strict INTERFACE WDDMCORE_SLOW_BUILD)
endif()

# A checked build stops at a broken internal promise; in constant evaluation the same is a compile error.
option(WDDMCORE_CHECKED "Build tests and examples in the library's checked mode" OFF)
if(WDDMCORE_CHECKED)
    target_compile_options(wddmcore_strict INTERFACE
        "-DWDDMCORE_ASSERT(condition)=((condition)?void():__builtin_trap())")
endif()

# No -Werror: clang warns of each decision that it cannot measure; stage coverage says so itself.
option(WDDMCORE_COVERAGE "Measure lines, branches and MC/DC (clang 19): tests/stages/coverage.py" OFF)
if(WDDMCORE_COVERAGE)
    target_compile_options(wddmcore_strict INTERFACE
        -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc -fcoverage-compilation-dir=. -Wno-error
        "-fprofile-list=${PROJECT_SOURCE_DIR}/tests/coverage/core.list"
        # What CMake precompiles counts as the system's headers, which are not measured by themselves.
        "SHELL:-Xclang -mllvm -Xclang -system-headers-coverage")
    target_link_options(wddmcore_strict INTERFACE -fprofile-instr-generate)
endif()
