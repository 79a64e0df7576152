// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// Certifies the driver of kmd_skeleton/driver.hpp: every default scenario of both simulators, each in a process of its
// own, and a report by rule id. `--seed N` chooses another run, `--steps N` and `--packets N` a longer one, `--only
// SCENARIO` a part of it; `--shrink` names the shortest run with a finding. `--trace FILE` writes what happened,
// `--junit FILE` and `--html FILE` the report as JUnit XML and as a page.

#include "kmd_skeleton/certified.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <string_view>

using namespace wddmcore;

int main(int count, char** arguments) {
    testing::certified_options options;
    char const* junit = nullptr;
    char const* html = nullptr;
    bool good = true;
    for (int i = 1; i < count; ++i) {
        std::string_view const name = arguments[i];
        if (name == "--shrink") {
            options.shrink = true;
            continue;
        }
        if (++i == count) {
            good = false;
        } else if (name == "--seed") {
            options.seed = std::strtoull(arguments[i], nullptr, 0);
        } else if (name == "--steps") {
            options.steps = std::strtoull(arguments[i], nullptr, 0);
        } else if (name == "--packets") {
            options.packets = static_cast<std::uint32_t>(std::strtoul(arguments[i], nullptr, 0));
        } else if (name == "--only") {
            options.only.emplace_back(arguments[i]);
        } else if (name == "--trace") {
            options.trace = arguments[i];
        } else if (name == "--junit") {
            junit = arguments[i];
        } else if (name == "--html") {
            html = arguments[i];
        } else {
            good = false;
        }
    }
    if (!good) {
        std::fprintf(stderr, "certify_skeleton [--seed N] [--steps N] [--packets N] [--only SCENARIO] [--trace FILE] "
                             "[--shrink] [--junit FILE] [--html FILE]\n");
        return 2;
    }
    options.command = "certify_skeleton";
    try {
        examples::skeleton::certified_skeleton driver;
        testing::certified_report const report = testing::certify(driver.describe(), options);
        if (report.scenarios.empty()) {
            std::fprintf(stderr, "no scenario has such a name\n");
            return 2;
        }
        std::printf("%s", report.text().c_str());
        if (junit != nullptr && !(std::ofstream(junit) << report.junit())) {
            std::fprintf(stderr, "%s cannot be written\n", junit);
            return 2;
        }
        if (html != nullptr && !(std::ofstream(html) << report.html())) {
            std::fprintf(stderr, "%s cannot be written\n", html);
            return 2;
        }
        return report.passed() ? 0 : 1;
    } catch (std::exception const& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 2;
    }
}
