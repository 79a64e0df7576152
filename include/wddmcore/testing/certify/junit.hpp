// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#pragma once

#include "escaped.hpp"
#include "text.hpp"

namespace wddmcore::inline WDDMCORE_ABI::testing {

namespace certify_parts {

/// The opening of a case; it ends with `/>` or with what `close_case` writes.
[[nodiscard]] inline std::string case_of(std::string const& suite, std::string const& id) {
    rules::entry const* const rule = rules::find(id.c_str());
    return "    <testcase classname=\"" + as_xml(suite) + "\" name=\"" +
           as_xml(rule != nullptr ? id + ": " + rule->sentence : id) + "\"";
}

[[nodiscard]] inline std::string suite_of(std::string const& name, std::size_t tests, std::size_t failures,
                                          std::size_t skipped, std::string const& cases) {
    return "  <testsuite name=\"" + as_xml(name) + "\" tests=\"" + std::to_string(tests) + "\" failures=\"" +
           std::to_string(failures) + "\" errors=\"0\" skipped=\"" + std::to_string(skipped) + "\">\n" + cases +
           "  </testsuite>\n";
}

[[nodiscard]] inline std::string suite_of(certified_scenario_report const& s) {
    std::string cases;
    std::size_t tests = 0;
    std::size_t failures = 0;
    std::size_t skipped = 0;
    if (!s.left_out.empty()) {
        cases = case_of(s.name, s.name) + "><skipped message=\"" + as_xml(s.left_out) + "\"/></testcase>\n";
        return suite_of(s.name, 1, 0, 1, cases);
    }
    std::map<std::string, std::vector<certified_finding const*>> of_rule;
    for (auto const& held : s.exercised) {
        of_rule[held.first];
    }
    for (certified_finding const& f : s.findings) {
        of_rule[f.rule].push_back(&f);
    }
    for (auto const& [id, findings] : of_rule) {
        ++tests;
        cases += case_of(s.name, id);
        if (findings.empty()) {
            // A rule that an earlier suite has told as broken has not passed here.
            bool const again = s.again.contains(id);
            cases += again ? "><skipped message=\"found again, and told in an earlier suite\"/></testcase>\n" : "/>\n";
            skipped += again ? 1U : 0U;
            continue;
        }
        std::string inside;
        bool fails = false;
        for (certified_finding const* const f : findings) {
            fails = fails || f->kind != certified_kind::unusual;
            inside += std::string(words_of(f->kind)) + ": " + f->sentence + '\n' + f->source + '\n' + f->state + '\n';
        }
        // What is only unusual does not fail a build: it is told, and skipped.
        std::string const tag = fails ? "failure" : "skipped";
        cases += "><" + tag + " message=\"" + as_xml(findings.front()->sentence) + "\">" + as_xml(inside) + "</" + tag +
                 "></testcase>\n";
        failures += fails ? 1U : 0U;
        skipped += fails ? 0U : 1U;
    }
    return suite_of(s.name, tests, failures, skipped, cases);
}

}  // namespace certify_parts

inline std::string certified_report::junit() const {
    using namespace certify_parts;
    std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"" +
                      as_xml(driver + ", seed " + std::to_string(seed)) + "\">\n";
    for (certified_scenario_report const& s : scenarios) {
        out += suite_of(s);
    }
    std::string cases;
    for (std::string const& id : not_exercised) {
        cases += case_of("not exercised", id) + "><skipped message=\"its precondition never occurred\"/></testcase>\n";
    }
    out += suite_of("not exercised", not_exercised.size(), 0, not_exercised.size(), cases);
    return out + "</testsuites>\n";
}

}  // namespace wddmcore::testing
