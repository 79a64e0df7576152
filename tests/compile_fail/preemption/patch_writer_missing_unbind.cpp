// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: patch_writer: write `void bind(wddmcore::u32 patch_offset, wddmcore::u64 address, Element const&)`

#include <wddmcore/ddi/mirror/mirror.hpp>
#include <wddmcore/preemption/buffers/patch.hpp>

struct own_writer {
    template <class Element>
    void bind(wddmcore::u32, wddmcore::u64, Element const&) {}
#ifndef BAD
    template <class Element>
    void unbind(wddmcore::u32, Element const&) {}
#endif
};

bool patched(wddmcore::mirror::v2_0::dxgkarg_patch const& args) {
    namespace preemption = wddmcore::preemption;
    return preemption::patch(args, {.slots = 16}, own_writer{}).defect == preemption::patch_defect::none;
}
