// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "adapter_cases.hpp"
#include "expect.hpp"

namespace root_bugs {

namespace {

using namespace toy;
using mode = page_table_update_mode;
using testing::vidmm_rule;

constexpr mode modes[] = {mode::cpu_virtual, mode::gpu_virtual, mode::gpu_physical};

/// Three levels, all in system memory: the root's size is fixed.
[[nodiscard]] setup fixed(mode m = mode::gpu_virtual) {
    setup s = with_roots(page_tables(m));
    s.steps = slow_build ? 100 : 200;
    return s;
}

/// Two levels, the root in segment 2.
[[nodiscard]] setup growing(mode m = mode::gpu_virtual) {
    setup s = page_tables(m);
    s.options.page_tables.levels = {{.index_bits = 9, .table_bytes = 4096}, {.index_bits = 12, .segment = 2}};
    s = with_roots(s);
    s.options.segments[1].size = u64{1} << 20;
    s.steps = slow_build ? 100 : 200;
    return s;
}

/// One process with one page mapped behind entry `entry` of its root.
template <class Then>
[[nodiscard]] testing::vidmm_report with_page(setup const& s, u64 entry, Then const& then) {
    u64 const reach = s.options.page_tables.levels.size() == 2 ? u64{1} << 21 : u64{1} << 30;
    return told(s, [&](testing::vidmm& mm) {
        auto const process = mm.create_process();
        auto const number = mm.create(bytes{3 * 4096});
        static_cast<void>(mm.map(process, number, {entry * reach}));
        then(mm, process, number);
    });
}

[[nodiscard]] testing::vidmm_report moved(setup const& s) {
    return with_page(
        s, 1, [](testing::vidmm& mm, auto process, auto) { static_cast<void>(mm.move_root_page_table(process)); });
}

/// From 512 entries to 1024.
[[nodiscard]] testing::vidmm_report grown(setup const& s) {
    return with_page(s, 1, [](testing::vidmm& mm, auto process, auto number) {
        static_cast<void>(mm.map(process, number, {u64{700} << 21}));
    });
}

void expect_broken(testing::vidmm_report const& report, char const* rule, char const* sentence) {
    INFO(report.text());
    REQUIRE_FALSE(report.passed());
    CHECK(report.first_rule() == rule);
    CHECK(report.violations().front().sentence == sentence);
}

constexpr char const* nothing_found = "a context finds nothing where the root that was set last leads to something";
constexpr char const* another_root = "a context walks another root than the one that was set last";
constexpr char const* behind_the_last = "an address whose index in the root is not below NumEntries has a meaning";

}  // namespace

TEST_CASE("GVA-28: contexts of a right driver see their address spaces through every root that is set") {
    for (mode const m : modes) {
        for (setup s : {fixed(m), growing(m)}) {
            for (u64 seed = seed_or(1); seed < seed_or(1) + usual_seeds; ++seed) {
                INFO("mode ", static_cast<u32>(m), ", WDDMCORE_SEED=", seed);
                s.options.seed = seed;
                s.options.power_losses = seed % 2 == 0;
                testing::vidmm_report const report = run(s);
                INFO(report.text());
                CHECK(report.passed());
                CHECK(report.times_exercised(vidmm_rule::gva_28) != 0);
                CHECK((slow_build || (report.times_exercised(vidmm_rule::gva_27) != 0) == s.growing_roots));
            }
        }
    }
}

TEST_CASE("GVA-26, GVA-27: a root grows with what is mapped, and has no meaning behind its last entry") {
    for (mode const m : modes) {
        testing::vidmm_report const report = grown(growing(m));
        INFO(report.text());
        CHECK(report.passed());
        CHECK(report.times_exercised(vidmm_rule::gva_26) >= 3);  // the paging process, the process, and its growth
        CHECK(report.times_exercised(vidmm_rule::gva_27) != 0);
        CHECK(report.times_exercised(vidmm_rule::gva_28) != 0);
    }
}

TEST_CASE("GVA-28: roots that move by themselves, and roots that come back after a power loss") {
    for (setup const& s : {fixed(), growing()}) {
        testing::vidmm_report const report = told(s, [](testing::vidmm& mm) {
            gpu_virtual_address const at{u64{1} << 30};
            auto const process = mm.create_process();
            CHECK_FALSE(mm.move_root_page_table(process));  // nothing was mapped: there is no root yet
            auto const number = mm.create(bytes{20000});
            CHECK(mm.map(process, number, at));
            CHECK(mm.move_root_page_table(process));
            CHECK(mm.move_root_page_table(process));
            CHECK(mm.unmap(process, at, bytes{4096}));
            mm.power_loss();
            CHECK_FALSE(mm.move_root_page_table(process));
            CHECK(mm.map(process, number, at));
            CHECK(mm.move_root_page_table(process));
        });
        INFO(report.text());
        CHECK(report.passed());
    }
}

/// The second physical adapter of a link.
[[nodiscard]] setup second_of_link(setup s) {
    s = with_roots(s);
    s.makes_contexts = true;
    s.options.physical_adapter = 1;
    s.options.seed = seed_or(1);
    s.steps = slow_build ? 100 : 200;
    return s;
}

TEST_CASE("GVA-21, LDA-03: in a link contexts, roots and entries are of the adapter, and each call names a context") {
    for (mode const how : {mode::cpu_virtual, mode::gpu_virtual, mode::gpu_physical}) {
        setup s = second_of_link(page_tables(how));
        context_log const log = contexts_of(s);
        INFO("WDDMCORE_SEED=", s.options.seed, "\n", log.report.text());
        CHECK(log.report.passed());
        CHECK(log.report.times_exercised(vidmm_rule::gva_28) != 0);
        CHECK(log.made > 2);
        CHECK(log.unnamed == 0);
        CHECK(log.strangers == 0);
        s.options.physical_adapter.reset();
        CHECK(contexts_of(s).unnamed != 0);
    }
}

TEST_CASE("GVA-21: a driver that takes the second adapter's memory for the first one's is found on the second") {
    setup s = second_of_link(page_tables(mode::gpu_virtual));
    s.makes_contexts = false;
    s.own_adapter = 0;
    testing::vidmm_report const report = run(s);
    REQUIRE_FALSE(report.passed());
    CHECK(report.violations().front().state.starts_with("physical adapter 1, "));
}

TEST_CASE("GVA-26: the size of a root is asked of the adapter of the link that it is for") {
    setup s = second_of_link(growing());
    testing::vidmm_report const report = run(s);
    INFO(report.text());
    CHECK(report.passed());
    CHECK(report.times_exercised(vidmm_rule::gva_26) != 0);
    s.makes_contexts = false;
    s.own_adapter = 0;
    CHECK(run(s).first_rule() == "GVA-26");
}

TEST_CASE("GVA-28: contexts that the driver makes are named in roots and windows, and destroyed at the end") {
    for (wddm const version : {wddm::v2_0, wddm::v2_2, wddm::v3_2}) {
        setup s = with_roots(page_tables(mode::gpu_virtual, version));
        s.makes_contexts = true;
        s.options.page_tables.paging_node = 5;
        s.options.seed = seed_or(1);
        s.steps = slow_build ? 100 : 200;
        context_log const log = contexts_of(s);
        INFO("version ", static_cast<u32>(version), ", WDDMCORE_SEED=", s.options.seed, "\n", log.report.text());
        CHECK(log.report.passed());
        CHECK(log.report.times_exercised(vidmm_rule::gva_28) != 0);
        CHECK(log.made > 2);
        CHECK(log.of_the_system == 1);
        CHECK(log.paging_node == 5);
        CHECK(log.destroyed == log.made);
        CHECK(log.strangers == 0);
        // Operation 14 runs on a companion context (OP14-04).
        CHECK((slow_build || log.report.of(paging_operation::copy_page_table_entries).requests == 0 ||
               log.companion_windows != 0));
    }
}

TEST_CASE("GVA-03, GVA-26: an adapter of two levels goes on to page with roots of the size that it says") {
    adapter_life l = life_of(wddm::v2_9);
    l.said.adapter.mmu->levels = 2;
    l.said.adapter.mmu->address_bits = 34;
    l.said.adapter.levels.resize(2);
    l.said.adapter.levels[1].index_bits = 0;  // what the root has is left over
    l.said.adapter.paging_node = 3;
    l.said.root_entries = 512;
    l.said.adapter.segments[0].size = aperture_pages * 4096;
    toy_adapter adapter(l.version, l.said, l.wrong);
    testing::vidmm_adapter system(adapter.table(), l.options);
    REQUIRE(system.start());
    setup s;
    s.version = l.version;
    s.options = testing::options_of(system.description(), 0, 1 << 20, 1 << 20);
    CHECK(s.options.page_tables.levels[1].index_bits == 34 - 12 - 9);
    CHECK(s.options.page_tables.levels[1].entry_bytes == 8);
    CHECK(s.options.page_tables.paging_node == 3);
    s.options.ram_pages = 512;
    s.options.largest_allocation = 64 << 10;
    s.options.command_alignment = 16;
    s.options.seed = seed_or(1);
    s.steps = slow_build ? 60 : 150;
    INFO("WDDMCORE_SEED=", s.options.seed);
    expect_broken(grown(with(with_roots(s), &bugs::root_without_limit)), "GVA-27", behind_the_last);
    testing::vidmm_report const report = run(with_roots(s));
    INFO(report.text());
    CHECK(report.passed());
    CHECK(report.times_exercised(vidmm_rule::gva_26) != 0);
    CHECK(report.times_exercised(vidmm_rule::gva_28) != 0);
}

TEST_CASE("GVA-28: a root that no context hears of is caught") {
    expect_broken(moved(with(fixed(), &bugs::root_never)), "GVA-28", nothing_found);
    expect_caught(with(fixed(), &bugs::root_never), "GVA-28");
}

TEST_CASE("GVA-28: a driver that keeps the first root of a context is caught when it moves") {
    CHECK(moved(fixed()).passed());
    CHECK(with_page(with(fixed(), &bugs::root_once), 1, [](auto&, auto, auto) {}).passed());
    CHECK(moved(with(fixed(), &bugs::root_once)).first_rule() == "GVA-28");
    CHECK(moved(with(growing(), &bugs::root_once)).first_rule() == "GVA-28");
    expect_caught(with(fixed(), &bugs::root_once), "GVA-28");
    expect_caught(with(growing(), &bugs::root_once), "GVA-28");
}

TEST_CASE("GVA-28: a driver that has one root for all contexts is caught") {
    auto const two_processes = [](testing::vidmm& mm) {
        gpu_virtual_address const at{u64{1} << 30};
        auto const first = mm.create_process();
        auto const second = mm.create_process();
        CHECK(mm.map(first, mm.create(bytes{4096}), at));
        static_cast<void>(mm.map(second, mm.create(bytes{4096}), at));
        static_cast<void>(mm.move_root_page_table(first));
        static_cast<void>(mm.map(second, mm.create(bytes{4096}), at));
    };
    setup const by_cpu = fixed(mode::cpu_virtual);  // nothing is mapped for the paging process in between
    CHECK(told(by_cpu, two_processes).passed());
    expect_broken(told(with(by_cpu, &bugs::root_for_all), two_processes), "GVA-28", another_root);
    expect_caught(with(fixed(), &bugs::root_for_all), "GVA-28");
}

TEST_CASE("GVA-28: a root's address without its segment, or in 32 bits, is caught") {
    expect_caught(with(growing(), &bugs::root_without_segment), "GVA-28");
    expect_caught(with(fixed(), &bugs::root_cut), "GVA-28");
}

TEST_CASE("GVA-28: a driver that keeps the number of entries of a context's first root is caught when it grows") {
    CHECK(moved(with(growing(), &bugs::root_entries_once)).passed());
    expect_broken(grown(with(growing(), &bugs::root_entries_once)), "GVA-28", nothing_found);
}

TEST_CASE("GVA-28: a driver that uses the structure after the call is a verdict") {
#if __has_include(<sys/mman.h>)
    ending const e = run_isolated(with(fixed(), &bugs::root_keeps_arguments));
    INFO(e.rule, ": ", e.sentence, "; ", e.last_call);
    CHECK(e.crashed);
    CHECK(e.rule == "GVA-28");
    CHECK(e.sentence.find("DXGKARG_SETROOTPAGETABLE was used after its time") != std::string::npos);
#endif
}

TEST_CASE("GVA-27: a driver that lets the hardware walk behind the root's last entry is caught") {
    CHECK(moved(with(fixed(), &bugs::root_without_limit)).passed());  // an address has no more index bits than it has
    expect_broken(grown(with(growing(), &bugs::root_without_limit)), "GVA-27", behind_the_last);
    expect_caught(with(growing(), &bugs::root_without_limit), "GVA-27");
}

TEST_CASE("GVA-26: a root with fewer entries than were asked for, or of no whole pages, is caught") {
    expect_broken(grown(with(growing(), &bugs::root_too_few)), "GVA-26",
                  "a root has fewer entries than were asked for, or no room for those it has");
    expect_broken(grown(with(growing(), &bugs::root_uneven)), "GVA-26",
                  "the size of a root is not whole pages of its segment");
}

TEST_CASE("GVA-06: a root of two pages has no place in system memory") {
    setup s = growing(mode::cpu_virtual);
    s.options.page_tables.levels[1].segment = 0;
    expect_broken(grown(s), "GVA-06", "a root of more than one page has its place in system memory");
}

}  // namespace root_bugs
