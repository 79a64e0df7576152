// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// header: 15063 WDDM2_2
// header: 16299 WDDM2_3
// expect: hardware context: DXGKARGCB_INVALIDATEHWCONTEXT of the included header has no hAdapter and no Flags
// expect: it has both from build 17134 on

#include <d3dkmddi.h>

#include <wddmcore/wddmcore.hpp>

void invalidate(DXGKARGCB_INVALIDATEHWCONTEXT* args) {
    wddmcore::preemption::fill_invalidate_hw_context(*args, nullptr, nullptr);
}
