// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/types.hpp"

/// What can be wrong with a hardware type: the member, and how.
namespace wddmcore::inline WDDMCORE_ABI::hw {

/// A member that some algorithm wants of a hardware type.
enum class member : u32 {
    none,
    caps,
    on_paging_fault,
    address,
    from_page,
    from_segment,
    from_virtual,
    place,
    is_aperture,
    unit_dwords,
    encode_padding,
    copy_max,
    copy_alignment,
    copy_overlap,
    copy_dwords,
    encode_copy,
    window_slots,
    window_entry_bytes,
    window_page_shift,
    window_write_max,
    window_head_dwords,
    window_flush_dwords,
    window_wait_dwords,
    window_address,
    window_entry_bits,
    encode_window_head,
    encode_window_flush,
    encode_window_wait,
    fill_max,
    fill_alignment,
    fill_pattern_bytes,
    fill_dwords,
    fill_dwords_most,
    fill_dwords_of,
    fill_lengths,
    encode_fill,
    access_dwords,
    encode_read,
    encode_write,
    store_aperture_entry,
    aperture_entry_dwords,
    encode_aperture_entry,
    discard_dwords,
    swizzle_dwords,
    record_bytes,
    allocation_is_busy,
    decrements_dma_size,
    paged_by_cpu,
    flush_dwords,
    encode_flush,
    flush_range_dwords,
    flush_granule,
    flush_at_once,
    flush_by_command,
    tlb,
    fence_bytes,
    fence_dwords,
    encode_fence,
    alloc_notifier,
    eviction_block,
    eviction_alignment,
    eviction_max,
    eviction_dwords,
    iommu_unmap_max,
    iommu_unmap_dwords,
    notify_iommu_unmap,
    has_work,
    context_image_bytes,
    context_initializer,
    context_piece_max,
    context_piece_dwords,
    store_context_piece,
    context_update_count,
    context_update_at,
    context_update_dwords,
    encode_context_update,
    residency_listener,
    residency_dwords,
    notify_residency,
    residency_range_listener,
    residency_range_dwords,
    notify_residency_range,
    fence_residency_listener,
    fence_residency_dwords,
    notify_fence_residency,
    is_mmu,
    mmu_mapper,
    mmu_max,
    mmu_dwords,
    store_mmu,
    page_tables,
    mmu_caps,
    entry_limits,
    encode_leaf,
    encode_directory,
    attributes,
    entry_page_shift,
    attributes_by_key,
    store_entry_word,
    finish_entry_stores,
    write_max,
    write_head_dwords,
    encode_write_head,
    write_tail_dwords,
    generate_dwords,
    generate_max,
    generate_entry_bytes,
    copy_entries_max,
    copy_entries_dwords,
    encode_copy_entries,
    declared_version,
    oldest_version,
    native_fences,
    highest_visible_address,
    gpu_mmu,
    update_modes,
};

/// What is wrong with it.
enum class defect : u32 {
    missing,
    cannot_be_called,  ///< a function of that name exists, but not with these parameters and this result
    not_a_constant,    ///< a member of that name exists, but is no static constant of the wanted type
    out_of_range,      ///< a constant, but of a value that nothing could work with
};

/// The first broken promise of a hardware type; member::none when all are kept.
struct broken_promise {
    member what;
    defect how;
    friend constexpr bool operator==(broken_promise, broken_promise) = default;
};

inline constexpr broken_promise all_kept{member::none, defect::missing};

}  // namespace wddmcore::hw
