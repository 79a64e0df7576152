// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <paging/window_shapes.hpp>

#include <doctest/doctest.h>

namespace window_rules_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

using window_shapes::common_gpu;
using window_shapes::large_gpu;

/// Pages of which no two neighbours are consecutive.
std::vector<u64> scattered(u64 count) {
    std::vector<u64> list;
    for (u64 i = 0; i != count; ++i) {
        list.push_back(0x1000 + (i * 7919) % 0x10'0000 * 2);
    }
    return list;
}

std::vector<u64> consecutive_pages(u64 count, u64 first = 0x4'0000) {
    std::vector<u64> list;
    for (u64 i = 0; i != count; ++i) {
        list.push_back(first + i);
    }
    return list;
}

void check_done(window_play const& done) {
    CHECK(done.problem.empty());
    CHECK(done.status == status::success);
}

}  // namespace

// A copy of the recording engine has 11 dwords, an entry 2, a head 3, a flush 3, a wait 2: n pages take 2n + 19 through
// the window and 11n without it, so that the window pays from 3 pages on.
TEST_CASE("OP00-10 window: scattered pages take the window as soon as it is shorter, one page alone never does") {
    window_player<common_gpu> player;
    window_play const two = player.run_at_once(player.make(scattered(2), 2 * page_bytes, false));
    check_done(two);
    CHECK((two.dwords == 22 && two.chunks == 0 && two.copies == 2));
    window_play const three = player.run_at_once(player.make(scattered(3), 3 * page_bytes, false));
    check_done(three);
    CHECK((three.dwords == 25 && three.chunks == 1 && three.copies == 1));
    window_play const most = player.run_at_once(player.make(scattered(64), 64 * page_bytes, true));
    check_done(most);
    CHECK((most.dwords == 2 * 64 + 19 && most.chunks == 1 && most.copies == 1));
}

TEST_CASE("OP00-10 window: consecutive pages take the same commands as without a window") {
    window_player<common_gpu> player;
    // Copies of 100 pages: 5 whole ones and one of 7 pages, whatever the chunk of 64 pages.
    for (bool const list_is_source : {false, true}) {
        window_play const done =
            player.run_at_once(player.make(consecutive_pages(507), 507 * page_bytes - 100, list_is_source));
        check_done(done);
        CHECK((done.chunks == 0 && done.copies == 6 && done.dwords == 66));
    }
}

TEST_CASE("OP00-10 window: a list that is scattered in one part and consecutive in another has each in its own form") {
    window_player<common_gpu> player;
    std::vector<u64> list = scattered(128);
    std::vector<u64> const run = consecutive_pages(400);
    list.insert(list.end(), run.begin(), run.end());
    window_play const done = player.run_at_once(player.make(list, list.size() * page_bytes, false));
    check_done(done);
    CHECK((done.chunks == 2 && done.copies == 2 + 4));
    CHECK(done.dwords == 2 * (2 * 64 + 19) + 4 * 11);
}

TEST_CASE("PGB-20 window: every pass waits before its first write, and again before slots are written anew") {
    // The machine reports a slot that is written while a copy may use it; here the waits are counted as well.
    window_player<common_gpu> player;
    window_play const done = player.run_at_once(player.make(scattered(64 * 3), 64 * 3 * page_bytes, false));
    check_done(done);
    CHECK((done.chunks == 3 && done.waits == 3));
    // In 3,000 slots two chunks of 1,024 pages and a shorter one lie behind each other.
    window_player<window_shapes::many_gpu> many;
    window_play const chunks = many.run_at_once(many.make(scattered(2500), 2500 * page_bytes, false));
    check_done(chunks);
    CHECK((chunks.chunks == 3 && chunks.waits == 1));
    window_player<window_shapes::many_gpu> more;
    window_play const again = more.run_at_once(more.make(scattered(4000), 4000 * page_bytes, false));
    check_done(again);
    // The third chunk finds 952 slots left, waits and begins anew; the fourth lies behind it.
    CHECK((again.chunks == 4 && again.waits == 2));
    // What is left takes exactly the third: it need not wait.
    window_play const exact = more.run_at_once(more.make(scattered(3000), 3000 * page_bytes, false));
    check_done(exact);
    CHECK((exact.chunks == 3 && exact.waits == 1));
    window_play const fifth = more.run_at_once(more.make(scattered(4100), 4100 * page_bytes, false));
    check_done(fifth);
    CHECK((fifth.chunks == 5 && fifth.waits == 2));
}

TEST_CASE("OP00-10 window: the last page moves no byte past the request, through the window and beside it") {
    window_player<common_gpu> player;
    for (u64 const count : {1u, 2u, 3u, 63u, 64u, 65u, 66u, 67u, 128u}) {
        for (u64 const short_by : {4u, 2048u, 4092u}) {
            if (emulated && count > 3 && (count + short_by) % 5 != 0) {
                continue;
            }
            for (bool const list_is_source : {false, true}) {
                // Of the longer lists one direction for each length.
                if (slow_build && count > 3 && list_is_source != (short_by == 2048)) {
                    continue;
                }
                check_done(
                    player.run_at_once(player.make(scattered(count), count * page_bytes - short_by, list_is_source)));
                check_done(player.run_at_once(
                    player.make(consecutive_pages(count), count * page_bytes - short_by, list_is_source)));
            }
        }
    }
}

TEST_CASE("PGB-05 PGB-06 window: every token resumes with exactly the pages behind it") {
    window_player<common_gpu> player;
    seeded_numbers random(7);
    std::vector<u64> const list = pages_in_runs(random, 200, 30, u64{1} << 30);
    for (u32 token = 0; token <= 200; token += slow_build && token < 190 ? (emulated ? 27 : 9) : 1) {
        window_arguments args = player.make(list, 200 * page_bytes - 96, token % 2 == 0);
        args.MultipassOffset = token;
        window_play const done = player.run_at_once(args);
        check_done(done);
    }
}

TEST_CASE("PGB-01 PGB-05 window: every room from the smallest buffer up, and the window makes that no larger") {
    using gpu = window_gpu<window_shapes::pages_1023, window_shapes::slots_64>;
    // One copy of 11 dwords, in a stream of units of 4.
    static_assert(smallest_paging_buffer<gpu>.n == 12 * 4);
    window_player<gpu> player;
    seeded_numbers random(11);
    std::vector<u64> const list = pages_in_runs(random, 70, 15, u64{1} << 30);
    window_arguments const args = player.make(list, 70 * page_bytes, false);
    u64 fewest = ~u64{0};
    for (u64 room = smallest_paging_buffer<gpu>.n; room <= 800; room += 4) {
        window_play const done = player.run(args, [room] { return room; });
        check_done(done);
        fewest = lesser(fewest, done.passes);
    }
    CHECK(fewest == 1);
    // Without any room nothing is done, and nothing is said about a fault.
    CHECK(player.run(args, [] { return u64{8}; }).status == status::graphics_insufficient_dma_buffer);
    CHECK(player.hw.faults == 0);
}

TEST_CASE("OP07-01 window: a special lock transfer takes the window too") {
    window_player<window_gpu<shapes::pages_255<shapes::physical>, window_shapes::slots_64>> player;
    guarded_mdl mdl(100);
    mirror::v2_9::dxgkarg_buildpagingbuffer args{};
    std::vector<u32> buffer(1000);
    args.pDmaBuffer = buffer.data();
    args.DmaSize = 4000;
    args.Operation = static_cast<u32>(paging_operation::special_lock_transfer);
    args.SpecialLockTransfer = {};
    args.SpecialLockTransfer.TransferSize = 60 * page_bytes;
    args.SpecialLockTransfer.Source.pMdl = mdl.make(scattered(60));
    args.SpecialLockTransfer.Destination.SegmentId = local_memory;
    args.SpecialLockTransfer.Destination.SegmentAddress.QuadPart = 0x10'0000'0000;
    CHECK(build_paging_buffer(player.hw, args) == status::success);
    CHECK(args.MultipassOffset == 60);
    // 2 + 3 + 120 + 3 + 11 dwords, filled up to the stream's unit of 4.
    CHECK(static_cast<u32*>(args.pDmaBuffer) - buffer.data() == 140);
}

TEST_CASE("PGB-05 window: a run that outlasts the pass is not read to its end, however long the list is") {
    window_player<common_gpu> player;
    guarded_mdl mdl(400);  // behind these pages nothing can be read
    auto* const list = mdl.make(consecutive_pages(400));
    list->ByteCount = 4000 * 4096;
    mirror::v2_9::dxgkarg_buildpagingbuffer args{};
    u32 buffer[22] = {};  // two copies, of 100 pages each
    args.pDmaBuffer = buffer;
    args.DmaSize = sizeof buffer;
    args.Operation = static_cast<u32>(paging_operation::transfer);
    args.Transfer = {};
    args.Transfer.TransferSize = 4000 * page_bytes;
    args.Transfer.Source.pMdl = list;
    args.Transfer.Destination.SegmentId = local_memory;
    args.Transfer.Destination.SegmentAddress.QuadPart = 0x10'0000'0000;
    CHECK(build_paging_buffer(player.hw, args) == status::graphics_insufficient_dma_buffer);
    CHECK(args.MultipassOffset == 200);
    CHECK(args.pDmaBuffer == buffer + 22);
}

TEST_CASE("ADL-06 window: a page behind the device's reach is refused before anything is committed") {
    window_player<window_shapes::four_byte_gpu> player;
    u64 const behind = u64{1} << 24;
    for (u64 const at : {0u, 1u, 96u, 97u, 98u, 99u, 100u, 101u, 102u, 103u, 150u, 199u}) {
        for (bool const consecutive : {false, true}) {
            // In a scattered list the page goes through the window; in a consecutive one the run reaches it.
            std::vector<u64> list = consecutive ? consecutive_pages(200, behind - at) : scattered(200);
            list[at] = behind;
            u32 const faults = player.hw.faults;
            window_play const refused = player.run_at_once(player.make(list, 200 * page_bytes, false));
            CHECK(refused.problem.empty());
            CHECK(refused.status == status::invalid_parameter);
            CHECK(refused.dwords == 0);
            CHECK(player.hw.faults == faults + 1);
            CHECK(player.hw.last_fault.rule == paging_rule::list_wraps);
            CHECK(player.hw.last_fault.value == behind);
        }
    }
    // A run that goes on behind its chunk of 512 pages, and leaves the reach there.
    u32 const faults = player.hw.faults;
    window_play const long_run =
        player.run_at_once(player.make(consecutive_pages(700, behind - 650), 700 * page_bytes, false));
    CHECK((long_run.status == status::invalid_parameter && long_run.dwords == 0 && player.hw.faults == faults + 1));
    CHECK(player.hw.last_fault.value == behind);
    check_done(player.run_at_once(player.make(consecutive_pages(700, behind - 700), 700 * page_bytes, false)));
    // A run whose numbers wrap ends low: that it began beyond the reach is not forgotten.
    for (u64 const in_front : {u64{1}, u64{100}, u64{199}}) {
        window_play const wraps =
            player.run_at_once(player.make(consecutive_pages(200, u64{0} - in_front), 200 * page_bytes, false));
        CHECK((wraps.status == status::invalid_parameter && wraps.dwords == 0));
        CHECK(player.hw.last_fault.rule == paging_rule::list_wraps);
        CHECK(player.hw.last_fault.value == u64{0} - in_front);
    }
    // Numbers that wrap make a run whose last page is low again.
    u32 const before_wrap = player.hw.faults;
    window_play const wrapped =
        player.run_at_once(player.make(consecutive_pages(700, ~u64{0} - 299), 700 * page_bytes, true));
    CHECK((wrapped.status == status::invalid_parameter && wrapped.dwords == 0));
    CHECK(player.hw.faults == before_wrap + 1);
    CHECK(player.hw.last_fault.rule == paging_rule::list_wraps);
    CHECK(player.hw.last_fault.value == ~u64{0} - 299);
    // No number is so large that it is none.
    std::vector<u64> list = scattered(200);
    list[77] = ~u64{0};
    CHECK(player.run_at_once(player.make(list, 200 * page_bytes, false)).status == status::invalid_parameter);
    CHECK(player.hw.last_fault.rule == paging_rule::list_wraps);
    CHECK(player.hw.last_fault.value == ~u64{0});
    // The last page within reach is no fault.
    list[77] = behind - 1;
    check_done(player.run_at_once(player.make(list, 200 * page_bytes, false)));
}

TEST_CASE("ADL-06 window: every bit of every page number is gathered, whichever place of a step the page has") {
    constexpr u32 count = 20;
    for (u32 place = 0; place != count; ++place) {
        usize list[count] = {};
        u32 words[2 * count] = {};
        list[place] = usize{0x9000'0001};
        CAPTURE(place);
        CHECK(paging::detail::put_window_entries<large_gpu>(words, list, count, u64{0}) == list[place]);
        CHECK(paging::detail::put_window_entries<window_shapes::four_byte_gpu>(words, list, count, u64{0}) ==
              list[place]);
    }
}

TEST_CASE("OP00-10 window: what is chosen is within 1.02 of the shorter form, for mean runs of 1 to 64 pages") {
    window_player<large_gpu> chosen;
    window_player<window_gpu<window_shapes::pages_1023, window_shapes::one_slot>> packets;
    // All through the window: 2 dwords a page; a wait, a head, a flush and a copy for 512 pages.
    constexpr u64 count = 12 * 512;
    constexpr u64 all_through_window = count * 2 + 12 * (2 + 3 + 3 + 11);
    u64 const seed = seed_of_run();
    for (u64 tenths = 10; tenths <= 640; tenths += (tenths < 100 ? 5U : 45U) * (emulated ? 8U : slow_build ? 3U : 1U)) {
        seeded_numbers random(seed + tenths);
        std::vector<u64> const list = pages_in_runs(random, count, tenths, u64{1} << 34);
        // Where one slot never pays, all is copies of runs.
        window_play const runs = packets.run_at_once(packets.make(list, count * page_bytes, false));
        check_done(runs);
        REQUIRE(runs.chunks == 0);
        window_play const mixed = chosen.run_at_once(chosen.make(list, count * page_bytes, false));
        check_done(mixed);
        u64 const better = lesser(runs.dwords, all_through_window);
        CHECK_MESSAGE(mixed.dwords * 100 <= better * 102,
                      "mean run " << tenths << "/10: " << mixed.dwords << " dwords, " << better << " are possible");
    }
}

TEST_CASE("OP00-10 window: counting runs, and what fits, by brute force") {
    u64 const seed = seed_of_run();
    seeded_numbers random(seed);
    for (u64 round = 0; round < 2000 / slow_build_factor; ++round) {
        u64 const count = 1 + random.below(40);
        std::vector<u64> const list = pages_in_runs(random, count, 10 + random.below(60), u64{1} << 20);
        std::vector<usize> const numbers(list.begin(), list.end());
        u32 const most = 1 + static_cast<u32>(random.below(6));
        u32 runs = 0;
        u32 copies = 0;
        u32 length = 0;
        for (u64 i = 0; i != count; ++i) {
            bool const goes_on = i != 0 && numbers[i] == numbers[i - 1] + 1;
            runs += goes_on ? 0 : 1;
            length = goes_on && length != most ? length + 1 : 1;
            copies += length == 1 ? 1 : 0;
        }
        u32 const limit = static_cast<u32>(random.below(count + 2));
        u32 const n = static_cast<u32>(count);
        REQUIRE_MESSAGE(adl::detail::has_more_runs(numbers.data(), n, limit) == (runs > limit), "round " << round);
        REQUIRE_MESSAGE(adl::detail::has_more_copies(numbers.data(), n, limit, most) == (copies > limit),
                        "round " << round);
    }
    using gpu = window_shapes::copies_of_three_gpu;
    for (u32 room = 0; room != 500; ++room) {
        for (bool const waits : {false, true}) {
            u32 fits = 0;
            for (u32 n = 1; n <= 64; ++n) {
                fits = paging::detail::window_dwords(gpu{}, n, waits) <= room ? n : fits;
            }
            REQUIRE(paging::detail::window_fit(gpu{}, room, waits) == fits);
        }
    }
}

}  // namespace window_rules_test
