// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: host_aperture_mapper: `store_host_aperture_entry` or `clear_host_aperture_entry` is missing

#include <wddmcore/ddi/mirror/mirror.hpp>
#include <wddmcore/segment/host_aperture.hpp>

using namespace wddmcore;

struct gpu {
    void store_host_aperture_entry(segment_id, u32, u64) {}
#ifndef BAD
    void clear_host_aperture_entry(segment_id, u32) {}
#endif
};

ntstatus map(segment::view const& table, gpu& hardware, mirror::v2_0::dxgkarg_mapcpuhostaperture const& args) {
    return segment::map_cpu_host_aperture(table, hardware, args);
}
