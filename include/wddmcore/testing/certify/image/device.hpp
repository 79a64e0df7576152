// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../device_model.h"
#include "../../kernel/instructions/device_access.hpp"
#include "../../kernel/memory.hpp"
#include "../../vidmm.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing::certify_parts {

/// A bus of the simulators as a device model sees it.
class model_bus {
public:
    explicit model_bus(gpu_bus& bus) : bus_(&bus) {
        functions_.size = sizeof functions_;
        functions_.bus = this;
        functions_.read = [](void* b, unsigned long long address, void* to, unsigned long long bytes) {
            return of(b).read(address, to, static_cast<std::size_t>(bytes)) ? 0 : 1;
        };
        functions_.write = [](void* b, unsigned long long address, void const* from, unsigned long long bytes) {
            return of(b).write(address, from, static_cast<std::size_t>(bytes)) ? 0 : 1;
        };
        functions_.at = [](void* b, unsigned long long address, unsigned long long bytes,
                           void** memory) -> unsigned long long {
            gpu_bus::piece const p = of(b).at(address, static_cast<std::size_t>(bytes));
            *memory = p.data;
            return p.size;
        };
    }
    model_bus(model_bus const&) = delete;
    model_bus& operator=(model_bus const&) = delete;

    [[nodiscard]] wddmcore_device_bus const& functions() const { return functions_; }

private:
    [[nodiscard]] static gpu_bus& of(void* b) { return *static_cast<model_bus*>(b)->bus_; }

    gpu_bus* bus_;
    wddmcore_device_bus functions_{};
};

/// The device's engine, as the memory manager's simulator runs it.
class model_engine final : public engine {
public:
    explicit model_engine(wddmcore_device_model const& model) : model_(model) {}

    [[nodiscard]] execution execute(std::uint32_t const* commands, std::size_t dwords, gpu_bus& bus) override {
        model_bus reached(bus);
        char why[300] = "";
        unsigned long long at = 0;
        execution done;
        done.ok = model_.execute(model_.device, commands, dwords, &reached.functions(), why, sizeof why, &at) == 0;
        done.why = why;
        done.dword = static_cast<std::size_t>(at);
        done.commands = dwords != 0 ? 1 : 0;
        return done;
    }

private:
    wddmcore_device_model const& model_;
};

/// What the driver finds of the device: memory, registers, ports, configuration space.
inline void show_device(wddmcore_device_model const& model, std::span<std::byte> configuration) {
    wddmcore_device_model const* const m = &model;
    auto& ranges = kernel_parts::memory_services::physical_memory::current().ranges;
    for (unsigned i = 0; i < m->memory_count && i < std::size(m->memory); ++i) {
        wddmcore_device_memory const& each = m->memory[i];
        bool const is_registers = each.memory == nullptr;
        std::byte* const at =
            is_registers ? kernel_parts::traps::reserve_registers(each.bytes) : static_cast<std::byte*>(each.memory);
        ranges.push_back({each.address, each.bytes, at, is_registers});
    }
    auto& access = kernel_parts::traps::device_access::current();
    access.first_port = m->first_port;
    access.port_count = m->port_count;
    if (m->read_register != nullptr) {
        access.read = [m](std::uint32_t range, std::uint64_t offset, std::uint32_t bytes) -> std::uint64_t {
            return m->read_register(m->device, range, offset, bytes);
        };
    }
    if (m->write_register != nullptr) {
        access.write = [m](std::uint32_t range, std::uint64_t offset, std::uint32_t bytes, std::uint64_t value) {
            m->write_register(m->device, range, offset, bytes, value);
        };
    }
    if (m->read_port != nullptr) {
        access.read_port = [m](std::uint32_t port, std::uint32_t bytes) -> std::uint32_t {
            return m->read_port(m->device, port, bytes);
        };
    }
    if (m->write_port != nullptr) {
        access.write_port = [m](std::uint32_t port, std::uint32_t bytes, std::uint32_t value) {
            m->write_port(m->device, port, bytes, value);
        };
    }
    if (m->configuration != nullptr) {
        std::memcpy(configuration.data(), m->configuration,
                    std::min<std::size_t>(m->configuration_bytes, configuration.size()));
    }
}

/// What the memory manager's simulator must know of the device.
inline void observe_device(wddmcore_device_model const& model, vidmm_options& o) {
    wddmcore_device_model const* const m = &model;
    o.system_base = m->system_base;
    o.command_alignment = m->command_alignment != 0 ? m->command_alignment : o.command_alignment;
    o.page_tables.attributes &= m->page_attributes != 0 ? m->page_attributes : ~0U;
    o.notices.monitored_fences = m->monitored_fences != 0;
    if (m->aperture_page != nullptr) {
        std::uint32_t aperture = 0;
        for (vidmm_segment const& s : o.segments) {
            aperture = s.aperture ? s.id : aperture;
        }
        auto const ask = [m, aperture](std::uint64_t index) {
            unsigned long long page = 0;
            int coherent = 0;
            bool const found = m->aperture_page(m->device, aperture, index, &page, &coherent) == 0;
            return std::pair<std::uint64_t, bool>(found ? page : ~0ULL, coherent != 0);
        };
        o.page_of = [ask](std::uint64_t index) { return ask(index).first; };
        o.coherent_of = [ask](std::uint64_t index) { return ask(index).second; };
    }
    if (m->translate != nullptr) {
        o.page_tables.translate = [m](std::uint32_t segment, std::uint64_t offset, std::uint64_t va, bool past_caches) {
            unsigned long long address = 0;
            unsigned attributes = 0;
            bool const found =
                m->translate(m->device, segment, offset, va, past_caches ? 1 : 0, &address, &attributes) == 0;
            return found ? std::optional(vidmm_translation{address, attributes}) : std::nullopt;
        };
    }
    if (m->enter_address_space != nullptr) {
        o.page_tables.enter = [m](std::uint32_t segment, std::uint64_t offset) {
            m->enter_address_space(m->device, segment, offset);
        };
    }
    if (m->translate_in_context != nullptr) {
        o.page_tables.translate_in_context = [m](void* context, std::uint64_t va, bool past_caches) {
            unsigned long long address = 0;
            unsigned attributes = 0;
            bool const found =
                m->translate_in_context(m->device, context, va, past_caches ? 1 : 0, &address, &attributes) == 0;
            return found ? std::optional(vidmm_translation{address, attributes}) : std::nullopt;
        };
    }
    if (m->cached_write != nullptr) {
        o.notify.writes = [m](void* process, std::uint64_t va, std::uint64_t address,
                              std::span<std::byte const> bytes) {
            m->cached_write(m->device, process, va, address, bytes.data(), bytes.size());
        };
    }
    if (m->write_back != nullptr) {
        o.notify.write_back = [m] { m->write_back(m->device); };
    }
}

}  // namespace wddmcore::testing::certify_parts
