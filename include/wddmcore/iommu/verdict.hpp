// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/breach.hpp"

namespace wddmcore::inline WDDMCORE_ABI::iommu {

/// Whether the DDI allows an event now, according to one of the two machines of this folder.
enum class verdict : u32 {
    allowed,

    begin_inside,          ///< IOM-10: exclusive access begins inside exclusive access
    end_outside,           ///< IOM-10: it ends without having begun
    call_inside,           ///< IOM-10: another call arrives inside
    device_access_inside,  ///< IOM-09: the device reads or writes system memory inside

    irql_too_high,          ///< IOM-14
    needs_memory_objects,   ///< IOM-13: a callback that does not exist with logical remapping
    not_created,            ///< ADL-13: the object does not exist
    created_twice,          ///< ADL-13: it exists already
    unknown_kind,           ///< ADL-13: a Type that DXGK_PHYSICAL_MEMORY_TYPE does not have
    object_without_bytes,   ///< ADL-13: created with a size of 0
    unknown_caching,        ///< ADL-13: a CacheType that DXGK_MEMORY_CACHING_TYPE does not have
    section_not_cached,     ///< ADL-13: a section is cached or write-combined, as the page of its arguments says
    io_space_not_pages,     ///< IOM-21: a base, an offset or a size of IO space is not of whole pages
    opened_by_create,       ///< ADL-13: created with an adapter, so not opened again
    open_already,           ///< ADL-13: another logical adapter has it
    not_open,               ///< ADL-13: an ADL needs an adapter memory handle
    adl_reserved_flags,     ///< ADL-10: a flag beside RequireContiguous and PreferContiguous
    adl_not_pages,          ///< ADL-10
    adl_without_pages,      ///< ADL-10: a list without pages
    adl_too_long,           ///< ADL-10: more pages than fit PageCount
    beyond_object,          ///< ADL-10, ADL-15: a part that is not inside the object
    contiguous_impossible,  ///< ADL-10: RequireContiguous for memory that need not be contiguous
    unknown_access,         ///< ADL-15: an AccessMode that DXGK_ACCESS_MODE does not have
    mapping_without_bytes,  ///< ADL-15: a mapping of 0 bytes
    user_mode_of_io_space,  ///< ADL-15
    nothing_mapped,         ///< ADL-15: more is unmapped than was mapped
    no_adl,                 ///< ADL-12: more is freed than was allocated
    adl_left,               ///< ADL-12: closed or destroyed while an ADL is left
    mapping_left,           ///< ADL-15: destroyed while mapped; the mapping's handle ends with it (derived)
    handle_closed_already,  ///< ADL-14
    handle_left_open,       ///< ADL-14: destroyed without the handle that is still open
    too_many,               ///< more than 2^32 - 1 lists or mappings at once
};

namespace detail {
using verdict_check = wddmcore::detail::first_breach<verdict>;
}

/// Any IRQL, safe in non-paged code.
///
/// @return the id of the rule that a refusal stands for; "" if there is none
[[nodiscard]] constexpr char const* rule_id(verdict v) noexcept {
    using enum verdict;
    switch (v) {
        case allowed:
        case too_many: return "";
        case begin_inside:
        case end_outside:
        case call_inside: return "IOM-10";
        case device_access_inside: return "IOM-09";
        case irql_too_high: return "IOM-14";
        case needs_memory_objects: return "IOM-13";
        case io_space_not_pages: return "IOM-21";
        case not_created:
        case created_twice:
        case unknown_kind:
        case object_without_bytes:
        case unknown_caching:
        case section_not_cached:
        case opened_by_create:
        case open_already:
        case not_open: return "ADL-13";
        case adl_reserved_flags:
        case adl_not_pages:
        case adl_without_pages:
        case adl_too_long:
        case beyond_object:
        case contiguous_impossible: return "ADL-10";
        case unknown_access:
        case mapping_without_bytes:
        case user_mode_of_io_space:
        case nothing_mapped:
        case mapping_left: return "ADL-15";
        case no_adl:
        case adl_left: return "ADL-12";
        case handle_closed_already:
        case handle_left_open: return "ADL-14";
    }
    return "";
}

/// Any IRQL, safe in non-paged code.
///
/// @return what an event or a request breaks, in words; "" for verdict::allowed, "?" for a number without a name
[[nodiscard]] constexpr char const* text_of(verdict what) noexcept {
    switch (what) {
        case verdict::allowed: return "";
        case verdict::begin_inside: return "exclusive access begins inside exclusive access (IOM-10)";
        case verdict::end_outside: return "exclusive access ends without having begun (IOM-10)";
        case verdict::call_inside: return "another DDI call arrives inside exclusive access (IOM-10)";
        case verdict::device_access_inside:
            return "the device reads or writes system memory inside exclusive access (IOM-09)";
        case verdict::irql_too_high: return "the memory callbacks may be called up to APC_LEVEL (IOM-14)";
        case verdict::needs_memory_objects:
            return "the system remaps logical addresses: this earlier callback is unavailable, use physical memory "
                   "objects (IOM-13)";
        case verdict::not_created: return "the object does not exist (ADL-13)";
        case verdict::created_twice: return "the object exists already (ADL-13)";
        case verdict::unknown_kind: return "a Type that DXGK_PHYSICAL_MEMORY_TYPE does not have (ADL-13)";
        case verdict::object_without_bytes: return "an object is created with a size of 0 (ADL-13)";
        case verdict::unknown_caching: return "a CacheType that DXGK_MEMORY_CACHING_TYPE does not have (ADL-13)";
        case verdict::section_not_cached: return "the CacheType of a section is cached or write-combined (ADL-13)";
        case verdict::io_space_not_pages:
            return "a base, an offset or a size of IO space is not of whole pages (IOM-21)";
        case verdict::opened_by_create:
            return "an object that was created with an adapter is open, and not opened again (ADL-13)";
        case verdict::open_already: return "another logical adapter has the object open (ADL-13)";
        case verdict::not_open: return "an ADL needs an adapter memory handle (ADL-13)";
        case verdict::adl_reserved_flags:
            return "an ADL is asked for with a flag beside RequireContiguous and PreferContiguous (ADL-10)";
        case verdict::adl_not_pages: return "offset and size of an ADL are whole pages of 4096 bytes (ADL-10)";
        case verdict::adl_without_pages: return "an ADL of no pages (ADL-10)";
        case verdict::adl_too_long: return "an ADL of more pages than PageCount can say (ADL-10)";
        case verdict::beyond_object: return "a part that does not lie in the object (ADL-10)";
        case verdict::contiguous_impossible: return "RequireContiguous for memory that need not be contiguous (ADL-10)";
        case verdict::unknown_access: return "an AccessMode that DXGK_ACCESS_MODE does not have (ADL-15)";
        case verdict::mapping_without_bytes: return "a mapping of 0 bytes (ADL-15)";
        case verdict::user_mode_of_io_space: return "IO space is mapped for the kernel only (ADL-15)";
        case verdict::nothing_mapped: return "more mappings are unmapped than were mapped (ADL-15)";
        case verdict::no_adl: return "more ADLs are freed than were allocated (ADL-12)";
        case verdict::adl_left: return "closed or destroyed while an ADL is not freed (ADL-12)";
        case verdict::mapping_left: return "destroyed while mapped (ADL-15)";
        case verdict::handle_closed_already: return "the adapter memory handle was closed already (ADL-14)";
        case verdict::handle_left_open:
            return "destroyed without the adapter memory handle that is still open (ADL-14)";
        case verdict::too_many: return "more than 2^32 - 1 lists or mappings at once";
    }
    return "?";
}

}  // namespace wddmcore::iommu
