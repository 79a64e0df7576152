// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The main function of every test program. A case that ran and asserted nothing has tested nothing: the program fails and
// names it. What the compiler evaluates is a constant that the case looks at.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>
#include <string>
#include <vector>

namespace {

/// The cases that ended without an assertion, as `file:line: name`.
std::vector<std::string>& cases_without_assertions() {
    static std::vector<std::string> cases;
    return cases;
}

/// Hears of every case; doctest's own reporters do not count the assertions of a single one.
struct assertion_counter : doctest::IReporter {
    doctest::TestCaseData const* now = nullptr;

    explicit assertion_counter(doctest::ContextOptions const&) {}
    void report_query(doctest::QueryData const&) override {}
    void test_run_start() override {}
    void test_run_end(doctest::TestRunStats const&) override {}
    void test_case_start(doctest::TestCaseData const& data) override { now = &data; }
    void test_case_reenter(doctest::TestCaseData const&) override {}
    void test_case_end(doctest::CurrentTestCaseStats const& stats) override {
        if (stats.numAssertsCurrentTest == 0 && stats.failure_flags == 0) {
            cases_without_assertions().push_back(std::string(now->m_file.c_str()) + ":" + std::to_string(now->m_line) +
                                                 ": " + now->m_name);
        }
    }
    void test_case_exception(doctest::TestCaseException const&) override {}
    void subcase_start(doctest::SubcaseSignature const&) override {}
    void subcase_end() override {}
    void log_assert(doctest::AssertData const&) override {}
    void log_message(doctest::MessageData const&) override {}
    void test_case_skipped(doctest::TestCaseData const&) override {}
};

}  // namespace

REGISTER_LISTENER("assertion_counter", 1, assertion_counter);

int main(int argc, char** argv) {
    doctest::Context context(argc, argv);
    int const result = context.run();
    for (std::string const& one : cases_without_assertions()) {
        std::fprintf(stderr, "%s\n  ERROR: the case asserts nothing\n", one.c_str());
    }
    return result != 0 ? result : cases_without_assertions().empty() ? 0 : 1;
}
