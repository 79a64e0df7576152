// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The rules that code, tests and reports cite by id, each in one sentence with its source and with what checks it:
// `rules` lists all of them, `rules OP17-02 law-04` explains some, `rules --markdown` prints a table for a wiki.

#include <wddmcore/testing/rules.hpp>

#include <cctype>
#include <cstdio>
#include <string>

namespace rules = wddmcore::testing::rules;

/// What checks a rule or keeps it, in words.
std::string checks_of(rules::entry const& rule) {
    constexpr struct {
        wddmcore::u32 bit;
        char const* words;
    } ways[] = {{rules::compile_time, "by the compiler"},
                {rules::run_time, "at run time"},
                {rules::simulators, "by the simulators"},
                {rules::by_library, "kept by the library itself"}};
    std::string text;
    for (auto const& way : ways) {
        if ((rule.checks & way.bit) != 0) {
            text += (text.empty() ? "" : ", ") + std::string(way.words);
        }
    }
    return text.empty() ? "by nobody: a convention" : text;
}

void explain(rules::entry const& rule) {
    std::printf("%s: %s\n    source:  %s%s%s\n    checked: %s\n", rule.id, rule.sentence, rules::name_of(rule.from),
                *rule.page == '\0' ? "" : ", ", rule.page, checks_of(rule).c_str());
}

void list() {
    for (rules::chapter const& part : rules::chapters) {
        std::printf("\n%s\n", part.title);
        for (rules::entry const& rule : part.entries) {
            std::printf("  %-11s  %s\n", rule.id, rule.sentence);
        }
    }
}

void print_markdown() {
    for (rules::chapter const& part : rules::chapters) {
        std::printf("\n## %s\n\n| id | rule | source | checked |\n|---|---|---|---|\n", part.title);
        for (rules::entry const& rule : part.entries) {
            std::printf("| %s | %s | %s %s | %s |\n", rule.id, rule.sentence, rules::name_of(rule.from), rule.page,
                        checks_of(rule).c_str());
        }
    }
}

int main(int count, char** arguments) {
    if (count == 1) {
        list();
    }
    for (int i = 1; i < count; ++i) {
        std::string id = arguments[i];
        if (id == "--markdown") {
            print_markdown();
            continue;
        }
        for (char& letter : id) {
            letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
        }
        rules::entry const* const rule = rules::find(id.c_str());
        if (rule == nullptr) {
            std::fprintf(stderr, "%s: no such rule; expected an id such as OP17-02, or --markdown\n", arguments[i]);
            return 2;
        }
        explain(*rule);
    }
}
