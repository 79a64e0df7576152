// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "table_requests.hpp"

#include <wddmcore/paging.hpp>

namespace page_table_dispatch_test {

using namespace wddmcore;
using namespace wddmcore::table_tests;

namespace {

/// A GPU that keeps every promise that a virtual one with page tables has to make.
struct whole_gpu : generator_gpu {
    static constexpr capabilities caps{.version = wddm::v2_9,
                                       .oldest = wddm::v2_0,
                                       .addresses = paging_addresses::gpu_virtual,
                                       .gpu_mmu = claim::yes,
                                       .page_tables = update_modes::cpu_virtual | update_modes::gpu_virtual |
                                                      update_modes::gpu_physical,
                                       .tiled_resources = claim::yes};
    static constexpr bytes copy_max{1u << 22};
    static constexpr bytes copy_alignment{4};
    static constexpr hw::overlap copy_overlap = hw::overlap::by_direction;
    static constexpr dwords copy_dwords{9};
    static constexpr void encode_copy(u32* at, address destination, address source, bytes size) noexcept {
        encode_copy_entries(at, destination, source, size);
    }
    static constexpr dwords flush_dwords{1};
    static constexpr void encode_flush(u32* at, hw::tlb_flush const&) noexcept { *at = 0; }
};

}  // namespace

TEST_CASE("OP11-01 OP14-01: build_paging_buffer does both operations, and the smallest paging buffer is enough") {
    static_assert(check_hardware<whole_gpu, arguments>());
    static_assert(smallest_paging_buffer<whole_gpu>.n == 10 * 4);
    whole_gpu gpu = with_segments<whole_gpu>();
    model_request request;
    request.count = 100;
    for (u32 i = 0; i != 100; ++i) {
        request.entries.push_back({1 | 1 << 5, 0x1000 + i * 3});
    }
    request_arrays const arrays(request);
    arguments args = arguments_of(request, arrays);
    table_memory is = place_table(args, 1, 0, 0x1'0000, 4096);
    table_memory should = is;
    apply<plain_gpu>(request, should.content.data());
    command_counts ran;
    ntstatus status = status::graphics_insufficient_dma_buffer;
    for (u32 pass = 0; pass != 200 && status == status::graphics_insufficient_dma_buffer; ++pass) {
        u32 buffer[10];
        args.pDmaBuffer = buffer;
        args.DmaSize = sizeof buffer;
        status = build_paging_buffer(gpu, args);
        u64 const words = static_cast<u64>(static_cast<u32*>(args.pDmaBuffer) - buffer);
        CHECK(run_commands(buffer, words, 1, 100, false, is, ran) == "");
    }
    CHECK(status == status::success);
    CHECK(is == should);

    copy_range range{3, 0x1'0000, 0x1'0000, 0, 50};
    args = {};
    args.Operation = 14;
    args.CopyPageTableEntries.NumRanges = 1;
    args.CopyPageTableEntries.pRanges = &range;
    u32 buffer[9];
    args.pDmaBuffer = buffer;
    args.DmaSize = sizeof buffer;
    CHECK(build_paging_buffer(gpu, args) == status::success);
    CHECK(run_commands(buffer, 9, 1, 100, false, is, ran) == "");
    std::memcpy(should.content.data() + 50 * 8, should.content.data(), 3 * 8);
    CHECK(is == should);
}

}  // namespace page_table_dispatch_test
