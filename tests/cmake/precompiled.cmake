# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# Half of what clang does for a test without optimising it is to parse the standard library and the simulators: it parses
# them once, and compiles their inline functions once, into an object that every program links. What is optimised gains
# nothing, and g++ has none of it: it would be slower.

# The target wddmcore_precompiled, not optimised, and its object.
function(precompile_headers)
    set(name wddmcore_precompiled)
    set(source "${PROJECT_BINARY_DIR}/precompiled.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "")
    add_library(${name} OBJECT "${source}")
    target_link_libraries(${name} PRIVATE wddmcore_strict)
    target_compile_options(${name} PRIVATE -O0)
    target_precompile_headers(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests/cmake/precompiled.hpp")
    if(NOT WDDMCORE_TEST_FOLDERS)
        foreach(part certify laws scheduler vidmm)
            target_precompile_headers(${name} PRIVATE "${PROJECT_SOURCE_DIR}/include/wddmcore/testing/${part}.hpp")
        endforeach()
    endif()
    target_compile_options(${name} PRIVATE "SHELL:-Xclang -fmodules-codegen")
    set(header "${PROJECT_BINARY_DIR}/CMakeFiles/${name}.dir/cmake_pch.hxx.pch")
    # What of the options concerns code; of the others clang says that it does not use them.
    separate_arguments(flags NATIVE_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_RELEASE}")
    get_target_property(options wddmcore_strict INTERFACE_COMPILE_OPTIONS)
    list(FILTER options INCLUDE REGEX "^-f")
    if(WDDMCORE_COVERAGE)
        list(APPEND options -Xclang -mllvm -Xclang -system-headers-coverage)
    endif()
    if(CMAKE_CXX_COMPILER_TARGET)
        list(PREPEND options "--target=${CMAKE_CXX_COMPILER_TARGET}")
    endif()
    # The inline functions are what the simulators' loops are made of: optimised, the tests take a third of their time. With
    # sanitizers the optimiser takes more than the tests would gain.
    set(level -O1)
    if(WDDMCORE_SANITIZE)
        set(level -O0)
    endif()
    add_custom_command(OUTPUT "${PROJECT_BINARY_DIR}/${name}.o" DEPENDS "${header}" VERBATIM
        COMMAND "${CMAKE_CXX_COMPILER}" ${flags} ${options} ${level} -c "${header}" -o "${PROJECT_BINARY_DIR}/${name}.o")
    add_custom_target(${name}_object DEPENDS "${PROJECT_BINARY_DIR}/${name}.o")
endfunction()

option(WDDMCORE_PRECOMPILE "Precompile the headers of the tests; clang alone" OFF)

# precompile_targets(DIRECTORY...): the programs and object libraries of these directories, when all are complete.
function(precompile_targets)
    if(NOT WDDMCORE_PRECOMPILE OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR NOT CMAKE_GENERATOR STREQUAL "Ninja" OR MSVC)
        return()
    endif()
    precompile_headers()
    foreach(directory IN LISTS ARGN)
        get_property(targets DIRECTORY "${directory}" PROPERTY BUILDSYSTEM_TARGETS)
        foreach(target IN LISTS targets)
            get_target_property(type ${target} TYPE)
            get_target_property(sources ${target} SOURCES)
            get_target_property(options ${target} COMPILE_OPTIONS)
            # main.cpp needs little of it, and CMake would precompile the headers for C, too.
            if(NOT type MATCHES "^(EXECUTABLE|OBJECT_LIBRARY)$" OR target MATCHES "^wddmcore_")
                continue()
            endif()
            string(REGEX MATCHALL "-O[0-9]" levels "${CMAKE_CXX_FLAGS_RELEASE} ${options}")
            list(POP_BACK levels level)
            if(level STREQUAL "-O0" AND NOT sources MATCHES "\\.c(;|$)")
                target_compile_options(${target} PRIVATE -O0)
                target_precompile_headers(${target} REUSE_FROM wddmcore_precompiled)
            endif()
            # A program that has no precompiled header itself may have objects that were compiled with it.
            # Only its link waits for them: a dependency of the target would keep its sources waiting, too. What is -O2 has its own
            # inline functions, as an optimiser makes them.
            if(type STREQUAL "EXECUTABLE" AND NOT level STREQUAL "-O2")
                set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${PROJECT_BINARY_DIR}/wddmcore_precompiled.o")
                target_link_libraries(${target} PRIVATE "${PROJECT_BINARY_DIR}/wddmcore_precompiled.o")
            endif()
        endforeach()
    endforeach()
endfunction()
