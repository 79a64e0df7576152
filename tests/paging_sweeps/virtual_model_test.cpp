// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include <paging/shapes.hpp>
#include <paging/transfer_model.hpp>

namespace virtual_model_test {

using namespace wddmcore;
using namespace wddmcore::testing;

namespace {

constexpr u64 cases = 20'000 / slow_build_factor;

using arguments = mirror::v2_9::dxgkarg_buildpagingbuffer;

// Two ranges of the paging process: apart, touching, overlapping either way, or at the end of the address space.
template <class Transfer>
bool place_ranges(seeded_numbers& random, Transfer& t, u64 alignment, u64 nearest) {
    u64 const size = t.TransferSizeInBytes;
    if (random.one_in(2)) {
        t.SourceVirtualAddress = random.below(u64{1} << 47) / alignment * alignment;
        t.DestinationVirtualAddress = (u64{1} << 48) + random.below(u64{1} << 47) / alignment * alignment;
        if (random.one_in(8)) {
            t.DestinationVirtualAddress = ~u64{0} - size - (1 + random.below(3)) * alignment + 1;
        }
        if (random.one_in(2)) {
            u64 const other = t.SourceVirtualAddress;
            t.SourceVirtualAddress = t.DestinationVirtualAddress;
            t.DestinationVirtualAddress = other;
        }
        return false;
    }
    u64 distance = nearest + random.below(size / alignment + 2) * alignment;
    switch (random.below(6)) {
        case 0: distance = nearest + random.below(3) * alignment; break;
        case 1: distance = size < nearest ? nearest : size; break;  // touching
        case 2: distance = nearest * (1 + random.below(8)); break;
        default: break;
    }
    u64 const low = random.below(u64{1} << 47) / alignment * alignment;
    bool const up = random.one_in(2);
    t.SourceVirtualAddress = up ? low : low + distance;
    t.DestinationVirtualAddress = up ? low + distance : low;
    return distance < size;
}

template <engine_shape const& Shape>
void expect_as_modelled() {
    u64 const seed = seed_of_run();
    recorder<Shape> hw = recorder_with_segments<Shape>();
    paging_system os;
    constexpr bool ordered = Shape.copy_overlap == hw::overlap::by_direction;
    constexpr u64 smallest = smallest_paging_buffer<recorder<Shape>>.n;
    for (u64 round = 0; round < cases; ++round) {
        seeded_numbers random(seed + round * 0x1'0000'0001);
        arguments args{};
        args.Operation = static_cast<u32>(paging_operation::virtual_transfer);
        args.TransferVirtual = {};
        auto& t = args.TransferVirtual;
        t.TransferSizeInBytes = random_size(random, random_pages(random, Shape.copy_max), Shape.copy_alignment);
        bool const overlapping =
            place_ranges(random, t, Shape.copy_alignment, ordered ? page_bytes : Shape.copy_alignment);
        // None of these changes what is copied (OP08-01, OP08-03, OP08-04, OP08-05).
        t.AllocationOffsetInBytes = random.next();
        t.SourcePageTable = random.next();
        t.DestinationPageTable = random.next();
        t.TransferDirection = static_cast<u32>(random.below(3));
        t.Flags.Flags = static_cast<u32>(random.below(4));
        bool const whole = random.one_in(4);
        pass_result const done =
            os.run(hw, args, [&] { return whole ? paging_system::capacity : random_room(random, smallest); });
        std::string problem = judge_copies(Shape, done, virtual_transfer_effect(t));
        if (problem.empty() && overlapping) {
            problem = run_overlapping(done.commands, {t.DestinationVirtualAddress, virtual_space},
                                      {t.SourceVirtualAddress, virtual_space}, t.TransferSizeInBytes, ordered);
        }
        if (!problem.empty() || hw.faults != 0) {
            FAIL(problem << "; WDDMCORE_SEED=" << seed << " round " << round << " rule "
                         << std::string(hw.faults != 0 ? rule_id(hw.last_fault.rule) : "none"));
        }
    }
    CHECK(hw.faults == 0);
}

}  // namespace

TEST_CASE("OP08-01 OP08-06 OP08-07 model: an engine of 1,000 bytes") {
    expect_as_modelled<shapes::below_a_page<shapes::by_address>>();
}
TEST_CASE("OP08-01 OP08-06 OP08-07 model: an engine of 259 bytes") {
    expect_as_modelled<shapes::far_below_a_page<shapes::by_address>>();
}
TEST_CASE("OP08-01 OP08-06 OP08-07 model: an engine of 4,095 bytes") {
    expect_as_modelled<shapes::nearly_a_page<shapes::by_address>>();
}
TEST_CASE("OP08-01 OP08-06 OP08-07 model: an engine of one page") {
    expect_as_modelled<shapes::one_page<shapes::by_address>>();
}
TEST_CASE("OP08-01 OP08-06 OP08-07 model: an engine of 8,191 bytes") {
    expect_as_modelled<shapes::odd_one_page<shapes::by_address>>();
}
TEST_CASE("OP08-01 OP08-06 OP08-07 model: an engine of two pages") {
    expect_as_modelled<shapes::two_pages<shapes::by_address>>();
}
TEST_CASE("OP08-01 OP08-06 OP08-07 model: an engine of three pages") {
    expect_as_modelled<shapes::three_pages<shapes::by_address>>();
}
TEST_CASE("OP08-01 OP08-06 OP08-07 model: an engine of 255 pages") {
    expect_as_modelled<shapes::pages_255<shapes::by_address>>();
}
TEST_CASE("OP08-01 OP08-06 OP08-07 model: an engine of 256 pages") {
    expect_as_modelled<shapes::pages_256<shapes::by_address>>();
}
TEST_CASE("OP08-01 OP08-06 OP08-07 model: an engine of 257 pages") {
    expect_as_modelled<shapes::pages_257<shapes::by_address>>();
}
TEST_CASE("OP08-01 OP08-06 OP08-07 model: an engine of 1,024 pages") {
    expect_as_modelled<shapes::pages_1024<shapes::by_address>>();
}
TEST_CASE("OP08-01 OP08-06 OP08-07 model: an engine without a limit") {
    expect_as_modelled<shapes::unlimited<shapes::by_address>>();
}

}  // namespace virtual_model_test
