// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "model.hpp"

#include <compare>
#include <set>

/// Which rules a request breaks: all of them, in no order. An empty set means that it can be carried out.
namespace wddmcore::inline WDDMCORE_ABI::testing {

using broken_rules = std::set<paging_rule>;

inline constexpr u64 most_pages_of_a_token = u64{1} << 32;  // PGB-06: so many pages have a token each

/// A sum of 64-bit numbers that need not fit 64 bits.
struct wide_number {
    u64 high;
    u64 low;
    friend auto operator<=>(wide_number const&, wide_number const&) = default;
};
[[nodiscard]] inline wide_number wide_sum(u64 a, u64 b, u64 c = 0) {
    u64 const two = a + b;
    u64 const all = two + c;
    return {u64{two < a} + u64{all < two}, all};
}
[[nodiscard]] inline bool exceeds_64_bits(u64 a, u64 b) { return wide_sum(a, b).high != 0; }

/// Whether a request's work goes into the buffer.
enum class buffer_use { needed, used_if_there, ignored };

/// What every request with work has to have: a buffer, a place in it, a token that is not behind the work.
template <class Args>
void judge_envelope(broken_rules& broken, Args const& args, u64 count, buffer_use use) {
    // A token that stands at the end says that nothing is left to write.
    bool const writes = use != buffer_use::ignored && args.MultipassOffset != count;
    if (args.pDmaBuffer == nullptr || args.DmaSize == 0) {
        if (writes && use == buffer_use::needed) {
            broken.insert(paging_rule::no_buffer);
        }
    } else if (writes && reinterpret_cast<usize>(args.pDmaBuffer) % 4 != 0) {
        broken.insert(paging_rule::misaligned_buffer);
    }
    if (args.MultipassOffset > count) {
        broken.insert(paging_rule::token_past_end);
    }
    if (count > most_pages_of_a_token) {
        broken.insert(paging_rule::too_many_pages);
    }
}

/// A range of a segment, base included; the whole of it has to lie in the segment.
template <class Hw>
void judge_segment(broken_rules& broken, Hw const& hw, u32 id, u64 address, u64 offset, u64 size) {
    segment_place const place = hw.place(segment_id{id});
    if (place.size.n == 0) {
        broken.insert(paging_rule::unknown_segment);
        return;
    }
    if (exceeds_64_bits(address, offset)) {
        broken.insert(paging_rule::offset_wraps);
        return;
    }
    if (address + offset < place.base.n || wide_sum(address, offset, size) > wide_sum(place.base.n, place.size.n)) {
        broken.insert(paging_rule::outside_segment);
    }
}

inline void judge_mdl(broken_rules& broken, mirror::vista::mdl const* mdl, u64 first, u64 count) {
    if (mdl == nullptr) {
        broken.insert(paging_rule::missing_list);
    } else if (first + count > pages_of_mdl(*mdl)) {
        broken.insert(paging_rule::outside_list);
    }
}

/// Two ranges of one space, and an engine that needs a direction.
inline void judge_distance(broken_rules& broken, u64 distance, u64 size) {
    if (distance == 0 && size != 0) {  // AMB-57: nothing is to be done, so that no buffer is needed
        broken.erase(paging_rule::no_buffer);
        broken.erase(paging_rule::misaligned_buffer);
    } else if (distance < size && distance < page_bytes) {
        broken.insert(paging_rule::overlap_below_page);
    }
}

/// Operations 0 and 7.
template <class Hw, class Args, class Transfer>
[[nodiscard]] broken_rules broken_by_transfer(Hw const& hw, Args const& args, Transfer const& t, u64 mdl_offset) {
    broken_rules broken;
    if (t.TransferSize == 0) {
        return broken;  // OP00-09
    }
    u64 const count = t.TransferSize / 4096 + (t.TransferSize % 4096 != 0);
    judge_envelope(broken, args, count, buffer_use::needed);
    u64 places = t.TransferSize;
    auto const side = [&](auto const& one) {
        if (one.SegmentId == 0) {
            judge_mdl(broken, one.pMdl, mdl_offset, count);
        } else {
            judge_segment(broken, hw, one.SegmentId, static_cast<u64>(one.SegmentAddress.QuadPart), t.TransferOffset,
                          t.TransferSize);
            places |= static_cast<u64>(one.SegmentAddress.QuadPart) + t.TransferOffset;
        }
    };
    side(t.Source);
    side(t.Destination);
    if (broken.empty() && args.MultipassOffset < count) {
        // Of good requests only, where lists are known to be there; and only the pages that are still to be moved.
        auto const judge_reach = [&](auto const& one) {
            for (u64 i = args.MultipassOffset; one.SegmentId == 0 && i < count; ++i) {
                if (reinterpret_cast<usize const*>(one.pMdl + 1)[mdl_offset + i] >
                    Hw::caps.highest_visible_address / page_bytes) {
                    broken.insert(paging_rule::list_wraps);
                }
            }
        };
        judge_reach(t.Source);
        judge_reach(t.Destination);
    }
    if (places % Hw::shape.copy_alignment != 0) {
        broken.insert(paging_rule::misaligned_for_engine);
    }
    if (Hw::shape.copy_overlap == hw::overlap::by_direction && t.Source.SegmentId == t.Destination.SegmentId &&
        t.Source.SegmentId != 0) {
        u64 const to = static_cast<u64>(t.Destination.SegmentAddress.QuadPart);
        u64 const from = static_cast<u64>(t.Source.SegmentAddress.QuadPart);
        u64 const distance = to < from ? from - to : to - from;
        judge_distance(broken, distance, t.TransferSize);
    }
    return broken;
}

/// What an engine cannot fill.
template <class Hw>
void judge_pattern(broken_rules& broken, u32 pattern) {
    if (Hw::shape.fill_pattern_bytes == 1 && pattern != (pattern & 0xFF) * 0x0101'0101u) {
        broken.insert(paging_rule::pattern_not_fillable);
    }
}

/// Operation 1.
template <class Hw, class Args>
[[nodiscard]] broken_rules broken_by_fill(Hw const& hw, Args const& args) {
    broken_rules broken;
    auto const& f = args.Fill;
    u64 const address = static_cast<u64>(f.Destination.SegmentAddress.QuadPart);
    if (f.FillSize == 0) {
        broken.insert(paging_rule::nothing_to_fill);
    }
    judge_envelope(broken, args, f.FillSize / 4096 + (f.FillSize % 4096 != 0), buffer_use::needed);
    judge_segment(broken, hw, f.Destination.SegmentId, address, 0, f.FillSize);
    if (hw.place(segment_id{f.Destination.SegmentId}).size.n != 0 &&
        hw.is_aperture(segment_id{f.Destination.SegmentId})) {
        broken.insert(paging_rule::fill_of_aperture);
    }
    if ((address | f.FillSize) % Hw::shape.fill_alignment != 0) {
        broken.insert(paging_rule::misaligned_for_engine);
    }
    judge_pattern<Hw>(broken, f.FillPattern);
    return broken;
}

/// Operation 8.
template <class Hw, class Args>
[[nodiscard]] broken_rules broken_by_virtual_transfer(Args const& args) {
    broken_rules broken;
    auto const& t = args.TransferVirtual;
    u64 const size = t.TransferSizeInBytes;
    if (size == 0) {
        broken.insert(paging_rule::nothing_to_transfer);
    }
    judge_envelope(broken, args, size / 4096 + (size % 4096 != 0), buffer_use::needed);
    for (u64 const va : {t.SourceVirtualAddress, t.DestinationVirtualAddress}) {
        if (wide_sum(va, size) > wide_sum(~u64{0}, 1)) {
            broken.insert(paging_rule::address_wraps);
        }
    }
    if ((t.SourceVirtualAddress | t.DestinationVirtualAddress | size) % Hw::shape.copy_alignment != 0) {
        broken.insert(paging_rule::misaligned_for_engine);
    }
    u64 const distance = t.SourceVirtualAddress < t.DestinationVirtualAddress
                             ? t.DestinationVirtualAddress - t.SourceVirtualAddress
                             : t.SourceVirtualAddress - t.DestinationVirtualAddress;
    if (Hw::shape.copy_overlap == hw::overlap::by_direction) {
        judge_distance(broken, distance, size);
    }
    return broken;
}

/// Operation 9.
template <class Hw, class Args>
[[nodiscard]] broken_rules broken_by_virtual_fill(Args const& args) {
    broken_rules broken;
    auto const& f = args.FillVirtual;
    if (f.FillSizeInBytes == 0) {
        broken.insert(paging_rule::nothing_to_fill);
    }
    judge_envelope(broken, args, f.FillSizeInBytes / 4096 + (f.FillSizeInBytes % 4096 != 0), buffer_use::needed);
    if (wide_sum(f.DestinationVirtualAddress, f.FillSizeInBytes) > wide_sum(~u64{0}, 1)) {
        broken.insert(paging_rule::address_wraps);
    }
    if ((f.DestinationVirtualAddress | f.FillSizeInBytes) % Hw::shape.fill_alignment != 0) {
        broken.insert(paging_rule::misaligned_for_engine);
    }
    judge_pattern<Hw>(broken, f.FillPattern);
    return broken;
}

/// The range of an aperture operation.
template <class Hw, class Args, class Request>
void judge_aperture(broken_rules& broken, Hw const& hw, Args const& args, Request const& request) {
    if (request.NumberOfPages == 0) {
        broken.insert(paging_rule::nothing_to_map);
    }
    // Entries have 32-bit numbers, as pages of lists have.
    if (request.NumberOfPages > 0xFFFF'FFFF) {
        broken.insert(paging_rule::too_many_pages);
    }
    judge_envelope(broken, args, request.NumberOfPages,
                   Hw::shape.aperture_commands ? buffer_use::used_if_there : buffer_use::ignored);
    segment_place const place = hw.place(segment_id{request.SegmentId});
    if (place.size.n == 0) {
        broken.insert(paging_rule::unknown_segment);
        return;
    }
    if (!hw.is_aperture(segment_id{request.SegmentId})) {
        broken.insert(paging_rule::not_an_aperture);
    }
    if (wide_sum(request.OffsetInPages, request.NumberOfPages) > wide_number{0, place.size.n / 4096}) {
        broken.insert(paging_rule::outside_aperture);
    }
}

/// Operation 5.
template <class Hw, class Args>
[[nodiscard]] broken_rules broken_by_map(Hw const& hw, Args const& args) {
    broken_rules broken;
    auto const& m = args.MapApertureSegment;
    judge_aperture(broken, hw, args, m);
    if (m.NumberOfPages != 0) {
        judge_mdl(broken, m.pMdl, m.MdlOffset, m.NumberOfPages);
    }
    return broken;
}

/// Operation 17.
template <class Hw, class Args>
[[nodiscard]] broken_rules broken_by_map2(Hw const& hw, Args const& args) {
    broken_rules broken;
    auto const& m = args.MapApertureSegment2;
    judge_aperture(broken, hw, args, m);
    if (wide_sum(m.AdlOffset, m.NumberOfPages) > wide_number{0, m.Adl.PageCount}) {
        broken.insert(paging_rule::outside_list);
    }
    if (m.Adl.Flags.Contiguous) {
        // ADL-06: the whole list as an address range; of the pages that are asked for, also what the device reaches.
        wide_number const end_of_reach = wide_sum(Hw::caps.highest_visible_address >> 12, 1);
        if ((m.Adl.PageCount != 0 && wide_sum(m.Adl.BasePageNumber, m.Adl.PageCount) > wide_number{0, u64{1} << 52}) ||
            (m.NumberOfPages != 0 && wide_sum(m.Adl.BasePageNumber, m.AdlOffset, m.NumberOfPages) > end_of_reach)) {
            broken.insert(paging_rule::list_wraps);
        }
    } else if (m.Adl.PageCount != 0 && m.Adl.Pages == nullptr) {
        broken.insert(paging_rule::missing_list);
    }
    return broken;
}

/// Operation 6.
template <class Hw, class Args>
[[nodiscard]] broken_rules broken_by_unmap(Hw const& hw, Args const& args) {
    broken_rules broken;
    judge_aperture(broken, hw, args, args.UnmapApertureSegment);
    // The dummy page is a page that the device is pointed at, like any other (ADL-06).
    if (static_cast<u64>(args.UnmapApertureSegment.DummyPage.QuadPart) > Hw::caps.highest_visible_address) {
        broken.insert(paging_rule::list_wraps);
    }
    return broken;
}

}  // namespace wddmcore::testing
