// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../pass.hpp"
#include "../transfer/plan.hpp"
#include "walk.hpp"

/// The operations of the CPU executor: each is the plan of its build function, with memory moved in place of commands.
namespace wddmcore::inline WDDMCORE_ABI::paging::detail::cpu {

inline constexpr cpu_answer answer_done{cpu_outcome::done, {}};
inline constexpr cpu_answer answer_busy{cpu_outcome::busy, {}};
inline constexpr cpu_answer answer_not_mine{cpu_outcome::not_mine, {}};

/// Tells the fault hook: done when it drops a harmless request, else refused.
template <class Hw>
[[nodiscard]] constexpr cpu_answer refuse(Hw& hw, paging_operation operation, finding problem) noexcept {
    return fault(hw, operation, problem) == status::success ? answer_done : cpu_answer{cpu_outcome::refused, {}};
}

/// Commits what a walk did: the token, and nothing else.
template <class Args>
[[nodiscard]] constexpr cpu_answer settle(Args& args, walked_to reached, u64 count) noexcept {
    args.MultipassOffset = static_cast<u32>(reached.token);
    if (reached.unmapped) {
        return {cpu_outcome::unmapped, reached.place};
    }
    return {reached.token == count ? cpu_outcome::done : cpu_outcome::more, {}};
}

/// The token after the last page that this call may do.
[[nodiscard]] constexpr u64 end_of(u32 token, u64 count, pages budget) noexcept {
    return token + lesser(count - token, budget.n);
}

/// Copies between two sides that are known to be good.
template <class Hw, class Memory, class Args>
[[nodiscard]] WDDMCORE_INLINE constexpr cpu_answer copy_sides(Hw& hw, Memory& memory, Args& args,
                                                              paging_operation operation,
                                                              endpoint<space<Hw, Memory>> const& source,
                                                              endpoint<space<Hw, Memory>> const& destination,
                                                              bytes size, pages budget,
                                                              cpu_layout_change const* layout) noexcept {
    using places = space<Hw, Memory>;
    copy_order order = largest_chunks<places>();
    // As in a build: only two places in one space can share bytes. The CPU moves a word at a time in the right
    // direction, at any distance; what a layout change does with bytes that it still has to read, nobody promises.
    if (!source.paged() && !destination.paged() && source.segment == destination.segment) {
        hw::overlap const promised = layout == nullptr ? hw::overlap::safe : hw::overlap::by_direction;
        if (finding const problem = choose_order<places>(source.place, destination.place, size, promised, order);
            problem.any) {
            return refuse(hw, operation, problem);
        }
    }
    extent const work = extent_of(size.n);
    u32 const token = static_cast<u32>(args.MultipassOffset);
    if (finding const problem = check_token(token, work.count); problem.any) {
        return refuse(hw, operation, problem);
    }
    u64 const end = end_of(token, work.count, budget);
    return settle(args, copy(memory, destination, source, work, token, end, order, layout), work.count);
}

/// Operations 0 and 7: the plan of build_transfer.
template <class Hw, class Memory, class Args, class Transfer>
[[nodiscard]] WDDMCORE_NOINLINE constexpr cpu_answer transfer(Hw& hw, Memory& memory, Args& args,
                                                              paging_operation operation, Transfer const& request,
                                                              cpu_moment moment, pages budget) noexcept {
    bytes const size{static_cast<u64>(request.TransferSize)};
    bytes const offset{static_cast<u32>(request.TransferOffset)};
    // OP00-09: the news that an allocation left its segment; there is nothing to move.
    if (size.n == 0) {
        return answer_done;
    }
    if (finding const problem = check_layouts(request); problem.any) {
        return refuse(hw, operation, problem);
    }
    if (moment == cpu_moment::at_build && request.Flags.AllocationIsIdle == 0) {
        return answer_busy;
    }
    // Hardware with layouts of its own, and no CPU code for them: a plain copy would lose the content (OP00-08).
    if constexpr (hw::swizzle_copy_engine<Hw> && !cpu_layouts<Memory>) {
        if (changes_layout(request)) {
            return answer_not_mine;
        }
    }
    if (finding const problem = check_count(size.n); problem.any) {
        return refuse(hw, operation, problem);
    }
    using places = space<Hw, Memory>;
    places const where{hw};
    endpoint<places> source{};
    if (finding const problem = resolve_side(where, request.Source, offset, size, mdl_first_of(request), source);
        problem.any) {
        return refuse(hw, operation, problem);
    }
    endpoint<places> destination{};
    if (finding const problem =
            resolve_side(where, request.Destination, offset, size, mdl_first_of(request), destination);
        problem.any) {
        return refuse(hw, operation, problem);
    }
    swizzle_request const change = layout_of(request);
    cpu_layout_change const layout{change.allocation_offset, 0, change.direction, change.allocation, change.range_id,
                                   change.range_data};
    bool const by_layout = cpu_layouts<Memory> && changes_layout(request);
    return copy_sides(hw, memory, args, operation, source, destination, size, budget, by_layout ? &layout : nullptr);
}

/// Operation 8: the plan of build_virtual_transfer.
template <class Hw, class Memory, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr cpu_answer virtual_transfer(Hw& hw, Memory& memory, Args& args,
                                                                      pages budget) noexcept {
    constexpr paging_operation operation = paging_operation::virtual_transfer;
    auto const& request = args.TransferVirtual;
    bytes const size{static_cast<u64>(request.TransferSizeInBytes)};
    if (finding const problem = check_size(size.n, paging_rule::nothing_to_transfer); problem.any) {
        return refuse(hw, operation, problem);
    }
    using places = space<Hw, Memory>;
    places const where{hw};
    gpu_virtual_address const from{static_cast<u64>(request.SourceVirtualAddress)};
    gpu_virtual_address const to{static_cast<u64>(request.DestinationVirtualAddress)};
    endpoint<places> source{};
    if (finding const problem = resolve_virtual(where, from, size, source); problem.any) {
        return refuse(hw, operation, problem);
    }
    endpoint<places> destination{};
    if (finding const problem = resolve_virtual(where, to, size, destination); problem.any) {
        return refuse(hw, operation, problem);
    }
    return copy_sides(hw, memory, args, operation, source, destination, size, budget, nullptr);
}

/// Fills a place that is known to be good.
template <class Hw, class Memory, class Args>
[[nodiscard]] WDDMCORE_INLINE constexpr cpu_answer fill_place(Hw& hw, Memory& memory, Args& args,
                                                              paging_operation operation,
                                                              endpoint<space<Hw, Memory>> const& destination, u64 size,
                                                              u32 pattern, pages budget) noexcept {
    extent const work = extent_of(size);
    u32 const token = static_cast<u32>(args.MultipassOffset);
    if (finding const problem = check_token(token, work.count); problem.any) {
        return refuse(hw, operation, problem);
    }
    u64 const end = end_of(token, work.count, budget);
    return settle(args, fill(memory, destination, work, token, end, pattern), work.count);
}

/// Operation 1: the plan of build_fill, and no engine's alignment.
template <class Hw, class Memory, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr cpu_answer physical_fill(Hw& hw, Memory& memory, Args& args,
                                                                   pages budget) noexcept {
    constexpr paging_operation operation = paging_operation::fill;
    u64 const size = static_cast<u64>(args.Fill.FillSize);
    segment_id const id{static_cast<u32>(args.Fill.Destination.SegmentId)};
    segment_address const place{static_cast<u64>(args.Fill.Destination.SegmentAddress.QuadPart)};
    if (finding const problem = check_size(size, paging_rule::nothing_to_fill); problem.any) {
        return refuse(hw, operation, problem);
    }
    using places = space<Hw, Memory>;
    places const where{hw};
    endpoint<places> destination{};
    if (finding const problem = resolve_segment(where, id, place, bytes{0}, bytes{size}, destination); problem.any) {
        return refuse(hw, operation, problem);
    }
    if (hw.is_aperture(id)) {
        return refuse(hw, operation, found(paging_rule::fill_of_aperture, id.n));
    }
    return fill_place(hw, memory, args, operation, destination, size, static_cast<u32>(args.Fill.FillPattern), budget);
}

/// Operation 9: the plan of build_virtual_fill, and no engine's alignment.
template <class Hw, class Memory, class Args>
[[nodiscard]] WDDMCORE_NOINLINE constexpr cpu_answer virtual_fill(Hw& hw, Memory& memory, Args& args,
                                                                  pages budget) noexcept {
    constexpr paging_operation operation = paging_operation::virtual_fill;
    auto const& request = args.FillVirtual;
    u64 const size = static_cast<u64>(request.FillSizeInBytes);
    if (finding const problem = check_size(size, paging_rule::nothing_to_fill); problem.any) {
        return refuse(hw, operation, problem);
    }
    using places = space<Hw, Memory>;
    places const where{hw};
    gpu_virtual_address const place{static_cast<u64>(request.DestinationVirtualAddress)};
    endpoint<places> destination{};
    if (finding const problem = resolve_virtual(where, place, bytes{size}, destination); problem.any) {
        return refuse(hw, operation, problem);
    }
    return fill_place(hw, memory, args, operation, destination, size, static_cast<u32>(request.FillPattern), budget);
}

/// Operations 3 and 4: one byte at exactly the given place (OP03-01, OP04-01).
template <paging_operation Operation, class Hw, class Memory, class Args, class Access>
[[nodiscard]] WDDMCORE_NOINLINE constexpr cpu_answer access(Hw& hw, Memory& memory, Args& args, Access const& request,
                                                            pages budget) noexcept {
    using places = space<Hw, Memory>;
    places const where{hw};
    segment_address const place{static_cast<u64>(request.PhysicalAddress.QuadPart)};
    endpoint<places> at{};
    finding problem =
        resolve_segment(where, segment_id{static_cast<u32>(request.SegmentId)}, place, bytes{0}, bytes{1}, at);
    u32 const token = static_cast<u32>(args.MultipassOffset);
    problem = problem.any ? problem : check_token(token, 1);
    if (problem.any) {
        return refuse(hw, Operation, problem);
    }
    walked_to reached{end_of(token, 1, budget), false, {}};
    if (token != reached.token) {
        mapped<Memory> const byte = map_part(memory, at, 0, 1, static_cast<u32>(page_bytes - 1));
        if (byte.at == nullptr) {
            return settle(args, walked_to{token, true, byte.what}, 1);
        }
        if constexpr (Operation == paging_operation::read_physical) {
            touch_byte(bytes_of(byte.at));
        } else {
            write_byte(bytes_of(byte.at));
        }
        memory.unmap(byte.at, byte.what.size);
    }
    return settle(args, reached, 1);
}

}  // namespace wddmcore::paging::detail::cpu
