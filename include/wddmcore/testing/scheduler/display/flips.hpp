// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../world.hpp"
#include "ddi.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing::scheduler::parts {

/// The system's side of flips: when it presents, flips and blanks. It draws nothing where the driver flips nothing.
class flips {
public:
    /// @throws std::invalid_argument  a structure of the driver's is smaller than its version's
    explicit flips(world& w) : w_(w), calls_(flip_calls_for(w.version)) {
        if (w.table.set_vidpn_source_address != nullptr && w.opt.display.sources != 0 && !w.opt.display.declared) {
            w.broken(rule::flp_01, "a driver that preempts and flips does not declare FlipOnVSyncMmIo", w.os.front());
        }
        if (!w.sources.empty()) {
            compare_size("DXGKARG_SETVIDPNSOURCEADDRESS", w.table.set_vidpn_source_address_size,
                         calls_.source_address_size);
            compare_size("DXGKARG_PRESENT", w.table.present_size, calls_.present_size);
        }
    }

    /// One step of the run: any source may flip, or change its visibility.
    void act() {
        for (std::uint32_t source = 0; source != w_.sources.size() && !w_.stopped; ++source) {
            display_source const& s = w_.sources[source];
            if (!s.asked && w_.random.chance(w_.opt.display.flip)) {
                flip_at_random(source);
            }
            if (!w_.stopped && w_.table.set_vidpn_source_visibility != nullptr &&
                w_.random.chance(w_.opt.display.blank)) {
                show(source, s.told_blank);
            }
        }
    }

    /// Presents a primary and flips to it: the next one of the source.
    /// @param context    that has rendered to it
    /// @param immediate  FlipImmediate, else at the next vsync
    void flip_to_next(std::uint32_t source, context const& rendered, bool immediate) {
        display_source& s = w_.sources[source];
        flip_arguments f;
        f.source = source;
        f.segment = w_.opt.display.segment;
        std::uint32_t const primary = source * w_.opt.display.primaries + s.next_primary;
        f.address = w_.opt.display.first_address + primary * w_.opt.display.primary_bytes;
        f.allocation = w_.opt.display.allocation_of ? w_.opt.display.allocation_of(primary) : nullptr;
        f.context = rendered.handle;
        f.immediate = immediate;
        f.patches = w_.patches();
        s.next_primary = (s.next_primary + 1) % w_.opt.display.primaries;
        present(f);
        if (!w_.stopped) {
            set_address(s, f, w_.os_of(rendered));
        }
    }

    /// Shows or blanks a source.
    void show(std::uint32_t source, bool visible) {
        w_.sources[source].told_blank = !visible;
        wddmcore_source_visibility args{};
        args.source = source;
        args.visible = visible ? 1 : 0;
        driver_call const call(w_, "set_vidpn_source_visibility", wddmcore_passive_level);
        static_cast<void>(w_.table.set_vidpn_source_visibility(w_.table.adapter, &args));
    }

    /// A preempt request, a cancelled packet or a reset of an engine: no flip may be lost or wait for it (FLP-01).
    /// @param asks  it is a request, whose end the vsync may wait for
    static void disturb(world& w, bool asks) {
        for (display_source& s : w.sources) {
            if (!s.asked) {
                continue;
            }
            s.asked->disturbed = true;
            if (asks && s.pending) {
                s.held = s.held || w.hardware_random.chance(w.opt.display.held);
            }
        }
    }
    /// Whether a flip still waits for its vsync, which comes after the end of all requests.
    [[nodiscard]] static bool is_waiting(world const& w) {
        return std::any_of(w.sources.begin(), w.sources.end(),
                           [](display_source const& s) { return s.asked && s.pending && s.held; });
    }
    /// The whole adapter is reset: what a display shows is the driver's choice until the next flip.
    static void start_over(world& w) {
        for (display_source& s : w.sources) {
            s.asked.reset();
            s.owed = 0;
            s.news = false;
            s.held = false;
        }
    }

private:
    void flip_at_random(std::uint32_t source) {
        std::vector<std::uint32_t> ready;
        for (context const& c : w_.contexts) {
            if (!c.removed && !c.system) {
                ready.push_back(c.index);
            }
        }
        if (ready.empty()) {
            return;
        }
        context const& rendered = w_.contexts[ready[static_cast<std::size_t>(w_.random.below(ready.size()))]];
        flip_to_next(source, rendered, w_.random.chance(w_.opt.display.immediate));
    }

    // A flip by registers writes no commands, so it comes without a DMA buffer (FLP-02).
    void present(flip_arguments const& f) {
        if (w_.table.present == nullptr) {
            return;
        }
        driver_call const call(w_, "present", wddmcore_passive_level);
        present_answer const answer = calls_.present(w_.table, f);
        w_.check(answer.status == status::success && answer.is_untouched, rule::flp_02,
                 answer.status != status::success ? "a present that flips, without a DMA buffer, is refused"
                                                  : "a present that flips writes to a DMA buffer that it does not have",
                 w_.os.front());
    }

    void set_address(display_source& s, flip_arguments const& f, os_engine const& e) {
        s.asked = flip{f.address, f.immediate, false, false};
        if (!std::exchange(s.runs, true)) {
            s.next_vsync = w_.step + w_.hardware_random.between(1, w_.opt.display.vsync_steps);
        }
        w_.event(e, "flip of source " + std::to_string(f.source) + " to " + world::hex(f.address) +
                        (f.immediate ? " at once" : " at the next vsync"));
        driver_call const call(w_, "set_vidpn_source_address", wddmcore_device_level);
        w_.held(rule::flp_03);
        ntstatus const answer = calls_.set_address(w_.table, f);
        w_.check(answer == status::success, rule::flp_07,
                 f.immediate ? "an immediate flip is refused" : "a flip at the next vsync is refused", e);
    }

    world& w_;
    flip_calls calls_;
};

}  // namespace wddmcore::testing::scheduler::parts
