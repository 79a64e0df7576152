// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/hw/fault.hpp>

#include <doctest/doctest.h>

#include <initializer_list>
#include <string_view>

namespace fault_test {

using namespace wddmcore;

namespace {

struct rule_row {
    paging_rule rule;
    std::string_view id;
    bool harmless;
};

// Harmless are the requests without work; of everything else "done" would be a lie (law 5).
constexpr rule_row rows[] = {
    {paging_rule::unknown_operation, "PGB-22", false},
    {paging_rule::operation_not_claimed, "PGB-22", false},
    {paging_rule::no_buffer, "PGB-11", false},
    {paging_rule::no_private_data, "PGB-13", false},
    {paging_rule::misaligned_buffer, "PGB-03", false},
    {paging_rule::token_past_end, "PGB-04", false},
    {paging_rule::too_many_pages, "PGB-06", false},
    {paging_rule::unknown_segment, "OP00-01", false},
    {paging_rule::not_an_aperture, "SEG-10", false},
    {paging_rule::outside_segment, "OP00-03", false},
    {paging_rule::offset_wraps, "OP00-02", false},
    {paging_rule::missing_list, "ADL-01", false},
    {paging_rule::outside_list, "ADL-05", false},
    {paging_rule::list_wraps, "ADL-06", false},
    {paging_rule::misaligned_for_engine, "OP08-06", false},
    {paging_rule::overlap_below_page, "OP08-07", false},
    {paging_rule::address_wraps, "CHK-15", false},
    {paging_rule::fill_of_aperture, "OP01-01", false},
    {paging_rule::pattern_not_fillable, "AMB-09", false},
    {paging_rule::outside_aperture, "OP05-02", false},
    {paging_rule::nothing_to_fill, "OP01-02", true},
    {paging_rule::nothing_to_transfer, "OP08-01", true},
    {paging_rule::nothing_to_map, "ADL-09", true},
    {paging_rule::reversed_range, "OP12-01", false},
    {paging_rule::misaligned_fence, "OP16-01", false},
    {paging_rule::unclear_notice, "NTF-03", false},
    {paging_rule::unasked_notice, "NTF-02", false},
    {paging_rule::foreign_notice, "NTF-04", false},
    {paging_rule::notice_wraps, "NTF-06", false},
    {paging_rule::cut_block, "NTF-13", false},
    {paging_rule::nothing_to_notify, "NTF-16", true},
    {paging_rule::no_cpu_address, "OP10-01", false},
    {paging_rule::no_virtual_address, "OP10-02", false},
    {paging_rule::missing_private_data, "OP13-01", false},
    {paging_rule::outside_context, "OP13-01", false},
    {paging_rule::resident_nowhere, "OP15-03", false},
    {paging_rule::missing_fences, "OP18-01", false},
    {paging_rule::unknown_mmu, "OP19-02", false},
    {paging_rule::nothing_to_update, "OP11-01", true},
    {paging_rule::unknown_update_mode, "OP11-03", false},
    {paging_rule::missing_table, "OP11-04", false},
    {paging_rule::misaligned_table, "OP11-04", false},
    {paging_rule::level_out_of_range, "GVA-01", false},
    {paging_rule::outside_table, "OP11-09", false},
    {paging_rule::missing_entries, "OP11-01", false},
    {paging_rule::no_64k_tables, "GVA-11", false},
    {paging_rule::flag_not_claimed, "GVA-20", false},
    {paging_rule::zero_not_claimed, "GVA-19", false},
    {paging_rule::large_page_refused, "GVA-16", false},
    {paging_rule::misaligned_large_page, "GVA-17", false},
    {paging_rule::misaligned_page, "GVA-14", false},
    {paging_rule::big_page_of_system_memory, "GVA-15", false},
    {paging_rule::page_beside_table, "GVA-12", false},
    {paging_rule::unknown_adapter, "GVA-21", false},
    {paging_rule::page_too_high, "AMB-08", false},
    {paging_rule::too_many_ranges, "OP14-05", false},
    {paging_rule::two_layouts, "AMB-59", false},
};

constexpr u32 row_count = sizeof rows / sizeof rows[0];

}  // namespace

TEST_CASE("law 5: each rule has its id, and only requests without work are harmless") {
    u32 number = 0;
    for (rule_row const& row : rows) {
        CAPTURE(row.id);
        CHECK(static_cast<u32>(row.rule) == number++);
        CHECK(std::string_view(rule_id(row.rule)) == row.id);
        CHECK(harmless(row.rule) == row.harmless);
    }
}

TEST_CASE("law 5: the table is complete: behind its last rule there is none, and nothing is harmless") {
    for (u32 number = row_count; number != row_count + 1000; ++number) {
        CHECK(std::string_view(rule_id(static_cast<paging_rule>(number))) == "?");
        CHECK_FALSE(harmless(static_cast<paging_rule>(number)));
    }
    CHECK_FALSE(harmless(static_cast<paging_rule>(0xFFFF'FFFF)));
}

TEST_CASE("law 5: an id names a family of the contract and a number") {
    for (rule_row const& row : rows) {
        std::string_view const id = rule_id(row.rule);
        bool known = false;
        for (std::string_view const family :
             {"PGB-",  "SEG-",  "ADL-",  "AMB-",  "GVA-",  "CHK-",  "NTF-",  "OP00-", "OP01-", "OP05-",
              "OP08-", "OP10-", "OP11-", "OP12-", "OP13-", "OP14-", "OP15-", "OP16-", "OP18-", "OP19-"}) {
            known = known || (id.substr(0, family.size()) == family && id.size() == family.size() + 2);
        }
        CAPTURE(id);
        CHECK(known);
    }
}

}  // namespace fault_test
