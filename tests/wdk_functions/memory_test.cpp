// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// The DDI functions of wdk/ for paging, answers, allocations, and where the memory of contexts and page tables lies.
#include "noting_gpu.hpp"

namespace wdk_functions_test {

namespace {

TEST_CASE("a driver constructs its adapter in pool memory, and its contexts in their own order of ends") {
    void* const memory = std::calloc(1, sizeof(wdk::device<noting_gpu>));
    REQUIRE(memory != nullptr);
    noting_gpu* const gpu = wdk::make_device<noting_gpu>(memory);
    CHECK(static_cast<void*>(gpu) == memory);
    CHECK(&wdk::adapter_of<noting_gpu>(memory) == gpu);
    CHECK(gpu->allocations_left == 100);
    static_cast<wdk::device<noting_gpu>*>(gpu)->~device();
    std::free(memory);

    started s;
    auto const first = s.context(0);
    auto const second = s.context(1);
    auto const third = s.context(0);
    s.destroy(second);
    s.destroy(first);
    CHECK(s.whole.contexts == third.hContext);
    s.destroy(third);
    CHECK(s.whole.contexts == nullptr);
    CHECK(s.gpu.blocks == 0);
}

TEST_CASE("OBS-08: a paging buffer is built from where the driver's private data will say that it lies") {
    started s;
    u32 buffer[256] = {};
    packet_data own{};
    DXGKARG_BUILDPAGINGBUFFER args{};
    args.pDmaBuffer = buffer;
    args.DmaSize = sizeof buffer;
    args.pDmaBufferPrivateData = &own;
    args.DmaBufferPrivateDataSize = sizeof own;
    args.Operation = DXGK_OPERATION_VIRTUAL_FILL;
    args.FillVirtual.FillSizeInBytes = 4096;
    args.FillVirtual.DestinationVirtualAddress = 0x10'0000;
    REQUIRE(wdk::build_paging_buffer<noting_gpu>(s.handle, &args) == status::success);
    CHECK(args.pDmaBuffer != buffer);
    CHECK(own.Address == reinterpret_cast<usize>(buffer));
}

TEST_CASE("a query of the library's has its answer, whatever the driver says") {
    started s;
    DXGK_QUERYGPUMMUCAPSIN in{};
    DXGK_GPUMMUCAPS out{};
    DXGKARG_QUERYADAPTERINFO args{};
    args.Type = DXGKQAITYPE_GPUMMUCAPS;
    args.pInputData = &in;
    args.InputDataSize = sizeof in;
    args.pOutputData = &out;
    args.OutputDataSize = sizeof out;
    CHECK(wdk::query_adapter_info<noting_gpu>(s.handle, &args) == status::success);
    CHECK(out.PageTableLevelCount == example_gpu::page_tables.level_count);
}

TEST_CASE("PREF-01: allocations are kept, and go back by their handles; a size of nothing is refused") {
    started s;
    allocation_request wanted{4096, 0, 0};
    DXGK_ALLOCATIONINFO infos[2] = {};
    for (auto& info : infos) {
        info.pPrivateDriverData = &wanted;
        info.PrivateDriverDataSize = sizeof wanted;
    }
    DXGKARG_CREATEALLOCATION args{};
    args.NumAllocations = 2;
    args.pAllocationInfo = infos;
    REQUIRE(wdk::create_allocation<noting_gpu>(s.handle, &args) == status::success);
    CHECK(infos[1].Size == 4096);
    HANDLE const handles[] = {infos[0].hAllocation, infos[1].hAllocation};
    DXGKARG_DESTROYALLOCATION const destroyed{2, handles, nullptr, 0};
    CHECK(wdk::destroy_allocation<noting_gpu>(s.handle, &destroyed) == status::success);
    REQUIRE(s.gpu.dropped.size() == 2);
    CHECK(s.gpu.dropped[0] == handles[0]);
    CHECK(s.gpu.dropped[1] == handles[1]);
    CHECK(s.gpu.blocks == 0);
    wanted.Size = 0;
    CHECK(wdk::create_allocation<noting_gpu>(s.handle, &args) == status::invalid_parameter);
    CHECK(s.gpu.blocks == 0);
}

/// Its only segment may be memory, and page tables are placed for each adapter of a link.
struct memory_gpu : noting_gpu {
    static constexpr segment_id vram{1};
    static constexpr auto only = segment::table_of(
        segment_id{0}, segment::cpu_visible_memory{
                           .id = vram, .base = segment::at(0x80'0000'0000), .size = 16 * mib, .pages_64k = true});
    static constexpr gpuva::page_table_geometry page_tables{
        .level_count = 2, .levels = {{9, 8}, {0, 8}}, .virtual_address_bits = 40};

    bool has_aperture = false;  // then its table is another

    [[nodiscard]] segment::view segments(u32) const noexcept {
        return has_aperture ? example_gpu::segments(0) : only.all();
    }
    [[nodiscard]] static gpuva::page_table_segments table_segments(u32) noexcept {
        return gpuva::every_level_in(vram, vram);
    }
};

TEST_CASE("SEG-39: DMA buffers that need an aperture where there is none are refused") {
    started_as<memory_gpu> s;
    DXGKARG_CREATECONTEXT args{};
    args.EngineAffinity = 1;
    CHECK(s.create(args) == status::invalid_parameter);
    CHECK(s.gpu.blocks == 0);
    s.gpu.has_aperture = true;
    REQUIRE(s.create(args) == status::success);
    s.destroy(args);
}

/// Says its segments by a member, as answers and segments of the guide do.
template <class Segments>
struct gpu_with_member : noting_gpu {
    static constexpr gpuva::page_table_geometry page_tables{
        .level_count = 2, .levels = {{9, 8}, {0, 8}}, .virtual_address_bits = 40};
    Segments segments{};
};

TEST_CASE_TEMPLATE("segments are a table or a view, as description.hpp allows, for contexts and allocations too",
                   Member, segment::table<2>, segment::view) {
    started_as<gpu_with_member<Member>> s;
    static_assert(wdk::check_device<gpu_with_member<Member>>());
    if constexpr (meta::same_as<Member, segment::view>) {
        s.gpu.segments = s.gpu.example_gpu::segments(0);
    } else {
        s.gpu.segments = s.gpu.places;
    }
    s.destroy(s.context(0));
    DXGKARG_GETROOTPAGETABLESIZE root{1, 0};
    CHECK(wdk::get_root_page_table_size<gpu_with_member<Member>>(s.handle, &root) == page_bytes);
    allocation_request wanted{4096, 0, 0};
    DXGK_ALLOCATIONINFO info = {};
    info.pPrivateDriverData = &wanted;
    info.PrivateDriverDataSize = sizeof wanted;
    DXGKARG_CREATEALLOCATION args{};
    args.NumAllocations = 1;
    args.pAllocationInfo = &info;
    REQUIRE(wdk::create_allocation<gpu_with_member<Member>>(s.handle, &args) == status::success);
    DXGKARG_DESTROYALLOCATION const gone{1, &info.hAllocation, nullptr, 0};
    CHECK(wdk::destroy_allocation<gpu_with_member<Member>>(s.handle, &gone) == status::success);
    CHECK(s.gpu.blocks == 0);
}

TEST_CASE("GVA-26: where page tables lie may be said for each adapter") {
    started_as<memory_gpu> s;
    DXGKARG_GETROOTPAGETABLESIZE args{1, 0};
    CHECK(wdk::get_root_page_table_size<memory_gpu>(s.handle, &args) == 65536);
}

}  // namespace

}  // namespace wdk_functions_test
