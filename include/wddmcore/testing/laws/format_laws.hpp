// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "samples/formats.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace wddmcore::inline WDDMCORE_ABI::testing::law_parts {

/// The laws about the entries of page tables, each looked at by itself.
template <class Hw>
class format_laws {
public:
    format_laws(Hw const& hw, law_options const& options, law_report& report)
        : hw_(hw), options_(options), report_(report), random_(options.seed ^ 0xF0A7) {}

    void check() {
        memory_ = nameable_memory(hw_);
        u64 smaller = 0;
        for (page_kind const& kind : page_kinds(hw_)) {
            report_.judge(law::page_sizes_grow, kind.pages > smaller,
                          [&] { return say(name(kind), " of ", kind.pages, " pages follow those of ", smaller); });
            smaller = kind.pages;
            for (nameable const& memory : memory_) {
                if (may_lie<Hw>(kind, memory)) {
                    check_pages(kind, memory);
                    check_rights(kind, memory);
                }
            }
            check_protection(kind);
        }
        for (u32 level = 0; level != hw::geometry_of(hw_).level_count; ++level) {
            check_table(level);
        }
        if constexpr (hw::uniform_entries<Hw>) {
            check_runs();
        }
    }

private:
    [[nodiscard]] static std::string name(page_kind const& kind) {
        return kind.leaf == leaf_kind::large_page ? say("large pages of level ", kind.level)
               : kind.leaf == leaf_kind::page_64k ? say("64-KiB pages")
                                                  : say("pages of the GPU's own size");
    }

    /// An entry, and that it stays in its bytes.
    [[nodiscard]] page_table_entry fitting(page_table_entry entry, u32 entry_bytes, std::string const& what) {
        bool const fits = (entry_bytes == 16 || entry.high == 0) && (entry_bytes != 4 || entry.low >> 32 == 0);
        report_.judge(law::entries_fit, fits, [&] {
            return say(what, " have entries of ", entry_bytes, " bytes, and one is ", as_hex{entry.low}, " with ",
                       as_hex{entry.high}, " after it");
        });
        return entry;
    }
    [[nodiscard]] page_table_entry leaf(page_kind const& kind, u64 flags, u64 page, u64 protection = 0) {
        return fitting(hw_.encode_leaf(kind.leaf, kind.level, pte_target{{flags}, page}, protection), kind.entry_bytes,
                       name(kind));
    }

    void check_pages(page_kind const& kind, nameable const& memory) {
        entry_list all;
        for (u64 const n : telling_numbers(random_, memory.pages / kind.pages - 1, 100)) {
            all.add(leaf(kind, valid_flags(memory.id, kind), n * kind.pages), n * kind.pages);
        }
        auto const same = all.same(true);
        report_.judge(law::page_sizes_grow, !same, [&] {
            return say(name(kind), " of segment ", memory.id.n, ": pages ", as_hex{same->first.number}, " and ",
                       as_hex{same->second.number}, " have the same entry");
        });
    }

    /// Each right alone, against the page that has none; the groups are what the sentence names.
    void check_rights(page_kind const& kind, nameable const& memory) {
        static constexpr char const* names[] = {"plain", "read only", "not executable", "cache coherent"};
        static constexpr u64 rights[] = {0, pte_flags::read_only_bit, pte_flags::no_execute_bit,
                                         pte_flags::cache_coherent_bit};
        u64 const page = random_.below(memory.pages / kind.pages) * kind.pages;
        u64 const flags = valid_flags(memory.id, kind);
        for (u32 i = 1; i != 4; ++i) {
            // Coherency is a matter of system memory; elsewhere hardware may ignore it.
            bool const asked = (claimed_rights<Hw> & rights[i]) != 0 && (i != 3 || memory.id.n == 0);
            if (asked) {
                report_.judge(law::distinct_leaves, leaf(kind, flags, page) != leaf(kind, flags | rights[i], page),
                              [&] { return say(name(kind), ": ", names[i], " is the same entry as ", names[0]); });
            }
        }
        entry_list adapters;
        for (u32 adapter = 0; memory.id.n != 0 && adapter != hw::any_entry_limits<Hw>().adapters; ++adapter) {
            adapters.add(leaf(kind, flags | pte_flags::adapter_field::place(adapter), page), adapter);
        }
        auto const same = adapters.same(true);
        report_.judge(law::distinct_leaves, !same, [&] {
            return say(name(kind), ": those of adapters ", same->first.number, " and ", same->second.number,
                       " have the same entry");
        });
    }

    /// A bit of DriverProtection that is said to mean something does so somewhere, beside some other bits.
    void check_protection(page_kind const& kind) {
        for (u32 bit = 0; bit != 64; ++bit) {
            u64 const one = u64{1} << bit;
            if ((hw::entry_limits_of(hw_).driver_protection & one) == 0) {
                continue;
            }
            bool told = false;
            bool tried = false;
            for (unsigned i = 0; i != 32 && !told; ++i) {
                u64 const protection = random_.next() & hw::entry_limits_of(hw_).driver_protection;
                for (nameable const& memory : memory_) {
                    if (may_lie<Hw>(kind, memory)) {
                        u64 const flags = valid_flags(memory.id, kind);
                        tried = true;
                        told = told || leaf(kind, flags, 0, protection) != leaf(kind, flags, 0, protection ^ one);
                    }
                }
            }
            if (tried) {
                report_.judge(law::distinct_leaves, told,
                              [&] { return say(name(kind), ": bit ", bit, " of DriverProtection changes nothing"); });
            }
        }
    }

    /// What can stand in a table: groups that may share no entry.
    enum class group : u32 { nothing, zero, page, table, table_64k, both_tables };

    void check_table(u32 level) {
        static constexpr char const* names[] = {"nothing", "zero",           "a page",
                                                "a table", "a 64-KiB table", "both tables"};
        entry_list all;
        for (page_kind const& kind : page_kinds(hw_)) {
            if (kind.level == level && kind.leaf != leaf_kind::page_64k) {
                add_pages(all, kind);
            }
        }
        if (level != 0) {
            add_tables(all, level);
        }
        auto const same = all.same(true);
        report_.judge(law::leaf_or_table, !same, [&] {
            return say("level ", level, ": ", names[same->first.group], " of page ", as_hex{same->first.number},
                       " and ", names[same->second.group], " of page ", as_hex{same->second.number},
                       " are the same entry");
        });
    }

    void add_pages(entry_list& all, page_kind const& kind) {
        all.add(leaf(kind, 0, 0), 0, static_cast<u32>(group::nothing));
        // Above the leaf no page says what Zero means.
        if (Hw::mmu_caps.zero_in_pte && kind.level == 0) {
            all.add(leaf(kind, pte_flags::valid_bit | pte_flags::zero_bit, 0), 0, static_cast<u32>(group::zero));
        }
        // One memory only: another one's page may well be the same place.
        nameable const* const memory = memory_for(kind);
        for (u64 const n :
             memory == nullptr ? std::vector<u64>{} : telling_numbers(random_, memory->pages / kind.pages - 1, 20)) {
            all.add(leaf(kind, valid_flags(memory->id, kind), n * kind.pages), n * kind.pages,
                    static_cast<u32>(group::page));
        }
    }

    /// The first memory in which such pages may lie.
    [[nodiscard]] nameable const* memory_for(page_kind const& kind) const {
        auto const found = std::find_if(memory_.begin(), memory_.end(),
                                        [&](nameable const& memory) { return may_lie<Hw>(kind, memory); });
        return found == memory_.end() ? nullptr : &*found;
    }

    /// The memory that tables are named in: that of the level's pages, so that the two can be mistaken.
    [[nodiscard]] nameable const& memory_of_tables(u32 level) const {
        for (page_kind const& kind : page_kinds(hw_)) {
            if (kind.level == level && memory_for(kind) != nullptr) {
                return *memory_for(kind);
            }
        }
        return memory_.back();
    }

    void add_tables(entry_list& all, u32 level) {
        auto const kinds = hw::geometry_of(hw_).leaf;
        u32 const size = hw::geometry_of(hw_).levels[level].entry_bytes;
        std::string const what = say("tables named at level ", level);
        auto const directory = [&](u64 flags, u64 number, u64 flags_64k, u64 number_64k) {
            return fitting(hw_.encode_directory(level, {{flags}, number}, {{flags_64k}, number_64k}), size, what);
        };
        nameable const& memory = memory_of_tables(level);
        u64 const flags = pte_flags::valid_bit | pte_flags::segment_field::place(memory.id.n);
        u64 const flags_64k = flags | pte_flags::page_size_field::place(kinds == gpuva::leaf_tables::either ? 1 : 0);
        all.add(directory(0, 0, 0, 0), 0, static_cast<u32>(group::nothing));
        for (u64 const n : telling_numbers(random_, memory.pages - 1, 20)) {
            all.add(directory(flags, n, 0, 0), n, static_cast<u32>(group::table));
            if (level == 1 && kinds != gpuva::leaf_tables::of_4k) {
                all.add(directory(0, 0, flags_64k, n), n, static_cast<u32>(group::table_64k));
            }
            if (level == 1 && kinds == gpuva::leaf_tables::both) {
                all.add(directory(flags, n, flags_64k, memory.pages - 1 - n), n, static_cast<u32>(group::both_tables));
            }
        }
    }

    void check_runs() {
        for (page_kind const& kind : page_kinds(hw_)) {
            if (kind.level != 0) {
                continue;  // runs are of leaf tables
            }
            for (unsigned i = 0; i < options_.rounds * 4; ++i) {
                nameable const& memory = memory_[random_.below(memory_.size())];
                if (may_lie<Hw>(kind, memory)) {
                    u64 const count = memory.pages / kind.pages;
                    check_entry(kind, any_flags(kind, memory), random_.below(count) * kind.pages);
                    check_entry(kind, any_flags(kind, memory), (count - 1) * kind.pages);
                }
            }
        }
    }

    [[nodiscard]] u64 any_flags(page_kind const& kind, nameable const& memory) {
        u64 const rights = random_.next() & claimed_rights<Hw>;
        if (random_.chance(10)) {
            return rights;
        }
        u64 const none = Hw::mmu_caps.zero_in_pte && random_.chance(10) ? pte_flags::zero_bit : 0;
        return valid_flags(memory.id, kind) | rights | none;
    }

    void check_entry(page_kind const& kind, u64 flags, u64 number) {
        u64 const protection = random_.next() & hw::entry_limits_of(hw_).driver_protection;
        entry_attributes const a = hw_.attributes(kind.leaf, pte_flags{flags}, protection);
        u64 const field = number << Hw::entry_page_shift;
        u64 const sum = (field & a.mask) + a.add;
        page_table_entry const whole = leaf(kind, flags, number, protection);
        auto const sentence = [&](char const* what) {
            return say(name(kind), ", flags ", as_hex{flags}, ", page ", as_hex{number}, ": ", what, " (mask ",
                       as_hex{a.mask}, ", sum ", as_hex{sum}, ", entry ", as_hex{whole.low}, ")");
        };
        report_.judge(law::runs_as_entries, page_table_entry{sum, 0} == whole,
                      [&] { return sentence("mask and sum make another entry"); });
        report_.judge(law::runs_as_entries, a.mask == 0 || (field & ~a.mask) == 0,
                      [&] { return sentence("the mask cuts the page's number off"); });
        report_.judge(law::runs_as_entries, ((sum ^ a.add) & ~a.mask) == 0,
                      [&] { return sentence("the page's number runs into the attributes"); });
        if constexpr (hw::keeps_attribute_table<Hw>) {
            attribute_table const* const known = hw_.attributes_by_key(protection);
            if (known != nullptr && kind.leaf == leaf_kind::gpu_page) {
                auto const key = static_cast<u32>(flags & pte_flags::key);
                report_.judge(law::runs_as_entries, entry_attributes{known->mask[key], known->add[key]} == a,
                              [&] { return sentence("the table of attributes holds others"); });
            }
        }
    }

    Hw const& hw_;
    law_options const& options_;
    law_report& report_;
    random_numbers random_;
    std::vector<nameable> memory_;
};

}  // namespace wddmcore::testing::law_parts
