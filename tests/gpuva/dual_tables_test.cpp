// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "sample_geometries.hpp"

#include <wddmcore/ddi/mirror/mirror.hpp>
#include <wddmcore/gpuva/dual_tables.hpp>

#include <doctest/doctest.h>

#include "../base/expect_both.hpp"

namespace dual_tables_test {

using namespace wddmcore;
using namespace wddmcore::testing;
using namespace wddmcore::gpuva;
using pte = mirror::v2_0::dxgk_pte;

namespace {

pte valid_entry() {
    pte entry{};
    entry.Valid = 1;
    return entry;
}

double_mapping find(pte (&small_entries)[48], u32 first_4k, pte (&large_entries)[3], u32 first_64k) {
    return find_double_mapping<pte>({small_entries, 48}, first_4k, {large_entries, 3}, first_64k);
}

constexpr gpu_mmu_capabilities no_claims{};

}  // namespace

TEST_CASE("GVA-11: in single mode an entry of level 1 says its leaf's pages, in dual mode it is not asked") {
    expect_both(leaf_named_by(intel_ppgtt, 0).get() == named_leaf::of_4k);
    expect_both(leaf_named_by(intel_ppgtt, 1).get() == named_leaf::of_64k);
    expect_both(leaf_named_by(intel_ppgtt, 2).error == errc::out_of_range);
    expect_both(leaf_named_by(intel_ppgtt, 3).error == errc::out_of_range);
    expect_both(leaf_named_by(amd_gpuvm, 0).get() == named_leaf::of_4k);
    expect_both(leaf_named_by(amd_gpuvm, 1).error == errc::inconsistent);
    for (u32 said = 0; said < 4; ++said) {
        CHECK(leaf_named_by(nvidia_v2, said).get() == named_leaf::both);
    }
}

TEST_CASE("GVA-12: for 64 KiB of addresses only one of two leaf tables holds valid entries") {
    pte small_entries[48]{};
    pte large_entries[3]{};
    CHECK_FALSE(find(small_entries, 16, large_entries, 1).found);
    CHECK(find(small_entries, 16, large_entries, 1).index_64k == 0);
    large_entries[0] = large_entries[2] = valid_entry();
    CHECK_FALSE(find(small_entries, 16, large_entries, 1).found);
    // Each 4-KiB entry against the 64-KiB entry of its addresses: 16 to 31 meet 1, 32 to 47 meet 2, 48 to 63 meet 3.
    for (u32 i = 0; i < 48; ++i) {
        CAPTURE(i);
        small_entries[i] = valid_entry();
        double_mapping const found = find(small_entries, 16, large_entries, 1);
        u32 const group = 1 + i / 16;
        CHECK(found.found == (group != 2));
        CHECK((!found.found || found.index_64k == group));
        small_entries[i] = {};
    }
    // Ranges that begin inside 64 KiB, and such that do not meet.
    small_entries[0] = valid_entry();
    CHECK(find(small_entries, 31, large_entries, 1).index_64k == 1);
    CHECK(find(small_entries, 15, large_entries, 1).found == false);
    CHECK(find(small_entries, 64, large_entries, 1).found == false);
    CHECK(find(small_entries, 63, large_entries, 1).index_64k == 3);
}

TEST_CASE("GVA-13: a table is converted from 64 KiB to 4 KiB only, and only where it has one kind of entries") {
    using enum page_form;
    expect_both(converts(intel_ppgtt, leaf_64k, leaf));
    expect_both(!converts(intel_ppgtt, leaf, leaf_64k));
    expect_both(!converts(intel_ppgtt, leaf, leaf) && !converts(intel_ppgtt, large, leaf));
    expect_both(!converts(intel_ppgtt, leaf_64k, leaf_64k) && !converts(intel_ppgtt, leaf_64k, large));
    expect_both(!converts(nvidia_v2, leaf_64k, leaf));
    expect_both(!converts(amd_gpuvm, leaf_64k, leaf));
}

TEST_CASE("GVA-13: contexts suspended, leaf entries, the entry of level 1, contexts resumed: in this order only") {
    using enum conversion_event;
    constexpr conversion_event in_turn[] = {contexts_suspended, leaf_entries_rewritten, directory_entry_rewritten,
                                            contexts_resumed};
    leaf_conversion state{};
    for (u32 turn = 0; turn < 4; ++turn) {
        CAPTURE(turn);
        CHECK(state.under_way() == (turn != 0));
        for (u32 event = 0; event < 4; ++event) {
            CHECK(state.after(in_turn[event]).error == (event == turn ? errc::none : errc::inconsistent));
        }
        state = state.after(in_turn[turn]).get();
    }
    CHECK(state == leaf_conversion{});
}

TEST_CASE("AMB-40: an allocation of 64-KiB entries keeps them where the memory has 64-KiB pages, else loses them") {
    constexpr page_range range{16, 32};
    expect_both(leaf_after_move(nvidia_v2, no_claims, range, page_number{48}, {false, true}) == page_form::leaf_64k);
    expect_both(leaf_after_move(nvidia_v2, no_claims, range, page_number{48}, {false, false}) == page_form::leaf);
    expect_both(leaf_after_move(nvidia_v2, no_claims, range, page_number{48}, {true, false}) == page_form::leaf);
    expect_both(leaf_after_move(nvidia_v2, no_claims, range, page_number{49}, {false, true}) == page_form::leaf);
}

}  // namespace dual_tables_test
