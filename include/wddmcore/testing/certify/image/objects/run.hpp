// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "commands.hpp"
#include "opener.hpp"

#if defined(__x86_64__) && defined(__linux__)

namespace wddmcore::inline WDDMCORE_ABI::testing::certify_parts {

/// What applications do with allocations: they are opened in the devices of two processes, presented, rendered with,
/// closed, and opened while the kernel has no memory to give. For `paging_run::instead`.
class object_run {
public:
    object_run(image_driver& driver, played_driver const& played, paging_run& run, paging_services& services)
        : driver_(driver),
          played_(played),
          run_(run),
          opener_(driver, report_),
          commands_(driver, played, run, services, report_) {}
    object_run(object_run const&) = delete;
    object_run& operator=(object_run const&) = delete;

    void use(vidmm& system) {
        tell_what_is_absent();
        if (opener_.is_possible() && played_.model->allocation_data != nullptr) {
            auto const first = system.create(bytes{paging_run::largest_allocation});
            auto const second = system.create(bytes{paging_run::largest_allocation});
            if (run_.allocations().size() == 2) {
                open_and_use(system, first, second);
                if (opens_again_) {
                    open_while_requests_fail();
                }
            }
            system.destroy(second);
            system.destroy(first);
        }
        played_.say("objects: " + std::to_string(driver_.processes().count()) + " processes, " +
                    std::to_string(opener_.opened()) + " times opened, " + commands_.text() + "; of " +
                    std::to_string(attempts_) + " openings without memory " + std::to_string(failed_) + " failed");
        played_.count(report_);
        played_.count(driver_.processes().report());
    }

private:
    using rule = vidmm_rule;
    static constexpr std::uint32_t other_process = 2;

    void tell_what_is_absent() {
        bool const has_processes = at_least(run_.description().version, wddm::v2_0);
        if (has_processes && !driver_.has("DxgkDdiCreateProcess")) {
            played_.leave_unjudged("processes (AMB-64); DxgkDdiCreateProcess is not registered");
        }
        constexpr char const* what =
            "opened allocations, presents and renders (OBJ-01 to OBJ-03, SPL-17, SPL-19 to SPL-23); ";
        if (!opener_.is_possible()) {
            played_.leave_unjudged(std::string(what) + "DxgkDdiOpenAllocation and DxgkDdiCloseAllocation are not both "
                                                       "registered");
        } else if (played_.table.create_allocation == nullptr) {
            played_.leave_unjudged(std::string(what) + "DxgkDdiCreateAllocation is not registered");
        } else if (played_.model->allocation_data == nullptr) {
            played_.leave_unjudged(std::string(what) + "the device model has no `allocation_data`");
        }
    }

    void open_and_use(vidmm& system, vidmm::allocation_number source, vidmm::allocation_number destination) {
        auto const mine = open(owners::of_application, true);
        if (!mine) {
            return;
        }
        if (driver_.processes().make(other_process, driver_.miniport()) >= 0) {
            if (auto const theirs = open(other_process, false)) {
                opener_.close(*theirs);
                opens_again_ = true;
            }
        }
        if (std::find(mine->handles.begin(), mine->handles.end(), nullptr) == mine->handles.end()) {
            commands_.play(system, *mine, source, destination);
        }
        opener_.close(*mine);
    }
    [[nodiscard]] std::optional<opened_in_device> open(std::uint32_t process, bool creates) {
        ntstatus status = 0;
        auto opened = opener_.open(process, run_.allocations(), creates, status);
        if (!opened && creates) {
            played_.find(crash_id::refused, "DxgkDdiOpenAllocation returned " + image_driver::hex(status));
        } else if (!opened) {
            // These allocations belong to no resource that was made to be shared.
            played_.leave_unjudged("allocations opened by another process; DxgkDdiOpenAllocation returned " +
                                   image_driver::hex(status));
        }
        return opened;
    }

    // Without memory.

    /// Several allocations in one call: a driver that fails at one of them has to give back what it has for the others,
    /// or that is what it leaves behind in the end.
    void open_while_requests_fail() {
        kp::kernel_system& kernel = driver_.kernel();
        std::uint64_t const failed_before = kernel.requests_failed;
        for (attempts_ = 0; attempts_ < 24; ++attempts_) {
            ntstatus status = 0;
            std::uint32_t const share = std::exchange(kernel.options.failures, 300U);
            auto const opened = opener_.open(owners::of_application, run_.allocations(), false, status);
            kernel.options.failures = share;
            // What the driver refuses where no request failed, or later, has nothing to do with it.
            bool const had_memory = std::exchange(kernel.requests_failed, failed_before) == failed_before;
            if (opened) {
                opener_.close(*opened);
                continue;
            }
            ++failed_;
            if (had_memory) {
                played_.find(crash_id::refused, "DxgkDdiOpenAllocation returned " + image_driver::hex(status));
            }
        }
    }

    image_driver& driver_;
    played_driver const& played_;
    paging_run& run_;
    vidmm_report report_;
    opener opener_;
    context_commands commands_;
    bool opens_again_ = false;  // allocations that exist already
    std::uint32_t attempts_ = 0;
    std::uint32_t failed_ = 0;
};

}  // namespace wddmcore::testing::certify_parts

#endif
