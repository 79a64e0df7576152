// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "fuzz_hardware.hpp"
#include "fuzz_tables.hpp"
#include "fuzz_virtual_hardware.hpp"
#include "fuzz_wddm2_stores.hpp"

/// Recording hardware for the operations that came with WDDM 1.2 and later.
namespace wddmcore::inline WDDMCORE_ABI::testing::fuzz {

struct residency_range_command {
    static constexpr dwords residency_range_dwords{15};
    static void encode_residency_range(u32* at, hw::residency_range const& range) {
        put_range(range, [at](std::initializer_list<u64> values) {
            record_values(at, record_kind::residency_range, residency_range_dwords, values);
        });
    }
};

struct mmus {
    [[nodiscard]] static constexpr bool is_mmu(u32 id) { return id == 3 || id == 0xFFFF; }
};
template <class Put>
constexpr void put_mmu(hw::mmu_range const& range, Put put) {
    put({range.mmu | u64{range.segment.n} << 32, range.address, range.length.n, range.first.n,
         handle_bits(range.allocation), range.allocation_start, range.position});
}
template <u64 Most>
struct mmu_command {
    static constexpr pages mmu_max{Most};
    static constexpr dwords mmu_dwords{15};
    static void encode_mmu_map(u32* at, hw::mmu_range const& range) {
        put_mmu(range, [at](std::initializer_list<u64> values) {
            record_values(at, record_kind::mmu_map, mmu_dwords, values);
        });
    }
    static void encode_mmu_unmap(u32* at, hw::mmu_range const& range) {
        put_mmu(range, [at](std::initializer_list<u64> values) {
            record_values(at, record_kind::mmu_unmap, mmu_dwords, values);
        });
    }
};
struct mmu_store {
    static void store_mmu_map(hw::mmu_range const& range) {
        put_mmu(range, [](std::initializer_list<u64> values) { done_at_once.add(record_kind::mmu_map, values); });
    }
    static void store_mmu_unmap(hw::mmu_range const& range) {
        put_mmu(range, [](std::initializer_list<u64> values) { done_at_once.add(record_kind::mmu_unmap, values); });
    }
};

struct iommu_unmap_store {
    static void notify_iommu_unmap(hw::alloc_notice const& notice) {
        done_at_once.add(record_kind::iommu_unmap,
                         {handle_bits(notice.allocation), handle_bits(notice.process), notice.offset, notice.place.n,
                          notice.size.n, static_cast<u64>(notice.event)});
    }
};
struct work_report {
    bool working = true;
    [[nodiscard]] bool has_work(hw::alloc_notice const&) const { return working; }
};

/// Images of contexts, all of one size.
struct images {
    u64 image = 0;
    [[nodiscard]] bytes context_image_bytes(void*) const { return bytes{image}; }
};
struct image_store {
    static void store_context_piece(void* place, hw::context_piece const& piece) {
        done_at_once.add(record_kind::context_piece,
                         {handle_bits(place), 0, handle_bits(piece.allocation), piece.offset, piece.size});
    }
};

/// Each dword of the private data is a write: bytes in [31:24], the offset in [23:0].
[[nodiscard]] inline hw::context_write update_write(void const* data, u32 index) {
    u32 word = 0;
    std::memcpy(&word, static_cast<u8 const*>(data) + usize{4} * index, 4);
    return {word & 0xFF'FFFF, word >> 24};
}

/// What an update's private data says to each hardware: that of the examples is pairs of an offset and a value.
template <class Hw>
struct update_data {
    static constexpr u32 bytes_of_one = wide_updates<Hw> ? 16 : example_packets<Hw> ? 8 : 4;
    [[nodiscard]] static hw::context_write write(void const* data, u32 index) {
        if constexpr (wide_updates<Hw>) {
            return {word(data, 4 * index) | u64{word(data, 4 * index + 1)} << 32, 8};
        } else if constexpr (example_packets<Hw>) {
            return {word(data, 2 * index), 4};
        } else {
            return update_write(data, index);
        }
    }
    [[nodiscard]] static u32 word(void const* data, u32 index) {
        u32 value = 0;
        std::memcpy(&value, static_cast<u8 const*>(data) + usize{4} * index, 4);
        return value;
    }
};
struct context_updates {
    [[nodiscard]] static u32 context_update_count(hw::context_update const& update) { return update.data_bytes / 4; }
    [[nodiscard]] static hw::context_write context_update_at(hw::context_update const& update, u32 index) {
        return update_write(update.data, index);
    }
    static constexpr dwords context_update_dwords{11};
    static void encode_context_update(u32* at, recorded_address place, hw::context_update const& update, u32 index) {
        record_values(at, record_kind::context_update, context_update_dwords,
                      {place.n, place.space, update.size.n, update.data_bytes, index});
    }
};

/// Hardware that hears of operations 10 to 16 and 18 to 22.
template <class Hw>
concept late = requires { Hw::context_update_dwords; };

/// Hardware that writes page tables by command.
template <class Hw>
concept tables_by_command = late<Hw> && requires { Hw::copy_entries_dwords; };

inline constexpr update_modes every_mode =
    update_modes::cpu_virtual | update_modes::gpu_virtual | update_modes::gpu_physical;

[[nodiscard]] constexpr capabilities all_claimed(wddm version) {
    return {.version = version,
            .oldest = wddm::v2_0,
            .addresses = paging_addresses::both,
            .aperture = aperture_forms::either,
            .gpu_mmu = claim::yes,
            .page_tables = every_mode,
            .alternate_address_lock = claim::at_run_time,
            .context_allocations = claim::yes,
            .tiled_resources = claim::at_run_time,
            .residency_notification = claim::yes,
            .monitored_fence_signal = claim::at_run_time,
            .native_fences = claim::yes,
            .mmu_mapping = claim::at_run_time,
            .allocation_notification = claim::yes};
}

/// Every promise in every way, runs by a generator, odd limits.
[[nodiscard]] constexpr engine_shape shape_in_every_way() {
    return {.caps = all_claimed(wddm::v3_2),
            .copy_max = 10'000,
            .fill_max = 5000,
            .grain = 3,
            .aperture_commands = true,
            .discards = true,
            .reports_busy = true,
            .record_bytes = 24};
}
inline constexpr engine_shape in_every_way = shape_in_every_way();
using wddm2_in_every_way =
    wddm2_gpu<in_every_way, plain_tables, entry_write_part<62, false>, entry_generate_part<100, 8>,
              entry_copy_part<240>, flush_part, flush_range_part<0x1'0000>, fence_part<8>,
              eviction_part<0x1'0000, 0x2000, 0x5'0000>, iommu_unmap_part<10'000>, iommu_unmap_store, work_report,
              images, context_part<1024>, image_store, context_updates, residency_part, residency_store,
              residency_range_command, residency_range_store, fence_residency_part, fence_residency_store, mmus,
              mmu_command<3>, mmu_store>;

/// What may be done at once is, addresses of the paging process only, not all pages within reach.
[[nodiscard]] constexpr engine_shape shape_at_once() {
    engine_shape shape{.caps = all_claimed(wddm::v3_2), .fill_max = 1000, .grain = 4, .record_bytes = 16};
    shape.caps.addresses = paging_addresses::gpu_virtual;
    shape.caps.highest_visible_address = (u64{1} << 40) - 1;
    return shape;
}
inline constexpr engine_shape at_once_shape = shape_at_once();
using wddm2_at_once = wddm2_gpu<at_once_shape, dual_tables, entry_write_part<64, true>, entry_copy_part<8>, flush_part,
                                fence_part<4>, iommu_unmap_store, images, image_store, context_updates, residency_store,
                                residency_range_store, fence_residency_store, mmus, mmu_store>;

/// Commands only, sixteen bytes an entry, blocks below a page, a fill of one byte.
[[nodiscard]] constexpr engine_shape shape_by_command() {
    engine_shape shape{.caps = all_claimed(wddm::v3_2),
                       .copy_max = 3 * page_bytes,
                       .fill_max = 96,
                       .fill_alignment = 2,
                       .fill_pattern_bytes = 1,
                       .grain = 5};
    shape.caps.highest_visible_address = (u64{1} << 44) - 1;
    return shape;
}
inline constexpr engine_shape by_command_shape = shape_by_command();
using wddm2_by_command =
    wddm2_gpu<by_command_shape, odd_tables, entry_write_part<8, false>, entry_copy_part<64>, flush_part,
              flush_range_part<4096>, fence_part<8>, eviction_part<512, 512, 3 * page_bytes>,
              iommu_unmap_part<page_bytes>, images, context_part<4096>, context_updates, residency_part,
              residency_range_command, fence_residency_part, mmus, mmu_command<1>>;

/// The same on an older system: what came with WDDM 3.2 never arrives; places only; entries of four bytes.
[[nodiscard]] constexpr engine_shape shape_older() {
    engine_shape shape{.caps = all_claimed(wddm::v2_9), .fill_alignment = 8, .grain = 2, .decrements_dma_size = true};
    shape.caps.oldest = wddm::win8;
    return shape;
}
inline constexpr engine_shape older_shape = shape_older();
using wddm2_older =
    wddm2_gpu<older_shape, narrow_tables, entry_write_part<31, true>, entry_generate_part<50, 4>, entry_copy_part<12>,
              flush_part, fence_part<4>, images, context_part<64>, image_store, context_updates, residency_part,
              residency_store, fence_residency_part, fence_residency_store>;

/// Tables that only the CPU writes, and of the other operations as little as there can be.
[[nodiscard]] constexpr engine_shape shape_cpu_tables() {
    engine_shape shape{.caps = all_claimed(wddm::v2_2), .grain = 1};
    shape.caps.addresses = paging_addresses::physical;
    shape.caps.page_tables = update_modes::cpu_virtual;
    shape.caps.native_fences = claim::no;
    return shape;
}
inline constexpr engine_shape cpu_tables_shape = shape_cpu_tables();
using wddm2_cpu_tables = wddm2_gpu<cpu_tables_shape, odd_tables, flush_part, fence_part<8>, images, image_store,
                                   context_updates, residency_store>;

template <class Hw>
[[nodiscard]] Hw make_late() {
    static std::vector<stored_entry> stores(aperture_pages);
    Hw hw{};
    hw.places[aperture_id] = aperture_place;
    hw.apertures[aperture_id] = true;
    hw.places[memory_id] = memory_place;
    hw.places[top_id] = top_place;
    hw.stores = stores.data();
    hw.store_capacity = stores.size();
    if constexpr (hw::keeps_attribute_table<Hw>) {
        static attribute_table const table = [&hw] {
            attribute_table filled{};
            paging::fill_attribute_table(hw, 0, filled);
            return filled;
        }();
        hw.attributes_of_keys = &table;
    }
    return hw;
}

}  // namespace wddmcore::testing::fuzz
