// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// header: 26100 WDDM2_8
// header: 20348 WDDM2_8
// expect: capabilities: `version` is newer than the DXGKDDI_INTERFACE_VERSION of the included header

#include <d3dkmddi.h>

#include <wddmcore/wddmcore.hpp>

#include <hardware/cpu_virtual.hpp>

constexpr wddmcore::capabilities claims{.version = wddmcore::wddm::v2_9,
                                        .addresses = wddmcore::paging_addresses::gpu_virtual,
                                        .native_fences = wddmcore::claim::yes};
using gpu = wddmcore::examples::cpu::virtual_processor<claims>;

wddmcore::ntstatus build(gpu* hw, DXGKARG_BUILDPAGINGBUFFER* args) { return wddmcore::build_paging_buffer(*hw, *args); }
