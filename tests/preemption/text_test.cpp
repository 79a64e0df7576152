// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/preemption/buffers/context_allocation.hpp>
#include <wddmcore/preemption/buffers/patch_location.hpp>
#include <wddmcore/preemption/claims/sentences.hpp>

#include <doctest/doctest.h>

#include <string_view>

#include "../base/every_text.hpp"

namespace preemption_text_test {

using namespace wddmcore;
using testing::expect_texts;

TEST_CASE("every refusal of the scheduling half has words") {
    expect_texts(preemption::rule::none, preemption::rule::chosen_more_than_claimed);
    expect_texts(preemption::context_allocation_defect::none,
                 preemption::context_allocation_defect::alignment_out_of_range);
    expect_texts(preemption::patch_defect::none, preemption::patch_defect::full);
    static_assert(std::string_view(text_of(preemption::patch_defect::order)) ==
                  "a SplitOffset is below that of the element before (SPL-02)");
}

}  // namespace preemption_text_test
