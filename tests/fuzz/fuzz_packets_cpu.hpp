// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "fuzz_packets.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::fuzz {

/// The reference processor: records, from the tables in its documentation.
template <class Hw, class Args>
class cpu_stream : public packet_stream<cpu_stream<Hw, Args>, Hw, Args> {
    using above = packet_stream<cpu_stream<Hw, Args>, Hw, Args>;
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
    static constexpr u32 padding_word = 0x0100;
    static constexpr u64 most = 0x1000'0000;

    [[nodiscard]] recorded_command copy() {
        u32 const* const w = take(8);
        require(w[0] == 0x0801 && w[1] == 0 && joined(w + 6) <= most, "a copy of the processor");
        recorded_command one;
        one.destination = {joined(w + 2), virtual_space};
        one.source = {joined(w + 4), virtual_space};
        one.size = joined(w + 6);
        return one;
    }
    [[nodiscard]] recorded_command table_copy() { return copy(); }

    [[nodiscard]] recorded_command fill() {
        u32 const* const w = take(8);
        require(w[0] == 0x0802 && joined(w + 4) <= most && joined(w + 6) == 0, "a fill of the processor");
        recorded_command one;
        one.pattern = w[1];
        one.destination = {joined(w + 2), virtual_space};
        one.size = joined(w + 4);
        return one;
    }

    template <class Entries>
    void table(Entries& entries) {
        switch (head() & 0xFF) {
            case 6: {
                u32 const* const w = take(4);
                require(w[1] <= 240 && w[0] == ((4 + w[1]) << 8 | 6), "entries as the processor takes them");
                entries.take_entries({joined(w + 2), virtual_space}, take(w[1]), w[1]);
                break;
            }
            case 7: {
                u32 const* const w = take(8);
                require(w[0] == 0x0807, "a run as the processor takes it");
                u64 const first = joined(w + 4);
                u64 const step = joined(w + 6);
                entries.take_run({joined(w + 2), virtual_space}, w[1], [=](u32 k) { return first + k * step; });
                break;
            }
            default: entries.take_fill(fill()); break;
        }
    }

    /// A record of 64-bit numbers behind its first two words.
    void record(char const* rule, u32 head, u32 argument, std::initializer_list<u64> numbers) {
        expect(rule, {head, argument});
        for (u64 const n : numbers) {
            expect(rule, {low_word(n), high_word(n)});
        }
    }
    [[nodiscard]] static u64 number(void* handle) { return reinterpret_cast<usize>(handle); }

    void one() {
        switch (args_.Operation) {
            case 5:
            case 6:
            case 17: {
                aperture_request const request = aperture_request::of(args_);
                record("OP05-01: entry k gets page k", 0x0805, request.segment | (request.coherent ? 0x100u : 0u),
                       {request.first + entry_, expected_.entry(entry_), 0});
                ++entry_;
                break;
            }
            case 10: image(); break;
            case 12: flush(); break;
            case 13: update(); break;
            case 15: residency(); break;
            case 16: fence(); break;
            case 18: fence_residency(); break;
            case 21: residency_range(); break;
            case 22: unmap(); break;
            default: require(false, "a command that no operation of this hardware writes");
        }
    }

    /// Zeroes, at most a page of them.
    void image() {
        auto const part = this->next_part(page_bytes);
        record("OP10-03: each piece of an image, once", 0x0802, 0, {part.place.n, part.size, 0});
        ++entry_;
    }

    /// Whole pages of the range; the whole space when there is no range, or it begins behind the last address.
    void flush() {
        auto const& request = args_.FlushTlb;
        auto const& root = request.RootPageTableAddress;
        constexpr u64 end = u64{1} << 48;
        u64 first = 0;
        u64 last = 0;
        if (request.EndVirtualAddress != 0 && request.StartVirtualAddress < end) {
            first = request.StartVirtualAddress & ~u64{0xFFF};
            last = lesser<u64>(request.EndVirtualAddress, end - 1) | 0xFFF;
        }
        u32 const* const w = take(8);
        bool const whole = joined(w + 4) == 0 && (joined(w + 6) == 0 || joined(w + 6) == ~u64{0});
        require(w[0] == 0x0808 && w[1] == root.SegmentId && joined(w + 2) == root.SegmentOffset &&
                    (last == 0 ? whole : joined(w + 4) == first && joined(w + 6) == last),
                "OP12-01 OP12-03: the pages of the range, or everything");
        ++entry_;
    }

    void update() {
        auto const& update = args_.UpdateContextAllocation;
        auto const index = static_cast<u32>(entry_);
        u64 value = 0;
        std::memcpy(&value, static_cast<u8 const*>(update.pDriverPrivateData) + usize{16} * index + 8, 8);
        record("OP13-01: the next write of the update", 0x0609, 0,
               {update.ContextAllocation + update_data<Hw>::write(update.pDriverPrivateData, index).offset, value});
        ++entry_;
    }

    void residency() {
        if constexpr (members::notify_residency<Args>) {
            auto const& n = args_.NotifyResidency;
            bool const there = n.Resident != 0;
            record("OP15-03: where it is, or only that it left", 0x080A,
                   there ? 1u | static_cast<u32>(n.PhysicalAddress.SegmentId) << 8 : 0,
                   {number(n.hAllocation), there ? n.PhysicalAddress.SegmentOffset : 0, 0});
        }
        ++entry_;
    }

    void residency_range() {
        if constexpr (members::notify_residency2<Args>) {
            auto const& n = args_.NotifyResidency2;
            bool const there = n.Resident != 0;
            bool const system = n.SegmentId == 0 || n.SegmentId == 31;
            u64 const pages =
                there && system ? (u64{n.Mdl->ByteOffset} + n.Mdl->ByteCount + page_bytes - 1) / page_bytes : 0;
            record("OP21-01: a range and its place", 0x0A0B, there ? 1u | u32{n.SegmentId} << 8 : 0,
                   {number(n.hAllocation), n.AllocationOffsetInPages | u64{n.SizeInPages} << 32,
                    there && !system ? n.PhysicalAddress.SegmentOffset : 0, pages});
        }
        ++entry_;
    }

    void fence() {
        if constexpr (members::signal_monitored_fence<Args>) {
            auto const& fence = args_.SignalMonitoredFence;
            record("OP16-01 OP16-02 OP16-03: the value to its place, and an interrupt", 0x0609, 1,
                   {fence.MonitoredFenceGpuVa, fence.MonitoredFenceValue});
        }
        ++entry_;
    }

    void fence_residency() {
        if constexpr (members::notify_fence_residency<Args>) {
            auto const& one = args_.NotifyFenceResidency.FenceResidencyInfo[entry_];
            record("OP18-01: the next fence of the list", 0x080C,
                   static_cast<u32>(one.CurrentValuePhysicalAddress.SegmentId) |
                       static_cast<u32>(one.MonitoredValuePhysicalAddress.SegmentId) << 8,
                   {number(one.hGlobalNativeFence), one.CurrentValuePhysicalAddress.SegmentOffset,
                    one.MonitoredValuePhysicalAddress.SegmentOffset});
        }
        ++entry_;
    }

    /// At most a gibibyte of the range a record.
    void unmap() {
        if constexpr (members::notify_alloc<Args>) {
            auto const& n = args_.NotifyAllocation;
            u64 const done = entry_ * page_bytes;
            u32 const* const w = take(8);
            u64 const size = joined(w + 4);
            u64 const left = expected_.size - done;
            require(w[0] == 0x080D && w[1] == 0 && joined(w + 2) == n.GpuVirtualAddressAtOffset + done &&
                        joined(w + 6) == number(n.hKmdProcessHandle),
                    "NTF-05: the part and its address");
            require(size != 0 && size <= left && size <= u64{1} << 30 && (size == left || size % page_bytes == 0),
                    "NTF-06: a part of the notice");
            entry_ += (size + page_bytes - 1) / page_bytes;
        }
    }
};

}  // namespace wddmcore::testing::fuzz
