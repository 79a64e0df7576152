// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <wddmcore/base/types.hpp>

#include <cstddef>
#include <vector>

/// Memory whose orders are weaker than x86's: what acquire, release and relaxed accesses of C++ promise, and no more.
/// ARM64 promises at least that for ldar, stlr and cas(al), and does reorder where none of them stands.
///
/// Every store to an atomic cell is a message that keeps what its writer knew, if the store releases. A load may take
/// any message that its agent does not know to be old; if it acquires, the agent then knows what the message keeps. A
/// plain cell is never read or written while another agent's access to it is not known to be over: such a race is
/// undefined in C++ and, without the order that is missing, real on ARM64 (a load that is done after a later store, too,
/// which messages alone would not show).
///
/// Stores to one cell are in one order, that in which agents make them: here each cell is stored to under one lock or
/// by read-modify-writes only.
namespace preemption_interleave {
using namespace wddmcore;

inline constexpr u32 weak_agents = 3;
inline constexpr u32 most_cells = 128;  ///< dwords of the engine
inline constexpr u32 most_channels = 4;

/// What an agent knows: for each cell the newest message, for each agent how much of what it did is over.
struct knowledge {
    u8 newest[most_cells];
    u8 over[weak_agents];

    void learn(knowledge const& other) {
        for (u32 i = 0; i != most_cells; ++i) {
            newest[i] = newest[i] < other.newest[i] ? other.newest[i] : newest[i];
        }
        for (u32 i = 0; i != weak_agents; ++i) {
            over[i] = over[i] < other.over[i] ? other.over[i] : over[i];
        }
    }
};

struct message {
    u64 value;
    knowledge kept;
};

struct plain_cell {
    u8 written_by, written_at;  ///< 1 + the agent; its count then
    u8 read_at[weak_agents];
};

class weak_memory {
public:
    bool on = false;
    bool doorbell_orders = true;  ///< what was stored before the doorbell is seen by who takes its interrupt
    char const* race = nullptr;

    /// @param object  what is shared; its cells are known by their places in it
    void begin(void const* object) {
        base_ = static_cast<unsigned char const*>(object);
        race = nullptr;
        for (u32 i = 0; i != most_cells; ++i) {
            messages_[i].clear();
            plain_[i] = {};
        }
        for (knowledge& k : agents_) {
            k = {};
        }
        for (knowledge& k : channels_) {
            k = {};
        }
    }

    /// How many messages a load of the cell may take.
    [[nodiscard]] u32 choices(u32 who, void const* where, u64 now) {
        u32 const cell = place_of(where);
        first_message(cell, now);
        return static_cast<u32>(messages_[cell].size()) - agents_[who].newest[cell];
    }
    /// @param older  0: the newest message
    [[nodiscard]] u64 load(u32 who, void const* where, u64 now, bool acquires, u32 older) {
        u32 const cell = place_of(where);
        first_message(cell, now);
        u32 const taken = static_cast<u32>(messages_[cell].size()) - 1 - older;
        agents_[who].newest[cell] = static_cast<u8>(taken);
        message const& found = messages_[cell][taken];
        if (acquires) {
            agents_[who].learn(found.kept);
        }
        return found.value;
    }
    void store(u32 who, void const* where, u64 before, u64 value, bool releases) {
        u32 const cell = place_of(where);
        first_message(cell, before);
        append(who, cell, value, releases, {});
    }
    /// A read-modify-write takes the newest message and keeps what that kept (a release sequence).
    void exchange(u32 who, void const* where, u64 before, u64 value, bool acquires, bool releases) {
        u32 const cell = place_of(where);
        first_message(cell, before);
        message const found = messages_[cell].back();
        if (acquires) {
            agents_[who].learn(found.kept);
        }
        append(who, cell, value, releases, found.kept);
    }

    void plain_read(u32 who, void const* where) {
        plain_cell& cell = plain_[place_of(where)];
        check(who, cell, "a slot is read beside a write of it");
        cell.read_at[who] = ++agents_[who].over[who];
    }
    void plain_write(u32 who, void const* where) {
        plain_cell& cell = plain_[place_of(where)];
        check(who, cell, "a slot is written beside a write of it");
        for (u32 other = 0; other != weak_agents; ++other) {
            if (cell.read_at[other] > agents_[who].over[other]) {
                race = "a slot is written beside a read of it";
            }
        }
        cell.written_by = static_cast<u8>(who + 1);
        cell.written_at = ++agents_[who].over[who];
    }

    /// What the system and the hardware order: locks, the doorbell and its interrupt, a queued DPC.
    void tell(u32 who, u32 channel) { channels_[channel].learn(agents_[who]); }
    void hear(u32 who, u32 channel) { agents_[who].learn(channels_[channel]); }

    template <class Mix>
    [[nodiscard]] u64 key(u64 value, Mix mix) const {
        auto const of = [&](knowledge const& k) {
            for (u32 i = 0; i != most_cells; ++i) {
                value = k.newest[i] == 0 ? value : mix(value, u64{i} << 8 | k.newest[i]);
            }
            value = mix(value, u64{k.over[0]} << 16 | u64{k.over[1]} << 8 | k.over[2]);
        };
        for (u32 i = 0; i != most_cells; ++i) {
            for (message const& m : messages_[i]) {
                value = mix(value, m.value);
                of(m.kept);
            }
            plain_cell const& p = plain_[i];
            value = p.written_by == 0 && p.read_at[0] == 0 && p.read_at[1] == 0 && p.read_at[2] == 0
                        ? value
                        : mix(value, u64{p.written_by} << 32 | u64{p.written_at} << 24 | u64{p.read_at[0]} << 16 |
                                         u64{p.read_at[1]} << 8 | p.read_at[2]);
        }
        for (knowledge const& k : agents_) {
            of(k);
        }
        for (knowledge const& k : channels_) {
            of(k);
        }
        return value;
    }

private:
    [[nodiscard]] u32 place_of(void const* where) const {
        return static_cast<u32>(static_cast<unsigned char const*>(where) - base_) / 4 % most_cells;
    }
    void first_message(u32 cell, u64 now) {
        if (messages_[cell].empty()) {
            messages_[cell].push_back({now, {}});
        }
    }
    void append(u32 who, u32 cell, u64 value, bool releases, knowledge const& kept) {
        knowledge now = kept;
        agents_[who].newest[cell] = static_cast<u8>(messages_[cell].size());
        if (releases) {
            now.learn(agents_[who]);
        }
        now.newest[cell] = agents_[who].newest[cell];
        messages_[cell].push_back({value, now});
    }
    void check(u32 who, plain_cell const& cell, char const* what) {
        if (cell.written_by != 0 && cell.written_at > agents_[who].over[cell.written_by - 1]) {
            race = what;
        }
    }

    unsigned char const* base_ = nullptr;
    std::vector<message> messages_[most_cells];
    plain_cell plain_[most_cells] = {};
    knowledge agents_[weak_agents] = {};
    knowledge channels_[most_channels] = {};
};
inline weak_memory weak;

}  // namespace preemption_interleave
