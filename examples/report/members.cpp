// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

#include "json.hpp"
#include "record.hpp"

#include <wddmcore/ddi/mirror/mirror.hpp>

#include <algorithm>

namespace wddmcore::examples::report {

namespace {

using members = std::vector<member>;

constexpr u64 most_listed = 4;

[[nodiscard]] std::string number(std::uint64_t n) { return std::to_string(n); }
[[nodiscard]] std::string bytes_of(std::uint64_t n) { return number(n) + " bytes"; }
[[nodiscard]] std::string address(std::uint64_t n) { return hex(n, 12); }

/// Page numbers, the first few of them.
[[nodiscard]] std::string pages(usize const* first, u64 count) {
    std::string text = number(count) + (count == 1 ? " page: " : " pages: ");
    for (u64 i = 0; i != std::min(count, most_listed); ++i) {
        text += (i == 0 ? "" : ", ") + hex(first[i]);
    }
    return text + (count > most_listed ? ", ..." : "");
}

template <class Mdl>
[[nodiscard]] std::string list_of(Mdl const* mdl) {
    if (mdl == nullptr) {
        return "NULL";
    }
    // The page numbers stand behind the MDL's header.
    return "MDL of " +
           pages(reinterpret_cast<usize const*>(mdl + 1), (u64{mdl->ByteOffset} + mdl->ByteCount + 4095) / 4096);
}

template <class Adl>
[[nodiscard]] std::string adl(Adl const& list) {
    if (list.Flags.Contiguous != 0) {
        return number(list.PageCount) + " contiguous pages from " + hex(list.BasePageNumber);
    }
    return "list of " + pages(list.Pages, list.PageCount);
}

/// The names of those bits that are set.
struct bit_name {
    bool set;
    char const* name;
};
[[nodiscard]] std::string bits(std::initializer_list<bit_name> all) {
    std::string text;
    for (bit_name const& b : all) {
        text += b.set ? (text.empty() ? "" : ", ") + std::string(b.name) : "";
    }
    return text.empty() ? "none" : text;
}

template <class Flags>
[[nodiscard]] std::string transfer_flags(Flags const& f) {
    return bits({{f.Swizzle != 0, "Swizzle"},
                 {f.Unswizzle != 0, "Unswizzle"},
                 {f.AllocationIsIdle != 0, "AllocationIsIdle"},
                 {f.TransferStart != 0, "TransferStart"},
                 {f.TransferEnd != 0, "TransferEnd"}});
}

template <class Place>
[[nodiscard]] std::string place(Place const& p) {
    return "segment " + number(p.SegmentId) + ", offset " + hex(p.SegmentOffset);
}

template <class Pte>
[[nodiscard]] std::string entry(Pte const& e) {
    return bits({{e.Valid != 0, "Valid"},
                 {e.Zero != 0, "Zero"},
                 {e.CacheCoherent != 0, "CacheCoherent"},
                 {e.ReadOnly != 0, "ReadOnly"},
                 {e.NoExecute != 0, "NoExecute"},
                 {e.LargePage != 0, "LargePage"}}) +
           ", Segment " + number(e.Segment) + ", PageAddress " + hex(e.PageAddress);
}

[[nodiscard]] std::string direction(u32 value) {
    switch (static_cast<transfer_direction>(value)) {
        case transfer_direction::local_to_system: return "LOCAL_TO_SYSTEM";
        case transfer_direction::system_to_local: return "SYSTEM_TO_LOCAL";
        case transfer_direction::local_to_local: return "LOCAL_TO_LOCAL";
    }
    return number(value);
}

/// An end of a transfer: a place in a segment, or system pages.
template <class End>
void add_end(members& out, std::string const& name, End const& end) {
    out.push_back({name + ".SegmentId", number(end.SegmentId)});
    if (end.SegmentId == 0) {
        out.push_back({name + ".pMdl", list_of(end.pMdl)});
    } else {
        out.push_back({name + ".SegmentAddress", address(static_cast<u64>(end.SegmentAddress.QuadPart))});
    }
}

template <class Transfer>
void add_transfer(members& out, Transfer const& t, handle_names& names) {
    out.push_back({"hAllocation", names.name("allocation", t.hAllocation)});
    out.push_back({"TransferOffset", bytes_of(t.TransferOffset)});
    out.push_back({"TransferSize", bytes_of(t.TransferSize)});
    add_end(out, "Source", t.Source);
    add_end(out, "Destination", t.Destination);
    out.push_back({"Flags", transfer_flags(t.Flags)});
    if constexpr (requires { t.MdlOffset; }) {
        out.push_back({"MdlOffset", number(t.MdlOffset) + " pages"});
    }
}

template <class Range>
void add_aperture_range(members& out, Range const& r, handle_names& names) {
    out.push_back({"hDevice", names.name("device", r.hDevice)});
    out.push_back({"hAllocation", names.name("allocation", r.hAllocation)});
    out.push_back({"SegmentId", number(r.SegmentId)});
    out.push_back({"OffsetInPages", number(r.OffsetInPages)});
    out.push_back({"NumberOfPages", number(r.NumberOfPages)});
}

template <class Update>
void add_update(members& out, Update const& u, handle_names& names) {
    constexpr char const* modes[] = {"CPU_VIRTUAL", "GPU_VIRTUAL", "GPU_PHYSICAL"};
    out.push_back({"PageTableLevel", number(u.PageTableLevel)});
    out.push_back({"UpdateMode", u.UpdateMode < 3 ? modes[u.UpdateMode] : number(u.UpdateMode)});
    out.push_back({"PageTableAddress", u.UpdateMode == 0   ? "CPU pointer"
                                       : u.UpdateMode == 1 ? address(u.PageTableAddress.GpuVirtual)
                                                           : place(u.PageTableAddress.GpuPhysical)});
    out.push_back({"StartIndex", number(u.StartIndex)});
    out.push_back({"NumPageTableEntries", number(u.NumPageTableEntries)});
    out.push_back({"Flags", bits({{u.Flags.Repeat != 0, "Repeat"},
                                  {u.Flags.InitialUpdate != 0, "InitialUpdate"},
                                  {u.Flags.NotifyEviction != 0, "NotifyEviction"},
                                  {u.Flags.Use64KBPages != 0, "Use64KBPages"}})});
    out.push_back({"hAllocation", names.name("allocation", u.hAllocation)});
    out.push_back({"AllocationOffsetInBytes", bytes_of(u.AllocationOffsetInBytes)});
    out.push_back({"hProcess", names.name("process", u.hProcess)});
    out.push_back({"FirstPteVirtualAddress", address(u.FirstPteVirtualAddress)});
    u64 const given = u.Flags.Repeat != 0 ? 1 : u.NumPageTableEntries;
    auto const add_list = [&](char const* name, auto const* list) {
        for (u64 i = 0; list != nullptr && i != std::min(given, most_listed); ++i) {
            out.push_back({name + ("[" + number(i) + "]"), entry(list[i])});
        }
    };
    add_list("pPageTableEntries", u.pPageTableEntries);
    if (names.dual_tables && u.PageTableLevel == 1) {
        add_list("pPageTableEntries64KB", u.pPageTableEntries64KB);
    }
}

template <class Arguments>
void add_virtual(members& out, Arguments const& args, handle_names& names) {
    switch (static_cast<paging_operation>(args.Operation)) {
        case paging_operation::virtual_transfer: {
            auto const& t = args.TransferVirtual;
            out.push_back({"hAllocation", names.name("allocation", t.hAllocation)});
            out.push_back({"AllocationOffsetInBytes", bytes_of(t.AllocationOffsetInBytes)});
            out.push_back({"TransferSizeInBytes", bytes_of(t.TransferSizeInBytes)});
            out.push_back({"SourceVirtualAddress", address(t.SourceVirtualAddress)});
            out.push_back({"DestinationVirtualAddress", address(t.DestinationVirtualAddress)});
            out.push_back({"SourcePageTable", address(t.SourcePageTable)});
            out.push_back({"DestinationPageTable", address(t.DestinationPageTable)});
            out.push_back({"TransferDirection", direction(t.TransferDirection)});
            out.push_back({"Flags", bits({{t.Flags.Src64KBPages != 0, "Src64KBPages"},
                                          {t.Flags.Dst64KBPages != 0, "Dst64KBPages"}})});
            break;
        }
        case paging_operation::virtual_fill: {
            auto const& f = args.FillVirtual;
            out.push_back({"hAllocation", names.name("allocation", f.hAllocation)});
            out.push_back({"AllocationOffsetInBytes", bytes_of(f.AllocationOffsetInBytes)});
            out.push_back({"FillSizeInBytes", bytes_of(f.FillSizeInBytes)});
            out.push_back({"FillPattern", hex(f.FillPattern, 8)});
            out.push_back({"DestinationVirtualAddress", address(f.DestinationVirtualAddress)});
            break;
        }
        case paging_operation::update_page_table: add_update(out, args.UpdatePageTable, names); break;
        case paging_operation::flush_tlb: {
            auto const& f = args.FlushTlb;
            out.push_back({"RootPageTableAddress", place(f.RootPageTableAddress)});
            out.push_back({"hProcess", names.name("process", f.hProcess)});
            out.push_back({"StartVirtualAddress", address(f.StartVirtualAddress)});
            out.push_back({"EndVirtualAddress", address(f.EndVirtualAddress)});
            break;
        }
        case paging_operation::update_context_allocation: {
            auto const& u = args.UpdateContextAllocation;
            out.push_back({"ContextAllocation", address(u.ContextAllocation)});
            out.push_back({"ContextAllocationSize", bytes_of(u.ContextAllocationSize)});
            out.push_back({"DriverPrivateDataSize", bytes_of(u.DriverPrivateDataSize)});
            break;
        }
        case paging_operation::copy_page_table_entries: {
            auto const& c = args.CopyPageTableEntries;
            out.push_back({"NumRanges", number(c.NumRanges)});
            for (u32 i = 0; i != std::min<u32>(c.NumRanges, most_listed); ++i) {
                auto const& r = c.pRanges[i];
                out.push_back({"pRanges[" + number(i) + "]",
                               number(r.NumPageTableEntries) + " entries from " + address(r.SrcPageTableAddress) + "[" +
                                   number(r.SrcStartPteIndex) + "] to " + address(r.DstPageTableAddress) + "[" +
                                   number(r.DstStartPteIndex) + "]"});
            }
            break;
        }
        case paging_operation::notify_residency: {
            auto const& r = args.NotifyResidency;
            out.push_back({"hAllocation", names.name("allocation", r.hAllocation)});
            out.push_back({"PhysicalAddress", place(r.PhysicalAddress)});
            out.push_back({"Resident", number(r.Resident)});
            break;
        }
        default: break;
    }
}

template <class Arguments>
void add_late(members& out, Arguments const& args, handle_names& names) {
    switch (static_cast<paging_operation>(args.Operation)) {
        case paging_operation::signal_monitored_fence: {
            out.push_back({"MonitoredFenceGpuVa", address(args.SignalMonitoredFence.MonitoredFenceGpuVa)});
            out.push_back({"MonitoredFenceValue", hex(args.SignalMonitoredFence.MonitoredFenceValue)});
            break;
        }
        case paging_operation::map_aperture_segment2: {
            auto const& m = args.MapApertureSegment2;
            add_aperture_range(out, m, names);
            out.push_back({"Adl", adl(m.Adl)});
            out.push_back({"AdlOffset", number(m.AdlOffset) + " pages"});
            out.push_back({"Flags", bits({{m.Flags.CacheCoherent != 0, "CacheCoherent"}})});
            break;
        }
        case paging_operation::notify_fence_residency: {
            auto const& f = args.NotifyFenceResidency;
            out.push_back({"NumFences", number(f.NumFences)});
            for (u32 i = 0; i != std::min<u32>(f.NumFences, most_listed); ++i) {
                auto const& info = f.FenceResidencyInfo[i];
                std::string const name = "FenceResidencyInfo[" + number(i) + "].";
                out.push_back({name + "hGlobalNativeFence", names.name("fence", info.hGlobalNativeFence)});
                out.push_back({name + "CurrentValuePhysicalAddress", place(info.CurrentValuePhysicalAddress)});
                out.push_back({name + "MonitoredValuePhysicalAddress", place(info.MonitoredValuePhysicalAddress)});
            }
            break;
        }
        default: break;
    }
}

template <class Arguments>
void add_latest(members& out, Arguments const& args, handle_names& names) {
    switch (static_cast<paging_operation>(args.Operation)) {
        case paging_operation::map_mmu: {
            auto const& m = args.MmapMmu;
            out.push_back({"hAllocation", names.name("allocation", m.hAllocation)});
            out.push_back({"VirtualAddress", address(m.VirtualAddress)});
            out.push_back({"MmuId", number(m.MmuId)});
            out.push_back({"SegmentId", number(m.SegmentId)});
            out.push_back({"AllocationOffsetInPages", number(m.AllocationOffsetInPages)});
            out.push_back({"Adl", adl(m.Adl)});
            break;
        }
        case paging_operation::unmap_mmu: {
            auto const& u = args.UnmapMmu;
            out.push_back({"hAllocation", names.name("allocation", u.hAllocation)});
            out.push_back({"VirtualAddress", address(u.VirtualAddress)});
            out.push_back({"MmuId", number(u.MmuId)});
            out.push_back({"AllocationOffset", number(u.AllocationOffset)});
            out.push_back({"NumberOfPages", number(u.NumberOfPages)});
            break;
        }
        case paging_operation::notify_residency2: {
            auto const& r = args.NotifyResidency2;
            out.push_back({"hAllocation", names.name("allocation", r.hAllocation)});
            out.push_back({"AllocationOffsetInPages", number(r.AllocationOffsetInPages)});
            out.push_back({"SizeInPages", number(r.SizeInPages)});
            out.push_back({"SegmentId", number(r.SegmentId)});
            out.push_back({"Resident", number(r.Resident)});
            if (r.Resident != 0) {
                out.push_back({r.SegmentId == 0 ? "Mdl" : "PhysicalAddress",
                               r.SegmentId == 0 ? list_of(r.Mdl) : place(r.PhysicalAddress)});
            }
            break;
        }
        case paging_operation::notify_alloc: {
            auto const& n = args.NotifyAllocation;
            out.push_back({"hAllocation", names.name("allocation", n.hAllocation)});
            out.push_back({"hKmdProcessHandle", names.name("process", n.hKmdProcessHandle)});
            out.push_back(
                {"Flags", bits({{n.Flags.Eviction != 0, "Eviction"}, {n.Flags.IoMmuUnmap != 0, "IoMmuUnmap"}})});
            out.push_back({"OffsetInBytes", bytes_of(n.OffsetInBytes)});
            out.push_back({"SizeInBytes", bytes_of(n.SizeInBytes)});
            out.push_back({"GpuVirtualAddressAtOffset", address(n.GpuVirtualAddressAtOffset)});
            break;
        }
        default: break;
    }
}

}  // namespace

template <class Arguments>
std::vector<member> members_of(Arguments const& args, handle_names& names) {
    members out;
    switch (static_cast<paging_operation>(args.Operation)) {
        case paging_operation::transfer: add_transfer(out, args.Transfer, names); break;
        case paging_operation::special_lock_transfer:
            add_transfer(out, args.SpecialLockTransfer, names);
            out.push_back({"SwizzlingRangeId", number(args.SpecialLockTransfer.SwizzlingRangeId)});
            out.push_back({"SwizzlingRangeData", number(args.SpecialLockTransfer.SwizzlingRangeData)});
            break;
        case paging_operation::fill:
            out.push_back({"hAllocation", names.name("allocation", args.Fill.hAllocation)});
            out.push_back({"FillSize", bytes_of(args.Fill.FillSize)});
            out.push_back({"FillPattern", hex(args.Fill.FillPattern, 8)});
            out.push_back({"Destination.SegmentId", number(args.Fill.Destination.SegmentId)});
            out.push_back({"Destination.SegmentAddress",
                           address(static_cast<u64>(args.Fill.Destination.SegmentAddress.QuadPart))});
            break;
        case paging_operation::discard_content:
            out.push_back({"hAllocation", names.name("allocation", args.DiscardContent.hAllocation)});
            out.push_back({"Flags", bits({{args.DiscardContent.Flags.AllocationIsIdle != 0, "AllocationIsIdle"}})});
            out.push_back({"SegmentId", number(args.DiscardContent.SegmentId)});
            out.push_back({"SegmentAddress", address(static_cast<u64>(args.DiscardContent.SegmentAddress.QuadPart))});
            break;
        case paging_operation::read_physical:
        case paging_operation::write_physical: {
            // Both have the same members at the same places.
            auto const& access = args.Operation == static_cast<u32>(paging_operation::read_physical)
                                     ? args.ReadPhysical
                                     : args.WritePhysical;
            out.push_back({"SegmentId", number(access.SegmentId)});
            out.push_back({"PhysicalAddress", address(static_cast<u64>(access.PhysicalAddress.QuadPart))});
            break;
        }
        case paging_operation::map_aperture_segment:
            add_aperture_range(out, args.MapApertureSegment, names);
            out.push_back({"pMdl", list_of(args.MapApertureSegment.pMdl)});
            out.push_back({"MdlOffset", number(args.MapApertureSegment.MdlOffset) + " pages"});
            out.push_back({"Flags", bits({{args.MapApertureSegment.Flags.CacheCoherent != 0, "CacheCoherent"}})});
            break;
        case paging_operation::unmap_aperture_segment:
            add_aperture_range(out, args.UnmapApertureSegment, names);
            out.push_back({"DummyPage", address(static_cast<u64>(args.UnmapApertureSegment.DummyPage.QuadPart))});
            break;
        case paging_operation::init_context_resource: {
            auto const& d = args.InitContextResource.Destination;
            out.push_back({"hAllocation", names.name("context allocation", args.InitContextResource.hAllocation)});
            add_end(out, "Destination", d);
            if constexpr (requires { d.GpuVirtualAddress; }) {
                out.push_back({"Destination.GpuVirtualAddress", address(d.GpuVirtualAddress)});
            }
            break;
        }
        default: break;
    }
    if constexpr (requires { args.TransferVirtual; }) {
        add_virtual(out, args, names);
    }
    if constexpr (requires { args.NotifyFenceResidency; }) {
        add_late(out, args, names);
    }
    if constexpr (requires { args.NotifyAllocation; }) {
        add_latest(out, args, names);
    }
    return out;
}

template std::vector<member> members_of(mirror::v1_3::dxgkarg_buildpagingbuffer const&, handle_names&);
template std::vector<member> members_of(mirror::v2_9::dxgkarg_buildpagingbuffer const&, handle_names&);
template std::vector<member> members_of(mirror::v3_2::dxgkarg_buildpagingbuffer const&, handle_names&);

}  // namespace wddmcore::examples::report
