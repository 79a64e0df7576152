// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../world.hpp"

#include <algorithm>
#include <string_view>

namespace wddmcore::inline WDDMCORE_ABI::testing::scheduler::parts {

/// The registers of the displays: an address is programmed, a vsync takes it, and interrupts.
class scanout {
public:
    explicit scanout(world& w) : w_(w) {}

    /// Gives the registers to the driver. `Registers` is what the table's `gpu` points at.
    template <class Registers>
    void connect(wddmcore_gpu& table) {
        table.display_count = static_cast<unsigned>(w_.sources.size());
        table.program_address = &call_program<Registers>;
        table.blank = &call_blank<Registers>;
        table.read_display = &call_read<Registers>;
        table.dismiss_vsync = &call_dismiss<Registers>;
    }

    /// Time passes. No display runs while the adapter is reset.
    void advance() {
        for (display_source& s : w_.sources) {
            if (!s.runs || w_.whole_reset || w_.step < s.next_vsync) {
                continue;
            }
            if (s.held && is_asked()) {
                continue;
            }
            s.held = false;
            s.next_vsync = w_.step + w_.opt.display.vsync_steps;
            judge_before(s);
            if (s.programmed == 0) {
                continue;  // it shows nothing yet
            }
            if (std::exchange(s.pending, false)) {
                take(s);
            }
            s.news = true;
            s.owed = s.newest();
            s.told_since = false;
            w_.event(any(), "vsync: " + world::hex(s.scanned_out()) + " is scanned out");
        }
    }

    [[nodiscard]] bool interrupts() const {
        return std::any_of(w_.sources.begin(), w_.sources.end(), [](display_source const& s) { return s.news; });
    }

private:
    template <class Registers>
    static void WDDMCORE_DRIVER_CALL call_program(void* gpu, unsigned source, unsigned long long address,
                                                  int immediately) {
        static_cast<Registers*>(gpu)->displays().program(source, address, immediately != 0);
    }
    template <class Registers>
    static void WDDMCORE_DRIVER_CALL call_blank(void* gpu, unsigned source, int blanked) {
        static_cast<Registers*>(gpu)->displays().blank(source, blanked != 0);
    }
    template <class Registers>
    static void WDDMCORE_DRIVER_CALL call_read(void* gpu, unsigned source, wddmcore_gpu_display* display) {
        *display = static_cast<Registers*>(gpu)->displays().read(source);
    }
    template <class Registers>
    static void WDDMCORE_DRIVER_CALL call_dismiss(void* gpu, unsigned source) {
        static_cast<Registers*>(gpu)->displays().dismiss(source);
    }

    [[nodiscard]] os_engine& any() { return w_.os.front(); }

    [[nodiscard]] bool is_asked() const {
        return std::any_of(w_.os.begin(), w_.os.end(), [](os_engine const& e) { return e.asked.has_value(); });
    }

    // Before a vsync: the flip that was asked for is what the display is about to take.
    void judge_before(display_source& s) {
        if (s.asked && !s.asked->programmed) {
            // Where the driver usually does it after it returned, what came in between is the cause.
            bool const lost = s.asked->disturbed && s.flips_late;
            w_.broken(lost ? rule::flp_01 : rule::flp_04,
                      "the address " + world::hex(s.asked->address) + " is not programmed before the next vsync" +
                          (lost ? ": the flip was lost" : ""),
                      any());
            s.asked.reset();
        }
    }

    [[nodiscard]] display_source* at(unsigned source) {
        if (source < w_.sources.size()) {
            return &w_.sources[source];
        }
        w_.broken(rule::flp_04, "the driver uses the display of a source that does not exist", any());
        return nullptr;
    }

    void program(unsigned source, std::uint64_t address, bool immediately) {
        display_source* const s = at(source);
        if (s == nullptr) {
            return;
        }
        w_.event(any(), "address " + world::hex(address) + (immediately ? " is taken at once" : " is programmed"));
        judge(*s, address, immediately);
        s->programmed = address;
        s->pending = !immediately;
        if (immediately) {
            take(*s);
        }
    }

    void judge(display_source& s, std::uint64_t address, bool immediately) {
        if (!s.asked) {
            return;
        }
        flip& f = *s.asked;
        if (f.address != address) {
            w_.broken(f.programmed && f.disturbed ? rule::flp_01 : rule::flp_04,
                      "the address " + world::hex(address) + " is programmed where the system has asked for " +
                          world::hex(f.address) + (f.programmed ? ", whose flip is lost" : ""),
                      any());
            s.asked.reset();
            return;
        }
        if (!f.programmed && f.immediate != immediately) {
            w_.broken(rule::flp_07,
                      f.immediate ? "an immediate flip is programmed for the next vsync"
                                  : "a flip at the next vsync takes effect at once",
                      any());
        }
        f.programmed = true;
        s.flips_late = s.flips_late || std::string_view(w_.call) != "set_vidpn_source_address";
    }

    static void take(display_source& s) { s.taken.push_back({s.newest() + 1, s.programmed}); }

    void blank(unsigned source, bool blanked) {
        if (display_source* const s = at(source)) {
            s->blanked = blanked;
            w_.event(any(), blanked ? "display is blanked" : "display is shown");
        }
    }

    [[nodiscard]] wddmcore_gpu_display read(unsigned source) {
        wddmcore_gpu_display d{};
        if (display_source const* const s = at(source)) {
            d.vsync = s->news ? 1 : 0;
            d.pending = s->pending ? 1 : 0;
            d.scanned_out = s->scanned_out();
        }
        return d;
    }

    void dismiss(unsigned source) {
        if (display_source* const s = at(source)) {
            s->news = false;
        }
    }

    world& w_;
};

}  // namespace wddmcore::testing::scheduler::parts
