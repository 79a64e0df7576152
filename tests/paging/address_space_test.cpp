// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "contexts.hpp"

/// Ranges of the paging process against the address space that the hardware's own page tables describe.
namespace address_space_test {

using namespace wddmcore;
using namespace wddmcore::testing;
using namespace wddmcore::testing::contexts;

namespace {

constexpr engine_shape both_spaces = with_contexts({.version = wddm::v3_2,
                                                    .addresses = paging_addresses::both,
                                                    .gpu_mmu = claim::yes,
                                                    .page_tables = update_modes::cpu_virtual,
                                                    .monitored_fence_signal = claim::yes},
                                                   1);

/// Page tables of 32 bits (page_table_part).
template <engine_shape const& Shape>
using gpu_of = wddm2_gpu<Shape, image_part, context_part<64>, update_part, fence_part<8>, page_table_part, flush_part>;
using small_space_gpu = gpu_of<both_spaces>;

/// The same type where the CPU's own tables may be in force instead.
constexpr engine_shape with(claim gpu_mmu, claim io_mmu) {
    engine_shape shape = both_spaces;
    shape.caps.gpu_mmu = gpu_mmu;
    shape.caps.page_tables = gpu_mmu == claim::no ? update_modes::none : shape.caps.page_tables;
    shape.caps.io_mmu = io_mmu;
    return shape;
}
constexpr engine_shape either_mmu = with(claim::at_run_time, claim::at_run_time);
constexpr engine_shape only_io_mmu = with(claim::no, claim::yes);
constexpr engine_shape perhaps_gpu_mmu = with(claim::at_run_time, claim::no);
static_assert(paging::detail::virtual_address_bits_of<gpu_of<either_mmu>> == 64);
static_assert(paging::detail::virtual_address_bits_of<gpu_of<only_io_mmu>> == 64);
static_assert(paging::detail::virtual_address_bits_of<gpu_of<perhaps_gpu_mmu>> == 32);
constexpr u64 space_end = u64{1} << 32;
constexpr u64 length = 0x3000;
static_assert(paging::detail::virtual_address_bits_of<small_space_gpu> == 32);

/// Requests of every operation with an address in the paging process, about the bytes from `va` on.
struct placed_request {
    latest_arguments args;
    u64 size;
};
std::vector<placed_request> requests_at(u64 va) {
    latest_arguments from{};
    from.Operation = 8;
    from.TransferVirtual = {};
    from.TransferVirtual.TransferSizeInBytes = length;
    from.TransferVirtual.SourceVirtualAddress = va;
    from.TransferVirtual.DestinationVirtualAddress = 0x4000;
    from.TransferVirtual.Flags.Flags = 0;
    latest_arguments to = from;
    to.TransferVirtual.SourceVirtualAddress = 0x4000;
    to.TransferVirtual.DestinationVirtualAddress = va;
    latest_arguments fill{};
    fill.Operation = 9;
    fill.FillVirtual = {};
    fill.FillVirtual.FillSizeInBytes = length;
    fill.FillVirtual.DestinationVirtualAddress = va;
    latest_arguments image{};
    image.Operation = 10;
    image.InitContextResource = {};
    image.InitContextResource.hAllocation = &some_context;
    image.InitContextResource.Destination.SegmentId = local_memory;
    image.InitContextResource.Destination.SegmentAddress.QuadPart = static_cast<i64>(local_base);
    image.InitContextResource.Destination.GpuVirtualAddress = va;
    latest_arguments update{};
    update.Operation = 13;
    update.UpdateContextAllocation = {};
    update.UpdateContextAllocation.ContextAllocation = va;
    update.UpdateContextAllocation.ContextAllocationSize = length;
    latest_arguments fence{};
    fence.Operation = 16;
    fence.SignalMonitoredFence = {};
    fence.SignalMonitoredFence.MonitoredFenceGpuVa = va + length - 8;
    return {{from, length}, {to, length}, {fill, length}, {image, length}, {update, length}, {fence, 8}};
}

/// The address that a request begins at, which a fault names.
u64 place_of(latest_arguments const& args, u64 va) { return args.Operation == 16 ? va + length - 8 : va; }

}  // namespace

TEST_CASE("CHK-15: a range ends with the last address of the page tables, and not a byte behind it") {
    wddm2_request<small_space_gpu> test;
    test.hw.image = length;
    test.hw.commands = 2;
    test.hw.sizes[0] = 8;
    test.hw.sizes[1] = 8;
    for (placed_request const& good : requests_at(space_end - length)) {
        CAPTURE(good.args.Operation);
        CHECK(!test.run(good.args).commands.empty());
    }
    // One page too far, the first address behind, one whose low 32 bits are good again, and the end of all addresses.
    for (u64 const va : {space_end - length + 0x1000, space_end, space_end + 0x5000, ~u64{0} - length + 1}) {
        for (placed_request const& wrong : requests_at(va)) {
            CAPTURE(wrong.args.Operation);
            CAPTURE(va);
            test.expect_fault(wrong.args, paging_rule::address_wraps, place_of(wrong.args, va), wrong.size);
        }
    }
    // No address is so low that such a size would fit.
    latest_arguments huge = requests_at(0)[4].args;
    for (u64 const size : {space_end + 1, u64{1} << 63, ~u64{0}}) {
        huge.UpdateContextAllocation.ContextAllocationSize = size;
        test.expect_fault(huge, paging_rule::address_wraps, 0, size);
    }
    // Nor is the end of one that wraps round to the low addresses.
    huge.UpdateContextAllocation.ContextAllocation = 0x5000;
    huge.UpdateContextAllocation.ContextAllocationSize = u64{0} - 0x3000;
    test.expect_fault(huge, paging_rule::address_wraps, 0x5000, u64{0} - 0x3000);
}

namespace {

/// Page tables of 63 bits, the most in which the sum of two addresses does not wrap.
struct widest_table_part : page_table_part {
    static constexpr gpuva::page_table_geometry page_tables{.level_count = 6,
                                                            .levels = {{9, 8}, {9, 8}, {9, 8}, {9, 8}, {9, 8}, {6, 8}}};
};
using wide_space_gpu =
    wddm2_gpu<both_spaces, image_part, context_part<64>, update_part, fence_part<8>, widest_table_part, flush_part>;
static_assert(paging::detail::virtual_address_bits_of<wide_space_gpu> == 63);

}  // namespace

TEST_CASE("CHK-15: in an address space of 63 bits a range may be as long as the space, and not a byte longer") {
    wddm2_request<wide_space_gpu> test;
    test.hw.commands = 1;
    test.hw.sizes[0] = 8;
    constexpr u64 end = u64{1} << 63;
    latest_arguments args = requests_at(0)[4].args;
    for (u64 const size : {end, end / 2 + 1}) {
        args.UpdateContextAllocation.ContextAllocation = end - size;
        args.UpdateContextAllocation.ContextAllocationSize = size;
        CHECK(test.run(args).commands.size() == 1);
        args.UpdateContextAllocation.ContextAllocationSize = size + 1;
        test.expect_fault(args, paging_rule::address_wraps, end - size, size + 1);
    }
}

TEST_CASE("CHK-15 GVA-35: where an IOMMU may take the place of the page tables, the addresses are the CPU's") {
    wddm2_request<gpu_of<either_mmu>> test;
    test.hw.image = length;
    test.hw.commands = 1;
    test.hw.sizes[0] = 8;
    for (placed_request const& good : requests_at(0x7FF6'1234'5000)) {
        CAPTURE(good.args.Operation);
        CHECK(!test.run(good.args).commands.empty());
    }
}

}  // namespace address_space_test
