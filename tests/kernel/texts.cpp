// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// The words of every refusal: literals, and nothing else.
#include <wddmcore/wddmcore.hpp>

namespace wddmcore_kernel_texts {

using namespace wddmcore;

/// What the log of a driver would ask for, by the number of the enumeration.
char const* text(u32 which, u32 number) {
    switch (which) {
        case 0: return text_of(static_cast<errc>(number));
        case 1: return text_of(static_cast<query_reason>(number));
        case 2: return text_of(static_cast<paging_rule>(number));
        case 3: return text_of(static_cast<segment::rule>(number));
        case 4: return text_of(static_cast<segment::allocation_rule>(number));
        case 5: return text_of(static_cast<gpuva::rule>(number));
        case 6: return text_of(static_cast<gpuva::paging_space_reason>(number));
        case 7: return text_of(static_cast<gpuva::block_fit>(number));
        case 8: return text_of(static_cast<iommu::rule>(number));
        case 9: return text_of(static_cast<iommu::verdict>(number));
        case 10: return text_of(static_cast<preemption::rule>(number));
        case 11: return text_of(static_cast<preemption::context_allocation_defect>(number));
        default: return text_of(static_cast<preemption::patch_defect>(number));
    }
}

}  // namespace wddmcore_kernel_texts
