// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/result.hpp"
#include "../base/units.hpp"
#include "callbacks.hpp"

/// Requests to a physical memory object: the arguments of any of eight callbacks as one value, and what two of them
/// give back.
///
/// All functions here: any IRQL, touch no OS state, safe in non-paged code. DDI: WDDM 2.9. `args` is the structure of
/// the driver's header, or its mirror; `level` the IRQL at which the callback will be called.
/// Source pages: ns-d3dkmddi-dxgkargcb_create_physical_memory_object.md, ns-d3dkmddi-dxgkargcb_map_physical_memory.md,
/// ns-d3dkmddi-dxgkargcb_allocate_adl.md, ns-d3dkmddi-dxgkargcb_destroy_physical_memory_object.md.
namespace wddmcore::inline WDDMCORE_ABI::iommu {

/// The callbacks of the family, DxgkCb...
enum class memory_callback : u32 {
    create_physical_memory_object,
    open_physical_memory_object,
    map_physical_memory,
    unmap_physical_memory,
    allocate_adl,
    free_adl,
    close_physical_memory_object,
    destroy_physical_memory_object,
};

/// The kind of memory: DXGK_PHYSICAL_MEMORY_TYPE, with its numbers.
enum class memory_kind : u32 { mdl = 0, contiguous_memory = 1, section = 2, io_space = 3 };

/// Who may use a mapping: DXGK_ACCESS_MODE, with its numbers.
enum class access_mode : u32 { kernel_mode = 0, user_mode = 1 };

/// How the CPU caches the pages: DXGK_MEMORY_CACHING_TYPE by its numbers.
enum class memory_caching : u8 {
    non_cached = 0,
    cached = 1,
    write_combined = 2,
    unknown = 0xFF,  ///< a number that the enumeration does not have
};

namespace detail {

/// @return a CacheType by its number
[[nodiscard]] constexpr memory_caching caching_of(u32 number) noexcept {
    return number <= u32{2} ? static_cast<memory_caching>(number) : memory_caching::unknown;
}

}  // namespace detail

/// One call. Members that the callback does not have keep their defaults: of open, unmap, free and close nothing but
/// `callback` and `level` is written.
struct memory_request {
    memory_callback callback = memory_callback::create_physical_memory_object;
    irql level = passive_level;
    bool adapter = false;                 ///< create: hAdapter is given
    bool handle = false;                  ///< destroy: hAdapterMemoryObject is given
    bool require_contiguous = false;      ///< allocate_adl
    bool reserved_flags = false;          ///< allocate_adl: a bit is set that DXGKARGCB_ALLOCATE_ADL reserves
    memory_kind kind = memory_kind::mdl;  ///< create: Type
    memory_caching caching = memory_caching::cached;  ///< create: CacheType
    access_mode access = access_mode::kernel_mode;    ///< map: AccessMode
    u64 io_base = 0;                                  ///< create: BaseAddress of IO space, else 0
    bytes offset{0};                                  ///< map, allocate_adl
    bytes size{0};                                    ///< create, map, allocate_adl
};

/// @return the request of a DXGKARGCB_CREATE_PHYSICAL_MEMORY_OBJECT; of its union only IOSpace is read, and only if
///         Type says that it is there
template <class Args>
[[nodiscard]] constexpr memory_request create_request(Args const& args, irql level) noexcept {
    auto const kind = static_cast<memory_kind>(static_cast<u32>(args.Type));
    return {.callback = memory_callback::create_physical_memory_object,
            .level = level,
            .adapter = args.hAdapter != nullptr,
            .kind = kind,
            .caching = detail::caching_of(static_cast<u32>(args.CacheType)),
            .io_base = kind == memory_kind::io_space ? static_cast<u64>(args.IOSpace.BaseAddress.QuadPart) : 0,
            .size = {args.Size}};
}

/// @return the request of a DXGKARGCB_MAP_PHYSICAL_MEMORY, before the call: Offset and Size are in and out (ADL-15)
template <class Args>
[[nodiscard]] constexpr memory_request map_request(Args const& args, irql level) noexcept {
    return {.callback = memory_callback::map_physical_memory,
            .level = level,
            .access = static_cast<access_mode>(static_cast<u32>(args.AccessMode)),
            .offset = {args.Offset},
            .size = {args.Size}};
}

/// @return the request of a DXGKARGCB_ALLOCATE_ADL
template <class Args>
[[nodiscard]] constexpr memory_request allocate_adl_request(Args const& args, irql level) noexcept {
    constexpr u32 require_contiguous = 1;
    constexpr u32 prefer_contiguous = 2;
    return {.callback = memory_callback::allocate_adl,
            .level = level,
            .require_contiguous = (args.Flags.Value & require_contiguous) != 0,
            .reserved_flags = (args.Flags.Value & ~(require_contiguous | prefer_contiguous)) != 0,
            .offset = {args.Offset},
            .size = {args.Size}};
}

/// @return the request of a DXGKARGCB_DESTROY_PHYSICAL_MEMORY_OBJECT
template <class Args>
[[nodiscard]] constexpr memory_request destroy_request(Args const& args, irql level) noexcept {
    return {.callback = memory_callback::destroy_physical_memory_object,
            .level = level,
            .handle = args.hAdapterMemoryObject != nullptr};
}

/// What a driver gets from DxgkCbMapPhysicalMemory, whose Offset and Size are in and out, as offsets from
/// pMappedAddress.
///
/// Source page: ns-d3dkmddi-dxgkargcb_map_physical_memory.md.
struct mapping {
    bytes data{0};  ///< where the requested bytes begin: pMappedAddress and this many bytes
    bytes size{0};  ///< everything that is mapped, as unmapping needs it
};

/// The mapping that the system returned for a request (ADL-15).
///
/// @param asked            the Size that went in
/// @param returned_offset  the Offset that came out
/// @param returned_size    the Size that came out; may be larger than asked
/// @return the mapping; errc::out_of_range when it does not hold all requested bytes
[[nodiscard]] constexpr result<mapping> mapping_of(bytes asked, bytes returned_offset, bytes returned_size) noexcept {
    return fits(returned_offset.n, asked.n, returned_size.n) ? good(mapping{returned_offset, returned_size})
                                                             : refused<mapping>(errc::out_of_range);
}

/// The number of pages in an ADL of a given size (ADL-10).
///
/// @param size  bytes, the Size of DXGKARGCB_ALLOCATE_ADL
/// @return size / 4096; errc::misaligned when there is a remainder, errc::overflow when the number does not fit
///         PageCount
[[nodiscard]] constexpr result<u32> pages_of_adl(bytes size) noexcept {
    if (!is_multiple(size.n, page_bytes)) {
        return refused<u32>(errc::misaligned);
    }
    u64 const count = whole_pages(size).n;
    return count > ~u32{0} ? refused<u32>(errc::overflow) : good(static_cast<u32>(count));
}

}  // namespace wddmcore::iommu
