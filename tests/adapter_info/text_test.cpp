// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/ddi/query_answer.hpp>

#include <doctest/doctest.h>

#include <string_view>

#include "../base/every_text.hpp"

namespace query_text_test {

using namespace wddmcore;
using testing::expect_texts;

TEST_CASE("every reason of a query's answer has words") {
    expect_texts(query_reason::none, query_reason::number_out_of_range);
    static_assert(std::string_view(text_of(query_reason::undecided)) ==
                  "`chosen` leaves a choice open: decide it at AddDevice (IOM-02)");
}

}  // namespace query_text_test
