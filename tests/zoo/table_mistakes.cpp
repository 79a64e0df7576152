// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// What drivers do wrong with page tables, translation caches, roots, fences and notices: operations 11 to 22.
#include "mistake.hpp"

#include <vector>

namespace zoo {

namespace {

constexpr char const* unit = "PTE unit or segment base wrong";
constexpr char const* repeat = "Repeat mishandled";

using pte = mirror::v3_2::dxgk_pte;

/// The build with entries of our own in the place of the system's.
template <class Change>
int with_entries(void* d, virtual_args& a, Change const& change) {
    auto const& u = a.UpdatePageTable;
    if (a.Operation != 11 || u.pPageTableEntries == nullptr) {
        return build(d, a);
    }
    static std::vector<pte> own;
    own.assign(u.pPageTableEntries, u.pPageTableEntries + (u.Flags.Repeat != 0 ? 1 : u.NumPageTableEntries));
    for (pte& each : own) {
        change(each);
    }
    return with(d, a, [](virtual_args& other) { other.UpdatePageTable.pPageTableEntries = own.data(); });
}

/// The build with ranges of our own in the place of the system's.
template <class Change>
int with_ranges(void* d, virtual_args& a, Change const& change) {
    if (a.Operation != 14) {
        return build(d, a);
    }
    static std::vector<mirror::v3_2::dxgk_buildpagingbuffer_copy_range> own;
    auto const& c = a.CopyPageTableEntries;
    own.assign(c.pRanges, c.pRanges + c.NumRanges);
    for (auto& each : own) {
        change(each);
    }
    return with(d, a, [](virtual_args& other) { other.CopyPageTableEntries.pRanges = own.data(); });
}

using enum sound_driver;

constexpr mistake table_rows[] = {
    {"StartIndex is ignored", "range check absent: entries land at the table's start", "OP11-01", tables,
     virtual_reads<[](virtual_args& a) {
         if (a.Operation == 11) {
             a.UpdatePageTable.StartIndex = 0;
         }
     }>},
    {"with Repeat one entry is written", repeat, "OP11-02", tables, virtual_reads<[](virtual_args& a) {
         if (a.Operation == 11 && a.UpdatePageTable.Flags.Repeat != 0) {
             a.UpdatePageTable.NumPageTableEntries = 1;
         }
     }>},
    {"Repeat is not looked at, and the array is read past its one entry", repeat, "OP11-02", tables,
     virtual_builds<[](void* d, virtual_args& a) {
         auto const& u = a.UpdatePageTable;
         if (a.Operation == 11 && u.Flags.Repeat != 0 && 1 < u.NumPageTableEntries) {
             kept.last = *const_cast<u64 volatile*>(&u.pPageTableEntries[1].PageAddress);
         }
         return build(d, a);
     }>},
    {"an update writes one entry more", "a count rounded up", "OP11-09", tables,
     virtual_builds<[](void* d, virtual_args& a) {
         auto const& u = a.UpdatePageTable;
         bool const more = a.Operation == 11 && u.Flags.Repeat != 0 && u.UpdateMode != 0 &&
                           u.StartIndex + u.NumPageTableEntries < 512 && u.PageTableLevel == 0;
         return !more ? build(d, a)
                      : with(d, a, [](virtual_args& other) { ++other.UpdatePageTable.NumPageTableEntries; });
     }>},
    {"each pass of an update begins anew", "multipass absent, byte-valued, or lost", "PGB-05", tables,
     virtual_reads<[](virtual_args& a) { a.MultipassOffset = a.Operation == 11 ? 0 : a.MultipassOffset; }>},
    {"entries of a later pass land at StartIndex", "multipass absent, byte-valued, or lost", "OP11-12", tables,
     virtual_builds<[](void* d, virtual_args& a) {
         u32 const done = a.MultipassOffset;
         if (a.Operation != 11 || a.UpdatePageTable.Flags.Repeat != 0 || done == 0) {
             return build(d, a);
         }
         int const status = with(d, a, [done](virtual_args& other) {
             other.MultipassOffset = 0;
             other.UpdatePageTable.pPageTableEntries += done;
             other.UpdatePageTable.NumPageTableEntries -= done;
         });
         a.MultipassOffset += done;
         return status;
     }>},
    {"PageAddress is taken for a byte address", unit, "AMB-08", tables, virtual_builds<[](void* d, virtual_args& a) {
         bool const leaf = a.UpdatePageTable.PageTableLevel == 0;
         return with_entries(d, a, [leaf](pte& e) { e.PageAddress >>= leaf ? 12 : 0; });
     }>},
    {"the segment of an entry is ignored", unit, "GVA-18", tables, virtual_builds<[](void* d, virtual_args& a) {
         bool const leaf = a.UpdatePageTable.PageTableLevel == 0;
         return with_entries(d, a, [leaf](pte& e) { e.Segment = leaf ? 0 : e.Segment; });
     }>},
    {"protection and coherency are dropped", "flags of an entry not passed on", "GVA-20", tables,
     virtual_builds<[](void* d, virtual_args& a) {
         return with_entries(d, a, [](pte& e) { e.ReadOnly = e.CacheCoherent = 0; });
     }>},
    {"an entry that reads as zero becomes an ordinary one", "flags of an entry not passed on", "GVA-19", tables,
     virtual_builds<[](void* d, virtual_args& a) { return with_entries(d, a, [](pte& e) { e.Zero = 0; }); }>},
    {"invalid entries are not written", "only what is valid is looked at", "PGB-22", tables,
     virtual_builds<[](void* d, virtual_args& a) {
         auto const& u = a.UpdatePageTable;
         bool const gone = a.Operation == 11 && u.Flags.InitialUpdate == 0 && u.PageTableLevel == 0 &&
                           u.pPageTableEntries[0].Valid == 0;
         return gone ? static_cast<int>(status::success) : build(d, a);
     }>},
    {"a CPU update wants a paging buffer", "NULL or empty DMA buffer not handled", "OP11-04", skeleton,
     virtual_builds<[](void* d, virtual_args& a) {
         bool const wants = a.Operation == 11 && a.pDmaBuffer == nullptr;
         return wants ? static_cast<int>(status::graphics_insufficient_dma_buffer) : build(d, a);
     }>},
    {"a flush of everything flushes nothing", "a flush from 0 to 0 taken word for word", "OP12-01", tables,
     virtual_builds<[](void* d, virtual_args& a) {
         bool const all = a.Operation == 12 && a.FlushTlb.StartVirtualAddress == 0 && a.FlushTlb.EndVirtualAddress == 0;
         return all ? static_cast<int>(status::success) : build(d, a);
     }>},
    {"a flush of a range does nothing", "FLUSH_TLB as a no-op", "OP12-03", tables,
     virtual_builds<[](void* d, virtual_args& a) {
         bool const range = a.Operation == 12 && a.FlushTlb.EndVirtualAddress != 0;
         return range ? static_cast<int>(status::success) : build(d, a);
     }>},
    {"a flush names the root that came first", "one address space for all", "OP12-04", tables,
     virtual_builds<[](void* d, virtual_args& a) {
         if (a.Operation != 12) {
             return build(d, a);
         }
         auto& root = a.FlushTlb.RootPageTableAddress;
         if (kept.calls++ == 0) {
             kept.first = root.SegmentOffset;
             kept.last = root.SegmentId;
         }
         return with(d, a, [](virtual_args& other) {
             other.FlushTlb.RootPageTableAddress.SegmentOffset = kept.first;
             other.FlushTlb.RootPageTableAddress.SegmentId = static_cast<u32>(kept.last);
         });
     }>},
    {"copied ranges ignore the destination's index", "indices taken for granted", "OP14-01", tables,
     virtual_builds<[](void* d, virtual_args& a) {
         return with_ranges(d, a, [](auto& range) { range.DstStartPteIndex = range.SrcStartPteIndex; });
     }>},
    {"large pages of the paging process are written as tables", "tried with an application's mappings only", "GVA-16",
     larger, virtual_builds<[](void* d, virtual_args& a) {
         bool const paging = a.UpdatePageTable.hProcess == nullptr;
         return with_entries(d, a, [paging](pte& e) { e.LargePage = paging ? 0 : e.LargePage; });
     }>},
    {"tables of 64-KiB entries of the paging process are entered as others",
     "tried with an application's mappings only", "GVA-11", larger, virtual_builds<[](void* d, virtual_args& a) {
         bool const paging = a.UpdatePageTable.hProcess == nullptr;
         return with_entries(d, a, [paging](pte& e) { e.PageTablePageSize = paging ? 0 : e.PageTablePageSize; });
     }>},
    {"a monitored fence's value is cut to 32 bits", "width: computed in 32 bits", "OP16-01", skeleton,
     virtual_reads<[](virtual_args& a) {
         if (a.Operation == 16) {
             a.SignalMonitoredFence.MonitoredFenceValue &= 0xffff'ffff;
         }
     }>},
    {"an unmap notice is acknowledged and ignored", "NOTIFY_* silently done", "NTF-10", skeleton,
     virtual_builds<[](void* d, virtual_args& a) {
         return a.Operation == 22 ? static_cast<int>(status::success) : build(d, a);
     }>},
    {"a context's root is not told to the hardware", "roots kept from the first call", "GVA-28", skeleton,
     [](wddmcore_driver_table& t) {
         t.set_root_page_table = [](void* d, void const* args) WDDMCORE_DRIVER_CALL {
             auto const context = reinterpret_cast<std::uintptr_t>(
                 static_cast<mirror::v3_2::dxgkarg_setrootpagetable const*>(args)->hContext);
             if (kept.done.insert({context, 0}).second) {
                 sound.set_root_page_table(d, args);
             }
         };
     }},
    {"a notice of residency is acknowledged and ignored", "NOTIFY_* silently done", "OP15-03", tables,
     virtual_builds<[](void* d, virtual_args& a) {
         return a.Operation == 15 ? static_cast<int>(status::success) : build(d, a);
     }>},
};

}  // namespace

std::span<mistake const> table_mistakes() { return table_rows; }

}  // namespace zoo
