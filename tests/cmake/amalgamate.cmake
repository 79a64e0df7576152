# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# The library as a few files to copy into a driver's tree. Needs nothing but CMake:
#
#   cmake -DOUTPUT=build/amalgamated -P tests/cmake/amalgamate.cmake
#
# writes OUTPUT/wddmcore/wddmcore.hpp, which is all of the core, and beside it what may not be in the same file:
# mirror.hpp, which a driver does not parse, and the files of wdk/, which want the driver's own d3dkmddi.h first. Each has
# the path, and is used by the same #include, as in include/.
cmake_minimum_required(VERSION 3.25)

cmake_path(SET library NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../../include/wddmcore")
if(NOT OUTPUT)
    message(FATAL_ERROR "amalgamate.cmake: where to? cmake -DOUTPUT=FOLDER -P amalgamate.cmake")
endif()
cmake_path(SET OUTPUT "${OUTPUT}")  # a path of Windows gets its slashes turned
cmake_path(ABSOLUTE_PATH OUTPUT BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" NORMALIZE)

# In this order: a header goes to the first of these files that reaches it, and the later ones include that file. What
# resident and pageable functions share has a file of its own, so that neither takes it into its section, and so has what
# a driver's C sources include.
set(files wddmcore.hpp mirror.hpp wdk/functions.h wdk/functions/engine_port.h wdk/functions/check.hpp
          wdk/header_queries.hpp wdk/bind.hpp wdk/layout_check.hpp wdk/resident_functions.hpp
          wdk/pageable_functions.hpp)

# Adds `text` to the file that is being written.
function(append text)
    set_property(GLOBAL APPEND_STRING PROPERTY text "${text}")
endfunction()

# Adds the header `path` with all that it includes and that no file has yet.
function(append_header path)
    cmake_path(RELATIVE_PATH path BASE_DIRECTORY "${library}" OUTPUT_VARIABLE name)
    get_property(holder GLOBAL PROPERTY "holder of ${name}")
    if(holder STREQUAL "${file}")
        return()
    elseif(holder)
        get_property(included GLOBAL PROPERTY "${file} includes ${holder}")
        if(NOT included)
            set_property(GLOBAL PROPERTY "${file} includes ${holder}" TRUE)
            cmake_path(GET file PARENT_PATH from)
            cmake_path(SET to "${holder}")
            cmake_path(RELATIVE_PATH to BASE_DIRECTORY "${from}")
            append("#include \"${to}\"\n")
        endif()
        return()
    endif()

    file(READ "${path}" rest)
    string(REPLACE "\r\n" "\n" rest "${rest}")
    if(rest MATCHES "^[^\n]*SPDX-License-Identifier: MIT[^\n]*\n[^\n]*Copyright \\(c\\)[^\n]*\n")
        string(LENGTH "${CMAKE_MATCH_0}" length)
        string(SUBSTRING "${rest}" ${length} -1 rest)
    endif()
    string(FIND "${rest}" "#pragma once\n" once)
    if(NOT once EQUAL -1)
        # What is not marked so is text that is meant to be included many times.
        set_property(GLOBAL PROPERTY "holder of ${name}" "${file}")
        string(REPLACE "#pragma once\n" "" rest "${rest}")
    endif()
    append("\n// ${name}\n")
    set(rest "\n${rest}")
    string(FIND "${rest}" "\n#include \"" at)
    while(NOT at EQUAL -1)
        math(EXPR after "${at} + 1")
        string(SUBSTRING "${rest}" 0 ${after} before)
        string(SUBSTRING "${rest}" ${after} -1 rest)
        string(STRIP "${before}" visible)
        if(NOT visible STREQUAL "")
            append("${before}")
        endif()
        string(FIND "${rest}" "\n" end)
        string(SUBSTRING "${rest}" 0 ${end} line)
        string(SUBSTRING "${rest}" ${end} -1 rest)
        if(NOT line MATCHES "^#include \"([^\" ]+)\"$")
            message(FATAL_ERROR "amalgamate.cmake: ${name} has a line that this script does not understand: ${line}")
        endif()
        cmake_path(GET path PARENT_PATH folder)
        cmake_path(SET included NORMALIZE "${folder}/${CMAKE_MATCH_1}")
        append_header("${included}")
        string(FIND "${rest}" "\n#include \"" at)
    endwhile()
    append("${rest}")
endfunction()

# Adds what the header `path` of wdk/ includes of the core, and nothing of wdk/.
function(append_core_below path)
    cmake_path(RELATIVE_PATH path BASE_DIRECTORY "${library}" OUTPUT_VARIABLE name)
    if(NOT name MATCHES "^wdk/")
        append_header("${path}")
        return()
    endif()
    file(STRINGS "${path}" lines REGEX "^#include \"[^\" ]+\"$")
    cmake_path(GET path PARENT_PATH folder)
    foreach(line IN LISTS lines)
        string(REGEX REPLACE "^#include \"(.*)\"$" "\\1" line "${line}")
        cmake_path(SET included NORMALIZE "${folder}/${line}")
        append_core_below("${included}")
    endforeach()
endfunction()

file(STRINGS "${library}/config.hpp" version REGEX "^#define WDDMCORE_VERSION_(MAJOR|MINOR|PATCH) [0-9]+$")
list(TRANSFORM version REPLACE "^.* " "")
list(JOIN version "." version)

foreach(file IN LISTS files)
    set_property(GLOBAL PROPERTY text
"// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// wddmcore ${version}, ${file}
// Made by tests/cmake/amalgamate.cmake of the repository from the headers whose names stand in it: change those.
#pragma once
")
    if(file STREQUAL "wddmcore.hpp")
        append_core_below("${library}/wdk/resident_functions.hpp")
        append("
// What follows is called at PASSIVE_LEVEL only. A driver that pages it out, as wdk/pageable_functions.hpp says, defines
// WDDMCORE_PAGED as the name of the section in all of its sources: #define WDDMCORE_PAGED \"PAGE\".
#if defined(_MSC_VER) && defined(WDDMCORE_PAGED)
#    pragma code_seg(push, WDDMCORE_PAGED)
#endif
")
    endif()
    append_header("${library}/${file}")
    if(file STREQUAL "wddmcore.hpp")
        append("
#if defined(_MSC_VER) && defined(WDDMCORE_PAGED)
#    pragma code_seg(pop)
#endif
")
    endif()
    get_property(text GLOBAL PROPERTY text)
    foreach(again RANGE 2)
        string(REPLACE "\n\n\n" "\n\n" text "${text}")
    endforeach()
    file(WRITE "${OUTPUT}/wddmcore/${file}" "${text}")
endforeach()
