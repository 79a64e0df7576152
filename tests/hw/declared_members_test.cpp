// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

// A hardware type that has one member of an optional promise is told of the others, whichever one it is: where none
// counted, the promise would be taken as not made, and what the author wrote would be left out in silence.

#include <wddmcore/hw.hpp>

#include <doctest/doctest.h>

#include "../base/expect_both.hpp"

namespace declared_members_test {

namespace of = wddmcore::hw::detail;

namespace {

struct nothing {};

}  // namespace

#define expect_declared_by(trait, member) \
    do {                                  \
        struct only {                     \
            int member;                   \
        };                                \
        expect_both(of::trait<only>);     \
    } while (false)

TEST_CASE("law 5: one member of a notice is enough to be told of the others") {
    expect_both(!of::declares_eviction<nothing> && !of::declares_iommu_unmap<nothing>);
    expect_both(!of::declares_iommu_unmap_at_once<nothing>);
    expect_declared_by(declares_eviction, encode_notify_eviction);
    expect_declared_by(declares_eviction, eviction_dwords);
    expect_declared_by(declares_eviction, eviction_max);
    expect_declared_by(declares_eviction, eviction_block);
    expect_declared_by(declares_eviction, eviction_alignment);
    expect_declared_by(declares_iommu_unmap, encode_notify_iommu_unmap);
    expect_declared_by(declares_iommu_unmap, iommu_unmap_dwords);
    expect_declared_by(declares_iommu_unmap, iommu_unmap_max);
    expect_declared_by(declares_iommu_unmap_at_once, notify_iommu_unmap);
}

TEST_CASE("law 5: one member of a residency notice is enough to be told of the others") {
    expect_both(!of::declares_residency<nothing> && !of::declares_residency_range<nothing>);
    expect_both(!of::declares_fence_residency<nothing>);
    expect_declared_by(declares_residency, encode_residency);
    expect_declared_by(declares_residency, residency_dwords);
    expect_declared_by(declares_residency_range, encode_residency_range);
    expect_declared_by(declares_residency_range, residency_range_dwords);
    expect_declared_by(declares_fence_residency, encode_fence_residency);
    expect_declared_by(declares_fence_residency, fence_residency_dwords);
}

TEST_CASE("law 5: one member of a mapping in other MMUs is enough to be told of the others") {
    expect_both(!of::declares_mmu_commands<nothing> && !of::declares_mmu_stores<nothing>);
    expect_declared_by(declares_mmu_commands, encode_mmu_map);
    expect_declared_by(declares_mmu_commands, encode_mmu_unmap);
    expect_declared_by(declares_mmu_commands, mmu_dwords);
    expect_declared_by(declares_mmu_commands, mmu_max);
    expect_declared_by(declares_mmu_stores, store_mmu_map);
    expect_declared_by(declares_mmu_stores, store_mmu_unmap);
}

TEST_CASE("law 5: one member of context pieces is enough to be told of the others") {
    expect_both(!of::declares_context_pieces<nothing> && !of::declares_context_stores<nothing>);
    expect_declared_by(declares_context_pieces, encode_context_piece);
    expect_declared_by(declares_context_pieces, context_piece_dwords);
    expect_declared_by(declares_context_pieces, context_piece_max);
    expect_declared_by(declares_context_stores, store_context_piece);
}

TEST_CASE("law 5: one member of entries by command is enough to be told of the others") {
    expect_both(!of::declares_write_tail<nothing> && !of::declares_generator<nothing>);
    expect_both(!of::declares_attributes<nothing>);
    expect_declared_by(declares_write_tail, encode_write_tail);
    expect_declared_by(declares_write_tail, write_tail_dwords);
    expect_declared_by(declares_generator, encode_generate);
    expect_declared_by(declares_generator, generate_dwords);
    expect_declared_by(declares_generator, generate_max);
    expect_declared_by(declares_generator, generate_entry_bytes);
    expect_declared_by(declares_attributes, attributes);
    expect_declared_by(declares_attributes, entry_page_shift);
}

TEST_CASE("law 5: one member of a flush is enough to be told of the others") {
    expect_both(!of::declares_flush<nothing> && !of::declares_flush_range<nothing>);
    expect_declared_by(declares_flush, encode_flush);
    expect_declared_by(declares_flush, flush_dwords);
    expect_declared_by(declares_flush, encode_flush_range);
    expect_declared_by(declares_flush_range, encode_flush_range);
    expect_declared_by(declares_flush_range, flush_range_dwords);
    expect_declared_by(declares_flush_range, flush_granule);
}

TEST_CASE("law 5: one member of an aperture's entries is enough to be told of the other") {
    expect_both(!of::declares_aperture_entry<nothing>);
    expect_declared_by(declares_aperture_entry, encode_aperture_entry);
    expect_declared_by(declares_aperture_entry, aperture_entry_dwords);
}

TEST_CASE("law 5: one member of an optional transfer is enough to be told of the others") {
    expect_both(!of::declares_page_window<nothing> && !of::declares_swizzled_copy<nothing>);
    expect_both(!of::declares_discard<nothing> && !of::declares_record<nothing>);
    expect_declared_by(declares_page_window, window_slots);
    expect_declared_by(declares_page_window, window_entry_bytes);
    expect_declared_by(declares_page_window, window_page_shift);
    expect_declared_by(declares_page_window, window_write_max);
    expect_declared_by(declares_page_window, window_head_dwords);
    expect_declared_by(declares_page_window, window_flush_dwords);
    expect_declared_by(declares_page_window, window_wait_dwords);
    expect_declared_by(declares_page_window, window_address);
    expect_declared_by(declares_page_window, window_entry_bits);
    expect_declared_by(declares_page_window, encode_window_head);
    expect_declared_by(declares_page_window, encode_window_flush);
    expect_declared_by(declares_page_window, encode_window_wait);
    expect_declared_by(declares_swizzled_copy, encode_swizzled_copy);
    expect_declared_by(declares_swizzled_copy, swizzle_dwords);
    expect_declared_by(declares_discard, encode_discard);
    expect_declared_by(declares_discard, discard_dwords);
    expect_declared_by(declares_record, encode_record);
    expect_declared_by(declares_record, record_bytes);
}

#undef expect_declared_by

}  // namespace declared_members_test
