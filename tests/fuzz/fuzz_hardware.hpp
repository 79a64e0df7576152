// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <hardware/amd_gfx10.hpp>
#include <hardware/cpu.hpp>
#include <paging/recorder.hpp>

#include <vector>

/// The hardware types that malformed requests are thrown at. Each has `faults`, `last_fault` and `answer`.
namespace wddmcore::inline WDDMCORE_ABI::testing::fuzz {

// Segments of every type here: an aperture, ordinary memory of an odd size, memory that ends where addresses end.
inline constexpr u32 aperture_id = 1;
inline constexpr u32 memory_id = 2;
inline constexpr u32 top_id = 3;
inline constexpr segment_place aperture_place{{0x7F'0000'0000}, {40 * page_bytes + 0x300}};
inline constexpr u64 aperture_pages = 40;
inline constexpr segment_place memory_place{{0x10'0000'0000}, {3 * gib.n + 0x1800}};
inline constexpr segment_place top_place{{~u64{0} - 0xF'FFFF}, {0x10'0000}};

/// A finished hardware type whose fault hook is heard and told what to say.
template <class Base>
struct watched : Base {
    u32 faults = 0;
    paging_fault last_fault = {};
    disposition answer = disposition::stop;

    disposition on_paging_fault(paging_fault const& fault) noexcept {
        ++faults;
        last_fault = fault;
        return answer;
    }
};

template <capabilities Caps>
using watched_amd = watched<examples::amd::gfx10<Caps>>;
template <capabilities Caps>
using watched_cpu = watched<examples::cpu::processor<Caps>>;

/// The aperture's table behind an example, with exactly as many entries as the aperture has whole pages.
template <class Entry>
[[nodiscard]] Entry* exact_table() {
    static std::vector<Entry> table(aperture_pages);
    return table.data();
}

template <capabilities Caps>
[[nodiscard]] watched_amd<Caps> make_amd() {
    watched_amd<Caps> hw{};
    hw.at = {.gart_segment = {aperture_id},
             .gart = aperture_place,
             .vram_segment = {memory_id},
             .vram = memory_place,
             .system_base = 0x1000'0000'0000,
             .gart_table = exact_table<u64>(),
             .gart_table_address = 0x9'0000'0000};
    return hw;
}

template <capabilities Caps>
[[nodiscard]] watched_cpu<Caps> make_cpu() {
    watched_cpu<Caps> hw{};
    hw.segments[aperture_id - 1] = {aperture_place, true};
    hw.segments[memory_id - 1] = {memory_place, false};
    hw.segments[top_id - 1] = {top_place, false};
    hw.system_base = 0x1000'0000'0000;
    hw.entries = exact_table<examples::cpu::aperture_entry>();
    return hw;
}

template <class Hw>
[[nodiscard]] Hw make_recorder() {
    static std::vector<stored_entry> stores(aperture_pages);
    Hw hw{};
    hw.places[aperture_id] = aperture_place;
    hw.apertures[aperture_id] = true;
    hw.places[memory_id] = memory_place;
    hw.places[top_id] = top_place;
    hw.stores = stores.data();
    hw.store_capacity = stores.size();
    return hw;
}

/// Whether a type's stream can be read back.
template <class Hw>
concept recording = requires { Hw::shape; };

inline constexpr capabilities everything{.version = wddm::v2_9,
                                         .oldest = wddm::vista,
                                         .addresses = paging_addresses::both,
                                         .aperture = aperture_forms::either,
                                         .alternate_address_lock = claim::at_run_time};
inline constexpr capabilities everything_within_reach{.version = wddm::v2_9,
                                                      .oldest = wddm::vista,
                                                      .addresses = paging_addresses::both,
                                                      .aperture = aperture_forms::either,
                                                      .highest_visible_address = (u64{1} << 40) - 1};
inline constexpr capabilities physical_only{
    .version = wddm::v1_3, .oldest = wddm::vista, .aperture = aperture_forms::mdl};
inline constexpr capabilities virtual_only{
    .version = wddm::v2_0, .addresses = paging_addresses::gpu_virtual, .aperture = aperture_forms::mdl};

/// Every optional promise, an odd grain, two pages and a bit a command.
inline constexpr engine_shape with_everything{.caps = everything,
                                              .copy_max = 10'000,
                                              .fill_max = 5000,
                                              .grain = 3,
                                              .aperture_commands = true,
                                              .discards = true,
                                              .swizzles = true,
                                              .reports_busy = true,
                                              .record_bytes = 24};
/// Copies and fills of less than a page, one byte a pattern, no optional promise but the other reading of DmaSize.
inline constexpr engine_shape below_a_page{.caps = everything,
                                           .copy_max = 1000,
                                           .copy_alignment = 8,
                                           .fill_max = 251,
                                           .fill_alignment = 2,
                                           .fill_pattern_bytes = 1,
                                           .grain = 7,
                                           .decrements_dma_size = true};
/// No alignment at all, and runs longer than the block that the list copy looks at.
inline constexpr engine_shape any_byte{.caps = everything,
                                       .copy_max = 300 * page_bytes + 5,
                                       .copy_alignment = 1,
                                       .copy_overlap = hw::overlap::safe,
                                       .fill_max = ~u64{0},
                                       .fill_alignment = 1,
                                       .fill_pattern_bytes = 1,
                                       .grain = 1,
                                       .discards = true,
                                       .reports_busy = true,
                                       .record_bytes = 16};
/// Whole pages only, and not all page numbers within reach.
inline constexpr engine_shape whole_pages_only{.caps = everything_within_reach,
                                               .copy_max = page_bytes,
                                               .copy_alignment = page_bytes,
                                               .fill_max = page_bytes,
                                               .fill_alignment = page_bytes,
                                               .grain = 2,
                                               .aperture_commands = true,
                                               .swizzles = true};
/// Sixty-four commands a page and the coarsest grain.
inline constexpr engine_shape tiny_commands{.caps = everything,
                                            .copy_max = 64,
                                            .copy_alignment = 64,
                                            .copy_overlap = hw::overlap::safe,
                                            .fill_max = 127,
                                            .fill_alignment = 4,
                                            .grain = 64,
                                            .aperture_commands = true};
/// As long a command as the list copy looks at in one go, segment addresses only.
inline constexpr engine_shape one_block{.caps = physical_only, .copy_max = 256 * page_bytes, .fill_max = 4 * gib.n};
/// Addresses of the paging process only, with an aperture of the older form.
inline constexpr engine_shape paging_process{.caps = virtual_only,
                                             .copy_max = 3 * page_bytes,
                                             .copy_alignment = 256,
                                             .fill_max = 65'536,
                                             .fill_alignment = 256,
                                             .grain = 5,
                                             .aperture_commands = true};

}  // namespace wddmcore::testing::fuzz
