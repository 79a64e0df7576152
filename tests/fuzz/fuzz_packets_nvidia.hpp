// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "fuzz_packets.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::fuzz {

/// NVIDIA's copy engine C7B5 and the host in front of it: methods, by the numbers of the vendor's class headers.
template <class Hw, class Args>
class nvidia_stream : public packet_stream<nvidia_stream<Hw, Args>, Hw, Args> {
    using above = packet_stream<nvidia_stream<Hw, Args>, Hw, Args>;
    friend above;
    using above::args_;
    using above::entry_;
    using above::expect;
    using above::expected_;
    using above::head;
    using above::last_;
    using above::take;

public:
    using above::above;

private:
    static constexpr u32 padding_word = 0x8000'8040;
    static constexpr u32 virtual_target = 4;

    // LAUNCH_DMA: not pipelined, flushed, both sides pitch; b12 and b13: physical source and destination; b10: remap.
    static constexpr u32 launch = 0x186;

    /// A copy, with or without the modes of physical sides in front of it.
    [[nodiscard]] recorded_command copy() {
        u32 modes[2] = {};
        bool const told = head() == 0x2002'8098;
        if (told) {
            u32 const* const w = take(3);
            modes[0] = w[1];
            modes[1] = w[2];
        }
        u32 const* const w = take(10);
        u32 const physical = w[9] & 0x3000;
        require(w[0] == 0x2004'8100 && w[5] == 0x2002'8106 && w[7] == 1 && w[8] == 0x2001'80C0 &&
                    (w[9] & ~0x3000u) == launch,
                "a copy of this engine");
        require(physical == 0 || told, "a physical side has its mode in the same command (PGB-07)");
        recorded_command one;
        one.source = {offset(w + 1), (physical & 0x1000) != 0 ? modes[0] : virtual_target};
        one.destination = {offset(w + 3), (physical & 0x2000) != 0 ? modes[1] : virtual_target};
        one.size = w[6];
        require(modes[0] <= 2 && modes[1] <= 2, "the mode of a physical side");
        return one;
    }
    /// Entries from table to table lie in the paging process's addresses (OP14-02).
    [[nodiscard]] recorded_command table_copy() {
        recorded_command one = copy();
        require(one.source.space == virtual_target && one.destination.space == virtual_target,
                "OP14-02: addresses of the paging process");
        one.source.space = virtual_space;
        one.destination.space = virtual_space;
        return one;
    }

    /// Upper half first; offsets have 49 bits.
    [[nodiscard]] static u64 offset(u32 const* at) {
        require(at[0] < 0x2'0000, "an offset of 49 bits");
        return u64{at[0]} << 32 | at[1];
    }

    /// Constants: `count` elements from constants A and B.
    struct constants {
        recorded_address place;
        u32 count;
        u32 a;
        u32 b;
        u32 elements;
    };
    [[nodiscard]] constants constant_writes() {
        u32 const* const w = take(14);
        require(w[0] == 0x2001'8099 && w[2] == 0x2002'8102 && w[5] == 0x2002'8106 && w[7] == 1 && w[8] == 0x2003'81C0 &&
                    w[12] == 0x2001'80C0 && (w[13] & ~0x2000u) == (launch | 0x400) && w[1] <= 2,
                "constants as this engine writes them");
        bool const physical = (w[13] & 0x2000) != 0;
        return {{offset(w + 3), physical ? w[1] : virtual_target}, w[6], w[9], w[10], w[11]};
    }

    [[nodiscard]] recorded_command fill() {
        constants const c = constant_writes();
        require(c.elements == 0x0003'0004, "a fill of elements of one dword");
        recorded_command one;
        one.destination = c.place;
        one.pattern = c.a;
        one.size = u64{c.count} * 4;
        return one;
    }

    /// 64 bits at one place.
    void one_quad(char const* rule, u64 place, u32 target, u64 value) {
        constants const c = constant_writes();
        require(c.place.n == place && c.place.space == target && c.count == 1 && c.a == low_word(value) &&
                    c.b == high_word(value) && c.elements == 0x0103'0054,
                rule);
    }

    template <class Entries>
    void table(Entries& entries) {
        if ((head() & 0xE000'FFFF) != 0x6000'8040) {
            entries.take_fill(fill());
            return;
        }
        // Data of a method that does nothing, then a copy from there: the engine reads the buffer where the driver said.
        u32 const count = *take(1) >> 16 & 0x1FFF;
        u32 const* const data = take(count);
        recorded_command const one = copy();
        u64 const from = nvidia_stream_address + static_cast<u64>(reinterpret_cast<u8 const*>(data) -
                                                                  reinterpret_cast<u8 const*>(args_.pDmaBuffer));
        require(one.source.n == from && one.source.space == virtual_target && one.size == u64{count} * 4,
                "OP11-01: the copy reads the entries in front of it");
        entries.take_entries(one.destination, data, count);
    }

    void one() {
        switch (args_.Operation) {
            case 5:
            case 6:
            case 17: {
                aperture_request const request = aperture_request::of(args_);
                u64 const entry = nvidia_aperture_entry(expected_.entry(entry_), request.coherent);
                one_quad("OP05-01: entry k gets page k", nvidia_aperture_table + (request.first + entry_) * 8, 0,
                         entry);
                wait();
                host_operation("PGB-20: a flush behind an entry of the aperture", 9, 1);
                ++entry_;
                break;
            }
            case 10: image(); break;
            case 12: flush(); break;
            case 13: update(); break;
            case 16: fence(); break;
            case 22:
                wait();
                host_operation("NTF-10: dirty lines are written", 0x10, 0);
                host_operation("NTF-10: lines of system memory are dropped", 0xE, 0);
                host_operation("NTF-10: translations are dropped", 9, 1);
                entry_ = last_;
                break;
            default: require(false, "a command that no operation of this hardware writes");
        }
    }

    /// The host's semaphore is released when the engines are idle.
    void wait() {
        expect("OP12-03: behind all that was written",
               {0x2005'8017, low_word(nvidia_semaphore), high_word(nvidia_semaphore), 0, 0, 0x0010'0001});
    }
    void host_operation(char const* rule, u32 operation, u64 c_and_d) {
        expect(rule, {0x2004'800A, 0, 0, low_word(c_and_d), high_word(c_and_d) | operation << 27});
    }

    void flush() {
        auto const& root = args_.FlushTlb.RootPageTableAddress;
        bool const video = root.SegmentId == memory_id;
        u64 const place = (video ? nvidia_video_first : 0) + root.SegmentOffset;
        wait();
        host_operation("OP12-01: the translations of this root", 9, (place & ~u64{0xFFF}) | (video ? 0u : 2u << 10));
        ++entry_;
    }

    void image() {
        recorded_command const piece = copy();
        auto const part = this->next_part(page_bytes);
        require(piece.source.n == nvidia_image + part.offset && piece.source.space == 0 && piece.size == part.size &&
                    same_place(part.place, piece.destination),
                "OP10-03: each piece of an image, once");
        ++entry_;
    }

    void update() {
        auto const& update = args_.UpdateContextAllocation;
        auto const index = static_cast<u32>(entry_);
        u64 value = 0;
        std::memcpy(&value, static_cast<u8 const*>(update.pDriverPrivateData) + usize{16} * index + 8, 8);
        one_quad("OP13-01: the next write of the update",
                 update.ContextAllocation + update_data<Hw>::write(update.pDriverPrivateData, index).offset,
                 virtual_target, value);
        ++entry_;
    }

    void fence() {
        if constexpr (members::signal_monitored_fence<Args>) {
            auto const& fence = args_.SignalMonitoredFence;
            expect("OP16-01 OP16-02 OP16-03: the value to its place, and an interrupt",
                   {0x2004'8090, high_word(fence.MonitoredFenceGpuVa), low_word(fence.MonitoredFenceGpuVa),
                    low_word(fence.MonitoredFenceValue), high_word(fence.MonitoredFenceValue), 0x2001'80C0,
                    0x0800'004C});
        }
        ++entry_;
    }
};

}  // namespace wddmcore::testing::fuzz
