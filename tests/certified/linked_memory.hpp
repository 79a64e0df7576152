// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/testing/certify.hpp>

#include <doctest/doctest.h>

#include <guide/hardware_type/kestrel.hpp>
#include <guide/hardware_type/kestrel_engine.hpp>
#include <wddmcore/adapter_info.hpp>
#include <wddmcore/ddi/mirror_binding.hpp>

#include <array>
#include <vector>

/// A driver of two linked chips of the guide's, each with memory and an aperture of its own.
namespace linked_memory {

using namespace wddmcore;
namespace ddi = mirror::v2_0;

enum class mistake {
    none,
    first_for_all,        ///< whatever the context, the first chip's aperture is written
    newest_for_all,       ///< the chip of the context that was created last, whatever the call names
    affinity_is_swapped,  ///< each chip is taken for the other one
    refuses_second,       ///< no context is made on the second chip
};

/// What both chips together answer.
struct answers : guide::kestrel {
    static constexpr auto layout = segment::table_of(
        gart, segment::aperture{.id = gart, .base = segment::at(gart_base.n), .size = gart_size, .coherent = true},
        segment::cpu_visible_memory{.id = vram, .base = segment::at(vram_base.n), .size = segment::at_start});
    static constexpr preemption_engine engines[] = {
        {.graphics = {graphics_preemption_granularity::dma_buffer_boundary}, .acknowledges_when_idle = true}};
    static constexpr scheduling_capabilities scheduling{.multi_engine_aware = claim::yes,
                                                        .preemption_aware = claim::yes};

    std::array<segment::table<2>, 2> tables{layout, layout};

    [[nodiscard]] static constexpr u32 physical_adapters() { return 2; }
    [[nodiscard]] segment::view segments(u32 adapter) const { return tables[adapter].all(); }
};

class driver {
public:
    explicit driver(mistake makes = mistake::none) : wrong_(makes) {
        for (u32 i = 0; i != 2; ++i) {
            auto const placed = answers_.tables[i].place(
                guide::kestrel::vram, {.size = size_of(i), .cpu = {0xE000'0000 + u64{i} * 0x1000'0000}});
            CHECK(placed.what == segment::rule::none);
            entries_[i].resize(guide::kestrel::gart_size.n / page_bytes);
            chips_[i] = {.vram_size = size_of(i), .gart_table = entries_[i].data()};
        }
    }
    driver(driver const&) = delete;
    driver& operator=(driver const&) = delete;

    [[nodiscard]] testing::certified_driver describe() {
        testing::certified_driver d;
        d.name = "two chips";
        d.table.size = sizeof d.table;
        d.table.version = static_cast<u32>(guide::kestrel::caps.version);
        d.table.adapter = this;
        d.table.build_paging_buffer = &build;
        d.table.submit_command = &submit;
        d.table.query_adapter_info = &query;
        d.table.create_context_with_info = &create_context;
        d.table.destroy_context = &destroy_context;
        d.executor = &engine_;
        d.machine.physical_adapters = 2;
        d.observe = [this](testing::vidmm_options& o) { observe(o); };
        return d;
    }

private:
    [[nodiscard]] static driver& of(void* adapter) { return *static_cast<driver*>(adapter); }
    [[nodiscard]] static bytes size_of(u32 chip) { return chip == 0 ? 2 * mib : 1 * mib; }

    static int WDDMCORE_DRIVER_CALL query(void* a, void const* args) {
        auto const& asked = *static_cast<ddi::dxgkarg_queryadapterinfo const*>(args);
        query_answer const answer = answer_query_adapter_info<mirror_binding<wddm::v2_0>>(of(a).answers_, asked);
        return answer.done() ? answer.status : status::not_supported;
    }
    static int WDDMCORE_DRIVER_CALL create_context(void* a, void* args) {
        auto& asked = *static_cast<ddi::dxgkarg_createcontext*>(args);
        u32 const chip = of(a).is(mistake::affinity_is_swapped) ? asked.EngineAffinity & 1 : asked.EngineAffinity >> 1;
        if (of(a).is(mistake::refuses_second) && chip == 1) {
            return status::no_memory;
        }
        asked.hContext = &of(a).contexts_[chip];
        of(a).newest_ = chip;
        return status::success;
    }
    static int WDDMCORE_DRIVER_CALL destroy_context(void*, void*) { return status::success; }

    static int WDDMCORE_DRIVER_CALL build(void* a, void* args) {
        auto& asked = *static_cast<ddi::dxgkarg_buildpagingbuffer*>(args);
        context const* const named = of(a).find(asked.hSystemContext);
        if (named == nullptr) {
            return status::invalid_handle;
        }
        u32 const chip = of(a).is(mistake::first_for_all)    ? 0
                         : of(a).is(mistake::newest_for_all) ? of(a).newest_
                                                             : named->chip;
        return build_paging_buffer(of(a).chips_[chip], asked);
    }
    static int WDDMCORE_DRIVER_CALL submit(void* a, void const* args) {
        auto const& asked = *static_cast<ddi::dxgkarg_submitcommand const*>(args);
        return of(a).find(asked.hContext) != nullptr ? status::success : status::invalid_handle;
    }

    struct context {
        u32 chip;
    };
    [[nodiscard]] context const* find(void const* handle) const {
        for (context const& each : contexts_) {
            if (&each == handle) {
                return &each;
            }
        }
        return nullptr;
    }
    [[nodiscard]] bool is(mistake which) const { return which == wrong_; }

    void observe(testing::vidmm_options& o) {
        std::vector<u32> const& table = entries_[o.physical_adapter.value_or(0)];
        o.system_base = guide::kestrel::host_window;
        o.page_of = [&table](u64 index) { return table[index] >> 31 != 0 ? u64{table[index] & 0xFFF'FFFF} : ~u64{0}; };
        o.coherent_of = [&table](u64 index) { return (table[index] >> 30 & 1) != 0; };
        o.command_alignment = 8;
        o.alternate_addresses = false;
    }

    mistake wrong_;
    u32 newest_ = 0;
    answers answers_;
    guide::kestrel_engine engine_;
    std::array<std::vector<u32>, 2> entries_;
    std::array<guide::kestrel, 2> chips_;
    std::array<context, 2> contexts_{context{0}, context{1}};
};

}  // namespace linked_memory
