// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/ddi/query_answer.hpp>

#include "../base/expect_both.hpp"

namespace query_answer_test {

using namespace wddmcore;

TEST_CASE("what is not claimed is not supported, every other refusal is an invalid parameter") {
    constexpr auto first = static_cast<u32>(query_reason::unknown_type);
    constexpr auto last = static_cast<u32>(query_reason::more_than_claimed);
    for (u32 code = first; code <= last; ++code) {
        CAPTURE(code);
        auto const why = static_cast<query_reason>(code);
        query_answer const refused = query_refused(why);
        CHECK(refused.what == query_outcome::refused);
        CHECK(refused.reason == why);
        CHECK(refused.done());
        CHECK(refused.status == (why == query_reason::not_claimed ? status::not_supported : status::invalid_parameter));
    }
}

TEST_CASE("an answer without a reason is complete, and what is not mine is for the driver") {
    expect_both(query_answered.what == query_outcome::answered && query_answered.reason == query_reason::none);
    expect_both(query_answered.done() && query_answered.status == status::success);
    expect_both(query_partly.done() && query_partly.status == status::success);
    expect_both(!query_not_mine(query_reason::unknown_type).done());
    expect_both(query_not_mine(query_reason::not_in_header).status == status::not_supported);
    expect_both(query_not_mine(query_reason::not_in_header).reason == query_reason::not_in_header);
}

}  // namespace query_answer_test
