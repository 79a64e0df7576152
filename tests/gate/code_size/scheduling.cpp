// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The machine of an engine, as a driver links it: each event once, submissions outside of the interrupt lock.

#include <wddmcore/preemption.hpp>

using namespace wddmcore;
using namespace wddmcore::preemption;

extern "C" {
u64 load_word(u64 const& word);
u64 add_word(u64& word, u64 amount);
u32 load_cell(u32 const& cell);
void store_cell(u32& cell, u32 value);
}

struct submit_outside {
    static u64 load(u64 const& word) { return load_word(word); }
    static u64 add(u64& word, u64 amount) { return add_word(word, amount); }
    static u32 load(u32 const& cell) { return load_cell(cell); }
    static void store(u32& cell, u32 value) { store_cell(cell, value); }
};
using machine = engine<64, submit_outside>;

extern "C" {
actions Submit(machine& e, machine::packet const& packet) { return e.submit(packet); }
serial Next(machine& e) { return e.next().number; }
actions Completed(machine& e, serial through) { return e.completed(through); }
actions Preempt(machine& e, fence_id request) { return e.preempt(request); }
actions Stopped(machine& e, generation answered, serial through) { return e.stopped(answered, through, true); }
}
