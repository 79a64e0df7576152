// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <paging/window_shapes.hpp>

#include <doctest/doctest.h>

namespace window_model_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

constexpr u64 cases = 400 / slow_build_factor;

/// Random lists, sizes, directions and buffers against the model.
template <class Hw>
void expect_as_modelled(u64 seed) {
    window_player<Hw> player;
    constexpr u64 limit = (Hw::caps.highest_visible_address >> 12) + 1;
    u64 chunks = 0;
    u64 copies = 0;
    for (u64 round = 0; round < cases; ++round) {
        seeded_numbers random(seed + round * 0x1'0000'0001);
        u64 const count = random.one_in(8) ? 1 + random.below(1500) : 1 + random.below(120);
        u64 const means[] = {10, 12, 20, 35, 60, 300, 100'000};
        u32 const skip = random.one_in(2) ? static_cast<u32>(random.below(30)) : 0;
        std::vector<u64> const list = pages_in_runs(random, skip + count, means[random.below(7)], limit);
        u64 const size = count * page_bytes - (random.one_in(2) ? random.below(page_bytes / 4) * 4 : 0);
        window_arguments const args = player.make(list, size, random.one_in(2), skip, random.below(1000) * 4);
        bool const whole = random.one_in(3);
        constexpr u64 smallest = smallest_paging_buffer<Hw>.n;
        u64 const most = random.one_in(2) ? 600 : 9000;
        window_play const done = player.run(args, [&] {
            return whole ? u64{1} << 20 : random.one_in(3) ? smallest : smallest + random.below(most);
        });
        if (!done.problem.empty() || done.status != status::success || player.hw.faults != 0) {
            FAIL(done.problem << "; WDDMCORE_SEED=" << seed << " round " << round);
        }
        chunks += done.chunks;
        copies += done.copies;
    }
    CHECK(copies > cases);
    // A copy of a page moves no more through a window than without it, and one slot never pays.
    bool const pays = Hw::copy_max.n > page_bytes && Hw::window_slots > 1;
    CHECK((chunks > cases / 8) == pays);
}

}  // namespace

TEST_CASE("OP00-01 OP00-02 OP00-10 PGB-05 window: the model, a window of one page") {
    expect_as_modelled<window_shapes::one_slot_gpu>(seed_of_run());
}
TEST_CASE("OP00-01 OP00-02 OP00-10 PGB-05 window: the model, copies of one page") {
    expect_as_modelled<window_shapes::copies_of_a_page_gpu>(seed_of_run());
}
TEST_CASE("OP00-01 OP00-02 OP00-10 PGB-05 OP08-06 window: the model, copies of three pages") {
    expect_as_modelled<window_shapes::copies_of_three_gpu>(seed_of_run());
}
TEST_CASE("OP00-01 OP00-02 OP00-10 PGB-05 PGB-20 window: the model, seven slots and writes of five") {
    expect_as_modelled<window_shapes::seven_gpu>(seed_of_run());
}
TEST_CASE("OP00-01 OP00-02 OP00-10 PGB-05 PGB-20 window: the model, 64 slots") {
    expect_as_modelled<window_shapes::common_gpu>(seed_of_run());
}
TEST_CASE("OP00-01 OP00-02 OP00-10 PGB-05 window: the model, an engine that needs neither flush nor wait") {
    expect_as_modelled<window_shapes::in_order_gpu>(seed_of_run());
}
TEST_CASE("OP00-01 OP00-02 OP00-10 PGB-05 PGB-20 window: the model, 512 slots") {
    expect_as_modelled<window_shapes::large_gpu>(seed_of_run());
}
TEST_CASE("OP00-01 OP00-02 OP00-10 PGB-05 PGB-20 window: the model, entries of four bytes") {
    expect_as_modelled<window_shapes::four_byte_gpu>(seed_of_run());
}
TEST_CASE("OP00-01 OP00-02 OP00-10 PGB-05 PGB-20 window: the model, more slots than a chunk takes") {
    expect_as_modelled<window_shapes::many_gpu>(seed_of_run());
}

}  // namespace window_model_test
