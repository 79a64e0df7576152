// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include <paging/recorder.hpp>

#include <wddmcore/wddmcore.hpp>

/// What the contract says about a request, worked out slowly: in 128 bits, where nothing wraps, and page by page.
namespace wddmcore::inline WDDMCORE_ABI::testing::fuzz {

__extension__ using wide = unsigned __int128;

inline constexpr wide end_of_addresses = wide{1} << 64;
inline constexpr wide end_of_tokens = wide{1} << 32;

/// Where the GPU virtual addresses of a hardware type end: those that its page tables translate, where it has any
/// (CHK-15).
template <class Hw>
[[nodiscard]] constexpr wide end_of_virtual_addresses() {
    if constexpr (requires { Hw::page_tables; }) {
        if (Hw::caps.gpu_mmu == claim::no || Hw::caps.io_mmu != claim::no) {
            return end_of_addresses;  // those of the CPU
        }
        constexpr auto const& tables = Hw::page_tables;
        if (tables.virtual_address_bits != 0) {
            return wide{1} << tables.virtual_address_bits;
        }
        u32 bits = 12;
        for (u32 level = 0; level != tables.level_count; ++level) {
            bits += tables.levels[level].index_bits;
        }
        return wide{1} << bits;
    }
    return end_of_addresses;
}

enum class verdict : u32 {
    nothing,   ///< success, and nothing changes
    harmless,  ///< no work: the fault hook decides between success and stop
    wrong,     ///< malformed: the fault hook hears of it, and nothing changes
    busy,      ///< the driver may ask for an idle allocation
    work,      ///< there is something to do, and it can be done
};

/// Whether a command names a place; most examples' addresses count in one space only.
[[nodiscard]] constexpr bool same_place(recorded_address a, recorded_address b) { return a == b; }
template <class Address>
[[nodiscard]] constexpr bool same_place(Address a, recorded_address b) {
    if constexpr (requires { a.in; }) {
        return a.n == b.n && static_cast<u64>(a.in) == b.space;
    }
    return a.n == b.n;
}

/// One side of a copy, or the place of anything else.
template <class Hw>
struct model_side {
    usize const* list = nullptr;  ///< the pages that move, when paged
    bool paged = false;
    typename Hw::address base{};  ///< of the first byte, when not paged
    u64 place = 0;                ///< as the DDI has it
    u32 segment = 0;

    [[nodiscard]] typename Hw::address page(Hw const& hw, u64 index) const {
        return paged ? hw.from_page(page_number{u64{list[index]}}) : base + bytes{index * page_bytes};
    }
};

/// One of the DDI's page-table entries, as two numbers.
struct table_element {
    u64 flags;
    u64 page;
};

/// What an update of a page table is about.
struct table_work {
    u32 level = 0;
    u32 entry_bytes = 8;
    u64 share = 1;  ///< the DDI's entries for one of the hardware
    u64 start = 0;
    bool of_64k = false;
    bool repeat = false;
    u64 protection = 0;
    table_element const* small = nullptr;
    table_element const* big = nullptr;  ///< for the 64-KiB halves of a level-1 table
};

template <class Hw>
struct expectation {
    verdict what = verdict::wrong;
    u64 count = 0;  ///< pages, entries or commands of the whole operation
    u64 size = 0;   ///< bytes
    bool descending = false;
    u64 longest = ~u64{0};  ///< bytes that one command may have, because of an overlap
    model_side<Hw> source;
    model_side<Hw> destination;
    bool at_once = false;       ///< done by the CPU, with no command
    u64 unreachable = ~u64{0};  ///< index of the first page that the device cannot reach, or what else stops a pass
    u64 steps = 0;              ///< how much work there is, where `count` does not say it
    table_work table;
    usize const* pages = nullptr;  ///< of an aperture operation: a list, or
    u64 base = 0;  ///< the first of consecutive pages, the dummy page, or what an image's first piece lacks
    bool dummy = false;

    /// The page that an aperture entry gets.
    [[nodiscard]] u64 entry(u64 index) const {
        return dummy ? base : pages != nullptr ? u64{pages[index]} : base + index;
    }
};

/// A verdict without work.
template <class Hw>
[[nodiscard]] expectation<Hw> expected(verdict what) {
    expectation<Hw> answer;
    answer.what = what;
    return answer;
}

/// What every part of the model needs: ranges, lists, and what is left to do.
template <class Hw, class Args>
class model_base {
public:
    model_base(Hw const& hw, Args const& args) : hw_(hw), args_(args) {}

    /// Whether there is a buffer for commands; a misaligned one is there, but no command can go to it.
    [[nodiscard]] bool has_buffer() const { return args_.pDmaBuffer != nullptr && args_.DmaSize != 0; }
    [[nodiscard]] bool usable_buffer() const {
        return has_buffer() && reinterpret_cast<usize>(args_.pDmaBuffer) % 4 == 0;
    }

    /// Whether there is any place for the records that this hardware keeps.
    [[nodiscard]] bool has_private_data() const {
        return hw::record_bytes_of<Hw>().n == 0 || args_.pDmaBufferPrivateData != nullptr;
    }

    /// ADL-06, AMB-23: the address behind a page may be at most the highest visible address + 1.
    [[nodiscard]] static bool within_reach(u64 page) {
        return (wide{page} + 1) * page_bytes <= wide{Hw::caps.highest_visible_address} + 1;
    }

protected:
    Hw const& hw_;
    Args const& args_;

    [[nodiscard]] static expectation<Hw> of(verdict what) { return expected<Hw>(what); }

    [[nodiscard]] bool waits(void* allocation, bool idle) const {
        return !idle && args_.MultipassOffset == 0 && hw::is_busy(hw_, allocation);
    }

    [[nodiscard]] static bool count_pages(u64 size, u64& count) {
        wide const pages = (wide{size} + page_bytes - 1) / page_bytes;
        count = static_cast<u64>(pages);
        return pages <= end_of_tokens;
    }

    /// [address + offset, + size) inside the segment.
    [[nodiscard]] bool in_segment(u32 id, i64 address, u64 offset, u64 size, model_side<Hw>& side) const {
        segment_place const place = hw_.place(segment_id{id});
        wide const first = wide{static_cast<u64>(address)} + offset;
        if (place.size.n == 0 || first >= end_of_addresses || first < place.base.n ||
            first + size > wide{place.base.n} + place.size.n) {
            return false;
        }
        side.place = static_cast<u64>(first);
        side.segment = id;
        side.base = hw_.from_segment(segment_id{id}, segment_offset{side.place - place.base.n});
        return true;
    }

    template <class Mdl>
    [[nodiscard]] static bool in_mdl(Mdl const* mdl, u64 first, u64 count, usize const*& list) {
        if (mdl == nullptr) {
            return false;
        }
        wide const there = (wide{mdl->ByteOffset} + mdl->ByteCount + page_bytes - 1) / page_bytes;
        if (wide{first} + count > there) {
            return false;
        }
        list = reinterpret_cast<usize const*>(mdl + 1) + first;
        return true;
    }

    template <class Side>
    [[nodiscard]] bool resolve(Side const& from, u64 offset, u64 size, u64 mdl_first, u64 count,
                               model_side<Hw>& side) const {
        if (from.SegmentId == 0) {
            side.paged = true;
            return in_mdl(from.pMdl, mdl_first, count, side.list);
        }
        return in_segment(from.SegmentId, from.SegmentAddress.QuadPart, offset, size, side);
    }

    /// What every operation with commands still wants: a token within the work, and a buffer if there is any left.
    [[nodiscard]] verdict emit(u64 count) const {
        if (args_.MultipassOffset > count) {
            return verdict::wrong;
        }
        if (args_.MultipassOffset == count) {
            return verdict::nothing;
        }
        return usable_buffer() && has_private_data() ? verdict::work : verdict::wrong;
    }

    /// The same where the CPU can do it too: at once without a buffer, or when there are no commands for it.
    void emit_or_store(expectation<Hw>& answer, bool by_command, bool at_once) const {
        answer.what = emit(answer.count);
        if (at_once && (!by_command || !has_buffer()) && args_.MultipassOffset < answer.count) {
            answer.what = verdict::work;
            answer.at_once = true;
        }
    }
};

}  // namespace wddmcore::testing::fuzz
