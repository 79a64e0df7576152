// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/ddi/mirror/mirror.hpp>
#include <wddmcore/ddi/pte_flags.hpp>

#include "../base/expect_both.hpp"

#include <cstring>

namespace pte_flags_test {

using namespace wddmcore;

TEST_CASE(
    "GVA-22: each bit of DXGK_PTE's Flags is read as the member that the mirror has there, reserved bits as none") {
    for (u32 bit = 0; bit != 64; ++bit) {
        CAPTURE(bit);
        // The mirror, whose layout is asserted elsewhere, names the bits.
        u64 const word = u64{1} << bit;
        mirror::v2_0::dxgk_pte pte{};
        std::memcpy(&pte, &word, sizeof word);
        pte_flags const flags{word};
        CHECK(flags.valid() == (pte.Valid != 0));
        CHECK(flags.zero() == (pte.Zero != 0));
        CHECK(flags.cache_coherent() == (pte.CacheCoherent != 0));
        CHECK(flags.read_only() == (pte.ReadOnly != 0));
        CHECK(flags.no_execute() == (pte.NoExecute != 0));
        CHECK(flags.large_page() == (pte.LargePage != 0));
        CHECK(flags.segment().n == u64{pte.Segment});
        CHECK(flags.adapter() == u64{pte.PhysicalAdapterIndex});
        CHECK(flags.table_page_size() == u64{pte.PageTablePageSize});
        CHECK(((pte_flags::known & word) != 0) == (pte.SystemReserved0 == 0 && pte.Reserved == 0));
        CHECK(((pte_flags::key & word) != 0) == (bit < 10));
    }
}

TEST_CASE("GVA-11: only page size 1 names a table of 64-KiB entries") {
    expect_both(!pte_flags{pte_flags::page_size_field::place(0)}.names_64k_table());
    expect_both(pte_flags{pte_flags::page_size_field::place(1)}.names_64k_table());
    expect_both(!pte_flags{pte_flags::page_size_field::place(2)}.names_64k_table());
    expect_both(!pte_flags{pte_flags::page_size_field::place(3)}.names_64k_table());
}

}  // namespace pte_flags_test
