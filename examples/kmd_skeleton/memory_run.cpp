// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "memory_run.hpp"

#include "machine.hpp"

#include <cstdio>

namespace wddmcore::examples::skeleton {

namespace {

constexpr u64 largest_allocation = 256 << 10;

int WDDMCORE_DRIVER_CALL submit_to_paging_node(void* adapter, void const* args) {
    auto& d = static_cast<paged_driver&>(*static_cast<driver*>(adapter));
    auto whole = *static_cast<ddi::dxgkarg_submitcommandvirtual const*>(args);
    whole.hContext = whole.hContext != nullptr ? d.system_context : nullptr;
    whole.NodeOrdinal = gpu::scheduling.paging_node;
    d.last_submitted = whole.SubmissionFenceId;
    return d.submit_command_virtual(whole);
}

[[nodiscard]] wddmcore_driver_table paging_table(driver& d) {
    wddmcore_driver_table t = table_of(d);
    t.submit_command_virtual = submit_to_paging_node;
    return t;
}

[[nodiscard]] testing::vidmm_adapter_options remapping_system() {
    testing::vidmm_adapter_options options;
    options.remaps = true;
    return options;
}

void print(char const* what, std::uint64_t times) {
    std::printf("  %-26s %8llu\n", what, static_cast<unsigned long long>(times));
}

void print(testing::vidmm_report const& report) {
    for (u32 i = 0; i != paging_operation_count; ++i) {
        auto const operation = static_cast<paging_operation>(i);
        if (report.of(operation).requests != 0) {
            print(name(operation), report.of(operation).requests);
        }
    }
    if (!report.passed()) {
        std::printf("%s", report.text().c_str());
    }
}

}  // namespace

memory_run::memory_run(paged_driver& d, machine& around)
    : driver_(d), around_(around), adapter_(paging_table(d), remapping_system()) {}

bool memory_run::play(std::uint64_t seed) {
    bool const paged = start() && page(seed);
    bool const stopped = stop();
    if (!adapter_.report().passed() || !adapter_.refusal().empty()) {
        std::printf("%s%s\n", adapter_.report().text().c_str(), adapter_.refusal().c_str());
    }
    return paged && stopped;
}

bool memory_run::start() {
    bool const started = adapter_.start() && adapter_.create_context(true) && adapter_.exclusive_access() &&
                         driver_.start_scheduling(around_.services(), around_.registers()) == status::success;
    if (started) {
        testing::vidmm_reported_adapter const& said = adapter_.description().adapters.at(0);
        std::printf("adapter started: %zu segments, %zu levels of page tables\n", said.segments.size(),
                    said.levels.size());
    }
    return started && create_system_context();
}

bool memory_run::create_system_context() {
    ddi::dxgkarg_createcontext args{};
    args.NodeOrdinal = gpu::scheduling.paging_node;
    args.EngineAffinity = 1;
    args.Flags.SystemContext = 1;
    args.Flags.VirtualAddressing = 1;
    bool const made = driver_.create_context(args, 0) == status::success;
    driver_.system_context = args.hContext;
    return made;
}

/// The driver's handle for an allocation that the paging simulator makes.
void* memory_run::handle_of(std::uint32_t number) {
    allocation_request const request{largest_allocation, number % 2, 1};
    auto const made = adapter_.create_allocation(std::as_bytes(std::span(&request, 1)));
    if (!made) {
        throw std::logic_error("the driver makes no allocation: " + adapter_.report().text() + adapter_.refusal());
    }
    allocations_.push_back(*made);
    return made->handle;
}

bool memory_run::page(std::uint64_t seed) {
    testing::vidmm_options options = testing::options_of(adapter_.description());
    around_.observe(options);
    options.seed = seed;
    options.largest_allocation = largest_allocation;
    options.execution = testing::vidmm_execution::at_submit;  // the paging simulator does not know HwQueuePacketCap
    options.handle_of = [this](std::uint32_t number) { return handle_of(number); };
    options.other_work = [this] { around_.finish_window(driver_); };
    testing::vidmm system(paging_table(driver_), options, &around_);
    around_.attach(system);

    bool const one = page_one(system);
    system.run(seed, 300);  // anything that Windows could do

    ddi::dxgkarg_querycurrentfence now{};
    now.NodeOrdinal = gpu::scheduling.paging_node;
    bool const all_reported = driver_.query_current_fence(now) == status::success &&
                              now.CurrentFence == driver_.last_submitted && around_.last_fence == now.CurrentFence;
    print("allocations created", allocations_.size());
    print(system.report());
    print("fences reported", around_.completed);
    return one && all_reported && system.report().passed();
}

/// One allocation, step by step: made, moved, mapped in the aperture and in a process, notified, lost in a reset.
bool memory_run::page_one(testing::vidmm& system) {
    gpu_virtual_address const seen_at{u64{1} << 40};
    auto const picture = system.create(bytes{200'000});
    auto const process = system.create_process();
    bool const done = system.commit(picture, gpu::local) && system.map(process, picture, seen_at) &&
                      system.evict(picture) && system.map_aperture(picture) && system.unmap_aperture(picture) &&
                      system.notify_iommu_unmap(picture) && system.signal_fence(0x1234'5678'9ABC'DEF0) &&
                      system.commit(picture, gpu::local);
    reset(system);
    system.destroy(picture);
    return done;
}

/// The scheduler's half of a reset, then the memory manager's.
void memory_run::reset(testing::vidmm& system) {
    system.finish();
    static_cast<void>(driver_.reset_from_timeout());
    static_cast<void>(driver_.restart_from_timeout());
    system.reset();
}

bool memory_run::stop() {
    bool good = true;
    for (testing::vidmm_reported_allocation const& each : allocations_) {
        good = adapter_.destroy_allocation(each) && good;
    }
    good = driver_.destroy_context(driver_.system_context) == status::success && good;
    return adapter_.ask_again() && adapter_.stop() && good;
}

}  // namespace wddmcore::examples::skeleton
