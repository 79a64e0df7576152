// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "contexts.hpp"

namespace op10_context_resource_test {

using namespace wddmcore;
using namespace wddmcore::testing;
using namespace wddmcore::testing::contexts;

namespace {

// Each kind of addresses; operation 13 comes from WDDM 2.0 on and has its own test.
constexpr engine_shape physical = with_contexts({.version = wddm::v1_3, .highest_visible_address = 0xF'FFFF'FFFF}, 3);
constexpr engine_shape only_virtual =
    with_contexts({.version = wddm::v2_9, .addresses = paging_addresses::gpu_virtual}, 1);
constexpr engine_shape both = with_contexts({.version = wddm::v2_9, .addresses = paging_addresses::both}, 2);
constexpr engine_shape also_older =
    with_contexts({.version = wddm::v2_9, .oldest = wddm::v1_3, .addresses = paging_addresses::both}, 1);

using physical_gpu = wddm2_gpu<physical, image_part, context_part<1024>>;
using virtual_gpu = wddm2_gpu<only_virtual, image_part, context_part<512>, update_part>;
using both_gpu = wddm2_gpu<both, image_part, context_part<4096>, update_part>;
using older_gpu = wddm2_gpu<also_older, image_part, context_part<64>, update_part>;
using storing_gpu = wddm2_gpu<physical, image_part, image_store_part>;
using two_way_gpu = wddm2_gpu<physical, image_part, image_store_part, context_part<1024>>;
using two_way_both_gpu = wddm2_gpu<both, image_part, image_store_part, context_part<1024>, update_part>;

template <class Args = latest_arguments>
Args init(u32 segment, u64 address) {
    Args args{};
    args.Operation = 10;
    args.InitContextResource = {};
    args.InitContextResource.hAllocation = &some_context;
    args.InitContextResource.Destination.SegmentId = segment;
    args.InitContextResource.Destination.SegmentAddress.QuadPart = static_cast<i64>(address);
    return args;
}

latest_arguments init_virtual(u64 va, u32 segment = local_memory, u64 address = local_base) {
    latest_arguments args = init(segment, address);
    args.InitContextResource.Destination.GpuVirtualAddress = va;
    return args;
}

/// Every byte of an image, once, in order; `place` tells where each is.
template <class Place>
void expect_image(pass_result const& done, u64 image, u64 most, Place place) {
    u64 offset = 0;
    for (recorded_command const& one : done.commands) {
        REQUIRE(one.kind == record_kind::context_piece);
        REQUIRE(recorded_address{one.values[0], one.values[1]} == place(offset));
        REQUIRE(one.values[2] == handle_bits(&some_context));
        REQUIRE(one.values[3] == offset);
        REQUIRE(one.values[4] == (image - offset < most ? image - offset : most));
        offset += one.values[4];
    }
    REQUIRE(offset == image);
}

}  // namespace

TEST_CASE("OP10-01 OP10-03: the whole image, once, to a place in a segment, whose base is taken off again") {
    wddm2_request<physical_gpu> test;
    for (u64 const image : {u64{4}, u64{1024}, u64{1028}, u64{9 * 1024 - 4}}) {
        test.hw.image = image;
        pass_result const done = test.run(init(local_memory, local_base + 0x5000));
        expect_image(done, image, 1024,
                     [](u64 offset) { return recorded_address{0x5000 + offset, segment_space(local_memory)}; });
    }
}

TEST_CASE("OP10-01 OP10-03: segment 0 selects the MDL: each piece to its page, none over the end of one") {
    wddm2_request<physical_gpu> test;
    guarded_mdl list{16};
    std::vector<u64> const pages = lonely_pages(3);
    test.hw.image = 2 * 4096 + 2048 + 4;
    latest_arguments args = init(0, 0);
    args.InitContextResource.Destination.pMdl = list.make(pages);
    expect_image(test.run(args), test.hw.image, 1024, [&](u64 offset) {
        return recorded_address{pages[offset / 4096] * 4096 + offset % 4096, system_space};
    });
}

TEST_CASE("OP10-03: no piece crosses a page, wherever the image begins") {
    wddm2_request<physical_gpu> test;
    wddm2_request<virtual_gpu> other;
    // Arithmetic: pieces end at multiples of the largest piece; the first and the last are what is left before and after.
    for (u64 const lead : {u64{4}, u64{508}, u64{512}, u64{1020}, u64{1024}, u64{3068}, u64{4092}}) {
        for (u64 const image : {u64{4}, u64{512}, u64{1024}, u64{1028}, u64{9 * 1024 - 4}}) {
            CAPTURE(lead);
            CAPTURE(image);
            test.hw.image = image;
            other.hw.image = image;
            auto const expect = [&](pass_result const& done, u64 most, recorded_address first) {
                u64 offset = 0;
                for (recorded_command const& one : done.commands) {
                    REQUIRE(recorded_address{one.values[0], one.values[1]} ==
                            recorded_address{first.n + offset, first.space});
                    REQUIRE(one.values[3] == offset);
                    u64 const inside = (lead + offset) % most;
                    REQUIRE(one.values[4] == (image - offset < most - inside ? image - offset : most - inside));
                    offset += one.values[4];
                }
                CHECK(offset == image);
                CHECK(done.status == status::success);
                CHECK(done.next_token == done.commands.size());
            };
            expect(test.run(init(local_memory, local_base + 0x5000 + lead)), 1024,
                   {0x5000 + lead, segment_space(local_memory)});
            expect(other.run(init_virtual(0x70'0000 + lead)), 512, {0x70'0000 + lead, virtual_space});
        }
    }
    test.hw.image = 4 * 1024 + 4;
    test.expect_every_room(init(local_memory, local_base + 1020), 11, 5);
    test.hw.image = 4 * 1024 + 8;
    test.expect_every_room(init(local_memory, local_base + 1020), 11, 6);
    latest_arguments past = init(local_memory, local_base + 1020);
    past.MultipassOffset = 7;
    test.expect_fault(past, paging_rule::token_past_end, 7, 6);
}

TEST_CASE("OP10-03: what is stored at once begins where the pieces that were written by command end") {
    wddm2_request<two_way_gpu> test;
    told_log log;
    test.hw.log = &log;
    test.hw.image = 3 * 1024;
    u8 memory[3 * 1024] = {};
    latest_arguments args = init(aperture_segment, 0x4000'0000 + 1000);
    args.InitContextResource.Destination.VirtualAddress = memory;
    CHECK(test.os.pass(test.hw, args, 48).commands.size() == 1);
    CHECK(args.MultipassOffset == 1);
    args.pDmaBuffer = nullptr;
    CHECK(build_paging_buffer(test.hw, args) == status::success);
    REQUIRE(log.count == 1);
    CHECK(log.list[0].values[0] == handle_bits(memory + 24));
    CHECK(log.list[0].values[3] == 24);
    CHECK(log.list[0].values[4] == 3 * 1024 - 24);
    CHECK(args.MultipassOffset == 4);
    CHECK(build_paging_buffer(test.hw, args) == status::success);
    CHECK(log.count == 1);
    // Pages are a place as a segment is: their first piece had 1,024 bytes, and a page is there for all of the image.
    guarded_mdl list{16};
    args.MultipassOffset = 1;
    args.InitContextResource.Destination.SegmentId = 0;
    args.InitContextResource.Destination.pMdl = list.make(lonely_pages(1));
    CHECK(build_paging_buffer(test.hw, args) == status::success);
    REQUIRE(log.count == 2);
    CHECK(log.list[1].values[0] == handle_bits(memory + 1024));
    CHECK(log.list[1].values[4] == 2048);
    // They are judged as a place is: one page is too few for 4,100 bytes.
    args.MultipassOffset = 1;
    test.hw.image = 4100;
    CHECK(build_paging_buffer(test.hw, args) == status::invalid_parameter);
    CHECK(test.hw.last_fault.rule == paging_rule::outside_list);
    CHECK(log.count == 2);
    test.hw.image = 3 * 1024;
    // No place at all: nothing was written by command, and pieces are those of the image alone.
    args.MultipassOffset = 0;
    args.InitContextResource.Destination.pMdl = nullptr;
    CHECK(build_paging_buffer(test.hw, args) == status::success);
    REQUIRE(log.count == 3);
    CHECK(log.list[2].values[0] == handle_bits(memory));
    CHECK(log.list[2].values[4] == 3 * 1024);
    CHECK(args.MultipassOffset == 3);
    // The place is judged here too: it says how many bytes the first pieces had.
    args.MultipassOffset = 0;
    args.InitContextResource.Destination.SegmentId = no_such_segment;
    CHECK(build_paging_buffer(test.hw, args) == status::invalid_parameter);
    CHECK(log.count == 3);
}

TEST_CASE("OP10-02: an address of the paging process where the hardware takes one and the request has one") {
    wddm2_request<virtual_gpu> test;
    test.hw.image = 1400;
    expect_image(test.run(init_virtual(0x70'0000)), 1400, 512,
                 [](u64 offset) { return recorded_address{0x70'0000 + offset, virtual_space}; });
    test.expect_fault(init_virtual(0), paging_rule::no_virtual_address, 0, 0);

    wddm2_request<both_gpu> either;
    either.hw.image = 5000;
    expect_image(either.run(init_virtual(0x70'0000)), 5000, 4096,
                 [](u64 offset) { return recorded_address{0x70'0000 + offset, virtual_space}; });
    expect_image(either.run(init_virtual(0)), 5000, 4096,
                 [](u64 offset) { return recorded_address{offset, segment_space(local_memory)}; });
}

TEST_CASE("OP10-02: below WDDM 2.0 the member means nothing: a driver that also runs there never reads it") {
    wddm2_request<older_gpu> test;
    test.hw.image = 100;
    expect_image(test.run(init_virtual(0xDEAD'BEEF'0000)), 100, 64,
                 [](u64 offset) { return recorded_address{offset, segment_space(local_memory)}; });
    // A structure without the member carries the operation too.
    using oldest = mirror::win8::dxgkarg_buildpagingbuffer;
    wddm2_request<physical_gpu, oldest> first;
    first.hw.image = 100;
    CHECK(first.run(init<oldest>(local_memory, local_base)).commands.size() == 1);
    CHECK_FALSE(has_arguments<mirror::win7::dxgkarg_buildpagingbuffer>(paging_operation::init_context_resource));
}

TEST_CASE("OP10-01: the CPU writes at once only where there is a CPU address; none is ever offset from NULL") {
    wddm2_request<storing_gpu> test;
    told_log log;
    test.hw.log = &log;
    test.hw.image = 5000;
    u32 memory = 0;
    latest_arguments args = init(aperture_segment, 0x4000'0000);
    test.expect_fault(args, paging_rule::no_cpu_address, 0, 0);
    test.expect_fault(args, paging_rule::no_cpu_address, 0, 0, false);
    CHECK(log.count == 0);
    args.InitContextResource.Destination.VirtualAddress = &memory;
    CHECK(test.run(args).written_dwords == 0);
    test.expect_without_buffer(args, status::success);
    REQUIRE(log.count == 3);
    CHECK(log.list[0] ==
          told{record_kind::context_piece, {handle_bits(&memory), 0, handle_bits(&some_context), 0, 5000}});
    // OP10-03: once.
    args.MultipassOffset = 1;
    test.expect_without_buffer(args, status::success);
    CHECK(log.count == 3);
    args.MultipassOffset = 2;
    test.expect_fault(args, paging_rule::token_past_end, 2, 1);
}

TEST_CASE("OP10-01 PGB-11: in both ways: by command where there is a buffer, the rest at once where there is none") {
    wddm2_request<two_way_gpu> test;
    told_log log;
    test.hw.log = &log;
    test.hw.image = 3 * 1024;
    u8 memory[3 * 1024] = {};
    latest_arguments args = init(aperture_segment, 0x4000'0000);
    args.InitContextResource.Destination.VirtualAddress = memory;
    CHECK(test.os.pass(test.hw, args, 48).commands.size() == 1);
    CHECK(args.MultipassOffset == 1);
    CHECK(log.count == 0);
    args.pDmaBuffer = nullptr;
    CHECK(build_paging_buffer(test.hw, args) == status::success);
    REQUIRE(log.count == 1);
    CHECK(log.list[0].values[0] == handle_bits(memory + 1024));
    CHECK(log.list[0].values[3] == 1024);
    CHECK(log.list[0].values[4] == 2048);
    // Without a CPU address a buffer is needed.
    latest_arguments blind = init(aperture_segment, 0x4000'0000);
    test.expect_without_buffer(blind, status::invalid_parameter);
    CHECK(log.count == 1);
}

TEST_CASE("OP10-03: the rest at once begins where the pieces to an address of the paging process ended") {
    wddm2_request<two_way_both_gpu> test;
    told_log log;
    test.hw.log = &log;
    test.hw.image = 3 * 1024;
    u8 memory[3 * 1024] = {};
    latest_arguments args = init_virtual(0x70'0200, 0, 0);  // the first piece ends with the kilobyte, 512 bytes on
    args.InitContextResource.Destination.VirtualAddress = memory;
    CHECK(test.os.pass(test.hw, args, 48).commands.size() == 1);
    CHECK(args.MultipassOffset == 1);
    args.pDmaBuffer = nullptr;
    CHECK(build_paging_buffer(test.hw, args) == status::success);
    REQUIRE(log.count == 1);
    CHECK(log.list[0].values[0] == handle_bits(memory + 512));
    CHECK(log.list[0].values[3] == 512);
    CHECK(log.list[0].values[4] == 2560);
}

TEST_CASE("OP10-03: where both kinds of address may come, a request without either is stored whole, at once") {
    wddm2_request<two_way_both_gpu> test;
    told_log log;
    test.hw.log = &log;
    test.hw.image = 3 * 1024;
    u8 memory[3 * 1024] = {};
    latest_arguments nowhere = init_virtual(0, 0, 0);
    nowhere.InitContextResource.Destination.VirtualAddress = memory;
    nowhere.pDmaBuffer = nullptr;
    CHECK(build_paging_buffer(test.hw, nowhere) == status::success);
    REQUIRE(log.count == 1);
    CHECK(log.list[0].values[0] == handle_bits(memory));
    CHECK(log.list[0].values[3] == 0);
    CHECK(log.list[0].values[4] == 3072);
    // The place in a segment counts where there is no virtual address: the first piece ends with the kilobyte.
    latest_arguments placed = init_virtual(0, local_memory, local_base + 0x5200);
    placed.InitContextResource.Destination.VirtualAddress = memory;
    placed.MultipassOffset = 1;
    placed.pDmaBuffer = nullptr;
    CHECK(build_paging_buffer(test.hw, placed) == status::success);
    REQUIRE(log.count == 2);
    CHECK(log.list[1].values[3] == 512);
    CHECK(log.list[1].values[4] == 2560);
}

TEST_CASE("OP10-03: an allocation without an image asks for nothing, and needs no buffer") {
    wddm2_request<physical_gpu> test;
    // Wherever it would begin: inside a piece, too.
    for (u64 const lead : {u64{0}, u64{4}}) {
        CHECK(test.run(init(local_memory, local_base + lead)).written_dwords == 0);
        test.expect_without_buffer(init(local_memory, local_base + lead), status::success);
    }
    wddm2_request<storing_gpu> at_once;
    told_log log;
    at_once.hw.log = &log;
    u32 memory = 0;
    latest_arguments args = init(aperture_segment, 0x4000'0000);
    args.InitContextResource.Destination.VirtualAddress = &memory;
    at_once.expect_without_buffer(args, status::success);
    CHECK(log.count == 0);
    // A byte is an image.
    test.hw.image = at_once.hw.image = 1;
    CHECK(test.run(init(local_memory, local_base)).commands.size() == 1);
    CHECK(build_paging_buffer(at_once.hw, args) == status::success);
    CHECK(log.count == 1);
}

TEST_CASE("OP10-03 PGB-04: at the token behind the last piece nothing is left, with and without a buffer") {
    wddm2_request<physical_gpu> test;
    test.hw.image = 3 * 1024;
    latest_arguments args = init(local_memory, local_base);
    args.MultipassOffset = 3;
    pass_result const done = test.os.pass(test.hw, args, 4096);
    CHECK(done.status == status::success);
    CHECK(done.written_dwords == 0);
    CHECK(done.next_token == 3);
    test.expect_without_buffer(args, status::success);
}

TEST_CASE("ADL-06: an image on the last page that the device reaches") {
    wddm2_request<physical_gpu> test;
    test.hw.image = 4096;
    guarded_mdl list{16};
    latest_arguments args = init(0, 0);
    args.InitContextResource.Destination.pMdl = list.make({0xFF'FFFF});
    CHECK(test.run(args).commands.size() == 4);
}

TEST_CASE("AMB-34: the handle is handed on as it is") {
    wddm2_request<physical_gpu> test;
    void* asked = nullptr;
    test.hw.asked = &asked;
    latest_arguments args = init(local_memory, local_base);
    CHECK(test.run(args).written_dwords == 0);
    CHECK(asked == &some_context);
    args.InitContextResource.hAllocation = nullptr;
    CHECK(test.run(args).written_dwords == 0);
    CHECK(asked == nullptr);
}

TEST_CASE("OP10-01 fault: a destination that is not there, not whole, or not aligned") {
    wddm2_request<physical_gpu> test;
    test.hw.image = 0x3000;
    constexpr u64 end = local_base + (u64{16} << 30);
    test.expect_fault(init(no_such_segment, 0), paging_rule::unknown_segment, no_such_segment, 0);
    test.expect_fault(init(local_memory, local_base - 4096), paging_rule::outside_segment, local_base - 4096, end);
    test.expect_fault(init(local_memory, end - 0x2000), paging_rule::outside_segment, end - 0x2000, end);
    test.expect_fault(init(local_memory, local_base + 2), paging_rule::misaligned_for_engine, local_base + 2, 4);
    CHECK(test.run(init(local_memory, end - 0x3000)).commands.size() == 12);
    latest_arguments missing = init(0, 0);
    test.expect_fault(missing, paging_rule::missing_list, 0, 0);
    guarded_mdl list{16};
    missing.InitContextResource.Destination.pMdl = list.make(lonely_pages(2));
    test.expect_fault(missing, paging_rule::outside_list, 3, 2);

    wddm2_request<virtual_gpu> other;
    other.hw.image = 0x3000;
    other.expect_fault(init_virtual(~u64{0} - 0x2FFE), paging_rule::address_wraps, ~u64{0} - 0x2FFE, 0x3000);
}

TEST_CASE("ADL-06 fault: a page that the device does not reach, found before anything is committed") {
    wddm2_request<physical_gpu> test;
    test.hw.image = 3 * 4096;
    guarded_mdl list{16};
    for (u64 bad = 0; bad < 3; ++bad) {
        std::vector<u64> pages = lonely_pages(3);
        pages[bad] = 0x100'0000;
        latest_arguments args = init(0, 0);
        args.InitContextResource.Destination.pMdl = list.make(pages);
        u32 buffer[200] = {};
        args.pDmaBuffer = buffer;
        args.DmaSize = sizeof buffer;
        latest_arguments before;
        std::memcpy(&before, &args, sizeof args);
        test.hw.faults = 0;
        CHECK(build_paging_buffer(test.hw, args) == status::invalid_parameter);
        CHECK(std::memcmp(&before, &args, sizeof args) == 0);
        CHECK(test.hw.faults == 1);
        CHECK(test.hw.last_fault.rule == paging_rule::list_wraps);
        CHECK(test.hw.last_fault.value == 0x100'0000);
        CHECK(test.hw.last_fault.limit == 0xFF'FFFF);
    }
}

TEST_CASE("PGB-06 fault: an image of more pieces than a token counts") {
    wddm2_request<older_gpu> test;
    test.hw.image = (u64{1} << 32) * 64;
    test.expect_fault(init(huge_memory, (u64{1} << 62) + 4), paging_rule::too_many_pages, (u64{1} << 32) + 1,
                      u64{1} << 32);
    // Exactly 2^32: every piece has a token; the one behind the last is 0, and never handed back.
    latest_arguments last = init(huge_memory, u64{1} << 62);
    last.MultipassOffset = 0xFFFF'FFFE;
    pass_result done = test.os.pass(test.hw, last, test.smallest);
    REQUIRE(done.commands.size() == 1);
    CHECK(done.commands[0].values[3] == u64{0xFFFF'FFFE} * 64);
    CHECK(done.status == status::graphics_insufficient_dma_buffer);
    CHECK(last.MultipassOffset == 0xFFFF'FFFF);
    done = test.os.pass(test.hw, last, test.smallest);
    REQUIRE(done.commands.size() == 1);
    CHECK(done.commands[0].values[3] == u64{0xFFFF'FFFF} * 64);
    CHECK(done.commands[0].values[4] == 64);
    CHECK(done.status == status::success);
    CHECK(last.MultipassOffset == 0);
}

TEST_CASE("PGB-01 PGB-05: an image in every room, from a byte on, resumed at every point") {
    wddm2_request<physical_gpu> test;
    test.hw.image = 4 * 1024 + 4;
    test.expect_every_room(init(local_memory, local_base), 11, 5);
    wddm2_request<virtual_gpu> other;
    other.hw.image = 1025;
    other.expect_every_room(init_virtual(0x1000), 11, 3);
    latest_arguments past = init_virtual(0x1000);
    past.MultipassOffset = 4;
    other.expect_fault(past, paging_rule::token_past_end, 4, 3);
}

TEST_CASE("law 4: the pieces of an image are stored once, ascending, whole") {
    wddm2_request<physical_gpu> test;
    test.hw.image = 5 * 1024;
    test.expect_stored_in_order(init(local_memory, local_base));
}

namespace {

constexpr usize scattered[] = {0x77, 0x40, 0x99};
constexpr twin_mdl pages_of_image{3 * 4096, 0, scattered};

template <class Hw, u32 Room>
constexpr bool in_constant_evaluation(u64 image, u32 segment, u64 va, u32 commands, recorded_address last) {
    Hw hw = with_segments<Hw>();
    hw.image = image;
    wddm2_arguments args = wddm2_twin_of(paging_operation::init_context_resource);
    args.InitContextResource.Destination = {segment, {i64{local_base}}, &pages_of_image, nullptr, va};
    recorded_command records[20];
    return records_in_constant_evaluation<Room>(hw, args, record_kind::context_piece, records) == commands &&
           recorded_address{records[commands - 1].values[0], records[commands - 1].values[1]} == last;
}
static_assert(in_constant_evaluation<physical_gpu, 12>(9 * 1024, 0, 0, 9, {0x99'000, system_space}));
static_assert(in_constant_evaluation<both_gpu, 30>(8193, local_memory, 0, 3, {0x2000, segment_space(local_memory)}));
static_assert(in_constant_evaluation<virtual_gpu, 11>(1025, 0, 0x7000, 3, {0x7400, virtual_space}));

constexpr bool at_once_in_constant_evaluation() {
    storing_gpu hw = with_segments<storing_gpu>();
    told_log log;
    hw.log = &log;
    hw.image = 64;
    wddm2_arguments args = wddm2_twin_of(paging_operation::init_context_resource);
    args.InitContextResource.Destination.VirtualAddress = &log;
    return build_paging_buffer(hw, args) == status::success && log.count == 1 && log.list[0].values[4] == 64;
}
static_assert(at_once_in_constant_evaluation());

}  // namespace

TEST_CASE("laws 3 and 4: an image in constant evaluation is the image at run time") {
    CHECK((in_constant_evaluation<physical_gpu, 12>(9 * 1024, 0, 0, 9, {0x99'000, system_space})));
}

}  // namespace op10_context_resource_test
