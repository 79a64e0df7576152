// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors

#include "porting/machine.hpp"
#include "porting/scheduling_run.hpp"
#include "verdict.hpp"

#include <cstdio>
#include <map>
#include <string>

using namespace guide;

/// Tells how many of eight runs found a rule broken, and which.
template <class Run>
int judge(char const* step, char const* what, Run run_of) {
    std::map<std::string, int> found;
    int broken = 0;
    for (std::uint64_t seed = 1; seed != 9; ++seed) {
        auto const report = run_of(seed);
        broken += report.passed() ? 0 : 1;
        for (auto const& each : report.violations()) {
            ++found[each.rule];
        }
    }
    std::printf("%s  %-10s  %d of 8 runs broke a rule", step, what, broken);
    for (char const* between = ": "; auto const& [rule, times] : found) {
        std::printf("%s%s", between, rule.c_str());
        between = ", ";
    }
    std::printf("\n");
    return broken;
}

int main() {
    bool const paging =
        judge("step 0", "paging", run<step_0::driver>) != 0 && judge("step 1", "paging", run<step_1::driver>) != 0 &&
        judge("step 2", "paging", run<step_2::driver>) != 0 && judge("step 3", "paging", run<step_3::driver>) == 0;
    bool const scheduling = judge("step 3", "scheduling", schedule<by_hand::SCHEDULER>) != 0 &&
                            judge("step 4", "scheduling", schedule<with_machine::scheduler>) == 0;
    std::printf("\nwhat the first run of step 0 says:\n");
    print_verdict(run<step_0::driver>(1));
    return paging && scheduling ? 0 : 1;
}
