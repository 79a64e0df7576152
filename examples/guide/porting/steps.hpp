// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "by_hand.hpp"

#include <hardware/cpu_virtual.hpp>

/// The driver's paging after each step of porting.md. What a step does not name is still by_hand.hpp.
namespace guide {

using namespace wddmcore;
using by_hand::DXGKARG_BUILDPAGINGBUFFER, by_hand::NTSTATUS;

/// What every step's driver is told at StartDevice.
struct resources {
    u64 system_base;
    segment_place aperture, vram;
    void* gart;
};

namespace step_0 {

struct driver {
    by_hand::ADAPTER hand;

    explicit driver(resources const& r)
        : hand{r.system_base, r.vram.base.n, static_cast<by_hand::GART_ENTRY*>(r.gart)} {}
    NTSTATUS build(DXGKARG_BUILDPAGINGBUFFER* args) { return by_hand::BuildPagingBuffer(&hand, args); }
};

}  // namespace step_0

/// The hardware type; each step claims more of it.
template <capabilities Caps>
struct chip : examples::cpu::virtual_processor<Caps> {
    explicit chip(resources const& r) {
        this->segments[0] = {r.aperture, true};
        this->segments[1] = {r.vram, false};
        this->system_base = r.system_base;
        this->entries = static_cast<examples::cpu::aperture_entry*>(r.gart);
    }
};

namespace step_1 {

// region: step 1
inline constexpr capabilities claims{.version = wddm::v2_0, .addresses = paging_addresses::gpu_virtual};

struct driver {
    by_hand::ADAPTER hand;
    chip<claims> gpu;

    explicit driver(resources const& r)
        : hand{r.system_base, r.vram.base.n, static_cast<by_hand::GART_ENTRY*>(r.gart)}, gpu(r) {}

    NTSTATUS build(DXGKARG_BUILDPAGINGBUFFER* args) {
        switch (static_cast<paging_operation>(args->Operation)) {
            case paging_operation::map_aperture_segment: return by_hand::MapApertureSegment(&hand, args);
            case paging_operation::unmap_aperture_segment: return by_hand::UnmapApertureSegment(&hand, args);
            case paging_operation::update_page_table: return by_hand::UpdatePageTable(&hand, args);
            case paging_operation::flush_tlb: return by_hand::FlushTlb(args);
            default: return build_paging_buffer(gpu, *args);
        }
    }
};
// end: step 1

}  // namespace step_1

namespace step_2 {

// region: step 2
inline constexpr capabilities claims{
    .version = wddm::v2_0, .addresses = paging_addresses::gpu_virtual, .aperture = aperture_forms::mdl};

struct driver {
    by_hand::ADAPTER hand;
    chip<claims> gpu;

    explicit driver(resources const& r) : hand{r.system_base, r.vram.base.n, nullptr}, gpu(r) {}

    NTSTATUS build(DXGKARG_BUILDPAGINGBUFFER* args) {
        switch (static_cast<paging_operation>(args->Operation)) {
            case paging_operation::update_page_table: return by_hand::UpdatePageTable(&hand, args);
            case paging_operation::flush_tlb: return by_hand::FlushTlb(args);
            default: return build_paging_buffer(gpu, *args);
        }
    }
};
// end: step 2

}  // namespace step_2

namespace step_3 {

// region: step 3
inline constexpr capabilities claims{.version = wddm::v2_0,
                                     .addresses = paging_addresses::gpu_virtual,
                                     .aperture = aperture_forms::mdl,
                                     .gpu_mmu = claim::yes,
                                     .page_tables = update_modes::cpu_virtual};

struct driver {
    chip<claims> gpu;

    explicit driver(resources const& r) : gpu(r) {}
    NTSTATUS build(DXGKARG_BUILDPAGINGBUFFER* args) { return build_paging_buffer(gpu, *args); }
};
// end: step 3

}  // namespace step_3

}  // namespace guide
