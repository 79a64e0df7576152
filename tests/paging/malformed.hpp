// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "one_request.hpp"

#include <functional>
#include <utility>

/// Requests that cannot be carried out, and what has to become of each: one call of the hook, and nothing committed.
namespace wddmcore::inline WDDMCORE_ABI::testing {

[[nodiscard]] constexpr engine_shape commands_for_all() {
    engine_shape shape = shapes::engine(shapes::everything, 4 * page_bytes, 16, shapes::ordered, 2);
    shape.aperture_commands = true;
    shape.discards = true;
    shape.caps.highest_visible_address = 0xF'FFFF'FFFF;  // 2^24 pages
    return shape;
}
inline constexpr engine_shape by_command = commands_for_all();
[[nodiscard]] constexpr engine_shape stores_at_once() {
    engine_shape shape = by_command;
    shape.aperture_commands = false;
    return shape;
}
inline constexpr engine_shape at_once = stores_at_once();

inline constexpr u64 last_visible_page = 0xFF'FFFF;

// One malformed request: exactly this rule is heard of, with these numbers, and nothing is committed.
template <engine_shape const& Shape>
struct malformed : one_request<Shape> {
    void expect(newest_arguments const& good, std::function<void(newest_arguments&)> const& spoil, paging_rule rule,
                u64 value, u64 limit) {
        expect_one_of(good, spoil, rule, {value, value}, limit);
    }

    // The same where a range is at fault: told by where it begins, or by where it would end.
    void expect_one_of(newest_arguments const& good, std::function<void(newest_arguments&)> const& spoil,
                       paging_rule rule, std::pair<u64, u64> values, u64 limit) {
        CAPTURE(good.Operation);
        CAPTURE(static_cast<u32>(rule));
        for (disposition const answer : {disposition::stop, disposition::dropped}) {
            std::vector<u32> buffer(1200, 0x5A5A'5A5A);
            u8 private_data[64] = {};
            newest_arguments args = good;
            args.pDmaBuffer = buffer.data() + 100;
            args.DmaSize = 4000;
            args.pDmaBufferPrivateData = private_data;
            args.DmaBufferPrivateDataSize = sizeof private_data;
            spoil(args);
            newest_arguments before;
            std::memcpy(&before, &args, sizeof args);
            this->hw.answer = answer;
            this->hw.faults = 0;
            this->hw.stored = 0;
            ntstatus const status = build_paging_buffer(this->hw, args);
            CHECK(status ==
                  (answer == disposition::dropped && harmless(rule) ? status::success : status::invalid_parameter));
            CHECK(this->hw.faults == 1);
            CHECK(this->hw.last_fault.rule == rule);
            CHECK(static_cast<u32>(this->hw.last_fault.operation) == good.Operation);
            u64 const value = this->hw.last_fault.value;
            CHECK((value == values.first || value == values.second));
            CHECK(this->hw.last_fault.limit == limit);
            CHECK(std::memcmp(&before, &args, sizeof args) == 0);
            CHECK(buffer == std::vector<u32>(1200, 0x5A5A'5A5A));
            CHECK(this->hw.stored == 0);
            for (u8 const one : private_data) {
                REQUIRE(one == 0);
            }
        }
    }

    // Every operation that moves or fills through the buffer.
    std::vector<newest_arguments> with_commands() {
        return {this->transfer_in(lonely_pages(5)),
                this->fill(0x4000, 5 * page_bytes),
                this->discard(0x8000),
                this->read(0x1234),
                this->write(0x4321),
                this->special_lock(lonely_pages(3)),
                this->virtual_transfer(0x70'0000, 0x20'0000, 5 * page_bytes),
                this->virtual_fill(0x3000, 5 * page_bytes)};
    }

    // Gives one side of a request that names a segment another segment and address.
    static void set_place(newest_arguments& args, u32 id, u64 address) {
        switch (args.Operation) {
            case 0:
                args.Transfer.Destination.SegmentId = id;
                args.Transfer.Destination.SegmentAddress.QuadPart = static_cast<i64>(address);
                break;
            case 1:
                args.Fill.Destination.SegmentId = id;
                args.Fill.Destination.SegmentAddress.QuadPart = static_cast<i64>(address);
                break;
            case 2:
                args.DiscardContent.SegmentId = id;
                args.DiscardContent.SegmentAddress.QuadPart = static_cast<i64>(address);
                break;
            case 3:
                args.ReadPhysical.SegmentId = id;
                args.ReadPhysical.PhysicalAddress.QuadPart = static_cast<i64>(address);
                break;
            case 4:
                args.WritePhysical.SegmentId = id;
                args.WritePhysical.PhysicalAddress.QuadPart = static_cast<i64>(address);
                break;
            case 7:
                args.SpecialLockTransfer.Destination.SegmentId = id;
                args.SpecialLockTransfer.Destination.SegmentAddress.QuadPart = static_cast<i64>(address);
                break;
            default: break;
        }
    }

    std::vector<newest_arguments> with_segment() {
        return {this->transfer_in(lonely_pages(5)),
                this->fill(0x4000, 5 * page_bytes),
                this->discard(0x8000),
                this->read(0x1234),
                this->write(0x4321),
                this->special_lock(lonely_pages(5))};
    }
    std::vector<newest_arguments> of_apertures() {
        return {this->map(7, lonely_pages(5)), this->unmap(7, 5), this->map2(7, lonely_pages(5)),
                this->map2(7, 0x500, 5)};
    }
};

inline void set_range(newest_arguments& args, usize first, usize count) {
    switch (args.Operation) {
        case 5:
            args.MapApertureSegment.OffsetInPages = first;
            args.MapApertureSegment.NumberOfPages = count;
            break;
        case 6:
            args.UnmapApertureSegment.OffsetInPages = first;
            args.UnmapApertureSegment.NumberOfPages = count;
            break;
        default:
            args.MapApertureSegment2.OffsetInPages = first;
            args.MapApertureSegment2.NumberOfPages = count;
            break;
    }
}
inline void set_aperture(newest_arguments& args, u32 id) {
    (args.Operation == 5   ? args.MapApertureSegment.SegmentId
     : args.Operation == 6 ? args.UnmapApertureSegment.SegmentId
                           : args.MapApertureSegment2.SegmentId) = id;
}

}  // namespace wddmcore::testing
