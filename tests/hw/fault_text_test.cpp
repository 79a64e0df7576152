// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/hw/fault.hpp>

#include <doctest/doctest.h>

#include <string_view>

#include "../base/every_text.hpp"

namespace fault_text_test {

using namespace wddmcore;
using testing::expect_texts;

TEST_CASE("every rule of a paging request has words, with its id") {
    expect_texts(paging_rule::two_layouts);
    for (u32 number = 0; number <= static_cast<u32>(paging_rule::two_layouts); ++number) {
        auto const rule = static_cast<paging_rule>(number);
        CHECK(std::string_view(text_of(rule)).find(rule_id(rule)) != std::string_view::npos);
    }
    static_assert(std::string_view(text_of(paging_rule::outside_list)) ==
                  "a page range that leaves the MDL or ADL (ADL-05)");
}

}  // namespace fault_text_test
