// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The kit's d3dkmddi.h against the layouts that the library was measured with: a difference is a compile error that names
// the structure. Bit-fields have no offset in C++: check_driver.cpp asks moved_bit() when it is loaded.

#include <wddmcore/wdk/layout_check.hpp>
