# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(wddmcore_package_dir "${CMAKE_INSTALL_DATADIR}/cmake/wddmcore")

install(TARGETS wddmcore EXPORT wddmcoreTargets FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
# Sources that a driver's team compiles into its own test program.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/wddmcore" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING PATTERN "*.cpp")
install(EXPORT wddmcoreTargets NAMESPACE wddmcore:: DESTINATION "${wddmcore_package_dir}")

configure_package_config_file(
    "${CMAKE_CURRENT_LIST_DIR}/wddmcoreConfig.cmake.in" "${PROJECT_BINARY_DIR}/wddmcoreConfig.cmake"
    INSTALL_DESTINATION "${wddmcore_package_dir}"
    NO_SET_AND_CHECK_MACRO)
# Headers alone have no architecture: without ARCH_INDEPENDENT a package built on x64 would not serve ARM64.
write_basic_package_version_file(
    "${PROJECT_BINARY_DIR}/wddmcoreConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion
    ARCH_INDEPENDENT)
install(FILES
        "${PROJECT_BINARY_DIR}/wddmcoreConfig.cmake"
        "${PROJECT_BINARY_DIR}/wddmcoreConfigVersion.cmake"
        DESTINATION "${wddmcore_package_dir}")
