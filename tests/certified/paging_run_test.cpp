// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The life that images are given: which interrupts are legal in it, and how it ends where it does not begin.
#include "../vidmm/adapter_cases.hpp"

#include <wddmcore/testing/certify/image/paging.hpp>

#include <doctest/doctest.h>

namespace certified_paging {

using namespace wddmcore;
namespace parts = testing::certify_parts;

struct listener {
    parts::played_driver driver;
    std::string found;
    std::string told;

    listener() {
        driver.connect = [](wddmcore_system_services const*) {};
        driver.let_time_pass = [](std::uint64_t) {};
        driver.lend_memory = [](testing::gpu_memory_ram const*) {};
        driver.find = [this](char const* id, std::string const&) { found += std::string(id) + ' '; };
        driver.write = [this](std::string const& lines) { told += lines; };
    }
};

[[nodiscard]] std::string found_after(u32 type, u32 fence) {
    listener l;
    parts::paging_services services(l.driver);
    services.submitted(7);
    mirror::v3_1::dxgkargcb_notify_interrupt_data data{};
    data.InterruptType = type;
    data.DmaCompleted.SubmissionFenceId = fence;
    services.table().notify_interrupt(services.table().system, &data);
    return l.found;
}

TEST_CASE("INT-07: while paging, displays, fences and queues may be told of; only what is wrong of packets is found") {
    for (u32 const type : {3U, 5U, 7U, 8U, 10U, 11U, 12U, 14U, 15U, 17U, 18U, 19U, 20U}) {
        INFO(type);
        CHECK(found_after(type, 0) == "");
    }
    CHECK(found_after(1, 7) == "");
    CHECK(found_after(1, 8) == "INT-07 ");
    CHECK(found_after(2, 7) == "PRE-08 ");
    CHECK(found_after(4, 7) == "INT-10 ");
    CHECK(found_after(21, 7) == "INT-10 ");
}

TEST_CASE("INT-09: a page fault names its packet, and nothing more is waited for") {
    listener l;
    parts::paging_services services(l.driver);
    services.submitted(7);
    mirror::v3_1::dxgkargcb_notify_interrupt_data data{};
    data.InterruptType = 9;
    data.DmaPageFaulted.FaultedFenceId = 7;
    services.table().notify_interrupt(services.table().system, &data);
    CHECK(l.found == "");
    CHECK(services.all_reported());
}

// What was called, in the order of it.
std::string calls;

[[nodiscard]] std::string lived(toy::adapter_life const& life, int start, std::string& found, std::string& told) {
    toy::toy_adapter driver(life.version, life.said, life.wrong);
    listener l;
    l.driver.table = driver.table();
    static int answer;
    answer = start;
    calls.clear();
    l.driver.table.add_device = [](void*) WDDMCORE_DRIVER_CALL -> int {
        calls += "add ";
        return 0;
    };
    l.driver.table.start_adapter = [](void* adapter, wddmcore_memory_services const*) WDDMCORE_DRIVER_CALL -> int {
        calls += "start ";
        static_cast<toy::toy_adapter*>(adapter)->started = true;
        return answer;
    };
    l.driver.table.stop_device = [](void*) WDDMCORE_DRIVER_CALL -> int {
        calls += "stop ";
        return 0;
    };
    l.driver.table.remove_device = [](void*) WDDMCORE_DRIVER_CALL -> int {
        calls += "remove ";
        return 0;
    };
    parts::paging_services services(l.driver);
    parts::paging_run(l.driver, services, true).play({});
    found = l.found;
    told = l.told;
    return calls;
}

TEST_CASE("REFUSED: an adapter that does not start is removed, and is stopped only where it was started") {
    std::string found;
    std::string told;
    toy::adapter_life l = toy::life_of(wddm::v2_9);
    CHECK(lived(l, static_cast<int>(0xC000'0001), found, told) == "add start remove ");
    CHECK(found == "REFUSED ");
    CHECK(told.find("unjudged paging; the adapter does not start") != std::string::npos);
    l.wrong.form_refused = true;
    CHECK(lived(l, 0, found, told) == "add start stop remove ");
    l.wrong.form_refused = false;
    CHECK(lived(l, 0, found, told) == "add start stop remove ");
    CHECK(found == "");
}

}  // namespace certified_paging
