// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../base/meta.hpp"

/// The one 64-bit word of an engine machine, and who may change it how.
///
///   bits 0..15   count   packets in the ring, 0 to 128
///   bits 16..31  flags   what makes an engine anything but idle or busy
///   bits 32..63  tail    the serial that the next submission gets; on top, so that its carry falls off
///
/// Submit takes a serial, counts the packet and reads the flags in one addition: with three words a packet is lost or
/// handed over twice. Everything else adds differences of fields whose old value it knows, which is exact because outside
/// the interrupt lock nothing but a submission happens.
namespace wddmcore::inline WDDMCORE_ABI::preemption {

namespace word {

inline constexpr u64 one_submission = (u64{1} << 32) | 1;

/// Flags, at their place in the word.
inline constexpr u32 stopping = 1u << 16;   ///< a request is outstanding: later packets are held
inline constexpr u32 halted = 1u << 17;     ///< a fault stopped the engine: only a reset helps
inline constexpr u32 lost = 1u << 18;       ///< between adapter reset and restart
inline constexpr u32 releasing = 1u << 19;  ///< held packets wait to be handed over
inline constexpr u32 silent = 1u << 20;     ///< rejected submissions are in the ring
inline constexpr u32 full = 1u << 21;       ///< never in the word: the answer to a submission without room

/// Any of them: a submission is not handed over by its submitter.
inline constexpr u32 holding = stopping | halted | lost | releasing | full;
/// Any of them: a completion is not the usual one.
inline constexpr u32 unusual = stopping | halted | lost | releasing | silent;

inline constexpr u32 all_flags = 0xFFFF'0000u;

[[nodiscard]] constexpr u32 count_of(u64 value) noexcept {
    return static_cast<u16>(value);
}
[[nodiscard]] constexpr u32 flags_of(u64 value) noexcept {
    return static_cast<u32>(value) & all_flags;
}
[[nodiscard]] constexpr u32 tail_of(u64 value) noexcept {
    return static_cast<u32>(value >> 32);
}
[[nodiscard]] constexpr u64 make(u32 tail, u32 count, u32 flags) noexcept {
    return static_cast<u64>(tail) << 32 | flags | count;
}

}  // namespace word

/// How an engine machine reads and changes its word.
///
/// `static u64 load(u64 const& at)`: a read that no later access passes; a compiler may not repeat it.
/// `static u64 exchange_add(u64& at, u64 value)`: adds, returns the old value. With submits_outside it is one atomic
/// operation that no access passes in either direction (InterlockedExchangeAdd64; a loop of compare-exchanges will do).
/// `static constexpr bool submits_outside`: whether submit() may run beside the interrupt routine.
template <class Policy>
concept word_policy = requires(u64& at, u64 const& seen, u64 value) {
    { Policy::load(seen) } -> meta::same_as<u64>;
    { Policy::exchange_add(at, value) } -> meta::same_as<u64>;
    typename meta::constant<Policy::submits_outside>;
    requires meta::same_as<meta::bare<decltype(Policy::submits_outside)>, bool>;
};

/// Every call, submit() too, runs under the interrupt lock: no interlocked instruction anywhere.
struct inside_interrupt_lock {
    static constexpr bool submits_outside = false;

    [[nodiscard]] static constexpr u64 load(u64 const& at) noexcept { return at; }
    [[nodiscard]] static constexpr u64 exchange_add(u64& at, u64 value) noexcept {
        u64 const old = at;
        at = old + value;
        return old;
    }
};
static_assert(word_policy<inside_interrupt_lock>);

}  // namespace wddmcore::preemption
