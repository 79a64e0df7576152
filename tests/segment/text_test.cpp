// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/segment/allocation/rules.hpp>
#include <wddmcore/segment/table/rules.hpp>

#include <doctest/doctest.h>

#include <string_view>

#include "../base/every_text.hpp"

namespace segment_text_test {

using namespace wddmcore;
using testing::expect_texts;

TEST_CASE("every rule about segment tables and allocations has words") {
    expect_texts(segment::rule::none, segment::rule::table_segment_is_aperture);
    // Of supported and eviction sets, and of the two flag words, one sentence speaks of both.
    expect_texts(segment::allocation_rule::none, segment::allocation_rule::iommu_unmap_impossible, 2);
    static_assert(std::string_view(text_of(segment::rule::vpr_count)) ==
                  "segments: a VPR range needs a `count` (SEG-32)");
    static_assert(std::string_view(text_of(segment::rule::placed_otherwise)).ends_with("(SEG-02)"));
    static_assert(std::string_view(text_of(segment::allocation_rule::size_missing)) ==
                  "allocation: `size` is 0 (PREF-08)");
}

}  // namespace segment_text_test
