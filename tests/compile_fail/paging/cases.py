# SPDX-License-Identifier: MIT
# Copyright (c) wddmcore contributors
"""Capabilities against the included header, and hardware that has only what its capabilities ask for."""

from listed import listed

FORM = """#include "../hw/good_gpu.hpp"

wddmcore::ntstatus build(good_gpu& gpu, arguments& args) {
    return wddmcore::build_paging_buffer(gpu, args);
}"""

V1_3, V2_0, V2_2, V2_9, V3_2 = (f".version = wddmcore::wddm::{v}" for v in ("v1_3", "v2_0", "v2_2", "v2_9", "v3_2"))
ADL = ".aperture = wddmcore::aperture_forms::adl"
VIRTUAL = ".addresses = wddmcore::paging_addresses::gpu_virtual"
TOO_NEW = "capabilities: `version` is newer than the DXGKDDI_INTERFACE_VERSION of the included header"
TABLES_BY = ".gpu_mmu = wddmcore::claim::{}, .page_tables = wddmcore::update_modes::{}"
OLDEST = "capabilities: `oldest` is above `version`: it is the lowest interface version ever declared"

# Capabilities against the included header: case, capabilities, header, expectation.
CLAIMS = (
    ("adl_aperture_in_an_older_header", f"{V2_9}, {ADL}", "v1_3", TOO_NEW),
    ("adl_aperture_one_version_too_early", f"{V2_9}, {ADL}", "v2_8", TOO_NEW),
    ("perhaps_an_adl_aperture_in_an_older_header", f"{V2_9}, .aperture = wddmcore::aperture_forms::either", "v2_0",
     TOO_NEW),
    ("virtual_paging_in_an_older_header", f"{V2_0}, {VIRTUAL}", "v1_3", TOO_NEW),
    ("highest_visible_address_exclusive", f"{V1_3}, .highest_visible_address = 0x1'0000'0000", "v2_9",
     "capabilities: `highest_visible_address` must be the last byte of a page: the limit is inclusive"),
    ("version_missing", ".aperture = wddmcore::aperture_forms::none", "v2_9",
     "capabilities: `version` is missing: write the highest interface version that the driver declares"),
    ("oldest_above_version", f"{V1_3}, .oldest = wddmcore::wddm::v2_0", "v2_9", OLDEST),
    ("page_tables_in_an_older_header",
     f"{V2_0}, .gpu_mmu = wddmcore::claim::at_run_time, .page_tables = wddmcore::update_modes::cpu_virtual", "v1_3",
     TOO_NEW),
    ("gpu_mmu_forgotten", f"{V2_0}, .page_tables = wddmcore::update_modes::cpu_virtual", "v2_0",
     "capabilities: `page_tables` says how page tables are written, and `gpu_mmu` that there are none"),
    ("update_modes_forgotten", f"{V2_0}, .gpu_mmu = wddmcore::claim::at_run_time", "v2_0",
     "capabilities: `gpu_mmu` may be claimed, so say how page tables are written"),
    ("tiled_resources_in_an_older_header", f"{V2_0}, .tiled_resources = wddmcore::claim::yes", "v1_3", TOO_NEW),
    ("context_updates_in_an_older_header", f"{V2_0}, .context_allocations = wddmcore::claim::yes", "v1_3", TOO_NEW),
    ("residency_in_an_older_header", f"{V2_0}, .residency_notification = wddmcore::claim::yes", "v1_3", TOO_NEW),
    ("residency_ranges_in_an_older_header", f"{V3_2}, .residency_notification = wddmcore::claim::yes", "v3_1", TOO_NEW),
    ("monitored_fences_in_an_older_header", f"{V2_2}, .monitored_fence_signal = wddmcore::claim::at_run_time", "v2_1",
     TOO_NEW),
    ("native_fences_in_an_older_header", f"{V2_9}, .native_fences = wddmcore::claim::yes", "v2_8", TOO_NEW),
    ("mmu_mapping_in_an_older_header", f"{V3_2}, .mmu_mapping = wddmcore::claim::yes", "v3_1", TOO_NEW),
    ("notices_in_an_older_header", f"{V3_2}, .allocation_notification = wddmcore::claim::yes", "v3_1", TOO_NEW),
)

# Hardware that has only what its capabilities ask for: case, capabilities, members that it does without, the one that
# the bad side takes away on top, expectation. The good side is the whole build, which must compile, not only the check.
NOTHING_OPTIONAL = "swizzle_dwords encode_swizzled_copy record_bytes encode_record aperture_entry_dwords " \
                   "encode_aperture_entry allocation_is_busy decrements_dma_size " \
                   "window_slots window_entry_bytes window_page_shift window_write_max window_head_dwords " \
                   "window_flush_dwords window_wait_dwords window_address window_entry_bits encode_window_head " \
                   "encode_window_flush encode_window_wait"
NO_DISCARD = "discard_dwords encode_discard"
NO_ACCESS = "access_dwords encode_read encode_write"
NO_SEGMENTS = "from_segment place is_aperture"
NO_UNIFORM = "entry_page_shift attributes attributes_by_key"
NO_WRITER = "write_max write_head_dwords encode_write_head"
NO_WRITE_OPTIONS = "write_tail_dwords encode_write_tail generate_max generate_entry_bytes generate_dwords " \
                   "encode_generate"
NO_ENTRY_COPIES = "copy_entries_max copy_entries_dwords encode_copy_entries"
NO_FLUSH_RANGES = "flush_granule flush_range_dwords encode_flush_range"
LEAST = (
    ("least_virtual_hardware", f"{V2_9}, {VIRTUAL}",
     f"from_page {NO_SEGMENTS} {NO_ACCESS} store_aperture_entry {NO_DISCARD} {NOTHING_OPTIONAL}", "from_virtual",
     "address_space: `from_virtual` is missing"),
    ("discarding_virtual_hardware", f"{V2_9}, {VIRTUAL}",
     f"from_page {NO_ACCESS} store_aperture_entry {NOTHING_OPTIONAL}", "place", "segment_map: `place` is missing"),
    ("discarding_virtual_hardware_without_addresses", f"{V2_9}, {VIRTUAL}",
     f"from_page {NO_ACCESS} store_aperture_entry {NOTHING_OPTIONAL}", "from_segment",
     "address_space: `from_segment` is missing"),
    ("least_physical_hardware", f"{V2_0}",
     f"from_virtual {NO_ACCESS} store_aperture_entry {NO_DISCARD} {NOTHING_OPTIONAL}", "from_page",
     "address_space: `from_page` is missing"),
    ("least_hardware_with_contexts", f"{V2_0}, {VIRTUAL}, .context_allocations = wddmcore::claim::yes",
     f"from_page {NO_SEGMENTS} {NO_ACCESS} store_aperture_entry {NO_DISCARD} store_context_piece {NOTHING_OPTIONAL}",
     "context_update_at", "context_updater: `context_update_at` is missing"),
    ("contexts_by_place", f"{V2_0}, .context_allocations = wddmcore::claim::yes",
     f"{NO_ACCESS} {NO_DISCARD} {NOTHING_OPTIONAL}", "from_virtual", "address_space: `from_virtual` is missing"),
    ("least_listening_hardware", f"{V3_2}, {VIRTUAL}, .residency_notification = wddmcore::claim::yes",
     f"from_page from_segment {NO_ACCESS} store_aperture_entry {NO_DISCARD} residency_dwords encode_residency "
     f"residency_range_dwords encode_residency_range {NOTHING_OPTIONAL}", "place", "segment_map: `place` is missing"),
    ("least_notified_hardware", f"{V3_2}, {VIRTUAL}, .allocation_notification = wddmcore::claim::yes",
     f"from_page {NO_SEGMENTS} {NO_ACCESS} store_aperture_entry {NO_DISCARD} eviction_block eviction_alignment "
     f"eviction_max eviction_dwords encode_notify_eviction iommu_unmap_max iommu_unmap_dwords "
     f"encode_notify_iommu_unmap has_work {NOTHING_OPTIONAL}", "notify_iommu_unmap",
     "alloc_notifier: nothing hears of a notice"),
    ("least_mapping_hardware", f"{V3_2}, {VIRTUAL}, .mmu_mapping = wddmcore::claim::yes",
     f"from_page {NO_SEGMENTS} {NO_ACCESS} store_aperture_entry {NO_DISCARD} mmu_max mmu_dwords encode_mmu_map "
     f"encode_mmu_unmap {NOTHING_OPTIONAL}", "is_mmu", "mmu_mapper: `is_mmu` is missing"),
    ("least_hardware_with_page_tables", f"{V2_0}, {VIRTUAL}, {TABLES_BY.format('yes', 'cpu_virtual')}",
     f"from_page from_segment {NO_ACCESS} store_aperture_entry {NO_DISCARD} {NO_UNIFORM} {NO_WRITER} "
     f"{NO_WRITE_OPTIONS} {NO_ENTRY_COPIES} {NO_FLUSH_RANGES} {NOTHING_OPTIONAL}", "encode_directory",
     "page_table_format: `encode_directory` is missing"),
    ("least_hardware_with_page_tables_in_segments", f"{V2_0}, {VIRTUAL}, {TABLES_BY.format('yes', 'gpu_physical')}",
     f"{NO_ACCESS} store_aperture_entry {NO_DISCARD} {NO_UNIFORM} {NO_WRITE_OPTIONS} {NO_ENTRY_COPIES} "
     f"{NO_FLUSH_RANGES} {NOTHING_OPTIONAL}", "from_page", "address_space: `from_page` is missing"),
    ("perhaps_page_tables", f"{V2_0}, {VIRTUAL}, {TABLES_BY.format('at_run_time', 'gpu_virtual')}",
     f"from_page from_segment {NO_ACCESS} store_aperture_entry {NO_DISCARD} {NO_UNIFORM} {NO_WRITE_OPTIONS} "
     f"{NO_ENTRY_COPIES} {NO_FLUSH_RANGES} {NOTHING_OPTIONAL}", "encode_write_head",
     "page_table_writer: `encode_write_head` is missing"),
    ("page_tables_without_a_flush", f"{V2_0}, {VIRTUAL}, {TABLES_BY.format('yes', 'gpu_virtual')}",
     f"from_page from_segment {NO_ACCESS} store_aperture_entry {NO_DISCARD} {NO_UNIFORM} {NO_WRITE_OPTIONS} "
     f"{NO_ENTRY_COPIES} {NO_FLUSH_RANGES} {NOTHING_OPTIONAL}", "encode_flush", "tlb: `encode_flush` is missing"),
    ("least_hardware_with_tiled_resources",
     f"{V2_0}, {VIRTUAL}, {TABLES_BY.format('yes', 'gpu_virtual')}, .tiled_resources = wddmcore::claim::at_run_time",
     f"from_page from_segment {NO_ACCESS} store_aperture_entry {NO_DISCARD} {NO_UNIFORM} {NO_WRITE_OPTIONS} "
     f"{NO_FLUSH_RANGES} {NOTHING_OPTIONAL}", "encode_copy_entries",
     "page_table_copier: `encode_copy_entries` is missing"),
    ("least_hardware_of_all_versions", f"{V1_3}, .aperture = wddmcore::aperture_forms::mdl",
     f"from_virtual {NO_DISCARD} {NOTHING_OPTIONAL}", "store_aperture_entry",
     "aperture: `store_aperture_entry` is missing"),
)


def caps(claims):
    return "gpu_caps", f"static constexpr wddmcore::capabilities caps{{{claims}}};"


def cases():
    for name, claims, header, expectation in CLAIMS:
        first = claims.split(", ")[0]
        good = first if first.startswith(".version") and expectation != TOO_NEW else V1_3
        arguments = ("gpu_arguments", f"wddmcore::mirror::{header}::dxgkarg_buildpagingbuffer")
        yield listed(name, FORM, [f"expect: {expectation}"], [arguments], [caps(claims)], [caps(good)])
    for name, claims, without, taken, expectation in LEAST:
        yield listed(name, FORM, [f"expect: {expectation}"],
                     [caps(claims), *((f"gpu_{member}", "") for member in without.split())], [(f"gpu_{taken}", "")])
