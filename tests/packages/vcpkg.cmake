# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# Runs a port as vcpkg would, with stand-ins for the functions that vcpkg gives to a portfile: what they do to the package's
# folder, for one configuration, release.
#
#   cmake -DPORT_FOLDER=... -DCURRENT_PACKAGES_DIR=... -DBUILD=... -DCXX=... -P vcpkg.cmake
cmake_minimum_required(VERSION 3.25)
set(PORT wddmcore)

macro(only_release)
    if(NOT VCPKG_BUILD_TYPE STREQUAL "release")
        message(FATAL_ERROR "the stand-ins for vcpkg have one configuration: set(VCPKG_BUILD_TYPE release)")
    endif()
endmacro()

function(vcpkg_cmake_configure)
    only_release()
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "OPTIONS")
    if(arg_UNPARSED_ARGUMENTS OR NOT IS_DIRECTORY "${arg_SOURCE_PATH}")
        message(FATAL_ERROR "vcpkg_cmake_configure: ${ARGN}")
    endif()
    execute_process(COMMAND "${CMAKE_COMMAND}" -G Ninja -S "${arg_SOURCE_PATH}" -B "${BUILD}" ${arg_OPTIONS}
                            "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR}"
                    COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(vcpkg_cmake_install)
    execute_process(COMMAND "${CMAKE_COMMAND}" --build "${BUILD}" --target install COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# The configuration moves to share/PORT, two folders below the prefix, and is told so.
function(vcpkg_cmake_config_fixup)
    only_release()
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "CONFIG_PATH" "")
    file(GLOB files "${CURRENT_PACKAGES_DIR}/${arg_CONFIG_PATH}/*.cmake")
    if(NOT files)
        message(FATAL_ERROR "vcpkg_cmake_config_fixup: nothing in ${arg_CONFIG_PATH}")
    endif()
    foreach(path IN LISTS files)
        file(READ "${path}" text)
        set(up "get_filename_component(_IMPORT_PREFIX \"\${_IMPORT_PREFIX}\" PATH)\n")
        string(REPLACE "${up}${up}${up}" "${up}${up}" text "${text}")
        cmake_path(GET path FILENAME name)
        file(WRITE "${CURRENT_PACKAGES_DIR}/share/${PORT}/${name}" "${text}")
    endforeach()
    file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/${arg_CONFIG_PATH}" "${CURRENT_PACKAGES_DIR}/share/cmake")
endfunction()

function(vcpkg_fixup_pkgconfig)
    file(GLOB_RECURSE files "${CURRENT_PACKAGES_DIR}/*.pc")
    if(NOT files)
        message(FATAL_ERROR "vcpkg_fixup_pkgconfig: no .pc file")
    endif()
    foreach(path IN LISTS files)
        file(READ "${path}" text)
        if(text MATCHES "${CURRENT_PACKAGES_DIR}")
            message(FATAL_ERROR "${path} has the package's path in it")
        endif()
    endforeach()
endfunction()

function(vcpkg_install_copyright)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILE_LIST")
    file(COPY_FILE "${arg_FILE_LIST}" "${CURRENT_PACKAGES_DIR}/share/${PORT}/copyright")
endfunction()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}" "${BUILD}")
set(CMAKE_CURRENT_LIST_DIR "${PORT_FOLDER}")
include("${PORT_FOLDER}/portfile.cmake")
