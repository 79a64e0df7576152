// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "../setup.hpp"

#include <vector>

using namespace plain;

namespace scheduler_broadcast {
namespace {

[[nodiscard]] setup linked(setup s = calm()) {
    s.options.nodes = 2;
    s.options.engines = 2;
    return s;
}

TEST_CASE("LDA-05: buffers that both adapters of a link read are right, with preemptions, hangs and resets") {
    std::uint64_t compared = 0;
    std::uint64_t preempted = 0;
    for (std::uint64_t seed = seed_or(1); seed < seed_or(1) + (slow_build ? 20 : 200); ++seed) {
        INFO("WDDMCORE_SEED=", seed);
        setup s = linked(troubled(calm(seed % 3 == 0 ? wddm::win8 : wddm::v2_9)));
        s.options.chances.broadcast = 60;
        s.options.stops_at = scheduler::granularities[seed % 6];
        scheduler::report const report = run(s, seed);
        INFO(report.text());
        CHECK(report.passed());
        compared += report.times_exercised(scheduler::rule::lda_05);
        preempted += report.count.preempted;
    }
    CHECK(compared > 100);
    CHECK(preempted > 100);
}

TEST_CASE("LDA-05: a driver that patches the fence id into a buffer that is broadcast is caught") {
    expect_caught(linked(), mistake::fence_patched_in, "LDA-05");
}

TEST_CASE("LDA-05: a driver that writes the fence id into a buffer when a portion is submitted is caught") {
    expect_caught(linked(), mistake::fence_written_at_submit, "LDA-05");
}

TEST_CASE("LDA-05: what one engine alone reads may be written for each submission") {
    for (mistake const harmless : {mistake::fence_patched_in, mistake::fence_written_at_submit}) {
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            setup s = calm();
            s.wrong = harmless;
            scheduler::report const report = run(s, seed);
            CHECK(report.passed());
            CHECK(report.times_exercised(scheduler::rule::lda_05) == 0);
        }
    }
}

TEST_CASE("LDA-05: no buffer is broadcast where the driver patches nothing") {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        setup s = linked();
        s.options.patch = false;
        CHECK(run(s, seed).times_exercised(scheduler::rule::lda_05) == 0);
        CHECK(run(virtual_addresses(linked()), seed).times_exercised(scheduler::rule::lda_05) == 0);
    }
}

TEST_CASE("LDA-03: a driver that gives all contexts of a link to its first adapter is caught") {
    setup s = linked();
    for (std::uint32_t const broadcast : {0U, 60U}) {
        s.options.chances.broadcast = broadcast;
        s.options.paging_nodes = 0;
        expect_caught(s, mistake::affinity_is_not_read, "LDA-03");
    }
}

// Fence ids are unique, or what it says of the first adapter could be true of the second one by chance.
TEST_CASE("LDA-01: a driver that counts the adapters of a link from 1 is caught, whichever of them reports") {
    setup s = linked();
    s.options.fence_id_distance = 0x10'0000;
    expect_caught(s, mistake::adapters_from_1_in_records, "LDA-01");
    for (std::uint32_t const engine : {0U, 1U}) {
        for (mistake const wrong : {mistake::none, mistake::adapters_from_1_in_records}) {
            driver d(wrong);
            scheduler::player p(scheduler::bind_scheduled_driver(d, s.version), s.options, 1);
            std::uint32_t const context = p.create_context(0, engine);
            static_cast<void>(p.create_packets(context, {scheduler::packet_order{}}));
            p.submit(context);
            for (int i = 0; i < 10 && !p.stopped(); ++i) {
                p.advance();
            }
            CHECK(p.result().first_rule() == (wrong == mistake::none ? "" : "LDA-01"));
            CHECK(p.result().times_exercised(scheduler::rule::lda_01) != 0);
        }
    }
}

/// What a run says of the buffers that it lends.
struct lending {
    std::size_t lent = 0;
    std::size_t over = 0;
    bool right = true;  // each is over once, each at an address of its own
    std::map<std::byte const*, std::uint64_t> now;
};

[[nodiscard]] lending lending_of(setup s, std::uint64_t seed) {
    lending seen;
    s.options.on_dma_buffer = [&seen](std::span<std::byte const> buffer, std::optional<std::uint64_t> address) {
        if (address) {
            ++seen.lent;
            for (auto const& [bytes, at] : seen.now) {
                seen.right = seen.right && at != *address;
            }
            seen.right = seen.right && seen.now.emplace(buffer.data(), *address).second;
        } else {
            ++seen.over;
            seen.right = seen.right && seen.now.erase(buffer.data()) == 1;
        }
    };
    CHECK(run(s, seed).passed());
    return seen;
}

TEST_CASE("SPL-08: each DMA buffer is lent once, at its own address, until its packets are over") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        lending const seen = lending_of(troubled(linked()), seed);
        CHECK(seen.right);
        CHECK(seen.now.empty());
        CHECK(seen.lent == seen.over);
        CHECK(seen.lent > 20);
    }
}

struct seen_patch {
    std::uint64_t address;
    void* bytes;
};

/// A driver that notes which bytes it is shown, and changes them when it is told to.
struct looking : driver {
    std::vector<seen_patch> patches;
    bool writes = false;
    template <class Args>
    ntstatus patch(Args const& args) {
        patches.push_back({static_cast<std::uint64_t>(args.DmaBufferPhysicalAddress.QuadPart), args.pDmaBuffer});
        ntstatus const status = driver::patch(args);
        if (writes) {
            static_cast<unsigned char*>(args.pDmaBuffer)[args.DmaBufferSubmissionStartOffset + 20] ^= 1;
        }
        return status;
    }
};

/// A buffer of two portions is broadcast and preempted on the second adapter, after the first one has executed it all.
struct broadcast_run {
    looking d;
    std::size_t lent = 0;
    scheduler::player p;
    std::uint32_t other = 0;

    broadcast_run() : p(scheduler::bind_scheduled_driver(d, linked().version), options(), 1) {
        std::uint32_t const one = p.create_context(0, 0);
        other = p.create_context(0, 1);
        scheduler::packet_order order;
        order.commands = 4;
        static_cast<void>(p.create_broadcast(one, other, {order, order}));
        for (int i = 0; i < 2; ++i) {
            p.submit(one);
            p.submit(other);
        }
        p.preempt(0, 1);
        go_on();
        CHECK(p.state().contexts[one].queue.empty());
    }
    [[nodiscard]] scheduler::options options() {
        scheduler::options o = linked().options;
        o.on_dma_buffer = [this](std::span<std::byte const>, std::optional<std::uint64_t> address) {
            lent += address ? 1U : 0U;
        };
        return o;
    }
    void go_on() {
        for (int i = 0; i < 20; ++i) {
            p.advance();
        }
    }
    void submit_the_rest() {
        CHECK_FALSE(p.state().contexts[other].queue.empty());
        while (!p.state().contexts[other].queue.empty() && !p.stopped()) {
            p.submit(other);
            go_on();
        }
    }
};

TEST_CASE("SPL-08: the bytes of a buffer are the same ones for all its portions and whenever they come back") {
    broadcast_run r;
    r.submit_the_rest();
    REQUIRE(r.d.patches.size() > 4);
    for (seen_patch const& each : r.d.patches) {
        CHECK(each.address == r.d.patches.front().address);
        CHECK(each.bytes == r.d.patches.front().bytes);
    }
    CHECK(r.lent == 1);
    CHECK(r.p.result().passed());
    CHECK(r.p.done());
    CHECK(r.p.result().times_exercised(scheduler::rule::lda_05) >= 2);
}

TEST_CASE("LDA-05: a buffer is not modified either when one adapter has executed it, and its portion comes back") {
    broadcast_run r;
    CHECK(r.p.result().passed());
    r.d.writes = true;
    r.submit_the_rest();
    CHECK(r.p.result().first_rule() == "LDA-05");
}

}  // namespace
}  // namespace scheduler_broadcast
