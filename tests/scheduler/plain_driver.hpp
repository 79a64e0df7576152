// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "plain_engine.hpp"

#include <wddmcore/ddi/ntstatus.hpp>

#include <cstring>
#include <map>

namespace plain {

using wddmcore::ntstatus;
namespace status = wddmcore::status;

/// A driver that is right unless told otherwise; it knows nothing of the library's own engine machine.
class driver : public hardware_side {
public:
    using hardware_side::hardware_side;

    template <class Types>
    ntstatus start_device(wddmcore_system_services const& services, wddmcore_gpu const& gpu) {
        start(services, gpu, notifiers_of<Types>());
        return status::success;
    }

    ntstatus create_context(wddmcore_context_arguments& args) {
        std::size_t const slot = contexts_.size();
        context_state c;
        c.node = args.node_ordinal;
        c.engine = args.engine_affinity == 2 && !is(mistake::affinity_is_not_read) ? 1 : 0;
        c.area = args.save_area;
        c.system = args.system_context != 0;
        if (is(mistake::cancel_keeps_slot) && forgotten_.count(c.area) != 0) {
            c.stopped = forgotten_[c.area];
        }
        contexts_.push_back(c);
        args.context = &contexts_[slot];
        return status::success;
    }

    ntstatus destroy_context(void* handle) {
        static_cast<context_state*>(handle)->stopped.reset();
        return status::success;
    }

    template <class Args>
    ntstatus patch(Args const& args) {
        // What stands for addresses of allocations: the same for each engine, and each time.
        auto* const at = static_cast<unsigned char*>(args.pDmaBuffer) + args.DmaBufferSubmissionStartOffset;
        std::uint64_t const where =
            static_cast<std::uint64_t>(args.DmaBufferPhysicalAddress.QuadPart) + args.DmaBufferSubmissionStartOffset;
        if (args.DmaBufferSubmissionEndOffset - args.DmaBufferSubmissionStartOffset >= 16) {
            std::memcpy(at, &where, sizeof where);
            patched_[where] = at + 8;
            if (is(mistake::fence_patched_in)) {
                std::memcpy(at + 8, &args.SubmissionFenceId, 4);
            }
        }
        return status::success;
    }

    template <class Args>
    ntstatus submit_command(Args const& args) {
        auto const base = static_cast<std::uint64_t>(args.DmaBufferPhysicalAddress.QuadPart);
        auto const portion = patched_.find(base + args.DmaBufferSubmissionStartOffset);
        if (is(mistake::fence_written_at_submit) && portion != patched_.end()) {
            std::memcpy(portion->second, &args.SubmissionFenceId, 4);
        }
        return submit(args, base, args.DmaBufferSubmissionStartOffset, args.DmaBufferSubmissionEndOffset);
    }

    template <class Args>
    ntstatus submit_command_virtual(Args const& args) {
        auto const& own = *static_cast<wddmcore_packet_private_data const*>(args.pDmaBufferPrivateData);
        std::uint64_t const base = args.DmaBufferVirtualAddress != 0 ? args.DmaBufferVirtualAddress : own.address;
        if (own.invalid != 0) {
            context_state& c = context_of(args);
            bool const ends = is(mistake::rejected_dropped);
            locked([&] {
                engine_state& e = engine_of(c);
                if (is(mistake::rejected_at_once)) {
                    e.last = args.SubmissionFenceId;
                } else if (!ends) {
                    entry rejected;
                    rejected.fence = args.SubmissionFenceId;
                    rejected.silent = true;
                    e.entries.push_back(rejected);
                    retire_silent(e);
                }
            });
            return status::invalid_parameter;
        }
        return submit(args, base, 0, args.DmaBufferSize);
    }

    template <class Args>
    ntstatus preempt_command(Args const& args) {
        if (is(mistake::crashes_in_preempt)) {
            std::uintptr_t volatile nowhere = 16;
            *reinterpret_cast<unsigned volatile*>(nowhere) = 1;
        }
        engine_state& e = at(args.NodeOrdinal, args.EngineOrdinal);
        bool const idle_outside = e.entries.empty();
        auto const body = [&] {
            if (collects_first) {
                service(e);
            }
            e.progress_at_request = e.progress;
            preempt(e, args.PreemptionFenceId, is(mistake::decides_idle_outside_lock) && !idle_outside);
        };
        if (is(mistake::notifies_at_dispatch)) {
            body();
        } else {
            locked(body);
        }
        if (is(mistake::waits_in_preempt)) {
            for (int i = 0; i < 10'000 && e.stopping; ++i) {
                locked([&] { service(e); });
            }
        }
        return is(mistake::preempt_fails) ? status::unsuccessful : status::success;
    }

    template <class Args>
    ntstatus cancel_command(Args const& args) {
        auto& c = *static_cast<context_state*>(args.hContext);
        if (c.stopped) {
            forgotten_[c.area] = *c.stopped;
        }
        c.stopped.reset();
        if (is(mistake::cancel_reports)) {
            locked([&] { notify_completed(engine_of(c), engine_of(c).last); });
        }
        return is(mistake::cancel_fails) ? status::unsuccessful : status::success;
    }

    template <class Args>
    ntstatus query_current_fence(Args& args) {
        engine_state& e = at(args.NodeOrdinal, args.EngineOrdinal);
        locked([&] {
            if (!is(mistake::query_does_not_report)) {
                service(e);
            }
            if (is(mistake::query_repeats)) {
                notify_completed(e, e.last);
            }
        });
        args.CurrentFence = last_of(e);
        return status::success;
    }

    bool interrupt_routine(unsigned) {
        if (is(mistake::takes_no_interrupt)) {
            return false;
        }
        if (is(mistake::synchronizes_in_isr)) {
            locked([] {});
        }
        bool ours = false;
        for (engine_state& e : engines_) {
            ours = (reports_in_dpc ? only_read(e) : service(e)) || ours;
            if (is(mistake::reads_first_engine_only)) {
                break;
            }
        }
        if (ours && reports_in_dpc) {
            services_->queue_dpc(services_->system);
        }
        if (ours && is(mistake::notify_dpc_in_isr)) {
            services_->notify_dpc(services_->system);
        }
        return ours || is(mistake::takes_every_interrupt);
    }

    void dpc_routine() {
        if (is(mistake::spins_in_dpc)) {
            for (unsigned volatile forever = 1; forever != 0;) {
            }
        }
        if (!is(mistake::no_notify_dpc)) {
            services_->notify_dpc(services_->system);
        }
        locked([&] {
            for (engine_state& e : engines_) {
                if (reports_in_dpc) {
                    service(e);
                }
                hand_over(e);
            }
        });
    }

    template <class Args>
    ntstatus query_engine_status(Args& args) {
        engine_state& e = at(args.NodeOrdinal, args.EngineOrdinal);
        locked([&] { service(e); });
        bool const moved = collects_first && e.progress != e.progress_at_request;
        args.EngineStatus.Value = 0;
        args.EngineStatus.Responsive = moved || is(mistake::always_responsive) ? 1 : 0;
        return is(mistake::status_fails) ? status::unsuccessful : status::success;
    }

    template <class Args>
    ntstatus query_dependent_engine_group(Args& args) {
        std::uint64_t const own = std::uint64_t{1} << args.NodeOrdinal;
        std::uint64_t mask = gpu_->affected_nodes(gpu_->gpu, args.NodeOrdinal);
        mask &= is(mistake::mask_without_itself) ? ~own : ~std::uint64_t{0};
        args.DependentNodeOrdinalMask = is(mistake::mask_without_others) ? own : mask;
        return status::success;
    }

    template <class Args>
    ntstatus reset_engine(Args& args) {
        engine_state& e = at(args.NodeOrdinal, args.EngineOrdinal);
        bool done = false;
        locked([&] { done = reset(e, args.LastAbortedFenceId); });
        return done || is(mistake::hides_failed_reset) ? status::success : status::unsuccessful;
    }

    ntstatus reset_from_timeout() {
        if (!is(mistake::adapter_reset_does_nothing)) {
            locked([&] {
                for (engine_state& e : engines_) {
                    reset_with_adapter(e);
                }
                for (context_state& c : contexts_) {
                    c.stopped.reset();
                }
            });
        }
        return status::success;
    }

    ntstatus restart_from_timeout() { return is(mistake::restart_fails) ? status::unsuccessful : status::success; }

private:
    template <class Args>
    [[nodiscard]] context_state& context_of(Args const& args) {
        if (args.hContext != nullptr) {
            return *static_cast<context_state*>(args.hContext);
        }
        for (context_state& c : contexts_) {  // a paging packet without its context (AMB-54)
            if (c.system && c.node == args.NodeOrdinal && c.engine == 0) {
                return c;
            }
        }
        return contexts_.front();
    }

    template <class Args>
    ntstatus submit(Args const& args, std::uint64_t base, std::uint32_t start, std::uint32_t end) {
        context_state& c = context_of(args);
        engine_state& e = engine_of(c);
        constexpr std::uint32_t null_rendering = 8;
        constexpr std::uint32_t context_switch = 64;
        constexpr std::uint32_t resubmission = 128;
        bool const leaves = (args.Flags.Value & context_switch) != 0;
        bool const nothing = (args.Flags.Value & null_rendering) != 0;
        std::uint32_t const fence = args.SubmissionFenceId;
        bool const known = !e.seen.insert(fence).second;
        if (is(mistake::submit_fails) && fence % 16 == 5) {
            return status::no_memory;
        }
        if (is(mistake::refuses_zero_length) && start == end && !leaves) {
            return status::invalid_parameter;
        }
        if (is(mistake::wants_rising_ids) && static_cast<std::int32_t>(fence - e.newest) <= 0 && e.newest != 0) {
            return status::invalid_parameter;
        }
        e.newest = fence;
        if ((is(mistake::ignores_known_ids) && known) || (is(mistake::drops_context_switch) && leaves) ||
            (is(mistake::drops_null_rendering) && nothing)) {
            return status::success;
        }
        entry n;
        n.fence = fence;
        n.own = leaves ? nullptr : &c;
        n.paging = (args.Flags.Value & 1) != 0;
        n.came_back = (args.Flags.Value & resubmission) != 0;
        n.packet.context = leaves ? 0 : c.area;
        n.packet.buffer = base;
        n.packet.start = start;
        n.packet.end = end;
        n.packet.flags = nothing && !is(mistake::executes_null_rendering) ? unsigned{wddmcore_gpu_fence_only} : 0U;
        bool const keeps = (is(mistake::switch_keeps_context) && leaves) ||
                           (is(mistake::portion_keeps_context) && start != 0 && start != end);
        n.packet.flags |= keeps ? unsigned{wddmcore_gpu_keep_context} : 0U;
        locked([&] {
            n.packet.serial = is(mistake::serial_is_fence_id) ? fence : e.next_serial++;
            e.entries.push_back(n);
            hand_over(e);
        });
        return status::success;
    }

    std::map<std::uint64_t, window> forgotten_;
    std::map<std::uint64_t, unsigned char*> patched_;  // portions of buffers by their physical address
};

}  // namespace plain
