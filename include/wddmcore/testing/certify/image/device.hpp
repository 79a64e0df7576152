// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../device_model.h"
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
