// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
//
// DxgkDdiMapCpuHostAperture and DxgkDdiUnmapCpuHostAperture of wdk/.
#include "noting_gpu.hpp"

#include <wddmcore/mirror.hpp>

namespace wdk_functions_test {

namespace {

/// Memory behind an aperture of eight pages, of which it notes what each shows.
struct aperture_gpu : noting_gpu {
    static constexpr u64 nothing = ~u64{0};
    static constexpr u32 aperture_pages = 8;
    static constexpr auto hidden = segment::table_of(
        window, segment::aperture{.id = window, .base = segment::at(0x7F'0000'0000), .size = 16 * mib},
        segment::memory_behind_host_aperture{.id = local,
                                             .base = segment::at(0x80'0000'0000),
                                             .size = 1 * mib,
                                             .host_aperture = {{0xE000'0000}, aperture_pages}});
    static constexpr u64 memory_pages = (1 * mib).n / page_bytes;

    u64 shows[aperture_pages] = {nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing};
    int stores = 0;

    [[nodiscard]] segment::view segments(u32) const noexcept { return hidden.all(); }
    void store_host_aperture_entry(segment_id, u32 aperture_page, u64 memory_page) noexcept {
        shows[aperture_page] = memory_page;
        ++stores;
    }
    void clear_host_aperture_entry(segment_id, u32 aperture_page) noexcept {
        shows[aperture_page] = nothing;
        ++stores;
    }
};

/// A request for pages 7 and 0 of the aperture, and the last and the first page of memory.
template <class Map, class Unmap>
struct requests {
    aperture_gpu gpu{};
    u32 aperture[2] = {7, 0};
    u64 memory[2] = {aperture_gpu::memory_pages - 1, 0};

    Map to_map() {
        Map args{};
        args.SegmentId = aperture_gpu::local.n;
        args.NumberOfPages = 2;
        args.pCpuHostAperturePages = aperture;
        args.pMemorySegmentPages = memory;
        return args;
    }
    Unmap to_unmap() {
        Unmap args{};
        args.SegmentId = aperture_gpu::local.n;
        args.NumberOfPages = 2;
        args.pCpuHostAperturePages = aperture;
        return args;
    }
    ntstatus send(Map const& args) { return wdk::map_cpu_host_aperture<aperture_gpu>(&gpu, &args); }
    ntstatus send(Unmap const& args) { return wdk::unmap_cpu_host_aperture<aperture_gpu>(&gpu, &args); }
};
using newest = requests<DXGKARG_MAPCPUHOSTAPERTURE, DXGKARG_UNMAPCPUHOSTAPERTURE>;

TEST_CASE_TEMPLATE("SEG-37: pages are shown in the order that the request has, from WDDM 2.0 on", Requests,
                   requests<mirror::v2_0::dxgkarg_mapcpuhostaperture, mirror::v2_0::dxgkarg_unmapcpuhostaperture>,
                   newest) {
    Requests r;
    auto const map = r.to_map();
    REQUIRE(r.send(map) == status::success);
    CHECK(r.gpu.shows[7] == aperture_gpu::memory_pages - 1);
    CHECK(r.gpu.shows[0] == 0);
    CHECK(r.gpu.stores == 2);
    auto unmap = r.to_unmap();
    unmap.NumberOfPages = 1;
    REQUIRE(r.send(unmap) == status::success);
    CHECK(r.gpu.shows[7] == aperture_gpu::nothing);
    CHECK(r.gpu.shows[0] == 0);
}

TEST_CASE("SEG-37: the segments may be a table that is a member") {
    struct table_gpu : aperture_gpu {
        segment::table<2> segments = hidden;
    } gpu;
    newest r;
    auto const map = r.to_map();
    REQUIRE(wdk::map_cpu_host_aperture<table_gpu>(&gpu, &map) == status::success);
    CHECK(gpu.shows[0] == 0);
    auto const unmap = r.to_unmap();
    REQUIRE(wdk::unmap_cpu_host_aperture<table_gpu>(&gpu, &unmap) == status::success);
    CHECK(gpu.shows[0] == aperture_gpu::nothing);
}

TEST_CASE("SEG-38: a request without pages does nothing, whether its arrays are there or not") {
    newest r;
    auto map = r.to_map();
    auto unmap = r.to_unmap();
    map.NumberOfPages = unmap.NumberOfPages = 0;
    map.pMemorySegmentPages = nullptr;
    map.pCpuHostAperturePages = unmap.pCpuHostAperturePages = nullptr;
    CHECK(r.send(map) == status::success);
    CHECK(r.send(unmap) == status::success);
    CHECK(r.gpu.stores == 0);
}

TEST_CASE("SEG-37: of a map request that is wrong anywhere no page is stored") {
    newest r;
    auto map = r.to_map();
    SUBCASE("no aperture pages") { map.pCpuHostAperturePages = nullptr; }
    SUBCASE("no memory pages") { map.pMemorySegmentPages = nullptr; }
    SUBCASE("past the aperture") { r.aperture[1] = aperture_gpu::aperture_pages; }
    SUBCASE("past the memory") { r.memory[1] = aperture_gpu::memory_pages; }
    SUBCASE("an aperture segment") { map.SegmentId = aperture_gpu::window.n; }
    SUBCASE("no such segment") { map.SegmentId = 3; }
    SUBCASE("a physical adapter that is not there") { map.PhysicalAdapterIndex = 1; }
    CHECK(r.send(map) == status::invalid_parameter);
    CHECK(r.gpu.stores == 0);
}

TEST_CASE("SEG-37: of an unmap request that is wrong anywhere no page is stored") {
    newest r;
    auto unmap = r.to_unmap();
    SUBCASE("no pages") { unmap.pCpuHostAperturePages = nullptr; }
    SUBCASE("past the aperture") { r.aperture[1] = aperture_gpu::aperture_pages; }
    SUBCASE("an aperture segment") { unmap.SegmentId = aperture_gpu::window.n; }
    SUBCASE("a physical adapter that is not there") { unmap.PhysicalAdapterIndex = 1; }
    CHECK(r.send(unmap) == status::invalid_parameter);
    CHECK(r.gpu.stores == 0);
}

}  // namespace

}  // namespace wdk_functions_test
