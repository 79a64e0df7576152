// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <wddmcore/hw/fault.hpp>
#include <wddmcore/iommu/verdict.hpp>
#include <wddmcore/testing/rules.hpp>
#include <wddmcore/testing/scheduler/rules.hpp>
#include <wddmcore/testing/vidmm/checks/rules.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <vector>

using namespace wddmcore;
namespace rules = testing::rules;

namespace {

std::vector<rules::entry> all() {
    std::vector<rules::entry> every;
    for (rules::chapter const& part : rules::chapters) {
        every.insert(every.end(), part.entries.begin(), part.entries.end());
    }
    return every;
}

bool digit(char c) { return c >= '0' && c <= '9'; }

/// "SEG" of "SEG-01", "OP17" of "OP17-02".
std::string family(std::string_view id) { return std::string(id.substr(0, id.rfind('-'))); }

bool letters_and_two_digits(std::string_view id) {
    std::size_t const dash = id.rfind('-');
    return dash != std::string_view::npos && dash >= 3 && id.size() == dash + 3 && digit(id[dash + 1]) &&
           digit(id[dash + 2]) && std::all_of(id.begin(), id.begin() + static_cast<std::ptrdiff_t>(dash), [](char c) {
               return (c >= 'A' && c <= 'Z') || digit(c);
           });
}

bool page_name(std::string_view page) {
    return page.size() > 3 && page.substr(page.size() - 3) == ".md" &&
           std::all_of(page.begin(), page.end() - 3,
                       [](char c) { return (c >= 'a' && c <= 'z') || digit(c) || c == '_' || c == '-'; });
}

std::set<std::string> of_the_simulators() {
    std::set<std::string> ids;
    for (auto const& rule : testing::vidmm_rules) {
        ids.insert(rule.id);
    }
    for (auto const& rule : testing::scheduler::rules) {
        ids.insert(rule.id);
    }
    return ids;
}

}  // namespace

TEST_CASE("rules: each id stands once, families in one piece, numbers ascending") {
    std::set<std::string> ids, families;
    std::string last;
    for (rules::entry const& rule : all()) {
        INFO(rule.id);
        std::string const id = rule.id;
        CHECK((letters_and_two_digits(id) || id == "OUTPUT-SIZE"));
        CHECK(ids.insert(id).second);
        if (family(last) != family(id)) {
            CHECK(families.insert(family(id)).second);
        } else {
            CHECK(last < id);
        }
        last = id;
    }
    // 415 rules, OBS-01 to OBS-13, AMB-01 to AMB-61, nine laws and OUTPUT-SIZE were there when the table was made.
    CHECK(ids.size() >= 415 + 13 + 61 + 9 + 1);
}

TEST_CASE("rules: a sentence is one sentence, neither a word nor a page") {
    for (rules::entry const& rule : all()) {
        INFO(rule.id);
        std::string_view const text = rule.sentence;
        CHECK(text.size() >= 20);
        CHECK(text.size() <= 200);
        CHECK(text.back() == '.');
        CHECK(std::islower(static_cast<unsigned char>(text.front())) == 0);
        CHECK(text.find("  ") == std::string_view::npos);
        CHECK(text.find('|') == std::string_view::npos);  // it stands in a table
        CHECK(std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; }));
    }
}

TEST_CASE("rules: sources are pages or the header; what was observed has none") {
    for (rules::entry const& rule : all()) {
        INFO(rule.id);
        std::string_view const page = rule.page;
        switch (rule.from) {
            case rules::origin::documented:
            case rules::origin::decision: CHECK(page_name(page)); break;
            case rules::origin::derived: CHECK((page_name(page) || page == "d3dkmddi.h")); break;
            case rules::origin::observed: CHECK(page.empty()); break;
            case rules::origin::law: CHECK(page == "include/wddmcore/README.md"); break;
        }
        CHECK((family(rule.id) == "AMB") == (rule.from == rules::origin::decision));
        CHECK((family(rule.id) == "OBS") == (rule.from == rules::origin::observed));
        CHECK((family(rule.id) == "LAW") == (rule.from == rules::origin::law));
        CHECK(std::string_view(rules::name_of(rule.from)) != "?");
    }
}

TEST_CASE("rules: the simulators report exactly the rules that the table says they do") {
    std::set<std::string> const reported = of_the_simulators();
    for (std::string const& id : reported) {
        INFO(id);
        CHECK(rules::find(id.c_str()) != nullptr);
    }
    for (rules::entry const& rule : all()) {
        INFO(rule.id);
        CHECK(((rule.checks & rules::simulators) != 0) == (reported.count(rule.id) != 0));
    }
}

TEST_CASE("rules: what the fault hook and the memory objects report is checked at run time") {
    std::size_t reported = 0;
    auto const at_run_time = [&](char const* id) {
        INFO(id);
        rules::entry const* const rule = rules::find(id);
        REQUIRE(rule != nullptr);
        CHECK((rule->checks & rules::run_time) != 0);
        ++reported;
    };
    for (u32 value = 0; std::string_view(rule_id(static_cast<paging_rule>(value))) != "?"; ++value) {
        at_run_time(rule_id(static_cast<paging_rule>(value)));
    }
    for (u32 value = 0; value <= static_cast<u32>(iommu::verdict::too_many); ++value) {
        char const* const id = iommu::rule_id(static_cast<iommu::verdict>(value));
        if (*id != '\0') {
            at_run_time(id);
        }
    }
    CHECK(reported > 60);
}

TEST_CASE("rules: a rule is found by its whole id and by nothing else") {
    for (rules::entry const& rule : all()) {
        CHECK(std::string_view(rules::find(rule.id)->id) == rule.id);
    }
    for (char const* wrong : {"", "SEG", "SEG-", "SEG-0", "SEG-011", "seg-01", "SEG-100", "OP17"}) {
        CHECK(rules::find(wrong) == nullptr);
    }
    static_assert(rules::same(rules::find("PGB-09")->id, "PGB-09"));
}
