// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// What the DDI functions of wdk/ do with calls that cannot be carried out; what they do with others is in the example
// drivers, which run on the simulators.
#include "noting_gpu.hpp"

namespace wdk_functions_test {

namespace {

TEST_CASE("LDA-01: a submission to a node that is not there, or not the context's, is refused and takes no place") {
    started s;
    auto const of_node_0 = s.context(0);
    CHECK(s.submit(of_node_0.hContext, 1, 1) == status::invalid_parameter);
    CHECK(s.submit(nullptr, 2, 1) == status::invalid_parameter);
    CHECK(s.gpu.written.empty());
    s.destroy(of_node_0);
    CHECK(s.gpu.blocks == 0);
    CHECK(s.gpu.locked == 0);
}

TEST_CASE("PRE-09: preemption of an empty node is reported at once, of a missing one succeeds and does nothing") {
    started s;
    DXGKARG_PREEMPTCOMMAND args{};
    args.PreemptionFenceId = 7;
    CHECK(wdk::preempt_command<noting_gpu>(s.handle, &args) == status::success);
    CHECK(s.gpu.notified == 1);
    CHECK(s.gpu.dpcs == 1);
    args.NodeOrdinal = 2;
    CHECK(wdk::preempt_command<noting_gpu>(s.handle, &args) == status::success);
    CHECK(s.gpu.notified == 1);
    CHECK(s.gpu.stops == 0);
}

TEST_CASE("INT-01: an interrupt of two nodes queues one DPC, and one without news is another device's") {
    started s;
    CHECK(wdk::interrupt_routine<noting_gpu>(s.handle, 0) == 0);
    CHECK(s.gpu.dpcs == 0);
    auto const first = s.context(0);
    auto const second = s.context(1);
    REQUIRE(s.submit(first.hContext, 0, 1) == status::success);
    REQUIRE(s.submit(second.hContext, 1, 2) == status::success);
    for (u32 n = 0; n != 2; ++n) {
        s.gpu.news[n].completed = 1;
        s.gpu.news[n].completed_serial = s.gpu.written[n].serial;
    }
    CHECK(wdk::interrupt_routine<noting_gpu>(s.handle, 0) == 1);
    CHECK(s.gpu.notified == 2);
    CHECK(s.gpu.dpcs == 1);
    DXGKARG_QUERYCURRENTFENCE fence{};
    fence.NodeOrdinal = 1;
    CHECK(wdk::query_current_fence<noting_gpu>(s.handle, &fence) == status::success);
    CHECK(fence.CurrentFence == 2);
    fence.NodeOrdinal = 2;
    CHECK(wdk::query_current_fence<noting_gpu>(s.handle, &fence) == status::invalid_parameter);
    s.destroy(second);
    s.destroy(first);
}

TEST_CASE("LDA-03: a context that cannot be created leaves nothing behind") {
    started s;
    DXGKARG_CREATECONTEXT args{};
    args.EngineAffinity = 2;
    CHECK(s.create(args) == status::invalid_parameter);
    args.EngineAffinity = 1;
    args.NodeOrdinal = 2;
    CHECK(s.create(args) == status::invalid_parameter);
    args.NodeOrdinal = 0;
    s.gpu.opened = status::not_supported;
    CHECK(s.create(args) == status::not_supported);
    s.gpu.allocations_left = 0;
    CHECK(s.create(args) == status::no_memory);
    CHECK(args.hContext == nullptr);
    CHECK(s.gpu.blocks == 0);
    CHECK(s.whole.contexts == nullptr);
}

TEST_CASE("PREF-23: of allocations of which one fails, those before are dropped again, last first") {
    started s;
    allocation_request const good{4096, 0, 0};
    DXGK_ALLOCATIONINFO infos[3] = {};
    for (auto& info : infos) {
        info.pPrivateDriverData = const_cast<allocation_request*>(&good);
        info.PrivateDriverDataSize = sizeof good;
    }
    DXGKARG_CREATEALLOCATION args{};
    args.NumAllocations = 3;
    args.pAllocationInfo = infos;
    SUBCASE("private data that is too short") {
        infos[2].PrivateDriverDataSize = 4;
        CHECK(wdk::create_allocation<noting_gpu>(s.handle, &args) == status::invalid_parameter);
    }
    SUBCASE("no memory") {
        s.gpu.allocations_left = 2;
        CHECK(wdk::create_allocation<noting_gpu>(s.handle, &args) == status::no_memory);
    }
    REQUIRE(s.gpu.dropped.size() == 2);
    CHECK(s.gpu.dropped[0] == infos[1].hAllocation);
    CHECK(s.gpu.dropped[1] == infos[0].hAllocation);
    CHECK(s.gpu.blocks == 0);
    infos[0].PrivateDriverDataSize = 0;
    CHECK(wdk::create_allocation<noting_gpu>(s.handle, &args) == status::invalid_parameter);
    CHECK(s.gpu.dropped.size() == 2);
}

TEST_CASE("IOM-09: exclusive access begins and ends in turn") {
    started s;
    DXGKARG_BEGINEXCLUSIVEACCESS begin{};
    DXGKARG_ENDEXCLUSIVEACCESS end{};
    CHECK(wdk::end_exclusive_access<noting_gpu>(s.handle, &end) == status::invalid_device_state);
    CHECK(wdk::begin_exclusive_access<noting_gpu>(s.handle, &begin) == status::success);
    CHECK(wdk::begin_exclusive_access<noting_gpu>(s.handle, &begin) == status::invalid_device_state);
    CHECK(wdk::end_exclusive_access<noting_gpu>(s.handle, &end) == status::success);
}

TEST_CASE("TDR-03: status and dependents of a node that is not there are answered; its reset is not") {
    started s;
    DXGKARG_QUERYENGINESTATUS asked{};
    asked.NodeOrdinal = 2;
    asked.EngineStatus.Value = 1;
    CHECK(wdk::query_engine_status<noting_gpu>(s.handle, &asked) == status::success);
    CHECK(asked.EngineStatus.Value == 0);
    DXGKARG_QUERYDEPENDENTENGINEGROUP group{};
    group.NodeOrdinal = 64;
    group.DependentNodeOrdinalMask = 1;
    CHECK(wdk::query_dependent_engine_group<noting_gpu>(s.handle, &group) == status::success);
    CHECK(group.DependentNodeOrdinalMask == 0);
    DXGKARG_RESETENGINE reset{};
    reset.NodeOrdinal = 2;
    CHECK(wdk::reset_engine<noting_gpu>(s.handle, &reset) == status::invalid_parameter);
    reset.NodeOrdinal = 0;
    s.gpu.resets = false;
    CHECK(wdk::reset_engine<noting_gpu>(s.handle, &reset) == status::unsuccessful);
    CHECK(s.gpu.locked == 0);
}

TEST_CASE("GVA-28: a root without entries is not taken") {
    started s;
    auto const context = s.context(0);
    DXGKARG_SETROOTPAGETABLE args{};
    args.hContext = context.hContext;
    wdk::set_root_page_table<noting_gpu>(s.handle, &args);
    CHECK(s.gpu.roots == 0);
    args.NumEntries = 16;
    wdk::set_root_page_table<noting_gpu>(s.handle, &args);
    CHECK(s.gpu.roots == 1);
    s.destroy(context);
}

TEST_CASE("a query that is not the library's has the driver's own answer") {
    started s;
    DXGKARG_QUERYADAPTERINFO args{};
    args.Type = DXGKQAITYPE_UMDRIVERPRIVATE;
    CHECK(wdk::query_adapter_info<noting_gpu>(s.handle, &args) == status::not_implemented);
}

}  // namespace

}  // namespace wdk_functions_test
