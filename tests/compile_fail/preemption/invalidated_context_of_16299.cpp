// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: hardware context: DXGKARGCB_INVALIDATEHWCONTEXT of the included header has no hAdapter and no Flags
// expect: from build 17134 on

#include <wddmcore/preemption/hardware_queues/context.hpp>

struct argument_of_16299 {
    void* hHwContext;
};
struct argument_of_17134 {
    void* hAdapter;
    void* hHwContext;
    unsigned Flags;
};
#if defined(BAD)
using argument = argument_of_16299;
#else
using argument = argument_of_17134;
#endif

void invalidate(argument& args) { wddmcore::preemption::fill_invalidate_hw_context(args, nullptr, nullptr); }
