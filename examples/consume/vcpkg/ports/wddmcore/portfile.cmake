# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
#
# Installs the checkout that this port lies in. In a registry, vcpkg_from_github() of a release takes the place of these
# two lines.
cmake_path(SET SOURCE_PATH NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../../../../..")
string(REGEX REPLACE "/$" "" SOURCE_PATH "${SOURCE_PATH}")

# Headers are the same in each configuration.
set(VCPKG_BUILD_TYPE release)
vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS
        -DWDDMCORE_BUILD_TESTS=OFF
        -DWDDMCORE_BUILD_BENCH=OFF
        -DWDDMCORE_BUILD_EXAMPLES=OFF
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH share/cmake/wddmcore)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/share/doc")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
