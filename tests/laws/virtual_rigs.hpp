// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "rigs.hpp"

#include <hardware/amd_gfx10_virtual.hpp>
#include <hardware/cpu_virtual.hpp>
#include <hardware/intel_xe/xe_rig.hpp>
#include <hardware/intel_xe_virtual.hpp>
#include <hardware/nvidia_ampere/ampere_rig.hpp>
#include <hardware/nvidia_ampere_virtual.hpp>

#include <array>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

/// The rigs of hardware types that own page tables: what their encoders look up is there, and what engines hear is told
/// again.
namespace law_rigs {

/// What the context laws need; each rig puts its own records in.
struct wddm2_things {
    static constexpr u32 image_words = 40;

    int allocation = 0;
    int fence = 0;
    int process = 0;
    std::array<u32, image_words> image{};

    template <class Item>
    void prepare(law_options& options, Item const& item) {
        options.allocation = &allocation;
        options.fence = &fence;
        options.process = &process;
        options.update_data = &item;
        options.update_data_bytes = sizeof item;
        options.context_bytes = page_bytes;
    }
};

/// Passes windows on to the mock's engine and tells what it heard of ranges, from the tables of the mock's commands.
class listening_mock final : public engine {
public:
    explicit listening_mock(mock_map map, std::vector<mock_aperture> tables_of = {})
        : right_(std::move(map), std::move(tables_of)) {
        right_.late().on_flush = [](mock_flush const&) {};
    }

    [[nodiscard]] std::optional<std::uint64_t> page_of(std::uint32_t segment, std::uint64_t index) const {
        return right_.page_of(segment, index);
    }
    [[nodiscard]] std::optional<bool> coherent_of(std::uint32_t segment, std::uint64_t index) const {
        return right_.coherent_of(segment, index);
    }
    [[nodiscard]] std::vector<law_memory::notice> take() { return std::exchange(heard_, {}); }

    [[nodiscard]] execution execute(std::uint32_t const* commands, std::size_t dwords, gpu_bus& bus) override {
        execution const done = right_.execute(commands, dwords, bus);
        for (std::size_t at = 0; done.ok && at < dwords;) {
            std::uint32_t const* const w = commands + at;
            bool const fills = w[0] >> 16 == 0xFADE;
            if (!fills) {
                hear(w);
            }
            at += fills ? w[0] & 0xFFFF : w[0] & 0xFF;
        }
        return done;
    }

private:
    using kind = law_memory::notice::kind;

    void hear(std::uint32_t const* w) {
        auto const wide = [&](std::size_t high) { return std::uint64_t{w[high]} << 32 | w[high + 1]; };
        switch (w[0] >> 16 & 0xFF) {
            case 0x0A:
                heard_.push_back((w[0] >> 8 & 0xFF) == 0
                                     ? law_memory::notice{kind::flush, 0, 0}
                                     : law_memory::notice{kind::flush, wide(4), wide(6) - wide(4) + 1});
                break;
            case 0x13: heard_.push_back({kind::eviction, wide(3), w[5]}); break;
            case 0x14: heard_.push_back({kind::iommu_unmap, wide(3), w[5]}); break;
            default: break;
        }
    }

    mock_engine right_;
    std::vector<law_memory::notice> heard_;
};

template <class Hardware>
struct mock_table_rig : mock_rig<Hardware, listening_mock, 0>, wddm2_things {
    mock::context_writes::item item{0x18, 0xA5A5'5A5A};
    std::vector<std::byte> mmu_entries = std::vector<std::byte>(1024 * 8);

    mock_table_rig() {
        this->play.take_notices = [this] { return this->engine.take(); };
    }
    void prepare(law_options& options) {
        wddm2_things::prepare(options, item);
        this->hw.contexts.set(options.allocation, bytes{100});
    }
};

/// A mock that flushes at once where there is no buffer, `wddm2_by` bytes too late.
template <class Mock, u64 wddm2_by = 0>
struct flushes_at_once : Mock {
    std::vector<law_memory::notice> heard;

    void flush_at_once(hw::tlb_flush const& flush) {
        using kind = law_memory::notice::kind;
        bool const all = flush.first.n == 0 && flush.last.n == 0;
        u64 const first = all ? 0 : flush.first.n + wddm2_by;
        heard.push_back({kind::flush, first, all ? 0 : flush.last.n - first + 1});
    }
};

/// The same without the commands for it: with page tables that only the CPU writes.
template <class Mock, u64 wddm2_by = 0>
struct only_flushes_at_once : flushes_at_once<Mock, wddm2_by> {
private:
    using Mock::encode_flush, Mock::encode_flush_range, Mock::flush_dwords, Mock::flush_range_dwords;
};

/// Tells what was flushed at once, and what the engine heard.
template <class Hardware>
struct telling_rig : mock_table_rig<Hardware> {
    telling_rig() {
        this->play.take_notices = [this] {
            std::vector<law_memory::notice> all = this->engine.take();
            for (law_memory::notice const& n : std::exchange(this->hw.heard, {})) {
                all.push_back(n);
            }
            return all;
        };
    }
};

template <class Hardware>
struct cpu_table_rig : rig_memory, wddm2_things {
    using hardware = Hardware;
    std::vector<examples::cpu::aperture_entry> table = std::vector<examples::cpu::aperture_entry>(aperture_pages);
    cpu_engine engine{{cpu_aperture{aperture_id.n, std::as_writable_bytes(std::span(table))}}};
    std::vector<law_memory::notice> heard;
    examples::cpu::context_item item{0x18, 0xA5A5'5A5A};
    hardware hw{};

    cpu_table_rig() : rig_memory(0x80'0000'0000, 512 * 1024, 0x10'0000'0000, 48, 0x4000'0000, 512 * 1024, 0x4000'0000) {
        hw.segments[0] = {{{0x7F'0000'0000}, {aperture_pages * page_bytes}}, true};
        hw.segments[1] = {{{0x80'0000'0000}, {512 * 1024}}, false};
        hw.system_base = 0x10'0000'0000;
        hw.entries = table.data();
        hw.context_image = {100};
        attach(engine);
        engine.late().on_drop = [this](cpu_drop const& drop) {
            bool const all = drop.first == 0 && drop.last == 0;
            heard.push_back({law_memory::notice::kind::flush, drop.first, all ? 0 : drop.last - drop.first + 1});
        };
        play.take_notices = [this] { return take(); };
    }
    void prepare(law_options& options) { wddm2_things::prepare(options, item); }

private:
    /// Flushes and unmaps are never of one request.
    [[nodiscard]] std::vector<law_memory::notice> take() {
        std::vector<law_memory::notice> all = std::exchange(heard, {});
        for (cpu_notice const& n : std::exchange(engine.late().notices, {})) {
            if (n.code == 13) {
                all.push_back({law_memory::notice::kind::iommu_unmap, n.values[1], n.values[2]});
            }
        }
        return all;
    }
};

/// The engine's numbers are those of the bus, for places and for the paging process.
template <class Hardware, u64 VramBytes = (512 << 10)>
struct amd_table_rig : rig_memory, wddm2_things {
    using hardware = Hardware;
    static constexpr u64 table_address = 0x90'0000'0000;
    static constexpr u64 vram_bytes = VramBytes;
    // One invalidation engine, as the driver was told it: a request, and a bit for each VMID that is done.
    static constexpr examples::amd::invalidation_engine hub{0x2894, 0x28A6, 0x00F8'00FE, 0xFE, 0x90'0000'1000};
    amd_sdma_engine engine{
        [this](u32 index, u32 value) { return write_register(index, value); },
        [](u32 index) { return index == hub.acknowledge_register ? std::optional(hub.vmids) : std::nullopt; }};
    std::vector<law_memory::notice> heard;
    std::uint64_t caches_emptied = 0;
    hardware hw{};
    examples::amd::context_word item{0x18, 0xA5A5'5A5A};
    examples::amd::context_image known_image{&allocation, image.data(), image_words};
    examples::amd::page_list known_list{&allocation, 0x80'0000'0000, 64};
    examples::amd::fence_record known_fence{&fence, 0x80'0000'1000};

    amd_table_rig() : rig_memory(0x80'0000'0000, vram_bytes, 0x10'0000'0000, 48, 0x4000'0000, vram_bytes, 0x4000'0000) {
        require(bus.add_linear(table_address, 2 * page_bytes));
        auto const made = hardware::started(
            {.gart_segment = aperture_id,
             .gart = {{0x7F'0000'0000}, {aperture_pages * page_bytes}},
             .vram_segment = memory_id,
             .vram = {{0x80'0000'0000}, {vram_bytes}},
             .system_base = 0x10'0000'0000,
             .gart_table = static_cast<u64*>(static_cast<void*>(bus.at(table_address, aperture_pages * 8).data)),
             .gart_table_address = table_address},
            0x4400'0000'0000, hub);
        static_cast<std::remove_const_t<decltype(made)>&>(hw) =
            made;  // what is derived from it may be broken on purpose
        u32 const nothing = 0;
        static_cast<void>(bus.write(hub.scratch, &nothing, sizeof nothing));
        hw.images = &known_image;
        hw.image_count = 1;
        hw.lists = &known_list;
        hw.list_count = 1;
        hw.records = &known_fence;
        hw.record_count = 1;
        play.executor = &engine;
        play.take_notices = [this] { return take(); };
    }
    amd_table_rig(amd_table_rig const&) = delete;
    amd_table_rig& operator=(amd_table_rig const&) = delete;
    void prepare(law_options& options) { wddm2_things::prepare(options, item); }

private:
    [[nodiscard]] bool write_register(u32 index, u32 value) {
        heard.push_back({law_memory::notice::kind::flush, 0, 0});
        return index == hub.request_register && value == hub.request;
    }
    /// Flushes and unmaps are never of one request.
    [[nodiscard]] std::vector<law_memory::notice> take() {
        for (; caches_emptied != engine.cache_requests(); ++caches_emptied) {
            heard.push_back({law_memory::notice::kind::iommu_unmap, 0, 0});
        }
        return std::exchange(heard, {});
    }
};

template <class Hardware>
struct intel_table_rig : xe_test::rig<Hardware>, wddm2_things {
    examples::intel::context_word item{0x18, 0xA5A5'5A5A};
    examples::intel::context_image known_image{&allocation, image.data(), image_words};
    examples::intel::fence_record known_fence{&fence, 0x2345'4000'1000};

    intel_table_rig() {
        using base = xe_test::rig<Hardware>;
        for (u64 done = 0; done < base::window_bytes; done += page_bytes) {
            this->map(base::window_virtual + done, 12, false, base::segment_first + done);
        }
        this->hw =
            Hardware::started(this->windows, {base::segment_first, 3, base::coherent_pat, base::noncoherent_pat});
        this->hw.images = &known_image;
        this->hw.image_count = 1;
        this->hw.records = &known_fence;
        this->hw.record_count = 1;
        this->play.take_notices = [this] { return take(); };
    }
    void prepare(law_options& options) { wddm2_things::prepare(options, item); }

private:
    /// Translations and everything else go with the same command.
    [[nodiscard]] std::vector<law_memory::notice> take() {
        std::uint64_t const since = std::exchange(forgotten, this->engine.forgotten());
        return std::vector<law_memory::notice>(static_cast<std::size_t>(forgotten - since),
                                               {law_memory::notice::kind::flush, 0, 0});
    }

    std::uint64_t forgotten = 0;
};

/// Puts each window where the engine reads it too: NVIDIA's writes of entries copy them out of the stream.
class streaming_nvidia final : public engine {
public:
    streaming_nvidia(engine& right, std::uint64_t place) : right_(right), place_(place) {}

    [[nodiscard]] execution execute(std::uint32_t const* commands, std::size_t dwords, gpu_bus& bus) override {
        ampere_test::require(bus.write(place_, commands, dwords * 4));
        return right_.execute(commands, dwords, bus);
    }

private:
    engine& right_;
    std::uint64_t place_;
};

template <class Hardware>
struct nvidia_table_rig : ampere_test::law_rig<Hardware>, wddm2_things {
    using base = ampere_test::adapter;
    static constexpr u64 semaphore_virtual = 0x5B'4000'0000;                 ///< of the paging process, below 2^40
    static constexpr u64 stream_at = base::tables_first + (u64{256} << 10);  ///< in video memory, behind the tables
    std::vector<law_memory::notice> heard;
    streaming_nvidia streaming{this->engine, base::video_bus + stream_at};
    examples::nvidia::context_item item{0x18, 0xA5A5'5A5A};

    nvidia_table_rig() {
        this->map(semaphore_virtual, 12, false, base::scratch);
        this->hw.semaphore = semaphore_virtual + 0x100;
        this->hw.context_image = {100};
        this->hw.context_source = base::segment_first;
        this->play.executor = &streaming;
        this->engine.host().on_invalidate = [this](nvidia_invalidation const& i) {
            // All roots behind both operations on caches: what goes before an allocation leaves the IOMMU.
            auto& host = this->engine.host();
            bool const leaves = i.all && host.dirty_flushes == 1 && host.system_drops == 1;
            host.dirty_flushes = host.system_drops = 0;
            using kind = law_memory::notice::kind;
            heard.push_back({leaves ? kind::iommu_unmap : kind::flush, 0, 0});
        };
        this->play.take_notices = [this] { return std::exchange(heard, {}); };
    }
    void prepare(law_options& options) {
        wddm2_things::prepare(options, item);
        options.stream_begins = [this](std::uint32_t const* first) {
            this->hw.stream = {first, {stream_at, examples::nvidia::target::video}};
        };
    }
};

}  // namespace law_rigs
