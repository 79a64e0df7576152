// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../../../mirror.hpp"

#include <cstddef>
#include <cstdint>

#if defined(__x86_64__) && defined(__linux__)

/// Structures of the calls that open allocations, present and render, each in its newest form, of which an older
/// version has the beginning (registration_tables.hpp has the sizes). Those of lists are the mirror's.
namespace wddmcore::inline WDDMCORE_ABI::testing::certify_parts::object_layouts {

struct opened_allocation {     // DXGK_OPENALLOCATIONINFO
    std::uint32_t allocation;  // D3DKMT_HANDLE
    void* private_data;
    std::uint32_t private_data_size;
    void* device_specific;
};
static_assert(sizeof(opened_allocation) == 32 && offsetof(opened_allocation, device_specific) == 24);

inline constexpr std::uint32_t open_creates = 1;  // Create of DXGK_OPENALLOCATIONFLAGS

struct open_allocation {  // DXGKARG_OPENALLOCATION
    std::uint32_t count;
    opened_allocation* list;
    void const* private_data;
    std::uint32_t private_data_size;
    std::uint32_t flags;
    std::uint32_t subresource;
    std::uint64_t subresource_offset;
    std::uint32_t pitch;
};
static_assert(sizeof(open_allocation) == 56 && offsetof(open_allocation, flags) == 28 &&
              offsetof(open_allocation, pitch) == 48);

struct close_allocation {  // DXGKARG_CLOSEALLOCATION
    std::uint32_t count;
    void* const* list;
};
static_assert(sizeof(close_allocation) == 16);

struct rectangle {  // RECT
    std::int32_t left, top, right, bottom;
};

using patch_location = mirror::vista::d3dddi_patchlocationlist;
using listed_allocation = mirror::vista::dxgk_allocationlist;

// Bits of DXGK_PRESENTFLAGS.
inline constexpr std::uint32_t present_blt = 1;
inline constexpr std::uint32_t present_color_fill = 2;
inline constexpr std::uint32_t present_flip = 4;

inline constexpr std::uint32_t source_index = 1;       // DXGK_PRESENT_SOURCE_INDEX
inline constexpr std::uint32_t destination_index = 2;  // DXGK_PRESENT_DESTINATION_INDEX
inline constexpr std::uint32_t list_entries = 3;       // entry 0 is always empty, for renders too

struct presented_allocation {  // DXGK_PRESENTALLOCATIONINFO
    void* device_specific;
    std::uint64_t virtual_address;
    std::uint64_t physical_address;
    std::uint16_t segment;
    std::uint16_t adapter;
};
static_assert(sizeof(presented_allocation) == 32 && offsetof(presented_allocation, segment) == 24);

struct present {  // DXGKARG_PRESENT
    std::byte* dma_buffer;
    std::uint32_t dma_size;
    std::byte* private_data;
    std::uint32_t private_data_size;
    listed_allocation* allocations;
    patch_location* patches;
    std::uint32_t patches_size;
    std::uint32_t multipass_offset;
    std::uint32_t color;
    rectangle destination;
    rectangle source;
    std::uint32_t parts_count;
    rectangle const* parts;
    std::uint32_t flip_interval;
    std::uint32_t flags;
    std::uint32_t dma_segment;
    std::uint64_t dma_address;
    std::uint32_t reserved;
    std::uint64_t dma_virtual_address;
    std::uint32_t source_count;
    std::uint32_t destination_count;
    std::uint32_t driver_data_size;
    void* driver_data;
};
static_assert(sizeof(present) == 168 && offsetof(present, patches) == 40 && offsetof(present, destination) == 60 &&
              offsetof(present, parts) == 96 && offsetof(present, flags) == 108 &&
              offsetof(present, dma_address) == 120 && offsetof(present, driver_data) == 160);

struct render {  // DXGKARG_RENDER
    std::byte const* command;
    std::uint32_t command_length;
    std::byte* dma_buffer;
    std::uint32_t dma_size;
    std::byte* private_data;
    std::uint32_t private_data_size;
    listed_allocation* allocations;
    std::uint32_t allocations_size;
    patch_location const* patches_in;
    std::uint32_t patches_in_size;
    patch_location* patches;
    std::uint32_t patches_size;
    std::uint32_t multipass_offset;
    std::uint32_t dma_segment;
    std::uint64_t dma_address;
};
static_assert(sizeof(render) == 112 && offsetof(render, dma_buffer) == 16 && offsetof(render, patches_in) == 64 &&
              offsetof(render, patches) == 80 && offsetof(render, multipass_offset) == 92 &&
              offsetof(render, dma_address) == 104);

}  // namespace wddmcore::testing::certify_parts::object_layouts

#endif
