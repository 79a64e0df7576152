// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "fuzz_hardware.hpp"
#include "fuzz_tables.hpp"
#include "fuzz_wddm2_stores.hpp"

#include <hardware/amd_gfx10_virtual.hpp>
#include <hardware/cpu_virtual.hpp>
#include <hardware/intel_xe_virtual.hpp>
#include <hardware/nvidia_ampere_virtual.hpp>

/// The examples of hardware with page tables, each as an adapter whose memory of the driver's own is exactly as long as
/// it says.
namespace wddmcore::inline WDDMCORE_ABI::testing::fuzz {

// Handles that requests often name: allocations with an image and a list of pages, fences with a record.
inline constexpr usize first_handle = 0x1000;
[[nodiscard]] inline void* known_handle(usize index) { return reinterpret_cast<void*>(first_handle + index); }

inline constexpr u32 mmu_id = 3;
inline constexpr u32 mmu_pages = 1024;  ///< of the MMU whose table the CPU writes
inline constexpr u32 list_pages[] = {300, 3};
inline constexpr u64 fence_records[] = {0x6'0000'0040, 0x6'0000'0080};
inline constexpr u64 unwritten_entry_word = 0xA5A5'A5A5'A5A5'A5A5;

/// What the CPU stores of residency and of an MMU, and how often translations were forgotten for it.
struct cpu_memory_of_driver {
    std::vector<u64> lists[2] = {std::vector<u64>(list_pages[0]), std::vector<u64>(list_pages[1])};
    std::vector<u64> mmu = std::vector<u64>(mmu_pages);
    u32 forgotten = 0;
};
[[nodiscard]] inline cpu_memory_of_driver& driver_memory() {
    static cpu_memory_of_driver memory;
    return memory;
}

/// Words of images, of which no two are alike.
[[nodiscard]] inline u32 const* image_words() {
    static std::vector<u32> const words = [] {
        std::vector<u32> all(1500);
        for (usize i = 0; i != all.size(); ++i) {
            all[i] = 0xC000'0000 | static_cast<u32>(i) * 0x9E37u;
        }
        return all;
    }();
    return words.data();
}

/// Images of two whole pieces and a bit, of one piece, of more than a page.
template <class Image>
[[nodiscard]] Image const* context_images() {
    static Image const images[] = {{known_handle(0), image_words(), 37},
                                   {known_handle(1), image_words(), 16},
                                   {known_handle(2), image_words(), 1500}};
    return images;
}
inline constexpr u32 context_image_count = 3;

template <class Record>
[[nodiscard]] Record const* records_of_fences() {
    static Record const records[] = {{known_handle(0), fence_records[0]}, {known_handle(1), fence_records[1]}};
    return records;
}

/// An example with page tables: the stores of their entries are counted.
template <class Base>
struct watched_tables : watched<Base> {
    static void store_entry_word(u64* at, u64 value) noexcept {
        entry_stores.add(at);
        Base::store_entry_word(at, value);
    }
    static void store_entry_word(u32* at, u32 value) noexcept {
        entry_stores.add(at);
        Base::store_entry_word(at, value);
    }
    void finish_entry_stores() const noexcept {
        ++entry_stores.finished;
        Base::finish_entry_stores();
    }
};

inline constexpr examples::amd::invalidation_engine amd_engine{.request_register = 0x1A'2B3C,
                                                               .acknowledge_register = 0x1A'2B4D,
                                                               .request = 0xF8'FFF0,
                                                               .vmids = 0xFFF0,
                                                               .scratch = 0x5'0000'0010};
inline constexpr examples::amd::invalidation_engine amd_flat_engine{.request_register = 0x5'1111,
                                                                    .acknowledge_register = 0x5'2222,
                                                                    .request = 0xF8'0001,
                                                                    .vmids = 1,
                                                                    .scratch = 0x5'0000'0020};
inline constexpr u64 amd_flat_table = 0x4'0000'0000;
inline constexpr u64 amd_list_addresses[] = {0x7'0000'0000, 0x7'0001'0000};
inline constexpr u64 amd_vram_in_entries = 0x40'0000'0000;

template <capabilities Caps>
using watched_amd_tables = watched_tables<examples::amd::gfx10_virtual<Caps>>;

template <class Hw>
[[nodiscard]] Hw make_amd_tables() {
    static examples::amd::page_list const lists[] = {{known_handle(0), amd_list_addresses[0], list_pages[0]},
                                                     {known_handle(1), amd_list_addresses[1], list_pages[1]}};
    Hw hw{};
    hw.at = {.gart_segment = {aperture_id},
             .gart = aperture_place,
             .vram_segment = {memory_id},
             .vram = memory_place,
             .system_base = 0x1000'0000'0000,
             .gart_table = exact_table<u64>(),
             .gart_table_address = 0x9'0000'0000};
    hw.vram_in_entries = amd_vram_in_entries;
    hw.invalidation = amd_engine;
    hw.images = context_images<examples::amd::context_image>();
    hw.image_count = context_image_count;
    hw.lists = lists;
    hw.list_count = 2;
    hw.records = records_of_fences<examples::amd::fence_record>();
    hw.record_count = 2;
    hw.flat = {mmu_id, amd_flat_table, amd_flat_engine};
    return hw;
}

inline constexpr u64 intel_scratch = 0x27FF'FFFF'F000;
inline constexpr u64 intel_aperture_table = 0x2800'0000'0000;
inline constexpr u32 intel_mocs = 5;
inline constexpr u64 intel_local_in_entries = 0x4000'0000;

template <capabilities Caps>
using watched_intel_tables = watched_tables<examples::intel::xe_virtual<Caps>>;

template <class Hw>
[[nodiscard]] Hw make_intel_tables() {
    cpu_memory_of_driver& memory = driver_memory();
    static examples::intel::page_list const lists[] = {{known_handle(0), memory.lists[0].data(), list_pages[0]},
                                                       {known_handle(1), memory.lists[1].data(), list_pages[1]}};
    Hw hw{};
    hw.at = {.local_segment = {memory_id},
             .local = memory_place,
             .local_virtual = 0x2000'0000'0000,
             .aperture_segment = {aperture_id},
             .aperture = aperture_place,
             .aperture_virtual = 0x3000'0000'0000,
             .system_virtual = 0x1000'0000'0000,
             .aperture_table = exact_table<u64>(),
             .aperture_table_virtual = intel_aperture_table,
             .scratch_virtual = intel_scratch,
             .mocs = intel_mocs,
             .coherent_pat = 1,
             .noncoherent_pat = 6};
    hw.policies = {.local_in_entries = intel_local_in_entries, .local_pat = 3, .coherent_pat = 1, .noncoherent_pat = 6};
    hw.images = context_images<examples::intel::context_image>();
    hw.image_count = context_image_count;
    hw.lists = lists;
    hw.list_count = 2;
    hw.records = records_of_fences<examples::intel::fence_record>();
    hw.record_count = 2;
    hw.global = {mmu_id, memory.mmu.data(), 2, [] { ++driver_memory().forgotten; }};
    return hw;
}

template <capabilities Caps>
using watched_cpu_tables = watched_tables<examples::cpu::virtual_processor<Caps>>;

inline constexpr u64 cpu_image_bytes = 2 * page_bytes + 44;

template <class Hw>
[[nodiscard]] Hw make_cpu_tables() {
    Hw hw{};
    hw.segments[aperture_id - 1] = {aperture_place, true};
    hw.segments[memory_id - 1] = {memory_place, false};
    hw.segments[top_id - 1] = {top_place, false};
    hw.system_base = 0x1000'0000'0000;
    hw.entries = exact_table<examples::cpu::aperture_entry>();
    hw.mmu_entries = driver_memory().mmu.data();
    hw.mmu_pages = mmu_pages;
    hw.context_image = {cpu_image_bytes};
    return hw;
}

inline constexpr u64 nvidia_video_first = 0x4000'0000;
inline constexpr u64 nvidia_aperture_table = 0x9'0000'0000;
inline constexpr u64 nvidia_semaphore = 0x12'3456'7898;
inline constexpr u64 nvidia_stream_address = 0x1'2345'0000'0000;
inline constexpr u64 nvidia_image = 0x7'0000'0000;

/// Valid b0, coherent or other system memory [2:1], volatile b3, the page number from b8 on.
[[nodiscard]] constexpr u64 nvidia_aperture_entry(u64 page, bool coherent) {
    return ((page << 8) & 0x003F'FFFF'FFFF'FF00) | (coherent ? 0x0D : 0x0F);
}

/// What the driver keeps at once is written down: handles of requests point nowhere.
template <capabilities Caps>
struct watched_nvidia_tables : watched_tables<examples::nvidia::ampere_virtual<Caps>>,
                               residency_store,
                               residency_range_store,
                               fence_residency_store {
    using residency_store::notify_residency;
    using residency_range_store::notify_residency_range;
    using fence_residency_store::notify_fence_residency;
};

template <class Hw>
[[nodiscard]] Hw make_nvidia_tables() {
    Hw hw{};
    hw.at = {.video_segment = {memory_id},
             .video = memory_place,
             .video_first = nvidia_video_first,
             .aperture_segment = {aperture_id},
             .aperture = aperture_place,
             .aperture_virtual = 0x3000'0000'0000,
             .aperture_table = exact_table<u64>(),
             .aperture_table_address = nvidia_aperture_table,
             .scratch = 0xA'0000'0000};
    hw.semaphore = nvidia_semaphore;
    hw.context_image = {cpu_image_bytes};
    hw.context_source = nvidia_image;
    return hw;
}

/// Whose streams can be read back, by the facts of the hardware.
template <class Hw>
concept amd_packets = requires(Hw const& hw) { hw.at.gart_table; };
template <class Hw>
concept intel_packets = requires(Hw const& hw) { hw.at.aperture_table_virtual; };
template <class Hw>
concept cpu_packets = requires(Hw const& hw) { hw.mmu_entries; };
template <class Hw>
concept nvidia_packets = requires(Hw const& hw) { hw.semaphore; };
template <class Hw>
concept example_packets = amd_packets<Hw> || intel_packets<Hw> || cpu_packets<Hw> || nvidia_packets<Hw>;

/// Private data of updates: an offset and a value of 64 bits each.
template <class Hw>
concept wide_updates = cpu_packets<Hw> || nvidia_packets<Hw>;

/// Whose lists of pages the CPU writes.
template <class Hw>
concept lists_in_memory = intel_packets<Hw>;

/// Whose MMU has a table that the CPU writes: addresses beyond it are the system's own promise not to name.
template <class Hw>
concept mmu_in_memory = cpu_packets<Hw> || requires(Hw const& hw) { hw.global.entries; };

/// The number of that MMU.
template <class Hw>
inline constexpr u32 known_mmu = cpu_packets<Hw> ? 0 : mmu_id;

}  // namespace wddmcore::testing::fuzz
