// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../driver_host/machine.hpp"
#include "table.hpp"

#include <wddmcore/testing/certify.hpp>

/// The driver as `certify` takes it: its table, and what only its author knows of the hardware around it.
namespace wddmcore::examples::skeleton {

class certified_skeleton {
public:
    certified_skeleton() {
        auto const [memory, bar, system_base, entries] = around_.found();
        driver_.found = {.memory = {memory},
                         .bar = {bar},
                         .system_base = system_base,
                         .aperture_entries = entries,
                         .save_areas = {0x2000, 0x3000},
                         .services = &around_.services(),
                         .registers = &around_.registers()};
    }
    certified_skeleton(certified_skeleton const&) = delete;
    certified_skeleton& operator=(certified_skeleton const&) = delete;

    [[nodiscard]] testing::certified_driver describe() {
        testing::certified_driver d;
        d.name = "kmd_skeleton";
        d.table = table_of(driver_);
        d.paging_table = d.table;
        d.paging_table->submit_command_virtual = submit_to_paging_node;
        d.executor = &around_;
        d.machine.remaps = true;
        d.observe = [this](testing::vidmm_options& o) { observe(o); };
        d.attach = [this](testing::vidmm& system) { around_.attach(system); };
        d.started = [table = d.table] {
            wddmcore_context_arguments system{host::paging_node, 1, 1, 0x1000, nullptr};
            static_cast<void>(table.create_context(table.adapter, &system));
            system_context = system.context;
        };
        d.stopping = [table = d.table] { static_cast<void>(table.destroy_context(table.adapter, system_context)); };
        d.allocation_data = [](std::uint32_t number) {
            allocation_request const request{largest_allocation, number % 2, 1};
            std::vector<std::byte> data(sizeof request);
            std::memcpy(data.data(), &request, sizeof request);
            return data;
        };
        return d;
    }

private:
    static constexpr u64 largest_allocation = 256 << 10;

    /// The memory manager's simulator knows neither contexts nor nodes: its packets go to the paging node.
    static int WDDMCORE_DRIVER_CALL submit_to_paging_node(void* d, void const* args) {
        auto whole = *static_cast<ddi::dxgkarg_submitcommandvirtual const*>(args);
        whole.hContext = whole.hContext != nullptr ? system_context : nullptr;
        whole.NodeOrdinal = host::paging_node;
        return entry<&wdk::submit_command_virtual<adapter, ddi::dxgkarg_submitcommandvirtual>>::reads(d, &whole);
    }

    void observe(testing::vidmm_options& o) {
        around_.observe(
            o, [](void* context) { return static_cast<own_context*>(static_cast<wdk::context*>(context)->own)->root; });
        o.largest_allocation = largest_allocation;
        o.execution = testing::vidmm_execution::at_submit;  // the paging simulator does not know HwQueuePacketCap
        o.other_work = [this, table = table_of(driver_)] { around_.finish_window(table); };
    }

    inline static void* system_context = nullptr;

    host::machine around_;
    driver driver_;
};

}  // namespace wddmcore::examples::skeleton
