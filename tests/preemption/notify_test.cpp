// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "../base/expect_both.hpp"

#include "wddmcore/ddi/mirror/mirror.hpp"
#include "wddmcore/preemption/engine/engine.hpp"
#include "wddmcore/preemption/engine/routing.hpp"
#include "wddmcore/preemption/records/notify_in_order.hpp"

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace notify_test {

using namespace wddmcore;
using namespace wddmcore::preemption;

namespace {

namespace vista = mirror::vista;
namespace win8 = mirror::win8;
namespace v2_0 = mirror::v2_0;
namespace v2_2 = mirror::v2_2;
namespace v2_4 = mirror::v2_4;
namespace v3_2 = mirror::v3_2;

constexpr engine_id place{3, 1};

template <class Data>
constexpr bool completed_is_filled() {
    Data data{};
    data.Flags.Value = ~0u;
    fill_completed(data, {0x1234}, place);
    return static_cast<u32>(data.InterruptType) == 1 && data.DmaCompleted.SubmissionFenceId == 0x1234 &&
           data.DmaCompleted.NodeOrdinal == 3 && data.DmaCompleted.EngineOrdinal == 1 && data.Flags.Value == 0;
}

template <class Data>
constexpr bool preempted_is_filled() {
    Data data{};
    data.Flags.Value = ~0u;
    fill_preempted(data, {0x77}, {0x55}, place);
    return static_cast<u32>(data.InterruptType) == 2 && data.DmaPreempted.PreemptionFenceId == 0x77 &&
           data.DmaPreempted.LastCompletedFenceId == 0x55 && data.DmaPreempted.NodeOrdinal == 3 &&
           data.DmaPreempted.EngineOrdinal == 1 && data.Flags.Value == 0;
}

template <class Data>
constexpr bool faulted_is_filled() {
    fault_details details{};
    details.primitive = 11;
    details.address = 0x12'3456'7000;
    details.stage = 6;
    details.bind_entry = 12;
    details.flags = page_fault_flag::write;
    details.table_level = 2;
    details.error = 1;
    details.error_is_devices_own = true;
    Data data{};
    fill_faulted(data, {0x99}, details, place);
    auto const& fault = data.DmaPageFaulted;
    return static_cast<u32>(data.InterruptType) == 9 && fault.FaultedFenceId == 0x99 &&
           fault.FaultedPrimitiveAPISequenceNumber == 11 && static_cast<u32>(fault.FaultedPipelineStage) == 6 &&
           fault.FaultedBindTableEntry == 12 && static_cast<u32>(fault.PageFaultFlags) == 1 &&
           fault.FaultedVirtualAddress == 0x12'3456'7000 && fault.NodeOrdinal == 3 && fault.EngineOrdinal == 1 &&
           fault.PageTableLevel == 2 && fault.FaultErrorCode.IsDeviceSpecificCodeReservedBit == 1 &&
           fault.FaultErrorCode.DeviceSpecificCode == 1 && fault.FaultedProcessHandle == nullptr &&
           data.Flags.Value == 0;
}

template <class Data>
constexpr bool unknown_fault_is_filled() {
    Data data{};
    fill_fault_unknown(data, {}, place);
    auto const& fault = data.DmaPageFaulted;
    return static_cast<u32>(data.InterruptType) == 9 && fault.FaultedFenceId == 0 &&
           fault.FaultedPrimitiveAPISequenceNumber == ~u64{0} && static_cast<u32>(fault.FaultedPipelineStage) == 0 &&
           fault.FaultedBindTableEntry == ~0u && static_cast<u32>(fault.PageFaultFlags) == (2 | 8) &&
           fault.FaultedVirtualAddress == 0 && fault.NodeOrdinal == 3 && fault.EngineOrdinal == 1 &&
           fault.PageTableLevel == 0 && fault.FaultErrorCode.IsDeviceSpecificCodeReservedBit == 0 &&
           fault.FaultErrorCode.DeviceSpecificCode == 0 && fault.FaultedProcessHandle == nullptr;
}

template <class Data>
constexpr bool switched_is_filled() {
    Data data{};
    fill_list_switched(data, 0x1'0000'0005, place);
    return static_cast<u32>(data.InterruptType) == 13 && data.HwContextListSwitchCompleted.NodeOrdinal == 3 &&
           data.HwContextListSwitchCompleted.EngineOrdinal == 1 &&
           data.HwContextListSwitchCompleted.ContextSwitchFence == 0x1'0000'0005;
}

template <class Data>
bool suspended_is_filled() {
    int context = 0;
    Data data{};
    fill_suspended(data, &context, 0x1'0000'0005);
    return static_cast<u32>(data.InterruptType) == 17 && data.SuspendContextCompleted.hContext == &context &&
           data.SuspendContextCompleted.ContextSuspendFence == 0x1'0000'0005;
}

// The types of the records, and 99 for a DPC, in the order in which the system sees them.
template <class Data>
struct system_side {
    std::vector<u32> order;
    std::vector<Data> records;

    bool tell(actions demanded, report const& ids, fault_details const& details = {}) {
        Data scratch{};
        return notify_in_order(
            demanded, ids, place, details, scratch,
            [&](Data const& record) {
                order.push_back(static_cast<u32>(record.InterruptType));
                records.push_back(record);
            },
            [&] { order.push_back(99); });
    }
};

constexpr action record_actions[] = {action::completed, action::faulted, action::fault_unknown, action::preempted};
constexpr u32 record_types[] = {1, 9, 9, 2};

}  // namespace

TEST_CASE("INT-10: before WDDM 2.0 no record tells of a fault, and the rest is told") {
    system_side<win8::dxgkargcb_notify_interrupt_data> without_fault;
    CHECK(without_fault.tell(only(action::completed) | action::preempted, {}));
    CHECK(without_fault.order == std::vector<u32>{1, 2, 99});
    if (std::string_view(WDDMCORE_MODE_TEXT).ends_with("checked")) {
        return;  // here the assertion stops a program that tells of a fault
    }
    for (action const fault : {action::faulted, action::fault_unknown}) {
        system_side<win8::dxgkargcb_notify_interrupt_data> system;
        CHECK(!system.tell(only(fault), {}));
        CHECK(system.order.empty());
        CHECK(system.tell(only(fault) | action::completed | action::preempted, {}));
        CHECK(system.order == std::vector<u32>{1, 2, 99});
    }
}

TEST_CASE("INT-07 LDA-04: a completed record has the newest id, its node and engine") {
    expect_both(completed_is_filled<vista::dxgkargcb_notify_interrupt_data>());
    expect_both(completed_is_filled<win8::dxgkargcb_notify_interrupt_data>());
    expect_both(completed_is_filled<v2_0::dxgkargcb_notify_interrupt_data>());
    expect_both(completed_is_filled<v3_2::dxgkargcb_notify_interrupt_data>());
}

TEST_CASE("INT-07: several packets that complete together are one record with the newest id") {
    engine<8> gpu;
    gpu.start({stopping::between_buffers, false}, {0}, {1});
    for (u32 id = 10; id != 13; ++id) {
        static_cast<void>(gpu.submit({{id}, 0, {0, 4}, 0}));
        static_cast<void>(gpu.next());
    }
    system_side<win8::dxgkargcb_notify_interrupt_data> system;
    CHECK(system.tell(gpu.completed({3}), gpu.report()));
    REQUIRE(system.order == std::vector<u32>{1, 99});
    CHECK(system.records[0].DmaCompleted.SubmissionFenceId == 12u);
}

TEST_CASE("PRE-11: a preempted record has the request, the last completed id, node and engine") {
    expect_both(preempted_is_filled<vista::dxgkargcb_notify_interrupt_data>());
    expect_both(preempted_is_filled<win8::dxgkargcb_notify_interrupt_data>());
    expect_both(preempted_is_filled<v3_2::dxgkargcb_notify_interrupt_data>());
}

TEST_CASE("INT-10 GVA-37: a fault is DMA_PAGE_FAULTED, never the reserved DMA_FAULTED") {
    expect_both(faulted_is_filled<v2_0::dxgkargcb_notify_interrupt_data>());
    expect_both(faulted_is_filled<v2_4::dxgkargcb_notify_interrupt_data>());
    expect_both(faulted_is_filled<v3_2::dxgkargcb_notify_interrupt_data>());
    expect_both(unknown_fault_is_filled<v2_0::dxgkargcb_notify_interrupt_data>());
    expect_both(unknown_fault_is_filled<v3_2::dxgkargcb_notify_interrupt_data>());
    // Before WDDM 2.0 there is no such record, and nothing else is reported in its place.
    static_assert(!reports_page_faults<vista::dxgkargcb_notify_interrupt_data>);
    static_assert(!reports_page_faults<mirror::v1_3::dxgkargcb_notify_interrupt_data>);
    static_assert(reports_page_faults<v2_0::dxgkargcb_notify_interrupt_data>);
}

TEST_CASE("INT-09 GVA-37: a fault with a known packet has a valid fence; one without asks for a reset") {
    namespace flag = page_fault_flag;
    fault_details details{};
    for (u32 bits = 0; bits != 256; ++bits) {
        details.flags = bits;
        u32 const known = preemption::detail::page_fault_flags(details, true);
        CHECK((known & flag::fence_invalid) == 0);
        CHECK((known | flag::fence_invalid) == (bits | flag::fence_invalid));
        u32 const unknown = preemption::detail::page_fault_flags(details, false);
        u32 const recoveries = flag::adapter_reset_required | flag::engine_reset_required | flag::fatal_hardware_error;
        CHECK((unknown & flag::fence_invalid) != 0);
        CHECK((unknown & recoveries) != 0);
        CHECK(((bits & recoveries) == 0 || (unknown | flag::fence_invalid) == (bits | flag::fence_invalid)));
    }
}

TEST_CASE("INT-09: after the record of a fault the engine's last completed id is the faulted one") {
    engine<8> gpu;
    gpu.start({stopping::between_buffers, false}, {0}, {1});
    for (u32 id = 10; id != 13; ++id) {
        static_cast<void>(gpu.submit({{id}, 0, {0, 4}, 0}));
        static_cast<void>(gpu.next());
    }
    system_side<v2_0::dxgkargcb_notify_interrupt_data> system;
    CHECK(system.tell(gpu.faulted({2}, after_fault::runs_on), gpu.report()));
    REQUIRE(system.order == std::vector<u32>{1, 9, 99});
    CHECK(system.records[0].DmaCompleted.SubmissionFenceId == 10u);
    CHECK(system.records[1].DmaPageFaulted.FaultedFenceId == 11u);
    CHECK(gpu.last_completed() == fence_id{11});
}

TEST_CASE("INT-01 INT-02 PRE-13: completed, faulted, preempted, then exactly one DPC, for every set of records") {
    report ids{};
    ids.completed = {1};
    ids.faulted = {2};
    ids.preemption = {3};
    ids.last_completed = {2};
    for (u32 set = 0; set != 16; ++set) {
        actions demanded{static_cast<u32>(action::ask) | static_cast<u32>(action::hand_over)};
        std::vector<u32> expected;
        for (u32 i = 0; i != 4; ++i) {
            if ((set >> i & 1) != 0) {
                demanded = demanded | record_actions[i];
                expected.push_back(record_types[i]);
            }
        }
        if (!expected.empty()) {
            expected.push_back(99);
        }
        system_side<v2_0::dxgkargcb_notify_interrupt_data> system;
        CHECK(system.tell(demanded, ids) == !expected.empty());
        CHECK(system.order == expected);
        CHECK(demanded.records() == !expected.empty());
        for (auto const& record : system.records) {
            CHECK((record.InterruptType != 1 || record.DmaCompleted.SubmissionFenceId == 1));
            CHECK((record.InterruptType != 2 ||
                   (record.DmaPreempted.PreemptionFenceId == 3 && record.DmaPreempted.LastCompletedFenceId == 2)));
        }
    }
    // A structure without page faults has the rest in the same order.
    system_side<win8::dxgkargcb_notify_interrupt_data> old;
    CHECK(old.tell(only(action::completed) | action::preempted, ids));
    CHECK(old.order == std::vector<u32>{1, 2, 99});
}

TEST_CASE("INT-09: a general code and the device's own are the same 31 bits, told apart by bit 0") {
    struct row {
        u32 error;
        bool own;
        u32 word;  // bit 0, then 31 bits of code
    };
    for (row const& one : {row{1, false, 2}, row{1, true, 3}, row{0x7FFF'FFFF, true, ~0u}, row{~0u, false, ~1u}}) {
        CAPTURE(one.word);
        fault_details details{};
        details.error = one.error;
        details.error_is_devices_own = one.own;
        v2_0::dxgkargcb_notify_interrupt_data data{};
        fill_faulted(data, {0x99}, details, place);
        u32 word = 0;
        static_assert(sizeof data.DmaPageFaulted.FaultErrorCode == sizeof word);
        std::memcpy(&word, &data.DmaPageFaulted.FaultErrorCode, sizeof word);
        CHECK(word == one.word);
    }
}

TEST_CASE("INT-03: the record goes to a function that takes no pointer to a constant, as DxgkCbNotifyInterrupt") {
    using data = v2_0::dxgkargcb_notify_interrupt_data;
    u32 calls = 0;
    data scratch{};
    auto const notify = [&](data& record) {
        calls += record.InterruptType == 1 ? 1 : 100;
        record.InterruptType = 0;
    };
    CHECK(notify_in_order(only(action::completed), {}, place, {}, scratch, notify, [] {}));
    CHECK(calls == 1);
    CHECK(scratch.InterruptType == 0);
}

TEST_CASE("INT-01: engines that share an interrupt share its DPC") {
    using data = v2_0::dxgkargcb_notify_interrupt_data;
    std::vector<u32> order;
    data scratch{};
    auto const notify = [&](data const& record) { order.push_back(record.DmaCompleted.NodeOrdinal); };
    bool due = false;
    for (u32 node = 0; node != 3; ++node) {
        due |= notify_records(node == 1 ? actions{} : only(action::completed), {}, {node, 0}, {}, scratch, notify);
    }
    CHECK(due);
    CHECK(order == std::vector<u32>{0, 2});
}

TEST_CASE("LDA-04: outside a link the records say engine 0") {
    win8::dxgkargcb_notify_interrupt_data data{};
    fill_completed(data, {1}, as_reported({4, 1}, {2, 5}));
    CHECK(data.DmaCompleted.EngineOrdinal == 0u);
    CHECK(data.DmaCompleted.NodeOrdinal == 2u);
    fill_preempted(data, {1}, {0}, as_reported({4, 2}, {2, 1}));
    CHECK(data.DmaPreempted.EngineOrdinal == 1u);
}

TEST_CASE("INT-08: a query of the current fence reports a completion first, and only one that was not reported") {
    engine<8> gpu;
    gpu.start({stopping::between_buffers, false}, {9}, {1});
    static_cast<void>(gpu.submit({{10}, 0, {0, 4}, 0}));
    static_cast<void>(gpu.next());
    system_side<v2_0::dxgkargcb_notify_interrupt_data> system;
    mirror::vista::dxgkarg_querycurrentfence args{0xDEAD, 3, 1};
    // The hardware wrote nothing yet.
    CHECK(!system.tell(gpu.query_fence({0}), gpu.report()));
    CHECK(answer_query_current_fence(args, gpu.last_completed()) == status::success);
    CHECK(args.CurrentFence == 9u);
    CHECK(system.order.empty());
    // It has finished, and no interrupt came: the query reports it.
    CHECK(system.tell(gpu.query_fence({1}), gpu.report()));
    CHECK(answer_query_current_fence(args, gpu.last_completed()) == status::success);
    CHECK(args.CurrentFence == 10u);
    CHECK(system.order == std::vector<u32>{1, 99});
    // A second query finds nothing newer.
    CHECK(!system.tell(gpu.query_fence({1}), gpu.report()));
    CHECK(args.CurrentFence == 10u);
    CHECK(system.order == std::vector<u32>{1, 99});
}

TEST_CASE("HWS-01 HWS-07: the records of hardware scheduling carry 64-bit fences, and exist from WDDM 2.2 and 2.4") {
    expect_both(switched_is_filled<v2_2::dxgkargcb_notify_interrupt_data>());
    expect_both(switched_is_filled<v3_2::dxgkargcb_notify_interrupt_data>());
    CHECK(suspended_is_filled<v2_4::dxgkargcb_notify_interrupt_data>());
    CHECK(suspended_is_filled<v3_2::dxgkargcb_notify_interrupt_data>());
    static_assert(!reports_list_switches<mirror::v2_1::dxgkargcb_notify_interrupt_data>);
    static_assert(!reports_suspensions<v2_2::dxgkargcb_notify_interrupt_data>);
}

}  // namespace notify_test
