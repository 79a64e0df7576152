// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/ddi/mirror_binding.hpp>
#include <wddmcore/segment/query/segment.hpp>
#include <wddmcore/segment/query/segment4.hpp>
#include <wddmcore/segment/query/segment5.hpp>

/// Tables whose every number is another one, so that a member that gets its neighbour's is seen.
namespace wddmcore::inline WDDMCORE_ABI::testing {

using segment::entry;
using segment::flag;
using segment::flags;
using segment::kind;

inline constexpr u64 aperture_base = 0x7FFF'0000'0000;
inline constexpr u64 memory_base = 0x80'0000'0000;
inline constexpr u64 memory_cpu = 0x38'0000'0000;

/// 512 MiB of aperture, of which 300 MiB may be committed.
inline constexpr entry aperture_row{
    .kind = kind::aperture,
    .id = {1},
    .base = {aperture_base},
    .size = 512 * mib,
    .commit_limit = 300 * mib,
    .flags = flags{}.with(flag::aperture).with(flag::cache_coherent).with(flag::application_target)};

/// 3 GiB that the CPU sees.
inline constexpr entry visible_row{.kind = kind::cpu_visible_memory,
                                   .id = {2},
                                   .base = {memory_base},
                                   .size = 3 * gib,
                                   .commit_limit = 3 * gib,
                                   .flags = flags{}.with(flag::cpu_visible).with(flag::direct_flip),
                                   .cpu = {memory_cpu}};

/// 5 GiB behind a window of 0x1234 pages of 64 KiB, in which nothing is cut short: holes, a protected region, the
/// firmware's frame buffer.
inline constexpr segment::memory_range holes[] = {{{0x10'0000}, 64 * kib}, {{0x20'0000}, 128 * kib}};
inline constexpr segment::memory_range frame_buffers[] = {{{0}, 1 * mib}};
inline constexpr entry window_row{.kind = kind::memory_behind_host_aperture,
                                  .id = {2},
                                  .base = {memory_base},
                                  .size = 5 * gib,
                                  .commit_limit = 5 * gib,
                                  .flags = flags{}
                                               .with(flag::use_64kb_pages)
                                               .with(flag::supports_cpu_host_aperture)
                                               .with(flag::vpr_supported)
                                               .with(flag::populated_by_reserved_ddr_by_firmware),
                                  .host_aperture = {{0xE000'0000}, 0x1234},
                                  .vpr = {{0x4000'0000}, 256 * mib, 0x1'0000, 3, 0x20'0000},
                                  .invalid = {holes, 2},
                                  .uefi_frame_buffer = {frame_buffers, 1},
                                  .slab = 2 * mib};

inline constexpr entry plain_rows[] = {aperture_row, visible_row};
inline constexpr segment::view plain_table{{plain_rows, 2}, {nullptr, 0}, {1}};

inline constexpr entry window_rows[] = {aperture_row, window_row};
inline constexpr segment::view window_table{{window_rows, 2}, {nullptr, 0}, {1}};

/// A table of before WDDM 2.0: banks, hibernation of a part, AGP last.
inline constexpr usize bank_ends[] = {64 * mib.n, 256 * mib.n};
inline constexpr entry old_rows[] = {
    {.kind = kind::memory,
     .id = {1},
     .base = {0x1000'0000},
     .size = 256 * mib,
     .commit_limit = 256 * mib,
     .flags = flags{}.with(flag::use_banking),
     .banks = {bank_ends, 2}},
    {.kind = kind::cpu_visible_memory,
     .id = {2},
     .base = {0x4000'0000},
     .size = 128 * mib,
     .commit_limit = 128 * mib,
     .flags = flags{}
                  .with(flag::cpu_visible)
                  .with(flag::preserved_during_standby)
                  .with(flag::partially_preserved_during_hibernate),
     .cpu = {0xD000'0000},
     .system_memory_end = {0x12'3FFF}},
    {.kind = kind::agp_aperture, .id = {3}, .flags = flags{}.with(flag::agp)},
};
inline constexpr segment::view old_table{{old_rows, 3}, {nullptr, 0}, {0}};

/// Sizes of paging buffers that no default has.
inline constexpr segment::paging_buffer_sizes sample_sizes{bytes{0x3'5000}, bytes{0x77}};

/// Calls `use.template operator()<version>()` for each of the 21 interface versions.
template <class Use>
void for_each_version(Use use) {
    use.template operator()<wddm::vista>();
    use.template operator()<wddm::vista_sp1>();
    use.template operator()<wddm::win7>();
    use.template operator()<wddm::win8>();
    use.template operator()<wddm::v1_3>();
    use.template operator()<wddm::v1_3_path_independent_rotation>();
    use.template operator()<wddm::v2_0>();
    use.template operator()<wddm::v2_1>();
    use.template operator()<wddm::v2_1_5>();
    use.template operator()<wddm::v2_1_6>();
    use.template operator()<wddm::v2_2>();
    use.template operator()<wddm::v2_3>();
    use.template operator()<wddm::v2_4>();
    use.template operator()<wddm::v2_5>();
    use.template operator()<wddm::v2_6>();
    use.template operator()<wddm::v2_7>();
    use.template operator()<wddm::v2_8>();
    use.template operator()<wddm::v2_9>();
    use.template operator()<wddm::v3_0>();
    use.template operator()<wddm::v3_1>();
    use.template operator()<wddm::v3_2>();
}

/// The flags that have a name at a version, by the mirrors' bit-fields: DXGK_SEGMENTFLAGS names 10 at Vista, 11 from
/// Windows 8, 21 from WDDM 2.0, 22 from WDDM 2.9.
constexpr u32 named_flags(wddm version) {
    return version >= wddm::v2_9   ? 0x3F'FFFF
           : version >= wddm::v2_0 ? 0x1F'FFFF
           : version >= wddm::win8 ? 0x7FF
                                   : 0x3FF;
}

}  // namespace wddmcore::testing
