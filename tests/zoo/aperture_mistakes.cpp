// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// What drivers do wrong with the aperture: operations 5 and 6, and 17 of WDDM 2.9.
#include "mistake.hpp"

namespace zoo {

namespace {

constexpr char const* dummy = "UNMAP does not point at the dummy page";
constexpr char const* partial = "partial map or page group wrong";

using enum sound_driver;

constexpr mistake aperture_rows[] = {
    {"unmapped entries become 0", dummy, "OP06-01", physical, physical_reads<[](physical_args& a) {
         if (a.Operation == 6) {
             a.UnmapApertureSegment.DummyPage.QuadPart = 0;
         }
     }>},
    {"an unmap is ignored", dummy, "OP06-01", physical,
     physical_builds<[](void* d, physical_args& a) { return a.Operation == 6 ? status::success : build(d, a); }>},
    {"an unmap ignores NumberOfPages", dummy, "OP06-01", physical, physical_reads<[](physical_args& a) {
         if (a.Operation == 6) {
             a.UnmapApertureSegment.NumberOfPages = 1;
         }
     }>},
    {"an unmap takes the page after the dummy page", dummy, "OP06-01", physical, physical_reads<[](physical_args& a) {
         if (a.Operation == 6) {
             a.UnmapApertureSegment.DummyPage.QuadPart += 4096;
         }
     }>},
    {"unmapped entries of a modern aperture become 0", dummy, "OP06-01", skeleton, virtual_reads<[](virtual_args& a) {
         if (a.Operation == 6) {
             a.UnmapApertureSegment.DummyPage.QuadPart = 0;
         }
     }>},
    {"a map succeeds and does nothing", "unhandled operation answered SUCCESS, content lost", "PGB-22", physical,
     physical_builds<[](void* d, physical_args& a) { return a.Operation == 5 ? status::success : build(d, a); }>},
    {"a map ignores MdlOffset", "TransferOffset and MdlOffset mixed up", "OP05-01", physical,
     physical_reads<[](physical_args& a) {
         if (a.Operation == 5) {
             a.MapApertureSegment.MdlOffset = 0;
         }
     }>},
    {"a partial map lands at the start of the range", partial, "OP05-01", physical,
     physical_reads<[](physical_args& a) {
         if (a.Operation == 5) {
             a.MapApertureSegment.OffsetInPages = 0;
         }
     }>},
    {"a map clears the page after its range", partial, "OP05-01", physical,
     physical_builds<[](void* d, physical_args& a) {
         u64 const end = a.MapApertureSegment.OffsetInPages + a.MapApertureSegment.NumberOfPages;
         bool const more = a.Operation == 5 && end < 4096;
         return more ? then_each_record(d, a,
                                        [=](u32* r) {
                                            if ((*r & 0xff) == 5 && word(r + 2) + 1 == end) {
                                                set_word(r + 2, end);
                                            }
                                        })
                     : build(d, a);
     }>},
    {"CacheCoherent is dropped", "the flag not passed to the hardware", "OP05-03", physical,
     physical_reads<[](physical_args& a) {
         if (a.Operation == 5) {
             a.MapApertureSegment.Flags.Value = 0;
         }
     }>},
    {"nothing is mapped for a primary, which has no device", "NULL allocation or device returns success", "OP05-05",
     physical, physical_builds<[](void* d, physical_args& a) {
         return a.Operation == 5 && a.MapApertureSegment.hDevice == nullptr ? status::success : build(d, a);
     }>},
    {"nothing is mapped for a DMA buffer, which is no allocation", "NULL allocation or device returns success",
     "OP05-05", physical, physical_builds<[](void* d, physical_args& a) {
         return a.Operation == 5 && a.MapApertureSegment.hAllocation == nullptr ? status::success : build(d, a);
     }>},
    {"a map ignores AdlOffset", "nobody implements ADLs: their offset taken for granted", "OP17-02", skeleton,
     virtual_reads<[](virtual_args& a) {
         if (a.Operation == 17) {
             a.MapApertureSegment2.AdlOffset = 0;
         }
     }>},
    {"an ADL lands at the start of the range", partial, "OP17-02", skeleton, virtual_reads<[](virtual_args& a) {
         if (a.Operation == 17) {
             a.MapApertureSegment2.OffsetInPages = 0;
         }
     }>},
    {"every ADL is taken for contiguous", "the contiguous flag not tested", "OP17-04", skeleton,
     virtual_reads<[](virtual_args& a) {
         auto& adl = a.MapApertureSegment2.Adl;
         if (a.Operation == 17 && adl.Flags.Contiguous == 0) {
             adl.BasePageNumber = adl.Pages[0];
             adl.Flags.Contiguous = 1;
         }
     }>},
};

}  // namespace

std::span<mistake const> aperture_mistakes() { return aperture_rows; }

}  // namespace zoo
