// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// Each mistake of the zoo is caught by its rule, and this is the first report. WDDMCORE_ZOO_SEEDS says with how many seeds
// (two without it), WDDMCORE_SEED where they begin, WDDMCORE_ZOO_ONLY which rows, by a part of their names or rules.
#include "../slow_build.hpp"
#include "keeper.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

using namespace zoo;

namespace {

[[nodiscard]] u64 number_of(char const* variable, u64 usual) {
    char const* const text = std::getenv(variable);
    return text != nullptr ? std::strtoull(text, nullptr, 0) : usual;
}

[[nodiscard]] bool is_wanted(mistake const& row) {
    char const* const part = std::getenv("WDDMCORE_ZOO_ONLY");
    return part == nullptr || std::string_view(row.name).find(part) != std::string_view::npos ||
           std::string_view(row.rule).find(part) != std::string_view::npos;
}

#if defined(WDDMCORE_SANITIZED)
constexpr std::size_t stride = 5;  // sanitizers take minutes for all of them, and what they see is in each
#else
constexpr std::size_t stride = 1;
#endif

/// In at least 98 of 100 runs; of fewer runs, in all but one of each 50 that were begun.
void expect_caught(std::span<mistake const> rows) {
    u64 const seeds = number_of("WDDMCORE_ZOO_SEEDS", stride == 1 ? 2 : 1);
    u64 const first = number_of("WDDMCORE_SEED", 1);
    CHECK(rows.size() > 5);
    for (std::size_t i = 0; i < rows.size(); i += stride) {
        mistake const& row = rows[i];
        if (!is_wanted(row)) {
            continue;
        }
        catch_report const found = catch_with(row, first, seeds);
        INFO(row.rule, ", ", row.name, found.others);
        if (seeds > 2) {
            std::printf("%3u of %3u  %-8s %s%s\n", found.right, found.runs, row.rule, row.name, found.others.c_str());
        }
        CHECK(found.right + (found.runs + 49) / 50 - (found.runs < 50 ? 1 : 0) >= found.runs);
    }
}

}  // namespace

#if __has_include(<sys/mman.h>)

TEST_CASE("PGB-01 to PGB-22, OP00-04, AMB-06, AMB-28: mistakes with the call, its pointers and its statuses") {
    expect_caught(protocol_mistakes());
}
TEST_CASE("OP00-01 to OP09-01, SEG-28: mistakes with bytes") { expect_caught(content_mistakes()); }
TEST_CASE("OP05-01 to OP06-01, OP17-02, OP17-04: mistakes with the aperture") { expect_caught(aperture_mistakes()); }
TEST_CASE("OP11-01 to OP16-01, GVA-18 to GVA-28, AMB-08, NTF-10: mistakes with page tables, fences and notices") {
    expect_caught(table_mistakes());
}
TEST_CASE("SEG-01 to SEG-41, GVA-01 to GVA-40, PREF-01 to PREF-08: mistakes in an adapter's answers") {
    expect_caught(answer_mistakes());
}
TEST_CASE("PRE-08 to PRE-30, INT-01 to INT-08, CTX-05: mistakes with requests, packets and interrupts") {
    expect_caught(request_mistakes());
}
TEST_CASE("TDR-02 to TDR-14, INT-09, INT-10: mistakes with faults and resets") { expect_caught(recovery_mistakes()); }

#endif
