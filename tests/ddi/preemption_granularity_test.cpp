// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/ddi/preemption_granularity.hpp>

#include <initializer_list>

#include "../base/expect_both.hpp"

namespace preemption_granularity_test {

using namespace wddmcore;

TEST_CASE("PRE-04: six numbers are a granularity, of graphics and of compute alike") {
    u32 found = 0;
    for (u32 number = 0; number <= 1000; ++number) {
        found += is_preemption_granularity(number) ? 1u : 0u;
    }
    CHECK(found == 6);
    for (auto const level : {graphics_preemption_granularity::none, graphics_preemption_granularity::pixel_boundary,
                             graphics_preemption_granularity::shader_boundary}) {
        CHECK(is_preemption_granularity(static_cast<u32>(level)));
    }
    expect_both(!is_preemption_granularity(99) && !is_preemption_granularity(501) && !is_preemption_granularity(600));
}

}  // namespace preemption_granularity_test
