// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../setup.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace plain {

/// Mistakes with flips that the driver can be told to make.
enum class flip_mistake {
    none,
    preemption_undoes_flip,
    cancel_undoes_flip,
    engine_reset_undoes_flip,
    preemption_forgets_postponed_flip,
    preemption_waits_for_flip,
    present_wants_buffer,
    present_writes,
    synchronizes_to_flip,
    programs_at_vsync,
    adds_segment_twice,
    tells_programmed,
    tells_replaced,
    no_dpc_after_vsync,
    no_notify_dpc_after_vsync,
    null_while_blank,
    silent_while_blank,
    tells_target_1,
    refuses_immediate,
    refuses_interval_1,
    immediate_at_vsync,
    vsync_at_once,
    vsync_before_packets,
};

/// The plain driver with a display: right unless told otherwise.
class flipping_driver : public driver {
public:
    explicit flipping_driver(flip_mistake makes = flip_mistake::none) : wrong_flip_(makes) {}

    /// An adapter reset takes pending flips back, and until the restart no interrupt is taken: both are right.
    bool starts_over = false;
    bool vsync_in_dpc = false;  ///< the interrupt routine dismisses the vsync, and the DPC tells of it

    template <class Types>
    ntstatus start_device(wddmcore_system_services const& services, wddmcore_gpu const& gpu) {
        tell_vsync_ = [](wddmcore_system_services const& s, std::uint32_t target, std::uint64_t address) {
            typename Types::notify d{};
            d.InterruptType = 3;
            d.CrtcVsync.VidPnTargetId = target;
            d.CrtcVsync.PhysicalAddress.QuadPart = static_cast<long long>(address);
            s.notify_interrupt(s.system, &d);
        };
        sources_.resize(gpu.display_count);
        return driver::start_device<Types>(services, gpu);
    }

    template <class Args>
    ntstatus present(void*, Args& args) {
        bool const flips = args.Flags.Flip != 0;
        if (flips && flips_wrongly(flip_mistake::present_writes)) {
            args.MultipassOffset = 1;
        }
        bool const needs = !flips || flips_wrongly(flip_mistake::present_wants_buffer);
        return needs && args.pDmaBuffer == nullptr ? status::invalid_parameter : status::success;
    }

    template <class Args>
    ntstatus set_vidpn_source_address(Args const& args) {
        bool immediate = args.Flags.FlipImmediate != 0;
        if (flips_wrongly(immediate ? flip_mistake::refuses_immediate : flip_mistake::refuses_interval_1)) {
            return status::invalid_parameter;
        }
        source_state& s = sources_[args.VidPnSourceId];
        auto address = static_cast<std::uint64_t>(args.PrimaryAddress.QuadPart);
        address += flips_wrongly(flip_mistake::adds_segment_twice) ? 0x1000'0000U : 0U;
        immediate =
            immediate ? !flips_wrongly(flip_mistake::immediate_at_vsync) : flips_wrongly(flip_mistake::vsync_at_once);
        bool const later = flips_wrongly(flip_mistake::programs_at_vsync) ||
                           flips_wrongly(flip_mistake::preemption_forgets_postponed_flip);
        if (later) {
            s.postponed = address;
            services_->queue_dpc(services_->system);
        } else if (flips_wrongly(flip_mistake::synchronizes_to_flip)) {
            locked([&] { program(args.VidPnSourceId, address, immediate); });
        } else {
            program(args.VidPnSourceId, address, immediate);
        }
        return status::success;
    }

    ntstatus set_vidpn_source_visibility(wddmcore_source_visibility const& args) {
        sources_[args.source].blank = args.visible == 0;
        gpu_->blank(gpu_->gpu, args.source, args.visible == 0 ? 1 : 0);
        return status::success;
    }

    template <class Args>
    ntstatus preempt_command(Args const& args) {
        if (flips_wrongly(flip_mistake::preemption_undoes_flip)) {
            undo_flips();
        }
        if (flips_wrongly(flip_mistake::preemption_forgets_postponed_flip)) {
            forget_postponed();
        }
        return driver::preempt_command(args);
    }

    template <class Args>
    ntstatus cancel_command(Args const& args) {
        if (flips_wrongly(flip_mistake::cancel_undoes_flip)) {
            undo_flips();
        }
        return driver::cancel_command(args);
    }

    template <class Args>
    ntstatus reset_engine(Args& args) {
        if (flips_wrongly(flip_mistake::engine_reset_undoes_flip)) {
            undo_flips();
        }
        return driver::reset_engine(args);
    }

    ntstatus reset_from_timeout() {
        deaf_ = starts_over;
        return driver::reset_from_timeout();
    }
    ntstatus restart_from_timeout() {
        if (std::exchange(deaf_, false)) {
            undo_flips();
        }
        return driver::restart_from_timeout();
    }

    bool interrupt_routine(unsigned message) {
        if (deaf_) {
            return false;
        }
        if (flips_wrongly(flip_mistake::vsync_before_packets)) {
            bool const vsync = serve_displays();
            return driver::interrupt_routine(message) || vsync;
        }
        bool const packets = driver::interrupt_routine(message);
        bool const vsync = serve_displays();
        only_vsync_ = vsync && !packets;
        return vsync || packets;
    }

    void dpc_routine() {
        bool const vsync = std::exchange(only_vsync_, false);
        if (flips_wrongly(flip_mistake::no_notify_dpc_after_vsync) && vsync) {
            return;
        }
        driver::dpc_routine();
        locked([&] {
            for (std::uint32_t n = 0; n != sources_.size(); ++n) {
                source_state& s = sources_[n];
                if (s.postponed && flips_wrongly(flip_mistake::preemption_forgets_postponed_flip)) {
                    program(n, *std::exchange(s.postponed, std::nullopt), false);
                }
                if (std::exchange(s.tell_later, false)) {
                    tell(n, read(n).scanned_out);
                }
            }
        });
    }

private:
    struct source_state {
        bool blank = false;
        bool tell_later = false;
        std::uint64_t programmed = 0;
        std::uint64_t before = 0;  // what was told last
        std::optional<std::uint64_t> postponed;
    };

    [[nodiscard]] bool flips_wrongly(flip_mistake which) const { return which == wrong_flip_; }

    [[nodiscard]] wddmcore_gpu_display read(std::uint32_t source) const {
        wddmcore_gpu_display d{};
        gpu_->read_display(gpu_->gpu, source, &d);
        return d;
    }
    [[nodiscard]] bool is_pending() const {
        for (std::uint32_t n = 0; n != sources_.size(); ++n) {
            if (read(n).pending != 0) {
                return true;
            }
        }
        return false;
    }
    [[nodiscard]] bool postpones(engine_state& e) override {
        bool const waits = flips_wrongly(flip_mistake::preemption_waits_for_flip) && is_pending();
        if (waits) {
            waiting_.push_back(&e);
        }
        return waits;
    }
    void ask_at_last() {
        for (engine_state* const e : std::exchange(waiting_, {})) {
            if (e->stopping && e->mark == 0) {
                report_preempted(*e);
            } else if (e->stopping) {
                gpu_->request_stop(gpu_->gpu, e->node, e->engine, e->generation);
            }
        }
    }

    void program(std::uint32_t source, std::uint64_t address, bool immediate) {
        sources_[source].programmed = address;
        gpu_->program_address(gpu_->gpu, source, address, immediate ? 1 : 0);
    }
    void undo_flips() {
        locked([&] {
            for (std::uint32_t n = 0; n != sources_.size(); ++n) {
                wddmcore_gpu_display const d = read(n);
                if (d.pending != 0 && d.scanned_out != 0) {
                    program(n, d.scanned_out, false);
                }
            }
        });
    }
    void forget_postponed() {
        for (source_state& s : sources_) {
            s.postponed.reset();
        }
    }

    void tell(std::uint32_t source, std::uint64_t address) {
        source_state& s = sources_[source];
        if (s.blank && flips_wrongly(flip_mistake::silent_while_blank)) {
            return;
        }
        address = flips_wrongly(flip_mistake::tells_programmed) ? s.programmed : address;
        address = flips_wrongly(flip_mistake::tells_replaced) && s.before != 0 ? s.before : address;
        address = flips_wrongly(flip_mistake::null_while_blank) && s.blank ? 0 : address;
        tell_vsync_(*services_, source + (flips_wrongly(flip_mistake::tells_target_1) ? 1U : 0U), address);
        s.before = read(source).scanned_out;
        if (!flips_wrongly(flip_mistake::no_dpc_after_vsync)) {
            services_->queue_dpc(services_->system);
        }
    }

    // Of the interrupt routine: true when a display had something to say.
    bool serve_displays() {
        bool ours = false;
        for (std::uint32_t n = 0; n != sources_.size(); ++n) {
            wddmcore_gpu_display const d = read(n);
            if (d.vsync == 0) {
                continue;
            }
            ours = true;
            gpu_->dismiss_vsync(gpu_->gpu, n);
            source_state& s = sources_[n];
            if (s.postponed && flips_wrongly(flip_mistake::programs_at_vsync)) {
                program(n, *std::exchange(s.postponed, std::nullopt), false);
            }
            if (vsync_in_dpc) {
                s.tell_later = true;
                services_->queue_dpc(services_->system);
            } else {
                tell(n, d.scanned_out);
            }
        }
        if (ours && !is_pending()) {
            ask_at_last();
        }
        return ours;
    }

    flip_mistake wrong_flip_;
    std::vector<source_state> sources_;
    std::vector<engine_state*> waiting_;
    bool only_vsync_ = false;
    bool deaf_ = false;
    void (*tell_vsync_)(wddmcore_system_services const&, std::uint32_t target, std::uint64_t address) = nullptr;
};

/// Displays are busier than in a usual run.
[[nodiscard]] inline setup flipping(setup s) {
    s.options.display.flip = 40;
    s.options.display.vsync_steps = 10;
    s.options.display.blank = 6;
    return s;
}

[[nodiscard]] inline scheduler::report run_flips(setup const& s, std::uint64_t seed,
                                                 flip_mistake wrong = flip_mistake::none) {
    flipping_driver d(wrong);
    d.collects_first = s.collects_first;
    d.vsync_in_dpc = s.reports_in_dpc;
    return scheduler::run(scheduler::bind_scheduled_driver(d, s.version), s.options, seed);
}

/// The mistake breaks this very rule first, in every run that shows it; without it the same runs are clean.
inline void expect_flip_caught(setup const& s, flip_mistake wrong, char const* rule, std::uint64_t seeds = 400) {
    auto const runs = [&s](std::uint64_t seed, flip_mistake made) { return run_flips(s, seed, made); };
    seeded_runs::expect_caught(runs, wrong, rule, seeds, 3);
}

}  // namespace plain
