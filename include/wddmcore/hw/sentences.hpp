// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "broken_promise.hpp"

/// The sentences about a wrong hardware type: one static assertion each, in a function template that takes the member
/// and the defect as scalar arguments, so that exactly one error appears and it says what to do.
namespace wddmcore::inline WDDMCORE_ABI::hw {

/// Says what is wrong, as one compile error; says nothing for member::none. Always true.
template <member What, defect How>
consteval bool sentence() {
    constexpr auto wrong = [](member what, defect how) { return What == what && How == how; };
    using enum defect;

    static_assert(!wrong(member::caps, missing),
                  "hardware type: `caps` is missing: write `static constexpr wddmcore::capabilities caps{...};`");
    static_assert(!wrong(member::caps, not_a_constant),
                  "hardware type: `caps` exists but is not a `static constexpr wddmcore::capabilities`");
    static_assert(
        !wrong(member::declared_version, out_of_range),
        "capabilities: `version` is newer than the DXGKDDI_INTERFACE_VERSION of the included header: an operation "
        "that the capabilities claim has no arguments there");
    static_assert(
        !wrong(member::native_fences, missing),
        "capabilities: `native_fences` is claimed, but DXGKARG_BUILDPAGINGBUFFER of the included header has no "
        "NotifyFenceResidency: headers have it from build 26100 on, whatever version they declare");
    static_assert(!wrong(member::oldest_version, out_of_range),
                  "capabilities: `oldest` is above `version`: it is the lowest interface version ever declared");
    static_assert(!wrong(member::on_paging_fault, missing),
                  "hardware type: `on_paging_fault` is missing: write `wddmcore::disposition "
                  "on_paging_fault(wddmcore::paging_fault const&)`; there is no default answer to a malformed request");
    static_assert(!wrong(member::on_paging_fault, cannot_be_called),
                  "hardware type: `on_paging_fault` exists but cannot be called as `wddmcore::disposition "
                  "on_paging_fault(wddmcore::paging_fault const&)`");
    static_assert(
        !wrong(member::address, missing),
        "address_space: `address` is missing: write `using address = ...;`, an aggregate of at most 16 bytes");
    static_assert(!wrong(member::address, cannot_be_called),
                  "address_space: `address` exists but `address + wddmcore::bytes` does not give an `address`");
    static_assert(!wrong(member::address, out_of_range), "address_space: `address` is larger than 16 bytes");
    static_assert(!wrong(member::from_page, missing),
                  "address_space: `from_page` is missing: write `address from_page(wddmcore::page_number) const`");
    static_assert(
        !wrong(member::from_page, cannot_be_called),
        "address_space: `from_page` exists but cannot be called as `address from_page(wddmcore::page_number) const`");
    static_assert(!wrong(member::from_segment, missing),
                  "address_space: `from_segment` is missing: write `address from_segment(wddmcore::segment_id, "
                  "wddmcore::segment_offset) const`; the offset does not include the segment's base");
    static_assert(
        !wrong(member::from_segment, cannot_be_called),
        "address_space: `from_segment` exists but cannot be called as `address from_segment(wddmcore::segment_id, "
        "wddmcore::segment_offset) const`");
    static_assert(
        !wrong(member::from_virtual, missing),
        "address_space: `from_virtual` is missing: write `address from_virtual(wddmcore::gpu_virtual_address) const`");
    static_assert(!wrong(member::from_virtual, cannot_be_called),
                  "address_space: `from_virtual` exists but cannot be called as `address "
                  "from_virtual(wddmcore::gpu_virtual_address) const`");
    static_assert(
        !wrong(member::place, missing),
        "segment_map: `place` is missing: write `wddmcore::segment_place place(wddmcore::segment_id) const`; a size "
        "of 0 bytes says that there is no such segment");
    static_assert(
        !wrong(member::place, cannot_be_called),
        "segment_map: `place` exists but cannot be called as `wddmcore::segment_place place(wddmcore::segment_id) "
        "const`");
    static_assert(!wrong(member::is_aperture, missing),
                  "segment_map: `is_aperture` is missing: write `bool is_aperture(wddmcore::segment_id) const`");
    static_assert(
        !wrong(member::is_aperture, cannot_be_called),
        "segment_map: `is_aperture` exists but cannot be called as `bool is_aperture(wddmcore::segment_id) const`");
    static_assert(
        !wrong(member::unit_dwords, missing),
        "command_stream: `unit_dwords` is missing: write `static constexpr wddmcore::dwords unit_dwords{...};`, the "
        "grain of the stream in dwords, 1 to 64");
    static_assert(!wrong(member::unit_dwords, not_a_constant),
                  "command_stream: `unit_dwords` exists but is not a `static constexpr wddmcore::dwords`");
    static_assert(!wrong(member::unit_dwords, out_of_range), "command_stream: `unit_dwords` must be 1 to 64 dwords");
    static_assert(!wrong(member::encode_padding, missing),
                  "command_stream: `encode_padding` is missing: write `void encode_padding(wddmcore::u32* at, "
                  "wddmcore::dwords n) const`");
    static_assert(
        !wrong(member::encode_padding, cannot_be_called),
        "command_stream: `encode_padding` exists but cannot be called as `void encode_padding(wddmcore::u32* at, "
        "wddmcore::dwords n) const`");
    static_assert(
        !wrong(member::copy_max, missing),
        "copy_engine: `copy_max` is missing: write `static constexpr wddmcore::bytes copy_max{...};`, the most bytes "
        "of one copy command");
    static_assert(!wrong(member::copy_max, not_a_constant),
                  "copy_engine: `copy_max` exists but is not a `static constexpr wddmcore::bytes`");
    static_assert(!wrong(member::copy_max, out_of_range),
                  "copy_engine: `copy_max` must be at least `copy_alignment`, or no copy could ever be made");
    static_assert(
        !wrong(member::copy_alignment, missing),
        "copy_engine: `copy_alignment` is missing: write `static constexpr wddmcore::bytes copy_alignment{...};`, in "
        "bytes, a divisor of 4096");
    static_assert(!wrong(member::copy_alignment, not_a_constant),
                  "copy_engine: `copy_alignment` exists but is not a `static constexpr wddmcore::bytes`");
    static_assert(!wrong(member::copy_alignment, out_of_range),
                  "copy_engine: `copy_alignment` must divide 4096 bytes: requests are cut at pages");
    static_assert(
        !wrong(member::copy_overlap, missing),
        "copy_engine: `copy_overlap` is missing: write `static constexpr wddmcore::hw::overlap copy_overlap = "
        "wddmcore::hw::overlap::by_direction;` (or safe)");
    static_assert(!wrong(member::copy_overlap, not_a_constant),
                  "copy_engine: `copy_overlap` exists but is not a `static constexpr wddmcore::hw::overlap`");
    static_assert(
        !wrong(member::copy_dwords, missing),
        "copy_engine: `copy_dwords` is missing: write `static constexpr wddmcore::dwords copy_dwords{...};`, the "
        "exact length of what encode_copy writes");
    static_assert(!wrong(member::copy_dwords, not_a_constant),
                  "copy_engine: `copy_dwords` exists but is not a `static constexpr wddmcore::dwords`");
    static_assert(!wrong(member::copy_dwords, out_of_range), "copy_engine: `copy_dwords` must be 1 to 256 dwords");
    static_assert(
        !wrong(member::encode_copy, missing),
        "copy_engine: `encode_copy` is missing: write `void encode_copy(wddmcore::u32* at, address destination, "
        "address source, wddmcore::bytes size) const`");
    static_assert(
        !wrong(member::encode_copy, cannot_be_called),
        "copy_engine: `encode_copy` exists but cannot be called as `void encode_copy(wddmcore::u32* at, address "
        "destination, address source, wddmcore::bytes size) const`");
    static_assert(
        !wrong(member::fill_max, missing),
        "fill_engine: `fill_max` is missing: write `static constexpr wddmcore::bytes fill_max{...};`, the most bytes "
        "of one fill command");
    static_assert(!wrong(member::fill_max, not_a_constant),
                  "fill_engine: `fill_max` exists but is not a `static constexpr wddmcore::bytes`");
    static_assert(!wrong(member::fill_max, out_of_range),
                  "fill_engine: `fill_max` must be at least `fill_alignment`, or no fill could ever be made");
    static_assert(
        !wrong(member::fill_alignment, missing),
        "fill_engine: `fill_alignment` is missing: write `static constexpr wddmcore::bytes fill_alignment{...};`, in "
        "bytes, a divisor of 4096");
    static_assert(!wrong(member::fill_alignment, not_a_constant),
                  "fill_engine: `fill_alignment` exists but is not a `static constexpr wddmcore::bytes`");
    static_assert(
        !wrong(member::fill_alignment, out_of_range),
        "fill_engine: `fill_alignment` must divide 4096 bytes and be a multiple of the pattern's width, so that the "
        "pattern keeps its phase over splits (OP09-02)");
    static_assert(!wrong(member::fill_pattern_bytes, missing),
                  "fill_engine: `fill_pattern_bytes` is missing: write `static constexpr wddmcore::bytes "
                  "fill_pattern_bytes{4};`, or 1 for an engine that repeats one byte");
    static_assert(!wrong(member::fill_pattern_bytes, not_a_constant),
                  "fill_engine: `fill_pattern_bytes` exists but is not a `static constexpr wddmcore::bytes`");
    static_assert(!wrong(member::fill_pattern_bytes, out_of_range),
                  "fill_engine: `fill_pattern_bytes` must be 4, or 1 for an engine that repeats one byte");
    static_assert(
        !wrong(member::fill_dwords, missing),
        "fill_engine: `fill_dwords` is missing: write `static constexpr wddmcore::dwords fill_dwords{...};`, the "
        "exact length of what encode_fill writes, or `fill_dwords_most` and `fill_dwords_of` where it differs");
    static_assert(!wrong(member::fill_dwords, not_a_constant),
                  "fill_engine: `fill_dwords` exists but is not a `static constexpr wddmcore::dwords`");
    static_assert(!wrong(member::fill_dwords, out_of_range), "fill_engine: `fill_dwords` must be 1 to 256 dwords");
    static_assert(
        !wrong(member::fill_lengths, out_of_range),
        "fill_engine: `fill_dwords` says that every fill is of one length, `fill_dwords_most` and `fill_dwords_of` say "
        "that they differ: keep one of both");
    static_assert(!wrong(member::fill_dwords_most, missing),
                  "fill_engine: `fill_dwords_most` is missing: write `static constexpr wddmcore::dwords "
                  "fill_dwords_most{...};`, the most that `fill_dwords_of` answers");
    static_assert(!wrong(member::fill_dwords_most, not_a_constant),
                  "fill_engine: `fill_dwords_most` exists but is not a `static constexpr wddmcore::dwords`");
    static_assert(!wrong(member::fill_dwords_most, out_of_range),
                  "fill_engine: `fill_dwords_most` must be 1 to 256 dwords");
    static_assert(
        !wrong(member::fill_dwords_of, missing),
        "fill_engine: `fill_dwords_of` is missing: write `wddmcore::dwords fill_dwords_of(address destination, "
        "wddmcore::bytes size, wddmcore::u32 pattern) const`, the exact length of what encode_fill writes for these");
    static_assert(
        !wrong(member::fill_dwords_of, cannot_be_called),
        "fill_engine: `fill_dwords_of` exists but cannot be called as `wddmcore::dwords fill_dwords_of(address "
        "destination, wddmcore::bytes size, wddmcore::u32 pattern) const`");
    static_assert(
        !wrong(member::encode_fill, missing),
        "fill_engine: `encode_fill` is missing: write `void encode_fill(wddmcore::u32* at, address destination, "
        "wddmcore::bytes size, wddmcore::u32 pattern) const`");
    static_assert(
        !wrong(member::encode_fill, cannot_be_called),
        "fill_engine: `encode_fill` exists but cannot be called as `void encode_fill(wddmcore::u32* at, address "
        "destination, wddmcore::bytes size, wddmcore::u32 pattern) const`");
    static_assert(
        !wrong(member::access_dwords, missing),
        "physical_accessor: `access_dwords` is missing: write `static constexpr wddmcore::dwords access_dwords{...};` "
        "(operations 3 and 4 reach every driver with physical addresses that ever declares less than WDDM 2.0)");
    static_assert(!wrong(member::access_dwords, not_a_constant),
                  "physical_accessor: `access_dwords` exists but is not a `static constexpr wddmcore::dwords`");
    static_assert(!wrong(member::access_dwords, out_of_range),
                  "physical_accessor: `access_dwords` must be 1 to 256 dwords");
    static_assert(
        !wrong(member::encode_read, missing),
        "physical_accessor: `encode_read` is missing: write `void encode_read(wddmcore::u32* at, address) const`");
    static_assert(
        !wrong(member::encode_read, cannot_be_called),
        "physical_accessor: `encode_read` exists but cannot be called as `void encode_read(wddmcore::u32* at, "
        "address) const`");
    static_assert(
        !wrong(member::encode_write, missing),
        "physical_accessor: `encode_write` is missing: write `void encode_write(wddmcore::u32* at, address) const`");
    static_assert(
        !wrong(member::encode_write, cannot_be_called),
        "physical_accessor: `encode_write` exists but cannot be called as `void encode_write(wddmcore::u32* at, "
        "address) const`");
    static_assert(
        !wrong(member::store_aperture_entry, missing),
        "aperture: `store_aperture_entry` is missing: write `void store_aperture_entry(wddmcore::segment_id, "
        "wddmcore::u64 index, wddmcore::page_number, bool coherent)`; aperture operations also come without a buffer");
    static_assert(
        !wrong(member::store_aperture_entry, cannot_be_called),
        "aperture: `store_aperture_entry` exists but cannot be called as `void "
        "store_aperture_entry(wddmcore::segment_id, wddmcore::u64 index, wddmcore::page_number, bool coherent)`");
    static_assert(
        !wrong(member::aperture_entry_dwords, not_a_constant),
        "aperture: `encode_aperture_entry` needs `static constexpr wddmcore::dwords aperture_entry_dwords{...};`");
    static_assert(
        !wrong(member::encode_aperture_entry, cannot_be_called),
        "aperture: `encode_aperture_entry` exists but cannot be called as `void "
        "encode_aperture_entry(wddmcore::u32* at, wddmcore::segment_id, wddmcore::u64 index, wddmcore::page_number, "
        "bool coherent) const`");
    static_assert(
        !wrong(member::discard_dwords, cannot_be_called),
        "content_discarder: `encode_discard` and `static constexpr wddmcore::dwords discard_dwords` go together and do "
        "not fit `void encode_discard(wddmcore::u32* at, address, void* allocation) const`");
    static_assert(
        !wrong(member::swizzle_dwords, cannot_be_called),
        "swizzle_copy_engine: `encode_swizzled_copy` and `static constexpr wddmcore::dwords "
        "swizzle_dwords` go together and do not fit `void encode_swizzled_copy(wddmcore::u32* at, wddmcore::hw::swizzled_copy<Hw> "
        "const&) const`");
    static_assert(
        !wrong(member::record_bytes, cannot_be_called),
        "submission_recorder: `encode_record` and `static constexpr wddmcore::bytes record_bytes` go together and do "
        "not fit `void encode_record(void* at, wddmcore::paging_record const&) const`");
    static_assert(!wrong(member::aperture_entry_dwords, out_of_range),
                  "aperture: `aperture_entry_dwords` must be 1 to 256 dwords");
    static_assert(!wrong(member::discard_dwords, out_of_range),
                  "content_discarder: `discard_dwords` must be 1 to 256 dwords");
    static_assert(!wrong(member::swizzle_dwords, out_of_range),
                  "swizzle_copy_engine: `swizzle_dwords` must be 1 to 256 dwords");
    static_assert(!wrong(member::record_bytes, out_of_range),
                  "submission_recorder: `record_bytes` must not be 0; leave it out where no record is kept");
    static_assert(!wrong(member::allocation_is_busy, cannot_be_called),
                  "busy_reporter: `allocation_is_busy` exists but cannot be called as `bool allocation_is_busy(void* "
                  "allocation) const`");
    static_assert(!wrong(member::decrements_dma_size, not_a_constant),
                  "defaults: `decrements_dma_size` exists but is not a `static constexpr bool`");
    static_assert(!wrong(member::paged_by_cpu, not_a_constant),
                  "defaults: `paged_by_cpu` exists but is not a `static constexpr bool`");
    static_assert(!wrong(member::highest_visible_address, out_of_range),
                  "capabilities: `highest_visible_address` must be the last byte of a page: the limit is inclusive");
    static_assert(
        !wrong(member::gpu_mmu, missing),
        "capabilities: `page_tables` says how page tables are written, and `gpu_mmu` that there are none: write "
        "`.gpu_mmu = claim::yes`, or `at_run_time`");
    static_assert(!wrong(member::update_modes, missing),
                  "capabilities: `gpu_mmu` may be claimed, so say how page tables are written: `.page_tables = "
                  "update_modes::cpu_virtual`, `gpu_virtual`, `gpu_physical`, or several with `|`");
    return true;
}

}  // namespace wddmcore::hw
