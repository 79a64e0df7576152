// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

// The numbers of page tables and of what flushes them that a hardware type may have, each with its neighbours that it
// may not.

#include <wddmcore/hw/promises/page_table/commands.hpp>
#include <wddmcore/hw/promises/page_table/format.hpp>
#include <wddmcore/hw/promises/page_table/store.hpp>
#include <wddmcore/hw/promises/page_table/tlb.hpp>

#include "keeps.hpp"
#include "plain_gpu.hpp"
#include "without.hpp"

#include <doctest/doctest.h>

#include "../base/expect_both.hpp"

namespace page_table_limits_test {

using namespace wddmcore;
using namespace wddmcore::testing;
namespace promises = wddmcore::hw::detail;

// Not in an unnamed namespace, where a compiler calls members unused that a broken promise does not get to.
namespace types {

constexpr capabilities with_tables(update_modes modes) {
    return {.version = wddm::v2_9,
            .oldest = wddm::v2_0,
            .addresses = paging_addresses::both,
            .aperture = aperture_forms::mdl,
            .gpu_mmu = claim::yes,
            .page_tables = modes};
}

/// Entries of 8 bytes, and of 16 one level up.
struct tables : plain_gpu<plain_numbers{}, with_tables(update_modes::gpu_physical)> {
    static constexpr gpuva::page_table_geometry page_tables{.level_count = 3, .levels = {{9, 8}, {8, 16}, {9, 8}}};
    static constexpr gpuva::gpu_mmu_capabilities mmu_caps{};
    static constexpr page_table_entry_limits entry_limits{.page_number_bits = 40};
    static page_table_entry encode_leaf(leaf_kind, u32, pte_target, u64) { return {}; }
    static page_table_entry encode_directory(u32, pte_target, pte_target) { return {}; }
    static constexpr dwords write_max{4};
    static constexpr dwords write_head_dwords{1};
    static void encode_write_head(u32*, address, dwords) {}
};

template <page_table_entry_limits Limits>
struct limited : tables {
    static constexpr page_table_entry_limits entry_limits = Limits;
};
template <page_table_entry_limits Limits>
constexpr bool are_limits = keeps<promises::page_table_format_promise, limited<Limits>>;

template <page_table_entry_limits First, page_table_entry_limits Second>
struct two_limits : tables {
    u32 chip = 0;
    static constexpr chosen_among entry_limits{{First, Second}, &two_limits::chip};
};
constexpr page_table_entry_limits usual{.page_number_bits = 40};
template <page_table_entry_limits Other>
constexpr bool go_together = keeps<promises::page_table_format_promise, two_limits<usual, Other>>;

template <u32 Shift, u32 LeafBytes = 8>
struct uniform : tables {
    static constexpr gpuva::page_table_geometry page_tables{.level_count = 3,
                                                            .levels = {{9, LeafBytes}, {9, 8}, {9, 8}}};
    static constexpr u32 entry_page_shift = Shift;
    static entry_attributes attributes(leaf_kind, pte_flags, u64) { return {}; }
};
/// Chips of two geometries, whose leaf entries are alike.
struct two_geometries : tables {
    u32 chip = 0;
    static constexpr gpuva::page_table_geometry narrow{.level_count = 3, .levels = {{9, 8}, {9, 8}, {9, 8}}};
    static constexpr gpuva::page_table_geometry wide{.level_count = 3, .levels = {{9, 8}, {9, 8}, {8, 16}}};
    static constexpr chosen_among page_tables{{narrow, wide}, &two_geometries::chip};
};
/// Tables of 64-KiB entries that are wider than all others.
struct wide_64k : tables {
    static constexpr gpuva::page_table_geometry page_tables{.level_count = 3,
                                                            .levels = {{9, 8}, {9, 8}, {9, 8}},
                                                            .leaf = gpuva::leaf_tables::either,
                                                            .entry_bytes_64k = 16};
};

struct by_key : uniform<12> {
    static attribute_table const* attributes_by_key(u64) { return nullptr; }
};
struct wrong_key : uniform<12> {
    static int attributes_by_key(u64) { return 0; }
};

template <u32 Most, u32 Head = 1>
struct writes : tables {
    static constexpr dwords write_max{Most};
    static constexpr dwords write_head_dwords{Head};
};
template <u32 Tail>
struct tails : tables {
    static constexpr dwords write_tail_dwords{Tail};
    static void encode_write_tail(u32*, address, dwords) {}
};
template <u32 Most, u32 EntryBytes, u32 Dwords = 1>
struct generates : tables {
    static constexpr u32 generate_max = Most;
    static constexpr u32 generate_entry_bytes = EntryBytes;
    static constexpr dwords generate_dwords{Dwords};
    static void encode_generate(u32*, address, entry_run const&) {}
};
template <u64 Most, u32 Dwords = 1>
struct copies : tables {
    static constexpr bytes copy_entries_max{Most};
    static constexpr dwords copy_entries_dwords{Dwords};
    static void encode_copy_entries(u32*, address, address, bytes) {}
};
/// Copies of leaf entries of 16 bytes.
struct wide_copies : copies<24> {
    static constexpr gpuva::page_table_geometry page_tables{.level_count = 3, .levels = {{8, 16}, {9, 8}, {9, 8}}};
};

/// Nothing of page tables but the addresses.
template <update_modes Modes>
using named_by = plain_gpu<plain_numbers{}, with_tables(Modes)>;

struct stores_half : tables {
    void store_entry_word(u64*, u64) {}
    void finish_entry_stores() {}
};
struct stores : stores_half {
    using stores_half::store_entry_word;
    void store_entry_word(u32*, u32) {}
};
struct never_finishes : tables {
    void store_entry_word(auto*, auto) {}
};

template <u32 Dwords, class Gpu = tables>
struct flushes : Gpu {
    static constexpr dwords flush_dwords{Dwords};
    static void encode_flush(u32*, hw::tlb_flush const&) {}
};
template <u64 Granule, u32 Dwords = 1, class Gpu = tables>
struct flushes_ranges : flushes<1, Gpu> {
    static constexpr bytes flush_granule{Granule};
    static constexpr dwords flush_range_dwords{Dwords};
    static void encode_flush_range(u32*, hw::tlb_flush const&) {}
};
/// Tables that the CPU writes, and a call that flushes.
template <update_modes Modes>
struct flushed_at_once : plain_gpu<plain_numbers{}, with_tables(Modes)> {
    void flush_at_once(hw::tlb_flush const&) {}
};
template <u64 Granule>
struct granule_at_once : flushed_at_once<update_modes::cpu_virtual> {
    static constexpr bytes flush_granule{Granule};
};
// Of a template nobody can take the address, but it can be called.
struct flushed_by_template : plain_gpu<plain_numbers{}, with_tables(update_modes::cpu_virtual)> {
    void flush_at_once(auto const&) {}
};
struct wrong_flush : tables {
    int flush_at_once(hw::tlb_flush const&) { return 0; }
};

}  // namespace types

using namespace types;

TEST_CASE("law 5: 1 to 52 bits of page numbers, 1 to 64 adapters, one of two words") {
    expect_both(!are_limits<page_table_entry_limits{.page_number_bits = 0}> &&
                are_limits<page_table_entry_limits{.page_number_bits = 1}>);
    expect_both(are_limits<page_table_entry_limits{.page_number_bits = 52}> &&
                !are_limits<page_table_entry_limits{.page_number_bits = 53}>);
    expect_both(!are_limits<page_table_entry_limits{.page_number_bits = 40, .adapters = 0}> &&
                are_limits<page_table_entry_limits{.page_number_bits = 40, .adapters = 64}> &&
                !are_limits<page_table_entry_limits{.page_number_bits = 40, .adapters = 65}>);
    expect_both(are_limits<page_table_entry_limits{.page_number_bits = 40, .valid_word = 1}> &&
                !are_limits<page_table_entry_limits{.page_number_bits = 40, .valid_word = 2}>);
}

TEST_CASE("GVA-21: chips of one type agree in how many adapters there are, and in where the valid bit is") {
    expect_both(go_together<usual> && go_together<page_table_entry_limits{.page_number_bits = 52}>);
    expect_both(!go_together<page_table_entry_limits{.page_number_bits = 53}>);
    expect_both(!go_together<page_table_entry_limits{.page_number_bits = 40, .adapters = 2}>);
    expect_both(!go_together<page_table_entry_limits{.page_number_bits = 40, .valid_word = 1}>);
}

TEST_CASE("law 5: the page's number fits an entry of at most 8 bytes beside its shift") {
    using promises::page_table_format_promise;
    expect_both(keeps<page_table_format_promise, uniform<24>> && !keeps<page_table_format_promise, uniform<25>>);
    expect_both(keeps<page_table_format_promise, uniform<12, 4>> && !keeps<page_table_format_promise, uniform<12, 16>>);
    expect_both(!keeps<promises::attributes_promise, uniform<12, 9>>);
    expect_both(keeps<page_table_format_promise, by_key> && !keeps<page_table_format_promise, wrong_key>);
}

TEST_CASE("law 5: a write takes whole entries of the widest level") {
    using promises::page_table_writer_promise;
    expect_both(promises::largest_entry_dwords<tables>() == 4 && keeps<page_table_writer_promise, tables>);
    expect_both(promises::largest_entry_dwords<uniform<12, 16>>() == 4);
    expect_both(promises::largest_entry_dwords<two_geometries>() == 4);
    expect_both(promises::largest_entry_dwords<wide_64k>() == 4);
    expect_both(hw::write_tail_of<tables>() == dwords{0} && hw::write_tail_of<tails<7>>() == dwords{7});
    expect_both(!keeps<page_table_writer_promise, writes<0>> && !keeps<page_table_writer_promise, writes<2>>);
    expect_both(!keeps<page_table_writer_promise, writes<6>> && keeps<page_table_writer_promise, writes<8>>);
    expect_both(!keeps<page_table_writer_promise, writes<4, 0>> && keeps<page_table_writer_promise, writes<4, 256>>);
    expect_both(!keeps<page_table_writer_promise, writes<4, 257>>);
    expect_both(!keeps<page_table_writer_promise, tails<0>> && keeps<page_table_writer_promise, tails<1>>);
    expect_both(keeps<page_table_writer_promise, tails<256>> && !keeps<page_table_writer_promise, tails<257>>);
}

TEST_CASE("law 5: chips have one geometry, or choose among several") {
    expect_both(!hw::chooses_page_tables<tables> && hw::chooses_page_tables<two_geometries>);
    expect_both(hw::geometries<tables>().count == 1 && hw::geometries<two_geometries>().count == 2);
    // Valid, Zero, CacheCoherent, ReadOnly, NoExecute and the five bits of Segment.
    expect_both(attribute_table::entries == 1u << (5 + 5) && sizeof(attribute_table) == 16 * kib.n);
}

TEST_CASE("OP11-03: tables are named by the addresses of the update modes that may come") {
    using promises::table_addresses_promise;
    using enum update_modes;
    expect_both(keeps<table_addresses_promise, named_by<gpu_virtual>>);
    expect_both(keeps<table_addresses_promise, named_by<gpu_physical>>);
    expect_both(!keeps<table_addresses_promise, without_virtual<named_by<gpu_virtual>>>);
    expect_both(!keeps<table_addresses_promise, without_virtual<named_by<gpu_virtual | gpu_physical>>>);
    expect_both(keeps<table_addresses_promise, without_virtual<named_by<gpu_physical>>>);
    expect_both(!keeps<table_addresses_promise, without_pages<named_by<gpu_physical>>>);
    expect_both(!keeps<table_addresses_promise, without_pages<named_by<gpu_virtual | gpu_physical>>>);
    expect_both(keeps<table_addresses_promise, without_pages<named_by<gpu_virtual>>>);
    expect_both(keeps<table_addresses_promise, without_virtual<without_pages<named_by<cpu_virtual>>>>);
}

TEST_CASE("law 5: entries by command need a writer where the GPU may write tables, with a fill engine or without") {
    using promises::page_table_commands_promise;
    expect_both(keeps<page_table_commands_promise, named_by<update_modes::cpu_virtual>>);
    expect_both(!keeps<page_table_commands_promise, named_by<update_modes::gpu_virtual>>);
    expect_both(!keeps<page_table_commands_promise, named_by<update_modes::gpu_physical>>);
    expect_both(keeps<page_table_commands_promise, tables> && !keeps<page_table_commands_promise, writes<0>>);
    expect_both(keeps<page_table_commands_promise, without_fill<tables>>);
    expect_both(!keeps<page_table_commands_promise, without_fill<writes<0>>>);
}

TEST_CASE("OP11-11: the CPU stores words of both widths, and says when they are there") {
    using promises::page_table_store_promise;
    expect_both(keeps<page_table_store_promise, stores>);
    expect_both(keeps<page_table_store_promise, hw::coherent_page_table_store>);
    expect_both(!keeps<page_table_store_promise, stores_half> && !keeps<page_table_store_promise, never_finishes>);
    expect_both(!keeps<page_table_store_promise, tables>);
}

TEST_CASE("law 5: a generator makes an entry at least, of 4 bytes or of 8") {
    using promises::page_table_generator_promise;
    expect_both(keeps<page_table_generator_promise, tables>);
    expect_both(!keeps<page_table_generator_promise, generates<0, 8>> &&
                keeps<page_table_generator_promise, generates<1, 8>> &&
                keeps<page_table_generator_promise, generates<2, 8>>);
    expect_both(
        keeps<page_table_generator_promise, generates<1, 4>> && !keeps<page_table_generator_promise, generates<1, 3>> &&
        !keeps<page_table_generator_promise, generates<1, 5>> &&
        !keeps<page_table_generator_promise, generates<1, 7>> && !keeps<page_table_generator_promise, generates<1, 9>>);
    expect_both(!keeps<page_table_generator_promise, generates<1, 8, 0>> &&
                keeps<page_table_generator_promise, generates<1, 8, 256>> &&
                !keeps<page_table_generator_promise, generates<1, 8, 257>>);
}

TEST_CASE("law 5: a copy takes whole entries of the leaf") {
    using promises::page_table_copier_promise;
    expect_both(!keeps<page_table_copier_promise, tables> && !keeps<page_table_copier_promise, copies<0>>);
    expect_both(keeps<page_table_copier_promise, copies<8>> && !keeps<page_table_copier_promise, copies<12>>);
    expect_both(keeps<page_table_copier_promise, copies<24>> && !keeps<page_table_copier_promise, wide_copies>);
    expect_both(!keeps<page_table_copier_promise, copies<8, 0>> && keeps<page_table_copier_promise, copies<8, 256>> &&
                !keeps<page_table_copier_promise, copies<8, 257>>);
}

TEST_CASE("law 5: a flush has 1 to 256 dwords, its granule is a power of two and a page at least") {
    using promises::tlb_promise;
    expect_both(!keeps<tlb_promise, tables> && !keeps<tlb_promise, wrong_flush>);
    expect_both(!keeps<tlb_promise, flushes<0>> && keeps<tlb_promise, flushes<1>>);
    expect_both(keeps<tlb_promise, flushes<256>> && !keeps<tlb_promise, flushes<257>>);
    expect_both(!keeps<tlb_promise, flushes<1, without_stream<tables>>>);
    expect_both(!keeps<tlb_promise, flushes_ranges<4096, 1, without_stream<tables>>>);
    expect_both(keeps<tlb_promise, flushes_ranges<4096>> && keeps<tlb_promise, flushes_ranges<0x10'0000>>);
    expect_both(!keeps<tlb_promise, flushes_ranges<2048>> && !keeps<tlb_promise, flushes_ranges<12288>>);
    expect_both(!keeps<tlb_promise, flushes_ranges<4096, 0>> && keeps<tlb_promise, flushes_ranges<4096, 256>> &&
                !keeps<tlb_promise, flushes_ranges<4096, 257>>);
}

TEST_CASE("law 5: a call flushes what the CPU wrote, not what is only queued") {
    using promises::tlb_promise;
    expect_both(keeps<tlb_promise, flushed_at_once<update_modes::cpu_virtual>>);
    expect_both(keeps<tlb_promise, flushed_by_template>);
    expect_both(!keeps<tlb_promise, flushed_at_once<update_modes::gpu_virtual>>);
    expect_both(!keeps<tlb_promise, flushed_at_once<update_modes::gpu_physical>>);
    expect_both(keeps<tlb_promise, granule_at_once<4096>> && !keeps<tlb_promise, granule_at_once<2048>>);
    expect_both(!keeps<tlb_promise, granule_at_once<12288>>);
}

}  // namespace page_table_limits_test
