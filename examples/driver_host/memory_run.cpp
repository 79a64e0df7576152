// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "memory_run.hpp"

#include <c_driver/registers.h>
#include <wddmcore/wdk/functions/device.hpp>

#include <cstdio>

namespace wddmcore::examples::host {

namespace {

constexpr u64 largest_allocation = 256 << 10;
constexpr u32 paging_node = 1;

/// The memory manager's simulator knows neither contexts nor nodes: its packets go to the paging node.
struct paging_side {
    void* system_context = nullptr;
    u32 last_submitted = 0;
};
paging_side paging;

int WDDMCORE_DRIVER_CALL submit_to_paging_node(void*, void const* args) {
    auto whole = *static_cast<DXGKARG_SUBMITCOMMANDVIRTUAL const*>(args);
    whole.hContext = whole.hContext != nullptr ? paging.system_context : nullptr;
    whole.NodeOrdinal = paging_node;
    paging.last_submitted = whole.SubmissionFenceId;
    return functions().DxgkDdiSubmitCommandVirtual(adapter(), &whole);
}

[[nodiscard]] wddmcore_driver_table paging_table() {
    wddmcore_driver_table t = driver_table();
    t.submit_command_virtual = submit_to_paging_node;
    return t;
}

[[nodiscard]] testing::vidmm_adapter_options remapping_system() {
    testing::vidmm_adapter_options options;
    options.remaps = true;
    return options;
}

/// The interrupt and its DPC, as the machine asks for them.
struct interrupted_driver {
    bool interrupt_routine(u32 message) { return functions().DxgkDdiInterruptRoutine(adapter(), message) != 0; }
    void dpc_routine() { functions().DxgkDdiDpcRoutine(adapter()); }
};

void print(char const* what, std::uint64_t times) {
    std::printf("  %-26s %8llu\n", what, static_cast<unsigned long long>(times));
}

}  // namespace

memory_run::memory_run() : adapter_(paging_table(), remapping_system()) {}

bool memory_run::play(std::uint64_t seed) {
    paging = {};
    bool const paged = start() && page(seed);
    bool const stopped = stop();
    if (!adapter_.report().passed() || !adapter_.refusal().empty()) {
        std::printf("%s%s\n", adapter_.report().text().c_str(), adapter_.refusal().c_str());
    }
    return paged && stopped;
}

bool memory_run::start() {
    auto const found = around_.found();
    connect(machine_resources{found.memory.n, found.bar.n, found.system_base, found.aperture_entries});
    connect(around_.services(), around_.registers());
    if (!adapter_.start() || !adapter_.create_context(true) || !adapter_.exclusive_access()) {
        return false;
    }
    std::printf("adapter started: %zu segments, %zu levels of page tables\n",
                adapter_.description().adapters.at(0).segments.size(),
                adapter_.description().adapters.at(0).levels.size());
    wddmcore_context_arguments system{paging_node, 1, 1, 0x1000, nullptr};
    bool const made = driver_table().create_context(nullptr, &system) == 0;
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
    around_.observe(options);
    // A context is loaded with the root that the driver has for it.
    options.page_tables.translate_in_context = [see = options.page_tables.translate](void* handle, u64 va, bool past) {
        auto const& of = *static_cast<own_context const*>(static_cast<wdk::context const*>(handle)->own);
        gpuva::root_table const root{{of.RootSegment}, of.RootEntries, {of.RootOffset}};
        bool const faults = !root.is_set() || gpuva::faults_at_root(skeleton::gpu::page_tables, root, {va});
        return faults ? std::nullopt : see(root.segment.n, root.offset.n, va, past);
    };
    options.seed = seed;
    options.largest_allocation = largest_allocation;
    options.execution = testing::vidmm_execution::at_submit;  // the paging simulator does not know HwQueuePacketCap
    options.handle_of = [this](std::uint32_t number) { return handle_of(number); };
    interrupted_driver driver;
    options.other_work = [&] { around_.finish_window(driver); };
    testing::vidmm system(paging_table(), options, &around_);
    around_.attach(system);

    bool const one = page_one(system);
    system.run(seed, 300);  // anything that Windows could do

    DXGKARG_QUERYCURRENTFENCE now{};
    now.NodeOrdinal = paging_node;
    bool const all_reported = functions().DxgkDdiQueryCurrentFence(adapter(), &now) == 0 &&
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
    bool const done = system.commit(picture, skeleton::gpu::local) && system.map(process, picture, seen_at) &&
                      system.evict(picture) && system.map_aperture(picture) && system.unmap_aperture(picture) &&
                      system.notify_iommu_unmap(picture) && system.signal_fence(0x1234'5678'9ABC'DEF0) &&
                      system.commit(picture, skeleton::gpu::local);
    system.finish();
    bool const reset =
        functions().DxgkDdiResetFromTimeout(adapter()) == 0 && functions().DxgkDdiRestartFromTimeout(adapter()) == 0;
    system.reset();
    system.destroy(picture);
    return done && reset;
}

bool memory_run::stop() {
    bool good = true;
    for (testing::vidmm_reported_allocation const& each : allocations_) {
        good = adapter_.destroy_allocation(each) && good;
    }
    good = functions().DxgkDdiDestroyContext(paging.system_context) == 0 && good;
    return adapter_.ask_again() && adapter_.stop() && good;
}

}  // namespace wddmcore::examples::host
