// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: patch_writer: write `void bind(wddmcore::u32 patch_offset, wddmcore::u64 address, Element const&)`

#include <wddmcore/ddi/mirror/mirror.hpp>
#include <wddmcore/preemption/buffers/patch_list.hpp>

namespace preemption = wddmcore::preemption;

struct own_writer {
#ifdef BAD
    void bind(wddmcore::u32, wddmcore::u64) {}
#else
    void bind(wddmcore::u32, wddmcore::u64, auto const&) {}
#endif
    void unbind(wddmcore::u32, auto const&) {}
};

using list = preemption::patch_list<wddmcore::mirror::vista::d3dddi_patchlocationlist,
                                    wddmcore::mirror::vista::dxgk_allocationlist>;

bool added(list& to, preemption::patch_use const& use) {
    return to.add(use, own_writer{}) == preemption::patch_defect::none;
}
