// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/types.hpp"

/// Which members the structures about page tables have. Nothing else in this folder probes for members.
namespace wddmcore::inline WDDMCORE_ABI::members {

/// DXGK_GPUMMUCAPS, from WDDM 2.0.
template <class Caps>
concept gpu_mmu_caps = requires(Caps& caps) {
    caps.ReadOnlyMemorySupported;
    caps.NoExecuteMemorySupported;
    caps.ZeroInPteSupported;
    caps.ExplicitPageTableInvalidation;
    caps.CacheCoherentMemorySupported;
    caps.PageTableUpdateRequireAddressSpaceIdle;
    caps.LargePageSupported;
    caps.DualPteSupported;
    caps.Value;
    caps.PageTableUpdateMode;
    caps.VirtualAddressBitCount;
    caps.LeafPageTableSizeFor64KPagesInBytes;
    caps.PageTableLevelCount;
    caps.LegacyBehaviors.SourcePageTableVaInTransfer;
    caps.LegacyBehaviors.Reserved;
};

/// From WDDM 2.1.
template <class Caps>
concept gpu_mmu_caps_v2_1 = gpu_mmu_caps<Caps> && requires(Caps& caps) {
    caps.AllowNonAlignedLargePageAddress;
    caps.SysMem64KBPageSupported;
};

/// From WDDM 2.6.
template <class Caps>
concept gpu_mmu_caps_v2_6 = gpu_mmu_caps_v2_1<Caps> && requires(Caps& caps) { caps.InvalidTlbEntriesNotCached; };

/// From WDDM 2.9.
template <class Caps>
concept gpu_mmu_caps_v2_9 = gpu_mmu_caps_v2_6<Caps> && requires(Caps& caps) { caps.SysMemLargePageSupported; };

/// From WDDM 3.1.
template <class Caps>
concept gpu_mmu_caps_v3_1 = gpu_mmu_caps_v2_9<Caps> && requires(Caps& caps) { caps.CachedPageTables; };

/// DXGK_PAGE_TABLE_LEVEL_DESC, from WDDM 2.0.
template <class Description>
concept page_table_level_desc = requires(Description& description) {
    description.PageTableIndexBitCount;
    description.PageTableSegmentId;
    description.PagingProcessPageTableSegmentId;
    description.PageTableSizeInBytes;
    description.PageTableAlignmentInBytes;
};

/// DXGKARG_GETROOTPAGETABLESIZE, from WDDM 2.0.
template <class Args>
concept get_root_page_table_size = requires(Args& args) {
    args.NumberOfPte;
    args.PhysicalAdapterIndex;
};

/// DXGKARG_SETROOTPAGETABLE, from WDDM 2.0.
template <class Args>
concept set_root_page_table = requires(Args const& args) {
    args.hContext;
    args.Address.SegmentId;
    args.Address.SegmentOffset;
    args.NumEntries;
};

}  // namespace wddmcore::members
