// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "one_request.hpp"

namespace fill_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

constexpr engine_shape plain = shapes::engine(shapes::everything, 4 * page_bytes, 4, shapes::ordered, 1);
constexpr engine_shape of_limit(u64 limit) { return shapes::engine(shapes::everything, limit, 4, shapes::ordered, 1); }
constexpr engine_shape fill_of_10000 = of_limit(10'000);
constexpr engine_shape fill_of_1022 = of_limit(1022);
constexpr engine_shape of_one_byte() {
    engine_shape shape = plain;
    shape.fill_pattern_bytes = 1;
    shape.fill_alignment = 1;
    return shape;
}
constexpr engine_shape one_byte = of_one_byte();

std::vector<effect_piece> effect(pass_result const& done) {
    CHECK(done.problem == "");
    CHECK(done.status == status::success);
    return joined(effect_of(done.commands));
}

template <engine_shape const& Shape>
void check_rule(newest_arguments args, paging_rule rule) {
    one_request<Shape> test;
    for (disposition const answer : {disposition::stop, disposition::dropped}) {
        test.hw.answer = answer;
        test.hw.faults = 0;
        pass_result const done = test.os.pass(test.hw, args, 4096);
        CHECK(done.problem == "");
        CHECK(done.status ==
              (answer == disposition::dropped && harmless(rule) ? status::success : status::invalid_parameter));
        CHECK(test.hw.faults == 1);
        CHECK(test.hw.last_fault.rule == rule);
        CHECK(done.written_dwords == 0);
        CHECK(done.next_token == 0);
    }
}

}  // namespace

TEST_CASE("OP01-01: a fill never names an aperture; a request that does is not carried out") {
    one_request<plain> test;
    newest_arguments args = test.fill(0, page_bytes);
    args.Fill.Destination.SegmentId = aperture_segment;
    args.Fill.Destination.SegmentAddress.QuadPart = static_cast<i64>(test.hw.places[aperture_segment].base.n);
    check_rule<plain>(args, paging_rule::fill_of_aperture);
    CHECK(std::string(rule_id(paging_rule::fill_of_aperture)) == "OP01-01");
}

TEST_CASE("OP01-01: the allocation is idle: nobody is asked") {
    one_request<plain> test;
    newest_arguments args = test.fill(0, page_bytes);
    args.Fill.hAllocation = nullptr;
    CHECK(test.run(args).status == status::success);
    args.Fill.hAllocation = &test.marker;
    args.MultipassOffset = 0;
    CHECK(test.run(args).status == status::success);
}

TEST_CASE("OP01-02: size in bytes, and a pattern of 32 bits") {
    one_request<plain> test;
    newest_arguments args = test.fill(0x5000, 3 * page_bytes + 12, 0x1122'3344);
    pass_result const done = test.run(args);
    CHECK(effect(done) == joined({filled({0x5000, segment_space(local_memory)}, 3 * page_bytes + 12, 0x1122'3344)}));
    CHECK(done.commands.size() == 1);
    // Never a byte more than was asked for, nor a page for a dword.
    for (u64 size = 4; size <= 2 * page_bytes + 4; size += 508) {
        newest_arguments part = test.fill(0x5004, size);
        CHECK(effect(test.run(part)) == joined(fill_effect(test.hw, part.Fill)));
    }
}

TEST_CASE("OP01-02 SEG-28: the address has the segment's base in it already; a segment ends where its size says") {
    one_request<plain> test;
    for (u32 const id : {local_memory, huge_memory, top_memory}) {
        newest_arguments args = test.fill(0, 2 * page_bytes);
        args.Fill.Destination.SegmentId = id;
        u64 const last = test.hw.places[id].size.n - 2 * page_bytes;
        args.Fill.Destination.SegmentAddress.QuadPart = static_cast<i64>(test.hw.places[id].base.n + last);
        CHECK(effect(test.run(args)) == joined({filled({last, segment_space(id)}, 2 * page_bytes, 0xAABB'CCDD)}));
    }
}

TEST_CASE("OP09-01: a virtual fill starts at the address that is given: the allocation offset is not added") {
    one_request<plain> test;
    newest_arguments args = test.virtual_fill(0x7FFF'0000'3000, 2 * page_bytes - 4, 0xCAFE'F00D);
    args.FillVirtual.AllocationOffsetInBytes = 0x10'0000;
    args.FillVirtual.hAllocation = &test.marker;
    CHECK(effect(test.run(args)) ==
          joined({filled({0x7FFF'0000'3000, virtual_space}, 2 * page_bytes - 4, 0xCAFE'F00D)}));
}

TEST_CASE("OP09-02: every split lies at a multiple of the pattern, whatever the engine's limit") {
    auto const check = [](auto& test, u64 first_split) {
        newest_arguments args = test.virtual_fill(0x1'0004, 5 * page_bytes + 8, 0x1234'5678);
        pass_result const done = test.run(args);
        CHECK(effect(done) == joined({filled({0x1'0004, virtual_space}, 5 * page_bytes + 8, 0x1234'5678)}));
        CHECK(done.commands[0].size == first_split);
        for (recorded_command const& one : done.commands) {
            REQUIRE((one.destination.n - 0x1'0004) % 4 == 0);
            REQUIRE(one.pattern == 0x1234'5678);
        }
    };
    one_request<fill_of_10000> rounded;  // two whole pages of 10,000 bytes (law 7)
    check(rounded, 2 * page_bytes);
    one_request<fill_of_1022> pieces;  // 1,020 bytes of 1,022
    check(pieces, 1020);
}

TEST_CASE("AMB-09: a byte engine takes a pattern of four equal bytes, in both operations") {
    one_request<one_byte> test;
    for (u32 const byte : {0u, 1u, 0x7Fu, 0xFFu}) {
        newest_arguments physical = test.fill(3, 5001, byte * 0x0101'0101u);
        CHECK(effect(test.run(physical)) ==
              joined({filled({3, segment_space(local_memory)}, 5001, byte * 0x0101'0101u)}));
        newest_arguments by_address = test.virtual_fill(0x9007, 77, byte * 0x0101'0101u);
        CHECK(effect(test.run(by_address)) == joined({filled({0x9007, virtual_space}, 77, byte * 0x0101'0101u)}));
    }
}

TEST_CASE("AMB-09: and refuses any other, because it would fill with something else") {
    one_request<one_byte> test;
    for (u32 const pattern :
         {1u, 0x0100u, 0x0101'0100u, 0x0001'0101u, 0x0101'0001u, 0xFF00'FF00u, 0xAAAA'AAABu, 0x0100'0000u}) {
        CAPTURE(pattern);
        check_rule<one_byte>(test.fill(0, page_bytes, pattern), paging_rule::pattern_not_fillable);
        check_rule<one_byte>(test.virtual_fill(0, page_bytes, pattern), paging_rule::pattern_not_fillable);
    }
}

TEST_CASE("AMB-09: the virtual form's byte pattern is a 32-bit pattern too, the low byte first") {
    one_request<plain> test;
    newest_arguments args = test.virtual_fill(0, page_bytes, 0x4433'2211);
    pass_result const done = test.run(args);
    REQUIRE(done.commands.size() == 1);
    CHECK(done.commands[0].pattern == 0x4433'2211);
}

TEST_CASE("OP01-02: a fill of nothing is told, and may be dropped") {
    one_request<plain> test;
    check_rule<plain>(test.fill(0, 0), paging_rule::nothing_to_fill);
    check_rule<plain>(test.virtual_fill(0x1000, 0), paging_rule::nothing_to_fill);
}

}  // namespace fill_test
