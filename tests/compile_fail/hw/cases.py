# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""One case for each sentence about a wrong hardware type: a member of good_gpu.hpp taken away or spoilt.

What a case expects is written here, not taken from hw/promises: a sentence that loses the member, its form or its
unit is found.
"""

from listed import listed

FORM = """#include "good_gpu.hpp"

wddmcore::ntstatus build(good_gpu& gpu, arguments& args) {
    return wddmcore::build_paging_buffer(gpu, args);
}"""

# Numbers: concept, member, type, a good value, and a value that nothing could work with.
CONSTANTS = (
    ("command_stream", "unit_dwords", "dwords", "{2}", "{65}", "must be 1 to 64 dwords"),
    ("copy_engine", "copy_max", "bytes", "{65536}", "{3}", "must be at least `copy_alignment`"),
    ("copy_engine", "copy_alignment", "bytes", "{4}", "{24}", "must divide 4096 bytes"),
    ("copy_engine", "copy_overlap", "hw::overlap", " = wddmcore::hw::overlap::safe", None, None),
    ("copy_engine", "copy_dwords", "dwords", "{1}", "{0}", "must be 1 to 256 dwords"),
    ("fill_engine", "fill_max", "bytes", "{65536}", "{0}", "must be at least `fill_alignment`"),
    ("fill_engine", "fill_alignment", "bytes", "{4}", "{2}",
     "must divide 4096 bytes and be a multiple of the pattern's width"),
    ("fill_engine", "fill_pattern_bytes", "bytes", "{4}", "{8}", "must be 4, or 1 for an engine that repeats one byte"),
    ("fill_engine", "fill_dwords", "dwords", "{1}", "{257}", "must be 1 to 256 dwords"),
    ("physical_accessor", "access_dwords", "dwords", "{1}", "{0}", "must be 1 to 256 dwords"),
    ("tlb", "flush_dwords", "dwords", "{1}", "{257}", "must be 1 to 256 dwords"),
    ("fence_writer", "fence_bytes", "bytes", "{8}", "{16}",
     "must be 8, or 4 for an adapter that reports No64BitAtomics"),
    ("fence_writer", "fence_dwords", "dwords", "{1}", "{0}", "must be 1 to 256 dwords"),
    ("context_updater", "context_update_dwords", "dwords", "{1}", "{0}", "must be 1 to 256 dwords"),
    ("page_table_format", "page_tables", "gpuva::page_table_geometry", " = four_levels", None, None),
    ("page_table_format", "mmu_caps", "gpuva::gpu_mmu_capabilities", " = mmu_without_extras", None, None),
    ("page_table_format", "entry_limits", "page_table_entry_limits", "{36}", "{53}",
     "must have 1 to 52 page_number_bits, 1 to 64 adapters, and valid_word 0 or 1"),
    ("page_table_writer", "write_max", "dwords", "{1024}", "{1}",
     "must be a whole number of the largest entries, at least one"),
    ("page_table_writer", "write_head_dwords", "dwords", "{1}", "{257}", "must be 1 to 256 dwords"),
    ("page_table_copier", "copy_entries_max", "bytes", "{4096}", "{12}",
     "must be a whole number of leaf entries, at least one"),
    ("page_table_copier", "copy_entries_dwords", "dwords", "{1}", "{0}", "must be 1 to 256 dwords"),
)

# Functions: concept, member, the form that is asked for, and one that cannot be called that way.
FUNCTIONS = (
    ("hardware type", "on_paging_fault", "wddmcore::disposition on_paging_fault(wddmcore::paging_fault const&)",
     "bool on_paging_fault(wddmcore::paging_fault const&) { return false; }"),
    ("address_space", "from_page", "address from_page(wddmcore::page_number) const",
     "place_in_memory from_page(wddmcore::page_number page) { return {page.n}; }"),
    ("address_space", "from_segment", "address from_segment(wddmcore::segment_id, wddmcore::segment_offset) const",
     "place_in_memory from_segment(wddmcore::segment_offset offset) const { return {offset.n}; }"),
    ("address_space", "from_virtual", "address from_virtual(wddmcore::gpu_virtual_address) const",
     "wddmcore::u64 from_virtual(wddmcore::gpu_virtual_address va) const { return va.n; }"),
    ("segment_map", "place", "wddmcore::segment_place place(wddmcore::segment_id) const",
     "wddmcore::bytes place(wddmcore::segment_id) const { return wddmcore::gib; }"),
    ("segment_map", "is_aperture", "bool is_aperture(wddmcore::segment_id) const",
     "int is_aperture(wddmcore::segment_id) const { return 1; }"),
    ("command_stream", "encode_padding", "void encode_padding(wddmcore::u32* at, wddmcore::dwords n) const",
     "void encode_padding(wddmcore::u32*, wddmcore::bytes) const {}"),
    ("copy_engine", "encode_copy",
     "void encode_copy(wddmcore::u32* at, address destination, address source, wddmcore::bytes size) const",
     "void encode_copy(wddmcore::u32*, place_in_memory, place_in_memory, wddmcore::bytes) {}"),
    ("fill_engine", "encode_fill",
     "void encode_fill(wddmcore::u32* at, address destination, wddmcore::bytes size, wddmcore::u32 pattern) const",
     "void encode_fill(wddmcore::u32*, place_in_memory, wddmcore::bytes) const {}"),
    ("physical_accessor", "encode_read", "void encode_read(wddmcore::u32* at, address) const",
     "void encode_read(place_in_memory) const {}"),
    ("physical_accessor", "encode_write", "void encode_write(wddmcore::u32* at, address) const",
     "bool encode_write(wddmcore::u32*, place_in_memory) const { return true; }"),
    ("aperture", "store_aperture_entry",
     "void store_aperture_entry(wddmcore::segment_id, wddmcore::u64 index, wddmcore::page_number, bool coherent)",
     "void store_aperture_entry(wddmcore::segment_id, wddmcore::u64, wddmcore::page_number) {}"),
    ("tlb", "encode_flush", "void encode_flush(wddmcore::u32* at, wddmcore::hw::tlb_flush const&) const",
     "void encode_flush(wddmcore::u32*, wddmcore::hw::tlb_flush const&) {}"),
    ("fence_writer", "encode_fence",
     "void encode_fence(wddmcore::u32* at, address place, wddmcore::u64 value) const",
     "void encode_fence(wddmcore::u32*, place_in_memory) const {}"),
    ("context_initializer", "context_image_bytes", "wddmcore::bytes context_image_bytes(void* allocation) const",
     "wddmcore::u64 context_image_bytes(void*) const { return 4096; }"),
    ("context_updater", "context_update_count",
     "wddmcore::u32 context_update_count(wddmcore::hw::context_update const&) const",
     "wddmcore::u64 context_update_count(wddmcore::hw::context_update const&) const { return 1; }"),
    ("context_updater", "context_update_at",
     "wddmcore::hw::context_write context_update_at(wddmcore::hw::context_update const&, wddmcore::u32 index) const",
     "wddmcore::hw::context_write context_update_at(wddmcore::u32) const { return {0, 4}; }"),
    ("context_updater", "encode_context_update",
     "void encode_context_update(wddmcore::u32* at, address place, wddmcore::hw::context_update const&, "
     "wddmcore::u32 index) const",
     "void encode_context_update(wddmcore::u32*, wddmcore::hw::context_update const&, wddmcore::u32) const {}"),
    ("mmu_mapper", "is_mmu", "bool is_mmu(wddmcore::u32 id) const", "int is_mmu(wddmcore::u32) const { return 1; }"),
    ("page_table_format", "encode_leaf",
     "wddmcore::page_table_entry encode_leaf(wddmcore::leaf_kind, wddmcore::u32 level, wddmcore::pte_target, "
     "wddmcore::u64 protection) const",
     "wddmcore::u64 encode_leaf(wddmcore::leaf_kind, wddmcore::u32, wddmcore::pte_target, wddmcore::u64) const "
     "{ return 1; }"),
    ("page_table_format", "encode_directory",
     "wddmcore::page_table_entry encode_directory(wddmcore::u32 level, wddmcore::pte_target table, "
     "wddmcore::pte_target table_64k) const",
     "wddmcore::page_table_entry encode_directory(wddmcore::u32, wddmcore::pte_target) const { return {1, 0}; }"),
    ("page_table_store", "finish_entry_stores", "void finish_entry_stores()",
     "bool finish_entry_stores() { return true; }"),
    ("page_table_writer", "encode_write_head",
     "void encode_write_head(wddmcore::u32* at, address destination, wddmcore::dwords entries) const",
     "void encode_write_head(wddmcore::u32*, place_in_memory, wddmcore::bytes) const {}"),
    ("page_table_copier", "encode_copy_entries",
     "void encode_copy_entries(wddmcore::u32* at, address destination, address source, wddmcore::bytes size) const",
     "void encode_copy_entries(wddmcore::u32*, place_in_memory, place_in_memory, wddmcore::dwords) const {}"),
)

# The ways in which a number is no static constant of its type; each constant gets one, and these all of them: caps,
# copy_max, and the two constants that are looked at member by member.
SPOILT_CONSTANTS = (
    ("not_static", "wddmcore::{type} {member}{value};"),
    ("not_constexpr", "static inline wddmcore::{type} {member}{value};"),
    ("of_another_type", "static constexpr wddmcore::u64 {member} = 4;"),
)

# Optional promises: case, what is taken away or spoilt, replacement, expectation.
OPTIONAL = (
    ("aperture_entry_dwords_missing", "aperture_entry_dwords", "",
     "aperture: `encode_aperture_entry` needs `static constexpr wddmcore::dwords aperture_entry_dwords{...};`"),
    ("aperture_entry_dwords_not_static", "aperture_entry_dwords", "wddmcore::dwords aperture_entry_dwords{1};",
     "aperture: `encode_aperture_entry` needs `static constexpr wddmcore::dwords aperture_entry_dwords{...};`"),
    ("discard_dwords_not_static", "discard_dwords", "wddmcore::dwords discard_dwords{1};",
     "content_discarder: `encode_discard` and `static constexpr wddmcore::dwords discard_dwords`"),
    ("swizzle_dwords_not_static", "swizzle_dwords", "wddmcore::dwords swizzle_dwords{1};",
     "swizzle_copy_engine: `encode_swizzled_copy` and `static constexpr wddmcore::dwords"),
    ("record_bytes_not_static", "record_bytes", "wddmcore::bytes record_bytes{16};",
     "submission_recorder: `encode_record` and `static constexpr wddmcore::bytes record_bytes`"),
    ("encode_aperture_entry_cannot_be_called", "encode_aperture_entry",
     "void encode_aperture_entry(wddmcore::u32*, wddmcore::u64, wddmcore::page_number) const {}",
     "aperture: `encode_aperture_entry` exists but cannot be called as `void encode_aperture_entry("),
    ("encode_discard_without_its_length", "discard_dwords", "",
     "content_discarder: `encode_discard` and `static constexpr wddmcore::dwords discard_dwords`"),
    ("encode_discard_cannot_be_called", "encode_discard",
     "void encode_discard(wddmcore::u32*, place_in_memory) const {}",
     "do not fit `void encode_discard(wddmcore::u32* at, address, void* allocation) const`"),
    ("encode_swizzled_copy_without_its_length", "swizzle_dwords", "",
     "swizzle_copy_engine: `encode_swizzled_copy` and `static constexpr wddmcore::dwords"),
    ("encode_swizzled_copy_cannot_be_called", "encode_swizzled_copy",
     "void encode_swizzled_copy(wddmcore::u32*, place_in_memory) const {}",
     "do not fit `void encode_swizzled_copy(wddmcore::u32* at, wddmcore::hw::swizzled_copy<Hw> const&) const`"),
    ("encode_record_without_its_length", "record_bytes", "",
     "submission_recorder: `encode_record` and `static constexpr wddmcore::bytes record_bytes`"),
    ("encode_record_cannot_be_called", "encode_record", "void encode_record(wddmcore::paging_record const&) const {}",
     "do not fit `void encode_record(void* at, wddmcore::paging_record const&) const`"),
    ("encode_discard_overloaded", "encode_discard",
     "void encode_discard(wddmcore::u32*) const {} void encode_discard(wddmcore::u64) const {}",
     "do not fit `void encode_discard(wddmcore::u32* at, address, void* allocation) const`"),
    ("length_of_a_discard_without_its_encoder", "encode_discard", "",
     "content_discarder: `encode_discard` and `static constexpr wddmcore::dwords discard_dwords` go together"),
    ("aperture_entry_dwords_out_of_range", "aperture_entry_dwords",
     "static constexpr wddmcore::dwords aperture_entry_dwords{0};",
     "aperture: `aperture_entry_dwords` must be 1 to 256 dwords"),
    ("discard_dwords_out_of_range", "discard_dwords", "static constexpr wddmcore::dwords discard_dwords{257};",
     "content_discarder: `discard_dwords` must be 1 to 256 dwords"),
    ("swizzle_dwords_out_of_range", "swizzle_dwords", "static constexpr wddmcore::dwords swizzle_dwords{0};",
     "swizzle_copy_engine: `swizzle_dwords` must be 1 to 256 dwords"),
    ("record_bytes_out_of_range", "record_bytes", "static constexpr wddmcore::bytes record_bytes{0};",
     "submission_recorder: `record_bytes` must not be 0"),
    ("allocation_is_busy_cannot_be_called", "allocation_is_busy",
     "bool allocation_is_busy(void*) { return true; }",
     "busy_reporter: `allocation_is_busy` exists but cannot be called as"),
    ("decrements_dma_size_not_static", "decrements_dma_size", "bool decrements_dma_size = true;",
     "defaults: `decrements_dma_size` exists but is not a `static constexpr bool`"),
)


def halves(concept, length, encoder, arguments):
    """An encoder and its length, each without the other, spoilt, and a length that nothing could work with."""
    together = f"{concept}: `{encoder}`"
    form = f"void {encoder}(wddmcore::u32* at, {arguments}) const`"
    return (
        (f"{encoder}_without_its_length", length, "", together),
        (f"length_of_{encoder}_without_it", encoder, "", together),
        (f"{encoder}_cannot_be_called", encoder, f"void {encoder}(wddmcore::u32*) const {{}}", form),
        (f"{length}_not_static", length, f"wddmcore::dwords {length}{{1}};",
         f"`static constexpr wddmcore::dwords {length}`"),
        (f"{length}_out_of_range", length, f"static constexpr wddmcore::dwords {length}{{257}};",
         f"{concept}: `{length}` must be 1 to 256 dwords"),
    )


def number(concept, member, kind, bad, must):
    return ((f"{member}_out_of_range", member, f"static constexpr wddmcore::{kind} {member}{{{bad}}};",
             f"{concept}: `{member}` must {must}"),)


def listener(concept, length, encoder, store, kind):
    """A promise that is kept by command, at once, or in both ways."""
    kind = f"wddmcore::hw::{kind} const&"
    return (
        *halves(concept, length, encoder, kind),
        (f"{concept}_missing", f"{length} {encoder} {store}", "",
         f"{concept}: nothing listens: write `void {store}({kind})`, or `void {encoder}("),
        (f"{store}_cannot_be_called", store, f"void {store}() {{}}",
         f"{concept}: `{store}` exists but cannot be called as `void {store}({kind})`"),
    )


NOTICE, PIECE, RANGE = (f"wddmcore::hw::{kind} const&" for kind in ("alloc_notice", "context_piece", "mmu_range"))

FLUSH_COMMANDS = "flush_dwords encode_flush flush_range_dwords encode_flush_range flush_granule"

# Promises of the operations that came with WDDM 1.2 and later.
LATE = (
    *halves("tlb", "flush_range_dwords", "encode_flush_range", "wddmcore::hw::tlb_flush const&"),
    *number("tlb", "flush_granule", "bytes", 12288, "be a power of two, in bytes, and at least 4096"),
    ("flush_granule_below_a_page", "flush_granule", "static constexpr wddmcore::bytes flush_granule{2048};",
     "tlb: `flush_granule` must be a power of two, in bytes, and at least 4096"),
    ("flush_at_once_cannot_be_called", "flush_at_once", "void flush_at_once() {}",
     "tlb: `flush_at_once` exists but cannot be called as `void flush_at_once(wddmcore::hw::tlb_flush const&)`"),
    ("tlb_missing", f"{FLUSH_COMMANDS} flush_at_once", "",
     "tlb: nothing flushes: write `void flush_at_once(wddmcore::hw::tlb_flush const&)`, or `void encode_flush("),
    ("flush_by_command_missing", FLUSH_COMMANDS, "",
     "tlb: `flush_at_once` alone comes before page-table writes that are only queued (OP12-03)"),
    ("encode_flush_range_without_encode_flush", "flush_dwords encode_flush", "", "tlb: `flush_dwords` is missing"),
    *halves("alloc_notifier", "eviction_dwords", "encode_notify_eviction", NOTICE),
    *number("alloc_notifier", "eviction_block", "bytes", 6144, "divide 4096 bytes or be a multiple of them"),
    *number("alloc_notifier", "eviction_alignment", "bytes", 24576, "divide the larger of `eviction_block` and 4096"),
    *number("alloc_notifier", "eviction_max", "bytes", 65535, "hold a whole `eviction_block` and at least 4096 bytes"),
    *halves("alloc_notifier", "iommu_unmap_dwords", "encode_notify_iommu_unmap", NOTICE),
    *number("alloc_notifier", "iommu_unmap_max", "bytes", 4095, "be at least 4096 bytes"),
    ("notify_iommu_unmap_cannot_be_called", "notify_iommu_unmap", "void notify_iommu_unmap() {}",
     f"alloc_notifier: `notify_iommu_unmap` exists but cannot be called as `void notify_iommu_unmap({NOTICE})`"),
    ("has_work_cannot_be_called", "has_work", "bool has_work() const { return true; }",
     f"alloc_notifier: `has_work` exists but cannot be called as `bool has_work({NOTICE}) const`"),
    ("alloc_notifier_missing",
     "eviction_block eviction_alignment eviction_max eviction_dwords encode_notify_eviction iommu_unmap_max "
     "iommu_unmap_dwords encode_notify_iommu_unmap notify_iommu_unmap", "",
     "alloc_notifier: nothing hears of a notice: write `encode_notify_eviction` with its `eviction_block`"),
    *halves("context_initializer", "context_piece_dwords", "encode_context_piece", f"address place, {PIECE}"),
    *number("context_initializer", "context_piece_max", "bytes", 96, "be a multiple of 4 bytes and divide 4096"),
    ("store_context_piece_cannot_be_called", "store_context_piece", "void store_context_piece(void*) {}",
     "context_initializer: `store_context_piece` exists but cannot be called as `void store_context_piece("),
    ("context_initializer_missing",
     "context_piece_max context_piece_dwords encode_context_piece store_context_piece", "",
     "context_initializer: nothing writes an image: write `void encode_context_piece(wddmcore::u32* at, address"),
    *listener("residency_listener", "residency_dwords", "encode_residency", "notify_residency", "residency_change"),
    *listener("residency_range_listener", "residency_range_dwords", "encode_residency_range", "notify_residency_range",
              "residency_range"),
    *listener("fence_residency_listener", "fence_residency_dwords", "encode_fence_residency", "notify_fence_residency",
              "fence_residency"),
    *halves("mmu_mapper", "mmu_dwords", "encode_mmu_map", RANGE),
    *number("mmu_mapper", "mmu_max", "pages", 0, "be at least 1 page"),
    ("encode_mmu_unmap_missing", "encode_mmu_unmap", "", "mmu_mapper: `encode_mmu_map`, `encode_mmu_unmap`"),
    ("store_mmu_unmap_missing", "store_mmu_unmap", "", "mmu_mapper: `store_mmu_map` and `store_mmu_unmap` go together"),
    ("mmu_mapper_missing", "mmu_max mmu_dwords encode_mmu_map encode_mmu_unmap store_mmu_map store_mmu_unmap", "",
     "mmu_mapper: nothing maps: write `void store_mmu_map(wddmcore::hw::mmu_range const&)` and `void"),
)

UNIFORM = "uniform_entries: `attributes` and `static constexpr wddmcore::u32 entry_page_shift` go together"
TAIL = "page_table_writer_with_tail: `encode_write_tail` and `static constexpr wddmcore::dwords write_tail_dwords`"
GENERATOR = "page_table_generator: `encode_generate`, `static constexpr wddmcore::dwords generate_dwords`, `static"

# Page tables: promises whose parts go together, and the store that is asked for in two widths.
TABLES = (
    ("store_entry_word_missing", "store_entry_word", "",
     "page_table_store: `store_entry_word` is missing or not public: write `void store_entry_word(wddmcore::u64* at, "
     "wddmcore::u64"),
    ("store_entry_word_of_one_width", "store_entry_word", "void store_entry_word(wddmcore::u64*, wddmcore::u64) {}",
     "page_table_store: `store_entry_word` exists but cannot be called both as `void store_entry_word(wddmcore::u64*"),
    ("store_entry_word_of_the_other_width", "store_entry_word", "void store_entry_word(wddmcore::u32*, wddmcore::u32) {}",
     "page_table_store: `store_entry_word` exists but cannot be called both as `void store_entry_word(wddmcore::u64*"),
    ("attributes_without_their_shift", "entry_page_shift", "", UNIFORM),
    ("entry_page_shift_without_attributes", "attributes", "", UNIFORM),
    ("attributes_cannot_be_called", "attributes",
     "wddmcore::u64 attributes(wddmcore::pte_flags) const { return 0; }", UNIFORM),
    ("entry_page_shift_not_static", "entry_page_shift", "wddmcore::u32 entry_page_shift = 12;", UNIFORM),
    ("entry_page_shift_out_of_range", "entry_page_shift", "static constexpr wddmcore::u32 entry_page_shift = 29;",
     "uniform_entries: `attributes` is for leaf entries of 4 or 8 bytes, and `entry_page_shift` plus page_number_bits"),
    ("attributes_by_key_cannot_be_called", "attributes_by_key",
     "wddmcore::attribute_table const* attributes_by_key() const { return nullptr; }",
     "keeps_attribute_table: `attributes_by_key` exists but cannot be called as `wddmcore::attribute_table const*"),
    ("write_tail_without_its_length", "write_tail_dwords", "", TAIL),
    ("length_of_a_write_tail_without_it", "encode_write_tail", "", TAIL),
    ("encode_write_tail_cannot_be_called", "encode_write_tail",
     "void encode_write_tail(wddmcore::u32*) const {}", TAIL),
    ("write_tail_dwords_not_static", "write_tail_dwords", "wddmcore::dwords write_tail_dwords{1};", TAIL),
    ("write_tail_dwords_out_of_range", "write_tail_dwords", "static constexpr wddmcore::dwords write_tail_dwords{0};",
     "page_table_writer_with_tail: `write_tail_dwords` must be 1 to 256 dwords; leave it out where nothing follows"),
    ("encode_generate_without_its_length", "generate_dwords", "", GENERATOR),
    ("encode_generate_without_its_limit", "generate_max", "", GENERATOR),
    ("encode_generate_without_its_entry", "generate_entry_bytes", "", GENERATOR),
    ("numbers_of_encode_generate_without_it", "encode_generate", "", GENERATOR),
    ("encode_generate_cannot_be_called", "encode_generate", "void encode_generate(wddmcore::u32*) const {}", GENERATOR),
    ("generate_dwords_not_static", "generate_dwords", "wddmcore::dwords generate_dwords{1};", GENERATOR),
    ("generate_dwords_out_of_range", "generate_dwords", "static constexpr wddmcore::dwords generate_dwords{257};",
     "page_table_generator: `generate_dwords` must be 1 to 256 dwords"),
    ("generate_max_out_of_range", "generate_max", "static constexpr wddmcore::u32 generate_max = 0;",
     "page_table_generator: `generate_max` must be at least 1 entry"),
    ("generate_entry_bytes_out_of_range", "generate_entry_bytes",
     "static constexpr wddmcore::u32 generate_entry_bytes = 16;",
     "page_table_generator: `generate_entry_bytes` must be 4 or 8"),
)

# A page window: numbers (member, type, a value that nothing could work with, what is asked for) and functions.
WINDOW_NUMBERS = (
    ("window_slots", "u32", " = 0", "1 to 1,048,576 pages"),
    ("window_entry_bytes", "bytes", "{16}", "4 or 8 bytes, enough for the last page number within"),
    ("window_page_shift", "u32", " = 13", "0 to 12 bits"),
    ("window_write_max", "u32", " = 0", "at least 1 entry"),
    ("window_head_dwords", "dwords", "{0}", "1 to 256 dwords"),
    ("window_flush_dwords", "dwords", "{257}", "0 to 256 dwords"),
    ("window_wait_dwords", "dwords", "{257}", "0 to 256 dwords"),
)
WINDOW_FUNCTIONS = (
    ("window_address", "address window_address() const", "wddmcore::u64 window_address() const { return 0; }"),
    ("window_entry_bits", "wddmcore::u64 window_entry_bits() const",
     "wddmcore::u32 window_entry_bits() const { return 1; }"),
    ("encode_window_head", "void encode_window_head(wddmcore::u32* at, wddmcore::u32 slot, wddmcore::u32 count) const",
     "void encode_window_head(wddmcore::u32*, wddmcore::u32, wddmcore::u32) {}"),
    ("encode_window_flush",
     "void encode_window_flush(wddmcore::u32* at, wddmcore::u32 slot, wddmcore::u32 count) const",
     "void encode_window_flush(wddmcore::u32*) const {}"),
    ("encode_window_wait", "void encode_window_wait(wddmcore::u32* at) const",
     "bool encode_window_wait(wddmcore::u32*) const { return true; }"),
)


def window_cases():
    for member, kind, bad, must in WINDOW_NUMBERS:
        wanted = f"page_window: a window needs `static constexpr wddmcore::{kind} {member}`"
        yield f"{member}_missing", member, "", wanted
        yield f"{member}_not_static", member, f"wddmcore::{kind} {member}{{1}};", wanted
        yield (f"{member}_out_of_range", member, f"static constexpr wddmcore::{kind} {member}{bad};",
               f"page_window: `{member}` must be {must}")
    yield ("window_entries_too_narrow_for_the_reach", "window_entry_bytes",
           "static constexpr wddmcore::bytes window_entry_bytes{4};",
           "page_window: `window_entry_bytes` must be 4 or 8 bytes, enough for the last page number within")
    for member, form, spoilt in WINDOW_FUNCTIONS:
        wanted = f"page_window: `{member}` cannot be called as `{form}`"
        yield f"{member}_missing", member, "", wanted
        yield f"{member}_cannot_be_called", member, spoilt, wanted


# A fill whose length differs, in the place of `fill_dwords`: case, macros spoilt, expectation.
FILL_MOST = "static constexpr wddmcore::dwords fill_dwords_most{4};"
FILL_OF = ("wddmcore::dwords fill_dwords_of(place_in_memory, wddmcore::bytes, wddmcore::u32) const "
           "{ return wddmcore::dwords{1}; }")
FILL_OF_FORM = ("wddmcore::dwords fill_dwords_of(address destination, wddmcore::bytes size, wddmcore::u32 pattern) "
                "const`")
FILL_LENGTHS = (
    ("fill_dwords_beside_lengths_that_differ", {"fill_dwords": "static constexpr wddmcore::dwords fill_dwords{1};"},
     "fill_engine: `fill_dwords` says that every fill is of one length, `fill_dwords_most` and `fill_dwords_of` say"),
    ("fill_dwords_most_missing", {"fill_dwords_most": ""},
     "fill_engine: `fill_dwords_most` is missing or not public: write `static constexpr wddmcore::dwords "
     "fill_dwords_most{...};`"),
    ("fill_dwords_most_not_static", {"fill_dwords_most": "wddmcore::dwords fill_dwords_most{4};"},
     "fill_engine: `fill_dwords_most` exists but is not a `static constexpr wddmcore::dwords`"),
    ("fill_dwords_most_out_of_range", {"fill_dwords_most": "static constexpr wddmcore::dwords fill_dwords_most{257};"},
     "fill_engine: `fill_dwords_most` must be 1 to 256 dwords"),
    ("fill_dwords_most_of_nothing", {"fill_dwords_most": "static constexpr wddmcore::dwords fill_dwords_most{0};"},
     "fill_engine: `fill_dwords_most` must be 1 to 256 dwords"),
    ("fill_dwords_of_missing", {"fill_dwords_of": ""},
     f"fill_engine: `fill_dwords_of` is missing or not public: write `{FILL_OF_FORM}"),
    ("fill_dwords_of_cannot_be_called",
     {"fill_dwords_of": "wddmcore::u32 fill_dwords_of(place_in_memory, wddmcore::bytes, wddmcore::u32) const "
                        "{ return 1; }"},
     f"fill_engine: `fill_dwords_of` exists but cannot be called as `{FILL_OF_FORM}"),
    ("no_length_of_a_fill", {"fill_dwords_most": "", "fill_dwords_of": ""},
     "fill_engine: `fill_dwords` is missing or not public: write `static constexpr wddmcore::dwords "
     "fill_dwords{...};`"),
)


def fill_cases():
    good = {"fill_dwords": "", "fill_dwords_most": FILL_MOST, "fill_dwords_of": FILL_OF}
    for name, spoilt, expectation in FILL_LENGTHS:
        yield listed(name, FORM, [f"expect: {expectation}"],
                     both=[(macro(one), text) for one, text in good.items() if one not in spoilt],
                     good=[(macro(one), good[one]) for one in spoilt],
                     bad=[(macro(one), text) for one, text in spoilt.items()])


# Numbers that are chosen within a range: case, member, a range that is good, a worse one, expectation. Each rule holds
# for the whole range: here it breaks at one end, or with one end of another number.
RANGES = (
    *((f"{member}_of_no_range", member, good, f"{{{least}}}, wddmcore::bytes{{{most}}}",
       f"{concept}: `{member}` is chosen within a range whose least is above its most")
      for concept, member, good, least, most in (
          ("copy_engine", "copy_max", "{4096}, wddmcore::mib", 8192, 4096),
          ("copy_engine", "copy_alignment", "{4}, wddmcore::bytes{64}", 8, 4),
          ("fill_engine", "fill_max", "{4096}, wddmcore::mib", 8192, 4096),
          ("fill_engine", "fill_alignment", "{4}, wddmcore::bytes{64}", 8, 4),
          ("fill_engine", "fill_pattern_bytes", "{1}, wddmcore::bytes{4}", 4, 1))),
    ("copy_max_least_below_alignment", "copy_max", "{4}, wddmcore::mib", "{3}, wddmcore::mib",
     "copy_engine: `copy_max` must be at least `copy_alignment`"),
    ("copy_alignment_most_above_limit", "copy_alignment", "{4}, wddmcore::bytes{4096}", "{4}, wddmcore::bytes{8192}",
     "copy_engine: `copy_alignment` must divide 4096 bytes"),
    ("copy_alignment_least_of_nothing", "copy_alignment", "{1}, wddmcore::bytes{4}", "{0}, wddmcore::bytes{4}",
     "copy_engine: `copy_alignment` must divide 4096 bytes"),
    ("fill_max_least_below_alignment", "fill_max", "{4}, wddmcore::mib", "{2}, wddmcore::mib",
     "fill_engine: `fill_max` must be at least `fill_alignment`"),
    ("fill_alignment_least_below_pattern", "fill_alignment", "{4}, wddmcore::bytes{64}", "{2}, wddmcore::bytes{64}",
     "fill_engine: `fill_alignment` must divide 4096 bytes and be a multiple of the pattern's width"),
    ("fill_alignment_most_above_page", "fill_alignment", "{4}, wddmcore::bytes{64}", "{4}, wddmcore::bytes{8192}",
     "fill_engine: `fill_alignment` must divide 4096 bytes and be a multiple of the pattern's width"),
    ("fill_pattern_bytes_least_of_two", "fill_pattern_bytes", "{1}, wddmcore::bytes{4}", "{2}, wddmcore::bytes{4}",
     "fill_engine: `fill_pattern_bytes` must be 4, or 1"),
    ("fill_pattern_bytes_most_of_eight", "fill_pattern_bytes", "{1}, wddmcore::bytes{4}", "{1}, wddmcore::bytes{8}",
     "fill_engine: `fill_pattern_bytes` must be 4, or 1"),
)


def chosen(member, ends, kind="bytes", of="good_gpu"):
    """The text of a member that is chosen within a range, and of the object's own."""
    own = f"own_{member}"
    return (f"wddmcore::{kind} {own}{{}}; "
            f"static constexpr wddmcore::chosen_within {member}{{wddmcore::bytes{ends}, &{of}::{own}}};")


def range_cases():
    for name, member, good, bad, expectation in RANGES:
        yield listed(name, FORM, [f"expect: {expectation}"], good=[(macro(member), chosen(member, good))],
                     bad=[(macro(member), chosen(member, bad))])
    # A range for which some chip breaks a rule that every chip keeps with the other's constant.
    yield listed("copy_max_least_below_the_most_of_alignment", FORM,
                 ["expect: copy_engine: `copy_max` must be at least `copy_alignment`"],
                 both=[(macro("copy_max"), chosen("copy_max", "{32}, wddmcore::mib"))],
                 good=[(macro("copy_alignment"), chosen("copy_alignment", "{4}, wddmcore::bytes{32}"))],
                 bad=[(macro("copy_alignment"), chosen("copy_alignment", "{4}, wddmcore::bytes{64}"))])
    # Page tables, of which a chip has one of several: every rule holds for each.
    for name, second, expectation in (
            ("unsound", ".levels[1].index_bits = 0", "page tables: `index_bits` of a level is 0"),
            ("of_other_leaves", ".levels[0].entry_bytes = 4",
             "page tables: geometries that are `chosen_among` must agree in `leaf`"),
            ("with_entries_too_large_for_a_write", ".levels[3].entry_bytes = 16",
             "page_table_writer: `write_max` must be a whole number of the largest entries, at least one")):
        tables = ("wddmcore::u32 which = 0; static constexpr wddmcore::chosen_among page_tables{{{{four_levels, "
                  "changed(four_levels, [](auto& g) {{ {0}; }})}}, &good_gpu::which}};")
        yield listed(f"page_tables_{name}", FORM, [f"expect: {expectation}"],
                     both=[(macro("write_max"), "static constexpr wddmcore::dwords write_max{2};")],
                     good=[(macro("page_tables"), tables.format("g.levels[1].index_bits = 10"))],
                     bad=[(macro("page_tables"), tables.format("g" + second))])
    yield case("page_tables_chosen_by_another_type", "page_tables",
               "struct other { wddmcore::u32 which; }; static constexpr wddmcore::chosen_among "
               "page_tables{{four_levels, four_levels}, &other::which};",
               "page_table_format: `page_tables` exists but is not a `static constexpr "
               "wddmcore::gpuva::page_table_geometry`, nor `chosen_among` several")
    yield case("entry_limits_chosen_by_another_type", "entry_limits",
               "struct other { wddmcore::u32 which; }; static constexpr wddmcore::chosen_among "
               "entry_limits{{wddmcore::page_table_entry_limits{36}, wddmcore::page_table_entry_limits{40}}, "
               "&other::which};",
               "page_table_format: `entry_limits` exists but is not a `static constexpr "
               "wddmcore::page_table_entry_limits`, nor `chosen_among` several")
    for name, second, expectation in (
            ("unsound", "53", "page_table_format: `entry_limits` must have 1 to 52 page_number_bits, 1 to 64 adapters, "
             "and valid_word 0 or 1"),
            ("with_other_adapters", "36, 2", "page_table_format: `entry_limits` that are `chosen_among` must agree in "
             "`adapters` and in `valid_word`"),
            ("with_another_valid_word", "36, 1, 0, 1", "page_table_format: `entry_limits` that are `chosen_among` must "
             "agree in `adapters` and in `valid_word`")):
        limits = ("wddmcore::u32 width = 0; static constexpr wddmcore::chosen_among entry_limits{{{{"
                  "wddmcore::page_table_entry_limits{{36}}, wddmcore::page_table_entry_limits{{{0}}}}}, &good_gpu::width}};")
        yield listed(f"entry_limits_{name}", FORM, [f"expect: {expectation}"],
                     good=[(macro("entry_limits"), limits.format("52"))],
                     bad=[(macro("entry_limits"), limits.format(second))])
    for name, spoilt in (
            ("chosen_by_another_type", "struct other { wddmcore::bytes own; }; static constexpr wddmcore::chosen_within "
             "copy_max{wddmcore::bytes{4}, wddmcore::mib, &other::own};"),
            ("chosen_in_another_unit", "wddmcore::pages own{}; static constexpr wddmcore::chosen_within "
             "copy_max{wddmcore::pages{1}, wddmcore::pages{2}, &good_gpu::own};")):
        yield case(f"copy_max_{name}", "copy_max", spoilt,
                   "copy_engine: `copy_max` exists but is not a `static constexpr wddmcore::bytes`, nor `chosen_within`")


# The address, whose defects are its own.
ADDRESS = (
    ("address_missing", "address", "",
     "address_space: `address` is missing or not public: write `using address = ...;`, an aggregate of at most 16 "
     "bytes"),
    ("address_cannot_be_added_to", "address", "using address = wddmcore::segment_id;",
     "address_space: `address` exists but `address + wddmcore::bytes` does not give an `address`"),
    ("address_too_large", "address",
     "struct address { wddmcore::u64 n[3]; friend address operator+(address a, wddmcore::bytes); };",
     "address_space: `address` is larger than 16 bytes"),
)


# Members that nobody but the type itself can see: the compiler does not tell them from missing ones.
PRIVATE = (
    ("caps", "static constexpr wddmcore::capabilities caps{.version = wddmcore::wddm::v2_9};",
     "hardware type: `caps` is missing or not public"),
    ("copy_dwords", "static constexpr wddmcore::dwords copy_dwords{1};",
     "copy_engine: `copy_dwords` is missing or not public"),
    ("place", "wddmcore::segment_place place(wddmcore::segment_id) const { return {}; }",
     "segment_map: `place` is missing or not public"),
    ("address", "using address = place_in_memory;", "address_space: `address` is missing or not public"),
)


def macro(member):
    """The macro that is a member of good_gpu. gpu_mmu_caps is a concept of the library."""
    return "gpu_caps_of_mmu" if member == "mmu_caps" else f"gpu_{member}"


def case(name, member, replacement, expectation):
    return listed(name, FORM, [f"expect: {expectation}"], bad=[(macro(one), replacement) for one in member.split()])


def cases():
    caps = "static constexpr wddmcore::capabilities"
    yield case("caps_missing", "caps", "",
               f"hardware type: `caps` is missing or not public: write `{caps} caps{{...}};`")
    for kind, text in SPOILT_CONSTANTS:
        spoilt = text.format(type="capabilities", member="caps", value="{.version = wddmcore::wddm::v2_9}")
        yield case(f"caps_{kind}", "caps", spoilt, f"hardware type: `caps` exists but is not a `{caps}`")
    yield from range_cases()
    for index, (concept, member, kind, good, bad, must) in enumerate(CONSTANTS):
        form = f"static constexpr wddmcore::{kind} {member}"
        yield case(f"{member}_missing", member, "", f"{concept}: `{member}` is missing or not public: write `{form}")
        for way, (name, text) in enumerate(SPOILT_CONSTANTS):
            if way == index % len(SPOILT_CONSTANTS) or member in ("copy_max", "page_tables", "mmu_caps"):
                spoilt = text.format(type=kind, member=member, value=good)
                wanted = f"static constexpr wddmcore::{kind}"
                yield case(f"{member}_{name}", member, spoilt,
                           f"{concept}: `{member}` exists but is not a `{wanted}`")
        if bad is not None:
            yield case(f"{member}_out_of_range", member, f"{form}{bad};", f"{concept}: `{member}` {must}")
    for member, text, sentence in PRIVATE:
        yield case(f"{member}_private", member, f"private: {text} public:", sentence)
    for concept, member, form, spoilt in FUNCTIONS:
        yield case(f"{member}_missing", member, "", f"{concept}: `{member}` is missing or not public: write `{form}`")
        yield case(f"{member}_cannot_be_called", member, spoilt,
                   f"{concept}: `{member}` exists but cannot be called as `{form}`")
    without = [(macro(one), "") for one in FLUSH_COMMANDS.split() if one != "flush_granule"]
    yield listed("flush_granule_not_static_without_commands", FORM,
                 ["expect: tlb: `flush_granule` exists but is not a `static constexpr wddmcore::bytes`"],
                 both=[("gpu_caps", f"{caps} caps = tables_of_the_cpu;"), *without],
                 bad=[("gpu_flush_granule", "wddmcore::bytes flush_granule{4096};")])
    yield from fill_cases()
    for row in (*ADDRESS, *OPTIONAL, *LATE, *TABLES, *window_cases()):
        yield case(*row)
