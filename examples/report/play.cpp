// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

#include "recorder.hpp"
#include "run.hpp"
#include "walks.hpp"

#include <packets/amd_sdma.hpp>
#include <packets/cpu_records.hpp>
#include <packets/intel_blitter.hpp>
#include <packets/nvidia_copy.hpp>
#include <paging_round_trip/journey.hpp>
#include <paging_round_trip/rigs.hpp>

#include <functional>
#include <optional>

namespace wddmcore::examples::report {

namespace {

constexpr std::uint64_t allocation_bytes = 4 * page_bytes;
constexpr std::uint64_t spare_bytes = std::uint64_t{2} << 20;

/// Root and address of the last translation that the simulator asked for.
struct asked_address {
    std::uint32_t segment = 0;
    std::uint64_t offset = 0;
    std::uint64_t va = 0;
};

/// A simulated system around one adapter, with a recorder in between.
class session {
public:
    session(shown_hardware const& hardware, std::string const& kind, std::optional<page_table_update_mode> mode,
            std::uint64_t size, std::uint64_t window = 0)
        : hardware_(hardware), rig_(make_rig(hardware.name + kind, 4 * size + spare_bytes)), options(rig_->options()) {
        options.seed = 1;
        options.execution = testing::vidmm_execution::at_submit;
        options.packing = testing::vidmm_packing::fresh;
        options.paging_buffer = std::max<std::uint32_t>(rig_->smallest_buffer(), 8192);
        options.chances.no_buffer = 0;
        options.chances.null_allocation = 0;
        options.chances.retry = 0;
        options.chances.split = 0;
        options.keep_trace = false;
        if (mode) {
            with_tables(options, *mode, size);
        }
        options.va_size = window != 0 ? window : options.va_size;
        if (hardware_.name == std::string("cpu")) {
            // The record carries the handle; improbable numbers are the same in every run, addresses are not.
            options.notices.fence_handle_of = nullptr;
        }
        watch_translations();
        recorder_ = std::make_unique<recorder>(rig_->table(), rig_->engine(), options);
        system = std::make_unique<testing::vidmm>(recorder_->table(), options, recorder_.get());
        rig_->attach(*system);
    }

    [[nodiscard]] std::deque<call> const& calls() const { return recorder_->calls(); }

    [[nodiscard]] std::string wrong() const {
        auto const& broken = system->report().violations();
        return broken.empty() ? "" : broken.front().rule + ": " + broken.front().sentence;
    }

    [[nodiscard]] std::optional<asked_address> const& last_address() const { return *last_; }

private:
    void watch_translations() {
        if (!options.page_tables.used()) {
            return;
        }
        // Addresses of processes begin past what entry 0 of the root covers; the paging process's window ends before.
        options.page_tables.translate = [next = options.page_tables.translate, last = last_,
                                         end = options.va_base + options.va_size](u32 segment, u64 offset, u64 va,
                                                                                  bool past_caches) {
            auto const found = next(segment, offset, va, past_caches);
            if (found && va >= end && found->address != 0) {
                *last = asked_address{segment, offset, va};
            }
            return found;
        };
    }

    shown_hardware const& hardware_;
    std::unique_ptr<rig> rig_;
    std::shared_ptr<std::optional<asked_address>> last_ = std::make_shared<std::optional<asked_address>>();
    std::unique_ptr<recorder> recorder_;

public:
    testing::vidmm_options options;
    std::unique_ptr<testing::vidmm> system;
};

void add_totals(adapter_run& run, testing::vidmm_report const& report) {
    for (u32 i = 0; i != paging_operation_count; ++i) {
        auto const& s = report.of(static_cast<paging_operation>(i));
        run.totals[i] = {s.requests, s.passes, s.commands, s.command_bytes};
    }
}

/// Everything that happens to content and apertures.
[[nodiscard]] bool move_about(testing::vidmm& system, testing::vidmm::allocation_number allocation, bool byte_pattern) {
    segment_id const memory{memory_segment};
    std::uint32_t const pattern = byte_pattern ? 0xADAD'ADAD : 0xDEAD'BEEF;
    return system.commit(allocation, memory) && system.evict(allocation) && system.commit(allocation, memory) &&
           system.discard(allocation) && system.fill(allocation, pattern, memory) && system.evict(allocation) &&
           system.map_aperture(allocation) && system.unmap_aperture(allocation);
}

/// Operations 3, 4 and 7, which only drivers of WDDM 1.x get.
[[nodiscard]] bool use_old_operations(testing::vidmm& system, testing::vidmm::allocation_number allocation,
                                      testing::vidmm_options const& options) {
    segment_id const memory{memory_segment};
    return system.commit(allocation, memory) && system.access(allocation, {0}, false) &&
           system.access(allocation, {8}, true) &&
           (!options.alternate_addresses || system.special_lock(allocation, memory));
}

[[nodiscard]] adapter_run play_one(shown_hardware const& hardware, std::string const& kind, std::string words,
                                   std::optional<page_table_update_mode> mode) {
    session s(hardware, kind, mode, allocation_bytes);
    adapter_run run{hardware.name + kind, std::move(words), {}, {}, {}, {}};
    auto const allocation = s.system->create(bytes{allocation_bytes});
    bool done = allocation != 0 && move_about(*s.system, allocation, s.options.byte_patterns);
    if (kind.empty()) {
        done = done && use_old_operations(*s.system, allocation, s.options);
    }
    if (mode) {
        done = done && live_with_processes(*s.system, s.options, allocation);
    }
    s.system->finish();
    run.calls = s.calls();
    run.wrong = !s.wrong().empty() ? s.wrong() : done ? "" : "the simulated system could not do all of it";
    add_totals(run, s.system->report());
    if (auto const& at = s.last_address()) {
        run.lookup = look_up(hardware.name, s.system->memory(), at->segment, at->offset, at->va);
    }
    return run;
}

}  // namespace

std::vector<shown_hardware> const& all_hardware() {
    static std::vector<shown_hardware> const all{{"cpu", "Reference processor", &packets::cpu_records},
                                                 {"amd_gfx10", "AMD gfx10", &packets::amd_sdma},
                                                 {"nvidia_ampere", "NVIDIA Ampere", &packets::nvidia_copy},
                                                 {"intel_xe", "Intel Xe2", &packets::intel_blitter}};
    return all;
}

std::vector<adapter_run> play(shown_hardware const& hardware) {
    using enum page_table_update_mode;
    std::vector<adapter_run> runs;
    runs.push_back(play_one(hardware, "", "physical addresses", {}));
    runs.push_back(play_one(hardware, "_virtual", "virtual addresses", {}));
    runs.push_back(play_one(hardware, "_tables", "page tables, written by commands at virtual addresses", gpu_virtual));
    runs.push_back(
        play_one(hardware, "_tables", "page tables, written by commands at physical addresses", gpu_physical));
    runs.push_back(play_one(hardware, "_tables", "page tables, written by the CPU", cpu_virtual));
    return runs;
}

window_run play_window(shown_hardware const& hardware) {
    constexpr std::uint64_t window = 256 << 10;
    constexpr std::uint64_t allocation_size = 224 << 10;
    session s(hardware, "_tables", page_table_update_mode::gpu_virtual, allocation_size, window);
    window_run run{s.options.va_base, window, allocation_size, {}, {}};
    auto const allocation = s.system->create(bytes{allocation_size});
    std::size_t const before = s.calls().size();
    bool const done = allocation != 0 && s.system->commit(allocation, {memory_segment});
    std::size_t const after = s.calls().size();
    s.system->finish();
    run.calls.assign(s.calls().begin() + static_cast<std::ptrdiff_t>(before),
                     s.calls().begin() + static_cast<std::ptrdiff_t>(after));
    run.wrong = !s.wrong().empty() ? s.wrong() : done ? "" : "the simulated system could not do all of it";
    return run;
}

}  // namespace wddmcore::examples::report
