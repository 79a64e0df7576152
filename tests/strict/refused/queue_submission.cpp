// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// header: 15063 WDDM2_2
// header: 16299 WDDM2_3
// header: 17134 WDDM2_4
// expect: hardware queue: DXGKARG_SUBMITCOMMANDTOHWQUEUE of the included header has no Flags or no
// expect: it has both from build 17763 on

#include <d3dkmddi.h>

#include <wddmcore/wddmcore.hpp>

bool take(DXGKARG_SUBMITCOMMANDTOHWQUEUE const* args) {
    return wddmcore::preemption::take_queue_submission(*args, wddmcore::span<wddmcore::u8>{nullptr, 0}).ok();
}
