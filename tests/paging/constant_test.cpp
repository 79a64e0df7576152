// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "twin.hpp"

#include <doctest/doctest.h>

namespace constant_test {

using namespace wddmcore;
using namespace wddmcore::testing;

// The whole of build_paging_buffer in the compiler's evaluator, for every operation: undefined behaviour, a load of an
// unwritten word and a broken promise are compile errors here (laws 3 and 4).

namespace {

constexpr engine_shape everything(u64 limit, hw::overlap overlap, bool commands) {
    engine_shape shape = shapes::engine(shapes::everything, limit, 4, overlap, 3);
    shape.aperture_commands = commands;
    shape.discards = true;
    shape.swizzles = true;
    shape.reports_busy = true;
    return shape;
}
constexpr engine_shape two_pages = everything(2 * page_bytes, hw::overlap::by_direction, true);
constexpr engine_shape below_a_page = everything(1500, hw::overlap::safe, false);

constexpr usize scattered[] = {0x77, 0x40, 0x41, 0x42, 0x60, 0x61, 0x50};
constexpr usize other[] = {0x90, 0x91, 0x95, 0x96, 0x97, 0x98};
constexpr twin_mdl source_mdl{7 * 4096, 0, scattered};
constexpr twin_mdl destination_mdl{6 * 4096 - 100, 100, other};

constexpr u64 local_base = 0x10'0000'0000;

constexpr twin_arguments of(paging_operation operation) {
    twin_arguments args{};
    args.Operation = static_cast<u32>(operation);
    return args;
}

constexpr recorded_address local(u64 offset) { return {offset, segment_space(local_memory)}; }
constexpr recorded_address system(u64 page) { return {page * 4096, system_space}; }

template <engine_shape const& Shape, u32 Room>
constexpr bool transfer_from_list() {
    auto hw = recorder_with_segments<Shape>();
    twin_arguments args = of(paging_operation::transfer);
    auto& t = args.Transfer;
    t.TransferOffset = 0x3000;
    t.TransferSize = 5 * 4096 - 40;
    t.MdlOffset = 1;
    t.Source.pMdl = &source_mdl;
    t.Destination = {local_memory, {static_cast<i64>(local_base)}, nullptr};
    page_follower follow{
        [](u64 k) { return page_of_work{local(0x3000 + k * 4096), system(scattered[1 + k]), k == 4 ? 4056u : 4096u}; }};
    return run_in_constant_evaluation<Room>(hw, args, follow) && follow.all(5) && hw.faults == 0;
}
static_assert(transfer_from_list<two_pages, 12>());
static_assert(transfer_from_list<two_pages, 100>());
static_assert(transfer_from_list<below_a_page, 33>());

// A list that is longer than any block of it that somebody may look at in one go, with runs of every length around 8.
struct long_list {
    usize pages_of_it[300];
    constexpr long_list() : pages_of_it{} {
        usize page = 0x1000;
        u32 left = 1;
        for (u32 i = 0, run = 0; i < 300; ++i) {
            pages_of_it[i] = page++;
            if (--left == 0) {
                run = run == 20 ? 1 : run + 1;
                left = i > 120 && i < 130 ? 140 : run;
                ++page;
            }
        }
    }
};
constexpr long_list many;
constexpr twin_mdl long_mdl{300 * 4096, 0, many.pages_of_it};

template <u32 Room>
constexpr bool long_transfer() {
    auto hw = recorder_with_segments<two_pages>();
    twin_arguments args = of(paging_operation::transfer);
    args.Transfer.TransferSize = 299 * 4096 - 8;
    args.Transfer.MdlOffset = 1;
    args.Transfer.Source.pMdl = &long_mdl;
    args.Transfer.Destination = {local_memory, {static_cast<i64>(local_base)}, nullptr};
    page_follower follow{
        [](u64 k) { return page_of_work{local(k * 4096), system(many.pages_of_it[1 + k]), k == 298 ? 4088u : 4096u}; }};
    return run_in_constant_evaluation<Room>(hw, args, follow) && follow.all(299);
}
static_assert(long_transfer<2400>() && long_transfer<200>());

template <engine_shape const& Shape, u32 Room>
constexpr bool transfer_to_list() {
    auto hw = recorder_with_segments<Shape>();
    twin_arguments args = of(paging_operation::transfer);
    args.Transfer.TransferSize = 6 * 4096;
    args.Transfer.Source = {local_memory, {static_cast<i64>(local_base + 0x7000)}, nullptr};
    args.Transfer.Destination.pMdl = &destination_mdl;
    page_follower follow{[](u64 k) { return page_of_work{system(other[k]), local(0x7000 + k * 4096), 4096}; }};
    return run_in_constant_evaluation<Room>(hw, args, follow) && follow.all(6);
}
static_assert(transfer_to_list<two_pages, 24>());
static_assert(transfer_to_list<below_a_page, 66>());

template <engine_shape const& Shape, u32 Room>
constexpr bool transfer_between_lists() {
    auto hw = recorder_with_segments<Shape>();
    twin_arguments args = of(paging_operation::transfer);
    args.Transfer.TransferSize = 6 * 4096 - 4;
    args.Transfer.Source.pMdl = &source_mdl;
    args.Transfer.Destination.pMdl = &destination_mdl;
    page_follower follow{
        [](u64 k) { return page_of_work{system(other[k]), system(scattered[k]), k == 5 ? 4092u : 4096u}; }};
    return run_in_constant_evaluation<Room>(hw, args, follow) && follow.all(6);
}
static_assert(transfer_between_lists<two_pages, 15>());
static_assert(transfer_between_lists<below_a_page, 36>());

template <engine_shape const& Shape, u32 Room>
constexpr bool swizzled_transfer() {
    auto hw = recorder_with_segments<Shape>();
    twin_arguments args = of(paging_operation::transfer);
    args.Transfer.hAllocation = &hw;
    args.Transfer.TransferSize = 3 * 4096;
    args.Transfer.Flags = {1, 0, 1};
    args.Transfer.Source.pMdl = &source_mdl;
    args.Transfer.Destination = {local_memory, {static_cast<i64>(local_base)}, nullptr};
    page_follower follow{[](u64 k) { return page_of_work{local(k * 4096), system(scattered[k]), 4096}; }};
    return run_in_constant_evaluation<Room>(hw, args, follow) && follow.all(3) && follow.commands == 3;
}
static_assert(swizzled_transfer<two_pages, 18>());

template <engine_shape const& Shape, u32 Room>
constexpr bool fill() {
    auto hw = recorder_with_segments<Shape>();
    twin_arguments args = of(paging_operation::fill);
    args.Fill = {5 * 4096 + 8, 0x1234'5678, {local_memory, {static_cast<i64>(local_base + 0x2000)}}};
    page_follower follow{[](u64 k) { return page_of_work{local(0x2000 + k * 4096), {}, k == 5 ? 8u : 4096u}; }};
    return run_in_constant_evaluation<Room>(hw, args, follow) && follow.all(6);
}
static_assert(fill<two_pages, 9>() && fill<below_a_page, 24>());

template <u32 Room>
constexpr bool one_place(paging_operation operation, record_kind kind) {
    auto hw = recorder_with_segments<two_pages>();
    twin_arguments args = of(operation);
    args.DiscardContent = {&hw, {0}, local_memory, {static_cast<i64>(local_base + 0x5000)}};
    args.ReadPhysical = args.WritePhysical = {local_memory, {static_cast<i64>(local_base + 0x5000)}};
    u32 seen = 0;
    bool const done = run_in_constant_evaluation<Room>(
        hw, args, [&](recorded_command const& one) { seen += one.kind == kind && one.destination == local(0x5000); });
    return done && seen == 1 && hw.faults == 0;
}
static_assert(one_place<9>(paging_operation::discard_content, record_kind::discard));
static_assert(one_place<6>(paging_operation::read_physical, record_kind::read));
static_assert(one_place<20>(paging_operation::write_physical, record_kind::write));

constexpr twin_arguments aperture_arguments(paging_operation operation, bool contiguous) {
    twin_arguments args = of(operation);
    args.MapApertureSegment = {aperture_segment, 100, 4, &source_mdl, {1}, 2};
    args.UnmapApertureSegment = {aperture_segment, 100, 4, {0x9'9000}};
    args.MapApertureSegment2 = {
        aperture_segment, 100, 4, {7, {contiguous}, 0x500, contiguous ? nullptr : scattered}, {1}, 2, nullptr};
    return args;
}

constexpr u64 aperture_page(paging_operation operation, bool contiguous, u64 k) {
    return operation == paging_operation::unmap_aperture_segment ? 0x99 : contiguous ? 0x502 + k : scattered[2 + k];
}

template <u32 Room>
constexpr bool aperture_by_command(paging_operation operation, bool contiguous) {
    auto hw = recorder_with_segments<two_pages>();
    u64 k = 0;
    bool right = true;
    bool const done = run_in_constant_evaluation<Room>(
        hw, aperture_arguments(operation, contiguous), [&](recorded_command const& one) {
            right = right && one.segment == aperture_segment && one.index == 100 + k &&
                    one.page == aperture_page(operation, contiguous, k);
            ++k;
        });
    return done && right && k == 4 && hw.faults == 0 && hw.stored == 0;
}
static_assert(aperture_by_command<9>(paging_operation::map_aperture_segment, false));
static_assert(aperture_by_command<9>(paging_operation::unmap_aperture_segment, false));
static_assert(aperture_by_command<15>(paging_operation::map_aperture_segment2, false));
static_assert(aperture_by_command<60>(paging_operation::map_aperture_segment2, true));

template <engine_shape const& Shape>
constexpr bool aperture_at_once(paging_operation operation, bool contiguous) {
    auto hw = recorder_with_segments<Shape>();
    stored_entry log[4]{};
    hw.stores = log;
    hw.store_capacity = 4;
    twin_arguments args = aperture_arguments(operation, contiguous);
    bool right = build_paging_buffer(hw, args) == status::success && hw.stored == 4 && args.pDmaBuffer == nullptr;
    for (u64 k = 0; k < 4; ++k) {
        right = right && log[k].index == 100 + k && log[k].page == aperture_page(operation, contiguous, k);
    }
    return right;
}
static_assert(aperture_at_once<two_pages>(paging_operation::map_aperture_segment, false));
static_assert(aperture_at_once<below_a_page>(paging_operation::map_aperture_segment, false));
static_assert(aperture_at_once<two_pages>(paging_operation::unmap_aperture_segment, false));
static_assert(aperture_at_once<below_a_page>(paging_operation::map_aperture_segment2, true));
static_assert(aperture_at_once<two_pages>(paging_operation::map_aperture_segment2, false));

template <engine_shape const& Shape, u32 Room>
constexpr bool special_lock() {
    auto hw = recorder_with_segments<Shape>();
    twin_arguments args = of(paging_operation::special_lock_transfer);
    args.SpecialLockTransfer.TransferSize = 4 * 4096;
    args.SpecialLockTransfer.Source.pMdl = &source_mdl;
    args.SpecialLockTransfer.Destination = {local_memory, {static_cast<i64>(local_base)}, nullptr};
    page_follower follow{[](u64 k) { return page_of_work{local(k * 4096), system(scattered[k]), 4096}; }};
    return run_in_constant_evaluation<Room>(hw, args, follow) && follow.all(4);
}
static_assert(special_lock<two_pages, 13>() && special_lock<below_a_page, 40>());

template <engine_shape const& Shape, u32 Room>
constexpr bool virtual_transfer() {
    auto hw = recorder_with_segments<Shape>();
    twin_arguments args = of(paging_operation::virtual_transfer);
    args.TransferVirtual.TransferSizeInBytes = 5 * 4096 + 4;
    args.TransferVirtual.SourceVirtualAddress = 0x9000'0000;
    args.TransferVirtual.DestinationVirtualAddress = 0x1'0000;
    page_follower follow{[](u64 k) {
        return page_of_work{
            {0x1'0000 + k * 4096, virtual_space}, {0x9000'0000 + k * 4096, virtual_space}, k == 5 ? 4u : 4096u};
    }};
    return run_in_constant_evaluation<Room>(hw, args, follow) && follow.all(6);
}
static_assert(virtual_transfer<two_pages, 14>() && virtual_transfer<two_pages, 90>() &&
              virtual_transfer<below_a_page, 33>());

// Upwards over itself: from the last page down, no command longer than the distance.
constexpr bool overlapping_transfer() {
    auto hw = recorder_with_segments<two_pages>();
    twin_arguments args = of(paging_operation::virtual_transfer);
    args.TransferVirtual.TransferSizeInBytes = 5 * 4096;
    args.TransferVirtual.SourceVirtualAddress = 0x1'0000;
    args.TransferVirtual.DestinationVirtualAddress = 0x1'1000;
    u64 left = 5 * 4096;
    bool right = true;
    bool const done = run_in_constant_evaluation<12>(hw, args, [&](recorded_command const& one) {
        right = right && one.size <= left && one.size <= 4096 && one.destination.n == 0x1'1000 + left - one.size &&
                one.source.n == 0x1'0000 + left - one.size;
        left -= one.size;
    });
    return done && right && left == 0;
}
static_assert(overlapping_transfer());

template <engine_shape const& Shape, u32 Room>
constexpr bool virtual_fill() {
    auto hw = recorder_with_segments<Shape>();
    twin_arguments args = of(paging_operation::virtual_fill);
    args.FillVirtual.FillSizeInBytes = 3 * 4096 - 8;
    args.FillVirtual.DestinationVirtualAddress = 0x7'0000;
    page_follower follow{
        [](u64 k) { return page_of_work{{0x7'0000 + k * 4096, virtual_space}, {}, k == 2 ? 4088u : 4096u}; }};
    return run_in_constant_evaluation<Room>(hw, args, follow) && follow.all(3);
}
static_assert(virtual_fill<two_pages, 9>() && virtual_fill<below_a_page, 24>());

// Requests that are not carried out: the uninitialised buffer is not read either.
constexpr bool refused(twin_arguments args, paging_rule rule) {
    auto hw = recorder_with_segments<two_pages>();
    u32 buffer[20];
    args.pDmaBuffer = buffer;
    args.DmaSize = sizeof buffer;
    return build_paging_buffer(hw, args) == status::invalid_parameter && hw.faults == 1 && hw.last_fault.rule == rule &&
           args.pDmaBuffer == buffer && args.MultipassOffset == 0;
}
static_assert(refused(of(static_cast<paging_operation>(paging_operation_count)), paging_rule::unknown_operation));
static_assert(refused(of(paging_operation::update_page_table), paging_rule::operation_not_claimed));
static_assert(refused(of(paging_operation::fill), paging_rule::nothing_to_fill));
static_assert(refused(of(paging_operation::virtual_transfer), paging_rule::nothing_to_transfer));
static_assert(refused(of(paging_operation::read_physical), paging_rule::unknown_segment));

constexpr bool busy_and_empty() {
    auto hw = recorder_with_segments<two_pages>();
    hw.busy = true;
    twin_arguments args = of(paging_operation::transfer);
    bool const empty = build_paging_buffer(hw, args) == status::success;
    args.Transfer.TransferSize = 4096;
    return empty && build_paging_buffer(hw, args) == status::graphics_allocation_busy;
}
static_assert(busy_and_empty());

// A list that claims pages and has none, as only a structure with its pages in a member can be.
template <engine_shape const& Shape>
constexpr bool refuses_list_without_pages() {
    auto hw = recorder_with_segments<Shape>();
    twin_mdl const empty{4096, 0, nullptr};
    twin_arguments args = of(paging_operation::transfer);
    args.Transfer.TransferSize = 4096;
    args.Transfer.Source.pMdl = &empty;
    args.Transfer.Destination = {local_memory, {static_cast<i64>(local_base)}, nullptr};
    args.Transfer.Flags.AllocationIsIdle = 1;
    return build_paging_buffer(hw, args) == status::invalid_parameter && hw.faults == 1 &&
           hw.last_fault.rule == paging_rule::missing_list;
}
static_assert(refuses_list_without_pages<two_pages>());

}  // namespace

TEST_CASE("laws 3 and 4: the compiler's evaluator and the processor run the same code to the same end") {
    CHECK((transfer_from_list<two_pages, 12>() && transfer_from_list<below_a_page, 33>()));
    CHECK((transfer_to_list<two_pages, 24>() && transfer_between_lists<two_pages, 15>() &&
           swizzled_transfer<two_pages, 18>()));
    CHECK((fill<two_pages, 9>() && virtual_fill<two_pages, 9>() && virtual_transfer<two_pages, 14>() &&
           overlapping_transfer()));
    CHECK((special_lock<two_pages, 13>() && busy_and_empty()));
    CHECK(refuses_list_without_pages<two_pages>());
    CHECK(one_place<9>(paging_operation::discard_content, record_kind::discard));
    CHECK(aperture_by_command<9>(paging_operation::unmap_aperture_segment, false));
    CHECK(aperture_at_once<two_pages>(paging_operation::map_aperture_segment2, false));
}

}  // namespace constant_test
