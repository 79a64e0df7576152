// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// Allocations and the IOMMU's parts, as a driver would call them with descriptions that are not constants.

#include <wddmcore/ddi/mirror/mirror.hpp>
#include <wddmcore/iommu.hpp>
#include <wddmcore/segment/allocation/info.hpp>

using namespace wddmcore;

namespace {

struct initialization_data {
    int (*DxgkDdiBeginExclusiveAccess)();
    int (*DxgkDdiEndExclusiveAccess)();
};

}  // namespace

extern "C" {

/// One structure of each shape: before WDDM 2.0, before Flags2, and with it where the system has it.
u32 fill_allocation(segment::allocation const* wanted, segment::view const* table,
                    segment::allocation_profile const* of, mirror::win7::dxgk_allocationinfo* oldest,
                    mirror::v2_9::dxgk_allocationinfo* older, mirror::v3_2::dxgk_allocationinfo* newest) {
    return static_cast<u32>(segment::fill_allocation_info(*wanted, *table, *of, *oldest).what) |
           static_cast<u32>(segment::fill_allocation_info(*wanted, *table, *of, *older).what) |
           static_cast<u32>(segment::fill_allocation_info(*wanted, *table, *of, *newest).what);
}
u64 aligned_allocation(segment::view const* table, u32 supported, u64 wanted) {
    return segment::alignment_for(*table, {supported}, {wanted}).value.n;
}

u32 words_of_claims(capabilities const* hw, iommu::capabilities const* chosen, iommu::flag_words* made) {
    *made = iommu::flag_words_of(*hw, *chosen);
    return static_cast<u32>(iommu::judge(*hw, *chosen).what) | iommu::is_decided(*chosen) |
           iommu::narrows(*chosen, *chosen);
}
void fill_iommu(iommu::flag_words const* made, u64 highest, mirror::v2_9::dxgk_iommu_caps* caps,
                mirror::v2_9::dxgk_physical_memory_caps* memory) {
    iommu::fill_iommu_caps(*made, *caps);
    iommu::fill_physical_memory_caps(highest, *memory);
}
u32 function_table(initialization_data const* data, iommu::capabilities const* caps) {
    return static_cast<u32>(iommu::check_function_table(*data, *caps).what);
}
u32 reserved_ranges(iommu::physical_memory_range const* reserved, usize count,
                    iommu::physical_memory_range const* managed, usize managed_count) {
    return static_cast<u32>(iommu::judge_reserved_ranges({reserved, count}, {managed, managed_count}).what);
}
u64 save_size(u64 used) { return iommu::frame_buffer_save_size({used}).value.n; }

u32 exclusive_event(iommu::exclusive_access* now, u32 event) {
    auto const what = static_cast<iommu::exclusive_event>(event);
    u32 const found = static_cast<u32>(iommu::judge(*now, what));
    *now = iommu::after(*now, what);
    return found;
}
char const* memory_event(iommu::physical_memory_object* now, iommu::memory_request const* asked) {
    iommu::verdict const found = iommu::judge(*now, *asked);
    *now = iommu::after(*now, *asked);
    return iommu::rule_id(found);
}
void requests_of(mirror::v2_9::dxgkargcb_create_physical_memory_object const* create,
                 mirror::v2_9::dxgkargcb_map_physical_memory const* map,
                 mirror::v2_9::dxgkargcb_allocate_adl const* allocate,
                 mirror::v2_9::dxgkargcb_destroy_physical_memory_object const* destroy, u8 level,
                 iommu::memory_request (*out)[4]) {
    (*out)[0] = iommu::create_request(*create, {level});
    (*out)[1] = iommu::map_request(*map, {level});
    (*out)[2] = iommu::allocate_adl_request(*allocate, {level});
    (*out)[3] = iommu::destroy_request(*destroy, {level});
}
u8* mapped_data(u8* base, u64 asked, u64 offset, u64 size) {
    result<iommu::mapping> const found = iommu::mapping_of({asked}, {offset}, {size});
    return found.ok() ? base + found.value.data.n : nullptr;
}
}
