// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "../base/expect_both.hpp"

#include "wddmcore/preemption/hardware_queues/native_fence.hpp"

#include <string>

namespace native_fence_test {

using namespace wddmcore;
using namespace wddmcore::preemption;

namespace {

// The steps of an update, one letter each, and its answer.
struct updated {
    std::string steps;
    bool signaled;
};

updated update(u64 current, u64 monitored) {
    updated result;
    u64 stored = 0;
    result.signaled = update_monitored_value(
        {monitored},
        [&](fence_value value) {
            result.steps += 's';
            stored = value.n;
        },
        [&] { result.steps += 'b'; },
        [&] {
            result.steps += 'l';
            return fence_value{current};
        });
    CHECK(stored == monitored);
    return result;
}

// The CPU stores the monitored value into a store buffer and reads the current value; the GPU writes the current value
// and reads the monitored one. Does the CPU learn of a value that it waits for, in every order of those steps?
struct race {
    bool cpu_reads_before_drain;  // the load overtakes the store: no barrier
    bool somebody_told(u32 gpu_at) const {
        u64 current = 5;
        u64 monitored = ~u64{0};
        bool told = false;
        // 0: before the CPU's first visible step, 1: between its two, 2: after both.
        auto const gpu = [&] {
            current = 7;
            told = told || interrupts({current}, {monitored});
        };
        auto const cpu_store = [&] { monitored = 6; };
        auto const cpu_load = [&] { told = told || interrupts({current}, {6}); };
        for (u32 step = 0; step != 3; ++step) {
            if (step == gpu_at) {
                gpu();
            }
            if (step == 0) {
                cpu_reads_before_drain ? cpu_load() : cpu_store();
            } else if (step == 1) {
                cpu_reads_before_drain ? cpu_store() : cpu_load();
            }
        }
        return told;
    }
};

}  // namespace

TEST_CASE("HWS-10: the CPU is interrupted exactly when the current value is above the monitored one") {
    expect_both(!interrupts({41}, {41}));
    expect_both(interrupts({42}, {41}));
    expect_both(!interrupts({40}, {41}));
    expect_both(interrupts({0x1'0000'0000}, {0xFFFF'FFFF}));
    expect_both(interrupts({~u64{0}}, {~u64{0} - 1}));
    // The least value that is waited for, less one; no waiter at all is never interrupted.
    expect_both(monitored_for({42}) == fence_value{41});
    expect_both(interrupts({42}, monitored_for({42})));
    expect_both(!interrupts({41}, monitored_for({42})));
    expect_both(!interrupts({~u64{0}}, nobody_waits));
}

TEST_CASE("HWS-10: an update stores, then passes a barrier, then reads and decides") {
    CHECK(update(41, 41).steps == "sbl");
    CHECK(!update(41, 41).signaled);
    CHECK(update(42, 41).steps == "sbl");
    CHECK(update(42, 41).signaled);
    // In that order no waiter misses a signal; with the read before the store one does.
    for (u32 at = 0; at != 3; ++at) {
        CHECK(race{false}.somebody_told(at));
    }
    CHECK(!race{true}.somebody_told(1));
}

TEST_CASE("HWS-11: native fences are claimed only after the system said that they are enabled") {
    expect_both(may_claim_native_fences(feature_answer::enabled, true));
    expect_both(!may_claim_native_fences(feature_answer::enabled, false));
    expect_both(!may_claim_native_fences(feature_answer::disabled, true));
    expect_both(!may_claim_native_fences(feature_answer::not_asked, true));
}

}  // namespace native_fence_test
