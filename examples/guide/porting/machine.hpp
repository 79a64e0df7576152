// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "steps.hpp"

#include <wddmcore/testing/processor/engine.hpp>
#include <wddmcore/testing/processor/page_walker.hpp>
#include <wddmcore/testing/split_bus.hpp>
#include <wddmcore/testing/translation_cache.hpp>
#include <wddmcore/testing/vidmm.hpp>

#include <memory>

/// The chip under the drivers of porting.md, with its page tables, its TLB and its aperture, and a run of the simulator
/// over one of them.
namespace guide {

class machine final : public testing::engine {
public:
    static constexpr u64 system_base = 0x100'0000'0000;
    static constexpr segment_place aperture{{0x7F'0000'0000}, 4 * mib}, vram{{0x80'0000'0000}, 32 * mib};

    machine() {
        engine_.late().on_drop = [this](testing::cpu_drop const& d) {
            u64 const root = bus_of(d.segment, d.offset);
            d.first == 0 && d.last == 0 ? cache_.flush(root) : cache_.flush(root, d.first, d.last);
        };
    }

    [[nodiscard]] resources found() { return {system_base, aperture, vram, entries_.data()}; }

    [[nodiscard]] testing::execution execute(std::uint32_t const* commands, std::size_t dwords,
                                             testing::gpu_bus& bus) override {
        testing::split_bus reached(
            bus, [this](u64 address) { return memory_->at(address, 1).data == nullptr; },
            [this](u64 va) {
                testing::translation const found = cache_.translate(root_, va);
                if (!found.ok()) {
                    system_->page_fault(va);
                }
                return found;
            });
        return engine_.execute(commands, dwords, reached);
    }

    /// What the simulator has to know of the adapter and may ask its hardware.
    [[nodiscard]] testing::vidmm_options options() {
        testing::vidmm_options o;
        o.addressing = testing::vidmm_addressing::gpu_virtual;
        o.segments = {
            {.id = 1, .base = aperture.base.n, .size = aperture.size.n, .aperture = true, .cache_coherent = true},
            {.id = 2, .base = vram.base.n, .size = vram.size.n}};
        o.aperture = testing::vidmm_aperture::mdl;
        o.system_base = system_base;
        o.command_alignment = 8;
        o.smallest_paging_buffer = 128;
        o.largest_paging_buffer = 256;
        o.alternate_addresses = false;
        o.page_of = [this](u64 index) { return engine_.page_of(1, index).value_or(0); };
        o.coherent_of = [this](u64 index) { return engine_.coherent_of(1, index).value_or(false); };
        o.page_tables.levels.assign(4, {.index_bits = 9, .entry_bytes = 8, .table_bytes = 4096});
        o.page_tables.mode = page_table_update_mode::cpu_virtual;
        o.page_tables.attributes = 0xC;  // coherent, read only
        o.page_tables.enter = [this](u32 segment, u64 offset) { root_ = bus_of(segment, offset); };
        o.page_tables.translate = [this](u32 segment, u64 offset, u64 va, bool past_caches) {
            u64 const root = bus_of(segment, offset);
            testing::translation const t = past_caches ? walk(root, va) : cache_.translate(root, va);
            u64 const said = (t.coherent ? 4u : 0u) | (t.writable ? 0u : 8u);
            return t.ok() ? std::optional(testing::vidmm_translation{t.bus, said}) : std::nullopt;
        };
        return o;
    }
    void attach(testing::vidmm& system) {
        system_ = &system;
        memory_ = &system.memory();
    }

private:
    [[nodiscard]] static u64 bus_of(u32 segment, u64 offset) {
        return offset + (segment == 0 ? system_base : vram.base.n);
    }
    [[nodiscard]] testing::translation walk(u64 root, u64 va) {
        return testing::cpu_page_walker(*memory_, root).walk(va);
    }

    std::vector<examples::cpu::aperture_entry> entries_ =
        std::vector<examples::cpu::aperture_entry>(aperture.size.n / page_bytes);
    testing::cpu_engine engine_{{{1, std::as_writable_bytes(std::span(entries_))}}};
    testing::translation_cache cache_{[this](u64 root, u64 va) { return walk(root, va); }, true};
    testing::vidmm* system_ = nullptr;
    testing::gpu_bus* memory_ = nullptr;
    u64 root_ = 0;
};

/// The driver's functions, as its table has them. Submission leaves execution to the simulator's engine.
template <class Driver>
struct functions_of {
    static int WDDMCORE_DRIVER_CALL build(void* driver, void* args) {
        return static_cast<Driver*>(driver)->build(static_cast<DXGKARG_BUILDPAGINGBUFFER*>(args));
    }
    static int WDDMCORE_DRIVER_CALL submit(void*, void const*) { return status::success; }
};

/// One run of a driver: what the system could do, by this seed.
template <class Driver>
testing::vidmm_report run(std::uint64_t seed) {
    machine hardware;
    Driver driver(hardware.found());
    wddmcore_driver_table table{};
    table.size = sizeof table;
    table.version = static_cast<u32>(wddm::v2_0);
    table.adapter = &driver;
    table.build_paging_buffer = functions_of<Driver>::build;
    table.submit_command_virtual = functions_of<Driver>::submit;
    testing::vidmm_options options = hardware.options();
    options.seed = seed;
    options.chances.feature = 20;  // of 100 steps: processes and page tables
    options.stop_after = 0;        // go on after a broken rule, where that is possible
    testing::vidmm system(table, options, &hardware);
    hardware.attach(system);
    system.run(seed, 200);
    system.finish();
    return system.report();
}

}  // namespace guide
