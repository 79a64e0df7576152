// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// Page tables that are wrong in one way each: their entries, and the commands that write them.
#include "expect_broken.hpp"
#include "virtual_rigs.hpp"

namespace broken_tables_test {

using namespace law_rigs;

namespace {

using gpu = mock_gpu<mock::every_promise(wddm::v3_2)>;
using virtual_cpu = examples::cpu::virtual_processor<>;

template <class Hardware>
using rig_of = mock_table_rig<Hardware>;
template <class Hardware>
using cpu_rig_of = cpu_table_rig<Hardware>;

struct sets_the_second_word : virtual_cpu {
    [[nodiscard]] constexpr page_table_entry encode_leaf(leaf_kind kind, u32 level, pte_target target,
                                                         u64 protection) const noexcept {
        page_table_entry entry = virtual_cpu::encode_leaf(kind, level, target, protection);
        entry.high = target.flags.no_execute();
        return entry;
    }
    [[nodiscard]] constexpr entry_attributes attributes(leaf_kind kind, pte_flags flags,
                                                        u64 protection) const noexcept {
        return virtual_cpu::attributes(kind, flags, protection);
    }
};

struct fills_the_neighbour : virtual_cpu {
    [[nodiscard]] constexpr page_table_entry encode_directory(u32 level, pte_target table,
                                                              pte_target table_64k) const noexcept {
        page_table_entry entry = virtual_cpu::encode_directory(level, table, table_64k);
        entry.high = entry.low;
        return entry;
    }
};

struct forgets_read_only : gpu {
    [[nodiscard]] static constexpr page_table_entry encode_leaf(leaf_kind kind, u32 level, pte_target target,
                                                                u64 protection) noexcept {
        target.flags.n &= ~pte_flags::read_only_bit;
        return gpu::encode_leaf(kind, level, target, protection);
    }
};

struct knows_one_peer : gpu {
    [[nodiscard]] static constexpr page_table_entry encode_leaf(leaf_kind kind, u32 level, pte_target target,
                                                                u64 protection) noexcept {
        target.flags.n &= ~pte_flags::adapter_field::place(2);
        return gpu::encode_leaf(kind, level, target, protection);
    }
};

struct half_the_protection : gpu {
    [[nodiscard]] static constexpr page_table_entry encode_leaf(leaf_kind kind, u32 level, pte_target target,
                                                                u64 protection) noexcept {
        return gpu::encode_leaf(kind, level, target, protection & 0xFF);
    }
};

struct coarse_large_pages : gpu {
    [[nodiscard]] static constexpr page_table_entry encode_leaf(leaf_kind kind, u32 level, pte_target target,
                                                                u64 protection) noexcept {
        target.page &= kind == leaf_kind::large_page && level == 1 ? ~u64{0x3FF} : ~u64{0};
        return gpu::encode_leaf(kind, level, target, protection);
    }
};

struct tables_like_pages : gpu {
    [[nodiscard]] static constexpr page_table_entry encode_directory(u32 level, pte_target table, pte_target) noexcept {
        return gpu::encode_leaf(leaf_kind::large_page, level, table, 0);
    }
};

struct nothing_like_page_0 : virtual_cpu {
    [[nodiscard]] constexpr page_table_entry encode_leaf(leaf_kind kind, u32 level, pte_target target,
                                                         u64 protection) const noexcept {
        target.flags.n |= target.flags.valid() ? 0 : pte_flags::valid_bit;
        return virtual_cpu::encode_leaf(kind, level, target, protection);
    }
};

struct attributes_without_rights : virtual_cpu {
    [[nodiscard]] constexpr entry_attributes attributes(leaf_kind kind, pte_flags flags,
                                                        u64 protection) const noexcept {
        flags.n &= ~pte_flags::no_execute_bit;
        return virtual_cpu::attributes(kind, flags, protection);
    }
};

struct narrow_mask : virtual_cpu {
    [[nodiscard]] constexpr entry_attributes attributes(leaf_kind kind, pte_flags flags,
                                                        u64 protection) const noexcept {
        entry_attributes a = virtual_cpu::attributes(kind, flags, protection);
        a.mask &= low_mask<u64>(44);
        return a;
    }
    [[nodiscard]] constexpr page_table_entry encode_leaf(leaf_kind kind, u32, pte_target target,
                                                         u64 protection) const noexcept {
        entry_attributes const a = attributes(kind, target.flags, protection);
        return {((target.page << entry_page_shift) & a.mask) + a.add, 0};
    }
};

/// A table that was never filled.
struct empty_table : virtual_cpu {
    static constexpr attribute_table nothing{};
    [[nodiscard]] static constexpr attribute_table const* attributes_by_key(u64) noexcept { return &nothing; }
};

struct stores_another_right : gpu {
    static void store_entry_word(u64* at, u64 value) noexcept { gpu::store_entry_word(at, value & ~u64{0x100}); }
    static void store_entry_word(u32* at, u32 value) noexcept { gpu::store_entry_word(at, value); }
};

struct writes_one_entry_on : gpu {
    static constexpr void encode_write_head(u32* at, address destination, dwords entries) noexcept {
        gpu::encode_write_head(at, destination + bytes{16}, entries);
    }
    static constexpr void encode_write_tail(u32* at, address destination, dwords entries) noexcept {
        gpu::encode_write_tail(at, destination + bytes{16}, entries);
    }
};

struct doubles_the_step : virtual_cpu {
    static constexpr void encode_generate(u32* at, address destination, entry_run const& run) noexcept {
        virtual_cpu::encode_generate(at, destination, {run.add, run.start, run.step * 2, run.count});
    }
};

struct copies_the_other_way : gpu {
    static constexpr void encode_copy_entries(u32* at, address destination, address source, bytes size) noexcept {
        gpu::encode_copy_entries(at, source, destination, size);
    }
};

struct counts_on : gpu {
    static constexpr void encode_fence(u32* at, address place, u64 value) noexcept {
        gpu::encode_fence(at, place, value + 1);
    }
};

}  // namespace

TEST_CASE("law entries_fit: a bit outside the entry's own bytes, of a page and of a table") {
    expect_broken_words<sets_the_second_word, cpu_rig_of<sets_the_second_word>>(law::entries_fit,
                                                                                "have entries of 8 bytes");
    expect_broken_words<fills_the_neighbour, cpu_rig_of<fills_the_neighbour>>(law::entries_fit,
                                                                              "tables named at level 1");
}

TEST_CASE("law distinct_leaves: a right, an adapter and half of the protection lost (GVA-20, GVA-21, OP11-10)") {
    expect_broken_words<forgets_read_only, rig_of<forgets_read_only>>(law::distinct_leaves,
                                                                      "read only is the same entry as plain");
    expect_broken_words<knows_one_peer, rig_of<knows_one_peer>>(law::distinct_leaves, "adapters 0 and 2");
    expect_broken_words<half_the_protection, rig_of<half_the_protection>>(law::distinct_leaves,
                                                                          "bit 8 of DriverProtection changes nothing");
}

TEST_CASE("law page_sizes_grow: large pages of which every second is the same (GVA-16)") {
    expect_broken_words<coarse_large_pages, rig_of<coarse_large_pages>>(law::page_sizes_grow,
                                                                        "large pages of level 1 of segment 0");
}

TEST_CASE("law leaf_or_table: a table that reads as a page, nothing that reads as page 0 (GVA-16, GVA-23)") {
    expect_broken_words<tables_like_pages, rig_of<tables_like_pages>>(law::leaf_or_table, "a table of page");
    expect_broken_words<nothing_like_page_0, cpu_rig_of<nothing_like_page_0>>(law::leaf_or_table,
                                                                              "nothing of page 0x0");
}

TEST_CASE("law runs_as_entries: a right that runs lose, a page number cut off, a table that is empty") {
    expect_broken_words<attributes_without_rights, cpu_rig_of<attributes_without_rights>>(
        law::runs_as_entries, "mask and sum make another entry");
    expect_broken_words<narrow_mask, cpu_rig_of<narrow_mask>>(law::runs_as_entries,
                                                              "the mask cuts the page's number off");
    expect_broken_words<empty_table, cpu_rig_of<empty_table>>(law::runs_as_entries,
                                                              "the table of attributes holds others");
}

TEST_CASE("law tables_hold_entries: the CPU stores another word, a command stores one entry on (OP11-01, OP11-04)") {
    expect_broken_memory<stores_another_right, rig_of<stores_another_right>>(law::tables_hold_entries, " at once");
    expect_broken_memory<writes_one_entry_on, rig_of<writes_one_entry_on>>(law::tables_hold_entries,
                                                                           " by virtual address");
}

TEST_CASE("law generated_runs: steps of two pages") {
    expect_broken_memory<doubles_the_step, cpu_rig_of<doubles_the_step>>(law::generated_runs, "a run of ");
}

TEST_CASE("law copies_arrive: entries copied from destination to source (OP14-02)") {
    expect_broken_memory<copies_the_other_way, rig_of<copies_the_other_way>>(law::copies_arrive, "a copy of entries");
}

TEST_CASE("law fences_arrive: a fence of the next value (OP16-01)") {
    expect_broken_memory<counts_on, rig_of<counts_on>>(law::fences_arrive, "a fence of value");
}

}  // namespace broken_tables_test
