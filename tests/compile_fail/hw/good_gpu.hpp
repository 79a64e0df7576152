// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/mirror.hpp>
#include <wddmcore/wddmcore.hpp>

/// A complete, correct hardware type that keeps every promise, the optional ones too. Each member is one macro, so that
/// a case takes one member away (defines its macro as nothing) or spoils one (defines it as something else), and leaves
/// the rest as it is.

#ifndef gpu_caps
#    define gpu_caps static constexpr wddmcore::capabilities caps = every_operation;
#endif
#ifndef gpu_on_paging_fault
#    define gpu_on_paging_fault \
        wddmcore::disposition on_paging_fault(wddmcore::paging_fault const&) { return wddmcore::disposition::stop; }
#endif

#ifndef gpu_address
#    define gpu_address using address = place_in_memory;
#endif
#ifndef gpu_from_page
#    define gpu_from_page \
        place_in_memory from_page(wddmcore::page_number page) const { return {wddmcore::byte_address(page)}; }
#endif
#ifndef gpu_from_segment
#    define gpu_from_segment \
        place_in_memory from_segment(wddmcore::segment_id, wddmcore::segment_offset offset) const { return {offset.n}; }
#endif
#ifndef gpu_from_virtual
#    define gpu_from_virtual \
        place_in_memory from_virtual(wddmcore::gpu_virtual_address va) const { return {va.n}; }
#endif
#ifndef gpu_place
#    define gpu_place \
        wddmcore::segment_place place(wddmcore::segment_id) const { return {{0}, wddmcore::gib}; }
#endif
#ifndef gpu_is_aperture
#    define gpu_is_aperture \
        bool is_aperture(wddmcore::segment_id id) const { return id.n == 1; }
#endif

#ifndef gpu_unit_dwords
#    define gpu_unit_dwords static constexpr wddmcore::dwords unit_dwords{2};
#endif
#ifndef gpu_encode_padding
#    define gpu_encode_padding \
        void encode_padding(wddmcore::u32* at, wddmcore::dwords) const { put(at, 0); }
#endif

#ifndef gpu_copy_max
#    define gpu_copy_max static constexpr wddmcore::bytes copy_max{65536};
#endif
#ifndef gpu_copy_alignment
#    define gpu_copy_alignment static constexpr wddmcore::bytes copy_alignment{4};
#endif
#ifndef gpu_copy_overlap
#    define gpu_copy_overlap static constexpr wddmcore::hw::overlap copy_overlap = wddmcore::hw::overlap::safe;
#endif
#ifndef gpu_copy_dwords
#    define gpu_copy_dwords static constexpr wddmcore::dwords copy_dwords{1};
#endif
#ifndef gpu_encode_copy
#    define gpu_encode_copy \
        void encode_copy(wddmcore::u32* at, place_in_memory, place_in_memory, wddmcore::bytes) const { put(at, 1); }
#endif
#ifndef gpu_swizzle_dwords
#    define gpu_swizzle_dwords static constexpr wddmcore::dwords swizzle_dwords{1};
#endif
#ifndef gpu_encode_swizzled_copy
#    define gpu_encode_swizzled_copy \
        void encode_swizzled_copy(wddmcore::u32* at, wddmcore::hw::swizzled_copy<good_gpu> const&) const { put(at, 2); }
#endif

#ifndef gpu_window_slots
#    define gpu_window_slots static constexpr wddmcore::u32 window_slots = 512;
#endif
#ifndef gpu_window_entry_bytes
#    define gpu_window_entry_bytes static constexpr wddmcore::bytes window_entry_bytes{8};
#endif
#ifndef gpu_window_page_shift
#    define gpu_window_page_shift static constexpr wddmcore::u32 window_page_shift = 12;
#endif
#ifndef gpu_window_write_max
#    define gpu_window_write_max static constexpr wddmcore::u32 window_write_max = 512;
#endif
#ifndef gpu_window_head_dwords
#    define gpu_window_head_dwords static constexpr wddmcore::dwords window_head_dwords{1};
#endif
#ifndef gpu_window_flush_dwords
#    define gpu_window_flush_dwords static constexpr wddmcore::dwords window_flush_dwords{1};
#endif
#ifndef gpu_window_wait_dwords
#    define gpu_window_wait_dwords static constexpr wddmcore::dwords window_wait_dwords{1};
#endif
#ifndef gpu_window_address
#    define gpu_window_address \
        place_in_memory window_address() const { return {0x1000}; }
#endif
#ifndef gpu_window_entry_bits
#    define gpu_window_entry_bits \
        wddmcore::u64 window_entry_bits() const { return 1; }
#endif
#ifndef gpu_encode_window_head
#    define gpu_encode_window_head \
        void encode_window_head(wddmcore::u32* at, wddmcore::u32, wddmcore::u32) const { put(at, 24); }
#endif
#ifndef gpu_encode_window_flush
#    define gpu_encode_window_flush \
        void encode_window_flush(wddmcore::u32* at, wddmcore::u32, wddmcore::u32) const { put(at, 25); }
#endif
#ifndef gpu_encode_window_wait
#    define gpu_encode_window_wait \
        void encode_window_wait(wddmcore::u32* at) const { put(at, 26); }
#endif

#ifndef gpu_fill_max
#    define gpu_fill_max static constexpr wddmcore::bytes fill_max{65536};
#endif
#ifndef gpu_fill_alignment
#    define gpu_fill_alignment static constexpr wddmcore::bytes fill_alignment{4};
#endif
#ifndef gpu_fill_pattern_bytes
#    define gpu_fill_pattern_bytes static constexpr wddmcore::bytes fill_pattern_bytes{4};
#endif
#ifndef gpu_fill_dwords
#    define gpu_fill_dwords static constexpr wddmcore::dwords fill_dwords{1};
#endif
#ifndef gpu_fill_dwords_most  // instead of the one length
#    define gpu_fill_dwords_most
#endif
#ifndef gpu_fill_dwords_of
#    define gpu_fill_dwords_of
#endif
#ifndef gpu_encode_fill
#    define gpu_encode_fill \
        void encode_fill(wddmcore::u32* at, place_in_memory, wddmcore::bytes, wddmcore::u32) const { put(at, 3); }
#endif

#ifndef gpu_access_dwords
#    define gpu_access_dwords static constexpr wddmcore::dwords access_dwords{1};
#endif
#ifndef gpu_encode_read
#    define gpu_encode_read \
        void encode_read(wddmcore::u32* at, place_in_memory) const { put(at, 4); }
#endif
#ifndef gpu_encode_write
#    define gpu_encode_write \
        void encode_write(wddmcore::u32* at, place_in_memory) const { put(at, 5); }
#endif

#ifndef gpu_store_aperture_entry
#    define gpu_store_aperture_entry \
        void store_aperture_entry(wddmcore::segment_id, wddmcore::u64, wddmcore::page_number, bool) {}
#endif
#ifndef gpu_aperture_entry_dwords
#    define gpu_aperture_entry_dwords static constexpr wddmcore::dwords aperture_entry_dwords{1};
#endif
#ifndef gpu_encode_aperture_entry
#    define gpu_encode_aperture_entry                                                                             \
        void encode_aperture_entry(wddmcore::u32* at, wddmcore::segment_id, wddmcore::u64, wddmcore::page_number, \
                                   bool) const {                                                                  \
            put(at, 6);                                                                                           \
        }
#endif

#ifndef gpu_discard_dwords
#    define gpu_discard_dwords static constexpr wddmcore::dwords discard_dwords{1};
#endif
#ifndef gpu_encode_discard
#    define gpu_encode_discard \
        void encode_discard(wddmcore::u32* at, place_in_memory, void*) const { put(at, 7); }
#endif
#ifndef gpu_record_bytes
#    define gpu_record_bytes static constexpr wddmcore::bytes record_bytes{16};
#endif
#ifndef gpu_allocation_is_busy
#    define gpu_allocation_is_busy \
        bool allocation_is_busy(void*) const { return false; }
#endif
#ifndef gpu_decrements_dma_size
#    define gpu_decrements_dma_size static constexpr bool decrements_dma_size = true;
#endif
#ifndef gpu_encode_record
#    define gpu_encode_record \
        void encode_record(void*, wddmcore::paging_record const&) const {}
#endif

#ifndef gpu_flush_dwords
#    define gpu_flush_dwords static constexpr wddmcore::dwords flush_dwords{1};
#endif
#ifndef gpu_encode_flush
#    define gpu_encode_flush \
        void encode_flush(wddmcore::u32* at, wddmcore::hw::tlb_flush const&) const { put(at, 8); }
#endif
#ifndef gpu_flush_at_once
#    define gpu_flush_at_once \
        void flush_at_once(wddmcore::hw::tlb_flush const&) {}
#endif
#ifndef gpu_flush_granule
#    define gpu_flush_granule static constexpr wddmcore::bytes flush_granule{65536};
#endif
#ifndef gpu_flush_range_dwords
#    define gpu_flush_range_dwords static constexpr wddmcore::dwords flush_range_dwords{1};
#endif
#ifndef gpu_encode_flush_range
#    define gpu_encode_flush_range \
        void encode_flush_range(wddmcore::u32* at, wddmcore::hw::tlb_flush const&) const { put(at, 9); }
#endif

#ifndef gpu_fence_bytes
#    define gpu_fence_bytes static constexpr wddmcore::bytes fence_bytes{8};
#endif
#ifndef gpu_fence_dwords
#    define gpu_fence_dwords static constexpr wddmcore::dwords fence_dwords{1};
#endif
#ifndef gpu_encode_fence
#    define gpu_encode_fence \
        void encode_fence(wddmcore::u32* at, place_in_memory, wddmcore::u64) const { put(at, 10); }
#endif

#ifndef gpu_eviction_block
#    define gpu_eviction_block static constexpr wddmcore::bytes eviction_block{65536};
#endif
#ifndef gpu_eviction_alignment
#    define gpu_eviction_alignment static constexpr wddmcore::bytes eviction_alignment{4096};
#endif
#ifndef gpu_eviction_max
#    define gpu_eviction_max static constexpr wddmcore::bytes eviction_max{65536};
#endif
#ifndef gpu_eviction_dwords
#    define gpu_eviction_dwords static constexpr wddmcore::dwords eviction_dwords{1};
#endif
#ifndef gpu_encode_notify_eviction
#    define gpu_encode_notify_eviction \
        void encode_notify_eviction(wddmcore::u32* at, wddmcore::hw::alloc_notice const&) const { put(at, 11); }
#endif
#ifndef gpu_iommu_unmap_max
#    define gpu_iommu_unmap_max static constexpr wddmcore::bytes iommu_unmap_max{4096};
#endif
#ifndef gpu_iommu_unmap_dwords
#    define gpu_iommu_unmap_dwords static constexpr wddmcore::dwords iommu_unmap_dwords{1};
#endif
#ifndef gpu_encode_notify_iommu_unmap
#    define gpu_encode_notify_iommu_unmap \
        void encode_notify_iommu_unmap(wddmcore::u32* at, wddmcore::hw::alloc_notice const&) const { put(at, 12); }
#endif
#ifndef gpu_notify_iommu_unmap
#    define gpu_notify_iommu_unmap \
        void notify_iommu_unmap(wddmcore::hw::alloc_notice const&) {}
#endif
#ifndef gpu_has_work
#    define gpu_has_work \
        bool has_work(wddmcore::hw::alloc_notice const&) const { return true; }
#endif

#ifndef gpu_context_image_bytes
#    define gpu_context_image_bytes \
        wddmcore::bytes context_image_bytes(void*) const { return {4096}; }
#endif
#ifndef gpu_context_piece_max
#    define gpu_context_piece_max static constexpr wddmcore::bytes context_piece_max{64};
#endif
#ifndef gpu_context_piece_dwords
#    define gpu_context_piece_dwords static constexpr wddmcore::dwords context_piece_dwords{1};
#endif
#ifndef gpu_encode_context_piece
#    define gpu_encode_context_piece                                                                              \
        void encode_context_piece(wddmcore::u32* at, place_in_memory, wddmcore::hw::context_piece const&) const { \
            put(at, 13);                                                                                          \
        }
#endif
#ifndef gpu_store_context_piece
#    define gpu_store_context_piece \
        void store_context_piece(void*, wddmcore::hw::context_piece const&) {}
#endif

#ifndef gpu_context_update_count
#    define gpu_context_update_count \
        wddmcore::u32 context_update_count(wddmcore::hw::context_update const&) const { return 1; }
#endif
#ifndef gpu_context_update_at
#    define gpu_context_update_at                                                                                 \
        wddmcore::hw::context_write context_update_at(wddmcore::hw::context_update const&, wddmcore::u32) const { \
            return {0, 4};                                                                                        \
        }
#endif
#ifndef gpu_context_update_dwords
#    define gpu_context_update_dwords static constexpr wddmcore::dwords context_update_dwords{1};
#endif
#ifndef gpu_encode_context_update
#    define gpu_encode_context_update                                                                       \
        void encode_context_update(wddmcore::u32* at, place_in_memory, wddmcore::hw::context_update const&, \
                                   wddmcore::u32) const {                                                   \
            put(at, 14);                                                                                    \
        }
#endif

#ifndef gpu_residency_dwords
#    define gpu_residency_dwords static constexpr wddmcore::dwords residency_dwords{1};
#endif
#ifndef gpu_encode_residency
#    define gpu_encode_residency \
        void encode_residency(wddmcore::u32* at, wddmcore::hw::residency_change const&) const { put(at, 15); }
#endif
#ifndef gpu_notify_residency
#    define gpu_notify_residency \
        void notify_residency(wddmcore::hw::residency_change const&) {}
#endif

#ifndef gpu_residency_range_dwords
#    define gpu_residency_range_dwords static constexpr wddmcore::dwords residency_range_dwords{1};
#endif
#ifndef gpu_encode_residency_range
#    define gpu_encode_residency_range \
        void encode_residency_range(wddmcore::u32* at, wddmcore::hw::residency_range const&) const { put(at, 16); }
#endif
#ifndef gpu_notify_residency_range
#    define gpu_notify_residency_range \
        void notify_residency_range(wddmcore::hw::residency_range const&) {}
#endif

#ifndef gpu_fence_residency_dwords
#    define gpu_fence_residency_dwords static constexpr wddmcore::dwords fence_residency_dwords{1};
#endif
#ifndef gpu_encode_fence_residency
#    define gpu_encode_fence_residency \
        void encode_fence_residency(wddmcore::u32* at, wddmcore::hw::fence_residency const&) const { put(at, 17); }
#endif
#ifndef gpu_notify_fence_residency
#    define gpu_notify_fence_residency \
        void notify_fence_residency(wddmcore::hw::fence_residency const&) {}
#endif

#ifndef gpu_is_mmu
#    define gpu_is_mmu \
        bool is_mmu(wddmcore::u32) const { return true; }
#endif
#ifndef gpu_mmu_max
#    define gpu_mmu_max static constexpr wddmcore::pages mmu_max{1};
#endif
#ifndef gpu_mmu_dwords
#    define gpu_mmu_dwords static constexpr wddmcore::dwords mmu_dwords{1};
#endif
#ifndef gpu_encode_mmu_map
#    define gpu_encode_mmu_map \
        void encode_mmu_map(wddmcore::u32* at, wddmcore::hw::mmu_range const&) const { put(at, 18); }
#endif
#ifndef gpu_encode_mmu_unmap
#    define gpu_encode_mmu_unmap \
        void encode_mmu_unmap(wddmcore::u32* at, wddmcore::hw::mmu_range const&) const { put(at, 19); }
#endif
#ifndef gpu_store_mmu_map
#    define gpu_store_mmu_map \
        void store_mmu_map(wddmcore::hw::mmu_range const&) {}
#endif
#ifndef gpu_store_mmu_unmap
#    define gpu_store_mmu_unmap \
        void store_mmu_unmap(wddmcore::hw::mmu_range const&) {}
#endif

#ifndef gpu_page_tables
#    define gpu_page_tables static constexpr wddmcore::gpuva::page_table_geometry page_tables = four_levels;
#endif
#ifndef gpu_caps_of_mmu
#    define gpu_caps_of_mmu static constexpr wddmcore::gpuva::gpu_mmu_capabilities mmu_caps = mmu_without_extras;
#endif
#ifndef gpu_entry_limits
#    define gpu_entry_limits static constexpr wddmcore::page_table_entry_limits entry_limits{.page_number_bits = 36};
#endif
#ifndef gpu_encode_leaf
#    define gpu_encode_leaf                                                                                     \
        wddmcore::page_table_entry encode_leaf(wddmcore::leaf_kind, wddmcore::u32, wddmcore::pte_target target, \
                                               wddmcore::u64) const {                                           \
            return {target.page << 12 | target.flags.valid(), 0};                                               \
        }
#endif
#ifndef gpu_encode_directory
#    define gpu_encode_directory                                                                                     \
        wddmcore::page_table_entry encode_directory(wddmcore::u32, wddmcore::pte_target table, wddmcore::pte_target) \
            const {                                                                                                  \
            return {table.page << 12 | table.flags.valid(), 0};                                                      \
        }
#endif
#ifndef gpu_entry_page_shift
#    define gpu_entry_page_shift static constexpr wddmcore::u32 entry_page_shift = 12;
#endif
#ifndef gpu_attributes
#    define gpu_attributes                                                                                           \
        wddmcore::entry_attributes attributes(wddmcore::leaf_kind, wddmcore::pte_flags flags, wddmcore::u64) const { \
            return {~wddmcore::u64{4095}, flags.valid()};                                                            \
        }
#endif
#ifndef gpu_attributes_by_key
#    define gpu_attributes_by_key \
        wddmcore::attribute_table const* attributes_by_key(wddmcore::u64) const { return nullptr; }
#endif
#ifndef gpu_store_entry_word
#    define gpu_store_entry_word                                                       \
        void store_entry_word(wddmcore::u64* at, wddmcore::u64 value) { *at = value; } \
        void store_entry_word(wddmcore::u32* at, wddmcore::u32 value) { *at = value; }
#endif
#ifndef gpu_finish_entry_stores
#    define gpu_finish_entry_stores \
        void finish_entry_stores() {}
#endif
#ifndef gpu_write_max
#    define gpu_write_max static constexpr wddmcore::dwords write_max{1024};
#endif
#ifndef gpu_write_head_dwords
#    define gpu_write_head_dwords static constexpr wddmcore::dwords write_head_dwords{1};
#endif
#ifndef gpu_encode_write_head
#    define gpu_encode_write_head \
        void encode_write_head(wddmcore::u32* at, place_in_memory, wddmcore::dwords) const { put(at, 20); }
#endif
#ifndef gpu_write_tail_dwords
#    define gpu_write_tail_dwords static constexpr wddmcore::dwords write_tail_dwords{1};
#endif
#ifndef gpu_encode_write_tail
#    define gpu_encode_write_tail \
        void encode_write_tail(wddmcore::u32* at, place_in_memory, wddmcore::dwords) const { put(at, 21); }
#endif
#ifndef gpu_generate_max
#    define gpu_generate_max static constexpr wddmcore::u32 generate_max = 512;
#endif
#ifndef gpu_generate_entry_bytes
#    define gpu_generate_entry_bytes static constexpr wddmcore::u32 generate_entry_bytes = 8;
#endif
#ifndef gpu_generate_dwords
#    define gpu_generate_dwords static constexpr wddmcore::dwords generate_dwords{1};
#endif
#ifndef gpu_encode_generate
#    define gpu_encode_generate \
        void encode_generate(wddmcore::u32* at, place_in_memory, wddmcore::entry_run const&) const { put(at, 22); }
#endif
#ifndef gpu_copy_entries_max
#    define gpu_copy_entries_max static constexpr wddmcore::bytes copy_entries_max{4096};
#endif
#ifndef gpu_copy_entries_dwords
#    define gpu_copy_entries_dwords static constexpr wddmcore::dwords copy_entries_dwords{1};
#endif
#ifndef gpu_encode_copy_entries
#    define gpu_encode_copy_entries                                                                            \
        void encode_copy_entries(wddmcore::u32* at, place_in_memory, place_in_memory, wddmcore::bytes) const { \
            put(at, 23);                                                                                       \
        }
#endif

/// The DDI's argument structure that the cases build from.
#ifndef gpu_arguments
#    define gpu_arguments wddmcore::mirror::v3_2::dxgkarg_buildpagingbuffer
#endif
using arguments = gpu_arguments;

struct place_in_memory {
    wddmcore::u64 n;
    friend constexpr place_in_memory operator+(place_in_memory a, wddmcore::bytes b) { return {a.n + b.n}; }
};

/// Page tables of four levels, 512 entries of 8 bytes each.
inline constexpr wddmcore::gpuva::page_table_geometry four_levels{.level_count = 4,
                                                                  .levels = {{9, 8}, {9, 8}, {9, 8}, {9, 8}}};

/// Page tables with one thing changed.
template <class Change>
constexpr wddmcore::gpuva::page_table_geometry changed(wddmcore::gpuva::page_table_geometry tables, Change change) {
    change(tables);
    return tables;
}
inline constexpr wddmcore::gpuva::gpu_mmu_capabilities mmu_without_extras{};

/// Makes every operation reachable.
inline constexpr wddmcore::capabilities every_operation{
    .version = wddmcore::wddm::v3_2,
    .oldest = wddmcore::wddm::v1_3,
    .addresses = wddmcore::paging_addresses::both,
    .aperture = wddmcore::aperture_forms::either,
    .gpu_mmu = wddmcore::claim::yes,
    .page_tables = wddmcore::update_modes::cpu_virtual | wddmcore::update_modes::gpu_virtual |
                   wddmcore::update_modes::gpu_physical,
    .alternate_address_lock = wddmcore::claim::yes,
    .context_allocations = wddmcore::claim::yes,
    .tiled_resources = wddmcore::claim::yes,
    .residency_notification = wddmcore::claim::yes,
    .monitored_fence_signal = wddmcore::claim::yes,
    .native_fences = wddmcore::claim::yes,
    .mmu_mapping = wddmcore::claim::yes,
    .allocation_notification = wddmcore::claim::yes,
};
/// The same where only the CPU writes page tables.
inline constexpr wddmcore::capabilities tables_of_the_cpu = [] {
    wddmcore::capabilities caps = every_operation;
    caps.page_tables = wddmcore::update_modes::cpu_virtual;
    return caps;
}();

inline void put(wddmcore::u32* at, wddmcore::u32 code) { wddmcore::put32(at, code); }

// clang-format off: each macro is a whole member.
struct good_gpu {
    gpu_caps
    gpu_on_paging_fault

    gpu_address
    gpu_from_page
    gpu_from_segment
    gpu_from_virtual
    gpu_place
    gpu_is_aperture

    gpu_unit_dwords
    gpu_encode_padding

    gpu_copy_max
    gpu_copy_alignment
    gpu_copy_overlap
    gpu_copy_dwords
    gpu_encode_copy
    gpu_swizzle_dwords
    gpu_encode_swizzled_copy

    gpu_window_slots
    gpu_window_entry_bytes
    gpu_window_page_shift
    gpu_window_write_max
    gpu_window_head_dwords
    gpu_window_flush_dwords
    gpu_window_wait_dwords
    gpu_window_address
    gpu_window_entry_bits
    gpu_encode_window_head
    gpu_encode_window_flush
    gpu_encode_window_wait

    gpu_fill_max
    gpu_fill_alignment
    gpu_fill_pattern_bytes
    gpu_fill_dwords
    gpu_fill_dwords_most
    gpu_fill_dwords_of
    gpu_encode_fill

    gpu_access_dwords
    gpu_encode_read
    gpu_encode_write

    gpu_store_aperture_entry
    gpu_aperture_entry_dwords
    gpu_encode_aperture_entry

    gpu_discard_dwords
    gpu_encode_discard
    gpu_record_bytes
    gpu_encode_record

    gpu_allocation_is_busy
    gpu_decrements_dma_size

    gpu_flush_dwords
    gpu_encode_flush
    gpu_flush_at_once
    gpu_flush_granule
    gpu_flush_range_dwords
    gpu_encode_flush_range

    gpu_fence_bytes
    gpu_fence_dwords
    gpu_encode_fence

    gpu_eviction_block
    gpu_eviction_alignment
    gpu_eviction_max
    gpu_eviction_dwords
    gpu_encode_notify_eviction
    gpu_iommu_unmap_max
    gpu_iommu_unmap_dwords
    gpu_encode_notify_iommu_unmap
    gpu_notify_iommu_unmap
    gpu_has_work

    gpu_context_image_bytes
    gpu_context_piece_max
    gpu_context_piece_dwords
    gpu_encode_context_piece
    gpu_store_context_piece

    gpu_context_update_count
    gpu_context_update_at
    gpu_context_update_dwords
    gpu_encode_context_update

    gpu_residency_dwords
    gpu_encode_residency
    gpu_notify_residency

    gpu_residency_range_dwords
    gpu_encode_residency_range
    gpu_notify_residency_range

    gpu_fence_residency_dwords
    gpu_encode_fence_residency
    gpu_notify_fence_residency

    gpu_is_mmu
    gpu_mmu_max
    gpu_mmu_dwords
    gpu_encode_mmu_map
    gpu_encode_mmu_unmap
    gpu_store_mmu_map
    gpu_store_mmu_unmap

    gpu_page_tables
    gpu_caps_of_mmu
    gpu_entry_limits
    gpu_encode_leaf
    gpu_encode_directory
    gpu_entry_page_shift
    gpu_attributes
    gpu_attributes_by_key
    gpu_store_entry_word
    gpu_finish_entry_stores

    gpu_write_max
    gpu_write_head_dwords
    gpu_encode_write_head
    gpu_write_tail_dwords
    gpu_encode_write_tail
    gpu_generate_max
    gpu_generate_entry_bytes
    gpu_generate_dwords
    gpu_encode_generate

    gpu_copy_entries_max
    gpu_copy_entries_dwords
    gpu_encode_copy_entries
};
// clang-format on
