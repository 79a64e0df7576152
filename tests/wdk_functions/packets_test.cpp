// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// Which packets the DDI functions of wdk/ take, whose they are, and what is left of those that are refused or cancelled.
#include "noting_gpu.hpp"

namespace wdk_functions_test {

namespace {

constexpr u32 ring_capacity = 64;  // AMB-54
constexpr u32 packet_cap = example_gpu::scheduling.hw_queue_packet_cap;

TEST_CASE("PRE-30: refused packets leave room in the ring for those that the system may still submit") {
    started s;
    auto const context = s.context(0);
    u32 fence = 1;
    REQUIRE(s.submit(context.hContext, 0, fence) == status::success);  // a long one
    u32 in_flight = 1;
    u32 refused = 0;
    while (in_flight != packet_cap - 1) {
        ntstatus const answer = s.submit(context.hContext, 0, ++fence, false);
        REQUIRE(fence < 2 * ring_capacity);
        if (answer == status::success) {
            CHECK(s.gpu.written.back().kind == wddmcore_packet_only_fences);
            ++in_flight;
        } else {
            CHECK(answer == status::invalid_parameter);
            ++refused;
        }
    }
    CHECK(refused == ring_capacity - packet_cap);
    REQUIRE(s.submit(context.hContext, 0, ++fence) == status::success);
    CHECK(s.gpu.written.size() == packet_cap);
    CHECK(s.gpu.written.back().kind == wddmcore_packet_runs);
    s.finish(0);
    CHECK(s.last_fence(0) == fence);
    s.destroy(context);
}

TEST_CASE("PGB-15: a packet that names no context has the system's newest one on its node, or the driver's default") {
    started s;
    int older = 0;
    int newer = 0;
    int elsewhere = 0;
    u32 fence = 0;
    auto const context_of_next = [&]() -> void* {
        REQUIRE(s.submit(nullptr, 1, ++fence) == status::success);
        REQUIRE(s.gpu.written.size() == fence);
        s.finish(1);
        return s.gpu.written.back().context;
    };
    CHECK(context_of_next() == nullptr);
    auto const other = s.context(0, true, &elsewhere);
    auto const users = s.context(1, false, &elsewhere);
    CHECK(context_of_next() == nullptr);
    auto const first = s.context(1, true, &older);
    CHECK(context_of_next() == &older);
    auto const second = s.context(1, true, &newer);
    CHECK(context_of_next() == &newer);
    s.destroy(second);
    CHECK(context_of_next() == &older);
    s.destroy(first);
    CHECK(context_of_next() == nullptr);
    CHECK(s.last_fence(1) == fence);
    s.destroy(users);
    s.destroy(other);
    CHECK(s.gpu.blocks == 0);
}

TEST_CASE(
    "PGB-15: a packet that names no context goes on where it was stopped, unless the default context is another") {
    started s;
    int owns[2] = {};
    auto const first = s.context(1, true, &owns[0]);
    REQUIRE(s.submit(nullptr, 1, 1) == status::success);
    s.preempt(1, 2);
    s.stop_half_run(1);
    wddmcore_packet_kind expected = wddmcore_packet_resumes;
    DXGKARG_CREATECONTEXT second{};
    SUBCASE("the same") {}
    SUBCASE("another") {
        second = s.context(1, true, &owns[1]);
        expected = wddmcore_packet_runs;
    }
    REQUIRE(s.submit(nullptr, 1, 3) == status::success);
    CHECK(s.gpu.written.back().kind == expected);
    if (second.hContext != nullptr) {
        // What is saved now is not where the next default context would load it.
        s.preempt(1, 4);
        s.destroy(second);
        s.stop_half_run(1);
        REQUIRE(s.submit(nullptr, 1, 5) == status::success);
        CHECK(s.gpu.written.back().kind == wddmcore_packet_runs);
    }
    s.finish(1);
    s.destroy(first);
}

/// A packet is stopped half-run, cancelled, and comes again as another with the same commands.
struct cancelled {
    started s{};
    packet_data own{0, 0, 0x1040};
    DXGKARG_SUBMITCOMMANDVIRTUAL args{};
    DXGKARG_CANCELCOMMAND cancel{};

    explicit cancelled(void* context, u32 node) : args(started::packet(context, node, 1, &own)) {
        cancel.hContext = context;
        cancel.pDmaBufferPrivateData = &own;
        cancel.DmaBufferSize = 0x1000;
        cancel.DmaBufferSubmissionStartOffset = 0x40;
        cancel.DmaBufferSubmissionEndOffset = 0x80;  // 64 bytes
    }
    void of(DXGKARG_CREATECONTEXT const& context) { args.hContext = cancel.hContext = context.hContext; }
    wddmcore_packet_kind after_cancel() {
        REQUIRE(s.submit(args) == status::success);
        s.preempt(args.NodeOrdinal, 2);
        s.stop_half_run(args.NodeOrdinal);
        REQUIRE(wdk::cancel_command<noting_gpu>(s.handle, &cancel) == status::success);
        args.SubmissionFenceId = 3;
        REQUIRE(s.submit(args) == status::success);
        auto const kind = s.gpu.written.back().kind;
        s.finish(args.NodeOrdinal);
        return kind;
    }
};

TEST_CASE("TDR-14: a cancelled packet never goes on, whatever its offset and whoever names its address") {
    cancelled c(nullptr, 0);
    auto const context = c.s.context(0);
    c.of(context);
    SUBCASE("the private data names it") {}
    SUBCASE("the structures name it") {
        c.own.Address = 0;
        c.args.DmaBufferVirtualAddress = c.cancel.DmaBufferVirtualAddress = 0x1040;
    }
    SUBCASE("the submission of a paging packet does not (OBS-08), and its cancellation does") {
        c.cancel.DmaBufferVirtualAddress = 0x1040;
    }
    SUBCASE("without private data") {
        c.args.pDmaBufferPrivateData = c.cancel.pDmaBufferPrivateData = nullptr;
        c.args.DmaBufferVirtualAddress = c.cancel.DmaBufferVirtualAddress = 0x1040;
    }
    CHECK(c.after_cancel() == wddmcore_packet_runs);
    c.s.destroy(context);
}

TEST_CASE("TDR-14: the cancellation of another portion leaves the saved state of this one") {
    cancelled c(nullptr, 0);
    auto const context = c.s.context(0);
    c.of(context);
    packet_data other{0, 0, 0x1080};
    c.cancel.pDmaBufferPrivateData = &other;
    c.cancel.DmaBufferSubmissionStartOffset = 0x80;
    c.cancel.DmaBufferSubmissionEndOffset = 0xC0;
    CHECK(c.after_cancel() == wddmcore_packet_resumes);
    c.s.destroy(context);
}

TEST_CASE("TDR-14: a packet that names no context is cancelled on its node, with a context of the system and without") {
    cancelled c(nullptr, 1);
    SUBCASE("without") { CHECK(c.after_cancel() == wddmcore_packet_runs); }
    SUBCASE("with one") {
        auto const context = c.s.context(1, true);
        CHECK(c.after_cancel() == wddmcore_packet_runs);
        c.s.destroy(context);
    }
}

TEST_CASE("PRE-30: a refused packet may outlive its context in the ring") {
    started s;
    auto const first = s.context(0);
    auto const second = s.context(0);
    REQUIRE(s.submit(first.hContext, 0, 1) == status::success);
    s.preempt(0, 2);
    REQUIRE(s.submit(second.hContext, 0, 3, false) == status::invalid_parameter);
    s.finish(0);
    s.destroy(second);
    wdk::context* const reused = static_cast<wdk::context*>(s.context(0).hContext);
    reused->half_run.keep({0x1000, {0, 64}});  // as if of a packet like the refused one
    s.stop(0);
    CHECK(s.last_fence(0) == 3);
    CHECK(reused->half_run.taken);
    CHECK(wdk::destroy_context<noting_gpu>(reused) == status::success);
    s.destroy(first);
    CHECK(s.gpu.blocks == 0);
}

TEST_CASE("PRE-30: a packet that was stopped half-run and is refused when it comes back leaves no state behind") {
    started s;
    auto const context = s.context(0);
    REQUIRE(s.submit(context.hContext, 0, 1) == status::success);
    s.preempt(0, 2);
    s.stop_half_run(0);
    REQUIRE(s.submit(context.hContext, 0, 3, false) == status::invalid_parameter);
    REQUIRE(s.submit(context.hContext, 0, 4) == status::success);
    CHECK(s.gpu.written.back().kind == wddmcore_packet_runs);
    s.finish(0);
    s.destroy(context);
}

TEST_CASE("CTX-01: a switch to the null context comes without private data") {
    started s;
    auto const context = s.context(0);
    auto args = started::packet(context.hContext, 0, 1, nullptr);
    args.DmaBufferSize = 0;
    args.Flags.ContextSwitch = 1;
    CHECK(s.submit(args) == status::success);
    REQUIRE(s.gpu.written.size() == 1);
    CHECK(s.gpu.written[0].kind == wddmcore_packet_leaves_context);
    s.finish(0);
    args = started::packet(context.hContext, 0, 2, nullptr);  // commands, but nobody says where
    CHECK(s.submit(args) == status::invalid_parameter);
    CHECK(s.last_fence(0) == 2);
    s.destroy(context);
}

}  // namespace

}  // namespace wdk_functions_test
