// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "gpu_memory.hpp"

/// A decoder of AMD SDMA 5 that needs no C runtime. It shares nothing with the encoder: its numbers are the packets'.
/// On the host the same streams also go to the strict decoder of tests/hardware, and memory is compared.
namespace images {

class sdma {
public:
    static constexpr u32 request_register = 0x1234, acknowledge_register = 0x1256, vmids = 0x0102;
    static constexpr u32 flat_request_register = 0x2234, flat_acknowledge_register = 0x2256, flat_vmids = 0x10;

    [[nodiscard]] static effects execute(u32 const* words, u32 count, gpu_memory& memory) {
        effects done;
        done.ok = count % 8 == 0;
        u32 acknowledged[2] = {};
        for (u32 at = 0; done.ok && at != count;) {
            u32 const length = packet(words + at, count - at, memory, done, acknowledged);
            done.ok = length != 0 && length <= count - at;
            if (!done.ok) {
                done.wrong_at = at;
                break;
            }
            done.commands += (dword_at(words + at) & 0xFF) != 0;
            at += length;
        }
        return done;
    }

private:
    /// The packet's length; 0 when it is wrong.
    static u32 packet(u32 const* p, u32 left, gpu_memory& memory, effects& done, u32* acknowledged) {
        u32 const head = dword_at(p);
        switch (head & 0xFFFF) {
            case 0: return head == 0 ? 1 : 0;
            case 1: return left < 7 ? 0 : copy(p, memory);
            case 2: return left < 5 ? 0 : write(p, left, memory);
            case 5: return left < 4 || head != 0x0003'0005 || !put(memory, qword_at(p + 1), dword_at(p + 3)) ? 0 : 4;
            case 6: ++done.interrupts; return left < 2 || head != 6 || dword_at(p + 1) > 0x0FFF'FFFF ? 0 : 2;
            case 8: return left < 6 ? 0 : poll(p, memory, acknowledged);
            case 11: return left < 5 ? 0 : fill(p, memory);
            case 12: return left < 10 ? 0 : generate(p, memory);
            case 14: return left < 3 ? 0 : write_register(p, done, acknowledged);
            case 17:
                done.tell(dword_at(p + 2));
                return left < 5 || head != 17 || dword_at(p + 1) != 0 || dword_at(p + 2) == 0 || qword_at(p + 3) != 0
                           ? 0
                           : 5;
            default: return 0;
        }
    }

    static bool put(gpu_memory& memory, u64 to, u32 value) {
        if (to % 4 != 0 || memory.at(to, 4) == nullptr) {
            return false;
        }
        memory.store(to, value);
        return true;
    }

    static u32 copy(u32 const* p, gpu_memory& memory) {
        u64 const size = u64{dword_at(p + 1)} + 1;
        u64 const from = qword_at(p + 3);
        u64 const to = qword_at(p + 5);
        bool const apart = (from > to ? from - to : to - from) >= size;
        if (dword_at(p) != 1 || size > 0x40'0000 || dword_at(p + 2) != 0 || !apart ||
            memory.at(from, size) == nullptr || memory.at(to, size) == nullptr) {
            return 0;
        }
        memory.copy(to, from, size);
        return 7;
    }

    static u32 write(u32 const* p, u32 left, gpu_memory& memory) {
        u64 const to = qword_at(p + 1);
        u32 const count = dword_at(p + 3) + 1;
        if (dword_at(p) != 2 || count > 0x10'0000 || count > left - 4 || to % 4 != 0 ||
            memory.at(to, u64{count} * 4) == nullptr) {
            return 0;
        }
        for (u32 i = 0; i != count; ++i) {
            memory.store(to + u64{i} * 4, dword_at(p + 4 + i));
        }
        return 4 + count;
    }

    static u32 poll(u32 const* p, gpu_memory const& memory, u32 const* acknowledged) {
        u64 const from = qword_at(p + 1);
        u32 const mask = dword_at(p + 4);
        bool const of_memory = dword_at(p) == 0xB000'0008;
        if ((!of_memory && dword_at(p) != 0x3000'0008) || from % 4 != 0 || dword_at(p + 5) >> 28 != 0) {
            return 0;
        }
        u32 value = 0;
        if (!of_memory) {
            value = from == acknowledge_register * 4        ? acknowledged[0]
                    : from == flat_acknowledge_register * 4 ? acknowledged[1]
                                                            : ~dword_at(p + 3);
        } else if (memory.at(from, 4) != nullptr) {
            value = memory.dword(from);
        } else {
            return 0;
        }
        return (value & mask) == dword_at(p + 3) ? 6 : 0;  // else it would wait for ever
    }

    static u32 fill(u32 const* p, gpu_memory& memory) {
        u64 const to = qword_at(p + 1);
        u32 const last = dword_at(p + 4);
        u32 const kind = dword_at(p);
        if (last > 0x3F'FFFF) {
            return 0;
        }
        if (kind == 0x8000'000B) {
            u64 const size = u64{last | 3} + 1;
            if (to % 4 != 0 || memory.at(to, size) == nullptr) {
                return 0;
            }
            memory.fill(to, size, dword_at(p + 3));
            return 5;
        }
        if (kind != 0x0000'000B || memory.at(to, u64{last} + 1) == nullptr) {
            return 0;
        }
        for (u64 i = 0; i <= last; ++i) {
            *memory.at(to + i, 1) = static_cast<u8>(dword_at(p + 3));
        }
        return 5;
    }

    static u32 generate(u32 const* p, gpu_memory& memory) {
        constexpr u64 address_bits = 0x0000'FFFF'FFFF'F000;
        u64 const to = qword_at(p + 1);
        u64 const flags = qword_at(p + 3);
        u64 const first = qword_at(p + 5);
        u64 const step = dword_at(p + 7);
        u64 const last = dword_at(p + 9);
        if (dword_at(p) != 12 || dword_at(p + 8) != 0 || last > 0x7'FFFF || to % 8 != 0 ||
            (flags & address_bits) != 0 || ((first | (first + last * step)) & ~address_bits) != 0 ||
            memory.at(to, (last + 1) * 8) == nullptr) {
            return 0;
        }
        for (u64 i = 0; i <= last; ++i) {
            memory.store64(to + i * 8, flags | (first + i * step));
        }
        return 10;
    }

    static u32 write_register(u32 const* p, effects& done, u32* acknowledged) {
        bool const flat = dword_at(p + 1) == flat_request_register;
        if (dword_at(p) != 0xF000'000E || (!flat && dword_at(p + 1) != request_register)) {
            return 0;
        }
        acknowledged[flat] = flat ? flat_vmids : vmids;
        done.tell(dword_pair(dword_at(p + 1), dword_at(p + 2)));
        return 3;
    }
};

}  // namespace images
