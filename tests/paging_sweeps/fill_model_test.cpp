// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <paging/shapes.hpp>
#include <paging/transfer_model.hpp>

namespace fill_model_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

constexpr u64 cases = 20'000 / slow_build_factor;

using arguments = mirror::v2_9::dxgkarg_buildpagingbuffer;

constexpr engine_shape of_bytes() {
    engine_shape shape = shapes::engine(shapes::both_addresses, 5000, 1, shapes::safe, 3);
    shape.fill_pattern_bytes = 1;
    shape.fill_alignment = 1;
    return shape;
}
constexpr engine_shape byte_engine = of_bytes();

template <engine_shape const& Shape>
void expect_as_modelled() {
    u64 const seed = seed_of_run();
    recorder<Shape> hw = recorder_with_segments<Shape>();
    paging_system os;
    constexpr u64 smallest = smallest_paging_buffer<recorder<Shape>>.n;
    constexpr u64 alignment = Shape.fill_alignment;
    constexpr u32 segments[] = {local_memory, huge_memory, top_memory};
    for (u64 round = 0; round < cases; ++round) {
        seeded_numbers random(seed + round * 0x1'0000'0001);
        arguments args{};
        std::vector<effect_piece> expected;
        u64 const size = random_size(random, random_pages(random, Shape.fill_max), alignment);
        u32 const one_byte = static_cast<u32>(random.below(256)) * 0x0101'0101u;
        u32 const pattern = Shape.fill_pattern_bytes == 1 ? one_byte : static_cast<u32>(random.next());
        if (random.one_in(2)) {
            args.Operation = static_cast<u32>(paging_operation::fill);
            args.Fill = {};
            args.Fill.FillSize = static_cast<usize>(size);
            args.Fill.FillPattern = pattern;
            args.Fill.Destination.SegmentId = segments[random.below(3)];
            args.Fill.Destination.SegmentAddress.QuadPart =
                static_cast<i64>(random_place(random, hw.places[args.Fill.Destination.SegmentId], size, 0, alignment));
            expected = fill_effect(hw, args.Fill);
        } else {
            args.Operation = static_cast<u32>(paging_operation::virtual_fill);
            args.FillVirtual = {};
            args.FillVirtual.FillSizeInBytes = size;
            args.FillVirtual.FillPattern = pattern;
            args.FillVirtual.AllocationOffsetInBytes = random.next();
            args.FillVirtual.DestinationVirtualAddress = random.one_in(8)
                                                             ? ~u64{0} - size - (1 + random.below(3)) * alignment + 1
                                                             : random.below(u64{1} << 48) / alignment * alignment;
            expected = virtual_fill_effect(args.FillVirtual);
        }
        bool const whole = random.one_in(4);
        pass_result const done =
            os.run(hw, args, [&] { return whole ? paging_system::capacity : random_room(random, smallest); });
        std::string const problem = judge_copies(Shape, done, expected);
        if (!problem.empty() || hw.faults != 0) {
            FAIL(problem << "; WDDMCORE_SEED=" << seed << " round " << round << " rule "
                         << std::string(hw.faults != 0 ? rule_id(hw.last_fault.rule) : "none"));
        }
    }
    CHECK(hw.faults == 0);
}

}  // namespace

TEST_CASE("OP01-02 OP09-01 OP09-02 model: an engine of 1,000 bytes") {
    expect_as_modelled<shapes::below_a_page<shapes::both_addresses>>();
}
TEST_CASE("OP01-02 OP09-01 OP09-02 model: an engine of 259 bytes") {
    expect_as_modelled<shapes::far_below_a_page<shapes::both_addresses>>();
}
TEST_CASE("OP01-02 OP09-01 OP09-02 model: an engine of 4,095 bytes") {
    expect_as_modelled<shapes::nearly_a_page<shapes::both_addresses>>();
}
TEST_CASE("OP01-02 OP09-01 OP09-02 model: an engine of one page") {
    expect_as_modelled<shapes::one_page<shapes::both_addresses>>();
}
TEST_CASE("OP01-02 OP09-01 OP09-02 model: an engine of 8,191 bytes") {
    expect_as_modelled<shapes::odd_one_page<shapes::both_addresses>>();
}
TEST_CASE("OP01-02 OP09-01 OP09-02 model: an engine of three pages") {
    expect_as_modelled<shapes::three_pages<shapes::both_addresses>>();
}
TEST_CASE("OP01-02 OP09-01 OP09-02 model: an engine of 255 pages") {
    expect_as_modelled<shapes::pages_255<shapes::both_addresses>>();
}
TEST_CASE("OP01-02 OP09-01 OP09-02 model: an engine of 256 pages") {
    expect_as_modelled<shapes::pages_256<shapes::both_addresses>>();
}
TEST_CASE("OP01-02 OP09-01 OP09-02 model: an engine of 257 pages") {
    expect_as_modelled<shapes::pages_257<shapes::both_addresses>>();
}
TEST_CASE("OP01-02 OP09-01 OP09-02 model: an engine of 1,024 pages") {
    expect_as_modelled<shapes::pages_1024<shapes::both_addresses>>();
}
TEST_CASE("OP01-02 OP09-01 OP09-02 model: an engine without a limit") {
    expect_as_modelled<shapes::unlimited<shapes::both_addresses>>();
}
TEST_CASE("AMB-09 OP09-02 model: an engine that repeats one byte") { expect_as_modelled<byte_engine>(); }

}  // namespace fill_model_test
