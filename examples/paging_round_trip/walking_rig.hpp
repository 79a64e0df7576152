// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "places.hpp"

#include <wddmcore/gpuva.hpp>
#include <wddmcore/testing/translation_cache.hpp>

#include <cstring>
#include <deque>
#include <functional>
#include <map>

/// Hardware that walks its own page tables, and the state that the notices of WDDM 3.2 change.
namespace wddmcore::examples {

/// An engine made of a function.
class called_engine final : public testing::engine {
public:
    using body = std::function<testing::execution(std::uint32_t const*, std::size_t, testing::gpu_bus&)>;
    explicit called_engine(body run) : run_(std::move(run)) {}
    [[nodiscard]] testing::execution execute(std::uint32_t const* commands, std::size_t dwords,
                                             testing::gpu_bus& bus) override {
        return run_(commands, dwords, bus);
    }

private:
    body run_;
};

/// The levels of a geometry as the simulator wants them, leaf first.
/// @param segments  where the tables of each level lie, leaf first; 0 is system memory
[[nodiscard]] inline std::vector<testing::vidmm_page_level> levels_of(gpuva::page_table_geometry const& geometry,
                                                                      std::vector<u32> const& segments) {
    std::vector<testing::vidmm_page_level> levels;
    for (u32 i = 0; i != geometry.level_count; ++i) {
        levels.push_back({.index_bits = gpuva::index_bits(geometry, i),
                          .entry_bytes = geometry.levels[i].entry_bytes,
                          .table_bytes = static_cast<u32>(gpuva::table_bytes(geometry, i).n),
                          .segment = segments[i]});
    }
    return levels;
}

/// Everything about a walking adapter that does not depend on the vendor.
class walking_rig : public rig {
public:
    walking_rig()
        : cache_([this](u64 root, u64 va) { return walk(root, va); }, true),
          engine_([this](std::uint32_t const* commands, std::size_t dwords, testing::gpu_bus& bus) {
              gart_bus with_own(bus, own_memory::base, own_.all());
              testing::execution done = run(commands, dwords, with_own);
              executed();
              return done;
          }) {}

    [[nodiscard]] testing::engine& engine() override { return engine_; }
    [[nodiscard]] bool walks() const override { return true; }

protected:
    void attached(testing::gpu_bus& memory, std::function<void(std::uint64_t)> fault) override {
        memory_ = &memory;
        fault_ = std::move(fault);
    }
    [[nodiscard]] testing::gpu_bus& memory() { return *memory_; }

    /// A word that the GPU has written and that is still in its caches.
    struct cached_word {
        u64 process = 0;
        u64 va = 0;
        u64 address = 0;
        u64 value = 0;
    };

    static constexpr u32 mmu_id = 3;
    static constexpr u64 mmu_bytes = u64{32} << 20;
    static constexpr u64 context_bytes = 6144;
    static constexpr u32 fence_count = 6;

    /// The translation according to the tables alone; `root` is the bus address of the root table.
    [[nodiscard]] virtual testing::translation walk(u64 root, u64 va) = 0;
    /// Executes a window on all of memory.
    [[nodiscard]] virtual testing::execution run(std::uint32_t const* commands, std::size_t dwords,
                                                 testing::gpu_bus& bus) = 0;
    /// Called after each window.
    virtual void executed() {}

    /// Where an engine's address leads. In every address space that runs paging buffers, the driver has reserved the
    /// addresses of all places and maps them one to one; all other addresses belong to the system.
    [[nodiscard]] testing::translation reach(u64 va) {
        if (va >= aperture_base && va < places_end) {
            testing::translation same;
            same.bus = va;
            same.bytes = page_bytes - va % page_bytes;
            same.writable = true;
            return same;
        }
        testing::translation const found = cache_.translate(root_, va);
        if (!found.ok()) {
            fault_(va);
        }
        return found;
    }

    /// What hardware with page tables tells the simulator in addition to options_of.
    /// @param segments    the segments of each level's tables, leaf first
    /// @param attributes  bits of DXGK_PTE that can be read back from a translation
    template <class Hw>
    [[nodiscard]] testing::vidmm_options walking_options(u64 memory_bytes, std::vector<u32> const& segments,
                                                         u64 attributes) {
        testing::vidmm_options o = options_of<Hw>(memory_bytes);
        auto& tables = o.page_tables;
        tables.levels = levels_of(Hw::page_tables, segments);
        tables.dual_tables = Hw::page_tables.leaf == gpuva::leaf_tables::both;
        tell_page_sizes<Hw>(tables);
        tables.attributes = attributes;
        tables.zero_pages = Hw::mmu_caps.zero_in_pte;
        tables.copies = true;
        tables.enter = [this](u32 segment, u64 offset) { root_ = bus_of(segment, offset); };
        tables.translate = [this, attributes](u32 segment, u64 offset, u64 va, bool past_caches) {
            u64 const root = bus_of(segment, offset);
            testing::translation const t = past_caches ? walk(root, va) : cache_.translate(root, va);
            u64 const said = (t.coherent ? 4u : 0u) | (t.writable ? 0u : 8u);
            if (!t.ok()) {
                return reads_as_zero(t) ? std::optional(testing::vidmm_translation{0, 2}) : std::nullopt;
            }
            return std::optional(testing::vidmm_translation{t.bus, said & attributes});
        };
        o.lose_power = [this] {
            cache_.flush_all();
            words_.clear();
        };
        o.notify.writes = [this](void* process, u64 va, u64 address, std::span<std::byte const> bytes) {
            cached_word w{reinterpret_cast<std::uintptr_t>(process), va, address, 0};
            std::memcpy(&w.value, bytes.data(), sizeof w.value);
            words_.push_back(w);
        };
        o.notify.write_back = [this] { write_back([](cached_word const&) { return true; }); };
        o.contexts.bytes = context_bytes;
        o.contexts.handle = &context_;
        o.notices.monitored_fences = true;
        o.notices.fence_handle_of = [this](u32 fence) -> void* { return &fence_handles_[fence]; };
        return o;
    }

    /// The pages larger than 4 KiB that the hardware's entries and its driver's claims allow.
    template <class Hw>
    static void tell_page_sizes(testing::vidmm_page_tables& tables) {
        for (u32 level = 1; level != Hw::page_tables.level_count; ++level) {
            tables.levels[level].large_pages = Hw::mmu_caps.large_pages && Hw::page_tables.levels[level].large_pages;
        }
        tables.large_pages_anywhere = Hw::mmu_caps.non_aligned_large_pages;
        tables.system_large_pages = Hw::mmu_caps.system_memory_large_pages;
        tables.system_64k_pages = Hw::mmu_caps.system_memory_64k_pages;
        tables.table_bytes_64k = static_cast<u32>(gpuva::table_bytes_64k(Hw::page_tables).n);
        tables.entry_bytes_64k = gpuva::entry_bytes_64k(Hw::page_tables);
        tables.gpu_page_bytes = static_cast<u32>(Hw::page_tables.gpu_page.n);
    }

    /// The walkers give no translation for a page without memory, and say why.
    [[nodiscard]] static bool reads_as_zero(testing::translation const& t) {
        return t.why.ends_with("reads as 0") || t.why.ends_with("reads as zero") || t.why.starts_with("a sparse ");
    }

    [[nodiscard]] static u64 bus_of(u32 segment, u64 offset) {
        return (segment == 0 ? system_base : memory_base) + offset;
    }
    /// The place of a bus address, in the system's terms.
    [[nodiscard]] static testing::vidmm_location location_of(u64 bus) {
        return bus >= system_base ? testing::vidmm_location{0, bus - system_base}
                                  : testing::vidmm_location{memory_segment, bus - memory_base};
    }

    /// Words leave the caches for memory.
    template <class Which>
    void write_back(Which const& which) {
        for (cached_word const& w : words_) {
            if (which(w)) {
                static_cast<void>(memory_->write(w.address, &w.value, sizeof w.value));
            }
        }
        std::erase_if(words_, which);
    }

    /// Private data for an update: `Item`s of an offset and a value, both of the same width.
    template <class Item, class Number>
    static void update_contexts(testing::vidmm_contexts& contexts) {
        contexts.private_data = [](u64 choice) {
            std::vector<std::byte> data;
            for (u64 i = 0; i <= choice % 3; ++i) {
                u64 const place = (choice >> 8) % (context_bytes / 64) * 64 + i * sizeof(Number);
                Item const item{static_cast<Number>(place), static_cast<Number>((choice >> 20) + i)};
                auto const bytes = std::as_bytes(std::span(&item, 1));
                data.insert(data.end(), bytes.begin(), bytes.end());
            }
            return data;
        };
        contexts.update = [](std::span<std::byte> image, std::span<std::byte const> data) {
            for (std::size_t at = 0; at != data.size(); at += sizeof(Item)) {
                Item item{};
                std::memcpy(&item, data.data() + at, sizeof item);
                std::memcpy(image.data() + item.offset, &item.value, sizeof(Number));
            }
        };
    }

    /// The image of a context allocation, in words.
    [[nodiscard]] static std::vector<u32> context_words() {
        std::vector<u32> words(static_cast<std::size_t>(context_bytes / 4));
        for (std::size_t i = 0; i != words.size(); ++i) {
            words[i] = 0x9E37'79B9u * static_cast<u32>(i + 1);
        }
        return words;
    }
    static void write_image(std::span<std::byte> image) {
        std::vector<u32> const words = context_words();
        std::memcpy(image.data(), words.data(), image.size());
    }

    own_memory own_;
    u64 root_ = 0;
    testing::gpu_bus* memory_ = nullptr;
    std::function<void(std::uint64_t)> fault_;
    testing::translation_cache cache_;
    called_engine engine_;
    std::vector<cached_word> words_;
    int context_ = 0;
    std::array<int, fence_count> fence_handles_{};
};

}  // namespace wddmcore::examples
