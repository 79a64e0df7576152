// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "formats.hpp"
#include "requests.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing::law_parts {

/// How the update modes are numbered (ne-d3dkmddi-_dxgk_pagetableupdatemode.md).
enum class table_mode : u32 { cpu_virtual = 0, gpu_virtual = 1, gpu_physical = 2 };

/// A request of operation 11, and the entries that the table must hold afterwards, found one by one.
template <class Hw, class Args>
class table_update {
public:
    using pte = meta::bare<decltype(*Args{}.UpdatePageTable.pPageTableEntries)>;

    /// @param room  bytes that the table may have at the most
    table_update(Hw const& hw, random_numbers& random, std::vector<nameable> const& memory, u64 room)
        : hw_(hw), random_(random), memory_(memory) {
        choose_table();
        u64 const entries = lesser(entry_count(), (room / kind_.entry_bytes) << share_lg2());
        start_ = static_cast<u32>(random_.below(entries));
        u64 const most = entries - start_;
        count_ = static_cast<u32>(1 + random_.below(random_.chance(15) ? most : lesser<u64>(most, 40)));
        repeat_ = random_.chance(20);
        protection_ = random_.next();
        while (entries_.size() < count_) {
            add_run();
        }
        entries_.resize(count_);
        for (u32 i = 0; i != count_ && needs_second(); ++i) {
            // GVA-12: an entry that is a page has no table beside it.
            bool const is_page = (entries_[i].Flags & pte_flags::large_page_bit) != 0;
            second_.push_back(is_page || random_.chance(50) ? pte{} : table_entry(false));
        }
        find_expected();
    }
    table_update(table_update const&) = delete;
    table_update& operator=(table_update const&) = delete;

    /// The request, but for the table's address.
    [[nodiscard]] Args request(table_mode mode) const {
        Args args = request_of<Args>(paging_operation::update_page_table);
        args.UpdatePageTable = {};
        auto& update = args.UpdatePageTable;
        update.PageTableLevel = kind_.level;
        update.StartIndex = start_;
        update.NumPageTableEntries = count_;
        update.Flags.Repeat = repeat_;
        update.Flags.Use64KBPages = kind_.leaf == leaf_kind::page_64k;
        update.pPageTableEntries = const_cast<pte*>(entries_.data());
        update.pPageTableEntries64KB = second_.empty() ? nullptr : const_cast<pte*>(second_.data());
        update.DriverProtection = protection_;
        update.UpdateMode = static_cast<meta::bare<decltype(update.UpdateMode)>>(static_cast<u32>(mode));
        return args;
    }

    [[nodiscard]] std::string name(char const* how) const {
        return say("an update", how, repeat_ ? " by Repeat" : "", " of ", count_, " entries from ", start_,
                   " on, level ", kind_.level, kind_.leaf == leaf_kind::page_64k ? ", 64-KiB pages" : "");
    }

    /// Where the first changed entry stands in its table, in bytes, and all bytes from there on.
    [[nodiscard]] std::size_t offset() const { return first_slot_ * kind_.entry_bytes; }
    [[nodiscard]] std::vector<std::byte> const& expected() const { return expected_; }

private:
    [[nodiscard]] gpuva::page_table_geometry const& tables() const { return hw::geometry_of(hw_); }
    [[nodiscard]] bool is_leaf() const { return kind_.level == 0; }
    [[nodiscard]] bool needs_second() const { return kind_.level == 1 && tables().leaf == gpuva::leaf_tables::both; }
    [[nodiscard]] u32 share_lg2() const {
        return is_leaf() && kind_.leaf == leaf_kind::gpu_page ? gpuva::gpu_page_lg2(tables()) : 0;
    }
    [[nodiscard]] u64 entry_count() const {
        return kind_.leaf == leaf_kind::page_64k ? gpuva::entry_count_64k(tables())
                                                 : gpuva::entry_count(tables(), kind_.level);
    }

    void choose_table() {
        kinds_ = page_kinds(hw_);
        u32 const level = static_cast<u32>(random_.below(tables().level_count));
        u32 const size = tables().levels[level].entry_bytes;
        kind_ = {leaf_kind::gpu_page, level, u64{1} << gpuva::entry_pages_lg2(tables(), level), size};
        if (level == 0 || random_.chance(50)) {
            kind_ = kinds_[0];
            if (kinds_.size() > 1 && kinds_[1].leaf == leaf_kind::page_64k && random_.chance(40)) {
                kind_ = kinds_[1];
            }
        }
    }

    [[nodiscard]] static pte made(u64 flags, u64 page) {
        pte one{};
        one.Flags = flags;
        one.PageAddress = page;
        return one;
    }

    /// An entry that names a table.
    [[nodiscard]] pte table_entry(bool may_be_64k) {
        nameable const& memory = memory_[random_.below(memory_.size())];
        bool const of_64k =
            may_be_64k && kind_.level == 1 && random_.chance(50) && tables().leaf == gpuva::leaf_tables::either;
        return made(pte_flags::valid_bit | pte_flags::segment_field::place(memory.id.n) |
                        pte_flags::page_size_field::place(of_64k ? 1 : 0),
                    random_.below(memory.pages));
    }

    /// Entries of the same flags: consecutive pages, tables, or nothing.
    void add_run() {
        u64 const length = 1 + random_.below(32);
        page_kind kind = kind_;
        if (!is_leaf()) {
            kind = {};
            for (page_kind const& k : kinds_) {
                kind = k.level == kind_.level && k.leaf == leaf_kind::large_page && random_.chance(30) ? k : kind;
            }
            if (kind.pages == 0 && !random_.chance(20)) {
                entries_.push_back(table_entry(true));
                return;
            }
        }
        nameable const& memory = memory_[random_.below(memory_.size())];
        bool const is_zero = is_leaf() && Hw::mmu_caps.zero_in_pte && random_.chance(10);
        if (kind.pages == 0 || random_.chance(15) || is_zero || !may_lie<Hw>(kind, memory)) {
            u64 const flags = is_zero ? pte_flags::valid_bit | pte_flags::zero_bit : 0;
            entries_.insert(entries_.end(), length, made(flags, 0));
            return;
        }
        add_pages(kind, memory, length);
    }

    void add_pages(page_kind const& kind, nameable const& memory, u64 length) {
        u64 const flags = valid_flags(memory.id, kind) | (random_.next() & claimed_rights<Hw>);
        // The DDI counts 4 KiB even where the GPU's page is larger: such a page begins where an index says. One entry
        // for all of them is a page's first.
        u64 const step = kind.leaf == leaf_kind::gpu_page ? 1 : kind.pages;
        u64 const lead = step == 1 && !repeat_ ? (start_ + entries_.size()) % kind.pages : 0;
        u64 const pages = memory.pages / kind.pages * kind.pages;  // none may lie partly past the end
        u64 const most = (pages - lead) / step;
        u64 const count = lesser(length, most);
        u64 const room = pages - lead - (count - 1) * step;
        u64 const first = random_.multiple(kind.pages, room - 1) + lead;
        for (u64 i = 0; i != count && first + i * step < pages; ++i) {
            entries_.push_back(made(flags, first + i * step));
        }
    }

    void find_expected() {
        u64 const share = u64{1} << share_lg2();
        first_slot_ = (start_ + share - 1) / share;
        for (u64 slot = first_slot_; slot * share < u64{start_} + count_; ++slot) {
            std::size_t const element = repeat_ ? 0 : static_cast<std::size_t>(slot * share - start_);
            page_table_entry const entry = encoded(element);
            u64 const words[] = {entry.low, entry.high};
            for (u32 i = 0; i != kind_.entry_bytes; ++i) {
                expected_.push_back(static_cast<std::byte>((words[i / 8] >> (i % 8 * 8)) & 0xFF));
            }
        }
    }

    [[nodiscard]] page_table_entry encoded(std::size_t element) const {
        auto const target = [](pte const& e) { return pte_target{{e.Flags}, e.PageAddress}; };
        pte_target const one = target(entries_[element]);
        u64 const protection = protection_ & hw::entry_limits_of(hw_).driver_protection;
        if (is_leaf() || (one.flags.valid() && one.flags.large_page())) {
            return hw_.encode_leaf(is_leaf() ? kind_.leaf : leaf_kind::large_page, kind_.level, one, protection);
        }
        if (tables().leaf == gpuva::leaf_tables::either && kind_.level == 1 && one.flags.names_64k_table()) {
            return hw_.encode_directory(kind_.level, {}, one);
        }
        return hw_.encode_directory(kind_.level, one, second_.empty() ? pte_target{} : target(second_[element]));
    }

    Hw const& hw_;
    random_numbers& random_;
    std::vector<nameable> const& memory_;
    std::vector<page_kind> kinds_;
    page_kind kind_{};
    u32 start_ = 0;
    u32 count_ = 0;
    bool repeat_ = false;
    u64 protection_ = 0;
    std::vector<pte> entries_;
    std::vector<pte> second_;
    u64 first_slot_ = 0;
    std::vector<std::byte> expected_;
};

}  // namespace wddmcore::testing::law_parts
