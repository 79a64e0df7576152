// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../../hw/limits.hpp"
#include "../../hw/promises/transfer/fill_engine.hpp"
#include "../endpoint.hpp"
#include "../pass.hpp"

/// Operations 1 FILL and 9 VIRTUAL_FILL.
namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

/// The commands that one page needs at the most: of the engine of all in the range that needs the most.
template <class Hw>
inline constexpr u32 most_fills_per_page =
    hw::commands_per_page(hw::least_of(Hw::fill_max), hw::most_of(Hw::fill_alignment));

/// The pages of one fill command, as far as a token can count, and 1 for an engine that takes less.
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr u32 pages_of_fill(Hw const& hw) noexcept {
    return static_cast<u32>(lesser<u64>(greater<u64>(hw::chunk_pages(hw::value_of(hw, Hw::fill_max)).n, 1), ~u32{0}));
}

/// What one command takes, where a page may need several.
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr bytes piece_of_fill(Hw const& hw) noexcept {
    return hw::piece_of_chunk(hw::value_of(hw, Hw::fill_max), hw::value_of(hw, Hw::fill_alignment));
}

/// The dwords that stay in one buffer: one command, or those of a page.
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr dwords fill_group(Hw const& hw) noexcept {
    if constexpr (most_fills_per_page<Hw> == 1) {
        return hw::longest_fill<Hw>();
    } else {
        return {hw::longest_fill<Hw>().n *
                hw::commands_per_page(hw::value_of(hw, Hw::fill_max), hw::value_of(hw, Hw::fill_alignment))};
    }
}

/// Fills a contiguous place by commands whose lengths differ, or of which a page takes several: each group takes the
/// room that it needs.
///
/// @param work, first  as in fill_linear
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr progress fill_by_lengths(Hw const& hw, dma_writer& writer,
                                                                 typename Hw::address destination, extent work,
                                                                 u32 first, u32 pattern) noexcept {
    // A group is a command of whole pages, or the commands of one page, which stay in one buffer.
    constexpr bool is_one = most_fills_per_page<Hw> == 1;
    u64 const most = pages_of_fill(hw);
    for (u64 done = first; done != work.count;) {
        u64 const count = lesser(work.count - done, most);
        bytes const size{to_bytes(pages{count}).n - (done + count == work.count ? work.short_by : 0)};
        bytes const piece = is_one ? size : piece_of_fill(hw);
        typename Hw::address const place = destination + to_bytes(pages{done});
        u32 need = 0;
        for (bytes offset{0}; offset < size; offset = offset + piece) {
            bytes const part{lesser(piece.n, size.n - offset.n)};
            dwords const length = hw::fill_length(hw, place + offset, part, pattern);
            if (length.n > writer.room - need) {
                return {outcome::need_buffer, static_cast<u32>(done)};
            }
            need += length.n;
        }
        for (bytes offset{0}; offset < size; offset = offset + piece) {
            bytes const part{lesser(piece.n, size.n - offset.n)};
            dwords const length = is_one ? dwords{need} : hw::fill_length(hw, place + offset, part, pattern);
            hw.encode_fill(writer.take(length), place + offset, part, pattern);
        }
        done += count;
    }
    return {outcome::done, static_cast<u32>(work.count)};
}

/// Fills a contiguous place by commands of one length: whole pages a command, so that the pattern keeps its phase
/// (OP09-02).
///
/// @param work   pages in all, and what the last one lacks: no byte past the size is written
/// @param first  the token: pages done in earlier passes, below work.count
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr progress fill_linear(Hw const& hw, dma_writer& writer,
                                                             typename Hw::address destination, extent work, u32 first,
                                                             u32 pattern) noexcept {
    u32 const most = pages_of_fill(hw);
    typename Hw::address place = destination + to_bytes(pages{first});
    u64 done = first;
    if (u64 const left = work.count - first; left > most) {
        // All commands but the last have the same size, so that the room is counted once and not in the loop.
        u32 const full = static_cast<u32>((left - 1) / most);
        u32 const fitting = lesser(full, writer.room / Hw::fill_dwords.n);
        u32* at = writer.at;
        for (u32 i = 0; i != fitting; ++i) {
            hw.encode_fill(at, place, to_bytes(pages{most}), pattern);
            place = place + to_bytes(pages{most});
            at += Hw::fill_dwords.n;
        }
        writer.room -= fitting * Hw::fill_dwords.n;
        writer.at = at;
        done += u64{fitting} * most;
        if (fitting != full) {
            return {outcome::need_buffer, static_cast<u32>(done)};
        }
    }
    if (!writer.has(Hw::fill_dwords)) {
        return {outcome::need_buffer, static_cast<u32>(done)};
    }
    bytes const rest{to_bytes(pages{work.count - done}).n - work.short_by};
    hw.encode_fill(writer.take(Hw::fill_dwords), place, rest, pattern);
    return {outcome::done, static_cast<u32>(work.count)};
}

/// Whether this engine can fill the place with the pattern (OP08-06, AMB-09).
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr finding check_fill(Hw const& hw, u64 place, u64 size, u32 pattern) noexcept {
    u64 const unit = hw::value_of(hw, Hw::fill_alignment).n;
    if (((place | size) & (unit - 1)) != 0) {
        return found(paging_rule::misaligned_for_engine, (place & (unit - 1)) != 0 ? place : size, unit);
    }
    if constexpr (hw::least_of(Hw::fill_pattern_bytes).n == 1) {
        // AMB-09: the pattern is a 32-bit value, so an engine of one byte can only do those whose bytes are equal.
        if (hw::value_of(hw, Hw::fill_pattern_bytes).n == 1 && pattern != (pattern & 0xFFu) * 0x0101'0101u) {
            return found(paging_rule::pattern_not_fillable, pattern);
        }
    }
    return nothing_wrong;
}

/// The bytes of operation 1 or 9.
[[nodiscard]] WDDMCORE_INLINE constexpr u64 size_of_fill(auto const& fill) noexcept {
    if constexpr (requires { fill.FillSize; }) {
        return static_cast<u64>(fill.FillSize);
    } else {
        return static_cast<u64>(fill.FillSizeInBytes);
    }
}

/// Judges operation 1 or 9, for an engine or for the CPU, which takes any place and pattern.
///
/// @param destination  written only when nothing is wrong
template <class Hw>
[[nodiscard]] WDDMCORE_INLINE constexpr finding plan_fill(Hw const& hw, auto const& fill,
                                                          endpoint<Hw>& destination) noexcept {
    u64 const size = size_of_fill(fill);
    if (finding const problem = check_size(size, paging_rule::nothing_to_fill); problem.any) {
        return problem;
    }
    if constexpr (requires { fill.DestinationVirtualAddress; }) {
        gpu_virtual_address const place{static_cast<u64>(fill.DestinationVirtualAddress)};
        if (finding const problem = resolve_virtual(hw, place, bytes{size}, destination); problem.any) {
            return problem;
        }
    } else {
        segment_id const id{static_cast<u32>(fill.Destination.SegmentId)};
        if (finding const problem = resolve_segment(hw, fill.Destination, bytes{0}, bytes{size}, destination);
            problem.any) {
            return problem;
        }
        if (hw.is_aperture(id)) {
            return found(paging_rule::fill_of_aperture, id.n);
        }
    }
    if constexpr (hw::fill_engine<Hw>) {
        return check_fill(hw, destination.place, size, static_cast<u32>(fill.FillPattern));
    } else {
        return nothing_wrong;
    }
}

/// Operation 1, FILL: a 32-bit pattern over a part of a memory segment (OP01-02), never an aperture (OP01-01).
/// Operation 9, VIRTUAL_FILL: the same over a range of the paging process (OP09-01).
///
/// @return success; graphics_insufficient_dma_buffer when work is left; invalid_parameter when the fault hook stops
/// IRQL PASSIVE_LEVEL, may be pageable. WDDM 1.0; operation 9: WDDM 2.0. Source pages:
/// ns-d3dkmddi-_dxgkarg_buildpagingbuffer.md, ns-d3dkmddi-_dxgk_buildpagingbuffer_fillvirtual.md.
template <paging_operation Operation, class Hw>
[[nodiscard]] WDDMCORE_NOINLINE constexpr ntstatus build_fill(Hw& hw, auto& args) noexcept {
    constexpr bool is_one_length = hw::fill_of_one_length<Hw>;
    auto const& request = request_of<Operation>(args);
    endpoint<Hw> destination{};
    if (plan_fill(hw, request, destination).any) [[unlikely]] {
        return refuse(hw, request, Operation, [](Hw const& device, auto const& fill) {
            endpoint<Hw> place{};
            return plan_fill(device, fill, place);
        });
    }
    extent const work = extent_of(size_of_fill(request));
    u32 const pattern = static_cast<u32>(request.FillPattern);
    u32 const token = static_cast<u32>(args.MultipassOffset);
    if (token >= work.count) [[unlikely]] {
        return nothing_left(hw, Operation, token, work.count);
    }
    // Where lengths differ, the first command asks for its own.
    if (!can_begin<Hw>(args, is_one_length ? fill_group(hw) : dwords{1})) [[unlikely]] {
        return cannot_begin(hw, args, Operation);
    }
    dma_writer writer = open<Hw>(args);
    progress reached{};
    if constexpr (is_one_length && most_fills_per_page<Hw> == 1) {
        reached = fill_linear(hw, writer, destination.base, work, token, pattern);
    } else {
        reached = fill_by_lengths(hw, writer, destination.base, work, token, pattern);
    }
    return commit(hw, args, writer, reached);
}

}  // namespace wddmcore::paging::detail
