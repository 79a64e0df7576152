// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// A driver that executes by itself, with the CPU, in memory that is not the simulator's.
#include <wddmcore/mirror.hpp>
#include <wddmcore/testing/vidmm.hpp>

#include <algorithm>
#include <cstring>
#include <doctest/doctest.h>
#include <vector>

using namespace wddmcore;

namespace {

constexpr u64 base = 0x4000'0000;
constexpr u32 mark = 0x57524B21;

/// Fills, and moves inside the segment: nothing else is asked for here.
struct software {
    enum class habit { sound, reports_early, never_reports, writes_too_much };

    struct work {
        u64 to;
        u64 from;  // 0: a fill
        u64 bytes;
        u32 pattern;
    };

    habit is = habit::sound;
    std::vector<std::byte> memory = std::vector<std::byte>(64 * 4096);
    std::vector<work> built;
    testing::vidmm* system = nullptr;
    u32 waited_for = 0;

    int build(mirror::win8::dxgkarg_buildpagingbuffer& args) {
        auto const operation = static_cast<paging_operation>(static_cast<u32>(args.Operation));
        if (operation == paging_operation::discard_content) {
            return status::success;
        }
        work w{};
        if (operation == paging_operation::fill) {
            w = {static_cast<u64>(args.Fill.Destination.SegmentAddress.QuadPart) - base, 0, args.Fill.FillSize,
                 args.Fill.FillPattern};
        } else if (operation == paging_operation::transfer && args.Transfer.Source.SegmentId != 0 &&
                   args.Transfer.Destination.SegmentId != 0) {
            u64 const offset = args.Transfer.TransferOffset;
            w = {static_cast<u64>(args.Transfer.Destination.SegmentAddress.QuadPart) + offset - base,
                 static_cast<u64>(args.Transfer.Source.SegmentAddress.QuadPart) + offset, args.Transfer.TransferSize,
                 0};
        } else {
            return status::not_supported;
        }
        std::memcpy(args.pDmaBuffer, &mark, sizeof mark);
        args.pDmaBuffer = static_cast<std::byte*>(args.pDmaBuffer) + sizeof mark;
        built.push_back(w);
        return status::success;
    }
    void execute() {
        for (work const& w : built) {
            std::byte* const to = &memory[w.to];
            if (w.from != 0) {
                std::copy_n(&memory[w.from - base], w.bytes, to);
            }
            u64 const more = is == habit::writes_too_much && w.to + w.bytes < memory.size() ? 4 : 0;
            for (u64 i = 0; w.from == 0 && i < w.bytes + more; i += 4) {
                std::memcpy(to + i, &w.pattern, 4);
            }
        }
        built.clear();
    }
    void submit(u32 fence) {
        if (is != habit::reports_early) {
            execute();
        }
        if (is != habit::never_reports) {
            system->fence_reported(fence);
        }
    }
    bool wait(u32) {
        ++waited_for;
        execute();  // of one that reports early: later than the report
        return is != habit::never_reports;
    }
};

testing::vidmm_report run(software& driver) {
    wddmcore_driver_table table{};
    table.size = sizeof table;
    table.version = static_cast<u32>(wddm::win8);
    table.adapter = &driver;
    table.build_paging_buffer = [](void* d, void* args) WDDMCORE_DRIVER_CALL -> int {
        return static_cast<software*>(d)->build(*static_cast<mirror::win8::dxgkarg_buildpagingbuffer*>(args));
    };
    table.submit_command = [](void* d, void const* args) WDDMCORE_DRIVER_CALL -> int {
        static_cast<software*>(d)->submit(
            static_cast<mirror::win8::dxgkarg_submitcommand const*>(args)->SubmissionFenceId);
        return status::success;
    };
    testing::vidmm_options o;
    o.segments = {{1, base, driver.memory.size()}};
    o.segments[0].memory = driver.memory.data();
    o.wait_for_fence = [&driver](std::uint32_t fence) { return driver.wait(fence); };
    testing::vidmm system(table, o, nullptr);
    driver.system = &system;
    auto const picture = system.create_empty(bytes{5 * 4096});
    CHECK(system.fill(picture, 0x1122'3344, segment_id{1}));
    if (!system.stopped()) {
        CHECK(system.move(picture, segment_id{1}));
        auto const other = system.create_empty(bytes{3 * 4096});
        CHECK(system.fill(other, 0x5566'7788, segment_id{1}));
    }
    system.finish();
    return system.report();
}

}  // namespace

TEST_CASE("INT-11: a fence is reported when the results are in memory") {
    software right;
    auto const report = run(right);
    INFO(report.text());
    CHECK(report.passed());
    CHECK(report.windows() >= 3);
    CHECK(report.times_exercised(testing::vidmm_rule::int_11) == report.windows());
    CHECK(right.waited_for == report.windows());
    software early;
    early.is = software::habit::reports_early;
    CHECK(run(early).first_rule() == "INT-11");
}

TEST_CASE("a segment lies in memory of the caller's, all of which is compared") {
    software driver;
    REQUIRE(run(driver).passed());
    // What the system and applications put into the segment is there as well.
    CHECK(std::count(driver.memory.begin(), driver.memory.end(), std::byte{0}) <
          static_cast<std::ptrdiff_t>(driver.memory.size() / 64));
    driver.is = software::habit::writes_too_much;
    auto const report = run(driver);
    INFO(report.text());
    CHECK(report.first_rule() == "OP01-02");
}

TEST_CASE("a fence that is never reported ends the run") {
    software driver;
    driver.is = software::habit::never_reports;
    CHECK(run(driver).passed());  // whoever waits says what is wrong
    CHECK(driver.waited_for == 1);
}
