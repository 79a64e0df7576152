// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "../transfer/copy_pages.hpp"
#include "access.hpp"
#include "memory.hpp"

/// The walks of the CPU executor: map, move, unmap, count.
namespace wddmcore::inline WDDMCORE_ABI::paging::detail::cpu {

/// A place as the CPU asks for it: a byte of a segment, or (id 0) a GPU virtual address.
struct address {
    u64 n;
    segment_id segment;
    friend constexpr address operator+(address a, bytes b) noexcept { return {a.n + b.n, a.segment}; }
};

/// What the resolver of endpoints wants of a hardware type: the driver's segments, and places as the CPU asks for them.
template <class Hw, class Memory>
struct space {
    using address = cpu::address;
    static constexpr bytes copy_max = to_bytes(Memory::map_max);
    Hw const& hw;

    [[nodiscard]] constexpr segment_place place(segment_id id) const noexcept { return hw.place(id); }
    [[nodiscard]] constexpr bool is_aperture(segment_id id) const noexcept { return hw.is_aperture(id); }
    [[nodiscard]] static constexpr address from_segment(segment_id id, segment_offset offset) noexcept {
        return {offset.n, id};
    }
    [[nodiscard]] static constexpr address from_virtual(gpu_virtual_address va) noexcept {
        return {va.n, segment_id{0}};
    }
};

}  // namespace wddmcore::paging::detail::cpu

namespace wddmcore::inline WDDMCORE_ABI::paging::detail {

/// The CPU maps what the driver's page tables translate, and no more (CHK-15).
template <class Hw, class Memory>
inline constexpr u32 virtual_address_bits_of<cpu::space<Hw, Memory>> = virtual_address_bits_of<Hw>;
template <class Hw, class Memory>
inline constexpr bool chooses_virtual_address_bits<cpu::space<Hw, Memory>> = chooses_virtual_address_bits<Hw>;

}  // namespace wddmcore::paging::detail

namespace wddmcore::inline WDDMCORE_ABI::paging::detail::cpu {

/// That of the driver's chip. It is found beside its argument, so it stands in the argument's namespace.
template <class Hw, class Memory>
[[nodiscard]] constexpr u64 last_virtual_address(space<Hw, Memory> const& places) noexcept {
    return paging::detail::last_virtual_address(places.hw);
}

/// One mapping, or the news that there is none.
template <class Memory>
struct mapped {
    cpu_pointer<Memory> at;  ///< NULL: not mapped
    cpu_place what;          ///< what was asked for
};

/// Maps `count` pages of an endpoint from page `index` on, which are consecutive.
///
/// @param lacks  bytes that are not wanted of the last page; a system page is always mapped whole
template <class Memory, class Space>
[[nodiscard]] constexpr mapped<Memory> map_part(Memory& memory, endpoint<Space> const& side, u64 index, u32 count,
                                                u32 lacks) noexcept {
    bytes const whole = to_bytes(pages{count});
    if (side.paged()) {
        page_number const first{u64{side.list[static_cast<usize>(index)]}};
        cpu_place const what{cpu_mapping::system_pages, segment_id{0}, first.n, whole};
        return {memory.map_pages(first, pages{count}), what};
    }
    address const at = side.base + to_bytes(pages{index});
    bytes const size = whole - bytes{lacks};
    if constexpr (cpu_virtual_memory<Memory>) {
        if (at.segment.n == 0) {
            cpu_place const what{cpu_mapping::process_virtual, segment_id{0}, at.n, size};
            return {memory.map_virtual(gpu_virtual_address{at.n}, size), what};
        }
    }
    cpu_place const what{cpu_mapping::segment, at.segment, at.n, size};
    return {memory.map_segment(at.segment, segment_offset{at.n}, size), what};
}

/// How far a walk came: the next token, and what stopped it.
struct walked_to {
    u64 token;  ///< the next one, or 2^32: how many pages are done
    bool unmapped;
    cpu_place place;  ///< when unmapped
};

/// A part of a copy: its first page, its length, and what the request's last page lacks when that is in it.
struct chunk {
    u64 page;
    u32 count;
    u32 lacks;
};

/// Maps both sides of a chunk, lets `move` have them, and unmaps them; nothing is moved unless both are there.
template <class Memory, class Space, class Move>
[[nodiscard]] constexpr walked_to move_chunk(Memory& memory, endpoint<Space> const& destination,
                                             endpoint<Space> const& source, chunk part, u64 done,
                                             Move const& move) noexcept {
    mapped<Memory> const from = map_part(memory, source, part.page, part.count, part.lacks);
    if (from.at == nullptr) {
        return {done, true, from.what};
    }
    mapped<Memory> const to = map_part(memory, destination, part.page, part.count, part.lacks);
    if (to.at != nullptr) {
        move(to.at, from.at);
        memory.unmap(to.at, to.what.size);
    }
    memory.unmap(from.at, from.what.size);
    return to.at != nullptr ? walked_to{done + part.count, false, {}} : walked_to{done, true, to.what};
}

/// Copies tokens [first, end) between two endpoints, in runs as long as both sides are consecutive and mappings may be.
///
/// The token is the build's: pages done, counted from the end where the order is descending (OP08-07).
///
/// @param layout  NULL for a plain copy; else its `size` and the page's offset are filled in here, page by page
template <class Memory, class Space>
[[nodiscard]] WDDMCORE_NOINLINE constexpr walked_to copy(Memory& memory, endpoint<Space> const& destination,
                                                         endpoint<Space> const& source, extent work, u32 first, u64 end,
                                                         copy_order order,
                                                         [[maybe_unused]] cpu_layout_change const* layout) noexcept {
    walked_to reached{first, false, {}};
    u32 const most = layout != nullptr ? 1 : order.chunk;
    while (reached.token != end && !reached.unmapped) {
        u64 const done = reached.token;
        u32 const left = static_cast<u32>(lesser<u64>(end - done, most));
        u32 const length = contiguous_from(destination, source, static_cast<usize>(done), left);
        u64 const page = order.descending ? work.count - done - length : done;
        chunk const part{page, length, page + length == work.count ? work.short_by : 0};
        usize const size = static_cast<usize>(to_bytes(pages{length}).n - part.lacks);
        reached =
            move_chunk(memory, destination, source, part, done, [&](cpu_pointer<Memory> to, cpu_pointer<Memory> from) {
                if constexpr (cpu_layouts<Memory>) {
                    if (layout != nullptr) {
                        cpu_layout_change change = *layout;
                        change.allocation_offset += to_bytes(pages{page}).n;
                        change.size = static_cast<u32>(size);
                        memory.change_layout(to, from, change);
                        return;
                    }
                }
                if (order.descending) {
                    copy_bytes<true>(bytes_of(to), bytes_of(from), size);
                } else {
                    copy_bytes<false>(bytes_of(to), bytes_of(from), size);
                }
            });
    }
    return reached;
}

/// Fills tokens [first, end) of a contiguous place: every mapping begins at whole pages, so the pattern keeps its phase
/// (OP09-02).
template <class Memory, class Space>
[[nodiscard]] WDDMCORE_NOINLINE constexpr walked_to fill(Memory& memory, endpoint<Space> const& destination,
                                                         extent work, u32 first, u64 end, u32 pattern) noexcept {
    constexpr u32 most = largest_chunks(fewest_pages_of_copy<Space>).chunk;
    u64 done = first;
    while (done != end) {
        u32 const length = static_cast<u32>(lesser<u64>(end - done, most));
        u32 const lacks = done + length == work.count ? work.short_by : 0;
        mapped<Memory> const to = map_part(memory, destination, done, length, lacks);
        if (to.at == nullptr) {
            return {done, true, to.what};
        }
        fill_bytes(bytes_of(to.at), static_cast<usize>(to.what.size.n), pattern);
        memory.unmap(to.at, to.what.size);
        done += length;
    }
    return {done, false, {}};
}

}  // namespace wddmcore::paging::detail::cpu
