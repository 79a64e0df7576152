// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/gpuva.hpp>

#include <doctest/doctest.h>

#include <string_view>

#include "../base/every_text.hpp"

namespace gpuva_text_test {

using namespace wddmcore;
using testing::expect_texts;

TEST_CASE("every rule of page tables, and what a paging space is, has words") {
    expect_texts(gpuva::rule::none, gpuva::rule::both_mmus);
    expect_texts(gpuva::paging_space_reason::larger_than_addresses);
    expect_texts(gpuva::block_fit::straddles);
    static_assert(std::string_view(text_of(gpuva::rule::level_count)) ==
                  "page tables: `level_count` must be 2 to 6 (GVA-01)");
}

}  // namespace gpuva_text_test
