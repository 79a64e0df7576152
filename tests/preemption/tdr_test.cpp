// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "../base/expect_both.hpp"

#include "wddmcore/ddi/mirror/mirror.hpp"
#include "wddmcore/preemption/engine_status.hpp"
#include "wddmcore/preemption/tdr.hpp"

#include <initializer_list>

namespace tdr_test {

using namespace wddmcore;
using namespace wddmcore::preemption;

namespace {

constexpr adapter_shape shape{6, 1};
constexpr engine_after_reset finished{true, true, true};

struct group_answer {
    ntstatus status;
    u64 mask;
};

constexpr group_answer ask_group(u32 node, u64 others, adapter_shape adapter = shape) {
    mirror::win8::dxgkarg_querydependentenginegroup args{node, 0, 0xDEAD};
    ntstatus const status = answer_dependent_engine_group(args, others, adapter);
    return {status, args.DependentNodeOrdinalMask};
}

struct reset_answer {
    ntstatus status;
    u32 aborted;
    friend constexpr bool operator==(reset_answer, reset_answer) = default;
};

constexpr reset_answer reset(engine_after_reset after, u32 aborted, u32 completed, u32 submitted) {
    mirror::win8::dxgkarg_resetengine args{0, 0, 0xDEAD};
    ntstatus const status = answer_reset_engine(args, after, {aborted}, {completed}, {submitted});
    return {status, args.LastAbortedFenceId};
}

// The answers to a row of samples: bit i is the answer to sample i; all questions succeed, or bit 31 is set.
template <u32 Count>
constexpr u32 answers(engine_progress first, engine_progress const (&samples)[Count]) {
    engine_status engine;
    engine.start(first);
    u32 bits = 0;
    for (u32 i = 0; i != Count; ++i) {
        mirror::win8::dxgkarg_queryenginestatus args{};
        args.EngineStatus.Value = 0xFFFF'FFFEu;
        bits |= engine.answer(args, samples[i]) == status::success ? 0u : 1u << 31;
        bits |= args.EngineStatus.Value > 1 ? 1u << 30 : args.EngineStatus.Value << i;
    }
    return bits;
}

constexpr engine_progress moving[] = {{1}, {2}, {3}};
constexpr engine_progress stuck[] = {{7}, {7}, {7}};
constexpr engine_progress stops_and_goes[] = {{7}, {8}, {8}, {9}};
constexpr engine_progress goes_back[] = {{9}, {3}, {3}};

}  // namespace

TEST_CASE("TDR-02: the dependent nodes contain the one that was asked about") {
    for (u32 nodes = 1; nodes <= 64; ++nodes) {
        for (u32 node = 0; node != nodes; ++node) {
            u64 const itself = u64{1} << node;
            CHECK(dependent_nodes(node, 0, nodes) == itself);
            CHECK((dependent_nodes(node, ~u64{0}, nodes) & itself) != 0);
            CHECK(dependent_nodes(node, ~u64{0}, nodes) == low_mask<u64>(nodes));
        }
    }
    expect_both(ask_group(2, 0).mask == 0b000100u);
    expect_both(ask_group(2, 0b100010u).mask == 0b100110u);
    expect_both(ask_group(63, 1, {64, 1}).mask == 0x8000'0000'0000'0001u);
}

TEST_CASE("TDR-03: the dependent group is always answered with success") {
    expect_both(ask_group(2, 0).status == status::success);
    expect_both(ask_group(99, 0).status == status::success);
    expect_both(ask_group(99, 0).mask == 0u);
    expect_both(ask_group(0xFFFF'FFFFu, 3).status == status::success);
}

TEST_CASE(
    "TDR-03: an engine is responsive only if it moved since the last question, and the answer is always success") {
    expect_both(answers({0}, moving) == 0b111u);
    expect_both(answers({7}, stuck) == 0b000u);
    expect_both(answers({0}, stuck) == 0b001u);
    expect_both(answers({7}, stops_and_goes) == 0b1010u);
    expect_both(answers({9}, goes_back) == 0b010u);
    // Serial and place both count, also when the serial wraps.
    expect_both(progress_of({5}, 0) != progress_of({6}, 0));
    expect_both(progress_of({5}, 0x100) != progress_of({5}, 0x104));
    expect_both(progress_of({0xFFFF'FFFFu}, 0) != progress_of({0}, 0));
}

TEST_CASE("TDR-03: responsive is bit 0 of the status, and its reserved bits are 0") {
    mirror::win8::dxgkarg_queryenginestatus args{};
    args.EngineStatus.Value = ~0u;
    engine_status engine;
    engine.start({0});
    CHECK(engine.answer(args, {1}) == status::success);
    CHECK((args.EngineStatus.Responsive == 1u && args.EngineStatus.Reserved == 0u));
    CHECK(engine.answer(args, {1}) == status::success);
    CHECK((args.EngineStatus.Responsive == 0u && args.EngineStatus.Reserved == 0u));
}

TEST_CASE("TDR-05 AMB-18: an aborted id lies from last completed to last submitted, modulo 2^32") {
    expect_both(aborted_id_is_legal({5}, {5}, {9}));
    expect_both(aborted_id_is_legal({9}, {5}, {9}));
    expect_both(!aborted_id_is_legal({4}, {5}, {9}));
    expect_both(!aborted_id_is_legal({10}, {5}, {9}));
    expect_both(aborted_id_is_legal({0}, {0xFFFF'FFFEu}, {1}));
    expect_both(!aborted_id_is_legal({2}, {0xFFFF'FFFEu}, {1}));
    expect_both(!aborted_id_is_legal({0xFFFF'FFFDu}, {0xFFFF'FFFEu}, {1}));
    // Against counting: every id around a range that crosses the wrap.
    for (u32 length = 0; length != 6; ++length) {
        for (u32 from_first = 0; from_first != 16; ++from_first) {
            fence_id const first{0xFFFF'FFFDu};
            fence_id const id{first.n - 8 + from_first};
            bool const inside = from_first >= 8 && from_first - 8 <= length;
            CHECK(aborted_id_is_legal(id, first, {first.n + length}) == inside);
        }
    }
}

TEST_CASE("TDR-05: an aborted id that would bugcheck the system ends in an adapter reset instead") {
    expect_both(reset(finished, 7, 5, 9) == reset_answer{status::success, 7});
    expect_both(reset(finished, 4, 5, 9) == reset_answer{status::unsuccessful, 5});
    expect_both(reset(finished, 10, 5, 9) == reset_answer{status::unsuccessful, 5});
}

TEST_CASE("TDR-06: an engine that drained before its reset names the last completed id") {
    expect_both(reset(finished, 5, 5, 5) == reset_answer{status::success, 5});
    expect_both(reset(finished, 6, 5, 5).status == status::unsuccessful);
}

TEST_CASE("TDR-04: an engine reset succeeds only when it is done, the queue is empty and the node is ready") {
    for (u32 bits = 0; bits != 8; ++bits) {
        engine_after_reset const after{(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0};
        CHECK((engine_reset_status(after) == status::success) == (bits == 7));
        CHECK((reset(after, 7, 5, 9).status == status::success) == (bits == 7));
    }
}

TEST_CASE("TDR-08: a failed engine reset, and one that aborted a paging packet, end in an adapter reset") {
    expect_both(!escalates_to_adapter_reset(reset(finished, 7, 5, 9).status, false));
    expect_both(escalates_to_adapter_reset(reset(finished, 7, 5, 9).status, true));
    expect_both(escalates_to_adapter_reset(reset({false, true, true}, 7, 5, 9).status, false));
    // The id is legal even then: the system may read it before it looks further.
    expect_both(reset({false, true, true}, 7, 5, 9).aborted == 7u);
}

TEST_CASE("TDR-11: adapter reset and restart answer success; the reset returns only when the GPU reaches no memory") {
    expect_both(answer_reset_from_timeout(true).status == status::success);
    expect_both(!answer_reset_from_timeout(true).may_return);
    expect_both(answer_reset_from_timeout(false).status == status::success);
    expect_both(answer_reset_from_timeout(false).may_return);
    expect_both(answer_restart_from_timeout() == status::success);
}

TEST_CASE(
    "TDR-12: between adapter reset and restart the GPU is not touched, and only empty transfers and unmaps come") {
    expect_both(may_access_gpu(recovery_phase::running));
    expect_both(!may_access_gpu(recovery_phase::lost));
    for (u32 code = 0; code != paging_operation_count; ++code) {
        bool const transfers = code == 0 || code == 7;  // TRANSFER, SPECIAL_LOCK_TRANSFER
        bool const unmaps = code == 6;                  // UNMAP_APERTURE_SEGMENT
        CHECK(arrives_while_lost(static_cast<paging_operation>(code), {0}) == (transfers || unmaps));
        CHECK(arrives_while_lost(static_cast<paging_operation>(code), {4096}) == unmaps);
    }
}

TEST_CASE("TDR-15: debug information is collected at passive level for the two timeouts, else at an undefined level") {
    expect_both(collect_debug_info_level(0x117) == call_level::passive);
    expect_both(collect_debug_info_level(0x141) == call_level::passive);
    expect_both(may_be_pageable(collect_debug_info_level(0x141)));
    for (u32 const reason : {0u, 0x10Eu, 0x116u, 0x118u, 0x119u, 0x140u, 0x142u}) {
        CHECK(collect_debug_info_level(reason) == call_level::undefined);
        CHECK(!may_be_pageable(collect_debug_info_level(reason)));
    }
}

}  // namespace tdr_test
