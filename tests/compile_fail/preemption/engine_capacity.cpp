// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: preemption::engine: the capacity must be a power of two from 1 to 32768
#include <wddmcore/preemption.hpp>

using namespace wddmcore;

#if defined(BAD)
constexpr u32 capacity = 48;
#else
constexpr u32 capacity = 64;
#endif

[[maybe_unused]] static preemption::engine_state begin(preemption::engine<capacity>& e) {
    e.start({preemption::stopping::nowhere, false});
    return e.submit({{1}, 0, {0, 0}, 0}) == preemption::only(preemption::action::hand_over)
               ? e.state()
               : preemption::engine_state::lost;
}
