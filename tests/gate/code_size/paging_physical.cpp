// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The paging half of a driver, as it links it: one call of build_paging_buffer for an example GPU with physical addresses.

#include <hardware/amd_gfx10.hpp>
#include <wddmcore/mirror.hpp>
#include <wddmcore/paging.hpp>

using gpu = wddmcore::examples::amd::gfx10<>;

extern "C" wddmcore::ntstatus BuildPagingBuffer(gpu& hw, wddmcore::mirror::v3_2::dxgkarg_buildpagingbuffer& args) {
    return wddmcore::build_paging_buffer(hw, args);
}
