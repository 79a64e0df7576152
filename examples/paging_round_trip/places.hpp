// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "adapter.hpp"
#include "gart_bus.hpp"
#include "page_lists.hpp"
#include "rigs.hpp"

#include <wddmcore/ddi/mirror/mirror.hpp>

#include <span>
#include <type_traits>

/// Where the parts of the simulated adapters lie, and what all adapters tell the simulator.
namespace wddmcore::examples {

inline constexpr u64 aperture_base = 0x2000'0000'0000;
inline constexpr u64 memory_base = 0x2010'0000'0000;
inline constexpr u64 system_base = 0x2100'0000'0000;  // system page 0, far above the segments
inline constexpr u64 places_end = 0x4000'0000'0000;
static_assert(system_base + (highest_page + 1) * page_bytes == places_end);
inline constexpr u64 aperture_entry_count = aperture_bytes / page_bytes;

/// The adapter's own memory, in front of its memory segment and in no segment: tables and records that the driver and
/// the hardware share.
class own_memory {
public:
    static constexpr u64 size = u64{4} << 20;
    static constexpr u64 base = memory_base - size;

    static constexpr u64 scratch = 0;
    static constexpr u64 semaphore = 0x1000;
    static constexpr u64 image = 0x2000;
    static constexpr u64 fences = 0x8000;
    static constexpr u64 aperture_table = 0x1'0000;
    static constexpr u64 mmu_table = 0x2'0000;
    static constexpr u64 lists = 0x10'0000;
    static constexpr u64 stream = 0x20'0000;

    [[nodiscard]] static constexpr u64 address(u64 at) { return base + at; }
    [[nodiscard]] u64* words(u64 at) { return words_.data() + at / 8; }
    [[nodiscard]] u64 word(u64 at) const { return words_[static_cast<std::size_t>(at / 8)]; }
    [[nodiscard]] std::span<std::byte> all() { return std::as_writable_bytes(std::span(words_)); }

private:
    std::vector<u64> words_ = std::vector<u64>(static_cast<std::size_t>(size / 8));
};

/// The structures of the version that a hardware type declares.
template <class Hw>
constexpr auto driver_for() {
    if constexpr (Hw::caps.version < wddm::v2_0) {
        return std::type_identity<
            paging_driver<Hw, mirror::v1_3::dxgkarg_buildpagingbuffer, mirror::v1_3::dxgkarg_patch,
                          mirror::v1_3::dxgkarg_submitcommand, mirror::v2_0::dxgkarg_submitcommandvirtual>>{};
    } else if constexpr (Hw::caps.version < wddm::v3_2) {
        return std::type_identity<
            paging_driver<Hw, mirror::v2_9::dxgkarg_buildpagingbuffer, mirror::v2_9::dxgkarg_patch,
                          mirror::v2_9::dxgkarg_submitcommand, mirror::v2_9::dxgkarg_submitcommandvirtual>>{};
    } else {
        return std::type_identity<
            paging_driver<Hw, mirror::v3_2::dxgkarg_buildpagingbuffer, mirror::v3_2::dxgkarg_patch,
                          mirror::v3_2::dxgkarg_submitcommand, mirror::v3_2::dxgkarg_submitcommandvirtual>>{};
    }
}
template <class Hw>
using driver_of = typename decltype(driver_for<Hw>())::type;

template <class Hw>
[[nodiscard]] testing::vidmm_options options_of(u64 memory_bytes) {
    constexpr bool is_virtual = contains(Hw::caps.addresses, paging_addresses::gpu_virtual);
    testing::vidmm_options options;
    options.addressing = is_virtual ? testing::vidmm_addressing::gpu_virtual : testing::vidmm_addressing::physical;
    options.aperture = is_virtual ? testing::vidmm_aperture::adl : testing::vidmm_aperture::mdl;
    options.segments = {{.id = aperture_segment,
                         .base = aperture_base,
                         .size = aperture_bytes,
                         .aperture = true,
                         .cache_coherent = true},
                        {.id = memory_segment, .base = memory_base, .size = memory_bytes}};
    options.system_base = system_base;
    options.alternate_addresses = may_be_yes(Hw::caps.alternate_address_lock);
    options.byte_patterns = Hw::fill_pattern_bytes.n == 1;
    options.size_granule = static_cast<u32>(greater(u64{4}, greater(Hw::copy_alignment.n, Hw::fill_alignment.n)));
    options.command_alignment = static_cast<u32>(to_bytes(Hw::unit_dwords).n);
    options.smallest_paging_buffer = static_cast<u32>(smallest_paging_buffer<Hw>.n);
    return options;
}

}  // namespace wddmcore::examples
