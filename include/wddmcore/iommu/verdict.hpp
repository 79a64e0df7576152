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

/// The verdicts in the order of their enumeration.
inline constexpr wddmcore::detail::rule_words verdicts[] = {
    {"", ""},
    {"IOM-10", "exclusive access begins inside exclusive access (IOM-10)"},
    {"IOM-10", "exclusive access ends without having begun (IOM-10)"},
    {"IOM-10", "another DDI call arrives inside exclusive access (IOM-10)"},
    {"IOM-09", "the device reads or writes system memory inside exclusive access (IOM-09)"},
    {"IOM-14", "the memory callbacks may be called up to APC_LEVEL (IOM-14)"},
    {"ADL-13", "the object does not exist (ADL-13)"},
    {"ADL-13", "the object exists already (ADL-13)"},
    {"ADL-13", "a Type that DXGK_PHYSICAL_MEMORY_TYPE does not have (ADL-13)"},
    {"ADL-13", "an object is created with a size of 0 (ADL-13)"},
    {"ADL-13", "a CacheType that DXGK_MEMORY_CACHING_TYPE does not have (ADL-13)"},
    {"ADL-13", "the CacheType of a section is cached or write-combined (ADL-13)"},
    {"IOM-21", "a base, an offset or a size of IO space is not of whole pages (IOM-21)"},
    {"ADL-13", "an object that was created with an adapter is open, and not opened again (ADL-13)"},
    {"ADL-13", "another logical adapter has the object open (ADL-13)"},
    {"ADL-13", "an ADL needs an adapter memory handle (ADL-13)"},
    {"ADL-10", "an ADL is asked for with a flag beside RequireContiguous and PreferContiguous (ADL-10)"},
    {"ADL-10", "offset and size of an ADL are whole pages of 4096 bytes (ADL-10)"},
    {"ADL-10", "an ADL of no pages (ADL-10)"},
    {"ADL-10", "an ADL of more pages than PageCount can say (ADL-10)"},
    {"ADL-10", "a part that does not lie in the object (ADL-10)"},
    {"ADL-10", "RequireContiguous for memory that need not be contiguous (ADL-10)"},
    {"ADL-15", "an AccessMode that DXGK_ACCESS_MODE does not have (ADL-15)"},
    {"ADL-15", "a mapping of 0 bytes (ADL-15)"},
    {"ADL-15", "IO space is mapped for the kernel only (ADL-15)"},
    {"ADL-15", "more mappings are unmapped than were mapped (ADL-15)"},
    {"ADL-12", "more ADLs are freed than were allocated (ADL-12)"},
    {"ADL-12", "closed or destroyed while an ADL is not freed (ADL-12)"},
    {"ADL-15", "destroyed while mapped (ADL-15)"},
    {"ADL-14", "the adapter memory handle was closed already (ADL-14)"},
    {"ADL-14", "destroyed without the adapter memory handle that is still open (ADL-14)"},
    {"", "more than 2^32 - 1 lists or mappings at once"},
};
static_assert(sizeof verdicts / sizeof *verdicts == static_cast<u32>(verdict::too_many) + 1);

[[nodiscard]] constexpr wddmcore::detail::rule_words words_of(verdict what) noexcept {
    u32 const row = static_cast<u32>(what);
    return row < sizeof verdicts / sizeof *verdicts ? verdicts[row] : wddmcore::detail::rule_words{"", "?"};
}

}  // namespace detail

/// Any IRQL, safe in non-paged code.
///
/// @return the id of the rule that a refusal stands for; "" if there is none
[[nodiscard]] constexpr char const* rule_id(verdict v) noexcept { return detail::words_of(v).id; }

/// Any IRQL, safe in non-paged code.
///
/// @return what an event or a request breaks, in words; "" for verdict::allowed, "?" for a number without a name
[[nodiscard]] constexpr char const* text_of(verdict what) noexcept { return detail::words_of(what).text; }

}  // namespace wddmcore::iommu
