// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/mirror.hpp>
#include <wddmcore/wddmcore.hpp>

/// A driver without an engine for paging; a case takes a member away by defining its macro.
using arguments = wddmcore::mirror::v2_0::dxgkarg_buildpagingbuffer;

#ifndef driver_claim
#    define driver_claim static constexpr bool paged_by_cpu = true;
#endif
#ifndef driver_place
#    define driver_place \
        wddmcore::segment_place place(wddmcore::segment_id) const { return {{0}, {0}}; }
#endif
#ifndef driver_fault_hook
#    define driver_fault_hook \
        wddmcore::disposition on_paging_fault(wddmcore::paging_fault const&) { return wddmcore::disposition::stop; }
#endif
#ifndef driver_map_virtual
#    define driver_map_virtual \
        void* map_virtual(wddmcore::gpu_virtual_address, wddmcore::bytes) { return nullptr; }
#endif

struct cpu_driver {
    static constexpr wddmcore::capabilities caps{.version = wddmcore::wddm::v2_0,
                                                 .oldest = wddmcore::wddm::v1_3,
                                                 .addresses = wddmcore::paging_addresses::gpu_virtual,
                                                 .alternate_address_lock = wddmcore::claim::yes};
    driver_claim driver_place driver_fault_hook bool is_aperture(wddmcore::segment_id) const { return false; }
};

struct cpu_mappings {
    static constexpr wddmcore::pages map_max{16};
    void* map_pages(wddmcore::page_number, wddmcore::pages) { return nullptr; }
    void* map_segment(wddmcore::segment_id, wddmcore::segment_offset, wddmcore::bytes) { return nullptr; }
    void unmap(void*, wddmcore::bytes) {}
    driver_map_virtual
};

/// DxgkDdiBuildPagingBuffer, when mappings can always be had.
inline wddmcore::ntstatus build(cpu_driver& driver, [[maybe_unused]] cpu_mappings& memory, arguments& args) {
#ifdef through_the_executor
    return static_cast<wddmcore::ntstatus>(
        wddmcore::execute_on_cpu(driver, memory, args, wddmcore::cpu_moment::at_build).what);
#else
    return wddmcore::build_paging_buffer(driver, args);
#endif
}
