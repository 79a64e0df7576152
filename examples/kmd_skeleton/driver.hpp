// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "adapter.hpp"

#include <cstdio>
#include <cstring>
#include <optional>

/// A kernel-mode display driver, small but complete as far as memory and scheduling are concerned: a render-only WDDM
/// 3.2 adapter with GPU virtual addresses and two nodes. Here are its start and stop, its answers, its allocations and
/// its paging buffers, in the order in which the system calls them. Contexts and scheduling are the library's functions,
/// which table.hpp registers.
///
/// In a real driver `ddi` is the included header.
namespace wddmcore::examples::skeleton {

namespace ddi = mirror::v3_2;

/// What the user-mode driver says about an allocation in its private data. The driver keeps no more of it.
struct allocation_request {
    u64 size = 0;
    u32 cpu_visible = 0;   ///< not 0: the CPU must be able to reach it
    u32 notify_unmap = 0;  ///< not 0: ask for operation 22 before the IOMMU unmaps it
};

/// All functions here: PASSIVE_LEVEL.
class driver {
public:
    /// What the next StartDevice finds.
    resources found{};

    /// In this driver the source code decides every claim. A claim that is `at_run_time` would be decided in this
    /// function, because the system asks for PHYSICAL_MEMORY_CAPS and IOMMU_CAPS before the device starts (IOM-02).
    ntstatus add_device() {
        device_.emplace();
        return status::success;
    }
    ntstatus start_device() {
        adapter& a = *device_;
        a.found = found;
        a.access = {};
        return a.place_memory(found) ? wdk::start_scheduling<adapter>(handle()) : status::invalid_parameter;
    }
    ntstatus stop_device() { return status::success; }
    ntstatus remove_device() {
        if (device_->contexts != nullptr) {
            return status::device_busy;
        }
        device_.reset();
        return status::success;
    }

    /// hAdapter, for the library's functions; NULL while there is no device.
    [[nodiscard]] void* handle() { return device_ ? static_cast<adapter*>(&*device_) : nullptr; }

    ntstatus query_adapter_info(ddi::dxgkarg_queryadapterinfo const& args) {
        if (args.Type == static_cast<u32>(adapter_query::drivercaps)) {
            std::memset(args.pOutputData, 0, args.OutputDataSize);  // a driver's own members come first; none here
        }
        auto const answer = answer_query_adapter_info<mirror_binding<gpu::caps.version>>(hardware(), args);
        return answer.done() ? answer.status : status::not_supported;  // the driver's own switch goes here
    }

    /// The engines are idle during that time, and nothing else in this adapter touches system memory on its own
    /// (IOM-09).
    using event = iommu::exclusive_event;
    ntstatus begin_exclusive_access(ddi::dxgkarg_beginexclusiveaccess const&) { return exclusive(event::begin); }
    ntstatus end_exclusive_access(ddi::dxgkarg_endexclusiveaccess const&) { return exclusive(event::end); }

    ntstatus create_allocation(ddi::dxgkarg_createallocation& args) {
        for (u32 i = 0; i != args.NumAllocations; ++i) {
            if (ntstatus const made = describe(args.pAllocationInfo[i]); made != status::success) {
                while (i-- != 0) {
                    destroy_allocation(args.pAllocationInfo[i].hAllocation);
                }
                return made;
            }
        }
        return status::success;
    }
    /// For each handle of DXGKARG_DESTROYALLOCATION.
    static void destroy_allocation(void* handle) { delete static_cast<allocation_request*>(handle); }

    ntstatus build_paging_buffer(ddi::dxgkarg_buildpagingbuffer& args) {
        // The processor reads what the CPU wrote there.
        hardware().commands_at = reinterpret_cast<usize>(args.pDmaBuffer);
        return wddmcore::build_paging_buffer(hardware(), args);
    }

private:
    [[nodiscard]] gpu& hardware() { return *device_; }

    ntstatus exclusive(event what) {
        iommu::exclusive_access& now = device_->access;
        bool const allowed = judge(now, what) == iommu::verdict::allowed;
        now = after(now, what);
        return allowed ? status::success : status::invalid_device_state;
    }

    /// Where an allocation may lie, and what else the system must know about it.
    ntstatus describe(ddi::dxgk_allocationinfo& info) {
        if (info.PrivateDriverDataSize < sizeof(allocation_request)) {
            return status::invalid_parameter;
        }
        auto const& wanted = *static_cast<allocation_request const*>(info.pPrivateDriverData);
        segment::allocation a{.size = bytes{wanted.size},
                              .supported = segment::set_of(gpu::local, gpu::window),
                              .eviction = segment::set_of(gpu::window),
                              .preferred = segment::prefer(gpu::local, gpu::window)};
        if (wanted.cpu_visible != 0) {
            a.flags_wddm2 = a.flags_wddm2.with(segment::allocation_flag_wddm2::cpu_visible);
        }
        if (wanted.notify_unmap != 0) {
            a.flags2 = a.flags2.with(segment::allocation_flag2::notify_io_mmu_unmap);
        }
        auto const of = segment::allocation_profile_of(gpu::caps, iommu::has_gpu_va_iommu(gpu::iommu));
        if (auto const bad = segment::fill_allocation_info(a, hardware().segments(0), of, info);
            bad != segment::allocation_is_good) {
            std::fprintf(stderr, "%s\n", segment::text_of(bad.what));  // DbgPrintEx in a driver
            return status::invalid_parameter;
        }
        info.hAllocation = new (std::nothrow) allocation_request(wanted);
        return info.hAllocation != nullptr ? status::success : status::no_memory;
    }

    std::optional<wdk::device<adapter>> device_{};
};

}  // namespace wddmcore::examples::skeleton
