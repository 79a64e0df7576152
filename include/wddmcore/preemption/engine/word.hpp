// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../base/meta.hpp"
#include "actions.hpp"

/// An engine's machine runs under two locks, both the driver's:
///  * the *submission lock* (dispatch level) orders submit, next, reject, preempt and the resets. Packets are written
///    to hardware under it, and hardware is asked to stop under it;
///  * the *interrupt lock* is the interrupt routine itself or DxgkCbSynchronizeExecution. Whatever can produce a record
///    runs in it, and its records are notified before it is left (PRE-10, PRE-13): the shared word orders state, not
///    calls.
///
/// With the policy `under_interrupt_lock` submit and next need the interrupt lock as well.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

namespace detail {

/// What the submission side and the interrupt side of an engine share, in one 64-bit word. A submission takes a place
/// in the ring and learns in the same step whether packets are held back; a release lets packets go and learns in the
/// same step how many there are.
///
/// The next serial is the high half, so that its carry is lost; only the interrupt lock changes the low half.
struct engine_word {
    u64 bits;

    static constexpr u64 one_submission = u64{1} << 32;
    static constexpr u32 state_mask = 7;
    static constexpr u32 refused_inside = 8;  ///< refused entries are in the ring, or were since it was last empty
    /// Nothing is held back. The bit is that of action::hand_over, which a submission then returns as it is.
    static constexpr u32 released = static_cast<u32>(action::hand_over);

    [[nodiscard]] constexpr u32 low() const noexcept { return static_cast<u32>(bits); }
    [[nodiscard]] constexpr u32 tail() const noexcept { return static_cast<u32>(bits >> 32); }
    [[nodiscard]] constexpr u32 state() const noexcept { return low() & state_mask; }
    /// Whether no entry of the ring is held back or refused.
    [[nodiscard]] constexpr bool is_plain() const noexcept { return (low() & (state_mask | refused_inside)) == 0; }

    /// What to add so that the low half becomes `wanted`. Submissions may change the high half meanwhile: the low half
    /// is as it was read, so nothing carries.
    [[nodiscard]] constexpr u64 to(u32 wanted) const noexcept { return u64{wanted} - u64{low()}; }
};

}  // namespace detail

/// The policy of a driver that calls everything in the interrupt lock, submissions too: no interlocked instruction.
///
/// All functions here: in the interrupt lock, nonpaged; word_policy says what each is for and returns.
struct under_interrupt_lock {
    /// @return the word: word_policy says how it is read
    /// @param word  the shared word of an engine
    static constexpr u64 load(u64 const& word) noexcept { return word; }
    /// @param word    the shared word of an engine
    /// @param amount  what is added to it, modulo 2^64
    /// @return the value before
    static constexpr u64 add(u64& word, u64 amount) noexcept {
        u64 const before = word;
        word = before + amount;
        return before;
    }
    /// @param cell  where the oldest serial is
    /// @return the serial
    static constexpr u32 load(u32 const& cell) noexcept { return cell; }
    /// @param cell   where the oldest serial is
    /// @param value  the serial
    static constexpr void store(u32& cell, u32 value) noexcept { cell = value; }
};

/// How the cells that both sides see are accessed. `under_interrupt_lock`, or a type of the driver's own, with which
/// submissions do not need the interrupt lock:
///
///     struct submit_outside {
///         static u64 load(u64 const& word);            // acquire: ReadULong64Acquire
///         static u64 add(u64& word, u64 amount);       // InterlockedExchangeAdd64: full barrier; the value before
///         static u32 load(u32 const& cell);            // acquire: ReadULongAcquire
///         static void store(u32& cell, u32 value);     // release: WriteULongRelease
///     };
///
/// No order is weaker than it may be: on ARM64 `add` has to release, or a state is seen before what it stands for, and
/// the loads have to acquire; InterlockedExchangeAdd64 is a full barrier there, too. A compiler makes ldar, stlr and
/// ldaxr/stlxr or casal of them. The doorbell belongs to the driver: hardware must not see it before the packet, nor an
/// interrupt arrive before what was stored ahead of its doorbell (WRITE_REGISTER_ULONG has the barrier).
///
/// `add` may be a compare-exchange loop. On 32-bit x86 it has to be, and there the 64-bit `load` is an `add` of 0.
template <class Policy>
concept word_policy = requires(u64& word, u64 const& seen_word, u32& cell, u32 const& seen_cell) {
    { Policy::load(seen_word) } -> meta::same_as<u64>;
    { Policy::add(word, u64{1}) } -> meta::same_as<u64>;
    { Policy::load(seen_cell) } -> meta::same_as<u32>;
    { Policy::store(cell, u32{1}) } -> meta::same_as<void>;
};

}  // namespace wddmcore::preemption
