// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "rigs.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <string>

/// Hardware types that are wrong on purpose, and the laws that must notice.
namespace law_rigs {

inline law_options options_of_run() {
    static int some_allocation = 0;
    return {.seed = seed_of_run(), .allocation = &some_allocation};
}

/// The law is broken, and its sentence tells what the defect is about.
inline void expect_law(law_report const& report, law l, std::string const& part) {
    INFO("WDDMCORE_SEED=" << seed_of_run());
    INFO(report.text());
    CHECK(report.times_broken(l) != 0);
    bool told = false;
    for (law_violation const& v : report.violations()) {
        told |= v.broken == l && v.sentence.find(part) != std::string::npos;
    }
    CHECK_MESSAGE(told, std::string("no sentence of ") << std::string(name(l)) << " says: " << part);
}

/// A rig's own records, where it has any.
template <class Rig>
void prepare(Rig& rig, law_options& options) {
    if constexpr (requires { rig.prepare(options); }) {
        rig.prepare(options);
    }
}

/// A law about the words of encoders.
template <class Hardware, class Rig = mock_gpu_rig<Hardware>>
void expect_broken_words(law l, std::string const& part, law_options options = options_of_run()) {
    Rig rig;
    prepare(rig, options);
    law_report report;
    laws{rig.hw, options}.check_encoders(report);
    expect_law(report, l, part);
}

/// A law about addresses and places.
template <class Hardware, class Rig = mock_gpu_rig<Hardware>>
void expect_broken_addresses(law l, std::string const& part, law_options options = options_of_run()) {
    Rig rig;
    prepare(rig, options);
    law_report report;
    laws{rig.hw, options}.check_addresses(report);
    expect_law(report, l, part);
}

/// A law about what becomes of memory.
template <class Hardware, class Rig = mock_gpu_rig<Hardware>>
void expect_broken_memory(law l, std::string const& part) {
    Rig rig;
    law_options options = options_of_run();
    prepare(rig, options);
    law_report report;
    laws{rig.hw, options}.check_memory(
        report, rig.play, [](Hardware& hw, law_arguments<Hardware>& args) { return build_paging_buffer(hw, args); });
    expect_law(report, l, part);
}

}  // namespace law_rigs
