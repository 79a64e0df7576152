// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "agents.hpp"
#include "weak_memory.hpp"

#include <cstring>

/// The memory that the agents share: sequentially consistent, with x86's store buffers, or weaker (weak_memory.hpp).
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
    u32 const* wants[agents] = {};   ///< the lock that an agent stands before
    bool interlocked[agents] = {};   ///< it stands before an interlocked access: its buffer has to be empty
    bool (*waits[agents])() = {};    ///< or before something that has not happened
    void const* loads[agents] = {};  ///< the atomic cell that an agent is about to load, in weak memory
    u64 loaded[agents] = {};         ///< what is in it now
    u32 older = 0;                   ///< which message the step takes: 0 the newest
    bool single = false;             ///< the end of a history: one agent, nothing to switch
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

/// A load of an atomic cell in weak memory.
template <class Cell>
Cell load_weakly(Cell const& cell, bool acquires) {
    if (memory.single) {
        return cell;
    }
    memory.loads[memory.running] = &cell;
    memory.loaded[memory.running] = cell;
    pause();
    u32 const who = memory.running;
    memory.loads[who] = nullptr;
    Cell const value = static_cast<Cell>(weak.load(who, &cell, cell, acquires, memory.older));
    observe(value);
    return value;
}

template <class Cell>
void store_weakly(Cell& cell, Cell value, bool releases) {
    pause();
    if (!memory.single) {
        weak.store(memory.running, &cell, cell, value, releases);
    }
    cell = value;
}

template <class Cell>
Cell exchange_add_weakly(Cell& cell, Cell amount, bool acquires, bool releases) {
    pause();
    Cell const before = cell;
    if (!memory.single) {
        weak.exchange(memory.running, &cell, before, before + amount, acquires, releases);
    }
    cell = static_cast<Cell>(before + amount);
    observe(before);
    return before;
}

/// What orders agents besides the engine's own cells: two locks, then hardware (a doorbell and its interrupt) and the
/// queue of DPCs.
enum class channel : u32 { submission_lock, interrupt_lock, hardware, deferred };
inline void tell(channel which) {
    bool const orders = which != channel::hardware || weak.doorbell_orders;
    if (weak.on && !memory.single && orders) {
        weak.tell(memory.running, static_cast<u32>(which));
    }
}
inline void hear(channel which) {
    if (weak.on && !memory.single) {
        weak.hear(memory.running, static_cast<u32>(which));
    }
}

/// A plain or acquiring load: the same on x86.
template <class Cell>
Cell load(Cell const& cell) {
    pause();
    if (weak.on && !memory.single) {
        weak.plain_read(memory.running, &cell);
    }
    Cell const value = look(cell);
    observe(value);
    return value;
}

/// A plain or releasing store: it may stay in the buffer.
template <class Cell>
void store(Cell& cell, Cell value) {
    pause();
    if (weak.on && !memory.single) {
        weak.plain_write(memory.running, &cell);
    }
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
    hear(static_cast<channel>(which));
    observe(all_of_it());
}

inline void release(lock which) {
    if (weak.on) {
        pause();
        tell(static_cast<channel>(which));
        memory.locks[static_cast<u32>(which)] = 0;
    } else {
        store(memory.locks[static_cast<u32>(which)], 0u);
    }
}

/// Stands until something has happened, or nobody else can make it happen any more.
inline void wait_for(bool (*happened)()) {
    memory.waits[memory.running] = happened;
    pause();
    memory.waits[memory.running] = nullptr;
    observe(happened() ? 1 : 0);
}

}  // namespace preemption_interleave
