// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../options.hpp"

#include <optional>
#include <string>

/// What a driver said about its adapter, as numbers: the DDI's members, whatever form or version they came in.
namespace wddmcore::inline WDDMCORE_ABI::testing {

/// Bits of DXGK_SEGMENTFLAGS.
namespace vidmm_segment_flag {

inline constexpr std::uint32_t aperture = 1U << 0;
inline constexpr std::uint32_t agp = 1U << 1;
inline constexpr std::uint32_t cpu_visible = 1U << 2;
inline constexpr std::uint32_t use_banking = 1U << 3;
inline constexpr std::uint32_t cache_coherent = 1U << 4;
inline constexpr std::uint32_t populated_from_system_memory = 1U << 6;
inline constexpr std::uint32_t preserved_during_standby = 1U << 7;
inline constexpr std::uint32_t preserved_during_hibernate = 1U << 8;
inline constexpr std::uint32_t partially_preserved_during_hibernate = 1U << 9;
inline constexpr std::uint32_t use_64kb_pages = 1U << 11;
inline constexpr std::uint32_t reserved_sys_mem = 1U << 12;
inline constexpr std::uint32_t supports_cpu_host_aperture = 1U << 13;
inline constexpr std::uint32_t supports_cached_cpu_host_aperture = 1U << 14;
inline constexpr std::uint32_t vpr_supported = 1U << 16;

}  // namespace vidmm_segment_flag

/// Bits of DXGK_VIDMMCAPS, of DXGK_PHYSICALADAPTERFLAGS and of DXGK_IOMMU_CAPS.
namespace vidmm_cap {

inline constexpr std::uint32_t virtual_addressing = 1U << 5;
inline constexpr std::uint32_t gpu_mmu = 1U << 6;
inline constexpr std::uint32_t io_mmu = 1U << 7;
inline constexpr std::uint32_t secure_mode_supported = 1U << 11;
inline constexpr std::uint32_t secure_mode_required = 1U << 13;
inline constexpr std::uint32_t map_aperture2 = 1U << 14;

inline constexpr std::uint32_t adapter_io_mmu = 1U << 0;
inline constexpr std::uint32_t adapter_gpu_mmu = 1U << 1;
inline constexpr std::uint32_t adapter_gpu_va_iommu = 1U << 6;
inline constexpr std::uint32_t adapter_gpu_va_iommu_global = 1U << 7;

inline constexpr std::uint32_t isolation_supported = 1U << 0;
inline constexpr std::uint32_t isolation_required = 1U << 1;
inline constexpr std::uint32_t dma_remapping = 1U << 2;
inline constexpr std::uint32_t gpu_va_iommu = 1U << 3;
inline constexpr std::uint32_t gpu_va_iommu_global = 1U << 4;

}  // namespace vidmm_cap

/// A range of bytes, of a segment or of physical memory.
struct vidmm_memory_range {
    std::uint64_t base = 0;
    std::uint64_t size = 0;

    [[nodiscard]] bool operator==(vidmm_memory_range const&) const = default;
};

/// A segment descriptor.
struct vidmm_reported_segment {
    std::uint32_t id = 0;     ///< position + 1
    std::uint32_t flags = 0;  ///< DXGK_SEGMENTFLAGS
    std::uint64_t base = 0;
    std::uint64_t size = 0;
    std::optional<std::uint64_t> commit_limit;  ///< none in form 5
    std::uint64_t system_memory_end = 0;        ///< 0 in form 1
    std::uint64_t cpu_address = 0;              ///< CpuTranslatedAddress, or PhysicalAddress of the CPU host aperture
    std::uint32_t host_aperture_pages = 0;      ///< 0 without a CPU host aperture
    std::uint32_t invalid_ranges = 0;           ///< NumInvalidMemoryRanges
    std::uint32_t uefi_ranges = 0;              ///< NumUEFIFrameBufferRanges
    std::uint64_t vpr_start = 0;
    std::uint64_t vpr_size = 0;
    std::uint32_t vpr_alignment = 0;
    std::uint32_t vpr_reserve = 0;
    std::uint32_t bank_count = 0;      ///< forms 1 and 3
    std::vector<std::uint64_t> banks;  ///< ends, but of the last bank; empty without a table
    std::vector<vidmm_memory_range> invalid;
    std::vector<vidmm_memory_range> uefi;
    std::uint64_t reserve_page = 0;  ///< SCATTER_RESERVE, bytes; 0: refused, or not asked
    std::uint32_t dirty_page = 0;    ///< DIRTYBITTRACKINGSEGMENTCAPS, bytes that a bit stands for; 0 likewise

    [[nodiscard]] bool has(std::uint32_t flag) const { return (flags & flag) != 0; }
    [[nodiscard]] bool is_aperture() const { return has(vidmm_segment_flag::aperture | vidmm_segment_flag::agp); }
    [[nodiscard]] std::uint64_t page_bytes() const { return has(vidmm_segment_flag::use_64kb_pages) ? 65536 : 4096; }
    [[nodiscard]] bool operator==(vidmm_reported_segment const&) const = default;
};

/// What QUERYSEGMENT in its forms says beside the descriptors; in form 5 QUERYPAGINGBUFFERINFO, without the segment.
struct vidmm_paging_buffer {
    std::uint32_t segment = 0;
    std::uint32_t size = 0;
    std::uint32_t private_data = 0;
    bool known = true;  ///< false: form 5, and QUERYPAGINGBUFFERINFO was refused (AMB-11)

    [[nodiscard]] bool operator==(vidmm_paging_buffer const&) const = default;
};

/// DXGK_PAGE_TABLE_LEVEL_DESC.
struct vidmm_reported_level {
    std::uint32_t index_bits = 0;
    std::uint32_t segment = 0;
    std::uint32_t paging_process_segment = 0;
    std::uint32_t table_bytes = 0;
    std::uint32_t alignment = 0;

    [[nodiscard]] bool operator==(vidmm_reported_level const&) const = default;
};

/// DXGK_GPUMMUCAPS.
struct vidmm_reported_mmu {
    std::uint32_t caps = 0;
    std::uint32_t update_mode = 0;
    std::uint32_t address_bits = 0;
    std::uint32_t leaf_bytes_for_64k = 0;
    std::uint32_t levels = 0;

    [[nodiscard]] bool operator==(vidmm_reported_mmu const&) const = default;
};

/// One physical adapter.
struct vidmm_reported_adapter {
    std::uint32_t flags = 0;  ///< DXGK_PHYSICALADAPTERFLAGS
    std::uint32_t execution_nodes = 0;
    std::uint32_t paging_node = 0;
    std::vector<vidmm_reported_segment> segments;
    vidmm_paging_buffer paging_buffer;
    std::optional<vidmm_reported_mmu> mmu;     ///< none: no page tables of its own
    std::vector<vidmm_reported_level> levels;  ///< leaf first
    std::uint32_t paging_space_megabytes = 0;  ///< 0: left to the system (CHK-02)
    std::vector<std::uint64_t> mmu_sizes;      ///< Size of DXGK_MMUDESCRIPTOR, by MMU id

    [[nodiscard]] bool operator==(vidmm_reported_adapter const&) const = default;
};

/// An allocation as the driver made it: DXGK_ALLOCATIONINFO.
struct vidmm_reported_allocation {
    void* handle = nullptr;  ///< the driver's own
    std::uint64_t size = 0;
    std::uint64_t pitch_aligned_size = 0;
    std::uint32_t alignment = 0;
    std::uint32_t read_set = 0;      ///< bit i: segment i + 1
    std::uint32_t write_set = 0;     ///< from WDDM 2.0 on the only one that counts (PREF-03)
    std::uint32_t eviction_set = 0;  ///< 0: straight to system memory
    std::uint32_t preferred = 0;     ///< five slots of an id and a direction, the first in the lowest bits
    std::uint32_t flags = 0;         ///< Flags, from WDDM 2.0 on FlagsWddm2
    std::uint32_t priority = 0;
    std::uint32_t flags2 = 0;               ///< Flags2, from WDDM 3.0 on
    std::vector<std::byte> private_data{};  ///< as DxgkDdiCreateAllocation left it
};

/// What is asked before the device starts.
struct vidmm_physical_memory_answers {
    std::optional<std::uint64_t> highest_visible;  ///< PHYSICAL_MEMORY_CAPS; none: refused
    std::optional<std::uint32_t> iommu;            ///< IOMMU_CAPS; none: refused

    [[nodiscard]] bool operator==(vidmm_physical_memory_answers const&) const = default;
};

/// Everything that a driver said about its adapter.
struct vidmm_adapter_description {
    wddm version{};
    std::uint32_t memory_caps = 0;   ///< DXGK_VIDMMCAPS
    std::uint32_t wddm_version = 0;  ///< WDDMVersion, 0 below Windows 7
    std::uint64_t highest_acceptable = 0;
    std::uint64_t aperture_commit_limit = 0;
    std::uint32_t nodes = 0;                ///< GpuEngineTopology: WDDM 1.x
    std::uint32_t paging_node = 0;          ///< PagingNode of DXGK_VIDMMCAPS: WDDM 1.x
    std::uint32_t packet_cap = 0;           ///< HwQueuePacketCap, WDDM 2.3
    std::uint32_t graphics_preemption = 0;  ///< D3DKMDT_GRAPHICS_PREEMPTION_GRANULARITY
    std::uint32_t compute_preemption = 0;   ///< D3DKMDT_COMPUTE_PREEMPTION_GRANULARITY
    bool compute_only = false;
    bool preempts = false;                                    ///< PreemptionAware
    bool flips_by_registers = false;                          ///< FlipOnVSyncMmIo
    std::vector<vidmm_physical_memory_answers> before_start;  ///< one for each physical adapter
    std::vector<vidmm_reported_adapter> adapters;
    std::optional<std::uint64_t> save_size;  ///< FRAMEBUFFERSAVESIZE
    std::vector<vidmm_memory_range> reserved_ranges;
    std::uint32_t dirty_bit_caps = 0;  ///< DXGK_DIRTY_BIT_TRACKING_CAPS, WDDM 3.2

    [[nodiscard]] bool has(std::uint32_t cap) const { return (memory_caps & cap) != 0; }
    [[nodiscard]] std::uint32_t iommu() const {
        return before_start.empty() ? 0 : before_start.front().iommu.value_or(0);
    }
    [[nodiscard]] bool operator==(vidmm_adapter_description const&) const = default;
};

}  // namespace wddmcore::testing
