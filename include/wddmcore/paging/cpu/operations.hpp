// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../transfer/fill.hpp"
#include "walk.hpp"

/// The operations of the CPU executor: each is the plan of its build function, with memory moved in place of commands.
namespace wddmcore::inline WDDMCORE_ABI::paging::detail::cpu {

inline constexpr cpu_answer answer_done{cpu_outcome::done, {}};
inline constexpr cpu_answer answer_busy{cpu_outcome::busy, {}};
inline constexpr cpu_answer answer_not_mine{cpu_outcome::not_mine, {}};

/// Tells the fault hook: done when it drops a harmless request, else refused.
[[nodiscard]] constexpr cpu_answer refuse(auto& hw, paging_operation operation, finding problem) noexcept {
    return fault(hw, operation, problem) == status::success ? answer_done : cpu_answer{cpu_outcome::refused, {}};
}

/// Commits what a walk did: the token, and nothing else.
[[nodiscard]] constexpr cpu_answer settle(auto& args, walked_to reached, u64 count) noexcept {
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
template <paging_operation Operation, class Hw, class Memory>
[[nodiscard]] WDDMCORE_INLINE constexpr cpu_answer copy_sides(Hw& hw, Memory& memory, auto& args,
                                                              transfer_plan<space<Hw, Memory>> const& plan, bytes size,
                                                              pages budget, cpu_layout_change const* layout) noexcept {
    endpoint<space<Hw, Memory>> const& source = plan.source;
    endpoint<space<Hw, Memory>> const& destination = plan.destination;
    copy_order order = largest_chunks(fewest_pages_of_copy<space<Hw, Memory>>);
    finding problem = nothing_wrong;
    // As in a build: only two places in one space can share bytes. The CPU moves a word at a time in the right
    // direction, at any distance; what a layout change does with bytes that it still has to read, nobody promises.
    if (!source.paged() && source.segment == destination.segment) {
        hw::overlap const promised = layout == nullptr ? hw::overlap::safe : hw::overlap::by_direction;
        problem = choose_order<space<Hw, Memory>>(source.place, destination.place, size, promised,
                                                  fewest_pages_of_copy<space<Hw, Memory>>, order);
    }
    extent const work = extent_of(size.n);
    u32 const token = static_cast<u32>(args.MultipassOffset);
    problem = problem.any ? problem : check_token(token, work.count);
    if (problem.any) {
        return refuse(hw, Operation, problem);
    }
    u64 const end = end_of(token, work.count, budget);
    return settle(args, copy(memory, destination, source, work, token, end, order, layout), work.count);
}

/// Operations 0 and 7: the plan of build_transfer.
template <paging_operation Operation, class Hw, class Memory>
[[nodiscard]] WDDMCORE_NOINLINE constexpr cpu_answer transfer(Hw& hw, Memory& memory, auto& args, cpu_moment moment,
                                                              pages budget) noexcept {
    auto const& request = request_of<Operation>(args);
    bytes const size{static_cast<u64>(request.TransferSize)};
    bytes const offset{static_cast<u32>(request.TransferOffset)};
    // OP00-09: the news that an allocation left its segment; there is nothing to move.
    if (size.n == 0) {
        return answer_done;
    }
    if (finding const problem = check_layouts(request); problem.any) {
        return refuse(hw, Operation, problem);
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
    space<Hw, Memory> const where{hw};
    pages const first = mdl_first_of(request);
    transfer_plan<space<Hw, Memory>> plan{};
    finding problem = check_count(size.n);
    problem = problem.any ? problem : resolve_side(where, request.Source, offset, size, first, plan.source);
    problem = problem.any ? problem : resolve_side(where, request.Destination, offset, size, first, plan.destination);
    if (problem.any) {
        return refuse(hw, Operation, problem);
    }
    swizzle_request const change = layout_of(request);
    cpu_layout_change const layout{change.allocation_offset, 0, change.direction, change.allocation, change.range_id,
                                   change.range_data};
    bool const by_layout = cpu_layouts<Memory> && changes_layout(request);
    return copy_sides<Operation>(hw, memory, args, plan, size, budget, by_layout ? &layout : nullptr);
}

/// Operation 8: the plan of build_virtual_transfer.
///
/// @tparam Operation  always 8: an older header has no TransferVirtual, and only what depends on the operation is left
///                    uninstantiated there
template <paging_operation Operation, class Hw, class Memory>
[[nodiscard]] WDDMCORE_NOINLINE constexpr cpu_answer virtual_transfer(Hw& hw, Memory& memory, auto& args,
                                                                      pages budget) noexcept {
    space<Hw, Memory> const where{hw};
    transfer_plan<space<Hw, Memory>> plan{};
    if (finding const problem = plan_virtual_transfer(where, args.TransferVirtual, plan); problem.any) {
        return refuse(hw, Operation, problem);
    }
    bytes const size{static_cast<u64>(args.TransferVirtual.TransferSizeInBytes)};
    return copy_sides<Operation>(hw, memory, args, plan, size, budget, nullptr);
}

/// Operations 1 and 9: the plan of build_fill, and no engine's alignment.
template <paging_operation Operation, class Hw, class Memory>
[[nodiscard]] WDDMCORE_NOINLINE constexpr cpu_answer fill_place(Hw& hw, Memory& memory, auto& args,
                                                                pages budget) noexcept {
    auto const& request = request_of<Operation>(args);
    space<Hw, Memory> const where{hw};
    endpoint<space<Hw, Memory>> destination{};
    if (finding const problem = plan_fill(where, request, destination); problem.any) {
        return refuse(hw, Operation, problem);
    }
    extent const work = extent_of(size_of_fill(request));
    u32 const token = static_cast<u32>(args.MultipassOffset);
    if (finding const problem = check_token(token, work.count); problem.any) {
        return refuse(hw, Operation, problem);
    }
    u64 const end = end_of(token, work.count, budget);
    u32 const pattern = static_cast<u32>(request.FillPattern);
    return settle(args, fill(memory, destination, work, token, end, pattern), work.count);
}

/// Operations 3 and 4: one byte at exactly the given place (OP03-01, OP04-01).
template <paging_operation Operation, class Hw, class Memory>
[[nodiscard]] WDDMCORE_NOINLINE constexpr cpu_answer access(Hw& hw, Memory& memory, auto& args, pages budget) noexcept {
    space<Hw, Memory> const where{hw};
    endpoint<space<Hw, Memory>> at{};
    finding problem = resolve_segment(where, request_of<Operation>(args), bytes{0}, bytes{1}, at);
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
