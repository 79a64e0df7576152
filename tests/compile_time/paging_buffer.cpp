// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// One source file of a driver: DxgkDdiBuildPagingBuffer for one hardware type. Stage compile_time counts what it
// instantiates.

#include <wddmcore/mirror.hpp>
#include <wddmcore/paging.hpp>

#include <hardware/amd_gfx10.hpp>

using namespace wddmcore;

ntstatus build(examples::amd::gfx10<>& adapter, mirror::v1_3::dxgkarg_buildpagingbuffer& args) {
    return build_paging_buffer(adapter, args);
}
