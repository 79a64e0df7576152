// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "memory_run.hpp"

#include <cstdio>

namespace wddmcore::examples::host {

namespace {

namespace ddi = mirror::v3_2;

constexpr u64 largest_allocation = 256 << 10;

/// What an allocation's private data is in every example driver.
struct allocation_request {
    u64 size;
    u32 cpu_visible;
    u32 notify_unmap;
};

/// The memory manager's simulator knows neither contexts nor nodes: its packets go to the paging node.
struct paging_side {
    wddmcore_driver_table const* driver = nullptr;
    void* system_context = nullptr;
    u32 last_submitted = 0;
};
paging_side paging;

int WDDMCORE_DRIVER_CALL submit_to_paging_node(void* adapter, void const* args) {
    auto whole = *static_cast<ddi::dxgkarg_submitcommandvirtual const*>(args);
    whole.hContext = whole.hContext != nullptr ? paging.system_context : nullptr;
    whole.NodeOrdinal = paging_node;
    paging.last_submitted = whole.SubmissionFenceId;
    return paging.driver->submit_command_virtual(adapter, &whole);
}

[[nodiscard]] wddmcore_driver_table paging_table(wddmcore_driver_table t) {
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

}  // namespace

memory_run::memory_run(played_driver const& d) : driver_(d), adapter_(paging_table(d.table), remapping_system()) {}

bool memory_run::play(std::uint64_t seed) {
    paging = {.driver = &table_};
    bool const paged = start() && page(seed);
    bool const stopped = stop();
    if (!adapter_.report().passed() || !adapter_.refusal().empty()) {
        std::printf("%s%s\n", adapter_.report().text().c_str(), adapter_.refusal().c_str());
    }
    return paged && stopped;
}

bool memory_run::start() {
    driver_.connect(around_);
    if (!adapter_.start() || !adapter_.create_context(true) || !adapter_.exclusive_access()) {
        return false;
    }
    auto const& said = adapter_.description().adapters.at(0);
    std::printf("adapter started: %zu segments, %zu levels of page tables\n", said.segments.size(), said.levels.size());
    wddmcore_context_arguments system{paging_node, 1, 1, 0x1000, nullptr};
    bool const made = table_.create_context(table_.adapter, &system) == 0;
    paging.system_context = system.context;
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
    around_.observe(options, driver_.root_of);
    options.seed = seed;
    options.largest_allocation = largest_allocation;
    options.execution = testing::vidmm_execution::at_submit;  // the paging simulator does not know HwQueuePacketCap
    options.handle_of = [this](std::uint32_t number) { return handle_of(number); };
    options.other_work = [this] { around_.finish_window(table_); };
    testing::vidmm system(paging_table(table_), options, &around_);
    around_.attach(system);

    bool const one = page_one(system);
    system.run(seed, 300);  // anything that Windows could do

    ddi::dxgkarg_querycurrentfence now{};
    now.NodeOrdinal = paging_node;
    bool const all_reported = table_.query_current_fence(table_.adapter, &now) == 0 &&
                              now.CurrentFence == paging.last_submitted && around_.last_fence == now.CurrentFence;
    print("allocations created", allocations_.size());
    for (u32 i = 0; i != paging_operation_count; ++i) {
        auto const operation = static_cast<paging_operation>(i);
        if (system.report().of(operation).requests != 0) {
            print(name(operation), system.report().of(operation).requests);
        }
    }
    print("fences reported", around_.completed);
    if (!system.report().passed()) {
        std::printf("%s", system.report().text().c_str());
    }
    return one && all_reported && system.report().passed();
}

/// One allocation, step by step: made, moved, mapped in the aperture and in a process, notified, lost in a reset.
bool memory_run::page_one(testing::vidmm& system) {
    gpu_virtual_address const seen_at{u64{1} << 40};
    auto const picture = system.create(bytes{200'000});
    auto const process = system.create_process();
    bool const done = system.commit(picture, cpu::processor_memory::local) && system.map(process, picture, seen_at) &&
                      system.evict(picture) && system.map_aperture(picture) && system.unmap_aperture(picture) &&
                      system.notify_iommu_unmap(picture) && system.signal_fence(0x1234'5678'9ABC'DEF0) &&
                      system.commit(picture, cpu::processor_memory::local);
    system.finish();
    // The scheduler's half of a reset, then the memory manager's.
    bool const reset =
        table_.reset_from_timeout(table_.adapter) == 0 && table_.restart_from_timeout(table_.adapter) == 0;
    system.reset();
    system.destroy(picture);
    return done && reset;
}

bool memory_run::stop() {
    bool good = true;
    for (testing::vidmm_reported_allocation const& each : allocations_) {
        good = adapter_.destroy_allocation(each) && good;
    }
    if (paging.system_context != nullptr) {
        good = table_.destroy_context(table_.adapter, paging.system_context) == 0 && good;
    }
    return adapter_.ask_again() && adapter_.stop() && good;
}

}  // namespace wddmcore::examples::host
