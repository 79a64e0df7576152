// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// Certifies the driver of kmd_skeleton/driver.hpp: every default scenario of both simulators, each in a process of its
// own, and a report by rule id. `--seed N` chooses another run, `--steps N` a longer one, `--junit FILE` writes JUnit XML.

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
    for (int i = 1; i + 1 < count; i += 2) {
        std::string_view const name = arguments[i];
        if (name == "--seed") {
            options.seed = std::strtoull(arguments[i + 1], nullptr, 0);
        } else if (name == "--steps") {
            options.steps = std::strtoull(arguments[i + 1], nullptr, 0);
        } else if (name == "--junit") {
            junit = arguments[i + 1];
        } else {
            count = 0;
        }
    }
    if (count % 2 == 0) {
        std::fprintf(stderr, "certify_skeleton [--seed N] [--steps N] [--junit FILE]\n");
        return 2;
    }
    try {
        examples::skeleton::certified_skeleton driver;
        testing::certified_report const report = testing::certify(driver.describe(), options);
        std::printf("%s", report.text().c_str());
        if (junit != nullptr && !(std::ofstream(junit) << report.junit())) {
            std::fprintf(stderr, "%s cannot be written\n", junit);
            return 2;
        }
        return report.passed() ? 0 : 1;
    } catch (std::exception const& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 2;
    }
}
