// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

#include "../../slow_build.hpp"

#include <preemption/driver.hpp>
#include <wddmcore/preemption/records/flip.hpp>
#include <wddmcore/testing/scheduler.hpp>

#include <doctest/doctest.h>

#include <vector>

/// The example driver with a display, which leaves every decision about flips to the library's `pending_flip`.
namespace machine_flips {
namespace {

using namespace wddmcore;
namespace sch = wddmcore::testing::scheduler;

class flipping_machine : public examples::scheduling_driver<preemption::under_interrupt_lock> {
    using base = examples::scheduling_driver<preemption::under_interrupt_lock>;

public:
    template <class Types>
    ntstatus start_device(wddmcore_system_services const& services, wddmcore_gpu const& gpu) {
        services_ = &services;
        gpu_ = &gpu;
        sources_.resize(gpu.display_count);
        tell_ = [](wddmcore_system_services const& s, u32 target, u64 scanned_out) {
            typename Types::notify data{};
            preemption::fill_vsync(data, target, scanned_out, 0);
            s.notify_interrupt(s.system, &data);
        };
        return base::start_device<Types>(services, gpu);
    }

    template <class Args>
    ntstatus present(void*, Args& args) {
        auto const work = preemption::work_of_present(args.Flags.Flip != 0, true, args.pDmaBuffer);
        return work.ok() && work.get() == preemption::present_work::nothing ? status::success
                                                                            : status::invalid_parameter;
    }

    // At device level, as the interrupt routine: nothing has to be locked.
    template <class Args>
    ntstatus set_vidpn_source_address(Args const& args) {
        preemption::flip_request const asked = preemption::flip_of(args);
        preemption::pending_flip& source = sources_[args.VidPnSourceId];
        if (source.programmed(asked.primary, read(args.VidPnSourceId).pending == 0) != errc::none) {
            return status::invalid_parameter;
        }
        bool const immediately = asked.timing == preemption::flip_timing::immediately;
        gpu_->program_address(gpu_->gpu, args.VidPnSourceId, asked.primary.address.n, immediately ? 1 : 0);
        source.vsync(immediately);
        return status::success;
    }

    ntstatus set_vidpn_source_visibility(wddmcore_source_visibility const& args) {
        gpu_->blank(gpu_->gpu, args.source, args.visible == 0 ? 1 : 0);
        return status::success;
    }

    bool interrupt_routine(unsigned message) {
        bool handled = base::interrupt_routine(message);
        for (u32 n = 0; n != sources_.size(); ++n) {
            wddmcore_gpu_display const now = read(n);
            if (now.vsync == 0) {
                continue;
            }
            handled = true;
            gpu_->dismiss_vsync(gpu_->gpu, n);
            sources_[n].vsync(now.pending == 0);
            if (sources_[n].reports()) {
                tell_(*services_, n, sources_[n].scanned_out().address.n);
                static_cast<void>(services_->queue_dpc(services_->system));
            }
        }
        return handled;
    }

private:
    [[nodiscard]] wddmcore_gpu_display read(u32 source) const {
        wddmcore_gpu_display now{};
        gpu_->read_display(gpu_->gpu, source, &now);
        return now;
    }

    wddmcore_system_services const* services_ = nullptr;
    wddmcore_gpu const* gpu_ = nullptr;
    std::vector<preemption::pending_flip> sources_;
    void (*tell_)(wddmcore_system_services const&, u32 target, u64 scanned_out) = nullptr;
};

constexpr u64 all_seeds = slow_build ? 100 : 1000;

TEST_CASE("FLP-01 to FLP-07: the library's machine and its pending flips, over seeds with preemptions and resets") {
    u64 flips = 0;
    u64 disturbed = 0;
    for (u64 seed = 1; seed <= all_seeds; ++seed) {
        sch::options o;
        o.nodes = 2;
        o.engines = seed % 5 == 0 ? 2 : 1;
        o.stops_at = sch::granularities[seed % 6];
        o.virtual_addresses = seed / 12 % 2 != 0;
        o.troubles = seed % 3 == 0 ? sch::usual_troubles : sch::troubles{};
        o.display.sources = 1 + static_cast<u32>(seed % 2);
        o.display.vsync_steps = 12;
        o.display.flip = 40;
        flipping_machine driver;
        wddm const version = o.virtual_addresses ? wddm::v3_2 : seed % 2 != 0 ? wddm::win8 : wddm::v2_0;
        sch::report const seen = sch::run(sch::bind_scheduled_driver(driver, version), o, seed);
        INFO("seed ", seed);
        INFO(seen.text());
        REQUIRE(seen.first_rule() == "");
        flips += seen.count.flips;
        disturbed += seen.times_exercised(sch::rule::flp_01);
    }
    CHECK(flips > 5 * all_seeds);
    CHECK(disturbed > all_seeds);
}

}  // namespace
}  // namespace machine_flips
