// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../ddi/operation.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

/// What a run does beside moving content: each part is off until its members are filled.
namespace wddmcore::inline WDDMCORE_ABI::testing {

/// One level of page tables, as DXGK_PAGE_TABLE_LEVEL_DESC tells it.
struct vidmm_page_level {
    std::uint32_t index_bits = 0;   ///< entries are 2^index_bits; at the leaf each is 4 KiB (GVA-05)
    std::uint32_t entry_bytes = 8;  ///< of the hardware's entry
    std::uint32_t table_bytes = 0;  ///< multiple of 4 KiB; at most 4 KiB in system memory (GVA-06)
    std::uint32_t segment = 0;      ///< where such tables live; 0: system memory
    /// LargePageSupported, as far as the hardware has it here: an entry can point at data that covers all that its
    /// table would (GVA-16). Not the leaf; a level that has it wants it of all levels between.
    bool large_pages = false;
};

/// What the hardware makes of a GPU virtual address.
struct vidmm_translation {
    std::uint64_t address = 0;  ///< as the engine's bus counts
    /// Bits CacheCoherent, ReadOnly and NoExecute at their places in DXGK_PTE; or Zero alone, with no address.
    std::uint64_t attributes = 0;
    std::uint64_t protection = 0;  ///< what of DriverProtection the entry shows

    /// @return whether every member is equal
    [[nodiscard]] bool operator==(vidmm_translation const&) const = default;
};

/// Page tables of the hardware's own: operations 11, 12 and 14, with virtual addressing.
///
/// Mappings get large pages and 64-KiB pages by the dice where claims, both addresses and the memory allow them. Those
/// of processes are split, and leaf tables of 64-KiB entries converted, when a part of them changes. Those of the
/// paging process come and go whole, and its leaf tables keep their kinds: where an address has one of them, the first
/// quarter of its window has tables of 64-KiB entries, if it has at least four. Its root has no large pages (CHK-17).
/// Operation 14 copies entries of large pages and of 64 KiB where both sides can have them and they are as long as the
/// leaf's; else tables of 4-KiB entries are made before. Not played: an aperture's or a linked adapter's pages in
/// larger ones, and copies at all where the GPU's page is larger than 4 KiB.
///
/// The engine then reaches bytes by walking these tables: its bus shows memory segments at their bases and system page
/// n at system_base + n * 4096, and what a virtual address means is the hardware's business. Without levels the
/// simulator makes all mappings itself, and the bus shows virtual addresses.
struct vidmm_page_tables {
    std::vector<vidmm_page_level> levels;  ///< leaf first, 2 to 6; empty: none of this
    /// How the adapter wants its tables updated; those of the paging process are initialised by the CPU (CHK-16).
    page_table_update_mode mode = page_table_update_mode::gpu_virtual;
    bool invalid_not_cached = false;     ///< InvalidTlbEntriesNotCached: no flush when an entry becomes valid (OP12-02)
    bool explicit_invalidation = false;  ///< ExplicitPageTableInvalidation: a table is emptied before it goes (GVA-24)
    std::uint64_t attributes = 0;        ///< bits of DXGK_PTE that the adapter's caps allow (GVA-20)
    bool dual_tables = false;            ///< DualPteSupported: level 1 also says where tables of 64-KiB entries are
    std::uint32_t table_bytes_64k = 0;   ///< LeafPageTableSizeFor64KPagesInBytes; 0: no tables of 64-KiB entries
    std::uint32_t entry_bytes_64k = 8;   ///< of the hardware's entry in such tables
    std::uint32_t gpu_page_bytes = 4096;  ///< what a leaf entry covers in hardware: 4 KiB * 2^n, to 64 KiB (OP11-05)
    bool large_pages_anywhere = false;    ///< AllowNonAlignedLargePageAddress: large pages at any 4-KiB page (GVA-17)
    bool system_64k_pages = false;        ///< SysMem64KBPageSupported: also system memory in 64-KiB pages (GVA-15)
    bool system_large_pages = false;      ///< SysMemLargePageSupported: also system memory in large pages
    std::uint64_t largest_page = 0;       ///< scenarios also make allocations of two such pages; bytes
    bool zero_pages = false;              ///< ZeroInPteSupported: addresses may read as zero (GVA-19)
    bool zero_above_leaf = false;       ///< also as large pages: no documentation says whether the system asks (AMB-65)
    std::uint64_t protection_bits = 0;  ///< bits of DriverProtection that can be asked back (OP11-10); 0: none is sent
    bool packed = false;                ///< tables lie at their segment's end, so that what is large finds room
    bool copies = false;                ///< tiled resources: operation 14, never with CPU-virtual updates (OP14-03)
    std::uint32_t processes = 2;        ///< in scenarios, beside the paging process

    /// What the hardware makes of an address in the address space of this root. `past_caches`: by its page tables
    /// alone, changing nothing; else with cached translations, and asking counts as an access. Nothing: a page fault.
    /// Required unless the driver table has an observer for it.
    std::function<std::optional<vidmm_translation>(std::uint32_t root_segment, std::uint64_t root_offset,
                                                   std::uint64_t address, bool past_caches)>
        translate;
    /// Told that the engine is about to execute commands in the address space of this root. Required as `translate` is.
    std::function<void(std::uint32_t root_segment, std::uint64_t root_offset)> enter;

    /// What the hardware makes of an address when this context runs: as `translate`, by the root and the number of
    /// entries that the driver has for the context since DxgkDdiSetRootPageTable. Without it, and without an observer
    /// of the driver table, GVA-27 and GVA-28 are not exercised.
    std::function<std::optional<vidmm_translation>(void* context, std::uint64_t address, bool past_caches)>
        translate_in_context;
    /// The driver's own handle of a context of a process, 0 for the paging process, `which` from 0. Empty: contexts
    /// are made by DxgkDdiCreateContext; without that function too no root is told.
    std::function<void*(std::uint32_t process, std::uint32_t which)> context_of;
    /// The driver's own handle of a process, hKmdProcess, 0 for the paging process. Asked for once, before anything is
    /// done in the process. Empty: handles are numbers that point nowhere.
    std::function<void*(std::uint32_t process)> process_of;
    /// Told whose contexts DxgkDdiCreateContext makes next: a device, which is not in its structure, is of one process.
    std::function<void(std::uint32_t process)> before_contexts;
    std::uint32_t paging_node = 0;  ///< NodeOrdinal of the paging process's context

    /// @return whether there are page tables of the hardware's own
    [[nodiscard]] bool used() const { return !levels.empty(); }
};

/// Operation 22, WDDM 3.2 with virtual addressing.
struct vidmm_notify {
    /// Does to one block what the hardware does when its eviction is noticed, in place: decompresses it. It must not be
    /// its own inverse nor leave bytes alone, or a block handled twice looks right (NTF-14). Empty: no eviction
    /// notices.
    std::function<void(std::span<std::byte> block)> on_eviction;
    std::uint64_t block = 4096;  ///< bytes that are handled together, whole pages; chunks are whole blocks (NTF-13)
    std::uint64_t largest_chunk = 0;  ///< bytes mapped at a time; 0: what the paging process's window gives (CHK-09)

    /// The adapter has the GpuVaIoMmu or the GpuVaIoMmuGlobal model; without one it gets no unmap notices (NTF-11).
    bool gpu_va_iommu = true;
    /// Told that the GPU writes to memory of a process through its caches; `address` as the bus counts. Empty: no unmap
    /// notices.
    std::function<void(void* process, std::uint64_t va, std::uint64_t address, std::span<std::byte const> bytes)>
        writes;
    /// Told that the caches write back what they still have, as they may at any time.
    std::function<void()> write_back;
};

/// Context allocations: operation 10 (WDDM 1.2) and operation 13 (WDDM 2.0, virtual addressing).
struct vidmm_contexts {
    std::uint64_t bytes = 0;  ///< of a context allocation; 0: none
    void* handle = nullptr;   ///< hAllocation of context allocations; none: an improbable number
    /// Writes the initial image into bytes that hold junk. Empty: no operation 10.
    std::function<void(std::span<std::byte> image)> initial;
    /// Private data for an update, by a number of the simulator's choice. Empty: no operation 13.
    std::function<std::vector<std::byte>(std::uint64_t choice)> private_data;
    /// Does to the allocation what an update with this private data does.
    std::function<void(std::span<std::byte> image, std::span<std::byte const> private_data)> update;
};

/// A place as notices give it.
struct vidmm_location {
    std::uint32_t segment = 0;  ///< id, 1 to 31; 0: system memory
    std::uint64_t offset = 0;   ///< bytes from the segment's start; in system memory the physical address

    /// @return whether both members are equal
    [[nodiscard]] bool operator==(vidmm_location const&) const = default;
};

/// What the driver believes after notices, told by observers; each that is empty switches its operation off.
struct vidmm_notices {
    /// Where the driver takes an allocation for resident: operation 15, WDDM 2.0.
    std::function<std::optional<vidmm_location>(void* allocation)> residency_of;
    /// The same of 4-KiB page `page` of an allocation: operation 21, WDDM 3.2.
    std::function<std::optional<vidmm_location>(void* allocation, std::uint64_t page)> page_residency_of;
    /// Where the driver takes a native fence's current (0) or monitored (1) value for: operation 18, WDDM 3.2.
    std::function<std::optional<vidmm_location>(void* fence, std::uint32_t which)> fence_value_of;
    /// The page number behind a virtual address of an MMU: operations 19 and 20, WDDM 3.2.
    std::function<std::optional<std::uint64_t>(std::uint32_t mmu, std::uint64_t va)> mmu_page_of;
    std::vector<std::uint32_t> mmus;          ///< ids, as the query for MMUs gave them
    std::uint64_t mmu_base = 0x6000'0000;     ///< first address that is mapped in them, whole pages
    std::uint64_t mmu_bytes = 0;              ///< from there on; 0: no end
    bool monitored_fences = false;            ///< operation 16, WDDM 2.2 with virtual addressing
    std::uint32_t monitored_fence_bytes = 8;  ///< 4 where the adapter reports No64BitAtomics (OP16-02)
    /// The driver's own handle of native fence 0 to 5; without it improbable numbers that point nowhere.
    std::function<void*(std::uint32_t fence)> fence_handle_of;
};

}  // namespace wddmcore::testing
