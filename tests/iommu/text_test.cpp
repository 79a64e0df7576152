// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/iommu.hpp>

#include <doctest/doctest.h>

#include <string_view>

#include "../base/every_text.hpp"

namespace iommu_text_test {

using namespace wddmcore;
using testing::expect_texts;

TEST_CASE("every rule and verdict about the IOMMU has words, a verdict those of its rule") {
    // Both functions of exclusive access, and both ways in which a range is not of pages, share a sentence.
    expect_texts(iommu::rule::none, iommu::rule::range_in_system_memory, 2);
    expect_texts(iommu::verdict::allowed, iommu::verdict::too_many);
    for (u32 number = 0; number <= static_cast<u32>(iommu::verdict::too_many); ++number) {
        auto const verdict = static_cast<iommu::verdict>(number);
        CHECK(std::string_view(text_of(verdict)).find(rule_id(verdict)) != std::string_view::npos);
    }
    CHECK(std::string_view(rule_id(static_cast<iommu::verdict>(1000))).empty());
    static_assert(std::string_view(text_of(iommu::verdict::no_adl)) ==
                  "more ADLs are freed than were allocated (ADL-12)");
}

}  // namespace iommu_text_test
