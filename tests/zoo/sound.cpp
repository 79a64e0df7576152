// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The drivers that the zoo is made of, without a mistake: nothing is found. WDDMCORE_ZOO_SOUND says in how many runs of
// each (eight without it, four in a slow build), WDDMCORE_SEED where they begin.
#include "../slow_build.hpp"
#include "keeper.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <set>

using namespace zoo;

namespace zoo_sound {

[[nodiscard]] u64 number(char const* variable, u64 usual) {
    char const* const text = std::getenv(variable);
    return text != nullptr ? std::strtoull(text, nullptr, 0) : usual;
}

void expect_nothing(sound_driver which) {
    u64 const first = number("WDDMCORE_SEED", 1);
    for (u64 seed = first; seed < first + number("WDDMCORE_ZOO_SOUND", slow_build ? 4 : 8); ++seed) {
        testing::certified_options options;
        options.seed = seed;
        options.steps = 150;
        options.packets = 60;
        testing::certified_report const report = certify_sound(which, options);
        INFO("WDDMCORE_SEED=", seed);
        CHECK_MESSAGE(report.is_clean(), report.text());
    }
}

TEST_CASE("the physical driver of the examples breaks no rule in its default run") {
    expect_nothing(sound_driver::physical);
}
TEST_CASE("the driver with page tables breaks no rule in its default run") { expect_nothing(sound_driver::tables); }
TEST_CASE("the driver with larger pages breaks no rule in its default run") { expect_nothing(sound_driver::larger); }
TEST_CASE("the skeleton breaks no rule in its default run") { expect_nothing(sound_driver::skeleton); }

TEST_CASE("the zoo has at least 60 mistakes, each with a name of its own") {
    std::set<std::string> names;
    for (auto const rows : {protocol_mistakes(), content_mistakes(), aperture_mistakes(), table_mistakes(),
                            answer_mistakes(), request_mistakes(), recovery_mistakes()}) {
        for (mistake const& row : rows) {
            CHECK_MESSAGE(names.insert(row.name).second, row.name);
            bool const is_rule = testing::rules::find(row.rule) != nullptr;
            bool const ends =
                std::string(row.rule).find("ACCESS") != std::string::npos || std::string(row.rule) == "HANG";
            CHECK_MESSAGE((is_rule || ends), row.rule);
        }
    }
    CHECK(names.size() == 146);  // as the changes say
}

}  // namespace zoo_sound
