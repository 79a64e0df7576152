// SPDX-License-Identifier: MIT
// Copyright (c) wddmcore contributors
#include "plain_gpu.hpp"

#include <hardware/amd_gfx10.hpp>
#include <hardware/cpu.hpp>

#include <doctest/doctest.h>

#include <new>
#include <vector>

#include "../base/expect_both.hpp"

namespace smallest_paging_buffer_test {

using namespace wddmcore;
using namespace wddmcore::testing;
namespace amd = wddmcore::examples::amd;
namespace cpu = wddmcore::examples::cpu;

namespace {

constexpr capabilities bare_virtual{.version = wddm::v2_9, .addresses = paging_addresses::gpu_virtual};
constexpr capabilities bare_physical_2_0{.version = wddm::v2_0};

// Less than a page a command: 1000 bytes, that is 960 of 64-byte pieces, five to a page; the fill takes three.
constexpr plain_numbers small_commands{.unit = {4},
                                       .copy_max = {1000},
                                       .copy_alignment = {64},
                                       .copy_dwords = {5},
                                       .fill_max = {2000},
                                       .fill_alignment = {16}};
constexpr plain_numbers long_access{.unit = {5}, .access_dwords = {11}};
constexpr plain_numbers long_fill{.fill_dwords = {9}};

struct with_aperture_command : plain_gpu<> {
    static constexpr dwords aperture_entry_dwords{17};
    static constexpr void encode_aperture_entry(u32* at, segment_id, u64, page_number, bool) noexcept {
        put(at, aperture_entry_dwords, 5);
    }
};
struct with_discard : plain_gpu<> {
    static constexpr dwords discard_dwords{6};
    static constexpr void encode_discard(u32* at, address, void*) noexcept { put(at, discard_dwords, 6); }
};
struct with_layouts : plain_gpu<> {
    static constexpr dwords swizzle_dwords{10};
    static constexpr void encode_swizzled_copy(u32* at, hw::swizzled_copy<with_layouts> const&) noexcept {
        put(at, swizzle_dwords, 7);
    }
};

using physical_arguments = mirror::v1_3::dxgkarg_buildpagingbuffer;

/// One pass of an eviction of three scattered pages with `room` bytes of buffer.
template <class Hw>
ntstatus evict_three_pages(u32 room, u32& token) {
    Hw gpu{};
    std::vector<u32> buffer(room / 4 + 1);
    alignas(8) unsigned char memory[sizeof(mirror::v1_3::mdl) + 3 * sizeof(usize)];
    auto* const list = new (memory) mirror::v1_3::mdl{};
    list->ByteCount = 3 * 4096;
    auto* const pages = reinterpret_cast<usize*>(memory + sizeof(mirror::v1_3::mdl));
    pages[0] = 10;
    pages[1] = 20;
    pages[2] = 30;
    physical_arguments args{};
    args.pDmaBuffer = buffer.data();
    args.DmaSize = room;
    args.Transfer = {};
    args.Transfer.TransferSize = 3 * 4096;
    args.Transfer.Source.SegmentId = 2;
    args.Transfer.Source.SegmentAddress.QuadPart = i64{2} << 40;
    args.Transfer.Destination.SegmentId = 0;
    args.Transfer.Destination.pMdl = list;
    ntstatus const answer = build_paging_buffer(gpu, args);
    token = args.MultipassOffset;
    return answer;
}

/// With the smallest buffer every pass advances; with one dword less it does not.
template <class Hw>
void check_that_it_is_smallest() {
    u32 token = 0;
    u32 const smallest = static_cast<u32>(smallest_paging_buffer<Hw>.n);
    CHECK(evict_three_pages<Hw>(smallest, token) == status::graphics_insufficient_dma_buffer);
    CHECK(token >= 1);
    CHECK(evict_three_pages<Hw>(smallest - 4, token) == status::graphics_insufficient_dma_buffer);
    CHECK(token == 0);
}

}  // namespace

TEST_CASE("law 7: a copy that changes the layout may be longer than a page's plain copies") {
    expect_both(paging::detail::copy_group_dwords<with_layouts>() == 10);
    expect_both(paging::detail::copy_group_dwords<plain_gpu<>>() == 4);
}

TEST_CASE("SEG-41: the example hardware's smallest buffers are those of pencil and paper") {
    // SDMA: a copy of 7 dwords is the longest; indirect buffers are multiples of 8.
    CHECK(smallest_paging_buffer<amd::gfx10<>> == bytes{8 * 4});
    CHECK(smallest_paging_buffer<amd::gfx10<amd::virtual_paging>> == bytes{8 * 4});
    // The processor: copies, fills and aperture entries are 8 dwords, a multiple of the stream's 2.
    CHECK(smallest_paging_buffer<cpu::processor<>> == bytes{8 * 4});
    CHECK(smallest_paging_buffer<cpu::processor<cpu::virtual_paging>> == bytes{8 * 4});
}

TEST_CASE("SEG-41: all commands of one page count, and the sum is rounded up to the grain") {
    CHECK(smallest_paging_buffer<plain_gpu<>> == bytes{4 * 4});
    CHECK(smallest_paging_buffer<plain_gpu<small_commands>> == bytes{28 * 4});
    CHECK(smallest_paging_buffer<plain_gpu<long_access>> == bytes{15 * 4});
    CHECK(smallest_paging_buffer<plain_gpu<long_fill>> == bytes{9 * 4});
}

TEST_CASE("SEG-41: optional commands count where they exist") {
    CHECK(smallest_paging_buffer<with_aperture_command> == bytes{17 * 4});
    CHECK(smallest_paging_buffer<with_discard> == bytes{6 * 4});
    CHECK(smallest_paging_buffer<with_layouts> == bytes{10 * 4});
}

TEST_CASE("SEG-41: what cannot arrive does not count") {
    // Operations 3 and 4 never reach a driver of WDDM 2.0 and later.
    CHECK(smallest_paging_buffer<plain_gpu<long_access, bare_physical_2_0>> == bytes{5 * 4});
    CHECK(smallest_paging_buffer<plain_gpu<long_access, bare_virtual>> == bytes{5 * 4});
}

TEST_CASE("SEG-41: with the smallest buffer a pass advances, with less it does not") {
    check_that_it_is_smallest<plain_gpu<>>();
    check_that_it_is_smallest<plain_gpu<small_commands>>();
}

}  // namespace smallest_paging_buffer_test
