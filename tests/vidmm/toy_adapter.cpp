// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "toy_adapter.hpp"

namespace toy {

using testing::vidmm_reported_segment;

namespace {

[[nodiscard]] toy_adapter& self(void* adapter) { return *static_cast<toy_adapter*>(adapter); }

int WDDMCORE_DRIVER_CALL start_it(void* adapter, wddmcore_memory_services const* services) {
    self(adapter).started = true;
    if (self(adapter).wrong.with_services != nullptr) {
        self(adapter).wrong.with_services(*services);
    }
    return status::success;
}
int WDDMCORE_DRIVER_CALL map_it(void* adapter, void const* args) {
    return self(adapter).map(*static_cast<mirror::v2_0::dxgkarg_mapcpuhostaperture const*>(args));
}
int WDDMCORE_DRIVER_CALL unmap_it(void* adapter, void const* args) {
    return self(adapter).unmap(*static_cast<mirror::v2_0::dxgkarg_unmapcpuhostaperture const*>(args));
}
int WDDMCORE_DRIVER_CALL target_of(void* adapter, unsigned, unsigned segment, unsigned long long offset,
                                   unsigned long long* found) {
    u64 at = 0;
    bool const there = self(adapter).target(segment, offset, at);
    *found = at;
    return there ? 0 : 1;
}
// ContextInfo stands at the same place in every version, and DmaBufferSegmentSet is its second member.
int WDDMCORE_DRIVER_CALL create_context_it(void* adapter, void* args) {
    auto* const set = static_cast<std::byte*>(args) + offsetof(mirror::v3_2::dxgkarg_createcontext, ContextInfo) +
                      offsetof(mirror::v2_0::dxgk_contextinfo, DmaBufferSegmentSet);
    std::memcpy(set, &self(adapter).wrong.dma_buffer_set, 4);
    self(adapter).contexts = true;
    return status::success;
}
// The beginning of DXGK_ALLOCATIONINFO is the same in every version.
int WDDMCORE_DRIVER_CALL create_allocation_it(void* adapter, void* args) {
    testing::vidmm_reported_allocation const& a = self(adapter).wrong.allocation;
    mirror::vista::dxgk_allocationinfo& info =
        *static_cast<mirror::vista::dxgkarg_createallocation*>(args)->pAllocationInfo;
    info.Size = a.size;
    info.PitchAlignedSize = a.pitch_aligned_size;
    info.Alignment = a.alignment;
    info.SupportedReadSegmentSet = a.read_set;
    info.SupportedWriteSegmentSet = a.write_set;
    info.EvictionSegmentSet = a.eviction_set;
    info.PreferredSegment.Value = a.preferred;
    info.Flags.Value = a.flags;
    info.AllocationPriority = a.priority;
    if (at_least(self(adapter).version(), wddm::v3_0)) {
        auto& newer = *static_cast<mirror::v3_0::dxgkarg_createallocation*>(args)->pAllocationInfo;
        newer.Flags2.Value = a.flags2;
    }
    info.hAllocation = adapter;
    return info.PrivateDriverDataSize == 8 ? status::success : status::invalid_parameter;
}
int WDDMCORE_DRIVER_CALL destroy_allocation_it(void* adapter, void* allocation) {
    return allocation == adapter ? status::success : status::invalid_handle;
}
int WDDMCORE_DRIVER_CALL begin_it(void* adapter, void const*) {
    if (self(adapter).wrong.never_ends && self(adapter).was_exclusive) {
        return status::invalid_device_state;
    }
    self(adapter).exclusive = true;
    self(adapter).was_exclusive = true;
    return status::success;
}
int WDDMCORE_DRIVER_CALL end_it(void* adapter, void const*) {
    self(adapter).exclusive = false;
    return status::success;
}
void WDDMCORE_DRIVER_CALL time_passes(void* adapter) {
    if (!self(adapter).exclusive || self(adapter).wrong.scans_out) {
        ++self(adapter).accesses;
    }
}
unsigned long long WDDMCORE_DRIVER_CALL accesses_of(void* adapter) { return self(adapter).accesses; }

unsigned long long WDDMCORE_DRIVER_CALL root_size(void* adapter, void* args) {
    auto& a = *static_cast<mirror::v2_0::dxgkarg_getrootpagetablesize*>(args);
    u32 const step = self(adapter).said.root_entries;
    a.NumberOfPte = (a.NumberOfPte + step - 1) / step * step;
    return u64{a.NumberOfPte} * self(adapter).said.root_bytes;
}

}  // namespace

wddmcore_driver_table toy_adapter::table() {
    wddmcore_driver_table t{};
    t.size = static_cast<unsigned>(sizeof t);
    t.version = static_cast<unsigned>(version_);
    t.adapter = this;
    t.query_adapter_info = [](void* adapter, void const* args) WDDMCORE_DRIVER_CALL -> int {
        args_type whole{};
        std::memcpy(&whole, args, testing::vidmm_parts::adapter_sizes_of(self(adapter).version_).query);
        return self(adapter).query(whole);
    };
    t.start_adapter = &start_it;
    t.create_context_with_info = &create_context_it;
    t.create_allocation = &create_allocation_it;
    t.destroy_allocation = &destroy_allocation_it;
    if (at_least(version_, wddm::v2_0)) {
        t.map_cpu_host_aperture = &map_it;
        t.unmap_cpu_host_aperture = &unmap_it;
        t.host_aperture_target = &target_of;
    }
    if (said.exclusive_functions) {
        t.begin_exclusive_access = &begin_it;
        t.end_exclusive_access = &end_it;
    }
    t.let_time_pass = &time_passes;
    t.system_memory_accesses = &accesses_of;
    if (said.root_entries != 0) {
        t.get_root_page_table_size = &root_size;
    }
    return t;
}

ntstatus toy_adapter::query(args_type const& args) {
    namespace ddi = mirror::v3_2;
    switch (static_cast<adapter_query>(args.Type)) {
        case adapter_query::drivercaps: return driver_caps(args);
        case adapter_query::physicaladaptercaps: return adapter_caps(args);
        case adapter_query::gpummucaps: return mmu_caps(args);
        case adapter_query::pagetableleveldesc: return level(args);
        case adapter_query::pagingprocessgpuvasize: return space(args);
        case adapter_query::physical_memory_caps:
        case adapter_query::iommu_caps: return iommu(args);
        case adapter_query::querysegment: return segments<ddi::dxgk_querysegmentout, ddi::dxgk_segmentdescriptor>(args);
        case adapter_query::querysegment3:
            return segments<ddi::dxgk_querysegmentout3, ddi::dxgk_segmentdescriptor3>(args);
        case adapter_query::querysegment4: return segments4(args);
        case adapter_query::querysegmentcount:
            output(args, ddi::dxgk_querysegmentcountout{static_cast<u16>(count()), 0, 0});
            return wrong.form_refused ? status::not_supported : status::success;
        case adapter_query::querysegment5: return segments5(args);
        case adapter_query::querypagingbufferinfo:
            output(args, ddi::dxgk_querypagingbufferinfoout{said.adapter.paging_buffer.size, 0});
            return status::success;
        case adapter_query::segmentmemorystate: return state(args);
        case adapter_query::hardwarereservedranges: return reserved(args);
        case adapter_query::framebuffersavesize:
            output(args, ddi::dxgk_framebuffersavearea{said.save_size.value_or(0)});
            return said.save_size ? status::success : status::not_supported;
        case adapter_query::querymmucount:
            output(args, ddi::dxgk_querymmucountout{static_cast<u16>(said.adapter.mmu_sizes.size()), 0, 0});
            return status::success;
        case adapter_query::querymmus: return mmus(args);
        case adapter_query::scatter_reserve: return reserve(args);
        case adapter_query::dirtybittrackingcaps: output(args, said.dirty_bit_caps); return status::success;
        case adapter_query::dirtybittrackingsegmentcaps: return dirty_page(args);
        default: return status::not_supported;
    }
}

ntstatus toy_adapter::mmus(args_type const& args) {
    mirror::v3_2::dxgk_querymmusout out{};
    std::memcpy(&out, args.pOutputData, sizeof out);
    std::size_t const count = said.adapter.mmu_sizes.size() + (wrong.one_mmu_more ? 1 : 0);
    for (std::size_t i = 0; i != count && !wrong.mmus_refused; ++i) {
        out.MmuDescriptors[i].Size = i < said.adapter.mmu_sizes.size() ? said.adapter.mmu_sizes[i] : 0;
    }
    out.DisplayMmuId = said.display_mmu;
    output(args, out);
    return wrong.mmus_refused ? status::not_supported : status::success;
}

ntstatus toy_adapter::reserve(args_type const& args) {
    u64 const page = said.adapter.segments.at(input<u32>(args) - 1).reserve_page;
    output(args, page);
    return page != 0 ? status::success : status::not_supported;
}

ntstatus toy_adapter::dirty_page(args_type const& args) {
    u32 const page = said.adapter.segments.at(input<u32>(args) - 1).dirty_page;
    output(args, page);
    ntstatus const none = wrong.dirty_unsupported ? status::not_supported : status::not_implemented;
    return page != 0 ? status::success : none;
}

ntstatus toy_adapter::driver_caps(args_type const& args) {
    mirror::v3_2::dxgk_drivercaps c{};
    std::memset(&c, 0, sizeof c);
    c.HighestAcceptableAddress.QuadPart = static_cast<i64>(said.highest.value_or(0));
    c.MemoryManagementCaps.Value = said.memory_caps;
    if (wrong.isolation_changes && caps_asked_++ != 0) {
        c.MemoryManagementCaps.Value ^= caps::secure_mode_supported;
    }
    c.MemoryManagementCaps.PagingNode = said.adapter.paging_node;
    c.GpuEngineTopology.NbAsymetricProcessingNodes = said.nodes;
    c.SchedulingCaps.HwQueuePacketCap = said.packet_cap & 15;
    c.PreemptionCaps.GraphicsPreemptionGranularity = said.graphics_preemption;
    c.PreemptionCaps.ComputePreemptionGranularity = said.compute_preemption;
    c.MiscCaps.ComputeOnly = said.compute_only ? 1 : 0;
    c.SchedulingCaps.PreemptionAware = said.preempts ? 1 : 0;
    c.FlipCaps.FlipOnVSyncMmIo = said.flips_by_registers ? 1 : 0;
    output(args, c, wrong.writes_whole_caps);
    return status::success;
}

ntstatus toy_adapter::adapter_caps(args_type const& args) {
    mirror::v3_2::dxgk_physicaladaptercaps c{};
    c.NumExecutionNodes = static_cast<u16>(said.nodes);
    c.PagingNodeIndex = static_cast<u16>(said.adapter.paging_node);
    c.Flags.Value = said.adapter.flags;
    output(args, c);
    return status::success;
}

ntstatus toy_adapter::mmu_caps(args_type const& args) {
    if (!said.adapter.mmu) {
        return status::not_supported;
    }
    bool const other = input<mirror::v3_2::dxgk_querygpummucapsin>(args).PhysicalAdapterIndex != 0;
    mirror::v3_2::dxgk_gpummucaps c{};
    c.Value = said.adapter.mmu->caps;
    c.PageTableUpdateMode = said.adapter.mmu->update_mode;
    c.VirtualAddressBitCount =
        other && said.second_address_bits != 0 ? said.second_address_bits : said.adapter.mmu->address_bits;
    c.LeafPageTableSizeFor64KPagesInBytes = said.adapter.mmu->leaf_bytes_for_64k;
    c.PageTableLevelCount = said.adapter.mmu->levels;
    output(args, c);
    return status::success;
}

ntstatus toy_adapter::level(args_type const& args) {
    auto const in = input<mirror::v3_2::dxgk_querypagetableleveldescin>(args);
    u32 const index = wrong.level_index_only ? input<u32>(args) : in.LevelIndex;
    if (index >= said.adapter.levels.size() && wrong.any_level) {
        return status::success;
    }
    if (index >= said.adapter.levels.size()) {
        return status::invalid_parameter;
    }
    testing::vidmm_reported_level const& l = said.adapter.levels[index];
    output(args, mirror::v3_2::dxgk_page_table_level_desc{l.index_bits, l.segment, l.paging_process_segment,
                                                          l.table_bytes, l.alignment});
    return status::success;
}

ntstatus toy_adapter::space(args_type const& args) {
    if (wrong.wide_space) {
        output(args, u64{said.adapter.paging_space_megabytes}, true);
    } else {
        output(args, said.adapter.paging_space_megabytes);
    }
    return status::success;
}

ntstatus toy_adapter::iommu(args_type const& args) {
    if (args.Type == static_cast<u32>(adapter_query::physical_memory_caps)) {
        mirror::v3_2::dxgk_physical_memory_caps c{};
        u64 const off = (wrong.own_highest ? link_member_++ : 0) + (wrong.highest_changes && started ? 1U : 0U);
        c.HighestVisibleAddress.QuadPart = static_cast<i64>(said.highest.value_or(0) + off);
        output(args, c);
        return said.highest ? status::success : status::not_supported;
    }
    mirror::v3_2::dxgk_iommu_caps c{};
    c.Value = said.iommu.value_or(0);
    output(args, c);
    return said.iommu && (started || !wrong.caps_need_start) ? status::success : status::not_supported;
}

ntstatus toy_adapter::reserved(args_type const& args) {
    mirror::v3_2::dxgk_hardwarereservedranges in{};
    std::memcpy(&in, args.pOutputData, sizeof in);
    in.NumRanges = static_cast<u32>(said.reserved.size()) + (wrong.reserved_count_grows ? reserved_asked_++ : 0);
    for (std::size_t i = 0; in.pPhysicalRanges != nullptr && i < said.reserved.size(); ++i) {
        in.pPhysicalRanges[i].BaseAddress.QuadPart = static_cast<i64>(said.reserved[i].base);
        in.pPhysicalRanges[i].NumberOfBytes.QuadPart = static_cast<i64>(said.reserved[i].size);
    }
    output(args, in);
    return status::success;
}

ntstatus toy_adapter::state(args_type const& args) {
    mirror::v3_2::dxgk_querysegmentmemorystate s{};
    std::memcpy(&s, args.pOutputData, sizeof s);
    u64 const page = said.adapter.segments.at(s.DriverSegmentId - 1U).page_bytes();
    for (u32 i = 0; i < s.NumInvalidMemoryRanges; ++i) {
        s.pMemoryRanges[i] = {page * (2 * i + 1), wrong.states_by_bytes ? 100 : page};
    }
    return status::success;
}

u32 toy_adapter::count() {
    return static_cast<u32>(said.adapter.segments.size()) + (wrong.count_grows && asked_++ != 0 ? 1U : 0U);
}

template <class Descriptor>
Descriptor toy_adapter::descriptor(vidmm_reported_segment const& s) {
    Descriptor d{};
    std::memset(&d, 0, sizeof d);
    d.Flags.Value = s.flags ^ (wrong.kinds_change && asked_ > 1 ? flag::cpu_visible : 0);
    d.BaseAddress.QuadPart = static_cast<i64>(s.base);
    d.Size = s.size;
    if constexpr (requires { d.CommitLimit; }) {
        d.CommitLimit = s.commit_limit.value_or(s.size);
    }
    if constexpr (requires { d.SystemMemoryEndAddress; }) {
        d.SystemMemoryEndAddress = s.system_memory_end;
    }
    if constexpr (requires { d.NbOfBanks; }) {
        banks_.assign(s.banks.begin(), s.banks.end());
        d.NbOfBanks = s.bank_count;
        d.pBankRangeTable = banks_.empty() ? nullptr : banks_.data();
    }
    if constexpr (requires { d.CpuHostAperture; }) {
        d.CpuHostAperture.SizeInPages = s.host_aperture_pages;
        d.CpuHostAperture.PhysicalAddress = s.cpu_address;
        d.NumInvalidMemoryRanges = s.invalid_ranges;
        d.VprRangeStartOffset = s.vpr_start;
        d.VprRangeSize = s.vpr_size;
        d.VprAlignment = s.vpr_alignment;
        d.VprReserveSize = s.vpr_reserve;
    }
    return d;
}

template <class Out, class Descriptor>
ntstatus toy_adapter::segments(args_type const& args) {
    if (wrong.form_refused) {
        return status::not_supported;
    }
    Out out{};
    std::memcpy(&out, args.pOutputData, sizeof out);
    bool const first = out.pSegmentDescriptor == nullptr;
    asked_ += first && !wrong.count_grows ? 1U : 0U;
    u32 const known = static_cast<u32>(said.adapter.segments.size());
    out.NbSegment = first ? count() : out.NbSegment + (wrong.second_call_has_one_more ? 1U : 0U);
    if (!first || wrong.first_call_fills_all) {
        out.PagingBufferSegmentId = said.adapter.paging_buffer.segment;
        out.PagingBufferSize = said.adapter.paging_buffer.size;
        out.PagingBufferPrivateDataSize = 0;
    }
    for (u32 i = 0; !first && i < known; ++i) {
        out.pSegmentDescriptor[i] = descriptor<Descriptor>(said.adapter.segments[i]);
    }
    output(args, out);
    return status::success;
}

ntstatus toy_adapter::segments4(args_type const& args) {
    if (wrong.form_refused) {
        return status::not_supported;
    }
    using descriptor_type = mirror::v3_2::dxgk_segmentdescriptor4;
    mirror::v3_2::dxgk_querysegmentout4 out{};
    std::memcpy(&out, args.pOutputData, sizeof out);
    bool const first = out.NbSegment == 0;
    asked_ += first && !wrong.count_grows ? 1U : 0U;
    u32 const known = static_cast<u32>(said.adapter.segments.size());
    std::size_t const size = testing::vidmm_parts::adapter_sizes_of(version_).descriptor4;
    for (u32 i = 0; !first && i < known; ++i) {
        auto const d = descriptor<descriptor_type>(said.adapter.segments[i]);
        u8* const to = out.pSegmentDescriptor + i * (wrong.ignores_stride ? size : out.SegmentDescriptorStride);
        if (wrong.writes_whole_stride) {
            std::memset(to, 0, out.SegmentDescriptorStride);
        }
        std::memcpy(to, &d, size);
    }
    out.NbSegment = first ? count() : out.NbSegment + (wrong.second_call_has_one_more ? 1U : 0U);
    if (!first || wrong.first_call_fills_all) {
        out.PagingBufferSegmentId = said.adapter.paging_buffer.segment;
        out.PagingBufferSize = said.adapter.paging_buffer.size;
        out.PagingBufferPrivateDataSize = 0;
    }
    output(args, out);
    return status::success;
}

ntstatus toy_adapter::segments5(args_type const& args) {
    mirror::v3_2::dxgk_querysegmentout5 out{};
    std::memcpy(&out, args.pOutputData, sizeof out);
    for (std::size_t i = 0; i < said.adapter.segments.size(); ++i) {
        out.SegmentDescriptors[i] = descriptor<mirror::v3_2::dxgk_segmentdescriptor5>(said.adapter.segments[i]);
    }
    return status::success;
}

ntstatus toy_adapter::map(mirror::v2_0::dxgkarg_mapcpuhostaperture const& args) {
    bool const early = wrong.late_aperture && !contexts;
    if (early || (wrong.wants_allocation && args.hAllocation == nullptr)) {
        return status::invalid_parameter;
    }
    u64 const page = page_of(args.SegmentId);
    for (u64 i = 0; i < args.NumberOfPages; ++i) {
        u64 const at = wrong.contiguous_aperture ? args.pCpuHostAperturePages[0] + i : args.pCpuHostAperturePages[i];
        u64 const to = wrong.contiguous_memory ? args.pMemorySegmentPages[0] + i : args.pMemorySegmentPages[i];
        for (u64 inside = 0; inside < page; inside += 4096) {
            aperture_[(at * page + inside) / 4096] = to * page + inside;
        }
    }
    return status::success;
}

ntstatus toy_adapter::unmap(mirror::v2_0::dxgkarg_unmapcpuhostaperture const& args) {
    if (wrong.unmaps_all) {
        aperture_.clear();
    }
    u64 const page = page_of(args.SegmentId);
    for (u64 i = 0; i < args.NumberOfPages; ++i) {
        for (u64 inside = 0; inside < page; inside += 4096) {
            aperture_.erase((args.pCpuHostAperturePages[i] * page + inside) / 4096);
        }
    }
    return status::success;
}

bool toy_adapter::target(u32, u64 offset, u64& found) const {
    auto const at = aperture_.find(offset / 4096);
    found = at == aperture_.end() ? 0 : at->second + offset % 4096;
    return at != aperture_.end();
}

}  // namespace toy
