// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "decode_hand.hpp"

/// The hand loops of decode.op that move and fill memory: operations 0, 1, 7, 8 and 9.
namespace bench::decode_op::by_hand {

/// Runs of a list, each one packet; followed while they last, judged while they are written.
template <bool FromList, class Hw>
WDDMCORE_INLINE ntstatus copy_runs(Hw const& hw, arguments& args, usize const* list, typename Hw::address other,
                                   u64 size) {
    constexpr u64 most = Hw::copy_max.n / page_bytes;
    u32 const count = static_cast<u32>(pages_in(size));
    u32 index = args.MultipassOffset;
    if (index >= count) {
        return index == count ? status::success : status::invalid_parameter;
    }
    if (!is_ready<Hw::copy_dwords.n>(args)) {
        return not_ready(args);
    }
    u32* at = static_cast<u32*>(args.pDmaBuffer);
    u64 seen = 0;
    for (u32 fit = args.DmaSize / (Hw::copy_dwords.n * 4); fit != 0 && index != count; --fit) {
        u64 const first = list[index];
        u32 length = 1;
        while (index + length != count && length != most && list[index + length] == first + length) {
            ++length;
        }
        seen |= first | (first + length - 1);
        u64 const begin = u64{index} * page_bytes;
        u64 const whole = u64{length} * page_bytes;
        bytes const moved{whole < size - begin ? whole : size - begin};
        auto const paged = hw.from_page({first});
        auto const linear = other + bytes{begin};
        hw.encode_copy(at, FromList ? linear : paged, FromList ? paged : linear, moved);
        at += Hw::copy_dwords.n;
        index += length;
    }
    if (seen > last_page) {
        return status::invalid_parameter;
    }
    args.pDmaBuffer = at;
    args.MultipassOffset = index;
    return index == count ? status::success : status::graphics_insufficient_dma_buffer;
}

/// Two contiguous places of one space or of two; overlapping ones in an order that reads before it writes.
template <class Hw>
WDDMCORE_INLINE ntstatus move(Hw const& hw, arguments& args, typename Hw::address source,
                              typename Hw::address destination, u64 distance, bool upward, u64 size) {
    u64 most = Hw::copy_max.n / page_bytes;
    bool const overlaps = distance < size;
    if (overlaps) {
        if (distance < page_bytes) {
            return status::invalid_parameter;
        }
        most = distance / page_bytes < most ? distance / page_bytes : most;
    }
    u64 const count = pages_in(size);
    return put_chunks<Hw::copy_dwords.n>(args, count, most, [&](u32* at, u64 done, u64 length) {
        bytes const begin{(overlaps && upward ? count - done - length : done) * page_bytes};
        u64 const whole = length * page_bytes;
        hw.encode_copy(at, destination + begin, source + begin, bytes{whole < size - begin.n ? whole : size - begin.n});
    });
}

template <class Hw, class Transfer>
WDDMCORE_INLINE ntstatus copy(Hw& hw, arguments& args, Transfer const& request, u32 mdl_first) {
    u64 const size = request.TransferSize;
    if (size == 0) {
        return status::success;
    }
    u32 const from = request.Source.SegmentId;
    u32 const to = request.Destination.SegmentId;
    u64 const offset = request.TransferOffset;
    if (size > most_pages * page_bytes || size % Hw::copy_alignment.n != 0) {
        return status::invalid_parameter;
    }
    u64 const source = static_cast<u64>(request.Source.SegmentAddress.QuadPart) + offset;
    u64 const destination = static_cast<u64>(request.Destination.SegmentAddress.QuadPart) + offset;
    if (from == 0) {
        spot const place = find(hw, to, destination, size);
        usize const* const list = pages_of(request.Source.pMdl, mdl_first, pages_in(size));
        if (list == nullptr || !place.good || destination < offset || destination % Hw::copy_alignment.n != 0) {
            return status::invalid_parameter;
        }
        return copy_runs<true>(hw, args, list, hw.from_segment({to}, {place.offset}), size);
    }
    spot const from_place = find(hw, from, source, size);
    if (!from_place.good || source < offset || source % Hw::copy_alignment.n != 0) {
        return status::invalid_parameter;
    }
    auto const from_address = hw.from_segment({from}, {from_place.offset});
    if (to == 0) {
        usize const* const list = pages_of(request.Destination.pMdl, mdl_first, pages_in(size));
        return list == nullptr ? status::invalid_parameter : copy_runs<false>(hw, args, list, from_address, size);
    }
    spot const to_place = find(hw, to, destination, size);
    if (!to_place.good || destination < offset || destination % Hw::copy_alignment.n != 0) {
        return status::invalid_parameter;
    }
    bool const upward = destination > source;
    u64 const distance = from != to ? size : upward ? destination - source : source - destination;
    return move(hw, args, from_address, hw.from_segment({to}, {to_place.offset}), distance, upward, size);
}

template <class Hw>
WDDMCORE_NOINLINE ntstatus transfer(Hw& hw, arguments& args) {
    return copy(hw, args, args.Transfer, args.Transfer.MdlOffset);
}

template <class Hw>
WDDMCORE_NOINLINE ntstatus special_lock_transfer(Hw& hw, arguments& args) {
    return copy(hw, args, args.SpecialLockTransfer, 0);
}

template <class Hw>
WDDMCORE_NOINLINE ntstatus virtual_transfer(Hw& hw, arguments& args) {
    u64 const from = args.TransferVirtual.SourceVirtualAddress;
    u64 const to = args.TransferVirtual.DestinationVirtualAddress;
    u64 const size = args.TransferVirtual.TransferSizeInBytes;
    if (size - 1 >= most_pages * page_bytes || from + (size - 1) < from || to + (size - 1) < to ||
        (from | to | size) % Hw::copy_alignment.n != 0) {
        return status::invalid_parameter;
    }
    return move(hw, args, hw.from_virtual({from}), hw.from_virtual({to}), to > from ? to - from : from - to, to > from,
                size);
}

template <class Hw>
WDDMCORE_INLINE ntstatus put_fills(Hw const& hw, arguments& args, typename Hw::address place, u64 size, u32 pattern) {
    return put_chunks<Hw::fill_dwords.n>(
        args, pages_in(size), Hw::fill_max.n / page_bytes, [&](u32* at, u64 done, u64 length) {
            u64 const begin = done * page_bytes;
            u64 const whole = length * page_bytes;
            hw.encode_fill(at, place + bytes{begin}, bytes{whole < size - begin ? whole : size - begin}, pattern);
        });
}

template <class Hw>
WDDMCORE_NOINLINE ntstatus fill(Hw& hw, arguments& args) {
    auto const& request = args.Fill;
    u64 const size = request.FillSize;
    u32 const segment = request.Destination.SegmentId;
    u64 const address = static_cast<u64>(request.Destination.SegmentAddress.QuadPart);
    spot const place = find(hw, segment, address, size);
    if (size - 1 >= most_pages * page_bytes || !place.good || hw.is_aperture({segment}) ||
        (address | size) % Hw::fill_alignment.n != 0) {
        return status::invalid_parameter;
    }
    return put_fills(hw, args, hw.from_segment({segment}, {place.offset}), size, request.FillPattern);
}

template <class Hw>
WDDMCORE_NOINLINE ntstatus virtual_fill(Hw& hw, arguments& args) {
    auto const& request = args.FillVirtual;
    u64 const size = request.FillSizeInBytes;
    u64 const to = request.DestinationVirtualAddress;
    if (size - 1 >= most_pages * page_bytes || to + (size - 1) < to || (to | size) % Hw::fill_alignment.n != 0) {
        return status::invalid_parameter;
    }
    return put_fills(hw, args, hw.from_virtual({to}), size, request.FillPattern);
}

}  // namespace bench::decode_op::by_hand
