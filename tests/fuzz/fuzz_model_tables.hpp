// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "fuzz_expectation.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing::fuzz {

/// The entries of a table as the DDI counts them; of a root that grows all that it can have.
template <class Hw>
[[nodiscard]] constexpr u64 entries_of(u32 level) {
    constexpr auto const& tables = Hw::page_tables;
    return u64{1} << (tables.level_count == 2 && level == 1
                          ? tables.virtual_address_bits - 12 - tables.levels[0].index_bits
                          : tables.levels[level].index_bits);
}

/// Operation 11: entries of page tables, one by one as the DDI counts them.
template <class Hw, class Args>
class table_model : public model_base<Hw, Args> {
    using above = model_base<Hw, Args>;
    using above::args_;
    using above::hw_;
    using above::of;
    using above::usable_buffer;
    using above::has_private_data;

    static constexpr auto const& tables = Hw::page_tables;
    static constexpr bool has_64k = tables.leaf != gpuva::leaf_tables::of_4k;
    static constexpr bool dual = tables.leaf == gpuva::leaf_tables::both;

public:
    using above::above;

    /// The pages that one entry of a level covers.
    [[nodiscard]] static constexpr u64 covered(u32 level) {
        u64 pages = 1;
        for (u32 below = 0; below != level; ++below) {
            pages *= entries_of<Hw>(below);
        }
        return pages;
    }

    /// Which table a request names, and with what; false when there is no such table or range of it.
    [[nodiscard]] bool find(table_work& work) const {
        auto const& update = args_.UpdatePageTable;
        work.level = update.PageTableLevel;
        if (work.level >= tables.level_count) {
            return false;
        }
        work.of_64k = work.level == 0 && update.Flags.Use64KBPages != 0;
        if (work.of_64k && !has_64k) {
            return false;
        }
        work.share = work.level == 0 && !work.of_64k ? tables.gpu_page.n / page_bytes : 1;
        work.entry_bytes =
            work.of_64k && tables.entry_bytes_64k != 0 ? tables.entry_bytes_64k : tables.levels[work.level].entry_bytes;
        work.start = update.StartIndex;
        work.repeat = update.Flags.Repeat != 0;
        work.protection = update.DriverProtection & Hw::entry_limits.driver_protection;
        work.small = reinterpret_cast<table_element const*>(update.pPageTableEntries);
        auto const* const second = reinterpret_cast<table_element const*>(update.pPageTableEntries64KB);
        if (dual && work.level == 1) {
            work.big = second;
        } else if (dual && work.of_64k && second != nullptr) {
            work.small = second;
        }
        return true;
    }

    [[nodiscard]] expectation<Hw> update() const {
        expectation<Hw> answer;
        auto const& update = args_.UpdatePageTable;
        table_work& work = answer.table;
        answer.count = update.NumPageTableEntries;
        if (!find(work)) {
            return of(verdict::wrong);
        }
        if (answer.count == 0) {
            return of(verdict::harmless);
        }
        u64 const there = work.of_64k ? entries_of<Hw>(0) / 16 : entries_of<Hw>(work.level);
        if (work.start + answer.count > there || (work.small == nullptr && work.big == nullptr) ||
            args_.MultipassOffset > answer.count) {
            return of(verdict::wrong);
        }
        return update.UpdateMode == 0 ? stored(answer) : written(answer);
    }

    /// What the encoder has to make of the DDI's entry `index` of the request.
    [[nodiscard]] static page_table_entry entry(Hw const& hw, table_work const& work, u64 index) {
        pte_target const small = element(work.small, work.repeat ? 0 : index);
        pte_target const big = element(work.big, work.repeat ? 0 : index);
        bool const valid = (small.flags.n & 1) != 0;
        if (work.level == 0) {
            return hw.encode_leaf(work.of_64k ? leaf_kind::page_64k : leaf_kind::gpu_page, 0, small, work.protection);
        }
        if (valid && (small.flags.n & 0x402) != 0) {
            return hw.encode_leaf(leaf_kind::large_page, work.level, small, work.protection);
        }
        if (tables.leaf == gpuva::leaf_tables::either && work.level == 1 && (small.flags.n >> 17 & 3) == 1) {
            return hw.encode_directory(work.level, pte_target{}, small);
        }
        return hw.encode_directory(work.level, small, big);
    }

    /// AMB-08: a page number that no entry holds.
    [[nodiscard]] static bool too_high(table_work const& work, u64 index) {
        pte_target const one = element(work.small, work.repeat ? 0 : index);
        return (one.flags.n & 3) == 1 && one.page >> Hw::entry_limits.page_number_bits != 0;
    }

private:
    [[nodiscard]] static pte_target element(table_element const* list, u64 index) {
        return list == nullptr ? pte_target{} : pte_target{{list[index].flags & 0x7'FFFF}, list[index].page};
    }

    /// GVA-14 to GVA-22, of one element.
    [[nodiscard]] bool right(pte_target one, table_work const& work) const {
        u64 const flags = one.flags.n;
        if ((flags & 1) == 0) {
            return true;
        }
        constexpr auto const& claims = Hw::mmu_caps;
        if (((flags & 4) != 0 && !claims.cache_coherent) || ((flags & 8) != 0 && !claims.read_only) ||
            ((flags & 0x10) != 0 && !claims.no_execute)) {
            return false;
        }
        if ((flags & 2) != 0) {
            bool const large = work.level != 0 && claims.large_pages && tables.levels[work.level].large_pages;
            return claims.zero_in_pte && ((flags & 0x400) == 0 || large);  // AMB-58
        }
        u32 const segment = static_cast<u32>(flags >> 5 & 31);
        u32 const adapter = static_cast<u32>(flags >> 11 & 63);
        if (adapter >= Hw::entry_limits.adapters ||
            (Hw::entry_limits.adapters == 1 && segment != 0 && hw_.place(segment_id{segment}).size.n == 0)) {
            return false;
        }
        if (Hw::entry_limits.adapters == 1 && segment != 0) {
            u64 const leaf = work.of_64k ? 16 : work.share;
            u64 const named = (flags & 0x400) != 0 ? covered(work.level) : work.level == 0 ? leaf : 1;
            u64 const end = hw_.place(segment_id{segment}).size.n / page_bytes;
            if (named > end || one.page > end - named) {
                return false;
            }
        }
        if ((flags & 0x400) != 0) {
            return work.level != 0 && claims.large_pages && tables.levels[work.level].large_pages &&
                   (claims.non_aligned_large_pages || one.page % covered(work.level) == 0) &&
                   (claims.system_memory_large_pages || segment != 0 || adapter != 0);
        }
        if (work.level == 0) {
            return one.page % (work.of_64k ? 16 : work.share) == 0 &&
                   !(work.of_64k && segment == 0 && adapter == 0 && !claims.system_memory_64k_pages);
        }
        return dual || work.level != 1 || (flags >> 17 & 3) <= (has_64k ? 1u : 0u);
    }

    [[nodiscard]] static bool names_page(pte_target one) {
        return (one.flags.n & 1) != 0 && (one.flags.n & 0x402) != 0;
    }

    [[nodiscard]] bool right(table_work const& work, u64 index) const {
        pte_target const small = element(work.small, work.repeat ? 0 : index);
        pte_target const big = element(work.big, work.repeat ? 0 : index);
        bool const big_too_high = (big.flags.n & 3) == 1 && big.page >> Hw::entry_limits.page_number_bits != 0;
        // GVA-12: an entry that is a page, or reads as zero, has no second table, and the second array names no page.
        bool const both_zero = (small.flags.n & 3) == 3 && (big.flags.n & 3) == 3;
        bool const beside = !both_zero && (big.flags.n & 1) != 0 && (names_page(small) || names_page(big));
        return right(small, work) && right(big, work) && !beside && !big_too_high;
    }

    /// Finds the first entry from the token on that is wrong, or may be found to be.
    void look(expectation<Hw>& answer) const {
        table_work const& work = answer.table;
        for (u64 i = args_.MultipassOffset; i < answer.count; ++i) {
            if ((work.start + i) % work.share != 0) {
                continue;
            }
            if (!right(work, i) || too_high(work, i)) {
                answer.unreachable = i;
                return;
            }
            if (work.repeat) {
                return;
            }
        }
    }

    [[nodiscard]] bool nothing_left(expectation<Hw> const& answer) const {
        for (u64 i = args_.MultipassOffset; i < answer.count; ++i) {
            if ((answer.table.start + i) % answer.table.share == 0) {
                return false;
            }
        }
        return true;
    }

    [[nodiscard]] expectation<Hw> stored(expectation<Hw> answer) const {
        void const* const table = args_.UpdatePageTable.PageTableAddress.CpuVirtual;
        if (table == nullptr || reinterpret_cast<usize>(table) % lesser(answer.table.entry_bytes, 8u) != 0) {
            return of(verdict::wrong);
        }
        look(answer);
        if (answer.unreachable != ~u64{0}) {
            return of(verdict::wrong);
        }
        answer.what = verdict::work;
        answer.at_once = true;
        return answer;
    }

    [[nodiscard]] bool place(expectation<Hw>& answer) const {
        auto const& update = args_.UpdatePageTable;
        table_work const& work = answer.table;
        // Where no page of the GPU begins in the range, nothing is touched.
        u64 const last = (work.start + answer.count - 1) / work.share;
        bool const none = last * work.share < work.start;
        u64 const end = greater<u64>((last + (none ? 0 : 1)) * work.entry_bytes, 1);
        auto const& address = update.PageTableAddress;
        if (update.UpdateMode == 1) {
            answer.destination.base = hw_.from_virtual(gpu_virtual_address{address.GpuVirtual});
            return address.GpuVirtual % work.entry_bytes == 0 &&
                   wide{address.GpuVirtual} + end <= end_of_virtual_addresses<Hw>();
        }
        u64 const offset = address.GpuPhysical.SegmentOffset;
        u32 const id = address.GpuPhysical.SegmentId;
        if (update.UpdateMode != 2 || offset % work.entry_bytes != 0) {
            return false;
        }
        if (id == 0) {
            answer.destination.base = hw_.from_page(page_number{offset / page_bytes}) + bytes{offset % page_bytes};
            // The table is memory like any other that the device goes to by its page number.
            return wide{offset} + end <= end_of_addresses && above::within_reach((offset + end - 1) / page_bytes);
        }
        segment_place const segment = hw_.place(segment_id{id});
        if (segment.size.n == 0 || wide{offset} + end > segment.size.n) {
            return false;
        }
        answer.destination.base = hw_.from_segment(segment_id{id}, segment_offset{offset});
        return true;
    }

    [[nodiscard]] expectation<Hw> written(expectation<Hw> answer) const {
        if constexpr (!contains(Hw::caps.page_tables, update_modes::gpu_virtual | update_modes::gpu_physical)) {
            return of(verdict::wrong);
        } else {
            update_modes const mode =
                args_.UpdatePageTable.UpdateMode == 1 ? update_modes::gpu_virtual : update_modes::gpu_physical;
            if (!contains(Hw::caps.page_tables, mode) || !place(answer)) {
                return of(verdict::wrong);
            }
            answer.what = verdict::work;
            if (nothing_left(answer)) {
                answer.at_once = true;
                return answer;
            }
            if (!usable_buffer() || !has_private_data()) {
                return of(verdict::wrong);
            }
            look(answer);
            return answer;
        }
    }
};

}  // namespace wddmcore::testing::fuzz
