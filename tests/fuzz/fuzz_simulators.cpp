// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// runs: 24
// length: 64
// with: examples/paging_round_trip/*rig*.cpp
//
// The example driver under both simulators, and the example hardware under that of memory, where the input decides
// what Windows does: which allocation moves where and when, how large buffers are, how often engines preempt, fault
// and hang. Nothing may be found in a sound driver.

#include "fuzz_input.hpp"
#include "fuzz_require.hpp"

#include <kmd_skeleton/certified.hpp>
#include <paging_round_trip/rigs.hpp>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <vector>

namespace {

using namespace wddmcore;
namespace fuzz = testing::fuzz;
namespace parts = testing::certify_parts;

/// Allocations, processes and addresses that the input chooses among.
class memory_player {
public:
    memory_player(fuzz::input& in, testing::vidmm& system, testing::vidmm_options const& options)
        : in_(in), system_(system), root_(page_bytes) {
        for (testing::vidmm_segment const& s : options.segments) {
            if (!s.aperture) {
                segments_.push_back(segment_id{s.id});
            }
        }
        for (std::size_t level = 0; level + 1 < options.page_tables.levels.size(); ++level) {
            root_ <<= options.page_tables.levels[level].index_bits;
        }
    }

    void play() {
        while (in_.left != 0 && !system_.stopped()) {
            step(in_.byte());
        }
        system_.finish();
    }

private:
    [[nodiscard]] segment_id segment() { return segments_[in_.byte() % segments_.size()]; }
    [[nodiscard]] bytes size() { return bytes{(1 + u64{in_.byte()} % 40) * page_bytes}; }
    [[nodiscard]] gpu_virtual_address place() { return {root_ + u64{in_.byte()} * page_bytes}; }
    [[nodiscard]] std::uint32_t allocation() {
        return allocations_.empty() ? create() : allocations_[in_.byte() % allocations_.size()];
    }
    [[nodiscard]] std::uint32_t process() {
        if (processes_.size() < 2) {
            processes_.push_back(system_.create_process());
        }
        return processes_[in_.byte() % processes_.size()];
    }

    std::uint32_t create() {
        std::uint32_t const number = in_.byte() % 2 == 0 ? system_.create(size()) : system_.create_empty(size());
        if (number != 0) {
            allocations_.push_back(number);
        }
        return number;
    }

    void destroy() {
        std::uint32_t const gone = allocation();
        if (gone != 0) {
            std::erase(allocations_, gone);
            system_.destroy(gone);
        }
    }

    void step(std::uint32_t what) {
        if (what % 8 == 7) {
            // An application of the simulator's own, which destroys what it likes.
            system_.run(in_.byte(), 1 + in_.byte() % 4);
            allocations_.clear();
            processes_.clear();
            return;
        }
        if (what % 8 == 6) {
            return step_of_process(what / 8);
        }
        if (what % 24 == 5) {
            destroy();
            return;
        }
        std::uint32_t const number = allocations_.size() < 4 ? create() : allocation();
        if (number == 0) {
            return;
        }
        switch (what / 8) {
            case 0:
            case 1:
            case 2:
            case 3: system_.commit(number, segment()); break;
            case 4:
            case 5:
            case 6: system_.evict(number); break;
            case 7:
            case 8: fill(number); break;
            case 9:
            case 10: system_.move(number, segment()); break;
            case 11:
            case 12: system_.slide(number, static_cast<std::int8_t>(in_.byte())); break;
            case 13:
            case 14: system_.map_aperture(number); break;
            case 15: system_.unmap_aperture(number); break;
            case 16: system_.evict_to_aperture(number); break;
            case 17: system_.special_lock(number, segment()); break;
            case 18: system_.discard(number); break;
            case 19: access(number); break;
            case 20: system_.notify_eviction(number); break;
            case 21: system_.notify_iommu_unmap(number); break;
            case 22: system_.use_context(); break;
            case 23: system_.signal_fence(in_.byte()); break;
            case 24: system_.notice_fences(); break;
            case 25: system_.change_mmu(number); break;
            case 26: system_.reset(); break;
            default: system_.commit(number, segment()); break;
        }
    }

    void fill(std::uint32_t number) {
        u32 const pattern = 0x0101'0101U * in_.byte();
        system_.fill(number, pattern, segment());
    }
    void access(std::uint32_t number) {
        bytes const offset{u64{8} * in_.byte()};
        system_.access(number, offset, in_.byte() % 2 == 0);
    }
    void clear(std::uint32_t owner, bool reads_zero) {
        gpu_virtual_address const at = place();
        bytes const length = size();
        reads_zero ? system_.map_zero(owner, at, length) : system_.unmap(owner, at, length);
    }

    void step_of_process(std::uint32_t what) {
        std::uint32_t const owner = process();
        if (owner == 0) {
            return;
        }
        switch (what % 8) {
            case 0:
            case 1:
            case 2:
                if (std::uint32_t const number = allocation(); number != 0) {
                    system_.map(owner, number, place());
                }
                break;
            case 3: clear(owner, false); break;
            case 4: clear(owner, true); break;
            case 5: system_.evict_page_table(owner, place()); break;
            case 6: system_.restore_page_table(owner, place()); break;
            default: system_.move_root_page_table(owner); break;
        }
    }

    fuzz::input& in_;
    testing::vidmm& system_;
    std::vector<segment_id> segments_;
    std::vector<std::uint32_t> allocations_;
    std::vector<std::uint32_t> processes_;
    u64 root_;  ///< the first address past entry 0 of the root (GVA-30)
};

/// Buffers, passes and packing as the input wants them, within what the driver can.
void vary(fuzz::input& in, testing::vidmm_options& options) {
    u32 const step = in.byte();
    u32 const more = 4 * step * (in.byte() % 8U);
    std::uint32_t const room = options.largest_paging_buffer - options.smallest_paging_buffer;
    options.paging_buffer = options.smallest_paging_buffer + std::min(more, room);
    options.packing = static_cast<testing::vidmm_packing>(in.byte() % 3);
    options.largest_part = in.byte() % 2 == 0 ? 0 : (1U + in.byte() % 16U) * page_bytes;
    options.chances.retry = in.byte() % 60U;
    options.chances.busy = in.byte() % 60U;
    options.inspected_bytes = 1 << 14;
    options.keep_trace = false;
}

void play_memory(fuzz::input& in) {
    examples::skeleton::certified_skeleton around;
    testing::certified_driver const driver = around.describe();
    testing::certified_options how;
    how.seed = in.byte();
    parts::started_adapter adapter(driver, how);
    fuzz::require(adapter.start(), "the adapter starts");
    {
        std::vector<std::string> unjudged;
        testing::vidmm_options options = adapter.options(how, std::nullopt, unjudged);
        vary(in, options);
        testing::vidmm system(adapter.table(), options, driver.executor);
        driver.attach(system);
        memory_player(in, system, options).play();
        fuzz::require(system.report().passed(), system.report().text().c_str());
    }
    adapter.destroy_allocations();
    adapter.stop();
    fuzz::require(adapter.passed(), "the adapter's life is clean");
}

/// An example's hardware, executed by an engine that shares nothing with its encoders.
void play_hardware(fuzz::input& in) {
    std::vector<std::string> const names = examples::rig_names();
    auto const adapter = examples::make_rig(names[in.byte() % names.size()], u64{8} << 20);
    testing::vidmm_options options = adapter->options();
    options.seed = in.byte();
    options.smallest_paging_buffer = adapter->smallest_buffer();
    options.largest_paging_buffer = 16384;
    constexpr page_table_update_mode modes[] = {
        page_table_update_mode::cpu_virtual, page_table_update_mode::gpu_virtual, page_table_update_mode::gpu_physical};
    options.page_tables.mode = modes[in.byte() % std::size(modes)];
    options.page_tables.copies = options.page_tables.mode != page_table_update_mode::cpu_virtual;
    options.power_losses = in.byte() % 2 == 0;
    // Some of the drivers keep one record for both notices of residency.
    if (in.byte() % 2 == 0) {
        options.notices.page_residency_of = nullptr;
    } else {
        options.notices.residency_of = nullptr;
    }
    vary(in, options);
    testing::vidmm system(adapter->table(), options, &adapter->engine());
    adapter->attach(system);
    memory_player(in, system, options).play();
    fuzz::require(system.report().passed(), system.report().text().c_str());
}

void play_scheduler(fuzz::input& in) {
    examples::skeleton::certified_skeleton around;
    testing::certified_driver const driver = around.describe();
    testing::certified_options how;
    how.seed = in.byte();
    parts::result said;
    std::optional<testing::scheduler::options> const engines = parts::engines_of(driver, how, said);
    fuzz::require(engines.has_value(), "the adapter answers");
    testing::scheduler::options options = *engines;
    options.packets = 10 + in.byte() % 60U;
    options.fence_id_distance = 0x10'0000;
    options.first_fence_id = in.byte() % 4 == 0 ? 0xFFFF'FFF0U + in.byte() % 16U : 1;  // near the end it wraps (AMB-18)
    options.contexts = 1 + in.byte() % 4U;
    options.most_steps = 2 + in.byte() % 12U;
    std::uint32_t* const chances[] = {&options.chances.engine_steps,
                                      &options.chances.submit,
                                      &options.chances.preempt,
                                      &options.chances.preempt_idle,
                                      &options.chances.interrupt,
                                      &options.chances.interrupt_inside,
                                      &options.chances.spurious_interrupt,
                                      &options.chances.dpc,
                                      &options.chances.query,
                                      &options.chances.paging,
                                      &options.chances.context_switch,
                                      &options.chances.null_rendering,
                                      &options.chances.zero_length,
                                      &options.chances.wait,
                                      &options.chances.rejected,
                                      &options.chances.null_context,
                                      &options.chances.merged_stop};
    for (std::uint32_t* const chance : chances) {
        if (in.byte() % 2 == 0) {
            *chance = 1 + in.byte() % 95U;
        }
    }
    if (in.byte() % 2 == 0) {
        std::uint32_t* const troubles[] = {&options.troubles.fault,         &options.troubles.fault_reset,
                                           &options.troubles.fault_unknown, &options.troubles.hang,
                                           &options.troubles.paging_hang,   &options.troubles.removals,
                                           &options.troubles.reset_fails};
        for (std::uint32_t* const trouble : troubles) {
            *trouble = in.byte() % 50U;
        }
    }
    fuzz::require(driver.table.add_device(driver.table.adapter) >= 0, "the device is added");
    testing::scheduler::report const report = testing::scheduler::run(driver.table, options, in.byte());
    fuzz::require(report.passed(), report.text().c_str());
    fuzz::require(driver.table.stop_device(driver.table.adapter) >= 0, "the device stops");
    fuzz::require(driver.table.remove_device(driver.table.adapter) >= 0, "the device goes");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    fuzz::input in{data, size};
    constexpr void (*players[])(fuzz::input&) = {play_memory, play_scheduler, play_hardware};
    players[in.byte() % std::size(players)](in);
    return 0;
}
