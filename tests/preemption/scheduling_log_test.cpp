// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "../base/expect_both.hpp"

#include "wddmcore/preemption/hardware_queues/scheduling_log.hpp"

#include <random>
#include <vector>

namespace scheduling_log_test {

using namespace wddmcore;
using namespace wddmcore::preemption;

namespace {

// A log of some entries with so many written.
constexpr scheduling_log with_entries(u32 entries, u32 written) {
    scheduling_log log;
    static_cast<void>(log.replace(entries));
    for (u32 i = 0; i != written; ++i) {
        log.finished(log.claim().value);
    }
    return log;
}

constexpr u32 next_index(scheduling_log log) { return log.claim().value.index; }

}  // namespace

TEST_CASE("HWS-09: after a log is replaced no entry goes to the old one, and the call waits for entries under way") {
    scheduling_log log;
    CHECK(log.replace(4));
    log_place const first = log.claim().get();
    log_place const second = log.claim().get();
    CHECK(!log.replace(4));
    log_place const in_new = log.claim().get();
    CHECK(in_new.log != first.log);
    CHECK(in_new.index == 0u);
    log.finished(first);
    CHECK(!log.old_log_is_quiet());
    log.finished(in_new);
    CHECK(!log.old_log_is_quiet());
    log.finished(second);
    CHECK(log.old_log_is_quiet());
}

TEST_CASE("HWS-09: only entries that were written mean something, the others are not zeroed") {
    expect_both(with_entries(3, 0).valid_entries() == 0u);
    expect_both(with_entries(3, 2).valid_entries() == 2u);
    expect_both(with_entries(3, 3).valid_entries() == 3u);
    expect_both(with_entries(3, 7).valid_entries() == 3u);
    expect_both(next_index(with_entries(3, 7)) == 1u);
    // Index in the low half, wraps in the high one.
    expect_both(with_entries(3, 7).index_and_wraps() == 0x2'0000'0001);
    expect_both(with_entries(3, 6).index_and_wraps() == 0x2'0000'0000);
}

TEST_CASE("HWS-09: a log that replaces a wrapped one has no valid entry yet") {
    scheduling_log log = with_entries(3, 7);
    CHECK(log.replace(5));
    CHECK(log.valid_entries() == 0u);
    CHECK(log.index_and_wraps() == 0u);
}

TEST_CASE("HWS-09: without a log, or with one of no entries, nothing is logged") {
    scheduling_log log;
    CHECK(log.claim().error == errc::missing);
    CHECK(log.replace(0));
    CHECK(log.claim().error == errc::missing);
    CHECK(log.valid_entries() == 0u);
}

TEST_CASE("HWS-09: random claims, writes and replacements never touch a log that was handed back") {
    for (u32 seed = 1; seed <= 50; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        scheduling_log log;
        std::vector<std::vector<u32>> logs(1);  // writes of each entry; index 0: no log
        std::vector<log_place> under_way;
        u32 handed_back = 0;  // logs below it belong to the system again
        for (u32 step = 0; step != 300; ++step) {
            u32 const choice = random() % 8;
            if (choice == 0) {
                logs.emplace_back(random() % 4);
                bool const quiet = log.replace(static_cast<u32>(logs.back().size()));
                CHECK(quiet == under_way.empty());
                if (quiet) {
                    handed_back = static_cast<u32>(logs.size()) - 1;
                }
            } else if (choice < 5) {
                auto const place = log.claim();
                CHECK(place.ok() == !logs.back().empty());
                if (place.ok()) {
                    REQUIRE(place.get().log == logs.size() - 1);
                    REQUIRE(place.get().index < logs.back().size());
                    under_way.push_back(place.get());
                }
            } else if (!under_way.empty()) {
                u32 const which = static_cast<u32>(random() % under_way.size());
                log_place const place = under_way[which];
                CHECK(place.log >= handed_back);
                ++logs[place.log][place.index];
                log.finished(place);
                under_way.erase(under_way.begin() + which);
                if (log.old_log_is_quiet()) {
                    handed_back = static_cast<u32>(logs.size()) - 1;
                }
            }
            bool old_ones = false;
            for (log_place const place : under_way) {
                old_ones = old_ones || place.log != logs.size() - 1;
            }
            REQUIRE(log.old_log_is_quiet() == !old_ones);
        }
    }
}

}  // namespace scheduling_log_test
