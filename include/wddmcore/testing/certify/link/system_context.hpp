// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../driver.hpp"

#include <string>

/// The system's context on one physical adapter of a link: all that tells a driver, in DxgkDdiBuildPagingBuffer and as
/// paging is submitted, whose memory is meant (LDA-03).
namespace wddmcore::inline WDDMCORE_ABI::testing::certify_parts {

/// Makes it, and lets paging name it.
/// @param o  of the paging on this adapter, which is `physical_adapter`
/// @return whether the driver made it; else that is a finding
[[nodiscard]] inline bool make_system_context(wddmcore_driver_table const& t, vidmm_options& o) {
    mirror::v3_2::dxgkarg_createcontext args{};
    args.NodeOrdinal = o.paging_node;
    args.EngineAffinity = 1U << o.physical_adapter.value_or(0);
    args.Flags.SystemContext = 1;
    args.Flags.VirtualAddressing = o.addressing == vidmm_addressing::gpu_virtual ? 1 : 0;
    vidmm_parts::journal::current().call("DxgkDdiCreateContext", false);
    if (t.create_context_with_info(t.adapter, &args) < 0) {
        std::string const where = std::to_string(o.physical_adapter.value_or(0));
        vidmm_parts::keep_finding(crash_id::refused, "DxgkDdiCreateContext fails",
                                  "the system's context on physical adapter " + where);
        return false;
    }
    o.paging_context = args.hContext;
    return true;
}

/// Destroys it.
inline void destroy_system_context(wddmcore_driver_table const& t, vidmm_options const& o) {
    if (t.destroy_context != nullptr) {
        vidmm_parts::journal::current().call("DxgkDdiDestroyContext", false);
        static_cast<void>(t.destroy_context(t.adapter, o.paging_context));
    }
}

}  // namespace wddmcore::testing::certify_parts
