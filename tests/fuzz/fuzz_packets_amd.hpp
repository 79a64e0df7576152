// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "fuzz_packets.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::fuzz {

/// SDMA of AMD gfx10: the vendor's packets.
template <class Hw, class Args>
class amd_stream : public packet_stream<amd_stream<Hw, Args>, Hw, Args> {
    using above = packet_stream<amd_stream<Hw, Args>, Hw, Args>;
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
    using above::peek;
    using above::record_of;
    using above::take;
    using above::value_place;

public:
    using above::above;

private:
    static constexpr u32 padding_word = 0;

    /// COPY_LINEAR: bytes - 1 in 22 bits, no swap, source, destination.
    [[nodiscard]] recorded_command copy() {
        u32 const* const w = take(7);
        require(w[0] == 1 && w[1] <= 0x3F'FFFF && w[2] == 0, "a copy of this engine");
        recorded_command one;
        one.source = {joined(w + 3), virtual_space};
        one.destination = {joined(w + 5), virtual_space};
        one.size = u64{w[1]} + 1;
        return one;
    }
    [[nodiscard]] recorded_command table_copy() { return copy(); }

    /// CONST_FILL of dwords: destination, pattern, bytes - 1.
    [[nodiscard]] recorded_command fill() {
        u32 const* const w = take(5);
        require(w[0] == 0x8000'000B && w[4] <= 0x3F'FFFF, "a fill of this engine");
        recorded_command one;
        one.destination = {joined(w + 1), virtual_space};
        one.pattern = w[3];
        one.size = u64{w[4]} + 1;
        return one;
    }

    template <class Entries>
    void table(Entries& entries) {
        switch (head()) {
            case 2: {
                u32 const* const w = take(4);
                require(w[3] < 0x10'0000, "a write of this engine");
                entries.take_entries({joined(w + 1), virtual_space}, take(u64{w[3]} + 1), w[3] + 1);
                break;
            }
            case 12: {
                // Entry i is flags | (address + i * increment); the engine has 19 bits for entries - 1.
                u32 const* const w = take(10);
                require(w[8] == 0 && w[9] < 0x8'0000, "a run of this engine");
                u64 const flags = joined(w + 3);
                u64 const first = joined(w + 5);
                u64 const step = w[7];
                require((flags & address_bits) == 0 && (first & ~address_bits) == 0, "flags and address lie apart");
                entries.take_run({joined(w + 1), virtual_space}, w[9] + 1,
                                 [=](u32 k) { return flags | (first + k * step); });
                break;
            }
            default: entries.take_fill(fill()); break;
        }
    }

    static constexpr u64 address_bits = 0x0000'FFFF'FFFF'F000;

    void one() {
        switch (args_.Operation) {
            case 3: {
                u64 const place = expected_.destination.page(hw_, 0).n & ~u64{3};
                expect("OP03-01: a poll of that dword that passes at once",
                       {0xB000'0008, low_word(place), high_word(place), 0, 0, 0x0FFF'0000});
                ++entry_;
                break;
            }
            case 4: {
                u64 const place = expected_.destination.page(hw_, 0).n;
                expect("OP04-01: a fill of exactly that byte", {11, low_word(place), high_word(place), 0, 0, 0});
                ++entry_;
                break;
            }
            case 5:
            case 6:
            case 17: aperture_entry(); break;
            default:
                if constexpr (late<Hw>) {
                    one_late();
                    break;
                }
                require(false, "a command that no operation of this hardware writes");
        }
    }

    /// Valid, system, executable, readable, writeable; snooped where the request is coherent.
    void aperture_entry() {
        aperture_request const request = aperture_request::of(args_);
        u64 const place = 0x9'0000'0000 + (request.first + entry_) * 8;
        u64 const entry = expected_.entry(entry_) << 12 | (request.coherent ? 0x77 : 0x73);
        expect("OP05-01: entry k gets page k",
               {2, low_word(place), high_word(place), 1, low_word(entry), high_word(entry)});
        if constexpr (late<Hw>) {
            flush(amd_engine);
        }
        ++entry_;
    }

    /// FENCE and POLL until it has arrived, SRBM_WRITE and POLL until it is acknowledged, FENCE and POLL back to 0.
    void flush(examples::amd::invalidation_engine const& engine) {
        constexpr char const* rule = "OP12-03: a flush behind all that was written";
        arrival(rule, engine.scratch, 1);
        expect(rule, {0xF000'000E, engine.request_register, engine.request});
        expect(rule, {0x3000'0008, engine.acknowledge_register * 4, 0, engine.vmids, engine.vmids, 0x0FFF'0000});
        arrival(rule, engine.scratch, 0);
    }
    void arrival(char const* rule, u64 scratch, u32 value) {
        expect(rule, {0x0003'0005, low_word(scratch), high_word(scratch), value});
        expect(rule, {0xB000'0008, low_word(scratch), high_word(scratch), value, ~u32{0}, 0x0FFF'0000});
    }

    void generated(char const* rule, u64 place, u64 flags, u64 first, u32 step, u32 count) {
        expect(rule, {12, low_word(place), high_word(place), low_word(flags), high_word(flags), low_word(first),
                      high_word(first), step, 0, count - 1});
    }

    void one_late() {
        switch (args_.Operation) {
            case 10: {
                auto const piece = next_piece();
                expect("OP10-03: each piece of an image, once",
                       {2, low_word(piece.place), high_word(piece.place), piece.count - 1});
                require(std::memcmp(take(piece.count), piece.words, piece.count * 4) == 0,
                        "OP10-03: the image's words");
                expect_nothing("OP10-03: nothing behind a piece", 16 - piece.count);
                ++entry_;
                break;
            }
            case 12:
                flush(amd_engine);
                ++entry_;
                break;
            case 13: update(); break;
            case 15:
            case 21: residency(); break;
            case 16: fence(); break;
            case 18: fence_residency(); break;
            case 19:
            case 20: mmu(); break;
            case 22:
                expect("NTF-10: all caches are written back and emptied", {17, 0, 0xC3A1'0000, 0, 0});
                entry_ = last_;
                break;
            default: require(false, "a command that no operation of this hardware writes");
        }
    }

    void update() {
        auto const& update = args_.UpdateContextAllocation;
        u32 const index = static_cast<u32>(entry_);
        u64 const place = update.ContextAllocation + update_data<Hw>::write(update.pDriverPrivateData, index).offset;
        expect(
            "OP13-01: the next write of the update",
            {2, low_word(place), high_word(place), 0, update_data<Hw>::word(update.pDriverPrivateData, 2 * index + 1)});
        ++entry_;
    }

    void residency() {
        constexpr char const* rule = "OP15-03: the entries of an allocation that has a list";
        residency_work const work = residency_work::of(args_);
        u32 const list = work.list();
        if (list == 2) {
            expect_nothing(rule, 10);
        } else {
            u64 const first =
                work.resident ? hw_.from_segment(segment_id{work.segment}, segment_offset{work.offset}).n : 0;
            generated(rule, amd_list_addresses[list] + u64{work.first} * 8, work.resident ? 1 : 0, first,
                      work.resident ? 4096 : 0, work.changed(list));
        }
        ++entry_;
    }

    void fence() {
        if constexpr (members::signal_monitored_fence<Args>) {
            auto const& fence = args_.SignalMonitoredFence;
            expect("OP16-01 OP16-02 OP16-03: the value to its place, then an interrupt",
                   {0x0003'0005, low_word(fence.MonitoredFenceGpuVa), high_word(fence.MonitoredFenceGpuVa),
                    low_word(fence.MonitoredFenceValue), 6, 0});
        }
        ++entry_;
    }

    void fence_residency() {
        if constexpr (members::notify_fence_residency<Args>) {
            constexpr char const* rule = "OP18-01: the next fence of the list";
            auto const& one = args_.NotifyFenceResidency.FenceResidencyInfo[entry_];
            u64 const record = record_of(one.hGlobalNativeFence);
            if (record == 0) {
                expect_nothing(rule, 8);
            } else {
                u64 const current = value_place(one.CurrentValuePhysicalAddress, hw_.at.system_base);
                u64 const monitored = value_place(one.MonitoredValuePhysicalAddress, hw_.at.system_base);
                expect(rule, {2, low_word(record), high_word(record), 3, low_word(current), high_word(current),
                              low_word(monitored), high_word(monitored)});
            }
        }
        ++entry_;
    }

    /// A run of entries of the other hub's table, then a flush of that hub.
    void mmu() {
        u64 const length = u64{peek(10)[9]} + 1;
        require(length <= last_ - entry_ && length <= 0x3'FFFF, "OP19-01: pages of the request");
        u64 address = 0;
        u64 flags = 0;
        u64 first = 0;
        if constexpr (members::map_mmu<Args>) {
            auto const& map = args_.MmapMmu;
            address = args_.Operation == 19 ? map.VirtualAddress : args_.UnmapMmu.VirtualAddress;
            bool const in_system = map.SegmentId == 0 || map.SegmentId == 31;
            if (args_.Operation == 19 && (in_system || map.SegmentId == memory_id)) {
                flags = in_system ? 0x77 : 0x71;
                first = (expected_.entry(entry_) << 12) + (in_system ? 0 : amd_vram_in_entries);
            }
            for (u64 i = 1; args_.Operation == 19 && expected_.pages != nullptr && i < length; ++i) {
                require(expected_.entry(entry_ + i) == expected_.entry(entry_) + i, "OP19-01: pages in a row");
            }
        }
        generated("OP19-01: the next pages to the next addresses", amd_flat_table + (address / 4096 + entry_) * 8,
                  flags, first, flags == 0 ? 0 : 4096, static_cast<u32>(length));
        flush(amd_flat_engine);
        entry_ += length;
    }
};

}  // namespace wddmcore::testing::fuzz
