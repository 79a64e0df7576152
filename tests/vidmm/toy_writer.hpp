// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "toy_bugs.hpp"
#include "toy_hardware.hpp"

#include <wddmcore/ddi/ntstatus.hpp>
#include <wddmcore/ddi/operation.hpp>

#include <cstring>
#include <initializer_list>

namespace toy {

/// A command on its way into the buffer.
struct command {
    u32 words[12] = {};
    u32 count = 0;

    explicit command(code c) : count(1) { words[0] = header_of(c); }
    command(code c, bool physical) : command(c) { words[0] |= physical ? physical_bit : 0; }
    command& word(u32 value) {
        words[count++] = value;
        return *this;
    }
    command& wide(u64 value) { return word(static_cast<u32>(value & 0xffff'ffff)).word(static_cast<u32>(value >> 32)); }
};

/// Writes whole commands into a paging buffer, as long as there is room for them and their padding.
class writer {
public:
    template <class Args>
    writer(Args& args, bugs const& wrong)
        : wrong_(wrong),
          begin_(static_cast<std::byte*>(args.pDmaBuffer)),
          at_(begin_),
          size_(args.DmaSize),
          private_room_(args.DmaBufferPrivateDataSize) {
        if (wrong_.aligns_pointer_down && begin_ != nullptr) {
            auto const low = reinterpret_cast<std::uintptr_t>(begin_) & 0xfff;
            begin_ -= low;
            at_ = begin_;
            size_ += static_cast<u32>(low);
        }
    }

    [[nodiscard]] bool has_buffer() const { return begin_ != nullptr && size_ != 0; }
    /// Whether a part of a command stands at the end.
    [[nodiscard]] bool cut() const { return cut_; }
    [[nodiscard]] u32 private_room() const { return private_room_; }

    /// False, and nothing is written, when there is no room.
    [[nodiscard]] bool put(command const& c) {
        u32 const used = static_cast<u32>(at_ - begin_);
        u32 const room = size_ / (4 * unit_dwords) * (4 * unit_dwords);
        if (used + 4 * c.count > room && !wrong_.writes_past_end) {
            if (wrong_.cuts_commands) {
                cut_ = room != used;
                store(c, (room - used) / 4);
            }
            return false;
        }
        store(c, c.count);
        return true;
    }

    /// Fills the last unit.
    void pad() {
        while (!wrong_.no_padding && begin_ != nullptr && static_cast<u32>(at_ - begin_) % (4 * unit_dwords) != 0) {
            put_dword(padding);
        }
        u32 volatile seen = 0;
        if (wrong_.reads_back && at_ != begin_) {
            seen = *reinterpret_cast<u32 volatile*>(begin_);
        }
        if (wrong_.writes_twice && at_ != begin_) {
            *reinterpret_cast<u32 volatile*>(at_ - 4) = padding;
            *reinterpret_cast<u32 volatile*>(at_ - 4) = padding;
        }
        static_cast<void>(seen);
    }

    template <class Args>
    void commit(Args& args, u32 record_bytes, bool count_down) {
        pad();
        u32 const written = static_cast<u32>(at_ - begin_);
        std::byte* const before = static_cast<std::byte*>(args.pDmaBuffer);
        if (has_buffer() && written != 0 && !wrong_.forgets_pointer) {
            args.pDmaBuffer = at_;
        }
        if (has_buffer() && wrong_.moves_pointer_past_end) {
            args.pDmaBuffer = before + args.DmaSize + 64;
        }
        if (has_buffer() && wrong_.moves_pointer_back) {
            args.pDmaBuffer = before - 16;
        }
        if (count_down) {
            args.DmaSize -= written;
        }
        if (wrong_.dma_size_wrong && written != 0) {
            args.DmaSize -= written / 2;
        }
        if constexpr (requires { args.DmaBufferWriteOffset; }) {
            args.DmaBufferWriteOffset += wrong_.advances_write_offset ? written : 0;
        }
        if (written != 0 && record_bytes != 0) {
            std::memset(args.pDmaBufferPrivateData, 0x11, record_bytes);
            args.pDmaBufferPrivateData =
                static_cast<std::byte*>(args.pDmaBufferPrivateData) +
                (wrong_.private_pointer_wild ? args.DmaBufferPrivateDataSize + 8 : record_bytes);
            args.DmaBufferPrivateDataSize -= wrong_.private_size_forgotten ? record_bytes / 2 : record_bytes;
        }
    }

private:
    /// One store: a sanitizer's memcpy of four bytes makes two, and law 4 sees them.
    void put_dword(u32 value) {
        *reinterpret_cast<u32 volatile*>(at_) = value;
        at_ += 4;
    }

    void store(command const& c, u32 count) {
        for (u32 i = 0; i < count; ++i) {
            put_dword(c.words[i]);
        }
    }

    bugs const& wrong_;
    std::byte* begin_;
    std::byte* at_;
    u32 size_;
    u32 private_room_;
    bool cut_ = false;
};

}  // namespace toy
