# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# wddmcore_kit: a stand-in for the kit's headers, which tests/strict makes from its numbers; WDDM 3.2 of build 26100.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(kit "${PROJECT_BINARY_DIR}/kit")
set(strict "${PROJECT_SOURCE_DIR}/tests/strict")
file(GLOB numbers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/abi/*.json")
file(GLOB writers CONFIGURE_DEPENDS "${strict}/*.py" "${PROJECT_SOURCE_DIR}/tests/abi/kits.py")
add_custom_command(OUTPUT "${kit}/d3dkmddi.h"
    COMMAND "${Python3_EXECUTABLE}" "${strict}/write_header.py" 26100 WDDM3_2 "${kit}"
    DEPENDS ${writers} ${numbers})
add_custom_target(wddmcore_kit_header DEPENDS "${kit}/d3dkmddi.h")
add_library(wddmcore_kit INTERFACE)
add_dependencies(wddmcore_kit wddmcore_kit_header)
target_include_directories(wddmcore_kit SYSTEM INTERFACE "${kit}" "${strict}/port")
