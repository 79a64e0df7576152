// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The DDI functions of wdk/ where chips of one driver differ, and where page tables lie in memory of larger pages.
#include "noting_gpu.hpp"

namespace wdk_functions_test {

namespace {

/// A chip of one or two nodes, with page tables of four levels or of two.
struct chip : noting_gpu {
    u32 node_total = 1;
    u32 generation = 0;

    static constexpr chosen_within node_count{1u, 2u, &chip::node_total};
    static constexpr chosen_among page_tables{
        {example_gpu::page_tables, {.level_count = 2, .levels = {{9, 8}, {0, 8}}, .virtual_address_bits = 40}},
        &chip::generation};
    static constexpr scheduling_capabilities scheduling = [] {
        scheduling_capabilities one = example_gpu::scheduling;
        one.paging_node = 0;
        return one;
    }();

    static constexpr auto of_64k = segment::table_of(
        window, segment::aperture{.id = window, .base = segment::at(0x7F'0000'0000), .size = 16 * mib},
        segment::cpu_visible_memory{
            .id = local, .base = segment::at(0x80'0000'0000), .size = 16 * mib, .pages_64k = true});
    gpuva::page_table_segments table_segments{};  // system memory

    [[nodiscard]] segment::view segments(u32) const noexcept { return of_64k.all(); }
};
static_assert(wdk::check_device<chip>());

TEST_CASE("LDA-02: a node that this chip does not have is neither named nor touched") {
    started_as<chip> s;
    auto const context = s.context(0);
    DXGKARG_CREATECONTEXT other{};
    other.NodeOrdinal = 1;
    other.EngineAffinity = 1;
    CHECK(s.create(other) == status::invalid_parameter);
    CHECK(s.submit(nullptr, 1, 1) == status::invalid_parameter);
    REQUIRE(s.submit(context.hContext, 0, 1) == status::success);
    s.finish(0);
    CHECK(wdk::reset_from_timeout<chip>(s.handle) == status::success);
    CHECK(wdk::restart_from_timeout<chip>(s.handle) == status::success);
    DXGKARG_QUERYDEPENDENTENGINEGROUP group{};
    group.NodeOrdinal = 1;
    CHECK(wdk::query_dependent_engine_group<chip>(s.handle, &group) == status::success);
    CHECK(group.DependentNodeOrdinalMask == 0);
    CHECK(s.gpu.nodes_touched[0]);
    CHECK(!s.gpu.nodes_touched[1]);
    s.destroy(context);
}

TEST_CASE("LDA-02: of the chip with all nodes each works") {
    started_as<chip> s;
    s.gpu.node_total = 2;
    s.start();
    auto const context = s.context(1);
    REQUIRE(s.submit(context.hContext, 1, 1) == status::success);
    s.finish(1);
    CHECK(s.last_fence(1) == 1);
    s.destroy(context);
}

TEST_CASE("GVA-28: the root has as many entries as the page tables of this chip allow") {
    started_as<chip> s;
    auto const context = s.context(0);
    DXGKARG_SETROOTPAGETABLE args{};
    args.hContext = context.hContext;
    args.NumEntries = 513;  // four levels: a root of 2^9
    wdk::set_root_page_table<chip>(s.handle, &args);
    CHECK(s.gpu.roots == 0);
    s.gpu.generation = 1;  // two levels: 40 - 12 - 9 bits are left for the root
    wdk::set_root_page_table<chip>(s.handle, &args);
    CHECK(s.gpu.roots == 1);
    s.destroy(context);
}

TEST_CASE("GVA-26: the size of a root is in pages of the segment that holds it") {
    started_as<chip> s;
    DXGKARG_GETROOTPAGETABLESIZE args{1, 0};
    CHECK(wdk::get_root_page_table_size<chip>(s.handle, &args) == 0);  // of four levels it is fixed
    s.gpu.generation = 1;
    u32 page = 4096;
    SUBCASE("system memory") {}
    SUBCASE("a segment with 64-KiB pages") {
        s.gpu.table_segments = gpuva::every_level_in(chip::local, segment_id{0});
        page = 65536;
    }
    SUBCASE("the same, for the paging process only") {
        s.gpu.table_segments = gpuva::every_level_in(segment_id{0}, chip::local);
        page = 65536;
    }
    CHECK(wdk::get_root_page_table_size<chip>(s.handle, &args) == page);
    CHECK(args.NumberOfPte == page / 8);
    args.NumberOfPte = page / 8 + 1;
    CHECK(wdk::get_root_page_table_size<chip>(s.handle, &args) == 2 * page);
}

}  // namespace

}  // namespace wdk_functions_test
