// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "fuzz_request_parts.hpp"
#include "fuzz_wddm2_hardware.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::fuzz {

/// Requests of operations 11 and 14, of any quality.
class table_requests : protected request_parts {
public:
    /// The memory that a table for the CPU lies in, up to the end of the request's entries.
    [[nodiscard]] exact_block const& table_memory() const { return table_; }

protected:
    exact_block arrays_[2];

    static u32 small_or_any(input& in, u32 small) {
        return in.one_in(8) ? static_cast<u32>(in.number()) : in.byte() % small;
    }

    /// Segment and offset from its start: inside more often than not.
    template <class Hw, class Address>
    static void place(input& in, Hw const&, Address& out) {
        out.SegmentId = in.one_in(8) ? 0 : segment(in);
        out.SegmentOffset = in.number();
    }

    template <class Hw, class Args>
    void update_page_table(input& in, Hw const& hw, Args& args) {
        if constexpr (members::update_page_table<Args> && requires { Hw::page_tables; }) {
            auto& update = args.UpdatePageTable;
            u32 const level = in.flag() ? 0 : small_or_any(in, Hw::page_tables.level_count + 1);
            u8 const flags = in.byte();
            update.PageTableLevel = level;
            update.Flags.Repeat = flags & 1;
            update.Flags.InitialUpdate = flags >> 1 & 1;
            update.Flags.NotifyEviction = flags >> 2 & 1;
            update.Flags.Use64KBPages = flags >> 3 & 1;
            update.StartIndex = in.flag() ? 0 : in.one_in(6) ? static_cast<u32>(in.number()) : in.byte();
            update.NumPageTableEntries = in.one_in(6) ? static_cast<u32>(in.number())
                                         : in.flag()  ? in.byte() % 20u
                                                      : static_cast<u32>(in.word(2)) % 513;
            if (in.one_in(8)) {
                update.NumPageTableEntries = Hw::page_tables.levels[0].index_bits == 10 ? 1024 : 512;
                update.NumPageTableEntries -= update.StartIndex;
            }
            update.DriverProtection = in.one_in(3) ? in.number() : 0;
            u32 const elements = (flags & 1) != 0 ? lesser(1u, update.NumPageTableEntries) : update.NumPageTableEntries;
            update.pPageTableEntries = array(in, elements, level, arrays_[0]);
            bool const second = Hw::page_tables.leaf == gpuva::leaf_tables::both && in.flag();
            update.pPageTableEntries64KB = second ? array(in, elements, level, arrays_[1]) : nullptr;
            update.UpdateMode = in.one_in(24) ? static_cast<u32>(in.number()) : in.byte() % 3u;
            u64 const nowhere = 0x4000;
            update.PageTableAddress.GpuVirtual = nowhere;
            if (update.UpdateMode == 0) {
                bool const known = level < Hw::page_tables.level_count;
                u32 const size = known ? Hw::page_tables.levels[level].entry_bytes : 8;
                u64 const share = level == 0 ? Hw::page_tables.gpu_page.n / page_bytes : 1;
                u64 const end = u64{update.StartIndex} + update.NumPageTableEntries;
                update.PageTableAddress.CpuVirtual = table(in, divide_up(end, share), size);
            } else if (update.UpdateMode == 2) {
                place(in, hw, update.PageTableAddress.GpuPhysical);
                update.PageTableAddress.GpuPhysical.SegmentOffset &= in.one_in(8) ? ~u64{0} : ~u64{15};
            } else {
                update.PageTableAddress.GpuVirtual = in.number() & (in.one_in(8) ? ~u64{0} : ~u64{15});
            }
        }
    }

    template <class Hw, class Args>
    void copy_entries(input& in, Hw const&, Args& args) {
        if constexpr (members::copy_page_table_entries<Args> && requires { Hw::page_tables; }) {
            auto& copy = args.CopyPageTableEntries;
            using range = meta::bare<decltype(*copy.pRanges)>;
            u32 const count = in.byte() % 12u;
            bool const missing = in.one_in(24);
            arrays_[0] = exact_block(count * sizeof(range), 0);
            range* const list = reinterpret_cast<range*>(arrays_[0].data());
            constexpr u32 entries = static_cast<u32>(gpuva::hardware_entry_count(Hw::page_tables, 0));
            for (u32 i = 0; i != count; ++i) {
                u8 const tables = in.byte();
                list[i].SrcPageTableAddress = u64{tables & 3u} << 16;
                list[i].DstPageTableAddress = u64{tables >> 2 & 3u} << 16;
                if (tables >= 240) {
                    list[i].DstPageTableAddress = in.number();
                } else if (tables >= 224) {
                    list[i].SrcPageTableAddress = in.number() << 16;
                }
                list[i].SrcStartPteIndex = small_or_any(in, entries < 256 ? entries : 255);
                list[i].DstStartPteIndex = in.flag() ? list[i].SrcStartPteIndex + in.byte() % 8u - 4
                                                     : small_or_any(in, entries < 256 ? entries : 255);
                list[i].NumPageTableEntries = small_or_any(in, tables % 2 == 0 ? 9 : 250);
            }
            copy.pRanges = missing ? nullptr : list;
            // More than a token counts are never looked at.
            copy.NumRanges = in.one_in(48) ? 0x400'0000 + static_cast<u32>(in.word(3)) : count;
            if (in.one_in(3)) {
                args.MultipassOffset = static_cast<u32>(in.word(2)) % 0x2000;
            }
        }
    }

private:
    exact_block table_;

    /// Elements in runs: each a page behind the one before, or each alike, or each for itself.
    static void entries(input& in, mirror::vista::dxgk_pte* to, u32 count, u32 level) {
        for (u32 done = 0; done != count;) {
            u8 const sort = in.byte();
            u64 flags = sort < 12 ? in.word(8) : sort < 48 ? in.word(3) & ~u64{1} : 1 | u64{sort & 3u} << 5;
            if (sort >= 128 && sort < 144) {
                flags |= in.byte() & 0x1Eu;
            }
            if (sort >= 144 && sort < 152) {
                flags |= u64{in.byte() & 0x3Fu} << 11;
            }
            u64 page = in.one_in(8) ? in.number() : in.word(2);
            if (sort >= 200) {
                page &= ~u64{15};
            }
            if (level != 0 && sort % 4 == 3) {
                flags |= sort % 8 == 3 ? 0x400u : 0x2'0000u;
                page <<= 18;
            }
            u8 const length = in.byte();
            u32 const run = lesser(count - done, length < 64 ? 1u : length < 192 ? length % 24u + 1 : 512u);
            u64 const step = level != 0 ? u64{1} << 18 : length % 5 == 0 ? 0 : length % 5 == 1 ? 16 : 1;
            // Pages of the segment that is named, most of the time: of memory whole large pages, above the leaf.
            u64 const pages[] = {~u64{0}, aperture_pages, memory_place.size.n / page_bytes,
                                 top_place.size.n / page_bytes};
            u64 const segment = flags >> 5 & 31;
            bool const is_inside = segment < 4 && length % 16 != 0;
            for (u32 i = 0; i != run; ++i) {
                u64 const one = page + i * step;
                u64 const inside = level != 0 && segment == 2 ? (one >> 18) % 3 << 18 : one % pages[segment & 3];
                to[done + i].Flags = flags;
                to[done + i].PageAddress = is_inside ? inside & ~(sort >= 200 ? u64{15} : u64{0}) : one;
            }
            done += run;
        }
    }

    /// An array of exactly its elements; where there are more than any table has, one of them has to do.
    static mirror::vista::dxgk_pte* array(input& in, u32 count, u32 level, exact_block& where) {
        if (in.one_in(24)) {
            return nullptr;
        }
        u32 const there = count > 1024 ? 1 : count;
        where = exact_block(there * sizeof(mirror::vista::dxgk_pte), 0);
        auto* const list = reinterpret_cast<mirror::vista::dxgk_pte*>(where.data());
        entries(in, list, there, level);
        return list;
    }

    /// A table that ends with the last entry of the request, full of what it held before.
    void* table(input& in, u64 end, u32 entry_bytes) {
        if (in.one_in(24)) {
            return nullptr;
        }
        u32 const misaligned = in.one_in(24) ? in.byte() % 8u : 0;
        table_ = exact_block(misaligned + (end > 1024 ? 1024 : end) * entry_bytes, unwritten);
        return table_.data() + misaligned;
    }
};

}  // namespace wddmcore::testing::fuzz
