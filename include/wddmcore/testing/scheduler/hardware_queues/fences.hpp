// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "ddi.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::hardware_queues::parts {

/// The system's side of native fences: it waits for values, and trusts that it is interrupted (HWS-10, HWS-15).
class fences {
public:
    fences(world& w, system_services& system) : w_(w), system_(system) {}

    void create(std::uint32_t index) {
        native_fence f;
        f.index = index;
        f.current_address = 0x9000'0000U + 0x1000U * std::uint64_t{index};
        f.monitored_address = f.current_address + 8;
        w_.fences.push_back(f);
        gone_after<queue_types::create_fence> args;
        args->hGlobalNativeFence = world::system_handle(world::fence_handles, index);
        args->CurrentValueSystemProcessGpuVa = f.current_address;
        args->MonitoredValueSystemProcessGpuVa = f.monitored_address;
        driver_call const call(w_, "create_native_fence", wddmcore_passive_level);
        static_cast<void>(w_.table.create_native_fence(w_.table.adapter, &*args));
        w_.fences.back().handle = args->hGlobalNativeFence;
    }

    void destroy(native_fence& f) {
        gone_after<queue_types::destroy_fence> args;
        args->hGlobalNativeFence = f.handle;
        driver_call const call(w_, "destroy_native_fence", wddmcore_passive_level);
        static_cast<void>(w_.table.destroy_native_fence(w_.table.adapter, &*args));
    }

    /// New monitored values for some of the fences: waiters have come and gone.
    void update() {
        std::vector<native_fence*> chosen;
        for (native_fence& f : w_.fences) {
            if (w_.random.chance(60)) {
                chosen.push_back(&f);
            }
        }
        if (chosen.empty()) {
            return;
        }
        std::vector<void*> handles;
        std::vector<u64> values;
        std::vector<void*> windows;
        for (native_fence* const f : chosen) {
            f->told = false;
            // A mapping of the call: its memory stays, so that a write that comes later harms nobody, and is lost.
            windows_.push_back(f->monitored);
            f->window = &windows_.back();
            handles.push_back(f->handle);
            values.push_back(wanted_value(*f));
            windows.push_back(f->window);
            w_.event(w_.nodes.front(), "native fence " + std::to_string(f->index) + " at " + world::hex(f->current) +
                                           ": monitored value becomes " + world::hex(values.back()));
        }
        ++w_.out.count.fence_updates;
        ntstatus answer = 0;
        {
            gone_after<queue_types::update> args;
            args->NativeFenceArray = handles.data();
            args->UpdatedValueArray = values.data();
            args->MonitoredValueKernelCpuVa = windows.data();
            args->NumFences = static_cast<std::uint32_t>(chosen.size());
            driver_call const call(w_, "update_monitored_values", wddmcore_device_level);
            w_.notified = false;
            w_.updating = true;
            answer = w_.table.update_monitored_values(w_.table.adapter, &*args);
            w_.updating = false;
            system_.check_dpc_queued();
        }
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            native_fence& f = *chosen[i];
            f.monitored = *f.window;
            f.window = nullptr;
            judge(f, values[i], answer);
        }
    }

    /// Everything was delivered: no fence is above its monitored value without a report.
    void look() {
        for (native_fence& f : w_.fences) {
            if (f.watched && f.current > f.monitored && !f.told && !f.owed && !has_event(f) && !w_.stopped) {
                w_.broken(rule::hws_10, what(f) + ", and nobody is interrupted", w_.nodes.front());
            }
        }
    }

private:
    [[nodiscard]] static std::string what(native_fence const& f) {
        return "native fence " + std::to_string(f.index) + " is at " + world::hex(f.current) +
               ", above its monitored value " + world::hex(f.monitored);
    }

    // Below what is there, equal to it, above it, or nobody waits.
    [[nodiscard]] std::uint64_t wanted_value(native_fence const& f) {
        std::uint64_t const thrown = w_.random.below(5);
        return thrown == 4 ? ~std::uint64_t{0} : f.current + thrown - (f.current != 0 && thrown != 0 ? 1 : 0);
    }

    [[nodiscard]] bool has_event(native_fence const& f) const {
        return std::any_of(w_.hw.begin(), w_.hw.end(), [&f](hardware_node const& h) {
            return std::any_of(h.events.begin(), h.events.end(), [&f](told_event const& e) {
                return e.what.type == wddmcore_queue_fence_signaled && e.subject == f.index;
            });
        });
    }

    void judge(native_fence& f, std::uint64_t asked, ntstatus answer) {
        os_node const& any = w_.nodes.front();
        std::string const name = "native fence " + std::to_string(f.index);
        w_.check(answer == status::success && f.monitored == asked, rule::hws_10,
                 answer != status::success ? "the update of monitored values fails"
                                           : name + " has another monitored value in memory than the new one",
                 any);
        if (w_.stopped) {
            return;
        }
        w_.check(f.seen_monitored == f.monitored, rule::hws_15,
                 "the update has returned, and the GPU has not seen the new monitored value of " + name, any);
        if (!w_.stopped && f.seen_monitored == f.monitored && f.current > f.monitored) {
            w_.check(f.told || f.owed || has_event(f), rule::hws_10,
                     what(f) + " when the update returns, and nobody is interrupted", any);
        }
    }

    world& w_;
    system_services& system_;
    std::deque<u64> windows_;
};

}  // namespace wddmcore::testing::hardware_queues::parts
