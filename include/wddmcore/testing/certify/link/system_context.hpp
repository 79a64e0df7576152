// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../driver.hpp"

#include <optional>
#include <string>

namespace wddmcore::inline WDDMCORE_ABI::testing::certify_parts {

/// The system's context on one physical adapter of a link: all that tells a driver, in DxgkDdiBuildPagingBuffer and as
/// it submits, whose memory is paged (LDA-03). It is destroyed in the end.
class system_context {
public:
    /// @param o  of the paging on this adapter: `physical_adapter`, which is none outside a link, and the nodes
    system_context(wddmcore_driver_table const& t, vidmm_options const& o) : table_(t) {
        if (!o.physical_adapter) {
            return;
        }
        mirror::v3_2::dxgkarg_createcontext args{};
        args.NodeOrdinal = o.paging_node;
        args.EngineAffinity = 1U << *o.physical_adapter;
        args.Flags.SystemContext = 1;
        args.Flags.VirtualAddressing = o.addressing == vidmm_addressing::gpu_virtual ? 1 : 0;
        vidmm_parts::journal::current().call("DxgkDdiCreateContext", false);
        refused_ = table_.create_context_with_info(table_.adapter, &args) < 0;
        if (!refused_) {
            handle_ = args.hContext;
            return;
        }
        vidmm_parts::keep_finding(crash_id::refused, "DxgkDdiCreateContext fails",
                                  "the system's context on physical adapter " + std::to_string(*o.physical_adapter));
    }
    ~system_context() {
        if (handle_ != nullptr && table_.destroy_context != nullptr) {
            vidmm_parts::journal::current().call("DxgkDdiDestroyContext", false);
            static_cast<void>(table_.destroy_context(table_.adapter, handle_));
        }
    }
    system_context(system_context const&) = delete;
    system_context& operator=(system_context const&) = delete;

    /// Whether the driver would not make it, which is a finding.
    [[nodiscard]] bool is_refused() const { return refused_; }
    /// Lets paging name it; outside a link nothing changes.
    void name_in(vidmm_options& o) const { o.paging_context = handle_ != nullptr ? handle_ : o.paging_context; }

private:
    wddmcore_driver_table const& table_;
    void* handle_ = nullptr;
    bool refused_ = false;
};

}  // namespace wddmcore::testing::certify_parts
