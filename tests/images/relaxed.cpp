// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The engine's word with relaxed accesses: what the stage must not take for ordered ones. Never linked.

#include <wddmcore/preemption.hpp>

using namespace wddmcore;

namespace relaxed_word {

struct relaxed {
    static u64 load(u64 const& word) { return __atomic_load_n(&word, __ATOMIC_RELAXED); }
    static u64 add(u64& word, u64 amount) { return __atomic_fetch_add(&word, amount, __ATOMIC_RELAXED); }
    static u32 load(u32 const& cell) { return __atomic_load_n(&cell, __ATOMIC_RELAXED); }
    static void store(u32& cell, u32 value) { __atomic_store_n(&cell, value, __ATOMIC_RELAXED); }
};
using engine = preemption::engine<16, relaxed, u32>;

}  // namespace relaxed_word

using relaxed_word::engine;

u32 relaxed_submission(engine& e) { return e.submit({{1}, 0, {0, 8}, 1}).bits; }
u32 relaxed_completion(engine& e) { return e.completed({1}).bits; }
