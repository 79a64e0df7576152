// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "fuzz_packets.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::fuzz {

/// The blitter of Intel Xe2: the public driver's commands.
template <class Hw, class Args>
class intel_stream : public packet_stream<intel_stream<Hw, Args>, Hw, Args> {
    using above = packet_stream<intel_stream<Hw, Args>, Hw, Args>;
    friend above;
    using above::args_;
    using above::entry_;
    using above::expect;
    using above::expect_nothing;
    using above::expected_;
    using above::head;
    using above::hw_;
    using above::last_;
    using above::next_piece;
    using above::record_of;
    using above::take;
    using above::value_place;

public:
    using above::above;

private:
    static constexpr u32 padding_word = 0;

    static constexpr u32 row_bytes = 4096;

    /// Rows of one blit; none where it is left out.
    struct rows {
        u64 destination = 0;
        u64 source = 0;
        u32 count = 0;
        u32 bytes = 0;
        u32 value = 0;
        [[nodiscard]] u64 size() const { return u64{count} * bytes; }
    };

    /// MI_ARB_CHECK and a plain MI_FLUSH_DW.
    void order_point() { expect("OP08-07: an order point before a blit", {0x0280'0000, 0x1300'0002, 0, 0, 0}); }
    void plain_flush() { expect("OP12-03: a flush before stores", {0x1300'0002, 0, 0, 0}); }

    /// XY_FAST_COPY_BLT of linear surfaces, 32 bits a pixel, or ten dwords of nothing.
    [[nodiscard]] rows copied_rows() {
        if (head() == 0) {
            expect_nothing("a blit of no rows is left out", 10);
            return {};
        }
        u32 const* const w = take(10);
        constexpr u32 surface = row_bytes | intel_mocs << 20;
        require(w[0] == 0x5080'0008 && w[1] == (surface | 3u << 24) && w[2] == 0 && w[6] == 0 && w[7] == surface,
                "a copy of this engine");
        rows const all{joined(w + 4), joined(w + 8), w[3] >> 16, (w[3] & 0xFFFF) * 4, 0};
        require(all.count != 0 && all.count <= 32767 && all.bytes != 0 && all.bytes <= row_bytes,
                "rows that this engine takes");
        return all;
    }

    /// MEM_SET of rows, or seven dwords of nothing.
    [[nodiscard]] rows set_rows() {
        if (head() == 0) {
            expect_nothing("a blit of no rows is left out", 7);
            return {};
        }
        u32 const* const w = take(7);
        require(w[0] == 0x56C2'0005 && (w[6] & 0x00FF'FFFF) == intel_mocs << 3, "a fill of this engine");
        rows const all{joined(w + 4), 0, w[2] + 1, w[1] + 1, w[6] >> 24};
        require(all.count <= 32767 && w[3] + 1 == (all.count == 1 ? all.bytes : row_bytes) && all.bytes <= w[3] + 1,
                "rows that this engine takes");
        return all;
    }

    /// Whole rows and a shorter one behind them, as one piece.
    [[nodiscard]] static recorded_command joined_rows(rows const& whole, rows const& rest) {
        require(whole.count == 0 || whole.bytes == row_bytes, "rows without gaps");
        require(rest.count == 0 || (rest.count == 1 && rest.bytes < row_bytes), "one shorter row");
        require(whole.count == 0 || rest.count == 0 ||
                    (rest.destination == whole.destination + whole.size() && rest.value == whole.value),
                "the shorter row goes behind the others");
        rows const& first = whole.count == 0 ? rest : whole;
        recorded_command one;
        one.destination = {first.destination, virtual_space};
        one.source = {first.source, virtual_space};
        one.size = whole.size() + rest.size();
        one.pattern = first.value * 0x0101'0101;
        return one;
    }

    [[nodiscard]] recorded_command copy() {
        order_point();
        rows const whole = copied_rows();
        rows const rest = copied_rows();
        require(whole.count == 0 || rest.count == 0 || rest.source == whole.source + whole.size(),
                "the shorter row comes from behind the others");
        return joined_rows(whole, rest);
    }
    [[nodiscard]] recorded_command fill() {
        order_point();
        rows const whole = set_rows();
        return joined_rows(whole, set_rows());
    }

    /// MEM_COPY of one line: its source stands first.
    [[nodiscard]] recorded_command table_copy() {
        order_point();
        u32 const* const w = take(10);
        require(w[0] == 0x5680'0008 && (w[2] | w[3] | w[4]) == 0 && w[9] == (intel_mocs << 28 | intel_mocs << 3),
                "a copy of bytes in a row");
        recorded_command one;
        one.source = {joined(w + 5), virtual_space};
        one.destination = {joined(w + 7), virtual_space};
        one.size = u64{w[1]} + 1;
        return one;
    }

    /// MI_STORE_DATA_IMM of quadwords behind a flush.
    template <class Entries>
    void table(Entries& entries) {
        if (head() != 0x1300'0002) {
            entries.take_fill(fill());
            return;
        }
        plain_flush();
        u32 const* const w = take(3);
        u32 const count = (w[0] & 0x3FF) - 1;
        require((w[0] & ~0x3FFu) == 0x1020'0000 && count != ~u32{0} && count % 2 == 0 && joined(w + 1) % 8 == 0,
                "a store of quadwords");
        entries.take_entries({joined(w + 1), virtual_space}, take(count), count);
    }

    void one() {
        switch (args_.Operation) {
            case 3: read(); break;
            case 4: write(); break;
            case 5:
            case 6:
            case 17: aperture_entry(); break;
            default: one_late(); break;
        }
    }

    void read() {
        order_point();
        rows const line = copied_rows();
        require(line.count == 1 && line.bytes == 64 && line.destination == intel_scratch &&
                    line.source == (expected_.destination.page(hw_, 0).n & ~u64{63}),
                "OP03-01: the cache line around the place goes to the driver's own");
        ++entry_;
    }
    void write() {
        order_point();
        rows const line = set_rows();
        require(line.count == 1 && line.bytes == 1 && line.value == 0 &&
                    line.destination == expected_.destination.page(hw_, 0).n,
                "OP04-01: exactly that byte");
        expect_nothing("nothing behind it", 3);
        ++entry_;
    }

    /// Present and writable, the caching policy at [4:3] and b7.
    void aperture_entry() {
        constexpr char const* rule = "OP05-01: entry k gets page k";
        aperture_request const request = aperture_request::of(args_);
        u64 const place = intel_aperture_table + (request.first + entry_) * 8;
        u64 const entry = expected_.entry(entry_) << 12 | (request.coherent ? 0x0B : 0x93);
        plain_flush();
        expect(rule, {0x1020'0003, low_word(place), high_word(place), low_word(entry), high_word(entry)});
        flush_and_forget();
        ++entry_;
    }
    void flush_and_forget() {
        expect("OP12-03: translations are forgotten behind all that was written",
               {0x1304'4002, low_word(intel_scratch), high_word(intel_scratch), 0});
    }

    void one_late() {
        switch (args_.Operation) {
            case 10: {
                auto const piece = next_piece();
                plain_flush();
                expect("OP10-03: each piece of an image, once",
                       {0x1000'0001 + piece.count, low_word(piece.place), high_word(piece.place)});
                require(std::memcmp(take(piece.count), piece.words, piece.count * 4) == 0,
                        "OP10-03: the image's words");
                expect_nothing("OP10-03: nothing behind a piece", 16 - piece.count);
                ++entry_;
                break;
            }
            case 12:
                flush_and_forget();
                ++entry_;
                break;
            case 13: update(); break;
            case 16: fence(); break;
            case 18: fence_residency(); break;
            case 22:
                flush_and_forget();
                entry_ = last_;
                break;
            default: require(false, "a command that no operation of this hardware writes");
        }
    }

    void update() {
        auto const& update = args_.UpdateContextAllocation;
        u32 const index = static_cast<u32>(entry_);
        u64 const place = update.ContextAllocation + update_data<Hw>::write(update.pDriverPrivateData, index).offset;
        plain_flush();
        expect("OP13-01: the next write of the update",
               {0x1000'0002, low_word(place), high_word(place),
                update_data<Hw>::word(update.pDriverPrivateData, 2 * index + 1)});
        ++entry_;
    }

    void fence() {
        if constexpr (members::signal_monitored_fence<Args>) {
            auto const& fence = args_.SignalMonitoredFence;
            expect("OP16-01 OP16-03: the value to its place, then an interrupt",
                   {0x1300'4003, low_word(fence.MonitoredFenceGpuVa), high_word(fence.MonitoredFenceGpuVa),
                    low_word(fence.MonitoredFenceValue), high_word(fence.MonitoredFenceValue), 0x0100'0000});
        }
        ++entry_;
    }

    void fence_residency() {
        if constexpr (members::notify_fence_residency<Args>) {
            constexpr char const* rule = "OP18-01: the next fence of the list";
            auto const& one = args_.NotifyFenceResidency.FenceResidencyInfo[entry_];
            u64 const record = record_of(one.hGlobalNativeFence);
            if (record == 0) {
                expect_nothing(rule, 11);
            } else {
                u64 const current = value_place(one.CurrentValuePhysicalAddress, hw_.at.system_virtual);
                u64 const monitored = value_place(one.MonitoredValuePhysicalAddress, hw_.at.system_virtual);
                plain_flush();
                expect(rule, {0x1020'0005, low_word(record), high_word(record), low_word(current), high_word(current),
                              low_word(monitored), high_word(monitored)});
            }
        }
        ++entry_;
    }
};

}  // namespace wddmcore::testing::fuzz
