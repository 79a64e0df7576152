// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "memory_request.hpp"
#include "verdict.hpp"

/// The life of a physical memory object: create, open, map, allocate an ADL, free, close, destroy.
///
/// | request | needs | then |
/// |---|---|---|
/// | create | nothing exists; known kind and cache type, a byte; section, IO space: see below | exists; see below |
/// | open | created without an adapter, not open | the handle is open |
/// | map | a part of it, a byte, a known mode; IO space: whole pages, kernel mode | one more mapping |
/// | unmap | a mapping | one less |
/// | allocate_adl | an open handle, whole pages of it; RequireContiguous: contiguous or IO space | one more ADL |
/// | free_adl | an ADL | one less |
/// | close | an open handle, no ADL | the handle is closed |
/// | destroy | no ADL, no mapping; an open handle is passed, a closed one is not | nothing exists |
///
/// A section is cached or write-combined; IO space begins and ends with a page. With an adapter the handle is open.
///
/// All of them: at APC_LEVEL or below (IOM-14). Memory stays locked while it has an ADL; once the ADL is freed the
/// device must not use its pages (ADL-11). An MDL must live until it is unmapped (IOM-16).
///
/// The library does not store this state. A driver may keep these 24 bytes with each object, ask `judge` before a
/// callback and store `after` when the callback has succeeded; the simulators have a model of their own. An object is
/// used by one thread at a time, or under a lock of the driver.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code. DDI: WDDM 2.9.
/// Source pages: ns-d3dkmddi-dxgkargcb_create_physical_memory_object.md,
/// ns-d3dkmddi-dxgkargcb_open_physical_memory_object.md, ns-d3dkmddi-dxgkargcb_map_physical_memory.md,
/// ns-d3dkmddi-dxgkargcb_allocate_adl.md, ns-d3dkmddi-dxgkargcb_destroy_physical_memory_object.md.
namespace wddmcore::inline WDDMCORE_ABI::iommu {

/// The adapter memory handle of an object.
enum class adapter_handle : u8 {
    none,    ///< never opened
    open,    ///< by create or by open
    closed,  ///< by close
};

/// What is known about an object.
struct physical_memory_object {
    bytes size{0};
    u32 adls = 0;      ///< lists that are not freed yet
    u32 mappings = 0;  ///< CPU mappings that are not unmapped yet
    memory_kind kind = memory_kind::mdl;
    memory_caching caching = memory_caching::cached;  ///< CacheType: of the pages, and so of every mapping
    adapter_handle handle = adapter_handle::none;
    bool exists = false;                ///< it was created or opened
    bool created_with_adapter = false;  ///< and for an adapter
    friend constexpr bool operator==(physical_memory_object const&, physical_memory_object const&) = default;
};
static_assert(sizeof(physical_memory_object) == 24);

namespace detail {

/// @return whether a part consists of whole pages
[[nodiscard]] constexpr bool is_of_pages(bytes offset, bytes size) noexcept {
    return is_multiple(offset.n, page_bytes) && is_multiple(size.n, page_bytes);
}

/// Checks a create (ADL-13, IOM-21): a section is cached or write-combined, IO space begins and ends with a page. No
/// page of the documentation forbids an object of 0 bytes, but nothing could be done with it.
[[nodiscard]] constexpr verdict judge_create(physical_memory_object const& now, memory_request const& asked) noexcept {
    bool const is_io_space = asked.kind == memory_kind::io_space;
    verdict_check check{};
    check.when(now.exists, verdict::created_twice);
    check.when(asked.kind > memory_kind::io_space, verdict::unknown_kind);
    check.when(asked.size.n == 0, verdict::object_without_bytes);
    check.when(asked.caching == memory_caching::unknown, verdict::unknown_caching);
    check.when(asked.kind == memory_kind::section && asked.caching == memory_caching::non_cached,
               verdict::section_not_cached);
    check.when(is_io_space && !is_of_pages({asked.io_base}, asked.size), verdict::io_space_not_pages);
    return check.found.what;
}

/// Checks an open (ADL-13).
///
/// The pages allow one logical adapter. They do not say whether another may open the object after a close; here it may.
[[nodiscard]] constexpr verdict judge_open(physical_memory_object const& now) noexcept {
    if (now.created_with_adapter) {
        return verdict::opened_by_create;
    }
    return now.handle == adapter_handle::open ? verdict::open_already : verdict::allowed;
}

/// Checks a CPU mapping (ADL-15, IOM-21).
[[nodiscard]] constexpr verdict judge_map(physical_memory_object const& now, memory_request const& asked) noexcept {
    bool const is_io_space = now.kind == memory_kind::io_space;
    verdict_check check{};
    check.when(asked.access > access_mode::user_mode, verdict::unknown_access);
    check.when(asked.size.n == 0, verdict::mapping_without_bytes);
    check.when(is_io_space && !is_of_pages(asked.offset, asked.size), verdict::io_space_not_pages);
    check.when(is_io_space && asked.access != access_mode::kernel_mode, verdict::user_mode_of_io_space);
    check.when(!fits(asked.offset.n, asked.size.n, now.size.n), verdict::beyond_object);
    check.when(now.mappings == ~u32{0}, verdict::too_many);
    return check.found.what;
}

/// Checks the allocation of an ADL (ADL-10, ADL-13). PreferContiguous is a hint and never refused; reserved flags are.
[[nodiscard]] constexpr verdict judge_allocate_adl(physical_memory_object const& now,
                                                   memory_request const& asked) noexcept {
    bool const is_io_space = now.kind == memory_kind::io_space;
    bool const is_contiguous = now.kind == memory_kind::contiguous_memory || is_io_space;
    verdict_check check{};
    check.when(now.handle != adapter_handle::open, verdict::not_open);
    check.when(asked.reserved_flags, verdict::adl_reserved_flags);
    check.when(!is_of_pages(asked.offset, asked.size),
               is_io_space ? verdict::io_space_not_pages : verdict::adl_not_pages);
    check.when(asked.size.n == 0, verdict::adl_without_pages);
    check.when(!fits(asked.offset.n, asked.size.n, now.size.n), verdict::beyond_object);
    check.when(!pages_of_adl(asked.size).ok(), verdict::adl_too_long);
    check.when(asked.require_contiguous && !is_contiguous, verdict::contiguous_impossible);
    check.when(now.adls == ~u32{0}, verdict::too_many);
    return check.found.what;
}

/// Checks the closing of the adapter memory handle (ADL-14).
///
/// ADLs are freed through that handle, so none may be left (derived from ADL-12).
[[nodiscard]] constexpr verdict judge_close(physical_memory_object const& now) noexcept {
    verdict_check check{};
    check.when(now.handle == adapter_handle::none, verdict::not_open);
    check.when(now.handle == adapter_handle::closed, verdict::handle_closed_already);
    check.when(now.adls != 0, verdict::adl_left);
    return check.found.what;
}

/// Checks a destroy: ADL-12 (it bugchecks if an ADL is left) and ADL-14 (the handle is closed exactly once).
[[nodiscard]] constexpr verdict judge_destroy(physical_memory_object const& now, memory_request const& asked) noexcept {
    verdict_check check{};
    check.when(now.adls != 0, verdict::adl_left);
    check.when(now.mappings != 0, verdict::mapping_left);
    check.when(!asked.handle && now.handle == adapter_handle::open, verdict::handle_left_open);
    check.add({asked.handle ? judge_close(now) : verdict::allowed});
    return check.found.what;
}

}  // namespace detail

/// Whether a request may be made of an object now (ADL-10, ADL-12 to ADL-15, IOM-14, IOM-21).
///
/// @param now    what is known about the object; before it is created, a default value
/// @param asked  the request, with the IRQL of the call
/// @return allowed, or what it breaks
[[nodiscard]] constexpr verdict judge(physical_memory_object const& now, memory_request const& asked) noexcept {
    if (!may_call_memory_callbacks(asked.level)) {
        return verdict::irql_too_high;
    }
    if (!now.exists && asked.callback != memory_callback::create_physical_memory_object) {
        return verdict::not_created;
    }
    switch (asked.callback) {
        case memory_callback::create_physical_memory_object: return detail::judge_create(now, asked);
        case memory_callback::open_physical_memory_object: return detail::judge_open(now);
        case memory_callback::map_physical_memory: return detail::judge_map(now, asked);
        case memory_callback::unmap_physical_memory:
            return now.mappings == 0 ? verdict::nothing_mapped : verdict::allowed;
        case memory_callback::allocate_adl: return detail::judge_allocate_adl(now, asked);
        case memory_callback::free_adl: return now.adls == 0 ? verdict::no_adl : verdict::allowed;
        case memory_callback::close_physical_memory_object: return detail::judge_close(now);
        case memory_callback::destroy_physical_memory_object: return detail::judge_destroy(now, asked);
    }
    return verdict::allowed;
}

/// @return the object after a successful callback; a request that `judge` refuses changes nothing
[[nodiscard]] constexpr physical_memory_object after(physical_memory_object now, memory_request const& asked) noexcept {
    if (judge(now, asked) != verdict::allowed) {
        return now;
    }
    switch (asked.callback) {
        case memory_callback::create_physical_memory_object:
            return {.size = asked.size,
                    .kind = asked.kind,
                    .caching = asked.caching,
                    .handle = asked.adapter ? adapter_handle::open : adapter_handle::none,
                    .exists = true,
                    .created_with_adapter = asked.adapter};
        case memory_callback::open_physical_memory_object: now.handle = adapter_handle::open; break;
        case memory_callback::map_physical_memory: ++now.mappings; break;
        case memory_callback::unmap_physical_memory: --now.mappings; break;
        case memory_callback::allocate_adl: ++now.adls; break;
        case memory_callback::free_adl: --now.adls; break;
        case memory_callback::close_physical_memory_object: now.handle = adapter_handle::closed; break;
        case memory_callback::destroy_physical_memory_object: return {};
    }
    return now;
}

}  // namespace wddmcore::iommu
