// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "one_request.hpp"

namespace place_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

constexpr engine_shape plain = shapes::engine(shapes::everything, 4 * page_bytes, 4, shapes::ordered, 1);
constexpr engine_shape with_discards() {
    engine_shape shape = plain;
    shape.discards = true;
    shape.grain = 4;
    return shape;
}
constexpr engine_shape discarding = with_discards();

}  // namespace

TEST_CASE("OP02-01: content is thrown away in place: no copy, no fill, no read, no write") {
    one_request<discarding> test;
    newest_arguments args = test.discard(0x7'5000);
    pass_result const done = test.run(args);
    CHECK(done.status == status::success);
    REQUIRE(done.commands.size() == 1);
    recorded_command expected;
    expected.kind = record_kind::discard;
    expected.destination = {0x7'5000, segment_space(local_memory)};
    expected.allocation = handle_bits(&test.marker);
    CHECK(done.commands[0] == expected);
}

TEST_CASE("OP02-01: where nothing is kept per placement nothing is written, with and without a buffer") {
    one_request<plain> test;
    newest_arguments args = test.discard(0x7'5000);
    pass_result const done = test.run(args);
    CHECK(done.problem == "");
    CHECK(done.status == status::success);
    CHECK(done.written_dwords == 0);
    // Not even the place matters.
    args.DiscardContent.SegmentId = no_such_segment;
    CHECK(test.run(args).status == status::success);
}

TEST_CASE("OP02-01: the place has the segment's base in it, in every segment, apertures included") {
    one_request<discarding> test;
    for (u32 const id : {local_memory, aperture_segment, huge_memory, top_memory}) {
        newest_arguments args = test.discard(0);
        args.DiscardContent.SegmentId = id;
        args.DiscardContent.SegmentAddress.QuadPart = static_cast<i64>(test.hw.places[id].base.n + 0x3000);
        pass_result const done = test.run(args);
        REQUIRE(done.commands.size() == 1);
        CHECK(done.commands[0].destination == recorded_address{0x3000, segment_space(id)});
    }
}

TEST_CASE("OP03-01 OP04-01: one access, at exactly the place that is given, at any byte of it") {
    one_request<plain> test;
    u64 const last = test.hw.places[local_memory].size.n - 1;
    for (u64 const offset : {u64{0}, u64{1}, u64{2}, u64{3}, u64{7}, u64{4095}, u64{0x12'3457}, last}) {
        CAPTURE(offset);
        newest_arguments read = test.read(offset);
        pass_result const looked = test.run(read);
        REQUIRE(looked.commands.size() == 1);
        CHECK(looked.commands[0].kind == record_kind::read);
        CHECK(looked.commands[0].destination == recorded_address{offset, segment_space(local_memory)});
        newest_arguments write = test.write(offset);
        pass_result const written = test.run(write);
        REQUIRE(written.commands.size() == 1);
        CHECK(written.commands[0].kind == record_kind::write);
        CHECK(written.commands[0].destination == recorded_address{offset, segment_space(local_memory)});
    }
}

TEST_CASE("OP03-01: the access is a command and not a thing that the builder does, so that it keeps its place") {
    one_request<plain> test;
    newest_arguments read = test.read(5);
    CHECK(test.os.pass(test.hw, read, 16).status == status::graphics_insufficient_dma_buffer);
    CHECK(test.os.pass(test.hw, read, 20).status == status::success);
    CHECK(test.hw.stored == 0);
}

TEST_CASE("OP04-01: a place outside the segment is not written, whichever side it lies on") {
    one_request<plain> test;
    u64 const base = test.hw.places[local_memory].base.n;
    u64 const end = base + test.hw.places[local_memory].size.n;
    for (u64 const address : {base - 1, end, end + 1, u64{0}, u64{0x1234}, ~u64{0}}) {
        CAPTURE(address);
        newest_arguments write = test.write(0);
        write.WritePhysical.PhysicalAddress.QuadPart = static_cast<i64>(address);
        newest_arguments read = test.read(0);
        read.ReadPhysical.PhysicalAddress.QuadPart = static_cast<i64>(address);
        for (newest_arguments args : {write, read}) {
            test.hw.faults = 0;
            pass_result const done = test.os.pass(test.hw, args, 4096);
            CHECK(done.problem == "");
            CHECK(done.status == status::invalid_parameter);
            CHECK(test.hw.faults == 1);
            CHECK(test.hw.last_fault.rule == paging_rule::outside_segment);
        }
    }
}

}  // namespace place_test
