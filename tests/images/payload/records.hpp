// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "gpu_memory.hpp"

/// A decoder of the reference processor's records that needs no C runtime; its numbers are those of the table in
/// examples/hardware/cpu.hpp and cpu_virtual_records.hpp, and it shares nothing with the encoder. On the host the same
/// streams also go to the engine of include/wddmcore/testing/processor.
namespace images {

class records {
public:
    /// What a write of no particular value stores; the other engine stores the same.
    static constexpr u8 written = 0xC3;
    static constexpr u32 aperture_pages = 128;

    [[nodiscard]] static effects execute(u32 const* words, u32 count, gpu_memory& memory) {
        effects done;
        done.ok = count % 2 == 0;
        for (u32 at = 0; done.ok && at != count;) {
            u32 const head = dword_at(words + at);
            u32 const length = head >> 8;
            done.ok = length != 0 && length <= count - at && record(words + at, head & 0xFF, length, memory, done);
            if (!done.ok) {
                done.wrong_at = at;
                break;
            }
            done.commands += (head & 0xFF) != 0;
            at += length;
        }
        return done;
    }

private:
    static bool record(u32 const* p, u32 code, u32 length, gpu_memory& memory, effects& done) {
        switch (code) {
            case 0: return length == 1;
            case 1: return length == 8 && dword_at(p + 1) == 0 && copy(p, memory);
            case 2: return length == 8 && qword_at(p + 6) == 0 && fill(p, memory);
            case 3: return length == 4 && dword_at(p + 1) == 0 && memory.at(qword_at(p + 2), 1) != nullptr;
            case 4: return length == 4 && dword_at(p + 1) == 0 && access(p, memory);
            case 5: return length == 8 && qword_at(p + 6) == 0 && aperture_entry(p, memory);
            case 6: return length == 4 + dword_at(p + 1) && entries(p, memory);
            case 7: return length == 8 && run(p, memory);
            case 8: return length == 8 && tell(p, length, done);
            case 9: return length == 6 && store(p, memory, done);
            case 10: return length == 8 && qword_at(p + 6) == 0 && tell(p, length, done);
            case 11: return length == 10 && tell(p, length, done);
            case 12: return length == 8 && tell(p, length, done);
            case 13: return length == 8 && dword_at(p + 1) == 0 && tell(p, length, done);
            default: return false;
        }
    }
    static bool tell(u32 const* p, u32 length, effects& done) {
        for (u32 i = 0; i != length; ++i) {
            done.tell(dword_at(p + i));
        }
        return true;
    }
    static bool copy(u32 const* p, gpu_memory& memory) {
        u64 const size = qword_at(p + 6);
        if (size == 0 || memory.at(qword_at(p + 2), size) == nullptr || memory.at(qword_at(p + 4), size) == nullptr) {
            return false;
        }
        memory.copy(qword_at(p + 2), qword_at(p + 4), size);
        return true;
    }
    static bool fill(u32 const* p, gpu_memory& memory) {
        u64 const to = qword_at(p + 2);
        u64 const size = qword_at(p + 4);
        if (size == 0 || (to | size) % 4 != 0 || memory.at(to, size) == nullptr) {
            return false;
        }
        memory.fill(to, size, dword_at(p + 1));
        return true;
    }
    static bool access(u32 const* p, gpu_memory& memory) {
        u8* const place = memory.at(qword_at(p + 2), 1);
        if (place == nullptr) {
            return false;
        }
        *place = written;
        return true;
    }
    static bool aperture_entry(u32 const* p, gpu_memory& memory) {
        u64 const index = qword_at(p + 2);
        if ((dword_at(p + 1) & ~0x100u) != 1 || index >= aperture_pages) {
            return false;
        }
        memory.store64(aperture_table_at + index * 16, qword_at(p + 4));
        memory.store64(aperture_table_at + index * 16 + 8, dword_at(p + 1) >> 8);
        return true;
    }
    static bool entries(u32 const* p, gpu_memory& memory) {
        u32 const count = dword_at(p + 1);
        u64 const to = qword_at(p + 2);
        if (count == 0 || count % 2 != 0 || to % 8 != 0 || memory.at(to, u64{count} * 4) == nullptr) {
            return false;
        }
        for (u32 i = 0; i != count; ++i) {
            memory.store(to + u64{i} * 4, dword_at(p + 4 + i));
        }
        return true;
    }
    static bool run(u32 const* p, gpu_memory& memory) {
        u64 const to = qword_at(p + 2);
        u64 const count = dword_at(p + 1);
        if (count == 0 || to % 8 != 0 || memory.at(to, count * 8) == nullptr) {
            return false;
        }
        for (u64 i = 0; i != count; ++i) {
            memory.store64(to + i * 8, qword_at(p + 4) + i * qword_at(p + 6));
        }
        return true;
    }
    static bool store(u32 const* p, gpu_memory& memory, effects& done) {
        u64 const to = qword_at(p + 2);
        if (dword_at(p + 1) > 1 || to % 8 != 0 || memory.at(to, 8) == nullptr) {
            return false;
        }
        memory.store64(to, qword_at(p + 4));
        done.interrupts += dword_at(p + 1);
        return true;
    }
};

}  // namespace images
