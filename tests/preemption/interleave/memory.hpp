// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "agents.hpp"

#include <cstring>

/// The memory that the agents share: sequentially consistent, or with x86's store buffers.
namespace preemption_interleave {

/// A store that only its agent sees yet.
struct pending {
    void* where;
    u64 value;
    u32 bytes;
};

struct shared_memory {
    bool buffered = false;
    std::vector<pending> buffer[agents];
    u32 locks[2] = {};  ///< 0 free
    u32 running = 0;    ///< the agent whose step it is
    u64 observed[agents] = {};
    u32 steps[agents] = {};
    u32 const* wants[agents] = {};  ///< the lock that an agent stands before
    bool interlocked[agents] = {};  ///< it stands before an interlocked access: its buffer has to be empty
    bool (*waits[agents])() = {};   ///< or before something that has not happened
    bool single = false;            ///< the end of a history: one agent, nothing to switch
    agent contexts[agents];
};
inline shared_memory memory{};

constexpr u64 mixed(u64 value, u64 field) {
    value = (value ^ field) * 0xFF51'AFD7'ED55'8CCDu;
    return value ^ value >> 32;
}

inline void observe(u64 value) { memory.observed[memory.running] = mixed(memory.observed[memory.running], value); }

/// Stands before the next access until the search goes on.
inline void pause() {
    if (memory.single) {
        return;
    }
    ++memory.steps[memory.running];
    memory.contexts[memory.running].pause();
}

inline void write_through(pending const& p) { std::memcpy(p.where, &p.value, p.bytes); }

inline void flush_one(u32 who) {
    write_through(memory.buffer[who].front());
    memory.buffer[who].erase(memory.buffer[who].begin());
}

template <class Cell>
Cell look(Cell const& cell) {
    if (!memory.single) {
        std::vector<pending> const& own = memory.buffer[memory.running];
        for (std::size_t i = own.size(); i-- > 0;) {
            if (own[i].where == &cell) {
                return static_cast<Cell>(own[i].value);
            }
        }
    }
    return cell;
}

/// A plain or acquiring load: the same on x86.
template <class Cell>
Cell load(Cell const& cell) {
    pause();
    Cell const value = look(cell);
    observe(value);
    return value;
}

/// A plain or releasing store: it may stay in the buffer.
template <class Cell>
void store(Cell& cell, Cell value) {
    pause();
    if (memory.buffered && !memory.single) {
        memory.buffer[memory.running].push_back({&cell, value, sizeof(Cell)});
    } else {
        cell = value;
    }
}

/// Stands before an interlocked access: nothing may be left in the agent's buffer.
inline void pause_interlocked() {
    memory.interlocked[memory.running] = true;
    pause();
    memory.interlocked[memory.running] = false;
}

/// An interlocked exchange-add.
template <class Cell>
Cell exchange_add(Cell& cell, Cell amount) {
    pause_interlocked();
    Cell const before = cell;
    cell = static_cast<Cell>(before + amount);
    observe(before);
    return before;
}

enum class lock : u32 { submission, interrupt };

inline u64 (*all_of_it)() = nullptr;  ///< a hash of everything that a lock protects

inline void acquire(lock which) {
    u32& cell = memory.locks[static_cast<u32>(which)];
    memory.wants[memory.running] = &cell;
    pause_interlocked();
    memory.wants[memory.running] = nullptr;
    cell = 1;
    observe(all_of_it());
}

inline void release(lock which) { store(memory.locks[static_cast<u32>(which)], 0u); }

/// Stands until something has happened, or nobody else can make it happen any more.
inline void wait_for(bool (*happened)()) {
    memory.waits[memory.running] = happened;
    pause();
    memory.waits[memory.running] = nullptr;
    observe(happened() ? 1 : 0);
}

}  // namespace preemption_interleave
