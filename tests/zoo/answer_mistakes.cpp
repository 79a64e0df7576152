// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// What drivers do wrong in their answers: segments, page-table levels, allocations.
#include "mistake.hpp"

#include <wddmcore/ddi/adapter_query.hpp>

#include <cstring>

namespace zoo {

namespace {

constexpr char const* unchecked = "stride, LevelIndex, output size unchecked";
constexpr char const* described = "segments described against the rules";

using query_args = mirror::v3_2::dxgkarg_queryadapterinfo;
using segments_out = mirror::v3_2::dxgk_querysegmentout4;
using descriptor = mirror::v3_2::dxgk_segmentdescriptor4;
using mmu_caps = mirror::v3_2::dxgk_gpummucaps;
using level = mirror::v3_2::dxgk_page_table_level_desc;
using allocation_info = mirror::v3_2::dxgk_allocationinfo;

template <adapter_query Type, void (*Change)(query_args const&)>
int WDDMCORE_DRIVER_CALL answered(void* d, void const* args) {
    auto const& asked = *static_cast<query_args const*>(args);
    int const status = sound.query_adapter_info(d, args);
    if (status >= 0 && asked.Type == static_cast<u32>(Type)) {
        Change(asked);
    }
    return status;
}
/// The sound answer to a query, changed.
template <adapter_query Type, void (*Change)(query_args const&)>
void answers(wddmcore_driver_table& t) {
    t.query_adapter_info = answered<Type, Change>;
}

[[nodiscard]] segments_out& segments_of(query_args const& a) { return *static_cast<segments_out*>(a.pOutputData); }
/// Descriptor `index` of the second call; a scratch one in the first.
[[nodiscard]] descriptor& segment(query_args const& a, u32 index) {
    static descriptor none;
    segments_out& out = segments_of(a);
    return out.pSegmentDescriptor == nullptr
               ? none
               : *reinterpret_cast<descriptor*>(out.pSegmentDescriptor + index * out.SegmentDescriptorStride);
}

template <void (*Change)(allocation_info&)>
int WDDMCORE_DRIVER_CALL allocated(void* d, void* args) {
    int const status = sound.create_allocation(d, args);
    if (status >= 0) {
        Change(*static_cast<mirror::v3_2::dxgkarg_createallocation*>(args)->pAllocationInfo);
    }
    return status;
}
template <void (*Change)(allocation_info&)>
void allocates(wddmcore_driver_table& t) {
    t.create_allocation = allocated<Change>;
}

using enum sound_driver;
using enum adapter_query;

constexpr mistake answer_rows[] = {
    {"the segments are another number at the second query", described, "SEG-02", skeleton,
     answers<querysegment4,
             [](query_args const& a) {
                 segments_of(a).NbSegment -= segments_of(a).pSegmentDescriptor != nullptr ? 1U : 0U;
             }>},
    {"descriptors are an array of the structure", unchecked, "SEG-03", skeleton,
     answers<querysegment4,
             [](query_args const& a) {
                 segments_out& out = segments_of(a);
                 if (out.pSegmentDescriptor != nullptr) {
                     std::memcpy(out.pSegmentDescriptor + sizeof(descriptor), &segment(a, 1), sizeof(descriptor));
                 }
             }>},
    {"a segment is half a page too long", described, "SEG-08", skeleton,
     answers<querysegment4,
             [](query_args const& a) {
                 segment(a, 1).Size += 2048;
                 segment(a, 1).CommitLimit += 2048;
             }>},
    {"segments overlap", described, "SEG-07", skeleton,
     answers<querysegment4, [](query_args const& a) { segment(a, 1).BaseAddress = segment(a, 0).BaseAddress; }>},
    {"memory is called cache-coherent", described, "SEG-13", skeleton,
     answers<querysegment4, [](query_args const& a) { segment(a, 1).Flags.CacheCoherent = 1; }>},
    {"the aperture is called visible to the CPU", described, "SEG-14", skeleton,
     answers<querysegment4, [](query_args const& a) { segment(a, 0).Flags.CpuVisible = 1; }>},
    {"a memory segment commits half of its size", described, "SEG-23", skeleton,
     answers<querysegment4, [](query_args const& a) { segment(a, 1).CommitLimit = segment(a, 1).Size / 2; }>},
    {"there are two apertures", described, "SEG-26", skeleton,
     answers<querysegment4,
             [](query_args const& a) {
                 segment(a, 1).Flags.Value = 0;
                 segment(a, 1).Flags.Aperture = 1;
             }>},
    {"the answer is written past its end", unchecked, "OUTPUT-SIZE", skeleton,
     answers<gpummucaps,
             [](query_args const& a) { static_cast<char volatile*>(a.pOutputData)[a.OutputDataSize] = 1; }>},
    {"the levels' bits do not add up to the address", "width: computed in 32 bits", "GVA-03", skeleton,
     answers<pagetableleveldesc,
             [](query_args const& a) { static_cast<level*>(a.pOutputData)->PageTableIndexBitCount -= 1; }>},
    {"tables in system memory are of two pages", "the leaf table's size rounded up", "GVA-06", skeleton,
     answers<pagetableleveldesc,
             [](query_args const& a) { static_cast<level*>(a.pOutputData)->PageTableSizeInBytes = 8192; }>},
    {"an allocation's segment set names a segment that is not there", described, "PREF-01", skeleton,
     allocates<[](allocation_info& i) { i.SupportedReadSegmentSet = i.SupportedWriteSegmentSet = 0x13; }>},
    {"an allocation is evicted to memory", described, "PREF-06", skeleton,
     allocates<[](allocation_info& i) { i.EvictionSegmentSet = 2; }>},
    {"an allocation has no size", described, "PREF-08", skeleton, allocates<[](allocation_info& i) { i.Size = 0; }>},
};

}  // namespace

std::span<mistake const> answer_mistakes() { return answer_rows; }

}  // namespace zoo
