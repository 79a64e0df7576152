# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# Two targets that nothing else needs and `all` leaves out:
#   wddmcore_amalgamated   the library as a few files, in the build folder's amalgamated/wddmcore/
#   wddmcore_nuget         the NuGet package, in the build folder's nuget/; there where `nuget` is installed
set(amalgamated "${PROJECT_BINARY_DIR}/amalgamated")
add_custom_command(OUTPUT "${amalgamated}/wddmcore/wddmcore.hpp"
    COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${amalgamated}" -P "${CMAKE_CURRENT_LIST_DIR}/amalgamate.cmake"
    DEPENDS ${wddmcore_headers} "${CMAKE_CURRENT_LIST_DIR}/amalgamate.cmake"
    VERBATIM)
add_custom_target(wddmcore_amalgamated DEPENDS "${amalgamated}/wddmcore/wddmcore.hpp")

find_program(WDDMCORE_NUGET nuget)
if(WDDMCORE_INSTALL AND WDDMCORE_NUGET)
    set(nuget_source "${PROJECT_SOURCE_DIR}/examples/consume/nuget/package")
    set(nuget "${PROJECT_BINARY_DIR}/nuget")
    set(staged "${nuget}/staged")
    file(MAKE_DIRECTORY "${staged}")
    configure_file("${nuget_source}/wddmcore.nuspec.in" "${nuget}/wddmcore.nuspec" @ONLY)
    # Everything stands under the nuspec's folder: patterns that lead out of it pack nothing, and nuget does not say so.
    add_custom_target(wddmcore_nuget
        COMMAND "${CMAKE_COMMAND}" -E rm -rf "${staged}/build"
        COMMAND "${CMAKE_COMMAND}" --install "${PROJECT_BINARY_DIR}" --config "$<CONFIG>" --component headers
                --prefix "${staged}/build/native"
        COMMAND "${CMAKE_COMMAND}" -E copy "${nuget_source}/wddmcore.props" "${nuget_source}/wddmcore.targets"
                "${staged}/build/native"
        COMMAND "${CMAKE_COMMAND}" -E copy "${PROJECT_SOURCE_DIR}/LICENSE" "${nuget}/wddmcore.nuspec" "${staged}"
        COMMAND "${WDDMCORE_NUGET}" pack wddmcore.nuspec -NoPackageAnalysis -OutputDirectory "${nuget}"
        WORKING_DIRECTORY "${staged}"
        VERBATIM)
endif()
