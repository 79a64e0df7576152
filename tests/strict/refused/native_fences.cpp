// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// header: 20348 WDDM2_9
// header: 22000 WDDM3_0
// header: 22621 WDDM3_1
// expect: capabilities: `native_fences` is claimed, but DXGKARG_BUILDPAGINGBUFFER of the included header has no
// expect: from build 26100 on

#include <d3dkmddi.h>

#include <wddmcore/wddmcore.hpp>

#include <hardware/cpu_virtual.hpp>

using wddmcore::claim;

constexpr wddmcore::capabilities claims{
    .version = wddmcore::wddm::v2_9, .addresses = wddmcore::paging_addresses::gpu_virtual, .native_fences = claim::yes};
using gpu = wddmcore::examples::cpu::virtual_processor<claims>;

wddmcore::ntstatus build(gpu* hw, DXGKARG_BUILDPAGINGBUFFER* args) { return wddmcore::build_paging_buffer(*hw, *args); }
