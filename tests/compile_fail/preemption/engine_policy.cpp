// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
// expect: preemption::engine: the policy needs `static wddmcore::u64 load(wddmcore::u64 const& word)`
#include <wddmcore/preemption.hpp>

using namespace wddmcore;

struct submit_outside : preemption::under_interrupt_lock {
#if defined(BAD)
    static void add(u64& word, u64 amount) { word += amount; }
#endif
};

[[maybe_unused]] static preemption::engine_state begin(preemption::engine<64, submit_outside>& e) {
    e.start({preemption::stopping::nowhere, false});
    return e.state();
}
