// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "word.hpp"

/// The states of an engine machine, and what every event does in each of them.
///
/// head, sent, mark, tail are serials: [head, sent) is in hardware, packets before mark were submitted before the
/// outstanding request, packets from mark on after it. Without a request sent and mark are tail. L is last completed.
/// C, F, P are the records: completed, faulted, preempted {request, L}. `-` is ignored and counted, without a record.
///
/// | event | idle (empty) | busy | stopping | drained | releasing | halted | lost |
/// |---|---|---|---|---|---|---|---|
/// | submit | hand over; busy | hand over | hold | hold | wait for release | hold | hold |
/// | rejected(id) | L = id | silent entry | silent entry | silent entry | empty: L = id; else silent entry | as releasing | as releasing |
/// | preempt | P; hardware untouched | mark = sent = tail; generation + 1; ask; stopping | newest id wins; mark = tail | newest id wins; mark = tail | drop all; P | empty: P; else - | drop all; P |
/// | completed(s), s in [head, sent) | - | C; L = s; head = s + 1; idle if empty | C; at sent: drained, or C disarm P let go | - | - | C; L = s; head = s + 1 | - |
/// | completed(s) elsewhere | - | - | - | - | - | - | - |
/// | stopped(current) | - | - | C if new; half-run if told and left; P; let go | P; let go | - | - | - |
/// | stopped(other) | - | - | - | - | - | - | - |
/// | faulted(s), runs on | - | C(before s) if any; F(s); L = s; then as completed | same | - | - | - | - |
/// | faulted(s), needs reset | - | same; halted | same; halted, P never comes | - | - | - | - |
/// | faulted(unknown) | - | F(0); halted | same | - | - | - | - |
/// | release | - | - | - | - | all to hardware; busy, or idle | - | - |
/// | engine reset | L | executing, or L, or oldest: L = it; all dropped; idle | same; held is never named | L; all dropped; idle | same | as busy or stopping | L; - |
/// | adapter reset | lost | L = newest; all dropped; lost | same | same | same | same | same |
/// | restart | - | - | - | - | - | - | let go; idle if empty |
/// | query fence | L | as completed, then L | same | L | L | L | L |
///
/// "Let go": leading silent entries retire; releasing if anything is left, else idle; where submissions run outside the
/// interrupt lock, releasing in any case, because one may just have read that it is held. Silent entries retire (L is
/// their id) whenever everything before them is gone, short of sent while a request is outstanding.
/// L by event: completed: s; stopped: through, if new; faulted(s): s; engine reset: the id it returns; adapter reset: the
/// newest in the ring; start: an argument; and a silent entry's own id when its turn comes.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

/// What an engine machine is doing.
enum class engine_state : u32 { idle, busy, stopping, drained, releasing, halted, lost };

/// The state that a word stands for: the strongest of its flags, or whether anything is in the ring.
///
/// @param in_hardware  packets between head and sent: with none of them left, stopping is drained
[[nodiscard]] constexpr engine_state state_of(u64 value, u32 in_hardware) noexcept {
    u32 const flags = word::flags_of(value);
    return (flags & word::lost) != 0        ? engine_state::lost
           : (flags & word::halted) != 0    ? engine_state::halted
           : (flags & word::stopping) != 0  ? in_hardware == 0 ? engine_state::drained : engine_state::stopping
           : (flags & word::releasing) != 0 ? engine_state::releasing
           : word::count_of(value) != 0     ? engine_state::busy
                                            : engine_state::idle;
}
static_assert(state_of(word::make(7, 0, 0), 0) == engine_state::idle);
static_assert(state_of(word::make(7, 1, 0), 1) == engine_state::busy);
static_assert(state_of(word::make(7, 1, word::stopping), 0) == engine_state::drained);
static_assert(state_of(word::make(7, 1, word::stopping | word::halted), 1) == engine_state::halted);

}  // namespace wddmcore::preemption
