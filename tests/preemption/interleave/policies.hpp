// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "memory.hpp"

/// The two synchronisation policies on modelled memory, and what they must not be.
namespace preemption_interleave {

/// As under_interrupt_lock: plain accesses, all of them in the interrupt lock.
struct all_inside {
    static constexpr bool submits_inside = true;
    static constexpr bool preempts_inside = true;
    static constexpr bool resets_inside = true;
    static constexpr bool rejects_inside = true;
    static u64 load(u64 const& word) { return preemption_interleave::load(word); }
    static u64 add(u64& word, u64 amount) {
        u64 const before = preemption_interleave::load(word);
        preemption_interleave::store(word, before + amount);
        return before;
    }
    static u32 load(u32 const& cell) { return preemption_interleave::load(cell); }
    static void store(u32& cell, u32 value) { preemption_interleave::store(cell, value); }
};

/// Submissions outside the interrupt lock, by one exchange-add.
struct outside : all_inside {
    static constexpr bool submits_inside = false;
    static u64 add(u64& word, u64 amount) { return exchange_add(word, amount); }
};

/// The same by a compare-exchange loop.
struct outside_by_loop : outside {
    static u64 add(u64& word, u64 amount) {
        for (;;) {
            u64 const expected = preemption_interleave::load(word);
            pause_interlocked();
            observe(word);
            if (word == expected) {
                word = expected + amount;
                return expected;
            }
        }
    }
};

inline constexpr u32 interrupt_agent = 1;

/// Broken: a submission loads, adds and stores.
struct plain_store_in_submit : outside {
    static u64 add(u64& word, u64 amount) {
        return memory.running == interrupt_agent ? outside::add(word, amount) : all_inside::add(word, amount);
    }
};

/// Broken: the interrupt side does.
struct plain_store_in_completion : outside {
    static u64 add(u64& word, u64 amount) {
        return memory.running == interrupt_agent ? all_inside::add(word, amount) : outside::add(word, amount);
    }
};

/// Each access with an order of its own, in weak memory.
struct orders {
    bool add_acquires = true, add_releases = true, word_acquires = true, cell_acquires = true, cell_releases = true;
};
template <orders Order, u32 Capacity>
struct outside_with : all_inside {
    static constexpr u32 capacity = Capacity;
    static constexpr bool submits_inside = false;
    static u64 load(u64 const& word) { return load_weakly(word, Order.word_acquires); }
    static u64 add(u64& word, u64 amount) {
        return exchange_add_weakly(word, amount, Order.add_acquires, Order.add_releases);
    }
    static u32 load(u32 const& cell) { return load_weakly(cell, Order.cell_acquires); }
    static void store(u32& cell, u32 value) { store_weakly(cell, value, Order.cell_releases); }
};

/// Broken: preempt holds only the submission lock.
struct preempt_outside : outside {
    static constexpr bool preempts_inside = false;
};

/// Broken: a reset holds only the submission lock.
struct reset_outside : outside {
    static constexpr bool resets_inside = false;
};

/// Broken: a refusal holds only the submission lock.
struct reject_outside : outside {
    static constexpr bool rejects_inside = false;
};

/// Broken: state and next serial are two words, each changed by its own interlocked operation.
struct separate_words : outside {
    static u64 load(u64 const& word) {
        u32 const low = static_cast<u32>(preemption_interleave::load(word));
        return preemption_interleave::load(word) >> 32 << 32 | low;
    }
    static u64 add(u64& word, u64 amount) {
        pause_interlocked();
        u64 const first = word;
        u64 const low = u64{static_cast<u32>(first)} + static_cast<u32>(amount);
        word = first >> 32 << 32 | static_cast<u32>(low);
        observe(first);
        pause_interlocked();
        u64 const second = word;
        word = second + (amount >> 32 << 32) + (low >> 32 << 32);
        observe(second);
        return second >> 32 << 32 | static_cast<u32>(first);
    }
    static u32 load(u32 const& cell) { return preemption_interleave::load(cell); }
};

}  // namespace preemption_interleave
