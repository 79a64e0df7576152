// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "gpu_memory.hpp"

#include <hardware/amd_gfx10_memory.hpp>
#include <wddmcore/adapter_info.hpp>
#include <wddmcore/ddi/mirror_binding.hpp>

/// Queries of an adapter with AMD's memory, answered in the mirror's structures.
namespace images {

struct described_adapter : examples::amd::gfx10_virtual<examples::amd::gfx10_memory::claims>,
                           examples::amd::gfx10_memory {
    static constexpr preemption_engine engines[] = {{.other = {other_preemption_granularity::dma_buffer_boundary}}};
    static constexpr scheduling_capabilities scheduling{.virtual_addressing = claim::yes};
};

using binding = mirror_binding<wddm::v3_2>;

template <class Input, class Output>
query_answer ask(described_adapter const& adapter, adapter_query type, Input& in, Output& out) {
    mirror::v2_4::dxgkarg_queryadapterinfo args{};
    args.Type = static_cast<u32>(type);
    args.pInputData = &in;
    args.InputDataSize = sizeof in;
    args.pOutputData = &out;
    args.OutputDataSize = sizeof out;
    return answer_query_adapter_info<binding>(adapter, args);
}

/// An object that is a multiple of four bytes, dword by dword.
template <class Object>
void hash_object(checks& to, Object const& object) {
    static_assert(sizeof object % 4 == 0);
    to.hash(sizeof object);
    to.hash(reinterpret_cast<u32 const*>(&object), sizeof object / 4);
}

template <class Object>
void zero(Object& object) {
    for (u32 i = 0; i != sizeof object; ++i) {
        static_cast<u8 volatile*>(static_cast<void*>(&object))[i] = 0;
    }
}

inline void check_answers(checks& to) {
    to.begin("adapter queries, WDDM 3.2");
    static constinit described_adapter adapter;
    constexpr segment::numbers window{.size = 16 * gib, .host_aperture = {{0xD000'0000}, 65536}};
    to.expect(adapter.segments.place(described_adapter::vram, window) == segment::no_rule_broken,
              "the memory segment is placed");

    binding::querysegmentin4 in{};
    static binding::segmentdescriptor4 array[2];
    binding::querysegmentout4 out{};
    zero(array);
    to.expect(ask(adapter, adapter_query::querysegment4, in, out) == query_answered && out.NbSegment == 2,
              "SEG-02: two segments", out.NbSegment);
    out.pSegmentDescriptor = reinterpret_cast<u8*>(array);
    out.SegmentDescriptorStride = sizeof array[0];
    to.expect(ask(adapter, adapter_query::querysegment4, in, out) == query_answered, "the second pass of SEG-02");
    // Aperture b0, CacheCoherent b4, SupportsCpuHostAperture b13, ApplicationTarget b15: DXGK_SEGMENTFLAGS.
    to.expect(array[0].Flags.Value == 0x11 && array[0].Size == 0x2000'0000, "the GART", array[0].Flags.Value);
    to.expect(array[1].Flags.Value == 0xA000 && array[1].Size == u64{16} << 30 &&
                  array[1].BaseAddress.QuadPart == 0x80'0000'0000,
              "video memory", array[1].Flags.Value);
    hash_object(to, array);
    to.hash64(out.PagingBufferSegmentId);
    to.hash64(out.PagingBufferSize);

    binding::querygpummucapsin mmu_in{};
    binding::gpummucaps mmu{};
    to.expect(ask(adapter, adapter_query::gpummucaps, mmu_in, mmu) == query_answered &&
                  mmu.VirtualAddressBitCount == 48 && mmu.PageTableLevelCount == 4,
              "GVA-40: page tables of four levels for 48 bits", mmu.VirtualAddressBitCount);
    hash_object(to, mmu);
    for (u16 level = 0; level != 5; ++level) {
        binding::querypagetableleveldescin level_in{};
        level_in.LevelIndex = level;
        binding::page_table_level_desc description{};
        query_answer const answer = ask(adapter, adapter_query::pagetableleveldesc, level_in, description);
        to.expect(level < 4 ? answer == query_answered && description.PageTableIndexBitCount == 9 &&
                                  description.PageTableSizeInBytes == 4096
                            : answer.reason == query_reason::no_such_level,
                  "a level of the page tables", level);
        hash_object(to, description);
    }

    u32 index[2] = {};
    binding::physical_memory_caps memory{};
    to.expect(ask(adapter, adapter_query::physical_memory_caps, index[0], memory) == query_answered &&
                  memory.HighestVisibleAddress.QuadPart == 0xFFFF'FFFF'FFFF,
              "IOM-01: GPUVM entries hold 48 bits");
    binding::iommu_caps iommu{};
    to.expect(ask(adapter, adapter_query::iommu_caps, index[0], iommu) == query_answered && iommu.Value == 4,
              "IOM-01: DmaRemappingSupported", iommu.Value);
    hash_object(to, memory);
    hash_object(to, iommu);

    static binding::drivercaps caps;
    zero(caps);
    u32 none = 0;
    mirror::v2_4::dxgkarg_queryadapterinfo args{};
    args.Type = static_cast<u32>(adapter_query::drivercaps);
    args.pInputData = &none;
    args.pOutputData = &caps;
    args.OutputDataSize = sizeof caps;
    query_answer const answer = answer_query_adapter_info<binding>(adapter, args);
    to.expect(answer.done(), "DRIVERCAPS", static_cast<u32>(answer.reason));
    hash_object(to, caps);
}

}  // namespace images
